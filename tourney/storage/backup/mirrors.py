"""Add, remove and list the mirrors of a database."""

import os
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from tourney.domain.database import MirrorState
from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage import sqlite
from tourney.storage.backup.copies import hashes_of
from tourney.storage.backup.names import journal_in, round_backup_of
from tourney.storage.journal.entries import LoggedEntry, parse_entry
from tourney.storage.journal.undo import states
from tourney.storage.location import locate
from tourney.storage.mirror.compare import Difference, difference, lacking_error, refuse_another
from tourney.storage.mirror.follow import complete, follow
from tourney.storage.mirror.lines import read_journal
from tourney.storage.mirror.names import names_of, read_names
from tourney.storage.mirror.remembered import Mirror, forget_all, locked, note_of, remember, remembered
from tourney.storage.private import create
from tourney.storage.session import open_transaction
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument


def add_mirror(db: str | None, given: str) -> MirrorState:
    """Mirror the database to a folder from now on, and write all of its entries there; return the mirror's state.

    Raises TourneyError NOT_FOUND if there is no database or no folder, CONFLICT for a mirror of another database or one
    that is remembered already, STORAGE if it cannot be written, is damaged, or has entries that the database lacks.
    """
    path = locate(db)
    with sqlite.plain_errors(path), open_transaction(path):
        journal = journal_in(path, given, "new")
    _refuse_known(path, journal)
    begun = os.path.lexists(journal)
    new = [file for file in (journal, names_of(journal)) if not os.path.lexists(file)]
    if begun:
        _refuse_unfit(path, journal)
    try:
        with locked(path), closing(sqlite.connect(path, "read")) as connection:
            if not begun:
                create(journal)
            complete(connection, path, Mirror(str(journal)))
            remember(path, [*remembered(path), Mirror(str(journal))])
    except OSError as error:
        for file in new:
            with suppress(OSError):
                file.unlink(missing_ok=True)
        message = _("the mirror {mirror} cannot be written: {why}").format(mirror=journal, why=error.strerror or error)
        raise TourneyError(ExitCode.STORAGE, message, _("make room, allow writing, or name another folder")) from error
    return next(state for state in list_mirrors(db) if state.path == str(journal))


def mirrors_away(db: str | None) -> tuple[str, ...]:
    """Return the paths of the mirrors that are not there now; what has been erased is still in them."""
    return tuple(mirror.journal for mirror in remembered(locate(db)) if not os.path.exists(mirror.journal))


def _refuse_known(path: Path, journal: Path) -> None:
    if str(journal) in {mirror.journal for mirror in remembered(path)}:
        message = _("{mirror} is a mirror of {path} already").format(mirror=journal, path=path)
        raise TourneyError(ExitCode.CONFLICT, message, _("see `tourney db mirror list`"))


def _refuse_unfit(path: Path, journal: Path) -> None:
    """Raise TourneyError for a journal that does not begin like the database's."""
    with sqlite.plain_errors(journal):
        found = difference(hashes_of(path), journal)
    refuse_another(path, journal, found)
    if found.lacking:
        raise lacking_error(path, journal, found)
    if found.content.damaged:
        message = _("{mirror}: line {line} is damaged").format(mirror=journal, line=found.content.damaged[0])
        raise TourneyError(ExitCode.STORAGE, message, _("move that file away, and add the mirror again"))


def remove_mirror(db: str | None, given: str | None = None) -> str:
    """Forget a mirror, also one that is not there, and return its path; without `given` the only one.

    Its files stay. Raises TourneyError NOT_FOUND if there is none, REFUSED if it is not clear which.
    """
    path = locate(db)
    try:
        known = remembered(path)
    except TourneyError:
        # Nobody knows any more what it named.
        with sqlite.plain_errors(note_of(path)):
            return str(forget_all(path))
    mirror = _meant(path, known, given)
    with sqlite.plain_errors(note_of(path)), locked(path):
        remember(path, [each for each in remembered(path) if each.journal != mirror.journal])
    return mirror.journal


