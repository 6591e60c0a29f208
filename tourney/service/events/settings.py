"""Check an organiser's settings of an event before they are kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import SETTINGS, Event, EventChange, EventSettings
from tourney.domain.rounds import Stage
from tourney.domain.rules import RulesRef
from tourney.rulebook import rulesets
from tourney.seating.formats import FORMATS
from tourney.service.change import Change, Scope
from tourney.service.lookup import event_argument, find_event, find_open_event, iso_date
from tourney.service.seating import plan_diff
from tourney.service.stages.plan_check import with_checked_stages
from tourney.service.typed_settings import TABLE_POINTS_READER, SettingReader, checked_value, given_or_cleared
from tourney.standings.prizes import amount_text, read_amount, read_prizes, refuse_above
from tourney.standings.scales import SCALES, TABLE_POINTS
from tourney.standings.tiebreaks.registry import read_tie_breaks
from tourney.text.i18n import _, marked
from tourney.text.names import clean, fold

READERS: Final[Mapping[str, SettingReader]] = {
    "table_points": TABLE_POINTS_READER,
    "fee": SettingReader(lambda typed: amount_text(read_amount(typed)), marked("write an amount such as 5 or 7.50")),
    "pot": SettingReader(lambda typed: amount_text(read_amount(typed)), marked("write an amount such as 120 or 99.50")),
    "prizes": SettingReader(
        lambda typed: read_prizes(typed).text(), marked("write 50%-30%-20%, or 60-36-24; newcomer 10; club Getxo 15")
    ),
    "tie_breaks": SettingReader(
        read_tie_breaks, marked("write keys that `tourney event tie-breaks` shows, or the word none")
    ),
}
Changes = Mapping[str, Any]
"""New values of settings, by name; settings with None stay as they are."""


@dataclass(frozen=True, slots=True)
class ChangeSettings(Change[EventChange]):
    """Change settings of an event, or `clear` one or some; drawn rounds and results do not change.

    Refused: NOT_FOUND, USAGE for a setting that is given and cleared, CONFLICT for a name that is taken, REFUSED for a
    finished event, for settings that are impossible or contradict the drawn rounds, or if nothing would change.
    """

    event: str | None
    changes: Changes
    clear: str | Collection[str] | None = None

    def perform(self, store: storage.Store) -> EventChange:
        """Return the settings before and after the change."""
        event = find_open_event(store, self.event)
        cleared = [self.clear] if isinstance(self.clear, str) else list(self.clear or ())
        _refuse_of_stages(event, self.changes)
        settings = checked(_changed(event.settings, self.changes, cleared), event.rules)
        if "seats" in cleared:
            settings = for_new_event(settings, event.rules)
        if settings == event.settings:
            message = _("nothing about {event} would change").format(event=event.settings.name)
            hint = _("see its settings with `tourney event show{event}`").format(event=event_argument(event))
            raise TourneyError(ExitCode.REFUSED, message, hint)
        refuse_taken(store, settings.name, but=event.id)
        if any(getattr(settings, name) != getattr(event.settings, name) for name in ("prizes", "pot", "fee")):
            check_prizes(settings, len(event.counted))
        before = plan_diff.PlanInputs.of(store, event)
        _refuse_drawn(event, settings, len(before.drawn))
        after = store.events.change(event, settings)
        ahead = plan_diff.announced(store, before, after)
        return EventChange(event.settings, after, len(before.drawn), _cut(store, event, settings), ahead)

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: this event."""
        return Scope([find_event(reader, self.event).id])


def _refuse_of_stages(event: Event, changes: Changes) -> None:
    """Raise TourneyError REFUSED for a setting that the stages of the event give."""
    for name in ("format", "rounds"):
        if event.settings.stages and changes.get(name) is not None and "stages" not in changes:
            message = _("the stages of {event} have their own {setting}").format(
                event=event.settings.name, setting=_(SETTINGS[name].heading)
            )
            hint = _("change its plan with `tourney event set{event} --plan FILE`")
            raise TourneyError(ExitCode.REFUSED, message, hint.format(event=event_argument(event)))


def _cut(reader: storage.Reader, event: Event, after: EventSettings) -> int:
    """Return the number of tables already void or stopped, if unfinished games now count differently; else 0."""
    before = event.settings
    if (before.unfinished, before.unfinished_points) == (after.unfinished, after.unfinished_points):
        return 0
    return sum(result.state == "void" or result.outcome.short > 0 for result in reader.results.of(event))


