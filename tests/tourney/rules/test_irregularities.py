"""Tests of `rules ruling`, which shows an arbiter's steps; the tests of document 004 check their words."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode

CLAUSES = Path(__file__).parents[2] / "engine" / "clauses"
SILENT = "Document 003 says nothing of this; the steps come from document 004."
OURS = "House rulings, and marks such as A-26 and 5.3, are decisions of this program where the documents are silent;"
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

# The kinds beyond those of document 004, with their moments.
FURTHER = {
    "wrong-lay-down": "same-turn later after-close not-down",
    "wrong-joker": "same-turn later",
    "false-close": "before-showing after-showing cards-mixed",
    "wrong-claim": "too-late two-claims before-discard after-discard",
    "forgotten-penalty-card": "same-hand after-close after-another-close",
    "wrong-count": "in-play after-close asked",
    "disputed-score": "before-mixing cards-mixed",
    "misdeal": "card-exposed before-draw after-draw",
    "shown-card": "on-pile face-down elsewhere",
    "pile-searched": "any-time",
    "empty-stock": "first at-last",
    "two-closes": "order-known order-unknown",
    "player-left": "comes-back stays-away",
    "advice": "any-time",
}


@pytest.mark.parametrize(
    ("kind", "found", "clause"), MOMENTS, ids=[f"{kind}-{found}" for kind, found, _clause in MOMENTS]
)
def test_a_single_moment_of_document_004_is_shown_with_its_steps_and_their_clauses(
    run: Runner, kind: str, found: str, clause: str
) -> None:
    """The text has the steps of the JSON, each with its source."""
    result = run("rules", "ruling", kind, "--found", found, "--json")
    assert result.code == ExitCode.DONE
    (moment,) = result.json["moments"]
    assert (moment["id"], moment["clause"]) == (found, clause)
    steps = [
        f"{step} [{source}]" if source else step
        for step, source in zip(moment["steps"], moment["sources"], strict=True)
    ]
    output = " ".join(run("rules", "ruling", kind, "--found", found).out.split())
    assert f"{moment['found']} - {' - '.join(steps)}" in output
    assert (SILENT in output) == ("004" in clause)
    assert (OURS in output) == ("A-" in clause)


def test_a_single_moment_does_not_refer_to_another_that_is_not_shown(run: Runner) -> None:
    """With `--found` a moment refers to a command, and never to text above or below."""
    for kind, found, _clause in MOMENTS:
        output = run("rules", "ruling", kind, "--found", found).out
        assert "below" not in output
        assert "above" not in output


def test_exactly_these_kinds_and_moments_are_listed(run: Runner) -> None:
    kinds = run("rules", "ruling", "--json").json
    listed = {(kind["kind"], moment["id"]) for kind in kinds for moment in kind["moments"]}
    assert listed == {(kind, found) for kind, found, _clause in MOMENTS} | {
        (kind, found) for kind, moments in FURTHER.items() for found in moments.split()
    }


def test_a_page_of_steps_fits_eighty_columns(run: Runner) -> None:
    for kind in (*{kind for kind, _found, _clause in MOMENTS}, *FURTHER):
        result = run("rules", "ruling", kind)
        assert max(len(line) for line in result.out.splitlines()) <= 80, result.out


def test_a_silent_document_is_noted_and_document_004_is_not(run: Runner) -> None:
    assert "Document 003 says nothing" in run("rules", "ruling", "imperfect-pack").out
    assert "says nothing" not in run("rules", "ruling", "imperfect-pack", "--rules", "zoliky").out


# What document 003 itself says of an irregularity: the lay-down taken back, the claim, the card on the pile, the pile.
SPOKEN_OF = {
    "wrong-lay-down": "003/1.8",
    "wrong-claim": "003/1.6",
    "forgotten-penalty-card": "003/1.6",
    "false-close": "003/1.10",
    "wrong-joker": "003/1.9",
    "shown-card": "003/1.5",
    "pile-searched": "003/1.5",
    "wrong-count": "003/1.5",
    "disputed-score": "003/1.2",
    "misdeal": "003/1.4",
}


@pytest.mark.parametrize(("kind", "clause"), SPOKEN_OF.items())
def test_document_003_is_not_called_silent_where_it_speaks(run: Runner, kind: str, clause: str) -> None:
    output = run("rules", "ruling", kind).out
    assert f"[{clause}" in output
    assert "Document 003 says nothing" not in output


def test_a_rule_set_s_own_document_is_named_where_several_say_it(run: Runner) -> None:
    for rules, clause in (("oficial", "003/1.6"), ("fournier", "000/1.6"), ("continental-rummy", "002/1.6")):
        moment = run("rules", "ruling", "wrong-claim", "--found", "two-claims", "--rules", rules, "--json").json
        assert moment["moments"][0]["sources"][0] == clause


def test_a_rule_set_without_claims_or_without_laying_down_says_so(run: Runner) -> None:
    for rules in ("zoliky", "knock"):
        assert "nobody claims a discard" in run("rules", "ruling", "wrong-claim", "--rules", rules).out
    assert "nobody lays down" in run("rules", "ruling", "wrong-lay-down", "--rules", "knock").out
    assert "nobody" not in run("rules", "ruling", "wrong-lay-down", "--rules", "zoliky").out


def test_steps_of_the_other_family_are_left_out(run: Runner) -> None:
    """In the knock game nobody lays off; elsewhere nothing is announced."""
    by_knock = run("rules", "ruling", "false-close", "--rules", "knock").out
    assert "001/1.11" in by_knock
    assert "lay-down" not in by_knock
    assert "001/1.11" not in run("rules", "ruling", "false-close").out


def test_every_step_has_a_source_or_a_command_and_every_source_exists(run: Runner) -> None:
    """A clause is one of the lists; a step without a source names a command of this program."""
    lists = [tomllib.loads(file.read_text(encoding="utf-8")) for file in CLAUSES.glob("document-*.toml")]
    clauses = {clause.rpartition("/")[0] for table in lists for clause in table["clauses"]} | {"004/1.12"}
    for rules in ("oficial", "fournier", "continental-rummy", "zoliky", "knock"):
        for kind in FURTHER:
            for moment in run("rules", "ruling", kind, "--rules", rules, "--json").json["moments"]:
                for step, source in zip(moment["steps"], moment["sources"], strict=True):
                    for part in source.split(", ") if source else ():
                        assert part in clauses or re.fullmatch(r"ours|A-\d+|5\.3", part), (kind, step)
                    assert source or "`tourney " in step, (kind, step)


def test_words_find_a_kind_and_say_what_was_found(run: Runner) -> None:
    found = run("rules", "ruling", "showed", "a", "card")
    assert found.code == ExitCode.DONE
    assert "Found for “showed a card”" in found.out
    assert run("rules", "ruling", "showed a card", "--json").json == run("rules", "ruling", "shown-card", "--json").json
    assert "Found for" not in run("rules", "ruling", "shown-card").out


def test_words_that_fit_several_kinds_list_them_all(run: Runner) -> None:
    several = run("rules", "ruling", "he showed a card and closed wrongly")
    assert several.code == ExitCode.DONE
    assert "Irregularities like “he showed a card and closed wrongly”" in several.out
    listed = run("rules", "ruling", "he showed a card and closed wrongly", "--json").json
    assert {kind["kind"] for kind in listed} == {"shown-card", "false-close"}


@pytest.mark.parametrize("said", ["falta una carta", "a card is missing"])
def test_a_missing_card_may_be_one_of_the_pack_or_of_a_hand(run: Runner, said: str) -> None:
    listed = run("rules", "ruling", said, "--json").json
    assert [kind["kind"] for kind in listed] == ["imperfect-pack", "wrong-count"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("what", "is", "for", "dinner"),
            "error: there is no irregularity “what is for dinner”\nhint: say what happened, as in "
            "`tourney rules ruling showed a card`; `tourney rules ruling` lists all kinds\n",
        ),
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
