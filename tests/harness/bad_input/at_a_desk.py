"""A folder with a database that has rows of every kind, in which commands with bad input run one after another."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.harness import desk
from tests.harness.bad_input.cases import Case
from tests.harness.bad_input.running import Answer, answer, faults
from tourney.domain.errors import ExitCode

SURROUNDINGS = {"TOURNEY_LANG": "en", "TOURNEY_BY": "desk", "BROWSER": "true"}
"""The environment of all tests: English, always the same author, and no window of a browser."""


class Desk:
    """A database with rows of every kind, as it was before each command, and a folder for files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._db = folder.parent / "desk.db"
        self._before = Path(desk.everything(self._db)).read_bytes()

    def tried(self, case: Case) -> tuple[Answer, list[str]]:
        """Run a command; return its answer, and what is wrong with it and, if it is a refusal, with the database."""
        self._empty()
        found = answer(case, self.folder)
        wrong = faults(case, found)
        if self._restored() and found.code not in (ExitCode.DONE, ExitCode.INTERRUPTED) and not case.terminal:
            wrong.append("a refused command changed the database")
        return found, wrong

    def _empty(self) -> None:
        """Remove what earlier commands have left, so that each case can be run alone; keep a backup to restore."""
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        (self.folder / "kept.db").write_bytes(self._before)

    def _restored(self) -> bool:
        """Restore the database, and return whether it was changed."""
        if self._db.exists() and self._db.read_bytes() == self._before:
            return False
        for end in ("-wal", "-shm"):
            Path(f"{self._db}{end}").unlink(missing_ok=True)
        self._db.write_bytes(self._before)
        return True


@contextmanager
def at_a_desk(folder: Path) -> Iterator[Desk]:
    """Yield a desk whose database lies in the folder, with a folder inside it as working directory and home."""
    work, before = folder / "work", Path.cwd()
    work.mkdir()
    os.chdir(work)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in what a shell begins in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    places = {"TOURNEY_DB": str(folder / "desk.db"), "HOME": str(work)}
    try:
        with patch.dict(os.environ, {**places, **SURROUNDINGS}):
            yield Desk(work)
    finally:
        os.chdir(before)
