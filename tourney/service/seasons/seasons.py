"""Changes of seasons: making, setting and deleting them, and the events that count."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.seasons import CountedEvent, Season, SeasonSettings
from tourney.service.change import Change, Outcome, Scope
from tourney.service.lookup import find_event
from tourney.service.seasons.find_season import find_season, refuse_taken
from tourney.service.seasons.settings import PRESETS, changed, checked
from tourney.standings.seasons.weights import MOST_DAYS, read_weight
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean
from tourney.text.sanitize import quote_argument

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
