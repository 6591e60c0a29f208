"""Difference families, found by local search.

Take sets of numbers below n and shift each by 1, 2, … n − 1. Two numbers then stand together as often as their
difference occurs between two members of a set. If every difference but 0 occurs equally often, all pairs meet equally
often: the sets are a difference family (Colbourn and Dinitz, Handbook of Combinatorial Designs, VI.16).
"""

from functools import lru_cache
from itertools import count
from math import gcd

from engine.seeds import Stream

Member = list[int]

_STARTS = 30
"""Random starts tried before the family gets more sets."""


@lru_cache
def difference_family(numbers: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return a difference family of sets of `size` numbers below `numbers` (at least 2), each with 0 in it.

    Size is from 1 to `numbers` − 1. Mostly no family has fewer sets. The result is the same on every machine.
    """
    smallest = (numbers - 1) // gcd(numbers - 1, size * (size - 1))
    for start in count():
        # The text seeds the search: changing it would change the blocks of leagues already played.
        rng = Stream(f"level family/{numbers}/{size}/{start}")
        family = [_random_member(numbers, size, rng) for _member in range(smallest * (1 + start // _STARTS))]
        if _LocalSearch(numbers, family).balance():
            return tuple(tuple(sorted(member)) for member in family)
    raise AssertionError("counting has no end")


def _random_member(numbers: int, size: int, rng: Stream) -> Member:
    others = list(range(1, numbers))
    rng.shuffle(others)
    return [0, *others[: size - 1]]


class _LocalSearch:
    """Replace numbers of a family one by one while that makes its differences more even."""

    def __init__(self, numbers: int, family: list[Member]) -> None:
        self._numbers, self._family = numbers, family
        self._counts = [0] * numbers
        self._imbalance = 0
        for member in family:
            for place, number in enumerate(member):
                self._count(number, member[:place], 1)

    def balance(self) -> bool:
        """Replace numbers as long as it helps; return whether all differences end up equally frequent."""
        places = [(member, place) for member in self._family for place in range(1, len(member))]
        while sum(self._replace(member, place) for member, place in places):
            pass
        return len(set(self._counts[1:])) == 1

    def _replace(self, member: Member, place: int) -> bool:
        """Put the most even number there, the smallest of equals; return whether that improved anything."""
        before, old = self._imbalance, member[place]
        others = member[:place] + member[place + 1 :]
        self._count(old, others, -1)
        free = [number for number in range(1, self._numbers) if number not in others]
        best = min(free, key=lambda number: self._imbalance_with(number, others))
        member[place] = best if self._imbalance_with(best, others) < before else old
        self._count(member[place], others, 1)
        return member[place] != old

    def _imbalance_with(self, number: int, others: Member) -> int:
        self._count(number, others, 1)
        imbalance = self._imbalance
        self._count(number, others, -1)
        return imbalance

    def _count(self, number: int, others: Member, sign: int) -> None:
        """Add (or with −1 remove) the differences to the others; the imbalance is the sum of squared counts."""
        for other in others:
            for difference in ((number - other) % self._numbers, (other - number) % self._numbers):
                self._imbalance += 2 * sign * self._counts[difference] + 1
                self._counts[difference] += sign
