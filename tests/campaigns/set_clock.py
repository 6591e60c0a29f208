"""Every command of a season while the clock is back by an hour, a day or a year: it works, and the order is kept."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result
from tests.harness.disk.played import Season, Step
from tests.harness.disk.promises import continued, is_state, journal, opened
from tests.harness.disk.watched import Programs, Watch, fast_folder, programs

HOUR = 3600
BACK = {"an hour": HOUR, "a day": 24 * HOUR, "a year": 365 * 24 * HOUR}


def run(part: float, _seed: int) -> Sequence[Result]:
    """Run all commands, or some of them, with each clock."""
    with programs() as starting, tempfile.TemporaryDirectory(dir=fast_folder()) as place:
        season = Season(Path(place))
        season.play(starting)
        steps = season.steps[:: max(1, round(1 / part))]
        return [_tried(starting, season, steps, name) for name in BACK]


def _tried(starting: Programs, season: Season, steps: Sequence[Step], name: str) -> Result:
    faults = list[str]()
    for step in steps:
        season.put_back(step)
        faults += [f"{name}: {' '.join(step.words)}: {fault}" for fault in _faults(starting, season.folder, step, name)]
    return Result(len(steps), f"the clock is back by {name}: {len(faults)} faults", tuple(faults))


def _faults(starting: Programs, folder: Path, step: Step, name: str) -> Iterator[str]:
    watch = Watch(folder, clock=-BACK[name])
    backups = set(folder.glob("tourney-backups/*"))
    done = starting.run(step.words, watch, folder)
    if done.code and not _published_later(step):
        yield f"exit code {done.code}: {done.err}"
        return
    found = journal(folder / "club.db")
    if found != step.before if done.code else not is_state(found, step.before, step.after):
        yield "it leaves something else"
    kept = set(folder.glob("tourney-backups/*"))
    if gone := {path.name for path in backups - kept} - _set_aside(step, kept - backups):
        yield f"backups were deleted: {', '.join(sorted(gone))}"
    shown = starting.run(("log", "--verbose", "--json"), watch, folder)
    numbers = [entry["number"] for entry in json.loads(shown.out)]
    if shown.code or numbers != sorted(numbers):
        yield f"the log is not in order: {shown.err}"
    yield from opened(folder)
    yield from continued(folder)


def _set_aside(step: Step, new: Iterable[Path]) -> set[str]:
    """Return the names that a restore may take from the backup after rounds, if it has given it another one."""
    if list(step.words[:2]) != ["db", "restore"]:
        return set()
    return {"club.db-backup.txt", "club.db-backup-names.txt"} if any("-until-" in path.name for path in new) else set()


def _published_later(step: Step) -> bool:
    """Return whether a command names today, which has not come yet by a clock that is back."""
    return list(step.words[:2]) == ["rating", "publish"]


CAMPAIGN = Campaign("set-clock", run)
