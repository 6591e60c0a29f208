"""Results: entering a table's sheet, correcting it, making it void, showing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from tourney import rulebook, storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.modes import Mode
from tourney.domain.results import DeclaredHand, Length, Result
from tourney.domain.rounds import Table
from tourney.files.sheet_toml import read_flags, read_sheet
from tourney.service import backups
from tourney.service.impact import Watch, watching
from tourney.service.lookup import find_event, find_table, refuse_finished
from tourney.service.results.sheets import judge, place, seated, with_partial_sheet
from tourney.text.i18n import _
from tourney.text.names import clean

Given = Literal["all", "rest"]
"""Which hands of a sheet are given."""

__all__ = ["correct", "doubts", "enter", "read_flags", "read_sheet", "record", "show", "void"]


def enter(
    db: str | None,
    event: str | None,
    round_number: int,
    table: int,
    hands: Sequence[DeclaredHand],
    mode: Mode = "save",
    act_id: str = "",
    length: Length = "whole",
    given: Given = "all",
) -> Result:
    """Keep a table's sheet, hands in the order of the contracts (from `read_sheet` or `read_flags`).

    A short sheet has the first hands alone; what that means the event says. Of a sheet of which half has been kept
    the `rest` is enough. A retry under the same `act_id` changes nothing. Raises TourneyError NOT_FOUND for an
    unknown event, round or table, CONFLICT if the table has a result, REFUSED for a sheet that cannot be and for an
    event that is finished.
    """
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        at = find_table(found, store.rounds(found), round_number, table)
        if not _entered(store, act_id):
            refuse_second(store, found, at)
            refuse_finished(found)
        sheet = with_partial_sheet(store, found, at, hands) if given == "rest" else hands
        outcome = judge(found, at, sheet, length)
        new = store.keep_result(found, at, outcome, act_id=act_id)
        result = _ended(store, found, Result(found.settings.name, at, outcome), "new" if new else "retry")
        finished = backups.is_finished(store, found, at.round)
    if finished:
        backups.round_finished(db, mode)
    return result


def correct(
    db: str | None,
    event: str | None,
    round_number: int,
    table: int,
    hands: Sequence[DeclaredHand],
    reason: str,
    mode: Mode = "save",
    act_id: str = "",
    length: Length = "whole",
    watch: Watch | None = None,
) -> Result:
    """Put another sheet in the place of a table's result, with a reason.

    Raises TourneyError as `enter` does, and REFUSED if the sheet is the one that stands, or no reason is given.
    """
    why = clean(reason, _("reason"))
    with storage.writing(db, mode) as store:
        found, at, before = find_result(store, event, round_number, table)
        _refuse_late(store, found, act_id)
        if before.outcome == judge(found, at, hands, length) and not _entered(store, act_id):
            message = _("that is the sheet of {place} as it stands").format(place=place(found, at))
            raise TourneyError(ExitCode.REFUSED, message, _("see it with `tourney result show`"))
        with watching(store, watch, [found.id]):
            return correct_in(store, found, at, hands, why, act_id=act_id, length=length)


def void(
    db: str | None,
    event: str | None,
    round_number: int,
    table: int,
    reason: str,
    mode: Mode = "save",
    act_id: str = "",
    watch: Watch | None = None,
) -> Result:
    """Make a table's result count for nothing, with a reason; a new sheet may be entered for it.

    Raises TourneyError NOT_FOUND, and REFUSED if the table has no result, no reason is given or the event is
    finished.
    """
    why = clean(reason, _("reason"))
    with storage.writing(db, mode) as store:
        found, at, before = find_result(store, event, round_number, table)
        if before.state == "void" and not _entered(store, act_id):
            raise TourneyError(ExitCode.REFUSED, _("{place} is void already").format(place=place(found, at)))
        _refuse_late(store, found, act_id)
        with watching(store, watch, [found.id]):
            store.void_result(found, at, why, act_id=act_id)
        return _voided(before, why)


def correct_in(
    store: storage.Store,
    event: Event,
    at: Table,
    hands: Sequence[DeclaredHand],
    reason: str,
    *,
    act_id: str = "",
    length: Length = "whole",
) -> Result:
    """`correct` in an open transaction, at a table that has a result."""
    outcome = judge(event, at, hands, length)
    new = store.correct_result(event, at, outcome, reason, act_id=act_id)
    return _ended(store, event, Result(event.settings.name, at, outcome, reason=reason), "new" if new else "retry")


def show(
    db: str | None, event: str | None = None, round_number: int | None = None, table: int | None = None
) -> tuple[Result, ...]:
    """Results of an event, void ones too, by round and table: all, of a round, or of one table.

    Raises TourneyError NOT_FOUND for an unknown event, and if the table has no result.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if round_number is None or table is None:
            results = reader.results(found)
            return tuple(one for one in results if round_number in (None, one.table.round))
        at = find_table(found, reader.rounds(found), round_number, table)
        result = _standing(reader, found, at)
        if result is None:
            raise _no_result(reader, found, at)
        return (result,)


