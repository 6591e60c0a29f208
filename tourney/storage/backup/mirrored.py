"""A database made of a mirror: the entries that the present one lacks are added, or all of them to an empty one."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from warnings import warn

from sqlalchemy import Connection

from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.storage import person_names, sqlite
from tourney.storage.backup.copies import copy_file, hashes_of
from tourney.storage.backup.names import MIRROR_SUFFIX, journal_in
from tourney.storage.check import check_database
from tourney.storage.files.temporary_copies import temporary_copy
from tourney.storage.journal import undo
from tourney.storage.journal.entries import FIRST, Entry, parse_entry
from tourney.storage.journal.kinds.people import PlayerErased, PlayerPublished, PlayerRenamed, PlayersAdded
from tourney.storage.mirror.compare import Difference, difference, lacking_error
from tourney.storage.mirror.lines import MirroredEntry, tail
from tourney.storage.mirror.names import MirroredNames, names_of, read_names
from tourney.storage.mirror.remembered import Mirror, locked, remember, remembered
from tourney.storage.session import create_all
from tourney.storage.table_rows import delete_rows, insert_rows
from tourney.storage.tables import COLUMNS, OUTSIDE, REVISION
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument

Journal = tuple[int, str]


def find_mirror(path: Path, given: str | None) -> Path:
    """Return the journal of the mirror. Raises TourneyError NOT_FOUND if there is none, REFUSED if it is not clear."""
    if given is not None:
        return journal_in(path, given, "existing")
    present: list[tuple[int, Path]] = []
    for mirror in remembered(path):
        with suppress(OSError):
            present.append((tail(Path(mirror.journal)).number, Path(mirror.journal)))
    if not present:
        message = _("no mirror of {path} is there").format(path=path)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("name its folder: `tourney db restore --mirror FOLDER`"))
    return max(present)[1]


def remember_mirror(path: Path, journal: Path) -> None:
    """Let the database be mirrored to the journal from now on."""
    with locked(path):
        others = [mirror for mirror in remembered(path) if Path(mirror.journal) != journal]
        remember(path, [*others, Mirror(str(journal))])


def journal_of(path: Path) -> Journal:
    """Return number and hash of the last entry of a sound database."""
    hashes = hashes_of(path)
    return len(hashes), hashes.get(len(hashes), FIRST)


@contextmanager
def database_of(path: Path, journal: Path) -> Iterator[tuple[Path, Journal]]:
    """Yield a sound database with exactly the entries of a journal as text, and its journal's end.

    It is a temporary copy of the database at `path`. Raises TourneyError STORAGE for a damaged journal.
    """
    with temporary_copy(path, _folder(path)) as part, sqlite.plain_errors(journal):
        found = difference({}, journal)
        _refuse(path, journal, found, {})
        if not found.lacking:
            message = _("{path} has no changes of a database").format(path=journal)
            raise TourneyError(ExitCode.STORAGE, message, _("name a backup"))
        yield part, _filled(part, journal, found.lacking)


def _folder(path: Path) -> Path:
    return path.parent if path.parent.is_dir() else Path(gettempdir())


@contextmanager
def completed_copy(path: Path, journal: Path) -> Iterator[tuple[Path, Journal] | None]:
    """Yield a sound copy of the database with the entries of the mirror, and its journal's end.

    None if the database is sound and has them all. Raises TourneyError as `restore_mirror` does.
    """
    with temporary_copy(path, _folder(path)) as part, sqlite.plain_errors(journal):
        hashes = hashes_of(part) if _sound_copy(path, part) else {}
        found = difference(hashes, journal)
        _refuse(path, journal, found, hashes)
        if hashes and not found.lacking:
            yield None
            return
        yield part, _filled(part, journal, found.lacking)


def _sound_copy(path: Path, part: Path) -> bool:
    """Copy the database if it is sound; otherwise leave no file. Raises TourneyError STORAGE for an older version."""
    if not path.is_file() or not path.stat().st_size:
        return False
    try:
        copy_file(path, part)
        _refuse_older_version(path, part)
        if not check_database(str(part)).problems:
            return True
    except (sqlite3.DatabaseError, TourneyError) as error:
        if isinstance(error, _OlderVersionError):
            raise
    part.unlink(missing_ok=True)
    return False


class _OlderVersionError(TourneyError):
    """A database of an older version, which has to be upgraded first."""


def _refuse_older_version(path: Path, part: Path) -> None:
    with closing(sqlite.connected(part)) as connection:
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    if version < REVISION:
        message = _("the database {path} is of an older version ({found})").format(path=path, found=version)
        hint = _("run `tourney db upgrade --db {path}` first").format(path=quote_argument(str(path)))
        raise _OlderVersionError(ExitCode.STORAGE, message, hint)


def _refuse(path: Path, journal: Path, found: Difference, hashes: dict[int, str]) -> None:
    """Raise TourneyError if the mirror cannot complete a database with these entries."""
    if found.lacking and found.own:
        error = lacking_error(path, journal, found)
        raise TourneyError(ExitCode.CONFLICT, error.message, error.hint)
    content, wanted = found.content, range(len(hashes) + 1, found.content.tail.number + 1)
    if [entry.number for entry in found.lacking] != [*wanted]:
        message = _("{mirror}: line {line} is damaged").format(mirror=journal, line=content.damaged[0])
        raise TourneyError(ExitCode.STORAGE, message, _before_damage(journal, content.damaged[0]))
    if content.after:
        text = _("{mirror}: the last line ({line}) is damaged and left out, as if it had never been written")
        warn(TourneyWarning(text.format(mirror=journal, line=content.after[0])), stacklevel=2)


def _before_damage(journal: Path, line: int) -> str:
    hint = _(
        "restore a backup, or what is before that line: `head -n {number} {mirror} > {part} && cp {names} {part_names}`"
    )
    part = Path(f"part{MIRROR_SUFFIX}")
    files = {"mirror": journal, "part": part, "names": names_of(journal), "part_names": names_of(part)}
    return hint.format(number=line - 1, **{name: quote_argument(str(file)) for name, file in files.items()})


def _names(journal: Path, entries: Sequence[MirroredEntry]) -> MirroredNames:
    """Return the names beside the journal. Raises TourneyError STORAGE if they are needed and damaged."""
    names = read_names(journal)
    if names is not None:
        return names
    if any(_person_versions(parse_entry(entry.text)) for entry in entries):
        message = _("the names of people in {file} are missing or damaged").format(file=names_of(journal))
        raise TourneyError(ExitCode.STORAGE, message, _("restore from another mirror, or from a backup"))
    return MirroredNames("", ())


def _person_versions(entry: Entry) -> set[tuple[int, int]]:
    """Return the versions of names, as player and number, that an entry gives or erases (0: all of them)."""
    if PlayersAdded.made(entry):
        return {(player["id"], 1) for player in entry.payload["players"] if player["kind"] == "person"}
    if PlayerRenamed.made(entry) or (PlayerPublished.made(entry) and "version" in entry.payload):
        return {(entry.payload["player"], entry.payload["version"])}
    return {(entry.payload["player"], 0)} if PlayerErased.made(entry) else set()


def _filled(part: Path, journal: Path, new: Sequence[MirroredEntry]) -> Journal:
    """Add entries to a database, and return its journal's end. Raises TourneyError STORAGE if it is not sound then."""
    try:
        _fill(part, new, _names(journal, new))
    except (*undo.IMPOSSIBLE, RecursionError) as error:
        raise _unsound(journal, _("an entry has another form than its kind")) from error
    return _sound(part, journal)


