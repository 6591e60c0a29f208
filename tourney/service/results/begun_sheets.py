"""Sheets and corrections that were begun and not finished: which tables have one, and what replaces it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.results import Hands, PartialSheet, PartialSheetSummary, Result, SheetHand
from tourney.rulebook import rulesets
from tourney.service.lookup import find_event
from tourney.service.results.sheets import written
from tourney.text.i18n import _, ngettext
from tourney.text.ranges import names_text


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


def dropped_by(db: str | None, event_name: str | None, round_number: int, table_number: int) -> tuple[str, ...]:
    """Return a sentence on the begun correction that a change of a result drops; nothing if none was begun.

    Raises TourneyError NOT_FOUND for an unknown event.
    """
    with storage.reading(db) as reader:
        return replaced_by(reader, find_event(reader, event_name), (round_number, table_number))


def replaced_by(
    reader: storage.Reader, event: Event, spot: tuple[int, int], hands: Sequence[SheetHand[int]] = ()
) -> tuple[str, ...]:
    """Return a sentence on what a sheet with these hands, or none, replaces at a table; nothing if it loses nothing.

    It loses hands of a partial sheet that it has with other points, and a begun correction of a result as a whole.
    """
    begun = begun_sheet(reader, event, *spot)
    if begun is None:
        return ()
    result = counting_result(reader, event, *spot)
    if result is not None:
        return (_("the correction that was begun is dropped: {hands}").format(hands=changes(event, result, begun)),)
    names = _replaced_hands(event, begun, hands) if hands else []
    text = ngettext("the partial sheet's {hands} is replaced", "the partial sheet's {hands} are replaced", len(names))
    return (text.format(hands=names_text(names)),) if names else ()


def begun_sheet(reader: storage.Reader, event: Event, round_number: int, table_number: int) -> PartialSheet | None:
    """Return the partial sheet or the begun correction of a table; None if nothing is begun."""
    spot = (round_number, table_number)
    return next((sheet for sheet in reader.results.partial_sheets(event) if (sheet.round, sheet.table) == spot), None)


def counting_result(reader: storage.Reader, event: Event, round_number: int, table_number: int) -> Result | None:
    """Return the result of a table if it counts, so that a sheet begun there is a correction; None otherwise."""
    results = reader.results.of(event, spot=(round_number, table_number))
    return next((result for result in results if result.state == "counts"), None)


def begun_corrections(reader: storage.Reader, event: Event) -> Iterator[PartialSheetSummary]:
    """Yield each begun correction of a result that counts, with the hands that it changes in words."""
    for draft in reader.results.partial_sheets(event):
        result = counting_result(reader, event, draft.round, draft.table)
        if result is not None:
            yield PartialSheetSummary(event.settings.name, result.table, (changes(event, result, draft),))


def changes(event: Event, result: Result, begun: PartialSheet) -> str:
    """Return in words the hands of a result that its begun correction changes."""
    before, after = written(event, result.outcome), begun.hands
    names = hand_names(after)
    changed = [
        name
        for place, name in enumerate(names)
        if place >= len(before) or _scores(before[place]) != _scores(after[place])
    ]
    gone = len(before) - len(after)
    lost = ngettext("{number} hand less", "{number} hands less", gone).format(number=gone) if gone > 0 else ""
    return ", ".join(filter(None, (names_text(changed), lost))) or _("no hand is changed")


def _replaced_hands(event: Event, begun: PartialSheet, hands: Sequence[SheetHand[int]]) -> list[str]:
    """Return the names of the partial sheet's hands given with other points, or in the knock game not given."""
    given = dict(zip(hand_names(hands), hands, strict=True))
    names = list(zip(hand_names(begun.hands), begun.hands, strict=True))
    if rulesets.family(event.rules) == "knock":
        return [name for name, hand in names if name not in given or _scores(hand) != _scores(given[name])]
    return [name for name, hand in names if name in given and _scores(hand) != _scores(given[name])]


def _scores(hand: SheetHand[int]) -> tuple[object, ...]:
    """Return the points and cards by seat, and how the hand ended; who closed follows from the points."""
    return sorted(hand.points.items()), sorted(hand.left.items()), hand.dead, hand.ending
