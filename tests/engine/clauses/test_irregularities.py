"""Check the steps that an arbiter is given for each irregularity of document 004: text, order and moment."""

from typing import NamedTuple

import pytest

from tourney.domain.rules import RulesRef
from tourney.rulebook.irregularities import irregularities, ruling

clause = pytest.mark.clause


class Step(NamedTuple):
    """A sentence that an arbiter must read, and the clauses that require it, if any."""

    says: str
    clauses: tuple[str, ...] = ()


# The steps by kind and moment, written from the document: who must or may do what, and when.
STEPS: dict[tuple[str, str], tuple[Step, ...]] = {
    ("play-out-of-turn", "before-discard"): (
        Step("The offender puts the drawn card back where it came from.", ("004/1.12/out-of-turn-drawn-card",)),
        Step(
            "The offender takes back every card laid down or laid off in this turn.",
            ("004/1.12/out-of-turn-played-cards",),
        ),
        Step("The turn goes to the player whose turn it is.", ("004/1.12/out-of-turn-right-player",)),
        Step(
            "If the drawn card came from the stock, it was seen illegally: "
            "continue with `tourney rules ruling illegal-draw`.",
            ("004/1.12/out-of-turn-illegal-draw",),
        ),
    ),
    ("play-out-of-turn", "after-discard"): (
        Step("It is too late: the turn stands as it was played.", ("004/1.12/out-of-turn-too-late",)),
        Step(
            "Play continues with the player after the offender; a turn that was passed over is lost.",
            ("004/1.12/out-of-turn-passed-over",),
        ),
        Step("If somebody now holds a wrong number of cards, continue with `tourney rules ruling incorrect-hand`."),
    ),
    ("illegal-draw", "before-discard"): (
        Step("The offender gives the card up.", ("004/1.12/illegal-draw-take",)),
        Step("The next player in turn may draw it.", ("004/1.12/illegal-draw-take",)),
        Step(
            "If that player does not want it, it goes face down into the middle of the stock.",
            ("004/1.12/illegal-draw-middle",),
        ),
        Step("That player's turn continues as if nothing had happened.", ("004/1.12/illegal-draw-plays-on",)),
    ),
    ("illegal-draw", "after-discard"): (
        Step("It can no longer be corrected: the card stays where it is.", ("004/1.12/illegal-draw-after-discard",)),
        Step(
            "If the offender now holds a wrong number of cards, continue with `tourney rules ruling incorrect-hand`.",
            ("004/1.12/illegal-draw-incorrect-hand",),
        ),
    ),
    ("exposed-card", "any-time"): (
        Step("The exposed card stays where it is, face up.", ("004/1.12/exposed-while-there",)),
        Step(
            "The player in turn may draw one of three cards: the top discard, an exposed card, or the top card of "
            "the stock that is face down.",
            ("004/1.12/exposed-three-options", "004/1.12/exposed-which-three"),
        ),
        Step("Once no exposed card is left, play continues normally.", ("004/1.12/exposed-while-there",)),
    ),
    ("incorrect-hand", "before-draw"): (
        Step(
            "That player may demand a re-deal: the cards are shuffled and the same hand is dealt again.",
            ("004/1.12/incorrect-hand-redeal",),
        ),
        Step("Otherwise continue as after the first draw: `tourney rules ruling incorrect-hand --found after-draw`."),
        Step("Keep a re-deal with `tourney ruling add --kind redeal`."),
    ),
    ("incorrect-hand", "after-draw"): (
        Step("There is no re-deal any more.", ("004/1.12/incorrect-hand-not-after",)),
        Step(
            "With too many cards the player discards without drawing, in each turn, until the number is right.",
            ("004/1.12/incorrect-hand-too-many",),
        ),
        Step(
            "With too few the player draws without discarding, one card in each turn, until the number is right.",
            ("004/1.12/incorrect-hand-too-few",),
        ),
        Step("The player may not lay down while the number is wrong.", ("004/1.12/incorrect-hand-no-lay-down",)),
    ),
    ("imperfect-pack", "any-time"): (
        Step("The hand in play stops and counts for nobody.", ("004/1.12/imperfect-pack-redeal",)),
        Step("Put the packs right; the same hand must be dealt again.", ("004/1.12/imperfect-pack-redeal",)),
        Step("The results of earlier hands stand.", ("004/1.12/imperfect-pack-earlier-hands",)),
        Step("Keep it with `tourney ruling add --kind redeal`."),
    ),
    ("superfluous-cards", "any-time"): (
        Step(
            "The trio or run stays on the table without the cards that do not belong to it.",
            ("004/1.12/superfluous-meld-stays",),
        ),
        Step("Those cards go back to the hand of the player who placed them.", ("004/1.12/superfluous-back-to-hand",)),
        Step("Play continues with the player in turn."),
    ),
    ("scoring-error", "undisputed"): (
        Step(
            "A correction that all players of the table agree on can be made at any time.",
            ("004/1.12/scoring-error-agreed",),
        ),
        Step("Keep it with `tourney ruling add --kind correction` and the corrected sheet."),
    ),
    ("scoring-error", "cards-mixed"): (
        Step(
            "The count of that hand stands, unless all players of the table agree on another one.",
            ("004/1.12/scoring-error-cards-mixed",),
        ),
        Step("Keep what they agree on with `tourney ruling add --kind correction` and the corrected sheet."),
    ),
}

