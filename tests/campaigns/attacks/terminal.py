"""Texts of bots and of files at the organiser's terminal: none moves its cursor, sets its title or types into it."""
# ruff: noqa: E501 - a case is a line of its table

import os
import pty
import select
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.campaigns.attacks.attack import PROGRAM, each, environment, family, kill, tourney
from tests.campaigns.attacks.bots import LIMITS
from tests.harness.bots.hostile_bots import Hostile
from tests.harness.bots.own_bots import write_bot

SECONDS: Final = 60.0
MARK: Final = "OWNED"
ESCAPES: Final = (
    ("the window's title", f"\x1b]0;{MARK}\x07"),
    ("the clipboard", f"\x1b]52;c;{MARK}\x07"),
    ("a cleared screen and a colour", f"\x1b[2J\x1b[31m{MARK}"),
    ("a link", f"\x1b]8;;http://evil/\x1b\\{MARK}"),
    ("C1 controls", f"\x9b31m{MARK}\x9d0;x\x9c"),
    ("a device's answer", f"\x1b[6n\x1bP$q{MARK}\x1b\\"),
    ("carriage returns and backspaces", f"{MARK}\r\x08\x08\x08bad"),
    ("text from right to left", f"\u202e{MARK}\u2066"),
)


def at_a_terminal(folder: Path, *words: str) -> bytes:
    """Run a command with a terminal of its own as its controlling one, and return the bytes that arrive there."""
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *words, *(() if words[0] == "bot" else ("--db", "club.db"))],
        cwd=folder, env=environment(folder, {"TERM": "xterm-256color"}), stdin=theirs, stdout=theirs, stderr=theirs,
        start_new_session=True, preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),
    )  # fmt: skip
    os.close(theirs)
    said, until = b"", time.monotonic() + SECONDS
    while time.monotonic() < until:
        if select.select([mine], [], [], 0.1)[0]:
            try:
                said += os.read(mine, 65536)
            except OSError:
                break
        elif process.poll() is not None:
            break
    for one in family(process.pid) if process.poll() is None else ():
        kill(one)
    process.wait()
    os.close(mine)
    return said


def steers(said: bytes, text: str) -> Iterator[str]:
    """Yield a line if a text of others arrives with what a terminal obeys."""
    plain = text.encode("utf-8")
    if plain in said:
        yield f"raw: {text}"
        return
    for before in (
        "\x1b]0;",
        "\x1b]52;",
        "\x1b]8;",
        "\x9b31m",
        "\x1bP",
        "\x1b[6n",
        "\x1b[2J",
        f"{MARK}\r\x08",
        f"\u202e{MARK}",
    ):
        if before in text and before.encode() in said:
            yield f"raw: {before}"
            return


def _field(folder: Path, source: str, name: str = "bad", entrant: str = "cmd:python3 -I -S bot.py") -> None:
    import json

    write_bot(folder, "bot.py", source)
    lines = ("[[bot]]", f"name = {json.dumps(name)}", f"entrant = {json.dumps(entrant)}", LIMITS)
    (folder / "field.toml").write_text("\n".join(lines) + "\n", "utf-8")


FEW: Final = ("--seats", "2", "--blocks", "1", "--workers", "1")


def _said(folder: Path, text: str, lines: str, command: Sequence[str]) -> Iterator[str]:
    _field(folder, Hostile("talks", lines).source(text=text))
    run = ("league", "run", "--bots", "greedy,@field.toml", *FEW)
    yield from steers(at_a_terminal(folder, *run), text)
    if command:
        yield from steers(at_a_terminal(folder, *command), text)


STDERR: Final = "sys.stderr.write({text} + '\\n')\nsys.stderr.flush()"
ANSWER: Final = "sys.stdout.buffer.write(({text} + '\\n').encode('utf-8', 'surrogateescape'))\nsys.stdout.flush()"
ERROR: Final = "raise RuntimeError({text})"


def _talks(folder: Path, text: str) -> Iterator[str]:
    yield from _said(folder, text, STDERR, ("league", "log", "--block", "1", "--game", "1"))


def _answers(folder: Path, text: str) -> Iterator[str]:
    yield from _said(folder, text, ANSWER, ("league", "log", "--block", "1", "--game", "1"))


