"""Lives in a knock-out: who has lost how many, and who is out since which round."""

from collections import Counter
from collections.abc import Collection, Sequence

from tourney.domain.results import Result

Lost = dict[int, tuple[int, int]]
"""By player's number the lives lost, and the round of the last of them."""


def lives_lost(results: Sequence[Result], uncounted: Collection[tuple[int, int]] = ()) -> Lost:
    """Return the lives that players have lost in these results of a knock-out.

    Whoever is last at a table loses one; so do all who share the last place, unless the whole table does. A seat that
    counts for nobody, given by round and player as `uncounted`, costs no life.
    """
    lost: Counter[int] = Counter()
    when: dict[int, int] = {}
    for result in results:
        for player in _last_at(result):
            if (result.table.round, player) in uncounted:
                continue
            lost[player] += 1
            when[player] = max(when.get(player, 0), result.table.round)
    return {player: (number, when[player]) for player, number in lost.items()}


def _last_at(result: Result) -> list[int]:
    places = result.outcome.places
    if result.state != "counts" or len(set(places)) < 2:
        return []
    seats = zip(result.table.players, places, strict=True)
    return [player.id for player, place in seats if place == max(places)]


def out_of_lives(lost: Lost, lives: int) -> frozenset[int]:
    """Return the numbers of the players who have lost all their lives."""
    return frozenset(player for player, (number, _round) in lost.items() if number >= lives)
