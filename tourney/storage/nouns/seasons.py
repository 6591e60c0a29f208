"""Read seasons from their entries, which alone have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from tourney.domain.seasons import CountedEvent, Season, SeasonSettings
from tourney.storage.journal import kinds
from tourney.storage.journal.entries import Entry, Payload
from tourney.storage.nouns.transaction import Transaction


class SeasonReader:
    """Queries of seasons."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def all(self) -> tuple[Season, ...]:
        """Return the seasons in the order in which they were made."""
        return _seasons(self._transaction.standing("seasons", 0))

    def get(self, number: int) -> Season:
        """Return the season of that number."""
        return next(season for season in self.all() if season.id == number)


Seasons = dict[int, Season]


def _seasons(entries: Iterable[Entry]) -> tuple[Season, ...]:
    """Return the seasons that these entries make, change and delete, in the order in which they were made."""
    found: Seasons = {}
    for entry in entries:
        _EFFECTS[entry.kind](found, entry.payload)
    return tuple(found.values())


def _make(found: Seasons, payload: Payload) -> None:
    settings = replace(SeasonSettings(payload["name"]), **payload["changes"])
    found[payload["season"]] = Season(payload["season"], settings)


def _set(found: Seasons, payload: Payload) -> None:
    season = found[payload["season"]]
    name = payload.get("name", season.settings.name)
    found[season.id] = replace(season, settings=replace(season.settings, name=name, **payload["changes"]))


def _add(found: Seasons, payload: Payload) -> None:
    season = found[payload["season"]]
    added = (CountedEvent(**fields) for fields in payload["counted"])
    found[season.id] = replace(season, counted=(*season.counted, *added))


def _remove(found: Seasons, payload: Payload) -> None:
    season = found[payload["season"]]
    kept = tuple(each for each in season.counted if each.event not in payload["played"])
    found[season.id] = replace(season, counted=kept)


def _delete(found: Seasons, payload: Payload) -> None:
    del found[payload["season"]]


_EFFECTS: Final[Mapping[str, Callable[[Seasons, Payload], None]]] = {
    kinds.seasons.SeasonMade.kind_name: _make,
    kinds.seasons.SeasonSet.kind_name: _set,
    kinds.seasons.EventsCounted.kind_name: _add,
    kinds.seasons.EventsLeftOut.kind_name: _remove,
    kinds.seasons.SeasonDeleted.kind_name: _delete,
}
