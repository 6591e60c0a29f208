"""Tests that erased names stay erased when an older backup is restored."""

import datetime
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.ratings.imported import import_text
from tourney.domain.errors import TourneyNotice, TourneyWarning
from tourney.service import database
from tourney.service.change import apply
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.ratings import ratings
from tourney.service.ratings.editions import PublishEdition
from tourney.storage.journal.entries import FIRST, chain_hash


def make_db(db: str) -> None:
    """The path of a database in which only Ana, Beñat and Carmen are registered."""
    apply(db, RegisterPlayers(desk.NAMES[:3]))


def names(db: str) -> list[str]:
    """Return the names of all people in the file, also of merged ones; an erased name is empty."""
    return [row[0] for row in desk.query(db, "SELECT name FROM person ORDER BY player, version")]


def _erase(db: str) -> list[str]:
    """Erase Ana and return the names that remain, as `names` does."""
    apply(db, ErasePlayer("Ana"))
    return ["", "Beñat", "Carmen"]


def _erase_a_merged_player(db: str) -> list[str]:
    """Merge two players, who are still two in the backup, and erase both names."""
    apply(db, MergePlayers("Ana", "Carmen"))
    apply(db, ErasePlayer("Ana"))
    return ["", "Beñat", ""]


def _erase_a_newcomer(db: str) -> list[str]:
    """Register and erase a player whom the backup does not have."""
    apply(db, RegisterPlayers(["Diego"]))
    apply(db, ErasePlayer("Diego"))
    return ["Ana", "Beñat", "Carmen"]


ERASED_SINCE = {
    "one player": (_erase, 1),
    "two merged players": (_erase_a_merged_player, 2),
    "a player registered since": (_erase_a_newcomer, 0),
}


@pytest.mark.parametrize("case", ERASED_SINCE)
def test_a_restore_repeats_the_erasures_since_the_backup(db: str, case: str) -> None:
    """Check that the restore adds erasures after the entries of the backup, that the file does not hold the names, and
    that a dry run counts the erasures.
    """
    erase, number = ERASED_SINCE[case]
    made = database.backup(db)
    expected = erase(db)
    previewed = database.restore(db, made.path, dry_run=True)
    done = database.restore(db, made.path)
    assert (previewed.erased, done.erased, done.erasures) == (number, number, "all known")
    assert names(db) == expected
    kinds = [row[0] for row in desk.query(db, "SELECT kind FROM act ORDER BY number")]
    assert kinds[made.entries :] == ["player.erase"] * number
    assert database.check(db).problems == ()
    erased = {"Ana", "Carmen"}.difference(expected)
    assert [name for name in erased if name.encode() in Path(db).read_bytes()] == []
    assert list(Path(db).parent.rglob("*.part*")) == []
    assert names(made.path) == ["Ana", "Beñat", "Carmen"], "the backup itself stays as it was made"


@pytest.mark.parametrize("lose", [True, False])
def test_an_erasure_holds_after_two_restores(db: str, lose: bool) -> None:
    """The first restore is of a backup from before the player was registered; the database may be lost then."""
    first = database.backup(db)
    apply(db, RegisterPlayers(["Xavier"]))
    with_the_name = database.backup(db)
    apply(db, ErasePlayer("Xavier"))
    database.restore(db, first.path)
    if lose:
        Path(db).unlink()
    assert database.restore(db, with_the_name.path).erased == 1
    assert names(db) == ["Ana", "Beñat", "Carmen", ""]


def test_a_restore_does_not_erase_another_person_with_the_same_number(db: str) -> None:
    """Database and backup have different players as No. 4; the one in the database is erased."""
    other = str(shutil.copy(db, Path(db).with_name("other.db")))
    apply(other, RegisterPlayers(["Zoe"]))
    apply(db, RegisterPlayers(["Iker"]))
    apply(db, ErasePlayer("Iker"))
    apply(db, ErasePlayer("Ana"))
    assert database.restore(db, other).erased == 1
    assert names(db) == ["", "Beñat", "Carmen", "Zoe"]


def test_a_player_erased_in_the_backup_is_not_erased_again(db: str) -> None:
    apply(db, ErasePlayer("Ana"))
    made = database.backup(db)
    apply(db, ErasePlayer("Carmen"))
    done = database.restore(db, made.path)
    assert (done.erased, names(db)) == (1, ["", "Beñat", ""])


