"""Tests of events in which classes and programs play: entering them, playing their tables, and files that changed."""

import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.bots.own_bots import PASSES, write_bot
from tests.harness.bots.sandboxed import SANDBOXED
from tests.harness.commands import Ran, Runner
from tourney.bots.isolation import proof
from tourney.bots.isolation.enclosure import interpreter_reads
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import League
from tourney.rulebook.records import replay_record
from tourney.service import bots, database
from tourney.service.change import apply
from tourney.service.leagues.leagues import StartLeague, checked

PROGRAM = """
import shutil
import sys
for line in sys.stdin:
    if line.startswith("tourney"):
        print("hello 1 first 1\\nclaims none\\nready", flush=True)
    elif line.startswith("ask"):
        print(1, flush=True)
    elif line.startswith("bye"):
        break
"""
FIELD = """
[[bot]]
name = "careful"
entrant = "mine.py:Mine"
limits = { action = 0.5 }

[[bot]]
entrant = "greedy"
"""

Club = Callable[..., Ran]


@pytest.fixture
def folder(folder: Path) -> Path:
    """An author's folder with a class, a program and an entrants file, from which commands are given."""
    for name, source in {"mine.py": PASSES, "program.py": PROGRAM, "field.toml": FIELD}.items():
        write_bot(folder, name, source)
    return folder


@pytest.fixture
def club(run: Runner, folder: Path) -> Club:
    """A function that runs a command with one database, in which an event for four begins."""
    db = str(folder / "club.db")
    run("event", "new", "Bots", "--rounds", "1", "--size", "4", "--seed", "7", "--db", db)
    return lambda *words: run(*words, "--db", db)


def entered(club: Club, bots: str) -> list[str]:
    """Enter bots, draw a round, and return the names of their seats."""
    result = club("event", "enter", "Bots", "--bots", bots, "--json")
    assert result.code == 0, result.err
    assert club("round", "draw", "Bots").code == 0
    seats: list[str] = club("event", "show", "Bots", "--json").json["entrants"]
    return seats


def records(db: Path) -> list[str]:
    return [text for (text,) in desk.query(str(db), "SELECT text FROM record")]


@pytest.mark.parametrize(
    ("bots", "seats"),
    [
        pytest.param(
            "mine.py:Mine:2,greedy:2", ["mine.py:Mine-1", "mine.py:Mine-2", "greedy-1", "greedy-2"], id="class"
        ),
        pytest.param(
            f"cmd:{sys.executable} program.py:1,random:3",
            [f"cmd:{sys.executable} program.py-1", "random-1", "random-2", "random-3"],
            id="program",
        ),
        pytest.param("@field.toml,random:2", ["careful-1", "greedy-1", "random-1", "random-2"], id="a field"),
        pytest.param("@field.toml:2", ["careful-1", "careful-2", "greedy-1", "greedy-2"], id="a field twice"),
    ],
)
def test_bots_of_ones_own_play_an_event(club: Club, folder: Path, bots: str, seats: list[str]) -> None:
    """The record of their table replays to the result, and the database is sound."""
    assert entered(club, bots) == seats
    played = club("round", "play", "Bots")
    assert (played.code, played.err) == (0, "")
    (record,) = records(folder / "club.db")
    points = {row["player"]: row["points"] for row in club("standings", "Bots", "--json").json}
    outcome = replay_record(record)
    assert sorted(outcome.points) == sorted(points.values())
    assert sorted(points) == sorted(seats)
    assert database.check(str(folder / "club.db")).problems == ()


MARKS = """import pathlib
from tourney.bots import Bot
try:
    pathlib.Path({mark!r}).touch()
except OSError:
    pass
class Mine(Bot):
    pass
"""


@pytest.fixture
def mark(folder: Path) -> Path:
    """The file that the class of `mine.py` makes where nothing keeps it from that."""
    mark = folder.parent / "outside"
    write_bot(folder, source=MARKS.format(mark=str(mark)))
    return mark


@SANDBOXED
def test_a_class_enters_and_plays_at_the_level_that_is_asked_for(club: Club, mark: Path) -> None:
    """The code of a class runs when it enters, since it says its parameters then."""
    level = ("--isolation", "sandbox")
    ran = club("event", "enter", "Bots", "--bots", "mine.py:Mine:2,random:2", *level)
    assert ran.code == 0, ran.err
    assert club("round", "draw", "Bots").code == 0
    refused = club("round", "play", "Bots")
    assert (refused.code, "not trusted here" in refused.err) == (ExitCode.REFUSED, True), refused.err
    played = club("round", "play", "Bots", *level)
    assert (played.code, mark.exists()) == (0, False), played.err


PROVED_FIRST = {
    "enter": ("event", "enter", "Bots", "--bots", "mine.py:Mine:2"),
    "pilot": ("league", "pilot", "--bots", "mine.py:Mine,random", "--gap", "5", "--seats", "2", "--workers", "1"),
}


