"""Files named as our modules, or as those of the standard library, beside an author's program disturb nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = str(Path(__file__).parents[3])
PROGRAM = """
from tourney.bots import Bot, play

class Mine(Bot):
    def choose(self, view, legal):
        return legal[-1]

print(play([Mine, "greedy"], seed="x").hands, play(["greedy", "random"], rules="knock").hands > 0)
"""
FIRST = {
    "own files beside it": "",
    "its own engine imported first": "import engine\nassert engine.MINE\n",
}


@pytest.mark.parametrize("first", FIRST)
def test_a_program_beside_files_of_such_names_plays(first: str, tmp_path: Path) -> None:
    """Each file raises when it is imported, but for the author's own engine, which the author imports first."""
    for name in ("random", "engine", "statistics", "tomllib"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('the file of the author')\n")
    if FIRST[first]:
        (tmp_path / "engine.py").write_text("MINE = True\n")
    installed = f"import sys; sys.path.append({REPOSITORY!r})\n"
    (tmp_path / "mine.py").write_text(installed + FIRST[first] + PROGRAM)
    words = [sys.executable, "mine.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert (done.stdout, done.stderr) == ("7 True\n", "")


def test_the_program_starts_beside_files_of_such_names(tmp_path: Path) -> None:
    """Python would look for modules in the current folder first."""
    for name in ("random", "engine", "statistics"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('the file of the author')\n")
    words = [sys.executable, "-m", "tourney", "bot", "list"]
    environment = {**os.environ, "PYTHONPATH": REPOSITORY}
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "greedy" in done.stdout


def test_a_program_plays_where_modules_of_unix_are_missing(tmp_path: Path) -> None:
    """Windows has none of these modules, and no library of all functions of the program."""
    missing = (
        "import ctypes, sys\n"
        "for name in ('resource', 'fcntl', 'pwd', 'grp', 'termios', 'syslog'):\n"
        "    sys.modules[name] = None\n"
        "def library(name, *given, **named):\n"
        "    raise TypeError('Windows has no library without a name')\n"
        "ctypes.CDLL = library\n"
    )
    (tmp_path / "mine.py").write_text(missing + PROGRAM)
    environment = {**os.environ, "PYTHONPATH": REPOSITORY}
    ran = subprocess.run(
        [sys.executable, "mine.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "7 True\n"), ran.stderr
