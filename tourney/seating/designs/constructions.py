"""Rounds without repeats by construction, at tables of one size or, by truncated designs, of two.

Players are in `size` columns of `tables` rows. In round s the player at row x of column i goes to table x + M[s][i],
added in a group of order `tables`. Two players of columns i and j meet when their rows differ by M[s][i] - M[s][j]; so
nobody meets twice if, for every two columns, these differences are distinct over the rounds. Players of one column
never meet, which leaves one more round inside the columns if tables can be filled there.

A truncated design leaves players out. Each round then has as many tables that lack a player as players were left out.
Where two players left out share a table, another player moves to it. The choice of players to leave out, and of rounds
of the design to play, decides how level the rounds at a smaller table are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Final

from tourney.seating.designs.cyclic import cyclic_design
from tourney.seating.model import Groups, Method
from tourney.seating.quality.metrics import meetings, spread
from tourney.seating.rng import Rng, shuffled

MAX_CHOICES: Final = 1_500
"""The most choices of rounds and players evaluated."""

STRANGER_CHOICES: Final = 300
"""Once this many choices have found no players who never meet, players who do meet are left out."""


Places = dict[int, list[int]]
"""The table of each player in one round."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """Rounds of a design to play, players to leave out, and the spread and sum of squares of smaller-table rounds."""

    rounds: tuple[int, ...]
    dropped: tuple[int, ...]
    unevenness: tuple[int, int]


def truncate(groups: Groups, rounds: int, missing: int, rng: Rng) -> Groups:
    """Return rounds of the design without `missing` players, renumbered, larger tables first.

    At most `rounds` of them, fewer if the design has fewer. If no players were found who never meet, some round has a
    few repeats.
    """
    best: Truncation | None = None
    places = [_table_of(tables) for tables in groups]
    for number in range(MAX_CHOICES if missing > 1 else 1):
        choice = _choose(places, rounds, missing, number < STRANGER_CHOICES or best is not None, rng)
        if choice is not None and (best is None or choice.unevenness < best.unevenness):
            best = choice
        if best is not None and best.unevenness[0] <= 1:
            break
    assert best is not None, "players at one table can always be dropped"
    return _filled(_without(groups, best))


def _choose(places: list[Places], rounds: int, missing: int, strangers: bool, rng: Rng) -> Truncation | None:
    """Draw a choice of `strangers`, who never meet, or else of players of one table; None if the draw finds none."""
    order = shuffled(list(range(len(places))), rng)
    numbers, spare = sorted(order[:rounds]), order[rounds:]
    tables = [places[number] for number in numbers]
    if strangers and spare and rng() < 0.5:
        # The players of a table of a round that is not played meet all others about equally often.
        dropped = shuffled(places[spare[0]][int(rng() * len(places[0]))], rng)[:missing]
    elif strangers:
        dropped = _drawn_strangers(tables, missing, rng)
    else:
        shared = tables[int(rng() * len(tables))][int(rng() * len(places[0]))]
        dropped = shuffled(shared, rng)[:missing]
    if len(dropped) < missing:
        return None
    smaller_rounds = [0] * len(places[0])
    for player in (player for table_of in tables for other in dropped for player in table_of[other]):
        smaller_rounds[player] += 1
    for player in sorted(dropped, reverse=True):
        del smaller_rounds[player]
    return Truncation(
        tuple(numbers), tuple(dropped), (spread(smaller_rounds), sum(count * count for count in smaller_rounds))
    )


def _drawn_strangers(tables: list[Places], missing: int, rng: Rng) -> list[int]:
    """Draw `missing` players who never meet, or fewer if the draw finds no more."""
    dropped: list[int] = []
    for _ in range(8 * missing):
        if len(dropped) == missing:
            break
        player = int(rng() * len(tables[0]))
        if all(player not in table_of[other] for other in dropped for table_of in tables):
            dropped.append(player)
    return dropped


def _table_of(tables: list[list[int]]) -> Places:
    return {player: table for table in tables for player in table}


def _without(groups: Groups, choice: Truncation) -> Groups:
    players = sum(len(table) for table in groups[0])
    remaining = [player for player in range(players) if player not in choice.dropped]
    new = {player: number for number, player in enumerate(remaining)}
    return [
        [[new[player] for player in table if player in new] for table in groups[number]] for number in choice.rounds
    ]


def _filled(groups: Groups) -> Groups:
    """Return the rounds after moving players from full tables to those that lack two or more, larger tables first.

    The players moved are those who add the fewest repeats.
    """
    met = meetings(groups)
    for tables in groups:
        size = max(map(len, tables))
        while len(low := min(tables, key=len)) < size - 1:
            full = (table for table in tables if len(table) == size)
            options = ((_repeats(player, table, low, met), player, table) for table in full for player in table)
            _, player, table = min(options)
            table.remove(player)
            _count(player, table, met, -1)
            _count(player, low, met, 1)
            low.append(player)
        tables.sort(key=len, reverse=True)
    return groups


def _repeats(player: int, table: list[int], low: list[int], met: dict[tuple[int, int], int]) -> int:
    """Return how many repeats are added if the player moves from one table to the other."""
    new = sum(_times(player, other, met) > 0 for other in low)
    return new - sum(_times(player, other, met) > 1 for other in table if other != player)


def _count(player: int, others: list[int], met: dict[tuple[int, int], int], by: int) -> None:
    for other in others:
        pair = min(player, other), max(player, other)
        met[pair] = met.get(pair, 0) + by


def _times(player: int, other: int, met: dict[tuple[int, int], int]) -> int:
    return met.get((min(player, other), max(player, other)), 0)


Add = Callable[[int, int], int]
Offsets = list[list[int]]

SEARCH_STEPS = 20_000
"""Offsets that the backtracking search may try: a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Design:
    """Rounds without repeats, and the construction that gives them."""

    rounds: Groups
    method: Method


