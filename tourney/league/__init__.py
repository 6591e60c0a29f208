"""Leagues of bots: blocks of deals, played by worker processes, and statistics with error bars.

Only this package and `rulebook` import the engine.
"""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

if not TYPE_CHECKING:
    __getattr__ = on_first_use(__name__)
