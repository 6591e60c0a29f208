"""The empty path of a file, as a script gives whose variable is not set."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Here
from tourney.domain.errors import ExitCode

PATHS = {
    "players": ("player", "import", ""),
    "entries": ("event", "enter", "Friday", "--file", ""),
    "a sheet": ("result", "enter", "Friday", "--round", "1", "--table", "1", "--file", ""),
    "sheets": ("event", "import", "Sunday", "--sheets", "", "--rules", "oficial"),
    "results": ("rating", "import", "", "--pool", "races"),
    "a backup to make": ("db", "backup", ""),
    "a backup to go back to": ("db", "restore", " "),
}


@pytest.mark.parametrize("what", PATHS)
def test_an_empty_path_is_refused_as_one_and_makes_no_file(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A backup does not land in the folder where one happens to stand."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4)
    monkeypatch.chdir(tmp_path)
    said = Here(capsys)(*PATHS[what], "--db", db)
    assert (said.code, said.out) == (ExitCode.USAGE, "")
    assert said.err == "error: the path of the file is empty\nhint: name a file\n"
    assert [path.name for path in tmp_path.iterdir()] == ["club.db"]
