"""Tests of commands on a read-only medium: reading commands give equal output, writing ones are refused."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.slow import slow
from tourney.cli.framework import app
from tourney.domain.errors import ExitCode
from tourney.service import players
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers

READS = """
    player list|player show Ana|event list|event show|event tie-breaks|event table-points
    season list|season show|season standings|round show|round slips --round 1|round verify Friday|result show
    result show --round 1 --table 1|standings|standings --why Ana|ratings|ratings --pool bots|ratings --pool races
    print slips --round 1|print wall|print signs|print standings|print certificates|print ratings|print rules
    rating verify|rating pool|rating show Ana|rating history Eva --pool races|rating explain Eva --pool races
    rating predict Ana Carmen|rating quality Ana Carmen|rating noise --pool races|rating smooth Eva --pool races
    rating fame|league book 1
    rating peaks|seating advise --players 8|ruling list|result flags|log|log Friday --last 3|db check|db path|doctor
    status|db mirror list|league list|league status|league status 1 --json|league record 1|league why random random-2
    print slips|print wall|print signs|print standings|print certificates|print ratings|print rules|rating editions
    event presets|event rehearse Friday --players 8|event simulate --players 8 --runs 10
    club show|event export Friday|ratings --as-of 2026-11-20|rules show --event Friday
"""
REFUSED_EVERYWHERE = {
    "rating calibration": ExitCode.REFUSED,  # too few games
    "rating compare --pool races": ExitCode.REFUSED,  # too few games
    "rating whatif Friday": ExitCode.REFUSED,  # no games left to play
    "rating edition": ExitCode.NOT_FOUND,  # none is published
    "season show": ExitCode.NOT_FOUND,  # there is no season
    "season standings": ExitCode.NOT_FOUND,
    "print season": ExitCode.NOT_FOUND,
}
"""Commands that are refused also on a writable medium, with their exit codes."""
WRITES = "player add Zoe|event use Friday|round draw|result void --round 1 --table 1 --reason x|undo|redo|db backup"
WRITES += "|league run --bots random --blocks 1 --seed 1"
STILL_WRITES = {("db", "backup"), ("league", "run"), ("league", "test"), ("league", "resume")}
"""The commands that write and take no --dry-run."""
TESTED_APART = {("site",), ("serve",), ("desk",), ("league", "export"), ("league", "log")}
"""The commands that write files or run until they are stopped, or that play a game of bots again."""

COMPARE_MEDIA = """
import contextlib, io, json, os, sys
from tests.harness.unprivileged import obey_permissions
from tourney.cli.framework.app import main
writable, locked, lines = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
def results_of(words, db):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*words, "--db", db])
    return [code, out.getvalue().replace(db, "DB"), err.getvalue().replace(db, "DB")]
on_writable = [results_of(words, writable) for words in lines]
obey_permissions()
print(json.dumps([on_writable, [results_of(words, locked) for words in lines]]))
"""


def words(lines: str) -> list[list[str]]:
    """Return the words of each command; commands are separated by bars or line ends."""
    return [line.split() for part in lines.strip().split("\n") for line in part.strip().split("|")]


@pytest.fixture(scope="module", params=["whole", "with its log"])
def places(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The paths of two equal databases, one in a writable folder and one in a read-only folder.

    With "its log" the second is copied with its write-ahead log, which alone has the last change.
    """
    folder = tmp_path_factory.mktemp("medium")
    db = desk.everything(folder / "club.db")
    locked = folder / "locked"
    locked.mkdir()
    copy = locked / "club.db"
    if request.param == "whole":
        shutil.copy(db, copy)
    else:
        with closing(sqlite3.connect(db)) as still_open:
            still_open.execute("SELECT * FROM act").fetchone()
            apply(db, RegisterPlayers(["Walburga"]))
            for ending in ("", "-wal"):
                shutil.copy(db + ending, f"{copy}{ending}")
        os.chmod(f"{copy}-wal", 0o444)
    for parent in folder.parents:
        if parent == Path(tempfile.gettempdir()):
            break
        os.chmod(parent, 0o755)
    os.chmod(folder, 0o755)
    os.chmod(copy, 0o444)
    os.chmod(locked, 0o555)
    yield db, str(copy)
    os.chmod(locked, 0o755)


def run_on_both(places: tuple[str, str], lines: list[list[str]]) -> tuple[list[Any], list[Any]]:
    """Return exit code, output and errors of each command: on the writable database, and on the read-only one."""
    command = [sys.executable, "-X", "utf8", "-c", COMPARE_MEDIA, *places, json.dumps(lines)]
    temporary = Path(places[0]).with_name("temporary")
    temporary.mkdir(exist_ok=True)
    os.chmod(temporary, 0o777)
    environment = {**os.environ, "PYTHONPATH": str(desk.ROOT), "TOURNEY_LANG": "en", "TMPDIR": str(temporary)}
    completed = subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment, cwd=Path(places[1]).parent, check=False
    )
    assert completed.stderr == ""
    assert list(temporary.iterdir()) == []
    on_writable, on_locked = json.loads(completed.stdout)
    return on_writable, on_locked


