"""The tables of a whole tournament, before anybody's name is drawn: the same for every seed.

First the constructions that need no search; players who never meet are dropped from the next larger design
where tables are short. What they leave open is searched for on fixed inner seeds.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tourney.seating.designs.constructions import Design, design
from tourney.seating.designs.cyclic import near_base
from tourney.seating.designs.truncated import drop
from tourney.seating.model import Before, Groups, Method, Round, Task, absent
from tourney.seating.quality.metrics import judge, meetings, short_turns, spread
from tourney.seating.rng import Chance, chance, shuffled
from tourney.seating.search.multistart import Effort, Found, Resting, Search, best_of

SPARE: Final = 2
"""Rounds that a design may give beyond those played, so that players to drop can be chosen among more."""

INNER_SEED: Final = "inner 10"
"""Any word would do; of a dozen tried, this one leaves the fewest repeats."""


@dataclass(frozen=True, slots=True)
class Built:
    """The rounds of a tournament, tables in the order of the sizes wished, and how they were made.

    `level` are the fewest repeats found where turns at short tables differ by one at most; None if none were found or
    none were searched for.
    """

    rounds: tuple[Round, ...]
    method: Method
    level: int | None = None


@lru_cache(maxsize=64)
def build(task: Task, effort: Effort = "whole") -> Built:
    """Rounds of tables of the sizes wished, in their order: few repeats, and level turns at short tables."""
    draw = chance(INNER_SEED, task.players, *task.sizes, task.rounds)
    made = _by_construction(task, draw)
    groups, method, level = made.rounds, made.method, None
    if not _flawless(task, groups):
        resting: Resting = "in turn" if task.outs else "as given"
        search = Search(task, _sitting(task, groups), nothing_before(task.players), resting, effort)
        tried = search.all(groups, draw)
        groups, level = best_of(tried).groups, _least_level(tried, best_of(tried), task)
        method = method if groups == made.rounds else "exchanged players"
    return Built(tuple(tuple(tuple(table) for table in tables) for tables in groups), method, level)


def _least_level(tried: Sequence[Found], best: Found, task: Task) -> int | None:
    """The fewest repeats of rounds with level turns at short tables; None if none were found.

    Rounds that repeat less than the best have more third meetings, and are no choice.
    """
    level = [found.groups for found in tried if spread(short_turns(found.groups, task.players)) <= 1]
    repeats = [judge(groups, task.players).repeats for groups in level]
    return min((one for one in repeats if one >= judge(best.groups, task.players).repeats), default=None)


def _flawless(task: Task, groups: Groups) -> bool:
    """Whether these are all the rounds, and nothing can be better: there is one table, or nobody meets twice."""
    if len(groups) < task.rounds or spread(short_turns(groups, task.players)) > 1:
        return False
    return len(task.sizes) == 1 or max(meetings(groups).values()) == 1


def _sitting(task: Task, groups: Groups) -> list[Sequence[int]]:
    """Who sits out of these rounds, and then the next in turn: nobody twice before all have once."""
    sitting: list[Sequence[int]] = [absent(tables, task.players) for tables in groups]
    turns = Counter(player for out in sitting for player in out)
    for _round in range(len(groups), task.rounds):
        sitting.append(sorted(range(task.players), key=lambda player: turns[player])[: task.outs])
        turns.update(sitting[-1])
    return sitting


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
    if near is not None and len(made.rounds) < task.rounds == near.rounds:
        made = Design(near.develop(), "base round")
    groups = [seated[: len(task.sizes)] for seated in drop(made.rounds, task.rounds, missing, draw)]
    if task.outs == 0:
        groups = _again(groups, task, draw)
    return Design(groups, "dropped players" if missing else made.method)


def _again(groups: Groups, task: Task, draw: Chance) -> Groups:
    """The rounds with others like them, if everybody meets everybody in them just once: then nobody meets thrice before
    all have met twice."""
    rounds = list(groups)
    while len(rounds) < task.rounds and len(meetings(groups)) == task.players * (task.players - 1) // 2:
        who = shuffled(list(range(task.players)), draw)
        rounds += [[[who[player] for player in table] for table in tables] for tables in groups]
    return rounds[: task.rounds]
