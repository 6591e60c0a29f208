"""The README's console blocks: run them, compare what they print, or write it down anew.

`python tests/harness/readme.py` rewrites the blocks with what the installed program prints today. Read the
difference before you commit it: the test only holds that README and program agree.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PROMPT = "$ "
CHANGING = re.compile(r"(?<=journal head )[0-9a-f]{8,64}|\d{4}-\d\d-\d\d \d\d:\d\d|(?<=, )\d\d:\d\d(?=\))")
"""What differs from run to run: times, and the journal's head, which covers the time of each act."""


def fenced() -> list[tuple[str, list[str]]]:
    """Every fenced block of the README: its language and its lines."""
    blocks: list[tuple[str, list[str]]] = []
    lines = README.read_text(encoding="utf-8").split("\n")
    inside = False
    for line in lines:
        if line.startswith("```"):
            inside = not inside
            if inside:
                blocks.append((line[3:], []))
        elif inside:
            blocks[-1][1].append(line)
    return blocks


def commands(lines: list[str]) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that stands below it."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(PROMPT):
            found.append((line[len(PROMPT) :], []))
        elif found:
            found[-1][1].append(line)
    return [(command, "\n".join(output).rstrip()) for command, output in found]


def environment(folder: str) -> dict[str, str]:
    """An environment with a database of its own, in which the program speaks English."""
    return {**os.environ, "TOURNEY_DB": str(Path(folder) / "readme.db"), "LANGUAGE": "en", "COLUMNS": "80"}


def output_of(command: str, env: dict[str, str]) -> str:
    """What the command prints, to either stream, as a terminal would show it; `| head -N` cuts it."""
    command, _, pipe = command.partition(" | head -")
    words = shlex.split(command)
    assert words[0] == "tourney", f"the README runs something else: {command}"
    done = subprocess.run(
        [sys.executable, "-m", "tourney", *words[1:]],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    lines = [line.rstrip() for line in done.stdout.split("\n")]
    return "\n".join(lines[: int(pipe)] if pipe else lines).rstrip()


def same(text: str) -> str:
    """The output without what changes from run to run."""
    return CHANGING.sub("…", text)


def rewrite() -> None:
    """Puts today's output into every console block."""
    with tempfile.TemporaryDirectory() as folder:
        env = environment(folder)

        def block(found: re.Match[str]) -> str:
            parts = [
                f"{PROMPT}{command}\n{output_of(command, env)}".rstrip()
                for command, _ in commands(found[1].split("\n"))
            ]
            return "```console\n" + "\n".join(parts) + "\n```"

        text = README.read_text(encoding="utf-8")
        README.write_text(re.sub(r"```console\n(.*?)\n```", block, text, flags=re.S), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
