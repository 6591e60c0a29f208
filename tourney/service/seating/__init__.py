"""Seating the next round of an event, planning those to come, and seatings without an event."""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

if not TYPE_CHECKING:
    __getattr__ = on_first_use(__name__)
