"""A Swiss round in which somebody sits out: chosen, among those whose turn it is, so that few meet again."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from tourney.seating.balance.byes import whose_turn
from tourney.seating.constraints import NOTHING, Wishes
from tourney.seating.model import Round
from tourney.seating.quality.metrics import Rounds, meetings
from tourney.seating.swiss import PROVEN, Rule, repeats_counted, seated, swiss_tables

Met = Mapping[tuple[int, int], int]
"""How often pairs have met, the lower number first."""


def swiss_resting(
    order: Sequence[int],
    sizes: Sequence[int],
    played: Rounds = (),
    sat_out: Sequence[Sequence[int]] = (),
    seed: str | int = 1,
    rule: Rule = "neighbours",
    wishes: Wishes = NOTHING,
) -> tuple[Round, tuple[int, ...]]:
    """Seats as many of `order`, best first, as tables of these sizes hold; the tables, and who sits out.

    Nobody sits out again before all the others have as often. Of all choices that are fair so it is the one whose
    `swiss` tables have the fewest repeats, counted as there; of several the one who has played most, then the lowest in
    the standings, then the next, and so on. Exact for up to 12 players in `order`; beyond, those are exchanged for
    others while that saves repeats. Raises ValueError as `swiss` does.
    """
    upwards = order[::-1]
    sure, asked = whose_turn(upwards, len(order) - sum(sizes), played, sat_out)
    some = len(order) - sum(sizes) - len(sure)
    met = meetings(played)

    def tables_without(chosen: Sequence[int]) -> list[list[int]]:
        out = {*sure, *chosen}
        return swiss_tables([player for player in order if player not in out], sizes, played, seed, rule, wishes)

    chosen: Sequence[int] = asked[:some]
    tables = tables_without(chosen)
    if len(order) <= PROVEN:
        others = combinations(asked, some)
        while repeats(tables, met) and (other := next(others, None)) is not None:
            chosen, tables = _better((chosen, tables), (other, tables_without(other)), met)
    elif repeats(tables, met):
        exchanged = _exchanged(tables, chosen, asked, met)
        anew = (exchanged[0], tables_without(exchanged[0]))
        chosen, tables = _better((chosen, tables), _better(anew, exchanged, met), met)
    out = {*sure, *chosen}
    return seated(tables, played), tuple(player for player in upwards if player in out)


Chosen = tuple[Sequence[int], list[list[int]]]
"""Who sits out, and the tables of the others."""


def _better(one: Chosen, other: Chosen, met: Met) -> Chosen:
    """The one with fewer repeats; the first of two that are as good."""
    return other if repeats(other[1], met) < repeats(one[1], met) else one


def repeats(tables: Sequence[Sequence[int]], met: Met) -> int:
    """What pairs at one table count who have met."""
    return sum(_counted(pair, met) for table in tables for pair in combinations(table, 2))


def _counted(pair: tuple[int, int], met: Met) -> int:
    return repeats_counted(met.get((min(pair), max(pair)), 0))


def _exchanged(tables: Sequence[Sequence[int]], chosen: Sequence[int], asked: Sequence[int], met: Met) -> Chosen:
    """The tables after those who sit out have changed places with others of `asked`, while that saves repeats."""
    now, out = [list(table) for table in tables], list(chosen)
    while True:
        changes = [
            (_saved(table, player, other, met), table, player, other)
            for player in asked
            for table in now
            if player in table
            for other in out
        ]
        saved, table, player, other = max(changes, key=lambda change: change[0], default=(0, [], 0, 0))
        if saved <= 0:
            return out, now
        table[table.index(player)], out[out.index(other)] = other, player


def _saved(table: Sequence[int], player: int, other: int, met: Met) -> int:
    """How many repeats fewer the table has if the other takes the player's place."""
    rest = [one for one in table if one != player]
    return sum(_counted((one, player), met) - _counted((one, other), met) for one in rest)
