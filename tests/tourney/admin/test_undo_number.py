"""Tests of `undo`, and of `undo NUMBER`, by whole commands and at a terminal."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tests.harness.terminal import Terminal
from tourney.cli.framework import questions
from tourney.service.change import apply
from tourney.service.players import ErasePlayer, RegisterPlayers

make_db = desk.make_drawn


def _standing(run: Runner) -> list[str]:
    """Return the kinds of the changes that stand."""
    return [line["kind"] for line in run("log", "--json").json if line["state"] == "stands"]


def _is_refused(ran: Ran, code: int, *words: str) -> bool:
    first, *others = ran.err.splitlines()
    return ran.code == code and all(word in first for word in words) and len(others) == 1


def test_an_erased_name_is_not_in_the_log_of_a_partial_sheet(db: str, run: Runner) -> None:
    run("result", "enter", "--round", "1", "--table", "1", "--half", desk.hand_option("TT"))
    assert "Ana 0" in run("log", "--wide").out
    run("player", "erase", "Ana")
    assert "Ana" not in run("log", "--wide").out
    assert "erased-1 0" in run("log", "--wide").out


def test_an_undo_of_a_draw_says_so_in_full_where_nobody_can_be_asked(db: str, run: Runner) -> None:
    undone = run("undo")
    assert undone.code == 0
    assert "with it: Friday, round 1: 1 table is no longer drawn" in undone.out + undone.err
    assert run("redo", "--json").json["goes"] == []


def test_an_undo_of_an_import_counts_its_results(tmp_path: Path, run: Runner) -> None:
    """The sheets of the club evening: two rounds with two tables each make one change."""
    db = desk.evening(tmp_path / "club.db")
    results = desk.query(db, "SELECT count(*) FROM result")[0][0]
    rounds = desk.query(db, "SELECT count(*) FROM round")[0][0]
    goes = run("undo", "--db", db, "--json").json["goes"]
    assert goes[-1] == f"Friday: {results} results are as they were before"
    assert len(goes) == rounds + 1


def test_a_change_of_an_event_is_taken_back_whose_first_name_another_event_has_by_now(db: str, run: Runner) -> None:
    """Friday becomes Sat, and a second event Friday: changes 5 and 6. The two even exchange their names: 8 to 10."""

    def names() -> list[str]:
        return [event["name"] for event in run("event", "list", "--json").json]

    run("event", "set", "--event", "Friday", "--name", "Sat")
    run("event", "new", "Friday")
    run("event", "set", "--event", "Sat", "--minutes", "50")
    assert run("undo").code == 0
    assert (run("redo").code, run("undo", "7").code) == (0, 0)
    for before, after in (("Friday", "Sun"), ("Sat", "Friday"), ("Sun", "Sat")):
        assert run("event", "set", "--event", before, "--name", after).code == 0
    assert names() == ["Friday", "Sat"]
    for expected in (["Friday", "Sun"], ["Sat", "Sun"], ["Sat", "Friday"], ["Sat"], ["Friday"]):
        assert run("undo").code == 0
        assert names() == expected
    assert run("db", "check").code == 0


def test_the_choice_of_the_current_event_is_taken_back_by_the_name_of_the_event(db: str, run: Runner) -> None:
    for name in ("Sat", "Sun"):
        run("event", "new", name)
        run("event", "use", name)
    (*_earlier, last) = run("log", "--last", "1").out.splitlines()
    assert "current event: Sun" in last
    assert run("undo").out.startswith("undone: current event: Sun (Sun, ")
    assert run("undo", "6").out.startswith("undone: current event: Sat (Sat, ")
    assert run("redo").out.startswith("put back: current event: Sat (Sat, ")


def test_a_change_on_which_others_rest_is_refused_with_those_others(db: str, run: Runner) -> None:
    """The first three of five changes that rest on the players who were entered, and how many there are beside them."""
    for points in range(1, 5):
        run("ruling", "add", "--kind", "penalty", "--player", "Ana", f"--points={points}", "--reason", "late")
    entered = next(line["number"] for line in run("log", "--json").json if line["kind"] == "event.enter")
    drawn = next(line["number"] for line in run("log", "--json").json if line["kind"] == "round.draw")
    refusal = run("undo", str(entered))
    words = (f"change {entered} cannot be taken back alone", "5 later changes rest on it", f"{drawn} round 1 drawn")
    assert _is_refused(refusal, 1, *words, "; and 2 more")
    assert refusal.err.rstrip().endswith(f"`tourney undo {drawn + 4}`")
    assert max(map(len, refusal.err.splitlines())) <= 500


def test_any_number_of_a_command_names_all_of_it(db: str, run: Runner) -> None:
    """Registering and entering a new player is one command of two entries."""
    run("event", "enter", "Friday", "Zoe", "--add")
    assert _standing(run)[-2:] == ["player.add", "event.enter"]
    numbers = [line["number"] for line in run("log", "--json").json][-2:]
    for number in numbers:
        assert run("undo", str(number), "--json").json["acts"] == 2
        run("redo")


REFUSED = {
    "an unknown number": ((), "99", 3, "there is no change 99"),
    "a number of no entry": ((), "99999999999999999999", 3, "there is no change"),
    "a change undone already": ((("undo",),), "4", 1, "change 4 is undone already"),
    "an undo": ((("undo",),), "5", 1, "change 5 is an undo itself"),
    "a redo": ((("undo",), ("redo",)), "6", 1, "change 6 only put another back"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_number_that_cannot_be_undone_is_refused_in_a_line(name: str, db: str, run: Runner) -> None:
    before, number, code, words = REFUSED[name]
    for line in before:
        run(*line)
    assert _is_refused(run("undo", number), code, words), run("undo", number)


def test_an_erased_name_cannot_be_taken_back_by_its_number(db: str, run: Runner) -> None:
    apply(db, RegisterPlayers(["Zoe"]))
    apply(db, ErasePlayer("Zoe"))
    last = desk.query(db, "SELECT max(number) FROM act")[0][0]
    assert _is_refused(run("undo", str(last)), 1, f"change {last} erased a name, which cannot be undone")


# --- at a terminal ----------------------------------------------------------------------------------------------


def test_an_undo_of_a_draw_asks_on_a_terminal(db: str) -> None:
    """At 40 columns no line of the question is wider, and its sentences keep their indent."""
    with Terminal("undo", TOURNEY_DB=db, columns=40) as terminal:
        terminal.wait("this takes back: round 1 drawn: 1 table")
        terminal.wait("\n  Friday, round 1: 1 table is no longer\n  drawn\n")
        terminal.wait("Take it back? (y/n) [n]")
        terminal.type("sí")
        terminal.wait("undone: round 1 drawn")
        assert terminal.code() == 0
    assert max(map(len, terminal.shown.splitlines())) <= 40
    assert desk.query(db, "SELECT count(*) FROM round") == [(0,)]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions asked, each of which is answered with no, as if there were a terminal."""
    asked: list[str] = []

    def refuse(question: str) -> bool:
        asked.append(question)
        return False

    monkeypatch.setattr(questions, "possible", lambda: True)
    monkeypatch.setattr(questions, "confirm", refuse)
    return asked


