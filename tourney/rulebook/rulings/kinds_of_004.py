"""The irregularities that document 004 describes, with an arbiter's steps.

The texts of irregularities, moments and steps are sentences of the catalogue, and translated where they are shown.
"""

from typing import Final

from tourney.rulebook.answers import Remedy, irregularity, moment

IRREGULARITIES: Final = "004/1.12"
WRONG_NUMBER: Final = (
    Remedy("With too many cards the player discards without drawing, in each turn, until the number is right.", "A-28"),
    Remedy(
        "With too few the player draws without discarding, one card in each turn, until the number is right.", "A-28"
    ),
    Remedy("The player may not lay down while the number is wrong.", "A-28"),
)
"""The steps for a player with a wrong number of cards."""

KINDS: Final = (
    irregularity(
        "play-out-of-turn",
        "Play out of turn",
        moment(
            "before-discard",
            "Found before the offender has discarded",
            Remedy("The offender puts the drawn card back where it came from.", IRREGULARITIES),
            Remedy("The offender takes back every card laid down or laid off in this turn.", IRREGULARITIES),
            Remedy("The turn goes to the player whose turn it is.", IRREGULARITIES),
            Remedy(
                "If the drawn card came from the stock, it was seen illegally: continue with `tourney rules ruling "
                "illegal-draw`.",
                IRREGULARITIES,
            ),
        ),
        moment(
            "after-discard",
            "Found after the offender has discarded",
            Remedy("It is too late: the turn stands as it was played.", "A-26"),
            Remedy("Play continues with the player after the offender; a turn that was passed over is lost.", "A-26"),
            Remedy(
                "If somebody now holds a wrong number of cards, continue with `tourney rules ruling incorrect-hand`.",
                "A-26",
            ),
        ),
    ),
    irregularity(
        "illegal-draw",
        "Illegal draw: a card seen illegally",
        moment(
            "before-discard",
            "Found before the offender has discarded",
            Remedy("The offender gives the card up.", IRREGULARITIES),
            Remedy("The next player in turn may draw it.", IRREGULARITIES),
            Remedy("If that player does not want it, it goes face down into the middle of the stock.", IRREGULARITIES),
            Remedy("That player's turn continues as if nothing had happened.", IRREGULARITIES),
        ),
        moment(
            "after-discard",
            "Found after the offender has discarded",
            Remedy("It can no longer be corrected: the card stays where it is.", IRREGULARITIES),
            Remedy(
                "If the offender now holds a wrong number of cards, continue with `tourney rules ruling "
                "incorrect-hand`.",
                IRREGULARITIES,
            ),
        ),
    ),
    irregularity(
        "exposed-card",
        "Exposed card on top of the stock",
        moment(
            "any-time",
            "As long as exposed cards lie on top of the stock",
            Remedy("The exposed card stays where it is, face up.", IRREGULARITIES),
            Remedy(
                "The player in turn may draw one of three cards: the top discard, an exposed card, or the top card "
                "of the stock that is face down.",
                f"{IRREGULARITIES}, A-27",
            ),
            Remedy("Once no exposed card is left, play continues normally.", IRREGULARITIES),
        ),
    ),
    irregularity(
        "incorrect-hand",
        "Incorrect hand: a wrong number of cards was dealt",
        moment(
            "before-draw",
            "Found before that player's first draw",
            Remedy(
                "That player may demand a re-deal: the cards are shuffled and the same hand is dealt again.",
                IRREGULARITIES,
            ),
            Remedy(
                "Otherwise continue as after the first draw: `tourney rules ruling incorrect-hand --found after-draw`.",
                "A-28",
            ),
            Remedy("Keep a re-deal with `tourney ruling add --kind redeal`."),
        ),
        moment(
            "after-draw",
            "Found after that player's first draw",
            Remedy("There is no re-deal any more.", IRREGULARITIES),
            *WRONG_NUMBER,
        ),
    ),
    irregularity(
        "imperfect-pack",
        "Imperfect pack: a card is missing or duplicated",
        moment(
            "any-time",
            "Whenever it is found",
            Remedy("The hand in play stops and counts for nobody.", IRREGULARITIES),
            Remedy("Put the packs right; the same hand must be dealt again.", IRREGULARITIES),
            Remedy("The results of earlier hands stand.", IRREGULARITIES),
            Remedy("Keep it with `tourney ruling add --kind redeal`."),
        ),
    ),
    irregularity(
        "superfluous-cards",
        "Superfluous cards in an otherwise correct trio or run",
        moment(
            "any-time",
            "As soon as it is found",
            Remedy("The trio or run stays on the table without the cards that do not belong to it.", IRREGULARITIES),
            Remedy("Those cards go back to the hand of the player who placed them.", IRREGULARITIES),
            Remedy("Play continues with the player in turn.", IRREGULARITIES),
        ),
    ),
    irregularity(
        "scoring-error",
        "Scoring error",
        moment(
            "undisputed",
            "When it had never been disputed",
            Remedy("A correction that all players of the table agree on can be made at any time.", IRREGULARITIES),
            Remedy("Keep it with `tourney ruling add --kind correction` and the corrected sheet."),
        ),
        moment(
            "cards-mixed",
            "About a hand whose cards are mixed with others already",
            Remedy(
                "The count of that hand stands, unless all players of the table agree on another one.",
                f"{IRREGULARITIES}, A-29",
            ),
            Remedy("Keep what they agree on with `tourney ruling add --kind correction` and the corrected sheet."),
        ),
    ),
)
