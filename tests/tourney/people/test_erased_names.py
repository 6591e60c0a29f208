"""Names that were erased stay erased when the database goes back to a copy made before."""

import shutil
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.service import database
from tourney.service.change import apply
from tourney.service.people.players import ErasePlayer, MergePlayers, RegisterPlayers


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Ana, Beñat and Carmen are registered, and nothing else is done."""
    db = str(tmp_path / "club.db")
    apply(db, RegisterPlayers(desk.NAMES[:3]))
    return db


def names(db: str) -> list[str]:
    """Everybody, as the file has them: a merged person too."""
    return [row[0] for row in desk.query(db, "SELECT name FROM person ORDER BY player, version")]


def _erase(db: str) -> list[str]:
    apply(db, ErasePlayer("Ana"))
    return ["", "Beñat", "Carmen"]


def _erase_a_merged_one(db: str) -> list[str]:
    """In the backup they are two people still; both names were erased."""
    apply(db, MergePlayers("Ana", "Carmen"))
    apply(db, ErasePlayer("Ana"))
    return ["", "Beñat", ""]


def _erase_a_newcomer(db: str) -> list[str]:
    """Register and erase a player whom the backup does not have."""
    apply(db, RegisterPlayers(["Diego"]))
    apply(db, ErasePlayer("Diego"))
    return ["Ana", "Beñat", "Carmen"]


SINCE = {
    "one": (_erase, 1),
    "two entries of one person": (_erase_a_merged_one, 2),
    "somebody registered since": (_erase_a_newcomer, 0),
}


@pytest.mark.parametrize("case", SINCE)
def test_a_restore_erases_again_whose_name_was_erased_since(db: str, case: str) -> None:
    """Check that the restore adds erasures after the backup's entries, that no byte of the file holds the name, and
    that a dry run counts them.
    """
    erase, number = SINCE[case]
    made = database.backup(db)
    wanted = erase(db)
    previewed = database.restore(db, made.path, dry_run=True)
    done = database.restore(db, made.path)
    assert (previewed.erased, done.erased, done.erasures) == (number, number, "all known")
    assert names(db) == wanted
    kinds = [row[0] for row in desk.query(db, "SELECT kind FROM act ORDER BY number")]
    assert kinds[made.entries :] == ["player.erase"] * number
    assert database.check(db).problems == ()
    gone = {"Ana", "Carmen"}.difference(wanted)
    assert [name for name in gone if name.encode() in Path(db).read_bytes()] == []
    assert list(Path(db).parent.rglob("*.part*")) == []
    assert names(made.path) == ["Ana", "Beñat", "Carmen"], "the backup itself stays as it was made"


def test_another_person_of_the_same_number_keeps_the_name(db: str) -> None:
    """After the copy was made each file registered a fourth person of its own; one of them is erased."""
    other = str(shutil.copy(db, Path(db).with_name("other.db")))
    apply(other, RegisterPlayers(["Zoe"]))
    apply(db, RegisterPlayers(["Iker"]))
    apply(db, ErasePlayer("Iker"))
    apply(db, ErasePlayer("Ana"))
    assert database.restore(db, other).erased == 1
    assert names(db) == ["", "Beñat", "Carmen", "Zoe"]


def test_who_is_erased_in_the_backup_already_is_not_erased_twice(db: str) -> None:
    apply(db, ErasePlayer("Ana"))
    made = database.backup(db)
    apply(db, ErasePlayer("Carmen"))
    done = database.restore(db, made.path)
    assert (done.erased, names(db)) == (1, ["", "Beñat", ""])


def _ruined(db: str) -> None:
    Path(db).write_bytes(b"rubbish" * 1000)


def _lost(db: str) -> None:
    Path(db).unlink()


def _flipped(db: str) -> None:
    desk.tamper(db, """UPDATE act SET text = replace(text, '"player":1', '"player":3') WHERE kind = 'player.erase'""")


def _no_text(db: str) -> None:
    desk.tamper(db, "UPDATE act SET text = CAST(x'ff' AS TEXT) WHERE kind = 'player.erase'")


@pytest.mark.parametrize("spoil", [_ruined, _lost, _flipped, _no_text])
def test_where_the_file_cannot_tell_the_command_says_that_names_may_be_back(
    db: str, spoil, capsys: pytest.CaptureFixture[str]
) -> None:
    """Check that the command says so, and that no entry whose hash is wrong erases anybody."""
    made = database.backup(db)
    apply(db, ErasePlayer("Ana"))
    spoil(db)
    for more in (["--dry-run"], []):
        result = Runner(capsys)("db", "restore", made.path, "--db", db, *more)
        assert result.code == 0
        assert "Names erased since that backup may be back" in result.out
    assert names(db) == ["Ana", "Beñat", "Carmen"]


def test_the_restore_says_in_a_line_how_many_stay_erased(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    made = database.backup(db)
    apply(db, ErasePlayer("Ana"))
    result = Runner(capsys)("db", "restore", made.path, "--db", db)
    assert "\n1 name that was erased since is erased again, by a change behind these\n" in result.out
    assert "may be back" not in result.out


def test_erasing_names_the_backups_that_still_hold_the_name(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Two copies have Ana; a third is of another club, with somebody else as No. 1."""
    folder = Path(db).parent / "tourney-backups"
    holding = [database.backup(db).path for _time in range(2)]
    theirs = str(Path(db).with_name("theirs.db"))
    apply(theirs, RegisterPlayers(["Zoe"]))
    shutil.copy(theirs, folder / "club.db-20000101T000000Z-act1.db")
    run = Runner(capsys)
    result = run("player", "erase", "Ana", "--db", db, "--dry-run")
    assert f"2 backups in {folder} still hold the name" in " ".join(result.out.split())
    found = run("player", "erase", "Ana", "--db", db, "--json").json["backups"]
    assert found == holding, "oldest first"
