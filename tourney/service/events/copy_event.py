"""A new event made from another, from a preset or from the file of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from os import PathLike
from typing import Any

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Constraint, Copied, CopiedEvent, Event, EventChange, EventSettings
from tourney.domain.leagues import OutsideBot
from tourney.domain.people import Player, bot_of_seat
from tourney.domain.rounds import PLANNED, SCORING, Stage, as_planned
from tourney.domain.rules import USUAL_RULES, RulesRef
from tourney.files.plan_toml import SETTINGS_OF_STAGES, read_plan
from tourney.rulebook import rulesets
from tourney.service.bots import with_deals
from tourney.service.change import Change
from tourney.service.events.attendance import taking_part
from tourney.service.events.events import make
from tourney.service.events.settings import (
    ChangeSettings,
    check_prizes,
    checked,
    for_new_event,
    refuse_contradiction,
    with_checked_scoring,
)
from tourney.service.lookup import find_event, find_open_event, free_event_name
from tourney.service.stages.presets import find_preset, stages_of
from tourney.text.dates import long_date
from tourney.text.i18n import _
from tourney.text.names import clean


@dataclass(frozen=True, slots=True)
class CreatePlannedEvent(Change[Event]):
    """Create an event from a preset, or from the file of a plan; settings `given`, and `rules`, go before its own.

    Refused: USAGE for both or neither, and for a setting that the stages give; NOT_FOUND for an unknown preset, file or
    rules; CONFLICT for a name that is taken; REFUSED for a plan that cannot be played to its end.
    """

    name: str
    preset: str | None = None
    plan: str | PathLike[str] | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    rules: str | None = None

    def perform(self, store: storage.Store) -> Event:
        """Return the new event, without entrants."""
        refuse_contradiction(self.given)
        if (self.preset is None) == (self.plan is None):
            message = _("--preset and --plan do not go together")
            raise TourneyError(ExitCode.USAGE, message, _("give one of them"))
        for name in SETTINGS_OF_STAGES:
            if name in self.given:
                message = _("--{option} does not go with stages, each of which has its own").format(option=name)
                raise TourneyError(ExitCode.USAGE, message, _("leave it out, or write it into a plan for --plan"))
        rules_name, values, stages = self._preset() if self.plan is None else self._plan(self.plan)
        refuse_contradiction(values)
        rules = rulesets.resolve(self.rules or rules_name or USUAL_RULES)
        if self.preset is not None:
            stages = stages_of(find_preset(self.preset), rules)
        settings = EventSettings(clean(self.name, _("name")), rules.id)
        values = {**values, **self.given}
        settings = replace(settings, **values, stages=stages, deals=values.get("seed", ""))
        settings = for_new_event(checked(settings, rules), rules)
        check_prizes(settings)
        return make(store, settings, rules)

    def _preset(self) -> tuple[str, Mapping[str, Any], tuple[Stage, ...]]:
        preset = find_preset(self.preset or "")
        return "", preset.settings, preset.stages

    @staticmethod
    def _plan(path: str | PathLike[str]) -> tuple[str, Mapping[str, Any], tuple[Stage, ...]]:
        plan = read_plan(path)
        return plan.rules, plan.settings, plan.stages


@dataclass(frozen=True, slots=True)
class ChangePlan(Change[EventChange]):
    """Replace the stages of an event by those of a plan's file; stages that have begun stay as they are.

    Refused as `ChangeSettings`, and REFUSED if a stage that has begun is another one in the file.
    """

    event: str | None
    plan: str | PathLike[str]
    changes: Mapping[str, Any] = field(default_factory=dict)

    def perform(self, store: storage.Store) -> EventChange:
        """Return the settings before and after the change."""
        event = find_open_event(store, self.event)
        plan = read_plan(self.plan)
        stages = _kept_stages(event, plan.stages, bool(store.rounds.of(event)))
        return ChangeSettings(self.event, {**plan.settings, **self.changes, "stages": stages}).perform(store)


def _kept_stages(event: Event, planned: tuple[Stage, ...], is_drawn: bool) -> tuple[Stage, ...]:
    """Return the stages of a new plan, with what is decided in those that have begun."""
    begun = [stage for stage in event.settings.stages if stage.begun] if is_drawn else []
    if is_drawn and not begun:
        message = _("{event} was begun without stages").format(event=event.settings.name)
        raise TourneyError(ExitCode.REFUSED, message, _("create another event with this plan"))
    for number, stage in enumerate(begun):
        if number >= len(planned) or _plan_of(event, planned[number]) != _plan_of(event, stage):
            message = _("stage {number} of {event}, {stage}, has begun and cannot change").format(
                number=number + 1, event=event.settings.name, stage=stage.name
            )
            raise TourneyError(ExitCode.REFUSED, message, _("leave it in the plan as it was"))
    return (*begun, *planned[len(begun) :])


def _plan_of(event: Event, stage: Stage) -> dict[str, Any]:
    """Return the plan of a stage, with the event's settings where the stage says nothing about its scoring."""
    said = with_checked_scoring(replace(event.settings, stages=(stage,)), event.rules, 0)
    of_event = {name: getattr(event.settings, name) for name in SCORING}
    return {name: getattr(said, name) for name in PLANNED} | of_event | said.scoring_settings


