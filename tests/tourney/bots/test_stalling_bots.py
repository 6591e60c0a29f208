"""Bots that do not answer: none holds a game longer than its limit and 100 ms, however it goes about it.

A busy machine adds to that: before each question the test waits as long without a bot, then kills a process that
sleeps and waits for its end, and what this takes beyond the time is what the machine adds.
"""

import select
import subprocess
from pathlib import Path
from statistics import quantiles
from time import monotonic

import pytest

from engine.deal import deal
from engine.hand import Hand
from engine.rules import load_rules
from tests.harness.bots.hostile_bots import ANSWERS, STARTER
from tests.harness.bots.own_bots import misbehaving, write_bot
from tests.harness.slow import slow
from tourney.bots.entrant import Entrant, NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.faults import BotFault
from tourney.bots.isolation.forked import class_wall_at, wall_at
from tourney.bots.isolation.levels import PROCESS, SANDBOX, Level
from tourney.bots.limits import Limits
from tourney.bots.process import end_leaving
from tourney.bots.program import Program
from tourney.bots.protocol.session import Session
from tourney.bots.python_class import HostedClass

LIMITS = Limits(action=0.2, bank=0.0)
MORE = 0.1
"""The most seconds that a bot may cost beyond its limit."""
SEATING = NewSeat(load_rules("oficial"), 2, 1, "seed")

WAYS = {
    "loops": "while True: pass",
    "sleeps": "time.sleep(60)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "ignores signals": "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 13, 15)]\nwhile True: pass",
    "speaks letter by letter": "while True: sys.stdout.write('1'); sys.stdout.flush(); time.sleep(0.03)",
    "names what it would take, for ever": "while True: say('claims none'); time.sleep(0.03)",
    "writes errors without end": "while True: sys.stderr.write('x' * 65536)",
    "stops reading, and closes its input": "os.close(0)\ntime.sleep(60)",
    "closes its output, and lives on": "os.close(1)\ntime.sleep(60)",
    "leaves processes behind": (
        "for _one in range(20):\n    if not os.fork():\n        os.setsid(); time.sleep(60)\ntime.sleep(60)"
    ),
    "leaves processes that leave others": (
        "if not os.fork():\n    os.setsid()\n    while True:\n        if os.fork(): os._exit(0)\n"
        "        os.setsid(); time.sleep(0.001)\ntime.sleep(60)"
    ),
}
"""The lines that a program runs in the place of its answer, after it has imported what it needs."""


def program(folder: Path, does: str, level: Level) -> Entrant:
    """Return the starter that does something else than answer."""
    source = STARTER.read_text("utf-8").replace("import sys\n", "import os, signal, sys, time\n", 1)
    source = source.replace('say("takes none")', "pass")
    line = next(line for line in source.splitlines() if ANSWERS in line)
    indent = line[: len(line) - len(line.lstrip())]
    write_bot(folder, "bad.py", source.replace(line, "\n".join(indent + part for part in does.split("\n"))))
    command, files = ("python3", "-I", "-S", "bad.py"), (str(folder / "bad.py"),)
    return Program(command, str(folder), LIMITS, files, wall_at(level))


def beyond(seconds: float, started: float) -> float:
    """Return how much more time has gone by since then."""
    return monotonic() - started - seconds


def waits(entrant: Entrant, games: int) -> tuple[list[float], list[float]]:
    """Return what two questions of each game cost beyond the limit, and what waits of that length cost beyond it."""
    asked, alone = [], []
    for number in range(games):
        hand = Hand(SEATING.rules, deal(SEATING.rules, 2, str(number), 1))
        session = entrant.block()(NewSeat(SEATING.rules, 2, hand.actor, "seed"))
        assert isinstance(session, Session)
        view, legal = hand.view(hand.actor), hand.legal
        session.hand_begins(view, TableEvents(view, []))
        session._connected()  # the start has a limit of its own
        for _question in range(2):
            with subprocess.Popen(["sleep", "60"]) as sleeper:
                started = monotonic()
                select.select([], [], [], LIMITS.action)
                sleeper.kill()
                sleeper.wait()
                alone.append(beyond(LIMITS.action, started))
            started = monotonic()
            with pytest.raises(BotFault):
                session.choose(view, legal)
            asked.append(beyond(LIMITS.action, started))
            if session._lines is None:
                break
        session.close()
    end_leaving(at_once=True)
    return asked, alone


def check_excess(asked: list[float], alone: list[float]) -> None:
    """Assert that three of four questions cost no more than they may; every second one ends in the bot's end."""
    assert quantiles(asked, n=4)[-1] <= MORE + quantiles(alone, n=4)[-1], (asked, alone)


@pytest.mark.parametrize(
    ("way", "level", "games"),
    [("loops", PROCESS, 3), *slow([(way, level, 8) for way in WAYS for level in (PROCESS, SANDBOX)])],
    ids=lambda value: value.name if isinstance(value, Level) else str(value),
)
def test_a_program_that_does_not_answer_holds_a_game_no_longer_than_its_limit(
    way: str, level: Level, games: int, tmp_path: Path
) -> None:
    asked, alone = waits(program(tmp_path, WAYS[way], level), games)
    check_excess(asked, alone)


@pytest.mark.slow
@pytest.mark.parametrize("level", [PROCESS, SANDBOX], ids=lambda level: level.name)
def test_a_class_that_does_not_answer_holds_a_game_no_longer_than_its_limit(level: Level, tmp_path: Path) -> None:
    write_bot(tmp_path, "bad.py", misbehaving("while True: pass"))
    files = (str(tmp_path / "bad.py"),)
    asked, alone = waits(HostedClass("bad.py:Mine", str(tmp_path), files, LIMITS, class_wall_at(level)), 8)
    check_excess(asked, alone)
