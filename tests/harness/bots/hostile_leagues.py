"""Leagues of a hostile bot against a built-in one, at each level, and what is not as the guide says."""

import contextlib
import io
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from json import loads
from pathlib import Path

import tourney
from tests.campaigns.attacks.attack import family
from tests.harness.bots.hostile_bots import Hostile
from tests.harness.bots.hostile_calls import CLASS, KEY
from tests.harness.bots.hostile_modules import MODULES, REFUSED
from tests.harness.bots.own_bots import write_bot
from tests.harness.commands import Ran
from tourney.bots.isolation.levels import WASM
from tourney.bots.process import end_leaving
from tourney.cli.framework.app import main
from tourney.domain.errors import ExitCode

FIELD = (
    '[[bot]]\nname = "{name}"\nentrant = "{entrant}"\n'
    "limits = {{ action = 0.3, bank = {bank}, memory = {memory}, fuel = 50_000_000 }}\n"
)
ENTRANTS = {WASM.name: "wasm:bad.wasm", CLASS: "bad.py:Bad"}
SEED = "a-seed-that-nobody-guesses"
IDLE = 3
"""The processes of a server that forks classes: the wall, its first process and the server."""
PROGRAM = str(Path(tourney.__file__).parent / "league" / "playing.py")


@contextmanager
def targets(folder: Path) -> Iterator[dict[str, object]]:
    """Yield what the bots aim at, by the names in their lines: files, and servers that listen meanwhile."""
    other = folder / "other.py"
    other.write_text("secret", "utf-8")
    other.chmod(0o644)
    abstract = f"\0tourney-{secrets.token_hex(8)}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unnamed, victim() as process:
        unnamed.bind(abstract)
        unnamed.listen()
        yield {
            "journal": str(folder / "club.db"),
            "other": str(other),
            "port": tcp.getsockname()[1],
            "abstract": abstract,
            "seed": SEED,
            "program": PROGRAM,
            "referee": os.getpid(),
            "victim": process,
            "folder": str(folder),
            "own": str(folder / "bad.py"),
        }


WAITS = """
import signal, sys
for number in {*signal.valid_signals()} - {signal.SIGKILL, signal.SIGSTOP, signal.SIGINT}:
    signal.signal(number, lambda got, frame: open(sys.argv[1], "a").write(f"{got} "))
print(flush=True)
sys.stdin.read()
"""


@contextmanager
def victim() -> Iterator[int]:
    """Yield the process that bots aim at: it notes the signals that it gets in a file of the temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-I", "-S", "-c", WAITS, str(Path(folder) / "signals")]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                yield process.pid
            finally:
                process.kill()


def _seen_outside(names: Mapping[str, object]) -> dict[str, object]:
    """Return the state of the victim and of the other bot's file, as the kernel shows them."""
    process, file = int(str(names["victim"])), Path(str(names["other"]))
    shown = Path(f"/proc/{process}/status").read_text("utf-8")
    signals = Path(Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[-2].decode())
    status = file.stat() if file.exists() else None
    return {
        "the victim's state": "Z (zombie)" in shown,
        "the victim's signals": signals.read_text("utf-8") if signals.exists() else "",
        "the victim's limits": Path(f"/proc/{process}/limits").read_text("utf-8"),
        "the victim's priority": os.getpriority(os.PRIO_PROCESS, process),
        "the victim's scheduler": os.sched_getscheduler(process),
        "the victim's processors": os.sched_getaffinity(process),
        "the other file": status and (status.st_mode, status.st_size, status.st_mtime, status.st_uid),
        "the other file's attributes": os.listxattr(file) if file.exists() else None,
    }


def _left_in_the_kernel() -> list[str]:
    """Return, and remove, what bots have left in the kernel's tables of System V."""
    left = []
    for kind, option in (("shm", "-M"), ("msg", "-Q"), ("sem", "-S")):
        rows = Path(f"/proc/sysvipc/{kind}").read_text("utf-8").splitlines()[1:]
        if any(int(row.split()[0]) == KEY for row in rows):
            subprocess.run(["ipcrm", option, hex(KEY)], check=False, capture_output=True)
            left.append(f"leaks: a {kind} of System V outlives the game")
    return left


