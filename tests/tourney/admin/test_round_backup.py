"""Tests of the backup after rounds: what it has, that it is only appended to, and that a database is made of it.

The rows of a database made of it are compared with those of the original, and its lines with hashes by hashlib.
"""

import hashlib
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.disk import round_backups
from tests.harness.disk.round_backups import entries_in, entries_of, file_of, names_of
from tests.harness.effort import effort
from tests.harness.long_history import long_history
from tests.harness.programs import CONTEXT
from tests.harness.victims import die_in_backup
from tourney.domain.errors import ExitCode, TourneyWarning
from tourney.domain.events import EventSettings
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.impact import preview
from tourney.service.players import ErasePlayer, ImportPlayers, RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds import bot_tables
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.backup.round_backup import KEPT
from tourney.storage.journal.partitions import TABLES, UNWRITTEN

make_db = desk.make_everything

NOT_IN_TEXT = {"league_block", "league_fault", "league_record", "league_seal", "rated_round", "rating_checkpoint"}
"""Tables that a journal as text does not have: what they hold is played or computed again."""


@pytest.fixture
def evening(new_db: str) -> str:
    """The path of a database with an event of three tables, of which the first round is played."""
    desk.event(new_db, 12, size=4, rounds=4)
    _play(new_db)
    return new_db


def _play(db: str) -> None:
    """Draw a round and enter all of its results."""
    for table in apply(db, DrawRound()).rounds[0].tables:
        apply(db, EnterResult(None, table.round, table.number, desk.hands([player.name for player in table.players])))


def test_a_finished_round_is_backed_up_and_an_unfinished_one_is_not(new_db: str) -> None:
    """With the second of two sheets the round is finished; every entry is a line with its number, hash and text."""
    desk.event(new_db, 6, size=3, rounds=2)
    first, second = apply(new_db, DrawRound()).rounds[0].tables
    apply(new_db, EnterResult(None, 1, first.number, desk.hands([player.name for player in first.players])))
    preview(new_db, EnterResult(None, 1, second.number, desk.hands([player.name for player in second.players])))
    assert not file_of(new_db).exists()
    apply(new_db, EnterResult(None, 1, second.number, desk.hands([player.name for player in second.players])))
    expected, head = [], ""
    for number, text in desk.query(new_db, "SELECT number, text FROM act ORDER BY number"):
        head = hashlib.sha256(f"{head}\n{text}".encode()).hexdigest()
        expected.append((number, head, text))
    assert entries_in(file_of(new_db)) == expected
    assert {path.name for path in file_of(new_db).parent.iterdir()} == {
        "club.db-backup-names.txt",
        "club.db-backup.txt",
    }


def test_a_later_round_is_appended(evening: str) -> None:
    """The bytes of the first round stay as they are; names are not written again, as nobody was registered."""
    before, named = file_of(evening).read_bytes(), names_of(evening).stat()
    _play(evening)
    after = file_of(evening).read_bytes()
    assert after.startswith(before)
    assert len(after) > len(before)
    assert (names_of(evening).stat().st_ino, names_of(evening).stat().st_mtime_ns) == (named.st_ino, named.st_mtime_ns)
    assert entries_in(file_of(evening)) == entries_of(evening)


def test_a_round_of_bots_and_an_imported_evening_are_backed_up(new_db: str, tmp_path: Path) -> None:
    """The records of the bots' games are in it, too."""
    desk.event(new_db, 0, "random:6", size=3, rounds=1)
    apply(new_db, DrawRound())
    bot_tables.play(new_db)
    assert entries_in(file_of(new_db)) == entries_of(new_db)
    apply(new_db, ImportPlayers(desk.CLUB / "players.csv"))
    apply(new_db, ImportSheets("Saturday", desk.CLUB / "score-sheets.csv", "oficial"))
    assert entries_in(file_of(new_db)) == entries_of(new_db)
    new = round_backups.restored(new_db, tmp_path / "restored")
    records = "SELECT digest, text FROM record ORDER BY digest"
    assert len(desk.query(new, records)) == 2
    assert desk.query(new, records) == desk.query(new_db, records)


