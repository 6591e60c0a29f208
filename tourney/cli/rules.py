"""`tourney rules`: the rule sets, and questions about them. `tourney record`: games as text."""

import sys
from collections.abc import Iterable
from functools import partial
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import EventRules, Letters, RulesName
from tourney.cli.framework.output import note, write_text
from tourney.cli.framework.request import PlainWithoutDatabase, Reading, Request, WithoutDatabase
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rules import USUAL_RULES
from tourney.reports import rules as reports
from tourney.rulebook.answers import Fit, Legality
from tourney.service import rules as service
from tourney.text.cards import Alphabet, english_letters_note, is_ambiguous, prompt_alphabet, typing_cards
from tourney.text.i18n import _, both

app, record_app = (
    noun(
        _(
            "Cards are written as 7h, Td (ten of diamonds), As and Jk (joker); h, d, c and s are hearts, diamonds, "
            "clubs and spades. Cards of a run stand in order, so that a joker's place says which card it stands for."
        )
    ),
    noun(
        _(
            "A record is a game as text: its rules, its deals and every action. `tourney result show --record` and "
            "`tourney league record` print one."
        )
    ),
)

MANY = _(
    "To ask many questions, give - as the last argument and write them to standard input, one in a line, with tabs "
    "between the parts that are left. Each is answered by a line of JSON."
)
READ = _("Read")
ASK = _("Ask about cards")
ARBITER = _("Arbiter")

Rules = Annotated[
    str,
    typer.Argument(
        metavar="RULES",
        help=_(
            "A name from `tourney rules list`, such as oficial or oficial+scaled; or a file with a club's own rules."
        ),
    ),
]
Contract = Annotated[
    str,
    typer.Argument(
        metavar="CONTRACT",
        help=_("What to lay down: T is a trio, E a run, so TTE is two trios and a run."),
    ),
]
File = Annotated[str, typer.Argument(metavar="FILE", help=_("A file with a record, such as game.toml."))]
ClubRules = Annotated[
    str | None,
    typer.Option(
        "--rules", metavar="FILE", help=_("The file with the club's own rules by which the game was played, if any.")
    ),
]
CASES = "-"
"""The last argument if the cases come from standard input."""


@app.command("list", heading=READ, help=_("List the rule sets that events can use."), epilog=_("tourney rules list"))
def list_(request: WithoutDatabase) -> None:
    request.show(lambda: reports.rule_sets(service.listing()))


@app.command(
    "show",
    heading=READ,
    help=_("Show the rules as a page for players; every sentence names the clause of the document it comes from."),
    epilog=_("tourney rules show\ntourney rules show oficial+scaled\ntourney rules show --event Friday --quote"),
)
def show_(
    request: Reading,
    rules: Rules = USUAL_RULES,
    event: EventRules = None,
    quote: Annotated[
        bool,
        typer.Option(
            "--quote", help=_("Show the clause's own words below each sentence, and our decision where there are none.")
        ),
    ] = False,
) -> None:
    request.show(lambda: reports.page(service.page_for(request.db, rules, event, quote)))


@app.command(
    heading=READ,
    help=_("Show in sentences how two rule sets differ."),
    epilog=_("tourney rules diff oficial oficial+scaled+claims3"),
)
def diff(
    request: WithoutDatabase,
    one: Rules,
    other: Annotated[str, typer.Argument(metavar="OTHER", help=_("Another rule set, written in the same way."))],
) -> None:
    request.show(lambda: reports.differences(service.diff(one, other)))


@app.command(
    heading=ASK,
    help="\n\n".join(
        (
            _(
                "Check whether melds may be laid down for a contract, or whether one meld, T or E, is legal by itself. "
                "Exit code 1 if not."
            ),
            MANY,
        )
    ),
    epilog=_('tourney rules check oficial TE "7h 7d 7c / 4s 5s Jk 7s"\ntourney rules check oficial E "Qs Ks As 2s"'),
)
def check(
    request: PlainWithoutDatabase,
    rules: Rules,
    contract: Contract,
    melds: Annotated[
        str | None,
        typer.Argument(metavar="MELDS", help=_('The melds, with / between them, such as "7h 7d 7c / 4s 5s Jk 7s".')),
    ] = None,
    letters: Letters = None,
) -> None:
    _ask(request, service.check, rules, {"CONTRACT": contract, "MELDS": melds}, letters)


@app.command(
    heading=ASK,
    help="\n\n".join(
        (_("Check whether a card can be laid off on a meld (exit code 1 if not), or exchanged for its joker."), MANY)
    ),
    epilog=_('tourney rules layoff oficial "5h 6h Jk 8h" 9h'),
)
def layoff(
    request: PlainWithoutDatabase,
    rules: Rules,
    meld: Annotated[
        str,
        typer.Argument(metavar="MELD", help=_('The meld on the table, such as "5h 6h Jk 8h".')),
    ],
    card: Annotated[str | None, typer.Argument(metavar="CARD", help=_("The card to lay off, such as 9h."))] = None,
    letters: Letters = None,
) -> None:
    _ask(request, service.lay_off, rules, {"MELD": meld, "CARD": card}, letters)


