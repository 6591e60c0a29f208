"""A progress bar on standard error, on terminals alone."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]
"""Told how many are done, of how many."""


@contextmanager
def bar(what: str) -> Iterator[Progress]:
    """A function to call with the number done and the number in all; it draws only where somebody looks."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task(what, total=None)

        def told(done: int, total: int) -> None:
            drawn.update(task, completed=done, total=total)

        yield told


def _silent(done: int, total: int) -> None:
    """Nobody looks."""
