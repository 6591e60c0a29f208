"""Seasons: found, made, set and deleted, the events that count, and standings worked out whenever they are read."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.seasons import CountedEvent, Season, SeasonSettings
from tourney.service.change import Change, Outcome, Scope
from tourney.service.directory import Directory, Names, with_suggestion
from tourney.service.lookup import find_event, iso_date
from tourney.service.ratings.pools import UNPUBLISHED
from tourney.service.results.standings import order_of
from tourney.service.seasons.settings import PRESETS, changed, checked
from tourney.standings.placing import Ranked, RankedPlayer
from tourney.standings.seasons.table import SeasonEvent, SeasonRow, SeasonTable, season_table
from tourney.standings.seasons.weights import MOST_DAYS, read_weight
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean, fold, name_order
from tourney.text.ranges import listed
from tourney.text.sanitize import quote_argument


def find_season(reader: storage.Reader, name: str | None) -> Season:
    """Return the season that the text means, as `Names` says; without a text the only one.

    Numbers are those of `season list`. Raises TourneyError NOT_FOUND, suggesting similar names.
    """
    seasons = reader.seasons.all()
    if name is None:
        return _only(seasons)
    shown = [season.settings.name for season in seasons]
    known = Names(shown, numbers={season.id: place for place, season in enumerate(seasons)})
    found = known.meant(name)
    if len(found) == 1:
        return seasons[found[0]]
    if found:
        message = _("“{name}” may be {several}").format(name=name[:80], several=listed(shown[each] for each in found))
        hint = _("write more of the name, or its number from `tourney season list`")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    hint = _("create it with `tourney season new`, or see `tourney season list`")
    near = with_suggestion([shown[place] for place in known.similar(name)], hint)
    raise TourneyError(ExitCode.NOT_FOUND, _("no season is called “{name}”").format(name=name[:80]), near)


def numbered_season(reader: storage.Reader, number: int) -> Season:
    """Return the season of this number, as `season list` shows it. Raises TourneyError NOT_FOUND."""
    for season in reader.seasons.all():
        if season.id == number:
            return season
    message = _("there is no season {number}").format(number=number)
    raise TourneyError(ExitCode.NOT_FOUND, message, _("see the seasons with `tourney season list`"))


def _only(seasons: Sequence[Season]) -> Season:
    if len(seasons) == 1:
        return seasons[0]
    if not seasons:
        hint = _("create one with `tourney season new NAME`")
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no season yet"), hint)
    message = _("no season is named, and there are {seasons}")
    names = listed(season.settings.name for season in seasons)
    hint = _("name one, as in `tourney season standings {season}`")
    first = quote_argument(seasons[-1].settings.name)
    raise TourneyError(ExitCode.NOT_FOUND, message.format(seasons=names), hint.format(season=first))


def refuse_taken(reader: storage.Reader, name: str, but: int | None = None) -> None:
    """Raise TourneyError CONFLICT if a season other than number `but` has this name, accents and case aside."""
    for season in reader.seasons.all():
        if season.id != but and fold(season.settings.name) == fold(name):
            message = _("there is a season called {name} already").format(name=season.settings.name)
            raise TourneyError(ExitCode.CONFLICT, message, _("give it another name, such as one with its year"))


MOST_COUNTRIES: Final = 200


@dataclass(frozen=True, slots=True)
class SeasonChange:
    """A season after a change, with its events by name, and the events that were added or removed."""

    season: Season
    events: Mapping[int, str]
    moved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateSeason(Change[SeasonChange]):
    """Make a season, with the settings of a preset unless others are given.

    Refused: CONFLICT for a name that is taken, NOT_FOUND for an unknown preset, USAGE and REFUSED for settings that no
    season can have.
    """

    name: str
    given: Mapping[str, Any] = field(default_factory=dict)
    preset: str | None = None

    def perform(self, store: storage.Store) -> SeasonChange:
        """Return the new season."""
        given = {key: value for key, value in self.given.items() if value is not None}
        settings = checked(replace(SeasonSettings(clean(self.name, _("name"))), **{**_preset(self.preset), **given}))
        refuse_taken(store, settings.name)
        return SeasonChange(store.seasons.get(store.add(storage.kinds.seasons.SeasonMade.of(settings))), {})


class OfSeason(Change[Outcome]):
    """A change of one season, which its preview compares: `season` as `find_season` takes it."""

    __slots__ = ()
    season: str | None

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: this season."""
        return Scope((), seasons=[find_season(reader, self.season).id])


@dataclass(frozen=True, slots=True)
class ChangeSeason(OfSeason[SeasonChange]):
    """Change settings of a season, or `clear` some. Refused as `CreateSeason`, and if nothing would change."""

    season: str | None
    changes: Mapping[str, Any]
    clear: Collection[str] = ()

    def perform(self, store: storage.Store) -> SeasonChange:
        """Return the season after the change."""
        season = find_season(store, self.season)
        settings = checked(changed(season.settings, self.changes, self.clear))
        if settings == season.settings:
            message = _("nothing about {season} would change").format(season=season.settings.name)
            hint = _("see its settings with `tourney season show {season}`")
            raise TourneyError(ExitCode.REFUSED, message, hint.format(season=quote_argument(season.settings.name)))
        if self.changes.get("drop") is not None:
            _refuse_nothing_left(season, self.changes["drop"])
        refuse_taken(store, settings.name, but=season.id)
        store.write(storage.kinds.seasons.SeasonSet.of(season, settings))
        return SeasonChange(store.seasons.get(season.id), names_of(store, season))


