"""Tests of pages for everybody and for tables: none of them says where files of the organiser lie."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.bots.own_bots import PASSES
from tests.harness.commands import Runner
from tests.harness.web.asking import client
from tests.harness.web.phone import Phone
from tests.harness.web.submitting import desk_client
from tests.tourney.bots.test_bots_at_events import PROGRAM
from tests.tourney.web.table.test_hands import make_club
from tourney.service import database
from tourney.service.change import apply
from tourney.service.people.players import RegisterPlayers
from tourney.service.web import access

SECRET = "secret folder"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """The path of a database in a folder of its own, with an event of which a round is drawn."""
    folder = tmp_path / SECRET
    folder.mkdir()
    desk.copied(folder / "club.db", make_club)
    return folder / "club.db"


BOTS = ("{folder}/mine.py:Mine", "cmd:{python} '{folder}/program.py'")


@pytest.mark.parametrize("bot", BOTS, ids=["class", "program"])
def test_pages_of_leagues_do_not_say_where_a_bot_is(
    db: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    monkeypatch.chdir(db.parent)
    (db.parent / "mine.py").write_text(PASSES, encoding="utf-8")
    (db.parent / "program.py").write_text(PROGRAM, encoding="utf-8")
    named = bot.format(folder=db.parent, python=sys.executable)
    words = ("--seats", "2", "--blocks", "1", "--isolation", "trusted", "--db", str(db))
    result = run("league", "run", "--bots", f"greedy,{named}", *words)
    assert result.code == 0, result.err
    with client(str(db)) as pages:
        for path in ("/leagues", "/leagues/1", "/pools/bots"):
            text = pages.get(path).text
            assert (SECRET in text, str(Path(sys.executable).parent) in text) == (False, False), path
        assert ("mine.py:Mine" if "mine" in bot else "program.py") in pages.get("/leagues/1").text


def test_a_database_that_is_gone_is_named_without_its_folder(db: Path) -> None:
    with client(str(db), entry=True) as pages:
        token = access.grant_tables(str(db), None)[0].token
        pages.get("/")
        db.rename(db.with_name("away.db"))
        for path in ("/", "/players", "/pools", "/code", f"/t/{token}"):
            assert SECRET not in pages.get(path).text, path
        assert "there is no database at club.db" in pages.get("/pools").text


def copy(db: Path, to: Path) -> None:
    """Write everything that a database has into another file."""
    with closing(sqlite3.connect(db)) as opened, closing(sqlite3.connect(to)) as other:
        opened.backup(other)


def test_a_mirror_that_has_more_than_the_database_is_named_at_the_desk_alone(db: Path, tmp_path: Path) -> None:
    """The attack: whoever opened any page read where the organiser's stick is, and the command that completes it."""
    stick = tmp_path / SECRET / "stick"
    stick.mkdir()
    database.add_mirror(str(db), str(stick))
    earlier = tmp_path / "earlier.db"
    copy(db, earlier)
    apply(str(db), RegisterPlayers(["Zoe"]))
    with desk_client(str(db)) as at_desk, client(str(db), entry=True) as pages:
        token = access.grant_tables(str(db), None)[0].token
        phone = Phone(pages, token, 1)
        copy(earlier, db)
        answers = {path: pages.get(path) for path in ("/", "/players", "/pools", "/code", "/screen", f"/t/{token}")}
        answers["a flag"] = phone.post("/flags", text="who dealt?")
        answers["a code"] = pages.post("/code", data={"code": "123456"})
        for path, answer in answers.items():
            assert ("stick" in answer.text, SECRET in answer.text) == (False, False), path
        assert "stick" in at_desk.get("/desk").text


def test_a_database_that_is_locked_is_named_without_its_folder_on_a_phone(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.storage.sqlite.BUSY_SECONDS", 0.1)
    with client(str(db), entry=True) as pages:
        phone = Phone(pages, access.grant_tables(str(db), None)[0].token, 1)
        with closing(sqlite3.connect(db, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = phone.post("/flags", text="who dealt?")
    assert ("the database club.db is locked" in answer.text, SECRET in answer.text) == (True, False)
