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

    def contested(self, once: i64, twice: i64, thrice: i64, four: i64) -> i64:
        """The ranks held, but fewer than are wanted: those wanted once, twice, …"""
        short = twice & ~self.twice | thrice & ~self.thrice | four & ~self.four
        return short & self.once


def suits_of(hand: Faces) -> list[SuitCards]:
    """The four suits of a hand.

    Of all sixteen cards of a rank in four packs one club is left out: a number of a spread holds fifteen, and five
    trios need no more.
    """
    once, twice, thrice, four = hand.once, hand.twice, hand.thrice, hand.four
    four &= ~(four & four >> 13 & four >> 26 & four >> 39 & RANKS)
    suits: list[SuitCards] = []
    for _ in range(4):
        suits.append(SuitCards(once & RANKS, twice & RANKS, thrice & RANKS, four & RANKS))
        once >>= 13
        twice >>= 13
        thrice >>= 13
        four >>= 13
    return suits
