"""The cards held of one suit."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from engine.arrange.spreads import RANKS, SPREAD, total
from engine.cards import Faces


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
