"""Results: entering a table's sheet, correcting it, making it void, showing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney import games
from tourney.domain import (
    DeclaredHand,
    Event,
    ExitCode,
    Mode,
    Outcome,
    Result,
    SheetHand,
    Table,
    TourneyError,
)
from tourney.names import clean, fold
from tourney.service.lookup import find_event, find_table
from tourney.service.rounds import same_rules
from tourney.sheet_file import read_flags, read_sheet
from tourney.text import _

if TYPE_CHECKING:
    from tourney.storage import Reader, Store

__all__ = ["correct", "enter", "read_flags", "read_sheet", "show", "void"]


def enter(
    db: str | None,
    event: str | None,
    round_number: int,
    table: int,
    hands: Sequence[DeclaredHand],
    mode: Mode = "save",
    act_id: str = "",
) -> Result:
    """Keep a table's sheet, hands in the order of the contracts (from `read_sheet` or `read_flags`).

    A retry under the same `act_id` changes nothing. Raises TourneyError NOT_FOUND for an unknown event, round
    or table, CONFLICT if the table has a result, REFUSED for a sheet that cannot be.
    """
    from tourney.storage import writing

    with writing(db, mode) as store:
        found = find_event(store, event)
        at = find_table(found, store.rounds(found), round_number, table)
        before = _standing(store, found, at)
        if before is not None and before.state == "counts" and not _entered(store, act_id):
            message = _("{place} has a result already").format(place=_place(found, at))
            hint = _("change it with `tourney result correct`, giving a reason")
            raise TourneyError(ExitCode.CONFLICT, message, hint)
        outcome = judge(found, at, hands)
        store.keep_result(found, at, outcome, act_id=act_id)
        return Result(found.settings.name, at, outcome)


def correct(
    db: str | None,
    event: str | None,
    round_number: int,
    table: int,
    hands: Sequence[DeclaredHand],
    reason: str,
    mode: Mode = "save",
    act_id: str = "",
) -> Result:
    """Put another sheet in the place of a table's result, with a reason.

    Raises TourneyError as `enter` does, and REFUSED if the table has no result or no reason is given.
    """
    from tourney.storage import writing

    why = clean(reason, _("reason"))
    with writing(db, mode) as store:
        found, at, _before = _with_result(store, event, round_number, table)
        outcome = judge(found, at, hands)
        store.correct_result(found, at, outcome, why, act_id=act_id)
        return Result(found.settings.name, at, outcome, reason=why)


def void(
    db: str | None,
    event: str | None,
    round_number: int,
    table: int,
    reason: str,
    mode: Mode = "save",
    act_id: str = "",
) -> Result:
    """Make a table's result count for nothing, with a reason; a new sheet may be entered for it.

    Raises TourneyError NOT_FOUND, and REFUSED if the table has no result or no reason is given.
    """
    from tourney.storage import NOTHING, writing

    why = clean(reason, _("reason"))
    with writing(db, mode) as store:
        found, at, before = _with_result(store, event, round_number, table)
        if before.state == "void" and not _entered(store, act_id):
            raise TourneyError(ExitCode.REFUSED, _("{place} is void already").format(place=_place(found, at)))
        store.void_result(found, at, why, act_id=act_id)
        return replace(before, outcome=NOTHING, record_digest="", state="void", reason=why)


def show(
    db: str | None, event: str | None = None, round_number: int | None = None, table: int | None = None
) -> tuple[Result, ...]:
    """Results of an event, void ones too, by round and table: all, of a round, or of one table.

    Raises TourneyError NOT_FOUND for an unknown event, and if the table has no result.
    """
    from tourney.storage import reading

    with reading(db) as reader:
        found = find_event(reader, event)
        if round_number is None or table is None:
            results = reader.results(found)
            return tuple(one for one in results if round_number in (None, one.table.round))
        at = find_table(found, reader.rounds(found), round_number, table)
        result = _standing(reader, found, at)
        if result is None:
            raise _no_result(found, at)
        return (result,)


def record(db: str | None, event: str | None, round_number: int, table: int) -> str:
    """The record of a table's game as text: as it was played by bots, or made of a sheet's points.

    Raises TourneyError NOT_FOUND if the table has no result that counts.
    """
    from tourney.storage import reading

    with reading(db) as reader:
        found = find_event(reader, event)
        at = find_table(found, reader.rounds(found), round_number, table)
        result = _standing(reader, found, at)
        if result is None or result.state == "void":
            raise _no_result(found, at)
        kept = reader.record(result.record_digest) if result.record_digest else None
    if kept is not None:
        return kept
    names = [player.shown for player in at.players]
    return games.entered_record(found.settings.rules, names, result.outcome)


def judge(event: Event, at: Table, hands: Sequence[DeclaredHand]) -> Outcome:
    """What the sheet gives. Raises TourneyError REFUSED, naming hand and player, for one that cannot be."""
    same_rules(event)
    _check_order(event, hands)
    seats = _seats(at)
    sheet = [_seated(event, at, seats, hand) for hand in hands]
    return games.check_sheet(event.settings.rules, [player.shown for player in at.players], sheet)


def _standing(reader: Reader, event: Event, at: Table) -> Result | None:
    results = reader.results(event, spot=(at.round, at.number))
    return results[0] if results else None


def _with_result(store: Store, event: str | None, round_number: int, table: int) -> tuple[Event, Table, Result]:
    found = find_event(store, event)
    at = find_table(found, store.rounds(found), round_number, table)
    before = _standing(store, found, at)
    if before is None:
        raise _no_result(found, at)
    return found, at, before


def _no_result(event: Event, at: Table) -> TourneyError:
    message = _("{place} has no result").format(place=_place(event, at))
    return TourneyError(ExitCode.NOT_FOUND, message, _("enter its sheet with `tourney result enter`"))


def _entered(store: Store, act_id: str) -> bool:
    return act_id != "" and store.act(act_id) is not None


def _place(event: Event, at: Table) -> str:
    return _("table {table} of round {round} of {event}").format(
        table=at.number, round=at.round, event=event.settings.name
    )


def _check_order(event: Event, hands: Sequence[DeclaredHand]) -> None:
    """Raises TourneyError REFUSED unless the hands are those of the game, once each and in order."""
    wanted = [contract for contract, _cards in games.contracts(event.settings.rules)]
    given = [hand.contract for hand in hands]
    if given == wanted:
        return
    order = _("the hands are {contracts}, in this order").format(contracts=" ".join(wanted))
    strange = next((contract for contract in given if contract not in wanted), None)
    if strange is not None:
        raise TourneyError(ExitCode.REFUSED, _("there is no hand {hand}").format(hand=strange[:40]), order)
    twice = next((contract for contract in given if given.count(contract) > 1), None)
    if twice is not None:
        raise TourneyError(ExitCode.REFUSED, _("hand {hand} stands twice").format(hand=twice), order)
    missing = [contract for contract in wanted if contract not in given]
    if missing:
        raise TourneyError(ExitCode.REFUSED, _("hand {hand} is missing").format(hand=missing[0]), order)
    misplaced = next(got for got, right in zip(given, wanted, strict=True) if got != right)
    raise TourneyError(ExitCode.REFUSED, _("hand {hand} is out of order").format(hand=misplaced), order)


def _seats(at: Table) -> dict[str, int]:
    """Seats by every way to write a name: with its label, and without where that is one player's alone."""
    bare = [fold(player.name) for player in at.players]
    seats = {name: seat for seat, name in enumerate(bare) if bare.count(name) == 1}
    return seats | {fold(player.shown): seat for seat, player in enumerate(at.players)}


