"""The names of `tourney.bots`, whatever files lie beside the program that asks for them.

Python looks for a module first in the folder of the program that runs, where an `engine.py` or a `random.py` of the
author would hide the engine or a module of the standard library.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder that holds the packages `engine` and `tourney`."""


@contextmanager
def own_imports() -> Iterator[None]:
    """Within the block, import from the folder of this program, not from the folder of the program that runs."""
    before = sys.path[:]
    sys.path[:] = [HOME, *[folder for folder in before if not _belongs_to_program(folder)]]
    _forget_foreign_engine()
    try:
        yield
    finally:
        sys.path[:] = before


def _belongs_to_program(folder: str) -> bool:
    """Return whether modules of the folder are found only because the program that runs lies there."""
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    places = {os.getcwd(), *([] if main is None else [os.path.dirname(os.path.abspath(main))])}
    return os.path.abspath(folder) in places


def _forget_foreign_engine() -> None:
    """Let a module `engine` of an author, who keeps it, be no longer found under that name."""
    found = sys.modules.get("engine")
    where = getattr(found, "__file__", None) or ""
    if found is not None and os.path.dirname(os.path.dirname(os.path.abspath(where))) != HOME:
        for name in [name for name in sys.modules if name == "engine" or name.startswith("engine.")]:
            del sys.modules[name]


with own_imports():
    from engine.actions import (
        CLAIM,
        CLOSE,
        DRAW_DISCARD,
        DRAW_STOCK,
        KNOCK,
        PASS,
        TAKE_BACK,
        Action,
        Claim,
        Close,
        CloseHolding,
        Declare,
        Discard,
        DrawDiscard,
        DrawStock,
        Knock,
        LayDown,
        LayOff,
        MoveJoker,
        Pass,
        SwapJoker,
        TakeBack,
        parse_action,
    )
    from engine.cards import JOKER, card_text, cards_text, parse_cards
    from engine.melds import HIGH, LOW, Meld
    from engine.rules import Rules
    from tourney.bots.api import Bot
    from tourney.bots.events import Acted, Bought, Event, HandBegan, HandEnded, Shuffled
    from tourney.bots.notebook import Duel, Game, duel, play
    from tourney.bots.values import Legal, Offer, Result, View

__all__ = [
    "CLAIM",
    "CLOSE",
    "DRAW_DISCARD",
    "DRAW_STOCK",
    "HIGH",
    "JOKER",
    "KNOCK",
    "LOW",
    "PASS",
    "TAKE_BACK",
    "Acted",
    "Action",
    "Bot",
    "Bought",
    "Claim",
    "Close",
    "CloseHolding",
    "Declare",
    "Discard",
    "DrawDiscard",
    "DrawStock",
    "Duel",
    "Event",
    "Game",
    "HandBegan",
    "HandEnded",
    "Knock",
    "LayDown",
    "LayOff",
    "Legal",
    "Meld",
    "MoveJoker",
    "Offer",
    "Pass",
    "Result",
    "Rules",
    "Shuffled",
    "SwapJoker",
    "TakeBack",
    "View",
    "card_text",
    "cards_text",
    "duel",
    "parse_action",
    "parse_cards",
    "play",
]
