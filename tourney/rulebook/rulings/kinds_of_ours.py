"""Kinds of irregularity of which the documents hardly speak, with an arbiter's steps that are decisions of ours."""

from typing import Final

from tourney.rulebook.answers import Remedy, irregularity, moment
from tourney.rulebook.decisions import OURS

CLOSED: Final = f"003/1.10, {OURS}|000/1.10, {OURS}|002/1.10, {OURS}"

KINDS: Final = (
    irregularity(
        "empty-stock",
        "No card is left in the stock",
        moment(
            "first",
            "A card is to be drawn, and the discards may still be shuffled",
            Remedy(
                "The discards but the top one are shuffled, and become the stock; `tourney rules show` says how often.",
                "A-09",
            ),
            Remedy("Play continues with the player in turn.", OURS),
        ),
        moment(
            "at-last",
            "The discards may not be shuffled again",
            Remedy("The hand is dead: nobody has closed it, and everybody counts.", "A-39"),
            Remedy("Enter it as a hand that nobody closed (`tourney result enter`)."),
        ),
    ),
    irregularity(
        "two-closes",
        "Two players closed one hand",
        moment(
            "order-known",
            "It is known who closed first",
            Remedy("The first close ends the hand; what came after it is taken back.", CLOSED),
            Remedy("If that player could not close, continue with `tourney rules ruling false-close`.", OURS),
            Remedy("The other player counts the cards that they held.", OURS),
        ),
        moment(
            "order-unknown",
            "Nobody can say who closed first",
            Remedy("A hand is closed in one's own turn: the player whose turn it was has closed.", CLOSED),
            Remedy("A sheet has one closer in a hand; a second 0 on it is a mistake of the sheet.", OURS),
        ),
    ),
    irregularity(
        "player-left",
        "Player who leaves the table during a hand",
        moment(
            "comes-back",
            "The player comes back in the time that your event allows",
            Remedy("The hand waits, with the cards of that player face down on the table.", OURS),
            Remedy("Nobody plays for the player, or looks at the cards.", OURS),
        ),
        moment(
            "stays-away",
            "The player does not come back",
            Remedy("A substitute may play the rest of the game (`tourney round substitute`).", OURS),
            Remedy(
                "Without one the game is stopped before this hand, and the hands that were played are entered "
                "(`tourney result enter --stopped`).",
                OURS,
            ),
        ),
    ),
    irregularity(
        "advice",
        "Advice from another player or a spectator",
        moment(
            "any-time",
            "Whenever it is heard",
            Remedy("The player decides alone, and may play as if nothing had been said.", OURS),
            Remedy("Spectators who gave advice leave the table.", OURS),
            Remedy("If a player gave it, enter the penalty that your event has announced (`tourney ruling penalty`)."),
        ),
    ),
)
