"""Programs as bots: asks a second of a trivial one, asks in a hand with and without filters, hands of a league.

Rates are by the processor time of this process and of the programs together, so that they are those of one core.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from engine.actions import DRAW_DISCARD, DRAW_STOCK
from engine.rules import Rules, load_rules
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, Target, missing_row, ratio_row, value_row
from tests.benchmarks.harness.timing import Effort, Work, check, in_turns
from tourney.bots.entrant import Entrant, NewSeat, Sit
from tourney.bots.isolation.enclosure import Enclosed, Walled
from tourney.bots.isolation.forked import process_wall
from tourney.bots.limits import Limits
from tourney.bots.process import Child, end_leaving
from tourney.bots.protocol import words
from tourney.bots.protocol.asking import Asking, read_hello
from tourney.bots.roster import entrants_of, read_roster
from tourney.bots.seated import SeatedBot
from tourney.domain.leagues import League
from tourney.league.blocks import read_block
from tourney.league.playing import play_block
from tourney.service.leagues.bots import new_bot

RULES = load_rules("oficial")
QUESTION = words.ask_lines("draw", (DRAW_STOCK, DRAW_DISCARD))
TRIVIAL = """
#include <stdio.h>
#include <string.h>
static char line[65536];
int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "tourney", 7)) printf("hello 1 trivial 1\\nready\\n");
        else if (!strncmp(line, "ask", 3)) printf("1\\n");
        else continue;
        fflush(stdout);
    }
    return 0;
}
"""
FILTERS = "claims none\\ntakes none\\n"
"""The filters in the greeting of the C program of `tourney bot new`."""

ASKS = Target("at least", 25_000)
ASKS_OF_A_HAND = Target("at most", 40)
HANDS = Target("at least", 300)

SHARES: dict[Effort, tuple[int, int]] = {"full": (50_000, 20), "quick": (200, 1)}
"""Asks and blocks of a turn."""
TURNS: dict[Effort, int] = {"full": 9, "quick": 1}


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure all rows of programs, which are built with the C compiler of this machine."""
    compiler = shutil.which("cc")
    if compiler is None:
        return [missing_row("programs as bots", "cc", "no C compiler is installed")]
    asks, blocks = SHARES[effort]
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(Path(folder), compiler)
        trivial = programs.built("trivial", TRIVIAL)
        filtered, unfiltered = (_league(programs.starter(filters)) for filters in (FILTERS, ""))
        works = [
            Work("asks", lambda _turn: _asked(trivial, asks)),
            Work("hands", lambda turn: _played(filtered, turn, blocks)),
        ]
        asked, played = in_turns(works, TURNS[effort])
        few, many = (_asks_of_a_hand(league, blocks) for league in (filtered, unfiltered))
    return [
        value_row("asks a second, a trivial program", asked.middle, "", ASKS),
        value_row("asks in a hand of a program that filters claims and takes", few, "", ASKS_OF_A_HAND),
        ratio_row("asks in a hand, with filters", few, "without", many, ""),
        value_row("hands a second a core, four C programs", played.middle, "", HANDS if build == "compiled" else None),
    ]


@dataclass(frozen=True, slots=True)
class Programs:
    """C programs in a folder of their own."""

    folder: Path
    compiler: str

    def built(self, name: str, source: str) -> Path:
        """Return the program of a source."""
        file = self.folder / f"{name}.c"
        file.write_text(source, encoding="utf-8")
        subprocess.run([self.compiler, "-O2", "-o", self.folder / name, file], check=True)
        return self.folder / name

    def starter(self, filters: str) -> Path:
        """Return the program of `tourney bot new --source c`, with these filters in its greeting."""
        name = "filtered" if filters else "unfiltered"
        new_bot(str(self.folder / f"{name}-bot"), "c")
        source = (self.folder / f"{name}-bot" / "bot.c").read_text(encoding="utf-8")
        check(FILTERS in source, "the greeting of the starter has filters")
        return self.built(name, source.replace(FILTERS, filters))


def _asked(program: Path, asks: int) -> int:
    """Ask a program so many times; return how often it answered."""
    limits = Limits()
    child = Child(Walled(process_wall(), Enclosed((str(program),)), limits))
    try:
        child.send(words.GREETING, monotonic() + limits.start)
        read_hello(child, monotonic() + limits.start)
        asking = Asking(limits, filters=True)
        return sum(asking.ask(child, QUESTION, int) for _ask in range(asks))
    finally:
        child.kill()


def _league(program: Path) -> League:
    """Return a league of a program against itself, with two seats each."""
    roster = read_roster([f"cmd:./{program.name}", f"cmd:./{program.name} again"], program.parent)
    return League(roster.bots, RULES.id, 4, "bench", 1, outside=roster.outside)


def _played(league: League, turn: int, blocks: int) -> int:
    """Play blocks of the league and wait for its programs to end; return the number of hands."""
    entrants = entrants_of(league.outside)
    hands = sum(_block_hands(league, turn * blocks + block, entrants) for block in range(blocks))
    end_leaving(at_once=True)
    return hands


def _block_hands(league: League, number: int, entrants: Mapping[str, Entrant]) -> int:
    outcome = read_block(play_block(league, RULES, number, entrants=entrants).text)
    check(not any(totals.faults for totals in outcome.totals), "the programs make no fault")
    return outcome.hands


@dataclass(slots=True)
class _Counted:
    """An entrant whose seats are kept, so that their questions can be counted."""

    entrant: Entrant
    seats: list[SeatedBot] = field(default_factory=list)

    def check(self, rules: Rules, seats: int) -> None:
        """Raise what the entrant raises."""
        self.entrant.check(rules, seats)

    def block(self) -> Sit:
        """Return what seats the entrant in a block."""
        sit = self.entrant.block()

        def seated(seating: NewSeat) -> SeatedBot:
            self.seats.append(sit(seating))
            return self.seats[-1]

        return seated


def _asks_of_a_hand(league: League, blocks: int) -> float:
    """Return how often a program is asked in a hand, on average over its seats."""
    counted = {name: _Counted(entrant) for name, entrant in entrants_of(league.outside).items()}
    hands = sum(_block_hands(league, block, counted) for block in range(blocks))
    end_leaving(at_once=True)
    return sum(bot.asked for entrant in counted.values() for bot in entrant.seats) / (4 * hands)
