"""Tests of small files that would fill the memory: packed records, lines without an end, and more values than any
reader holds. All are refused."""

import json
import os
import sqlite3
import tracemalloc
import zlib
from base64 import b85encode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.leagues.small_league import LEAGUE
from tourney.domain.errors import ExitCode
from tourney.league.blocks import read_block
from tourney.service import database
from tourney.service.leagues import leagues
from tourney.storage import sqlite
from tourney.storage.journal.canonical import sha256
from tourney.storage.mirror.names import names_of, read_names

MOST = 300_000_000
"""The most bytes that reading such a file may allocate; each would take three times as much or more."""


@contextmanager
def bounded(most: int = MOST) -> Iterator[None]:
    """Require that what happens meanwhile never holds more than so many bytes."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def bomb(megabytes: int) -> bytes:
    """Return a packed text of so many megabytes of zeros: one full block of the packer, repeated."""
    packer = zlib.compressobj(9)
    first = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + block * (megabytes - 1) + packer.flush()


def test_a_packed_record_is_unpacked_no_further_than_any_record(db: str) -> None:
    leagues.run(db, replace(LEAGUE, records="all"))
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE league_record SET packed = ?", (b85encode(bomb(1000)).decode(),))
    with bounded():
        problems = database.check(db).problems
    assert any(problem.startswith("league_record") for problem in problems)


SHORT_VALUES = "{}" + ",{}" * 11_000_000
"""A list of values that take 24 times its bytes, as one value of a database may have it."""


def test_a_block_of_more_values_than_one_reader_holds_is_damaged(db: str) -> None:
    leagues.run(db, LEAGUE)
    text = f"[1,0,[{SHORT_VALUES}],[]]"
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE league_block SET text = ?, hash = ? WHERE block = 0", (text, sha256(text)))
    with bounded():
        problems = database.check(db).problems
    assert any(problem.startswith("league_block") for problem in problems)
    with bounded(), pytest.raises(ValueError, match="too many values"):
        read_block(text)


NAMES = {
    "more values than one reader holds": lambda: f"[{SHORT_VALUES}]\n",
    "a line in which each character takes four bytes": lambda: f'[1,1,"\U0001f600{"0" * 40_000_000}","","",""]\n',
}


@pytest.mark.parametrize("case", NAMES)
def test_a_file_of_names_that_would_fill_the_memory_is_not_read(case: str, tmp_path: Path) -> None:
    journal, body = tmp_path / "club.db-mirror.txt", NAMES[case]()
    names_of(journal).write_text(f"{json.dumps({'database': '/club.db', 'sha256': sha256(body)})}\n{body}", "utf-8")
    with bounded():
        assert read_names(journal) is None


ENDS: dict[str, Callable[[Path], None]] = {
    "nothing else": lambda file: file.write_bytes(b""),
    "behind a line": lambda file: file.write_text("1 a {}\n", "ascii"),
}


@pytest.mark.parametrize("begin", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("name", ["club.db-mirror.txt", "club.db-backup.txt"])
def test_a_line_without_an_end_is_not_read_whole(tmp_path: Path, name: str, begin: Callable[[Path], None]) -> None:
    """The zeros take no room on the disk."""
    file = tmp_path / name
    begin(file)
    os.truncate(file, 3_000_000_000)
    with bounded(), desk.refused(ExitCode.STORAGE, name, "no changes of a database"):
        database.restore(str(tmp_path / "new.db"), str(file))


@pytest.mark.parametrize("size", [sqlite.MOST_BYTES - 1000, 60_000_000])
def test_one_value_of_a_database_takes_no_more_memory_than_the_guide_says(size: int, db: str) -> None:
    """One character beyond Unicode's first plane makes each character of a text take four bytes."""
    desk.event(db, 4)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE person SET name = ? WHERE player = 1", ("\U0001f600" + "0" * size,))
    with bounded(500_000_000):
        assert database.check(db).problems != ()
