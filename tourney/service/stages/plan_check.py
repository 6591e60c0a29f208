"""Checks of the plan of an event: it can be played to its end, with these rules and so many players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event, EventSettings, stage_settings
from tourney.domain.rounds import Stage
from tourney.domain.rules import RulesRef
from tourney.rulebook import rulesets
from tourney.seating.formats import FORMATS
from tourney.seating.model import limit_tables, table_sizes
from tourney.service.lookup import event_argument
from tourney.service.stages.presets import PRESETS
from tourney.standings.scoring import scoring_of
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean, fold

MOST_ROUNDS: Final = 1000
MOST_CARRIED: Final = 100_000
_WITH_TIES: Final = frozenset({"best", "of each table", "percent"})
_WITH_NUMBER: Final = _WITH_TIES | {"better than"}


@dataclass(frozen=True, slots=True)
class Expected:
    """A stage as a number of entrants leads to it: its players, if they are known, and the sizes of its tables."""

    stage: Stage
    players: int | None
    sizes: tuple[int, ...] = ()


def with_checked_stages(settings: EventSettings, rules: RulesRef) -> EventSettings:
    """Return the settings with their stages checked: names cleaned, the first begun, and the rounds added up.

    Raises TourneyError REFUSED, naming stage and field, for a plan that cannot be played to its end.
    """
    if not settings.stages:
        _refuse_only_in_stages(settings)
        return settings
    stages = tuple(
        replace(stage, name=clean(stage.name, _("name"), where=_("stage {number}").format(number=number)))
        for number, stage in enumerate(settings.stages, 1)
    )
    stages = (replace(stages[0], first=1), *stages[1:])
    for number in range(len(stages)):
        _Check(settings, rules, stages, number).all()
    begun = [at for at, stage in enumerate(stages) if stage.begun][-1]
    rounds = stages[begun].first - 1 + sum(stage.rounds for stage in stages[begun:])
    first = stages[0]
    return replace(settings, stages=stages, rounds=rounds, format=first.format)


def _refuse_only_in_stages(settings: EventSettings) -> None:
    if settings.format in FORMATS and FORMATS[settings.format].lives:
        message = _("{format} is a format of a stage, not of a whole event").format(format=settings.format)
        raise TourneyError(ExitCode.REFUSED, message, _("create the event with `--preset knock-out`, or with a plan"))


@dataclass(frozen=True, slots=True)
class _Check:
    """The check of one stage of a plan."""

    settings: EventSettings
    rules: RulesRef
    stages: Sequence[Stage]
    at: int

    @property
    def stage(self) -> Stage:
        return self.stages[self.at]

    @property
    def before(self) -> Stage | None:
        return self.stages[self.at - 1] if self.at else None

    def all(self) -> None:
        """Raise TourneyError REFUSED for the first fault."""
        for check in (self._name, self._play, self._lives, self._who, self._ties, self._carry, self._hands, self._end):
            check()

    def refuse(self, field: str, message: str, hint: str) -> TourneyError:
        """Return the refusal of a field of the stage."""
        where = _("stage {number} ({name}), {field}").format(number=self.at + 1, name=self.stage.name[:40], field=field)
        return TourneyError(ExitCode.REFUSED, f"{where}: {message}", hint)

    def between(self, field: str, value: int, least: int, most: int) -> None:
        """Refuse a number outside these limits."""
        if not least <= value <= most:
            message = _("“{value}” is not possible").format(value=value)
            raise self.refuse(field, message, _("it can be {least} to {most}").format(least=least, most=most))

    def _name(self) -> None:
        if fold(self.stage.name) in (fold(stage.name) for stage in self.stages[: self.at]):
            raise self.refuse("name", _("two stages have this name"), _("give each stage a name of its own"))

    def _play(self) -> None:
        if self.stage.format not in FORMATS:
            message = _("“{value}” is not possible").format(value=self.stage.format[:40])
            raise self.refuse("format", message, _("it can be {possible}").format(possible=", ".join(FORMATS)))
        self.between("rounds", self.stage.rounds, 1, MOST_ROUNDS)
        least, most = rulesets.table_limits(self.rules)
        if self.stage.size is not None:
            self.between("size", self.stage.size, least, most)
        if self.stage.tables is not None:
            self.between("tables", self.stage.tables, 1, 1000)

    def _lives(self) -> None:
        has_lives = FORMATS[self.stage.format].lives
        if not has_lives:
            for field in ("lives", "until"):
                if getattr(self.stage, field):
                    raise self.refuse(field, _("only a knock-out has it"), _("leave it out"))
            return
        least, _most = rulesets.table_limits(self.rules)
        self.between("lives", self.stage.lives, 1, 20)
        self.between("until", self.stage.until, least, 1000)
        if self.at == len(self.stages) - 1:
            message = _("a knock-out cannot be the last stage: it ends with several players")
            raise self.refuse("format", message, _("add a final for those who are left"))

    def _who(self) -> None:
        stage, before = self.stage, self.before
        if before is None:
            if stage.take != "all":
                raise self.refuse("take", _("everybody plays in the first stage"), _("leave it out"))
        elif before.lives and stage.take != "best":
            message = _("after a knock-out the best go through")
            raise self.refuse(
                "take", message, _('write take = "best" and number = {number}').format(number=before.until)
            )
        if stage.take not in _WITH_NUMBER:
            if stage.number:
                raise self.refuse("number", _("this stage takes no number of players"), _("leave it out"))
            return
        assert before is not None, "everybody plays in the first stage"
        if stage.take == "percent":
            self.between("number", stage.number, 1, 100)
        elif stage.take == "of each table":
            self.between("number", stage.number, 1, before.size or self.settings.size)
        elif stage.take == "best":
            self._best(before)

    def _best(self, before: Stage) -> None:
        least, _most = rulesets.table_limits(self.rules)
        self.between("number", self.stage.number, least, 10_000)
        most = before.until if before.lives else most_players(self.stages, self.at - 1, self.settings, self.rules)
        if most is not None and self.stage.number > most:
            message = _("{number} go through, and at most {most} play before").format(
                number=self.stage.number, most=most
            )
            raise self.refuse("number", message, _("give at most {most}").format(most=most))

    def _ties(self) -> None:
        stage = self.stage
        if stage.take in _WITH_TIES and not stage.ties:
            message = _("nothing is said about a tie at the border")
            hint = _(
                'write ties = "list" (the tie-breaks decide), ties = "together" (all go through) or ties = '
                '"play-off" (they play one hand)'
            )
            raise self.refuse("ties", message, hint)
        if stage.take not in _WITH_TIES and stage.ties:
            raise self.refuse("ties", _("there is no border"), _("leave it out"))
        _least, most = rulesets.table_limits(self.rules)
        if stage.ties == "together" and stage.tables is not None and stage.number >= stage.tables * most:
            message = ngettext(
                "if players tie, more than {most} go through, and {tables} table has no seat for them",
                "if players tie, more than {most} go through, and {tables} tables have no seats for them",
                stage.tables,
            ).format(most=stage.number, tables=stage.tables)
            raise self.refuse("ties", message, _('write ties = "list" or ties = "play-off"'))

    def _carry(self) -> None:
        stage = self.stage
        if self.before is None and stage.carry != "nothing":
            raise self.refuse("carry", _("there is nothing to carry into the first stage"), _("leave it out"))
        through = most_players(self.stages, self.at, self.settings, self.rules)
        if stage.carry == "place points" and len(stage.carry_points) < (through or 1):
            message = _("place points need a number for each player who goes through")
            raise self.refuse("carry_points", message, _("write them, the best first, such as carry_points = [0, 10]"))
        for points in stage.carry_points:
            self.between("carry_points", points, -MOST_CARRIED, MOST_CARRIED)
        if stage.carry != "place points" and stage.carry_points:
            raise self.refuse("carry_points", _('they go with carry = "place points"'), _("leave it out"))
        takes_half = stage.carry == "half" and not stage.begun and self.before is not None
        if takes_half and self._most_wins(stage) != self._most_wins(self.stages[self.at - 1]):
            message = _("the fewest points win in one of the two stages, and the most in the other")
            raise self.refuse("carry", message, _('write carry = "place points", or leave it out'))

    def _most_wins(self, stage: Stage) -> bool:
        """Return whether the highest score ranks first in a stage."""
        for_money = rulesets.family(self.rules) == "knock"
        return scoring_of(stage_settings(self.settings, stage), for_money=for_money).scale.most_wins

    def _hands(self) -> None:
        if not self.stage.hands:
            return
        try:
            rulesets.with_hands(self.rules, self.stage.hands)
        except TourneyError as error:
            raise self.refuse("hands", error.message, error.hint) from None

    def _end(self) -> None:
        players = most_players(self.stages, self.at, self.settings, self.rules)
        if self.stage.take == "best":
            self.seats(self.stage.number)
        elif players is not None and self.at == len(self.stages) - 1:
            self.seats(players)

    @property
    def _decides_alone(self) -> bool:
        """True if nothing of the stages before counts in the stage."""
        return self.at > 0 and self.stage.carry == "nothing"

    def seats(self, players: int) -> None:
        """Refuse a stage for so many players that has no seat for one of them, or a last round at several tables."""
        least, most = rulesets.table_limits(self.rules)
        hint = _("a table has {least} to {most} players by these rules").format(least=least, most=most)
        self.seat_for_each(players, hint)
        sizes = sizes_of(self.settings, self.stage, self.rules, players)
        if self.at == len(self.stages) - 1 and self.stage.rounds == 1 and len(sizes) > 1 and self._decides_alone:
            message = _("the last stage is one round at {tables} tables, of which none decides").format(
                tables=len(sizes)
            )
            raise self.refuse("number", message, _("let fewer go through, or play more rounds"))

    def seat_for_each(self, players: int, hint: str) -> None:
        """Refuse a stage of one round for so many players that has no seat for one of them."""
        sizes = sizes_of(self.settings, self.stage, self.rules, players)
        if sum(sizes) < players and self.stage.rounds == 1:
            message = ngettext(
                "{number} player goes through, and {seats} have a seat in the only round",
                "{number} players go through, and {seats} have a seat in the only round",
                players,
            ).format(number=players, seats=sum(sizes))
            raise self.refuse("number", message, hint)


def sizes_of(settings: EventSettings, stage: Stage, rules: RulesRef, players: int) -> tuple[int, ...]:
    """Return the sizes of the tables of a stage for so many players; none if they are too few for a table."""
    least, most = rulesets.table_limits(rules)
    if players < least:
        return ()
    terms = stage_settings(settings, stage)
    sizes = table_sizes(players, terms.size, least, terms.short)
    return sizes if terms.tables is None else limit_tables(sizes, terms.tables, most, terms.short)


def most_players(
    stages: Sequence[Stage], at: int, settings: EventSettings, rules: RulesRef, entrants: int | None = None
) -> int | None:
    """Return how many play in a stage if so many have entered; None if that depends on who enters, or on results."""
    stage = stages[at]
    if at == 0:
        return entrants
    before = most_players(stages, at - 1, settings, rules, entrants)
    if stages[at - 1].lives:
        before = stages[at - 1].until
    return _TAKEN[stage.take](stage, before, lambda: _tables_before(stages, at, settings, rules, before))


def _tables_before(
    stages: Sequence[Stage], at: int, settings: EventSettings, rules: RulesRef, players: int | None
) -> int | None:
    return None if players is None else len(sizes_of(settings, stages[at - 1], rules, players))


def _each_table(stage: Stage, _before: int | None, tables: Callable[[], int | None]) -> int | None:
    number = tables()
    return None if number is None else number * stage.number


_TAKEN: Final[dict[str, Callable[[Stage, int | None, Callable[[], int | None]], int | None]]] = {
    "all": lambda _stage, before, _tables: before,
    "best": lambda stage, _before, _tables: stage.number,
    "of each table": _each_table,
    "percent": lambda stage, before, _tables: None if before is None else before * stage.number // 100,
    "better than": lambda _stage, _before, _tables: None,
    "named": lambda _stage, _before, _tables: None,
}


def expected(event: Event, entrants: int) -> tuple[Expected, ...]:
    """Return the stages of an event as so many entrants lead to them."""
    return tuple(_expected(event, entrants))


def _expected(event: Event, entrants: int) -> Iterator[Expected]:
    settings = event.settings
    if event.stage is not None and event.stage.first > 1:
        # Whoever has left since has played in the first stage.
        entrants = len(event.counted)
    for at, stage in enumerate(settings.stages):
        players = len(stage.players) or most_players(settings.stages, at, settings, event.rules, entrants)
        sizes = () if players is None else sizes_of(settings, stage, event.rules, players)
        yield Expected(stage, players, sizes)


def refuse_impossible(event: Event) -> None:
    """Raise TourneyError REFUSED for a plan that cannot end with the players who are there, before anything is played.

    Called before the first round is drawn.
    """
    players = len(event.playing)
    least, _most = rulesets.table_limits(event.rules)
    if players < least:
        return
    before: int | None = players
    for at, each in enumerate(expected(event, players)):
        check = _Check(event.settings, event.rules, event.settings.stages, at)
        if at and each.players is not None:
            if before is not None and each.players > before and not event.settings.stages[at - 1].lives:
                message = _("{number} go through, and {most} play before").format(number=each.players, most=before)
                raise check.refuse("number", message, _other_plan(players))
            if each.players < least:
                message = _too_few(each, before, least)
                raise check.refuse("number", message, _other_plan(players))
            check.seats(each.players)
        before = each.players


def _other_plan(players: int) -> str:
    """Return what to do about too few players: the presets that are meant for so many."""
    meant = [preset for preset in PRESETS.values() if preset.most >= players >= preset.least]
    # A final is wanted: an evening without one is named only where nothing else fits.
    fitting = [preset.id for preset in meant if len(preset.stages) > 1] or [preset.id for preset in meant]
    hint = _("enter more players, or change the plan")
    if fitting:
        hint = ngettext(
            "enter more players, or take a preset that is meant for {number}: {presets}",
            "enter more players, or take a preset that is meant for {number}: {presets}",
            players,
        )
    return hint.format(number=players, presets=", ".join(fitting))


def _too_few(each: Expected, before: int | None, least: int) -> str:
    """Return why nobody can play in a stage: too few go through."""
    text = _("{number} go through, and the smallest table has {least}")
    if each.stage.take == "percent" and before is not None:
        text = _("{percent} % of {before} players are {number}, rounded down, and the smallest table has {least}")
    return text.format(number=each.players, least=least, percent=each.stage.number, before=before)


def refuse_unseated(event: Event, stage: Stage, players: int) -> None:
    """Raise TourneyError REFUSED if a stage of one round has no seat for one of so many players."""
    check = _Check(event.settings, event.rules, event.settings.stages, event.settings.stages.index(stage))
    hint = _("give it more rounds or tables, or let fewer go through: `tourney event set{event} --plan FILE`")
    check.seat_for_each(players, hint.format(event=event_argument(event)))


def plan_fault(event: Event) -> str:
    """Return why the plan cannot end with the players who are there, in its first stage; empty if it can."""
    if event.stage is None or event.stage.first > 1:
        return ""
    try:
        refuse_impossible(event)
    except TourneyError as error:
        return error.message
    return ""
