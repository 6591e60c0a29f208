"""Standings of a season, worked out from the results of its events whenever they are read."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType

from tourney import storage
from tourney.domain.seasons import CountedEvent, Season
from tourney.service.directory import Directory
from tourney.service.lookup import iso_date
from tourney.service.ratings.pools import UNPUBLISHED
from tourney.service.seasons.find_season import find_season, numbered_season
from tourney.service.standings import order_of
from tourney.standings.placing import Ranked, RankedPlayer
from tourney.standings.seasons.table import SeasonEvent, SeasonRow, SeasonTable, season_table
from tourney.text.i18n import _
from tourney.text.names import name_order


def standings(db: str | None, season: str | None = None, as_of: str | None = None) -> SeasonTable:
    """Return the standings of a season as of a day, by default that of its newest event.

    People are in it as rankings show them. Raises TourneyError NOT_FOUND, USAGE for text that is no date.
    """
    day = iso_date(as_of or "")
    with storage.reading(db) as reader:
        return _published(reader, find_season(reader, season), day)


def numbered(db: str | None, number: int) -> SeasonTable:
    """Return the standings of the season of this number. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return _published(reader, numbered_season(reader, number))


def table_of(
    reader: storage.Reader, season: Season, as_of: str = "", names: Mapping[int, str | None] = MappingProxyType({})
) -> SeasonTable:
    """Return the standings of a season in an open transaction, with other `names` of some people, by number."""
    with _without_collection():
        events = [_event(reader, counted, names) for counted in season.counted]
        newest = max((event.day for event in events if event.order.placed), default="")
        return season_table(season, events, as_of or newest, name_order)


def _published(reader: storage.Reader, season: Season, as_of: str = "") -> SeasonTable:
    """Return the standings with people under the names that rankings show, without those whom these do not show."""
    names = reader.published()
    table = table_of(reader, season, as_of, names)
    return replace(table, rows=tuple(row for row in table.rows if names.get(row.player.id, "") is not None))


def _as_shown(order: Ranked, names: Mapping[int, str | None]) -> Ranked:
    """Return the order of an event with these names, and a dash for somebody who has none."""
    return replace(order, placed=tuple(_renamed(each, names) for each in order.placed))


def _renamed(placed: RankedPlayer, names: Mapping[int, str | None]) -> RankedPlayer:
    player = placed.tally.player
    if player.id not in names:
        return placed
    shown = replace(player, name=names[player.id] or UNPUBLISHED, label="", club="")
    return replace(placed, tally=replace(placed.tally, player=shown))


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


def _event(reader: storage.Reader, counted: CountedEvent, names: Mapping[int, str | None]) -> SeasonEvent:
    event = reader.event_alone(counted.event)
    order = _as_shown(order_of(reader, event), names) if names else order_of(reader, event)
    return SeasonEvent(event.settings.name, event.settings.date, counted, order)


def row_of(table: SeasonTable, name: str) -> SeasonRow:
    """Return the row of a player of a season. Raises TourneyError NOT_FOUND."""
    players = [row.player for row in table.rows]
    hint = _("see who stands in it with `tourney season standings`")
    player = Directory(players).find(name, hint=hint)
    return next(row for row in table.rows if row.player.id == player.id)
