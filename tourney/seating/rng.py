"""Random numbers that are equal on every machine and with every Python.

Only `random.Random.random()` is used: Python promises its sequence for a seed, and does not promise those of `shuffle`
or `sample`.
"""

import hashlib
from collections.abc import Callable
from random import Random
from typing import TypeVar

Item = TypeVar("Item")
Rng = Callable[[], float]
"""Return the next number of a sequence, at least 0 and below 1."""


def seeded_rng(*seed: str | int) -> Rng:
    """Return the sequence that belongs to these words; the number 7 and the text "7" are equal words."""
    text = "\x1f".join(str(word) for word in seed)
    return Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")).random


def shuffled(items: list[Item], rng: Rng) -> list[Item]:
    """Return a new list with the items in random order (Fisher and Yates)."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = int(rng() * (last + 1))
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
