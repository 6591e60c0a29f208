"""Processor time in a unit that grows with the slowness of the machine: passes of an empty loop."""

from collections.abc import Callable
from functools import cache
from time import process_time
from typing import Final

_PASSES: Final = 100_000
_TURNS: Final = 5


def effort(work: Callable[[], object], turns: int = 1) -> float:
    """Return how many millions of passes of an empty loop take as much processor time as the quickest call.

    The loop is run before and after each call: what slows one slows the other. One million takes 0.0115 s on the
    machine of `tests/README.md`, so that 85 of them are a second there.
    """
    return min(_effort(work) for _turn in range(turns))


@cache
def slowness() -> float:
    """Return how many times as long as on the machine of `tests/README.md` work takes here, measured once."""
    return _loop() / (0.0115 * _PASSES / 1e6)


def growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """Return how many times as long twice the size takes; `work` prepares a call for a size.

    Time in proportion gives 2, the square of the size gives 4.
    """
    return effort(work(2 * size), 3) / effort(work(size), 3)


def _effort(work: Callable[[], object]) -> float:
    before = _loop()
    start = process_time()
    work()
    taken = process_time() - start
    return taken / min(before, _loop()) * _PASSES / 1e6


def _loop() -> float:
    return min(map(_once, range(_TURNS)))


def _once(_turn: int) -> float:
    start = process_time()
    for _pass in range(_PASSES):
        pass
    return process_time() - start
