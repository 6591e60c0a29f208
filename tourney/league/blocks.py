"""The outcome of a block of games as a value, as canonical text and as a hash, and histograms of its fuel.

A histogram is the largest cost, and then pairs of a bin and how many answers are in it. A bin holds the costs with the
same first six binary digits, so that a quantile is at most 1 part in 32 above the true one.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise, zip_longest
from operator import attrgetter
from typing import Any, Final

from tourney.domain.leagues import FAULT_COST, FAULT_KINDS, League
from tourney.league.designs import PlannedGame
from tourney.storage.journal.canonical import bounded

Histogram = tuple[int, ...]
DIGITS: Final = 6


def histogram(costs: Iterable[int]) -> Histogram:
    """Return the histogram of these costs, empty for none."""
    costs = list(costs)
    return _written(max(costs), Counter(map(_bin, costs))) if costs else ()


def merged(ours: Histogram, theirs: Histogram) -> Histogram:
    """Return the histogram of both."""
    if not ours or not theirs:
        return ours or theirs
    return _written(max(ours[0], theirs[0]), Counter(dict(_bins(ours))) + Counter(dict(_bins(theirs))))


def quantile(costs: Histogram, share: float) -> int:
    """Return the cost that this share of the answers does not exceed, rounded up to the end of its bin."""
    bins = list(_bins(costs))
    wanted = share * sum(count for _bin, count in bins)
    passed = 0
    for number, count in bins:
        passed += count
        if passed >= wanted:
            return min(costs[0], _end(number))
    return costs[0]


def is_histogram(values: Histogram) -> bool:
    """Return whether the values are such as `histogram` returns for some costs: the largest, and counts by bin."""
    if len(values) < 3 or len(values) % 2 == 0 or not all(type(value) is int and value >= 0 for value in values):
        return False
    most, bins, counts = values[0], values[1::2], values[2::2]
    return list(bins) == sorted(set(bins)) and 0 not in counts and bins[-1] == _bin(most)


def _bin(cost: int) -> int:
    """Return the number of a bin: the number of binary digits beyond the first six, and those six."""
    beyond = max(0, cost.bit_length() - DIGITS)
    return (beyond << DIGITS) + (cost >> beyond)


def _end(number: int) -> int:
    """Return the largest cost of a bin."""
    beyond, first = number >> DIGITS, number & ((1 << DIGITS) - 1)
    return ((first + 1) << beyond) - 1


def _bins(costs: Histogram) -> Iterable[tuple[int, int]]:
    return list(pairwise(costs[1:]))[::2]


def _written(most: int, bins: Counter[int]) -> Histogram:
    return (most, *[value for pair in sorted(bins.items()) for value in pair])


FORMAT = 1
"""Version of a block's text."""
MOST = 10**12
"""The largest number that a block of another computer may have."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """One game: its seating, and by seat points, places (1 best) and money (only in the knock game).

    `deal` is the number of its deal in the block, from 0: games of one deal have the same cards. `hands` is the number
    of hands dealt. `faults` by seat, left out where nobody had any.
    """

    deal: int
    hands: int
    seating: tuple[int, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    money: tuple[int, ...] = ()
    faults: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EntrantTotals:
    """The totals of an entrant over all its seats.

    `hands` are hands of the games that it sat in, a hand counted once for each of its seats. `contracts` are its
    points in the first, second, … hand of all games; the knock game, whose hands are no contracts, has none.
    `faults_by_kind` counts the faults in the order of FAULT_KINDS, and is left out where there are none. `fuel` is what
    the answers of a module have cost, and is left out for other bots.
    """

    hands: int = 0
    points: int = 0
    money: int = 0
    closes: int = 0
    claims: int = 0
    faults: int = 0
    contracts: tuple[int, ...] = ()
    faults_by_kind: tuple[int, ...] = ()
    fuel: Histogram = ()

    def plus(self, other: "EntrantTotals") -> "EntrantTotals":
        """Return the sum of these totals and the other ones."""
        return EntrantTotals(
            self.hands + other.hands,
            self.points + other.points,
            self.money + other.money,
            self.closes + other.closes,
            self.claims + other.claims,
            self.faults + other.faults,
            _sums(self.contracts, other.contracts),
            _sums(self.faults_by_kind, other.faults_by_kind),
            merged(self.fuel, other.fuel),
        )


def _sums(ours: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([our + their for our, their in zip_longest(ours, theirs, fillvalue=0)])


@dataclass(frozen=True, slots=True)
class BlockOutcome:
    """The outcome of a block's games, with totals for each entrant, whether it played or not."""

    number: int
    games: tuple[GameOutcome, ...]
    totals: tuple[EntrantTotals, ...]

    @property
    def hands(self) -> int:
        """The number of hands dealt."""
        return sum(game.hands for game in self.games)


_COLUMNS = {row: attrgetter(*row.__slots__) for row in (GameOutcome, EntrantTotals)}
_ALWAYS = {GameOutcome: 6, EntrantTotals: 7}
"""The fields that every row has; those after them are left out where they are empty, as in all blocks before them."""


def _columns(row: GameOutcome | EntrantTotals) -> Sequence[int | tuple[int, ...]]:
    """Return the fields of a row in their order; `dataclasses.astuple`, which copies deeply, is slow."""
    columns: tuple[int | tuple[int, ...], ...] = _COLUMNS[type(row)](row)
    always = _ALWAYS[type(row)]
    while len(columns) > always and columns[-1] == ():
        columns = columns[:-1]
    return columns


