"""Provide the pages of the database that a test takes, whose tables may enter their sheets on phones."""

from collections.abc import Iterator

import pytest

from tests.harness.web.asking import TestClient, client


@pytest.fixture
def pages(db: str) -> Iterator[TestClient]:
    """Ask the pages of the event."""
    with client(db, entry=True) as asked:
        yield asked
