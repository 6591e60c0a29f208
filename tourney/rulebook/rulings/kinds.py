"""All kinds of irregularity, with an arbiter's steps: those of document 004, then those of other documents and ours."""

from typing import Final

from tourney.rulebook.answers import Remedy, irregularity, moment
from tourney.rulebook.decisions import OURS
from tourney.rulebook.rulings.kinds_of_004 import IRREGULARITIES, WRONG_NUMBER
from tourney.rulebook.rulings.kinds_of_004 import KINDS as OF_004
from tourney.rulebook.rulings.kinds_of_ours import KINDS as OF_OURS

# Clauses of several documents stand between bars: for each rule set its own is shown, or else the first.
CLAIMS: Final = "003/1.6|002/1.6|000/1.6"
LAYING: Final = "003/1.8|000/1.8|002/1.8"
DEALING: Final = "003/1.4|000/1.4"
CLOSING: Final = "003/1.10|000/1.10|002/1.10"
TO_HAND: Final = f"{IRREGULARITIES}, {OURS}"

_LAYING: Final = (
    irregularity(
        "wrong-lay-down",
        "Wrong lay-down, or one to be taken back",
        moment(
            "same-turn",
            "Found, or regretted, before that player's turn has passed",
            Remedy("The player may take the whole lay-down back into the hand; nothing is lost by it.", "003/1.8"),
            Remedy("Cards laid off and jokers moved in this turn go back with it.", "5.3"),
            Remedy("The card drawn stays drawn, and the cards of a claim stay claimed.", "A-43"),
            Remedy("In the same turn the player may lay down again, correctly, and then discards.", OURS),
        ),
        moment(
            "later",
            "Found after that player's turn has passed",
            Remedy("A correct lay-down can no longer be taken back.", "003/1.8"),
            Remedy(
                "Where a trio or run merely has a card too many, that card goes back: continue with `tourney rules "
                "ruling superfluous-cards`.",
                IRREGULARITIES,
            ),
            Remedy(
                "Otherwise the whole lay-down goes back to the player's hand, and they are not down: only the "
                "combinations of the hand may be laid down.",
                f"003/1.8, {OURS}|000/1.8, {OURS}|002/1.8, {OURS}",
            ),
            Remedy("Cards that were laid off on it go back to the hands of those who placed them.", TO_HAND),
            Remedy("The discards stand, and play continues with the player in turn.", OURS),
        ),
        moment(
            "after-close",
            "Found after the hand was closed",
            Remedy(
                "If the player who closed made the wrong lay-down, continue with `tourney rules ruling false-close`.",
                OURS,
            ),
            Remedy("Otherwise its cards count as cards left in that player's hand; the close stands.", OURS),
            Remedy("Once the cards are mixed with others, the count stands unless all agree.", "A-29"),
        ),
        moment(
            "not-down",
            "Cards laid off by a player who is not down, or not in turn",
            Remedy("Only a player who is down lays cards off, and only in their turn.", LAYING),
            Remedy("The cards go back to that player's hand as soon as it is found.", TO_HAND),
            Remedy("A discard that was made meanwhile stands.", OURS),
        ),
        needs="laying",
    ),
    irregularity(
        "wrong-joker",
        "Joker moved or exchanged wrongly, or two of them side by side",
        moment(
            "same-turn",
            "Found before that player's turn has passed",
            Remedy("The joker, and the card that took its place, go back where they were.", "5.3"),
            Remedy(
                "The player may exchange or move it correctly in the same turn; `tourney rules layoff` says what is "
                "legal.",
                OURS,
            ),
            Remedy(
                "A freed joker is placed on the table at once, and never goes into the hand.", "003/1.9|000/1.9|002/1.9"
            ),
        ),
        moment(
            "later",
            "Found after that player's turn has passed",
            Remedy("If every trio and run on the table is legal, they stay as they are.", OURS),
            Remedy(
                "Otherwise the joker goes back to its place; a card for which no place is left goes back to the hand "
                "of the player who placed it.",
                TO_HAND,
            ),
            Remedy("A joker that went into a hand is placed on the table in the player's next turn.", OURS),
            Remedy("Other cards on the table do not move.", "003/1.9"),
        ),
        needs="laying",
    ),
)

