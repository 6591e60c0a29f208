"""All endings of a few open tables, one by one, and who goes through in each; shares no code with the program.

A hand is closed by one player, who then has one of the scores for closing, or by nobody; everybody else has any whole
number of points in a range. Whoever has fewer points per game ranks first; among equals whoever has won a hand more
recently (003/1.10), by round and by hand. Where that is equal too, either of them may be first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product


@dataclass(frozen=True)
class Entrant:
    """A player before the open tables: points, games, hands won as (round, hand), and whether they still play."""

    name: int
    points: int
    games: int
    won: frozenset[tuple[int, int]]
    plays: bool


@dataclass(frozen=True)
class Hand:
    """The scores for closing a hand, and the points that the others can have."""

    closing: tuple[int, ...]
    others: tuple[int, ...]


def states(
    entrants: Sequence[Entrant],
    tables: Sequence[Sequence[int]],
    number: int,
    hands: Sequence[Hand],
    places: int,
    ties: str,
) -> dict[int, str]:
    """Return for each entrant who plays sure, open or out, after looking at every ending of round `number`."""
    always = {each.name: True for each in entrants if each.plays}
    ever = {each.name: False for each in entrants if each.plays}
    for scored in product(*(list(_games(table, number, hands)) for table in tables)):
        added = {name: game for games in scored for name, game in games.items()}
        final = [(each.name, *_end(each, added.get(each.name))) for each in entrants if each.plays]
        for name, average, won in final:
            surely, perhaps = 0, 0
            for other, theirs, hands_won in final:
                if other == name:
                    continue
                ahead = _ahead(theirs, hands_won, average, won, ties)
                surely += ahead is True
                perhaps += ahead is not False
            always[name] &= perhaps < places
            ever[name] |= surely < places
    return {name: "sure" if always[name] else "open" if ever[name] else "out" for name in always}


def _games(
    table: Sequence[int], number: int, hands: Sequence[Hand]
) -> Iterator[dict[int, tuple[int, frozenset[tuple[int, int]]]]]:
    """Yield the points and the hands won of each player of a table, for every game that can be played there."""
    for played in product(*(list(_hand(table, place, hand)) for place, hand in enumerate(hands))):
        yield {
            name: (
                sum(points[name] for points, _closer, _place in played),
                frozenset((number, place) for _points, closer, place in played if closer == name),
            )
            for name in table
        }


def _hand(table: Sequence[int], place: int, hand: Hand) -> Iterator[tuple[dict[int, int], int | None, int]]:
    for closer in (None, *table):
        scores = [hand.closing if name == closer else hand.others for name in table]
        for points in product(*scores):
            yield dict(zip(table, points, strict=True)), closer, place


def _end(
    each: Entrant, game: tuple[int, frozenset[tuple[int, int]]] | None
) -> tuple[Fraction | None, frozenset[tuple[int, int]]]:
    points, games, won = each.points, each.games, each.won
    if game is not None:
        points, games, won = points + game[0], games + 1, won | game[1]
    return (Fraction(points, games) if games else None), won


def _ahead(
    theirs: Fraction | None,
    hands_won: frozenset[tuple[int, int]],
    average: Fraction | None,
    won: frozenset[tuple[int, int]],
    ties: str,
) -> bool | None:
    """Return whether another player is ahead; None where that is not decided."""
    if theirs != average:
        return average is None or (theirs is not None and theirs < average)
    if ties == "together":
        return False
    different = hands_won ^ won
    if ties == "doubt" or not different:
        return None
    return max(different) in hands_won
