"""Rates taken side by side: every work has its turn in every round, so that a busy machine slows all alike."""

import resource
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Effort = Literal["full", "quick"]

Share = Callable[[int], int]
"""Does the share of that number, from 0 on, and gives the units done."""

ROUNDS: dict[Effort, int] = {"full": 9, "quick": 2}
SECONDS: dict[Effort, float] = {"full": 1.0, "quick": 0.02}
"""How long each work runs in each round, at least."""


class WrongAnswer(Exception):
    """What was timed did not do its work: its rate would mean nothing."""


def demand(holds: bool, what: str) -> None:
    """Raises WrongAnswer, saying what does not hold."""
    if not holds:
        raise WrongAnswer(what)


@dataclass(frozen=True, slots=True)
class Work:
    """Something to be timed, share after share."""

    name: str
    share: Share


@dataclass(frozen=True, slots=True)
class Rate:
    """Units a second, round by round."""

    name: str
    rounds: tuple[float, ...]

    @property
    def middle(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.rounds)


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times another rate one is: median, least and most of the rounds, each taken within its round."""

    middle: float
    least: float
    most: float


def ratio(ours: Rate, theirs: Rate) -> Ratio:
    """Ours in multiples of theirs; both have been taken side by side."""
    rounds = [one / other for one, other in zip(ours.rounds, theirs.rounds, strict=True)]
    return Ratio(statistics.median(rounds), min(rounds), max(rounds))


def processor() -> float:
    """Processor seconds of this process and of the programs that it has waited for: what others take is not in it.

    On a machine with nothing else to do they are the clock's.
    """
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def side_by_side(works: Sequence[Work], effort: Effort) -> list[Rate]:
    """The rates of the works, many shares a round. The first share of each is done before and is not timed."""
    done = [0] * len(works)
    rates: list[list[float]] = [[] for _ in works]
    for turn in range(ROUNDS[effort] + 1):
        for at, work in enumerate(works):
            begin, units, spent = processor(), 0, 0.0
            while spent < (SECONDS[effort] if turn else 1e-9):
                units += work.share(done[at])
                done[at] += 1
                spent = processor() - begin
            if turn:
                rates[at].append(units / spent)
    return [Rate(work.name, tuple(taken)) for work, taken in zip(works, rates, strict=True)]


def in_turns(works: Sequence[Work], rounds: int) -> list[Rate]:
    """The rates of works too long for that, such as whole commands: one share a round."""
    rates: list[list[float]] = [[] for _ in works]
    for turn in range(rounds):
        for at, work in enumerate(works):
            begin = processor()
            units = work.share(turn)
            rates[at].append(units / (processor() - begin))
    return [Rate(work.name, tuple(taken)) for work, taken in zip(works, rates, strict=True)]
