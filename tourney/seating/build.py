"""Tables of a whole tournament before players are assigned, equal for every seed.

Constructions come first, which need no search; where sizes differ, players who never meet are left out of the next
larger design. What the constructions leave open is searched for with fixed inner seeds.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tourney.seating.designs.constructions import Design, design, truncate
from tourney.seating.designs.cyclic import near_cyclic_design
from tourney.seating.model import Groups, History, Method, Round, Task, absent
from tourney.seating.quality.metrics import judge, meetings, smaller_table_rounds, spread
from tourney.seating.rng import Rng, seeded_rng, shuffled
from tourney.seating.search.multistart import ByePolicy, Effort, MultiStart, SearchResult, best_of

SPARE_ROUNDS: Final = 2
"""Rounds that a design may give beyond those played, so that there are more choices of players to leave out."""

INNER_SEED: Final = "inner 10"
"""The seed of the inner searches: of a dozen words tried, this one leaves the fewest repeats."""


@dataclass(frozen=True, slots=True)
class BuiltPlan:
    """The rounds of a tournament, tables in the order of the sizes asked for, and how they were made.

    `level` is the lowest number of repeats found where rounds at a smaller table differ by one at most; None if none
    was found or sought.
    """

    rounds: tuple[Round, ...]
    method: Method
    level: int | None = None


@lru_cache(maxsize=64)
def build(task: Task, effort: Effort = "whole") -> BuiltPlan:
    """Return rounds of tables of the sizes asked for, with few repeats and level rounds at a smaller table."""
    rng = seeded_rng(INNER_SEED, task.players, *task.sizes, task.rounds)
    constructed = _by_construction(task, rng)
    groups, method, level = constructed.rounds, constructed.method, None
    if not _is_perfect(task, groups):
        bye_policy: ByePolicy = "in turn" if task.byes else "as given"
        search = MultiStart(task, _byes_in_turn(task, groups), empty_history(task.players), bye_policy, effort)
        results = search.all_results(groups, rng)
        groups, level = best_of(results).groups, _least_level(results, best_of(results), task)
        method = method if groups == constructed.rounds else "exchanged players"
    return BuiltPlan(tuple(tuple(tuple(table) for table in tables) for tables in groups), method, level)


def _least_level(results: Sequence[SearchResult], best: SearchResult, task: Task) -> int | None:
    """Return the fewest repeats of rounds that level the smaller tables; None if none was found.

    Rounds with fewer repeats than the best have more third meetings, and do not count.
    """
    level = [result.groups for result in results if spread(smaller_table_rounds(result.groups, task.players)) <= 1]
    repeats = [judge(groups, task.players).repeats for groups in level]
    return min((count for count in repeats if count >= judge(best.groups, task.players).repeats), default=None)


def _is_perfect(task: Task, groups: Groups) -> bool:
    """Report whether these are all the rounds and none can be better: one table, or no repeats."""
    if len(groups) < task.rounds or spread(smaller_table_rounds(groups, task.players)) > 1:
        return False
    return len(task.sizes) == 1 or max(meetings(groups).values()) == 1


def _byes_in_turn(task: Task, groups: Groups) -> list[Sequence[int]]:
    """Return the players with a bye in these rounds, then the next in turn: nobody twice before all have had one."""
    sitting_out: list[Sequence[int]] = [absent(tables, task.players) for tables in groups]
    bye_counts = Counter(player for out in sitting_out for player in out)
    for _round in range(len(groups), task.rounds):
        sitting_out.append(sorted(range(task.players), key=lambda player: bye_counts[player])[: task.byes])
        bye_counts.update(sitting_out[-1])
    return sitting_out


def empty_history(players: int) -> History:
    """Return the history of a tournament that has not begun."""
    return [[0] * players for _ in range(players)], [0] * players


def _by_construction(task: Task, rng: Rng) -> Design:
    """Return as many rounds as the designs give, with hardly any repeats; none if no design has such tables."""
    size, tables = task.sizes[0], len(task.sizes)
    missing = size * tables - task.players
    if tables == 1 and task.byes == 0:
        return Design([[list(range(size))] for _ in range(task.rounds)], "one table")
    if task.byes == size - 1:
        missing, tables = 1, tables + 1
    if tables == 1 or task.byes not in (0, size - 1) or min(task.sizes) < size - (task.byes == 0):
        return Design([], "exchanged players")
    constructed = design(tables, size, task.rounds + SPARE_ROUNDS * missing)
    near_design = near_cyclic_design(tables, size)
    if near_design is not None and len(constructed.rounds) < task.rounds == near_design.rounds:
        constructed = Design(near_design.develop(), "base round")
    groups = [seated[: len(task.sizes)] for seated in truncate(constructed.rounds, task.rounds, missing, rng)]
    if task.byes == 0:
        groups = _cycle_repeated(groups, task, rng)
    return Design(groups, "dropped players" if missing else constructed.method)


def _cycle_repeated(groups: Groups, task: Task, rng: Rng) -> Groups:
    """Return the rounds, followed by renumbered copies if each pair of players meets exactly once in them.

    Nobody then meets an opponent a third time before all have met twice.
    """
    rounds = list(groups)
    while len(rounds) < task.rounds and len(meetings(groups)) == task.players * (task.players - 1) // 2:
        player_at = shuffled(list(range(task.players)), rng)
        rounds += [[[player_at[player] for player in table] for table in tables] for tables in groups]
    return rounds[: task.rounds]
