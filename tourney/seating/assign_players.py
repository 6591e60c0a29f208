"""Built rounds get their players, so that few wishes are broken; where some are, other rounds are searched for."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from tourney.seating.build import build
from tourney.seating.constraints import Wishes, broken, placed
from tourney.seating.model import Before, Groups, Method, Task, absent
from tourney.seating.quality.metrics import judge, short_turns, spread
from tourney.seating.rng import Chance, shuffled
from tourney.seating.search.multistart import better, deal, search
from tourney.seating.search.state import step_prices
from tourney.seating.search.tabu import Tangle, untangle

LEVEL, FREE = 100_000, 200_000
"""Exchanges that a search which levels turns at short tables may look at, and one that does not."""

SEARCHES: Final = 3
"""Searches of either kind: the first from the rounds drawn, the others from rounds dealt at random."""

MANY: Final = 400
"""Among more players there is room enough for a plainer search."""


def heeding(task: Task, wishes: Wishes, before: Before, draw: Chance) -> tuple[Groups, Method]:
    """The built rounds with players drawn for their places, and how they were made: as the wishes allow."""
    made = build(task)
    drawn = _named(made.rounds, shuffled(list(range(task.players)), draw), wishes, draw)
    if _kept(drawn, wishes, task.players):
        return drawn, made.method
    # Where rounds had to be searched for, a round more hardly comes without a repeat.
    for groups, method in _beside_clubs(task, wishes, draw) if made.method != "exchanged players" else ():
        if _kept(groups, wishes, task.players):
            return groups, method
    return _searched(task, drawn, before, draw), "exchanged players"


def _named(rounds: Sequence[Sequence[Sequence[int]]], who: list[int], wishes: Wishes, draw: Chance) -> Groups:
    places = [[list(table) for table in tables] for tables in rounds]
    names = placed(who, places, wishes, draw)
    return [[[names[place] for place in table] for table in tables] for tables in places]


def _kept(groups: Groups, wishes: Wishes, players: int) -> bool:
    lacking = broken(wishes, groups, players)
    return not (lacking.apart or lacking.together)


def _beside_clubs(task: Task, wishes: Wishes, draw: Chance) -> Iterator[tuple[Groups, Method]]:
    """Rounds without a repeat beside one round more, at whose tables sit those who are not to meet: so they do not."""
    if not wishes.apart:
        return
    more = build(replace(task, rounds=task.rounds + 1))
    if judge(more.rounds, task.players).repeats:
        return
    for left_out in range(min(2, len(more.rounds))):
        rounds = [tables for number, tables in enumerate(more.rounds) if number != left_out]
        who = _by_clubs(more.rounds[left_out], wishes, task.players, draw)
        yield _named(rounds, who, wishes, draw), more.method


def _by_clubs(tables: Sequence[Sequence[int]], wishes: Wishes, players: int, draw: Chance) -> list[int]:
    """Who takes which place, so that those of a club sit at one of these tables wherever there is room."""
    free = [shuffled(list(table), draw) for table in shuffled(list(tables), draw)]
    waiting = set(range(players))
    who = dict[int, int]()
    for club in sorted(shuffled(list(wishes.apart), draw), key=len, reverse=True):
        members = sorted(waiting.intersection(club))
        room = [places for places in free if len(places) >= len(members)]
        if room:
            table = min(room, key=len)
            waiting.difference_update(members)
            for member in members:
                who[table.pop()] = member
    others = shuffled(sorted(waiting), draw)
    return [who[place] if place in who else others.pop() for place in range(players)]


def _searched(task: Task, drawn: Groups, before: Before, draw: Chance) -> Groups:
    """The best of some searches, from the rounds drawn and from others: few repeats and broken wishes, then level
    turns."""
    sitting = [list(absent(tables, task.players)) for tables in drawn]
    if task.players > MANY:
        return search(task, drawn, sitting, before, draw)
    best, past = drawn, (*before, [0] * task.players)
    up = step_prices(before[0], task.rounds, task.aim)
    for search_number in range(2 * SEARCHES):
        level = search_number % 2 == 0
        begin = drawn if search_number < 2 else [deal(task, out, draw) for out in sitting]
        tangle = Tangle(begin, sitting, past, up, drawn, turns_are="level" if level else "as they come")
        found = [tables[:-1] for tables in untangle(tangle, draw, LEVEL if level else FREE, 0)]
        best = found if _is_better(task, found, best, before) else best
    return best


def _is_better(task: Task, found: Groups, best: Groups, before: Before) -> bool:
    if better(task, found, best, before):
        return True
    if better(task, best, found, before):
        return False
    return spread(short_turns(found, task.players)) < spread(short_turns(best, task.players))