_CLOSING: Final = (
    irregularity(
        "false-close",
        "False close: the player could not close",
        moment(
            "before-showing",
            "Found before other players have shown their cards",
            Remedy(
                "The hand is not over: it is closed only when all cards are placed or the last is discarded.",
                CLOSING,
                game="contract",
            ),
            Remedy("What a player announces must be what the cards make.", "001/1.11", game="knock"),
            Remedy("Cards that were placed wrongly go back to the player's hand.", TO_HAND, game="contract"),
            Remedy(
                "A lay-down of the same turn may be taken back: continue with `tourney rules ruling wrong-lay-down`.",
                "003/1.8",
                game="contract",
            ),
            Remedy("A discard that touched the pile stays, is turned face up, and ends the turn.", f"003/1.5, {OURS}"),
            Remedy("Play continues; there is no penalty.", OURS),
        ),
        moment(
            "after-showing",
            "Found after other players have shown their cards",
            Remedy("The players take up their cards again: the hand goes on as if nobody had shown.", OURS),
            Remedy("If hands can no longer be told apart, the same hand is dealt again by the same dealer.", OURS),
            Remedy(
                "Keep a re-deal with `tourney ruling add --kind redeal`, and a penalty that your event has announced "
                "for it with `tourney ruling penalty`."
            ),
        ),
        moment(
            "cards-mixed",
            "Found after the cards were mixed with others",
            Remedy("The hand stands as it was counted, unless all players of the table agree.", "A-29"),
        ),
    ),
)

_CLAIMING: Final = (
    irregularity(
        "wrong-claim",
        "Wrong or forgotten claim, or two for one card",
        moment(
            "too-late",
            "The claim was forgotten, or comes after the discard of the player in turn",
            Remedy(
                "A claim comes before the player in turn discards; after that the card is covered.",
                "003/1.6|002/1.6|A-11",
            ),
            Remedy("A covered card is lost for good, even if the card on top of it is taken.", "003/1.6"),
            Remedy("Where nobody can say which came first, the discard counts.", OURS),
        ),
        moment(
            "two-claims",
            "Two or more players want the same card",
            Remedy("The player whose turn comes first gets it, not the one who spoke first.", CLAIMS),
            Remedy("The player who discarded it comes last of all.", "003/1.6|A-37"),
            Remedy("Only the player who gets it draws a penalty card.", CLAIMS),
        ),
        moment(
            "before-discard",
            "Claimed wrongly, and found before the player in turn has discarded",
            Remedy("The claimed card goes back on top of the discard pile.", OURS),
            Remedy(
                "The penalty card was seen illegally: continue with `tourney rules ruling illegal-draw`.",
                f"{IRREGULARITIES}, {OURS}",
            ),
            Remedy("Players who may claim the card can still do so.", CLAIMS),
        ),
        moment(
            "after-discard",
            "Claimed wrongly, and found after the discard of the player in turn",
            Remedy("It can no longer be corrected: the claimer keeps both cards.", OURS),
            Remedy("Where claims are limited, it counts as one of them.", OURS),
        ),
        needs="claims",
    ),
    irregularity(
        "forgotten-penalty-card",
        "Forgotten penalty card",
        moment(
            "same-hand",
            "Found while the hand is played",
            Remedy("Every claim costs one card of the stock, and no discard.", CLAIMS),
            Remedy("The claimer draws the top card of the stock as soon as it is found, in turn or not.", OURS),
            Remedy("The claim stands, and so does what was played meanwhile.", OURS),
        ),
        moment(
            "after-close",
            "Found after the claimer has closed",
            Remedy(
                "Until the cards are mixed with others, the close does not count: the claimer draws the card, and "
                "play continues.",
                OURS,
            ),
            Remedy("Once they are mixed, the hand stands unless all players of the table agree.", "A-29"),
        ),
        moment(
            "after-another-close",
            "Found after another player has closed",
            Remedy("The claimer counts the cards left in the hand; no card is drawn any more.", OURS),
        ),
        needs="claims",
    ),
)

