"""How a use case runs: whether it keeps what it does, and how it reports its progress."""

from collections.abc import Callable
from typing import Literal

Mode = Literal["save", "dry run"]

Progress = Callable[[int, int], None]
"""Called after each step with the number done and the number in all."""
