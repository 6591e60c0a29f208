"""A campaign as a value: its name, and a function that runs a part of it and returns what it found."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass


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
