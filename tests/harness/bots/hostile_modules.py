"""Hostile bots as WebAssembly modules: the acts of `hostile_bots` in C, under the same names, built by Debian's clang.

A function that WebAssembly's system does not have is imported from a host, which refuses the module. A module that has
reached what it must not answers `leak …`, which stands in the fault.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.harness.bots.hostile_bots import ROOT

STARTER: Final = ROOT / "tourney" / "bots" / "starters" / "bot.c"
ANSWERS: Final = '            printf("%d\\n", choose(n < MOST ? n : MOST));\n'
REFUSED: Final = "refused"
COMPILER: Final = ("clang", "--target=wasm32-wasi", "--sysroot=/usr", "-O2", "-Wl,--allow-undefined")
_ONCE: Final = """            static int done;
            if (!done++) {
                const char *found = attack();
                if (found) {
                    printf("leak %s\\n", found);
                    fflush(stdout);
                    continue;
                }
            }
"""
_HEAD: Final = """#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
"""


@dataclass(frozen=True)
class HostileModule:
    """The lines that a module runs at its first question, declarations before them, and the faults it ends with.

    The kind REFUSED is that of a module which no league takes; "" is for no fault.
    """

    lines: str
    faults: tuple[str, ...] = ("",)
    declared: str = ""

    def build(self, folder: Path, /, **names: object) -> None:
        """Build `bad.wasm` in the folder; the names stand in the lines as `{name}`. Raises CalledProcessError."""
        lines = self.lines
        for name, value in names.items():
            text = str(value).replace("\0", "@")
            lines = lines.replace(f"{{{name}}}", f'"{text}"' if isinstance(value, str) else text)
        text = STARTER.read_text("utf-8")
        assert text.count(ANSWERS) == 1
        attack = f"{self.declared}\nstatic const char *attack(void) {{\n{lines}\nreturn 0;\n}}\n\n"
        text = _HEAD + text.replace("int main(void) {", attack + "int main(void) {").replace(ANSWERS, _ONCE + ANSWERS)
        (folder / "bad.c").write_text(text, "utf-8")
        subprocess.run([*COMPILER, "-o", "bad.wasm", "bad.c"], cwd=folder, check=True, capture_output=True)


def _reads(path: str) -> HostileModule:
    """Return a module that reads a file: by its path, from the folder of the system, and from that of the league."""
    return HostileModule(
        f"const char *path = {path}, *name = strrchr(path, '/') + 1;\n"
        'return fopen(path, "r") || fopen(path + 1, "r") || fopen(name, "r") ? "file" : 0;'
    )


def _imports(call: str, declared: str) -> HostileModule:
    """Return a module that needs a function of another system."""
    return HostileModule(f'if ({call}) return 0;\nreturn "call";', (REFUSED,), f"extern int {declared};")


ENDLESS: Final = HostileModule("for (volatile int on = 1; on;) {}", ("stalled",))
MODULES: Final[dict[str, HostileModule]] = {
    "reads the journal": _reads("{journal}"),
    "reads another bot": _reads("{other}"),
    "lists the processes": HostileModule('return opendir("/proc") || opendir("/") || opendir(".") ? "folder" : 0;'),
    "reads the referee's memory": _reads('"/proc/self/mem"'),
    "traces the referee": _imports("ptrace(16, 1, 0, 0)", "ptrace(int, int, void *, void *)"),
    "looks for the deal's seed": HostileModule(
        'for (char **text = environ; text && *text; text++) if (strstr(*text, {seed})) return "seed";\n'
        'return fopen("/proc/self/environ", "r") ? "file" : 0;',
        declared="extern char **environ;",
    ),
    "changes the program's results": HostileModule(
        'return fopen({program}, "r+") || fopen({program} + 1, "r+") || fopen("written", "w") ? "file" : 0;'
    ),
    "exits": HostileModule("exit(0);", ("died",)),
    "exits at once": HostileModule("_Exit(0);", ("died",)),
    "forks 200 times": _imports("fork()", "fork(void)"),
    "takes 4 GB": HostileModule('return __builtin_wasm_memory_grow(0, 65000) == (size_t)-1 ? 0 : "memory";'),
    "writes without end": HostileModule('for (;;) puts("what");', ("unreadable", "stalled")),
    "complains without end": HostileModule(
        "for (int i = 0; i < 1000000; i++) fputs(actions[0], stderr);", ("", "stalled")
    ),
    "swallows every signal and every error": _imports("signal(15, 0)", "signal(int, void *)"),
    "loops in C": ENDLESS,
    "reaches a server": _imports("socket(2, 1, 0)", "socket(int, int, int)"),
    "reaches a socket without a name in the file system": _imports("connect(3, 0, 0)", "connect(int, void *, int)"),
    "puts a link to the journal in its folder": HostileModule(
        'symlink({journal}, "link");\nreturn fopen("link", "r") || fopen("/link", "r") ? "link" : 0;'
    ),
    "signals the referee": _imports("kill({referee}, 0)", "kill(int, int)"),
    "stops itself": _imports("raise(19)", "raise(int)"),
    "leaves a child behind": _imports("vfork()", "vfork(void)"),
    "closes its output": HostileModule("fclose(stdout);\nclose(1);", ("", "died")),
}