@dataclass(frozen=True, slots=True)
class CopyEvent(Change[CopiedEvent]):
    """Create an event from another, `source`, and make it the current one unless that is in play.

    Copied are its settings with the constraints on the seating, its players, or both. The date is not copied, and
    the seed is the new event's name, so that the players do not sit as they did. Players who withdrew are entered
    again; those who never came or left before they had a seat are not, nor are constraints about players who are
    not entered. Settings `given`, and `rules`, go before copied ones. Refused: NOT_FOUND for an unknown event or
    unknown rules, CONFLICT for a name that is taken, REFUSED for settings that no event can have.
    """

    name: str
    source: str
    what: Copied = "both"
    given: Mapping[str, Any] = field(default_factory=dict)
    rules: str | None = None

    def perform(self, store: storage.Store) -> CopiedEvent:
        """Return the new event, and what was left out."""
        refuse_contradiction(self.given)
        source = find_event(store, self.source)
        rules = self._rules(source)
        event = make(store, for_new_event(checked(self._settings(source, rules), rules), rules), rules)
        players = () if self.what == "settings" else _who_came(store, source)
        bots = _bots_of(players, store.events.bots(source.id))
        event = store.events.enter(with_deals(store, event, bots), players, bots) if players else event
        event, lost = self._constrained(store, source, event)
        if not _is_playing(store):
            store.write(storage.kinds.events.EventUsed(event))
            event = store.events.get(event.id)
        left = [] if self.what == "settings" else [each for each in source.entrants if each not in players]
        absent = tuple(each for each in left if each not in source.substitutes)
        substitutes = tuple(each for each in left if each in source.substitutes)
        return CopiedEvent(event, source.settings.name, absent, substitutes, lost)

    def _rules(self, source: Event) -> RulesRef:
        """Return the rules: given ones, or the source's in the form in which this version reads them."""
        if self.rules is not None or self.what == "players":
            return rulesets.resolve(self.rules or USUAL_RULES)
        if source.rules.text:
            return source.rules
        rules = rulesets.rules_of(source.rules)
        return RulesRef(rules.id, rules.digest)

    def _settings(self, source: Event, rules: RulesRef) -> EventSettings:
        name = clean(self.name, _("name"))
        copied = EventSettings(name, rules.id) if self.what == "players" else source.settings
        stages = tuple(map(as_planned, copied.stages))
        usual = replace(copied, name=name, rules=rules.id, date="", seed=name, stages=stages, deals="")
        return replace(usual, **self.given, deals=self.given.get("seed", ""))

    def _constrained(self, store: storage.Store, source: Event, event: Event) -> tuple[Event, tuple[Constraint, ...]]:
        """Return the event with the source's constraints, and those that could not be copied."""
        if self.what == "players" or not source.constraints:
            return event, ()
        entered = set(event.entrants)
        kept = [each for each in source.constraints if entered.issuperset(each.players)]
        lost = tuple(each for each in source.constraints if each not in kept)
        return (store.changed(storage.kinds.events.EventConstrained(event, kept)) if kept else event), lost


@dataclass(frozen=True, slots=True)
class NextEvening(Change[CopiedEvent]):
    """Create the evening that follows another, `source`, by the settings and with the players of that one.

    It is on the `next_day`, and is called by it. Refused as `CopyEvent`.
    """

    source: str
    today: date

    def perform(self, store: storage.Store) -> CopiedEvent:
        """Return the new event, and what was left out."""
        source = find_event(store, self.source)
        day = next_day(source.settings.date, self.today).isoformat()
        name = free_event_name(store.events.names().values(), long_date(day))
        return CopyEvent(name, source.settings.name, given={"date": day}).perform(store)


def next_day(before: str, today: date) -> date:
    """Return the day a week after an evening, or as many weeks as it takes not to be in the past.

    An evening without a date is taken to be today's.
    """
    try:
        last = date.fromisoformat(before)
    except ValueError:
        last = today
    weeks = max(1, -((last - today) // timedelta(weeks=1)))
    # The calendar ends in the year 9999.
    return min(last, date.max - timedelta(weeks=weeks)) + timedelta(weeks=weeks)


def _who_came(reader: storage.Reader, source: Event) -> tuple[Player, ...]:
    """Return the entrants, without those who never came, or left before they had a seat."""
    stayed = taking_part(source, reader.rounds.of(source))
    return tuple(player for player in source.counted if player in stayed)


def _bots_of(players: Sequence[Player], outside: Mapping[str, OutsideBot]) -> list[OutsideBot]:
    """Return the bots from outside that have a seat among the players."""
    names = dict.fromkeys(bot_of_seat(player) for player in players if player.kind == "bot")
    return [outside[name] for name in names if name in outside]


def _is_playing(reader: storage.Reader) -> bool:
    """Return whether the current event is in play: open, and a round of it is drawn."""
    number = reader.events.meant()
    current = None if number is None else reader.events.get(number)
    return current is not None and current.state == "open" and bool(reader.rounds.of(current))
