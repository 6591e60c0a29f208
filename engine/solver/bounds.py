"""How many points runs of all suits may cover together, too kindly: what could be hoped for before any is chosen."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.solver.counts import NUMBER
from engine.solver.spans import Arc, Holding


@final
@mypyc_attr(acyclic=True)
class Tops:
    """What one run more may cover, remembered for each suit, its free ranks and a number of jokers."""

    __slots__ = ("arcs", "known")

    def __init__(self, arcs: list[Arc]) -> None:
        self.arcs = arcs
        self.known: dict[int, int] = {}

    def of(self, holding: Holding, jokers: i64) -> i64:
        """No fewer points than one arc could cover in that suit, with so many jokers and the cards not taken."""
        key = (holding.free * 4 + holding.suit) * 64 + jokers
        known = self.known.get(key)
        if known is None:
            known = self._found(holding, jokers)
            self.known[key] = known
        return known

    def _found(self, holding: Holding, jokers: i64) -> i64:
        free, worth = holding.free, holding.worth
        top: i64 = 0
        for arc in self.arcs:
            if arc.points <= top:
                break
            if arc.suit != holding.suit:
                continue
            adding = arc.once & free
            points: i64 = worth[adding]
            if arc.twice:
                top = arc.points
            elif points > top and arc.length - NUMBER[adding] <= jokers:
                top = points
        return top


def hope(holding: Holding, tops: Tops, jokers: i64, most: i64) -> None:
    """Sets `hoped`, which is no more than `most`, and `spare` for so many jokers and the cards not taken."""
    holding.spare = holding.points
    if holding.taken is not None:
        holding.spare -= holding.taken.points
    holding.hoped = min(min(most, holding.spare), tops.of(holding, jokers))


def reach(holdings: list[Holding], tops: Tops, runs: i64, jokers: i64) -> i64:
    """No fewer points than so many runs could cover, of the arcs known and with so many jokers.

    In each suit they cover what single runs could, each for itself, and no more than the suit has.
    """
    wide = jokers + 1
    found: list[int] = [0] * ((runs + 1) * wide)
    for holding in holdings:
        if tops.of(holding, jokers):
            _add(found, _several(holding, tops, runs, jokers), runs, wide)
    return found[-1]


def _several(holding: Holding, tops: Tops, runs: i64, jokers: i64) -> list[int]:
    """What up to so many runs of one suit cover, by runs and then by jokers."""
    wide = jokers + 1
    single: list[int] = []
    for spent in range(wide):
        single.append(tops.of(holding, spent))
    several: list[int] = [0] * wide
    for at in range(runs * wide):
        spent = at % wide
        most: i64 = 0
        for own in range(spent + 1):
            points: i64 = single[own]
            points += several[at - own]
            if points > most:
                most = points
        if most > holding.points:
            most = holding.points
        several.append(most)
    return several


def _add(found: list[int], several: list[int], runs: i64, wide: i64) -> None:
    """Lets the runs of one suit more be among those of the suits so far; both by runs and then by jokers."""
    at = (runs + 1) * wide - 1
    while at >= wide:
        most: i64 = found[at]
        for own in range(wide, at + 1):
            if own % wide <= at % wide:
                points: i64 = found[at - own]
                points += several[own]
                if points > most:
                    most = points
        found[at] = most
        at -= 1