_COUNTING: Final = (
    irregularity(
        "wrong-count",
        "Wrong count: a player has too many or too few cards in play",
        moment(
            "in-play",
            "Found while the hand is played",
            Remedy(
                "The right number is the cards dealt and two for each claim; cards that the player has placed on the "
                "table count, and between draw and discard there is one more.",
                "003/1.3, 003/1.6|002/1.3, 002/1.6|000/1.3, 000/1.6|004/1.3|001/1.3",
            ),
            Remedy("If a penalty card is missing, continue with `tourney rules ruling forgotten-penalty-card`.", OURS),
            Remedy(
                "If the deal was wrong and the player has not drawn yet, continue with `tourney rules ruling "
                "incorrect-hand`.",
                IRREGULARITIES,
            ),
            *WRONG_NUMBER,
        ),
        moment(
            "after-close",
            "Found after the hand was closed",
            Remedy(
                "If the player who closed had too few cards, continue with `tourney rules ruling false-close`.", OURS
            ),
            Remedy("All others count the cards that they hold, however many.", OURS),
        ),
        moment(
            "asked",
            "A player who was asked has named a wrong number of cards",
            Remedy("A player who is asked must say truthfully how many cards they hold.", "003/1.5"),
            Remedy("The right number is said at once; what was played meanwhile stands.", OURS),
            Remedy(
                "For a lie, enter the penalty that your event has announced (`tourney ruling penalty`), or a note "
                "(`tourney ruling add --kind note`)."
            ),
        ),
    ),
    irregularity(
        "disputed-score",
        "Disputed score",
        moment(
            "before-mixing",
            "While the cards of the hand can still be counted",
            Remedy("Count again, aloud, each hand before all players of the table.", OURS),
            Remedy(
                "Every card in the hand counts, whether it could be combined or not; cards laid do not.",
                "003/1.2|000/1.2|002/1.2",
                game="contract",
            ),
            Remedy("Only the cards that belong to no meld count.", "001/1.10", game="knock"),
            Remedy("The points of a hand: `tourney rules score`; what closing scores: `tourney rules show`."),
        ),
        moment(
            "cards-mixed",
            "About a hand whose cards are mixed with others already",
            Remedy("The count of that hand stands, unless all players of the table agree on another one.", "A-29"),
            Remedy("If nothing was written down and they do not agree, the arbiter decides by what is known.", OURS),
            Remedy(
                "Keep it with `tourney ruling add --kind correction` and the corrected sheet, or with `--kind note` "
                "if the sheet stands."
            ),
        ),
    ),
)

_SHOWING: Final = (
    irregularity(
        "misdeal",
        "Misdeal: a card exposed in the deal, or dealt in the wrong way",
        moment(
            "card-exposed",
            "A card is exposed in the deal",
            Remedy("Cards are dealt face down, one by one.", f"003/1.4, {OURS}|000/1.4"),
            Remedy(
                "The player whose card the dealer has exposed may demand a re-deal by the same dealer, before "
                "anybody has drawn.",
                OURS,
            ),
            Remedy("Otherwise, or if players expose a card of their own, it stays in that hand.", OURS),
            Remedy(
                "For a card exposed in the stock, continue with `tourney rules ruling exposed-card`.", IRREGULARITIES
            ),
        ),
        moment(
            "before-draw",
            "Wrong dealer, direction or number for all, or not cut: found before the first draw",
            Remedy(
                "The right dealer shuffles, the right player cuts, and the cards of that hand are dealt in the "
                "direction of play.",
                DEALING,
            ),
            Remedy("Deal again in this way.", OURS),
            Remedy(
                "If only one player has a wrong number, continue with `tourney rules ruling incorrect-hand`.",
                IRREGULARITIES,
            ),
        ),
        moment(
            "after-draw",
            "Wrong dealer, direction or number for all, or not cut: found after the first draw",
            Remedy("The deal stands, and the hand is played.", OURS),
            Remedy("The next hand is dealt by the player who would deal it without the mistake.", OURS),
        ),
    ),
    irregularity(
        "shown-card",
        "Card shown, dropped or discarded by mistake",
        moment(
            "on-pile",
            "The card has touched the discard pile",
            Remedy("It stays there, and is not exchanged for another: a card on the table is played.", "003/1.5"),
            Remedy("The turn is over.", "003/1.5|000/1.5|001/1.5|002/1.5"),
        ),
        moment(
            "face-down",
            "The card was discarded face down",
            Remedy("Turn it face up: every discard lies so, except the last card of the hand.", "003/1.5"),
            Remedy("It may be claimed from then on.", OURS),
        ),
        moment(
            "elsewhere",
            "The card was seen, but has not touched the discard pile",
            Remedy("It goes back into the player's hand, and is not a discard; there is no penalty.", OURS),
            Remedy("Nobody may claim it.", OURS),
            Remedy(
                "For cards shown on purpose, enter the penalty that your event has announced (`tourney ruling "
                "penalty`), or a note (`tourney ruling add --kind note`)."
            ),
        ),
    ),
    irregularity(
        "pile-searched",
        "Discard pile looked through",
        moment(
            "any-time",
            "Whenever it is seen",
            Remedy("Only the top card of the discard pile may be seen: the player stops.", "003/1.5"),
            Remedy("The pile is squared up as it lay, with its top card on top.", OURS),
            Remedy("What was played stands, and play continues.", OURS),
            Remedy("If it happens again, enter the penalty that your event has announced (`tourney ruling penalty`)."),
        ),
    ),
)

KINDS: Final = (*OF_004, *_LAYING, *_CLOSING, *_CLAIMING, *_COUNTING, *_SHOWING, *OF_OURS)
"""All kinds; those of document 004 came first, and keep their places in machine output."""
