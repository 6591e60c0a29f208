"""The words of a league: what a block gave, as a value, as canonical text and as a hash."""

import json
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest

from tourney.domain.leagues import League

FORMAT = 1
"""Version of a block's text."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """One game: which entrant sat where, and by seat points, places (1 best) and money (none but in the knock game).

    `deal` is its number in the block, from 0: games of one deal have the same cards. `hands` is how many were dealt.
    """

    deal: int
    hands: int
    seating: tuple[int, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    money: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """What an entrant did in a block, over all its seats.

    `hands` are hands of the games that it sat in, a hand counted once for each of its seats. `contracts` are its
    points in the first, second, … hand of all games; in the knock game, whose hands are no contracts, there are none.
    """

    hands: int = 0
    points: int = 0
    money: int = 0
    closes: int = 0
    claims: int = 0
    faults: int = 0
    contracts: tuple[int, ...] = ()

    def plus(self, other: "Share") -> "Share":
        """Both together, of one entrant."""
        contracts = zip_longest(self.contracts, other.contracts, fillvalue=0)
        return Share(
            self.hands + other.hands,
            self.points + other.points,
            self.money + other.money,
            self.closes + other.closes,
            self.claims + other.claims,
            self.faults + other.faults,
            tuple([one + another for one, another in contracts]),
        )


@dataclass(frozen=True, slots=True)
class BlockOutcome:
    """What the games of a block gave; a share for each entrant, whether it played or not."""

    number: int
    games: tuple[GameOutcome, ...]
    shares: tuple[Share, ...]

    @property
    def hands(self) -> int:
        """How many hands were dealt."""
        return sum(game.hands for game in self.games)


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot that failed in a game of a block (from 0): what it did, and the traceback of that."""

    block: int
    game: int
    hand: int
    entrant: int
    what: str
    trace: str


def _columns(row: GameOutcome | Share) -> list[int | tuple[int, ...]]:
    """The fields of a row in their order; `dataclasses.astuple`, which copies all that is in them, is slow."""
    return [getattr(row, name) for name in row.__slots__]


_LINES = json.JSONEncoder(separators=(",", ":"), default=_columns)


def write_block(outcome: BlockOutcome) -> str:
    """The block as the line that is hashed and kept; `read_block` gives it back equal."""
    return _LINES.encode([FORMAT, outcome.number, outcome.games, outcome.shares])


def read_block(text: str) -> BlockOutcome:
    """The block of such a line. Raises ValueError for any other text."""
    try:
        version, number, games, shares = json.loads(text)
        if version != FORMAT:
            raise ValueError(f"version {version} of blocks is not known here")
        return BlockOutcome(number, tuple(map(_game, games)), tuple(map(_share, shares)))
    except TypeError as error:
        raise ValueError("it is no block") from error


# Rows are those that `write_block` wrote: a line that anything else wrote does not have its hash.
def _game(row: list[object]) -> GameOutcome:
    return GameOutcome(*[tuple(one) if isinstance(one, list) else one for one in row])  # type: ignore[arg-type]


def _share(row: list[object]) -> Share:
    return Share(*[tuple(one) if isinstance(one, list) else one for one in row])  # type: ignore[arg-type]


def block_hash(text: str) -> str:
    """SHA-256 of the block's line in UTF-8, hexadecimal."""
    return sha256(text.encode()).hexdigest()


class LeagueHash:
    """SHA-256 over what a league plays and the hashes of its blocks in order, a line each.

    It says what was played: how long the league was to last, and which records were kept, is not in it.
    """

    def __init__(self, league: League) -> None:
        what = [league.bots, league.rules_digest, league.seats, league.design, league.seed, league.stake]
        self._hash = sha256(json.dumps(what, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")

    def add(self, text: str) -> None:
        """Take the next block in."""
        self._hash.update(f"{block_hash(text)}\n".encode())

    def text(self) -> str:
        """The hash so far, hexadecimal."""
        return self._hash.hexdigest()
