"""Python classes in processes that a server forks: each begins anew, and nothing of them stays."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.deal import deal
from engine.hand import Hand
from engine.rules import load_rules
from tests.harness import desk
from tests.harness.bots.own_bots import write_bot
from tests.harness.bots.sandboxed import SANDBOXED
from tests.harness.commands import Runner
from tests.harness.desk import ROOT
from tests.harness.programs import lives, wait_until
from tests.harness.slow import slow
from tourney.bots.entrant import NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.isolation import forked, orphans
from tourney.bots.isolation.enclosure import Wall
from tourney.bots.isolation.forked import ForkedWall, class_wall_at
from tourney.bots.isolation.levels import PROCESS, SANDBOX
from tourney.bots.limits import Limits
from tourney.bots.process import end_leaving
from tourney.bots.python_class import HostedClass

RULES = load_rules("oficial")
COUNTER = """
import os
from tourney.bots import Bot

played = []


class Mine(Bot):
    def choose(self, view, legal):
        played.append(os.getpid())
        if len(played) > 1:
            raise ValueError(f"{len(played)} decisions are known here")
        return legal[0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a class that fails if its module knows of another decision."""
    write_bot(tmp_path, "mine.py", COUNTER)
    return tmp_path


def hosted(folder: Path, wall: Wall) -> HostedClass:
    """Return the class behind a wall."""
    return HostedClass("mine.py:Mine", str(folder), (str(folder / "mine.py"),), Limits(), wall)


def decide(bot: HostedClass, games: int) -> None:
    """Let a class decide once in each of so many games. Raises the faults of the class."""
    for number in range(games):
        hand = Hand(RULES, deal(RULES, 2, str(number), 1))
        seat = bot.block()(NewSeat(RULES, 2, hand.actor, str(number)))
        view = hand.view(hand.actor)
        seat.hand_begins(view, TableEvents(view, []))
        assert seat.choose(view, hand.legal) in hand.legal
        seat.close()
    end_leaving(at_once=True)


@pytest.mark.parametrize("level", [PROCESS, SANDBOX])
def test_no_game_finds_what_another_left_in_the_module(level, folder: Path) -> None:  # type: ignore[no-untyped-def]
    decide(hosted(folder, class_wall_at(level)), 3)


def test_a_file_that_has_changed_is_loaded_anew(folder: Path) -> None:
    """The server has loaded nothing of an author."""
    bot = hosted(folder, ForkedWall())
    decide(bot, 1)
    write_bot(folder, "mine.py", COUNTER.replace("return legal[0]", "raise LookupError('changed')"))
    with pytest.raises(Exception, match="changed"):
        decide(bot, 1)


def test_processes_that_were_forked_are_waited_for(folder: Path) -> None:
    bot = hosted(folder, ForkedWall())
    decide(bot, 1)
    known = set(orphans.known)
    children = set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
    decide(bot, 3)
    assert orphans.known == known
    assert set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()) <= children


def test_a_server_that_was_killed_is_replaced(folder: Path) -> None:
    bot = hosted(folder, ForkedWall())
    decide(bot, 1)
    server = forked._servers[ForkedWall(), None, (), 0][0]._process
    os.kill(server.pid, signal.SIGKILL)
    decide(bot, 1)
    assert forked._servers[ForkedWall(), None, (), 0][0]._process.pid != server.pid


def test_a_program_that_is_killed_leaves_no_server(folder: Path) -> None:
    """The keeper ends it, and the end of its socket does."""
    text = (
        "import sys, time; from pathlib import Path; from tourney.bots.isolation import forked;"
        "from tests.tourney.bots.test_forked_classes import decide, hosted;"
        "decide(hosted(Path(sys.argv[1]), forked.ForkedWall()), 1);"
        "print(forked._servers[forked.ForkedWall(), None, (), 0][0]._process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", text, str(folder)], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        server = int(program.stdout.readline())
        program.kill()
    wait_until(lambda: not lives(server))


UNPRIVILEGED = f"""
import sys
sys.path.append({str(ROOT)!r})
from tests.harness.unprivileged import obey_permissions
from tourney.cli.framework.app import main

if __name__ == "__main__":
    obey_permissions()
    sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="classes are forked on Linux only")
