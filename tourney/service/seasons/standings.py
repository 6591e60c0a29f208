"""Standings of a season, worked out from the results of its events whenever they are read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from tourney import storage
from tourney.domain.seasons import CountedEvent, Season
from tourney.service.directory import Directory
from tourney.service.lookup import iso_date
from tourney.service.seasons.find_season import find_season, numbered_season
from tourney.service.standings import order_of
from tourney.standings.seasons.table import SeasonEvent, SeasonRow, SeasonTable, season_table
from tourney.text.i18n import _
from tourney.text.names import name_order


def standings(db: str | None, season: str | None = None, as_of: str | None = None) -> SeasonTable:
    """Return the standings of a season as of a day, by default that of its newest event.

    Raises TourneyError NOT_FOUND, USAGE for text that is no date.
    """
    day = iso_date(as_of or "")
    with storage.reading(db) as reader:
        return table_of(reader, find_season(reader, season), day)


def numbered(db: str | None, number: int) -> SeasonTable:
    """Return the standings of the season of this number. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return table_of(reader, numbered_season(reader, number))


def table_of(reader: storage.Reader, season: Season, as_of: str = "") -> SeasonTable:
    """Return the standings of a season in an open transaction."""
    with _without_collection():
        events = [_event(reader, counted) for counted in season.counted]
        newest = max((event.day for event in events if event.order.placed), default="")
        return season_table(season, events, as_of or newest, name_order)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Let the garbage collector rest: it would look for cycles in values that have none, for a quarter of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _event(reader: storage.Reader, counted: CountedEvent) -> SeasonEvent:
    event = reader.events.alone(counted.event)
    return SeasonEvent(event.settings.name, event.settings.date, counted, order_of(reader, event))


def row_of(table: SeasonTable, name: str) -> SeasonRow:
    """Return the row of a player of a season. Raises TourneyError NOT_FOUND."""
    players = [row.player for row in table.rows]
    hint = _("see who stands in it with `tourney season standings`")
    player = Directory(players).find(name, hint=hint)
    return next(row for row in table.rows if row.player.id == player.id)
