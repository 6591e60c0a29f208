"""A progress bar on standard error, only on terminals, and only for work that takes a while."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Final

from tourney.text.i18n import _
from tourney.text.progress import Progress, no_progress

DELAY: Final = 0.5
"""The seconds before a bar appears, so that short work shows none."""


@contextmanager
def bar(description: str) -> Iterator[Progress]:
    """Yield a function to call with the number of steps done and in all; a terminal shows them until all are done."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield no_progress
        return
    start = monotonic() + DELAY
    draw: Progress | None = None
    with ExitStack() as stack:

        def advance(done: int, total: int) -> None:
            nonlocal draw
            if done >= total:
                # What is shown next has its own line.
                stack.close()
                draw = None
                return
            if draw is None and monotonic() > start:
                draw = stack.enter_context(_drawn(description))
            if draw is not None:
                draw(done, total)

        yield advance


@contextmanager
def _drawn(description: str) -> Iterator[Progress]:
    """Yield a function that moves a bar with the time left; a dumb terminal shows nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    texts = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(_("time left:"))
    disabled = not console.is_interactive
    with Bar(*texts, TimeRemainingColumn(), console=console, transient=True, disable=disabled) as drawn:
        task = drawn.add_task(description, total=None)

        def advance(done: int, total: int) -> None:
            drawn.update(task, completed=done, total=total)

        yield advance
