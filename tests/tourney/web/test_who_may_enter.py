"""Tests of every route with every kind of token: each opens what it is for, and nothing else."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.harness.web import routes
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tests.harness.web.routes import EVENT, KEYS, PLAYED
from tourney.service.web import access
from tourney.web.access import DESK_COOKIE
from tourney.web.answers import Content
from tourney.web.page import Asked, Page
from tourney.web.pages import PAGES


def answer(asked: Asked) -> Content:
    """Answer with who asks, as far as the server knows."""
    table = asked.visitor.table
    who = (asked.visitor.audience, asked.visitor.event, None if table is None else (table.round, table.number))
    return Content(repr(who).encode(), "text/plain")


OF_ALL = (
    Page("/everybody", answer),
    Page("/desk", answer, "desk"),
    Page("/desk", answer, "desk", "POST"),
    Page("/t/{token}", answer, "table"),
    Page("/t/{token}", answer, "table", "POST"),
)
"""A page of each kind, in place of those that there are."""


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with an evening that has something on every page."""
    return routes.evening(str(tmp_path / "club.db"))


def opened(pages: TestClient, token: str, asked: Sequence[Page]) -> set[str]:
    """Return the routes that answer somebody who has the token as a cookie and in the path."""
    found = set()
    for page in asked:
        pages.cookies.clear()
        pages.cookies.set(DESK_COOKIE, token.replace(";", ""))
        path = re.sub(r"\{token\}", token.replace("%", "%25").replace(" ", "%20") or "-", page.path)
        headers = ORIGIN if page.method == "POST" else {}
        status = pages.request(page.method, path, headers=headers).status_code
        assert status in (200, 403), path
        if status == 200:
            found.add(f"{page.method} {page.path}")
    return found


@pytest.mark.parametrize("kind", KEYS)
def test_a_token_opens_what_it_is_for_and_nothing_else(db: str, kind: str) -> None:
    ours = {"desk": {"GET /desk", "POST /desk"}, "table": {"GET /t/{token}", "POST /t/{token}"}}
    with client(db, pages=OF_ALL, address="127.0.0.1") as pages:
        assert opened(pages, KEYS[kind].grant(db), OF_ALL) == {"GET /everybody"} | ours.get(KEYS[kind].opens, set())


@pytest.mark.parametrize("kind", KEYS)
def test_no_token_opens_more_than_reading_from_elsewhere_unless_entry_is_allowed(db: str, kind: str) -> None:
    with client(db, pages=OF_ALL) as pages:
        assert opened(pages, KEYS[kind].grant(db), OF_ALL) == {"GET /everybody"}


@pytest.mark.parametrize("kind", [kind for kind in KEYS if kind != "desk"])
def test_no_page_of_the_desk_opens_without_its_cookie(db: str, kind: str) -> None:
    ours = [page for page in PAGES if page.audience == "desk"]
    assert ours
    with client(db, entry=True) as pages:
        assert opened(pages, KEYS[kind].grant(db), ours) == set()


def test_a_table_s_token_names_its_event_round_and_table(db: str) -> None:
    keys = access.grant_tables(db, EVENT, PLAYED)
    with client(db, pages=OF_ALL, entry=True) as pages:
        for key in keys:
            assert pages.get(f"/t/{key.token}").text == repr(("table", EVENT, (PLAYED, key.table.number)))


def test_an_address_that_signs_in_works_once(db: str) -> None:
    token = access.sign_in_token(db)
    with client(db, address="127.0.0.1") as pages:
        first = pages.post(f"/sign-in/{token}", headers=ORIGIN)
        assert (first.status_code, first.headers["location"]) == (303, "/desk")
        cookie = first.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert pages.get("/desk/screen").status_code == 200
        pages.cookies.clear()
        assert pages.post(f"/sign-in/{token}", headers=ORIGIN).status_code == 403
        assert pages.get("/desk/screen").status_code == 403


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_an_address_that_signs_in_is_used_by_its_button_alone(db: str, method: str) -> None:
    """Previews of links and preloaders open addresses, too."""
    token = access.sign_in_token(db)
    with client(db, address="127.0.0.1") as pages:
        looked = pages.request(method, f"/sign-in/{token}")
        assert "set-cookie" not in looked.headers
        shown = pages.get(f"/sign-in/{token}").text
        assert press(pages, f"/sign-in/{token}", "Sign in", shown=shown).headers["location"] == "/desk"
        assert pages.get("/desk/screen").status_code == 200


def test_a_desk_that_signs_out_is_none_any_more(db: str) -> None:
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        kept = pages.cookies[DESK_COOKIE]
        assert pages.post("/desk/sign-out", headers=ORIGIN).status_code == 303
        pages.cookies.set(DESK_COOKIE, kept)
        assert pages.get("/desk/screen").status_code == 403
