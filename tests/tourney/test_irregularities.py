"""The steps of an arbiter stand as document 004 and the decisions on its gaps have them."""

import pytest
from commands import Here

from tourney.domain import ExitCode

# Kind and moment, words that the steps must hold in this order, and the clause: read off document 004.
STEPS = [
    (
        "play-out-of-turn",
        "before-discard",
        ["puts the drawn card back", "takes back", "whose turn it is", "illegal"],
        "004/1.12",
    ),
    ("play-out-of-turn", "after-discard", ["too late"], "A-26"),
    ("illegal-draw", "before-discard", ["next player", "face down into the middle", "as if nothing"], "004/1.12"),
    ("illegal-draw", "after-discard", ["no longer", "incorrect-hand"], "004/1.12"),
    ("exposed-card", "any-time", ["three things"], "004/1.12, A-27"),
    ("incorrect-hand", "before-draw", ["may demand a re-deal"], "004/1.12"),
    (
        "incorrect-hand",
        "after-draw",
        ["no re-deal", "without drawing", "without discard", "not lay"],
        "004/1.12, A-28",
    ),
    ("imperfect-pack", "any-time", ["same hand again", "earlier hands stand"], "004/1.12"),
    ("superfluous-cards", "any-time", ["go back to the hand"], "004/1.12"),
    ("scoring-error", "undisputed", ["at any time"], "004/1.12"),
    ("scoring-error", "cards-mixed", ["unless all players"], "004/1.12, A-29"),
]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    return Here(capsys)


@pytest.mark.parametrize(("kind", "found", "words", "clause"), STEPS, ids=[f"{one[0]}-{one[1]}" for one in STEPS])
def test_an_arbiter_gets_the_steps_of_the_document_in_their_order(
    here: Here, kind: str, found: str, words: list[str], clause: str
) -> None:
    said = here("rules", "ruling", kind, "--found", found, "--json")
    assert said.code == ExitCode.DONE
    (moment,) = said.json["moments"]
    text = " ".join(moment["steps"])
    places = [text.find(word) for word in words]
    assert -1 not in places
    assert places == sorted(places)
    assert moment["clause"] == clause


def test_every_kind_and_moment_is_listed_and_none_besides(here: Here) -> None:
    listed = {
        (one["kind"], moment["id"]) for one in here("rules", "ruling", "--json").json for moment in one["moments"]
    }
    assert listed == {(kind, found) for kind, found, _words, _clause in STEPS}


def test_a_page_of_steps_keeps_within_eighty_columns(here: Here) -> None:
    for kind in {kind for kind, _found, _words, _clause in STEPS}:
        said = here("rules", "ruling", kind)
        assert max(len(line) for line in said.out.splitlines()) <= 80, said.out


def test_a_silent_document_is_told_and_document_004_is_not(here: Here) -> None:
    assert "Document 003 says nothing" in here("rules", "ruling", "imperfect-pack").out
    assert "says nothing" not in here("rules", "ruling", "imperfect-pack", "--rules", "zoliky").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ilegal-draw",), "error: there is no irregularity “ilegal-draw”\nhint: did you mean illegal-draw?\n"),
        (
            ("scoring-error", "--found", "later"),
            "error: scoring-error has no moment “later”\nhint: there are: undisputed, cards-mixed\n",
        ),
    ],
    ids=["kind", "moment"],
)
def test_an_unknown_kind_or_moment_is_refused_with_what_there_is(
    here: Here, words: tuple[str, ...], message: str
) -> None:
    said = here("rules", "ruling", *words)
    assert (said.code, said.err) == (ExitCode.NOT_FOUND, message)
