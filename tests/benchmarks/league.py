"""Leagues: hands a second with one and two workers, also from the start of the command; memory of a long league."""

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from time import perf_counter

from engine.play import play_results
from engine.rules import load_rules
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.processes import at_once, in_processes, resident_bytes, run_command
from tests.benchmarks.harness.report import Row, Target, rate_row, ratio_row, value_row
from tests.benchmarks.harness.timing import Effort, Rate, Work, check
from tourney.domain.leagues import League, PlaySettings
from tourney.service.leagues import leagues

RULES = load_rules("oficial")
BOTS = ("greedy", "greedy")
HANDS = 14
"""Hands of a block: two games of seven."""
LOOPS = 30_000
"""Multiplications that take Python about as long as a compiled block."""

ALONE: Mapping[Build, Target] = {"compiled": Target("at least", 5_000)}
TWO = Target("at least", 1.6, " ×") if (os.cpu_count() or 1) > 1 else None
MEMORY = Target("at most", 1.05, " ×")

COMMAND_BLOCKS: Mapping[tuple[Build, Effort], int] = {
    ("compiled", "full"): 1_429,
    ("plain", "full"): 100,
    ("compiled", "quick"): 2,
    ("plain", "quick"): 2,
}
"""Blocks of the league that a command plays from its start to its end: 20,000 hands of the compiled build."""

BLOCKS: Mapping[tuple[Build, Effort], tuple[int, int]] = {
    ("compiled", "full"): (2_000, 20_000),
    ("plain", "full"): (100, 1_000),
    ("compiled", "quick"): (1, 2),
    ("plain", "quick"): (1, 2),
}
"""Blocks of the league of a turn, and of the long league; memory is compared after one of each."""


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure all rows of leagues. Raises WrongAnswer if the number of workers changes the league's hash."""
    few, many = BLOCKS[build, effort]
    turns = 5 if effort == "full" else 1
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(Path(folder), COMMAND_BLOCKS[build, effort], turns, TWO if build == "compiled" else None)
        return [*_speeds(Path(folder), build, few, turns), *commands, _memory(few, many)]


def new_database(folder: Path) -> str:
    """Return the path of a database that does not exist yet."""
    return str(next(folder / f"{number}.db" for number in count() if not (folder / f"{number}.db").exists()))


def league_hash(folder: Path, blocks: int, workers: int) -> str:
    """Play a league of greedy bots in a new database and return its hash."""
    league = League(BOTS, RULES.id, 4, "bench", blocks)
    return leagues.run(new_database(folder), league, PlaySettings(workers)).hash


def resident_after(blocks: tuple[int, int]) -> tuple[int, int]:
    """Return the resident memory in bytes after each of two leagues of these numbers of blocks."""
    with tempfile.TemporaryDirectory() as folder:
        memory = []
        for number in blocks:
            league_hash(Path(folder), number, 1)
            memory.append(resident_bytes())
    return memory[0], memory[1]


def wall_clock_rates(works: Sequence[Work], rounds: int) -> list[Rate]:
    """Measure the rates of the works by the wall clock, with one share a round.

    In processor seconds two processes at the same time cost as much as one after the other.
    """
    rates: list[list[float]] = [[] for _ in works]
    for turn in range(rounds):
        for at, work in enumerate(works):
            begin = perf_counter()
            units = work.share(turn)
            rates[at].append(units / (perf_counter() - begin))
    return [Rate(work.name, tuple(by_round)) for work, by_round in zip(works, rates, strict=True)]


def _speeds(folder: Path, build: Build, blocks: int, turns: int) -> list[Row]:
    hashes = set()

    def league(workers: int) -> Work:
        def share(_turn: int) -> int:
            hashes.add(league_hash(folder, blocks, workers))
            return blocks * HANDS

        return Work(f"{workers} worker{'s' if workers > 1 else ''}", share)

    def engine(turn: int) -> int:
        for game in range(blocks * 2):
            play_results(RULES, ("greedy",) * 4, f"{turn}/{game}")
        return blocks * HANDS

    one, two, engine_alone = wall_clock_rates([league(1), league(2), Work("the engine alone", engine)], turns)
    check(len(hashes) == 1, "a league has one hash whoever plays it")
    name = f"hands a second, league of {blocks * HANDS:,} greedy hands"
    return [
        value_row(f"{name}, one worker", one.middle, "", ALONE.get(build)),
        rate_row(f"{name}, one worker", one, engine_alone, ""),
        rate_row(f"{name}, two workers", two, one, "", TWO),
    ]


def _commands(folder: Path, blocks: int, turns: int, target: Target | None) -> list[Row]:
    """Return how much faster two workers are than one, from the start of the command to its end.

    Beside it stands how much faster two processes are than one that share nothing: what the machine allows now.
    """
    hashes = set()

    def command(workers: int) -> Work:
        def share(_turn: int) -> int:
            league = ("--bots", ",".join(BOTS), "--blocks", str(blocks), "--seed", "bench")
            out = run_command(
                *("league", "run", *league, "--workers", str(workers), "--db", new_database(folder), "--json")
            )
            hashes.add(json.loads(out)["hash"])
            return blocks * HANDS

        return Work(f"{workers} worker{'s' if workers > 1 else ''}", share)

    def alone(processes: int) -> Work:
        def share(_turn: int) -> int:
            at_once([sys.executable, "-c", f"for number in range({blocks * LOOPS}): number * number"], processes)
            return processes

        return Work(f"{processes} process{'es' if processes > 1 else ''}", share)

    one, two, single, double = wall_clock_rates([command(1), command(2), alone(1), alone(2)], turns)
    check(len(hashes) == 1, "a league has one hash whoever plays it")
    return [
        rate_row(f"{blocks * HANDS:,} greedy hands by the command, two workers", two, one, "", target),
        rate_row("two processes that share nothing", double, single, ""),
    ]


def _memory(few: int, many: int) -> Row:
    ((before, after),) = in_processes(resident_after, [(few, many)])
    check(before > 0, "memory can be read")
    name = f"resident MB after a league of {many * HANDS:,} greedy hands"
    return ratio_row(name, after / 1e6, f"after {few * HANDS:,}", before / 1e6, "", MEMORY)
