"""How many points runs of all suits may cover together, too kindly: what could be hoped for before any is chosen."""

from mypy_extensions import i64

from engine.arrange.arcs import Holding, Tops


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
