"""A progress bar on standard error, only on terminals."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tourney.domain.progress import Progress


@contextmanager
def bar(description: str) -> Iterator[Progress]:
    """Yield a function to call with the number of steps done and in all; it draws only on a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task(description, total=None)

        def advance(done: int, total: int) -> None:
            drawn.update(task, completed=done, total=total)

        yield advance


def _silent(done: int, total: int) -> None:
    """Ignore progress if there is no terminal."""
