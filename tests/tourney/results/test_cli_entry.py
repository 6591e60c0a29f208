"""Tests of sheets entered by options, without questions: partial sheets, short games, and unusual points."""

from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode

AT = ("Friday", "--round", "1", "--table", "1")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run commands on an event of four players at one table, where a hand not played costs 25 points."""
    db = desk.drawn(tmp_path / "club.db", rounds=1, unfinished="penalty", unfinished_points=25)
    monkeypatch.setenv("TOURNEY_DB", db)
    return Runner(capsys)


def flags(number: int, points: str = "1=-10 2=35 3=12 4=60") -> list[str]:
    """Return the options for the first `number` hands of a sheet, players by their entrant numbers."""
    return [word for contract in desk.CONTRACTS[:number] for word in ("--hand", f"{contract} {points}")]


def test_a_partial_sheet_is_kept_reported_and_finished(run: Runner) -> None:
    kept = run("result", "enter", *AT, *flags(3), "--half")
    assert (kept.code, kept.err) == (0, "")
    assert kept.out == (
        "partial sheet kept: Friday, round 1, table 1: TT TE EE\n\n"
        "continue with `tourney result enter Friday --round 1 --table 1`\n"
        "or give the missing hands, each with --hand\n"
    )
    assert "partial sheet: round 1, table 1 (TT TE EE)" in run("result", "show").out
    shown = run("result", "show", "--json")
    assert (shown.json, shown.err) == ([], "partial sheet: round 1, table 1 (TT TE EE)\n")
    assert run("result", "enter", *AT, *flags(7)).code == 0
    assert "half" not in run("result", "show").out


def hand(contract: str, points: str = "1=-10 2=35 3=12 4=60") -> tuple[str, str]:
    return ("--hand", f"{contract} {points}")


def contracts_and_points(result: dict[str, Any]) -> list[tuple[str, list[int]]]:
    return [(hand["contract"], list(hand["points"].values())) for hand in result["hands"]]


def test_a_partial_sheet_is_finished_by_the_missing_hands(run: Runner) -> None:
    """The hands may be given in several steps, and a hand given again replaces the one kept."""
    whole = run("result", "enter", *AT, *flags(6), *hand("EEE", "1=0 2=9 3=7 4=5"), "--dry-run", "--json").json
    run("result", "enter", *AT, *flags(4), "--half")
    assert run("result", "enter", *AT, *hand("TTE", "1=0 2=9 3=7 4=5"), "--half", "--json").json["hands"] == list(
        desk.CONTRACTS[:5]
    )
    missing = run("result", "enter", *AT, *hand("TEE"))
    assert (missing.code, missing.out) == (ExitCode.REFUSED, "")
    assert "hand EEE is missing" in missing.err
    entered = run("result", "enter", *AT, *hand("TTE"), *hand("EEE", "1=0 2=9 3=7 4=5"), *hand("TEE"), "--json")
    assert (entered.code, contracts_and_points(entered.json)) == (0, contracts_and_points(whole))


def test_a_hand_added_to_a_partial_sheet_is_checked(run: Runner) -> None:
    run("result", "enter", *AT, *flags(6), "--half")
    for words, message in (
        (hand("EEE", "1=0 2=1 3=7 4=5"), "add up to 1"),
        (hand("XX"), "there is no hand XX"),
        ((*hand("EEE"), *hand("EEE")), "hand EEE appears twice"),
    ):
        refused = run("result", "enter", *AT, *words)
        assert refused.code == ExitCode.REFUSED
        assert message in refused.err
    assert "partial sheet: round 1, table 1 (TT TE EE TTT TTE TEE)" in run("result", "show").out


@pytest.mark.parametrize(
    ("kept", "words", "short"),
    [(7, (), 0), (4, ("--stopped",), 3), (4, ("--short",), 3)],
    ids=["whole", "stopped", "former option"],
)
def test_a_kept_sheet_is_entered_without_any_hand_option(
    run: Runner, kept: int, words: tuple[str, ...], short: int
) -> None:
    """If nothing was kept, the sheet is missing, and no question can be asked."""
    assert run("result", "enter", *AT, *words).code == ExitCode.USAGE
    run("result", "enter", *AT, *flags(kept), "--half")
    entered = run("result", "enter", *AT, *words, "--json")
    assert (entered.code, len(entered.json["hands"]), entered.json["short"]) == (0, kept, short)


def test_a_partial_sheet_is_discarded_by_void(run: Runner) -> None:
    """The journal has the reason, undo restores the sheet, a dry run keeps it, and a second time is refused."""
    run("result", "enter", *AT, *flags(3), "--half")
    void = ("result", "void", *AT, "--reason", "the wrong table")
    message = "partial sheet discarded: Friday, round 1, table 1: TT TE EE\n"
    assert run(*void, "--dry-run").out.startswith(f"dry run: nothing was saved. {message}")
    assert run(*void).out == f"{message}\n`tourney undo` restores it\n"
    assert "half" not in run("round", "show").out
    assert run(*void).code == ExitCode.NOT_FOUND
    output = run("log", "--last", "1", "--format", "csv").out
    assert '"partial sheet of table 1 of round 1 discarded, TT TE EE: the wrong table"' in output
    assert "partial sheet restored: Friday, round 1, table 1 (TT TE EE)" in run("undo").out
    assert "partial sheet: round 1, table 1 (TT TE EE)" in run("result", "show").out


def test_a_short_game_is_shown_with_the_points_for_unplayed_hands(run: Runner) -> None:
    """Two hands of seven are not played, so each total has 50 points more."""
    entered = run("result", "enter", *AT, *flags(5), "--stopped", "--json")
    assert (entered.code, entered.json["short"]) == (0, 2)
    played = {"Ana": -50, "Beñat": 175, "Carmen": 60, "Diego": 300}
    assert {player["player"]: (player["extra"], player["points"]) for player in entered.json["players"]} == {
        name: (50, points + 50) for name, points in played.items()
    }
    lines = run("result", "show", *AT).out.split("\n")
    row = next(line.split() for line in lines if line.startswith("not played"))
    assert row == ["not", "played:", "2", "50", "50", "50", "50"]
    listing = run("result", "show", "--format", "csv").out.split("\n")
    assert listing[0].endswith(",short")
    assert {line.rsplit(",", 1)[1] for line in listing[1:-1]} == {"2"}


def test_a_whole_game_is_not_short(run: Runner) -> None:
    entered = run("result", "enter", *AT, *flags(7), "--json").json
    assert (entered["short"], [player["extra"] for player in entered["players"]]) == (0, [0, 0, 0, 0])
    assert "not played" not in run("result", "show", *AT).out
    assert "Not played" not in run("result", "show").out


@pytest.fixture
def two_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Commands for an event of eight whose only round is drawn."""
    monkeypatch.setenv("TOURNEY_DB", desk.drawn(tmp_path / "club.db", 8, rounds=1))
    return Runner(capsys)


