"""The use cases, one verb each, one file per noun: load, compute, save in one transaction."""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

if not TYPE_CHECKING:
    __getattr__ = on_first_use(__name__)
