"""Enclosures of bots: a probe has what the bot has, and a control group counts all of its memory."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.harness.bots.sandboxed import BUBBLEWRAP, SANDBOXED
from tourney.bots.files.own_files import OwnFile, with_digests
from tourney.bots.isolation import forked, process_limit
from tourney.bots.isolation.enclosure import (
    Enclosed,
    Process,
    Wall,
    Walled,
    interpreter_reads,
)
from tourney.bots.isolation.forked import ForkedWall, process_wall
from tourney.bots.isolation.levels import PROCESS, SANDBOX, Level
from tourney.bots.isolation.proof import prove
from tourney.bots.isolation.sandbox import MOST_FILES
from tourney.bots.limits import Limits
from tourney.bots.program import PROGRAM
from tourney.domain.leagues import OutsideBot

SPY = """import json, os, resource
names = ("AS", "CORE", "FSIZE", "NOFILE", "MEMLOCK", "SIGPENDING", "MSGQUEUE")
limits = [resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in names]
seen = [sorted(os.listdir(path)) for path in (".", "/", "/tmp")]
print(json.dumps([os.getcwd(), dict(os.environ), limits, seen, os.path.exists("weights.bin")]))
"""
"""A program that says what it has: folder, environment, limits, and what it sees."""


def said(walled: Walled) -> list[Any]:
    """Return what the program says of itself."""
    process = walled.popen()
    assert process.stderr is not None
    told, errors = output(process), process.stderr.read()
    process.end()
    assert errors == b""
    found: list[Any] = json.loads(told)
    return found


def output(process: Process) -> bytes:
    """Return what a program says until it closes its output."""
    assert process.stdout is not None
    return b"".join(iter(lambda: process.stdout.read(1 << 16), b""))


@SANDBOXED
@pytest.mark.parametrize("level", [PROCESS, SANDBOX], ids=lambda level: level.name)
def test_the_probes_have_what_the_command_of_the_bot_has(level: Level, tmp_path: Path) -> None:
    """A program says it twice: as the bot, and as a probe."""
    (tmp_path / "spy.py").write_text(SPY)
    (tmp_path / "weights.bin").write_text("1")
    limits = (("memory", 2 << 30),)
    names = ("spy.py", "weights.bin")
    files = with_digests([OwnFile(tmp_path / name, tmp_path) for name in names])
    bot = OutsideBot("spy", f"cmd:{sys.executable} spy.py", str(tmp_path), files, limits)
    own = PROGRAM.walled(bot, level)
    probe = own.probed_by((sys.executable, "spy.py"), ())
    first, second = (said(each) for each in (own, probe))
    assert first == second
    assert first[2][0] == [2 << 30, 2 << 30]


@SANDBOXED
@pytest.mark.parametrize("memory", [20_000_000, 5 << 30])
def test_a_wall_is_proved_with_the_memory_that_the_bot_may_have(memory: int, tmp_path: Path) -> None:
    """More than the probes asked for before, and less than they need."""
    given = Walled(BUBBLEWRAP, Enclosed((sys.executable,), None, interpreter_reads()), Limits(memory=memory))
    assert prove(given, str(tmp_path), [], ["memory", "journal"]).through == (("memory", False), ("journal", False))


TAKES_MEMORY = {
    "in processes, each within its limit": "[os.fork() for _ in range(5)]\nx = bytearray(60 << 20)\ntime.sleep(2)",
    "in files without bytes": "for n in range(1_000_000): os.close(os.open(f'/tmp/{n}', os.O_CREAT | os.O_WRONLY))",
}
"""Ways to take memory that no limit of address space counts."""


@SANDBOXED
@pytest.mark.parametrize("way", TAKES_MEMORY)
def test_a_control_group_counts_all_memory_of_a_bot(way: str) -> None:
    """Linux ends the bot where there is a group; 1,000,000 files would take about 1 GB of the kernel's memory."""
    if not process_limit._has("memory"):
        assert os.getuid() or not os.access("/sys/fs/cgroup/memory", os.W_OK)
        return
    text = f"import os, time\n{TAKES_MEMORY[way]}\nprint('taken')"
    wall = process_wall() if "processes" in way else BUBBLEWRAP
    process = wall.popen(Enclosed(("python3", "-I", "-S", "-c", text)), Limits(memory=150 << 20))
    said = output(process)
    process.end()
    assert said.count(b"taken") < (32 if "processes" in way else 1)


WALLS = {
    "program": ForkedWall(programs=True),
    "class": ForkedWall(),
    "class in the sandbox": ForkedWall(BUBBLEWRAP),
}


@SANDBOXED
@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS)
def test_a_bot_has_no_file_of_its_server_open_whatever_its_number(
    wall: Wall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number lies beyond the most files of a bot, and the server has inherited it."""
    monkeypatch.setattr(forked, "_servers", {})
    high = fcntl.fcntl(0, fcntl.F_DUPFD, 10 * MOST_FILES)
    begun = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *words, pass_fds=(), **more: begun(*words, pass_fds=(*pass_fds, high), **more)
    )
    given = Walled(wall, Enclosed((sys.executable,), str(tmp_path), interpreter_reads()), Limits())
    try:
        assert prove(given, str(tmp_path), [], ["open files"]).through == (("open files", False),)
    finally:
        os.close(high)
