"""Hands of sheets folded into the line of their result: typed one by one, they would fill the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tourney import storage

_ENDS_SHEET = frozenset({"result.enter", "result.correct", "result.drop"})
"""The kinds of entries that complete a partial sheet, or discard it."""
_DISCARDS_ALL = frozenset({"round.draw", "round.cancel"})
"""The kinds of entries after which a round has no partial sheet."""


def hands_of(entries: Iterable[storage.LoggedEntry]) -> dict[int, tuple[int, ...]]:
    """Return, for the number of each entry that completed or discarded a partial sheet, those of the sheet's hands.

    Only what stands is folded: where a result was taken back, its hands are a partial sheet again.
    """
    begun: dict[tuple[int, int, int], list[int]] = {}
    hands = {}
    for entry in (each for each in entries if each.state == "stands"):
        payload = entry.payload
        if entry.kind == "result.partial":
            begun.setdefault(_spot(payload), []).append(entry.number)
        elif entry.kind in _ENDS_SHEET and (folded := begun.pop(_spot(payload), [])):
            hands[entry.number] = tuple(folded)
        elif entry.kind in _DISCARDS_ALL:
            begun = {spot: found for spot, found in begun.items() if spot[:2] != (payload["event"], payload["round"])}
    return hands


def _spot(payload: Mapping[str, int]) -> tuple[int, int, int]:
    return payload["event"], payload["round"], payload["table"]
