"""The irregularities that document 004 describes, with an arbiter's steps."""

from typing import Final

from tourney.rulebook.answers import Irregularity, Moment, Step
from tourney.text.i18n import marked

IRREGULARITIES: Final = "004/1.12"

KINDS: Final = (
    Irregularity(
        "play-out-of-turn",
        marked("Play out of turn"),
        (
            Moment(
                "before-discard",
                marked("Found before the offender has discarded"),
                (
                    Step(marked("The offender puts the drawn card back where it came from."), IRREGULARITIES),
                    Step(
                        marked("The offender takes back every card laid down or laid off in this turn."), IRREGULARITIES
                    ),
                    Step(marked("The turn goes to the player whose turn it is."), IRREGULARITIES),
                    Step(
                        marked(
                            "If the drawn card came from the stock, it was seen illegally: continue with illegal-draw."
                        ),
                        IRREGULARITIES,
                    ),
                ),
            ),
            Moment(
                "after-discard",
                marked("Found after the offender has discarded"),
                (
                    Step(marked("It is too late: the turn stands as it was played."), "A-26"),
                    Step(
                        marked(
                            "Play continues with the player after the offender; a turn that was passed over is lost."
                        ),
                        "A-26",
                    ),
                    Step(
                        marked("If somebody now holds a wrong number of cards, continue with incorrect-hand."), "A-26"
                    ),
                ),
            ),
        ),
    ),
    Irregularity(
        "illegal-draw",
        marked("Illegal draw: a card seen illegally"),
        (
            Moment(
                "before-discard",
                marked("Found before the offender has discarded"),
                (
                    Step(marked("The offender gives the card up."), IRREGULARITIES),
                    Step(marked("The next player in turn may draw it."), IRREGULARITIES),
                    Step(
                        marked("If that player does not want it, it goes face down into the middle of the stock."),
                        IRREGULARITIES,
                    ),
                    Step(marked("That player's turn continues as if nothing had happened."), IRREGULARITIES),
                ),
            ),
            Moment(
                "after-discard",
                marked("Found after the offender has discarded"),
                (
                    Step(marked("It can no longer be corrected: the card stays where it is."), IRREGULARITIES),
                    Step(
                        marked("If the offender now holds a wrong number of cards, continue with incorrect-hand."),
                        IRREGULARITIES,
                    ),
                ),
            ),
        ),
    ),
    Irregularity(
        "exposed-card",
        marked("Exposed card on top of the stock"),
        (
            Moment(
                "any-time",
                marked("As long as exposed cards lie on top of the stock"),
                (
                    Step(marked("The exposed card stays where it is, face up."), IRREGULARITIES),
                    Step(
                        marked(
                            "The player in turn may draw one of three cards: the top discard, an exposed card, or the "
                            "top card of the stock that is face down."
                        ),
                        f"{IRREGULARITIES}, A-27",
                    ),
                    Step(marked("Once no exposed card is left, play continues as usual."), IRREGULARITIES),
                ),
            ),
        ),
    ),
    Irregularity(
        "incorrect-hand",
        marked("Incorrect hand: a wrong number of cards was dealt"),
        (
            Moment(
                "before-draw",
                marked("Found before that player's first draw"),
                (
                    Step(
                        marked(
                            "That player may demand a re-deal: the cards are shuffled and the same hand is dealt again."
                        ),
                        IRREGULARITIES,
                    ),
                    Step(
                        marked(
                            "Otherwise continue as after the first draw: "
                            "`tourney rules ruling incorrect-hand --found after-draw`."
                        ),
                        "A-28",
                    ),
                    Step(marked("Keep a re-deal with `tourney ruling add --kind redeal`.")),
                ),
            ),
            Moment(
                "after-draw",
                marked("Found after that player's first draw"),
                (
                    Step(marked("There is no re-deal any more."), IRREGULARITIES),
                    Step(
                        marked(
                            "With too many cards the player discards without drawing, in each turn, until the number "
                            "is right."
                        ),
                        "A-28",
                    ),
                    Step(
                        marked(
                            "With too few the player draws without discarding, one card in each turn, until the number "
                            "is right."
                        ),
                        "A-28",
                    ),
                    Step(marked("The player may not lay down while the number is wrong."), "A-28"),
                ),
            ),
        ),
    ),
    Irregularity(
        "imperfect-pack",
        marked("Imperfect pack: a card is missing or duplicated"),
        (
            Moment(
                "any-time",
                marked("Whenever it is found"),
                (
                    Step(marked("The hand in play stops and counts for nobody."), IRREGULARITIES),
                    Step(marked("Put the packs right; the same hand must be dealt again."), IRREGULARITIES),
                    Step(marked("The results of earlier hands stand."), IRREGULARITIES),
                    Step(marked("Keep it with `tourney ruling add --kind redeal`.")),
                ),
            ),
        ),
    ),
    Irregularity(
        "superfluous-cards",
        marked("Superfluous cards in an otherwise correct trio or run"),
        (
            Moment(
                "any-time",
                marked("As soon as it is found"),
                (
                    Step(
                        marked("The trio or run stays on the table without the cards that do not belong to it."),
                        IRREGULARITIES,
                    ),
                    Step(marked("Those cards go back to the hand of the player who placed them."), IRREGULARITIES),
                    Step(marked("Play continues with the player in turn."), IRREGULARITIES),
                ),
            ),
        ),
    ),
    Irregularity(
        "scoring-error",
        marked("Scoring error"),
        (
            Moment(
                "undisputed",
                marked("When it had never been disputed"),
                (
                    Step(
                        marked("A correction that all players of the table agree on can be made at any time."),
                        IRREGULARITIES,
                    ),
                    Step(marked("Keep it with `tourney ruling add --kind correction` and the corrected sheet.")),
                ),
            ),
            Moment(
                "cards-mixed",
                marked("About a hand whose cards are mixed with others already"),
                (
                    Step(
                        marked("The count of that hand stands, unless all players of the table agree on another one."),
                        f"{IRREGULARITIES}, A-29",
                    ),
                    Step(
                        marked(
                            "Keep what they agree on with `tourney ruling add --kind correction` and the corrected "
                            "sheet."
                        )
                    ),
                ),
            ),
        ),
    ),
)
