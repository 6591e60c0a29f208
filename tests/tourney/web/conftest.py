"""Provide the pages of an evening, asked without a network."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.harness import desk
from tests.harness.web.asking import TestClient, client
from tests.harness.web.hall import make_drawn

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def evening(tmp_path: Path) -> str:
    """The path of a database with the people and sheets of the club evening."""
    return desk.evening(tmp_path / "club.db")


@pytest.fixture
def drawn(tmp_path: Path) -> str:
    """The path of a database with an event of eight of which round 1 is drawn, with a result at table 1."""
    return desk.copied(tmp_path / "club.db", make_drawn)


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Start Chromium."""
    from tests.harness.web.browser import chromium

    with chromium() as opened:
        yield opened


@pytest.fixture
def pages(evening: str) -> Iterator[TestClient]:
    """Ask the pages of the club evening."""
    with client(evening) as asked:
        yield asked
