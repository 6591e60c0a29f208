"""Tests of the files of leagues: what is exported is imported with the same hash and table, or refused."""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.leagues.lines import more_points, values_of, written
from tests.harness.leagues.small_league import LEAGUE, same_outcome
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.domain.league_tables import LeagueTable
from tourney.domain.leagues import GapTest, League
from tourney.league import statistics
from tourney.service import database
from tourney.service.change import apply
from tourney.service.leagues import comparisons, leagues
from tourney.service.leagues.exchange import ImportLeague, export_league
from tourney.service.leagues.league_file import without_folders
from tourney.storage.league_blocks import Blocks

STARTER = Path(__file__).resolve().parents[4] / "fixtures" / "modules" / "starter.wasm"
BAD_CLASS = "from tourney.bots import Bot\nclass Bad(Bot):\n    def choose(self, view, legal):\n        return None\n"
FIELD = """
[[bot]]
name = "bad"
entrant = "bad.py:Bad"
limits = { action = 1.5 }

[[bot]]
name = "plain"
entrant = "random"

[[bot]]
name = "module"
entrant = "wasm:starter.wasm"
limits = { fuel = 500_000_000 }
"""


def exported(db: str, path: Path, number: int | None = None) -> Path:
    """Write a league of a database to the file, and return it."""
    with path.open("w", encoding="utf-8") as file:
        export_league(db, number, file.write)
    return path


def make_db(path: str) -> None:
    """A database with one small league, whose records are kept."""
    leagues.run(path, replace(LEAGUE, records="all"))


@pytest.fixture
def file(db: str, tmp_path: Path) -> Path:
    return exported(db, tmp_path / "a.league")


@pytest.fixture
def other(tmp_path: Path) -> str:
    """The path of another database, which is not there yet."""
    return str(tmp_path / "other.db")


LEAGUES = {
    "pairs": LEAGUE,
    "a knock game": replace(LEAGUE, rules="knock", blocks=2),
    "a book": replace(LEAGUE, book=("a", "b"), blocks=2),
    "a test": replace(LEAGUE, test=GapTest(0.0, 0.5)),
    "until certain": replace(LEAGUE, certainty="0.9", design="replace"),
    "another cost of a fault": replace(LEAGUE, fault_cost=0, isolation="process", blocks=1),
    "a gauntlet": replace(LEAGUE, bots=("greedy", "random", "greedy"), design="gauntlet", blocks=1),
}


@pytest.mark.parametrize("league", LEAGUES.values(), ids=LEAGUES)
def test_a_copy_has_the_same_hash_and_table(
    league: League, tmp_path: Path, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "FIRST_LOOK", 4)
    here = str(tmp_path / "here.db")
    table = leagues.run(here, league)
    outcome = apply(other, ImportLeague((exported(here, tmp_path / "a.league"),)))
    assert (outcome.new, outcome.added) == (True, len(desk.query(here, "SELECT block FROM league_block")))
    assert same_outcome(leagues.status(other), table)
    assert leagues.resume(other) == leagues.status(other)
    assert database.check(other).problems == ()


def test_a_copy_has_the_records_and_can_be_exported_again(db: str, file: Path, other: str, tmp_path: Path) -> None:
    apply(other, ImportLeague((file,)))
    for block in (1, 2, 3, 4):
        assert comparisons.record(other, 1, block, 2) == comparisons.record(db, 1, block, 2)
    assert exported(other, tmp_path / "again.league").read_bytes() == file.read_bytes()


def test_faults_are_copied(tmp_path: Path, other: str) -> None:
    (tmp_path / "bad.py").write_text(BAD_CLASS)
    here = str(tmp_path / "here.db")
    table = leagues.run(here, replace(LEAGUE, bots=(f"{tmp_path}/bad.py:Bad", "random"), blocks=1))
    assert table.faults
    apply(other, ImportLeague((exported(here, tmp_path / "a.league"),)))
    assert same_outcome(leagues.status(other), table)


