"""Progress reports of long work."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called after each step with the number done and the number in all."""


def no_progress(_done: int, _all: int) -> None:
    """Report nothing."""
