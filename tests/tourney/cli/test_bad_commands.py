"""Tests of the commands of fixtures/bad/commands.toml: each is refused in one line with a hint and changes nothing."""

import tomllib
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, refusal
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
    refusal(result, case["code"])
    assert all(word in result.err for word in case["says"]), result.err
    assert (tmp_path / "desk.db").read_bytes() == before


ELSEWHERE = {
    ("rank",): "`tourney standings` or `tourney ratings`",
    ("why", "Ana"): "`tourney standings --why` or `tourney rating show`",
    ("next",): "`tourney status`",
    ("playoff",): "`tourney event cut`",
    ("event", "playoff"): "`tourney event cut`",
    ("event", "late", "Ana"): "`tourney event enter` or `tourney event checkin`",
    ("event", "prizes"): "`tourney event set --prizes`",
    ("round", "swap"): "`tourney round move`",
    ("round", "out"): "`tourney event withdraw` or `tourney round move`",
    ("player", "find", "Ana"): "`tourney player list`",
    ("print", "wall", "-o", "wall.html"): "--output",
}
"""The commands under the words by which directors looked for them (a championship that was typed, November 2026)."""


@pytest.mark.parametrize("words", ELSEWHERE, ids=" ".join)
def test_a_word_from_elsewhere_names_the_command(club: Runner, words: tuple[str, ...]) -> None:
    assert f"did you mean {ELSEWHERE[words]}?" in club(*words).err


@pytest.mark.parametrize(
    ("words", "clears"), [(("season", "set", "S", "--best"), "best"), (("event", "set", "--minutes"), "minutes")]
)
@pytest.mark.parametrize("value", ["none", "0", "all"])
def test_a_value_that_would_clear_a_setting_names_the_option_that_does(
    club: Runner, words: tuple[str, ...], clears: str, value: str
) -> None:
    assert f"hint: `--clear {clears}` takes the setting back" in club(*words, value).err


def test_a_suggestion_is_made_once(club: Runner) -> None:
    hint = club("export").err
    assert hint.count("`tourney event export`") == 1


HALVES = {
    "a seed of a simulation": ("event", "simulate", "--seed", "a\udce2"),
    "a seed of a rehearsal": ("event", "rehearse", "FOUR", "--seed", "a\udce2"),
    "a seed of an explanation": ("rating", "explain", "Player_1", "--seed", "a\udce2"),
    "a seed of a quality": ("rating", "quality", "Player 1", "Player 2", "--seed", "a\udce2"),
    "a seed of other orders": ("rating", "noise", "--seed", "a\udce2"),
    "a folder of a bot": ("bot", "new", "a\udce2"),
}


@pytest.mark.parametrize("words", HALVES.values(), ids=HALVES)
def test_half_of_a_character_is_no_text(
    club: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A byte that is not UTF-8 comes as half of a pair of surrogates, which has no place in UTF-8."""
    monkeypatch.chdir(tmp_path)
    error, _hint = refusal(club(*words), ExitCode.REFUSED)
    assert "the text contains an invisible character (U+DCE2)" in error
    assert {path.name for path in tmp_path.iterdir()} <= {"desk.db", "desk.db-wal", "desk.db-shm"}
