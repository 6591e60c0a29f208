"""Tests of the findings of `doctor` and their states."""

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
from tourney.service.admin import diagnostics
from tourney.storage import health
from tourney.storage.backup import copies

make_db = desk.make_everything

NOW = datetime(2026, 11, 21, 21, 14, tzinfo=timezone(timedelta(hours=1)))


def findings(db: str) -> dict[str, tuple[str, str]]:
    """Return state and finding of each check, by its name."""
    return {finding.check: (finding.state, finding.found) for finding in diagnostics.examine(db)}


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
def test_a_version_of_python_that_the_distribution_does_not_support_is_a_warning(
    version: tuple[int, int, int], state: str
) -> None:
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
        ("local", "C:/Users/ana/pCloudDrive", "warning"),
        ("local", "C:/Users/ana/Box", "warning"),
        ("ext4", "/home/ana/Sync/club", "warning"),
        ("ext4", "/home/ana/Syncthing", "warning"),
        ("ext4", "/home/ana/MEGA", "warning"),
        ("local", "C:/Users/ana/iCloudDrive", "warning"),
        ("local", "G:/My Drive", "warning"),
        ("ext4", "/home/ana/mailbox", "ok"),
        ("ext4", "/home/ana/synced", "ok"),
        (None, "/Users/ana", "ok"),
    ],
)
def test_a_network_share_is_bad_and_a_synchronised_folder_a_warning(kind: str | None, folder: str, state: str) -> None:
    """SQLite's write-ahead log does not work between computers."""
    assert diagnostics.place(Path(folder) / "club.db", kind).state == state


def test_a_folder_is_known_by_what_a_program_that_copies_it_leaves_there(tmp_path: Path) -> None:
    (tmp_path / "club" / "events").mkdir(parents=True)
    path = tmp_path / "club" / "events" / "club.db"
    assert diagnostics.place(path, "ext4").state == "ok"
    (tmp_path / "club" / ".stfolder").mkdir()
    found = diagnostics.place(path, "ext4")
    assert (found.state, "(club)" in found.found) == ("warning", True)


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
    """The mounts are given in the format of /proc/self/mountinfo, see proc(5)."""
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
    """A difference of up to two minutes is accepted; the journal has UTC, the clock local time."""
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
def test_too_little_disk_space_for_copies_of_the_database_is_reported(free: int, size: int, state: str) -> None:
    assert diagnostics.space(free, size).state == state


@pytest.mark.parametrize(
    ("days", "missing", "state"),
    [(0, 3, "ok"), (6, 3, "ok"), (8, 3, "warning"), (8, 0, "ok"), (None, 0, "warning")],
)
def test_a_backup_older_than_a_week_is_a_warning_if_changes_are_missing_in_it(
    days: int | None, missing: int, state: str
) -> None:
    """Without a change since the backup its age does not matter."""
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
def test_the_build_is_reported_with_its_compiled_modules_or_why_there_are_none(
    kind: str, modules: tuple[str, ...], reason: str, state: str, message: str
) -> None:
    """Only a build that failed to compile is a warning."""
    finding = diagnostics.engine(kind, modules, reason)
    assert finding.state == state
    assert finding.found.endswith(message)


def test_every_finding_that_is_not_ok_has_advice() -> None:
    """Check also that findings that are `ok` have none."""
    path = Path("/srv/club.db")
    not_ok = [
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
    assert all(finding.state != "ok" and finding.advice for finding in not_ok)
    ok = [
        diagnostics.python((3, 12, 0)),
        diagnostics.place(path, "ext4"),
        diagnostics.writing(path, True, "in place"),
    ]
    assert all(finding.state == "ok" and not finding.advice for finding in ok)


def test_a_sound_database_passes_every_check(db: str) -> None:
    entries = desk.query(db, "SELECT count(*) FROM act")[0][0]
    database.backup(db)
    by_check = findings(db)
    assert by_check["contents"] == ("ok", f"{entries} changes, data consistent")
    assert by_check["database"] == ("ok", db)
    assert by_check["log"] == ("ok", "wal")
    assert by_check["backups"][0] == "ok"
    assert by_check["backups"][1].endswith(", 0 changes ago")
    assert by_check["rules"] == ("ok", "1 event, its rules unchanged")
    assert by_check["writing"][0] == "ok"
    assert "bad" not in {state for state, _found in by_check.values()}


def test_the_copy_that_a_restore_keeps_is_not_counted_as_a_backup(db: str) -> None:
    """The copy of the replaced database may be the damaged one."""
    made = database.backup(db, str(Path(db).with_name("mine.db")))
    database.restore(db, made.path)
    assert findings(db)["backups"] == ("warning", "none")


def _make_unsound(db: str) -> None:
    desk.tamper(db, "UPDATE score SET points = points + 1 WHERE seat = 0")


def _overwrite(db: str) -> None:
    Path(db).write_bytes(b"rubbish" * 1000)


@pytest.mark.parametrize("spoil", [_make_unsound, _overwrite])
def test_a_damaged_database_is_bad_and_gives_exit_code_1(db: str, spoil: object, run: Runner) -> None:
    spoil(db)
    result = run("doctor", "--db", db, "--json")
    states = {finding["check"]: finding["state"] for finding in json.loads(result.out)}
    assert (result.code, states["contents"]) == (1, "bad")


def test_an_event_whose_rules_have_changed_is_named(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.rulebook.rulesets.is_current", lambda rules: False)
    by_check = findings(db)["rules"]
    assert by_check[0] == "warning"
    assert by_check[1].endswith(": Friday")


def test_doctor_without_a_database_makes_the_other_checks_and_creates_nothing(tmp_path: Path, run: Runner) -> None:
    """The folder of the database does not exist either."""
    path = tmp_path / "club" / "club.db"
    result = run("doctor", "--db", str(path), "--format", "csv")
    assert result.code == 0
    assert f"none yet: {path}" in result.out
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_permission_to_write_is_a_warning(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`os.access` is replaced, because root may write to any file."""
    monkeypatch.setattr(os, "access", lambda path, how: how != os.W_OK)
    by_check = findings(db)
    assert by_check["writing"][0] == "warning"
    assert by_check["contents"][0] == "ok"


def test_the_table_of_doctor_has_a_row_for_every_check(db: str, run: Runner) -> None:
    """Each row has check, state, finding and advice; the title counts the warnings."""
    copies.make_backup(db)
    findings = diagnostics.examine(db)
    warnings = sum(finding.state == "warning" for finding in findings)
    lines = run("doctor", "--db", db, "--format", "markdown").out.splitlines()
    assert lines[0] == "## " + ("all well" if not warnings else f"{warnings} warning{'s' if warnings > 1 else ''}")
    for finding, line in zip(findings, lines[4:], strict=True):
        cells = [cell.strip().replace("\\", "") for cell in line.strip("|").split("|")]
        # Clock and free space may change between the two examinations.
        varies = finding.check in ("clock", "space")
        found = "usual" if finding.found == "wal" else finding.found
        assert cells == [finding.check, finding.state, cells[2] if varies else found, finding.advice]
