"""Seats by edge colouring: no block of a player's rounds has one seat twice.

Where all tables are equal such seats always exist: split the rounds of each player into blocks of as many rounds as a
table has seats, and colour the edges of the bipartite graph of blocks and tables. Among smaller tables the high seats
of the larger ones are matched first; that succeeds by Hall's theorem, because such a table has more places than any
block has rounds, and it leaves equal tables.
"""

from collections import deque


def colour_seats(tables: list[list[int]]) -> list[list[int]]:
    """Return these tables with their players in seat order.

    Of any s rounds that a player plays in a row, counted from the first in steps of s, where s is the size of the
    smallest table, no two give the player one seat twice.
    """
    smallest = min((len(table) for table in tables), default=1)
    player_of, edges = _blocks(tables, smallest)
    colouring = _Colouring(edges, len(player_of))
    for seats in range(max((len(table) for table in tables), default=0), smallest, -1):
        large = [number for number, table in enumerate(tables) if len(table) >= seats]
        colouring.match_seat(seats - 1, large)
    colouring.colour_rest()
    return [
        [player_of[colouring.block_at[number][seat]] for seat in range(len(table))]
        for number, table in enumerate(tables)
    ]


def _blocks(tables: list[list[int]], length: int) -> tuple[list[int], list[list[int]]]:
    """Return the player of each block of `length` rounds, and for each table the blocks that sit there."""
    player_of: list[int] = []
    current: dict[int, int] = {}
    played: dict[int, int] = {}
    edges = []
    for table in tables:
        for player in table:
            if played.get(player, 0) % length == 0:
                current[player] = len(player_of)
                player_of.append(player)
            played[player] = played.get(player, 0) + 1
        edges.append([current[player] for player in table])
    return player_of, edges


class _Colouring:
    """A growing proper colouring: `block_at[table][seat]` and `table_at[block][seat]` mirror each other."""

    def __init__(self, edges: list[list[int]], blocks: int) -> None:
        self.open = [list(row) for row in edges]
        self.block_at: list[dict[int, int]] = [{} for _ in edges]
        self.table_at: list[dict[int, int]] = [{} for _ in range(blocks)]

    def match_seat(self, seat: int, tables: list[int]) -> None:
        """Give this seat of each of the tables to a block of its own, by augmenting paths."""
        for table in tables:
            self._augment(seat, table)
        for table in tables:
            self.open[table].remove(self.block_at[table][seat])

    def _augment(self, seat: int, start: int) -> None:
        came_from: dict[int, int] = {}
        waiting = deque([start])
        while waiting:
            table = waiting.popleft()
            for block in self.open[table]:
                if block in came_from:
                    continue
                came_from[block] = table
                taken = self.table_at[block].get(seat)
                if taken is None:
                    self._shift(seat, block, came_from)
                    return
                waiting.append(taken)
        raise AssertionError("Hall's condition holds: a table has more open places than a block has rounds")

    def _shift(self, seat: int, block: int, came_from: dict[int, int]) -> None:
        """Walk the augmenting path back, each table taking the block it was reached by."""
        while True:
            table = came_from[block]
            given_up = self.block_at[table].get(seat)
            self.block_at[table][seat] = block
            self.table_at[block][seat] = table
            if given_up is None:
                return
            block = given_up

    def colour_rest(self) -> None:
        """Colour every open edge with the lowest seats of its table (König: the degree is enough)."""
        for table, blocks in enumerate(self.open):
            for block in blocks:
                seat = _first_free(self.block_at[table])
                if seat in self.table_at[block]:
                    self._flip(block, seat, _first_free(self.table_at[block]))
                self.block_at[table][seat] = block
                self.table_at[block][seat] = table

    def _flip(self, block: int, seat: int, other: int) -> None:
        """Swap the two seats along the path from this block, for which `seat` is then free."""
        path: list[tuple[int, int, int]] = []
        at_block, wanted, end = True, seat, block
        while (step := (self.table_at[end] if at_block else self.block_at[end]).get(wanted)) is not None:
            path.append((step, end, wanted) if at_block else (end, step, wanted))
            end, at_block, wanted = step, not at_block, other if wanted == seat else seat
        for table, holder, old in path:
            del self.block_at[table][old], self.table_at[holder][old]
        for table, holder, old in path:
            new = other if old == seat else seat
            self.block_at[table][new] = holder
            self.table_at[holder][new] = table


def _first_free(taken: dict[int, int]) -> int:
    seat = 0
    while seat in taken:
        seat += 1
    return seat
