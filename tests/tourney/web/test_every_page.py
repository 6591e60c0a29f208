"""Tests of every page of the table of pages with every kind of key, and of what nobody but the desk may see.

What each may answer follows from the audience that the page declares. A new page is tested without being listed here.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import slow
from tests.harness.web import routes
from tests.harness.web.asking import HOST, ORIGIN, TestClient, client
from tests.harness.web.routes import DRAFT, EVENT, KEYS, PLAYED, WAITING, pages_for, path_of
from tourney.service.web import access
from tourney.web.access import DESK_COOKIE
from tourney.web.page import Page
from tourney.web.pages import PAGES
from tourney.web.server import Server, Settings

OPEN_GET = {200, 303}
OPEN_POST = {200, 303, 400, 404, 409}
"""A form without its fields is sent: most refuse that, and none may fail."""
PLACES = {"here": ("127.0.0.1", False), "elsewhere": ("192.168.1.50", False), "let in": ("192.168.1.50", True)}
"""The address of a visitor, and whether the server takes entries from others than this computer."""
USUAL = [("nothing", "here"), ("nothing", "let in"), ("table", "let in"), ("table of a round that is over", "here")]
"""The visitors that every run tries at every page, by their key and place."""
ALL = [(key, place) for key in KEYS for place in PLACES]


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with an evening that has something on every page."""
    return routes.evening(str(tmp_path / "club.db"))


def opens(page: Page, key: str, place: str) -> bool:
    """Return whether the page is for a visitor with this key."""
    if page.audience == "everybody":
        return True
    _address, entry = PLACES[place]
    return page.audience == KEYS[key].opens and (place == "here" or entry)


def ask(pages: TestClient, page: Page, token: str) -> int:
    """Return the status of a page for somebody who has the token as a cookie and in the path."""
    pages.cookies.clear()
    pages.cookies.set(DESK_COOKIE, token.replace(";", ""))
    return pages.request(page.method, path_of(page, token), headers=ORIGIN).status_code


def expected(page: Page, key: str, place: str) -> set[int]:
    """Return what the page may answer; one that takes keys or codes itself may also refuse them."""
    if not opens(page, key, place):
        return {403}
    if page.audience == "everybody" and takes_keys(page):
        return {*OPEN_POST, 403}
    if page.method == "GET":
        return OPEN_GET
    # What concerns the disks of the desk's computer is done there alone.
    return OPEN_POST if place == "here" else {*OPEN_POST, 403}


def takes_keys(page: Page) -> bool:
    """Return whether the page counts tries, or changes what its visitor may do."""
    return page.private or page.method == "POST"


class Closed:
    """A switch of a desk that is closed to the network, and stays so."""

    is_open = False

    def open(self) -> str:
        return ""

    def close(self) -> None:
        pass


def asking(db: str, address: str, entry: bool) -> AbstractContextManager[TestClient]:
    """Ask the server of a desk, which has a switch for the network."""
    server = Server(Settings(db, None, entry, frozenset({HOST})), network=Closed())
    return client(db, address=address, server=server)


def wrong(db: str, key: str, place: str) -> Iterator[str]:
    """Yield the pages whose answer does not follow from their audience. A form may end a key: each has a new one."""
    address, entry = PLACES[place]
    token = KEYS[key].grant(db)
    with asking(db, address, entry) as pages:
        for page in (page for page in PAGES if not takes_keys(page)):
            yield from differing(page, ask(pages, page, token), expected(page, key, place))
    for page in filter(takes_keys, PAGES):
        token = KEYS[key].grant(db) if KEYS[key].opens else token
        with asking(db, address, entry) as pages:
            yield from differing(page, ask(pages, page, token), expected(page, key, place))


def differing(page: Page, status: int, statuses: set[int]) -> Iterator[str]:
    if status not in statuses:
        yield f"{page.method} {page.path}: {status}"


@pytest.mark.parametrize(("key", "place"), [*USUAL, *slow(each for each in ALL if each not in USUAL)])
def test_each_page_opens_for_its_audience_alone(db: str, key: str, place: str) -> None:
    assert list(wrong(db, key, place)) == []


