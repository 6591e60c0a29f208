"""Two coming rounds seated anew beside the others: nobody meets again in them, and as few tables change as can be.

All ways are tried, those with few changed tables first. Where rounds are so full of meetings that exchanging players
hardly finds a way, there are few of them. A table is a number, whose bits are its players.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from tourney.seating.repair.greedy import Coming

STEPS: Final = 100_000
"""Tables begun, and tables added to a round: a tenth of a second."""

Tables = tuple[int, ...]

Ways = list[list[tuple[bool, int, int]]]
"""By its lowest player each table that there could be: whether it is not as planned, its players, and its size."""


class _OutOfSteps(Exception):
    """Not all was tried."""


class TwoRounds:
    """Looks for seatings of two rounds, for so many steps; `strangers[p]` are those whom p may meet there once, as
    bits."""

    def __init__(self, one: Coming, other: Coming, strangers: Sequence[int]) -> None:
        self._one, self._other, self._strangers = one, other, strangers
        self._left = STEPS

    def fewest(self, most: int) -> list[list[list[int]]] | None:
        """Tables of both rounds, of which as few as can be and no more than `most` are not as planned.

        None if there are none, or none was found before the steps gave out.
        """
        one, other = self._one, self._other
        try:
            ways = self._ways(one, self._strangers)
            for changed in range(one.least + other.least, most + 1):
                for new, tables in self._covers(one, ways, changed - other.least):
                    left = _parted(self._strangers, tables)
                    if len(other.sizes) - _stay(other, left) > changed - new:
                        continue
                    for _new, beside in self._covers(other, self._ways(other, left), changed - new):
                        return [[_members(table) for table in tables], [_members(table) for table in beside]]
        except _OutOfSteps:
            pass
        return None

    def _ways(self, round_: Coming, strangers: Sequence[int]) -> Ways:
        """All tables of strangers in that round, those as planned first."""
        planned = {_bits(table) for table in round_.planned}
        here, ways = _bits(round_.here), Ways()
        for player, others in enumerate(strangers):
            later = others & here & ~((2 << player) - 1)
            tables = self._tables(1 << player, later, strangers, round_.sizes) if here >> player & 1 else ()
            ways.append(sorted((table not in planned, table, table.bit_count()) for table in tables))
        return ways

    def _tables(self, begun: int, others: int, strangers: Sequence[int], sizes: Sequence[int]) -> Iterator[int]:
        """The table begun with some of the others, who are strangers to all of it, in any of these sizes."""
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

    def _covers(self, round_: Coming, ways: Ways, most: int) -> Iterator[tuple[int, Tables]]:
        """The rounds of such tables with no more than so many that are not as planned, and that number."""
        planned = [table for row in ways for new, table, _size in row if not new]
        return self._seated(ways, planned, _bits(round_.here), Counter(round_.sizes), most)

    def _seated(
        self, ways: Ways, planned: list[int], waiting: int, room: Counter[int], most: int
    ) -> Iterator[tuple[int, Tables]]:
        self._step()
        if not waiting:
            yield 0, ()
            return
        planned = [table for table in planned if not table & ~waiting]
        if room.total() - len(planned) > most:
            return
        for new, table, size in ways[(waiting & -waiting).bit_length() - 1]:
            if new > most:
                return
            if room[size] and not table & ~waiting:
                room[size] -= 1
                for more, tables in self._seated(ways, planned, waiting & ~table, room, most - new):
                    yield new + more, (table, *tables)
                room[size] += 1

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _OutOfSteps


def _parted(strangers: Sequence[int], tables: Tables) -> list[int]:
    """Who may still meet after these tables."""
    left = list(strangers)
    for table in tables:
        for player in _members(table):
            left[player] &= ~table
    return left


def _stay(round_: Coming, strangers: Sequence[int]) -> int:
    """At how many of the planned tables all are strangers."""
    tables = [_bits(round_.planned[number]) for number in round_.whole]
    return sum(all(not table & ~(strangers[one] | 1 << one) for one in _members(table)) for table in tables)


def _bits(players: Sequence[int] | set[int]) -> int:
    return sum(1 << player for player in players)


def _members(table: int) -> list[int]:
    return [player for player in range(table.bit_length()) if table >> player & 1]
