"""The names of `tourney.bots`, whatever files lie beside the program that asks for them."""

from tourney.bots.own_imports import own_imports

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
