"""Results: a table's sheet entered, corrected or voided, and an arbiter's rulings."""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

if not TYPE_CHECKING:
    __getattr__ = on_first_use(__name__)
