"""Tests of `league log`: the conversation with the programs in a game of a league."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode

PROGRAM = """
import sys
games = 0
for line in sys.stdin:
    word = line.split()[0]
    if word == "tourney":
        print("hello 1 first 1\\nclaims none\\nready", flush=True)
    elif word == "hand":
        print("a hand begins", file=sys.stderr, flush=True)
    elif word == "ask":
        print({answer}, flush=True)
    elif word == "bye":
        print("farewell", file=sys.stderr, flush=True)
        break
"""

Club = Callable[..., Ran]


@pytest.fixture
def club(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A function that runs a command with one database, in the folder of a program."""
    (tmp_path / "bot.py").write_text(PROGRAM.replace("{answer}", "1"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return lambda *words: run(*words, "--db", str(tmp_path / "club.db"))


def played(club: Club, bots: str = f"cmd:{sys.executable} bot.py,greedy") -> None:
    result = club("league", "run", "--bots", bots, "--seats", "2", "--blocks", "2", "--workers", "1")
    assert result.code == 0, result.err


def lines_of(club: Club, *words: str) -> list[str]:
    result = club("league", "log", *words)
    assert (result.code, result.err) == (0, "")
    return result.out.splitlines()


def test_the_log_has_all_that_a_program_heard_said_and_wrote(club: Club) -> None:
    """A game has seven hands; the last words come after the farewell, when the program ends."""
    played(club)
    lines = lines_of(club, "--block", "2", "--game", "1")
    heading, started, greeting, hello, claims, ready = lines[:6]
    assert heading.startswith("# seat ")
    assert heading.endswith("bot.py")
    assert (started, greeting, hello) == ("# started", "> tourney 1", "< hello 1 first 1")
    assert (claims, ready) == ("< claims none", "< ready")
    assert sum(line.startswith("> hand ") for line in lines) == 7
    assert lines.count("! a hand begins") == 7
    assert lines.count("< 1") == sum(line.startswith("> ask ") for line in lines) > 7
    assert lines[lines.index("> bye") :][-1] == "! farewell"


def test_the_log_agrees_with_the_record_of_the_game(club: Club) -> None:
    """The points of the end are those of the game, and the seat is the program's."""
    played(club)
    for game in ("1", "2"):
        data = club("league", "log", "--block", "1", "--game", game, "--json").json
        (seat,) = data["seats"]
        record = club("league", "record", "--block", "1", "--game", game).out
        points = next(line for line in record.splitlines() if line.startswith("points = "))
        end = next(line for line in seat["lines"] if line.startswith("> end points "))
        assert end.partition(" places")[0].split()[3:] == points.removeprefix("points = [").removesuffix("]").split(
            ", "
        )
        assert record.index(seat["entrant"]) > 0
        assert seat["seat"] in (1, 2)


def test_every_program_of_the_game_has_its_part(club: Club) -> None:
    (Path("other.py")).write_bytes(Path("bot.py").read_bytes())
    played(club, f"cmd:{sys.executable} bot.py,cmd:{sys.executable} other.py")
    lines = lines_of(club)
    assert [line for line in lines if line.startswith("# seat")] == sorted(
        line for line in lines if line.startswith("# seat")
    )
    assert lines.count("# started") == 2


def test_faults_and_new_starts_stand_in_the_log(club: Club, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        PROGRAM.replace("{answer}", '"nonsense" if "draw" in line else 1'), encoding="utf-8"
    )
    played(club)
    lines = lines_of(club)
    assert "# unreadable: " not in lines
    assert any(line.startswith("> fault unreadable") for line in lines)
    (tmp_path / "bot.py").write_text(PROGRAM.replace("{answer}", "sys.exit(3)"), encoding="utf-8")
    played(club)
    lines = lines_of(club)
    assert any(line.startswith("# died: ended with exit code 3") for line in lines)
    assert lines.count("# started") > 1


@pytest.mark.parametrize(
    ("words", "code", "word"),
    [
        pytest.param(("--block", "3"), ExitCode.NOT_FOUND, "block 3", id="block"),
        pytest.param(("--game", "3"), ExitCode.NOT_FOUND, "no game 3", id="game"),
        pytest.param(("7",), ExitCode.NOT_FOUND, "no league 7", id="league"),
    ],
)
def test_what_is_not_there_is_refused_in_one_line(club: Club, words: tuple[str, ...], code: int, word: str) -> None:
    played(club)
    result = club("league", "log", *words)
    assert (result.code, result.out) == (code, "")
    assert word in result.err
    assert result.err.count("\n") == 2


def test_a_game_without_a_program_has_no_conversation(club: Club) -> None:
    club("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--workers", "1")
    result = club("league", "log")
    assert (result.code, "no program plays in game 1 of block 1" in result.err) == (ExitCode.REFUSED, True)


def test_a_program_that_has_changed_is_refused(club: Club, tmp_path: Path) -> None:
    played(club)
    (tmp_path / "bot.py").write_text("#", encoding="utf-8")
    assert club("league", "log").code == ExitCode.REFUSED


def test_a_block_that_ends_otherwise_is_said(club: Club, tmp_path: Path) -> None:
    """The program plays by a file that its entrant does not list, and so by more than its seed."""
    source = PROGRAM.replace("{answer}", 'open("answer.txt").read()')
    (tmp_path / "bot.py").write_text(source, encoding="utf-8")
    (tmp_path / "answer.txt").write_text("1", encoding="utf-8")
    played(club)
    (tmp_path / "answer.txt").write_text("2", encoding="utf-8")
    result = club("league", "log")
    assert (result.code, "block 1 of league 1 ends differently" in result.err) == (0, True)


def test_nothing_that_a_bot_writes_steers_a_terminal_on_which_its_log_is_shown_later(club: Club) -> None:
    """The log goes to a pipe, as to a file; JSON has its own escapes, which read as what the bot wrote."""
    steering = "\x1b]0;OWNED\x07\x9b2J\u202e"
    source = PROGRAM.replace("a hand begins", steering).replace("{answer}", "1")
    Path("bot.py").write_text(source.replace("import sys", "import sys; sys.stderr.reconfigure(encoding='utf-8')", 1))
    played(club)
    text, data = club("league", "log").out, club("league", "log", "--json").out
    assert not {char for char in text + data if char in steering and not char.isprintable()}
    assert "! \\x1b]0;OWNED\\x07\\x9b2J\\u202e" in text
    assert f"! {steering}" in json.loads(data)["seats"][0]["lines"]
