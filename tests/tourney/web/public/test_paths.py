"""Tests of pages for everybody and for tables: none of them says where files of the organiser lie."""

import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
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
from tourney.domain.events import EventSettings
from tourney.domain.league_tables import LeagueMachine
from tourney.domain.leagues import public_names
from tourney.reports.documents import SPREADSHEETS
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent, bot_seats
from tourney.service.leagues import leagues
from tourney.service.players import RegisterPlayers
from tourney.service.results import results
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import MovePlayer, Swap
from tourney.service.web import access
from tourney.web.pages.site import event_site, pool_site

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


FAILS = """
from tourney.bots import Bot

class Mine(Bot):
    def choose(self, view, legal):
        open({path!r})
"""


def test_pages_of_leagues_show_faults_and_not_where_their_files_are(
    db: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot looks for a file that lies beside its own folder, and the error has the whole path."""
    monkeypatch.chdir(db.parent)
    missing = db.parent / "beside" / "state.bin"
    (db.parent / "mine.py").write_text(FAILS.format(path=str(missing)), encoding="utf-8")
    words = ("--seats", "2", "--blocks", "1", "--isolation", "trusted", "--db", str(db))
    assert run("league", "run", "--bots", "greedy,mine.py:Mine", *words).code == 0
    with client(str(db)) as pages:
        answer = pages.get("/leagues/1")
    assert (answer.status_code, "state.bin" in answer.text, SECRET in answer.text) == (200, True, False)


@pytest.fixture
def mixed(db: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of that database where an event of two people and two bots, each at a table with a bot, is played."""
    monkeypatch.chdir(db.parent)
    for name in ("one", "two"):
        Path(name).mkdir()
        Path(name, "bot.py").write_text(PROGRAM, encoding="utf-8")
    bots = ",".join(f"cmd:python3 '{db.parent}/{name}/bot.py':1" for name in ("one", "two"))
    apply(str(db), CreateEvent(EventSettings("Saturday", "oficial", rounds=2)))
    apply(str(db), EnterPlayers("Saturday", desk.NAMES[:2], bots=bot_seats(bots)))
    apply(str(db), UseEvent("Saturday"))
    people, seated = apply(str(db), DrawRound()).rounds[0].tables
    apply(str(db), MovePlayer(None, people.players[0].name, Swap(seated.players[0].name)))
    return db


NAMES = ("cmd:python3 bot.py-1", "cmd:python3 bot.py (2)-1")


def test_nobody_but_the_desk_reads_where_a_bot_at_an_event_is(mixed: Path) -> None:
    """Hall, projector, ratings and the site named the whole path; two bots that read alike are told apart."""
    db = str(mixed)
    for table in rounds.show(db).rounds[0].tables:
        desk.enter(db, table)
    hall = ("/", "/seating", "/tables", "/players", "/screen", "/players/3", "/tables/1/1", "/pools/bots")
    with client(db) as pages, desk_client(db) as at_desk:
        shown = {path: pages.get(path).text for path in (*hall, "/next", "/pools/people")}
        shown |= {file: text.decode() for file, text in {**event_site(db, None), **pool_site(db, "bots")}.items()}
        assert SECRET in at_desk.get("/desk/people").text
    assert [path for path, text in shown.items() if SECRET in text] == []
    assert [path for path in hall[:5] for name in NAMES if name not in shown[path]] == []
    assert NAMES[0] in shown["/players/3"]


PAPER = (
    *(("print", name) for name in ("standings", "certificates", "signs", "wall", "slips")),
    ("standings", "--format", "html"),
)


@pytest.mark.parametrize("words", PAPER, ids=" ".join)
def test_nothing_that_is_handed_out_says_where_a_bot_is(mixed: Path, run: Runner, words: tuple[str, ...]) -> None:
    """Signs lie on the tables, and certificates are given away; the second round is a draft, and printed."""
    db = str(mixed)
    for table in rounds.show(db).rounds[0].tables:
        desk.enter(db, table)
    apply(db, DrawRound(draft=True))
    file = mixed.parent / "paper.html"
    assert run(*words, "--output", str(file), "--db", db).code == 0
    text = file.read_text(encoding="utf-8")
    assert (SECRET in text, "bot.py" in text) == (False, True)


@pytest.mark.parametrize("name", SPREADSHEETS)
def test_no_spreadsheet_of_the_desk_says_where_a_bot_is(mixed: Path, name: str) -> None:
    db = str(mixed)
    for table in rounds.show(db).rounds[0].tables:
        desk.enter(db, table)
    with desk_client(db) as at_desk:
        text = at_desk.get(f"/desk/paper/files/{name}.csv").text
    assert (SECRET in text, "bot.py" in text) == (False, True)


def test_the_page_of_a_league_names_no_worker_of_a_scheduler(
    db: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names of workers have addresses at which anybody can run programs; `league status` has them."""
    worker = LeagueMachine(
        "second (tcp://127.0.0.1:44785)", "left out", "", 1, 0, 0, 0.0, why=f"no room in {db.parent}"
    )
    assert run("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--db", str(db)).code == 0
    real = leagues.status
    monkeypatch.setattr(leagues, "status", lambda *given: replace(real(*given), machines=(worker,)))
    assert "44785" in run("league", "status", "1", "--db", str(db)).out
    with client(str(db)) as pages:
        text = pages.get("/leagues/1").text
    assert ("44785" in text, SECRET in text, "greedy" in text) == (False, False, True)


def test_phones_at_a_bot_s_table_name_it_without_its_folder_and_enter_its_result(mixed: Path) -> None:
    db = str(mixed)
    players = rounds.show(db).rounds[0].tables[0].players
    bot = next(seat for seat, player in enumerate(players, 1) if player.kind == "bot")
    person = next(seat for seat, player in enumerate(players, 1) if player.kind == "person")
    with client(db, entry=True) as pages:
        token = access.grant_tables(db, None)[0].token
        third = Phone(pages, token)
        third.get()
        ours, other = Phone(pages, token, bot), Phone(pages, token, person)
        answers = [third.post("/who", seat=str(bot)), other.get(), other.get("/who"), ours.get()]
        assert "another phone has the seat of cmd:python3 bot.py" in answers[0].text
        names = [player.shown for player in players]
        ours.type_sheet(names, desk.hands(names))
        answers += [ours.send(), other.get()]
        fields = {name: other.field(name) for name in ("id", "digest")}
        answers.append(other.shown("/confirm", **fields))
        assert [SECRET in answer.text for answer in answers] == [False] * len(answers)
        for page in ("/me", "/"):
            assert NAMES[players[bot - 1].name.count("two")] in ours._ask("GET", page).text
    assert len(results.show(db)) == 1


@pytest.mark.parametrize(
    ("bots", "shown"),
    [
        (("greedy", "search:samples=5", "mine.py:Mine"), ("greedy", "search:samples=5", "mine.py:Mine")),
        (("cmd:/a/bot", "cmd:/b/bot", "cmd:bot"), ("cmd:bot (2)", "cmd:bot (3)", "cmd:bot")),
        (("cmd:bot --x='/a b/c' '/d e/f g'",), ("cmd:bot c 'f g'",)),
        (("cmd:'/o'\"'\"'hara/my bots/bot'", "cmd:/a\\ b/c"), ("cmd:bot", "cmd:c")),
        (("wasm:/a b/c.wasm", "../a b/mine.py:Mine", "C:\\a\\b.py:Mine"), ("wasm:c.wasm", "mine.py:Mine", "b.py:Mine")),
        (("cmd:'/a b/c", "cmd:bot /a/b/"), ("cmd:c", "cmd:bot")),
    ],
)
def test_a_bot_s_public_name_has_the_last_part_of_each_path(bots: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert public_names(bots) == dict(zip(bots, shown, strict=True))


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
