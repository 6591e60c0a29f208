"""Tests of trust: a bot that came with a file, a backup or a database runs only where its organiser here says so."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.service import trusted_bots

MARKER = "ran"
PROGRAM = """import pathlib, sys
try:
    pathlib.Path({marker!r}).touch()
except OSError:
    pass
for line in sys.stdin:
    if line.startswith("tourney"):
        print("hello 1 mark 1\\nready", flush=True)
    elif line.startswith("ask"):
        print("1", flush=True)
"""
CLASS = "import pathlib\nfrom tourney.bots import Bot\npathlib.Path({marker!r}).touch()\nclass Mine(Bot):\n    pass\n"


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of somebody whose bot touches a file when it runs; commands run in it."""
    folder = tmp_path / "author"
    folder.mkdir()
    for name, text in {"bot.py": PROGRAM, "payload.py": CLASS}.items():
        (folder / name).write_text(text.format(marker=str(tmp_path / MARKER)))
    monkeypatch.chdir(folder)
    be(monkeypatch, tmp_path / "their-data")
    return folder


def be(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """Become a user with this data folder, who has named no bot yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.setattr(trusted_bots, "_named_now", set())


Carried = Callable[[Runner, Path], None]
"""Brings a league or an event from `their.db` to `our.db`."""


def by_league_file(run: Runner, folder: Path) -> None:
    """Export and import a league."""
    assert run("league", "export", "--output", "l.league", "--db", "their.db").code == 0
    ran = run("league", "import", "l.league", "--db", "our.db")
    assert ran.code == 0, ran.err
    assert "cmd:python3 bot.py" in ran.out or "payload.py:Mine" in ran.out


def by_database(run: Runner, folder: Path) -> None:
    """Copy the database."""
    shutil.copy("their.db", "our.db")


def by_backup(run: Runner, folder: Path) -> None:
    """Restore a backup."""
    assert run("db", "backup", "b.db", "--db", "their.db").code == 0
    assert run("db", "restore", "b.db", "--db", "our.db").code == 0


CARRIED = {"a league file": by_league_file, "a database": by_database, "a backup": by_backup}
PLAYS = {
    "resume": ("resume",),
    "record": ("record",),
    "log": ("log",),
    "join": ("join", "--bots", "random"),
}


@pytest.fixture
def begun(author: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a league of a program in `their.db`; from then on somebody else sits there."""
    words = ("--bots", "greedy,cmd:python3 bot.py", "--blocks", "1", "--seats", "2", "--seed", "given")
    ran = run("league", "run", *words, "--db", "their.db")
    assert ran.code == 0, ran.err
    (tmp_path / MARKER).unlink()
    be(monkeypatch, tmp_path / "our-data")
    return author


@pytest.mark.parametrize("way", CARRIED)
@pytest.mark.parametrize("command", PLAYS)
def test_a_league_of_others_runs_nothing_until_it_is_trusted(
    way: str, command: str, begun: Path, run: Runner, tmp_path: Path
) -> None:
    CARRIED[way](run, begun)
    ran = run("league", *PLAYS[command], "--db", "our.db")
    assert (ran.code, (tmp_path / MARKER).exists()) == (1, False), ran.out + ran.err
    assert "cmd:python3 bot.py" in ran.err
    assert "--trust-bots" in ran.err
    assert ran.err.count("\n") == 2


def test_trust_is_named_remembered_and_kept_from_others(begun: Path, run: Runner, tmp_path: Path) -> None:
    by_league_file(run, begun)
    ran = run("league", "record", "--trust-bots", "--db", "our.db")
    assert (ran.code, "cmd:python3 bot.py" in ran.err, (tmp_path / MARKER).exists()) == (0, True, True)
    assert run("league", "record", "--db", "our.db").code == 0
    kept = tmp_path / "our-data" / "tourney" / "trusted-bots"
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_bot_that_has_changed_is_not_the_one_that_was_trusted(begun: Path, run: Runner) -> None:
    by_database(run, begun)
    assert run("league", "record", "--trust-bots", "--db", "our.db").code == 0
    shutil.copytree(begun, begun.parent / "elsewhere")
    (begun / "bot.py").write_text(PROGRAM.format(marker="other"))
    assert run("league", "record", "--db", "our.db").code == 1


def test_untrusted_bots_play_behind_the_sandbox(begun: Path, run: Runner, tmp_path: Path) -> None:
    by_league_file(run, begun)
    ran = run("league", "record", "--isolation", "sandbox", "--db", "our.db")
    assert (ran.code, (tmp_path / MARKER).exists()) == (0, False), ran.err


def test_reading_a_league_loads_no_class_that_its_file_names(
    author: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ("--bots", "greedy,payload.py:Mine", "--blocks", "1", "--seats", "2", "--seed", "given")
    assert run("league", "run", *words, "--isolation", "trusted", "--db", "their.db").code == 0
    (tmp_path / MARKER).unlink()
    be(monkeypatch, tmp_path / "our-data")
    by_league_file(run, author)
    assert not (tmp_path / MARKER).exists()


def test_an_event_of_others_plays_none_of_its_bots_until_they_are_trusted(
    author: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The name of the bot is harmless; the import shows the command that would run."""
    (author / "field.toml").write_text(
        '[[bot]]\nname = "harmless"\nentrant = "cmd:python3 bot.py"\nfiles = ["bot.py"]\n'
    )
    assert run("event", "new", "Bots", "--rounds", "1", "--db", "their.db").code == 0
    assert run("event", "enter", "--bots", "@field.toml,greedy:3", "--db", "their.db").code == 0
    assert run("round", "draw", "--db", "their.db").code == 0
    assert run("event", "export", "Bots", "--output", "b.event", "--db", "their.db").code == 0
    (tmp_path / MARKER).unlink(missing_ok=True)
    be(monkeypatch, tmp_path / "our-data")
    ran = run("event", "import", "b.event", "--db", "our.db")
    assert (ran.code, "cmd:python3 bot.py" in " ".join(ran.out.split())) == (0, True), ran.out + ran.err
    refused = run("round", "play", "--db", "our.db")
    assert (refused.code, (tmp_path / MARKER).exists()) == (1, False), refused.out + refused.err
    assert "cmd:python3 bot.py" in refused.err
    assert run("round", "play", "--trust-bots", "--db", "our.db").code == 0
    assert (tmp_path / MARKER).exists()