@SANDBOXED
@pytest.mark.parametrize("command", PROVED_FIRST)
def test_no_code_of_a_class_runs_behind_a_wall_that_leaks(
    command: str, run: Runner, club: Club, folder: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder with the journal, where also the class makes its mark, is shown to the probes."""
    monkeypatch.setenv("TOURNEY_DB", str(folder / "club.db"))
    monkeypatch.setattr(proof, "interpreter_reads", lambda: (*interpreter_reads(), str(folder)))
    refused = run(*PROVED_FIRST[command], "--isolation", "sandbox")
    assert (refused.code, mark.exists()) == (ExitCode.REFUSED, False), refused.err
    assert "the level sandbox does not hold here" in refused.err
    assert club("event", "show", "Bots", "--json").json["entrants"] == []


def test_the_file_of_an_event_does_not_say_where_its_folder_is(
    club: Club, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots from a folder elsewhere have the way there from the one in which the command is given."""
    here = folder / "evening"
    here.mkdir()
    monkeypatch.chdir(here)
    assert club("event", "enter", "--bots", "@../field.toml").code == 0
    assert club("event", "export", "--output", "bots.event").code == 0
    text = (here / "bots.event").read_text(encoding="utf-8")
    assert "mine.py:Mine" in text
    assert str(folder) not in text


def test_a_table_is_played_the_same_again(club: Club, folder: Path) -> None:
    """After an undo the same bots, files and seed give the same record."""
    entered(club, "mine.py:Mine:2,random:2")
    club("round", "play", "Bots")
    first = records(folder / "club.db")
    club("undo")
    club("round", "play", "Bots")
    assert records(folder / "club.db") == first


@pytest.mark.parametrize("way", ["void", "undo", "cancel"])
def test_a_table_whose_record_was_shown_is_dealt_other_cards(run: Runner, folder: Path, way: str) -> None:
    """A bot that enters then knew every card; a seed that somebody gave is known anyway, and stays."""
    db = str(folder / "drawn.db")

    def club(*words: str) -> Ran:
        return run(*words, "--db", db)

    assert club("event", "new", "Bots", "--rounds", "1", "--size", "4").code == 0
    entered(club, "mine.py:Mine:2,random:2")
    void = ("result", "void", "Bots", "--table", "1", "--reason", "again")
    cancel = ("round", "cancel", "Bots", "--reason", "again")
    ways = {"void": [void], "undo": [("undo",)], "cancel": [void, cancel, ("round", "draw", "Bots")]}
    for _time in range(2):
        assert club("round", "play", "Bots").code == 0
        for words in ways[way]:
            assert club(*words).code == 0
    assert club("round", "play", "Bots").code == 0
    seeds = [re.search(r"^seed = .*$", text, re.MULTILINE) for text in records(folder / "drawn.db")]
    assert len({found[0] for found in seeds if found}) == 3


@pytest.mark.parametrize(
    ("damage", "code", "words"),
    [
        pytest.param(lambda file: file.write_text(PASSES + "#\n"), ExitCode.REFUSED, "has changed", id="changed"),
        pytest.param(lambda file: file.unlink(), ExitCode.NOT_FOUND, "there is no file", id="gone"),
    ],
)
def test_a_file_that_is_not_as_it_was_is_refused_and_nothing_is_played(
    club: Club, folder: Path, damage: Callable[[Path], object], code: ExitCode, words: str
) -> None:
    """Put back, the file plays again."""
    entered(club, "mine.py:Mine:2,greedy:2")
    damage(folder / "mine.py")
    refused = club("round", "play", "Bots")
    assert (refused.code, refused.out) == (code, "")
    assert words in refused.err
    assert "mine.py" in refused.err
    assert "put it back as it was" in refused.err
    assert "tourney event withdraw --out" in refused.err
    assert refused.err.count("\n") == 2
    assert records(folder / "club.db") == []
    (folder / "mine.py").write_text(PASSES, encoding="utf-8")
    assert club("round", "play", "Bots").code == 0


def test_the_files_of_bots_that_have_nothing_to_play_do_not_matter(club: Club, folder: Path) -> None:
    entered(club, "mine.py:Mine:2,greedy:2")
    club("round", "play", "Bots")
    (folder / "mine.py").unlink()
    assert club("round", "play", "Bots").code == 0
    assert club("standings", "Bots").code == 0


def test_faults_are_said_and_the_fallback_plays(club: Club, folder: Path) -> None:
    (folder / "mine.py").write_text(PASSES.replace("return PASS if PASS in legal else legal[-1]", "return None"))
    entered(club, "mine.py:Mine:1,greedy:3")
    played = club("round", "play", "Bots")
    assert played.code == 0
    assert "round 1, table 1, mine.py:Mine-1: unreadable: NoneType is not an action" in played.err


def test_a_copied_event_has_the_bots_of_the_other(club: Club, folder: Path) -> None:
    entered(club, "mine.py:Mine:2,greedy:2")
    assert club("event", "new", "Again", "--from", "Bots").code == 0
    club("round", "draw", "Again")
    assert club("round", "play", "Again").code == 0
    assert len(records(folder / "club.db")) == 1


def test_an_event_file_carries_the_digests_and_no_folder(club: Club, folder: Path, run: Runner) -> None:
    entered(club, "mine.py:Mine:2,@field.toml:1")
    text = club("event", "export", "Bots").out
    assert str(folder) not in text
    (folder / "bots.event").write_text(text, encoding="utf-8")
    other = str(folder / "other.db")
    assert run("event", "import", str(folder / "bots.event"), "--yes", "--db", other).code == 0
    assert run("round", "play", "Bots", "--db", other).code == 0
    club("round", "play", "Bots")
    assert records(folder / "other.db") == records(folder / "club.db")


@pytest.mark.parametrize(
    ("bots", "code", "word"),
    [
        pytest.param("mine.py:Mine", ExitCode.USAGE, "does not name bots and seats", id="no number"),
        pytest.param("mine.py:Other:2", ExitCode.NOT_FOUND, "Other", id="no such class"),
        pytest.param("none.py:Mine:2", ExitCode.NOT_FOUND, "none.py", id="no such file"),
        pytest.param("@none.toml", ExitCode.NOT_FOUND, "none.toml", id="no such field"),
        pytest.param("mine.py:Mine:0", ExitCode.USAGE, "mine.py:Mine:0", id="none"),
        pytest.param("cmd::2", ExitCode.USAGE, "cmd:", id="no command"),
    ],
)
def test_bots_that_are_not_there_are_refused_in_one_line(club: Club, bots: str, code: int, word: str) -> None:
    result = club("event", "enter", "Bots", "--bots", bots)
    assert (result.code, result.out) == (code, ""), result.err
    assert word in result.err
    assert result.err.count("\n") == 2


def test_another_bot_of_the_same_name_is_refused(club: Club, folder: Path) -> None:
    club("event", "enter", "Bots", "--bots", "mine.py:Mine:1")
    (folder / "mine.py").write_text(PASSES + "#\n", encoding="utf-8")
    result = club("event", "enter", "Bots", "--bots", "mine.py:Mine:2")
    assert (result.code, "another bot called “mine.py:Mine”" in result.err) == (ExitCode.CONFLICT, True)


MODULE = Path(__file__).resolve().parents[3] / "fixtures" / "modules" / "starter.wasm"


def test_a_module_plays_an_event_behind_a_proved_wall(club: Club, folder: Path) -> None:
    """The event's seed was given, of which its organiser is warned; the record replays to the result."""
    shutil.copy(MODULE, folder)
    entered(club, "wasm:starter.wasm:2,random:2")
    played = club("round", "play", "Bots")
    assert played.code == 0
    assert "the seed 7 was given, so it is public" in played.err
    (record,) = records(folder / "club.db")
    points = {row["player"]: row["points"] for row in club("standings", "Bots", "--json").json}
    assert sorted(replay_record(record).points) == sorted(points.values())


def test_nothing_is_played_where_a_wall_does_not_hold(
    club: Club, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(MODULE, folder)
    entered(club, "wasm:starter.wasm:2,random:2")
    monkeypatch.setattr(bots, "_proved", set())
    monkeypatch.setattr(bots, "_leaks", lambda *_tried: ("journal",))
    refused = club("round", "play", "Bots")
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    assert "the level wasm does not hold here" in refused.err
    assert records(folder / "club.db") == []


def test_an_event_file_keeps_what_runs_a_module(club: Club, folder: Path, run: Runner) -> None:
    """The module plays in the copy as it would have here."""
    shutil.copy(MODULE, folder)
    entered(club, "wasm:starter.wasm:2,random:2")
    path = str(folder / "bots.event")
    assert club("event", "export", "Bots", "--output", path).code == 0
    other = str(folder / "other.db")
    imported = run("event", "import", path, "--db", other)
    assert imported.code == 0, imported.err
    assert club("round", "play", "Bots").code == run("round", "play", "Bots", "--db", other).code == 0
    assert records(folder / "other.db") == records(folder / "club.db") != []


STARTING = {
    "enter": ("event", "enter", "--bots", "mine.py:Mine:4"),
    "run": ("league", "run", "--bots", "mine.py:Mine,cmd:python3 program.py", "--blocks", "1", "--seats", "2"),
    "join": ("league", "join", "--bots", "mine.py:Mine,cmd:python3 program.py"),
}


@pytest.mark.parametrize("command", STARTING)
def test_no_process_begins_while_the_database_is_locked(
    command: str, club: Club, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that sleeps when it starts kept every desk and command from writing."""
    apply(str(folder / "club.db"), StartLeague(checked(League(("greedy", "random"), "oficial", 2, "", 1))))
    started, free = subprocess.Popen.__init__, list[bool]()

    def watched(process: subprocess.Popen[bytes], *words: Any, **options: Any) -> None:
        with closing(sqlite3.connect(folder / "club.db", timeout=0)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                free.append(False)
            else:
                free.append(True)
        started(process, *words, **options)

    monkeypatch.setattr(subprocess.Popen, "__init__", watched)
    assert club(*STARTING[command]).code == 0
    assert free
    assert all(free)
