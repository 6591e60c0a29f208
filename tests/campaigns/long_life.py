"""A club's long life in one database: what the organiser does must not grow with what other events hold.

Processor time of commands in processes of their own, less that of the same command at a database of one event.
"""

import math
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result
from tests.harness import desk
from tests.harness.crowd import crowd
from tests.harness.long_history import long_life
from tourney.domain.rounds import Table
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.backup.copies import KEPT

ROOT = Path(__file__).resolve().parents[2]

EVENTS, ROUNDS, PEOPLE, PRESENT = 999, 10, 5000, 40
"""With an event in play of its own 1,000 events and 100,000 results of seven hands."""
TURNS = 3
MEGABYTE = 1_000_000
LAST = "the last result of the round"
"""In place of a command, whose long line would have a whole sheet."""
_MEASURED = """
import resource, runpy, sys
from pathlib import Path
sys.argv = ["tourney", *sys.argv[1:]]
try:
    if sys.argv[1].startswith("the last"):
        from tests.campaigns.long_life import enter_last
        enter_last(sys.argv[-1])
    else:
        runpy.run_module("tourney", run_name="__main__")
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    # The kernel's figure of resources has the memory of the program that began this one, too.
    peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
    print(used.ru_utime + used.ru_stime, peak, file=sys.stderr)
"""


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor seconds and the largest memory of a command."""

    seconds: float
    bytes: int


def run(part: float, seed: int) -> Sequence[Result]:
    """Build a tenth of the life and all of it, and measure commands at both."""
    nights = max(10, math.ceil(EVENTS * part))
    with tempfile.TemporaryDirectory() as folder:
        small, tenth, large = (str(Path(folder) / name / "club.db") for name in ("small", "tenth", "large"))
        for db in (small, tenth, large):
            Path(db).parent.mkdir()
        long_life(large, nights // 10, ROUNDS, PEOPLE, PRESENT, seed=seed)
        shutil.copy(large, tenth)
        long_life(large, nights - nights // 10, ROUNDS, PEOPLE, PRESENT, first=nights // 10, seed=seed)
        long_life(small, 1, ROUNDS, PRESENT, PRESENT, seed=seed)
        sizes = [Path(db).stat().st_size for db in (tenth, large)]
        for db in (small, tenth, large):
            crowd(db, PRESENT, 3, "Now", played=2)
            apply(db, DrawRound("Now"))
            for table in rounds.show(db, "Now").rounds[-1].tables:
                _enter(db, table)
        text = f"{nights + 1} events, {nights * ROUNDS * PRESENT // 4 + 30:,} results, {PEOPLE:,} people: "
        rows = [_limited(text + name, *figures) for name, *figures in _figures(small, large)]
        growth = sizes[1] / sizes[0] / (nights / (nights // 10))
        rows.append(_limited(f"{text}size {sizes[1] / MEGABYTE:.0f} MB, to linear growth", growth, 1.1, ""))
        copies = [*Path(large).parent.glob("tourney-backups/*-round*.db")]
        rows.append(_limited(f"{text}automatic backups", len(copies), KEPT, ""))
    return rows


def enter_last(db: str) -> None:
    """Enter the result of the last table of the newest round."""
    _enter(db, rounds.show(db, "Now").rounds[-1].tables[-1])


def _enter(db: str, table: Table) -> None:
    sheet = desk.hands([player.shown for player in table.players])
    apply(db, EnterResult("Now", table.round, table.number, sheet))


def _figures(small: str, large: str) -> list[tuple[str, float, float, str]]:
    """Return each figure with its name, limit and unit."""
    reading = [("standings Now", 0.3), ("log --last 5", 0.3), ("status", 0.3), ("log Now", 0.3), ("ratings", 1.0)]
    for db in (small, large):
        spend("ratings", db)
    rows = [(f"`{words}`", _beyond(words, small, large), limit, " s") for words, limit in reading]
    for words, back, limit in (("undo", "redo", 0.3), ("player add Zoe", "undo", 0.3)):
        rows.append((f"`{words}`", _beyond(words, small, large, lambda db, back=back: spend(back, db)), limit, " s"))
    rows.append(("a round's last `result enter`, with its backup", _last_result(small, large), 0.3, " s"))
    checked = spend("db check", large)
    rows.append(("`db check`", checked.seconds, 60, " s"))
    rows.append(("`db check`, memory", checked.bytes / MEGABYTE, 500, " MB"))
    return rows


def _last_result(small: str, large: str) -> float:
    """Return the time beyond start-up of the result that completes a round, when a backup was made before."""
    for db in (small, large):
        spend("undo", db)
        spend(LAST, db)
        spend("undo", db)
    return _beyond(LAST, small, large, lambda db: spend("undo", db))


def _beyond(words: str, small: str, large: str, after: Callable[[str], object] = lambda _db: None) -> float:
    """Return the median of the processor seconds by which the command takes longer at the large database."""
    differences = []
    for _turn in range(TURNS):
        spent = []
        for db in (small, large):
            spent.append(spend(words, db).seconds)
            after(db)
        differences.append(spent[1] - spent[0])
    return statistics.median(differences)


def spend(words: str, db: str) -> Spent:
    """Run the command on the database; return what it has spent. Raises CalledProcessError if it fails."""
    given = [words] if words == LAST else words.split()
    command = [sys.executable, "-c", _MEASURED, *given, "--db", db]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=ROOT)
    seconds, kilobytes = done.stderr.split()[-2:]
    return Spent(float(seconds), int(kilobytes) * 1024)


def _limited(name: str, figure: float, limit: float, unit: str) -> Result:
    text = f"{name} {figure:.2f}{unit} (at most {limit:g}{unit})"
    return Result(1, text, (text,) if figure > limit else ())


CAMPAIGN = Campaign("long-life", run)
