"""Several searches for the rounds of a tournament, or for those still to come, before the best of them is taken."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from tourney.seating.anneal import Heat, anneal, level_short_tables, repair
from tourney.seating.bounds import lower_bound
from tourney.seating.chance import Chance, shuffled
from tourney.seating.search import REPEAT, Draft, Worth
from tourney.seating.values import Before, Groups, Task, absent
from tourney.seating.wishes import KIND

LOOKS: Final = 400_000
LOOKS_A_PLACE: Final = 100
"""Exchanges that a repair may look at, in all and for each place of a round; only giant events need as many."""

SEEN: Final = 700_000
"""Exchanges that a short annealing may look at: about an eighth of a second."""

LOOKING: Final = 20
"""What a step of it costs beside a look at each player, in such looks."""

STEPS_A_PLACE: Final = 100
"""Steps of a short annealing for each place of each round, at most: few players need fewer."""

HEATS: Final[Sequence[Heat]] = (96.0, 27.0), (70.0, 40.0), (200.0, 60.0), (400.0, 100.0)
"""How hot short searches from nothing are: the fuller the rounds are of repeats, the more heat they need."""

SLOW: Final[Heat] = 70.0, 40.0
"""The first of them, for a long search."""

MILD: Final[Heat] = 66.0, 27.0
"""Hardly ever accepts a repeat, and lets turns at short tables be levelled."""

LONG: Final = 7
"""How much longer searches are that follow: like the best short one from nothing, and one from the rounds to start with
where that ended better."""

LEVELLING: Final = 2
"""And the last one."""

NEAR: Final = 6 * REPEAT
"""Short searches that all end equally well are enough, unless that is so near to what cannot be bettered."""

MANY: Final = 400
"""Beyond so many players rounds are only repaired, for annealing would hardly come round to everybody."""

FEW: Final = 2
"""Searches among so many players, and brief ones."""

NO_TURNS: Final[Mapping[int, int]] = {}
"""Nobody has sat at a short table."""

Resting = Literal["as given", "in turn"]
"""Who sits out: those who are said to, or others as well, as long as nobody does twice before all have once."""

Way = tuple[Literal["start", "nothing"], Heat]
"""What a search begins with, and how hot it is."""

Effort = Literal["whole", "brief"]
"""All searches, or only the first few of the short ones."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched for: the rounds of a task after those `before`, which stay as they are and count.

    `sitting[r]` sit out in round r; others may as well if they rest in turn.
    """

    task: Task
    sitting: Sequence[Sequence[int]]
    before: Before
    resting: Resting = "as given"
    effort: Effort = "whole"

    def best(self, start: Groups, draw: Chance) -> "Found":
        """The best of short searches from the rounds to start with, if many, and from nothing, of a long one like the
        best of those, and of one that only levels turns after it."""
        return best_of(self.all(start, draw))

    def all(self, start: Groups, draw: Chance) -> "list[Found]":
        """What these searches find, after the rounds to start with if those are all; ends with what is good enough.

        Once repeats are as few as can be, every other one only levels turns.
        """
        tried = [self.judged(start)] if len(start) == self.task.rounds else []
        short: dict[Way, Found] = {}
        for way in self._ways(start):
            if tried and best_of(tried).worth <= self.enough:
                return tried
            short[way] = self.tried(*self._begun(way, start), 1, draw)
            tried.append(short[way])
            if best_of(tried).repeats <= self.fewest and tried[-1].worth > self.enough:
                tried.append(self.levelled(best_of(tried), 1, draw))
        hopeless = len({found.worth for found in short.values()}) == 1 and tried[-1].repeats > self.fewest + NEAR
        if self.task.players > MANY or hopeless or self.effort == "brief":
            return tried
        for way in _slowly(short):
            if best_of(tried).repeats > self.fewest:
                tried.append(self.tried(*self._begun(way, start), LONG, draw))
        tried.append(self.levelled(best_of(tried), LEVELLING, draw))
        return tried

    def _ways(self, start: Groups) -> list[Way]:
        """What short searches begin with, and how hot."""
        ways: list[Way] = [("nothing", heat) for heat in HEATS]
        if 2 * len(start) >= self.task.rounds:
            ways = [("start", MILD), *ways]
        return ways[:FEW] if self.task.players > MANY or self.effort == "brief" else ways

    @staticmethod
    def _begun(way: Way, start: Groups) -> tuple[Groups, Heat]:
        return (start if way[0] == "start" else []), way[1]

    @property
    def enough(self) -> Worth:
        """What no rounds can better."""
        return 0, self.fewest // REPEAT if self.task.aim == "fewest repeats" else self.fewest, 0

    def tried(self, begin: Groups, heat: Heat, length: int, draw: Chance) -> "Found":
        """One search from these rounds and others at random: repaired where that is enough, annealed otherwise."""
        draft = self._draft(self._dealt(begin, draw))
        looks = min(LOOKS, LOOKS_A_PLACE * self.task.players * self.task.rounds)
        repair(draft, draw, looks)
        level_short_tables(draft, draw, looks // 8)
        if draft.worth <= self.enough or self.task.players > MANY:
            return self.judged(draft.groups(draft.seats))
        _worth, seats = anneal(draft, draw, length * self._steps, self.enough, heat)
        return self.judged(draft.groups(seats))

    def levelled(self, found: "Found", length: int, draw: Chance) -> "Found":
        """A search from these rounds that only levels turns at short tables; as dear as with the other aim, where
        repeats are as few as can be."""
        proven = found.repeats <= self.fewest
        task = replace(self.task, aim="no third meeting") if proven else self.task
        return self.judged(replace(self, task=task).tried(found.groups, MILD, length, draw).groups)

    @property
    def _steps(self) -> int:
        """How many steps a short annealing takes: the more players there are, the fewer in the same time."""
        players = self.task.players
        return min(SEEN // (players + LOOKING), STEPS_A_PLACE * players * self.task.rounds)

    def judged(self, groups: Groups) -> "Found":
        """These rounds and their worth."""
        draft = self._draft(groups)
        return Found(draft.worth, draft.pairs, groups)

    def _draft(self, groups: Groups) -> Draft:
        free = self.resting == "in turn"
        sitting = in_turn(groups, self.task.players) if free else [()] * len(groups)
        return Draft(groups, sitting, self.before, self.task.aim, self.fewest)

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


def _slowly(short: Mapping[Way, Found]) -> list[Way]:
    """The ways worth a longer search: the best from nothing, less hot where it was a mild one, and after it the best of
    all where that began otherwise."""
    best = min(short, key=lambda way: short[way].worth)
    begin, heat = min((way for way in short if way[0] == "nothing"), key=lambda way: short[way].worth)
    slow: Way = begin, SLOW if heat == HEATS[0] else heat
    return [slow] if best[0] == "nothing" else [slow, best]


def best_of(tried: Sequence[Found]) -> Found:
    """The best of some; the first of several."""
    return min(tried, key=lambda found: found.worth)


def search(task: Task, start: Groups, sitting: Sequence[Sequence[int]], before: Before, draw: Chance) -> Groups:
    """All rounds of the task after those `before`, from those given to start with; `sitting[r]` sit out in round r."""
    return Search(task, sitting, before).best(start, draw).groups


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
