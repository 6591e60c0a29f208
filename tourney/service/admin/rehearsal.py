"""Rehearse an event: its whole plan is played with invented players, in a database of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from random import Random
from typing import Final, Literal

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Round, Table, as_planned
from tourney.rulebook import rulesets, sheets
from tourney.service.change import Change, Outcome, apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.copy_event import CreatePlannedEvent
from tourney.service.events.events import EnterPlayers, FinishEvent, make
from tourney.service.lookup import find_event, in_stage, with_rules_of_round
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seating.advice import game_length_of
from tourney.service.seating.plans import players_text, within
from tourney.service.stages.advance import cut_to, is_over
from tourney.service.stages.cut_changes import DecidePlayOff, NamePlayers, ReplacePlayers
from tourney.service.stages.later import difference
from tourney.service.stages.plan_check import plan_fault, with_checked_stages
from tourney.service.stages.presets import find_preset
from tourney.text.i18n import _

Happening = Literal["late", "left", "play-off", "named", "replaced"]


@dataclass(frozen=True, slots=True)
class RehearsedRound:
    """A round of a rehearsal: its stage ("" without one), players, tables, byes, and minutes (None: unknown)."""

    number: int
    stage: str
    players: int
    tables: int
    byes: int
    minutes: float | None


@dataclass(frozen=True, slots=True)
class Incident:
    """An incident before a round: who came late or left, or what was asked and answered."""

    round: int
    kind: Happening
    text: str


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A whole event played with invented players, from registration to the end.

    `commands` counts those that an organiser types besides the `sheets`; `minutes` is the length of all rounds.
    """

    event: Event
    players: int
    rounds: tuple[RehearsedRound, ...]
    incidents: tuple[Incident, ...]
    commands: int
    sheets: int
    minutes: float | None
    first: tuple[str, ...]


USUAL_PLAYERS: Final = 32
MOST_PLAYERS: Final = 400
LATE: Final = 2
"""The invented players who come after the first round, if there are enough."""
LEAVES: Final = 0.02
"""The share of players who leave between two rounds."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The invented players of a rehearsal: how many there are, and the seed of all that happens to them."""

    players: int
    seed: str = "1"
    drop_outs: bool = True


def rehearse(event: Event, cast: Cast, known: str | None = None) -> Rehearsal:
    """Play the event's plan to its end.

    Some players come late, if the plan can begin without them, and some leave. Games take as long as those timed in
    the database `known`. Raises TourneyError as the commands do that play it: then the plan has a gap.
    """
    stages = tuple(map(as_planned, event.settings.stages))
    planned = replace(event, settings=with_checked_stages(replace(event.settings, stages=stages), event.rules))
    with tempfile.TemporaryDirectory(prefix="tourney-rehearsal-") as folder:
        return _Play(str(Path(folder) / "rehearsal.db"), planned, cast, known).play()


@dataclass(frozen=True, slots=True)
class _NewEvent(Change[Event]):
    """Create an event with the settings and rules of another, and its invented players."""

    event: Event
    names: Sequence[str]

    def perform(self, store: storage.Store) -> Event:
        """Return the event with its entrants."""
        event = make(store, self.event.settings, self.event.rules)
        people = store.people.add_persons([storage.NewPerson(name, "", "") for name in self.names])
        return store.events.enter(event, people)


@dataclass(slots=True)
class _Play:
    """A rehearsal while it is played."""

    db: str
    planned: Event
    cast: Cast
    known: str | None
    commands: int = 0
    sheets: int = 0
    rounds: list[RehearsedRound] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)

    def play(self) -> Rehearsal:
        """Return the rehearsal once it is played."""
        names = [_("Player {number}").format(number=number) for number in range(1, self.cast.players + 1)]
        late = self.late(names)
        self.done(_NewEvent(self.planned, names[: len(names) - len(late)]))
        rng = Random(self.cast.seed)
        number = 0
        while self.more(number):
            if number == 1 and late:
                self.done(EnterPlayers(None, late, add=True))
                self.note(2, "late", ", ".join(late))
            if number and self.cast.drop_outs:
                self.leave(number + 1, rng)
            self.decide(number + 1, rng)
            number = self.round(number, rng)
        finished = self.done(FinishEvent())
        first = tuple(placed.player.shown for placed in finished.first)
        known = [each.minutes for each in self.rounds if each.minutes is not None]
        minutes = sum(known) if len(known) == len(self.rounds) else None
        return Rehearsal(
            finished.event,
            self.cast.players,
            tuple(self.rounds),
            tuple(self.incidents),
            self.commands,
            self.sheets,
            minutes,
            first,
        )

    def late(self, names: Sequence[str]) -> Sequence[str]:
        """Return the players who come after the first round; nobody where the plan needs all of them from the start."""
        if not self.cast.drop_outs or len(names) < 4 * LATE:
            return ()
        there = tuple(Player(number, name) for number, name in enumerate(names[:-LATE], 1))
        fault = plan_fault(replace(self.planned, entrants=there, states=()))
        return () if fault else names[-LATE:]

    def done(self, change: Change[Outcome]) -> Outcome:
        """Make the change as one command."""
        self.commands += 1
        return apply(self.db, change)

    def note(self, number: int, kind: Happening, text: str) -> None:
        """Note what happened before a round."""
        self.incidents.append(Incident(number, kind, text))

    def more(self, drawn: int) -> bool:
        """Return whether a further round is to be drawn."""
        with storage.reading(self.db) as reader:
            return drawn < reader.events.get(1).settings.rounds

    def leave(self, number: int, rng: Random) -> None:
        """Let some players leave before a round; a finalist is replaced by the next in line."""
        with storage.reading(self.db) as reader:
            playing = in_stage(reader, reader.events.get(1)).playing
        gone = [player.shown for player in playing if rng.random() < LEAVES]
        if gone and len(playing) - len(gone) >= self.fewest():
            self.done(WithdrawPlayers(None, gone))
            self.note(number, "left", ", ".join(gone))
        with storage.reading(self.db) as reader:
            found = difference(reader, reader.events.get(1))
        if found is not None and found.gone and found.coming:
            outcome = self.done(ReplacePlayers())
            self.note(number, "replaced", ", ".join(player.shown for player in outcome.added))

    def fewest(self) -> int:
        """Return the fewest players with whom the plan can go on."""
        stages = self.planned.settings.stages
        wanted = [stage.number for stage in stages if stage.take == "best"]
        return max([2 * self.planned.settings.size, *wanted])

    def decide(self, number: int, rng: Random) -> None:
        """Answer what the draw of a round asks: a play-off hand, or the names of the players of a stage."""
        with storage.reading(self.db) as reader:
            event = reader.events.get(1)
            stage = event.next_stage
            if stage is None or not is_over(reader, event, number - 1):
                return
            decided = cut_to(reader, event, stage)
        if stage.take == "named" and not decided.through:
            names = [player.shown for player in event.playing[: event.settings.size]]
            self.done(NamePlayers(None, names))
            self.note(number, "named", ", ".join(names))
        if decided.undecided:
            names = [player.shown for player in decided.undecided]
            rng.shuffle(names)
            self.done(DecidePlayOff(None, names))
            self.note(number, "play-off", ", ".join(names))

    def round(self, drawn: int, rng: Random) -> int:
        """Draw a round and enter its sheets; return the number of rounds drawn."""
        schedule = self.done(DrawRound())
        (round_,) = schedule.rounds
        for table in round_.tables:
            self.sheets += 1
            hands = invented_sheet(schedule.event, table, rng)
            apply(self.db, EnterResult(None, table.round, table.number, hands))
        stage = schedule.event.in_round(round_.number)
        players = sum(len(table.players) for table in round_.tables)
        rehearsed = RehearsedRound(
            round_.number,
            "" if stage is None else stage.name,
            players,
            len(round_.tables),
            len(round_.sitting_out),
            minutes_of(schedule.event, round_, self.known),
        )
        self.rounds.append(rehearsed)
        return drawn + 1


