"""Tests that our CSV has the same bytes in every language, and JSON the same values but for sentences.

The CSV for a Spanish Excel is Spanish.
"""

import json
import os
import re
import shlex
import shutil
import tempfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner, all_commands
from tourney.domain.events import EventSettings
from tourney.domain.leagues import League
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, bot_seats
from tourney.service.leagues.exchange import Share, play_part
from tourney.service.leagues.leagues import ONE_WORKER
from tourney.service.ratings.editions import PublishEdition
from tourney.service.ratings.pools import ImportResults
from tourney.service.results.flags import RaiseFlag
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seasons.seasons import CountEvents, CreateSeason

SHOWN = (
    *("guide", "guide seating", "player list", "event list", "event show Friday", "round verify Friday"),
    *("event tie-breaks", "event table-points", "season list", "season show", "season standings"),
    *("round show Friday", "round show Friday --why", "round show Friday --by table", "round slips Friday"),
    *("result show Friday", "result show Friday --round 1 --table 1", "result show Friday --round 2 --table 1"),
    *("standings Friday", "standings Friday --round 1", "standings Friday --why Ana", "ruling list Friday"),
    *("seating plan --players 9 --short 'sit out' --rounds 2", "seating judge plan.json", "seating advise --players 7"),
    *("ratings", "rating show Ana", "rating history Ana", "rating explain Ana", "rating predict Ana Carmen"),
    *("rating quality Ana Carmen", "rating whatif Bots", "rating whatif Bots --player greedy-3", "rating editions"),
    *("rating edition", "rating pool", "rating compare --pool long", "rating noise --pool long --shuffles 2"),
    *(
        "bot list",
        "bot check greedy",
        "bot replay game.toml greedy --seat 1",
        "league list",
        "league status",
        "league why random random-2",
        "record show game.toml",
        "record replay game.toml",
    ),
    *(
        "record show game.toml --hand 1",
        "rules list",
        "rules show",
        "rules show knock --quote",
        "rules diff oficial knock",
    ),
    *("rules ruling", "rules ruling misdeal", "log", "log --verbose", "doctor", "db check", "db mirror list"),
    *("rating smooth Ana", "rating peaks --min-games 1", "rating fame", "result flags Friday"),
    *("rating source list --pool long", "rating alias list --pool long", "rating calibration --pool long"),
    *("event presets", "event simulate --players 8 --runs 10"),
    "league pilot --bots random,greedy --gap 50 --games 2 --seats 2 --workers 1",
)
"""Command lines that change nothing, for every command with a table for programs."""
CHANGING = (
    *("round draw Next", "round play Bots", "league resume --workers 1", "league join --bots greedy --workers 1"),
    *("round publish Draft", "league run --bots random,greedy --seats 2 --blocks 1 --workers 1 --seed 1"),
    *("league test greedy random --seats 2 --blocks 64 --workers 1 --seed 1", "league merge all.league"),
)
"""Command lines that change the database."""
QUICK = frozenset(
    {
        "event list",
        "result show Friday --round 1 --table 1",
        "seating judge plan.json",
        "log",
        "rules diff oficial knock",
    }
)


NAMES = ("Ana", "Beñat", "Carmen")


def _make_club(db: str) -> None:
    """Make a database in which every command has something to show."""
    desk.everything(Path(db))
    for name, people, bots in (("Bots", (), "greedy:4"), ("Next", NAMES, ""), ("Draft", NAMES, "")):
        apply(db, CreateEvent(EventSettings(name, "oficial", rounds=2)))
        apply(db, EnterPlayers(name, people, bots=bot_seats(bots)))
    apply(db, CreateSeason("Autumn"))
    apply(db, CountEvents("Autumn", ["Friday"]))
    apply(db, RaiseFlag("Friday", 2, 1, "the clock stands"))
    apply(db, DrawRound("Bots"))
    apply(db, DrawRound("Draft", draft=True))
    games = "".join(f"{game},Eva,{1 + game % 2}\n{game},Iker,{2 - game % 2}\n" for game in range(1, 11))
    races = Path(db).with_name("long.csv")
    races.write_text(f"seq,player,rank\n{games}", encoding="utf-8")
    apply(db, ImportResults(races, "long"))
    apply(db, PublishEdition("people", f"{datetime.now(UTC):%Y-%m-%d}"))


@cache
def _league_file() -> str:
    """Return the file of a league of one block."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.league"
        play_part(str(file), League(("random", "random"), "oficial", 2, "7", 1), Share(1, 1), ONE_WORKER)
        return file.read_text(encoding="utf-8")


@pytest.fixture
def club(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run command lines in a folder with a copy of the database, a plan and a record of a game."""
    monkeypatch.setenv("TOURNEY_DB", desk.copied(tmp_path / "club.db", _make_club))
    monkeypatch.chdir(tmp_path)
    for file, line in (("plan.json", "seating plan --players 9 --json"), ("game.toml", "league record")):
        Path(file).write_text(run(*shlex.split(line)).out, encoding="utf-8")
    Path("all.league").write_text(_league_file(), encoding="utf-8")
    return run