# The sentence that describes each moment, by the document.
MOMENTS = [
    pytest.param(
        "illegal-draw",
        "after-discard",
        "Found after the offender has discarded",
        marks=clause("004/1.12/illegal-draw-after-discard"),
    ),
    pytest.param(
        "play-out-of-turn",
        "after-discard",
        "Found after the offender has discarded",
        marks=clause("004/1.12/out-of-turn-too-late"),
    ),
    pytest.param(
        "exposed-card",
        "any-time",
        "As long as exposed cards lie on top of the stock",
        marks=clause("004/1.12/exposed-while-there"),
    ),
    pytest.param(
        "incorrect-hand",
        "before-draw",
        "Found before that player's first draw",
        marks=clause("004/1.12/incorrect-hand-redeal"),
    ),
    pytest.param(
        "incorrect-hand",
        "after-draw",
        "Found after that player's first draw",
        marks=clause("004/1.12/incorrect-hand-not-after"),
    ),
    pytest.param(
        "imperfect-pack", "any-time", "Whenever it is found", marks=clause("004/1.12/imperfect-pack-any-time")
    ),
    pytest.param(
        "superfluous-cards", "any-time", "As soon as it is found", marks=clause("004/1.12/superfluous-at-once")
    ),
    pytest.param(
        "scoring-error", "undisputed", "When it had never been disputed", marks=clause("004/1.12/scoring-error-agreed")
    ),
]


def steps_given(kind: str, found: str) -> tuple[str, ...]:
    """Return the steps that an arbiter is given for the irregularity, found at that moment."""
    (moment,) = ruling(RulesRef("oficial"), kind, found)[0].moments
    return tuple(step.text for step in moment.steps)


@pytest.mark.parametrize(
    ("kind", "found", "place", "says"),
    [
        pytest.param(kind, found, place, step.says, marks=[clause(*step.clauses)] if step.clauses else [])
        for (kind, found), steps in STEPS.items()
        for place, step in enumerate(steps)
    ],
)
def test_an_arbiter_reads_each_step_in_its_place(kind: str, found: str, place: int, says: str) -> None:
    assert steps_given(kind, found)[place] == says


@pytest.mark.parametrize(("kind", "found", "when"), MOMENTS)
def test_a_moment_is_described_as_in_the_document(kind: str, found: str, when: str) -> None:
    (moment,) = ruling(RulesRef("oficial"), kind, found)[0].moments
    assert moment.found == when


def test_an_arbiter_reads_no_other_steps() -> None:
    """Check the seven kinds of the document, which stand first, their moments, and the number of steps of each."""
    found = {
        (irregularity.kind, moment.id): len(moment.steps)
        for irregularity in irregularities()[:7]
        for moment in irregularity.moments
    }
    assert found == {kind_and_moment: len(steps) for kind_and_moment, steps in STEPS.items()}
    assert len({kind for kind, _found in found}) == 7
