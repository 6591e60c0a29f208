"""Bots whose author's folder, command or files attack the organiser, and deals that a bot could compute."""
# ruff: noqa: E501 - a case is a line of its table

import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from tests.campaigns.attacks.attack import (
    PROGRAM,
    SECRET,
    Attack,
    each,
    environment,
    family,
    home,
    kill,
    marker,
    refused,
    running,
    script,
    tourney,
)
from tests.harness.bots.hostile_bots import Hostile
from tests.harness.bots.own_bots import MINE, write_bot
from tests.harness.commands import Ran

PLAIN: Final = Hostile("plays plainly", "return None")
READER: Final = Hostile(
    "reads its files",
    "for path in sys.argv[1:]:\n"
    "    text = open(path, 'rb').read().decode('latin-1').split()[0]\n"
    "    if text.startswith(('hunter2', 'SQLite')):\n"
    "        sys.stderr.write('EVIDENCE ' + text)\n"
    "        return 'of-' + text",
)
LIMITS: Final = "limits = { action = 0.5, bank = 5 }"


FEW: Final = ("--seats", "2", "--blocks", "1", "--workers", "1")
ELSEWHERE: Final = ("--db", "../own.db")
"""A database outside the author's folder."""


def league(folder: Path, *words: str, level: str = "sandbox", seed: str = "a seed of 128 bits", **more: Any) -> Ran:
    """Play a block of a league against a built-in bot, on one worker."""
    level_words = ("--isolation", level) if level else ()
    return tourney(
        folder, "league", "run", *FEW, "--json", *level_words, *(("--seed", seed) if seed else ()), *words, **more
    )


def field(folder: Path, command: str, *lines: str) -> str:
    """Write an entrants file with a bot, and return what `--bots` names."""
    text = "\n".join(("[[bot]]", 'name = "bad"', f"entrant = {json.dumps(command)}", LIMITS, *lines))
    (folder / "field.toml").write_text(text + "\n", "utf-8")
    return "greedy,@field.toml"


def author(folder: Path, source: str = "") -> Path:
    """Write a bot into a folder of its author's, and return the folder."""
    place = folder / "author"
    write_bot(place, "bot.py", source or PLAIN.source())
    return place


def leaks(ran: Ran) -> Iterator[str]:
    """Yield the faults of a league that tell what a bot has learned."""
    if ran.code < 0:
        yield ran.err[-60:]
    if ran.code == 0:
        yield from dict.fromkeys(fault["what"] for fault in ran.json["faults"] if "leak" in fault["what"])
    if SECRET in ran.out + ran.err:
        yield "the secret is printed"


# Programs of an author's that are taken for tools of the organiser's


def _shim(manager: str, where: str, check: bool) -> Attack:
    def act(folder: Path) -> Iterator[str]:
        place, ran = author(folder), folder / "pwned"
        for name in ("shims", where):
            script(place / name / "bot", f'exec {sys.executable} -I -S "$@"')
        script(place / "bin" / manager, f"id > {ran}; echo {sys.executable}")
        command = f"cmd:{place}/{where}/bot {place}/bot.py"
        if check:
            tourney(folder, "bot", "check", command, "--isolation", "sandbox")
        else:
            league(folder, "--bots", field(folder, command))
        yield from marker(ran, manager)

    how = "bot check" if check else "league run"
    return Attack("bot 25", f"{where}/bot with bin/{manager} of the author's ({how})", act)


def _folder_on_path(folder: Path, relative: str) -> Iterator[str]:
    """A search path of the organiser's with a relative or empty entry, where the author's folder has programs."""
    place, ran = author(folder), folder / "pwned"
    for name in ("bwrap", "env", "pyenv", "cc", "wasmtime", "sh"):
        script(place / name, f"id > {ran}; exit 1")
    league(place, "--bots", "greedy,cmd:python3 -I -S bot.py", seed="", env={"PATH": relative + os.environ["PATH"]})
    yield from marker(ran, "a program of the author's folder")


CONFIGURATIONS: Final = (
    ("sitecustomize.py beside the bot", "sitecustomize.py"),
    ("usercustomize.py beside the bot", "usercustomize.py"),
    ("a module of the program's name beside the bot", "tourney.py"),
    ("a module of the library beside the bot", "json.py"),
    ("conftest.py beside the bot", "conftest.py"),
    ("an engine of the author's beside the bot", "engine/__init__.py"),
)


