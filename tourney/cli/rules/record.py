"""`tourney record`: games as text."""

from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.request import PlainWithoutDatabase, WithoutDatabase
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports import rules as reports
from tourney.service.rules import records as service
from tourney.text.i18n import _

app = noun("record")

File = Annotated[str, typer.Argument(metavar="FILE", help=_("The file of a record."))]

RulesOption = Annotated[
    str | None, typer.Option("--rules", metavar="FILE", help=_("The club's own rules under which it was played."))
]


@app.command(help=_("Replay a record. Exit code 1 if it does not give its own scores."))
def verify(request: PlainWithoutDatabase, file: File, rules: RulesOption = None) -> None:
    request.show(reports.record_verified(service.replay(file, rules)))


@app.command(help=_("Replay a record and show the result, hand by hand."))
def replay(request: WithoutDatabase, file: File, rules: RulesOption = None) -> None:
    request.show(reports.record_page(service.replay(file, rules)))


@app.command("show", help=_("Show a record hand by hand, or one hand's actions. Nothing is replayed."))
def show_(
    request: WithoutDatabase,
    file: File,
    hand: Annotated[int | None, typer.Option(metavar="N", help=_("Show the actions of this hand, from 1."))] = None,
) -> None:
    record = service.show(file)
    if hand is None:
        request.show(reports.record_page(record))
        return
    hands = len(record.page.outcome.hands)
    if not 1 <= hand <= hands:
        message = _("there is no hand {hand}").format(hand=hand)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("hands are 1 to {hands}").format(hands=hands))
    request.show(reports.record_hand(record, hand))
