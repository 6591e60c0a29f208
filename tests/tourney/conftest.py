"""Provide the fixtures of many tests: a database that has rows of every kind, and a copy of it to work on."""

import shutil
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.leagues.small_league import LEAGUE
from tourney.domain.leagues import LeagueTable
from tourney.service.leagues import leagues


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the database; nobody may write to it."""
    return desk.everything(tmp_path_factory.mktemp("full") / "club.db")


@pytest.fixture
def db(full: str, tmp_path: Path) -> str:
    """The path of a copy."""
    return str(shutil.copy(full, tmp_path / "club.db"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runner:
    """Run command lines in this process."""
    return Runner(capsys)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> LeagueTable:
    """Return how the small league ends when nobody interrupts it."""
    return leagues.run(str(tmp_path_factory.mktemp("whole") / "club.db"), LEAGUE)
