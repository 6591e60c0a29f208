"""Files that are damaged or mistaken for others, given to each reader of files."""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final

from tests.harness.bad_input.judged import Judged, judged
from tests.harness.bad_input.mutations import mutated_file
from tests.harness.desk import CONTRACTS, ROOT
from tourney.bots.entrants_file import read_entrants_file
from tourney.files.book import read_book
from tourney.files.plan_toml import read_plan
from tourney.files.results import read_results
from tourney.files.score_csv import read_score_sheets
from tourney.files.seating import read_seating
from tourney.files.sheet_toml import read_sheet
from tourney.service.events.event_file import read_event_file
from tourney.service.leagues.league_file import LeagueFile
from tourney.service.people_file import read_people
from tourney.service.rules import page, replay
from tourney.storage.mirror.lines import read_journal
from tourney.storage.mirror.names import read_names

FIXTURES: Final = ROOT / "fixtures"
ENTRANTS: Final = b"""\
[[bot]]
name = "careful"
entrant = "cmd:python3 careful.py --fast"
limits = { action = 0.5, bank = 10 }
parameters = { care = 3 }
files = ["careful.py"]

[[bot]]
name = "greedy"
entrant = "greedy"
isolation = "process"
"""
SIZES: Final = (2, 12)
Reader = Callable[[Path], object]
READERS: Final[dict[str, tuple[Reader, Sequence[str]]]] = {
    "people": (read_people, ("club/players.csv", "bad/players-twice.csv")),
    "score sheets": (lambda path: read_score_sheets(path, CONTRACTS), ("club/score-sheets*.csv",)),
    "results": (lambda path: list(read_results(path)), ("bad/results-two-dates.csv", "bad/results-driver-twice.csv")),
    "seating": (lambda path: read_seating(path, 1, SIZES), ("bad/seating-*.json", "bad/seating-*.csv")),
    "sheet": (read_sheet, ("sheet.toml", "sheet-knock.toml", "bad/sheet-*.toml")),
    "plan": (read_plan, ("bad/plan-*.toml",)),
    "book": (read_book, ("bad/book-*.txt",)),
    "rules": (lambda path: page(str(path)), ("../engine/rulesets/*.toml", "bad/rules-*.toml")),
    "record": (lambda path: replay(str(path)), ("records/*.toml", "bad/record-*.toml")),
    "event": (read_event_file, ("club/friday.event",)),
    "league": (lambda path: list(LeagueFile(path).blocks()), ("bad/league-*.league",)),
    "entrants": (read_entrants_file, ()),
    "mirror": (read_journal, ("club/friday.event",)),
    "names of a mirror": (read_names, ("club/friday.event",)),
}
"""Readers of each kind of file, and the files in fixtures that are mutated; those of `bad` have one fault each."""


def tried(folder: Path, number: int, seed: int) -> Iterator[Judged]:
    """Give so many mutated files to the readers in turn; yield what became of each."""
    for turn, (name, (read, _patterns)) in enumerate(islice(cycle(READERS.items()), number)):
        rng = Random(f"{seed} files {turn}")
        path = folder / "given.toml"
        path.write_bytes(mutated_file(rng, rng.choice(_samples(name))))
        yield judged(f"files {seed} {turn}: {name}", lambda read=read, path=path: read(path))


def _samples(name: str) -> list[bytes]:
    found = [path for pattern in READERS[name][1] for path in sorted(FIXTURES.glob(pattern))]
    return [path.read_bytes() for path in found] or [ENTRANTS]