@app.command(
    heading=ASK,
    help="\n\n".join(
        (_("Show how to lay down a contract so that the cards left over cost least, or which cards are missing."), MANY)
    ),
    epilog=_('tourney rules arrange oficial TT "7h 7d 7c Ks Kd Jk 2c"'),
)
def arrange(
    request: PlainWithoutDatabase,
    rules: Rules,
    contract: Contract,
    cards: Annotated[
        str | None,
        typer.Argument(metavar="CARDS", help=_('The cards in hand, in any order, such as "7h 7d 7c Ks Kd Jk 2c".')),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=_(
                "The number of players, on which the number of packs depends; if left out, 4, or the nearest that the "
                "rules allow."
            ),
        ),
    ] = None,
    letters: Letters = None,
) -> None:
    _ask(request, partial(service.arrange, players=players), rules, {"CONTRACT": contract, "CARDS": cards}, letters)


@app.command(
    heading=ASK,
    help="\n\n".join(
        (_("Count the points of the cards that are left in a hand; in the knock game, of those in no meld."), MANY)
    ),
    epilog=_('tourney rules score oficial "As Kd 7h Jk"'),
)
def score(
    request: PlainWithoutDatabase,
    rules: Rules,
    cards: Annotated[
        str,
        typer.Argument(metavar="CARDS", help=_('The cards, such as "As Kd 7h Jk".')),
    ],
    letters: Letters = None,
) -> None:
    _ask(request, service.score, rules, {"CARDS": cards}, letters)


@app.command(
    heading=ARBITER,
    help=_(
        "Show what an arbiter does about an irregularity, such as a card drawn out of turn. Say what happened in a few "
        "words of English or Spanish, or name its kind."
    ),
    epilog=_("tourney rules ruling\ntourney rules ruling showed a card\ntourney rules ruling illegal-draw"),
)
def ruling(
    request: WithoutDatabase,
    kind: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KIND...]",
            help=_("The kind of irregularity, such as illegal-draw, or what happened; if left out, list the kinds."),
        ),
    ] = None,
    found: Annotated[
        str | None,
        typer.Option(
            metavar="MOMENT", help=_("When it is found, such as before-discard; if left out, show every moment.")
        ),
    ] = None,
    rules: RulesName = USUAL_RULES,
) -> None:
    phrase = " ".join(kind or ())
    kinds = service.irregularities(phrase)
    if not phrase or len(kinds) > 1:
        request.show(lambda: reports.irregularities(kinds, phrase))
        return
    given = "" if phrase == kinds[0].kind else phrase
    request.show(lambda: reports.ruling(*service.ruling(kinds[0].kind, found, rules), given))


def _ask(
    request: Request, question: service.Question, rules: str, fields: dict[str, str | None], letters: Alphabet | None
) -> None:
    given = {name: value for name, value in fields.items() if value is not None}
    values = list(given.values())
    if values and values[-1] == CASES and CASES not in values[:-1]:
        _note_letters((), letters, many=True)
        _ask_many(question, rules, list(fields), values[:-1], letters or "en")
        return
    if len(given) < len(fields) or CASES in values:
        message = _("give {fields}, or - as the last argument").format(fields=both(fields))
        raise TourneyError(
            ExitCode.USAGE,
            message,
            _("- reads many questions from standard input, one in a line, with tabs between the parts"),
        )
    with typing_cards(letters or "en"):
        answer = service.answer(question, rules, given, letters or "en")
        # After the answer, since a refusal is one line, and its hint says in which letters it reads cards.
        _note_letters((value for name, value in given.items() if name in service.CARDS), letters, many=False)
        request.show(reports.answer(answer), good=not isinstance(answer, Legality | Fit) or answer.legal)


def _note_letters(cards: Iterable[str], letters: Alphabet | None, many: bool) -> None:
    """Say to a reader of Spanish in which letters cards are read, where a card is another one in Spanish letters."""
    if letters is None and prompt_alphabet() != "en" and (many or is_ambiguous(cards)):
        note(english_letters_note())


def _ask_many(question: service.Question, rules: str, fields: list[str], first: list[str], letters: Alphabet) -> None:
    """Write and flush one JSON line for each line read, so that another program can wait for it."""
    from tourney.reports.render.export import json_line

    with typing_cards(letters):
        for answer in service.answers(question, rules, fields, sys.stdin.buffer, first, letters):
            write_text(json_line(reports.answer_data(answer)))
            sys.stdout.flush()


@record_app.command(
    "verify",
    help=_("Play a record again, and check that its scores follow. Exit code 1 if they do not."),
    epilog=_("tourney record verify game.toml"),
)
def verify_record(request: PlainWithoutDatabase, file: File, rules: ClubRules = None) -> None:
    request.show(reports.record_verified(service.replay(file, rules)))


@record_app.command(
    "replay",
    help=_("Play a record again, and show the result hand by hand."),
    epilog=_("tourney record replay game.toml"),
)
def replay_record(request: WithoutDatabase, file: File, rules: ClubRules = None) -> None:
    request.show(lambda: reports.record_page(service.replay(file, rules)))


@record_app.command(
    "show",
    help=_("Show the scores of a record as they are written in it, or every action of one hand."),
    epilog=_("tourney record show game.toml\ntourney record show game.toml --hand 3"),
)
def show_record(
    request: WithoutDatabase,
    file: File,
    hand: Annotated[
        int | None, typer.Option(metavar="N", help=_("Only the hand of this number, from 1, action by action."))
    ] = None,
) -> None:
    record = service.show(file)
    if hand is None:
        request.show(lambda: reports.record_page(record))
        return
    hands = len(record.page.outcome.hands)
    if not 1 <= hand <= hands:
        message = _("there is no hand {hand}").format(hand=hand)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("hands are 1 to {hands}").format(hands=hands))
    request.show(lambda: reports.record_hand(record, hand))