SENTENCES = frozenset(
    {
        *("title", "about", "text"),  # a page of the guide, a page of rules, and its sections
        *("section", "words", "steps", "found", "advice"),  # what an arbiter does, and what `doctor` finds
        *("why", "does", "said", "detail"),  # a rank, a bot, a change, what a probe found
        "explanation",  # a tie-break
    }
)
"""The fields of JSON with sentences for people, which are in their language."""
ALSO = {"event tie-breaks": frozenset({"name"})}
"""Fields that have sentences for people in the JSON of one command only."""
MEASURED = re.compile(r"(?<=answer: )\d+\.\d+ s$", re.MULTILINE)
"""A bot's slowest answer, which differs from one run to the next; in CSV it has a point in every language."""


def in_language(run: Runner, language: str, line: str, *options: str) -> Ran:
    """Run the command in a language."""
    return run("--lang", language, *shlex.split(line), *options)


def in_both(run: Runner, line: str) -> tuple[Ran, Ran]:
    """Run the command in English and in Spanish, each on the same database."""
    db = Path(os.environ["TOURNEY_DB"])
    kept = shutil.copy(db, db.with_suffix(".kept"))
    answers = []
    for language in ("en", "es"):
        shutil.copy(kept, db)
        for log in db.parent.glob("club.db-*"):
            log.unlink()
        answers.append(in_language(run, language, line, "--format", "csv"))
    return answers[0], answers[1]


@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=() if line in QUICK else pytest.mark.slow) for line in (*SHOWN, *CHANGING)]
)
def test_csv_has_the_same_bytes_for_every_reader(club: Runner, line: str) -> None:
    """English words and points in the numbers: one program reads it, whatever a desk's computer speaks."""
    english, spanish = in_both(club, line)
    assert english.code in (0, 1), english.err
    assert english.out
    assert (spanish.code, steady(spanish.out)) == (english.code, steady(english.out))


def steady(text: str) -> list[str]:
    """Return the lines of CSV but those of `doctor` on the time and on the room on the disk, and without seconds."""
    lines = MEASURED.sub("… s", text).splitlines(keepends=True)
    return [line for line in lines if not line.startswith(("clock,", "space,"))]


def coded(value: Any, sentences: frozenset[str]) -> Any:
    """Return a value of JSON with nothing of sentences but whether they are empty."""
    if isinstance(value, dict):
        return {key: bool(each) if key in sentences else coded(each, sentences) for key, each in value.items()}
    return [coded(each, sentences) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=() if line in QUICK else pytest.mark.slow) for line in SHOWN]
)
def test_json_has_the_same_coded_values_for_every_reader(club: Runner, line: str) -> None:
    english, spanish = (in_language(club, each, line, "--json").json for each in ("en", "es"))
    sentences = SENTENCES | ALSO.get(line, frozenset())
    assert json.dumps(coded(spanish, sentences)) == json.dumps(coded(english, sentences))


@pytest.mark.slow
def test_csv_of_a_damaged_mirror_has_the_same_bytes_for_every_reader(club: Runner, tmp_path: Path) -> None:
    """The fault of a mirror is a sentence."""
    (tmp_path / "stick").mkdir()
    assert club("db", "mirror", "add", "stick").code == 0
    (journal,) = (tmp_path / "stick").glob("*-mirror.txt")
    journal.write_text(journal.read_text(encoding="utf-8").replace("Friday", "Fryday", 1), encoding="utf-8")
    english, spanish = (in_language(club, each, "db mirror list", "--format", "csv") for each in ("en", "es"))
    assert "damaged lines" in english.out
    assert (english.code, spanish.code, spanish.out) == (1, 1, english.out)


def test_every_command_with_csv_is_compared() -> None:
    offered = {
        " ".join(path)
        for path, command in all_commands()
        for param in command.params
        if "csv" in getattr(param.type, "choices", ())
    }
    lines = (*SHOWN, *CHANGING)
    assert [path for path in sorted(offered) if not any(f"{line} ".startswith(f"{path} ") for line in lines)] == []
    assert set(lines) >= QUICK


@pytest.mark.parametrize(("form", "word"), [("csv", "stands"), ("csv-es", "vigente"), ("table", "vigente")])
def test_words_of_cells_are_spanish_where_people_read_them(club: Runner, form: str, word: str) -> None:
    """A spreadsheet in Spanish is for people."""
    assert word in in_language(club, "es", "ruling list Friday", "--format", form).out


def test_notes_beside_csv_stay_in_the_readers_language(club: Runner) -> None:
    """Notes go to standard error."""
    answered = in_language(club, "es", "standings Friday", "--format", "csv")
    assert "No todos han jugado el mismo número de partidas" in answered.err


def test_a_file_of_csv_has_the_bytes_of_standard_output(club: Runner, tmp_path: Path) -> None:
    printed = in_language(club, "en", "ruling list Friday", "--format", "csv").out
    assert in_language(club, "es", "ruling list Friday", "--output", "rulings.csv").code == 0
    assert (tmp_path / "rulings.csv").read_text(encoding="utf-8") == printed