def test_every_reading_command_is_tested() -> None:
    """Reading commands are those with --db and without --dry-run."""
    reading = set()
    root = app.root()
    for noun in root.list_commands(None):
        command = root.get_command(None, noun)
        for path, command_ in [
            ((noun,), command),
            *(((noun, verb), subcommand) for verb, subcommand in _verbs(command)),
        ]:
            options = {option for param in command_.params for option in param.opts}
            if "--db" in options and "--dry-run" not in options:
                reading.add(path)
    tested = {
        path
        for line in words(READS) + words("|".join(REFUSED_EVERYWHERE))
        for path in (tuple(line[:1]), tuple(line[:2]))
    }
    assert reading - STILL_WRITES - TESTED_APART <= tested


def _verbs(command: Any) -> list[tuple[str, Any]]:
    return list(getattr(command, "commands", {}).items())


@pytest.mark.parametrize(
    ("places", "part"),
    [("whole", 8), ("with its log", 12), *slow([("whole", 1), ("with its log", 1)])],
    indirect=["places"],
)
def test_reading_commands_give_equal_output_on_a_read_only_medium(places: tuple[str, str], part: int) -> None:
    """Only `doctor` differs: it warns that the file cannot be written. No file is left in the folder.

    A file with its log is read from a temporary copy, whatever the command; every test run tries some of the commands.
    """
    refused = words("|".join(REFUSED_EVERYWHERE))
    lines = [line for line in words(READS) if line != ["doctor"]][::part] + refused
    for line, on_writable, on_locked in zip(lines, *run_on_both(places, lines), strict=True):
        assert on_writable[0] == REFUSED_EVERYWHERE.get(" ".join(line), 0), (line, on_writable)
        assert on_locked == on_writable, line
    ((code, out, err),) = run_on_both(places, [["doctor", "--json"]])[1]
    states = {finding["check"]: finding["state"] for finding in json.loads(out)}
    assert (code, err, states["contents"], states["writing"]) == (0, "", "ok", "warning")
    log_files = ["club.db-wal"] if Path(f"{places[1]}-wal").exists() else []
    assert ("read from a temporary copy" in out) == bool(log_files)
    assert sorted(path.name for path in Path(places[1]).parent.iterdir()) == ["club.db", *log_files]


def test_a_backup_of_a_read_only_database_includes_its_log(places: tuple[str, str]) -> None:
    folder = Path(places[0]).with_name("kept")
    folder.mkdir()
    os.chmod(folder, 0o777)
    ((code, out, err),) = run_on_both(places, [["db", "backup", str(folder), "--json"]])[1]
    assert (code, err) == (0, "")
    names = [player.name for player in players.listing(json.loads(out)["path"])]
    assert ("Walburga" in names) == Path(f"{places[1]}-wal").exists()


def test_the_pages_of_a_read_only_database_are_written(places: tuple[str, str]) -> None:
    """Written twice, first from the writable database, they are reported alike."""
    folder = Path(places[0]).with_name("written")
    folder.mkdir()
    os.chmod(folder, 0o777)
    (on_writable,), (on_locked,) = run_on_both(places, [["site", "Friday", str(folder / "site"), "--json"]])
    assert on_writable[0] == 0
    assert on_locked == on_writable
    assert (folder / "site" / "index.html").is_file()


def test_a_dry_run_on_a_read_only_medium_is_refused_with_a_hint(places: tuple[str, str]) -> None:
    """A dry run takes the same lock as the change itself, so it is refused too."""
    lines = words("player add Zoe --dry-run|event use Friday --dry-run|undo --dry-run")
    copy = shutil.copy(places[0], Path(places[0]).with_name("dry.db"))
    for line, (code, out, err) in zip(lines, run_on_both((copy, places[1]), lines)[1], strict=True):
        assert (code, out) == (ExitCode.STORAGE, ""), line
        assert "DB is read-only" in err, line
        assert "hint: allow writing to the file and its folder, or copy it elsewhere" in err, line


@pytest.mark.parametrize("places", ["whole", *slow(["with its log"])], indirect=True)
def test_writing_commands_are_refused_on_a_read_only_medium_in_one_line(places: tuple[str, str]) -> None:
    """Check exit code 5 and that a hint is given."""
    lines = words(WRITES)
    before = Path(places[1]).read_bytes()
    # On the writable copy the commands succeed, which imports all modules that they need.
    copy = shutil.copy(places[0], Path(places[0]).with_name("copy.db"))
    for line, (code, out, err) in zip(lines, run_on_both((copy, places[1]), lines)[1], strict=True):
        assert (code, out) == (ExitCode.STORAGE, ""), line
        assert err.startswith("error: "), line
        assert err.count("\n") == 2, line
        assert "read-only" in err or "cannot be used" in err, err
    assert Path(places[1]).read_bytes() == before