@dataclass(frozen=True, slots=True)
class CountEvents(OfSeason[SeasonChange]):
    """Count events in a season. Refused: NOT_FOUND, REFUSED for an event that counts already and for a weight of 0."""

    season: str | None
    events: Sequence[str]
    weight: str = "1"
    final: bool = False
    days: int = 1
    countries: int = 1
    qualification: bool = False

    def perform(self, store: storage.Store) -> SeasonChange:
        """Return the season with these events."""
        season = find_season(store, self.season)
        events = [find_event(store, name) for name in self.events]
        _refuse_twice(season, events)
        weight = self._weight()
        self._check_numbers()
        counted = [
            CountedEvent(event.id, weight, self.final, self.days, self.countries, self.qualification)
            for event in events
        ]
        titles = [event.settings.name for event in events]
        store.write(storage.kinds.seasons.EventsCounted.adding(season, counted, titles))
        after = store.seasons.get(season.id)
        return SeasonChange(after, names_of(store, after), tuple(titles))

    def _weight(self) -> str:
        try:
            return read_weight(self.weight)
        except ValueError as error:
            raise TourneyError(ExitCode.REFUSED, str(error), _("give a weight above 0, such as 1, 1.5 or 2")) from None

    def _check_numbers(self) -> None:
        for option, number, most in (("--days", self.days, MOST_DAYS), ("--countries", self.countries, MOST_COUNTRIES)):
            if not 1 <= number <= most:
                message = _("{option}: “{number}” is not possible").format(option=option, number=number)
                raise TourneyError(ExitCode.REFUSED, message, _("it can be 1 to {most}").format(most=most))


@dataclass(frozen=True, slots=True)
class RemoveEvents(OfSeason[SeasonChange]):
    """Let events no longer count in a season. Refused: NOT_FOUND, also for an event that does not count there."""

    season: str | None
    events: Sequence[str]

    def perform(self, store: storage.Store) -> SeasonChange:
        """Return the season without these events."""
        season = find_season(store, self.season)
        events = [find_event(store, name) for name in self.events]
        there = {counted.event for counted in season.counted}
        for event in events:
            if event.id not in there:
                message = _("{event} does not count in {season}")
                hint = _("see its events with `tourney season show {season}`")
                names = {"event": event.settings.name, "season": season.settings.name}
                quoted = quote_argument(season.settings.name)
                raise TourneyError(ExitCode.NOT_FOUND, message.format(**names), hint.format(season=quoted))
        titles = {event.id: event.settings.name for event in events}
        left_out = (season, season.settings.name, list(titles), list(titles.values()))
        store.write(storage.kinds.seasons.EventsLeftOut(*left_out))
        after = store.seasons.get(season.id)
        return SeasonChange(after, names_of(store, after), tuple(event.settings.name for event in events))


@dataclass(frozen=True, slots=True)
class DeleteSeason(OfSeason[SeasonChange]):
    """Delete a season; its events stay as they are. Refused: NOT_FOUND."""

    season: str | None

    def perform(self, store: storage.Store) -> SeasonChange:
        """Return the season that is gone."""
        season = find_season(store, self.season)
        names = names_of(store, season)
        store.write(storage.kinds.seasons.SeasonDeleted(season, season.settings.name))
        return SeasonChange(season, names)


def listing(db: str | None) -> tuple[SeasonChange, ...]:
    """Return all seasons with their events, in the order in which they were made."""
    with storage.reading(db) as reader:
        return tuple(SeasonChange(season, names_of(reader, season)) for season in reader.seasons.all())


def show(db: str | None, name: str | None) -> SeasonChange:
    """Return a season with its events. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        season = find_season(reader, name)
        return SeasonChange(season, names_of(reader, season))


def names_of(reader: storage.Reader, season: Season) -> dict[int, str]:
    """Return the names of the events of a season by number."""
    names = reader.events.names()
    return {counted.event: names[counted.event] for counted in season.counted}


def _preset(name: str | None) -> Mapping[str, Any]:
    if name is None:
        return {}
    if name not in PRESETS:
        message = _("there is no preset “{name}”").format(name=name[:40])
        hint = _("it can be {possible}").format(possible=", ".join(PRESETS))
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return PRESETS[name]


def _refuse_nothing_left(season: Season, drop: int) -> None:
    """Raise TourneyError REFUSED if so many results left out leave none of the season's events."""
    events = len(season.counted)
    if events and drop >= events:
        message = ngettext(
            "{drop} results left out leave none of the {events} event of {season}",
            "{drop} results left out leave none of the {events} events of {season}",
            events,
        ).format(drop=drop, events=events, season=season.settings.name)
        hint = _("give a smaller `--drop`, or first add the events to come: `tourney season add {season} NAME`")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(season=quote_argument(season.settings.name)))


def _refuse_twice(season: Season, events: Sequence[Event]) -> None:
    """Raise TourneyError REFUSED for an event that would count twice."""
    counted = {each.event for each in season.counted}
    for event in events:
        if event.id in counted:
            message = _("{event} counts in {season} already: no event counts twice")
            hint = _("to change its weight, first take it out with `tourney season remove {season} {event}`")
            names = {"event": event.settings.name, "season": season.settings.name}
            quoted = {key: quote_argument(name) for key, name in names.items()}
            raise TourneyError(ExitCode.REFUSED, message.format(**names), hint.format(**quoted))
        counted.add(event.id)


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
    names = reader.people.published()
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
    event = reader.events.alone(counted.event)
    order = _as_shown(order_of(reader, event), names) if names else order_of(reader, event)
    return SeasonEvent(event.settings.name, event.settings.date, counted, order)


def row_of(table: SeasonTable, name: str) -> SeasonRow:
    """Return the row of a player of a season. Raises TourneyError NOT_FOUND."""
    players = [row.player for row in table.rows]
    hint = _("see its players with `tourney season standings`")
    player = Directory(players).find(name, hint=hint)
    return next(row for row in table.rows if row.player.id == player.id)
