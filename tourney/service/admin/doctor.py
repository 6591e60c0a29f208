"""The doctor: checks of everything that an evening depends on: program, machine, database."""

from __future__ import annotations

import locale
import shutil
import sys
from datetime import datetime
from pathlib import Path

from tourney import storage
from tourney.domain.database import Finding
from tourney.domain.errors import TourneyError, UnusableError
from tourney.domain.rules import RulesRef
from tourney.rulebook import records, rulesets
from tourney.service.admin import diagnostics
from tourney.service.version import program_version
from tourney.text.i18n import _


def examine(db: str | None) -> tuple[Finding, ...]:
    """Return the finding of every check; the database is only read. Raises TourneyError if `db` cannot be a path."""
    path = storage.locate(db).absolute()
    build = records.engine_build()
    program = (
        diagnostics.python(sys.version_info[:3]),
        Finding("tourney", "ok", program_version()),
        diagnostics.engine(build.kind, build.modules, build.reason),
        diagnostics.sqlite(storage.sqlite_version()),
        diagnostics.text(locale.getencoding()),
    )
    return (*program, diagnostics.database(path), *_machine(path), *(_file(path) if path.is_file() else ()))


def _machine(path: Path) -> tuple[Finding, ...]:
    """Judge the folder of the database; for a folder that does not exist yet, the nearest one that does."""
    existing = path
    while not existing.parent.exists():
        existing = existing.parent
    known = storage.journaled(path) if path.is_file() else None
    return (
        diagnostics.place(path, storage.filesystem(existing)),
        diagnostics.writing(
            existing, storage.writable(existing), "by a copy" if storage.log_alone(path) else "in place"
        ),
        diagnostics.space(shutil.disk_usage(existing.parent).free, path.stat().st_size if path.is_file() else 0),
        diagnostics.clock(datetime.now().astimezone(), None if known is None else known.last),
    )


def _file(path: Path) -> tuple[Finding, ...]:
    try:
        contents = diagnostics.contents(storage.check_database(str(path)))
        rules = _rules(str(path))
    except UnusableError as error:
        return (diagnostics.unreadable(error.message, error.hint),)
    except TourneyError as error:
        return (diagnostics.unreadable(error.message),)
    known = storage.journaled(path)
    if known is None:
        return (diagnostics.unreadable(_("the file cannot be read")),)
    made, entries = storage.newest_backup(path) or (None, 0)
    readers = diagnostics.readers(storage.readable_by_others(path))
    age = diagnostics.backups(made, max(known.entries - entries, 0), datetime.now().astimezone())
    state = storage.round_backup_state(str(path))
    backups = (None if state is None else diagnostics.round_backup(state)) or age
    mirrors = storage.list_mirrors(str(path))
    judged = (diagnostics.mirrors(mirrors),) if mirrors else ()
    return (contents, readers, diagnostics.journal_mode(known.mode), backups, *judged, rules)


def _rules(db: str) -> Finding:
    """Judge whether each event's rules still have the digest that it was made with."""
    with storage.reading(db) as reader:
        events = reader.events.all()
    changed = [event.settings.name for event in events if not _is_current(event.rules)]
    return diagnostics.rules(len(events), changed)


def _is_current(rules: RulesRef) -> bool:
    try:
        return rulesets.is_current(rules)
    except TourneyError:
        return False
