"""Tests that screens match the reviewed snapshots. `tests/harness/pages/screens.py` writes them again."""

import re
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.harness.pages.screens import (
    COMMANDS,
    FOLDER,
    PAPER,
    SPANISH,
    asked_at_terminal,
    asked_here,
    evening,
    prepared,
    screens,
)
from tests.harness.pages.spanish_evening import CHAPTERS, Typed, commands_of_the_guide


@pytest.fixture(scope="module")
def screens_db(tmp_path_factory: pytest.TempPathFactory) -> str:
    return prepared(tmp_path_factory.mktemp("screens"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_matches_its_snapshot(screens_db: str, name: str) -> None:
    assert screens(name, screens_db) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_snapshot_belongs_to_a_command() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(COMMANDS)
    assert {path.stem for path in SPANISH.iterdir()} == set(CHAPTERS)


# --- the evening in Spanish --------------------------------------------------------------------------------------


def spanish_snapshots() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in SPANISH.iterdir()}


@pytest.fixture(scope="module")
def spanish_evening(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return evening(tmp_path_factory.mktemp("velada"), asked_here)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_of_the_spanish_evening_matches_its_snapshot(spanish_evening: dict[str, str], chapter: str) -> None:
    assert spanish_evening[chapter] == spanish_snapshots()[chapter]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_questions_look_the_same_at_a_real_terminal(tmp_path: Path) -> None:
    assert evening(tmp_path, asked_at_terminal) == spanish_snapshots()


def test_every_command_of_the_page_of_the_guide_is_typed_in_the_spanish_evening() -> None:
    typed = [step.command for steps in CHAPTERS.values() for step in steps if isinstance(step, Typed)]
    assert [command for command in commands_of_the_guide() if command not in typed] == []


# --- all of them -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.txt")), ids=lambda path: path.stem)
def test_no_line_of_a_screen_is_wider_than_the_terminal(path: Path) -> None:
    """Commands are never broken, nor are hashes; they may be wider, as may what is typed, and pages for paper."""
    for screen in re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        columns, _, text = screen.partition(" columns\n")
        shown = [line for line in text.split("\n") if not line.startswith(("$ ", PAPER))]
        too_wide = [line for line in shown if cell_len(line) > int(columns)]
        assert [line for line in too_wide if " " in line and "`" not in line] == []
