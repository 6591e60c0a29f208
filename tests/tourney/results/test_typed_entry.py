"""Tests of `result enter` and `result correct` as whole commands whose questions are answered, without a terminal."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tourney.cli.framework import questions
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.results import entry, results
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

Typing = Callable[..., Ran]

HANDS = ("0 20 30 40",) * 7
"""A whole sheet, a line for each hand: the player at seat 1 closes every one."""


def make_db(db: str) -> None:
    """Draw a round of eight players at two tables; return the database."""
    desk.make_drawn(db, 8)


@pytest.fixture
def typing(db: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typing:
    """Run a command whose questions are answered by these lines; the input ends after them."""

    def run(words: str, *lines: str) -> Ran:
        typed = [*(f"{line}\n" for line in lines), ""]
        monkeypatch.setattr(questions, "read_typed_line", lambda terminal: typed.pop(0))
        monkeypatch.setattr(questions, "possible", lambda: True)
        monkeypatch.setenv("COLUMNS", "120")
        return Runner(capsys)(*words.split())

    return run


def names(db: str, table: int) -> list[str]:
    return [player.name for player in rounds.show(db).rounds[0].tables[table - 1].players]


def test_a_table_that_is_given_is_not_asked_for_again(db: str, typing: Typing) -> None:
    """The round is the newest one."""
    entered = typing("result enter --table 2 --json", *HANDS, "")
    assert entered.code == 0
    assert "Which table?" not in entered.err
    assert (entered.json["round"], entered.json["table"]) == (1, 2)
    assert [player["points"] for player in entered.json["players"]] == [0, 140, 210, 280]
    assert [player["player"] for player in entered.json["players"]] == names(db, 2)


def test_a_table_that_does_not_exist_is_refused_at_once_with_the_tables_that_do(typing: Typing) -> None:
    refused = typing("result enter --table 9", *HANDS)
    assert (refused.code, refused.out) == (ExitCode.NOT_FOUND, "")
    assert refused.err == "error: round 1 of Friday has no table 9\nhint: its tables are 1, 2\n"


def test_a_table_that_has_a_result_is_refused_at_once(db: str, typing: Typing) -> None:
    apply(db, EnterResult(None, 1, 1, desk.hands(names(db, 1))))
    refused = typing("result enter --table 1", *HANDS)
    assert refused.code == ExitCode.CONFLICT
    assert "has a result already" in refused.err
    assert "who closed?" not in refused.err


def test_the_only_table_without_a_result_is_chosen_and_named(db: str, typing: Typing) -> None:
    """Going back from its first hand lists it, so that the choice can be left."""
    apply(db, EnterResult(None, 1, 1, desk.hands(names(db, 1))))
    left = typing("result enter", "b", "q")
    assert left.code == 0
    assert left.err.startswith("table 2 is the only one of round 1 without a result\nFriday, round 1, table 2\n")
    assert left.err.endswith("Which table? [2] nothing was entered\n")


def test_a_table_of_an_earlier_round_is_offered_once_the_newest_is_complete(db: str, typing: Typing) -> None:
    """Table 2 of round 1 has no result when round 2 is drawn and entered."""
    apply(db, EnterResult(None, 1, 1, desk.hands(names(db, 1))))
    for table in apply(db, DrawRound()).rounds[0].tables:
        assert "Friday, round 2" in typing("result enter", "q").err
        apply(db, EnterResult(None, 2, table.number, desk.hands([player.name for player in table.players])))
    left = typing("result enter", "q").err
    assert left.startswith("table 2 is the only one of round 1 without a result\nFriday, round 1, table 2\n")


def test_the_table_can_be_chosen_by_a_player_who_sits_there(db: str, typing: Typing) -> None:
    player = names(db, 2)[1]
    assert "Friday, round 1, table 2\n" in typing("result enter", player[:3].upper(), "q").err


def test_back_at_the_first_hand_chooses_another_table_and_keeps_the_first_ones_hands(db: str, typing: Typing) -> None:
    left = typing("result enter", "1", HANDS[0], "b", "b", "2", "q")
    assert "kept: TT\n" in left.err
    assert f"  1  {', '.join(names(db, 1))} (partial sheet: TT)\n" in left.err
    assert "Friday, round 1, table 2\n" in left.err.rpartition("Which table?")[2]
    assert [(sheet.table.number, sheet.hands) for sheet in entry.partial_sheets_of(db, None)] == [(1, ("TT",))]


def test_back_at_the_choice_of_a_table_is_not_a_player(typing: Typing) -> None:
    """The names of Beñat's table begin with b, too."""
    assert "this is the first question; q leaves\nWhich table? " in typing("result enter", "b", "q").err