def doubts(
    db: str | None, event: str | None, round_number: int, table: int, hands: Sequence[DeclaredHand]
) -> tuple[str, ...]:
    """A sentence for all points of a sound sheet that are possible and hardly to be expected."""
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        at = find_table(found, reader.rounds(found), round_number, table)
    names = [player.shown for player in at.players]
    return rulebook.doubts(found.rules, names, dict(enumerate(seated(found, at, hands), 1)))


def record(db: str | None, event: str | None, round_number: int, table: int) -> str:
    """The record of a table's game as text: as it was played by bots, or made of a sheet's points.

    Raises TourneyError NOT_FOUND if the table has no result that counts.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        at = find_table(found, reader.rounds(found), round_number, table)
        result = _standing(reader, found, at)
        if result is None or result.state == "void":
            raise _no_result(reader, found, at)
        kept = reader.record(result.record_digest) if result.record_digest else None
    if kept is not None:
        return kept
    names = [player.shown for player in at.players]
    return rulebook.entered_record(found.rules, names, result.outcome, found.settings.stake)


def _ended(store: storage.Store, event: Event, result: Result, act: Literal["new", "retry"]) -> Result:
    """The result as the event takes it: of a game that was not played to its end, it may be void."""
    if not result.outcome.short or event.settings.unfinished != "void":
        return result
    why = _("unfinished")
    if act == "new":
        store.void_result(event, result.table, why)
    return _voided(result, why)


def _voided(result: Result, why: str) -> Result:
    sheet = result.uncounted or result.outcome
    return replace(result, outcome=storage.NOTHING, uncounted=sheet, record_digest="", state="void", reason=why)


def _standing(reader: storage.Reader, event: Event, at: Table) -> Result | None:
    results = reader.results(event, spot=(at.round, at.number))
    return results[0] if results else None


def refuse_second(reader: storage.Reader, event: Event, at: Table) -> None:
    """Raises TourneyError CONFLICT if the table has a result that counts."""
    before = _standing(reader, event, at)
    if before is not None and before.state == "counts":
        message = _("{place} has a result already").format(place=place(event, at))
        raise TourneyError(ExitCode.CONFLICT, message, _("change it with `tourney result correct`, giving a reason"))


def find_result(
    reader: storage.Reader, event: str | None, round_number: int, table: int
) -> tuple[Event, Table, Result]:
    """A table and its result, void ones too. Raises TourneyError NOT_FOUND."""
    found = find_event(reader, event)
    at = find_table(found, reader.rounds(found), round_number, table)
    before = _standing(reader, found, at)
    if before is None:
        raise _no_result(reader, found, at)
    return found, at, before


def _no_result(reader: storage.Reader, event: Event, at: Table) -> TourneyError:
    message = _("{place} has no result").format(place=place(event, at))
    hint = _("enter its sheet with `tourney result enter`")
    if any((draft.round, draft.table) == (at.round, at.number) for draft in reader.partial_sheets(event)):
        hint = _(
            "it has a partial sheet: finish it with `tourney result enter`, or discard it with `tourney result void`"
        )
    return TourneyError(ExitCode.NOT_FOUND, message, hint)


def _refuse_late(store: storage.Store, event: Event, act_id: str) -> None:
    """Raises TourneyError REFUSED if the event is finished; the retry of an act is not too late."""
    if not _entered(store, act_id):
        refuse_finished(event)


def _entered(store: storage.Store, act_id: str) -> bool:
    return act_id != "" and store.act(act_id) is not None
