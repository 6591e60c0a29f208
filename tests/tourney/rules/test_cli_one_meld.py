"""Check `tourney rules check` for single melds, for more copies than there are, and for rules without jokers."""

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode

ONE_MELD = [
    # A meld by itself is legal at any length that its rules allow; only some may be laid down so (002/1.8, 004/1.7).
    ("continental-rummy", "T", "7h 7d 7c 7s", True, "002/1.8"),
    ("continental-rummy", "T", "7h 7d 7c", True, None),
    ("continental-rummy", "T", "7h Jk Jk Jk", True, "002/1.8"),
    ("continental-rummy", "E", "7h Jk Jk Jk", True, None),
    ("continental-rummy", "E", "4s 5s 6s 7s 8s", True, "002/1.8"),
    ("zoliky", "T", "7h 7d 7c 7s", True, None),
    ("zoliky", "E", "4s 5s 6s 7s 8s", True, "004/1.7, 5.11"),
    ("oficial", "E", "4s 5s 6s 7s 8s", True, None),
    ("continental-rummy", "T", "7h 7d", False, None),
    ("continental-rummy", "E", "7h 7d 7c 7s", False, None),
    ("continental-rummy", "T", "7h 7d 7c / 8h 8d 8c", False, None),
]


@pytest.mark.parametrize(("rules", "kind", "meld", "legal", "too_long"), ONE_MELD)
def test_one_meld_is_judged_by_itself_and_lay_down_says_whether_it_may_be_laid_so(
    run: Runner, rules: str, kind: str, meld: str, legal: bool, too_long: str | None
) -> None:
    answer = run("rules", "check", rules, kind, meld, "--json")
    assert (answer.code, answer.json["legal"]) == (ExitCode.DONE if legal else ExitCode.REFUSED, legal)
    assert answer.json["lay_down"] == (legal and too_long is None)
    notes = [note for note in answer.json["notes"] if "to be laid down" in note]
    assert [f"[{too_long}]" in note for note in notes] == ([True] if too_long else [])


COPIES = [
    # Two packs and three jokers each (003/1.1); in zoliky four packs at the largest table.
    ("oficial", "T", "7h 7h Jk", []),
    ("oficial", "T", "Jk Jk Jk Jk Jk Jk Jk", ["7 cards Jk; the packs hold 6"]),
    ("zoliky", "T", "7h 7h 7h 7h", []),
]
TOO_MANY = [("oficial", "T", "7h 7h 7h"), ("oficial", "TE", "7h 7d 7h / 5h 6h 7h 8h"), ("knock", "T", "7h 7h 7h")]


@pytest.mark.parametrize(("rules", "contract", "melds", "notes"), COPIES)
def test_more_jokers_than_the_packs_hold_are_a_note(
    run: Runner, rules: str, contract: str, melds: str, notes: list[str]
) -> None:
    answer = run("rules", "check", rules, contract, melds, "--json")
    assert (answer.code, answer.json["legal"], answer.json["notes"]) == (ExitCode.DONE, True, notes)
    assert all(note in run("rules", "check", rules, contract, melds).out for note in notes)


@pytest.mark.parametrize(("rules", "contract", "melds"), TOO_MANY)
def test_more_copies_of_a_card_than_the_packs_hold_are_refused(
    run: Runner, rules: str, contract: str, melds: str
) -> None:
    """Two packs (003/1.1) hold two sevens of hearts, so that three of them are on no table."""
    answer = run("rules", "check", rules, contract, melds)
    assert answer.code == ExitCode.REFUSED
    assert "3 cards 7h; the packs hold 2" in answer.err


def test_an_exchange_is_not_called_illegal(run: Runner) -> None:
    """A card that takes a joker's place is answered with that first (003/1.9)."""
    answer = run("rules", "layoff", "oficial", "4h 5h Jk 7h", "6h").out
    assert answer.startswith("legal as an exchange for the joker, not laid off: ")
    assert "exchanged for the joker: 4h 5h 6h 7h" in answer


@pytest.mark.parametrize(("rules", "mark"), [("continental-rummy", "[A-05]"), ("zoliky", "[5.11]"), ("oficial", "")])
def test_values_that_are_our_decision_say_so(run: Runner, rules: str, mark: str) -> None:
    """Document 002 gives the ace no value (A-05), document 004 no card (5.11)."""
    for answer in (run("rules", "show", rules).out, run("rules", "score", rules, "Ah").out):
        assert ("Values on which the document is silent" in answer) == bool(mark)
        assert mark in answer


@pytest.mark.parametrize(
    "question",
    [("check", "T", "7h 7d Jk"), ("check", "TT", "7h 7d 7c / 8h 8d Jk"), ("layoff", "7h 7d 7c", "Jk"),
     ("layoff", "5h 6h Jk 8h", "7h")],
    ids=" ".join,
)  # fmt: skip
def test_without_jokers_no_meld_has_one(run: Runner, question: tuple[str, ...]) -> None:
    """Document 003's variant 12 takes the jokers out of the packs (003/2.12)."""
    verb, *fields = question
    answer = run("rules", verb, "oficial+no-jokers", *fields, "--json")
    assert (answer.code, answer.json["legal"], answer.json["clause"]) == (ExitCode.REFUSED, False, "003/2.12")
    assert answer.json.get("notes", []) == []
