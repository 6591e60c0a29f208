"""Run the README's console blocks, compare their output, or write it again.

`python tests/harness/readme.py` rewrites the blocks with the output of the installed program. Read the changes
before you commit them: the test only checks that README and program agree.
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
"""Parts of an output that differ from run to run: times, and the journal's head, a hash that includes the times."""


def fenced() -> list[tuple[str, list[str]]]:
    """Return every fenced block of the README: its language and its lines."""
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
    """Return the commands of a console block, each with the output below it."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(PROMPT):
            found.append((line[len(PROMPT) :], []))
        elif found:
            found[-1][1].append(line)
    return [(command, "\n".join(output).rstrip()) for command, output in found]


def environment(folder: str) -> dict[str, str]:
    """Return environment variables for a database in `folder` and English messages 80 columns wide."""
    return {**os.environ, "TOURNEY_DB": str(Path(folder) / "readme.db"), "LANGUAGE": "en", "COLUMNS": "80"}


def output_of(command: str, env: dict[str, str]) -> str:
    """Return what the command prints to both streams, cut after the lines of its `| head -N`."""
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
    """Return the output with `…` for the parts that change from run to run."""
    return CHANGING.sub("…", text)


def rewrite() -> None:
    """Write the current output into every console block."""
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
