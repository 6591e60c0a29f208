"""Power is lost while commands of a season and a server write: what was not flushed is lost, or torn by sectors.

The operations of each are written down once; then states of the disk are made in which unflushed writes and names are
there in part. Nothing that was acknowledged before is lost, nothing is half done, nothing double.
"""

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result, kinds_in_turn, share_of
from tests.harness import desk
from tests.harness.disk import phones, season
from tests.harness.disk.operations import Kind, Operation, mark, operations
from tests.harness.disk.power import Disk
from tests.harness.disk.promises import Entry, continued, journal, opened
from tests.harness.disk.watched import Programs, Watch, fast_folder, programs

COMMANDS, SERVERS = 450, 50

Look = Callable[[Path, int], Iterator[str]]
"""A function that yields what is wrong in a folder after so many marks."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Operations in a folder, a copy of it from before, and what was known to be kept at each mark among them."""

    before: Path
    folder: Path
    operations: Sequence[Operation]
    acknowledged: Sequence[Sequence[Entry]]


def run(part: float, seed: int) -> Sequence[Result]:
    """Lose power during commands and servers."""
    rng = random.Random(seed)
    with programs() as starting, tempfile.TemporaryDirectory(dir=fast_folder()) as place:
        lost = _during_commands(starting, Path(place) / "commands", rng, share_of(COMMANDS, part))
        return [lost, _during_a_server(starting, Path(place) / "server", rng, share_of(SERVERS, part))]


def _during_commands(starting: Programs, place: Path, rng: random.Random, number: int) -> Result:
    recording = recorded_season(starting, place)
    return _result("commands", recording, rng, number, partial(wrong, recording))


def recorded_season(starting: Programs, place: Path, lines: Sequence[str] = ()) -> Recording:
    """Type the lines of the season, or other ones, and write down all operations, with a mark after each line."""
    folder, log = place / "club", place / "log"
    season.prepare(folder)
    shutil.copytree(folder, place / "before")
    acknowledged = [journal(folder / "club.db")]
    for line in lines or season.lines():
        words = season.words(line, folder)
        done = starting.run(words, Watch(folder, log), folder)
        assert done.code == 0, (line, done)
        mark(log, line)
        acknowledged.append(journal(folder / "club.db"))
    return Recording(place / "before", folder, tuple(operations(log)), acknowledged)


def wrong(recording: Recording, folder: Path, marks: int) -> Iterator[str]:
    """Yield what is wrong with what is left, if so many lines were acknowledged before the power was lost."""
    yield from opened(folder)
    found = list(journal(folder / "club.db"))
    if found not in [list(state) for state in recording.acknowledged[marks : marks + 2]]:
        yield f"{len(found)} entries where {marks} lines had made {len(recording.acknowledged[marks])}"
    yield from continued(folder)


def _during_a_server(starting: Programs, place: Path, rng: random.Random, number: int) -> Result:
    prepared, folder = place / "prepared", place / "club"
    phones.prepare(prepared, folder)
    recording = Recording(prepared, folder, phones.counted(starting, prepared, folder, place / "log"), ())
    return _result("a server that phones use", recording, rng, number, _lost_hands)


def _lost_hands(folder: Path, marks: int) -> Iterator[str]:
    """Yield what is wrong: there are fewer hands than answers to the phone, or an acknowledged result is gone."""
    yield from opened(folder)
    db = str(folder / "club.db")
    kept = desk.query(db, "SELECT coalesce(max(json_array_length(text, '$.hands')), 0) FROM submission")[0][0]
    results = desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'")[0][0]
    if not min(marks, 7) <= kept <= marks + 1 or results > 1 or (marks == 9 and results != 1):
        yield f"{kept} hands and {results} results after {marks} answers"
    yield from continued(folder)


def _result(name: str, recording: Recording, rng: random.Random, number: int, look: Look) -> Result:
    """Lose power at moments of a recording, and look at what is left each time."""
    tried, faults = 0, list[str]()
    for what, marks in losses(recording, rng, number):
        tried += 1
        faults += [f"power lost {what}: {fault}" for fault in look(recording.folder, marks)]
    return Result(tried, f"{name}: {len(faults)} lost, half, double", tuple(faults))


def losses(recording: Recording, rng: random.Random, number: int, *, flushes: bool = True) -> Iterator[tuple[str, int]]:
    """Yield, for each loss of power, when it was and how many marks were set; the folder then has what is left."""
    disk, marks, after = Disk(recording.folder, recording.before, flushes=flushes), 0, ""
    moments = Counter(_moments(recording.operations, rng, number))
    for at, operation in enumerate(recording.operations):
        if operation.kind == Kind.MARK:
            marks, after = marks + 1, operation.path
        else:
            disk.do(operation)
        for _turn in range(moments[at]):
            shutil.rmtree(recording.folder, ignore_errors=True)
            disk.lose_power(rng, recording.folder)
            yield f"after {operation.sort}, operation {at}, after {after!r}", marks


def _moments(done: Sequence[Operation], rng: random.Random, number: int) -> Iterator[int]:
    """Yield moments: the kinds of operations take turns, and every second one is any operation."""
    of_kinds = kinds_in_turn(((each.sort, at) for at, each in enumerate(done)), rng)
    for turn in range(number):
        yield rng.randrange(len(done)) if turn % 2 else next(of_kinds)


CAMPAIGN = Campaign("lost-power", run)
