"""Backups after rounds in tests: their lines, read without our code, and the database that is made of one."""

import re
from pathlib import Path

from tests.harness import desk
from tourney.service import database
from tourney.storage.backup.names import round_backup_of


def file_of(db: Path | str) -> Path:
    """Return the file of the backup after rounds of that database."""
    return round_backup_of(Path(db))


def names_of(db: Path | str) -> Path:
    """Return the file with the names beside it."""
    return file_of(db).with_name(f"{Path(db).name}-backup-names.txt")


def entries_in(file: Path) -> list[tuple[int, str, str]]:
    """Return number, hash and text of each entry that has a whole line."""
    lines = file.read_text(encoding="utf-8").split("\n")[:-1]
    found = [re.fullmatch(r"(\d+) ([0-9a-f]{64}) (\{.*\})", line) for line in lines]
    return [(int(match[1]), match[2], match[3]) for match in found if match is not None]


def entries_of(db: Path | str) -> list[tuple[int, str, str]]:
    """Return number, hash and text of each entry of the database."""
    return desk.query(str(db), "SELECT number, hash, text FROM act ORDER BY number")


def restored(db: Path | str, into: Path) -> str:
    """Restore the backup after rounds to a new database in the folder, and return its path; `db check` finds nothing.

    The folder is made. The names beside the backup are needed too.
    """
    into.mkdir()
    new = str(into / "new.db")
    database.restore(new, str(file_of(db)))
    assert database.check(new).problems == ()
    return new
