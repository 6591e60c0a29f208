"""A club's long life in one database: what the organiser does must not grow with what other events hold.

Processor time of commands in processes of their own, less that of the same command at a database of one event.
"""

import math
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, product
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result
from tests.harness import desk
from tests.harness.crowd import crowd
from tests.harness.long_history import long_life
from tourney.service.change import apply
from tourney.service.results import results
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

Figure = tuple[str, float, float, str]
"""A figure with its name, limit and unit."""
ROOT = Path(__file__).resolve().parents[2]

EVENTS, ROUNDS, PEOPLE, PRESENT = 999, 10, 5000, 40
"""With an event in play of its own 1,000 events and 100,000 results of seven hands."""
TURNS = 3
MEGABYTE = 1_000_000
NEXT = "the next result of the round"
"""In place of a command, whose long line would have a whole sheet."""
EVERYDAY = (
    "standings Now",
    "standings Now --why Player_001",
    "log --last 5",
    "log Now",
    "status",
    "event list",
    "event show Now",
    "event new Next --rules oficial --dry-run",
    "event withdraw Now Player_001 --dry-run",
    "event export Now --output {folder}/now.txt --force",
    "round show Now",
    "round draw Now --dry-run",
    "result show Now",
    "player list",
    "player show Player_001",
    "player add Zoe --dry-run",
    "season list",
    "rating pool",
    "print wall Now --output {folder}/wall.html --force",
    "print slips Now --output {folder}/slips.html --force",
)
"""The commands of an evening, with `_` for a blank within a word; at most 0.3 s each beyond start-up."""
OF_A_POOL = ("ratings", "rating fame", "rating show Player_001")
"""Figures of all games of a pool; at most 1 s beyond start-up, after a result."""
IMPORTS = ("event import {file} --yes", "event import Sheets --sheets {sheets} --rules oficial")
"""Imports of an event: at most 1.5 times as long in the thousandth event as in the tenth."""
_MEASURED = """
import resource, runpy, sys
from pathlib import Path
sys.argv = ["tourney", *sys.argv[1:]]
try:
    if sys.argv[1].startswith("the next"):
        from tests.campaigns.long_life import enter_next
        enter_next(sys.argv[-1])
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
    """Build the life of nine events, a tenth of the whole life and all of it, and measure commands at them."""
    nights = max(10, math.ceil(EVENTS * part))
    with tempfile.TemporaryDirectory() as folder:
        small, nine, tenth, large = (
            str(Path(folder) / name / "club.db") for name in ("small", "nine", "tenth", "large")
        )
        for db in (small, nine, tenth, large):
            Path(db).parent.mkdir()
        done = 0
        for until, copy in ((9, nine), (max(10, nights // 10), tenth), (nights, large)):
            long_life(large, until - done, ROUNDS, PEOPLE, PRESENT, first=done, seed=seed)
            done = until
            if copy != large:
                shutil.copy(large, copy)
        long_life(small, 1, ROUNDS, PRESENT, PRESENT, seed=seed)
        sizes = [Path(db).stat().st_size for db in (tenth, large)]
        for db in (small, nine, large):
            crowd(db, PRESENT, 4, "Now", played=2)
            apply(db, DrawRound("Now"))
            for table in rounds.show(db, "Now").rounds[-1].tables:
                desk.enter(db, table, "Now")
        text = f"{nights + 1} events, {nights * ROUNDS * PRESENT // 4 + 30:,} results, {PEOPLE:,} people: "
        growth = sizes[1] / sizes[0] / (nights / max(10, nights // 10))
        figures = [
            *_figures(small, large, folder),
            *_imports(nine, large, folder),
            (f"size {sizes[1] / MEGABYTE:.0f} MB, to linear growth", growth, 1.1, ""),
            *_backups(large),
        ]
        return [_limited(text + name, *limited) for name, *limited in figures]


def _backups(db: str) -> Iterator[Figure]:
    """Yield the number of the automatic backups, and their size to that of the database."""
    files = [*Path(db).parent.glob("tourney-backups/*")]
    yield "files of automatic backups", len(files), 2, ""
    size = sum(file.stat().st_size for file in files)
    yield f"automatic backups of {size / MEGABYTE:.0f} MB, to the database", size / Path(db).stat().st_size, 0.5, ""


def enter_next(db: str) -> None:
    """Enter the result of the first table of the newest round that has none."""
    newest = rounds.show(db, "Now").rounds[-1]
    entered = {(result.table.round, result.table.number) for result in results.show(db, "Now")}
    desk.enter(db, next(table for table in newest.tables if (table.round, table.number) not in entered), "Now")


def _figures(small: str, large: str, folder: str) -> Iterator[Figure]:
    """Yield the figures of commands beyond start-up, and of `db check`."""
    for db, words in product((small, large), OF_A_POOL):
        spend(words, db)
    for words in EVERYDAY:
        yield f"`{words.partition(' --output')[0]}`", _beyond(words.format(folder=folder), small, large), 0.3, " s"
    yield "`ratings`", _beyond("ratings", small, large), 1.0, " s"
    # Each undoes the last result or brings it back, so that the next begins with another result.
    turns = {db: cycle(("undo", "redo")) for db in (small, large)}
    for words in OF_A_POOL:
        yield (
            f"`{words}` after a result",
            _beyond(words, small, large, lambda db: spend(next(turns[db]), db)),
            1.0,
            " s",
        )
    for words, back in (("undo", "redo"), ("player add Zoe", "undo")):
        yield f"`{words}`", _beyond(words, small, large, lambda db, back=back: spend(back, db)), 0.3, " s"
    yield from _results(small, large)
    checked = spend("db check", large)
    yield "`db check`", checked.seconds, 60, " s"
    yield "`db check`, memory", checked.bytes / MEGABYTE, 500, " MB"


def _results(small: str, large: str) -> Iterator[Figure]:
    """Yield the time beyond start-up of the result that completes a round, and of one before it."""
    for words, name in (("undo", "a round's last `result enter`, with its backup"), ("undo", "another `result enter`")):
        for db in (small, large):
            spend(words, db)
        yield name, _beyond(NEXT, small, large, lambda db: spend("undo", db)), 0.3, " s"
    for db in (small, large):
        spend(NEXT, db)
        spend(NEXT, db)


def _imports(nine: str, large: str, folder: str) -> Iterator[Figure]:
    """Yield how many times as long an import takes as at a database of nine events, start-up aside."""
    other, sheets = str(Path(folder) / "other.db"), Path(folder) / "sheets.csv"
    crowd(other, PRESENT, ROUNDS, "Elsewhere")
    spend(f"event export Elsewhere --output {folder}/elsewhere.txt", other)
    sheets.write_text("\n".join(_sheet_lines(random.Random(7))), encoding="utf-8")
    start = statistics.median(spend("db path", nine).seconds for _turn in range(TURNS))
    for words in IMPORTS:
        command = words.format(file=f"{folder}/elsewhere.txt", sheets=sheets)
        times: dict[str, list[float]] = {nine: [], large: []}
        for _turn in range(TURNS):
            for db, found in times.items():
                found.append(spend(command, db).seconds - start)
                spend("undo --yes", db)
        name = f"`{words.partition(' {file}')[0].partition(' {sheets}')[0]}` of 100 results, to that of event 10"
        yield name, statistics.median(times[large]) / statistics.median(times[nine]), 1.5, " times"


def _sheet_lines(rng: random.Random) -> Iterator[str]:
    """Yield the lines of a spreadsheet with the sheets of an event of registered people."""
    yield f"round,table,seat,player,{','.join(desk.CONTRACTS)}"
    for number, at in product(range(1, ROUNDS + 1), range(1, PRESENT // 4 + 1)):
        closers = [rng.randrange(4) for _contract in desk.CONTRACTS]
        for seat in range(4):
            player = (4 * (at - 1) + seat + number) % PRESENT + 1
            points = ",".join(str(0 if closer == seat else rng.randint(1, 9) * 10) for closer in closers)
            yield f"{number},{at},{seat + 1},Player {player:04},{points}"


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
    given = [words] if words == NEXT else [word.replace("_", " ") for word in words.split()]
    command = [sys.executable, "-c", _MEASURED, *given, "--db", db]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=ROOT)
    seconds, kilobytes = done.stderr.split()[-2:]
    return Spent(float(seconds), int(kilobytes) * 1024)


def _limited(name: str, figure: float, limit: float, unit: str) -> Result:
    text = f"{name} {figure:.2f}{unit} (at most {limit:g}{unit})"
    return Result(1, text, (text,) if figure > limit else ())


CAMPAIGN = Campaign("long-life", run)