@pytest.mark.parametrize("entry", [False, True], ids=["read-only", "with entries"])
def test_a_server_asked_under_another_name_or_by_another_page_answers_nothing_to_the_desk_itself(
    db: str, entry: bool
) -> None:
    names = {name for table in routes.seated(db, PLAYED).values() for name in table}
    with client(db, entry=entry, address="127.0.0.1", signed_in=True) as pages:
        for page in PAGES:
            path = path_of(page, pages.cookies[DESK_COOKIE])
            other = pages.request(page.method, path, headers={"Host": "evil.example", "Origin": "http://evil.example"})
            assert other.status_code == 421, path
            assert not [name for name in names if name in other.text], path
            if page.method == "POST":
                for origin in ({}, *({"Origin": text} for text in ("http://evil.example", "null", "http://[x", ""))):
                    assert pages.post(path, headers=origin).status_code == 403, path
                long = b"a" * ((page.most_bytes or 65_536) + 1)
                assert pages.post(path, headers=ORIGIN, content=long).status_code == 413, path


def test_a_table_that_is_over_or_closed_learns_nothing_of_the_evening(db: str) -> None:
    """Names stand on pages for everybody, but sheets do not: the refusal has neither."""
    names = {name for table in routes.seated(db, PLAYED).values() for name in table}
    with client(db, entry=True) as pages:
        for key in ("table of a round that is over", "table of a draft", "table that was closed", "code", "PIN"):
            token = KEYS[key].grant(db)
            for page in pages_for("table"):
                text = pages.get(path_of(page, token)).text
                assert not [name for name in names if name in text], page.path


def test_a_table_s_pages_show_its_own_players_and_no_other_table(db: str) -> None:
    tables = routes.seated(db, PLAYED)
    token = KEYS["table"].grant(db)
    others = {name for number, names in tables.items() if number != WAITING for name in names}
    with client(db, entry=True) as pages:
        for page in pages_for("table"):
            text = pages.get(path_of(page, token)).text
            assert not [name for name in others if name in text], page.path


def test_a_draft_changes_no_page_but_those_of_the_desk(tmp_path: Path) -> None:
    db = routes.evening(str(tmp_path / "club.db"), draft=False)
    token = KEYS["table"].grant(db)
    readable = [page for page in pages_for("everybody", "table") if not page.private]
    paths = [path_of(page, token, round=str(number)) for page in readable for number in (PLAYED, DRAFT)]
    with client(db, entry=True) as pages:
        before = {path: (answer.status_code, answer.text) for path in paths for answer in [pages.get(path)]}
        routes.add_draft(db)
        assert [path for path in paths if (pages.get(path).status_code, pages.get(path).text) != before[path]] == []


def test_the_database_has_no_key_but_its_hash(db: str) -> None:
    """The bytes of the database and of the files beside it are searched for every token that it has granted."""
    tokens = [key.grant(db) for key in KEYS.values()]
    with client(db, entry=True, signed_in=True) as pages:
        tokens.append(pages.cookies[DESK_COOKIE])
    kept = b"".join(file.read_bytes() for file in Path(db).parent.iterdir())
    long = [token for token in tokens if len(token) >= 22 and token != "A" * 22]
    assert len(long) >= 12
    assert [token for token in long if token.encode() in kept] == []
    columns = {str(value) for row in desk.query(db, "SELECT * FROM access") for value in row}
    assert columns.isdisjoint(filter(None, tokens))


def test_a_code_leads_to_the_sheet_of_its_table_alone(db: str) -> None:
    code = KEYS["code"].grant(db)
    token = access.enter_code(db, code)
    assert token is not None
    opened = access.visitor(db, token)
    assert opened is not None
    assert opened.table is not None
    assert (opened.kind, opened.event, opened.table.round, opened.table.number) == ("table", EVENT, PLAYED, WAITING)
    assert access.visitor(db, code) is None
