"""Changes in tests that are made both ways: previewed and applied."""

from typing import TypeVar

from tourney.domain.modes import Mode
from tourney.service.change import Change, apply
from tourney.service.impact import preview

Outcome = TypeVar("Outcome")


def done(db: str | None, change: Change[Outcome], mode: Mode) -> Outcome:
    """Apply the change, or preview it for a dry run, and return its outcome."""
    return preview(db, change).outcome if mode == "dry run" else apply(db, change)
