"""Counts of the cards held: of each rank, as thirteen numbers in one integer (*rank counts*), and of a suit.

Rank counts have four bits for each rank, the ace lowest, and can be added and subtracted as integers. A *rank set* has
one bit for each rank.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import Faces

RANKS: Final = 0x1FFF
"""The set of all thirteen ranks."""

ONES: Final = 0x1111111111111
"""The rank counts of one card of each rank."""
TOPS: Final = 0x8888888888888
"""The top bit of each rank's four bits. A set of ranks in this form is called *top bits*."""

_LOWS: Final = 0x7777777777777
_EVEN: Final = 0x0F0F0F0F0F0F0F


def _rank_counts(ranks: int) -> int:
    return sum(1 << (4 * rank) for rank in range(13) if ranks >> rank & 1)


RANK_COUNTS: Final[tuple[int, ...]] = tuple(_rank_counts(ranks) for ranks in range(1 << 13))
"""The rank counts of one card of each rank in a set, by the set."""

SIZE: Final[tuple[int, ...]] = tuple(ranks.bit_count() for ranks in range(1 << 13))
"""The number of ranks in each set, by the set."""


def at_least(counts: i64, number: i64) -> i64:
    """Return the top bits of the ranks with `number` cards (from 1) or more."""
    if number <= 8:
        return ((counts & _LOWS) + (8 - number) * ONES | counts) & TOPS
    if number <= 15:
        return (counts & _LOWS) + (16 - number) * ONES & counts & TOPS
    return 0


def number_of_ranks(tops: i64) -> i64:
    """Return how many top bits are set: modulo 15, a number equals the sum of its digits in base 16."""
    return (tops >> 3) % 15


def rank_set(tops: i64) -> i64:
    """Return the rank set of top bits: bits are moved together in pairs, then pairs of pairs."""
    ranks = tops >> 3
    ranks = (ranks | ranks >> 3) & 0x03030303030303
    ranks = (ranks | ranks >> 6) & 0x0F000F000F000F
    ranks = (ranks | ranks >> 12) & 0xFF000000FF
    return (ranks | ranks >> 24) & RANKS


def total(counts: i64) -> i64:
    """Return the sum of the thirteen numbers of rank counts."""
    return ((counts & _EVEN) + (counts >> 4 & _EVEN)) % 255


@final
@mypyc_attr(acyclic=True)
class SuitCards:
    """The cards held of one suit: a rank set for each copy, and the rank counts of all copies."""

    __slots__ = ("counts", "four", "once", "thrice", "total", "twice")

    def __init__(self, once: i64, twice: i64, thrice: i64, four: i64) -> None:
        counts: i64 = RANK_COUNTS[once]
        if twice:
            counts += RANK_COUNTS[twice] + RANK_COUNTS[thrice] + RANK_COUNTS[four]
        self.once = once
        self.twice = twice
        self.thrice = thrice
        self.four = four
        self.counts = counts
        self.total = total(counts)

    def same(self, other: "SuitCards") -> bool:
        """Return whether both are the same cards."""
        first_two = self.once == other.once and self.twice == other.twice
        return first_two and self.thrice == other.thrice and self.four == other.four

    def copies(self, rank: i64) -> i64:
        """Return how many cards are held of a rank, given as a set of that rank only."""
        if not self.twice & rank:
            return 1 if self.once & rank else 0
        if not self.thrice & rank:
            return 2
        return 4 if self.four & rank else 3

    def contested(self, once: i64, twice: i64, thrice: i64, four: i64) -> i64:
        """Return the ranks that are held, but less often than needed; the sets are of ranks needed once, twice, …"""
        short = twice & ~self.twice | thrice & ~self.thrice | four & ~self.four
        return short & self.once


def suits_of(hand: Faces) -> list[SuitCards]:
    """Return the four suits of a hand, with at most fifteen cards of a rank."""
    once, twice, thrice, four = hand.once, hand.twice, hand.thrice, at_most_fifteen(hand.four)
    suits: list[SuitCards] = []
    for _ in range(4):
        suits.append(SuitCards(once & RANKS, twice & RANKS, thrice & RANKS, four & RANKS))
        once >>= 13
        twice >>= 13
        thrice >>= 13
        four >>= 13
    return suits


def at_most_fifteen(four: i64) -> i64:
    """Return the fourth copies of a hand, without the club of each rank of which all sixteen cards are held.

    A number in rank counts is at most fifteen, and five trios need no more.
    """
    return four & ~(four & four >> 13 & four >> 26 & four >> 39 & RANKS)


def counts_of_all_suits(plane: i64) -> i64:
    """Return the rank counts, over all suits, of one bit plane of a hand (`Faces.once`, `twice` …)."""
    counts: i64 = RANK_COUNTS[plane & RANKS]
    counts += RANK_COUNTS[plane >> 13 & RANKS]
    counts += RANK_COUNTS[plane >> 26 & RANKS]
    counts += RANK_COUNTS[plane >> 39]
    return counts
