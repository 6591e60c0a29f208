"""Check what `doctor` finds, and how it judges it."""

import json
import os
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.database import Check
from tourney.service import database
from tourney.service.admin import diagnostics, doctor
from tourney.storage import health
from tourney.storage.backup import copies

NOW = datetime(2026, 11, 21, 21, 14, tzinfo=timezone(timedelta(hours=1)))


def found(db: str) -> dict[str, tuple[str, str]]:
    return {one.check: (one.state, one.found) for one in doctor.examine(db)}


@pytest.mark.parametrize(
    ("version", "state"),
    [
        ((3, 6, 23), "ok"),
        ((3, 7, 0), "warning"),
        ((3, 40, 1), "warning"),
        ((3, 44, 5), "warning"),
        ((3, 44, 6), "ok"),
        ((3, 45, 0), "warning"),
        ((3, 50, 6), "warning"),
        ((3, 50, 7), "ok"),
        ((3, 51, 0), "warning"),
        ((3, 51, 2), "warning"),
        ((3, 51, 3), "ok"),
        ((3, 53, 1), "ok"),
    ],
    ids=str,
)
def test_the_versions_of_sqlite_with_the_wal_reset_fault_are_reported(
    version: tuple[int, int, int], state: str
) -> None:
    """Check the versions that sqlite.org/wal.html lists: 3.7.0 to 3.51.2, fixed in 3.51.3 and, backported, in 3.44.6
    and 3.50.7.
    """
    assert diagnostics.sqlite(version).state == state


@pytest.mark.parametrize(
    ("version", "state"), [((3, 10, 9), "warning"), ((3, 11, 0), "ok"), ((3, 13, 9), "ok"), ((3, 14, 0), "warning")]
)
def test_python_is_as_the_distribution_asks(version: tuple[int, int, int], state: str) -> None:
    assert diagnostics.python(version).state == state


@pytest.mark.parametrize(
    ("kind", "folder", "state"),
    [
        ("ext4", "/home/ana", "ok"),
        ("ntfs3", "/mnt/disk", "ok"),
        ("tmpfs", "/tmp", "ok"),
        ("nfs", "/srv", "bad"),
        ("nfs4", "/srv", "bad"),
        ("cifs", "/srv", "bad"),
        ("smb3", "/srv", "bad"),
        ("9p", "/mnt/c", "bad"),
        ("fuse.sshfs", "/srv", "bad"),
        ("unc", "//server/club", "bad"),
        ("local", "C:/club", "ok"),
        ("apfs", "/Users/ana/Dropbox", "warning"),
        ("local", "C:/Users/ana/OneDrive - Club/x", "warning"),
        (None, "/Users/ana", "ok"),
    ],
)
def test_a_network_share_is_bad_and_a_folder_that_is_copied_elsewhere_a_warning(
    kind: str | None, folder: str, state: str
) -> None:
    """Write-ahead logging does not work between computers."""
    assert diagnostics.place(Path(folder) / "club.db", kind).state == state


MOUNTS = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
31 27 0:40 / {folder} rw - nfs4 server:/club rw
32 27 0:41 / {folder}/my\040disk rw shared:7 master:2 - xfs /dev/sdb1 rw
"""


@pytest.mark.parametrize(
    ("where", "kind"),
    [("club.db", "nfs4"), ("deep/club.db", "nfs4"), ("my disk/club.db", "xfs"), ("../club.db", "ext4")],
)
def test_the_kind_of_file_system_is_that_of_the_nearest_mount(
    tmp_path: Path, where: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines as proc(5) describes /proc/self/mountinfo."""
    monkeypatch.setattr(sys, "platform", "linux")
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "my disk").mkdir()
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS.strip().format(folder=folder), encoding="utf-8")
    assert health.filesystem(folder / where, mounts) == kind
    assert health.filesystem(folder / where, tmp_path / "none") is None


@pytest.mark.parametrize(
    ("behind", "state"), [(-3600, "ok"), (0, "ok"), (60, "ok"), (180, "warning"), (86400, "warning")], ids=str
)
def test_a_clock_before_the_last_entry_is_reported(behind: int, state: str) -> None:
    """By more than two minutes; the journal's time is UTC, the clock's is local."""
    last = datetime(2026, 11, 21, 20, 14, tzinfo=UTC) + timedelta(seconds=behind)
    assert diagnostics.clock(NOW, last).state == state
    assert diagnostics.clock(NOW, None).state == "ok"


@pytest.mark.parametrize(
    ("free", "size", "state"),
    [
        (9_000_000, 0, "bad"),
        (100_000_000, 40_000_000, "bad"),
        (100_000_000, 1_000_000, "warning"),
        (500_000_000, 30_000_000, "warning"),
        (500_000_000, 1_000_000, "ok"),
    ],
)
def test_room_is_needed_for_copies_of_the_file(free: int, size: int, state: str) -> None:
    assert diagnostics.space(free, size).state == state


@pytest.mark.parametrize(
    ("days", "missing", "state"),
    [(0, 3, "ok"), (6, 3, "ok"), (8, 3, "warning"), (8, 0, "ok"), (None, 0, "warning")],
)
def test_a_backup_is_stale_when_a_week_of_changes_is_not_in_it(days: int | None, missing: int, state: str) -> None:
    """A club that has not played since has nothing to lose."""
    made = None if days is None else NOW - timedelta(days=days)
    assert diagnostics.backups(made, missing, NOW).state == state