def test_a_sheet_that_was_begun_is_the_next_to_be_entered(two_tables: Runner) -> None:
    seated = two_tables("round", "show", "--json").json["rounds"][0][1]
    points = " ".join(f"{name}={points}" for name, points in zip(seated, (-10, 35, 12, 60), strict=True))
    two_tables("result", "enter", "--round", "1", "--table", "2", *flags(1, points), "--half")
    (first, *_others) = two_tables("status", "--json").json["next"]
    assert first["words"][-4:] == ["--round", "1", "--table", "2"]


def test_two_closers_are_not_explained_by_other_points(run: Runner) -> None:
    """Of two players with 0 points one has closed; nobody meant 9."""
    refused = run("result", "enter", *AT, *flags(1, "1=0 2=0 3=12 4=60"), "--half")
    assert refused.code == ExitCode.REFUSED
    assert "2 players closed it" in refused.err
    assert "did you mean" not in refused.err


def test_the_same_hands_at_two_tables_are_said(two_tables: Runner) -> None:
    """The second sheet counts, and the answer names the first."""
    for table, warned in (("1", False), ("2", True)):
        seated = two_tables("round", "show", "--json").json["rounds"][0][int(table) - 1]
        points = " ".join(f"{name}={points}" for name, points in zip(seated, (-10, 35, 12, 60), strict=True))
        entered = two_tables("result", "enter", "--round", "1", "--table", table, *flags(7, points))
        assert ("table 2 has the same points in every hand as table 1" in entered.err) == warned
        assert entered.code == ExitCode.DONE


