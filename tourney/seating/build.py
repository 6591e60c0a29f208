"""The tables of a whole tournament, before anybody's name is drawn: the same for every seed.

First the constructions that need no search; players who never meet are dropped from the next larger design
where tables are short. What they leave open is searched for on fixed inner seeds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from tourney.seating.bases import near_base
from tourney.seating.chance import Chance, chance, shuffled
from tourney.seating.designs import Design, design
from tourney.seating.drop import drop
from tourney.seating.judge import meetings, short_turns, spread
from tourney.seating.search import REPEAT, SHORT, WARM, Draft, anneal, level_short_tables, repair
from tourney.seating.values import Aim, Groups, Method, Round
from tourney.seating.wishes import KIND

SPARE: Final = 2
"""Rounds that a design may give beyond those played, so that players to drop can be chosen among more."""

LOOKS: Final = 400_000
"""Exchanges that a repair, and the levelling of short tables, may look at; only giant events need as many."""

MEETINGS_SEEN: Final = 600_000
"""Meetings that one annealing may look at: a good tenth of a second."""

ATTEMPTS: Final = 4
"""Searches made before the best of them is taken."""

INNER_SEED: Final = "inner 2"
"""Any word would do; of ten tried, this one leaves the fewest repeats, and levels the short tables of 21 to 30 players
over 5 rounds."""

MILD: Final = 66.0
"""A temperature that hardly ever accepts a repeat, and lets short tables be levelled."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is wanted: so many rounds of tables of these sizes for players 0..players-1; the rest sits out."""

    players: int
    sizes: tuple[int, ...]
    rounds: int
    aim: Aim

    @property
    def outs(self) -> int:
        """How many sit out in each round."""
        return self.players - sum(self.sizes)


Before = tuple[list[list[int]], list[int]]
"""Meetings of each two players and each player's turns at short tables, in rounds already played."""


@dataclass(frozen=True, slots=True)
class Built:
    """The rounds of a tournament, tables in the order of the sizes wished, and how they were made."""

    rounds: tuple[Round, ...]
    method: Method


@lru_cache(maxsize=64)
def build(task: Task) -> Built:
    """Rounds of tables of the sizes wished, in their order: few repeats, and level turns at short tables."""
    draw = chance(INNER_SEED, task.players, *task.sizes, task.rounds)
    made = _by_construction(task, draw)
    groups, method = made.rounds, made.method
    if not _flawless(task, groups):
        start = [] if task.outs else groups
        groups = search(task, start, rotation_of_outs(task), nothing_before(task.players), draw)
        method = method if groups is start else "exchanged players"
    return Built(tuple(tuple(tuple(table) for table in tables) for tables in groups), method)


def _flawless(task: Task, groups: Groups) -> bool:
    """Whether these are all the rounds, and nothing can be better: there is one table, or nobody meets twice."""
    if len(groups) < task.rounds or spread(short_turns(groups, task.players)) > 1:
        return False
    return len(task.sizes) == 1 or max(meetings(groups).values()) == 1


def nothing_before(players: int) -> Before:
    """The meetings and short turns of a tournament that has not begun."""
    return [[0] * players for _ in range(players)], [0] * players


def _by_construction(task: Task, draw: Chance) -> Design:
    """As many rounds as the designs give, nearly without repeats; none if no design has such tables."""
    size, tables = task.sizes[0], len(task.sizes)
    missing = size * tables - task.players
    if tables == 1 and task.outs == 0:
        return Design([[list(range(size))] for _ in range(task.rounds)], "one table")
    if task.outs == size - 1:
        missing, tables = 1, tables + 1
    if tables == 1 or task.outs not in (0, size - 1) or min(task.sizes) < size - (task.outs == 0):
        return Design([], "exchanged players")
    made = design(tables, size, task.rounds + SPARE * missing)
    near = near_base(tables, size)
    if near is not None and len(made.rounds) < task.rounds <= near.rounds:
        made = Design(near.develop(), "base round")
    groups = [seated[: len(task.sizes)] for seated in drop(made.rounds, task.rounds, missing, draw)]
    return Design(groups, "dropped players" if missing else made.method)


