"""Every command of a season where it may not write, or where another version of the program made the file.

A file or its folder may be read-only; the file may be of an older or of a newer version of the program, or become so
under a server that is running. Whoever cannot do what they should end with exit code 4 or 5 and one line, and the
database stays as it was.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result, exit_codes
from tests.harness import desk, older
from tests.harness.disk import phones
from tests.harness.disk.played import Season, Step
from tests.harness.disk.promises import continued, journal, opened
from tests.harness.disk.watched import Ended, Programs, Watch, fast_folder, programs
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.storage.tables import REVISION

REFUSED = (ExitCode.CONFLICT, ExitCode.STORAGE)
OLDER, NEWER = "0009", "9999"
RESTORES = ("db", "restore")
"""The command that replaces a file whatever its version."""


def _read_only_file(folder: Path) -> None:
    for path in folder.glob("club.db*"):
        path.chmod(0o444)


def _read_only_folder(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)


def _older(folder: Path) -> None:
    db = folder / "club.db"
    old = older.older(str(db), folder / "older.db", OLDER)
    db.unlink()
    Path(old).rename(db)


def _newer(folder: Path) -> None:
    _set_version(folder / "club.db", NEWER)


def _set_version(db: Path, version: str) -> None:
    desk.tamper(str(db), f"UPDATE alembic_version SET version_num = '{version}'")


def _upgraded(folder: Path) -> None:
    assert database.upgrade(str(folder / "club.db")).before == OLDER, "the version was changed"


def _as_it_was(folder: Path) -> None:
    _set_version(folder / "club.db", REVISION)


def _writable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place where commands cannot do all: how it is made, how it is made usable again."""

    name: str
    make: Callable[[Path], None]
    end: Callable[[Path], None]
    replaced: bool
    """True where `db restore` may replace the file."""


PLACES = (
    _Place("a read-only file", _read_only_file, _writable, replaced=False),
    _Place("a read-only folder", _read_only_folder, _writable, replaced=False),
    _Place("a file of an older version", _older, _upgraded, replaced=True),
    _Place("a file of a newer version", _newer, _as_it_was, replaced=True),
)


def run(part: float, _seed: int) -> Sequence[Result]:
    """Run all commands but the first, which makes the file, or some of them, in each place."""
    with programs() as starting, tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        season = Season(Path(folder))
        season.play(starting)
        every = max(1, round(1 / part))
        results = [_tried(starting, season, season.steps[1::every], place) for place in PLACES]
        return [*results, _under_a_server(starting, Path(folder) / "served")]


def _tried(starting: Programs, season: Season, steps: Sequence[Step], place: _Place) -> Result:
    codes, faults = Counter[int](), list[str]()
    for step in steps:
        season.put_back(step)
        place.make(season.folder)
        done = starting.run(step.words, Watch(season.folder, obeys=True), season.folder)
        codes[done.code] += 1
        found = [*_answer(step, done, place), *_left(season.folder, step, place)]
        faults += [f"{place.name}: {' '.join(step.words)}: {fault}" for fault in found]
    return Result(len(steps), f"{place.name}: {exit_codes(codes)}; {len(faults)} faults", tuple(faults))


def _answer(step: Step, done: Ended, place: _Place) -> Iterator[str]:
    """Yield what is wrong with the answer of a command."""
    # The doctor finds that, and says so on standard output.
    if done.code not in (ExitCode.DONE, *REFUSED) and not (place.replaced and step.words[0] == "doctor"):
        yield f"exit code {done.code}: {done.err}"
    if done.code == 0 and step.before != step.after and not _restored(step, place):
        yield "done all the same"
    if "Traceback" in done.err or len(done.refusal) > 2 or (done.code in REFUSED and not done.refusal):
        yield f"{len(done.refusal)} lines: {done.err}"


def _restored(step: Step, place: _Place) -> bool:
    """Return whether the command replaces a file that is not as it should be."""
    return place.replaced and tuple(step.words[:2]) == RESTORES


def _left(folder: Path, step: Step, place: _Place) -> Iterator[str]:
    """Yield what is wrong with the database afterwards, when it can be used again."""
    if _restored(step, place):
        return
    place.end(folder)
    if journal(folder / "club.db") != step.before:
        yield "the database was changed"
    yield from opened(folder)
    yield from continued(folder)


def _under_a_server(starting: Programs, place: Path) -> Result:
    """Let another version take over the file of a server: it takes no sheet then, and does again when that is over."""
    prepared, folder = place / "prepared", place / "club"
    phones.prepare(prepared, folder)
    shutil.copytree(prepared, folder)
    db, before, faults = folder / "club.db", journal(folder / "club.db"), list[str]()
    with phones.asked(starting, folder) as phone:
        for version, status in ((REVISION, 303), (NEWER, 500), (REVISION, 303)):
            _set_version(db, version)
            answer = phone.post("/who", seat="1")
            if answer.status_code != status or "Traceback" in answer.text:
                faults.append(f"version {version}: status {answer.status_code}")
        if journal(db) != before:
            faults.append("the database was changed")
    faults += [*opened(folder), *continued(folder)]
    return Result(3, f"another version takes over the file of a server: {len(faults)} faults", tuple(faults))


CAMPAIGN = Campaign("refused", run)
