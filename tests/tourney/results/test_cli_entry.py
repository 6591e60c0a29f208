"""Sheets from the command line where nobody can be asked: half ones, short ones, and points seldom seen."""

from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.commands import Here
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.rounds.rounds import DrawRound

AT = ("Friday", "--round", "1", "--table", "1")


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    """Four people at a table of an event; a hand not played costs 25 points."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=1, unfinished="penalty", unfinished_points=25)
    apply(db, DrawRound())
    monkeypatch.setenv("TOURNEY_DB", db)
    return Here(capsys)


def flags(number: int, points: str = "1=-10 2=35 3=12 4=60") -> list[str]:
    """The first hands of a sheet, entrants by their numbers."""
    return [word for contract in desk.CONTRACTS[:number] for word in ("--hand", f"{contract} {points}")]


def test_a_partial_sheet_is_kept_reported_and_finished(here: Here) -> None:
    kept = here("result", "enter", *AT, *flags(3), "--half")
    assert (kept.code, kept.err) == (0, "")
    assert kept.out == (
        "partial sheet kept: Friday, round 1, table 1: TT TE EE\n\n"
        "continue with `tourney result enter Friday --round 1 --table 1`\n"
        "or give the missing hands, each with --hand\n"
    )
    assert "partial sheet: round 1, table 1 (TT TE EE)" in here("result", "show").out
    shown = here("result", "show", "--json")
    assert (shown.json, shown.err) == ([], "partial sheet: round 1, table 1 (TT TE EE)\n")
    assert here("result", "enter", *AT, *flags(7)).code == 0
    assert "half" not in here("result", "show").out


def hand(contract: str, points: str = "1=-10 2=35 3=12 4=60") -> tuple[str, str]:
    return ("--hand", f"{contract} {points}")


def columns(result: dict[str, Any]) -> list[tuple[str, list[int]]]:
    return [(hand["contract"], list(hand["points"].values())) for hand in result["hands"]]


def test_a_partial_sheet_is_finished_by_the_hands_that_are_missing(here: Here) -> None:
    """Also bit by bit; a hand given again replaces the one kept."""
    whole = here("result", "enter", *AT, *flags(6), *hand("EEE", "1=0 2=9 3=7 4=5"), "--dry-run", "--json").json
    here("result", "enter", *AT, *flags(4), "--half")
    assert here("result", "enter", *AT, *hand("TTE", "1=0 2=9 3=7 4=5"), "--half", "--json").json["hands"] == list(
        desk.CONTRACTS[:5]
    )
    missing = here("result", "enter", *AT, *hand("TEE"))
    assert (missing.code, missing.out) == (ExitCode.REFUSED, "")
    assert "hand EEE is missing" in missing.err
    done = here("result", "enter", *AT, *hand("TTE"), *hand("EEE", "1=0 2=9 3=7 4=5"), *hand("TEE"), "--json")
    assert (done.code, columns(done.json)) == (0, columns(whole))


def test_a_hand_added_to_a_partial_sheet_is_checked_with_it(here: Here) -> None:
    here("result", "enter", *AT, *flags(6), "--half")
    for words, said in (
        (hand("EEE", "1=0 2=1 3=7 4=5"), "add up to 1"),
        (hand("XX"), "there is no hand XX"),
        ((*hand("EEE"), *hand("EEE")), "hand EEE appears twice"),
    ):
        refused = here("result", "enter", *AT, *words)
        assert refused.code == ExitCode.REFUSED
        assert said in refused.err
    assert "partial sheet: round 1, table 1 (TT TE EE TTT TTE TEE)" in here("result", "show").out


@pytest.mark.parametrize(("kept", "words", "short"), [(7, (), 0), (4, ("--short",), 3)], ids=["whole", "short"])
def test_what_was_kept_is_entered_without_any_hand(here: Here, kept: int, words: tuple[str, ...], short: int) -> None:
    """Where nobody can be asked; where nothing was kept the sheet is missing."""
    assert here("result", "enter", *AT, *words).code == ExitCode.USAGE
    here("result", "enter", *AT, *flags(kept), "--half")
    entered = here("result", "enter", *AT, *words, "--json")
    assert (entered.code, len(entered.json["hands"]), entered.json["short"]) == (0, kept, short)


def test_a_partial_sheet_is_discarded_by_void(here: Here) -> None:
    """With its reason, until that is undone. A dry run keeps it; a table with nothing has nothing to be void."""
    here("result", "enter", *AT, *flags(3), "--half")
    void = ("result", "void", *AT, "--reason", "the wrong table")
    message = "partial sheet discarded: Friday, round 1, table 1: TT TE EE\n"
    assert here(*void, "--dry-run").out.startswith(f"dry run: nothing was saved. {message}")
    assert here(*void).out == f"{message}\n`tourney undo` restores it\n"
    assert "half" not in here("round", "show").out
    assert here(*void).code == ExitCode.NOT_FOUND
    output = here("log", "--last", "1", "--format", "csv").out
    assert '"partial sheet of table 1 of round 1 discarded, TT TE EE: the wrong table"' in output
    assert "partial sheet restored: Friday, round 1, table 1 (TT TE EE)" in here("undo").out
    assert "partial sheet: round 1, table 1 (TT TE EE)" in here("result", "show").out


def test_undo_reports_partial_sheets(here: Here) -> None:
    here("result", "enter", *AT, *flags(1), "--half")
    aside = "partial sheet discarded: Friday, round 1, table 1 (TT); `tourney redo` restores it"
    assert here("undo", "--dry-run", "--json").json["halves"] == [aside]
    assert aside in " ".join(here("undo").out.split())
    assert "partial sheet restored: Friday, round 1, table 1 (TT)" in here("redo").out


def test_a_partial_sheet_for_programs(here: Here) -> None:
    data = here("result", "enter", *AT, *flags(2), "--half", "--json").json
    assert data == {"event": "Friday", "round": 1, "table": 1, "state": "half entered", "hands": ["TT", "TE"]}


def test_a_short_game_is_shown_with_what_it_cost(here: Here) -> None:
    """Five hands of seven: each total has 50 points more."""
    entered = here("result", "enter", *AT, *flags(5), "--short", "--json")
    assert (entered.code, entered.json["short"]) == (0, 2)
    wanted = {"Ana": -50, "Beñat": 175, "Carmen": 60, "Diego": 300}
    assert {player["player"]: (player["extra"], player["points"]) for player in entered.json["players"]} == {
        name: (50, points + 50) for name, points in wanted.items()
    }
    lines = here("result", "show", *AT).out.split("\n")
    row = next(line.split() for line in lines if line.startswith("not played"))
    assert row == ["not", "played:", "2", "50", "50", "50", "50"]
    listing = here("result", "show", "--format", "csv").out.split("\n")
    assert listing[0].endswith(",short")
    assert {line.rsplit(",", 1)[1] for line in listing[1:-1]} == {"2"}


def test_a_whole_game_is_not_short(here: Here) -> None:
    entered = here("result", "enter", *AT, *flags(7), "--json").json
    assert (entered["short"], [player["extra"] for player in entered["players"]]) == (0, [0, 0, 0, 0])
    assert "not played" not in here("result", "show", *AT).out
    assert "Short" not in here("result", "show").out


def test_unusual_points_are_accepted_with_a_note_on_standard_error(here: Here) -> None:
    entered = here("result", "enter", *AT, *flags(1, "1=-10 2=105 3=12 4=60"), *flags(7)[2:], "--json")
    assert entered.code == 0
    assert entered.err == "TT, Beñat: 105 points are unusual in that hand; did you mean 15, 10 or 5?\n"
    assert {hand["points"]["Beñat"] for hand in entered.json["hands"]} == {105, 35}


def test_what_was_meant_stands_in_the_hint_of_a_refusal(here: Here) -> None:
    refused = here("result", "enter", *AT, *flags(1, "1=0 2=1 3=12 4=60"), *flags(7)[2:])
    assert refused.code == ExitCode.REFUSED
    assert "error: TT, Beñat: no cards of these packs add up to 1\nhint: did you mean Beñat 2? " in refused.err


USAGE = [
    ((), "missing option --round"),
    (("--round", "1"), "missing option --table"),
    (("--round", "1", "--table", "1"), "the sheet comes from --file"),
    (("--round", "1", "--table", "1", "--half"), "the sheet comes from --file"),
    (("--round", "1", "--table", "1", "--short", "--half", *flags(2)), "--short and --half contradict each other"),
]


@pytest.mark.parametrize(("words", "message"), USAGE, ids=[message for _words, message in USAGE])
def test_where_nobody_can_be_asked_the_options_are_wanted(here: Here, words: tuple[str, ...], message: str) -> None:
    """In two lines, and without a question."""
    refused = here("result", "enter", "Friday", *words)
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")
    assert refused.err.startswith(f"error: {message}")
    assert refused.err.count("\n") == 2


@pytest.mark.parametrize("command", [("result", "correct"), ("ruling", "add", "--kind", "correction")], ids=" ".join)
def test_a_correction_may_be_short(here: Here, command: tuple[str, ...]) -> None:
    """The refusal without the option points to it."""
    here("result", "enter", *AT, *flags(7))
    words = (*command, *AT, *flags(6), "--reason", "the bell")
    refused = here(*words)
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    assert "if the game ended before it, add --short" in refused.err
    assert here(*words, "--short").code == ExitCode.DONE
    assert here("result", "show", *AT, "--json").json["short"] == 1


def test_a_short_game_that_is_void_shows_its_sheet_as_not_counting(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event counts whole games only."""
    db = str(tmp_path / "void.db")
    desk.event(db, 4, rounds=1, unfinished="void")
    monkeypatch.setenv("TOURNEY_DB", db)
    here = Here(capsys)
    names = [player.name for player in apply(db, DrawRound()).rounds[0].tables[0].players]
    entered = here("result", "enter", *AT, *flags(3), "--short")
    shown = here("result", "show", *AT)
    points = {"Ana": "-10", "Beñat": "35", "Carmen": "12", "Diego": "60"}
    for out in (entered.out, shown.out):
        lines = out.splitlines()
        hands = [line.split()[:5] for line in lines if line.split()[:1] in (["TT"], ["TE"], ["EE"])]
        assert hands == [[contract, *(points[name] for name in names)] for contract in desk.CONTRACTS[:3]]
        assert "state: void; nothing of this sheet counts" in lines
        assert "reason: unfinished" in lines
    data = here("result", "show", *AT, "--json").json
    assert (data["hands"], data["players"], len(data["uncounted"]["hands"])) == ([], [], 3)


def test_a_sheet_made_void_is_still_shown_as_it_was_corrected_last(here: Here) -> None:
    here("result", "enter", *AT, *flags(7))
    here("result", "correct", *AT, *flags(7, "1=-10 2=35 3=12 4=50"), "--reason", "a slip")
    void = here("result", "void", *AT, "--reason", "the wrong table", "--json").json
    shown = here("result", "show", *AT, "--json").json
    assert shown == {**void, "rulings": []}
    assert {player["player"]: player["points"] for player in shown["uncounted"]["players"]}["Diego"] == 7 * 50
    assert {row["games"] for row in here("standings", "Friday", "--json").json} == {0}
