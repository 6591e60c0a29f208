"""Open the database: one transaction that writes, or one that reads."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path

from sqlalchemy import Connection

from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage import sqlite
from tourney.storage.declarations import is_ours, uniform
from tourney.storage.files import atomic_create
from tourney.storage.files.temporary_copies import sweep
from tourney.storage.location import is_absent, locate, prepare_folder
from tourney.storage.mirror.follow import follow
from tourney.storage.mirror.opening import mirror_tails, refuse_older
from tourney.storage.store import Reader, Store
from tourney.storage.tables import COLUMNS, RETIRED, REVISION, create_tables
from tourney.text.i18n import _, marked

_published: ContextVar[bool] = ContextVar("published", default=False)
_handed_out: ContextVar[bool] = ContextVar("handed out", default=False)
BEGIN_HINT = marked(
    "begin with `tourney player import players.csv` or `tourney event new NAME`, or name a file with --db"
)


@contextmanager
def writing(
    db: str | None, patience: sqlite.Patience = "usual", *, dry_run: bool = False, by: str = ""
) -> Iterator[Store]:
    """Open a transaction that writes; a new database is created if there is none. A dry run is rolled back.

    Afterwards the mirrors get the new entries, before anybody is told that they are saved. `patience` says how long to
    wait for other writers, `by` who makes the change ("": the program itself). Raises TourneyError CONFLICT if the
    database stays locked, STORAGE if it cannot be used or lacks entries of a mirror.
    """
    path = locate(db)
    tails = mirror_tails(path)
    with sqlite.plain_errors(path), _writable(path, patience, dry_run) as connection:
        refuse_older(path, tails, connection)
        store = Store(connection, db, dry_run, by, for_all=_names_are_public())
        yield store
        store.transaction.write_checksums()
        store.transaction.forget()
        if dry_run:
            connection.rollback()
    if not dry_run:
        if store.transaction.batch:
            follow(path)
        store.committed()


@contextmanager
def reading(db: str | None, begin_hint: str = BEGIN_HINT) -> Iterator[Reader]:
    """Open a transaction that reads, and sees one state throughout; it works on a read-only medium too.

    Raises TourneyError NOT_FOUND, with how to begin, if there is no database, STORAGE if it cannot be used or lacks
    entries of a mirror.
    """
    path = locate(db)
    with sqlite.plain_errors(path), open_transaction(path, begin_hint) as connection:
        refuse_foreign(connection, path)
        reader = Reader(connection, db, drafts=not reads_as_published(), for_all=_names_are_public())
        yield reader
        reader.transaction.forget()


@contextmanager
def as_published() -> Iterator[None]:
    """Let what is read during the block be what everybody may see: no draft, no stage that a draft begins, no folder.

    Also a change names bots without the folders in which they lie.
    """
    before = _published.set(True)
    try:
        yield
    finally:
        _published.reset(before)


@contextmanager
def as_handed_out() -> Iterator[None]:
    """Let bots have the names that everybody may see in what is read during the block; drafts are read, too."""
    before = _handed_out.set(True)
    try:
        yield
    finally:
        _handed_out.reset(before)


def _names_are_public() -> bool:
    return _handed_out.get() or reads_as_published()


def reads_as_published() -> bool:
    """Return whether what is read now is what everybody may see."""
    return _published.get()


@contextmanager
def open_transaction(path: Path, begin_hint: str = BEGIN_HINT) -> Iterator[Connection]:
    """Open a transaction that reads a file of the newest version, whatever else the file has.

    Raises TourneyError as `reading` does.
    """
    sweep(path)
    tails = mirror_tails(path)
    if not path.exists():
        refuse_older(path, tails)
        raise TourneyError(ExitCode.NOT_FOUND, _("there is no database at {path}").format(path=path), _(begin_hint))
    engine = sqlite.file_engine(path, "read")
    with sqlite.transaction(engine, "DEFERRED") as connection:
        if revision(connection, path) is None:
            refuse_older(path, tails)
            raise TourneyError(ExitCode.NOT_FOUND, _("the database {path} is empty").format(path=path), _(begin_hint))
        if refuse_older(path, tails, connection) and sqlite.file_writable(path):
            # A program was killed between its commit and the mirror.
            follow(path)
        yield connection


def create_all(connection: Connection) -> None:
    """Create the newest schema in an empty database, with its version."""
    create_tables(connection)
    connection.exec_driver_sql(
        "CREATE TABLE alembic_version ("
        "version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
    )
    connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (REVISION,))


def schema(connection: Connection) -> Mapping[str, str]:
    """Return the statement that creates each table, in uniform spacing."""
    rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return {name: uniform(statement) for name, statement in rows}


def schema_of_a_new_file() -> Mapping[str, str]:
    """Return the statements of `schema` for a file that this version makes."""
    with sqlite.nameless("DEFERRED") as connection:
        create_all(connection)
        return schema(connection)


def revision(connection: Connection, path: Path) -> str | None:
    """Return the version of the schema, None for an empty file.

    Raises TourneyError STORAGE for a database of another program or of another version.
    """
    version = found_revision(connection, path)
    if version is None or version == REVISION:
        return version
    refuse_newer(path, version, REVISION)
    message = _("the database {path} is of an older version ({found})").format(path=path, found=version)
    raise TourneyError(ExitCode.STORAGE, message, _("run `tourney db upgrade`, which keeps a copy of it first"))


def refuse_newer(path: Path, version: str, newest: str) -> None:
    """Raise TourneyError STORAGE if the database is of a newer version than this program knows."""
    if version > newest:
        message = _("the database {path} was made by a newer tourney (version {found}, this one knows {newest})")
        message = message.format(path=path, found=version, newest=newest)
        raise TourneyError(ExitCode.STORAGE, message, _("update tourney, or name another database with --db"))


def found_revision(connection: Connection, path: Path) -> str | None:
    """Return the version that the database says it has, whatever it is; None for an empty file."""
    rows = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = {row[0] for row in rows}
    if not names:
        return None
    if not {"alembic_version", "act"} <= names:
        message = _("the database {path} is one of another program").format(path=path)
        raise TourneyError(ExitCode.STORAGE, message, _("name the right file with --db"))
    versions = [str(row[0]) for row in connection.exec_driver_sql("SELECT version_num FROM alembic_version")]
    if len(versions) != 1:
        message = _("the database {path} does not say its version").format(path=path)
        raise TourneyError(ExitCode.STORAGE, message, _("restore a sound backup with `tourney db restore`"))
    return versions[0]


def refuse_foreign(connection: Connection, path: Path) -> None:
    """Raise TourneyError STORAGE if the file has a trigger, a view or a table that tourney did not make.

    A trigger could change every entry that is made, a view could show rows other than the table's, and an expression in
    a declaration may take hours for a row that is written or checked: nothing interrupts it.
    """
    for found in foreign_objects(connection):
        message = _("the database {path} was changed by another program: {problem}").format(path=path, problem=found)
        hint = _("remove that with the program that made it, or restore a sound backup with `tourney db restore`")
        raise TourneyError(ExitCode.STORAGE, message, hint)


def foreign_objects(connection: Connection) -> list[str]:
    """Return a sentence for each table, view, trigger and index that no version of tourney has declared."""
    sentences = {
        "view": _("view {name} does not belong to tourney"),
        "trigger": _("trigger {name} does not belong to tourney"),
        "index": _("index {name} does not belong to tourney"),
    }
    known, table = {"alembic_version", *COLUMNS, *RETIRED}, _("table {table} does not belong to tourney")
    query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
    return [
        not_built(name) if name in known else sentences.get(kind, table).format(table=name, name=name)
        for kind, name, statement in sqlite.rows(connection, query)
        if not is_ours(name, statement)
    ]


def not_built(name: str) -> str:
    """Return the sentence on a table whose declaration is not one of ours."""
    return _("table {table} is not built as tourney builds it").format(table=name)


@contextmanager
def _writable(path: Path, patience: sqlite.Patience, dry_run: bool) -> Iterator[Connection]:
    """Open a transaction on the file. A new database is created in it, by a dry run in memory."""
    if dry_run and is_absent(path):
        with sqlite.nameless("IMMEDIATE") as connection:
            create_all(connection)
            yield connection
        return
    with ExitStack() as stack:
        file = path
        if not path.exists():
            prepare_folder(path)
            file = stack.enter_context(atomic_create.new_file(path))
        yield stack.enter_context(_locked(file, patience))


@contextmanager
def _locked(path: Path, patience: sqlite.Patience) -> Iterator[Connection]:
    """Open a transaction on the file during which no other program writes."""
    sweep(path)
    engine = sqlite.file_engine(path, "create")
    with sqlite.transaction(engine, "IMMEDIATE", patience) as connection:
        logged = sqlite.has_log(connection)
        if revision(connection, path) is None:
            create_all(connection)
        refuse_foreign(connection, path)
        yield connection
    if not logged:
        sqlite.use_log(engine)
