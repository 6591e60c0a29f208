"""A round by lot whose turns are level: lots decide who meets, not who deals first or sits at a smaller table."""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import permutations

from tourney.seating.model import Round
from tourney.seating.quality.metrics import Rounds, seat_counts, short_turns
from tourney.seating.rng import Chance, shuffled

Place = tuple[int, int]
"""The size of a table, and a seat at it."""


def lots(players: Sequence[int], sizes: Sequence[int], played: Rounds, draw: Chance) -> Round:
    """Seats these players at tables of these sizes by lot, the tables in the order of the sizes.

    First everybody gets a seat at a table of some size: so that turns at tables smaller than the largest are as level
    as can be, then first deals, then all seats (least squares, the rounds `played` included), by lot among equals. Then
    those with the same seat at tables of the same size are dealt to these by lot. So at equal tables, for players who
    have been there in every round, each seat is level: nobody has had one seat twice more than another.
    """
    mixed = shuffled(list(players), draw)
    places = [(size, seat) for size in sorted(set(sizes)) for seat in range(size)]
    prices = _prices(mixed, places, max(sizes), played)
    given = allotted(prices, [list(sizes).count(size) for size, _seat in places])
    waiting: dict[Place, list[int]] = {place: [] for place in places}
    for player, number in zip(mixed, given, strict=True):
        waiting[places[number]].append(player)
    waiting = {place: shuffled(those, draw) for place, those in waiting.items()}
    return tuple(tuple(waiting[size, seat].pop() for seat in range(size)) for size in sizes)


def _prices(players: Sequence[int], places: Sequence[Place], largest: int, played: Rounds) -> list[list[int]]:
    """What it adds to the squares that a player gets a place: of turns at smaller tables before all else, then of first
    deals, then of all seats."""
    seats, short = seat_counts(played, max(players) + 1), short_turns(played, max(players) + 1)
    counts = [[*seats[player], *[0] * largest] for player in players]
    level = 2 * sum(map(max, counts)) + len(players) + 1
    dealer, smaller = level, level * level
    return [
        [
            (2 * row[seat] + 1) * (1 + dealer * (seat == 0)) + (2 * short[player] + 1) * smaller * (size < largest)
            for size, seat in places
        ]
        for player, row in zip(players, counts, strict=True)
    ]


def allotted(prices: Sequence[Sequence[int]], room: Sequence[int]) -> list[int]:
    """The place of each, at the least sum of `prices[who][place]`, where so many have room in each place.

    There must be room for all. One after the other comes in, and where it is full somebody moves on, until one reaches
    a place with room: with the cheapest such chains the sum stays the least (successive shortest paths).
    """
    moving = _Moving(prices, room)
    for who in range(len(prices)):
        moving.let_in(who)
    return moving.place


class _Moving:
    """Those who have a place so far; `moves[here][there]` has what it costs that one moves, the cheapest first, also of
    some who are no longer here."""

    def __init__(self, prices: Sequence[Sequence[int]], room: Sequence[int]) -> None:
        self.prices, self.room = prices, list(room)
        self.place = [-1] * len(prices)
        self.moves: list[list[list[tuple[int, int]]]] = [[[] for _there in room] for _here in room]

    def let_in(self, who: int) -> None:
        """Gives one a place, and moves others on where that is cheapest."""
        cost, came_from = self._chains(self.prices[who])
        at = min((place for place, room in enumerate(self.room) if room), key=cost.__getitem__)
        self.room[at] -= 1
        while (here := came_from[at]) is not None:
            self._put(self.moves[here][at][0][1], at)
            at = here
        self._put(who, at)

    def _chains(self, coming: Sequence[int]) -> tuple[list[int], list[int | None]]:
        """What the cheapest chain to each place costs that begins with somebody coming in, and from where it comes."""
        cost = list(coming)
        came_from: list[int | None] = [None] * len(cost)
        shorter = True
        while shorter:
            shorter = False
            for here, there in permutations(range(len(cost)), 2):
                rise = self._cheapest(here, there)
                if rise is not None and cost[here] + rise < cost[there]:
                    cost[there], came_from[there] = cost[here] + rise, here
                    shorter = True
        return cost, came_from

    def _cheapest(self, here: int, there: int) -> int | None:
        """What it costs that somebody moves, at least; None where nobody is."""
        waiting = self.moves[here][there]
        while waiting and self.place[waiting[0][1]] != here:
            heappop(waiting)
        return waiting[0][0] if waiting else None

    def _put(self, who: int, there: int) -> None:
        self.place[who] = there
        for other, price in enumerate(self.prices[who]):
            if other != there:
                heappush(self.moves[there][other], (price - self.prices[who][there], who))
