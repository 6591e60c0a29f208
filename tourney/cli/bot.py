"""`tourney bot`: players made of code."""

from tourney.cli.frame import noun
from tourney.cli.options import FormOption, Json, form
from tourney.cli.printing import show
from tourney.reports import bots as reports
from tourney.service import bots as service
from tourney.text import _

app = noun("bot")


@app.command("list", help=_("List the built-in bots, weakest first."))
def list_(format: FormOption = None, json: Json = False) -> None:
    show(reports.listing(service.listing()), form(format, json))
