"""Sets of numbers that bring every two together equally often once they are moved round a circle.

A set of numbers below n is moved on by one, two, … up to n − 1. Two numbers then stand together as often as their
difference is one between two members of the set. So a family of sets is level if all differences but 0 are equally
frequent among its members: a difference family (Colbourn and Dinitz, Handbook of Combinatorial Designs, VI.16).
"""

from functools import lru_cache
from itertools import count
from math import gcd

from engine.seeds import Stream

Member = list[int]

_STARTS = 30
"""From so many draws a family is looked for before it may have more sets."""


@lru_cache
def level_family(numbers: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Sets of `size` numbers below `numbers` (at least 2), 0 in each: a level family, mostly the smallest there can be.

    Size is from 1 to `numbers` − 1. The same call gives the same family on every machine.
    """
    least = (numbers - 1) // gcd(numbers - 1, size * (size - 1))
    for start in count():
        chance = Stream(f"level family/{numbers}/{size}/{start}")
        family = [_drawn(numbers, size, chance) for _member in range(least * (1 + start // _STARTS))]
        if _Levelling(numbers, family).done():
            return tuple(tuple(sorted(member)) for member in family)
    raise AssertionError("counting has no end")


def _drawn(numbers: int, size: int, chance: Stream) -> Member:
    others = list(range(1, numbers))
    chance.shuffle(others)
    return [0, *others[: size - 1]]


class _Levelling:
    """A family whose numbers are exchanged while that makes its differences more level."""

    def __init__(self, numbers: int, family: list[Member]) -> None:
        self._numbers, self._family = numbers, family
        self._often = [0] * numbers
        self._unevenness = 0
        for member in family:
            for place, number in enumerate(member):
                self._count(number, member[:place], 1)

    def done(self) -> bool:
        """Exchange numbers as long as it helps; whether all differences are equally frequent in the end."""
        places = [(member, place) for member in self._family for place in range(1, len(member))]
        while sum(self._exchange(member, place) for member, place in places):
            pass
        return len(set(self._often[1:])) == 1

    def _exchange(self, member: Member, place: int) -> bool:
        """Put the number there that levels best, the least of equals; whether that is another one that is better."""
        before, old = self._unevenness, member[place]
        others = member[:place] + member[place + 1 :]
        self._count(old, others, -1)
        free = [number for number in range(1, self._numbers) if number not in others]
        best = min(free, key=lambda number: self._tried(number, others))
        member[place] = best if self._tried(best, others) < before else old
        self._count(member[place], others, 1)
        return member[place] != old

    def _tried(self, number: int, others: Member) -> int:
        """How uneven it would be with that number beside those."""
        self._count(number, others, 1)
        uneven = self._unevenness
        self._count(number, others, -1)
        return uneven

    def _count(self, number: int, others: Member, sign: int) -> None:
        """Count its differences to the others in, or out; unevenness is the sum of the squares of all counts."""
        for other in others:
            for difference in ((number - other) % self._numbers, (other - number) % self._numbers):
                self._unevenness += 2 * sign * self._often[difference] + 1
                self._often[difference] += sign
