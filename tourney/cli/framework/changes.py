"""Commands that change something: build the change, submit it, show its report."""

from collections.abc import Callable
from typing import TypeVar

from tourney.cli.framework.options import Form, form
from tourney.cli.framework.output import show
from tourney.reports.render.report import Report
from tourney.service.change import Change, apply

Outcome = TypeVar("Outcome")


def submit(
    change: Change[Outcome],
    report: Callable[[Outcome], Report],
    db: str | None,
    dry_run: bool,
    json: bool,
    heading: str = "",
    format: Form | None = None,
) -> None:
    """Apply the change, or with `dry_run` preview it, and show the report of its outcome.

    `heading` goes over the change's own table where a preview shows what it moves below.
    """
    if not dry_run:
        show(report(apply(db, change)), form(format, json))
        return
    from tourney.reports.impact import with_moves
    from tourney.service.impact import preview

    previewed = preview(db, change)
    show(with_moves(report(previewed.outcome), previewed.moves, heading), form(format, json), "dry run")