def test_a_digit_is_a_seat_even_if_it_is_the_number_of_an_entrant_at_the_table(db: str, typing: Typing) -> None:
    entrants = list(desk.NAMES)
    seated = names(db, 1)
    seat = next(seat for seat in range(4) if entrants.index(seated[seat]) != seat)
    asked = typing("result enter --table 1", str(seat + 1), "q").err
    assert "   ".join(f"{number} {name}" for number, name in enumerate(seated, 1)) in asked
    assert f"seat {seat + 1}: {seated[seat]}\nTT: did {seated[seat]} lay down" in asked


def test_a_sheet_of_four_players_and_seven_hands_takes_at_most_eighty_keystrokes(db: str, typing: Typing) -> None:
    """Four numbers, three blanks and Enter for each hand; then Enter for the table and for the sheet in brackets."""
    lines = ("", *HANDS, "")
    assert typing("result enter", *lines).code == 0
    assert sum(len(line) + 1 for line in lines) == 2 + 7 * (1 + 3 * 2 + 3 + 1) <= 80
    assert len(results.show(db)) == 1


# --- sheets and corrections that were begun ----------------------------------------------------------------------


def flags(*contracts: str, points: str = "1=0 2=20 3=30 4=40") -> list[str]:
    """Return the options for these hands; players are named by their numbers as entrants."""
    return [word for contract in contracts for word in ("--hand", f"{contract} {points}")]


@pytest.fixture
def one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Draw a round of four players at one table; return the database."""
    db = desk.drawn(tmp_path / "one.db", rounds=1)
    monkeypatch.setenv("TOURNEY_DB", db)
    return db


def test_once_all_rounds_are_played_the_event_is_to_be_finished_and_no_round_drawn(
    one_table: str, typing: Typing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOURNEY_DB", one_table)
    apply(one_table, EnterResult(None, 1, 1, desk.hands(names(one_table, 1))))
    refused = typing("result enter")
    assert refused.code == ExitCode.REFUSED
    assert "hint: finish the event with `tourney event finish`, or change a sheet with " in refused.err
    assert "round draw" not in refused.err


AT = ("--round", "1", "--table", "1")
OTHER = "1=0 2=20 3=30 4=41"


@pytest.fixture
def corrected(one_table: str, typing: Typing, monkeypatch: pytest.MonkeyPatch) -> str:
    """Enter a sheet, and begin a correction of its hands EE and TTE; return the database."""
    monkeypatch.setenv("TOURNEY_DB", one_table)
    apply(one_table, EnterResult(None, 1, 1, desk.hands(names(one_table, 1))))
    begun = typing("result correct --round 1 --table 1 --reason misread", "EE", "9 0 9 9", "TTE", "0 9 9 9", "q")
    assert "kept: TT TE EE TTT TTE TEE EEE\n" in begun.err
    return one_table


def shown(db: str) -> tuple[tuple[int, ...], bool]:
    """Return the points of the result, and whether a correction is begun."""
    (result,) = results.show(db)
    dialogue = entry.begin_correction(db, None, 1, 1)
    return result.outcome.points, any("begun" in line for line in dialogue.greeting)


def test_a_begun_correction_is_named_when_it_is_continued(corrected: str, typing: Typing) -> None:
    asked = typing("result correct --round 1 --table 1 --reason misread", "q").err
    assert "the correction that was begun is continued: EE TTE\n" in asked
    assert "to drop it: q, then `tourney result correct --round 1 --table 1 --drop --reason …`\n" in asked


def test_a_begun_correction_is_dropped_only_in_words_and_the_result_stays(
    corrected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run, before = Runner(capsys), shown(corrected)[0]
    assert shown(corrected) == (before, True)
    dropped = run("result", "correct", *AT, "--drop", "--reason", "it was right")
    assert (dropped.code, dropped.err) == (0, "")
    assert dropped.out.startswith("begun correction dropped: Friday, round 1, table 1\n")
    assert shown(corrected) == (before, False)
    again = run("result", "correct", *AT, "--drop", "--reason", "it was right")
    assert (again.code, again.out) == (ExitCode.NOT_FOUND, "")
    assert again.err.startswith("error: no correction of table 1 of round 1 of Friday was begun\nhint: ")
    assert run("undo").code == 0
    assert shown(corrected) == (before, True)


def test_an_undone_correction_is_begun_again_and_undo_says_so_until_its_hands_are_undone_too(
    corrected: str, typing: Typing, capsys: pytest.CaptureFixture[str]
) -> None:
    run, before = Runner(capsys), shown(corrected)[0]
    assert typing("result correct --round 1 --table 1 --reason misread", "y").code == 0
    place = "Friday, round 1, table 1 (EE TTE)"
    drop = "`tourney result correct Friday --round 1 --table 1 --drop --reason …`"
    restored = f"begun correction restored: {place}; to drop it: {drop}"
    for options in (("--dry-run",), ()):
        assert restored in " ".join(run("undo", *options).out.split())
    assert shown(corrected) == (before, True)
    assert "begun correction" not in run("undo").out
    discarded = "begun correction discarded: Friday, round 1, table 1 (EE); `tourney redo` restores it"
    assert discarded in " ".join(run("undo").out.split())
    assert shown(corrected) == (before, False)


def test_drop_takes_no_sheet(one_table: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused = Runner(capsys)("result", "correct", *AT, "--drop", "--reason", "no", *flags("TT"))
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")
    assert refused.err.startswith("error: --drop takes no sheet: the result stays as it is\n")


@pytest.mark.parametrize(
    "words",
    [
        ("result", "correct", *AT, "--reason", "misread", *flags(*desk.CONTRACTS)),
        ("result", "void", *AT, "--reason", "misread"),
        ("ruling", "add", "--kind", "correction", *AT, "--reason", "misread", *flags(*desk.CONTRACTS)),
    ],
    ids=["result correct", "result void", "ruling add"],
)
def test_a_command_that_drops_a_begun_correction_names_what_it_changed(
    corrected: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    run = Runner(capsys)
    for options in (("--dry-run",), ()):
        done = run(*words, *options)
        assert (done.code, done.err) == (0, "the correction that was begun is dropped: EE TTE\n")


def test_hands_that_replace_those_of_a_partial_sheet_are_named(
    one_table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A hand given again with the same points replaces nothing."""
    run = Runner(capsys)
    assert run("result", "enter", *AT, "--half", *flags("TT", "TE", "EE")).err == ""
    same = run("result", "enter", *AT, "--half", *flags("TT"))
    assert (same.code, same.err) == (0, "")
    other = run("result", "enter", *AT, "--half", *flags("TT", "TTT"), *flags("TE", points=OTHER))
    assert (other.code, other.err) == (0, "the partial sheet's TE is replaced\n")
    whole = run("result", "enter", *AT, *flags("TT", "TE", *desk.CONTRACTS[4:]), *flags("EE", points=OTHER))
    assert (whole.code, whole.err) == (0, "the partial sheet's TE EE are replaced\n")