def choices(name: str) -> tuple[str, ...]:
    """Return the values from which a setting is chosen; empty for a number or free text."""
    return tuple(FORMATS) if name == "format" else SETTINGS[name].choices


def checked(settings: EventSettings, rules: RulesRef) -> EventSettings:
    """Return the settings, cleaned. Raises TourneyError REFUSED or USAGE for settings that the rules do not allow."""
    settings = _implied(replace(settings, name=clean(settings.name, _("name")), date=iso_date(settings.date)))
    limits = {"size": rulesets.table_limits(rules), "minimum": (0, settings.rounds)}
    values = {name: _checked(name, getattr(settings, name), limits.get(name)) for name in SETTINGS}
    _check_unfinished(settings, rules)
    _check_scoring(settings, rules)
    rulesets.check_stake(rules, settings.stake)
    settings = with_checked_stages(replace(settings, **values), rules)
    stages = (with_checked_scoring(settings, rules, at) for at in range(len(settings.stages)))
    return replace(settings, stages=tuple(stages))


def with_checked_scoring(settings: EventSettings, rules: RulesRef, at: int) -> Stage:
    """Return a stage with what it says about its scoring, checked. Raises TourneyError REFUSED, naming the stage.

    What it says stays, also where the event says the same: it does not follow the event later.
    """
    stage = settings.stages[at]
    if not (said := stage.scoring_settings):
        return stage
    if stage.table_points:
        said = {"scoring": TABLE_POINTS, **said}
    # Lists of the event are not those of a stage that scores in another way.
    lists = {} if stage.scoring in (None, TABLE_POINTS) else {"table_points": None}
    try:
        if lists and stage.table_points is not None:
            raise _lists_of_another_scoring()
        said = {name: _checked(name, value, None) for name, value in said.items()}
        _check_scoring(replace(settings, **{**lists, **said}), rules)
    except TourneyError as error:
        where = _("stage {number} ({name})").format(number=at + 1, name=stage.name[:40])
        raise TourneyError(ExitCode.REFUSED, f"{where}: {error.message}", error.hint) from None
    return replace(stage, **said)


def for_new_event(settings: EventSettings, rules: RulesRef) -> EventSettings:
    """Return the settings of a new event: in the knock game the winner deals next, unless seats are chosen (001/1.11).

    An event from before this setting keeps balanced seats.
    """
    if settings.seats is not None or rulesets.family(rules) != "knock":
        return settings
    return replace(settings, seats="winner deals")


def _checked(name: str, value: Any, limits: tuple[int, int] | None) -> Any:
    """Return the setting's value, cleaned. Raises TourneyError REFUSED for a wrong number, USAGE for a wrong choice."""
    return checked_value(SETTINGS[name], value, READERS.get(name), choices(name), limits)


def refuse_taken(reader: storage.Reader, name: str, but: int | None = None) -> None:
    """Raise TourneyError CONFLICT if an event other than number `but` has this name, accents and case aside."""
    for number, taken in reader.events.names().items():
        if number != but and fold(taken) == fold(name):
            message = _("there is an event called {name} already").format(name=taken)
            raise TourneyError(ExitCode.CONFLICT, message, _("give it another name, such as one with its date"))


def _changed(before: EventSettings, changes: Changes, cleared: Collection[str]) -> EventSettings:
    """Return the settings after the changes. Raises TourneyError USAGE for a setting that is both given and cleared."""
    given = given_or_cleared(SETTINGS, changes, cleared)
    refuse_contradiction(given)
    if "seed" in given:
        given["deals"] = "" if "seed" in cleared else given["seed"]
    after = replace(before, **given)
    # Only a penalty has points.
    keeps_points = after.unfinished == "penalty" or "unfinished_points" in given
    after = after if keeps_points else replace(after, unfinished_points=0)
    return _with_lists_or_without(after, given)


def _with_lists_or_without(after: EventSettings, given: Changes) -> EventSettings:
    """Return the settings without lists that another scoring does not use, or without the scoring of removed lists."""
    if "scoring" in given and after.scoring != TABLE_POINTS and not given.get("table_points"):
        return replace(after, table_points=None)
    if given.get("table_points") and "scoring" not in given:
        return replace(after, scoring=TABLE_POINTS)
    if "table_points" in given and not after.table_points and "scoring" not in given:
        return replace(after, scoring=SETTINGS["scoring"].default)
    return after


