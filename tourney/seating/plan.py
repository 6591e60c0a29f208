"""All rounds of a tournament ahead, or the rest of them around those already played."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from tourney.seating.assign_players import heeding
from tourney.seating.balance.byes import next_outs
from tourney.seating.balance.seats import seat
from tourney.seating.balance.table_numbers import numbered, put
from tourney.seating.build import build
from tourney.seating.constraints import NOTHING, Wishes, mark
from tourney.seating.model import Aim, Around, Before, Groups, Method, Round, Seating, Short, Task, absent
from tourney.seating.quality.metrics import Rounds, check_rounds, meetings, seat_counts, short_turns
from tourney.seating.repair.replan import replan
from tourney.seating.rng import Chance, chance, shuffled
from tourney.seating.search.multistart import search
from tourney.seating.sizes import given_sizes, table_sizes


def plan(
    players: int,
    size: int,
    rounds: int,
    seed: str | int,
    *,
    least: int = 2,
    short: Short = "short tables",
    sizes: Sequence[int] | None = None,
    played: Rounds = (),
    sat_out: Sequence[Sequence[int]] | None = None,
    ahead: Rounds = (),
    around: Around = "the rounds played",
    aim: Aim = "fewest repeats",
    wishes: Wishes = NOTHING,
) -> Seating:
    """Seats players 0..players-1 over `rounds` rounds, the same for the same arguments everywhere.

    Sizes are those of `table_sizes(players, size, least, short)`, or `sizes` where they are given: whom those do not
    hold sits out. Few repeat meetings come first, then level turns at short tables; with the aim "no third meeting" a
    third meeting is dearer than four repeats, and so is a turn at a short table that is two or more above an equal
    share. First deals and seats are level within these tables, players come back to the same place as seldom as can
    be, and nobody sits out twice before all have once. The seed (7 and "7" are the same) draws who
    is who, and the order of rounds and tables.

    Rounds `played` (at most `rounds`) are kept as they are and come first; the others are planned around
    them. Numbers from `players` on in them are people who have left. `sat_out` says who sat each of them out; a
    round that a player missed otherwise, because he came later or was away, counts neither way. None: everybody
    whom a round does not seat sat out. If they begin the plan that would be made anyway, the rest of it is
    unchanged. Where there is `ahead`, the coming rounds as planned before the entrants changed, in the new
    numbers, the search begins there instead: nobody meets again if such rounds are found; otherwise a table that could
    stay changes only where that saves more than a repeat. Where all of them could stay they do, whoever meets again,
    unless they were planned `around` others than the rounds played. Wishes are kept where that costs fewer than three
    repeats each.
    Raises ValueError, saying what to change, for what cannot be seated.
    """
    sizes = table_sizes(players, size, least, short) if sizes is None else given_sizes(players, sizes)
    if rounds < 1 or len(played) > rounds:
        raise ValueError(f"{rounds} rounds with {len(played)} played; plan at least one, and no fewer than played")
    check_rounds(played)
    task = Task(players, sizes, rounds, aim)
    draw = chance("seating", seed)
    kept = tuple(tuple(tuple(table) for table in tables) for tables in played)
    if not ahead:
        groups, method = _drawn(task, wishes, draw)
        # Built already: it stands behind these groups.
        level = build(task).level
        anew = replace(_seated(players, (), numbered(groups, (), wishes.tables, players), method), level=level)
        if kept == anew.rounds[: len(kept)]:
            return anew
        if _begins(groups, kept):
            coming = numbered(groups[len(kept) :], kept, wishes.tables, players)
            return _seated(players, kept, coming, method)
    rested = sat_out if sat_out is not None else [absent(tables, players) for tables in kept]
    coming = _remaining(task, kept, rested, ahead, around, wishes, draw)
    # Tables announced before keep their numbers.
    coming = put(coming, wishes.tables) if ahead else numbered(coming, kept, wishes.tables, players)
    return _seated(players, kept, coming, "exchanged players")


def _drawn(task: Task, wishes: Wishes, draw: Chance) -> tuple[Groups, Method]:
    """The built rounds with players, rounds and tables in an order drawn from the seed, as the wishes allow."""
    groups, method = heeding(task, wishes, _before((), task.players, wishes), draw)
    # Turns to sit out are in order; mixing the rounds would let some sit out twice before all have once.
    if task.outs * task.rounds <= task.players:
        groups = shuffled(groups, draw)
    return [_mixed(tables, draw) for tables in groups], method


def _mixed(tables: list[list[int]], draw: Chance) -> list[list[int]]:
    """Tables in a drawn order, but larger ones first, and players in a drawn order at each."""
    by_size = [list(same) for _, same in groupby(tables, key=len)]
    return [shuffled(table, draw) for same in by_size for table in shuffled(same, draw)]


def _begins(groups: Groups, played: Rounds) -> bool:
    """Whether the played rounds have the tables, in any order, with which these groups begin."""
    pairs = zip(groups, played, strict=False)
    return all(_as_sets(planned) == _as_sets(done) for planned, done in pairs)


def _as_sets(tables: Sequence[Sequence[int]]) -> set[frozenset[int]]:
    return {frozenset(table) for table in tables}


def _remaining(
    task: Task,
    played: Rounds,
    sat_out: Sequence[Sequence[int]],
    ahead: Rounds,
    around: Around,
    wishes: Wishes,
    draw: Chance,
) -> Groups:
    """The rounds still to play, searched for around those played, or made of those planned ahead if there are."""
    rest = replace(task, rounds=task.rounds - len(played))
    order = shuffled(list(range(task.players)), draw)
    # Whom the last round knew was planned for: who comes now is not to sit out for having no table ahead.
    known = {player for tables in (*ahead, *played[-1:]) for table in tables for player in table}.union(*sat_out[-1:])
    planned = [known.intersection(absent(tables, task.players)) for tables in ahead]
    sitting = next_outs(order, task.outs, rest.rounds, played, sat_out, planned, ahead)
    before = _before(played, task.players, wishes)
    if not ahead:
        return [_mixed(tables, draw) for tables in search(rest, [], sitting, before, draw)]
    rested = Counter(player for out in sat_out for player in out)
    return replan(rest, ahead, sitting, before, [rested[player] for player in range(task.players)], draw, around)


def _before(played: Rounds, players: int, wishes: Wishes) -> Before:
    met = [[0] * players for _ in range(players)]
    for (one, other), count in meetings(played).items():
        if other < players:
            met[one][other] = met[other][one] = count
    mark(met, wishes)
    return met, short_turns(played, players)


def _seated(players: int, kept: tuple[Round, ...], groups: Groups, method: Method) -> Seating:
    """The rounds kept as they are, and these groups after them in seats that even them out."""
    widest = max((len(table) for tables in groups for table in tables), default=1)
    before = [row + [0] * (widest - len(row)) for row in seat_counts(kept, players)]
    rounds = (*kept, *seat(groups, before))
    return Seating(rounds, tuple(absent(tables, players) for tables in rounds), method)
