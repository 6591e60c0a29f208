"""The cheapest leftovers of runs alone that must be of different suits: the best single run of each suit."""

from engine.arrange.arcs import NOTHING, Arc, Layers, fillings, worth_of
from engine.arrange.wild import suit_points
from engine.cards import Faces
from engine.rules import Rules

Cards = tuple[int, ...]
Way = tuple[int, list[Arc]]
"""The points that arcs cover, jokers included, and the arcs."""


def best_runs_apart(rules: Rules, runs: int, hand: Faces) -> list[Cards] | None:
    """So many runs of different suits that leave the fewest points in the hand; None if it has not so many."""
    ways: dict[tuple[int, int], Way] = {(0, 0): (0, [])}
    for suit in range(4):
        single = _single_runs(rules, suit, hand)
        for (made, spent), (points, arcs) in list(ways.items()):
            for missing, (more, arc) in single.items():
                key = (made + 1, spent + missing)
                if made < runs and key[1] <= hand.jokers and points + more > ways.get(key, (-1, []))[0]:
                    ways[key] = (points + more, [*arcs, arc])
    full = [way for (made, _), way in ways.items() if made == runs]
    if not full:
        return None
    chosen = max(full, key=_points)[1]
    return [next(fillings(rules, arc.suit, [arc], Layers(hand, arc.suit)))[0] for arc in chosen]


def _single_runs(rules: Rules, suit: int, hand: Faces) -> dict[int, tuple[int, Arc]]:
    """For each number of jokers the run of that suit that covers the most points with them."""
    run, layers = rules.run, Layers(hand, suit)
    worth = worth_of(suit_points(rules, suit))
    best: dict[int, tuple[int, Arc]] = {}
    held = len(hand)
    for start in range(13 if run.ace == "round" else 15 - run.least):
        most = held if run.most is None else min(held, run.most)
        if run.ace == "ends":
            most = min(most, 14 - start)
        for length in range(run.least, most + 1):
            arc = Arc(suit, start, length)
            alone = NOTHING.plus(arc, layers, worth)
            if alone.missing > hand.jokers:
                break
            points = alone.points + alone.missing * rules.values.joker
            if points > best.get(alone.missing, (-1, arc))[0] and any(fillings(rules, suit, [arc], layers)):
                best[alone.missing] = (points, arc)
    return best


def _points(way: Way) -> int:
    return way[0]
