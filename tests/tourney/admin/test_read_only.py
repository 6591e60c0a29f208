"""Every reading command works where neither the file nor its folder can be written, and says the same."""

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
from tourney.cli.framework import app
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.people import players
from tourney.service.people.players import RegisterPlayers

READS = """
    player list|player show Ana|event list|event show|round show|round slips --round 1|round verify Friday|result show
    result show --round 1 --table 1|standings|standings --why Ana|ratings|ratings --pool bots|ratings --pool races
    rating verify|rating pool|rating show Ana|rating history Eva --pool races|rating explain Eva --pool races
    rating predict Ana Carmen|rating quality Ana Carmen|rating noise --pool races|rating smooth Eva --pool races
    ratings --as-of 2026-11-20|seating advise --players 8|ruling list|log|log Friday --last 3|db check|db path|doctor
    league status|league status 1 --json|league record 1|league why random random-2
"""
UNANSWERED = "rating compare --pool races|rating whatif Friday"
"""Refused everywhere: so few games, and none left."""
WRITES = "player add Zoe|event use Friday|round draw|result void --round 1 --table 1 --reason x|undo|redo|db backup"
WRITES += "|league run --bots random --blocks 1"
STILL_WRITES = {("db", "backup"), ("league", "run"), ("league", "resume")}
"""The commands that write and take no --dry-run."""

OBEYING = """
import contextlib, io, json, os, sys
from tests.harness.unprivileged import obey_permissions
from tourney.cli.framework.app import main
writable, locked, lines = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
def ran(words, db):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*words, "--db", db])
    return [code, out.getvalue().replace(db, "DB"), err.getvalue().replace(db, "DB")]
there = [ran(words, writable) for words in lines]
obey_permissions()
print(json.dumps([there, [ran(words, locked) for words in lines]]))
"""


def words(lines: str) -> list[list[str]]:
    return [line.split() for part in lines.strip().split("\n") for line in part.strip().split("|")]


@pytest.fixture(scope="module", params=["whole", "with its log"])
def places(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Return the same database twice: in a folder that can be written, and in one that cannot.

    The second may have been moved there with its log, which alone has the last change.
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
            for end in ("", "-wal"):
                shutil.copy(db + end, f"{copy}{end}")
        os.chmod(f"{copy}-wal", 0o444)
    for above in folder.parents:
        if above == Path(tempfile.gettempdir()):
            break
        os.chmod(above, 0o755)
    os.chmod(folder, 0o755)
    os.chmod(copy, 0o444)
    os.chmod(locked, 0o555)
    yield db, str(copy)
    os.chmod(locked, 0o755)


def ran(places: tuple[str, str], lines: list[list[str]]) -> tuple[list[Any], list[Any]]:
    """Exit code, output and errors of each line, where it can be written and where it cannot."""
    command = [sys.executable, "-X", "utf8", "-c", OBEYING, *places, json.dumps(lines)]
    temporary = Path(places[0]).with_name("temporary")
    temporary.mkdir(exist_ok=True)
    os.chmod(temporary, 0o777)
    environment = {**os.environ, "PYTHONPATH": str(desk.ROOT), "LANGUAGE": "en", "TMPDIR": str(temporary)}
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment, cwd=Path(places[1]).parent, check=False
    )
    assert done.stderr == ""
    assert list(temporary.iterdir()) == []
    there, here = json.loads(done.stdout)
    return there, here


def test_every_command_that_reads_is_tried() -> None:
    """Whatever opens the database and has no --dry-run."""
    reading = set()
    root = app.root()
    for noun in root.list_commands(None):
        command = root.get_command(None, noun)
        for path, each in [((noun,), command), *(((noun, verb), one) for verb, one in _verbs(command))]:
            options = {option for param in each.params for option in param.opts}
            if "--db" in options and "--dry-run" not in options:
                reading.add(path)
    tried = {path for line in words(READS) + words(UNANSWERED) for path in (tuple(line[:1]), tuple(line[:2]))}
    assert reading - STILL_WRITES <= tried


def _verbs(command: Any) -> list[tuple[str, Any]]:
    return list(getattr(command, "commands", {}).items())


def test_reading_commands_say_on_a_read_only_medium_what_they_say_elsewhere(places: tuple[str, str]) -> None:
    """`doctor` says besides that nothing can be written. Nothing is left in the folder."""
    refused = words(UNANSWERED)
    lines = [line for line in words(READS) if line != ["doctor"]] + refused
    for line, there, here in zip(lines, *ran(places, lines), strict=True):
        assert there[0] == (ExitCode.REFUSED if line in refused else 0), (line, there)
        assert here == there, line
    ((code, out, err),) = ran(places, [["doctor", "--json"]])[1]
    states = {one["check"]: one["state"] for one in json.loads(out)}
    assert (code, err, states["contents"], states["writing"]) == (0, "", "ok", "warning")
    logged = ["club.db-wal"] if Path(f"{places[1]}-wal").exists() else []
    assert ("read from a temporary copy" in out) == bool(logged)
    assert sorted(path.name for path in Path(places[1]).parent.iterdir()) == ["club.db", *logged]


def test_a_backup_elsewhere_has_what_stands_in_the_log_alone(places: tuple[str, str]) -> None:
    kept = Path(places[0]).with_name("kept")
    kept.mkdir()
    os.chmod(kept, 0o777)
    ((code, out, err),) = ran(places, [["db", "backup", str(kept), "--json"]])[1]
    assert (code, err) == (0, "")
    names = [player.name for player in players.listing(json.loads(out)["path"])]
    assert ("Walburga" in names) == Path(f"{places[1]}-wal").exists()


def test_a_dry_run_on_a_read_only_medium_says_that_it_is_read_only_and_what_to_do(places: tuple[str, str]) -> None:
    """Check that a dry run takes the same lock as the change itself, so that it is refused too."""
    lines = words("player add Zoe --dry-run|event use Friday --dry-run|undo --dry-run")
    copy = shutil.copy(places[0], Path(places[0]).with_name("dry.db"))
    for line, (code, out, err) in zip(lines, ran((copy, places[1]), lines)[1], strict=True):
        assert (code, out) == (ExitCode.STORAGE, ""), line
        assert "DB is read-only" in err, line
        assert "hint: allow writing to the file and its folder, or copy it elsewhere" in err, line


def test_writing_commands_are_refused_on_a_read_only_medium_in_one_line(places: tuple[str, str]) -> None:
    """Exit code 5, and what to do."""
    lines = words(WRITES)
    before = Path(places[1]).read_bytes()
    # On a copy that may be written they do their work, and load what they need.
    copy = shutil.copy(places[0], Path(places[0]).with_name("copy.db"))
    for line, (code, out, err) in zip(lines, ran((copy, places[1]), lines)[1], strict=True):
        assert (code, out) == (ExitCode.STORAGE, ""), line
        assert err.startswith("error: "), line
        assert err.count("\n") == 2, line
        assert "read-only" in err or "cannot be made" in err, err
    assert Path(places[1]).read_bytes() == before
