"""Use SQLite: connections, pragmas, transactions, and its errors in words."""

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool, Pool, StaticPool

from tourney.domain.errors import ExitCode, TourneyError, UnusableError
from tourney.storage.private import NotOursError, create_if_missing, refuse_beside
from tourney.text.i18n import _, marked
from tourney.text.signals import deferred, interruptible

Begin = Literal["IMMEDIATE", "DEFERRED"]
Keys = Literal["on", "off"]
Access = Literal["create", "write", "read"]
Patience = Literal["usual", "leaving"]
BUSY_SECONDS = 30.0
"""The seconds that a command waits for another program's write before it gives up."""
LEAVING_SECONDS = 3.0
"""The seconds that a command waits after it was interrupted."""

POLL_SECONDS = 0.01
"""The seconds between the first two looks at a locked file."""
AGEING = 10.0
"""The growth of a program's looks with each second that it waits: the longest in line looks most often.

With equal chances for all, one of 16 programs that write 304 results at once waits for about 90 others, six times as
long as in a queue.
"""
LEAST_POLL_SECONDS = 0.0005
"""The least seconds between two looks."""
MOST_BYTES = 1 << 25
"""The most bytes of a value or row: to read and compare one takes up to 13 times its size, in memory."""
MOST_COPIED = 1 << 29
"""The most bytes of a file and its log that are copied to be read, where the log cannot be read beside the file."""
MOST_HEAP = 300_000_000
"""The most bytes of memory that SQLite may have in this process; no connection can raise it again."""
_LINES = 50
"""The lines that a statement inserts; their values are below the least limit of SQLite, 999."""


class FileMark(NamedTuple):
    """A file's identity, the time of its last write in nanoseconds, and its size in bytes."""

    file: int
    written: int
    size: int


WriteMark = tuple[FileMark | None, FileMark | None]
"""The marks of a database and of its log; None for a missing file."""


def connect(path: Path, access: Access) -> sqlite3.Connection:
    """Open a bare connection to the file, for whole copies. Raises NotOursError as `refuse_beside`."""
    refuse_beside(path)
    if access == "read" and log_alone(path):
        return _bounded(_nameless_copy(path))
    if access == "create" and not path.exists():
        # SQLite gives its log and its other files the permissions of the database.
        create_if_missing(path)
    uri = f"{path.absolute().as_uri()}?{_open_mode(path, access)}"
    connection = connected(uri, BUSY_SECONDS)
    try:
        connection.execute("PRAGMA synchronous = FULL")
    except UnicodeDecodeError as error:
        # Python's own, from an error message of SQLite that quotes a damaged name.
        connection.close()
        raise _corrupt(error) from error
    return connection


def connected(place: str | Path, timeout: float = 0) -> sqlite3.Connection:
    """Return a bare connection to a path or a URI, as each file must be opened: nothing of it has been read yet.

    It computes little of what the file's declarations say, a second wall after `is_ours`, and takes a bounded memory:
    SQLite reads all declarations with the first statement, and up to a hundred times their size.
    """
    uri = str(place).startswith("file:")
    return _bounded(sqlite3.connect(place, uri=uri, timeout=timeout, isolation_level=None))


