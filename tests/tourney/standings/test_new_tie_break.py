"""A tie-break is added in two files of a copy of the program, used from the command line, and removed again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness import desk

ROOT = Path(__file__).parents[3]
MODULE = '''"""The length of a player's name, as a tie-break."""

from tourney.standings.tiebreaks.tiebreak import TieBreak, each
from tourney.text.i18n import marked

TIE_BREAKS = (
    TieBreak(
        "longest-name",
        marked("length of the name"),
        marked("Whose name is longer."),
        each(lambda tally: len(tally.player.name)),
    ),
)
'''


class Copy:
    """A copy of the program, run in processes of its own on one database."""

    def __init__(self, folder: Path, db: str) -> None:
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
        for package in ("tourney", "engine"):
            shutil.copytree(ROOT / package, folder / package, ignore=ignored)
        self.folder, self.db = folder, db
        self.tie_breaks = folder / "tourney" / "standings" / "tiebreaks"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "tourney", *words, "--db", self.db]
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "TOURNEY_LANG": "en"}
        return subprocess.run(line, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_tie_break_is_added_and_removed_in_two_files(tmp_path: Path) -> None:
    """At two tables of two Ana and Beatriz close every hand: both have 0 points, and Beatriz the longer name."""
    (tmp_path / "copy").mkdir()
    program = Copy(tmp_path / "copy", str(tmp_path / "club.db"))
    sheets = tmp_path / "sheets.csv"
    contracts = ",".join(desk.CONTRACTS)
    rows = [
        f"1,{table},{seat},{name},{','.join([points] * 7)}"
        for table, pair in enumerate((("Ana", "Carmen"), ("Beatriz", "Diego")), 1)
        for seat, (name, points) in enumerate(zip(pair, ("0", "30"), strict=True), 1)
    ]
    sheets.write_text("\n".join((f"round,table,seat,player,{contracts}", *rows)) + "\n", encoding="utf-8")
    assert program.run("player", "add", "Ana", "Carmen", "Beatriz", "Diego").returncode == 0
    assert program.run("event", "import", "Friday", "--sheets", str(sheets)).returncode == 0
    refused = program.run("event", "set", "--tie-breaks", "longest-name")
    assert (refused.returncode, "there is no tie-break “longest-name”" in refused.stderr) == (2, True)

    registry = program.tie_breaks / "registry.py"
    before = registry.read_text(encoding="utf-8")
    registry.write_text(before.replace('    "lot",\n', '    "longest_name",\n    "lot",\n', 1), encoding="utf-8")
    (program.tie_breaks / "longest_name.py").write_text(MODULE, encoding="utf-8")
    listed = program.run("event", "tie-breaks").stdout
    assert "longest-name" in listed
    assert "Whose name is longer." in listed
    changed = program.run("event", "set", "--tie-breaks", "longest-name")
    assert (changed.returncode, changed.stderr) == (0, "")
    shown = program.run("standings", "--format", "csv").stdout.splitlines()
    assert [line.split(",")[0] for line in shown[1:5]] == ["1", "2", "3", "4"]
    assert "Beatriz" in shown[1]
    assert "length of the name: 7 against 3" in program.run("standings", "--why", "Ana").stdout

    registry.write_text(before, encoding="utf-8")
    (program.tie_breaks / "longest_name.py").unlink()
    without = program.run("standings")
    assert (without.returncode, "there is no tie-break “longest-name”" in without.stderr) == (1, True)
    assert program.run("event", "set", "--tie-breaks", "longest-name").returncode == 2
    assert program.run("event", "set", "--clear", "tie_breaks").returncode == 0
    assert program.run("standings").returncode == 0
    assert program.run("db", "check").returncode == 0
