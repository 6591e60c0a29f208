"""`tourney rules`: the rule sets, and questions about them. `tourney record`: games as text."""

import sys
from functools import partial
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.request import PlainWithoutDatabase, Request, WithoutDatabase
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports import rules as reports
from tourney.rulebook.answers import Fit, Legality
from tourney.service import rules as service
from tourney.text.i18n import _

app, record_app = noun("rules"), noun("record")

Rules = Annotated[
    str, typer.Argument(metavar="RULES", help=_("A rule set, as oficial or oficial+scaled, or a club's own file."))
]
File = Annotated[str, typer.Argument(metavar="FILE", help=_("The file of a record."))]
ClubRules = Annotated[
    str | None, typer.Option("--rules", metavar="FILE", help=_("The club's own rules under which it was played."))
]
CASES = "-"
"""The last argument if the cases come from standard input."""


@app.command("list", help=_("List the rule sets."))
def list_(request: WithoutDatabase) -> None:
    request.show(reports.rule_sets(service.listing()))


@app.command("show", help=_("Show a rule set as a page for players. Each sentence names its clause."))
def show_(request: WithoutDatabase, rules: Rules = "oficial") -> None:
    request.show(reports.page(service.page(rules)))


@app.command(
    help=_("Show how two rule sets differ, in sentences."),
    epilog=_("Example: tourney rules diff oficial oficial+scaled+claims3"),
)
def diff(
    request: WithoutDatabase, one: Rules, other: Annotated[str, typer.Argument(metavar="OTHER", help=_("Another one."))]
) -> None:
    request.show(reports.differences(service.diff(one, other)))


@app.command(
    help=_("Check whether these melds make the contract. Exit code 1 if not. The last argument '-' reads cases."),
    epilog=_("Example: tourney rules check oficial TE '7h 7d 7c / 4s 5s Jk 7s'"),
)
def check(
    request: PlainWithoutDatabase,
    rules: Rules,
    contract: Annotated[
        str, typer.Argument(metavar="CONTRACT", help=_("As TT or TEE; '-' alone reads CONTRACT and MELDS."))
    ],
    melds: Annotated[
        str | None, typer.Argument(metavar="MELDS", help=_("The melds between slashes, runs in order."))
    ] = None,
) -> None:
    _ask(request, service.check, rules, {"CONTRACT": contract, "MELDS": melds})


@app.command(
    help=_("Check whether the card fits on the meld. Exit code 1 if not. The last argument '-' reads cases."),
    epilog=_("Example: tourney rules layoff oficial '5h 6h Jk 8h' 9h"),
)
def layoff(
    request: PlainWithoutDatabase,
    rules: Rules,
    meld: Annotated[
        str, typer.Argument(metavar="MELD", help=_("A trio or a run in order; '-' alone reads MELD and CARD."))
    ],
    card: Annotated[str | None, typer.Argument(metavar="CARD", help=_("The card to lay off."))] = None,
) -> None:
    _ask(request, service.lay_off, rules, {"MELD": meld, "CARD": card})


@app.command(
    help=_("Lay the contract so that the cheapest cards are left. The last argument '-' reads cases."),
    epilog=_("Example: tourney rules arrange oficial TT '7h 7d 7c Ks Kd Jk 2c'"),
)
def arrange(
    request: PlainWithoutDatabase,
    rules: Rules,
    contract: Annotated[
        str, typer.Argument(metavar="CONTRACT", help=_("As TT or TEE; '-' alone reads CONTRACT and CARDS."))
    ],
    cards: Annotated[str | None, typer.Argument(metavar="CARDS", help=_("The cards in hand, in any order."))] = None,
    players: Annotated[
        int | None,
        typer.Option(metavar="N", help=_("Players at the table, whose packs count; 4 or the nearest unless set.")),
    ] = None,
) -> None:
    _ask(request, partial(service.arrange, players=players), rules, {"CONTRACT": contract, "CARDS": cards})


@app.command(
    help=_("Count the points of cards left in a hand (knock: in no meld). The last argument '-' reads cases."),
    epilog=_("Example: tourney rules score oficial 'As Kd 7h Jk'"),
)
def score(
    request: PlainWithoutDatabase,
    rules: Rules,
    cards: Annotated[str, typer.Argument(metavar="CARDS", help=_("The cards; '-' reads CARDS, a blank line is none."))],
) -> None:
    _ask(request, service.score, rules, {"CARDS": cards})


@app.command(
    help=_("Show what an arbiter does about an irregularity. Without KIND, list the kinds."),
    epilog=_("Example: tourney rules ruling illegal-draw --found before-discard"),
)
def ruling(
    request: WithoutDatabase,
    kind: Annotated[str | None, typer.Argument(metavar="KIND", help=_("As illegal-draw."))] = None,
    found: Annotated[
        str | None,
        typer.Option(metavar="MOMENT", help=_("When it is found, as before-discard; every moment unless set.")),
    ] = None,
    rules: Annotated[str, typer.Option(metavar="RULES", help=_("The rule set that is played."))] = "oficial",
) -> None:
    if kind is None:
        request.show(reports.irregularities(service.irregularities()))
    else:
        request.show(reports.ruling(*service.ruling(kind, found, rules)))


def _ask(request: Request, question: service.Question, rules: str, fields: dict[str, str | None]) -> None:
    given = [value for value in fields.values() if value is not None]
    if given and given[-1] == CASES and CASES not in given[:-1]:
        _ask_many(question, rules, list(fields), given[:-1])
        return
    if len(given) < len(fields) or CASES in given:
        message = _("give {fields}, or '-' in their place").format(fields=_(" and ").join(fields))
        raise TourneyError(ExitCode.USAGE, message, _("'-' reads cases from standard input, tabs between"))
    answer = service.answer(question, rules, given)
    request.show(reports.answer(answer), good=not isinstance(answer, Legality | Fit) or answer.legal)


def _ask_many(question: service.Question, rules: str, fields: list[str], first: list[str]) -> None:
    """Write and flush one JSON line for each line read, so that another program can wait for it."""
    from tourney.reports.render.export import json_line

    for answer in service.answers(question, rules, fields, sys.stdin.buffer, first):
        sys.stdout.write(json_line(reports.answer_data(answer)))
        sys.stdout.flush()


@record_app.command("verify", help=_("Replay a record. Exit code 1 if the scores differ from its own."))
def verify_record(request: PlainWithoutDatabase, file: File, rules: ClubRules = None) -> None:
    request.show(reports.record_verified(service.replay(file, rules)))


@record_app.command("replay", help=_("Replay a record and show the result, hand by hand."))
def replay_record(request: WithoutDatabase, file: File, rules: ClubRules = None) -> None:
    request.show(reports.record_page(service.replay(file, rules)))


@record_app.command("show", help=_("Show a record hand by hand, or one hand's actions. Nothing is replayed."))
def show_record(
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
