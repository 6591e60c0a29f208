"""Whether an act is kept, or only tried."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    pass

Mode = Literal["save", "dry run"]


Progress = Callable[[int, int], None]
"""Told after each table: how many are done, of how many."""
