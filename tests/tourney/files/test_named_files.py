"""Tests that every reader refuses empty paths and anything but a regular file, without waiting."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.files.named import read_bytes
from tourney.files.sheet_toml import read_sheet
from tourney.rulebook.rulesets import resolve
from tourney.service import database, rules
from tourney.service.change import apply
from tourney.service.players import ImportPlayers

READERS: dict[str, Callable[[Path], object]] = {
    "a sheet": read_sheet,
    "a record": lambda path: rules.show(str(path)),
    "a list of people": lambda path: apply(str(path.with_name("club.db")), ImportPlayers(path)),
    "a club's rules": lambda path: resolve(str(path)),
    "a backup": lambda path: database.restore(str(path.with_name("club.db")), str(path)),
}


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def endless_device(path: Path) -> Path:
    """Make a link to a device without an end and return its path."""
    path.symlink_to("/dev/zero")
    return path


NOT_REGULAR = {"a folder": folder} | ({"a pipe": pipe, "a device": endless_device} if hasattr(os, "mkfifo") else {})


@pytest.mark.parametrize("case", NOT_REGULAR)
@pytest.mark.parametrize("reader", READERS)
def test_anything_but_a_regular_file_is_refused_by_every_reader(tmp_path: Path, reader: str, case: str) -> None:
    path = NOT_REGULAR[case](tmp_path / "odd.toml")
    code, word = (ExitCode.NOT_FOUND, "no backup") if reader == "a backup" else (ExitCode.REFUSED, "this is not a file")
    with desk.refused(code, "odd.toml", word):
        READERS[reader](path)


def test_a_file_is_read_up_to_a_maximum_size(tmp_path: Path) -> None:
    file = tmp_path / "six"
    file.write_bytes(b"\r\n\x00abc")
    assert read_bytes(file, 6, "shorten it") == b"\r\n\x00abc"
    with desk.refused(ExitCode.REFUSED, "too large", "5 bytes", "shorten it"):
        read_bytes(file, 5, "shorten it")
    with desk.refused(ExitCode.NOT_FOUND, "no such file", "look again"):
        read_bytes(tmp_path / "seven", 6, "look again")


EMPTY_PATHS = {
    "players": ("player", "import", ""),
    "entries": ("event", "enter", "Friday", "--file", ""),
    "a sheet": ("result", "enter", "Friday", "--round", "1", "--table", "1", "--file", ""),
    "sheets": ("event", "import", "Sunday", "--sheets", "", "--rules", "oficial"),
    "results": ("rating", "import", "", "--pool", "races"),
    "a new backup": ("db", "backup", ""),
    "a backup to restore": ("db", "restore", " "),
}


@pytest.mark.parametrize("case", EMPTY_PATHS)
def test_an_empty_path_is_refused_and_creates_no_file(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script passes an empty path if its variable is not set; no backup is made in the current folder."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    monkeypatch.chdir(tmp_path)
    result = Runner(capsys)(*EMPTY_PATHS[case], "--db", db)
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    assert result.err == "error: the path of the file is empty\nhint: name a file\n"
    assert [path.name for path in tmp_path.iterdir()] == ["club.db"]
