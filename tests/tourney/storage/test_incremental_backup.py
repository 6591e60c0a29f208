"""Tests that a backup is checked from the last verified one on, and that no damage gets past that."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import slow
from tourney.domain.database import Backup
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.people.players import ErasePlayer, ImportPlayers, RegisterPlayers, RenamePlayer
from tourney.service.results.results import VoidResult
from tourney.service.rounds import bot_tables
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.backup import copies
from tourney.storage.backup.increment import note_of
from tourney.storage.tables import COLUMNS


class _FullChecks:
    """Counts the full checks of copies."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._check, self.number = copies.check_database, 0
        monkeypatch.setattr(copies, "check_database", self._counted)

    def _counted(self, db: str):
        self.number += 1
        return self._check(db)

    def of(self, call: Callable[[], object]) -> int:
        """Return how many full checks a call makes."""
        self.number = 0
        call()
        return self.number


@pytest.fixture
def full_checks(monkeypatch: pytest.MonkeyPatch) -> _FullChecks:
    return _FullChecks(monkeypatch)


def _backup(db: str) -> Backup:
    return copies.make_backup(db)


def _content(db: str) -> dict[str, list[tuple]]:
    return {name: desk.query(db, f'SELECT * FROM "{name}"') for name in desk.tables(db)}


CHANGES: dict[str, Callable[[str], object]] = {
    "nothing": lambda db: None,
    "people": lambda db: apply(db, RegisterPlayers(["Irati"])),
    "a person imported twice": lambda db: apply(db, ImportPlayers(desk.CLUB / "players.csv")),
    "a name": lambda db: apply(db, RenamePlayer("Ana", name="Ana María")),
    "an erased name": lambda db: apply(db, ErasePlayer("Ana")),
    "a void result": lambda db: apply(db, VoidResult("Friday", 1, 1, "wet cards")),
    "an undone change": lambda db: apply(db, Undo()),
}


@pytest.mark.parametrize(
    "change", ["people", "a void result", *slow([name for name in CHANGES if name not in ("people", "a void result")])]
)
def test_after_the_first_copy_only_new_entries_are_checked(
    tmp_path: Path, full_checks: _FullChecks, change: str
) -> None:
    db = desk.everything(tmp_path / "club.db")
    assert full_checks.of(lambda: _backup(db)) == 1
    CHANGES[change](db)
    assert full_checks.of(lambda: _backup(db)) == 0
    made = _backup(db)
    assert _content(made.path) == _content(db)
    assert [(made.entries, made.head)] == desk.query(db, "SELECT acts, hash FROM head")


def test_records_of_new_games_need_no_full_check(tmp_path: Path, full_checks: _FullChecks) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 0, "greedy:4", rounds=1)
    apply(db, DrawRound())
    _backup(db)
    bot_tables.play(db)
    assert full_checks.of(lambda: _backup(db)) == 0
    assert desk.query(db, "SELECT count(*) FROM record") == [(1,)]


FILLED = [name for name in COLUMNS if name not in ("draft", "undone", "counter", "alembic_version")]


@pytest.mark.parametrize("name", [*FILLED[::6], *slow([name for name in FILLED if name not in FILLED[::6]])])
def test_a_changed_value_in_any_table_is_found_after_a_verified_copy(tmp_path: Path, name: str) -> None:
    """The last row of each table is changed beside the program, in its last column."""
    db = desk.everything(tmp_path / "club.db")
    if not desk.query(db, f'SELECT 1 FROM "{name}"'):
        pytest.fail(f"the database has no row of {name}")
    _backup(db)
    desk.tamper(db, desk.changed(db, name, " ".join(COLUMNS[name]).split()[-1]))
    _apply_if_possible(db)
    with desk.refused(ExitCode.STORAGE, "no copy of it was kept"):
        _backup(db)


