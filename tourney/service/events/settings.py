"""Check an organiser's settings of an event before they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict, cast

from tourney import rulebook, storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import CheckIn, Event, EventChange, EventSettings, Short, Unfinished
from tourney.domain.rules import RulesRef
from tourney.seating.formats import FORMATS
from tourney.service.change import Change, Scope
from tourney.service.lookup import find_event, find_open_event, iso_date
from tourney.service.seating.plan_diff import PlanInputs, plan_changes
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean, fold

MOST_ROUNDS = 1000
MOST_MINUTES = 24 * 60
MOST_POINTS = 1000
MOST_TABLES = 1000


class Changes(TypedDict, total=False):
    """The settings that `change` is to change, and what they become; None takes the default again."""

    name: str
    date: str
    format: str
    rounds: int
    size: int
    seed: str
    short: Short
    minimum: int | None
    checkin: CheckIn
    minutes: int | None
    unfinished: Unfinished
    unfinished_points: int
    stake: int
    tables: int | None


def changes(given: Mapping[str, Any], cleared: str | None = None) -> Changes:
    """Return the settings that were given, and the cleared one with its value when unset.

    Raises TourneyError USAGE for a setting that is both.
    """
    wanted = {name: value for name, value in given.items() if value is not None}
    if cleared in wanted:
        message = _("--{setting} and --clear {setting} contradict each other").format(setting=cleared)
        raise TourneyError(ExitCode.USAGE, message, _("give one of them"))
    if cleared is not None:
        wanted[cleared] = "" if cleared == "date" else None
    return cast(Changes, wanted)


@dataclass(frozen=True, slots=True)
class ChangeSettings(Change[EventChange]):
    """Change settings of an event; what is drawn and played stays as it is.

    Refused: NOT_FOUND, CONFLICT for a name that is taken, REFUSED for a finished event, for settings that no event
    can have or that go against what is drawn, and where nothing would change.
    """

    event: str | None
    changes: Changes

    def perform(self, store: storage.Store) -> EventChange:
        """Return the settings before and after the change."""
        event = find_open_event(store, self.event)
        settings = checked(_changed(event.settings, self.changes), event.rules)
        if settings == event.settings:
            message = _("nothing about {event} would change").format(event=event.settings.name)
            raise TourneyError(ExitCode.REFUSED, message, _("see its settings with `tourney event show`"))
        refuse_taken(store, settings.name, but=event.id)
        before = PlanInputs.of(store, event)
        _refuse_drawn(event.settings, settings, len(before.drawn))
        after = store.set_event(event, settings)
        ahead = plan_changes(before, PlanInputs.of(store, after))
        return EventChange(event.settings, after, len(before.drawn), _cut(store, event, settings), ahead)

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the event alone."""
        return Scope([find_event(reader, self.event).id])


def _cut(reader: storage.Reader, event: Event, after: EventSettings) -> int:
    """Return how many tables are already void or cut short, if they would now count differently."""
    ways = {(one.unfinished, one.unfinished_points) for one in (event.settings, after)}
    if len(ways) == 1:
        return 0
    return sum(result.state == "void" or result.outcome.short > 0 for result in reader.results(event))


def checked(settings: EventSettings, rules: RulesRef) -> EventSettings:
    """Return the settings as they are kept; raises TourneyError REFUSED for what these rules do not allow."""
    _check_numbers(settings, *rulebook.table_limits(rules))
    if settings.format not in FORMATS:
        message = _("there is no format “{format}”").format(format=settings.format)
        raise TourneyError(ExitCode.USAGE, message, _("the formats are {known}").format(known=", ".join(FORMATS)))
    _check_unfinished(settings, rules)
    rulebook.check_stake(rules, settings.stake)
    return replace(
        settings,
        name=clean(settings.name, _("name")),
        seed=clean(settings.seed, _("seed")),
        date=iso_date(settings.date),
    )


def _check_numbers(settings: EventSettings, least: int, most: int) -> None:
    """Raises TourneyError REFUSED for a number that no event can have, at tables of `least` to `most`."""
    size = ngettext("tables of {number} player", "tables of {number} players", settings.size)
    _within(size, settings.size, least, most)
    rounds = ngettext("{number} round", "{number} rounds", settings.rounds)
    _within(rounds, settings.rounds, 1, MOST_ROUNDS)
    if settings.tables is not None:
        tables = ngettext("{number} table", "{number} tables", settings.tables)
        _within(tables, settings.tables, 1, MOST_TABLES)
    if settings.minimum is not None:
        games_played = ngettext("a minimum of {number} game", "a minimum of {number} games", settings.minimum)
        _within(games_played, settings.minimum, 0, settings.rounds)
    if settings.minutes is not None:
        minutes = ngettext("rounds of {number} minute", "rounds of {number} minutes", settings.minutes)
        _within(minutes, settings.minutes, 1, MOST_MINUTES)


def refuse_taken(reader: storage.Reader, name: str, but: int | None = None) -> None:
    """Raises TourneyError CONFLICT for the name of an event, accents and case aside, other than `but`."""
    for number, taken in reader.event_names().items():
        if number != but and fold(taken) == fold(name):
            message = _("there is an event called {name} already").format(name=taken)
            raise TourneyError(ExitCode.CONFLICT, message, _("give it another name, such as one with its date"))


def _changed(before: EventSettings, wanted: Changes) -> EventSettings:
    after = replace(before, **wanted)
    if after.unfinished != "penalty" and "unfinished_points" not in wanted:
        # They belong to that one way of counting unfinished games.
        return replace(after, unfinished_points=0)
    return after


def _check_unfinished(settings: EventSettings, rules: RulesRef) -> None:
    hint = _("give both `--unfinished penalty` and `--unfinished-points`")
    if settings.unfinished != "penalty" and settings.unfinished_points:
        raise TourneyError(ExitCode.REFUSED, _("points for hands not played need the way they count"), hint)
    if settings.unfinished == "penalty" and rulebook.family(rules) == "knock":
        message = _("a knock game has no number of hands, so that hands not played cost nothing")
        hint = _("give `--unfinished void`, or `count hands`: the lowest score then has the pot")
        raise TourneyError(ExitCode.REFUSED, message, hint)
    if settings.unfinished == "penalty":
        if settings.unfinished_points == 0:
            raise TourneyError(ExitCode.REFUSED, _("it is not said how many points a hand not played costs"), hint)
        points = settings.unfinished_points
        text = ngettext(
            "hands not played that cost {number} point", "hands not played that cost {number} points", points
        )
        _within(text, points, 1, MOST_POINTS)


def _refuse_drawn(before: EventSettings, after: EventSettings, drawn: int) -> None:
    """Raises TourneyError REFUSED for settings that the drawn rounds do not allow any more."""
    if after.rounds < drawn:
        message = _("{event} has {drawn} drawn rounds already").format(event=before.name, drawn=drawn)
        raise TourneyError(ExitCode.REFUSED, message, _("cancel rounds with `tourney round cancel`, or give more"))
    if drawn and after.stake != before.stake:
        message = _("the stake of {event} cannot change: rounds are drawn already").format(event=before.name)
        raise TourneyError(ExitCode.REFUSED, message, _("begin another event with another stake"))
    if drawn and after.seed != before.seed:
        message = _("the seed of {event} cannot change: rounds follow from it already").format(event=before.name)
        raise TourneyError(ExitCode.REFUSED, message, _("begin another event with another seed"))


def _within(what: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        message = _("an event cannot have {what}").format(what=what.format(number=number))
        raise TourneyError(ExitCode.REFUSED, message, _("{least} to {most} can be").format(least=least, most=most))
