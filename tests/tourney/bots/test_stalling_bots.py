"""Bots that do not answer: none is waited for longer than its limit, however it goes about it.

How long that takes depends on the machine. Noted are the waits that the referee asks for: however often the bot says
something, they lead to the same moment.
"""

import select
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

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


class Poll:
    """A poll that notes how many seconds each of its waits may take."""

    def __init__(self, waits: list[float]) -> None:
        self._waits, self._poll = waits, select.poll()
        self.register, self.unregister = self._poll.register, self._poll.unregister

    def poll(self, milliseconds: float) -> list[tuple[int, int]]:
        """Wait as a poll does."""
        self._waits.append(milliseconds / 1000)
        return self._poll.poll(milliseconds)


def check_waits(entrant: Entrant, games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assert that the waits of two questions of each game lead to one moment, which is the limit away at first."""
    waits, noticed = list[float](), list[float]()
    noted = SimpleNamespace(**{**vars(select), "poll": lambda: Poll(waits)})
    monkeypatch.setattr("tourney.bots.process.select", noted)
    for number in range(games):
        hand = Hand(SEATING.rules, deal(SEATING.rules, 2, str(number), 1))
        session = entrant.block()(NewSeat(SEATING.rules, 2, hand.actor, "seed"))
        assert isinstance(session, Session)
        view, legal = hand.view(hand.actor), hand.legal
        session.hand_begins(view, TableEvents(view, []))
        session._connected()  # the start has a limit of its own
        for _question in range(2):
            waits.clear()
            with pytest.raises(BotFault):
                session.choose(view, legal)
            assert all(later < before or later == 0 for before, later in pairwise([LIMITS.action, *waits]))
            noticed += waits
            if session._lines is None:
                break
        session.close()
    end_leaving(at_once=True)
    assert noticed


@pytest.mark.parametrize(
    ("way", "level", "games"),
    [("loops", PROCESS, 3), *slow([(way, level, 8) for way in WAYS for level in (PROCESS, SANDBOX)])],
    ids=lambda value: value.name if isinstance(value, Level) else str(value),
)
def test_a_program_that_does_not_answer_holds_a_game_no_longer_than_its_limit(
    way: str, level: Level, games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_waits(program(tmp_path, WAYS[way], level), games, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("level", [PROCESS, SANDBOX], ids=lambda level: level.name)
def test_a_class_that_does_not_answer_holds_a_game_no_longer_than_its_limit(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(tmp_path, "bad.py", misbehaving("while True: pass"))
    files = (str(tmp_path / "bad.py"),)
    check_waits(HostedClass("bad.py:Mine", str(tmp_path), files, LIMITS, class_wall_at(level)), 8, monkeypatch)
