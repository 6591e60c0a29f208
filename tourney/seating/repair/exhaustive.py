"""Exhaustive repair of the coming rounds of a small event, and of two rounds at once without a repeat.

As few tables as possible change, so that few players need new ones; a lower bound on the price of the remaining rounds
ends most branches early.

Of two rounds, all seatings are tried, first those with few changed tables. Where so many pairs have met that swapping
players hardly finds a seating, there are few to try. A table is a number whose bits are its players.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.repair.greedy import PlannedRound

PAIR_STEPS: Final = 100_000
"""The most tables begun and tables added to a round; they take a tenth of a second."""

Tables = tuple[int, ...]

TablesByPlayer = list[list[tuple[bool, int, int]]]
"""The possible tables by their lowest player: whether a table is not as planned, its players as bits, and its size."""


class _OutOfSteps(Exception):
    """The steps have run out before everything was tried."""


class PairRepair:
    """A search in limited steps for seatings of two rounds; `strangers[p]` are the players whom p may meet, as bits."""

    def __init__(self, first: PlannedRound, second: PlannedRound, strangers: Sequence[int]) -> None:
        self._first, self._second, self._strangers = first, second, strangers
        self._steps_left = PAIR_STEPS

    def fewest_changes(self, most: int) -> list[list[list[int]]] | None:
        """Return tables of both rounds with the fewest changes, no more than `most`.

        None if there are none, or none was found before the steps ran out.
        """
        first, second = self._first, self._second
        try:
            tables_by_player = self._tables_by_player(first, self._strangers)
            for changed in range(first.least + second.least, most + 1):
                for new, tables in self._exact_covers(first, tables_by_player, changed - second.least):
                    strangers = _strangers_after(self._strangers, tables)
                    if len(second.sizes) - _stayable(second, strangers) > changed - new:
                        continue
                    for _new, second_tables in self._exact_covers(
                        second, self._tables_by_player(second, strangers), changed - new
                    ):
                        return [[_members(table) for table in tables], [_members(table) for table in second_tables]]
        except _OutOfSteps:
            pass
        return None

    def _tables_by_player(self, round_: PlannedRound, strangers: Sequence[int]) -> TablesByPlayer:
        """Return all tables of strangers in that round, planned ones first."""
        planned = {_bits(table) for table in round_.planned}
        present, tables_by_player = _bits(round_.present), TablesByPlayer()
        for player, others in enumerate(strangers):
            later = others & present & ~((2 << player) - 1)
            tables = self._tables(1 << player, later, strangers, round_.sizes) if present >> player & 1 else ()
            tables_by_player.append(sorted((table not in planned, table, table.bit_count()) for table in tables))
        return tables_by_player

    def _tables(self, begun: int, others: int, strangers: Sequence[int], sizes: Sequence[int]) -> Iterator[int]:
        """Yield the table begun with some of the others, all strangers to one another, in any of these sizes."""
        self._step()
        size = begun.bit_count()
        if size in sizes:
            yield begun
        if size == max(sizes):
            return
        while others:
            player = others & -others
            others ^= player
            yield from self._tables(begun | player, others & strangers[player.bit_length() - 1], strangers, sizes)

    def _exact_covers(
        self, round_: PlannedRound, tables_by_player: TablesByPlayer, most: int
    ) -> Iterator[tuple[int, Tables]]:
        """Yield each round of such tables with at most `most` that are not as planned: that number, and the tables."""
        planned = [table for row in tables_by_player for new, table, _size in row if not new]
        return self._seated(tables_by_player, planned, _bits(round_.present), Counter(round_.sizes), most)

    def _seated(
        self, tables_by_player: TablesByPlayer, planned: list[int], waiting: int, room: Counter[int], most: int
    ) -> Iterator[tuple[int, Tables]]:
        self._step()
        if not waiting:
            yield 0, ()
            return
        planned = [table for table in planned if not table & ~waiting]
        if room.total() - len(planned) > most:
            return
        for new, table, size in tables_by_player[(waiting & -waiting).bit_length() - 1]:
            if new > most:
                return
            if room[size] and not table & ~waiting:
                room[size] -= 1
                for more, tables in self._seated(tables_by_player, planned, waiting & ~table, room, most - new):
                    yield new + more, (table, *tables)
                room[size] += 1

    def _step(self) -> None:
        self._steps_left -= 1
        if self._steps_left < 0:
            raise _OutOfSteps


def _strangers_after(strangers: Sequence[int], tables: Tables) -> list[int]:
    """Return the players whom each player may still meet after these tables, as bits."""
    remaining = list(strangers)
    for table in tables:
        for player in _members(table):
            remaining[player] &= ~table
    return remaining


def _stayable(round_: PlannedRound, strangers: Sequence[int]) -> int:
    """Count the planned tables at which all are strangers."""
    tables = [_bits(round_.planned[number]) for number in round_.intact]
    return sum(all(not table & ~(strangers[player] | 1 << player) for player in _members(table)) for table in tables)


def _bits(players: Sequence[int] | set[int]) -> int:
    return sum(1 << player for player in players)


def _members(table: int) -> list[int]:
    return [player for player in range(table.bit_length()) if table >> player & 1]


STEPS: Final = 100_000
"""The most tables begun; they take a fifth of a second."""

Waiting = tuple[tuple[int, ...], tuple[int, ...]]
"""Players of a round without a table, and the sizes of the tables for them, ascending."""

Seated = tuple[int, list[list[int]]]
"""The price of tables, and the tables."""


class ExhaustiveRepair:
    """A search for the cheapest seatings of the coming rounds, which stops after a fixed number of steps in all.

    `met` has the earlier meetings of each pair, `price_up` the price of one more by their number, never negative.
    """

    def __init__(self, upcoming: Sequence[PlannedRound], met: Sequence[Sequence[int]], price_up: Sequence[int]) -> None:
        self._coming = upcoming
        self._met = [list(row) for row in met]
        self._up = price_up
        self._steps_left = STEPS

    @property
    def out_of_steps(self) -> bool:
        """Return whether the steps have run out, so that nothing is proven."""
        return self._steps_left <= 0

    def cheapest_tables(self, most: int, extra: int) -> Groups | None:
        """Return the cheapest rounds that cost no more than `most`, with `extra` more planned tables opened.

        None if there are none. Once `out_of_steps`, the best found until then.
        """
        best: Groups | None = None
        for opened in _compositions(extra, [len(planned.sizes) - planned.least for planned in self._coming]):
            solution = self._with_kept(opened, [], most)
            if solution is not None:
                most, best = solution[0] - 1, solution[1]
            if self.out_of_steps:
                break
        return best

    def _with_kept(self, opened: Sequence[int], kept: list[list[list[int]]], most: int) -> tuple[int, Groups] | None:
        """Return the cheapest rounds with these tables in the first ones; in later rounds r, `opened[r]` are opened."""
        if len(kept) == len(opened):
            return self._with_all_kept(kept, most)
        best = None
        for tables in self._coming[len(kept)].all_choices(opened[len(kept)]):
            self._steps_left -= 1 + len(tables)
            if self.out_of_steps:
                break
            price = self._count(tables, 1)
            solution = self._with_kept(opened, [*kept, tables], most - price) if price <= most else None
            self._count(tables, -1)
            if solution is not None:
                best = price + solution[0], solution[1]
                most = best[0] - 1
        return best

    def _with_all_kept(self, kept: Sequence[Sequence[list[int]]], most: int) -> tuple[int, Groups] | None:
        """Return the cheapest rounds with these tables, which are counted already."""
        waiting = [self._waiting(*pair) for pair in zip(self._coming, kept, strict=True)]
        solution = self._rest(dict(enumerate(waiting)), most)
        return None if solution is None else (solution[0], [[*old, *solution[1][at]] for at, old in enumerate(kept)])

    def _waiting(self, planned: PlannedRound, kept: Sequence[list[int]]) -> Waiting:
        remaining = Counter(planned.sizes) - Counter(map(len, kept))
        return tuple(sorted(planned.present.difference(*kept))), tuple(sorted(remaining.elements()))

    def _rest(self, waiting: dict[int, Waiting], most: int) -> tuple[int, dict[int, list[list[int]]]] | None:
        """Return the cheapest tables for those waiting in these rounds; a round with few seatings comes first."""
        if not waiting:
            return 0, {}
        least: dict[int, int] = {}
        for number, (players, sizes) in waiting.items():
            price = self._least(players, sizes, most - sum(least.values()))
            if price is None:
                return None
            least[number] = price
        free = most - sum(least.values())
        seatings = {number: sorted(self._seatings(*waiting[number], least[number] + free)) for number in waiting}
        first = min(seatings, key=lambda number: len(seatings[number]))
        others = {number: group for number, group in waiting.items() if number != first}
        best: tuple[int, dict[int, list[list[int]]]] | None = None
        for price, tables in seatings[first]:
            if price > most:
                break
            self._count(tables, 1)
            solution = self._rest(others, most - price)
            self._count(tables, -1)
            if solution is not None:
                best = price + solution[0], {**solution[1], first: tables}
                most = best[0] - 1
        return best

    def _least(self, players: tuple[int, ...], sizes: tuple[int, ...], most: int) -> int | None:
        """Return the lowest price of seating these players; None if it is more than `most`."""
        best: int | None = None
        while most >= 0 and (solution := next(self._seatings(players, sizes, most), None)) is not None:
            best = solution[0]
            most = best - 1
        return best

    def _seatings(self, players: tuple[int, ...], sizes: tuple[int, ...], most: int) -> Iterator[Seated]:
        """Yield all seatings of these players that cost no more than `most`, by the table of the first player."""
        if not players:
            yield 0, []
        for place, size in enumerate(sizes):
            if place and sizes[place - 1] == size:
                continue
            rest = sizes[:place] + sizes[place + 1 :]
            for price, table in self._tables([players[0]], players[1:], size - 1, most):
                remaining = tuple(player for player in players if player not in table)
                for more, tables in self._seatings(remaining, rest, most - price):
                    yield price + more, [table, *tables]

    def _tables(
        self, begun: list[int], others: tuple[int, ...], free: int, most: int
    ) -> Iterator[tuple[int, list[int]]]:
        """Yield price and players of each table of `begun` and `free` of the others that costs no more than `most`."""
        self._steps_left -= 1
        if self.out_of_steps:
            return
        if not free:
            yield 0, begun
            return
        for place in range(len(others) - free + 1):
            met = self._met[others[place]]
            price = sum([self._up[met[player]] for player in begun])
            if price <= most:
                table = [*begun, others[place]]
                for more, full in self._tables(table, others[place + 1 :], free - 1, most - price):
                    yield price + more, full

    def _count(self, tables: Sequence[Sequence[int]], by: int) -> int:
        """Add (`by` 1) or remove (-1) the meetings of these tables; return their price beside the other meetings."""
        price = 0
        for player, other in (pair for table in tables for pair in combinations(table, 2)):
            count = self._met[player][other] + (by if by < 0 else 0)
            price += self._up[count]
            self._met[player][other] = self._met[other][player] = count + (by if by > 0 else 0)
        return price


def _compositions(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to split a number among places with these limits."""
    if not most:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most[0]) + 1):
        for rest in _compositions(total - first, most[1:]):
            yield (first, *rest)
