"""Tests of the page that signs in another desk."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.web.asking import HOST, ORIGIN, client, press
from tests.harness.web.markup import Markup
from tourney.service.admin.journal import log
from tourney.service.change import apply
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web.access import enter_code, enter_sign_in_code, grant_tables, sign_in_code
from tourney.web.access import DESK_COOKIE, NAME_COOKIE
from tourney.web.server import Server, Settings


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
        assert pages.post(path, headers=ORIGIN).headers["location"] == "/desk"
        assert pages.get("/desk").status_code == 200
        pages.cookies.clear()
        assert pages.post(path, headers=ORIGIN).status_code == 403


def test_desks_are_listed_and_another_one_is_ended(db: str) -> None:
    server = Server(Settings(db, None, True, frozenset({HOST})))
    with (
        client(db, address="127.0.0.1", signed_in=True, server=server) as pages,
        client(db, address="192.168.1.9", signed_in=True, server=server) as other,
    ):
        assert re.search(r"desk, since \d\d:\d\d, from 192\.168\.1\.9", pages.get("/desk/desks").text)
        other.cookies.set(NAME_COOKIE, "Marta")
        assert other.get("/desk").status_code == 200
        shown = pages.get("/desk/desks").text
        assert re.search(r"Marta, since \d\d:\d\d, from 192\.168\.1\.9", shown)
        assert shown.count(": this browser") == 1
        assert len(re.findall(r'name="end"', shown)) == 1
        own = sha256(pages.cookies[DESK_COOKIE].encode()).hexdigest()
        for key_hash in ("", "0" * 64, own):
            pages.post("/desk/desks", data={"end": key_hash}, headers=ORIGIN)
            assert (pages.get("/desk").status_code, other.get("/desk").status_code) == (200, 200)
        assert press(pages, "/desk/desks", "End", shown=shown).headers["location"] == "/desk/desks"
        assert (pages.get("/desk").status_code, other.get("/desk").status_code) == (200, 403)
        assert "Marta" not in pages.get("/desk/desks").text


def test_signing_out_asks_first_on_a_page_that_says_how_to_come_back(db: str) -> None:
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert "/desk/sign-out" not in [form.action for form in Markup(pages.get("/desk").text).forms]
        asked = pages.get("/desk/sign-out").text
        assert "a new one: from another desk" in asked
        assert pages.get("/desk").status_code == 200
        assert press(pages, "/desk/sign-out", "Sign out", shown=asked).status_code == 303
        assert pages.get("/desk").status_code == 403


def shown_code(page: str) -> str:
    """Return the six digits that the page of another desk shows, as they are typed."""
    found = re.search(rf"http://{HOST}/sign-in in the other browser, and there the code (\d+)\s(\d+)", page)
    assert found is not None
    return found[1] + " " + found[2]


def test_six_digits_sign_in_one_more_browser_once_and_a_new_code_ends_the_one_before(db: str) -> None:
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        old, new = (shown_code(pages.post("/desk/desks", headers=ORIGIN).text) for _ in range(2))
        pages.cookies.clear()
        assert 'name="code"' in pages.get("/sign-in").text
        for code in (old, "12345", "", "%00"):
            answer = pages.post("/sign-in", data={"code": code}, headers=ORIGIN)
            assert answer.status_code == 404
            assert "this code does not sign in" in answer.text
        answer = pages.post("/sign-in", data={"code": new}, headers=ORIGIN)
        assert answer.headers["location"] == "/desk"
        assert pages.get("/desk").status_code == 200
        pages.cookies.clear()
        assert pages.post("/sign-in", data={"code": new}, headers=ORIGIN).status_code == 404


def test_a_code_ends_after_five_wrong_tries_of_all_devices_together(db: str) -> None:
    """A new one begins again, and wrong tries of others do not keep anybody from it."""
    server = Server(Settings(db, None, True, frozenset({HOST})))
    codes = [sign_in_code(db)]

    def tried(at: int, code: str) -> int:
        with client(db, address=f"192.168.1.{at}", server=Server(server.settings)) as phone:
            return phone.post("/sign-in", data={"code": code}, headers=ORIGIN).status_code

    def wrong() -> str:
        return f"{(int(codes[-1]) + 1) % 10**6:06}"

    assert [tried(2, wrong()) for _time in range(4)] == [404] * 4
    assert tried(2, codes[-1]) == 303
    codes.append(sign_in_code(db))
    assert [tried(at, wrong()) for at in range(10, 15)] == [404] * 5
    assert tried(20, codes[-1]) == 404
    codes.append(sign_in_code(db))
    assert tried(10, codes[-1]) == 303


def test_a_code_signs_nobody_in_where_the_event_can_only_be_read(db: str) -> None:
    with client(db, entry=False, address="192.168.1.9") as pages:
        assert pages.post("/sign-in", data={"code": sign_in_code(db)}, headers=ORIGIN).status_code == 403


def test_a_code_of_a_table_signs_nobody_in(db: str) -> None:
    apply(db, DrawRound())
    code = grant_tables(db, "Friday")[0].code
    assert enter_sign_in_code(db, code, "192.168.1.9") is None
    assert enter_code(db, sign_in_code(db)) is None
    with client(db, address="127.0.0.1") as pages:
        assert pages.post(f"/sign-in/{sign_in_code(db)}", headers=ORIGIN).status_code == 403


def test_the_page_for_codes_of_tables_says_where_the_six_digits_of_a_desk_belong(db: str) -> None:
    apply(db, DrawRound())
    code = sign_in_code(db)
    with client(db, entry=True, address="192.168.1.9") as pages:
        for shown in (pages.get("/code"), pages.post("/code", data={"code": code}, headers=ORIGIN)):
            assert '<a href="/sign-in">Sign in as the desk</a>' in shown.text
        assert pages.post("/sign-in", data={"code": code}, headers=ORIGIN).headers["location"] == "/desk"
