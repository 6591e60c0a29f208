"""Tests of versions: whose pages are loaded again after what was written, and how often that is announced."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.web.asking import HOST, ORIGIN, TestClient, client
from tests.harness.web.markup import Markup
from tests.tourney.web.table.test_hands import make_club
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.service.web import access
from tourney.web import live as module
from tourney.web.live import Listener
from tourney.web.server import Server, Settings


@pytest.fixture
def server(tmp_path: Path) -> Server:
    """A server of an event with two tables, at which phones may enter."""
    db = desk.copied(tmp_path / "club.db", make_club)
    return Server(Settings(db, None, True, frozenset({HOST})))


@pytest.fixture
def pages(server: Server) -> Iterator[TestClient]:
    """Ask its pages."""
    with client(server.settings.db or "", server=server) as asked:
        yield asked


def versions(server: Server, *pages: str) -> list[str]:
    server.live.look()
    return [server.live.version_of(each) for each in pages]


def test_what_a_phone_sends_is_news_for_its_table_and_for_desks_alone(server: Server, pages: TestClient) -> None:
    """The attack: one phone changed its seat again and again, and all 120 pages of the hall waited for theirs."""
    db = server.settings.db
    own, other = (keys.token for keys in access.grant_tables(db, None))
    with ExitStack() as stack:
        for token in (own, other):
            stack.enter_context(server.live.listening(Listener("192.168.1.50", of=token)))
        before = versions(server, "", other, own, "desk")
        kept = pages.get("/seating")
        read = list[int]()
        server.once(read.append, 1)
        forms = Markup(pages.get(f"/t/{own}/who").text).forms
        players = next(value for form in forms for name, value in form.fields if name == "players")
        for seat in (1, 2):
            fields = {"players": players, "seat": str(seat)}
            assert pages.post(f"/t/{own}/who", data=fields, headers=ORIGIN).status_code == 303
            after = versions(server, "", other, own, "desk")
            assert after[:2] == before[:2]
            assert after[2] != before[2]
            assert after[3] != before[3]
            before = after
        server.once(read.append, 1)
        assert read == [1], "what pages for everybody read is not read again"
        assert pages.get("/seating").headers["etag"] != kept.headers["etag"], "the phone's own place is above all"
        pages.cookies.clear()
        assert pages.get("/seating").headers["etag"] == kept.headers["etag"]
        apply(db, RegisterPlayers(["Zoe"]))
        assert all(one != two for one, two in zip(before, versions(server, "", other, own, "desk"), strict=True))


def test_a_guess_of_a_code_is_no_news_for_the_hall(server: Server, pages: TestClient) -> None:
    before = versions(server, "")
    assert pages.post("/code", data={"code": "000000"}, headers=ORIGIN).status_code in (200, 404)
    assert versions(server, "") == before


def test_changes_within_a_second_are_announced_together(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is announced at once; the second waits for the end of the second, which does not come here."""
    monkeypatch.setattr(module, "ANNOUNCE_SECONDS", 3600.0)
    monkeypatch.setattr(module, "BEAT_SECONDS", 3600.0)
    live, db, heard = server.live, server.settings.db, list[str]()
    live.look()

    async def listen() -> None:
        listener = Listener("192.168.1.50")
        with live.listening(listener):
            async for event in live.stream(listener):
                heard.append(event)

    async def visit() -> None:
        tasks = [asyncio.create_task(live.watch(asyncio.to_thread)), asyncio.create_task(listen())]
        for name, messages in (("Zoe", 2), ("Yves", 2)):
            await asyncio.to_thread(apply, db, RegisterPlayers([name]))
            before = live.latest
            for _look in range(15_000):
                if live.latest != before and len(heard) >= messages:
                    break
                await asyncio.sleep(0.02)
            await asyncio.sleep(2 * module.LOOK_SECONDS)
            assert len(heard) == messages
        for task in tasks:
            task.cancel()

    asyncio.run(visit())
