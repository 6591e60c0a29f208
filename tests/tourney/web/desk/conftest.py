"""Provide an event of eight, and the desk's pages of whatever database a test takes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.web.asking import TestClient, client


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with an event of Ana, Beñat, Carmen, Diego, Elena, Félix, Gloria and Hugo."""
    return desk.copied(tmp_path / "club.db", desk.event, 8)


@pytest.fixture
def pages(db: str) -> Iterator[TestClient]:
    """Ask as a desk on this computer."""
    with client(db, address="127.0.0.1", signed_in=True) as asked:
        yield asked
