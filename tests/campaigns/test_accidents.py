"""Tests of what the campaigns make accidents with: a lost promise is seen, and a disk loses only what it may."""

import random
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaigns import lost_power
from tests.harness import desk
from tests.harness.disk import watched
from tests.harness.disk.operations import Kind, Operation, operations
from tests.harness.disk.power import SECTOR, Disk
from tests.harness.disk.promises import Entry, continued, is_state, journal, opened
from tests.harness.disk.watched import Programs, Watch, fast_folder, programs

BEFORE = (Entry("player.add", "1"), Entry("event.new", "2"))
AFTER = (*BEFORE, Entry("round.draw", "3"), Entry("round.publish", "4"))


@pytest.mark.parametrize(
    ("found", "whole"),
    [
        pytest.param(AFTER, True, id="whole"),
        pytest.param((*BEFORE, Entry("round.draw", "5"), Entry("round.publish", "6")), True, id="at another time"),
        pytest.param(AFTER[:3], False, id="half"),
        pytest.param(AFTER[1:], False, id="lost"),
        pytest.param((*AFTER, AFTER[-1]), False, id="double"),
        pytest.param((Entry("player.add", "9"), *AFTER[1:]), False, id="another entry"),
    ],
)
def test_a_journal_is_that_of_a_whole_command_or_not(found: tuple[Entry, ...], whole: bool) -> None:
    assert is_state(found, BEFORE, AFTER) == whole


def test_a_restored_journal_may_be_shorter() -> None:
    """A restore leads back to the first entry, and on from there."""
    restored = (BEFORE[0], Entry("player.erase", "3"))
    assert is_state((BEFORE[0], Entry("player.erase", "4")), AFTER, restored)
    assert not is_state(AFTER, AFTER, restored)


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    """A disk with one file of two sectors."""
    (tmp_path / "before").mkdir()
    (tmp_path / "before" / "old").write_bytes(b"o" * 2 * SECTOR)
    return Disk(tmp_path / "club", tmp_path / "before")


def written(folder: Path, name: str, file: int, data: bytes, *, synced: bool, named: bool) -> Iterator[Operation]:
    """Yield what writes a new file: flushed or not, and with its folder flushed or not."""
    path = str(folder / "club" / name)
    yield Operation(Kind.OPEN, path, flags=0o100, file=file)
    yield Operation(Kind.WRITE, path, file=file, data=data)
    if synced:
        yield Operation(Kind.SYNC, path, file=file)
    if named:
        yield Operation(Kind.SYNC, str(folder / "club"), file=999)


def left(disk: Disk, folder: Path, times: int = 60) -> set[tuple[tuple[str, bytes], ...]]:
    """Return what so many losses of power leave: the files with their names."""
    states = set()
    for seed in range(times):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            disk.lose_power(random.Random(seed), Path(place))
            states.add(tuple(sorted((path.name, path.read_bytes()) for path in Path(place).iterdir())))
    return states


OLD = ("old", b"o" * 2 * SECTOR)


def test_what_was_flushed_is_there_after_a_loss_of_power(disk: Disk, tmp_path: Path) -> None:
    for operation in written(tmp_path, "new", 5, b"n", synced=True, named=True):
        disk.do(operation)
    assert left(disk, tmp_path) == {(("new", b"n"), OLD)}


def test_a_name_of_a_folder_that_was_not_flushed_may_be_lost(disk: Disk, tmp_path: Path) -> None:
    for operation in written(tmp_path, "new", 5, b"n", synced=True, named=False):
        disk.do(operation)
    assert left(disk, tmp_path) == {(("new", b"n"), OLD), (OLD,)}


def test_a_write_that_was_not_flushed_may_be_lost_or_torn_at_a_sector(disk: Disk, tmp_path: Path) -> None:
    path = str(tmp_path / "club" / "old")
    disk.do(Operation(Kind.OPEN, path, file=7))
    disk.do(Operation(Kind.WRITE, path, file=7, offset=SECTOR - 2, data=b"nnnn"))
    begun, ended = b"o" * (SECTOR - 2), b"o" * (SECTOR - 2)
    expected = {begun + first + second + ended for first in (b"oo", b"nn") for second in (b"oo", b"nn")}
    assert left(disk, tmp_path) == {(("old", each),) for each in expected}


def test_a_file_that_was_renamed_over_another_leaves_one_of_the_two_whole(disk: Disk, tmp_path: Path) -> None:
    for operation in written(tmp_path, "new", 5, b"n", synced=True, named=True):
        disk.do(operation)
    disk.do(Operation(Kind.RENAME, str(tmp_path / "club" / "new"), str(tmp_path / "club" / "old")))
    assert left(disk, tmp_path) == {(("new", b"n"), OLD), (("old", b"n"),)}


@pytest.fixture(scope="module")
def starting() -> Iterator[Programs]:
    with programs() as started:
        yield started


@pytest.mark.slow
def test_a_program_is_killed_at_the_operation_that_is_named(starting: Programs, tmp_path: Path) -> None:
    """Before the first one nothing is there; all operations are written down, with the lock and the log among them."""
    words, log = ("player", "add", "Ana"), tmp_path / "log"
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        folder.mkdir()
    assert starting.run(words, Watch(whole, log), whole).code == 0
    sorts = {each.sort for each in operations(log)}
    assert sorts >= {"open a lock", "write a new database", "sync a new database", "rename a database"}
    assert starting.run(words, Watch(killed, kill=1), killed).code == -signal.SIGKILL
    assert list(killed.iterdir()) == []
    assert starting.run_anew(words, Watch(killed, kill=5, when=2), killed).code == -signal.SIGKILL
    assert list(opened(killed)) == []
    assert journal(killed / "club.db") == ()


@pytest.mark.slow
def test_a_disk_that_ignores_flushes_loses_acknowledged_entries(starting: Programs) -> None:
    """The campaign sees that: with flushes nothing is lost at the same moments."""
    lines = ["player add Ana", "db mirror add stick", "player add Beñat", "player add Carmen"]
    with tempfile.TemporaryDirectory(dir=fast_folder()) as place:
        recording = lost_power.recorded_season(starting, Path(place), lines)
        found = []
        for flushes in (True, False):
            lost = lost_power.losses(recording, random.Random(3), 12, flushes=flushes)
            found.append(
                [fault for _what, marks in lost for fault in lost_power.wrong(recording, recording.folder, marks)]
            )
    assert found[0] == []
    assert found[1] != []


@pytest.mark.slow
def test_a_program_sees_the_clock_that_is_set_back(starting: Programs, tmp_path: Path) -> None:
    for clock in (0, -365 * 86400):
        assert starting.run(("player", "add", f"Ana {clock}"), Watch(tmp_path, clock=clock), tmp_path).code == 0
    times = [row[0] for row in desk.query(str(tmp_path / "club.db"), "SELECT time FROM act ORDER BY number")]
    assert int(times[0][:4]) == int(times[1][:4]) + 1
    assert list(continued(tmp_path)) == []


def test_a_machine_without_a_compiler_tries_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched.shutil, "which", lambda _name: None)
    watched.shim.cache_clear()
    with pytest.raises(watched.LackingError, match="no C compiler"):
        watched.shim()
