"""Domain values as reports: a title, columns, rows and notes, and their form as CSV, JSON and Markdown."""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

if not TYPE_CHECKING:
    __getattr__ = on_first_use(__name__)
