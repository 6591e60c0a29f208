"""Levels of isolation side by side: questions a second, and how long a bot takes to begin.

One program, the Python starter, plays in a process and in each sandbox; a class plays in this process and in a process
of its own; and the starter in C plays as a WebAssembly module. All are asked the same, in turns.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from engine.deal import deal
from engine.hand import Hand
from engine.rules import load_rules
from engine.state import Phase
from tests.benchmarks.harness.machine import Build
from tests.benchmarks.harness.report import Row, rate_row, time_row
from tests.benchmarks.harness.timing import Effort, Rate, Work, check
from tests.benchmarks.league import wall_clock_rates
from tourney.bots.entrant import Entrant, NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.isolation.enclosure import Wall
from tourney.bots.isolation.forked import class_wall_at, process_wall
from tourney.bots.isolation.levels import PROCESS, SANDBOX
from tourney.bots.isolation.sandbox import sandbox
from tourney.bots.limits import Limits
from tourney.bots.process import end_leaving
from tourney.bots.program import Program
from tourney.bots.python_class import PYTHON_CLASS, HostedClass
from tourney.bots.seated import SeatedBot
from tourney.bots.wasm.module import Module
from tourney.league.playing import fallback_action

ROOT = Path(__file__).resolve().parents[2]
STARTER = ROOT / "tourney" / "bots" / "starters" / "bot.py"
MODULE = ROOT / "fixtures" / "modules" / "starter.wasm"
RULES = load_rules("oficial")
CLASS = """
from tourney.bots import Bot

class Mine(Bot):
    def choose(self, view, legal):
        return legal[0]
"""
QUESTIONS = {"full": 3_000, "quick": 20}
STARTS = {"full": 5, "quick": 1}


def measure(build: Build, effort: Effort) -> list[Row]:
    """Measure all levels. Raises WrongAnswer if a bot gives another answer than an action."""
    with tempfile.TemporaryDirectory() as folder:
        entrants = _entrants(Path(folder))
        turns = 5 if effort == "full" else 1
        asked = [Work(name, _asking(entrant, QUESTIONS[effort])) for name, entrant in entrants.items()]
        rates = wall_clock_rates(asked, turns)
        begun = [Work(name, _beginning(entrant, STARTS[effort])) for name, entrant in entrants.items()]
        starts = wall_clock_rates(begun, turns)
        end_leaving(at_once=True)
    return [*_rows("questions a second", rates), *_start_rows("from the start to an answer", starts)]


def _entrants(folder: Path) -> dict[str, Entrant]:
    """Return a bot for each level, by name."""
    shutil.copy(STARTER, folder)
    (folder / "mine.py").write_text(CLASS, "utf-8")
    walls: dict[str, Wall] = {"process": process_wall(), "sandbox": sandbox()}
    files = (str(folder / "bot.py"),)
    command = ("python3", "-I", "-S", "bot.py")
    programs = {name: Program(command, str(folder), Limits(), files, wall) for name, wall in walls.items()}
    mine = (str(folder / "mine.py"),)
    return {
        **programs,
        "wasm": Module(str(MODULE), Limits()),
        "class, trusted": PYTHON_CLASS.loaded("mine.py:Mine", folder),
        "class, process": HostedClass("mine.py:Mine", str(folder), mine, Limits(), class_wall_at(PROCESS)),
        "class, sandbox": HostedClass("mine.py:Mine", str(folder), mine, Limits(), class_wall_at(SANDBOX)),
    }


def _seated(entrant: Entrant, hand: Hand) -> SeatedBot:
    seated = entrant.block()(NewSeat(RULES, 2, hand.actor, "seed"))
    seated.hand_begins(hand.view(hand.actor), TableEvents(hand.view(hand.actor), []))
    return seated


def _at_discard() -> Hand:
    """Return a hand whose first player has drawn and is to discard, so that no filter answers."""
    hand = Hand(RULES, deal(RULES, 2, "bench", 1))
    while hand.view(hand.actor).phase is not Phase.PLAY:
        hand.apply(fallback_action(hand.legal))
    return hand


def _asking(entrant: Entrant, number: int) -> Callable[[int], int]:
    """Return what puts so many questions to a bot; its start is not measured."""
    hand = _at_discard()
    seated = _seated(entrant, hand)
    view, legal = hand.view(hand.actor), hand.legal
    check(seated.choose(view, legal) in legal, "a bot answers with an action")

    def share(_turn: int) -> int:
        for _question in range(number):
            seated.choose(view, legal)
        return number

    return share


def _beginning(entrant: Entrant, number: int) -> Callable[[int], int]:
    """Return what starts a bot so many times, each time to its first answer."""

    def share(_turn: int) -> int:
        for _start in range(number):
            hand = _at_discard()
            seated = _seated(entrant, hand)
            seated.choose(hand.view(hand.actor), hand.legal)
            seated.close()
        return number

    return share


def _rows(measure: str, rates: list[Rate]) -> list[Row]:
    return [rate_row(f"{measure}, {rate.name}", rate, rates[0], "") for rate in rates[1:]]


def _start_rows(measure: str, rates: list[Rate]) -> list[Row]:
    return [time_row(f"{measure}, {rate.name}", rate, rates[0]) for rate in rates[1:]]