def _bounded(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    connection.execute(f"PRAGMA hard_heap_limit = {MOST_HEAP}")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _corrupt(error: UnicodeDecodeError) -> sqlite3.DatabaseError:
    """Return the error of SQLite for a damaged file, whose own message could not be read."""
    corrupt = sqlite3.DatabaseError(str(error))
    corrupt.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return corrupt


@lru_cache(maxsize=8)
def file_engine(path: Path, access: Access, keys: Keys = "on") -> Engine:
    """Return an engine on the file; only `create` creates it, and `read` works on a read-only medium too.

    `keys` says whether foreign keys are enforced: only a migration does without. An engine holds no file open; it is
    kept because it compiles each statement only once.
    """
    return _engine(lambda: connect(path, access), keys)


@contextmanager
def nameless(begin: Begin, keys: Keys = "on", place: Literal[":memory:", ""] = ":memory:") -> Iterator[Connection]:
    """Run the block in a transaction on an empty database, which is gone after it.

    It is in memory; with an empty `place` SQLite moves it to a temporary file when it grows.
    """
    engine = _engine(lambda: sqlite3.connect(place, isolation_level=None), keys, StaticPool)
    try:
        with transaction(engine, begin) as connection:
            yield connection
    finally:
        # Its memory counts for the limit of all connections of the program.
        engine.dispose()


def _engine(connect: Callable[[], sqlite3.Connection], keys: Keys, pool: type[Pool] = NullPool) -> Engine:
    def pragmas(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
        connection.execute(f"PRAGMA foreign_keys = {keys}")
        connection.execute("PRAGMA synchronous = FULL")
        # An erased name must not remain in the file's free space.
        connection.execute("PRAGMA secure_delete = ON")

    engine = create_engine("sqlite://", creator=connect, poolclass=pool)
    event.listen(engine, "connect", pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def _open_mode(path: Path, access: Access) -> str:
    if access == "create":
        return "mode=rwc"
    if access == "write" or file_writable(path):
        return "mode=rw"
    # In WAL mode a reader needs the shared-memory file. Where none can be made, a file that nobody is
    # writing may be read as it stands; one with a log beside it may not, it would show an old state.
    return "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"


def log_alone(path: Path) -> bool:
    """Return whether the file has a log that cannot be read in place, as on a read-only medium.

    The shared memory of the log is then missing and cannot be created.
    """
    return Path(f"{path}-wal").exists() and not Path(f"{path}-shm").exists() and not file_writable(path)


def _nameless_copy(path: Path) -> sqlite3.Connection:
    """Return a connection to a nameless copy of the file with its log, which SQLite deletes when it is closed.

    Raises TourneyError STORAGE for more than MOST_COPIED: a file of a stranger may have holes, which fill the disk.
    """
    if sum(os.path.getsize(f"{path}{end}") for end in ("", "-wal")) > MOST_COPIED:
        message = _("the database {path} has more than {most} MB, and its log cannot be read where it is")
        hint = _("copy both to a folder where you may write, and name the copy with --db")
        raise TourneyError(ExitCode.STORAGE, message.format(path=path, most=MOST_COPIED >> 20), hint)
    with tempfile.TemporaryDirectory(prefix="tourney-") as folder:
        copy = Path(folder, "copy.db")
        for end in ("", "-wal"):
            shutil.copyfile(f"{path}{end}", f"{copy}{end}")
        whole = sqlite3.connect("", isolation_level=None)
        with closing(connected(copy)) as source:
            source.backup(whole)
    return whole


def file_writable(path: Path) -> bool:
    """Return whether both the file and its folder can be written; SQLite's log stands beside the file."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def last_written(path: Path) -> WriteMark:
    """Return a value that differs after each write to the file, which asks the file system only and opens nothing.

    A log without entries is ignored: each reader creates one and removes it.
    """
    log = _mark(f"{path}-wal")
    return _mark(path), log if log is not None and log.size else None


def _mark(path: Path | str) -> FileMark | None:
    try:
        found = os.stat(path)
    except OSError:
        # Reading and writing say why a file cannot be used.
        return None
    return FileMark(found.st_ino, found.st_mtime_ns, found.st_size)


def _begin(connection: Connection) -> None:
    # sqlite3 itself would begin deferred and only before a write: such transactions lost writes under
    # contention. `begin` is an execution option of the connection.
    begin: Begin = connection.get_execution_options().get("begin", "DEFERRED")
    if begin == "DEFERRED":
        connection.exec_driver_sql("BEGIN DEFERRED")
        return
    connection.exec_driver_sql("PRAGMA busy_timeout = 0")
    patience = connection.get_execution_options().get("patience", "usual")
    until_free(lambda: _driver(connection).execute("BEGIN IMMEDIATE"), patience)
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
    # Within a transaction rows are replaced that others refer to; the keys must hold when it ends.
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")


def rows(connection: Connection, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """Return the rows of a query as the file has them: raw values, so that no conversion hides a changed one."""
    return list(stream(connection, query, values))


def stream(connection: Connection, query: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query one by one, so that memory does not grow with them."""
    cursor: Iterator[tuple[Any, ...]] = _driver(connection).execute(query, tuple(values))
    return cursor


def run_for_all(connection: Connection, query: str, lines: Iterable[tuple[Any, ...]]) -> None:
    """Run the statement with the values of each line as it comes, so that memory does not grow with them."""
    _driver(connection).executemany(query, lines)


def insert_all(connection: Connection, table: str, blocks: Iterable[Sequence[Sequence[object]]]) -> None:
    """Insert blocks of rows by column as they come, so that memory does not grow with them.

    A statement inserts many: one line each takes twice as long.
    """
    for columns in blocks:
        for start in range(0, len(columns[0]), _LINES):
            values = [column[start : start + _LINES] for column in columns]
            query = _insertion(table, len(values), len(values[0]))
            _driver(connection).execute(query, list(chain.from_iterable(values)))


@lru_cache(maxsize=_LINES)
def _insertion(table: str, columns: int, lines: int) -> str:
    """Return the statement that inserts so many lines, whose values are given column by column."""
    places = [", ".join(f"?{column * lines + line + 1}" for column in range(columns)) for line in range(lines)]
    return f"INSERT INTO {table} VALUES ({'), ('.join(places)})"


def _driver(connection: Connection) -> Any:
    """Return SQLite's own connection, under the engine's."""
    driver = connection.connection.driver_connection
    assert driver is not None
    return driver


@contextmanager
def one_state(connection: sqlite3.Connection) -> Iterator[None]:
    """Let a bare connection see one state of the file during the block, which only reads."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def has_log(connection: Connection) -> bool:
    """Return whether the file uses write-ahead logging."""
    return rows(connection, "PRAGMA journal_mode") in ([("wal",)], [("memory",)])


def use_log(engine: Engine) -> None:
    """Switch the file permanently to write-ahead logging; if others use the file now, a later command does."""
    with deferred(), closing(engine.raw_connection()) as raw, suppress(sqlite3.OperationalError):
        raw.cursor().execute("PRAGMA journal_mode = WAL")


def empty_log(engine: Engine) -> bool:
    """Write the log of a file into the file and empty it; return False if somebody reads an older state meanwhile."""
    with deferred(), closing(engine.raw_connection()) as raw:
        busy, _pages, _written = raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def until_free(attempt: Callable[[], object], patience: Patience = "usual") -> None:
    """Repeat the call until the file is not locked; an interrupt ends the waiting."""
    begun, most = monotonic(), BUSY_SECONDS if patience == "usual" else LEAVING_SECONDS
    while True:
        try:
            attempt()
            return
        except sqlite3.OperationalError as error:
            waited = monotonic() - begun
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited > most:
                raise
            with interruptible():
                sleep(max(LEAST_POLL_SECONDS, POLL_SECONDS / (1 + AGEING * waited)))


@contextmanager
def transaction(engine: Engine, begin: Begin, patience: Patience = "usual") -> Iterator[Connection]:
    """Run the block in one transaction: kept if it ends well, rolled back if anything is raised in it.

    An interrupt breaks off the block or the waiting for other programs, but never the commit.
    """
    options = {"begin": begin, "patience": patience}
    with deferred(), engine.connect().execution_options(**options) as connection, connection.begin(), interruptible():
        yield connection


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn the database's errors within the block into a TourneyError that names the file."""
    try:
        yield
    except DBAPIError as error:
        raise explain(path, error.orig) from error
    except sqlite3.Error as error:
        raise explain(path, error) from error
    except UnicodeDecodeError as error:
        raise _in_words(path, sqlite3.SQLITE_CORRUPT) from error
    except MemoryError as error:
        # Python's own, where SQLite has no more than MOST_HEAP.
        raise _in_words(path, sqlite3.SQLITE_NOMEM) from error
    except OSError as error:
        raise _explained(path, error) from error


_LOCKED = (
    ExitCode.CONFLICT,
    marked("the database {path} is locked: another program has been writing to it"),
    marked("wait until that program is done and try again"),
)
_MEANINGS: dict[int, tuple[ExitCode, str, str]] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: (
        ExitCode.STORAGE,
        marked("the database {path} is read-only"),
        marked("allow writing to the file and its folder, or copy it elsewhere and name the copy with --db"),
    ),
    sqlite3.SQLITE_PERM: (
        ExitCode.STORAGE,
        marked("the database {path} may not be opened"),
        marked("ask for permission to read it"),
    ),
    sqlite3.SQLITE_NOTADB: (
        ExitCode.STORAGE,
        marked("the database {path} is not a database"),
        marked("name the right file with --db"),
    ),
    sqlite3.SQLITE_CORRUPT: (
        ExitCode.STORAGE,
        marked("the database {path} is damaged"),
        marked("run `tourney db check`, then restore a backup with `tourney db restore`"),
    ),
    sqlite3.SQLITE_NOMEM: (
        ExitCode.STORAGE,
        marked("the database {path} takes more memory than the program may have"),
        marked("if it came from others, do not use it; otherwise restore a backup with `tourney db restore`"),
    ),
    sqlite3.SQLITE_FULL: (
        ExitCode.STORAGE,
        marked("the database {path} cannot grow: the disk is full"),
        marked("make room and try again"),
    ),
    sqlite3.SQLITE_CANTOPEN: (
        ExitCode.STORAGE,
        marked("the database {path} cannot be opened"),
        marked("check that it is a file in a folder you may write to, or name another with --db"),
    ),
    sqlite3.SQLITE_IOERR: (
        ExitCode.STORAGE,
        marked("the database {path} cannot be read or written"),
        marked("check the disk that it is on, and whether it has room"),
    ),
}


_UNUSABLE = {*_MEANINGS} - {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR}
_SYSTEM: dict[int, int] = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EFBIG: sqlite3.SQLITE_FULL,
    errno.EACCES: sqlite3.SQLITE_PERM,
    errno.EPERM: sqlite3.SQLITE_PERM,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EIO: sqlite3.SQLITE_IOERR,
}
"""The code of SQLite for an error of the operating system."""
_ROOM = 64 * 1024
"""The bytes without which SQLite cannot use a log; it then reports an error of reading or writing."""


def explain(path: Path, error: BaseException | None) -> TourneyError:
    """Return what the database's error means, in one line with what to do."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and (cause := _cause(path, code & 0xFF)) in _MEANINGS:
        return _in_words(path, cause)
    reason = str(error).splitlines()[0] if error is not None and str(error) else _("it does not say why")
    message = _("the database {path} refused: {reason}").format(path=path, reason=reason)
    return TourneyError(ExitCode.STORAGE, message, _("run `tourney db check`"))


def _explained(path: Path, error: OSError) -> TourneyError:
    """Return what an error of the operating system means for the database, or for the file beside it that it names."""
    if isinstance(error, NotOursError):
        message = _("{file} cannot be used: {why}").format(file=error.filename, why=error.strerror)
        return TourneyError(ExitCode.STORAGE, message, _("move it away, and try again"))
    if error.errno in _SYSTEM:
        return _in_words(Path(error.filename) if isinstance(error.filename, str) else path, _SYSTEM[error.errno])
    message = _("the database {path} cannot be used: {why}").format(path=path, why=error.strerror or error)
    return TourneyError(ExitCode.STORAGE, message, _("name another file with --db"))


def _cause(path: Path, code: int) -> int:
    """Return SQLite's code of what lies behind an error: no permission or a full disk may look like something else."""
    if code == sqlite3.SQLITE_CANTOPEN and path.is_file():
        if not os.access(path, os.R_OK):
            return sqlite3.SQLITE_PERM
        if not file_writable(path):
            # SQLite could not create the log beside the file.
            return sqlite3.SQLITE_READONLY
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR) and _room(path) < _ROOM:
        return sqlite3.SQLITE_FULL
    return code


def _room(path: Path) -> int:
    """Return the bytes that are free on the disk of the file."""
    try:
        return shutil.disk_usage(path.absolute().parent).free
    except OSError:
        return _ROOM


def _in_words(path: Path, code: int) -> TourneyError:
    exit_code, fault, hint = _MEANINGS[code]
    kind = UnusableError if code in _UNUSABLE else TourneyError
    return kind(exit_code, _(fault).format(path=path), _(hint))
