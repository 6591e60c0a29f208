"""A new event from a preset or the file of a plan, and the plan of an event changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event, EventChange, EventSettings
from tourney.domain.rounds import PLANNED, SCORING, Stage
from tourney.files.plan_toml import SETTINGS_OF_STAGES, read_plan
from tourney.rulebook import rulesets
from tourney.service.change import Change
from tourney.service.events.events import make
from tourney.service.events.settings import ChangeSettings, check_prizes, checked, for_new_event, with_checked_scoring
from tourney.service.lookup import find_open_event
from tourney.service.stages.presets import find_preset, stages_of
from tourney.text.i18n import _
from tourney.text.names import clean

USUAL_RULES = "oficial"


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
        if (self.preset is None) == (self.plan is None):
            message = _("--preset and --plan do not go together")
            raise TourneyError(ExitCode.USAGE, message, _("give one of them"))
        for name in SETTINGS_OF_STAGES:
            if name in self.given:
                message = _("--{option} does not go with stages, each of which has its own").format(option=name)
                raise TourneyError(ExitCode.USAGE, message, _("leave it out, or write it into a plan for --plan"))
        rules_name, values, stages = self._preset() if self.plan is None else self._plan(self.plan)
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
