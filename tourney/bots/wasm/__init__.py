"""WebAssembly modules as bots: a launcher runs them without clock, chance or files, and counts what they spend."""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

if not TYPE_CHECKING:
    __getattr__ = on_first_use(__name__)