def _apply_if_possible(db: str) -> None:
    """Make a change, unless the program notices the damage at once."""
    try:
        apply(db, RegisterPlayers(["Irati"]))
    except TourneyError as error:
        if error.code != ExitCode.STORAGE:
            raise


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM score WHERE rowid = (SELECT max(rowid) FROM score)",
        "DELETE FROM act WHERE number = 3",
        "DELETE FROM record WHERE rowid = (SELECT max(rowid) FROM record)",
        "INSERT INTO record VALUES ('" + "0" * 64 + "', 'x')",
        "INSERT INTO player VALUES (99, 'person', NULL, 1, 0, NULL, 1)",
        "CREATE TABLE strange (x)",
        "UPDATE score SET points = points + 0.5 WHERE rowid = (SELECT max(rowid) FROM score)",
    ],
)
def test_a_row_that_is_missing_or_too_many_is_found(tmp_path: Path, statement: str) -> None:
    db = desk.everything(tmp_path / "club.db")
    _backup(db)
    desk.tamper(db, statement)
    with desk.refused(ExitCode.STORAGE, "no copy of it was kept"):
        _backup(db)


def _flip(path: Path, rng: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


DOUBTS: dict[str, Callable[[Path, Path], object]] = {
    "no note": lambda note, _copy: note.unlink(),
    "a note that is no JSON": lambda note, _copy: note.write_text("{"),
    "a note of another kind": lambda note, _copy: note.write_text('["club.db"]'),
    "a note that is not text": lambda note, _copy: note.write_bytes(b"\xff\xfe"),
    "a note of another digest": lambda note, _copy: note.write_text(
        json.dumps({**json.loads(note.read_text()), "sha256": "0" * 64})
    ),
    "a note of a file elsewhere": lambda note, _copy: note.write_text(
        json.dumps({**json.loads(note.read_text()), "file": "../club.db"})
    ),
    "no copy": lambda _note, copy: copy.unlink(),
    "a flipped bit in the copy": lambda _note, copy: _flip(copy, random.Random(7)),
    "an empty copy": lambda _note, copy: copy.write_bytes(b""),
}


@pytest.mark.parametrize(
    "doubt", [*list(DOUBTS)[::4], *slow([name for name in DOUBTS if name not in list(DOUBTS)[::4]])]
)
def test_a_damaged_note_or_copy_means_a_full_check(tmp_path: Path, full_checks: _FullChecks, doubt: str) -> None:
    db = desk.everything(tmp_path / "club.db")
    made = _backup(db)
    DOUBTS[doubt](note_of(Path(db)), Path(made.path))
    apply(db, RegisterPlayers(["Irati"]))
    assert full_checks.of(lambda: _backup(db)) == 1
    assert full_checks.of(lambda: _backup(db)) == 0


def test_a_database_of_another_journal_in_its_place_is_checked_in_full(
    tmp_path: Path, full_checks: _FullChecks
) -> None:
    db = desk.everything(tmp_path / "club.db")
    _backup(db)
    other = desk.evening(tmp_path / "other.db")
    shutil.copy(other, db)
    assert full_checks.of(lambda: _backup(db)) == 1


def test_an_older_state_of_the_database_is_checked_in_full(tmp_path: Path, full_checks: _FullChecks) -> None:
    db = desk.everything(tmp_path / "club.db")
    before = shutil.copy(db, tmp_path / "before.db")
    apply(db, RegisterPlayers(["Irati"]))
    _backup(db)
    shutil.copy(before, db)
    assert full_checks.of(lambda: _backup(db)) == 1


@pytest.mark.parametrize("flips", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_a_flipped_bit_never_gets_into_a_copy(tmp_path: Path, flips: int) -> None:
    """A copy is refused, or has what the sound one has: the bit was in free space."""
    db = desk.everything(tmp_path / "club.db")
    made = _backup(db)
    sound, whole, rng = _content(made.path), Path(db).read_bytes(), random.Random(11)
    for _flip_number in range(flips):
        Path(db).write_bytes(whole)
        _flip(Path(db), rng)
        try:
            kept = _backup(db)
        except TourneyError as error:
            if error.code != ExitCode.STORAGE:
                raise
        else:
            assert _content(kept.path) == sound