def design(tables: int, size: int, rounds: int) -> Design:
    """Return rounds of `tables` tables of `size` without repeats: as many as wanted, or all that are known.

    Player numbers are 0 .. tables * size - 1. There is always at least one round.
    """
    if size == 2:
        return Design(_circle_method(2 * tables, rounds), "round robin")
    by_columns = _by_columns(tables, size, rounds)
    base = cyclic_design(tables, size)
    if base is not None and len(by_columns.rounds) < min(rounds, base.rounds):
        return Design(base.develop()[:rounds], "base round")
    return by_columns


def _by_columns(tables: int, size: int, rounds: int) -> Design:
    inside = tables % size == 0
    wanted = rounds - 1 if inside else rounds
    columns = _columns(tables, size, max(1, wanted))
    groups = [_column_round(row, tables, columns.add) for row in columns.offsets]
    if inside and len(groups) < rounds:
        groups.append(_inside_columns(tables, size))
    return Design(groups, columns.method)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Offsets M, a row for each round, the addition of their group, and how they were found."""

    offsets: Offsets
    add: Add
    method: Method


def _columns(tables: int, size: int, rounds: int) -> _Columns:
    """Return up to `rounds` rows of offsets: cyclic multiples, field multiples, or rows found by search."""

    def add_cyclic(first: int, second: int) -> int:
        return (first + second) % tables

    multiples = _cyclic_rounds(tables, size)
    if multiples < rounds and tables >= size and (power := prime_power(tables)) is not None:
        return _field_columns(*power, size, min(rounds, tables))
    rows = [[row * column % tables for column in range(size)] for row in range(min(rounds, multiples))]
    searched = _searched_offsets(tables, size, rounds) if multiples < rounds else []
    if len(searched) > len(rows):
        return _Columns(searched, add_cyclic, "columns by search")
    return _Columns(rows, add_cyclic, "cyclic multiples")


def _cyclic_rounds(tables: int, size: int) -> int:
    """Return how many rows M[s][i] = s * i modulo `tables` has.

    No a * d with 0 < a < rows and 0 < d < size may be 0 modulo `tables`.
    """
    rows = 1
    while all(rows * step % tables for step in range(1, size)):
        rows += 1
    return rows


def _field_columns(prime: int, degree: int, size: int, rounds: int) -> _Columns:
    """Return M[s][i] = s * i in the field of prime ** degree elements: no two non-zero elements give zero."""
    powers = _powers_of_generator(prime, degree)
    order = len(powers)
    exponent = {element: place for place, element in enumerate(powers)}

    def times(first: int, second: int) -> int:
        return 0 if 0 in (first, second) else powers[(exponent[first] + exponent[second]) % order]

    def add(first: int, second: int) -> int:
        pairs = zip(_digits(first, prime, degree), _digits(second, prime, degree), strict=True)
        return _number([(a + b) % prime for a, b in pairs], prime)

    rows = [[times(row, column) for column in range(size)] for row in range(rounds)]
    return _Columns(rows, add, "field multiples")


def prime_power(number: int) -> tuple[int, int] | None:
    """Return (prime, exponent) if the number is a power of one prime, else None."""
    prime = next((factor for factor in range(2, number + 1) if number % factor == 0), 0)
    exponent = 0
    while prime and number % prime == 0:
        number //= prime
        exponent += 1
    return (prime, exponent) if prime and number == 1 else None


def _powers_of_generator(prime: int, degree: int) -> list[int]:
    """Return all non-zero elements of a finite field as powers of x, where x ** degree is a lower polynomial.

    Elements are numbers whose digits to the base `prime` are a polynomial's coefficients. The first polynomial whose x
    has the full order makes a field, since every non-zero element is then a power.
    """
    for tail in product(range(prime), repeat=degree):
        powers, element = [1], _times_x([1] + [0] * (degree - 1), tail, prime)
        while (number := _number(element, prime)) not in (0, 1) and len(powers) < prime**degree:
            powers.append(number)
            element = _times_x(element, tail, prime)
        if number == 1 and len(powers) == prime**degree - 1:
            return powers
    raise AssertionError(f"every finite field has a generator, {prime}**{degree} too")


def _times_x(element: list[int], tail: tuple[int, ...], prime: int) -> list[int]:
    moved = [0, *element[:-1]]
    return [(low + element[-1] * high) % prime for low, high in zip(moved, tail, strict=True)]


def _digits(number: int, base: int, length: int) -> list[int]:
    return [number // base**place % base for place in range(length)]


def _number(digits: list[int], base: int) -> int:
    return sum(digit * base**place for place, digit in enumerate(digits))


class _OffsetSearch:
    """Backtracking for offset rows, column by column, in a bounded number of steps.

    The first column is 0 and the second counts the rounds, since any solution can be transformed into such a one.
    """

    def __init__(self, tables: int, size: int, rounds: int) -> None:
        self.tables, self.size, self.rounds = tables, size, rounds
        self.best: Offsets = [[0] * size]
        self.steps = SEARCH_STEPS
        pairs = [(low, high) for high in range(size) for low in range(high)]
        self.used = {pair: {0} for pair in pairs}

    def extend(self, rows: Offsets, row: list[int]) -> bool:
        """Complete this row and the following ones; True once the search is over."""
        column = len(row)
        if column == self.size:
            return self._next_row([*rows, row])
        return any(self._try(rows, row, value) for value in range(self.tables))

    def _next_row(self, rows: Offsets) -> bool:
        if len(rows) > len(self.best):
            self.best = rows
        return len(rows) == self.rounds or self.extend(rows, [0, len(rows)])

    def _try(self, rows: Offsets, row: list[int], value: int) -> bool:
        self.steps -= 1
        if self.steps < 0:
            return True
        column = len(row)
        gaps = [(self.used[low, column], (value - row[low]) % self.tables) for low in range(column)]
        if any(gap in used for used, gap in gaps):
            return False
        for used, gap in gaps:
            used.add(gap)
        done = self.extend(rows, [*row, value])
        for used, gap in gaps:
            used.discard(gap)
        return done


def _searched_offsets(tables: int, size: int, rounds: int) -> Offsets:
    """Return the longest list of offset rows that a backtracking search of bounded length finds."""
    search = _OffsetSearch(tables, size, min(rounds, tables))
    if search.rounds > 1:
        search.extend([[0] * size], [0, 1])
    return search.best


def _column_round(offsets: list[int], tables: int, add: Add) -> list[list[int]]:
    seated: list[list[int]] = [[] for _ in range(tables)]
    for column, offset in enumerate(offsets):
        for row in range(tables):
            seated[add(row, offset)].append(column * tables + row)
    return seated


def _inside_columns(tables: int, size: int) -> list[list[int]]:
    return [list(range(first, first + size)) for first in range(0, tables * size, size)]


def _circle_method(players: int, rounds: int) -> Groups:
    """Return rounds of tables of two until everybody has met everybody: one player stays, the others rotate."""
    turning = players - 1
    return [
        [[turning, turn]] + [[(turn + step) % turning, (turn - step) % turning] for step in range(1, players // 2)]
        for turn in range(min(rounds, turning))
    ]
