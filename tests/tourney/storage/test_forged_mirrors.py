"""Tests of mirrors that somebody wrote by hand: each hash is right, and an entry has another form than its kind."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.effort import growth
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.storage.mirror import lines
from tourney.storage.mirror.lines import read_journal, tail
from tourney.storage.mirror.names import names_of

OTHER_FORMS = {
    "nested lists": {"players": [[[]]]},
    "a number": {"players": 5},
    "a list as a number": {"players": [{"id": [], "kind": "person"}]},
    "too deep": {"players": json.loads("[" * 900 + "]" * 900)},
}
CLOCK = {"event": 1, "minutes": 60, "round": 1}


def forged(folder: Path, **changed: object) -> Path:
    """Return a mirror whose one entry has these fields in the place of its own."""
    db = str(folder / "club.db")
    apply(db, RegisterPlayers(["Ana"]))
    (folder / "stick").mkdir()
    database.add_mirror(db, str(folder / "stick"))
    journal = folder / "stick" / "club.db-mirror.txt"
    entry = json.loads(journal.read_text(encoding="utf-8").splitlines()[0].split(" ", 2)[2])
    text = json.dumps({**entry, **changed}, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(b"\n" + text.encode()).hexdigest()
    journal.write_text(f"1 {digest} {text}\n", encoding="utf-8")
    return journal.parent


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_an_entry_of_another_form_is_refused_in_one_line(form: str, run: Runner, tmp_path: Path) -> None:
    stick = forged(tmp_path, payload=OTHER_FORMS[form])
    ran = run("db", "restore", "--mirror", str(stick), "--db", str(tmp_path / "new.db"))
    assert (ran.code, ran.out) == (ExitCode.STORAGE, "")
    assert "bug in tourney" not in ran.err
    assert ran.err.count("\n") == 2


@pytest.mark.parametrize("started", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "soon"])
def test_no_clock_of_a_restored_database_ends_the_calendar(started: str, run: Runner, tmp_path: Path) -> None:
    """Every page that showed the clock was an error in the program."""
    stick = forged(tmp_path, kind="round.clock", payload={**CLOCK, "started": started})
    ran = run("db", "restore", "--mirror", str(stick), "--db", str(tmp_path / "new.db"))
    assert ran.code == ExitCode.STORAGE
    assert "journal: entry 1 (round.clock) cannot follow those before it" in ran.err


NAMES_OF_OTHER_FORMS = {
    "a list as a number": '[[1],1,"x","","","c"]',
    "true as a number": '[true,1,"x","","","c"]',
    "a number above those of SQLite": '[9223372036854775808,1,"x","","","c"]',
    "a number as a text": '[1,1,7,"","","c"]',
    "half a character": '[1,1,"\\ud800","","","c"]',
}
HEADS_OF_OTHER_FORMS = {"half a character in the path": "\ud800", "no path": 5}


@pytest.mark.parametrize(
    ("path", "row"),
    [
        *(pytest.param("club.db", row, id=case) for case, row in NAMES_OF_OTHER_FORMS.items()),
        *(pytest.param(path, '[1,1,"Ana","","","c"]', id=case) for case, path in HEADS_OF_OTHER_FORMS.items()),
    ],
)
def test_names_beside_a_mirror_that_was_set_aside_stop_no_command(
    path: object, row: str, run: Runner, tmp_path: Path
) -> None:
    """Each form was an error in the program at every change that follows the erasure of a person."""
    db = str(tmp_path / "club.db")
    apply(db, RegisterPlayers(["Ana", "Beñat"]))
    (tmp_path / "stick").mkdir()
    database.add_mirror(db, str(tmp_path / "stick"))
    kept = tmp_path / "stick" / "club.db-mirror-until-20260101T000000Z.txt"
    kept.write_bytes((tmp_path / "stick" / "club.db-mirror.txt").read_bytes())
    head = {"database": path, "sha256": hashlib.sha256(f"{row}\n".encode()).hexdigest()}
    names_of(kept).write_text(f"{json.dumps(head)}\n{row}\n", encoding="utf-8")
    for words in (("player", "erase", "Ana", "--yes"), ("player", "add", "Carmen"), ("db", "check")):
        ran = run(*words, "--db", db)
        assert (ran.code, ran.err) == (0, ""), words


ENTRY = '{"id":"0","kind":"undo","time":"","payload":{}}'
LINES: dict[str, Callable[[int], str]] = {
    "entries that fit nowhere": lambda _at: f"1 {'0' * 64} {{}}",
    "entries in order that do not fit": lambda at: f"{at + 2} {at:064x} {{}}",
    "entries in order that are entries": lambda at: f"{at + 2} {at:064x} {ENTRY}",
    "entries behind gaps": lambda at: f"{2 * at + 4} {at:064x} {ENTRY}",
    "empty lines": lambda _at: "",
    "rows": lambda at: f'{at} rows [[1,1,"Ana",1]]',
    "rows that are not whole": lambda at: f"{at} rows [[",
    "records": lambda at: f'{at} record "x"',
}


@pytest.mark.parametrize("kind", LINES)
def test_lines_behind_a_mirror_take_time_in_proportion_to_their_number(kind: str, tmp_path: Path) -> None:
    """The attack: with each line that did not fit there was one more hash to compare the next line with."""
    sound = (forged(tmp_path) / "club.db-mirror.txt").read_text(encoding="utf-8")

    def work(number: int) -> Callable[[], object]:
        journal = tmp_path / f"{number}.txt"
        journal.write_text(sound + "".join(f"{LINES[kind](at)}\n" for at in range(number)), encoding="utf-8")
        return lambda: read_journal(journal)

    assert growth(work, 2_000) < 3


def test_what_stands_behind_ten_thousand_lines_without_an_entry_is_not_read(tmp_path: Path) -> None:
    """The attack: eight million empty lines took four seconds of every command."""
    journal = forged(tmp_path) / "club.db-mirror.txt"
    sound = journal.read_bytes()
    later = b"9 " + sound.split(b" ", 1)[1]
    for lost, entries in ((lines.MOST_LOST - 1, [1, 9]), (lines.MOST_LOST, [1])):
        journal.write_bytes(sound + b"\n" * lost + later)
        assert [entry.number for entry in read_journal(journal).entries] == entries
    journal.write_bytes(sound + b"\n" * lines.MOST_LOST)
    with pytest.raises(OSError, match="File too large"):
        tail(journal)


def test_a_mirror_with_many_lost_lines_is_completed_by_the_next_change(run: Runner, tmp_path: Path) -> None:
    """Commands that read go on meanwhile; the lines are cut off, as a torn end is."""
    db, stick = str(tmp_path / "club.db"), tmp_path / "stick"
    apply(db, RegisterPlayers(["Ana"]))
    stick.mkdir()
    database.add_mirror(db, str(stick))
    journal = stick / "club.db-mirror.txt"
    with journal.open("ab") as file:
        file.write(b"\n" * (lines.MOST_LOST + 1))
    assert run("player", "list", "--db", db).code == 0
    assert run("player", "add", "Ben", "--db", db).code == 0
    text = journal.read_text(encoding="utf-8")
    assert [line.split(" ", 1)[0] for line in text.splitlines()] == ["1", "2"]
