"""Enclosures of bots: a probe has what the bot has, and a control group counts all of its memory."""

import fcntl
import json
import os
import shutil
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


LOOKS = """import json, os, sys
print(json.dumps([sys.prefix, [path for path in sys.argv[1:] if os.path.exists(path)]]))
"""
PLANTED = (
    *("bin/notes", "bin/pythons/notes", "lib/notes", "lib/mail/notes", "lib64/notes", "libexec/notes", "include/notes"),
    *("share/keyrings/login.keyring", "share/python3.11/notes", "notes"),
)
"""Files of a user in a folder in which a Python is installed, such as `~/.local`."""


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a user with a Python on the search path, a library of it, and other files."""
    local, base = tmp_path / "home" / ".local", Path(sys.base_prefix)
    for name in (*PLANTED, "lib/libssl.so.3"):
        (local / name).parent.mkdir(parents=True, exist_ok=True)
        (local / name).write_text("secret", encoding="utf-8")
    version = f"python3.{sys.version_info.minor}"
    shutil.copy(os.path.realpath(sys.executable), local / "bin" / version)
    for library in base.glob("lib/libpython*"):
        shutil.copy(library, local / "lib")
    ignored = shutil.ignore_patterns("site-packages", "test", "config-*", "__pycache__", "idlelib", "ensurepip")
    shutil.copytree(Path(json.__file__).parents[1], local / "lib" / version, ignore=ignored)
    (local / "bin" / "python3").symlink_to(version)
    monkeypatch.setenv("PATH", f"{local / 'bin'}:{os.environ['PATH']}")
    return local


def environment_of(local: Path) -> Path:
    """Return the folder of a virtual environment of that Python, with a script on the search path."""
    environment = local.parent / "venv"
    subprocess.run((local / "bin" / "python3", "-m", "venv", "--without-pip", environment), check=True)
    (environment / "notes").write_text("secret", encoding="utf-8")
    script = environment / "bin" / "looks"
    script.write_text(f"#!{environment}/bin/python3\n{LOOKS}", encoding="utf-8")
    script.chmod(0o755)
    return environment


@SANDBOXED
@pytest.mark.parametrize(
    "way", ["python3", "python3 of an environment", "a script of an environment", "a bot's own", "conda"]
)
def test_a_python_brings_nothing_that_lies_beside_it_into_the_sandbox(
    way: str, local: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The libraries of the Python are there, its neighbours are not; the whole `lib` of conda has its libraries."""
    libraries = ["lib/libssl.so.3"]
    if way == "conda":
        (local / "conda-meta").mkdir()
        libraries = ["lib/notes", "lib/mail/notes", *libraries]
    environment = environment_of(local) if "environment" in way else local
    folder = local.parent if way == "a bot's own" else tmp_path / "bot"
    folder.mkdir(exist_ok=True)
    (folder / "looks.py").write_text(LOOKS, encoding="utf-8")
    monkeypatch.setenv("PATH", f"{environment / 'bin'}:{os.environ['PATH']}")
    asked = [
        str(place / name) for place in dict.fromkeys((local, environment)) for name in (*PLANTED, "lib/libssl.so.3")
    ]
    python = (".local/bin/python3" if way == "a bot's own" else "python3", "looks.py")
    command = ("looks",) if "script" in way else python
    process = BUBBLEWRAP.popen(Enclosed((*command, *asked), str(folder), (str(folder / "looks.py"),)), Limits())
    said, errors = process.communicate(timeout=300)
    assert errors == b""
    assert json.loads(said) == [str(environment), [str(local / name) for name in libraries]]
