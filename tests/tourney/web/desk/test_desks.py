"""Tests of the page that signs in another desk."""

import re
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.web.asking import HOST, ORIGIN, client
from tests.harness.web.forms import forms, press
from tourney.service.admin.journal import log


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with an event of four."""
    return desk.copied(tmp_path / "club.db", desk.event)


def test_a_desk_makes_an_address_that_signs_in_one_more_browser_once(db: str) -> None:
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert "/sign-in/" not in pages.get("/desk/desks").text
        before = len(log(db).lines)
        answer = pages.post("/desk/desks", headers=ORIGIN)
        assert len(log(db).lines) == before
        (path,) = re.findall(rf">http://{HOST}(/sign-in/[^<]*)<", answer.text)
        assert "<svg" in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert pages.get("/desk").status_code == 200
        pages.cookies.clear()
        assert pages.get("/desk").status_code == 403
        assert pages.get(path).headers["location"] == "/desk"
        assert pages.get("/desk").status_code == 200
        pages.cookies.clear()
        assert pages.get(path).status_code == 403


def test_signing_out_asks_first_on_a_page_that_says_how_to_come_back(db: str) -> None:
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert "/desk/sign-out" not in [form.action for form in forms(pages.get("/desk").text)]
        asked = pages.get("/desk/sign-out").text
        assert "a new one: from another desk" in asked
        assert pages.get("/desk").status_code == 200
        assert press(pages, "/desk/sign-out", "Sign out", shown=asked).status_code == 303
        assert pages.get("/desk").status_code == 403
