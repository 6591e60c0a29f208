"""Random numbers from a seed, the same on every platform and in every language.

The stream of a seed is the SHA-256 of the text `SEED#0`, `SEED#1`, … (UTF-8), read as 32-bit big-endian words, eight to
a digest. A number below n is the first word under the largest multiple of n up to 2³², modulo n. The shuffle is that of
Fisher and Yates, from the last place down. So another program can recompute a deal. `hash_seed` gives a hash that
can be published before the seed is.
"""

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import Final, TypeVar, final

from mypy_extensions import i64, mypyc_attr

Item = TypeVar("Item")

_WORDS: Final = 1 << 32
_IN_BLOCK: Final = 8
_BLOCK: Final = Struct(f">{_IN_BLOCK}I")


def hash_seed(seed: str) -> str:
    """Return the seed's SHA-256 in hexadecimal: a seed from which the given one cannot be computed."""
    return sha256(seed.encode()).hexdigest()


@final
@mypyc_attr(acyclic=True)
class Stream:
    """A stream of numbers from a seed; the same seed always gives the same numbers."""

    __slots__ = ("_blocks", "_prefix", "_used", "_words")

    def __init__(self, seed: str) -> None:
        self._prefix: Final[str] = f"{seed}#"
        self._blocks = 0
        self._words: tuple[int, ...] = ()
        self._used: i64 = _IN_BLOCK

    def word(self) -> i64:
        """Return the next 32 bits."""
        if self._used == _IN_BLOCK:
            self._words = _BLOCK.unpack(sha256(f"{self._prefix}{self._blocks}".encode()).digest())
            self._blocks += 1
            self._used = 0
        word: i64 = self._words[self._used]
        self._used += 1
        return word

    def below(self, bound: i64) -> i64:
        """Return a number from 0 to bound − 1, all equally likely; bound is from 1 to 2³²."""
        limit: i64 = _WORDS - _WORDS % bound
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % bound

    def shuffle(self, items: list[Item]) -> None:
        """Put the list in a random order, in place."""
        last: i64 = len(items) - 1
        while last > 0:
            place = self.below(last + 1)
            items[last], items[place] = items[place], items[last]
            last -= 1

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items, all equally likely."""
        return items[self.below(len(items))]
