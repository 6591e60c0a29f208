"""The club evening that tests of one file share."""

import pytest

from tests.harness import desk


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database with the people and sheets of the club evening."""
    return desk.evening(tmp_path_factory.mktemp("evening") / "club.db")
