"""A campaign as a value: its name, and a function that runs a part of it and returns what it found."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import TypeVar

Case = TypeVar("Case")


def share_of(number: float, part: float) -> int:
    """Return how many cases a part of the whole number has, at least one."""
    return max(1, round(number * part))


def exit_codes(codes: Counter[int]) -> str:
    """Return how often commands ended with each exit code, in words."""
    return ", ".join(f"exit code {code}: {times}" for code, times in sorted(codes.items()))


def kinds_in_turn(cases: Iterable[tuple[str, Case]], rng: random.Random) -> Iterator[Case]:
    """Yield a case of one kind after another, without end; a case comes with its kind."""
    by_kind = dict[str, list[Case]]()
    for kind, case in cases:
        by_kind.setdefault(kind, []).append(case)
    order = sorted(by_kind)
    rng.shuffle(order)
    return (rng.choice(by_kind[kind]) for kind in cycle(order))


class LackingError(Exception):
    """The machine lacks what a campaign needs; nothing was tried."""


@dataclass(frozen=True, slots=True)
class Result:
    """The cases that were tried, the finding in words, and a line for each case that broke the promise."""

    tried: int
    text: str
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign: `run` takes the part of the whole count (above 0, at most 1) and a seed."""

    name: str
    run: Callable[[float, int], Iterable[Result]]