USAGE = [
    ((), "--table is missing"),
    (("--round", "1"), "--table is missing"),
    (("--round", "1", "--table", "1"), "the sheet comes from --file"),
    (("--round", "1", "--table", "1", "--half"), "the sheet comes from --file"),
    (("--round", "1", "--table", "1", "--stopped", "--half", *flags(2)), "--stopped and --half contradict each other"),
]


@pytest.mark.parametrize(("words", "message"), USAGE, ids=[message for _words, message in USAGE])
def test_without_a_terminal_the_options_are_required(run: Runner, words: tuple[str, ...], message: str) -> None:
    """The error and its hint have two lines, and no question is asked."""
    refused = run("result", "enter", "Friday", *words)
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")
    assert refused.err.startswith(f"error: {message}")
    assert refused.err.count("\n") == 2


@pytest.mark.parametrize("command", [("result", "correct"), ("ruling", "add", "--kind", "correction")], ids=" ".join)
def test_a_correction_may_be_short(run: Runner, command: tuple[str, ...]) -> None:
    """A correction without `--stopped` is refused, with a hint to the option."""
    run("result", "enter", *AT, *flags(7))
    words = (*command, *AT, *flags(6), "--reason", "the bell")
    refused = run(*words)
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    assert "if the game ended before it, add --stopped" in refused.err
    assert run(*words, "--stopped").code == ExitCode.DONE
    assert run("result", "show", *AT, "--json").json["short"] == 1


def test_a_void_short_game_is_shown_with_its_sheet(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an event that counts whole games only, the sheet is shown with its state and reason, and does not count."""
    monkeypatch.setenv("TOURNEY_DB", desk.drawn(tmp_path / "void.db", rounds=1, unfinished="void"))
    run = Runner(capsys)
    names = run("round", "show", "--json").json["rounds"][0][0]
    entered = run("result", "enter", *AT, *flags(3), "--stopped")
    shown = run("result", "show", *AT)
    points = {"Ana": "-10", "Beñat": "35", "Carmen": "12", "Diego": "60"}
    for out in (entered.out, shown.out):
        lines = out.splitlines()
        hands = [line.split()[:5] for line in lines if line.split()[:1] in (["TT"], ["TE"], ["EE"])]
        assert hands == [[contract, *(points[name] for name in names)] for contract in desk.CONTRACTS[:3]]
        assert "state: void; nothing of this sheet counts" in lines
        assert "reason: unfinished" in lines
    data = run("result", "show", *AT, "--json").json
    assert (data["hands"], data["players"], len(data["uncounted"]["hands"])) == ([], [], 3)


def test_a_void_result_is_shown_with_its_last_corrected_sheet(run: Runner) -> None:
    run("result", "enter", *AT, *flags(7))
    run("result", "correct", *AT, *flags(7, "1=-10 2=35 3=12 4=50"), "--reason", "a slip")
    void = run("result", "void", *AT, "--reason", "the wrong table", "--json").json
    shown = run("result", "show", *AT, "--json").json
    assert [entry["kind"] for entry in shown["history"]] == ["entered", "corrected", "made void"]
    assert shown == {**void, "rulings": [], "history": shown["history"]}
    assert {player["player"]: player["points"] for player in shown["uncounted"]["players"]}["Diego"] == 7 * 50
    assert {row["games"] for row in run("standings", "Friday", "--json").json} == {0}
