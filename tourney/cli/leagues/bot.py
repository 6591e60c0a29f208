"""`tourney bot`: players made of code."""

from tourney.cli.framework.app import noun
from tourney.cli.framework.options import FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.reports import leagues as reports
from tourney.service.leagues import leagues as service
from tourney.text.i18n import _

app = noun("bot")


@app.command("list", help=_("List the built-in bots, weakest first."))
def list_(format: FormOption = None, json: Json = False) -> None:
    show(reports.bots(service.builtin_bots()), form(format, json))
