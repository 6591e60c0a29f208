"""A league's progress on standard error, on terminals alone: blocks, games a second, time left, the order so far."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tourney.domain import LeagueProgress
from tourney.text import _

Progress = Callable[[LeagueProgress], None]


@contextmanager
def league_bar() -> Iterator[Progress | None]:
    """A function to call with where the league is; None where nobody looks."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task("", total=None)

        def told(now: LeagueProgress) -> None:
            drawn.update(task, completed=now.done, total=now.blocks, description=_said(now))

        yield told


def _said(now: LeagueProgress) -> str:
    """Games a second, the order so far from the best down, and how sure it is."""
    return _("{speed:.0f} games/s, {order}, sure {certainty:.1f} %").format(
        speed=now.speed, order=" > ".join(now.order), certainty=min(99.9, 100 * now.certainty)
    )