@pytest.mark.parametrize("level", ["process", "sandbox"])
@pytest.mark.parametrize("workers", [1, *slow([2])])
def test_the_server_serves_a_user_who_is_not_root(level: str, workers: int, tmp_path: Path) -> None:
    """The walls are proved and the league is played without root's rights, to the hash that root's play has."""
    write_bot(tmp_path)
    program = tmp_path / "unprivileged.py"
    program.write_text(UNPRIVILEGED, encoding="utf-8")
    words = ("--bots", "mine.py:Mine,random", "--seats", "2", "--blocks", "1", "--workers", str(workers), "--json")
    league = ("league", "run", *words, "--isolation", level, "--seed", "a seed of thirty-two characters")
    ran = [
        subprocess.run(
            [sys.executable, *start, *league, "--db", f"{number}.db"], cwd=tmp_path, capture_output=True, text=True
        )
        for number, start in enumerate(([str(program)], ["-m", "tourney"]))
    ]
    assert [each.returncode for each in ran] == [0, 0], ran[0].stderr
    tables = [json.loads(each.stdout) for each in ran]
    assert tables[0]["hash"] == tables[1]["hash"]
    assert [bot["isolation"] for bot in tables[0]["bots"] if bot["bot"] == "mine.py:Mine"] == [level]
    assert tables[0]["faults_total"] == 0


TELLING = """
import os, time
from tourney.bots import Bot

class Telling(Bot):
    def choose(self, view, legal):
        raise RuntimeError(f"told {SAID}")

    def finish(self, result):
        time.sleep(STAYS)
"""
SERVER = "(os.stat('/').st_ctime_ns, os.stat('/').st_dev, hash('x'))"
TOLD = {
    "the numbers of processes": ("(os.getpid(), os.getppid())", 0),
    "its server": (SERVER, 0),
    "its server, as no game ends by itself": (SERVER, 60),
}
"""An expression that a class says of its process, and the seconds for which each of its games does not end."""


@SANDBOXED
@pytest.mark.parametrize("case", TOLD)
def test_nothing_of_its_process_tells_a_class_of_the_games_before(case: str, tmp_path: Path, run: Runner) -> None:
    """A class wrote its cards there for the next game: it began processes, or let the next game have another server."""
    said, stays = TOLD[case]
    (tmp_path / "telling.py").write_text(TELLING.replace("SAID", said).replace("STAYS", str(stays)))
    db = str(tmp_path / "club.db")
    bots = f"greedy,{tmp_path / 'telling.py'}:Telling"
    words = ("--bots", bots, "--blocks", "3", "--seats", "2", "--workers", "1", "--isolation", "sandbox", "--db", db)
    assert run("league", "run", *words).code == 0
    told = {text for ((text,),) in zip(desk.query(db, "SELECT what FROM league_fault"), strict=True)}
    assert len(told) == 1
    assert "told (" in told.pop()


@SANDBOXED
@pytest.mark.parametrize("again", [0, 1])
def test_a_class_that_is_begun_again_ends_no_other_server(
    again: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the age of its server a class could tell how often another one had failed in an earlier game."""
    monkeypatch.setattr(forked, "_servers", {})
    monkeypatch.setattr(forked, "MOST_SERVERS", 2)
    bots = []
    for name in ("first", "second", "third"):
        (tmp_path / name).mkdir()
        write_bot(tmp_path / name, "mine.py", COUNTER)
        bots.append(hosted(tmp_path / name, class_wall_at(SANDBOX)))
    first, second, third = bots
    for bot in (first, second, *[first] * again, third):
        decide(bot, 1)
    kept = {Path(str(key[1])).name for key, servers in forked._servers.items() if servers}
    assert kept == {"second", "third"}