def test_no_leaves_the_draw_and_yes_answers_in_advance(db: str, run: Runner, asked: list[str]) -> None:
    refused = run("undo")
    assert (refused.code, asked) == (0, ["Take it back?"])
    assert "this takes back: round 1 drawn: 1 table" in refused.err
    assert "nothing was taken back" in refused.err
    assert desk.query(db, "SELECT count(*) FROM round") == [(1,)]
    assert "undone: round 1 drawn" in run("undo", "--yes").out
    assert len(asked) == 1


def test_an_undo_of_the_choice_of_an_event_says_which_one_commands_mean_then_and_asks(
    db: str, run: Runner, asked: list[str]
) -> None:
    """Friday, of which a round is drawn, is the event in play; two open events without a round leave none."""
    for name in ("Sat", "Sun"):
        assert run("event", "new", name).code == 0
    run("event", "use", "Sat")
    refused = run("undo").err
    assert "this takes back: current event: Sat\n  the current event is Friday again: commands mean it\n" in refused
    assert "nothing was taken back" in refused
    assert asked == ["Take it back?"]
    assert run("undo", "4", "--yes").code == 0
    assert "no event is the current one any more: name the event in commands" in run("undo", "--yes").out.replace(
        "\n", " "
    )


def test_an_undo_of_less_than_a_draw_does_not_ask(db: str, run: Runner, asked: list[str]) -> None:
    apply(db, RegisterPlayers(["Zoe"]))
    assert "undone: registered: Zoe" in run("undo").out
    assert asked == []


def test_a_question_is_about_the_change_that_is_then_taken_back(
    db: str, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another desk registers somebody while the question is open."""

    def agree(_question: str) -> bool:
        apply(db, RegisterPlayers(["Zoe"]))
        return True

    monkeypatch.setattr(questions, "possible", lambda: True)
    monkeypatch.setattr(questions, "confirm", agree)
    assert "undone: round 1 drawn" in run("undo").out
    assert _standing(run)[-1] == "player.add"
