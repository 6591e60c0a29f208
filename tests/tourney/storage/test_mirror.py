"""Tests of mirrors by whole commands: what stands in them, a stick that is away, and databases that lack entries.

Expected lines are computed with hashlib from the entries that sqlite3 reads.
"""

import errno
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.storage import session
from tourney.storage.backup import restore
from tourney.storage.journal.partitions import TABLES, UNWRITTEN
from tourney.storage.mirror import follow
from tourney.storage.mirror.remembered import note_of

BLOCKS_AND_CACHES = {"league_block", "league_fault", "league_record", "league_seal", "rated_round", "rating_checkpoint"}
"""Tables that are not mirrored: what they hold is played or computed again."""


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def mirrored(run: Runner, tmp_path: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a database of two players with a mirror, which commands use."""
    db = tmp_path / "club.db"
    monkeypatch.setenv("TOURNEY_DB", str(db))
    desk.copied(db, _register_two)
    assert run("db", "mirror", "add", str(stick)).code == 0
    return db


def _register_two(db: str) -> None:
    apply(db, RegisterPlayers(["Ana", "Beñat"]))


def journal(stick: Path) -> Path:
    return stick / "club.db-mirror.txt"


def names(stick: Path) -> Path:
    return stick / "club.db-mirror-names.txt"


def names_in(file: Path) -> list[str]:
    return [json.loads(line)[2] for line in file.read_text(encoding="utf-8").splitlines()[1:]]


def entry_lines(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.split(" ", 2)[1] not in ("record", "rows")]


def expected_lines(db: Path | str) -> list[str]:
    """Return the line of each entry: its number, SHA-256 over the hash before, a line feed and its text, its text."""
    lines, before = [], ""
    for number, text in desk.query(str(db), "SELECT number, text FROM act ORDER BY number"):
        before = hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
        lines.append(f"{number} {before} {text}")
    return lines


def lose_last_entries(run: Runner, db: Path, *names: str) -> None:
    """Register people one by one, and put back the database as it was before."""
    before = db.read_bytes()
    for name in names:
        assert run("player", "add", name).code == 0
    db.write_bytes(before)


def listed(run: Runner, *more: str) -> list[str]:
    return [player["name"] for player in run("player", "list", "--json", *more).json]


def test_every_change_is_appended_as_its_canonical_text_with_its_hash(run: Runner, mirrored: Path, stick: Path) -> None:
    """Undo and redo are changes too; a dry run and a refused command are none."""
    for words in ("player add Carmen", "event new Friday --rules oficial", "undo", "redo"):
        assert run(*words.split()).code == 0
    assert run("player", "add", "Diego", "--dry-run").code == 0
    assert run("player", "add", "Ana").code != 0
    lines = entry_lines(journal(stick))
    assert lines == expected_lines(mirrored)
    assert [json.loads(line.split(" ", 2)[2])["kind"] for line in lines] == [
        "player.add",
        "player.add",
        "event.new",
        "undo",
        "redo",
    ]


def test_names_stand_only_in_the_file_beside_the_journal(mirrored: Path, stick: Path) -> None:
    assert mirrored.exists()
    assert "Beñat" in names(stick).read_text(encoding="utf-8")
    assert "Beñat" not in journal(stick).read_text(encoding="utf-8")


def test_erasing_a_person_reaches_the_mirror_and_overwrites_the_old_names(
    run: Runner, mirrored: Path, stick: Path
) -> None:
    """The former file is read through a handle that was opened before: its bytes are gone from the disk."""
    with open(names(stick), "rb") as former:
        before = former.read()
        assert "Beñat".encode() in before
        assert run("player", "erase", "Beñat").code == 0
        former.seek(0)
        assert former.read() == bytes(len(before))
    assert [path.name for path in sorted(stick.iterdir())] == [names(stick).name, journal(stick).name]
    assert "Beñat" not in names(stick).read_text(encoding="utf-8")
    assert "Ana" in names(stick).read_text(encoding="utf-8")
    assert mirrored.exists()


def test_a_database_with_everything_is_made_anew_of_its_mirror(run: Runner, tmp_path: Path, stick: Path) -> None:
    """All rows are equal but those of leagues' blocks, caches, and others that no entry has written."""
    db = desk.everything(tmp_path / "club.db")
    assert run("db", "mirror", "add", str(stick), "--db", db).code == 0
    assert entry_lines(journal(stick)) == expected_lines(db)
    new = str(tmp_path / "other" / "new.db")
    Path(new).parent.mkdir()
    assert run("db", "restore", "--mirror", str(stick), "--db", new).code == 0
    assert run("db", "check", "--db", new).code == 0
    for table in desk.tables(db):
        rows, others = (desk.query(file, f'SELECT * FROM "{table}"') for file in (db, new))
        if table == "seal":
            rows = [row for row in rows if row[0] not in UNWRITTEN]
        if table in {*BLOCKS_AND_CACHES, *(TABLES[name][0] for name in UNWRITTEN)}:
            assert others == [], table
        else:
            assert sorted(others, key=repr) == sorted(rows, key=repr), table
    resumed = run("league", "resume", "1", "--db", new, "--json")
    assert resumed.json["blocks"] == 2


FAULTS = [
    pytest.param(None, "player add Elena", id="a folder that is gone"),
    pytest.param(None, "db mirror list", id="a folder that is gone, and looked for"),
    pytest.param(errno.ENOSPC, "player add Elena", id="a full disk"),
    pytest.param(errno.EIO, "db mirror list", id="a disk that fails"),
    pytest.param(errno.EROFS, "player add Elena", id="a stick made read-only"),
]
"""The error of the system at flushing (None: the folder is renamed), and the command that finds the stick again."""


class Stick:
    """A stick that can be taken away: its folder is renamed, or flushing fails with an error of the system."""

    def __init__(self, folder: Path, fault: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._fault, self._monkeypatch = folder, fault, monkeypatch

    def take(self) -> None:
        if self._fault is None:
            self._folder.rename(self._folder.with_name("away"))
            return
        number, flush = self._fault, os.fsync

        def fail(handle: int) -> None:
            if os.readlink(f"/proc/self/fd/{handle}") == str(journal(self._folder)):
                raise OSError(number, os.strerror(number))
            flush(handle)

        self._monkeypatch.setattr(follow.os, "fsync", fail)

    def give(self) -> None:
        if self._fault is None:
            self._folder.with_name("away").rename(self._folder)
        else:
            self._monkeypatch.undo()


@pytest.mark.parametrize(("fault", "back"), FAULTS)
def test_a_stick_that_is_away_is_reported_once_and_completed_when_it_is_back(
    run: Runner, mirrored: Path, stick: Path, monkeypatch: pytest.MonkeyPatch, fault: int | None, back: str
) -> None:
    """Changes are kept with exit code 0; reading says nothing; a whole journal is left at each time."""
    whole = journal(stick).read_bytes()
    taken = Stick(stick, fault, monkeypatch)
    with monkeypatch.context() as patch:
        taken._monkeypatch = patch
        taken.take()
        first = run("player", "add", "Carmen", "--db", str(mirrored))
        assert (first.code, first.err.count("\n")) == (0, 1)
        assert first.err.startswith(f"warning: the mirror {journal(stick)} is away (")
        second = run("player", "add", "Diego", "--db", str(mirrored))
        reading = run("player", "list", "--json", "--db", str(mirrored))
        assert (second.code, second.err, reading.code, reading.err) == (0, "", 0, "")
        assert len(reading.json) == 4
        if fault is not None:
            assert journal(stick).read_bytes() == whole
        state = run("db", "mirror", "list", "--json", "--db", str(mirrored))
        assert (state.code, state.json[0]["state"], state.err) == (0, "away", "")
        taken.give()
    done = run(*back.split(), "--db", str(mirrored))
    number = 3 if "add" in back else 2
    said = f"the mirror {journal(stick)} is back, and complete again: {number} changes were written to it\n"
    assert (done.code, done.err) == (0, said)
    assert entry_lines(journal(stick)) == expected_lines(mirrored)
    assert run("player", "add", "Félix").err == ""


def test_a_database_that_lacks_entries_is_reported_by_every_command_until_it_is_completed(
    run: Runner, mirrored: Path, stick: Path
) -> None:
    """The newest of two is named, with the command that completes the database; that lists both, a dry run too."""
    lose_last_entries(run, mirrored, "Carmen", "Diego")
    for words in ("player list", "standings", "log", "db check", "db backup", "player add Eva", "undo --dry-run"):
        done = run(*words.split())
        assert (done.code, done.out) == (ExitCode.STORAGE, ""), words
        error, hint = done.err.splitlines()
        assert f"the database lacks 2 changes that its mirror {journal(stick)} has" in error
        assert error.endswith("; the newest: registered: Diego")
        assert hint == f"hint: complete it with `tourney db restore --mirror {journal(stick)} --db {mirrored}`"
    added = ["added: registered: Carmen", "added: registered: Diego"]
    shown = run("db", "restore", "--mirror", "--dry-run", "--json").json
    assert (shown["acts"], shown["common"], shown["before"]) == (3, 1, 1)
    assert "\n".join(added) in run("db", "restore", "--mirror", "--dry-run").out
    assert run("player", "list").code == ExitCode.STORAGE
    done = run("db", "restore", "--mirror")
    assert (done.code, done.err) == (0, "")
    assert [f"completed: 2 changes from {journal(stick)}", *added] == re.findall("(?m)^completed.*|^added.*", done.out)
    assert (listed(run), run("player", "add", "Eva").code) == (["Ana", "Beñat", "Carmen", "Diego"], 0)
    assert entry_lines(journal(stick)) == expected_lines(mirrored)
    assert run("db", "restore", "--mirror").out.startswith("nothing to do")


@pytest.mark.parametrize("left", ["nothing", "an empty file", "a file of other bytes", "a damaged name"])
def test_a_database_that_is_gone_or_damaged_is_made_anew_of_its_mirror(run: Runner, mirrored: Path, left: str) -> None:
    assert run("player", "add", "Carmen").code == 0
    if left == "nothing":
        mirrored.unlink()
    elif left == "a damaged name":
        desk.tamper(str(mirrored), "UPDATE person SET name = 'Anb' WHERE name = 'Ana'")
    else:
        mirrored.write_bytes(b"" if left == "an empty file" else b"no database" * 300)
    refused = run("player", "list")
    assert refused.code == ExitCode.STORAGE
    assert run("db", "restore", "--mirror").code == 0
    assert listed(run) == ["Ana", "Beñat", "Carmen"]
    assert run("db", "check").code == 0


def test_a_program_killed_between_commit_and_mirror_is_repaired_at_the_next_opening(
    run: Runner, mirrored: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(session, "follow", lambda _path: None)
        assert run("player", "add", "Carmen").code == 0
    assert len(entry_lines(journal(stick))) == 1
    done = run("player", "list")
    assert (done.code, done.err) == (0, "")
    assert entry_lines(journal(stick)) == expected_lines(mirrored)


@pytest.mark.parametrize(
    ("end", "opening"),
    [
        (b"3 0123", "player list"),
        (b"3 0123", "player add Diego"),
        (b"\0" * 600, "player list"),
        (b"\0" * 600 + b"\n", "player add Diego"),
        (b'3 record "a game"\n', "player list"),
        (b"no entry\n", "player list"),
    ],
)
def test_a_last_line_that_was_cut_off_is_repaired(
    run: Runner, mirrored: Path, stick: Path, end: bytes, opening: str
) -> None:
    assert run("player", "add", "Carmen").code == 0
    with open(journal(stick), "ab") as file:
        file.write(end)
    done = run(*opening.split())
    assert (done.code, done.err) == (0, "")
    assert run("player", "add", "Eva").code == 0
    assert journal(stick).read_text(encoding="utf-8").splitlines() == expected_lines(mirrored)


def test_a_last_entry_that_was_cut_off_is_written_again(run: Runner, mirrored: Path, stick: Path) -> None:
    assert run("player", "add", "Carmen").code == 0
    whole = journal(stick).read_bytes()
    journal(stick).write_bytes(whole[:-20])
    assert run("player", "list").code == 0
    assert journal(stick).read_bytes() == whole
    assert mirrored.exists()


def test_damage_elsewhere_is_named_by_its_line(run: Runner, mirrored: Path, stick: Path, tmp_path: Path) -> None:
    """One letter of the second of four changes is another one; the lines before it can still be restored."""
    for name in ("Carmen", "Diego", "Eva"):
        assert run("player", "add", name).code == 0
    lines = journal(stick).read_text(encoding="utf-8").splitlines(keepends=True)
    lines[1] = lines[1].replace("player.add", "player.odd")
    journal(stick).write_text("".join(lines), encoding="utf-8")
    assert run("player", "list").code == 0
    state = run("db", "mirror", "list", "--json")
    assert (state.code, state.json[0]["state"], state.json[0]["problem"]) == (1, "damaged", "damaged lines: 2")
    new = str(tmp_path / "new.db")
    refused = run("db", "restore", "--mirror", str(stick), "--db", new)
    assert (refused.code, refused.out) == (ExitCode.STORAGE, "")
    assert refused.err.startswith(f"error: {journal(stick)}: line 2 is damaged\nhint: restore a backup, or")
    assert not Path(new).exists()
    subprocess.run(refused.err.split("`")[1], shell=True, check=True, cwd=tmp_path)
    assert run("db", "restore", "--mirror", str(tmp_path / "part-mirror.txt"), "--db", new).code == 0
    assert listed(run, "--db", new) == ["Ana", "Beñat"]
    assert mirrored.exists()


def test_damaged_lines_that_the_database_has_do_not_keep_it_from_being_completed(
    run: Runner, mirrored: Path, stick: Path
) -> None:
    lose_last_entries(run, mirrored, "Carmen")
    lines = journal(stick).read_text(encoding="utf-8").splitlines(keepends=True)
    journal(stick).write_text("".join(["damaged\n", *lines[1:]]), encoding="utf-8")
    assert run("db", "restore", "--mirror").code == 0
    assert listed(run) == ["Ana", "Beñat", "Carmen"]


def test_a_mirror_of_another_database_is_refused_with_both_named(
    run: Runner, mirrored: Path, stick: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere" / "club.db"
    other.parent.mkdir()
    assert run("player", "add", "Zoe", "--db", str(other)).code == 0
    before = journal(stick).read_bytes()
    for words in (("db", "mirror", "add", str(stick)), ("db", "restore", "--mirror", str(stick))):
        done = run(*words, "--db", str(other))
        assert (done.code, done.out) == (ExitCode.CONFLICT, ""), words
        assert f"{journal(stick)} is the mirror of {mirrored}, not of {other}" in done.err
    assert journal(stick).read_bytes() == before
    assert listed(run, "--db", str(other)) == ["Zoe"]


def test_a_stick_of_another_database_in_the_place_of_the_mirror_is_refused_until_it_is_forgotten(
    run: Runner, mirrored: Path, stick: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere" / "club.db"
    (other.parent / "stick").mkdir(parents=True)
    assert run("player", "add", "Zoe", "--db", str(other)).code == 0
    assert run("db", "mirror", "add", str(other.parent / "stick"), "--db", str(other)).code == 0
    shutil.copytree(other.parent / "stick", stick, dirs_exist_ok=True)
    done = run("player", "list")
    assert done.code == ExitCode.STORAGE
    assert f"is the mirror of {other}, not of {mirrored}" in done.err
    assert run("db", "mirror", "remove").code == 0
    assert run("player", "list").code == 0


def test_where_both_have_other_entries_the_mirror_is_restored_to_a_second_file(
    run: Runner, mirrored: Path, stick: Path, tmp_path: Path
) -> None:
    """The database was put back, and changed while the stick was away; nothing is merged by itself."""
    lose_last_entries(run, mirrored, "Carmen", "Diego")
    stick.rename(tmp_path / "away")
    assert run("player", "add", "Eva").code == 0
    (tmp_path / "away").rename(stick)
    done = run("player", "list")
    assert done.code == ExitCode.STORAGE
    assert "differ since change 1: 1 change only in the database and 2 only in the mirror" in done.err
    assert run("db", "mirror", "list").code == 1
    assert run("db", "restore", "--mirror").code == ExitCode.CONFLICT
    second = str(tmp_path / "second.db")
    assert run("db", "restore", "--mirror", str(stick), "--db", second).code == 0
    assert listed(run, "--db", second) == ["Ana", "Beñat", "Carmen", "Diego"]


def test_a_restored_backup_begins_a_new_mirror_and_the_old_one_is_kept(
    run: Runner, mirrored: Path, stick: Path
) -> None:
    backup = run("db", "backup", "--json").json["path"]
    assert run("player", "add", "Carmen").code == 0
    old = journal(stick).read_bytes()
    assert run("db", "restore", backup).code == 0
    assert entry_lines(journal(stick)) == expected_lines(mirrored)
    kept = [file for file in stick.glob("club.db-mirror-until-*Z.txt") if not file.name.endswith("names.txt")]
    assert [file.read_bytes() for file in kept] == [old]
    assert len(list(stick.iterdir())) == 4
    assert run("player", "add", "Diego").code == 0
    assert listed(run) == ["Ana", "Beñat", "Diego"]
    assert entry_lines(journal(stick)) == expected_lines(mirrored)


def test_erasing_a_person_reaches_a_mirror_that_was_set_aside(run: Runner, mirrored: Path, stick: Path) -> None:
    """Carmen of the old journal is another person than Diego, who has her number in the new one."""
    backup = run("db", "backup", "--json").json["path"]
    assert run("player", "add", "Carmen").code == 0
    assert run("db", "restore", backup).code == 0
    assert run("player", "add", "Diego").code == 0
    (kept,) = stick.glob("club.db-mirror-until-*-names.txt")
    for name in ("Beñat", "Diego"):
        assert run("player", "erase", name).code == 0
    assert names_in(kept) == ["Ana", "", "Carmen"]
    assert names_in(names(stick)) == ["Ana", "", ""]
    assert mirrored.exists()


def test_a_backup_restored_while_the_stick_is_away_begins_the_new_mirror_when_it_is_back(
    run: Runner, mirrored: Path, stick: Path, tmp_path: Path
) -> None:
    backup = run("db", "backup", "--json").json["path"]
    assert run("player", "add", "Carmen").code == 0
    stick.rename(tmp_path / "away")
    assert run("db", "restore", backup).code == 0
    (tmp_path / "away").rename(stick)
    assert run("player", "list").code == 0
    assert run("player", "add", "Diego").code == 0
    assert entry_lines(journal(stick)) == expected_lines(mirrored)


@pytest.mark.parametrize("gone", ["the stick", "the database"])
def test_a_mirror_can_always_be_removed(run: Runner, mirrored: Path, stick: Path, tmp_path: Path, gone: str) -> None:
    if gone == "the stick":
        stick.rename(tmp_path / "away")
    else:
        mirrored.unlink()
    assert run("db", "mirror", "remove").code == 0
    assert not note_of(mirrored).exists()
    assert run("db", "mirror", "remove").code == ExitCode.NOT_FOUND


DAMAGED_NOTES = {
    "no JSON": b"damaged",
    "empty": b"",
    "not UTF-8": b"\xff\xfe",
    "another JSON": b'{"mirrors": 5}',
    "no path": b'{"mirrors": [{"journal": "", "away": false, "restored": null}]}',
    "a zero character": b'{"mirrors": [{"journal": "/a\\u0000b", "away": false, "restored": null}]}',
    "deeply nested": b"[" * 100_000,
}


@pytest.mark.parametrize("content", DAMAGED_NOTES.values(), ids=DAMAGED_NOTES)
@pytest.mark.parametrize("words", ["player list", "player add Zoe", "db mirror list"])
def test_a_damaged_list_of_mirrors_is_reported_until_the_command_that_the_hint_names(
    run: Runner, mirrored: Path, content: bytes, words: str
) -> None:
    note = note_of(mirrored)
    note.write_bytes(content)
    refused = run(*words.split())
    assert (refused.code, refused.out, len(refused.err.splitlines())) == (ExitCode.STORAGE, "", 2)
    command = re.search("`tourney (.*?)`", refused.err)
    assert command is not None
    assert run(*shlex.split(command[1])).code == 0
    assert run(*words.split()).code == 0
    assert not note.exists()


def test_a_mirror_that_is_remembered_twice_is_removed_once(run: Runner, mirrored: Path) -> None:
    note = note_of(mirrored)
    twice = json.loads(note.read_text(encoding="utf-8"))["mirrors"] * 2
    note.write_text(json.dumps({"mirrors": twice}), encoding="utf-8")
    assert run("db", "mirror", "remove").code == 0
    assert not note.exists()


def test_of_two_mirrors_the_one_to_remove_is_named(run: Runner, mirrored: Path, stick: Path, tmp_path: Path) -> None:
    second = tmp_path / "second"
    second.mkdir()
    assert run("db", "mirror", "add", str(second)).code == 0
    assert run("player", "add", "Carmen").code == 0
    assert journal(second).read_bytes() == journal(stick).read_bytes()
    assert run("db", "mirror", "remove").code == ExitCode.REFUSED
    assert run("db", "mirror", "remove", str(stick)).code == 0
    assert [state["path"] for state in run("db", "mirror", "list", "--json").json] == [str(journal(second))]
    assert mirrored.exists()


def test_the_mirrors_of_no_database_are_not_found(run: Runner, tmp_path: Path) -> None:
    for words in (("list",), ("add", str(tmp_path)), ("remove",)):
        assert run("db", "mirror", *words, "--db", str(tmp_path / "none.db")).code == ExitCode.NOT_FOUND
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ("nowhere", ExitCode.NOT_FOUND, "there is no folder"),
        ("file.txt", ExitCode.NOT_FOUND, "there is no folder"),
        ("é" * 200, ExitCode.NOT_FOUND, "there is no folder"),  # longer than any file system allows
        (" ", ExitCode.USAGE, ""),
        ("stick", ExitCode.CONFLICT, "is a mirror of"),
    ],
)
def test_a_folder_that_cannot_be_a_mirror_is_refused_in_one_line(
    run: Runner, mirrored: Path, tmp_path: Path, given: str, code: ExitCode, words: str
) -> None:
    (tmp_path / "file.txt").touch()
    done = run("db", "mirror", "add", given if given == " " else str(tmp_path / given))
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 2)
    assert words in done.err
    assert mirrored.exists()


def test_a_mirror_that_cannot_be_written_is_not_added(
    run: Runner, mirrored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = tmp_path / "second"
    second.mkdir()
    with monkeypatch.context() as patch:
        Stick(second, errno.ENOSPC, patch).take()
        done = run("db", "mirror", "add", str(second))
    assert (done.code, "No space left on device" in done.err) == (ExitCode.STORAGE, True)
    assert list(second.iterdir()) == []
    assert len(run("db", "mirror", "list", "--json").json) == 1
    assert mirrored.exists()


def test_the_doctor_judges_the_mirrors(run: Runner, mirrored: Path, stick: Path, tmp_path: Path) -> None:
    def state() -> str:
        return next(finding["state"] for finding in run("doctor", "--json").json if finding["check"] == "mirrors")

    assert state() == "ok"
    stick.rename(tmp_path / "away")
    assert state() == "warning"
    (tmp_path / "away").rename(stick)
    assert run("player", "add", "Carmen").code == 0
    journal(stick).write_bytes(b"damaged\n" + journal(stick).read_bytes().partition(b"\n")[2])
    assert state() == "bad"
    assert mirrored.exists()


def test_names_are_whole_in_one_of_two_files_while_they_are_written(run: Runner, mirrored: Path, stick: Path) -> None:
    """A program is killed when the old file was overwritten, and the new one does not have its name yet."""
    names(stick).rename(stick / "club.db-mirror-names.txt.new")
    names(stick).write_bytes(bytes(100))
    mirrored.unlink()
    assert run("db", "restore", "--mirror").code == 0
    assert listed(run) == ["Ana", "Beñat"]


def test_a_mirror_without_its_names_is_refused_with_the_file_named(run: Runner, mirrored: Path, stick: Path) -> None:
    names(stick).write_text("damaged", encoding="utf-8")
    mirrored.unlink()
    done = run("db", "restore", "--mirror")
    assert (done.code, str(names(stick)) in done.err) == (ExitCode.STORAGE, True)


def test_a_folder_with_several_mirrors_asks_for_one(run: Runner, mirrored: Path, stick: Path, tmp_path: Path) -> None:
    """A database of the same name finds its own; for another one the file is named."""
    second = str(tmp_path / "second.db")
    assert run("player", "add", "Zoe", "--db", second).code == 0
    assert run("db", "mirror", "add", str(stick), "--db", second).code == 0
    third = str(tmp_path / "third.db")
    assert run("db", "restore", "--mirror", str(stick), "--db", third).code == ExitCode.REFUSED
    assert run("db", "restore", "--mirror", str(stick / "second.db-mirror.txt"), "--db", third).code == 0
    assert listed(run, "--db", third) == ["Zoe"]
    mirrored.unlink()
    assert run("db", "restore", "--mirror", str(stick)).code == 0
    assert listed(run) == ["Ana", "Beñat"]


def test_a_restore_that_was_broken_off_hides_no_lacking_entries(
    run: Runner, mirrored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database lacks a change, and its restore from an older backup fails before it has written anything."""
    backup = run("db", "backup", "--json").json["path"]
    assert run("player", "add", "Carmen").code == 0
    lose_last_entries(run, mirrored, "Diego")
    with monkeypatch.context() as patch:
        patch.setattr(restore, "_replace", no_replacement)
        assert run("db", "restore", backup).code == ExitCode.STORAGE
    assert run("player", "list").code == ExitCode.STORAGE
    assert run("db", "restore", "--mirror").code == 0
    assert listed(run) == ["Ana", "Beñat", "Carmen", "Diego"]


def no_replacement(_path: Path, _source: Path) -> str:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("torn", [b"\0" * 40, b"x", b'"'], ids=["zeros", "a letter", "a quotation mark"])
def test_lines_that_a_loss_of_power_has_torn_are_written_again(
    run: Runner, mirrored: Path, stick: Path, at: int, torn: bytes
) -> None:
    """The last line may be on the disk, and a sector of an earlier line of that piece not."""
    for name in ("Carmen", "Diego"):
        assert run("player", "add", name).code == 0
    sound = journal(stick).read_bytes()
    lines = sound.splitlines(keepends=True)
    lines[at] = lines[at][:90] + torn + lines[at][90 + len(torn) :]
    journal(stick).write_bytes(b"".join(lines))
    assert run("player", "add", "Elena").code == 0
    assert journal(stick).read_bytes().startswith(sound)
    assert entry_lines(journal(stick)) == expected_lines(mirrored)