def _seated(event: Event, at: Table, seats: Mapping[str, int], hand: DeclaredHand) -> SheetHand:
    def seat(name: str) -> int:
        if fold(name) in seats:
            return seats[fold(name)]
        message = _("{hand}: nobody called “{name}” sits at {place}").format(
            hand=hand.contract, name=name[:80], place=_place(event, at)
        )
        there = ", ".join(player.shown for player in at.players)
        raise TourneyError(ExitCode.REFUSED, message, _("there sit {players}").format(players=there))

    points, left = _by_seat(hand, seat)
    for number, player in enumerate(at.players):
        if number not in points and number not in left:
            message = _("{hand}: the points of {player} are missing").format(hand=hand.contract, player=player.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("every player has points in every hand"))
    closer = None if hand.closer is None else seat(hand.closer)
    return SheetHand(hand.contract, points, closer, hand.at_once, hand.dead, left)


def _by_seat(hand: DeclaredHand, seat: Callable[[str], int]) -> tuple[dict[int, int], dict[int, str]]:
    points: dict[int, int] = {}
    left: dict[int, str] = {}
    for name in (*hand.points, *hand.left):
        number = seat(name)
        if number in points or number in left:
            message = _("{hand}: {name} has points or cards twice").format(hand=hand.contract, name=name)
            raise TourneyError(ExitCode.REFUSED, message, _("give either points or the cards left, once"))
        if name in hand.points:
            points[number] = hand.points[name]
        else:
            left[number] = hand.left[name]
    return points, left
