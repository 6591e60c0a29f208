"""Hostile bots: what each tries at its first question, and how it ends at each level.

A bot that has reached what it must not says so as its answer, `leak …`, which stands in the fault. Nothing here harms
the machine: forks are 200 at most, memory is taken without being used, and signals go to the bot's own parents only
where a wall is expected to stop them.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
STARTER: Final = ROOT / "tourney" / "bots" / "starters" / "bot.py"
ANSWERS: Final = "say(str(choose(listed)))"
CLASS_BODY: Final = """from tourney.bots import Bot


class Bad(Bot):
    def choose(self, view, legal):
        if not DONE:
            DONE.append(1)
            try:
                found = attack()
            except (OSError, MemoryError, AttributeError):
                found = None
            if found:
                raise RuntimeError(f"leak {found}")
        return next(iter(legal))
"""
LEVELS: Final = ("process", "sandbox", "wasm")
"""The levels; as modules the bots are those of `hostile_modules`."""


@dataclass(frozen=True)
class Hostile:
    """A hostile program: the lines that it runs at its first question, `leak` what gets through, and its faults.

    `through` are the levels at which it may get through; `faults` the kinds of fault that it ends with ("" for none).
    """

    name: str
    lines: str
    through: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    levels: tuple[str, ...] = LEVELS
    twice: bool = False
    """True if the program has two seats, between which it leaves signs."""

    def source(self, **names: object) -> str:
        """Return the program; the names stand in its lines as `{name}`."""
        text = STARTER.read_text("utf-8")
        assert text.count(ANSWERS) == 1
        head = self._head(**names)
        once = """if not DONE:
                DONE.append(1)
                try:
                    found = attack()
                except (OSError, MemoryError, AttributeError):
                    found = None
                if found:
                    say(f"leak {found}".replace(" ", "-"))
                    continue
            """
        return text.replace("import sys\n", f"import sys\n{head}", 1).replace(ANSWERS, once + ANSWERS)

    def source_of_class(self, **names: object) -> str:
        """Return the class `Bad`, which runs the lines at its first question."""
        return self._head(**names) + CLASS_BODY

    def _head(self, **names: object) -> str:
        lines = self.lines
        for name, value in names.items():
            lines = lines.replace(f"{{{name}}}", str(value) if isinstance(value, int) else repr(value))
        body = "\n    ".join(lines.strip().splitlines())
        return f"import ctypes, glob, os, signal, socket, time\n\n\ndef attack():\n    {body}\n\n\nDONE = []\n\n\n"


def _reads(path: str) -> str:
    return f"return open({path}, 'rb').read(4)"


PARENTS: Final = (
    "parents = [os.getppid()]\n"
    "with open(f'/proc/{os.getppid()}/stat') as file:\n"
    "    parents.append(int(file.read().rsplit(')', 1)[1].split()[1]))\n"
)
HOSTILE: Final = (
    Hostile("reads the journal", _reads("{journal}"), ("process",)),
    Hostile("reads another bot", _reads("{other}"), ("process",)),
    Hostile("lists the processes", "return [name for name in os.listdir('/proc') if name.isdigit()]", ("process",)),
    Hostile(
        "reads the referee's memory",
        "with open(f'/proc/{os.getppid()}/maps') as maps:\n"
        "    begin = int(next(line for line in maps if '[heap]' in line).split('-')[0], 16)\n"
        "with open(f'/proc/{os.getppid()}/mem', 'rb') as memory:\n"
        "    memory.seek(begin)\n"
        "    return memory.read(8) and 'memory'",
        ("process",),
    ),
    Hostile(
        "traces the referee",
        "libc = ctypes.CDLL(None)\n"
        "if libc.ptrace(0x4206, os.getppid(), None, None) == 0:\n"
        "    libc.ptrace(0x4207, os.getppid(), None, None)\n"  # only a process that stops can be let go
        "    os.waitpid(os.getppid(), 0x40000000)\n"
        "    libc.ptrace(17, os.getppid(), None, None)\n"
        "    return 'traced'",
        ("process",),
    ),
    Hostile(
        "looks for the deal's seed",
        "for path in ('/proc/self/environ', f'/proc/{os.getppid()}/cmdline'):\n"
        "    if {seed}.encode() in open(path, 'rb').read():\n"
        "        return 'seed'",
        ("process",),
    ),
    Hostile(
        "changes the program's results",
        "return open({program}, 'r+b') and 'writable'",
        ("process",),
    ),
    Hostile("exits", "sys.exit(0)", faults=("died",)),
    Hostile("exits at once", "os._exit(0)", faults=("died",)),
    Hostile(
        "forks 200 times",
        "children = []\n"
        "ready, end = os.pipe()\n"
        "for _ in range(200):\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        os.close(end)\n"
        "        os.read(ready, 1)\n"
        "        os._exit(0)\n"
        "    children.append(child)\n"
        "return 'forks'",
        ("process",),
        ("slow", ""),  # forking takes its time
    ),
    Hostile("takes 4 GB", "import mmap\nmmap.mmap(-1, 4 << 30)\nreturn 'memory'"),
    Hostile("writes without end", "while True:\n    sys.stdout.write('x' * 65536)", faults=("unreadable",)),
    Hostile("complains without end", "for _ in range(1000):\n    sys.stderr.write('x' * 65536)"),
    Hostile(
        "swallows every signal and every error",
        "for number in range(1, 32):\n"
        "    if number not in (signal.SIGKILL, signal.SIGSTOP):\n"
        "        signal.signal(number, signal.SIG_IGN)\n"
        "while True:\n"
        "    try:\n"
        "        time.sleep(1)\n"
        "    except BaseException:\n"
        "        pass",
        faults=("slow", "stalled"),
    ),
    Hostile("loops in C", "sum(range(1 << 62))", faults=("slow", "stalled")),
    Hostile("reaches a server", "return socket.create_connection(('127.0.0.1', {port}), 1) and 'tcp'", ("process",)),
    Hostile(
        "reaches a socket without a name in the file system",
        "reaching = socket.socket(socket.AF_UNIX)\nreaching.connect({abstract})\nreturn 'abstract'",
        ("process",),
    ),
    Hostile(
        "puts a link to the journal in its folder",
        "os.symlink({journal}, 'link')\nreturn open('link', 'rb').read(4)",
        ("process",),
    ),
    Hostile(
        "signals the referee",
        "os.kill({referee}, 0)\nreturn None if {referee} in (os.getpid(), 1) else 'signal'",
        ("process",),
    ),
    Hostile("stops itself", "os.kill(os.getpid(), signal.SIGSTOP)", faults=("slow", "stalled", "")),
    Hostile(
        "leaves a child behind",
        "if not os.fork():\n    os.setsid()\n    if not os.fork():\n        time.sleep(60)\n    os._exit(0)",
    ),
    Hostile("closes its output", "os.close(1)", faults=("died",)),
)
