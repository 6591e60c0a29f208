"""Pair repair: two coming rounds reseated beside the others without a repeat, with as few changed tables as possible.

All seatings are tried, those with few changed tables first. Where so many pairs have met that swapping players hardly
finds a seating, there are few to try. A table is a number whose bits are its players.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from tourney.seating.repair.greedy import PlannedRound

STEPS: Final = 100_000
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
        self._steps_left = STEPS

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
