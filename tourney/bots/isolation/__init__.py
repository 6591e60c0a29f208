"""Walls between a bot from outside and the program: levels, how a bot is started at each, and their proof."""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

if not TYPE_CHECKING:
    __getattr__ = on_first_use(__name__)
