"""A random round with level counts: the draw decides who meets, not who deals first or sits at a smaller table."""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import permutations

from tourney.seating.model import Round
from tourney.seating.quality.metrics import Rounds, seat_counts, smaller_table_rounds
from tourney.seating.rng import Rng, shuffled

SeatKind = tuple[int, int]
"""The size of a table, and a seat at it."""


def random_draw(players: Sequence[int], sizes: Sequence[int], played: Rounds, rng: Rng) -> Round:
    """Seat these players at random at tables of these sizes, the tables in the order of the sizes.

    First each player gets a table size and a seat, so that rounds at tables smaller than the largest are as level as
    possible, then first deals, then all seats (least squares, the rounds `played` included), at random among equals.
    Then players with the same seat at tables of the same size are assigned to these tables at random. Where all tables
    are equal, players of every round have had each seat equally often, or once more.
    """
    mixed = shuffled(list(players), rng)
    places = [(size, seat) for size in sorted(set(sizes)) for seat in range(size)]
    prices = _prices(mixed, places, max(sizes), played)
    given = min_cost_assignment(prices, [list(sizes).count(size) for size, _seat in places])
    waiting: dict[SeatKind, list[int]] = {place: [] for place in places}
    for player, number in zip(mixed, given, strict=True):
        waiting[places[number]].append(player)
    waiting = {place: shuffled(group, rng) for place, group in waiting.items()}
    return tuple(tuple(waiting[size, seat].pop() for seat in range(size)) for size in sizes)


def _prices(players: Sequence[int], places: Sequence[SeatKind], largest: int, played: Rounds) -> list[list[int]]:
    """Return what each seat adds to a player's squared counts: smaller tables first, then first deals, then seats."""
    seats, short = seat_counts(played, max(players) + 1), smaller_table_rounds(played, max(players) + 1)
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


def min_cost_assignment(prices: Sequence[Sequence[int]], room: Sequence[int]) -> list[int]:
    """Assign each player a place with the least sum of `prices[player][place]`; place p has room for `room[p]` players.

    There must be room for all. Players are added one by one; where a place is full one of its players moves on, until
    a player reaches a place with room: with the cheapest such chains the sum stays minimal (successive shortest paths).
    """
    assignment = _Assignment(prices, room)
    for player in range(len(prices)):
        assignment.add(player)
    return assignment.place


class _Assignment:
    """The places of the players added so far.

    `moves[origin][target]` is a heap of (price, player) for moves, including players who have since left the origin.
    """

    def __init__(self, prices: Sequence[Sequence[int]], room: Sequence[int]) -> None:
        self.prices, self.room = prices, list(room)
        self.place = [-1] * len(prices)
        self.moves: list[list[list[tuple[int, int]]]] = [[[] for _target in room] for _origin in room]

    def add(self, player: int) -> None:
        """Give a player a place, assignment others on where that is cheapest."""
        cost, came_from = self._cheapest_chains(self.prices[player])
        at = min((place for place, room in enumerate(self.room) if room), key=cost.__getitem__)
        self.room[at] -= 1
        while (previous := came_from[at]) is not None:
            self._place(self.moves[previous][at][0][1], at)
            at = previous
        self._place(player, at)

    def _cheapest_chains(self, prices: Sequence[int]) -> tuple[list[int], list[int | None]]:
        """Return by place the price of the cheapest chain to it that a new player begins, and the place before it."""
        cost = list(prices)
        came_from: list[int | None] = [None] * len(cost)
        shorter = True
        while shorter:
            shorter = False
            for origin, target in permutations(range(len(cost)), 2):
                delta = self._cheapest(origin, target)
                if delta is not None and cost[origin] + delta < cost[target]:
                    cost[target], came_from[target] = cost[origin] + delta, origin
                    shorter = True
        return cost, came_from

    def _cheapest(self, origin: int, target: int) -> int | None:
        """Return the lowest price of a player's move between two places; None where nobody can move."""
        waiting = self.moves[origin][target]
        while waiting and self.place[waiting[0][1]] != origin:
            heappop(waiting)
        return waiting[0][0] if waiting else None

    def _place(self, player: int, target: int) -> None:
        self.place[player] = target
        for other, price in enumerate(self.prices[player]):
            if other != target:
                heappush(self.moves[target][other], (price - self.prices[player][target], player))