def test_a_database_with_everything_is_made_of_its_backup_alone(db: str, tmp_path: Path) -> None:
    """All rows are equal but those of leagues' blocks, caches, and others that no entry has written."""
    database.round_finished(db)
    new = round_backups.restored(db, tmp_path / "restored")
    for table in desk.tables(db):
        rows, others = (desk.query(file, f'SELECT * FROM "{table}"') for file in (db, new))
        if table == "seal":
            rows = [row for row in rows if row[0] not in UNWRITTEN]
        if table in {*NOT_IN_TEXT, *(TABLES[name][0] for name in UNWRITTEN)}:
            assert others == [], table
        else:
            assert sorted(others, key=repr) == sorted(rows, key=repr), table


@pytest.mark.parametrize("left", ["nothing", "rubbish", "a later state", "an older state"])
def test_a_restore_gives_the_state_after_the_round(evening: str, run: Runner, left: str) -> None:
    """The file as it was is kept, and the next round is appended to the backup, or begins a new one."""
    older = Path(evening).read_bytes()
    _play(evening)
    expected = entries_of(evening)
    if left == "a later state":
        apply(evening, RegisterPlayers(["Zoe"]))
    else:
        Path(evening).write_bytes({"nothing": b"", "rubbish": b"rubbish" * 999, "an older state": older}[left])
    done = run("db", "restore", "club.db-backup.txt", "--db", evening, "--json")
    assert (done.code, done.json["source"], done.json["acts"]) == (0, str(file_of(evening)), len(expected))
    assert bool(done.json["kept"]) == (left != "nothing")
    assert entries_of(evening) == expected
    assert run("db", "check", "--db", evening).code == 0
    _play(evening)
    assert entries_in(file_of(evening)) == entries_of(evening)


def test_a_dry_run_of_restore_says_what_would_be_lost(evening: str, run: Runner) -> None:
    apply(evening, RegisterPlayers(["Zoe"]))
    before = entries_of(evening)
    done = run("db", "restore", str(file_of(evening)), "--db", evening, "--dry-run", "--json")
    assert (done.json["before"], done.json["common"], done.json["kept"]) == (len(before), len(before) - 1, "")
    assert entries_of(evening) == before


def test_the_newest_backup_is_the_one_after_the_round(evening: str, run: Runner) -> None:
    """Status and doctor count the changes since it; a refused restore names it."""
    apply(evening, RegisterPlayers(["Zoe"]))
    assert "\n1 change since the last backup, of 20" in run("status", "--db", evening).out
    refused = run("db", "restore", "none.db", "--db", evening)
    assert (refused.code, str(file_of(evening)) in refused.err) == (ExitCode.NOT_FOUND, True)
    copy = database.backup(evening)
    assert "\nEvery change is in the last backup, of 20" in run("status", "--db", evening).out
    assert copy.path in run("db", "restore", "none.db", "--db", evening).err


def test_an_erased_name_stands_in_no_backup_after_a_round(evening: str) -> None:
    """The command erases it, also beside a journal that a restore has set aside."""
    copy = database.backup(evening, str(Path(evening).with_name("older.db")))
    _play(evening)
    database.restore(evening, copy.path)
    _play(evening)
    folder = file_of(evening).parent
    for path in folder.glob("*.db"):
        path.unlink()
    assert len([path for path in folder.iterdir() if "Ana" in path.read_text(encoding="utf-8")]) == 2
    erased = apply(evening, ErasePlayer("Ana"))
    assert erased.backups == ()
    assert [path for path in folder.iterdir() if b"Ana" in path.read_bytes()] == []


def test_a_name_that_could_not_be_erased_in_the_backup_is_announced(evening: str) -> None:
    """A folder has the name of the draft that would replace the names."""
    names_of(evening).with_name("club.db-backup-names.txt.new").mkdir()
    with pytest.warns(TourneyWarning, match="backup after rounds still has the name that was erased: "):
        apply(evening, ErasePlayer("Ana"))
    assert "Ana" in names_of(evening).read_text(encoding="utf-8")


DAMAGE = [
    pytest.param("UPDATE act SET text = replace(text, 'a', 'b') WHERE number = {last}", "change {last}", id="a text"),
    pytest.param("UPDATE act SET hash = '" + "0" * 64 + "' WHERE number = {last}", "change {last}", id="a hash"),
    pytest.param("DELETE FROM act WHERE number = {last} - 1", "change {before}", id="a missing entry"),
    pytest.param("UPDATE person SET club = 'x' WHERE player = 3", "the name of player 3", id="a name"),
]


