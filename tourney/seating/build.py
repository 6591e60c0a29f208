"""The tables of a whole tournament, before anybody's name is drawn: the same for every seed.

First the constructions that need no search; players who never meet are dropped from the next larger design
where tables are short. What they leave open is searched for on fixed inner seeds.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from tourney.seating.chance import Chance, chance, shuffled
from tourney.seating.designs import design
from tourney.seating.drop import drop
from tourney.seating.judge import meetings, short_turns, spread
from tourney.seating.search import REPEAT, WARM, Draft, anneal, repair
from tourney.seating.values import Aim, Groups

SPARE: Final = 2
"""Rounds that a design may give beyond those played, so that players to drop can be chosen among more."""

REPAIR_SWEEPS: Final = 30
MEETINGS_SEEN: Final = 500_000
"""Meetings that one annealing may look at: half a second at most."""

MILD: Final = 6.0
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


@lru_cache(maxsize=64)
def build(task: Task) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Rounds of tables of the sizes wished, in their order: few repeats, and level turns at short tables."""
    draw = chance("inner", task.players, *task.sizes, task.rounds)
    groups = _by_construction(task, draw)
    if len(groups) < task.rounds:
        groups = _completed(task, groups, draw)
    elif spread(short_turns(groups, task.players)) > 1:
        groups = improve(task, groups, nothing_before(task.players), draw, MILD)
    return tuple(tuple(tuple(table) for table in tables) for tables in groups)


def nothing_before(players: int) -> Before:
    """The meetings and short turns of a tournament that has not begun."""
    return [[0] * players for _ in range(players)], [0] * players


def _by_construction(task: Task, draw: Chance) -> Groups:
    """As many rounds without repeats as the designs give; none if no design has such tables."""
    size, tables = task.sizes[0], len(task.sizes)
    if task.outs == 0:
        missing = size * tables - task.players
    elif task.outs == size - 1:
        missing, tables = 1, tables + 1
    else:
        return []
    if tables == 1:
        return []
    groups = drop(design(tables, size, task.rounds + SPARE * missing), task.rounds, missing, draw)
    return [round_tables[: len(task.sizes)] for round_tables in groups or []]


def _completed(task: Task, start: Groups, draw: Chance) -> Groups:
    """All rounds: a search from nothing, and one from the rounds that a design gave; the better of both."""
    sitting = rotation_of_outs(task)
    fresh = [deal(task, out, draw) for out in sitting]
    before = nothing_before(task.players)
    found = [improve(task, fresh, before, draw, WARM)]
    if start and not task.outs:
        found.append(improve(task, [*start, *fresh[len(start) :]], before, draw, MILD))
    return min(found, key=lambda groups: Draft(groups, *before, task.aim).price())


def rotation_of_outs(task: Task) -> list[list[int]]:
    """Who sits out in each round: the next in turn, so that nobody does twice before all have once."""
    firsts = [number * task.outs for number in range(task.rounds + 1)]
    return [[turn % task.players for turn in range(*span)] for span in pairwise(firsts)]


def deal(task: Task, out: list[int], draw: Chance) -> list[list[int]]:
    """One round of the sizes wished with everybody else at random."""
    playing = shuffled([player for player in range(task.players) if player not in set(out)], draw)
    tables, first = [], 0
    for size in task.sizes:
        tables.append(playing[first : first + size])
        first += size
    return tables


def improve(task: Task, groups: Groups, before: Before, draw: Chance, warm: float) -> Groups:
    """The same rounds after exchanges of players: repaired where that is enough, annealed otherwise."""
    draft = Draft(groups, *before, task.aim)
    repair(draft, draw, REPAIR_SWEEPS)
    floor = _floor(task, groups, before)
    if draft.price() <= floor or task.players > 400:
        return draft.groups()
    return anneal(draft, draw, MEETINGS_SEEN // (4 * task.sizes[0] - 2), floor, warm)


def _floor(task: Task, groups: Groups, before: Before) -> int:
    """A price that no rounds can beat: all pairs met equally often, all turns at short tables level."""
    met, turns = before
    pairs = task.players * (task.players - 1) // 2
    slots = sum(count for row in met for count in row) // 2
    slots += sum(size * (size - 1) // 2 for tables in groups for size in map(len, tables))
    repeats = max(slots - pairs, sum(max(0, count - 1) for row in met for count in row) // 2)
    each, more = divmod(sum(turns) + sum(short_turns(groups, task.players)), task.players)
    return repeats * REPEAT + (task.players - more) * each**2 + more * (each + 1) ** 2


def repeats_of(groups: Groups) -> int:
    """The sum over pairs of (meetings - 1)."""
    return sum(count - 1 for count in meetings(groups).values())
