"""Tests that every change says who made it: in the journal's text, and in log, rulings and sheets."""

import json
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.storage.check import check_database

SHEET = tuple(
    word for contract in desk.CONTRACTS for word in ("--hand", f"{contract} Ana=0 Beñat=20 Carmen=30 Diego=40")
)
EVENING: tuple[tuple[str, ...], ...] = (
    ("player", "import", str(desk.CLUB / "players.csv")),
    ("event", "import", "Old", "--sheets", str(desk.CLUB / "score-sheets.csv"), "--rules", "oficial"),
    ("event", "new", "Friday", "--rounds", "1"),
    ("event", "enter", "Friday", "Ana", "Beñat", "Carmen", "Diego", "--bots", "greedy:4"),
    ("event", "constrain", "Friday", "--together", "Ana,Beñat,Carmen,Diego"),
    ("round", "draw", "Friday"),
    ("round", "play", "Friday"),
    ("undo",),
    ("redo",),
    ("rating", "pool", "set", "people", "--mu", "30"),
    ("league", "run", "--bots", "random,random", "--seats", "2", "--blocks", "1", "--workers", "1"),
    ("league", "join", "--bots", "random", "--workers", "1"),
)
"""Commands of every way in which changes reach the journal, those aside that need a table's number."""


def _authors(db: str) -> list[str | None]:
    return [json.loads(text).get("by") for (text,) in desk.query(db, "SELECT text FROM act ORDER BY number")]


def test_every_entry_of_every_command_has_its_author(db: str, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0
    for number, words in enumerate(EVENING):
        monkeypatch.setenv("TOURNEY_BY", f"desk {number}")
        ran = run(*words)
        assert ran.code == 0, ran.err
        authors = _authors(db)
        assert len(authors) > written, words
        assert set(authors[written:]) == {f"desk {number}"}, words
        written = len(authors)
    assert check_database(db).problems == ()


def test_a_restore_that_erases_names_again_says_who_did_it(
    db: str, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("player", "add", "Ana", "Beñat")
    backup = run("db", "backup", "--json").json["path"]
    run("player", "erase", "Ana")
    monkeypatch.setenv("TOURNEY_BY", "the office")
    assert run("db", "restore", backup).code == 0
    assert _authors(db) == ["desk", "the office"]


def test_log_rulings_and_sheets_show_who_did_it(db: str, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    spot = ("Friday", "--round", "1", "--table", "1")
    ruling = ("ruling", "add", "Friday", "--kind", "note", "--reason", "a marked card")
    evening = (
        ("desk", ("player", "add", "Ana", "Beñat", "Carmen", "Diego")),
        ("desk", ("event", "new", "Friday", "--rounds", "1")),
        ("desk", ("event", "enter", "Friday", "Ana", "Beñat", "Carmen", "Diego")),
        ("desk", ("round", "draw", "Friday")),
        ("table 1", ("result", "enter", *spot, *SHEET)),
        (
            "desk 2",
            ("result", "correct", *spot, "--reason", "misread", *SHEET[:-1], "EEE Ana=0 Beñat=20 Carmen=30 Diego=45"),
        ),
        ("arbiter", ruling),
        ("office", ("ruling", "cancel", "Friday", "1", "--reason", "settled")),
    )
    for by, words in evening:
        monkeypatch.setenv("TOURNEY_BY", by)
        ran = run(*words)
        assert ran.code == 0, ran.err
    assert [line["by"] for line in run("log", "--json").json] == [by for by, _words in evening]
    assert run("log", "--last", "1", "--format", "csv").out.splitlines()[1].endswith(",office")
    (listed,) = run("ruling", "list", "Friday", "--json").json
    assert (listed["by"], listed["cancelled_by"]) == ("arbiter", "office")
    assert "arbiter" in run("ruling", "list", "Friday").out
    shown = run("result", "show", *spot)
    assert "entered by table 1, corrected by desk 2" in shown.out
    history = run("result", "show", *spot, "--json").json["history"]
    assert [(each["kind"], each["by"], each["reason"]) for each in history] == [
        ("entered", "table 1", ""),
        ("corrected", "desk 2", "misread"),
    ]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param("  desk \t 1 ", "desk 1", id="blanks"),
        pytest.param("Mesa de Íñigo", "Mesa de Íñigo", id="accents"),
        pytest.param("I\u0301", "Í", id="composed"),
        pytest.param("x" * 80, "x" * 80, id="longest"),
    ],
)
def test_the_author_is_tidied_as_names_are(
    db: str, run: Runner, monkeypatch: pytest.MonkeyPatch, given: str, kept: str
) -> None:
    monkeypatch.setenv("TOURNEY_BY", given)
    assert run("player", "add", "Ana").code == 0
    assert _authors(db) == [kept]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param("desk\x1b[2J", "TOURNEY_BY: the author contains an invisible character (U+001B)", id="escape"),
        pytest.param(
            "desk\u202e1", "TOURNEY_BY: the author contains an invisible character (U+202E)", id="right to left"
        ),
        pytest.param("desk\udcff", "TOURNEY_BY: the author contains an invisible character (U+DCFF)", id="not UTF-8"),
        pytest.param("x" * 81, "TOURNEY_BY: the author “xxxxxxxxxxxxxxxxxxxx…” has 81 characters", id="too long"),
    ],
)
def test_an_author_that_cannot_be_shown_is_refused_in_one_line(
    db: str, run: Runner, monkeypatch: pytest.MonkeyPatch, given: str, message: str
) -> None:
    monkeypatch.setenv("TOURNEY_BY", given)
    ran = run("player", "add", "Ana")
    assert (ran.code, ran.out, ran.err.splitlines()[0]) == (1, "", f"error: {message}")
    assert not Path(db).exists()


@pytest.mark.parametrize(
    ("user", "kept"),
    [
        pytest.param(lambda: "miren", "miren", id="a user"),
        pytest.param(lambda: {}["uid 12345 has no entry"], "unknown", id="no entry for the user"),
        pytest.param(lambda: (_ for _ in ()).throw(OSError("no user name")), "unknown", id="newer Pythons"),
        pytest.param(lambda: "a\x07b", "unknown", id="a name with a bell in it"),
    ],
)
def test_without_a_name_given_the_author_is_the_user(
    db: str, run: Runner, monkeypatch: pytest.MonkeyPatch, user, kept: str
) -> None:
    monkeypatch.setenv("TOURNEY_BY", " ")
    monkeypatch.setattr("getpass.getuser", user)
    assert run("player", "add", "Ana").code == 0
    assert _authors(db) == [kept]


def test_a_database_of_before_shows_no_author_and_goes_on_with_one(
    db: str, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is a recorded one, written by the program of an older version."""
    from tests.harness.recorded import OLD_DATABASE, load

    load(OLD_DATABASE, Path(db))
    assert run("db", "upgrade").code == 0
    before = _authors(db)
    assert set(before) == {None}
    log = run("log")
    assert "By" not in log.out.splitlines()[1]
    assert run("undo").code == 0
    assert _authors(db) == [*before, "desk"]
    assert run("db", "check").code == 0
