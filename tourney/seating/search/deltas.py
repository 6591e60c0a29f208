"""What each exchange of two players of a round would cost, kept up to date while a draft changes.

A search looks at hundreds of exchanges for each that it makes: looking must be cheap, and making may be dear.
"""

from itertools import accumulate, chain
from typing import Final

from tourney.seating.search.state import Draft

NEVER: Final = 1 << 28
"""The price of an exchange that is none: of two at one table, or with somebody who has no part in the round."""


class Rises:
    """The prices of exchanges in a draft that changes by `exchange` alone from now on; owned by one search.

    The groups of a round are its tables, and each who sits out and may change for himself. `members[r][g]` are the
    players of group g in round r, `where[r][p]` is the group of player p, -1 for none, `place[r][p]` his place in
    the draft. `coming[r][g][p]` is by how much the price rises if p comes to group g, where all stay whom it has, for
    his place and its turn; a last row is for those without a group. `leaving[r][p]` is what p's meetings in a round
    save. `twice[p][q]` is what two more meetings of p and q cost, either like the next. The first `at_tables[r]` places
    of the draft are at tables.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.players = draft.players
        self.at_tables = [sum(sizes) for sizes in draft.sizes]
        self.members = [_grouped(seats, sizes) for seats, sizes in zip(draft.seats, draft.sizes, strict=True)]
        self.kinds = [
            [kinds[first] for first in _firsts(groups)] for groups, kinds in zip(self.members, draft.kinds, strict=True)
        ]
        self.where = [self._numbered(groups) for groups in self.members]
        self.place = [self._numbered([[player] for player in seats]) for seats in draft.seats]
        self.twice = [[2 * price for price in row] for row in draft.dearer]
        self.leaving = [[0] * self.players for _seats in draft.seats]
        for number, groups in enumerate(self.members):
            for player in chain.from_iterable(groups):
                self.leaving[number][player] = self._saved(number, player)
        self.coming = [self._coming(number) for number in range(len(self.members))]

    def _numbered(self, groups: list[list[int]]) -> list[int]:
        """The number of each player's group."""
        found = [-1] * self.players
        for group, members in enumerate(groups):
            for player in members:
                found[player] = group
        return found

    def _coming(self, number: int) -> list[list[int]]:
        groups, kinds, dearer = self.members[number], self.kinds[number], self.draft.dearer
        found = [[sum([row[mate] for mate in members]) for row in dearer] for members in groups]
        for player in chain.from_iterable(groups):
            trades = self._trades(number, player)
            for row, kind in zip(found, kinds, strict=True):
                row[player] += trades[kind]
        return [*found, [0] * self.players]

    def _saved(self, number: int, player: int) -> int:
        """The price of the player's meetings in a round."""
        cheaper = self.draft.cheaper[player]
        return sum([cheaper[mate] for mate in self.members[number][self.where[number][player]]])

    def _trades(self, number: int, player: int) -> list[int]:
        """What it costs the player to have a turn of each kind for that which he has in a round."""
        up, turns = self.draft.turn_up, self.draft.turns
        own = self.kinds[number][self.where[number][player]]
        saved = up[own][turns[own][player] - 1]
        found = [up[kind][turns[kind][player]] - saved for kind in range(len(up))]
        found[own] = 0
        return found

    def of(self, number: int, one: int) -> list[int]:
        """By how much the price rises if this player of a round changes places with player 0, 1, 2, ...

        `NEVER` or thereabouts where they cannot.
        """
        rows, where, leaving, twice = self.coming[number], self.where[number], self.leaving[number], self.twice[one]
        own, saved = where[one], leaving[one]
        there = [row[one] - saved for row in rows]
        there[own] = there[-1] = NEVER
        here = rows[own]
        # Both prices have a meeting of the two, who do not meet.
        return [there[where[other]] + here[other] - leaving[other] - twice[other] for other in range(self.players)]

    def exchange(self, number: int, one: int, other: int) -> None:
        """Lets two players of different groups of a round change places."""
        draft, where, place, kinds = self.draft, self.where[number], self.place[number], self.kinds[number]
        here, there = where[one], where[other]
        mates = [*self.members[number][here], *self.members[number][there]]
        mates.remove(one)
        mates.remove(other)
        before = [
            [(draft.dearer[player][mate], draft.cheaper[player][mate]) for mate in mates] for player in (one, other)
        ]
        turning = [one, other] if kinds[here] != kinds[there] else []
        trades = [self._all_trades(player) for player in turning]
        draft.exchange(number, place[one], place[other])
        self._reprice(one, mates, before[0])
        self._reprice(other, mates, before[1])
        self._replace(number, here, one, other)
        self._replace(number, there, other, one)
        where[one], where[other] = there, here
        place[one], place[other] = place[other], place[one]
        for player in (one, other):
            self.leaving[number][player] = self._saved(number, player)
        for player, traded in zip(turning, trades, strict=True):
            self._retrade(player, traded)

    def _reprice(self, player: int, mates: list[int], before: list[tuple[int, int]]) -> None:
        """After the player's meetings with these have changed; `before` were prices of their next and last one."""
        dearer, cheaper, twice = self.draft.dearer[player], self.draft.cheaper[player], self.twice
        rises = [(mate, dearer[mate] - price) for mate, (price, _) in zip(mates, before, strict=True)]
        saves = [(mate, cheaper[mate] - price) for mate, (_, price) in zip(mates, before, strict=True)]
        rises, saves = [rise for rise in rises if rise[1]], [save for save in saves if save[1]]
        for mate, rise in rises:
            twice[player][mate] += 2 * rise
            twice[mate][player] += 2 * rise
        for rows, where, leaving in zip(self.coming, self.where, self.leaving, strict=True):
            group = where[player]
            row = rows[group]
            for mate, rise in rises:
                row[mate] += rise
                rows[where[mate]][player] += rise
            for mate, save in saves:
                if where[mate] == group:
                    leaving[player] += save
                    leaving[mate] += save

    def _replace(self, number: int, group: int, gone: int, come: int) -> None:
        """Puts a player in place of another of a group; what those two save by leaving is left alone."""
        members, dearer = self.members[number][group], self.draft.dearer
        cheaper, leaving = self.draft.cheaper, self.leaving[number]
        members[members.index(gone)] = come
        row, added, taken = self.coming[number][group], dearer[come], dearer[gone]
        self.coming[number][group] = [row[player] + added[player] - taken[player] for player in range(self.players)]
        for mate in members:
            leaving[mate] += cheaper[come][mate] - cheaper[gone][mate]

    def _all_trades(self, player: int) -> list[list[int]]:
        """The trades of the player in each round; none where he has no place."""
        return [self._trades(number, player) if row[player] >= 0 else [] for number, row in enumerate(self.where)]

    def _retrade(self, player: int, before: list[list[int]]) -> None:
        """After the player's turns have changed."""
        for kinds, rows, old, new in zip(self.kinds, self.coming, before, self._all_trades(player), strict=True):
            if new:
                for kind, row in zip(kinds, rows, strict=False):
                    row[player] += new[kind] - old[kind]


def _grouped(seats: list[int], sizes: tuple[int, ...]) -> list[list[int]]:
    """The players of each table, then those behind the tables one by one."""
    found = []
    first = 0
    for size in sizes:
        found.append(seats[first : first + size])
        first += size
    return found + [[player] for player in seats[first:]]


def _firsts(groups: list[list[int]]) -> list[int]:
    """The first place of each group."""
    return list(accumulate(map(len, groups[:-1]), initial=0))