@pytest.mark.parametrize(("statement", "named"), DAMAGE)
def test_what_is_damaged_in_the_database_does_not_get_into_the_backup(evening: str, statement: str, named: str) -> None:
    """The round's changes are not backed up; what was there before stays."""
    apply(evening, RegisterPlayers(["Zoe"]))
    apply(evening, RegisterPlayers(["Iker"]))
    before, last = file_of(evening).read_bytes(), len(entries_of(evening))
    desk.tamper(evening, statement.format(last=last))
    expected = f"no backup was made.*{named.format(last=last, before=last - 1)} is not as it was written"
    with pytest.warns(TourneyWarning, match=expected):
        database.round_finished(evening)
    assert file_of(evening).read_bytes() == before


def test_changes_that_the_database_has_lost_are_kept_beside_the_new_backup(evening: str) -> None:
    """An older file was put in the place of the database; the newest journals that were set aside are kept."""
    older, folder = Path(evening).read_bytes(), file_of(evening).parent
    for time in range(KEPT + 2):
        apply(evening, RegisterPlayers([f"Zoe {time}"]))
        database.round_finished(evening)
        with_all = entries_of(evening)
        Path(evening).write_bytes(older)
        apply(evening, RegisterPlayers(["Iker"]))
        with pytest.warns(TourneyWarning, match="lacks changes that were backed up after a round: they are kept in"):
            database.round_finished(evening)
        assert entries_in(file_of(evening)) == entries_of(evening)
        Path(evening).write_bytes(older)
        file_of(evening).unlink()
    kept = [entries_in(path) for path in _set_aside(folder)]
    assert len(kept) == KEPT
    assert with_all in kept
    assert len([*folder.iterdir()]) == 2 * (KEPT + 1) - 1


def _set_aside(folder: Path) -> list[Path]:
    return [path for path in folder.glob("club.db-backup-until-*Z*.txt") if "names" not in path.name]


def test_after_a_restore_the_backup_begins_anew_without_a_warning(evening: str, run: Runner) -> None:
    copy = database.backup(evening)
    _play(evening)
    assert run("db", "restore", copy.path, "--db", evening).code == 0
    sheets = apply(evening, DrawRound()).rounds[0].tables
    for table in sheets:
        done = desk.hands([player.name for player in table.players])
        apply(evening, EnterResult(None, table.round, table.number, done))
    assert entries_in(file_of(evening)) == entries_of(evening)
    assert len(_set_aside(file_of(evening).parent)) == 1


def test_files_of_a_time_to_come_do_not_push_out_what_a_restore_sets_aside(evening: str, run: Runner) -> None:
    """A wrong clock, or somebody who wrote them, had the only copy of the evening deleted at once."""
    copy, folder = database.backup(evening), file_of(evening).parent
    _play(evening)
    played = entries_in(file_of(evening))
    for number in range(KEPT):
        later = folder / f"club.db-backup-until-2099010{number + 1}T000000Z.txt"
        later.touch(0o600)
    assert run("db", "restore", copy.path, "--db", evening).code == 0
    assert played in [entries_in(path) for path in _set_aside(folder) if path.stat().st_size]


@pytest.mark.parametrize("torn", [1, 40, 400])
def test_a_line_that_was_cut_off_is_written_again(evening: str, torn: int) -> None:
    file_of(evening).write_bytes(file_of(evening).read_bytes()[:-torn])
    database.round_finished(evening)
    assert entries_in(file_of(evening)) == entries_of(evening)


def test_the_doctor_reads_every_line_of_the_backup(evening: str, run: Runner) -> None:
    """A damaged line is a warning; changes that the database lacks are bad. Changes since the backup are neither."""

    def judged() -> tuple[str, str]:
        found = run("doctor", "--db", evening, "--json").json
        return next((row["state"], row["found"]) for row in found if row["check"] == "backups")

    apply(evening, RegisterPlayers(["Zoe"]))
    assert judged()[0] == "ok"
    database.round_finished(evening)
    whole = file_of(evening).read_bytes()
    file_of(evening).write_bytes(whole.replace(b'"rounds":4', b'"rounds":5', 1))
    state, found = judged()
    assert (state, "damaged lines: " in found, str(file_of(evening)) in found) == ("warning", True, True)
    file_of(evening).write_bytes(whole)
    older = Path(evening).with_name("older.db")
    shutil.copy(evening, older)
    apply(evening, RegisterPlayers(["Iker"]))
    database.round_finished(evening)
    older.replace(evening)
    assert judged() == ("bad", f"{file_of(evening)}: the database lacks 1 change")


