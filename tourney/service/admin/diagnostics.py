"""The doctor: checks of program, machine and database, one function for each fact, with advice."""

from __future__ import annotations

import locale
import re
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from tourney import storage
from tourney.domain.database import Check, Finding, MirrorState
from tourney.domain.errors import TourneyError, UnusableError
from tourney.domain.rules import RulesRef
from tourney.rulebook import records, rulesets
from tourney.service.version import program_version
from tourney.text.dates import local, shown_time
from tourney.text.i18n import _, marked, ngettext, pgettext
from tourney.text.sanitize import quote_argument

Version = tuple[int, int, int]

NETWORK = re.compile(
    r"unc|nfs\d?|cifs|smb\w*|9p|afs|ceph|lustre|glusterfs|davfs\d?|fuse\.(sshfs|rclone|gvfsd-fuse|davfs)"
)
SYNCED = re.compile(
    r".*(?:dropbox|google ?drive|icloud ?drive|mega ?sync|mobile documents|nextcloud|onedrive|owncloud|pcloud).*"
    r"|.*syncthing.*|(?:box(?: sync)?|mega|my ?drive|mi unidad|sync(?:\.com)?)"
)
"""The names of folders that another program may copy while this one writes; short ones are whole names."""
MEGABYTE = 1_000_000
CLOCK_SLACK = timedelta(minutes=2)
STALE = timedelta(days=7)


def python(version: Version) -> Finding:
    """Judge the Python version: 3.11 to 3.13, the range that the distribution declares."""
    found = ".".join(map(str, version))
    if (3, 11) <= version[:2] < (3, 14):
        return Finding("Python", "ok", found)
    return Finding("Python", "warning", found, _("use Python 3.11, 3.12 or 3.13"))


def sqlite(version: Version) -> Finding:
    """Judge whether SQLite has the WAL-reset bug: 3.7.0 to 3.51.2, except 3.44.6 and 3.50.7 and their successors.

    Source: sqlite.org/wal.html, “The WAL-reset bug”. The bug needs two programs that write at the same instant.
    """
    found = ".".join(map(str, version))
    repaired = (3, 44, 6) <= version < (3, 45, 0) or (3, 50, 7) <= version < (3, 51, 0)
    if version < (3, 7, 0) or version >= (3, 51, 3) or repaired:
        return Finding("SQLite", "ok", found)
    message = _("{version}: only one program at a time may write").format(version=found)
    hint = _("with one desk there is nothing to do; with several, use a newer Python with SQLite 3.51.3 or newer")
    return Finding("SQLite", "warning", message, hint)


def engine(kind: str, modules: Sequence[str], reason: str) -> Finding:
    """Judge the engine's build; `reason` is why no module was compiled. Every build gives the same results."""
    if kind == "compiled":
        packages = Counter(module.rpartition(".")[0] for module in modules)
        message = ", ".join(f"{package} {count}" for package, count in sorted(packages.items()))
        return Finding(marked("engine"), "ok", _("compiled; modules: {message}").format(message=message))
    if reason:
        advice = _("install a C compiler and Python's headers, then install tourney again")
        message = _("plain Python, the same results 3 to 20 times slower: {reason}").format(reason=reason)
        return Finding(marked("engine"), "warning", message, advice)
    why = _("run from its sources") if kind == "sources" else _("as TOURNEY_PURE asked")
    return Finding(marked("engine"), "ok", _("plain Python, {why}").format(why=why))


def text(encoding: str) -> Finding:
    """Judge the locale's encoding: output is UTF-8 in every locale."""
    if encoding.lower().replace("-", "") in ("utf8", "cp65001"):
        return Finding(marked("text"), "ok", encoding)
    advice = _("set a UTF-8 locale if names with accents look wrong")
    return Finding(marked("text"), "warning", _("{encoding}, and output is UTF-8").format(encoding=encoding), advice)


def clock(now: datetime, last: datetime | None) -> Finding:
    """Judge the clock: it must not be behind the time of the `last` journal entry."""
    shown = f"{shown_time(now)} {now:%z}"
    if last is None or now >= last - CLOCK_SLACK:
        return Finding(marked("clock"), "ok", shown)
    message = _("{now}, before the last change, of {last}").format(now=shown, last=shown_time(local(last, now.tzinfo)))
    return Finding(marked("clock"), "warning", message, _("set the clock of this computer"))


