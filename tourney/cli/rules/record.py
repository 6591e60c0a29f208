"""`tourney record`: games as text."""

from typing import Annotated

import typer

from tourney.cli.framework.app import noun
from tourney.cli.framework.options import FormOption, Json, form
from tourney.cli.framework.output import show
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.rules import records as reports
from tourney.service.rules import records as service
from tourney.text.i18n import _

app = noun("record")

File = Annotated[str, typer.Argument(metavar="FILE", help=_("The file of a record."))]

RulesOption = Annotated[
    str | None, typer.Option("--rules", metavar="FILE", help=_("The club's own rules under which it was played."))
]


@app.command(help=_("Replay a record. Exit code 1 if it does not give its own scores."))
def verify(file: File, rules: RulesOption = None, json: Json = False) -> None:
    show(reports.verified(service.replay(file, rules)), form(None, json))


@app.command(help=_("Replay a record and show the result, hand by hand."))
def replay(file: File, rules: RulesOption = None, format: FormOption = None, json: Json = False) -> None:
    show(reports.page(service.replay(file, rules)), form(format, json))


@app.command("show", help=_("Show a record hand by hand, or one hand's actions. Nothing is replayed."))
def show_(
    file: File,
    hand: Annotated[int | None, typer.Option(metavar="N", help=_("Show the actions of this hand, from 1."))] = None,
    format: FormOption = None,
    json: Json = False,
) -> None:
    record = service.show(file)
    if hand is None:
        show(reports.page(record), form(format, json))
        return
    hands = len(record.page.outcome.hands)
    if not 1 <= hand <= hands:
        message = _("there is no hand {hand}").format(hand=hand)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("hands are 1 to {hands}").format(hands=hands))
    show(reports.hand(record, hand), form(format, json))
