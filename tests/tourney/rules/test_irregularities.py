"""`rules ruling` shows the steps of an arbiter; that they are document 004's is held beside its clauses."""

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode

SILENT = "Document 003 says nothing of irregularities; these steps are document 004's."
# Kind, moment and clause: where document 004 says it, or breaks off.
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


@pytest.mark.parametrize(("kind", "found", "clause"), MOMENTS, ids=[f"{one[0]}-{one[1]}" for one in MOMENTS])
def test_a_moment_alone_is_shown_with_its_steps_and_its_clause(run: Runner, kind: str, found: str, clause: str) -> None:
    """Check that people and programs get the same steps; the tests of document 004's clauses check the words."""
    result = run("rules", "ruling", kind, "--found", found, "--json")
    assert result.code == ExitCode.DONE
    (moment,) = result.json["moments"]
    assert (moment["id"], moment["clause"]) == (found, clause)
    output = " ".join(run("rules", "ruling", kind, "--found", found).out.split())
    assert output.endswith(f"[{clause}] - {' - '.join(moment['steps'])} {SILENT}")


def test_no_moment_alone_points_to_another_one_that_is_not_shown(run: Runner) -> None:
    """Check that with `--found` a moment points to a command, and not to text above or below that is not shown."""
    for kind, found, _clause in MOMENTS:
        output = run("rules", "ruling", kind, "--found", found).out
        assert "below" not in output
        assert "above" not in output


def test_every_kind_and_moment_is_listed_and_none_besides(run: Runner) -> None:
    listed = {(one["kind"], moment["id"]) for one in run("rules", "ruling", "--json").json for moment in one["moments"]}
    assert listed == {(kind, found) for kind, found, _clause in MOMENTS}


def test_a_page_of_steps_keeps_within_eighty_columns(run: Runner) -> None:
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
def test_an_unknown_kind_or_moment_is_refused_with_what_there_is(
    run: Runner, words: tuple[str, ...], message: str
) -> None:
    result = run("rules", "ruling", *words)
    assert (result.code, result.err) == (ExitCode.NOT_FOUND, message)