def _meant(path: Path, known: Sequence[Mirror], given: str | None) -> Mirror:
    place = None if given is None else os.path.abspath(Path(given).expanduser())
    found = [each for each in known if place in (None, each.journal, os.path.dirname(each.journal))]
    if len(found) == 1:
        return found[0]
    if not found:
        message = _("{path} has no such mirror") if known else _("{path} has no mirror")
        raise TourneyError(ExitCode.NOT_FOUND, message.format(path=path), _("see `tourney db mirror list`"))
    message = ngettext("{path} has {number} mirror", "{path} has {number} mirrors", len(found))
    hint = _("name one: `tourney db mirror remove {mirror}`").format(mirror=quote_argument(found[0].journal))
    raise TourneyError(ExitCode.REFUSED, message.format(path=path, number=len(found)), hint)


def on_one_disk(db: str | None, mirror: str) -> bool:
    """Return whether the mirror and the database are on one disk, which may fail with both."""
    try:
        return os.stat(mirror).st_dev == os.stat(locate(db)).st_dev
    except OSError:
        return False


def list_mirrors(db: str | None) -> tuple[MirrorState, ...]:
    """Complete every mirror that is there, check each line of it, and return the states of all.

    Raises TourneyError NOT_FOUND if there is neither a database nor a mirror of it.
    """
    path = locate(db)
    if path.exists():
        follow(path)
    elif not remembered(path):
        message = _("there is no database at {path}").format(path=path)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("name its file with --db"))
    with sqlite.plain_errors(path):
        hashes = hashes_of(path)
        return tuple(_state(mirror, hashes) for mirror in remembered(path))


def round_backup_state(db: str | None) -> MirrorState | None:
    """Check each line of the backup after rounds, and return its state as that of a mirror; None if there is none."""
    path = locate(db)
    journal = round_backup_of(path)
    if not journal.exists():
        return None
    with sqlite.plain_errors(path):
        return _judged(journal, difference(hashes_of(path), journal))


def _state(mirror: Mirror, hashes: dict[int, str]) -> MirrorState:
    journal = Path(mirror.journal)
    try:
        found = difference(hashes, journal)
    except OSError as error:
        return MirrorState(mirror.journal, "away", 0, len(hashes), error.strerror or str(error))
    judged = _judged(journal, found)
    if judged.state == "complete" and judged.missing:
        return replace(judged, state="away", problem=_("it cannot be written"))
    return judged


def _judged(journal: Path, found: Difference) -> MirrorState:
    """Return the state of a journal that can be read; it may lack entries of the database."""
    mirror, entries = str(journal), len(found.content.entries)
    if found.lacking:
        lacking = len(found.lacking)
        problem = ngettext("the database lacks {number} change", "the database lacks {number} changes", lacking)
        return MirrorState(mirror, "differs", entries, found.own, problem.format(number=lacking))
    if found.content.damaged:
        lines = ", ".join(map(str, found.content.damaged[:5]))
        problem = _("damaged lines: {lines}").format(lines=lines)
        return MirrorState(mirror, "damaged", entries, found.own, problem)
    if read_names(journal) is None:
        problem = _("the names of people in {file} are missing or damaged").format(file=names_of(journal))
        return MirrorState(mirror, "damaged", entries, found.own, problem)
    return MirrorState(mirror, "complete", entries, found.own)


def mirrored_entries(mirror: str) -> tuple[tuple[LoggedEntry, ...], dict[int, str]]:
    """Return the entries of a mirror, and the newest name of each player by number."""
    entries = [parse_entry(entry.text) for entry in read_journal(Path(mirror)).entries]
    names = read_names(Path(mirror))
    logged = (
        LoggedEntry(entry.id, entry.kind, entry.time, entry.batch, entry.payload, entry.by, number, state)
        for number, (entry, state) in enumerate(zip(entries, states(entries), strict=True), 1)
    )
    return tuple(logged), {row[0]: row[2] for row in (() if names is None else names.rows)}