def search(task: Task, start: Groups, sitting: Sequence[list[int]], before: Before, draw: Chance) -> Groups:
    """All rounds: the best of a search from the rounds given to start with, and some from nothing.

    `sitting[r]` sit out in round r, in the rounds of `start` too; `before` stays as it is and counts. Once repeats
    are as few as can be, only turns at short tables are levelled.
    """
    best = start if len(start) == task.rounds else None
    for attempt in range(ATTEMPTS):
        fewest = best is not None and settled(task, best, before)
        if fewest and best is not None and _merit(task, best, before)[1] == 0:
            return best
        hopeful = 2 * len(start) >= task.rounds and attempt < ATTEMPTS - 1
        begin = best if fewest and best is not None else start if hopeful else []
        groups = [*begin, *(deal(task, out, draw) for out in sitting[len(begin) :])]
        found = improve(task, groups, before, draw, MILD if begin else WARM)
        best = found if best is None else min(best, found, key=lambda groups: _merit(task, groups, before))
    return best if best is not None else []


def _merit(task: Task, groups: Groups, before: Before) -> tuple[int, int, int]:
    """What decides between complete searches, less being better: repeats, then level turns at short tables."""
    draft = Draft(groups, *before, task.aim)
    squares = sum(turn * turn for turn in draft.turns)
    return draft.price() - SHORT * squares, max(0, spread(draft.turns) - 1), squares


def better(task: Task, groups: Groups, others: Groups, before: Before) -> bool:
    """Whether these rounds have fewer repeats than the others, third meetings weighed as the task's aim has it."""
    return _merit(task, groups, before)[0] < _merit(task, others, before)[0]


def settled(task: Task, groups: Groups, before: Before) -> bool:
    """Whether these are all the rounds, and no others have fewer repeats."""
    return len(groups) == task.rounds and _merit(task, groups, before)[0] <= _floor(task, groups, before)[0]


def rotation_of_outs(task: Task) -> list[list[int]]:
    """Who sits out in each round: the next in turn, so that nobody does twice before all have once."""
    firsts = [number * task.outs for number in range(task.rounds + 1)]
    return [[turn % task.players for turn in range(*span)] for span in pairwise(firsts)]


def deal(task: Task, out: list[int], draw: Chance) -> list[list[int]]:
    """One round of the sizes wished with everybody else at random."""
    playing = shuffled(sorted(set(range(task.players)) - set(out)), draw)
    tables, first = [], 0
    for size in task.sizes:
        tables.append(playing[first : first + size])
        first += size
    return tables


def improve(task: Task, groups: Groups, before: Before, draw: Chance, warm: float) -> Groups:
    """The same rounds after exchanges of players: repaired where that is enough, annealed otherwise."""
    draft = Draft(groups, *before, task.aim)
    repair(draft, draw, LOOKS)
    level_short_tables(draft, draw, LOOKS // 8)
    floor = sum(_floor(task, groups, before))
    if draft.price() <= floor or task.players > 400:
        return draft.groups()
    return anneal(draft, draw, MEETINGS_SEEN // (4 * task.sizes[0] - 2), floor, warm)


def _floor(task: Task, groups: Groups, before: Before) -> tuple[int, int]:
    """Prices that no rounds can beat: for repeats, had every pair to meet once; for level short tables."""
    met, turns = before
    pairs = task.players * (task.players - 1) // 2
    slots = sum(count % KIND for row in met for count in row) // 2
    slots += sum(size * (size - 1) // 2 for tables in groups for size in map(len, tables))
    repeats = max(slots - pairs, sum(max(0, count % KIND - 1) for row in met for count in row) // 2)
    each, more = divmod(sum(turns) + sum(short_turns(groups, task.players)), task.players)
    squares = (task.players - more) * each**2 + more * (each + 1) ** 2
    return repeats * REPEAT, SHORT * squares
