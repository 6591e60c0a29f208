"""Leagues of a hostile bot against a built-in one, at each level, and what is not as the guide says."""

import contextlib
import io
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from json import loads
from pathlib import Path
from time import monotonic

import tourney
from tests.harness.bots.hostile_bots import Hostile
from tests.harness.bots.hostile_modules import MODULES, REFUSED
from tests.harness.bots.own_bots import write_bot
from tests.harness.commands import Ran
from tourney.bots.isolation.levels import WASM
from tourney.bots.process import end_leaving
from tourney.cli.framework.app import main
from tourney.domain.errors import ExitCode

FIELD = '[[bot]]\nname = "bad"\nentrant = "{entrant}"\nlimits = {{ action = 0.3, bank = 0, fuel = 50_000_000 }}\n'
SEED = "a-seed-that-nobody-guesses"
MOST_SECONDS = 60
PROGRAM = str(Path(tourney.__file__).parent / "league" / "playing.py")


@contextmanager
def targets(folder: Path) -> Iterator[dict[str, object]]:
    """Yield what the bots aim at, by the names in their lines: files, and servers that listen meanwhile."""
    other = folder / "other.py"
    other.write_text("secret", "utf-8")
    abstract = f"\0tourney-{secrets.token_hex(8)}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unnamed:
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
        }


def judged(hostile: Hostile, level: str, folder: Path) -> list[str]:
    """Play a league of the bot in the folder, and return what is not as documented at its level."""
    started = monotonic()
    with targets(folder) as names, contextlib.chdir(folder):
        ran = _played(hostile, level, folder, names)
    wrong = _faults_as_module(hostile, ran) if level == WASM.name else _faults_as_program(hostile, level, ran)
    if monotonic() - started > MOST_SECONDS:
        wrong.append(f"held the league for {monotonic() - started:.0f} s")
    end_leaving(at_once=True)
    if level != WASM.name:  # the launcher of modules is kept for the next one
        wrong += [f"process {process} lives on" for process in _alive(folder)]
    return wrong


def _played(hostile: Hostile, level: str, folder: Path, names: dict[str, object]) -> Ran:
    _run("player", "add", "Ana", "--db", "club.db")
    entrant = "wasm:bad.wasm" if level == WASM.name else "cmd:python3 -I -S bad.py"
    if level == WASM.name:
        MODULES[hostile.name].build(folder, **names)
    else:
        write_bot(folder, "bad.py", hostile.source(**names))
    (folder / "field.toml").write_text(FIELD.format(entrant=entrant), "utf-8")
    words = ("--bots", "greedy,@field.toml", "--seats", "2", "--blocks", "1", "--workers", "1", "--json")
    return _run("league", "run", *words, "--isolation", level, "--seed", SEED, "--db", "club.db")


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
    bad = next(bot for bot in table["bots"] if bot["bot"] == "bad")
    kinds = {kind for kind, count in bad["faults_by_kind"].items() if count}
    return kinds, [fault["what"] for fault in table["faults"] if "leak" in fault["what"]], wrong


def _alive(folder: Path) -> list[str]:
    """Return the processes of the bot that still run in the folder."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                if os.readlink(process / "cwd") == str(folder) and b"bad.py" in (process / "cmdline").read_bytes():
                    found.append(process.name)
            except OSError:
                continue
    return found
