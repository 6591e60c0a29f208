"""Measure rates side by side: every work runs in every round, so that a busy machine slows all of them alike."""

import resource
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Effort = Literal["full", "quick"]

Share = Callable[[int], int]
"""A function that does the share with a number, from 0, and returns the units of work done."""

ROUNDS: dict[Effort, int] = {"full": 9, "quick": 2}
SECONDS: dict[Effort, float] = {"full": 1.0, "quick": 0.02}
"""Processor seconds that each work runs at least in each round."""


class WrongAnswer(Exception):
    """A wrong result of the work that was timed: its rate would mean nothing."""


def check(holds: bool, claim: str) -> None:
    """Raise WrongAnswer with the claim if it does not hold."""
    if not holds:
        raise WrongAnswer(claim)


@dataclass(frozen=True, slots=True)
class Work:
    """Work to be timed, share by share."""

    name: str
    share: Share


@dataclass(frozen=True, slots=True)
class Rate:
    """Rate of a work: units a second in each round."""

    name: str
    rounds: tuple[float, ...]

    @property
    def middle(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.rounds)


@dataclass(frozen=True, slots=True)
class Ratio:
    """Ratio of two rates: median, minimum and maximum of the ratios within each round."""

    middle: float
    least: float
    most: float


def ratio(ours: Rate, theirs: Rate) -> Ratio:
    """Return our rate as a multiple of theirs, round by round; both must be measured side by side."""
    rounds = [our_rate / their_rate for our_rate, their_rate in zip(ours.rounds, theirs.rounds, strict=True)]
    return Ratio(statistics.median(rounds), min(rounds), max(rounds))


def processor_seconds() -> float:
    """Return the processor seconds of this process and of the programs that it has waited for.

    Unlike wall-clock time they hardly depend on the load of the machine.
    """
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def side_by_side(works: Sequence[Work], effort: Effort) -> list[Rate]:
    """Measure the rates of the works, with many shares a round, after a first share of each that is not timed."""
    done = [0] * len(works)
    rates: list[list[float]] = [[] for _ in works]
    for turn in range(ROUNDS[effort] + 1):
        for at, work in enumerate(works):
            begin, units, spent = processor_seconds(), 0, 0.0
            while spent < (SECONDS[effort] if turn else 1e-9):
                units += work.share(done[at])
                done[at] += 1
                spent = processor_seconds() - begin
            if turn:
                rates[at].append(units / spent)
    return [Rate(work.name, tuple(by_round)) for work, by_round in zip(works, rates, strict=True)]


def in_turns(works: Sequence[Work], rounds: int) -> list[Rate]:
    """Measure the rates of the works with one share a round, for works such as whole commands."""
    rates: list[list[float]] = [[] for _ in works]
    for turn in range(rounds):
        for at, work in enumerate(works):
            begin = processor_seconds()
            units = work.share(turn)
            rates[at].append(units / (processor_seconds() - begin))
    return [Rate(work.name, tuple(by_round)) for work, by_round in zip(works, rates, strict=True)]