def _python_file(folder: Path, name: str) -> Iterator[str]:
    """A file that Python would load by itself; what the organiser's program loads writes a marker outside the wall."""
    place, ran = author(folder), folder / "pwned"
    write_bot((place / name).parent, Path(name).name, f"open({str(ran)!r}, 'w').close()\n")
    league(place, "--bots", "greedy,cmd:python3 bot.py", seed="")
    yield from marker(ran, name)


def _settings_of_managers(folder: Path) -> Iterator[str]:
    """A manager on the search path must not start in the author's folder, whose settings it would trust."""
    place, ran = author(folder), folder / "started-in"
    for name in (".python-version", ".tool-versions", "mise.toml", "package.json", "pyvenv.cfg", ".env", ".envrc"):
        (place / name).write_text("home = /nowhere\n", "utf-8")
    root = folder / "home" / ".pyenv"
    for name in ("pyenv", "asdf", "mise"):
        script(folder / "path" / name, f"pwd >> {ran}; exit 1")
    script(root / "shims" / "python9", f'exec {sys.executable} "$@"')
    path = f"{folder / 'path'}:{root / 'shims'}:{os.environ['PATH']}"
    league(place, "--bots", "greedy,cmd:python9 bot.py", seed="", env={"PATH": path, "PYENV_ROOT": str(root)})
    if ran.exists() and str(place) in ran.read_text("utf-8"):
        yield "the manager started in the author's folder"


# Files that a bot is given


def _link(folder: Path, kind: str) -> Iterator[str]:
    """A file of the author's folder that is a link out of it, or a name that leads out of it."""
    key, place = home(folder), author(folder, READER.source())
    tourney(folder, "player", "add", "Ana")
    target = folder / "club.db" if "database" in kind else key
    name = "notes.txt"
    if kind == "absolute":
        name = str(key)
    elif kind == "parent":
        name = "../home/.ssh/id_rsa"
    elif kind == "folder link":
        (place / "data").symlink_to(key.parent)
        name = "data/id_rsa"
    elif kind == "chain":
        (place / "first").symlink_to(key)
        (place / name).symlink_to("first")
    else:
        (place / name).symlink_to(target)
    lines = [f"files = {json.dumps(['bot.py', name])}"] if "listed" in kind or kind in ("absolute", "parent") else []
    bots = field(place, f"cmd:python3 -I -S bot.py {name}", *lines)
    yield from leaks(league(place, "--bots", bots, *ELSEWHERE))


LINKS: Final = (
    ("a link to the organiser's key as an argument", "key"),
    ("a link to the organiser's key that the entrants file lists", "key, listed"),
    ("a link to the database as an argument", "database"),
    ("a link to the database that the entrants file lists", "database, listed"),
    ("the key by its whole path in the entrants file", "absolute"),
    ("the key by .. in the entrants file", "parent"),
    ("a folder that is a link", "folder link"),
    ("a link to a link", "chain"),
)


def _strange_file(folder: Path, kind: str) -> Iterator[str]:
    """A bot's file that is a fifo, a device, a folder or a socket is refused, and nobody waits for it."""
    place = author(folder)
    strange = place / "weights.bin"
    if kind == "fifo":
        os.mkfifo(strange)
    elif kind == "folder":
        strange.mkdir()
    else:
        strange.symlink_to(kind)
    bots = field(place, "cmd:python3 -I -S bot.py", 'files = ["bot.py", "weights.bin"]')
    yield from refused(league(place, "--bots", bots, *ELSEWHERE, seed="", seconds=40), kind)


def _strange_entrant(folder: Path, entrant: str) -> Iterator[str]:
    """A text that is not a bot is refused in one line, and is not opened as one."""
    home(folder)
    tourney(folder, "player", "add", "Ana")
    os.mkfifo(folder / "fifo.py")
    yield from refused(league(folder, "--bots", f"greedy,{entrant}", level="", seconds=40), entrant)


