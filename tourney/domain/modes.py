"""Modes of a use case: whether its changes are saved, and how it reports its progress."""

from collections.abc import Callable
from typing import Literal

Mode = Literal["save", "dry run"]

Progress = Callable[[int, int], None]
"""Called after each step with the number done and the number in all."""
