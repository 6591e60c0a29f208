"""From a seed to numbers, the same on every platform and in every language.

The stream of a seed is the SHA-256 of the text `SEED#0`, `SEED#1`, … (UTF-8), read as 32-bit big-endian
words, eight to a digest. A number below n is the first word under the largest multiple of n that 32 bits
hold, modulo n. The shuffle is Fisher and Yates's, from the last place down. So another program can check a
deal, and a seed can be published beforehand as a hash.
"""

import hashlib
from collections.abc import Sequence
from struct import Struct
from typing import Final, TypeVar, final

from mypy_extensions import i64, mypyc_attr

Item = TypeVar("Item")

_WORDS: Final = 1 << 32
_BLOCK: Final = Struct(">8I")


def sealed(seed: str) -> str:
    """A seed from which the given one cannot be worked out: its SHA-256, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


@final
@mypyc_attr(acyclic=True)
class Stream:
    """Numbers from a seed; the same seed always gives the same numbers."""

    __slots__ = ("_blocks", "_prefix", "_used", "_words")

    def __init__(self, seed: str) -> None:
        self._prefix = f"{seed}#"
        self._blocks = 0
        self._words: tuple[int, ...] = ()
        self._used = 0

    def word(self) -> int:
        """The next 32 bits."""
        if self._used == len(self._words):
            self._words = _BLOCK.unpack(hashlib.sha256(f"{self._prefix}{self._blocks}".encode()).digest())
            self._blocks += 1
            self._used = 0
        self._used += 1
        return self._words[self._used - 1]

    def below(self, bound: int) -> int:
        """A number from 0 to bound − 1, all equally likely; bound is from 1 to 2³²."""
        limit: i64 = _WORDS - _WORDS % bound
        word: i64 = self.word()
        while word >= limit:
            word = self.word()
        return word % bound

    def shuffle(self, items: list[Item]) -> None:
        """Puts the list in a random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, all equally likely."""
        return items[self.below(len(items))]