def judged(hostile: Hostile, level: str, folder: Path) -> list[str]:
    """Play a league of the bot in the folder, and return what is not as documented at its level."""
    with targets(folder) as names, contextlib.chdir(folder):
        _left_in_the_kernel()
        before = _seen_outside(names)
        ran = _played(hostile, level, folder, names)
        changed = [f"leaks: {key} became {now}" for key, now in _seen_outside(names).items() if before[key] != now]
    wrong = _faults_as_module(hostile, ran) if level == WASM.name else _faults_as_program(hostile, level, ran)
    wrong += [] if level in hostile.through else _left_in_the_kernel()
    wrong += changed if level not in hostile.through else []
    end_leaving(at_once=True)
    if level != WASM.name:  # the launcher of modules is kept for the next one
        wrong += [f"process {process} lives on" for process in _alive(folder)]
    return wrong


def _played(hostile: Hostile, level: str, folder: Path, names: dict[str, object]) -> Ran:
    _run("player", "add", "Ana", "--db", "club.db")
    entrant = ENTRANTS.get(level, "cmd:python3 -I -S bad.py")
    if level == WASM.name:
        MODULES[hostile.name].build(folder, **names)
    else:
        write_bot(folder, "bad.py", hostile.source_of_class(**names) if level == CLASS else hostile.source(**names))
    bank, memory = (10, 300_000_000) if CLASS in hostile.levels else (0, 3_000_000_000)
    bots = ("bad", "worse") if hostile.twice else ("bad",)
    (folder / "field.toml").write_text(
        "".join(FIELD.format(name=b, entrant=entrant, bank=bank, memory=memory) for b in bots), "utf-8"
    )
    few = ("--seats", "2", "--blocks", "1", "--workers", "1", "--json", "--db", "club.db")
    field = "@field.toml" if hostile.twice else "greedy,@field.toml"
    at = "sandbox" if level == CLASS else level
    return _run("league", "run", "--bots", field, "--isolation", at, "--seed", SEED, *few)


def _run(*words: str) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(list(words))
    return Ran(code, out.getvalue(), err.getvalue())


def _faults_as_program(hostile: Hostile, level: str, ran: Ran) -> list[str]:
    kinds, leaks, wrong = _outcome(ran)
    if level not in hostile.through:
        wrong += [f"leaks: {leak}" for leak in leaks]
    if not leaks and not wrong and not (kinds or {""}) & ({*hostile.faults} or {""}):
        wrong.append(f"ends with faults of the kinds {sorted(kinds)}, not {hostile.faults}")
    return wrong


def _faults_as_module(hostile: Hostile, ran: Ran) -> list[str]:
    expected = {*MODULES[hostile.name].faults}
    if expected == {REFUSED}:
        is_refused = (ran.code, ran.out) == (ExitCode.USAGE, "") and "it imports " in ran.err
        return [] if is_refused else [f"is not refused: exit code {ran.code}, {ran.err[:200]}"]
    kinds, leaks, wrong = _outcome(ran)
    wrong += [f"leaks: {leak}" for leak in leaks]
    if not leaks and not wrong and not (kinds or {""}) & expected:
        wrong.append(f"ends with faults of the kinds {sorted(kinds)}, not {sorted(expected)}")
    return wrong


def _outcome(ran: Ran) -> tuple[set[str], list[str], list[str]]:
    """Return the kinds of the bot's faults, its leaks, and what is wrong with the league itself."""
    if ran.code:
        return set(), [], [f"exit code {ran.code}: {ran.err[:200]}"]
    table = loads(ran.out)
    wrong = [] if (table["state"], table["blocks"]) == ("played", 1) else [f"the league is {table['state']}"]
    bad = [bot for bot in table["bots"] if bot["bot"] in ("bad", "worse")]
    kinds = {kind for bot in bad for kind, count in bot["faults_by_kind"].items() if count}
    return kinds, [fault["what"] for fault in table["faults"] if "leak" in fault["what"]], wrong


def _alive(folder: Path) -> list[str]:
    """Return the processes of the bot that still run in the folder.

    The server that forks classes is kept for the next game; it counts if it still has more than itself in its wall.
    """
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                words = (process / "cmdline").read_bytes()
                if os.readlink(process / "cwd") == str(folder) and b"bad.py" in words:
                    is_idle = b"fork_server.py" in words and len(family(int(process.name))) <= IDLE
                    found += [] if is_idle else [process.name]
            except OSError:
                continue
    return found
