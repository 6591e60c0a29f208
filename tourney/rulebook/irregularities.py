"""Steps of an arbiter's ruling on an irregularity.

Only document 004 covers irregularities (004/1.12); where its text breaks off, the clause is the number of the
ambiguity. The steps serve any rule set.
"""

from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rules import RulesRef
from tourney.rulebook.answers import Irregularity, Moment
from tourney.rulebook.rulesets import rules_of
from tourney.text.i18n import _
from tourney.text.similar import similar

DOCUMENT: Final = "004"
CLAUSE: Final = "004/1.12"

_KINDS: Final[tuple[Irregularity, ...]] = (
    Irregularity(
        "play-out-of-turn",
        "Play out of turn",
        (
            Moment(
                "before-discard",
                "Found before the offender has discarded",
                (
                    "The offender puts the drawn card back where it came from.",
                    "The offender takes back every card laid down or laid off in this turn.",
                    "The turn goes to the player whose turn it is.",
                    "If the drawn card came from the stock, it was seen illegally: continue with illegal-draw.",
                ),
                CLAUSE,
            ),
            Moment(
                "after-discard",
                "Found after the offender has discarded",
                (
                    "It is too late: the turn stands as it was played.",
                    "Play continues with the player after the offender; a turn that was passed over is lost.",
                    "If somebody now holds a wrong number of cards, continue with incorrect-hand.",
                ),
                "A-26",
            ),
        ),
    ),
    Irregularity(
        "illegal-draw",
        "Illegal draw: a card seen illegally",
        (
            Moment(
                "before-discard",
                "Found before the offender has discarded",
                (
                    "The offender gives the card up.",
                    "The next player in turn may draw it.",
                    "If that player does not want it, it goes face down into the middle of the stock.",
                    "That player's turn continues as if nothing had happened.",
                ),
                CLAUSE,
            ),
            Moment(
                "after-discard",
                "Found after the offender has discarded",
                (
                    "It can no longer be corrected: the card stays where it is.",
                    "If the offender now holds a wrong number of cards, continue with incorrect-hand.",
                ),
                CLAUSE,
            ),
        ),
    ),
    Irregularity(
        "exposed-card",
        "Exposed card on top of the stock",
        (
            Moment(
                "any-time",
                "As long as exposed cards lie on top of the stock",
                (
                    "The exposed card stays where it is, face up.",
                    "The player in turn may draw one of three cards: the top discard, an exposed card, or the top "
                    "card of the stock that is face down.",
                    "Once no exposed card is left, play continues as usual.",
                ),
                f"{CLAUSE}, A-27",
            ),
        ),
    ),
    Irregularity(
        "incorrect-hand",
        "Incorrect hand: a wrong number of cards",
        (
            Moment(
                "before-draw",
                "Found before that player's first draw",
                (
                    "That player may demand a re-deal: the cards are shuffled and the same hand is dealt again.",
                    "Otherwise continue as after the first draw: "
                    "`tourney rules ruling incorrect-hand --found after-draw`.",
                    "Keep a re-deal with `tourney ruling add --kind redeal`.",
                ),
                f"{CLAUSE}, A-28",
            ),
            Moment(
                "after-draw",
                "Found after that player's first draw",
                (
                    "There is no re-deal any more.",
                    "With too many cards the player discards without drawing, in each turn, until the number is right.",
                    "With too few the player draws without discarding, one card in each turn, until the number is "
                    "right.",
                    "The player may not lay down while the number is wrong.",
                ),
                f"{CLAUSE}, A-28",
            ),
        ),
    ),
    Irregularity(
        "imperfect-pack",
        "Imperfect pack: a card is missing or duplicated",
        (
            Moment(
                "any-time",
                "Whenever it is found",
                (
                    "The hand in play stops and counts for nobody.",
                    "Put the packs right; the same hand must be dealt again.",
                    "The results of earlier hands stand.",
                    "Keep it with `tourney ruling add --kind redeal`.",
                ),
                CLAUSE,
            ),
        ),
    ),
    Irregularity(
        "superfluous-cards",
        "Superfluous cards in an otherwise correct trio or run",
        (
            Moment(
                "any-time",
                "As soon as it is found",
                (
                    "The trio or run stays on the table without the cards that do not belong to it.",
                    "Those cards go back to the hand of the player who placed them.",
                    "Play continues with the player in turn.",
                ),
                CLAUSE,
            ),
        ),
    ),
    Irregularity(
        "scoring-error",
        "Scoring error",
        (
            Moment(
                "undisputed",
                "When it had never been disputed",
                (
                    "A correction that all players of the table agree on can be made at any time.",
                    "Keep it with `tourney ruling add --kind correction` and the corrected sheet.",
                ),
                CLAUSE,
            ),
            Moment(
                "cards-mixed",
                "About a hand whose cards are mixed with others already",
                (
                    "The count of that hand stands, unless all players of the table agree on another one.",
                    "Keep what they agree on with `tourney ruling add --kind correction` and the corrected sheet.",
                ),
                f"{CLAUSE}, A-29",
            ),
        ),
    ),
)


def irregularities() -> tuple[Irregularity, ...]:
    """Return every kind of irregularity, with its steps."""
    return _KINDS


def ruling(ref: RulesRef, kind: str, found: str | None = None) -> tuple[Irregularity, str]:
    """Return the steps for a kind at every moment, or at the moment `found`, and a note on their source.

    The note is empty if the rule set has the steps itself. Raises TourneyError NOT_FOUND for an unknown kind or moment.
    """
    document = rules_of(ref).document
    irregularity = next((candidate for candidate in _KINDS if candidate.kind == kind), None)
    if irregularity is None:
        raise _unknown(_("there is no irregularity “{name}”"), kind, [irregularity.kind for irregularity in _KINDS])
    if found is not None:
        chosen = tuple(moment for moment in irregularity.moments if moment.id == found)
        if not chosen:
            raise _unknown(
                _("{kind} has no moment “{{name}}”").format(kind=kind),
                found,
                [moment.id for moment in irregularity.moments],
            )
        irregularity = Irregularity(irregularity.kind, irregularity.title, chosen)
    return irregularity, "" if document == DOCUMENT else _silent(document)


def _silent(document: str) -> str:
    text = _("Document {document} says nothing of irregularities; these steps are document {other}'s.")
    return text.format(document=document, other=DOCUMENT)


def _unknown(message: str, name: str, names: list[str]) -> TourneyError:
    near = similar(name, names, cutoff=50)
    hint = _("did you mean {near}?").format(near=near[0]) if near else _("there are: {names}")
    return TourneyError(ExitCode.NOT_FOUND, message.format(name=name[:40]), hint.format(names=", ".join(names)))
