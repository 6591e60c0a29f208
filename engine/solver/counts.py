"""A *spread* holds one number for each rank, in four bits each: how many cards of it there are."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import Faces

RANKS: Final = 0x1FFF
"""The thirteen ranks of a suit, a bit each."""

ONES: Final = 0x1111111111111
TOPS: Final = 0x8888888888888
_LOWS: Final = 0x7777777777777
_EVEN: Final = 0x0F0F0F0F0F0F0F


def _spread(mask: int) -> int:
    return sum(1 << (4 * rank) for rank in range(13) if mask >> rank & 1)


SPREAD: Final[tuple[int, ...]] = tuple(_spread(mask) for mask in range(1 << 13))
"""The spread of each set of ranks: one for each rank in it."""

NUMBER: Final[tuple[int, ...]] = tuple(mask.bit_count() for mask in range(1 << 13))
"""How many ranks are in each set of ranks."""


def at_least(spread: i64, number: i64) -> i64:
    """The ranks whose number is so large or larger (from 1), as the top bits of their four."""
    if number <= 8:
        return ((spread & _LOWS) + (8 - number) * ONES | spread) & TOPS
    if number <= 15:
        return (spread & _LOWS) + (16 - number) * ONES & spread & TOPS
    return 0


def ranks_in(tops: i64) -> i64:
    """How many ranks these top bits stand for: the digits of a number in base 16 sum to it modulo 15."""
    return (tops >> 3) % 15


def rank_set(tops: i64) -> i64:
    """The ranks that these top bits stand for, a bit each: pairs of bits move together, then pairs of pairs."""
    ranks = tops >> 3
    ranks = (ranks | ranks >> 3) & 0x03030303030303
    ranks = (ranks | ranks >> 6) & 0x0F000F000F000F
    ranks = (ranks | ranks >> 12) & 0xFF000000FF
    return (ranks | ranks >> 24) & RANKS


def total(spread: i64) -> i64:
    """The sum of a spread's thirteen numbers."""
    return ((spread & _EVEN) + (spread >> 4 & _EVEN)) % 255


@final
@mypyc_attr(acyclic=True)
class SuitCards:
    """A set of ranks for each copy held, and all copies as a spread."""

    __slots__ = ("four", "once", "spread", "thrice", "total", "twice")

    def __init__(self, once: i64, twice: i64, thrice: i64, four: i64) -> None:
        spread: i64 = SPREAD[once]
        if twice:
            spread += SPREAD[twice] + SPREAD[thrice] + SPREAD[four]
        self.once = once
        self.twice = twice
        self.thrice = thrice
        self.four = four
        self.spread = spread
        self.total = total(spread)

    def same(self, other: "SuitCards") -> bool:
        """Whether both are the same cards."""
        few = self.once == other.once and self.twice == other.twice
        return few and self.thrice == other.thrice and self.four == other.four

    def copies(self, rank: i64) -> i64:
        """How many cards there are of the rank of this bit."""
        if not self.twice & rank:
            return 1 if self.once & rank else 0
        if not self.thrice & rank:
            return 2
        return 4 if self.four & rank else 3

    def contested(self, once: i64, twice: i64, thrice: i64, four: i64) -> i64:
        """The ranks held, but fewer than are wanted: those wanted once, twice, …"""
        short = twice & ~self.twice | thrice & ~self.thrice | four & ~self.four
        return short & self.once


def suits_of(hand: Faces) -> list[SuitCards]:
    """The four suits of a hand, but for what is never needed (`needed`)."""
    once, twice, thrice, four = hand.once, hand.twice, hand.thrice, needed(hand.four)
    suits: list[SuitCards] = []
    for _ in range(4):
        suits.append(SuitCards(once & RANKS, twice & RANKS, thrice & RANKS, four & RANKS))
        once >>= 13
        twice >>= 13
        thrice >>= 13
        four >>= 13
    return suits


def needed(four: i64) -> i64:
    """Fourth copies without the club of all sixteen cards of a rank: a number of a spread holds fifteen, and five
    trios need no more."""
    return four & ~(four & four >> 13 & four >> 26 & four >> 39 & RANKS)


def of_all_suits(plane: i64) -> i64:
    """How many suits have each rank in this plane of a hand, as a spread."""
    spread: i64 = SPREAD[plane & RANKS]
    spread += SPREAD[plane >> 13 & RANKS]
    spread += SPREAD[plane >> 26 & RANKS]
    spread += SPREAD[plane >> 39]
    return spread
