"""Partial sheets: the tables that have one, and the names of their hands."""

from __future__ import annotations

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.results import Hands, PartialSheetSummary


def hand_names(hands: Hands) -> tuple[str, ...]:
    """Return the names of a sheet's hands: their contracts, or in the knock game their numbers."""
    return tuple(hand.contract or str(number) for number, hand in enumerate(hands, 1))


def partial_sheets(
    reader: storage.Reader, event: Event, round_number: int | None = None
) -> tuple[PartialSheetSummary, ...]:
    """Return the partial sheets of an event in the order of round and table: all, or those of a round.

    Partial corrections are left out: their tables have a result that counts.
    """
    counts = reader.results.finished(event.id) - reader.results.void(event.id)
    tables = {(at.round, at.number): at for drawn in reader.rounds.of(event) for at in drawn.tables}
    return tuple(
        PartialSheetSummary(event.settings.name, tables[draft.round, draft.table], hand_names(draft.hands))
        for draft in reader.results.partial_sheets(event)
        if round_number in (None, draft.round) and (draft.round, draft.table) not in counts
    )