def _poisoned_cache(folder: Path) -> Iterator[str]:
    """A compiled file in `__pycache__` that differs from the source would run what no digest has seen."""
    import py_compile

    place, ran = author(folder, MINE), folder / "pwned"
    evil = write_bot(folder, "evil.py", MINE + f"\nopen({str(ran)!r}, 'w').close()\n")
    cache = place / "__pycache__" / f"bot.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(str(evil), str(cache), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    league(place, "--bots", "greedy,bot.py:Mine", *ELSEWHERE, level="process", seed="")
    yield from marker(ran, "a poisoned cache")


# What a bot gets, and what it leaves


def _environment(folder: Path, level: str) -> Iterator[str]:
    told = Hostile("tells its environment", "return 'environment' if 'TOURNEY_SECRET' in os.environ else None")
    place = author(folder, told.source())
    yield from leaks(league(folder, "--bots", field(folder, f"cmd:python3 -I -S {place}/bot.py"), level=level))


def _environment_of_python(folder: Path, level: str) -> Iterator[str]:
    """PYTHONSTARTUP, LD_PRELOAD and the like of the organiser do not arrive either."""
    lines = "return ' '.join(name for name in os.environ if name.startswith(('LD_', 'SSH_', 'PYTHONS', 'AWS')))"
    place = author(folder, Hostile("tells", lines).source())
    env = {"SSH_AUTH_SOCK": "/x", "PYTHONSTARTUP": "/x", "AWS_KEY": SECRET}
    bots = field(folder, f"cmd:python3 -I -S {place}/bot.py")
    yield from leaks(league(folder, "--bots", bots, level=level, env=env))


DAEMON: Final = (
    "if not os.fork():\n    os.setsid()\n    if not os.fork():\n"
    "        for end in range(3):\n            os.close(end)\n"
    "        os.execvp('python3', ['python3', '-c', 'import time; time.sleep(60)', {word}])\n    os._exit(0)\n"
)


def _daemon(folder: Path, level: str) -> Iterator[str]:
    """A process that has left its group, its session and its parent is ended with the league."""
    word = f"daemon-of-{os.getpid()}-{level}"
    place = author(folder, Hostile("leaves a daemon", DAEMON).source(word=word))
    league(folder, "--bots", field(folder, f"cmd:python3 -I -S {place}/bot.py"), level=level)
    time.sleep(0.5)
    for process in running(word):
        yield "a daemon outlives the league"
        kill(process)


