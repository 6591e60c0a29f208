"""Tests that screens at three widths match the reviewed snapshots. `tests/harness/pages/screens.py` writes them."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.harness.pages.screens import COMMANDS, FOLDER, prepared, screens


@pytest.fixture(scope="module")
def screens_db(tmp_path_factory: pytest.TempPathFactory) -> str:
    return prepared(tmp_path_factory.mktemp("screens"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_matches_its_snapshot(screens_db: str, name: str) -> None:
    assert screens(name, screens_db) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_snapshot_belongs_to_a_command() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(COMMANDS)


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_no_line_of_a_screen_is_wider_than_the_terminal(path: Path) -> None:
    """Commands in backquotes are never broken, nor are hashes; both may be wider."""
    for screen in path.read_text(encoding="utf-8").split("== ")[1:]:
        columns, _, text = screen.partition(" columns\n")
        too_wide = [line for line in text.split("\n") if cell_len(line) > int(columns)]
        assert [line for line in too_wide if " " in line and "`" not in line] == []