def place(path: Path, filesystem: str | None) -> Finding:
    """Judge the database's folder: write-ahead logging needs shared memory, so it cannot work between computers."""
    name = "place"
    if filesystem is None:
        return Finding(name, "ok", _("not looked at: only Linux and Windows tell what kind of disk a folder is on"))
    if NETWORK.fullmatch(filesystem):
        message = _("a network share ({kind})").format(kind=filesystem)
        return Finding(name, "bad", message, _("move the database to a disk of this computer"))
    synced = next((each for each in (path.parent, *path.parent.parents) if _is_synced(each)), None)
    if synced is not None:
        message = _("in a folder that is copied elsewhere ({kind})").format(kind=synced.name)
        return Finding(name, "warning", message, _("keep the database outside, and put backups there"))
    return Finding(name, "ok", filesystem)


def _is_synced(folder: Path) -> bool:
    """Return whether a program copies a folder, by its name or by what Syncthing leaves in it."""
    return SYNCED.fullmatch(folder.name.lower()) is not None or (folder / ".stfolder").exists()


def database(path: Path) -> Finding:
    """Report where the database is, or will be."""
    if path.exists():
        return Finding(marked("database"), "ok", str(path))
    return Finding(marked("database"), "ok", _("none yet: {path}").format(path=path))


def contents(found: Check) -> Finding:
    """Judge the result of the check that replays the journal."""
    if not found.problems:
        message = ngettext("{number} change, data consistent", "{number} changes, data consistent", found.entries)
        return Finding(marked("contents"), "ok", message.format(number=found.entries))
    return unreadable(found.problems[0])


def unreadable(problem: str, advice: str = "") -> Finding:
    """Report a file that differs from its journal, or cannot be read."""
    usual = _("run `tourney db check`; `tourney db restore` goes back to a backup")
    return Finding(marked("contents"), "bad", problem, advice or usual)


def writing(path: Path, allowed: bool, read: Literal["in place", "by a copy"]) -> Finding:
    """Judge whether the database can be written; it can be read in any case, `read` says how."""
    if allowed:
        return Finding(marked("writing"), "ok", _("allowed"))
    message = _("not allowed in {folder}").format(folder=path.parent)
    if read == "by a copy":
        message = _("{message}; file and log are read from a temporary copy").format(message=message)
    return Finding(
        marked("writing"), "warning", message, _("nothing can be entered; allow writing to the file and its folder")
    )


def readers(readable: Sequence[Path]) -> Finding:
    """Judge whether other users of this computer can read the database or its backups."""
    if not readable:
        return Finding(marked("readers"), "ok", _("only its owner"))
    message = _("every user of this computer can read {files}").format(files=", ".join(path.name for path in readable))
    names = " ".join(quote_argument(str(path)) for path in readable)
    return Finding(marked("readers"), "warning", message, f"`chmod -R o-rwx {names}`")


