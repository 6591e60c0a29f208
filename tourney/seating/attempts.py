"""Several searches for the rounds of a tournament, or for those still to come, before the best of them is taken."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tourney.seating.anneal import WARM, anneal, level_short_tables, moves, repair
from tourney.seating.bounds import lower_bound
from tourney.seating.chance import Chance, shuffled
from tourney.seating.search import REPEAT, Draft, Worth
from tourney.seating.values import Before, Groups, Task, absent
from tourney.seating.wishes import KIND

LOOKS: Final = 400_000
"""Exchanges that a repair, and the levelling of short tables, may look at; only giant events need as many."""

MEETINGS_SEEN: Final = 1_400_000
"""Meetings that one annealing may look at: an eighth of a second."""

STEPS_A_MOVE: Final = 100
"""Steps of an annealing for each two places of a round, at most: few players need fewer."""

LENGTHS: Final = (1, 1, 1, 1, 2, 4)
"""Searches made at most, and how long each is: the easy ones are done soon, the hard ones need to cool slowly."""

FEW_ATTEMPTS: Final = 2
"""Searches among so many players that rounds are only repaired."""

AGREED: Final = 2
NEAR: Final = 3 * REPEAT
"""So many searches from nothing that end as well as the best before them are enough, unless that is so near to what
cannot be bettered."""

MILD: Final = 66.0
"""A temperature that hardly ever accepts a repeat, and lets turns at short tables be levelled."""

MANY: Final = 400
"""Beyond so many players rounds are only repaired, for annealing would hardly come round to everybody."""

NO_TURNS: Final[Mapping[int, int]] = {}
"""Nobody has sat at a short table."""

Resting = Literal["as given", "in turn"]
"""Who sits out: those who are said to, or others as well, as long as nobody does twice before all have once."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched for: the rounds of a task after those `before`, which stay as they are and count.

    `sitting[r]` sit out in round r; others may as well if they rest in turn.
    """

    task: Task
    sitting: Sequence[Sequence[int]]
    before: Before
    resting: Resting = "as given"

    def best(self, start: Groups, draw: Chance) -> Groups:
        """All rounds: the best of some searches, in turn from the rounds to start with, if many, and from nothing.

        Once repeats are as few as can be, every other search only levels turns.
        """
        fewest, best = self.fewest, self.judged(start) if len(start) == self.task.rounds else None
        enough = 0, fewest // REPEAT if self.task.aim == "fewest repeats" else fewest, 0
        hope = start if 2 * len(start) >= self.task.rounds else []
        agreed = 0
        for attempt, length in enumerate(LENGTHS[:FEW_ATTEMPTS] if self.task.players > MANY else LENGTHS):
            if best is not None and (agreed == AGREED or best.worth <= enough):
                break
            hope = best.groups if best is not None and best.repeats <= fewest else hope
            begin = hope if attempt % 2 == 0 else []
            found = self.tried(begin, enough, length, draw)
            if best is None or found.worth < best.worth:
                best, agreed = found, 0
            elif found.worth == best.worth and not begin and best.repeats > fewest + NEAR:
                agreed += 1
        return best.groups if best is not None else []

    def tried(self, begin: Groups, enough: Worth, length: int, draw: Chance) -> "Found":
        """One search from these rounds and others at random: repaired where that is enough, annealed otherwise."""
        draft = self._draft(self._dealt(begin, draw))
        repair(draft, draw, LOOKS)
        level_short_tables(draft, draw, LOOKS // 8)
        if draft.worth <= enough or self.task.players > MANY:
            return self.judged(draft.groups(draft.seats))
        _worth, seats = anneal(draft, draw, length * self._steps(draft), enough, MILD if begin else WARM)
        return self.judged(draft.groups(seats))

    def _steps(self, draft: Draft) -> int:
        """How many steps an annealing takes: the larger the tables, the fewer in the same time."""
        places = sum(len(moves(sizes, len(seats))) for sizes, seats in zip(draft.sizes, draft.seats, strict=True))
        return min(MEETINGS_SEEN // (4 * self.task.sizes[0] - 2), STEPS_A_MOVE * places)

    def judged(self, groups: Groups) -> "Found":
        """These rounds and their worth."""
        draft = self._draft(groups)
        return Found(draft.worth, draft.pairs, groups)

    def _draft(self, groups: Groups) -> Draft:
        free = self.resting == "in turn"
        sitting = in_turn(groups, self.task.players) if free else [()] * len(groups)
        return Draft(groups, sitting, self.before, self.task.aim)

    def _dealt(self, begin: Groups, draw: Chance) -> Groups:
        """These rounds, and the others with everybody at random, but turns at short tables level."""
        groups, turns = list(begin), Counter(dict(enumerate(self.before[1])))
        for tables in begin:
            turns.update(_short(tables))
        for out in self.sitting[len(begin) :]:
            groups.append(deal(self.task, out, draw, turns))
            turns.update(_short(groups[-1]))
        return groups

    @property
    def fewest(self) -> int:
        """A price of repeats that no rounds can better."""
        met, _turns = self.before
        task, counts = self.task, [count % KIND for row in met for count in row]
        if not any(counts):
            return REPEAT * lower_bound(task.players, task.sizes, task.rounds, task.aim).repeats
        meetings = sum(counts) // 2 + task.rounds * sum(size * (size - 1) // 2 for size in task.sizes)
        pairs = task.players * (task.players - 1) // 2
        return REPEAT * max(meetings - pairs, sum(max(0, count - 1) for count in counts) // 2)


@dataclass(frozen=True, slots=True)
class Found:
    """Rounds, their worth, and the price of their repeats."""

    worth: Worth
    repeats: int
    groups: Groups


def search(task: Task, start: Groups, sitting: Sequence[Sequence[int]], before: Before, draw: Chance) -> Groups:
    """All rounds of the task after those `before`, from those given to start with; `sitting[r]` sit out in round r."""
    return Search(task, sitting, before).best(start, draw)


def better(task: Task, groups: Groups, others: Groups, before: Before) -> bool:
    """Whether these rounds have fewer repeats than the others, third meetings weighed as the task's aim has it."""
    both = Search(task, (), before)
    return both.judged(groups).repeats < both.judged(others).repeats


def in_turn(groups: Groups, players: int) -> list[list[int]]:
    """Who sits out of each round, those first who have done so less often before."""
    turns: Counter[int] = Counter()
    sitting = []
    for tables in groups:
        sitting.append(sorted(absent(tables, players), key=lambda player: turns[player]))
        turns.update(sitting[-1])
    return sitting


def deal(task: Task, out: Sequence[int], draw: Chance, turns: Mapping[int, int] = NO_TURNS) -> list[list[int]]:
    """One round of the sizes wished with everybody else at random, but at short tables those with the fewest turns."""
    playing = shuffled(sorted(set(range(task.players)).difference(out)), draw)
    playing.sort(key=lambda player: -turns.get(player, 0))
    large = task.sizes.count(task.sizes[0]) * task.sizes[0]
    players = iter([*shuffled(playing[:large], draw), *shuffled(playing[large:], draw)])
    return [[next(players) for _place in range(size)] for size in task.sizes]


def _short(tables: Sequence[Sequence[int]]) -> Iterator[int]:
    largest = max(map(len, tables))
    return (player for table in tables if len(table) < largest for player in table)
