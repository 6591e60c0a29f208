"""The price of every swap of two players of a round, kept up to date while a schedule changes.

A search evaluates hundreds of swaps for each one it makes: evaluating must be cheap, and making one may be expensive.
"""

from itertools import accumulate, chain
from typing import Final

from tourney.seating.search.state import ScheduleState

NEVER: Final = 1 << 28
"""The price of an impossible swap: of two at one table, or with a player who has no place in the round."""


class SwapDeltas:
    """The prices of swaps in a schedule that changes by `swap` alone from now on; owned by one search.

    The groups of a round are its tables, and each player with a bye who may change. `members[r][g]` are the players of
    group g in round r, `where[r][p]` is the group of player p, -1 for none, `place[r][p]` the player's place in the
    schedule. `joining[r][g][p]` is the price of p joining group g beside all its members, for the meetings and the kind
    of place; a last row is for players without a group. `leaving[r][p]` is the price of p's meetings in round r.
    `double_next[p][q]` is the price of two more meetings of p and q, both at the price of the next. The first
    `at_tables[r]` places of the schedule are at tables.
    """

    def __init__(self, state: ScheduleState) -> None:
        self.state = state
        self.players = state.players
        self.at_tables = [sum(sizes) for sizes in state.sizes]
        self.members = [_grouped(seats, sizes) for seats, sizes in zip(state.seats, state.sizes, strict=True)]
        self.kinds = [
            [kinds[first] for first in _firsts(groups)] for groups, kinds in zip(self.members, state.kinds, strict=True)
        ]
        self.where = [self._numbered(groups) for groups in self.members]
        self.place = [self._numbered([[player] for player in seats]) for seats in state.seats]
        self.double_next = [[2 * price for price in row] for row in state.next_price]
        self.leaving = [[0] * self.players for _seats in state.seats]
        for number, groups in enumerate(self.members):
            for player in chain.from_iterable(groups):
                self.leaving[number][player] = self._saved(number, player)
        self.joining = [self._joining(number) for number in range(len(self.members))]

    def _numbered(self, groups: list[list[int]]) -> list[int]:
        """Return the number of each player's group."""
        group_of = [-1] * self.players
        for group, members in enumerate(groups):
            for player in members:
                group_of[player] = group
        return group_of

    def _joining(self, number: int) -> list[list[int]]:
        groups, kinds, next_price = self.members[number], self.kinds[number], self.state.next_price
        prices = [[sum([row[mate] for mate in members]) for row in next_price] for members in groups]
        for player in chain.from_iterable(groups):
            turn_deltas = self._turn_deltas(number, player)
            for row, kind in zip(prices, kinds, strict=True):
                row[player] += turn_deltas[kind]
        return [*prices, [0] * self.players]

    def _saved(self, number: int, player: int) -> int:
        """Return the price of the player's meetings in a round."""
        last_price = self.state.last_price[player]
        return sum([last_price[mate] for mate in self.members[number][self.where[number][player]]])

    def _turn_deltas(self, number: int, player: int) -> list[int]:
        """Return by kind the price of such a place for the player instead of the one in this round."""
        price_up, turns = self.state.turn_up, self.state.turns
        own = self.kinds[number][self.where[number][player]]
        saved = price_up[own][turns[own][player] - 1]
        prices = [price_up[kind][turns[kind][player]] - saved for kind in range(len(price_up))]
        prices[own] = 0
        return prices

    def of(self, number: int, player: int) -> list[int]:
        """Return the price of swapping this player of a round with player 0, 1, 2, ...

        The price is about `NEVER` where they cannot be swapped.
        """
        rows, where, leaving, double_next = (
            self.joining[number],
            self.where[number],
            self.leaving[number],
            self.double_next[player],
        )
        own, saved = where[player], leaving[player]
        join_prices = [row[player] - saved for row in rows]
        join_prices[own] = join_prices[-1] = NEVER
        replaced = rows[own]
        # Both prices include a meeting of the two, who do not meet.
        return [
            join_prices[where[other]] + replaced[other] - leaving[other] - double_next[other]
            for other in range(self.players)
        ]

    def swap(self, number: int, first: int, second: int) -> None:
        """Swap two players of different groups of a round."""
        state, where, place, kinds = self.state, self.where[number], self.place[number], self.kinds[number]
        first_group, second_group = where[first], where[second]
        mates = [*self.members[number][first_group], *self.members[number][second_group]]
        mates.remove(first)
        mates.remove(second)
        before = [
            [(state.next_price[player][mate], state.last_price[player][mate]) for mate in mates]
            for player in (first, second)
        ]
        turning = [first, second] if kinds[first_group] != kinds[second_group] else []
        turn_deltas = [self._all_turn_deltas(player) for player in turning]
        state.swap(number, place[first], place[second])
        self._update_meetings(first, mates, before[0])
        self._update_meetings(second, mates, before[1])
        self._replace(number, first_group, first, second)
        self._replace(number, second_group, second, first)
        where[first], where[second] = second_group, first_group
        place[first], place[second] = place[second], place[first]
        for player in (first, second):
            self.leaving[number][player] = self._saved(number, player)
        for player, earlier in zip(turning, turn_deltas, strict=True):
            self._update_turns(player, earlier)

    def _update_meetings(self, player: int, mates: list[int], before: list[tuple[int, int]]) -> None:
        """Update the prices after the player's meetings with `mates` have changed.

        `before` has the earlier prices of their next and last meeting.
        """
        next_price, last_price, double_next = (
            self.state.next_price[player],
            self.state.last_price[player],
            self.double_next,
        )
        deltas = [(mate, next_price[mate] - price) for mate, (price, _) in zip(mates, before, strict=True)]
        saves = [(mate, last_price[mate] - price) for mate, (_, price) in zip(mates, before, strict=True)]
        deltas, saves = [delta for delta in deltas if delta[1]], [save for save in saves if save[1]]
        for mate, delta in deltas:
            double_next[player][mate] += 2 * delta
            double_next[mate][player] += 2 * delta
        for rows, where, leaving in zip(self.joining, self.where, self.leaving, strict=True):
            group = where[player]
            row = rows[group]
            for mate, delta in deltas:
                row[mate] += delta
                rows[where[mate]][player] += delta
            for mate, save in saves:
                if where[mate] == group >= 0:
                    leaving[player] += save
                    leaving[mate] += save

    def _replace(self, number: int, group: int, gone: int, come: int) -> None:
        """Put a player in place of another of a group; the `leaving` prices of these two are not updated."""
        members, next_price = self.members[number][group], self.state.next_price
        last_price, leaving = self.state.last_price, self.leaving[number]
        members[members.index(gone)] = come
        row, added, taken = self.joining[number][group], next_price[come], next_price[gone]
        self.joining[number][group] = [row[player] + added[player] - taken[player] for player in range(self.players)]
        for mate in members:
            leaving[mate] += last_price[come][mate] - last_price[gone][mate]

    def _all_turn_deltas(self, player: int) -> list[list[int]]:
        """Return the `_turn_deltas` of the player in each round; none in rounds without a place."""
        return [self._turn_deltas(number, player) if row[player] >= 0 else [] for number, row in enumerate(self.where)]

    def _update_turns(self, player: int, before: list[list[int]]) -> None:
        """Update the prices after the player's turns have changed."""
        for kinds, rows, old, new in zip(self.kinds, self.joining, before, self._all_turn_deltas(player), strict=True):
            if new:
                for kind, row in zip(kinds, rows, strict=False):
                    row[player] += new[kind] - old[kind]


def _grouped(seats: list[int], sizes: tuple[int, ...]) -> list[list[int]]:
    """Return the players of each table, then each player with a bye alone."""
    groups = []
    first = 0
    for size in sizes:
        groups.append(seats[first : first + size])
        first += size
    return groups + [[player] for player in seats[first:]]


def _firsts(groups: list[list[int]]) -> list[int]:
    """Return the first place of each group."""
    return list(accumulate(map(len, groups[:-1]), initial=0))