def _fill(part: Path, new: Sequence[MirroredEntry], names: MirroredNames) -> None:
    """Add entries to a database, with the texts that they name, and project all of its journal again."""
    with (
        sqlite.plain_errors(part),
        sqlite.transaction(sqlite.file_engine(part, "create", keys="off"), "IMMEDIATE") as connection,
    ):
        if not new or new[0].number == 1:
            create_all(connection)
        _add_texts(connection, new)
        connection.exec_driver_sql("DELETE FROM head")
        query = "INSERT INTO head SELECT 1, number, hash FROM act ORDER BY number DESC LIMIT 1"
        connection.exec_driver_sql(query)
        entries = [parse_entry(text) for (text,) in sqlite.rows(connection, "SELECT text FROM act ORDER BY number")]
        _add_names(connection, entries, names)
        for name in COLUMNS:
            if name not in OUTSIDE and name != "head":
                connection.exec_driver_sql(f'DELETE FROM "{name}"')
        for problem in undo.replay_all(connection, entries):
            raise TourneyError(ExitCode.STORAGE, problem, _("restore from another mirror, or from a backup"))
        person_names.refresh(connection)


def _add_texts(connection: Connection, new: Sequence[MirroredEntry]) -> None:
    for mirrored in new:
        entry = parse_entry(mirrored.text)
        row: dict[str, Any] = {"number": mirrored.number, "text": mirrored.text, "hash": mirrored.hash}
        insert_rows(connection, "act", [{**row, "id": entry.id, "kind": entry.kind, "time": entry.time}])
        if mirrored.record is not None:
            delete_rows(connection, "record", digest=entry.payload["record"])
            insert_rows(connection, "record", [{"digest": entry.payload["record"], "text": mirrored.record}])
        if mirrored.rows:
            numbers = [entry.payload["import"]] * len(mirrored.rows)
            sqlite.insert_all(connection, "pool_result", [(numbers, *zip(*mirrored.rows, strict=True))])


def _add_names(connection: Connection, entries: Sequence[Entry], names: MirroredNames) -> None:
    """Write the names that the journal knows as the mirror has them, which may have erased some since."""
    known = set().union(*map(_person_versions, entries))
    for row in names.rows:
        if tuple(row[:2]) in known:
            values = dict(zip(("player", "version", "name", "label", "club", "checksum"), row, strict=True))
            delete_rows(connection, "person", player=row[0], version=row[1])
            insert_rows(connection, "person", [{**values, "folded": None}])


def _sound(part: Path, journal: Path) -> Journal:
    """Return the end of the copy's journal. Raises TourneyError STORAGE if the mirror does not give a sound one."""
    checked = check_database(str(part))
    if checked.problems:
        raise _unsound(journal, checked.problems[0])
    return checked.entries, checked.head


def _unsound(journal: Path, problem: str) -> TourneyError:
    message = _("{mirror} does not give a sound database: {problem}").format(mirror=journal, problem=problem)
    return TourneyError(ExitCode.STORAGE, message, _("restore from another mirror, or from a backup"))