def _overwrite(db: str) -> None:
    Path(db).write_bytes(b"rubbish" * 1000)


def _delete(db: str) -> None:
    Path(db).unlink()


def _change_erasure(db: str) -> None:
    desk.tamper(db, """UPDATE act SET text = replace(text, '"player":1', '"player":3') WHERE kind = 'player.erase'""")


def _make_erasure_unreadable(db: str) -> None:
    desk.tamper(db, "UPDATE act SET text = CAST(x'ff' AS TEXT) WHERE kind = 'player.erase'")


@pytest.mark.parametrize("spoil", [_overwrite, _delete, _change_erasure, _make_erasure_unreadable])
def test_the_command_warns_if_it_cannot_know_which_names_were_erased(
    db: str, spoil, capsys: pytest.CaptureFixture[str]
) -> None:
    """Check also that an entry with a wrong hash erases no name."""
    made = database.backup(db)
    apply(db, ErasePlayer("Ana"))
    spoil(db)
    for more in (["--dry-run"], []):
        result = Runner(capsys)("db", "restore", made.path, "--db", db, *more)
        assert result.code == 0
        assert "Names erased since that backup may be back" in result.out
    assert names(db) == ["Ana", "Beñat", "Carmen"]


@pytest.mark.parametrize("entry", ["hello", "{}", '{"kind":"player.erase"}', "[]"])
def test_a_file_with_an_entry_that_no_program_writes_does_not_stop_a_restore(db: str, entry: str) -> None:
    """The attack: one such file among the backups ended every `db restore` with an error in the program."""
    made = database.backup(db)
    planted = Path(made.path).with_name("club.db-20200101T000000Z-act1-restore.db")
    shutil.copy(db, planted)
    desk.tamper(str(planted), f"UPDATE act SET text = '{entry}', hash = '{chain_hash(FIRST, entry)}' WHERE number = 1")
    assert database.restore(db, made.path).erasures == "some perhaps not known"


def test_a_view_in_a_file_among_the_backups_is_not_read(db: str) -> None:
    """The attack: a view without end among the backups, and no restore and no erasure came to an end."""
    made = database.backup(db)
    planted = Path(made.path).with_name("club.db-20200101T000000Z-act1-restore.db")
    with closing(sqlite3.connect(planted)) as connection:
        rows = "WITH RECURSIVE n(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n)"
        connection.execute(f"CREATE VIEW act AS {rows} SELECT number, '' AS text, '' AS hash FROM n")
    planted.chmod(0o600)
    apply(db, ErasePlayer("Ana"))
    assert database.restore(db, made.path).erasures == "some perhaps not known"


