"""Tests of `rules ruling`, which shows an arbiter's steps; the tests of document 004 check their words."""

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode

SILENT = "Document 003 says nothing of irregularities; these steps are document 004's."
# Kind, moment, and the clauses of document 004 or the decisions (A-…) that complete them.
MOMENTS = [
    ("play-out-of-turn", "before-discard", "004/1.12"),
    ("play-out-of-turn", "after-discard", "A-26"),
    ("illegal-draw", "before-discard", "004/1.12"),
    ("illegal-draw", "after-discard", "004/1.12"),
    ("exposed-card", "any-time", "004/1.12, A-27"),
    ("incorrect-hand", "before-draw", "004/1.12, A-28"),
    ("incorrect-hand", "after-draw", "004/1.12, A-28"),
    ("imperfect-pack", "any-time", "004/1.12"),
    ("superfluous-cards", "any-time", "004/1.12"),
    ("scoring-error", "undisputed", "004/1.12"),
    ("scoring-error", "cards-mixed", "004/1.12, A-29"),
]


@pytest.mark.parametrize(
    ("kind", "found", "clause"), MOMENTS, ids=[f"{kind}-{found}" for kind, found, _clause in MOMENTS]
)
def test_a_single_moment_is_shown_with_its_steps_and_its_clause(
    run: Runner, kind: str, found: str, clause: str
) -> None:
    """The text has the steps of the JSON."""
    result = run("rules", "ruling", kind, "--found", found, "--json")
    assert result.code == ExitCode.DONE
    (moment,) = result.json["moments"]
    assert (moment["id"], moment["clause"]) == (found, clause)
    output = " ".join(run("rules", "ruling", kind, "--found", found).out.split())
    assert output.endswith(f"[{clause}] - {' - '.join(moment['steps'])} {SILENT}")


def test_a_single_moment_does_not_refer_to_another_that_is_not_shown(run: Runner) -> None:
    """With `--found` a moment refers to a command, and never to text above or below."""
    for kind, found, _clause in MOMENTS:
        output = run("rules", "ruling", kind, "--found", found).out
        assert "below" not in output
        assert "above" not in output


def test_exactly_these_kinds_and_moments_are_listed(run: Runner) -> None:
    kinds = run("rules", "ruling", "--json").json
    listed = {(kind["kind"], moment["id"]) for kind in kinds for moment in kind["moments"]}
    assert listed == {(kind, found) for kind, found, _clause in MOMENTS}


def test_a_page_of_steps_fits_eighty_columns(run: Runner) -> None:
    for kind in {kind for kind, _found, _clause in MOMENTS}:
        result = run("rules", "ruling", kind)
        assert max(len(line) for line in result.out.splitlines()) <= 80, result.out


def test_a_silent_document_is_noted_and_document_004_is_not(run: Runner) -> None:
    assert "Document 003 says nothing" in run("rules", "ruling", "imperfect-pack").out
    assert "says nothing" not in run("rules", "ruling", "imperfect-pack", "--rules", "zoliky").out


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
def test_the_refusal_of_an_unknown_kind_or_moment_names_the_known_ones(
    run: Runner, words: tuple[str, ...], message: str
) -> None:
    result = run("rules", "ruling", *words)
    assert (result.code, result.err) == (ExitCode.NOT_FOUND, message)
