"""Tests of files that may not be read: no command calls them read-only, damaged or not sound."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.storage.mirror.remembered import note_of

COMMANDS = """
import contextlib, io, json, os, sys
from tests.harness.unprivileged import obey_permissions
from tourney.cli.framework.app import main
place, lines = sys.argv[1], json.loads(sys.argv[2])
def results_of(words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return [code, out.getvalue(), err.getvalue()]
for words in lines:  # imports all modules that they need
    results_of(words)
obey_permissions()
os.chmod(place, 0)
print(json.dumps([results_of(words) for words in lines]))
"""
LINES = "standings|status|player add Zoe|db check|db backup|db mirror list|undo"


def refusals(db: str, place: Path, lines: list[str]) -> list[tuple[int, str, str]]:
    """Return exit code, output and errors of each command, run by a user who may not read the file or folder."""
    words = [[*line.split(), "--db", db] for line in lines]
    environment = {**os.environ, "PYTHONPATH": str(desk.ROOT), "TOURNEY_LANG": "en"}
    command = [sys.executable, "-X", "utf8", "-c", COMMANDS, str(place), json.dumps(words)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)
    assert done.stderr == ""
    os.chmod(place, 0o755)
    return [tuple(result) for result in json.loads(done.stdout)]


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Use a database with a backup and a mirror, in folders that other users may enter."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder == Path(tempfile.gettempdir()):
            break
        os.chmod(folder, 0o755)
    (tmp_path / "mirror").mkdir()
    path = desk.evening(tmp_path / "club.db")
    database.backup(path)
    database.add_mirror(path, str(tmp_path / "mirror"))
    return path


@pytest.mark.parametrize("place", ["club.db", "the list of mirrors", "."])
def test_a_file_that_may_not_be_read_is_called_so(db: str, place: str) -> None:
    """Without permission SQLite says that the file cannot be opened, as it does where no log can be created."""
    unread = note_of(Path(db)) if place == "the list of mirrors" else Path(db).parent / place
    for line, (code, out, err) in zip(LINES.split("|"), refusals(db, unread, LINES.split("|")), strict=True):
        assert (code, out) == (ExitCode.STORAGE, ""), line
        assert "may not be opened" in err or "Permission denied" in err, line
        assert not any(word in err for word in ("read-only", "sound", "damaged", "bug")), err


def test_the_doctor_advises_permission_and_no_restore(db: str) -> None:
    ((code, out, err),) = refusals(db, Path(db), ["doctor --json"])
    found = {finding["check"]: finding for finding in json.loads(out)}["contents"]
    assert (code, err, found["state"]) == (ExitCode.REFUSED, "", "bad")
    assert "may not be opened" in found["found"]
    assert "permission" in found["advice"]


def test_a_backup_that_may_not_be_read_is_not_called_unsound(db: str) -> None:
    copy = next((Path(db).parent / "tourney-backups").iterdir())
    ((code, _out, err),) = refusals(db, copy, [f"db restore {copy}"])
    assert (code, "may not be opened" in err, "sound" in err) == (ExitCode.STORAGE, True, False)