def test_the_log_names_the_hand_that_was_changed_and_not_the_last_one(db: str, typing: Typing) -> None:
    """TT, TE and EE are typed, then TE is changed; in the correction of the whole sheet it is TTE."""

    def newest() -> str:
        return typing("log --last 1 --json").json[0]["said"]

    typing("result enter --table 1", *HANDS[:3], "b", "b", "0 20 30 50", "q")
    first, second, third, fourth = names(db, 1)
    assert newest() == f"sheet of table 1, round 1: TE: {first} 0, {second} 20, {third} 30, {fourth} 50"
    typing("result enter --table 1", *HANDS[3:], "")
    typing("result correct --round 1 --table 1 --reason misread", "TTE", "0 9 30 40", "q")
    assert newest() == f"correction begun of table 1, round 1: TTE: {first} 0, {second} 9, {third} 30, {fourth} 40"


def test_a_whole_sheet_is_shown_under_one_title_before_it_is_corrected(db: str, typing: Typing) -> None:
    """The sheet is shown once more when a hand of it has changed."""
    typing("result enter --table 1", *HANDS, "")
    asked = typing("result correct --round 1 --table 1 --reason misread", "q").err
    assert asked.count("Friday, round 1, table 1") == 1
    asked = typing("result correct --round 1 --table 1 --reason misread", "TE", "0 9 30 40", "q").err
    assert asked.count("Friday, round 1, table 1") == 2


def test_a_correction_is_typed_for_the_hand_that_was_wrong(db: str, typing: Typing) -> None:
    """Questions are on standard error, so with --json standard output is only JSON."""
    apply(db, EnterResult(None, 1, 2, desk.hands(names(db, 2))))
    answers = ("EE", "", "", "25", "", "", "y")
    made = typing("result correct --round 1 --table 2 --reason misread --json", *answers)
    first, second, third, fourth = names(db, 2)
    assert f"EE: who closed? [{third}] " in made.err
    assert f"EE, {first}: [20] EE, {second}: [30] EE, {fourth}: [50] " in made.err
    assert made.json["hands"][2]["points"] == {first: 25, second: 30, third: 0, fourth: 50}
    assert (made.json["reason"], results.show(db)[0].reason) == ("misread", "misread")
    assert entry.partial_sheets_of(db, None) == ()


def test_a_change_of_an_earlier_hand_that_is_not_finished_is_named_on_leaving(db: str, typing: Typing) -> None:
    """The hand is kept as it was before, and the end of input leaves as Ctrl-D does."""
    left = typing("result enter --table 1", HANDS[0], HANDS[1], "b", "b", "2", "n", "7")
    assert (
        "kept: TT TE\nnot kept: the change of TT that was begun; the hand is as it was before\ncontinue with "
        in left.err
    )
    (sheet,) = entry.partial_sheets_of(db, None)
    assert sheet.hands == ("TT", "TE")
    assert entry.begin(db, None, 1, 1).draft.hands[0].points == {0: 0, 1: 20, 2: 30, 3: 40}
