"""Programs that write at the same time, and programs for tests to kill in the middle of their work.

Each of the latter writes a line to a file for every change it has made. POSIX only: Windows has no kill -9.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Any

from tests.harness import desk
from tests.harness.programs import CONTEXT
from tourney.domain.errors import TourneyError
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.players import RegisterPlayers
from tourney.service.rounds import rounds
from tourney.storage import sqlite
from tourney.storage.journal.entries import new_id
from tourney.storage.mirror import follow

HANG_SECONDS = 600.0
"""The longest that a program of a test waits for others: it only ends a hang."""

Work = Callable[[str], Iterator[str]]
"""A function that changes the database at a path again and again, and yields a word after each change."""


def register(db: str, program: int, people: int) -> None:
    """Register people one by one."""
    for number in range(people):
        apply(db, RegisterPlayers([f"Player {program} {number}"]))


def register_mirrored(db: str, journal: str, program: int, people: int) -> None:
    """Register people one by one; the mirror's journal has a line more each time, and a moment later none fewer.

    The stick is slow: other programs have time to write between looking at its end and writing there. No wait for
    others ends: after the longest one a program says that the mirror is not up to date.
    """
    append, seen = follow._append, 0
    vars(sqlite)["BUSY_SECONDS"] = HANG_SECONDS

    def append_slowly(file: Path, end: int, lines: bytes) -> None:
        time.sleep(0.005)
        append(file, end, lines)

    follow._append = append_slowly
    for number in range(people):
        apply(db, RegisterPlayers([f"Player {program} {number}"]))
        lines = Path(journal).read_bytes().count(b"\n")
        assert lines > seen
        seen = lines
        time.sleep(0.01)
        assert Path(journal).read_bytes().count(b"\n") >= seen


def enter_share(db: str, program: int, programs: int) -> None:
    """Enter the results of this program's share of the tables one by one; print round and table of each."""
    tables = [table for drawn in rounds.show(db).rounds for table in drawn.tables]
    for table in tables[program::programs]:
        desk.enter(db, table)
        sys.stdout.write(f"{table.round} {table.number}\n")


def enter_queued(db: str, program: int, programs: int, each: int, spared: int = 0) -> None:
    """Enter results of this program's share; print for each the entries that others made while it waited.

    The number of the newest entry is asked before, and that of its own entry after. Tables up to the number `spared`
    are left to others.
    """
    tables = [table for drawn in rounds.show(db).rounds for table in drawn.tables if table.number > spared]
    for table in tables[program::programs][:each]:
        entry = new_id()
        ((before,),) = desk.query(db, "SELECT max(number) FROM act")
        desk.enter(db, table, entry_id=entry)
        ((own,),) = desk.query(db, "SELECT number FROM act WHERE id = ?", entry)
        sys.stdout.write(f"{own - before - 1}\n")


def enter_paced(db: str, program: int, programs: int, each: int, begin: float, seconds: float) -> None:
    """Enter results of this program's share at moments drawn by chance; print the seconds that each took.

    They begin at the time `begin` and are spread over so many seconds.
    """
    tables = [table for drawn in rounds.show(db).rounds for table in drawn.tables][program::programs][:each]
    rng = random.Random(program)
    moments = sorted(begin + rng.random() * seconds for _table in tables)
    for moment, table in zip(moments, tables, strict=True):
        time.sleep(max(0.0, moment - time.time()))
        began = time.monotonic()
        desk.enter(db, table)
        sys.stdout.write(f"{time.monotonic() - began}\n")


def enter(db: str) -> Iterator[str]:
    """Enter the results of all tables one by one; yield round and table of each."""
    for drawn in rounds.show(db).rounds:
        for table in drawn.tables:
            desk.enter(db, table)
            yield f"{drawn.number} {table.number}"


def enter_rest(db: str) -> Iterator[str]:
    """Enter the results of the tables of the newest round that have none; yield their numbers."""
    for table in rounds.show(db).rounds[-1].tables:
        with suppress(TourneyError):
            desk.enter(db, table)
            yield str(table.number)


def bring_in(db: str) -> Iterator[str]:
    """Import a hundred evenings one by one; yield their names."""
    for number in range(100):
        apply(db, ImportSheets(f"Evening {number}", desk.CLUB / "score-sheets.csv", "oficial"))
        yield f"Evening {number}"


def turn(db: str) -> Iterator[str]:
    """Undo the last two commands and redo them, over and over; yield the number of the change."""
    for number, change in enumerate(cycle((Undo(), Undo(), Redo(), Redo())), 1):
        apply(db, change)
        yield str(number)


def back_up(db: str) -> Iterator[str]:
    """Register a player and make a backup, over and over; yield the names of the backups.

    Every third backup is an automatic one, which is not named.
    """
    for number in range(1000):
        apply(db, RegisterPlayers([f"Guest {number}"]))
        if number % 3:
            yield Path(database.backup(db).path).name
        else:
            database.round_finished(db)


def play_rounds(db: str) -> Iterator[str]:
    """Enter the results of all tables round by round; yield the number of each round, which is backed up."""
    for drawn in rounds.show(db).rounds:
        for table in drawn.tables:
            desk.enter(db, table)
        yield str(drawn.number)


def go_back(db: str) -> Iterator[str]:
    """Restore two backups in turn; yield their names."""
    for name in cycle(("one.db", "two.db")):
        database.restore(db, str(Path(db).with_name(name)))
        yield name


def upgrade(db: str) -> Iterator[str]:
    """Upgrade the databases `old-*.db` beside `db` one by one; yield their names."""
    for path in sorted(Path(db).parent.glob("old-*.db")):
        database.upgrade(str(path))
        yield path.name


def _run(work: Work, db: str, acknowledged: str) -> None:
    log = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(log, b"ready\n")
    for word in work(db):
        os.write(log, f"{word}\n".encode())


def killed(work: Work, db: str, after: float) -> list[str]:
    """Start the work in a process, kill it `after` seconds, and return the words that it has written."""
    acknowledged = Path(db).with_name("acknowledged")
    acknowledged.unlink(missing_ok=True)
    victim = CONTEXT.Process(target=_run, args=(work, db, str(acknowledged)), daemon=True)
    victim.start()
    while not acknowledged.exists() or not acknowledged.read_bytes():
        assert victim.exitcode is None
        time.sleep(0.005)
    time.sleep(after)
    victim.kill()
    victim.join()
    assert victim.exitcode in (-9, 0), "the victim failed before it was killed"
    return acknowledged.read_text(encoding="utf-8").splitlines()[1:]


WRITES = ("fsync", "replace", "truncate", "unlink", "mkdir", "rmdir")
"""The functions of `os` that change what is on the disk, and flush it."""


def die_in_backup(db: str, at: int, torn: bool) -> None:
    """Back up a round, and be killed before the disk operation of that number; `torn` first cuts a flushed file short.

    The process ends well if there are fewer operations.
    """
    done = 0

    def dying(operation: Callable[..., object]) -> Callable[..., object]:
        def operate(*arguments: Any, **options: Any) -> object:
            nonlocal done
            done += 1
            if done == at:
                if torn and operation.__name__ == "fsync":
                    size = os.fstat(arguments[0]).st_size
                    with suppress(OSError):
                        os.ftruncate(arguments[0], max(size - 9, 0))
                os.kill(os.getpid(), signal.SIGKILL)
            return operation(*arguments, **options)

        return operate

    for name in WRITES:
        setattr(os, name, dying(getattr(os, name)))
    database.round_finished(db)