def refuse_contradiction(given: Changes) -> None:
    """Raise TourneyError REFUSED where somebody gives lists of table points together with another scoring."""
    if given.get("table_points") and given.get("scoring") not in (None, TABLE_POINTS):
        raise _lists_of_another_scoring()


def _lists_of_another_scoring() -> TourneyError:
    message = _('`--table-points` goes only with `--scoring "table points"`')
    return TourneyError(ExitCode.REFUSED, message, _("leave out one of the two options"))


def _implied(settings: EventSettings) -> EventSettings:
    """Return the settings with what others imply: lists of table points are there to be used."""
    if settings.table_points and settings.scoring == SETTINGS["scoring"].default:
        return replace(settings, scoring=TABLE_POINTS)
    return settings


def check_prizes(settings: EventSettings, paying: int = 0) -> None:
    """Raise TourneyError REFUSED for prizes without a pot, or above what it has with the fees of so many players."""
    if settings.prizes is None:
        return
    if settings.pot is None and settings.fee is None:
        message = _("the prizes have no pot")
        raise TourneyError(ExitCode.REFUSED, message, _("give `--pot AMOUNT`, `--fee AMOUNT` for each player, or both"))
    pot = read_amount(settings.pot or "0") + paying * read_amount(settings.fee or "0")
    try:
        refuse_above(read_prizes(settings.prizes), pot)
    except ValueError as error:
        hint = _("give smaller prizes, or a larger `--pot`; a fee counts once players are entered")
        raise TourneyError(ExitCode.REFUSED, str(error), hint) from None


def _check_scoring(settings: EventSettings, rules: RulesRef) -> None:
    """Raise TourneyError REFUSED for a scoring that lacks its lists, or that the rules cannot give."""
    if settings.scoring == TABLE_POINTS and not settings.table_points:
        message = _("table points need lists of what each place gives")
        raise TourneyError(ExitCode.REFUSED, message, _(TABLE_POINTS_READER.hint))
    if settings.table_points and settings.scoring != TABLE_POINTS:
        raise _lists_of_another_scoring()
    if SCALES[settings.scoring].needs_points and rulesets.family(rules) == "knock":
        message = _("the knock game ranks by money, of which nobody has a share")
        raise TourneyError(ExitCode.REFUSED, message, _('give `--scoring "place points"` or `--scoring neuberg`'))


def _check_unfinished(settings: EventSettings, rules: RulesRef) -> None:
    hint = _("give both `--unfinished penalty` and `--unfinished-points`")
    if settings.unfinished != "penalty" and settings.unfinished_points:
        raise TourneyError(ExitCode.REFUSED, _("`--unfinished-points` goes only with `--unfinished penalty`"), hint)
    if settings.unfinished == "penalty" and rulesets.family(rules) == "knock":
        message = _("a knock game has no number of hands, so that hands not played cost nothing")
        hint = _('give `--unfinished void` or `--unfinished "count hands"`: then the lowest score takes the pot')
        raise TourneyError(ExitCode.REFUSED, message, hint)
    if settings.unfinished == "penalty" and settings.unfinished_points == 0:
        raise TourneyError(
            ExitCode.REFUSED,
            _("`--unfinished penalty` needs `--unfinished-points`: what each hand not played costs"),
            hint,
        )


def _refuse_drawn(event: Event, after: EventSettings, drawn: int) -> None:
    """Raise TourneyError REFUSED for settings that contradict the drawn rounds."""
    before = event.settings
    if after.rounds < drawn:
        message = _("{event} has {drawn} drawn rounds already").format(event=before.name, drawn=drawn)
        hint = _("cancel the newest with `tourney round cancel{event} --reason TEXT`, or give more")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(event=event_argument(event)))
    for name, setting in SETTINGS.items():
        if drawn and setting.fixed and getattr(after, name) != getattr(before, name):
            heading = _(setting.heading)
            message = _("the {setting} of {event} cannot change: rounds are drawn already")
            hint = _("begin another event with another {setting}").format(setting=heading)
            raise TourneyError(ExitCode.REFUSED, message.format(setting=heading, event=before.name), hint)
