"""Several searches for the rounds of a tournament, or for those still to come, before the best of them is taken."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tourney.seating.constraints import KIND
from tourney.seating.model import Before, Groups, Task, absent
from tourney.seating.quality.bounds import lower_bound
from tourney.seating.quality.metrics import short_turns, spread
from tourney.seating.rng import Chance, shuffled
from tourney.seating.search.anneal import Heat, anneal, level_short_tables, repair
from tourney.seating.search.state import REPEAT, Draft, Seeking, Worth

LOOKS: Final = 400_000
LOOKS_A_PLACE: Final = 100
"""Exchanges that a repair may look at, in all and for each place of a round; only giant events need as many."""

SEEN: Final = 1_300_000
"""Exchanges that an annealing may look at: about a quarter of a second."""

LOOKING: Final = 20
"""What a step of it costs beside a look at each player, in such looks."""

STEPS_A_PLACE: Final = 250
"""Steps of an annealing for each place of each round, at most: few players need fewer."""

COOL: Final[Heat] = 60.0, 60.0
"""For most rounds the best heat from beginning to end: hotter ones never settle, cooler ones never move."""

HEATS: Final[Sequence[Heat]] = COOL, (192.0, 27.0), (48.0, 48.0), (96.0, 27.0), COOL
"""How hot searches from nothing are: the fuller the rounds are of repeats, the more heat they need."""

HOT: Final[Sequence[Heat]] = (192.0, 60.0), (96.0, 27.0), (192.0, 27.0), (192.0, 60.0), (400.0, 60.0)
"""The same for a handful of players, whose best rounds lie far apart."""

HANDFUL: Final = 14
"""So many players are one."""

MILD: Final[Heat] = 66.0, 27.0
"""For few repeats and level turns at short tables, from rounds that repeat few."""

WARM: Final[Heat] = 96.0, 48.0
"""For levelling these where nothing else is left to do."""

AGREE: Final = 3
"""Searches that all find equally few repeats are enough."""

MANY: Final = 400
"""Beyond so many players rounds are only repaired, for annealing would hardly come round to everybody."""

FEW: Final = 2
"""Searches among so many players, and brief ones."""

NO_TURNS: Final[Mapping[int, int]] = {}
"""Nobody has sat at a short table."""

Resting = Literal["as given", "in turn"]
"""Who sits out: those who are said to, or others as well, as long as nobody does twice before all have once."""

Way = tuple[Groups, Heat]
"""What a search begins with, and how hot it is."""

Effort = Literal["whole", "brief"]
"""All searches, or only the first few, half as long."""

NO_MATTER: Final = 1 << 40
"""More than turns can cost."""


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
        """The best of what all these searches find."""
        return best_of(self.all(start, draw))

    def all(self, start: Groups, draw: Chance) -> "list[Found]":
        """What searches find from the rounds to start with, if many, from nothing, and from the best of those on.

        The rounds to start with come first if those are all. Then turns at short tables are levelled; at last, where
        that costs repeats, come rounds with level turns, whatever they cost.
        """
        tried = [self.judged(start)] if len(start) == self.task.rounds else []
        for begin, heat in self._ways(start):
            if tried and self._settled(tried):
                break
            level = bool(tried) and self._few_enough(best_of(tried))
            tried.append(
                self.tried(begin, WARM, "level turns", draw) if level else self.tried(begin, heat, "few repeats", draw)
            )
        if self.task.players > MANY:
            return tried
        if self.effort == "whole" and not self._settled(tried) and not self._few_enough(best_of(tried)):
            tried.append(self.tried(best_of(tried).groups, COOL, "few repeats", draw))
        if best_of(tried).worth[2] > 0:
            tried.append(self._levelled(best_of(tried), draw))
        if self.effort == "whole" and spread(short_turns(best_of(tried).groups, self.task.players)) > 1:
            tried.append(self.tried(best_of(tried).groups, MILD, "level turns first", draw))
        return tried

    def _levelled(self, best: "Found", draw: Chance) -> "Found":
        """A search on from the best that levels turns as well, or alone where repeats cannot be fewer."""
        if self._few_enough(best):
            return self.tried(best.groups, WARM, "level turns", draw)
        return self.tried(best.groups, MILD, "both", draw)

    def _ways(self, start: Groups) -> list[Way]:
        """What searches begin with, and how hot."""
        ways: list[Way] = [([], heat) for heat in (HEATS if self.task.players > HANDFUL else HOT)]
        if 2 * len(start) >= self.task.rounds:
            ways = [(start, COOL), *ways]
        return ways[:FEW] if self.task.players > MANY or self.effort == "brief" else ways

    def _settled(self, tried: "Sequence[Found]") -> bool:
        """Whether another search will hardly find better: so good are the best, or so many agree on their repeats."""
        best = best_of(tried)
        if self._few_enough(best):
            return best.worth <= self.enough
        return sum(found.worth[1] == best.worth[1] for found in tried) >= AGREE

    def _few_enough(self, found: "Found") -> bool:
        """Whether no rounds have fewer repeats."""
        return found.worth[1] <= self.enough[1]

    @property
    def enough(self) -> Worth:
        """What no rounds can better."""
        return 0, self.fewest // REPEAT if self.task.aim == "fewest repeats" else self.fewest, 0

    def tried(self, begin: Groups, heat: Heat, seeking: Seeking, draw: Chance) -> "Found":
        """One search from these rounds and others at random: repaired where that is enough, annealed otherwise."""
        draft = self._draft(self._dealt(begin, draw), seeking)
        looks = min(LOOKS, LOOKS_A_PLACE * self.task.players * self.task.rounds)
        repair(draft, draw, looks)
        level_short_tables(draft, draw, looks // 8)
        enough = self._enough_when(seeking)
        if draft.worth <= enough or self.task.players > MANY:
            return self.judged(draft.groups(draft.seats))
        _worth, seats = anneal(draft, draw, self._steps, enough, heat)
        return self.judged(draft.groups(seats))

    def _enough_when(self, seeking: Seeking) -> Worth:
        """With what such a search may end."""
        rest, repeats, short = self.enough
        if seeking == "level turns first":
            return rest, short, repeats
        return rest, repeats, NO_MATTER if seeking == "few repeats" else short

    @property
    def _steps(self) -> int:
        """How many steps an annealing takes: the more players there are, the fewer in the same time."""
        players, seen = self.task.players, SEEN if self.effort == "whole" else SEEN // 2
        return min(seen // (players + LOOKING), STEPS_A_PLACE * players * self.task.rounds)

    def judged(self, groups: Groups) -> "Found":
        """These rounds and their worth."""
        draft = self._draft(groups)
        return Found(draft.worth, draft.pairs, groups)

    def _draft(self, groups: Groups, seeking: Seeking = "level turns") -> Draft:
        free = self.resting == "in turn"
        sitting = in_turn(groups, self.task.players) if free else [()] * len(groups)
        return Draft(groups, sitting, self.before, self.task.aim, seeking)

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
