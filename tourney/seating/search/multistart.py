"""Multi-start search: several searches for the rounds of a tournament, or the remaining ones; the best result wins."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tourney.seating.constraints import KIND
from tourney.seating.model import Groups, History, Task, absent
from tourney.seating.quality.bounds import lower_bound
from tourney.seating.quality.metrics import smaller_table_rounds, spread
from tourney.seating.rng import Rng, shuffled
from tourney.seating.search.anneal import Temperatures, anneal, level_smaller_tables, remove_repeats
from tourney.seating.search.state import REPEAT, Cost, ScheduleState, SearchGoal

MAX_REPAIR_EVALUATIONS: Final = 400_000
REPAIR_EVALUATIONS_PER_SEAT: Final = 100
"""The most swaps evaluated to remove repeats: in all, and for each place of a round. Only giant events need as many."""

MAX_ANNEALING_EVALUATIONS: Final = 1_300_000
"""The most swaps that an annealing evaluates: about a quarter of a second."""

STEP_OVERHEAD: Final = 20
"""The cost of an annealing step beside evaluating each player, in evaluations."""

MAX_STEPS_PER_SEAT: Final = 250
"""Annealing steps for each place of each round, at most: few players need fewer."""

COOL: Final[Temperatures] = 60.0, 60.0
"""The best temperature for most rounds from beginning to end: hotter searches never settle, cooler ones never move."""

TEMPERATURES: Final[Sequence[Temperatures]] = COOL, (192.0, 27.0), (48.0, 48.0), (96.0, 27.0), COOL
"""The temperatures of searches from random rounds: the more repeats the rounds must have, the hotter."""

TEMPERATURES_FOR_FEW: Final[Sequence[Temperatures]] = (
    (192.0, 60.0),
    (96.0, 27.0),
    (192.0, 27.0),
    (192.0, 60.0),
    (400.0, 60.0),
)
"""The temperatures for few players, whose best rounds lie far apart."""

FEW_PLAYERS: Final = 14
"""Up to this many players count as few."""

MILD: Final[Temperatures] = 66.0, 27.0
"""The temperatures to level rounds at a smaller table, with few repeats, from rounds with few repeats."""

WARM: Final[Temperatures] = 96.0, 48.0
"""The temperatures to level rounds at a smaller table where repeats cannot be fewer."""

AGREEING_SEARCHES: Final = 3
"""The number of searches with equally few repeats after which no more are made."""

MANY_PLAYERS: Final = 400
"""Beyond this many players only repeats are removed, since annealing would hardly reach everybody."""

BRIEF_SEARCHES: Final = 2
"""The number of searches among that many players, and of brief searches."""

NO_TURNS: Final[Mapping[int, int]] = {}
"""The counts of rounds at a smaller table before anybody has had one."""

ByePolicy = Literal["as given", "in turn"]
"""The policy for byes: the players given, or others too, as long as nobody has two before all have one."""

Start = tuple[Groups, Temperatures]
"""The rounds and the temperatures that a search begins with."""

Effort = Literal["whole", "brief"]
"""All searches, or only the first few at half the length."""

UNLIMITED: Final = 1 << 40
"""More than turns can cost."""


@dataclass(frozen=True, slots=True)
class MultiStart:
    """A search for the rounds of a task after those `before`, which stay as they are and count.

    In round r the players `sitting_out[r]` have a bye, or others if byes go in turn.
    """

    task: Task
    sitting_out: Sequence[Sequence[int]]
    before: History
    bye_policy: ByePolicy = "as given"
    effort: Effort = "whole"

    def best(self, start: Groups, rng: Rng) -> "SearchResult":
        """Return the best result of all these searches."""
        return best_of(self.all_results(start, rng))

    def all_results(self, start: Groups, rng: Rng) -> "list[SearchResult]":
        """Return the results of searches from the rounds `start`, from random rounds, and from the best result.

        The first result is `start` itself if it is complete. Finally rounds at a smaller table are levelled; where they
        still differ by more than one, also at the cost of repeats.
        """
        results = [self.evaluated(start)] if len(start) == self.task.rounds else []
        for begin, temperatures in self._starts(start):
            if results and self._is_good_enough(results):
                break
            level = bool(results) and self._has_fewest(best_of(results))
            results.append(
                self.run(begin, WARM, "level turns", rng)
                if level
                else self.run(begin, temperatures, "few repeats", rng)
            )
        if self.task.players > MANY_PLAYERS:
            return results
        if self.effort == "whole" and not self._is_good_enough(results) and not self._has_fewest(best_of(results)):
            results.append(self.run(best_of(results).groups, COOL, "few repeats", rng))
        if best_of(results).cost[2] > 0:
            results.append(self._levelled(best_of(results), rng))
        if self.effort == "whole" and spread(smaller_table_rounds(best_of(results).groups, self.task.players)) > 1:
            results.append(self.run(best_of(results).groups, MILD, "level turns first", rng))
        return results

    def _levelled(self, best: "SearchResult", rng: Rng) -> "SearchResult":
        """Return the best result with rounds at a smaller table levelled, and repeats reduced where they can be."""
        if self._has_fewest(best):
            return self.run(best.groups, WARM, "level turns", rng)
        return self.run(best.groups, MILD, "both", rng)

    def _starts(self, start: Groups) -> list[Start]:
        """Return the rounds and temperatures that searches begin with."""
        starts: list[Start] = [
            ([], temperatures)
            for temperatures in (TEMPERATURES if self.task.players > FEW_PLAYERS else TEMPERATURES_FOR_FEW)
        ]
        if 2 * len(start) >= self.task.rounds:
            starts = [(start, COOL), *starts]
        return starts[:BRIEF_SEARCHES] if self.task.players > MANY_PLAYERS or self.effort == "brief" else starts

    def _is_good_enough(self, results: "Sequence[SearchResult]") -> bool:
        """Report whether another search will hardly find better: a proven best, or many searches agree."""
        best = best_of(results)
        if self._has_fewest(best):
            return best.cost <= self.enough
        return sum(result.cost[1] == best.cost[1] for result in results) >= AGREEING_SEARCHES

    def _has_fewest(self, result: "SearchResult") -> bool:
        """Report whether no rounds have fewer repeats."""
        return result.cost[1] <= self.enough[1]

    @property
    def enough(self) -> Cost:
        """The cost that no rounds can beat."""
        return 0, self.min_price // REPEAT if self.task.aim == "fewest repeats" else self.min_price, 0

    def run(self, begin: Groups, temperatures: Temperatures, goal: SearchGoal, rng: Rng) -> "SearchResult":
        """Search once from these rounds and random ones: remove repeats where that is enough, anneal otherwise."""
        state = self._state(self._random_rounds(begin, rng), goal)
        evaluations = min(MAX_REPAIR_EVALUATIONS, REPAIR_EVALUATIONS_PER_SEAT * self.task.players * self.task.rounds)
        remove_repeats(state, rng, evaluations)
        level_smaller_tables(state, rng, evaluations // 8)
        enough = self._enough_when(goal)
        if state.cost <= enough or self.task.players > MANY_PLAYERS:
            return self.evaluated(state.groups(state.seats))
        _cost, seats = anneal(state, rng, self._steps, enough, temperatures)
        return self.evaluated(state.groups(seats))

    def _enough_when(self, goal: SearchGoal) -> Cost:
        """Return the cost at which a search for this goal may end."""
        byes, repeats, turns = self.enough
        if goal == "level turns first":
            return byes, turns, repeats
        return byes, repeats, UNLIMITED if goal == "few repeats" else turns

    @property
    def _steps(self) -> int:
        """The number of annealing steps: the more players, the fewer in equal time."""
        players = self.task.players
        evaluations = MAX_ANNEALING_EVALUATIONS if self.effort == "whole" else MAX_ANNEALING_EVALUATIONS // 2
        return min(evaluations // (players + STEP_OVERHEAD), MAX_STEPS_PER_SEAT * players * self.task.rounds)

    def evaluated(self, groups: Groups) -> "SearchResult":
        """Return these rounds with their cost."""
        state = self._state(groups)
        return SearchResult(state.cost, state.pairs, groups)

    def _state(self, groups: Groups, goal: SearchGoal = "level turns") -> ScheduleState:
        free = self.bye_policy == "in turn"
        sitting_out = in_turn(groups, self.task.players) if free else [()] * len(groups)
        return ScheduleState(groups, sitting_out, self.before, self.task.aim, goal)

    def _random_rounds(self, begin: Groups, rng: Rng) -> Groups:
        """Return these rounds, completed by random ones with level rounds at a smaller table."""
        groups, turns = list(begin), Counter(dict(enumerate(self.before[1])))
        for tables in begin:
            turns.update(_short(tables))
        for out in self.sitting_out[len(begin) :]:
            groups.append(deal(self.task, out, rng, turns))
            turns.update(_short(groups[-1]))
        return groups

    @property
    def min_price(self) -> int:
        """A price of repeats that no rounds can beat."""
        met, _turns = self.before
        task, counts = self.task, [count % KIND for row in met for count in row]
        if not any(counts):
            return REPEAT * lower_bound(task.players, task.sizes, task.rounds, task.aim).repeats
        meetings = sum(counts) // 2 + task.rounds * sum(size * (size - 1) // 2 for size in task.sizes)
        pairs = task.players * (task.players - 1) // 2
        return REPEAT * max(meetings - pairs, sum(max(0, count - 1) for count in counts) // 2)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The rounds that a search found, their cost, and the price of their repeats."""

    cost: Cost
    repeats: int
    groups: Groups