def test_a_restore_says_how_many_names_it_erased_again(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    made = database.backup(db)
    apply(db, ErasePlayer("Ana"))
    result = Runner(capsys)("db", "restore", made.path, "--db", db)
    assert "\n1 name that was erased since is erased again, by a change behind these\n" in result.out
    assert "may be back" not in result.out


def test_an_erasure_lists_the_backups_that_still_hold_the_name(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Two backups have Ana as No. 1; a third, of another club, has another player."""
    folder = Path(db).parent / "tourney-backups"
    holding = [database.backup(db).path for _time in range(2)]
    other_db = str(Path(db).with_name("theirs.db"))
    apply(other_db, RegisterPlayers(["Zoe"]))
    shutil.copy(other_db, folder / "club.db-20000101T000000Z-act1.db")
    run = Runner(capsys)
    result = run("player", "erase", "Ana", "--db", db, "--dry-run")
    assert f"2 backups in {folder} still hold the name" in " ".join(result.out.split())
    listed = run("player", "erase", "Ana", "--db", db, "--json").json["backups"]
    assert listed == holding, "oldest first"


NAME = "Xochiquetzal"


@pytest.fixture
def everywhere(tmp_path: Path) -> Path:
    """A folder in which a person of that name is wherever the program writes names: results, sheets of phones, ratings,
    an edition, two mirrors and two backups.
    """
    db = str(tmp_path / "club.db")
    desk.everything(Path(db))
    apply(db, RenamePlayer("Ana", "Ana de Getxo"))
    apply(db, RenamePlayer("Ana de Getxo", NAME))
    for folder in ("stick", "away"):
        (tmp_path / folder).mkdir()
        database.add_mirror(db, str(tmp_path / folder))
    database.backup(db)
    database.backup(db, str(tmp_path / "stick" / "copy.db"))
    apply(db, PublishEdition("people", f"{datetime.datetime.now(datetime.UTC).date()}"))
    ratings.ratings(db)
    return tmp_path


def _files_naming(folder: Path, name: str) -> set[str]:
    """Return the files below the folder whose bytes have the name."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)) for path in files if name.encode() in path.read_bytes()}


def test_an_erased_name_is_only_in_the_places_that_are_announced(everywhere: Path) -> None:
    """Every byte of every file is searched; the answer names the backup and the mirror that is away.

    A copy that was made elsewhere is not known to the program, and the answer says that such copies may have the name.
    """
    db = str(everywhere / "club.db")
    away = everywhere / "away"
    away.rename(everywhere / "pocket")
    with pytest.warns(TourneyWarning, match="is away"):
        erased = apply(db, ErasePlayer(NAME))
    announced = {str(Path(path).relative_to(everywhere)) for path in erased.backups}
    assert erased.mirrors == (str(away / "club.db-mirror.txt"),)
    assert erased.pools == ()
    elsewhere = {"stick/copy.db", "pocket/club.db-mirror-names.txt"}
    assert _files_naming(everywhere, NAME) == announced | elsewhere
    (everywhere / "pocket").rename(away)
    with pytest.warns(TourneyNotice, match="is back"):
        database.list_mirrors(db)
    assert _files_naming(everywhere, NAME) == announced | {"stick/copy.db"}


def test_pools_with_imported_results_of_an_erased_name_are_named(everywhere: Path, run: Runner) -> None:
    """A former name counts too, whatever its capitals and accents."""
    for pool in ("autumn", "spring"):
        db = import_text(everywhere, "seq,player,rank\n1,ana de gétxo,1\n1,Iker,2\n", pool)
    ran = run("player", "erase", NAME, "--yes", "--db", db)
    assert "imported into autumn, spring contain the name" in ran.out


def test_the_answer_names_each_change_and_event_with_a_text_that_has_the_name(run: Runner, tmp_path: Path) -> None:
    """The texts are looked at: of layouts of files, of settings, reasons and authors, whatever kind of change has them.

    The second source is the text of every entry, as the file has it.
    """
    db, games = str(tmp_path / "club.db"), tmp_path / "games.csv"
    run("player", "add", NAME, "Ana", "Beñat", "Carmen", "--db", db)
    run("player", "rename", NAME, "--name", "Quetza", "--db", db)
    games.write_text(f"Date,Game,Ana,Beto,{NAME}\n2026-01-12,Catan,10,8,6\n", encoding="utf-8")
    words = ("--across", "players", "--cells", f"Ana,Beto,{NAME}", "--best", "high", "--save-as", "series")
    assert run("rating", "import", str(games), "--pool", "games", *words, "--db", db).code == 0
    assert run("event", "new", "Friday", "--organiser", f"the family of {NAME.upper()}", "--db", db).code == 0
    assert run("event", "new", f"{NAME}titlan", "--db", db).code == 0, "another word"
    apply(db, RegisterPlayers(["Diego"]), by="Quetza")
    erased = run("player", "erase", "Quetza", "--yes", "--db", db, "--json").json
    texts = desk.query(db, "SELECT number, text FROM act")
    expected = [number for number, text in texts if "quetza" in text.casefold().replace(f"{NAME}titlan".casefold(), "")]
    assert erased["changes"] == expected
    assert len(expected) >= 3
    assert (erased["settings"], erased["pools"]) == (["Friday"], ["games"])


def test_a_reader_that_keeps_the_name_in_the_log_is_said(run: Runner, tmp_path: Path) -> None:
    """Another program reads an older state of the file meanwhile; the next change after it erases the name."""
    db = str(tmp_path / "club.db")
    run("player", "add", NAME, "Ana", "--db", db)
    other = sqlite3.connect(db)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM act").fetchone()
    ran = run("player", "erase", NAME, "--yes", "--db", db)
    assert (ran.code, "another program is reading the database" in " ".join(ran.err.split())) == (0, True)
    other.close()
    run("player", "add", "Diego", "--db", db)
    assert _files_naming(tmp_path, NAME) == set()
