"""SIGKILL at every kind of disk operation of every command of a season, and of a server that phones are using.

Nothing acknowledged is lost, nothing is half done, nothing is double; the same command is then repeated, and works.
"""

import random
import shutil
import signal
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result, kinds_in_turn, share_of
from tests.harness.disk import phones
from tests.harness.disk.operations import Kind
from tests.harness.disk.played import Season, Step
from tests.harness.disk.promises import continued, is_state, journal, opened
from tests.harness.disk.watched import Programs, Watch, When, fast_folder, programs
from tourney.domain.errors import ExitCode

COMMANDS, SERVERS = 900, 100
ANEW = 10
"""One in so many commands is typed to a new Python, and not to a process that is forked."""
WRITTEN = ("friday.event", "wall.html")
"""The files that commands of the season write, whole or not at all."""

DONE_ALREADY = (0, ExitCode.NOT_FOUND, ExitCode.CONFLICT)
"""The exit codes of a repeated command that makes no entry: its mirror may have been added, or removed, before."""


def run(part: float, seed: int) -> Sequence[Result]:
    """Kill commands and servers."""
    rng = random.Random(seed)
    with programs() as starting, tempfile.TemporaryDirectory(dir=fast_folder()) as place:
        return [
            _commands(starting, Path(place), rng, share_of(COMMANDS, part)),
            _servers(starting, Path(place) / "served", rng, share_of(SERVERS, part)),
        ]


def _commands(starting: Programs, place: Path, rng: random.Random, number: int) -> Result:
    season = Season(place)
    season.play(starting)
    faults = [f"no command makes an entry {kind}" for kind in sorted(season.lacking)]
    sorts = {each.sort for step in season.steps for each in step.operations}
    killed, hit, anew = 0, set[str](), 0
    for step, at in _moments(season.steps, rng, 2 * number):
        if killed == number:
            break
        really = killed % ANEW == 0
        what = f"{' '.join(step.words)}, killed at operation {at} ({step.operations[at - 1].sort})"
        when: When = rng.choice((0, 1, 2))
        season.put_back(step)
        start = starting.run_anew if really else starting.run
        done = start(step.words, Watch(season.folder, None, at, when), season.folder)
        if done.code != -signal.SIGKILL:
            # It has done fewer operations than when they were counted.
            continue
        killed, anew = killed + 1, anew + really
        hit.add(step.operations[at - 1].sort)
        faults += [f"{what}: {fault}" for fault in _left(starting, season, step)]
    if killed < number:
        faults.append(f"only {killed} of {number} commands were killed")
    text = f"commands ({anew} of them typed to a new Python) at {len(hit)} of {len(sorts)} kinds of operations"
    return Result(killed, f"{text}: {len(faults)} lost, half, double", tuple(faults))


def _moments(steps: Sequence[Step], rng: random.Random, number: int) -> Iterator[tuple[Step, int]]:
    """Yield commands with the number of an operation: each kind of operation in turn, each command in turn."""
    moments = ((each.sort, (step, at)) for step in steps for at, each in enumerate(step.operations, 1))
    for of_kind, step in islice(zip(kinds_in_turn(moments, rng), cycle(steps), strict=False), (number + 1) // 2):
        yield of_kind
        yield step, rng.randint(1, len(step.operations))


def _left(starting: Programs, season: Season, step: Step) -> Iterator[str]:
    """Look at what the kill has left, type the command again if it has done nothing, and go on."""
    folder = season.folder
    yield from opened(folder)
    found = journal(folder / "club.db")
    if found == step.before:
        yield from _repeated(starting, folder, step)
    elif not is_state(found, step.before, step.after):
        yield f"{len(step.before)} entries before, {len(step.after)} after it, {len(found)} now"
    yield from continued(folder)


def _repeated(starting: Programs, folder: Path, step: Step) -> Iterator[str]:
    for name in WRITTEN:
        written = folder / name
        if name in step.words and written.exists():
            if written.read_bytes()[-1:] not in (b"\n", b">"):
                yield f"{name} is not whole"
            written.unlink()
    done = starting.run(step.words, Watch(folder), folder)
    if done.code not in ((0,) if step.before != step.after else DONE_ALREADY):
        yield f"typed again: {done.err}"
    if not is_state(journal(folder / "club.db"), step.before, step.after):
        yield "typed again, it leaves something else"


def _servers(starting: Programs, place: Path, rng: random.Random, number: int) -> Result:
    """Kill a server while phones type a sheet; start another, and let the phones send again what had no answer."""
    prepared, folder = place / "prepared", place / "club"
    phones.prepare(prepared, folder)
    operations = phones.counted(starting, prepared, folder, place / "log")
    operations = [each for each in operations if each.kind != Kind.MARK]
    killed, faults, hit = 0, [], set[str]()
    for _turn in range(2 * number):
        if killed == number:
            break
        at = rng.randint(1, len(operations))
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(prepared, folder)
        evening = phones.Evening(starting, folder, Watch(folder, None, at, rng.choice((0, 1, 2))))
        found = [*evening.faults(), *opened(folder), *continued(folder)]
        if not evening.killed:
            continue
        killed += 1
        hit.add(operations[at - 1].sort)
        faults += [f"serve, killed at operation {at} ({operations[at - 1].sort}): {fault}" for fault in found]
    if killed < number:
        faults.append(f"only {killed} of {number} servers were killed")
    text = f"servers that phones use, at {len(hit)} of {len({each.sort for each in operations})} kinds of operations"
    return Result(killed, f"{text}: {len(faults)} lost, half, double", tuple(faults))


CAMPAIGN = Campaign("killed", run)
