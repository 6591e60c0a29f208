"""Tests of the commands of fixtures/bad/commands.toml: each is refused in one line with a hint and changes nothing."""

import tomllib
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound

CASES = tomllib.loads((desk.BAD / "commands.toml").read_text(encoding="utf-8"))


@pytest.fixture
def club(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line with the event FOUR of four people, whose first table has a result."""
    monkeypatch.setenv("TOURNEY_DB", desk.copied(tmp_path / "desk.db", make_a_played_round))
    return Runner(capsys)


def make_a_played_round(db: str) -> None:
    desk.event(db, 4, name="FOUR")
    ((table,),) = (round_.tables for round_ in apply(db, DrawRound("FOUR")).rounds)
    apply(db, EnterResult("FOUR", 1, 1, desk.hands([player.name for player in table.players])))


def test_what_is_very_long_is_refused_shortly(club: Runner) -> None:
    """An argument of 40,000 letters is not read; one of 9,000 is named by its beginning and its end."""
    unread, unknown = club("event", "show", "x" * 40_000), club("player", "list", "--kind", "x" * 9_000)
    assert (unread.code, unknown.code) == (2, 2)
    assert "an argument of 40000 characters is too long" in unread.err
    long = club("standings", "--db", "none/" + "x" * 9_000 + "/club.db")
    assert long.code == ExitCode.STORAGE
    assert all(part in long.err for part in ("none/xxx", "xxx…xxx"))
    assert max(len(ran.err) for ran in (unread, unknown, long)) <= 500


@pytest.mark.parametrize("name", CASES)
def test_every_bad_command_is_refused_in_one_line_with_a_hint(club: Runner, tmp_path: Path, name: str) -> None:
    """Check also that the exit code is the one of the fixture and that no byte of the file is changed."""
    case, before = CASES[name], (tmp_path / "desk.db").read_bytes()
    result = club(*case["words"])
    assert (result.code, result.out) == (case["code"], ""), result.err
    error, hint, rest = result.err.split("\n")
    assert error.startswith("error: ")
    assert len(hint) > len("hint: ")
    assert hint.startswith("hint: ")
    assert rest == ""
    assert all(word in result.err for word in case["says"]), result.err
    assert (tmp_path / "desk.db").read_bytes() == before
