"""Sheets and corrections that were begun and not finished: what of them another command replaces, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.results import DeclaredHand, PartialSheet, Result, SheetHand
from tourney.rulebook import rulesets
from tourney.service.lookup import find_event
from tourney.service.partial_sheets import hand_names
from tourney.service.results.sheets import seated, written
from tourney.text.i18n import _, ngettext
from tourney.text.ranges import names_text


def replaced_by(
    db: str | None, event_name: str | None, round_number: int, table_number: int, hands: Sequence[DeclaredHand] = ()
) -> tuple[str, ...]:
    """Return a sentence on what a sheet with these hands, or none, replaces at a table; nothing if it loses nothing.

    It loses hands of a partial sheet that it has with other points, and a begun correction of a result as a whole.
    Raises TourneyError NOT_FOUND for an unknown event, REFUSED for hands of players who do not sit at the table.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        begun = begun_sheet(reader, event, round_number, table_number)
        if begun is None:
            return ()
        result = counting_result(reader, event, round_number, table_number)
        if result is not None:
            return (_("the correction that was begun is dropped: {hands}").format(hands=changes(event, result, begun)),)
        names = _replaced_hands(reader, event, begun, hands)
    text = ngettext("the partial sheet's {hands} is replaced", "the partial sheet's {hands} are replaced", len(names))
    return (text.format(hands=names_text(names)),) if names else ()


def begun_sheet(reader: storage.Reader, event: Event, round_number: int, table_number: int) -> PartialSheet | None:
    """Return the partial sheet or the begun correction of a table; None if nothing is begun."""
    spot = (round_number, table_number)
    return next((sheet for sheet in reader.partial_sheets(event) if (sheet.round, sheet.table) == spot), None)


def counting_result(reader: storage.Reader, event: Event, round_number: int, table_number: int) -> Result | None:
    """Return the result of a table if it counts, so that a sheet begun there is a correction; None otherwise."""
    if (round_number, table_number) not in reader.finished(event.id) - reader.void(event.id):
        return None
    spot = (round_number, table_number)
    return next(result for result in reader.results(event) if (result.table.round, result.table.number) == spot)


def changes(event: Event, result: Result, begun: PartialSheet) -> str:
    """Return in words the hands of a result that its begun correction changes."""
    before, after = written(event, result.outcome), seated(event, result.table, begun.hands)
    names = hand_names(begun.hands)
    changed = [
        name
        for place, name in enumerate(names)
        if place >= len(before) or _scores(before[place]) != _scores(after[place])
    ]
    gone = len(before) - len(after)
    lost = ngettext("{number} hand less", "{number} hands less", gone).format(number=gone) if gone > 0 else ""
    return ", ".join(filter(None, (names_text(changed), lost))) or _("no hand is changed")


def _replaced_hands(
    reader: storage.Reader, event: Event, begun: PartialSheet, hands: Sequence[DeclaredHand]
) -> list[str]:
    """Return the names of the partial sheet's hands given with other points, or in the knock game not given."""
    tables = {(at.round, at.number): at for drawn in reader.rounds(event) for at in drawn.tables}
    at = tables[begun.round, begun.table]
    given, kept, names = seated(event, at, hands), seated(event, at, begun.hands), hand_names(begun.hands)
    if not given:
        return []
    if rulesets.family(event.rules) == "knock":
        by_name = dict(zip(hand_names(hands), given, strict=True))
        return [name for name, hand in zip(names, kept, strict=True) if _other(hand, by_name.get(name))]
    by_contract = {hand.contract: hand for hand in given}
    return [
        name for name, hand in zip(names, kept, strict=True) if name in by_contract and _other(hand, by_contract[name])
    ]


def _other(kept: SheetHand, given: SheetHand | None) -> bool:
    return given is None or _scores(kept) != _scores(given)


def _scores(hand: SheetHand) -> tuple[object, ...]:
    """Return the points and cards by seat, and how the hand ended; who closed follows from the points."""
    return sorted(hand.points.items()), sorted(hand.left.items()), hand.dead, hand.ending