def test_bots_of_every_kind_are_copied_with_their_limits_levels_and_costs(
    tmp_path: Path, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class at the level process, a built-in bot under another name, and a module with less fuel than is usual."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(STARTER, tmp_path)
    Path("bad.py").write_text(BAD_CLASS, encoding="utf-8")
    Path("field.toml").write_text(FIELD, encoding="utf-8")
    here = str(tmp_path / "here.db")
    league = replace(LEAGUE, bots=("@field.toml",), isolation="process", fault_cost=35, blocks=1, seed="")
    table = leagues.run(here, league)
    class_, module = table.bots[-1], next(bot for bot in table.bots if bot.fuel)
    assert (class_.bot, class_.isolation, module.isolation) == ("bad", "process", "wasm")
    assert class_.faults_by_kind[1] == class_.faults > 0
    outcome = apply(other, ImportLeague((exported(here, tmp_path / "a.league"),)))
    assert (outcome.new, outcome.added) == (True, 1)
    assert outcome.league == without_folders(table.league)
    assert (outcome.league.isolation, outcome.league.fault_cost) == ("process", 35)
    limits = {bot.name: (dict(bot.limits), bool(bot.runtime)) for bot in outcome.league.outside}
    assert limits["module"] == ({"fuel": 500_000_000}, True)
    assert limits["bad"] == ({"action": 1.5}, False)
    assert same_outcome(leagues.status(other), table)
    assert exported(other, tmp_path / "again.league").read_bytes() == (tmp_path / "a.league").read_bytes()
    assert database.check(other).problems == ()


def test_a_copy_of_an_unfinished_league_is_played_to_the_same_end(db: str, file: Path, other: str) -> None:
    """A file may have any of the blocks: here the second and the fourth of four."""
    kept = values_of(file)
    head, blocks = kept[:2], [value for value in kept if "block" in value]
    file.write_text(written([*head, blocks[1], blocks[3], {"blocks": 2, "head": ""}]), encoding="utf-8")
    outcome = apply(other, ImportLeague((file,)))
    assert (outcome.added, leagues.status(other).blocks) == (2, 0)
    assert same_outcome(leagues.resume(other), leagues.status(db))


def test_missing_blocks_are_added_to_the_league_that_is_here(db: str, file: Path, other: str, tmp_path: Path) -> None:
    """Two parts of a league, imported in the wrong order, are the whole league; a part that is here is refused."""
    kept = values_of(file)
    head, blocks = kept[:2], [value for value in kept if "block" in value]
    parts = []
    for number, some in enumerate((blocks[2:], blocks[:2], blocks[1:3])):
        parts.append(tmp_path / f"{number}.league")
        parts[-1].write_text(written([*head, *some, {"blocks": len(some), "head": ""}]), encoding="utf-8")
    first, second = apply(other, ImportLeague((parts[0],))), apply(other, ImportLeague((parts[1],)))
    assert (first.new, second.new, second.number, second.added, second.blocks) == (True, False, 1, 2, 4)
    assert same_outcome(leagues.status(other), leagues.status(db))
    with desk.refused(ExitCode.CONFLICT, "all of its blocks are here already, in league 1"):
        apply(other, ImportLeague((parts[2],)))


def test_a_league_of_other_settings_is_another_league(db: str, file: Path, other: str, tmp_path: Path) -> None:
    longer = str(tmp_path / "longer.db")
    leagues.run(longer, replace(LEAGUE, blocks=1, seed="8"))
    apply(other, ImportLeague((file,)))
    assert apply(other, ImportLeague((exported(longer, tmp_path / "b.league"),))).number == 2


def test_a_block_that_ended_otherwise_is_a_conflict(file: Path, other: str) -> None:
    """The totals agree with the games, so that only the block that is here shows it."""
    apply(other, ImportLeague((file,)))
    kept = [value for value in values_of(file) if "record" not in value]
    (place,) = [place for place, value in enumerate(kept) if value.get("block") == 1]
    kept[place]["text"] = more_points(kept[place]["text"])
    file.write_text(written(kept), encoding="utf-8")
    with desk.refused(ExitCode.CONFLICT, "block 1 of league 1 was played before, and ended otherwise"):
        apply(other, ImportLeague((file,)))


# --- what is refused ------------------------------------------------------------------------------------


Damage = Callable[[Path], None]
"""Damages a file."""


def edited(change: Callable[[list[dict]], object]) -> Damage:
    """Return what changes the values of a file's lines and computes the hashes again."""

    def edit(path: Path) -> None:
        values = values_of(path)
        change(values)
        path.write_text(written(values), encoding="utf-8")

    return edit


def rewritten(change: Callable[[bytes], bytes]) -> Damage:
    """Return what changes the bytes of a file."""
    return lambda path: path.write_bytes(change(path.read_bytes())) and None


def with_settings(**settings: object) -> Damage:
    """Return what gives the league other settings."""
    return edited(lambda values: values[1]["league"].update(settings))


def in_block(change: Callable[[list], object]) -> Damage:
    """Return what changes the content of the first block."""

    def edit(values: list[dict]) -> None:
        outcome = json.loads(values[2]["text"])
        change(outcome)
        values[2]["text"] = json.dumps(outcome, separators=(",", ":"))

    return edited(edit)


def put(value: object, *place: int) -> Damage:
    """Return what puts a value at a place of the first block's content."""

    def edit(outcome: list) -> None:
        for index in place[:-1]:
            outcome = outcome[index]
        outcome[place[-1]] = value

    return in_block(edit)


def in_record(change: Callable[[list[dict]], dict[str, object]]) -> Damage:
    """Return what changes the first record; the change is computed from all values."""
    return edited(lambda values: values[3].update(change(values)))


FILES: dict[str, tuple[Damage, tuple[str, ...]]] = {
    "a digit changed": (rewritten(lambda data: data.replace(b"[0,7,", b"[0,8,", 1)), ("line 3", "not as it was")),
    "cut in a line": (rewritten(lambda data: data[:-40]), ("cut off here",)),
    "cut between lines": (rewritten(lambda data: data[: data[:-1].rfind(b"\n") + 1]), ("before its end",)),
    "a line missing": (
        rewritten(lambda data: b"".join(data.splitlines(True)[:3] + data.splitlines(True)[4:])),
        ("line 4",),
    ),
    "the file twice": (rewritten(lambda data: data + data), ("not as it was written",)),
    "empty": (rewritten(lambda _data: b""), ("ends after line",)),
    "an event's file": (edited(lambda values: values[0].update(format="tourney event")), ("not the file of a league",)),
    "a picture": (rewritten(lambda _data: b"\x89PNG\r\n\x1a\n\0\n"), ("not the file of a league",)),
    "a later version": (edited(lambda values: values[0].update(version=2)), ("version 2 of league files",)),
    "a block twice": (edited(lambda values: values.insert(3, dict(values[2]))), ("line 4", "block 1 is there twice")),
    "the end twice": (edited(lambda values: values.append(values[-1])), ("it follows the end",)),
    "another count": (edited(lambda values: values[-1].update(blocks=9)), ("no program writes such a line",)),
    "a record before the blocks": (edited(lambda values: values.insert(2, values[3])), ("line 3", "no program")),
    "a block beyond the last": (with_settings(blocks=3), ("not block 4",)),
    "another seed": (with_settings(seed="8"), ("of this league",)),
    "an entrant that cannot be seen in full": (
        with_settings(bots=["cmd:bot\u200f", "random"], outside=[["cmd:bot\u200f", "cmd:bot\u200f", "", [], []]]),
        ("line 2", "the entrant of bot 1 has characters that cannot be seen"),
    ),
    "unknown rules": (with_settings(rules="x"), ("line 2", "no rule set 'x'")),
    "other rules": (with_settings(rules_digest="0" * 16), ("rules oficial of this",)),
    "too many at a table": (with_settings(seats=99), ("line 2", "not by 99")),
    "a fault of a million letters": (
        edited(lambda values: values[2].update(faults=[[0, 0, 0, "x" * 1_000_000, ""]])),
        ("line 3", "no program"),
    ),
    "a fault in a hand beyond all": (
        edited(lambda values: values[2].update(faults=[[0, 10**30, 0, "x", ""]])),
        ("line 3", "no program"),
    ),
    "no level": (with_settings(isolation="moat"), ("line 2", "no", "moat")),
}
SETTINGS: dict[str, Damage] = {
    "seats as text": with_settings(seats="2"),
    "an unknown bot": with_settings(bots=["greedy", "x"]),
    "a thousand bots and one": with_settings(bots=["greedy"] * 1001),
    "an unknown design": with_settings(design="x"),
    "a cost as text": with_settings(fault_cost="9"),
    "a cost below 0": with_settings(fault_cost=-1),
    "the usual cost": with_settings(fault_cost=20),
    "one setting more": with_settings(more=1),
    **{
        f"a bot from outside with {what}": with_settings(bots=["bot.py:A", "random"], outside=[["bot.py:A", *rest]])
        for what, rest in {
            "a file without a digest": ["bot.py:A", "", [["bot.py"]], []],
            "a digest that is none": ["bot.py:A", "", [["bot.py", "x"]], []],
            "an unknown limit": ["bot.py:A", "", [], [["foo", 1]]],
            "a limit of nothing": ["bot.py:A", "", [], [["memory", None]]],
            "an entrant of a million letters": ["x" * 1_000_000, "", [], []],
        }.items()
    },
    "a program of a million letters": edited(lambda values: values[1].update(program="9" * 1_000_000)),
    "one setting less": edited(lambda values: values[1]["league"].pop("seed")),
}
BLOCKS: dict[str, Damage] = {
    "a record of no game": in_record(lambda _values: {"game": 3}),
    "a record that is none": in_record(lambda _values: {"record": "x"}),
    "half of a record": in_record(lambda values: {"record": values[3]["record"][:300]}),
    "a record of another game": in_record(lambda values: {"record": values[4]["record"]}),
    "a record with other points": in_record(
        lambda values: {"record": re.sub("points = .*", "points = [1, 2]", values[3]["record"], count=1)}
    ),
    "another number": put(7, 1),
    "points as text": put("1", 2, 0, 3, 0),
    "other sums": put(1, 3, 0, 1),
    "other seats": in_block(lambda outcome: outcome[2][0][2].reverse()),
    "faults of the totals only, by kind": in_block(lambda outcome: outcome[3][0].extend([[0, 0, 0, 0, 0]])),
    "a fault that the totals lack": in_block(lambda outcome: outcome[2][0].extend([[], [1, 0]])),
    "fuel that is no histogram": in_block(lambda outcome: outcome[3][0].extend([[], [5, 1]])),
    "closes as text": put("x", 3, 0, 3),
    "more closes than hands": put(10**9, 3, 0, 3),
    "claims that are not a number": put(float("nan"), 3, 0, 4),
    "contracts as text": put(["x"], 3, 0, 6),
    "contracts of other sums": in_block(lambda outcome: outcome[3][0][6].__setitem__(0, outcome[3][0][6][0] + 1)),
    "more contracts than hands": in_block(lambda outcome: outcome[3][0][6].append(0)),
    "a place beyond the seats": put(9, 2, 0, 4, 0),
    "places against the points": in_block(lambda outcome: outcome[2][0][4].reverse()),
    "numbers without an end": put(10**400, 3, 0, 4),
    "a game less": in_block(lambda outcome: outcome[2].pop()),
}
BAD = {
    **FILES,
    **{name: (damage, ("line 2", "no program")) for name, damage in SETTINGS.items()},
    **{name: (damage, ("line 3", "not block 1 of this league")) for name, damage in BLOCKS.items()},
}


@pytest.mark.parametrize(("damage", "words"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_and_nothing_is_kept(
    file: Path, other: str, damage: Damage, words: tuple[str, ...]
) -> None:
    desk.event(other)
    before = desk.query(other, "SELECT hash FROM act")
    damage(file)
    with desk.refused(ExitCode.REFUSED, "a.league", *words):
        apply(other, ImportLeague((file,)))
    assert desk.query(other, "SELECT hash FROM act") == before
    assert desk.query(other, "SELECT * FROM league_block") == []


def test_every_cut_of_a_file_is_refused(file: Path, other: str) -> None:
    """Every hundredth place, so that lines are cut in all their parts, and between them."""
    data = file.read_bytes()
    desk.event(other)
    places = {*range(0, len(data), 997), *(place + 1 for place, byte in enumerate(data[:-1]) if byte == 10)}
    for place in sorted(places):
        file.write_bytes(data[:place])
        with desk.refused(ExitCode.REFUSED, "a.league"):
            apply(other, ImportLeague((file,)))
    with closing(sqlite3.connect(other)) as connection:
        assert connection.execute("SELECT count(*) FROM league").fetchone() == (0,)


# --- the commands ---------------------------------------------------------------------------------------


def test_the_commands_write_a_file_and_read_it(run: Runner, db: str, tmp_path: Path, other: str) -> None:
    path = str(tmp_path / "b.league")
    data = run("league", "export", "--db", db, "--output", path, "--json").json
    assert (data["league"], data["blocks"], data["records"], data["file"]) == (1, 4, 8, path)
    assert data["hash"] == leagues.status(db).hash
    dry = run("league", "import", path, "--db", other, "--dry-run")
    assert (dry.code, Path(other).exists()) == (0, False)
    imported = run("league", "import", path, "--db", other, "--json").json
    assert (imported["league"], imported["new"], imported["added"], imported["of_blocks"]) == (1, True, 4, 4)
    again = run("league", "import", path, "--db", other)
    assert (again.code, again.err.count("\n")) == (ExitCode.CONFLICT, 2)


def test_without_a_file_the_lines_are_printed(run: Runner, db: str, file: Path) -> None:
    printed = run("league", "export", "--db", db)
    assert printed.out == file.read_text(encoding="utf-8")
    assert "exported: league 1: 4 blocks, 8 records" in printed.err
    assert run("league", "export", "--db", db, "--json").json["text"] == printed.out


def test_an_import_can_be_undone(run: Runner, file: Path, other: str) -> None:
    table: LeagueTable
    apply(other, ImportLeague((file,)))
    table = leagues.status(other)
    assert run("undo", "--db", other).code == 0
    with desk.refused(ExitCode.NOT_FOUND, "there is no league"):
        leagues.status(other)
    assert run("redo", "--db", other).code == 0
    assert leagues.status(other) == table


@pytest.mark.parametrize("record", ["x", "", "format = 99", "of another game"])
def test_a_record_that_a_database_of_others_brings_is_refused_in_one_line(
    record: str, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text has its checksum, which everybody can compute."""
    with storage.reading(db) as reader:
        other = reader.leagues.blocks(1).record(1, 0)
        monkeypatch.setattr(Blocks, "record", lambda *_place: other if record == "of another game" else record)
    with desk.refused(ExitCode.REFUSED, "the records of block 1 of league 1 are not of its games"):
        comparisons.compare(db, *LEAGUE.bots, block=1)