def best_of(results: Sequence[SearchResult]) -> SearchResult:
    """Return the best of some results; the first of equals."""
    return min(results, key=lambda result: result.cost)


def search(task: Task, start: Groups, sitting_out: Sequence[Sequence[int]], before: History, rng: Rng) -> Groups:
    """Return all rounds of the task after those `before`, searched for from `start`; `sitting_out[r]` have a bye."""
    return MultiStart(task, sitting_out, before).best(start, rng).groups


def better(task: Task, groups: Groups, others: Groups, before: History) -> bool:
    """Report whether these rounds have fewer repeats than the others, third meetings weighed by the task's aim."""
    both = MultiStart(task, (), before)
    return both.evaluated(groups).repeats < both.evaluated(others).repeats


def in_turn(groups: Groups, players: int) -> list[list[int]]:
    """Return the players with a bye in each round, those with the fewest earlier byes first."""
    turns: Counter[int] = Counter()
    sitting_out = []
    for tables in groups:
        sitting_out.append(sorted(absent(tables, players), key=lambda player: turns[player]))
        turns.update(sitting_out[-1])
    return sitting_out


def deal(task: Task, out: Sequence[int], rng: Rng, turns: Mapping[int, int] = NO_TURNS) -> list[list[int]]:
    """Return a random round of the wanted sizes, with those at smaller tables who have sat there least."""
    playing = shuffled(sorted(set(range(task.players)).difference(out)), rng)
    playing.sort(key=lambda player: -turns.get(player, 0))
    large = task.sizes.count(task.sizes[0]) * task.sizes[0]
    players = iter([*shuffled(playing[:large], rng), *shuffled(playing[large:], rng)])
    return [[next(players) for _place in range(size)] for size in task.sizes]


def _short(tables: Sequence[Sequence[int]]) -> Iterator[int]:
    largest = max(map(len, tables))
    return (player for table in tables if len(table) < largest for player in table)