_LINES = json.JSONEncoder(separators=(",", ":"), default=_columns)


def write_block(outcome: BlockOutcome) -> str:
    """Return the block as the line that is hashed and kept; `read_block` is the inverse."""
    return _LINES.encode([FORMAT, outcome.number, outcome.games, outcome.totals])


def read_block(text: str) -> BlockOutcome:
    """Return the block of such a line. Raises ValueError for any other text."""
    try:
        version, number, games, totals = json.loads(bounded(text))
        if version != FORMAT:
            raise ValueError(f"version {version} of blocks is not known here")
        return BlockOutcome(number, tuple(map(_game, games)), tuple(map(_totals, totals)))
    except TypeError as error:
        raise ValueError("not a block") from error


# Types are not checked: a line that `write_block` did not write does not have its hash.
def _game(row: list[Any]) -> GameOutcome:
    return GameOutcome(*_tuples(row))


def _totals(row: list[Any]) -> EntrantTotals:
    return EntrantTotals(*_tuples(row))


def _tuples(row: list[Any]) -> list[Any]:
    return [tuple(value) if isinstance(value, list) else value for value in row]


def follows_from(outcome: BlockOutcome, planned: Sequence[PlannedGame]) -> bool:
    """Return whether a block has the planned games, with possible numbers, and totals that are their sums.

    Blocks of earlier versions have faults in their totals only, and not by kind.
    """
    seatings = [(game.deal, game.seating) for game in planned]
    if not planned or [(game.deal, game.seating) for game in outcome.games] != seatings:
        return False
    entrants = 1 + max(max(game.seating) for game in planned)
    sums = [[0, 0, 0, 0] for _entrant in range(entrants)]
    for game in outcome.games:
        if not _is_possible(game):
            return False
        nothing = (0,) * len(game.seating)
        for entrant, *row in zip(game.seating, game.points, game.money or nothing, game.faults or nothing, strict=True):
            sums[entrant] = [total + new for total, new in zip(sums[entrant], (game.hands, *row), strict=True)]
    counted = any(game.faults for game in outcome.games)
    longest = max(game.hands for game in outcome.games)
    sound = all(_is_sound(row, counted, longest) for row in outcome.totals)
    return sound and sums == [
        [row.hands, row.points, row.money, row.faults if counted else 0] for row in outcome.totals
    ]


def _is_possible(game: GameOutcome) -> bool:
    """Return whether each seat of a game has whole numbers of possible size, and a place that its points allow."""
    seats = len(game.seating)
    columns = [game.points, game.places, *[column for column in (game.money, game.faults) if column]]
    if {len(column) for column in columns} != {seats} or not _are_numbers((game.hands, *game.places, *game.faults), 0):
        return False
    if not _are_numbers((*game.points, *game.money)) or not {*game.places} <= {*range(1, seats + 1)}:
        return False
    by_place = [points for _place, points in sorted(zip(game.places, game.points, strict=True))]
    return game.hands > 0 and (bool(game.money) or by_place == sorted(game.points))


def _is_sound(totals: EntrantTotals, counted: bool, longest: int) -> bool:
    """Return whether totals of games of at most `longest` hands have possible numbers which agree with one another."""
    kinds, contracts = totals.faults_by_kind, totals.contracts
    counts = (totals.hands, totals.closes, totals.claims, totals.faults, *kinds)
    if not _are_numbers(counts, 0) or not _are_numbers((totals.points, totals.money, *contracts)):
        return False
    if contracts and (len(contracts) > longest or sum(contracts) != totals.points):
        return False
    if kinds:
        by_kind = counted and len(kinds) == len(FAULT_KINDS) and sum(kinds) == totals.faults
    else:
        by_kind = not (counted and totals.faults)
    return by_kind and totals.closes <= totals.hands and (not totals.fuel or is_histogram(totals.fuel))


def _are_numbers(values: Sequence[object], least: int = -MOST) -> bool:
    """Return whether all are whole numbers from the least to MOST."""
    return all(type(value) is int and least <= value <= MOST for value in values)


def block_hash(text: str) -> str:
    """Return the SHA-256 of the block's line in UTF-8, hexadecimal."""
    return sha256(text.encode()).hexdigest()


class LeagueHash:
    """SHA-256 over the settings that determine a league's play, and the hashes of its blocks in order, a line each.

    The league's length and the records that it keeps are left out, the folders of bots from outside, and the level at
    which they play, since they play alike at each. What faults cost is in it if the organiser has set it.
    """

    def __init__(self, league: League) -> None:
        outside = {bot.name: bot.identity for bot in league.outside}
        bots = [outside.get(bot, bot) for bot in league.bots]
        settings = [bots, league.rules_digest, league.seats, league.design, league.seed, league.stake]
        settings += [league.book_digest] if league.book else []
        settings += [{"fault_cost": league.fault_cost}] if league.fault_cost != FAULT_COST else []
        self._hash = sha256(json.dumps(settings, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")

    def add(self, text: str) -> None:
        """Add the next block."""
        self._hash.update(f"{block_hash(text)}\n".encode())

    def text(self) -> str:
        """Return the hash so far, hexadecimal."""
        return self._hash.hexdigest()
