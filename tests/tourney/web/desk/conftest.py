"""Provide an event of eight, or what a module makes, and the desk's pages of whatever database a test takes."""

from collections.abc import Iterator

import pytest

from tests.harness import desk
from tests.harness.web.asking import TestClient, client


def eight(db: str) -> None:
    """Create an event of Ana, Beñat, Carmen, Diego, Elena, Félix, Gloria and Hugo."""
    desk.event(db, 8)


@pytest.fixture
def db(request: pytest.FixtureRequest, new_db: str) -> str:
    """The path of a database that the function `make_db` of the module makes; without one, with an event of eight."""
    return desk.copied(new_db, getattr(request.module, "make_db", eight))


@pytest.fixture
def pages(db: str) -> Iterator[TestClient]:
    """Ask as a desk on this computer."""
    with client(db, address="127.0.0.1", signed_in=True) as asked:
        yield asked
