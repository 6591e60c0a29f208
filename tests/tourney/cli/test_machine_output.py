"""Machine output is a contract: today's program prints for programs what that of commit ac1db33 printed.

`fixtures/contract` has commands of every kind and their answers. `fixtures/databases/0007.sql` is a database that the
older program wrote, `0007.json` what it printed on it. Exit codes, JSON with the order of its keys, CSV with its header
and lines of JSON must be equal, but for the fields that are listed here.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.harness import recorded
from tests.harness.record_contract import ANSWERS, SCENES, play
from tests.harness.record_database import FOLDER, READING, WRITING, load
from tests.harness.recorded import Loose, answer, differences, settled

SENTENCES: Mapping[str, frozenset[str]] = {
    # Of these only the type must be equal, and whether they are empty: they are sentences for people.
    "": frozenset({"why", "said"}),  # what decides a rank or bounds the repeats; what an entry did
    "bot list": frozenset({"does"}),  # how a bot plays
    "undo": frozenset({"stays", "halves"}),  # what cannot be undone; what becomes of partial sheets
    "redo": frozenset({"halves"}),
    "event finish": frozenset({"missing"}),  # what an event lacks that is finished all the same
    "rules check": frozenset({"reason", "error"}),
    "rules layoff": frozenset({"reason", "error"}),
    "rules arrange": frozenset({"error"}),
    "rules score": frozenset({"error"}),
    "rules show": frozenset({"section", "text"}),  # the page for players
    "rules diff": frozenset({"section", "text"}),
    "rules ruling": frozenset({"title", "found", "steps"}),  # the arbiter's instructions
}
CELLS: Mapping[str, frozenset[str]] = {
    # Cells of CSV that show a word of the table for people, where JSON has one for programs.
    "round show": frozenset({"state"}),
    "round verify": frozenset({"state", "how"}),
    "record show": frozenset({"closer"}),
    "record replay": frozenset({"closer"}),
    "seating advise": frozenset({"remark"}),
}
VARYING: Mapping[str, frozenset[str]] = {
    # Of these only the place must be equal, where the recorded program and today's have each done the work themselves.
    "log": frozenset({"time"}),  # when an entry was made
    "undo": frozenset({"time"}),
    "redo": frozenset({"time"}),
    "round clock": frozenset({"started"}),  # a time of day
    "round verify": frozenset({"program"}),  # the program that drew the round: its version and that of its seating
    "seating plan": frozenset({"version"}),  # likewise
    "db check": frozenset({"head"}),  # the hash of the journal, which has times and random ids in it
    "db backup": frozenset({"head"}),
    "db upgrade": frozenset({"before", "after"}),  # the number of the schema
    "db restore": frozenset({"head", "kept"}),  # and the name of a file, with a time in it
    "player erase": frozenset({"backups"}),  # file names with a time
}


def changes(line: str, then: Any, now: Any, work: str = "") -> list[str]:
    """Return how the answer to a command differs from the recorded one, where it must not.

    Today's program may only have read what the other one had written, or have done the work anew.
    """
    sentences = (SENTENCES, CELLS) if "csv" in then else (SENTENCES,)
    varying = set(_keys(VARYING, line)) if work == "anew" else set()
    loose = Loose({key for table in sentences for key in _keys(table, line)}, varying)
    return [f"`{line}`{difference}" for difference in differences(then, now, loose)]


def _keys(table: Mapping[str, frozenset[str]], line: str) -> Iterator[str]:
    for start, keys in table.items():
        if f"{line} ".startswith(f"{start} ".lstrip()):
            yield from keys


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ({"rank": 1, "player": "Ana"}, {"player": "Ana", "rank": 1}),
        ({"rank": 1}, {"rank": 1, "player": "Ana"}),
        ([1, 2], [1]),
        ({"rank": 1}, {"rank": 1.0}),
        ({"mu": 25.0}, {"mu": 25.000000000000004 if recorded.EXACT else 25.01}),
        ({"does": "any legal action"}, {"does": ""}),
        ({"exit": 0}, {"exit": 1}),
    ],
)
def test_a_difference_is_found(then: Any, now: Any) -> None:
    assert changes("bot list", then, then) == []
    assert len(changes("bot list", then, now)) == 1


CONTRACT = json.loads(ANSWERS.read_text(encoding="utf-8"))["answers"]


def test_the_contract_has_a_refusal_of_every_exit_code() -> None:
    """130, an interrupt, is not recorded: it takes a second program."""
    assert {answered["exit"] for _scene, _line, answered in CONTRACT} == {0, 1, 2, 3, 4, 5}
    assert all(answered.get("error", True) for _scene, _line, answered in CONTRACT)


@pytest.mark.parametrize("name", SCENES)
def test_commands_answer_as_they_answered(name: str, tmp_path: Path) -> None:
    then = [(line, answered) for scene, line, answered in CONTRACT if scene == name]
    with settled(tmp_path) as folder:
        now = list(play(name, folder))
    assert [line for line, _answer in now] == [line for line, _answer in then]
    both = zip(then, now, strict=True)
    found = [change for (line, before), (_line, after) in both for change in changes(line, before, after, "anew")]
    assert not found, "\n".join(found)


OLD = json.loads((FOLDER / "0007.json").read_text(encoding="utf-8"))["answers"]
READ = dict(OLD[: len(READING)])
FORMATS = {"rotation", "swiss", "rated swiss", "snake", "random", "informative", "manual"}
KINDS = {
    *(f"player.{verb}" for verb in ("add", "rename", "merge", "erase")),
    *(f"event.{verb}" for verb in ("new", "set", "use", "enter", "wish", "checkin", "withdraw", "return")),
    *(f"event.{verb}" for verb in ("finish", "reopen")),
    *(f"round.{verb}" for verb in ("draw", "move", "cancel", "clock")),
    *(f"result.{verb}" for verb in ("enter", "correct", "void")),
    *("ruling.add", "ruling.cancel", "pool.new", "pool.set", "rating.import", "league.new", "league.join"),
    *("undo", "redo"),
}


def upgraded(folder: Path) -> Path:
    """Load the old database there and upgrade it."""
    load(FOLDER / "0007.sql", folder / "club.db")
    assert answer("db upgrade", folder)["exit"] == 0
    return folder


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the database, which is only read."""
    with settled(tmp_path_factory.mktemp("old")) as folder:
        yield upgraded(folder)


def test_the_old_database_has_every_kind_of_entry_and_agrees_with_itself() -> None:
    """The program that wrote it drew every round again alike, in all formats, and found nothing wrong."""
    assert [line for line, _answer in OLD] == [*READING, *WRITING]
    assert {entry["kind"] for entry in READ["log"]["json"]} == KINDS
    assert {event["format"] for event in READ["event list"]["json"]} == FORMATS
    assert READ["db check"]["json"]["problems"] == []
    drawn = {line: answered["json"] for line, answered in READ.items() if line.startswith("round verify")}
    assert [row["state"] for row in drawn.pop("round verify Old")] == ["brought in"]
    assert [row["state"] for rows in drawn.values() for row in rows] == ["the same"] * 17


@pytest.mark.parametrize("line", READING)
def test_the_old_database_reads_as_it_read(line: str, old: Path) -> None:
    assert changes(line, READ[line], answer(line, old)) == []


def test_work_continues_in_the_old_database(tmp_path: Path) -> None:
    """A partial sheet is completed, rounds are drawn, and entries of both programs undone and redone."""
    with settled(tmp_path) as folder:
        upgraded(folder)
        for line, then in OLD[len(READING) :]:
            assert changes(line, then, answer(line, folder), "anew") == []
