"""`tourney ruling`: an arbiter's decisions."""

from collections.abc import Sequence
from typing import Annotated

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import EventName, EventOption, Letters, Reason
from tourney.cli.framework.request import Reading, Writing
from tourney.cli.results.result import MAX_DIGITS, Dead, File, Stopped, length_of, read_number, sheet, write_notes
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import RulingKind
from tourney.files.sheet_toml import WrittenSheet
from tourney.reports.results import rulings as reports
from tourney.service.lookup import AfterEvent
from tourney.service.results import begun_sheets
from tourney.service.results import rulings as service
from tourney.service.results.results import letters_note
from tourney.service.results.rulings import AddRuling, CancelRuling
from tourney.text.cards import Alphabet, typing_cards
from tourney.text.i18n import _

app = noun()

MIN_PENALTY_WORDS = 3


@app.command(
    help=_(
        "Add a decision of the arbiter, such as a penalty. A penalty counts in the standings (in the knock game it "
        "takes money off); the places at the table, and so the ratings, stay as played. Only a corrected sheet changes "
        "those."
    ),
    epilog=_("tourney ruling add --kind penalty --player Ana --points 20 --reason late"),
)
def add(
    request: Writing,
    kind: Annotated[
        RulingKind,
        typer.Option(
            metavar="KIND",
            help=_(
                "The kind: penalty (needs --player and --points), redeal of a hand (needs --round, --table, --hand), "
                "correction of a sheet (needs --round, --table and the new sheet), or note."
            ),
        ),
    ],
    reason: Reason,
    event: EventName = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help=_("The player concerned: their name, or their number from `tourney event show`.")
        ),
    ] = None,
    points: Annotated[
        int | None,
        typer.Option(
            metavar="N", help=_("The points of a penalty, which are added to the player's; below 0, taken off.")
        ),
    ] = None,
    round: Annotated[
        int | None, typer.Option("--round", metavar="R", min=1, help=_("The number of the round concerned."))
    ] = None,
    table: Annotated[
        int | None, typer.Option(metavar="T", min=1, help=_("The number of the table concerned, in that round."))
    ] = None,
    hand: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HAND",
            help=_(
                "The hand concerned, such as TTE, or 3 in the knock game; for a correction one hand of the new sheet, "
                "as in `tourney result correct`."
            ),
        ),
    ] = None,
    file: File = None,
    dead: Dead = None,
    stopped: Stopped = False,
    letters: Letters = None,
) -> None:
    written = WrittenSheet(())
    if kind == "correction":
        written = sheet(file, hand, dead, letters)
        decision = service.Decision(kind, reason, round, table, player, None, points)
        change = AddRuling(event, decision, written.hands, length_of(stopped))
    else:
        one_hand = _one_hand(hand, file, dead, stopped, letters)
        change = AddRuling(event, service.Decision(kind, reason, round, table, player, one_hand, points))
    replaced: tuple[str, ...] = ()
    if kind == "correction" and round is not None and table is not None:
        replaced = begun_sheets.dropped_by(request.db, event, round, table)
    with typing_cards(written.letters or "en"):
        request.submit(change, reports.added)
    write_notes((*letters_note(request.db, event, written), *replaced))


@app.command(
    help=_(
        "Add a penalty in few words: the player, the points and the reason. `tourney ruling add` has more options, and "
        "takes points off."
    ),
    epilog=_("tourney ruling penalty Ana 20 came late\ntourney ruling penalty Friday Ana 20 came late --round 2"),
)
def penalty(
    request: Writing,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar=_("[EVENT] PLAYER POINTS REASON..."),
            help=_(
                "The player's name, or their number from `tourney event show`; the points to add; and why. Before them "
                "an event's exact name, unless the current event is meant."
            ),
        ),
    ],
    event: EventOption = None,
    round: Annotated[
        int | None, typer.Option("--round", metavar="R", min=1, help=_("The number of the round concerned."))
    ] = None,
) -> None:
    request.submit(AfterEvent(event, words, lambda event, words: _penalty(event, words, round)), reports.added)


def _penalty(event: str | None, words: Sequence[str], round_number: int | None) -> AddRuling:
    """Return the penalty that the words give. Raises TourneyError USAGE for fewer words, or points that are none."""
    example = _("for example `tourney ruling penalty Ana 20 came late`; a name of several words needs quotes")
    if len(words) < MIN_PENALTY_WORDS:
        raise TourneyError(ExitCode.USAGE, _("a penalty needs a player, points and a reason"), example)
    player, points, *reason = words
    if not (points.isdecimal() and points.isascii() and len(points) < MAX_DIGITS):
        message = _("POINTS cannot be “{value}”: it must be a whole number from 1 up").format(value=points[:40])
        raise TourneyError(ExitCode.USAGE, message, example)
    decision = service.Decision("penalty", " ".join(reason), round_number, player=player, points=int(points))
    return AddRuling(event, decision)


@app.command(
    "list", help=_("List the rulings of an event, cancelled ones too."), epilog=_("tourney ruling list Friday")
)
def list_(request: Reading, event: EventName = None) -> None:
    request.show(lambda: reports.all_rulings(service.listing(request.db, event)))


@app.command(
    help=_("Cancel a ruling: it stays in the list, and no longer counts."),
    epilog=_('tourney ruling cancel 1 --reason "appeal upheld"'),
)
def cancel(
    request: Writing,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar=_("[EVENT] NUMBER"),
            help=_(
                "The number of the ruling, from `tourney ruling list`. Before it the event's name, unless the current "
                "event is meant."
            ),
        ),
    ],
    reason: Reason,
    event: EventOption = None,
) -> None:
    number = read_number("NUMBER", words[-1], _("`tourney ruling cancel -h` explains it"))
    change = AfterEvent(event, words, lambda event, _number: CancelRuling(event, number, reason), most=1)
    request.submit(change, reports.cancelled)


def _one_hand(
    hands: list[str] | None, file: str | None, dead: list[str] | None, stopped: bool, letters: Alphabet | None
) -> str | None:
    """Return the hand that the ruling names, None if it names none; TourneyError USAGE for a sheet or a second hand."""
    if file is not None or dead is not None or stopped or letters is not None or len(hands or ()) > 1:
        message = _("this kind of ruling names at most one hand and has no sheet")
        raise TourneyError(ExitCode.USAGE, message, _("for a corrected sheet give --kind correction"))
    return hands[0] if hands else None