def minutes_of(event: Event, round_: Round, known: str | None) -> float | None:
    """Return how long a round takes: the event's limit, or the usual length of a game at its largest table."""
    if event.settings.minutes is not None:
        return float(event.settings.minutes)
    largest = max((len(table.players) for table in round_.tables), default=0)
    rules = with_rules_of_round(event, round_.number).rules
    length = game_length_of(known, rules).minutes
    return None if length is None else length * largest


def invented_sheet(event: Event, table: Table, rng: Random) -> list[SheetHand[int]]:
    """Return a possible sheet of a table: a closer for each hand, and points in the usual range for the others."""
    rules = with_rules_of_round(event, table.round).rules
    if rulesets.family(rules) == "knock":
        return list(_knock_sheet(table, rng))
    hands = []
    for number, (contract, _cards) in enumerate(rulesets.contracts(rules), 1):
        closer = rng.randrange(len(table.players))
        most = sheets.most_expected(rules, len(table.players), number)
        own = sheets.closings(rules, contract)[0]
        points = {
            seat: own if seat == closer else 5 * rng.randint(1, max(most // 5, 1)) for seat in range(len(table.players))
        }
        hands.append(SheetHand(contract, points, closer))
    return hands


def _knock_sheet(table: Table, rng: Random) -> Iterator[SheetHand[int]]:
    """Yield hands of a knock game until one player is left; nobody buys back."""
    seats = list(range(len(table.players)))
    totals = dict.fromkeys(seats, 0)
    while len(seats) > 1:
        closer = rng.choice(seats)
        points = {seat: 5 if seat == closer else 5 * rng.randint(4, 20) for seat in seats}
        for seat in seats:
            totals[seat] += points[seat]
        yield SheetHand("", points, closer, ending="knock")
        seats = [seat for seat in seats if totals[seat] <= 100]


@dataclass(frozen=True, slots=True)
class RehearsalRequest:
    """A request for a rehearsal: an event, the current one if none is named, or a preset, or the file of a plan.

    Without `players` as many play as have entered, or else 32, or the nearest number for which a preset is meant.
    """

    event: str | None = None
    preset: str | None = None
    plan: str | PathLike[str] | None = None
    players: int | None = None
    seed: str = "1"
    drop_outs: bool = True


def rehearsed(db: str | None, request: RehearsalRequest) -> Rehearsal:
    """Return the rehearsal. Raises TourneyError NOT_FOUND, and as the commands do that the plan needs."""
    if request.preset is None and request.plan is None:
        with storage.reading(db) as reader:
            event = find_event(reader, request.event)
    else:
        event = _of_plan(request)
    number = request.players or len(event.counted) or _usual_players(request)
    within(players_text(number), number, rulesets.table_limits(event.rules)[0], MOST_PLAYERS)
    return rehearse(event, Cast(number, request.seed, request.drop_outs), db)


def _of_plan(request: RehearsalRequest) -> Event:
    """Return the event that a preset or a plan makes, without entrants."""
    name = request.preset or _("Rehearsal")
    with tempfile.TemporaryDirectory(prefix="tourney-rehearsal-") as folder:
        return apply(str(Path(folder) / "plan.db"), CreatePlannedEvent(name, request.preset, request.plan))


def _usual_players(request: RehearsalRequest) -> int:
    if request.preset is None:
        return USUAL_PLAYERS
    preset = find_preset(request.preset)
    return min(max(USUAL_PLAYERS, preset.least), preset.most)
