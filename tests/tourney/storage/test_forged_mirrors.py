"""Tests of mirrors that somebody wrote by hand: each hash is right, and an entry has another form than its kind."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.change import apply
from tourney.service.people.players import RegisterPlayers

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