@pytest.mark.parametrize(
    ("encoding", "state"),
    [("UTF-8", "ok"), ("utf8", "ok"), ("cp65001", "ok"), ("cp1252", "warning"), ("ANSI", "warning")],
)
def test_a_terminal_with_another_encoding_is_reported(encoding: str, state: str) -> None:
    assert diagnostics.text(encoding).state == state


@pytest.mark.parametrize(
    ("kind", "modules", "reason", "state", "message"),
    [
        (
            "compiled",
            ("engine.cards", "engine.hand", "tourney.ratings.kernel"),
            "",
            "ok",
            "engine 2, tourney.ratings 1",
        ),
        ("plain", (), "", "ok", "as TOURNEY_PURE asked"),
        ("sources", (), "", "ok", "run from its sources"),
        ("plain", (), "there is no C compiler (cc)", "warning", "there is no C compiler (cc)"),
    ],
    ids=["compiled", "asked for", "editable", "no compiler"],
)
def test_the_build_is_named_with_its_modules_or_with_why_it_is_plain(
    kind: str, modules: tuple[str, ...], reason: str, state: str, message: str
) -> None:
    """Only a build that should have been compiled and is not is a warning."""
    found = diagnostics.engine(kind, modules, reason)
    assert found.state == state
    assert found.found.endswith(message)


def test_what_is_not_well_says_what_to_do() -> None:
    """Every judgement that is no `ok` comes with advice, and every `ok` without."""
    path = Path("/srv/club.db")
    judged = [
        diagnostics.python((3, 9, 0)),
        diagnostics.sqlite((3, 40, 1)),
        diagnostics.text("cp1252"),
        diagnostics.engine("plain", (), "there is no C compiler (cc)"),
        diagnostics.clock(NOW, NOW + timedelta(days=1)),
        diagnostics.place(path, "nfs"),
        diagnostics.contents(Check(("wrong",), 3, "")),
        diagnostics.writing(path, False, "in place"),
        diagnostics.space(0, 0),
        diagnostics.journal_mode("delete"),
        diagnostics.backups(None, 0, NOW),
        diagnostics.rules(2, ["Friday"]),
    ]
    assert all(one.state != "ok" and one.advice for one in judged)
    well = [
        diagnostics.python((3, 12, 0)),
        diagnostics.place(path, "ext4"),
        diagnostics.writing(path, True, "in place"),
    ]
    assert all(one.state == "ok" and not one.advice for one in well)


def test_a_sound_database_is_looked_at_from_all_sides(db: str) -> None:
    acts = desk.query(db, "SELECT count(*) FROM act")[0][0]
    database.backup(db)
    seen = found(db)
    assert seen["contents"] == ("ok", f"{acts} changes, data consistent")
    assert seen["database"] == ("ok", db)
    assert seen["log"] == ("ok", "wal")
    assert seen["backups"][0] == "ok"
    assert seen["backups"][1].endswith(", 0 changes ago")
    assert seen["rules"] == ("ok", "1 event, its rules unchanged")
    assert seen["writing"][0] == "ok"
    assert "bad" not in {state for state, _found in seen.values()}


def test_what_a_restore_has_put_aside_is_no_backup(db: str) -> None:
    """Check that the file that a restore has put aside is not counted as a backup: it may be the faulty one."""
    made = database.backup(db, str(Path(db).with_name("mine.db")))
    database.restore(db, made.path)
    assert found(db)["backups"] == ("warning", "none")


def _unsound(db: str) -> None:
    desk.tamper(db, "UPDATE score SET points = points + 1 WHERE seat = 0")


def _ruined(db: str) -> None:
    Path(db).write_bytes(b"rubbish" * 1000)


@pytest.mark.parametrize("spoil", [_unsound, _ruined])
def test_a_damaged_database_is_bad_and_the_exit_code_1(
    db: str, spoil: object, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(db)
    result = Runner(capsys)("doctor", "--db", db, "--json")
    states = {one["check"]: one["state"] for one in json.loads(result.out)}
    assert (result.code, states["contents"]) == (1, "bad")


def test_an_event_whose_rules_have_changed_is_named(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.rulebook.rulesets.is_current", lambda rules: False)
    seen = found(db)["rules"]
    assert seen[0] == "warning"
    assert seen[1].endswith(": Friday")


def test_without_a_database_the_rest_is_looked_at_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Check also the case of a folder that does not exist yet."""
    path = tmp_path / "club" / "club.db"
    result = Runner(capsys)("doctor", "--db", str(path), "--format", "csv")
    assert result.code == 0
    assert f"none yet: {path}" in result.out
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_not_be_written_is_a_warning(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write anything, so the question itself is answered with no."""
    monkeypatch.setattr(os, "access", lambda path, how: how != os.W_OK)
    seen = found(db)
    assert seen["writing"][0] == "warning"
    assert seen["contents"][0] == "ok"


def test_the_table_has_the_state_of_every_check_in_words(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line each, and what to do beside it; the counts stand above."""
    copies.make_backup(db)
    findings = doctor.examine(db)
    warnings = sum(one.state == "warning" for one in findings)
    lines = Runner(capsys)("doctor", "--db", db, "--format", "markdown").out.splitlines()
    assert lines[0] == "## " + ("all well" if not warnings else f"{warnings} warning{'s' if warnings > 1 else ''}")
    for one, line in zip(findings, lines[4:], strict=True):
        cells = [cell.strip().replace("\\", "") for cell in line.strip("|").split("|")]
        # Time goes on and the disk fills between the two.
        moving = one.check in ("clock", "space")
        assert cells == [one.check, one.state, cells[2] if moving else one.found, one.advice]
