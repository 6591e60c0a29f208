"""An evening whose every state is compared with a second fold of its journal; the changes are made elsewhere."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition

from tests.harness import desk
from tests.oracles import evening_changes
from tests.oracles.evening_changes import Prediction
from tests.oracles.second_fold import Constraint, Spot, World, fold
from tests.oracles.second_fold import Event as SecondEvent
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import Result, Ruling
from tourney.domain.rounds import Round, Table
from tourney.service import database, players
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.ratings.pools import OpenJointPool
from tourney.service.results.standings import table_of
from tourney.service.rounds import rounds
from tourney.standings.standing import StandingsTable
from tourney.storage.session import reading

EVENTS = ("Rotation", "Swiss")
REFUSALS = {ExitCode.REFUSED, ExitCode.CONFLICT, ExitCode.NOT_FOUND}
NEW = 0
"""The number, in a prediction, of an event that has none yet."""
BROUGHT_TOGETHER = {"constrain", "merge", "undo", "redo", "undo alone"}
"""The verbs after which two may share a table of a drawn round who from now on never share one."""
CALLS: Counter[str] = Counter()
"""The number of changes made by each verb, and of refused changes, over all runs of a test."""


def make_evening(db: str) -> None:
    """Register seven people, two of them of a club, enter them in both events and open the joint pool."""
    apply(db, RegisterPlayers(["P1", "P2"], club="Getxo"))
    apply(db, RegisterPlayers([f"P{number}" for number in range(3, 8)]))
    for name, format, short_tables in ((EVENTS[0], "rotation", "short tables"), (EVENTS[1], "swiss", "sit out")):
        apply(db, CreateEvent(EventSettings(name, "oficial", format, 4, 3, "1", short_tables)))
        apply(db, EnterPlayers(name, [f"P{number}" for number in range(1, 8)]))
    apply(db, OpenJointPool())


class CheckedEvening(RuleBasedStateMachine):
    """A database with two events, which rules of a subclass change in random order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.db = str(self.folder / "evening.db")
        self.steps = 0
        self.names = 7
        self.stick = self.folder / "stick"
        self.changed = True
        self.world = World()
        self.verb = ""
        self.predicted: tuple[int, Prediction] | None = None

    @initialize()
    def begin(self) -> None:
        """Begin the evening with a mirror."""
        make_evening(self.db)
        self.stick.mkdir()
        database.add_mirror(self.db, str(self.stick))

    def teardown(self) -> None:
        """Make a database of the mirror alone: it has every row of the evening's but those of caches."""
        if self.stick.exists():
            new = str(self.folder / "new.db")
            database.restore_mirror(new, str(self.stick))
            for name in set(desk.tables(self.db)) - {"rated_round", "rating_checkpoint"}:
                query = f'SELECT * FROM "{name}"'
                assert sorted(desk.query(new, query), key=repr) == sorted(desk.query(self.db, query), key=repr), name
        shutil.rmtree(self.folder)

    def do(self, verb: str, change: Callable[[], object], predicted: tuple[int, Prediction] | None = None) -> None:
        """Make the change and count it; a refused one must leave the journal as it was.

        What is `predicted` of the event of that number is compared with what the journal gives, where that is read.
        """
        before = self._head()
        refusal = None
        try:
            change()
        except TourneyError as error:
            refusal = error
        self.steps += 1
        if refusal is None:
            CALLS[verb] += 1
            self.changed = True
        else:
            CALLS["refused"] += 1
            assert refusal.code in REFUSALS or predicted, refusal.message
            assert self._head() == before
        if predicted:
            codes = {ExitCode[name] for name in predicted[1].refused}
            assert (refusal and refusal.code) in (codes or {None}), (verb, codes, refusal)
        self.verb, self.predicted = verb, None if refusal else predicted

    def _head(self) -> list[tuple]:
        return desk.query(self.db, "SELECT acts, hash FROM head")

    def _entrant(self, name: str, which: int) -> str:
        return self._entrants(name, [which])[0].shown

    def _entrants(self, name: str, which: Sequence[int]) -> list[Player]:
        entrants = events.show(self.db, name).entrants
        return [entrants[each % len(entrants)] for each in which]

    def _event(self, name: str) -> tuple[int, SecondEvent]:
        """Return the number of an event, and the event as the journal gives it."""
        return next(each for each in zip(self.world.events.items(), EVENTS, strict=False) if each[1] == name)[0]

    def _person(self, which: int) -> Player:
        people = players.listing(self.db, kind="person")
        return people[which % len(people)]

    def _tables(self, state: str) -> list[tuple[str, Spot]]:
        """Return event and spot of each table in unfinished events: with a result if `state` is "done", or without."""
        return [
            (name, spot)
            for name, event in zip(EVENTS, self.world.events.values(), strict=False)
            for spot in sorted(event.tables)
            if not event.finished and (spot in event.results) == (state == "done")
        ]

    def _table(self, which: int, state: str) -> tuple[str, Table]:
        tables = self._tables(state)
        name, (round_number, table_number) = tables[which % len(tables)]
        tables = rounds.show(self.db, name, round_number).rounds[0].tables
        return name, next(table for table in tables if table.number == table_number)

    def _drawable(self) -> list[str]:
        return [
            name
            for name, event in zip(EVENTS, self.world.events.values(), strict=False)
            if not event.finished
            and not event.drafts()
            and len({round_number for round_number, _table in event.tables}) < event.settings["rounds"]
        ]

    # --- what must hold -------------------------------------------------------------------------------------

    @precondition(lambda self: self.changed)
    @invariant()
    def what_is_shown_is_what_the_journal_gives(self) -> None:
        world = self._fold()
        with reading(self.db) as reader:
            for number in world.events:
                shown = table_of(reader, reader.events.get(number))
                assert _constraints(shown.event) == world.events[number].constraints
                self._standings_agree(world.events[number], shown)
                flags = reader.results.flags(shown.event)
                assert {flag.number: flag.answer for flag in flags} == world.events[number].flags
                assert [flag.answer for flag in reader.results.open_flags(shown.event)] == [""] * (
                    len(flags) - sum(flag.answer != "" for flag in flags)
                )
                self._nobody_sits_twice(world.events[number], reader.rounds.of(shown.event))
                self._totals_add_up(shown, reader.results.of(shown.event), reader.results.rulings(shown.event))
        self._ratings_agree(world)
        assert database.check(self.db).problems == ()
        self.changed = False

    def _fold(self) -> World:
        """Fold the journal a second time, and compare what was predicted of the last change."""
        before, world = self.world, fold(self.db)
        if self.predicted:
            number, predicted = self.predicted
            if number == NEW:
                (number,) = world.events.keys() - before.events.keys()
            assert predicted.holds(world.events[number]), (self.verb, before.events.get(number), world.events[number])
        if self.verb not in BROUGHT_TOGETHER:
            assert _never_met(world) <= _never_met(before), self.verb
        self.world, self.predicted = world, None
        return world

    def _standings_agree(self, expected: SecondEvent, shown: StandingsTable) -> None:
        rows = [
            (row.rank, row.player.id, row.points, row.penalty, row.games, row.hands_won, row.short, row.state)
            for row in shown.rows
        ]
        assert set(rows) == expected.standings()
        assert len(rows) == len(set(rows))
        ranks = [row.rank for row in shown.rows if row.rank is not None]
        assert ranks == sorted(ranks)
        assert all(row.rank is None for row in shown.rows[len(ranks) :])

    def _nobody_sits_twice(self, expected: SecondEvent, drawn: Sequence[Round]) -> None:
        tables = {
            (round_.number, table.number): [player.id for player in table.players]
            for round_ in drawn
            for table in round_.tables
        }
        assert tables == expected.tables
        assert {round_.number for round_ in drawn if round_.draft} == expected.drafts()
        for round_ in drawn:
            seated = [player.id for table in round_.tables for player in table.players]
            seated += [player.id for player in round_.sitting_out]
            assert len(seated) == len(set(seated))
            assert set(seated) <= set(expected.entrants)

    def _totals_add_up(self, shown: StandingsTable, played: Sequence[Result], ruled: Sequence[Ruling]) -> None:
        """Check that hands add up to the points of a table, and these and the penalties to those of the standings."""
        for outcome in (result.outcome for result in played):
            for seat, points in enumerate(outcome.points):
                extra = outcome.extra[seat] if outcome.extra else 0
                assert points == sum(hand.points[seat] for hand in outcome.hands) + extra
        penalties = sum(ruling.points for ruling in ruled if (ruling.kind, ruling.state) == ("penalty", "stands"))
        points = sum(sum(result.outcome.points) for result in played)
        assert sum(row.points for row in shown.rows) == points + penalties

    def _ratings_agree(self, world: World) -> None:
        ids_by_name = {player.shown: player.id for player in players.listing(self.db)}
        for pool in world.pools:
            expected = world.ratings(pool)
            rows = ratings.ratings(self.db, pool).rows
            assert {ids_by_name[row.player] for row in rows} == set(expected)
            for row in rows:
                mu, sigma, games, wins = expected[ids_by_name[row.player]]
                assert (row.mu, row.sigma) == pytest.approx((mu, sigma), abs=1e-9)
                assert (row.games, row.wins) == (games, wins)


def _constraints(event: Event) -> list[Constraint]:
    return [(each.kind, frozenset(player.id for player in each.players), each.table) for each in event.constraints]


def _never_met(world: World) -> set[tuple[int, int, frozenset[int]]]:
    """Return the pairs who share a table and are never to share one, with event and round."""
    return {
        (number, round_, pair)
        for number, event in world.events.items()
        for round_ in {spot[0] for spot in event.tables}
        for pair in evening_changes.never_met(event, round_)
    }