def _checks(folder: Path, text: str) -> Iterator[str]:
    _field(folder, Hostile("talks", STDERR + "\n" + ERROR).source(text=text))
    yield from steers(at_a_terminal(folder, "bot", "check", "cmd:python3 -I -S bot.py"), text)


def _class_raises(folder: Path, text: str) -> Iterator[str]:
    source = Hostile(
        "raises", f"print({{text}}, file=sys.__stderr__ if 'sys' in globals() else None)\n{ERROR}"
    ).source_of_class(text=text)
    write_bot(folder, "bad.py", source)
    yield from steers(
        at_a_terminal(folder, "league", "run", "--bots", "greedy,bad.py:Bad", "--isolation", "process", *FEW), text
    )


def _entrant(folder: Path, text: str) -> Iterator[str]:
    """The text of an entrant is shown while the league runs, in its progress."""
    _field(folder, Hostile("plays", "return None").source(), f"x{MARK}", f"cmd:python3 -I -S bot.py '{text}'")
    yield from steers(
        at_a_terminal(folder, "league", "run", "--bots", "greedy,@field.toml", *FEW[:2], "--blocks", "3", *FEW[4:]),
        text,
    )


def _names(folder: Path, text: str) -> Iterator[str]:
    """A name with controls is refused or shown without them, as are names of files and unknown bots."""
    for words in (
        ("player", "add", text),
        ("league", "run", "--bots", text),
        ("event", "import", text),
        ("event", "new", text),
        ("player", "list"),
    ):
        yield from steers(at_a_terminal(folder, *words), text)


def _into_the_terminal(folder: Path, level: str) -> Iterator[str]:
    """A bot behind a wall neither opens the terminal nor puts keys into it."""
    lines = (
        "import fcntl, termios\n"
        "for path in ('/dev/tty', '/dev/pts/0', '/proc/self/fd/0', '/proc/self/fd/2', f'/proc/{os.getppid()}/fd/2'):\n"
        "    try:\n        at = os.open(path, os.O_RDWR | os.O_NOCTTY)\n    except OSError:\n        continue\n"
        "    os.write(at, b'OWNED-TTY')\n"
        "for number in (0, 1, 2):\n    try:\n        [fcntl.ioctl(number, termios.TIOCSTI, bytes([each])) for each in b'OWNED-TTY']\n"
        "    except OSError:\n        pass"
    )
    _field(folder, Hostile("types", lines).source())
    said = at_a_terminal(folder, "league", "run", "--bots", "greedy,@field.toml", "--isolation", level, *FEW)
    if b"OWNED-TTY" in said:
        yield "a bot has written to the terminal"


def _of_a_file(folder: Path, text: str) -> Iterator[str]:
    """Authors, reasons and programs in a file of others are shown without controls."""
    from tests.campaigns.attacks.files import _forge

    tourney(folder, "event", "new", "Friday")
    tourney(folder, "event", "export", "Friday", "--output", "f.event")
    _forge(folder / "f.event", lambda value: value | {"by": text} if "kind" in value else value)
    shutil.move(folder / "club.db", folder / "old.db")
    for words in (("event", "import", "f.event"), ("log",), ("event", "show", "Friday")):
        yield from steers(at_a_terminal(folder, *words), text)


EVERYTHING: Final = "".join(text for _what, text in ESCAPES)
ATTACKS: Final = (
    *each(tuple((f"a bot's standard error with {what}", text) for what, text in ESCAPES), "row 35", _talks),
    *each((("a bot's answers with all of these", EVERYTHING),), "bot 18", _answers),
    *each((("bot check of a bot that says all of these", EVERYTHING),), "row 35", _checks),
    *each((("a class's errors with all of these", EVERYTHING),), "new", _class_raises),
    *each(tuple((f"an entrant's text with {what}", text) for what, text in ESCAPES[:3]), "row 35", _entrant),
    *each((("names with all of these", EVERYTHING),), "row 34", _names),
    *each((("an author in an event's file with all of these", EVERYTHING),), "row 34", _of_a_file),
    *each((("the terminal by a bot in the sandbox", "sandbox"),), "new", _into_the_terminal),
)