def space(free: int, size: int) -> Finding:
    """Judge the free space: a backup, a log and a migration each need as much as the file itself."""
    shown = _("{free} MB free").format(free=free // MEGABYTE)
    if free < max(10 * MEGABYTE, 3 * size):
        return Finding(marked("space"), "bad", shown, _("make room before anything is entered"))
    if free < max(200 * MEGABYTE, 20 * size):
        return Finding(marked("space"), "warning", shown, _("make room soon"))
    return Finding(marked("space"), "ok", shown)


def journal_mode(mode: str) -> Finding:
    """Judge SQLite's journal mode: with a write-ahead log, readers do not wait for writers."""
    if mode == "wal":
        return Finding(marked("log"), "ok", mode)
    return Finding(marked("log"), "warning", mode, _("nothing is lost; programs wait for each other"))


def backups(made: datetime | None, missing: int, now: datetime) -> Finding:
    """Judge the age of the newest backup, `made` at that time; `missing` changes have been entered since."""
    advice = _("run `tourney db backup`, best on another disk")
    if made is None:
        return Finding(marked("backups"), "warning", pgettext("of backups", "none"), advice)
    moment = shown_time(local(made, now.tzinfo))
    message = ngettext("newest {moment}, {number} change ago", "newest {moment}, {number} changes ago", missing)
    message = message.format(moment=moment, number=missing)
    if missing > 0 and now - made > STALE:
        return Finding(marked("backups"), "warning", message, advice)
    return Finding(marked("backups"), "ok", message)


def round_backup(state: MirrorState) -> Finding | None:
    """Report a backup after rounds that cannot be restored, or has changes that the database lacks."""
    found = _("{path}: {problem}").format(path=state.path, problem=state.problem)
    if state.state == "damaged":
        advice = _("move that file away: after the next round it is made again")
        return Finding(marked("backups"), "warning", found, advice)
    if state.state == "differs":
        advice = _("`tourney db restore {file}` brings them back").format(file=quote_argument(state.path))
        return Finding(marked("backups"), "bad", found, advice)
    return None


def mirrors(states: Sequence[MirrorState]) -> Finding:
    """Judge the mirrors, of which there is at least one."""
    faulty = [state for state in states if state.state != "complete"]
    if not faulty:
        message = ngettext("{number}, complete", "{number}, complete", len(states))
        return Finding(marked("mirrors"), "ok", message.format(number=len(states)))
    found = _("{path}: {problem}").format(path=faulty[0].path, problem=faulty[0].problem)
    if any(state.state != "away" for state in faulty):
        return Finding(marked("mirrors"), "bad", found, _("see `tourney db mirror list`"))
    return Finding(marked("mirrors"), "warning", found, _("put the stick in; `tourney db mirror list` completes it"))


def rules(events: int, changed: Sequence[str]) -> Finding:
    """Judge the rules of events; `changed` names the events whose rules this program no longer has word for word."""
    if not changed:
        message = ngettext("{number} event, its rules unchanged", "{number} events, their rules unchanged", events)
        return Finding(marked("rules"), "ok", message.format(number=events))
    message = _("changed since they were made: {events}").format(events=", ".join(changed))
    return Finding(marked("rules"), "warning", message, _("finish them with the version of tourney they began with"))


def examine(db: str | None) -> tuple[Finding, ...]:
    """Return the finding of every check; the database is only read. Raises TourneyError if `db` cannot be a path."""
    path = storage.locate(db).absolute()
    build = records.engine_build()
    program = (
        python(sys.version_info[:3]),
        Finding("tourney", "ok", program_version()),
        engine(build.kind, build.modules, build.reason),
        sqlite(storage.sqlite_version()),
        text(locale.getencoding()),
    )
    return (*program, database(path), *_machine(path), *(_file(path) if path.is_file() else ()))


def _machine(path: Path) -> tuple[Finding, ...]:
    """Judge the folder of the database; for a folder that does not exist yet, the nearest one that does."""
    existing = path
    while not existing.parent.exists():
        existing = existing.parent
    known = storage.journaled(path) if path.is_file() else None
    return (
        place(path, storage.filesystem(existing)),
        writing(existing, storage.writable(existing), "by a copy" if storage.log_alone(path) else "in place"),
        space(shutil.disk_usage(existing.parent).free, path.stat().st_size if path.is_file() else 0),
        clock(datetime.now().astimezone(), None if known is None else known.last),
    )


def _file(path: Path) -> tuple[Finding, ...]:
    try:
        judged = contents(storage.check_database(str(path)))
        unchanged = _rules(str(path))
    except UnusableError as error:
        return (unreadable(error.message, error.hint),)
    except TourneyError as error:
        return (unreadable(error.message),)
    known = storage.journaled(path)
    if known is None:
        return (unreadable(_("the file cannot be read")),)
    made, entries = storage.newest_backup(path) or (None, 0)
    seen_by = readers(storage.readable_by_others(path))
    age = backups(made, max(known.entries - entries, 0), datetime.now().astimezone())
    state = storage.round_backup_state(str(path))
    copied = (None if state is None else round_backup(state)) or age
    known_mirrors = storage.list_mirrors(str(path))
    mirrored = (mirrors(known_mirrors),) if known_mirrors else ()
    return (judged, seen_by, journal_mode(known.mode), copied, *mirrored, unchanged)


def _rules(db: str) -> Finding:
    """Judge whether each event's rules still have the digest that it was made with."""
    with storage.reading(db) as reader:
        events = reader.events.all()
    changed = [event.settings.name for event in events if not _is_current(event.rules)]
    return rules(len(events), changed)


def _is_current(made_with: RulesRef) -> bool:
    try:
        return rulesets.is_current(made_with)
    except TourneyError:
        return False