def _orphan(folder: Path, level: str) -> Iterator[str]:
    """A bot that refuses the signal of its parent's death ends all the same when the program is killed."""
    word = f"orphan-of-{os.getpid()}-{level}"
    lines = f"{word!r}\nctypes.CDLL(None).prctl(1, 0)\nos.setsid()\nsys.stderr.close()\ntime.sleep(40)"
    place = author(folder, Hostile("stays", lines).source())
    (place / "bot.py").rename(place / f"{word}.py")
    bots = field(folder, f"cmd:python3 -I -S {place}/{word}.py").replace("bank = 5", "bank = 60")
    (folder / "field.toml").write_text((folder / "field.toml").read_text("utf-8").replace("bank = 5", "bank = 60"))
    words = ("--bots", bots, *FEW, "--isolation", level, "--db", "own.db")
    with subprocess.Popen(
        [*PROGRAM, "league", "run", *words],
        cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        until = time.monotonic() + 30
        while time.monotonic() < until and not any(f"{word}.py" in _words(one) for one in running(word)):
            time.sleep(0.1)
        time.sleep(1.5)
        programs = [one for one in family(process.pid) if b"tourney" in Path(f"/proc/{one}/cmdline").read_bytes()]
        process.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while time.monotonic() < until and running(f"{word}.py"):
        time.sleep(0.2)
    for left in running(f"{word}.py"):
        yield "it lives on after the program was killed"
        kill(left)
    if not programs:
        yield "the league had not begun"


def _words(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


STALLS: Final = (
    ("floods its output", "while True:\n    sys.stdout.write('x' * 65536)"),
    ("writes 200,000 lines", "for _ in range(200000):\n    print('what')"),
    ("ignores signals and is silent", "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 13, 15)]\ntime.sleep(600)"),
)


def _stalls(folder: Path, lines: str) -> Iterator[str]:
    """At the default limits one entrant that stalls at each start is out of the block after few faults."""
    always = Hostile("stalls", f"DONE.clear()\n{lines}")
    place = author(folder, always.source())
    (folder / "field.toml").write_text(
        f'[[bot]]\nname = "bad"\nentrant = "cmd:python3 -I -S {place}/bot.py"\n', "utf-8"
    )
    ran = league(folder, "--bots", "greedy,@field.toml", level="process", seconds=60)
    if ran.code < 0:
        yield "it holds a league of one block for a minute"


def _silent_greeting(folder: Path, level: str) -> Iterator[str]:
    place = author(folder, "import time\ntime.sleep(600)\n")
    bots = field(folder, f"cmd:python3 -I -S {place}/bot.py")
    yield from refused(league(folder, "--bots", bots, level=level), "a bot that does not greet")


# Deals and results


def _same_deals(folder: Path, level: str) -> Iterator[str]:
    """Two leagues of the same bots without a seed have different deals."""
    write_bot(folder / "author", "bot.py", PLAIN.source())
    bots = field(folder, "cmd:python3 -I -S author/bot.py") if level else "greedy,random"
    seen = [league(folder, "--bots", bots, "--db", f"{n}.db", seed="", level=level).json["hash"] for n in "ab"]
    if seen[0] == seen[1]:
        yield "two leagues without a seed have the same deals"


def _same_events(folder: Path, _given: str) -> Iterator[str]:
    """Two events of a bot from outside, without a seed, have different deals."""
    author(folder)
    seen = []
    for db in ("a.db", "b.db"):
        for words in (
            ("event", "new", "Friday"),
            ("event", "enter", "--bots", "greedy:3,cmd:python3 -I -S author/bot.py:1"),
            ("round", "draw"),
            ("round", "play"),
        ):
            ran = tourney(folder, *words, "--db", db)
            assert ran.code == 0, ran.err
        seen.append(tourney(folder, "standings", "--json", "--db", db).out)
    if seen[0] == seen[1]:
        yield "two events without a seed have the same deals"


PATCHES: Final = """
import sys
from tourney.bots import Bot


class Mine(Bot):
    def choose(self, view, legal):
        frame = sys._getframe()
        while frame is not None:
            if "_play_hand" in frame.f_code.co_name:
                raise RuntimeError("leak frames")
            frame = frame.f_back
        return next(iter(legal))
"""


def _frames(folder: Path, level: str) -> Iterator[str]:
    """A class of a file, without a level asked for, does not find the hands of others without a word about it."""
    write_bot(folder, "mine.py", PATCHES)
    ran = league(folder, "--bots", "greedy,mine.py:Mine", level=level)
    if any(leaks(ran)) and "trusted" not in ran.err:
        yield "it reads the frames of the program, and nothing is said"


def _joined(folder: Path, seed: str) -> Iterator[str]:
    """A bot that has the seed in its source does not join the league in the sandbox, whoever has told the seed."""
    place = author(folder)
    league(folder, "--bots", field(folder, f"cmd:python3 -I -S {place}/bot.py"), seed=seed)
    seed = tourney(folder, "league", "status", "--json").json["seed"]
    assert seed, "the seed of a league that has ended is shown"
    write_bot(place, "later.py", f"SEED = {seed!r}\n{PLAIN.source()}")
    ran = tourney(folder, "league", "join", "--bots", f"cmd:python3 -I -S {place}/later.py", "--json")
    yield from refused(ran, "a bot that knows the deals")
    hands = tourney(folder, "league", "status", "--json").json["hands"]
    if "seed" not in ran.err or hands != 14:
        yield f"it is refused for another reason, or has played: {ran.err[:80]}"


def _hash_of_seed(folder: Path, _given: str) -> Iterator[str]:
    """While a league is open its seed is shown nowhere, and its hash is that of nothing that is known or short."""
    bots = field(folder, f"cmd:python3 -I -S {author(folder)}/bot.py")
    few = ("--seats", "2", "--blocks", "100000", "--workers", "1", "--isolation", "sandbox")
    with subprocess.Popen(
        [*PROGRAM, "league", "run", "--bots", bots, *few, "--db", "club.db"],
        cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        until = time.monotonic() + 60
        while time.monotonic() < until and not _played(folder):
            time.sleep(0.5)
        process.send_signal(signal.SIGINT)
    with closing(sqlite3.connect(folder / "club.db")) as base:
        ((seed,),) = base.execute("SELECT seed FROM league").fetchall()
    shown = [tourney(folder, "league", *words) for words in (("status", "--json"), ("list", "--json"), ("status",))]
    if any(seed in ran.out + ran.err for ran in shown):
        yield "the seed of an open league is shown"
    told, status = shown[0].json["seed_sha256"], shown[0].json
    if hashlib.sha256(seed.encode()).hexdigest() != told:
        yield "what is published is not the hash of the seed"
    now = int(time.time())
    known = (str(each) for part in (status, *status["bots"]) for each in part.values())
    numbers = (form.format(number) for number in range(200_000) for form in ("{}", "{:032x}", "{:032d}"))
    times = (form.format(now - back) for back in range(600) for form in ("{}", "{:x}", "{:032x}"))
    if any(hashlib.sha256(guess.encode()).hexdigest() == told for guess in (*known, *numbers, *times, "club.db")):
        yield "the seed follows from its hash and what is known"


def _played(folder: Path) -> bool:
    """Return whether the league has played a block and is open."""
    ran = tourney(folder, "league", "status", "--json") if (folder / "club.db").exists() else None
    return ran is not None and ran.code == 0 and ran.json["blocks"] > 0


BOTH: Final = (("at process", "process"), ("at sandbox", "sandbox"))
ATTACKS: Final = (
    *(_shim(m, w, check=c) for m, w, c in (
        ("pyenv", "shims", True), ("pyenv", "shims", False), ("asdf", "shims", False), ("mise", "shims", False),
        ("rbenv", "shims", False), ("nodenv", ".nodenv/shims", False), ("pyenv", "pyenv/shims", False),
    )),
    *each((("an empty entry", ":"), ("a dot", ".:"), ("a relative folder", "author:")), "new", _folder_on_path),
    *each(CONFIGURATIONS, "new", _python_file),
    Attack("bot 25", "settings of version managers in the author's folder", _settings_of_managers),
    *each(LINKS, "bot 26", _link),
    *each(tuple((f"a file of a bot that is a {k.rpartition('/')[2]}", k) for k in ("fifo", "/dev/zero", "/dev/stdin", "folder")), "new", _strange_file),
    *each(
        tuple((f"an entrant {e}", e) for e in (
            "club.db", "cmd:./club.db", "club.db:Mine", "fifo.py:Mine", "@fifo.py", "@home/.ssh/id_rsa", "wasm:club.db",
            "wasm:fifo.py", "/dev/zero:Mine", "@/dev/zero", "wasm:/dev/zero", "os:system",
        )), "new", _strange_entrant,
    ),
    Attack("new", "a poisoned __pycache__ beside a class", _poisoned_cache),
    *each(tuple((f"its environment {at}", level) for at, level in BOTH), "bot 4", _environment),
    *each(tuple((f"its environment of tools {at}", level) for at, level in BOTH), "new", _environment_of_python),
    *each(tuple((f"a daemon by a double fork {at}", level) for at, level in BOTH), "bot 11", _daemon),
    *each(tuple((f"a bot whose referee is killed {at}", level) for at, level in BOTH), "new", _orphan),
    *each(tuple((f"a bot that {name}", lines) for name, lines in STALLS), "bots 8-10", _stalls),
    *each(tuple((f"a bot that hangs before its greeting {at}", level) for at, level in BOTH), "bot 16", _silent_greeting),
    *each((("deals of a league without a seed", ""), ("deals at process", "process"), ("deals at sandbox", "sandbox")), "bot 21", _same_deals),
    *each((("deals of a bot event without a seed", ""),), "bot 21", _same_events),
    *each((("frames of the program", ""),), "bot 24", _frames),
    *each((("joining a league whose seed was shown", ""), ("joining a league whose seed was given", "a seed of 128 bits")), "F5d", _joined),
    *each((("the seed from its hash", ""),), "F5d", _hash_of_seed),
)  # fmt: skip
