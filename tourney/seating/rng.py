"""Chance that is the same on every machine and with every Python.

Only `random.Random.random()` is used: Python promises its sequence for a seed, and does not promise
those of `shuffle` or `sample`.
"""

import hashlib
from collections.abc import Callable
from random import Random
from typing import TypeVar

Item = TypeVar("Item")
Chance = Callable[[], float]
"""Gives the next number of a sequence, at least 0 and below 1."""


def chance(*seed: str | int) -> Chance:
    """The sequence that belongs to these words; the number 7 and the text "7" are the same word."""
    text = "\x1f".join(str(word) for word in seed)
    return Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")).random


def shuffled(items: list[Item], draw: Chance) -> list[Item]:
    """A new list with the items in an order drawn from the sequence (Fisher and Yates)."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = int(draw() * (last + 1))
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
