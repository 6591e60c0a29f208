"""A Swiss round in which somebody sits out: chosen, among those whose turn it is, so that few meet again."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from tourney.seating.balance.byes import bye_candidates
from tourney.seating.constraints import NO_CONSTRAINTS, Constraints
from tourney.seating.model import Round
from tourney.seating.quality.metrics import Rounds, meetings
from tourney.seating.swiss import EXACT_PLAYERS, Pairing, seated, swiss_tables, weighted_repeats

Met = Mapping[tuple[int, int], int]
"""How often pairs have met, the lower number first."""


def swiss_with_byes(
    order: Sequence[int],
    sizes: Sequence[int],
    played: Rounds = (),
    sat_out: Sequence[Sequence[int]] = (),
    seed: str | int = 1,
    pairing: Pairing = "neighbours",
    constraints: Constraints = NO_CONSTRAINTS,
) -> tuple[Round, tuple[int, ...]]:
    """Seat as many of `order`, best first, as tables of these sizes hold; return the tables and the byes.

    Nobody has another bye before all others have had as many. Of all choices that are fair in this sense the one wins
    whose `swiss` tables have the fewest repeats, counted as there; among equals the byes go to who has played most,
    then to the lowest in the standings, then the next, and so on. The result is exact for up to 12 players in `order`;
    beyond, byes are swapped while that saves repeats. Raises ValueError as `swiss` does.
    """
    upwards = order[::-1]
    sure, asked = bye_candidates(upwards, len(order) - sum(sizes), played, sat_out)
    some = len(order) - sum(sizes) - len(sure)
    met = meetings(played)

    def tables_without(chosen: Sequence[int]) -> list[list[int]]:
        out = {*sure, *chosen}
        return swiss_tables(
            [player for player in order if player not in out], sizes, played, seed, pairing, constraints
        )

    chosen: Sequence[int] = asked[:some]
    tables = tables_without(chosen)
    if len(order) <= EXACT_PLAYERS:
        others = combinations(asked, some)
        while repeats(tables, met) and (other := next(others, None)) is not None:
            chosen, tables = _better((chosen, tables), (other, tables_without(other)), met)
    elif repeats(tables, met):
        exchanged = _swapped(tables, chosen, asked, met)
        anew = (exchanged[0], tables_without(exchanged[0]))
        chosen, tables = _better((chosen, tables), _better(anew, exchanged, met), met)
    out = {*sure, *chosen}
    return seated(tables, played), tuple(player for player in upwards if player in out)


Chosen = tuple[Sequence[int], list[list[int]]]
"""The players with a bye, and the tables of the others."""


def _better(one: Chosen, other: Chosen, met: Met) -> Chosen:
    """Return the choice with fewer repeats; the first of two equals."""
    return other if repeats(other[1], met) < repeats(one[1], met) else one


def repeats(tables: Sequence[Sequence[int]], met: Met) -> int:
    """Return the weighted repeats of pairs at one table who have met."""
    return sum(_counted(pair, met) for table in tables for pair in combinations(table, 2))


def _counted(pair: tuple[int, int], met: Met) -> int:
    return weighted_repeats(met.get((min(pair), max(pair)), 0))


def _swapped(tables: Sequence[Sequence[int]], chosen: Sequence[int], asked: Sequence[int], met: Met) -> Chosen:
    """Return the choice after swapping those with a bye for others of `asked`, while that saves repeats."""
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
    """Return how many repeats the table saves if the other takes the player's place."""
    rest = [one for one in table if one != player]
    return sum(_counted((one, player), met) - _counted((one, other), met) for one in rest)