@pytest.mark.parametrize("content", [b"", b"no journal\n", b"1 2 3\n" * 9], ids=["empty", "no journal", "no entries"])
def test_a_text_that_is_no_backup_is_not_restored(evening: str, run: Runner, content: bytes) -> None:
    other, before = Path(evening).with_name("notes.txt"), entries_of(evening)
    other.write_bytes(content)
    refused = run("db", "restore", str(other), "--db", evening)
    assert (refused.code, refused.err.count("error:"), "notes.txt" in refused.err) == (ExitCode.STORAGE, 1, True)
    assert entries_of(evening) == before


def test_a_damaged_backup_is_refused_with_the_line(evening: str, run: Runner) -> None:
    whole = file_of(evening).read_bytes()
    file_of(evening).write_bytes(whole.replace(b'"rounds":4', b'"rounds":5', 1))
    refused = run("db", "restore", str(file_of(evening)), "--db", evening)
    assert (refused.code, "line 2 is damaged" in refused.err) == (ExitCode.STORAGE, True)


OPERATIONS = range(1, 30)


@pytest.mark.parametrize("torn", [False, True], ids=["between", "torn"])
@pytest.mark.parametrize("begun", [False, True], ids=["first", "later"])
def test_a_program_killed_at_any_operation_leaves_a_sound_backup(tmp_path: Path, begun: bool, torn: bool) -> None:
    """Of every operation on the disk: what was backed up before can be restored, and the next backup has everything.

    Nothing else stays in the folder.
    """
    ready = tmp_path / "ready"
    ready.mkdir()
    desk.event(str(ready / "club.db"), 8, size=4, rounds=2)
    if begun:
        database.round_finished(str(ready / "club.db"))
    apply(str(ready / "club.db"), RegisterPlayers(["Zoe"]))
    before = entries_in(file_of(ready / "club.db")) if begun else []
    for at in OPERATIONS:
        db = str(shutil.copytree(ready, tmp_path / str(at)) / "club.db")
        victim = CONTEXT.Process(target=die_in_backup, args=(db, at, torn), daemon=True)
        victim.start()
        victim.join()
        assert victim.exitcode in (0, -9)
        if begun:
            assert entries_in(file_of(db))[: len(before)] == before
            kept = round_backups.restored(db, tmp_path / f"{at} kept")
            assert entries_of(kept) == entries_of(db)[: len(entries_of(kept))]
        database.round_finished(db)
        assert entries_in(file_of(db)) == entries_of(db)
        assert len([*file_of(db).parent.iterdir()]) == 2
        if victim.exitcode == 0:
            break
    assert victim.exitcode == 0
    assert at > 5


@pytest.mark.slow
def test_the_last_sheet_of_a_round_takes_hardly_longer_than_another_with_3000_results(new_db: str) -> None:
    """The bound is 1.2 times the effort of another sheet, and 4 million passes; the backup after it is in this time.

    The least efforts of two rounds count, since another program may disturb one.
    """
    long_history(new_db, 25, 6, 80)
    players = [f"Player {number:04}" for number in range(1, 9)]
    apply(new_db, CreateEvent(EventSettings("Tonight", "oficial", rounds=3)))
    apply(new_db, EnterPlayers("Tonight", players))
    database.round_finished(new_db)
    efforts: list[float] = []
    for _round in range(3):
        for table in apply(new_db, DrawRound("Tonight")).rounds[0].tables:
            sheet = desk.hands([player.name for player in table.players])
            efforts.append(effort(partial(apply, new_db, EnterResult("Tonight", table.round, table.number, sheet))))
    assert entries_in(file_of(new_db)) == entries_of(new_db)
    another, last = min(efforts[2::2]), min(efforts[3::2])
    assert last <= 1.2 * another + 4
