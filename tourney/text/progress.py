"""Progress reports of long work."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called after each step with the number done and the number in all."""


def no_progress(_done: int, _all: int) -> None:
    """Report nothing."""


Tell = Callable[[str], None]
"""A function that shows a line at once, before what takes a while begins."""


def no_news(_line: str) -> None:
    """Show nothing."""
