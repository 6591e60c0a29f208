"""A *spread* holds one number for each rank, in four bits each: how many cards of it there are."""

from typing import Final

from mypy_extensions import i64

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
