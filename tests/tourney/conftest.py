"""Provide the fixtures of many tests: a database, new or made by the module, and one with rows of every kind."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.leagues.small_league import LEAGUE
from tourney.domain.league_tables import LeagueTable
from tourney.service.leagues import leagues


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the database; nobody may write to it."""
    return desk.everything(tmp_path_factory.mktemp("full") / "club.db")


@pytest.fixture
def new_db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a database that is not there yet, which commands use."""
    path = str(tmp_path / "club.db")
    monkeypatch.setenv("TOURNEY_DB", path)
    return path


@pytest.fixture
def db(request: pytest.FixtureRequest, new_db: str) -> str:
    """The path of a database that the function `make_db` of the module makes; without one, of a new database."""
    make: Callable[[str], object] | None = getattr(request.module, "make_db", None)
    return new_db if make is None else desk.copied(new_db, make)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runner:
    """Run command lines in this process."""
    return Runner(capsys)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> LeagueTable:
    """Return how the small league ends when nobody interrupts it."""
    return leagues.run(str(tmp_path_factory.mktemp("whole") / "club.db"), LEAGUE)
