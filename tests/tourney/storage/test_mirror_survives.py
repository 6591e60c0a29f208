"""Tests of mirrors where programs are killed, write at once, or lose the database's log.

Each kind of accident has a few cases in every run, and 300 in the soak test.
"""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import desk, victims
from tests.harness.commands import Runner
from tests.harness.crowd import crowd
from tests.harness.programs import run_at_once
from tests.tourney.storage.test_mirror import entry_lines, expected_lines
from tourney.domain.errors import ExitCode
from tourney.service import database, players
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.mirror.remembered import Mirror, remember

FEW, MANY = 5, 300


def journal(stick: Path) -> Path:
    return stick / "club.db-mirror.txt"


def _make_evening(db: str) -> None:
    """Create an evening of 24 with three rounds played and the fourth drawn: 6 tables of four in each."""
    crowd(db, people=24, rounds=5, name="Friday", played=3)
    apply(db, DrawRound())


def evening_with_a_mirror(folder: Path) -> tuple[str, Path]:
    """Return the path of such an evening in the folder, and the folder of its mirror."""
    stick = folder / "stick"
    stick.mkdir(parents=True)
    db = desk.copied(folder / "club.db", _make_evening)
    database.add_mirror(db, str(stick))
    return db, stick


def kill_and_lose(folder: Path, delay: float) -> None:
    """Kill the entry of round 4, throw the database away, and go on elsewhere from the mirror in one command."""
    db, stick = evening_with_a_mirror(folder)
    acknowledged = victims.killed(victims.enter_rest, db, delay)
    mirrored = len(entry_lines(journal(stick)))
    (kept,) = desk.query(db, "SELECT count(*) FROM act")[0]
    assert kept - 1 <= mirrored <= kept
    for file in folder.glob("club.db*"):
        file.unlink() if file.is_file() else shutil.rmtree(file)
    new = str(folder / "elsewhere" / "new.db")
    Path(new).parent.mkdir()
    database.restore_mirror(new, str(stick))
    assert database.check(new).problems == ()
    entered = desk.query(new, "SELECT table_number FROM result WHERE round = 4 ORDER BY 1")
    assert {int(number) for number in acknowledged} <= {number for (number,) in entered}
    assert len(acknowledged) <= len(entered) <= len(acknowledged) + 1
    assert entry_lines(journal(stick)) == expected_lines(new)


def finish_round(folder: Path) -> None:
    """Enter the rest of round 4 in the new folder, and draw round 5; the mirror follows the new database."""
    new = str(folder / "elsewhere" / "new.db")
    assert len(list(victims.enter_rest(new))) > 0
    apply(new, DrawRound())
    assert len(rounds.show(new).rounds) == 5
    assert entry_lines(journal(folder / "stick")) == expected_lines(new)


def test_after_the_laptop_has_died_another_folder_goes_on_from_the_mirror(tmp_path: Path) -> None:
    """An evening of 24 is killed in round 4 at five moments; no acknowledged sheet is lost, and round 5 is drawn."""
    rng = random.Random("dead laptop")
    for number in range(FEW):
        kill_and_lose(tmp_path / str(number), rng.uniform(0, 0.1 if number == 0 else 0.25))
    finish_round(tmp_path / "0")


@pytest.mark.soak
def test_three_hundred_laptops_die_and_lose_nothing(tmp_path: Path) -> None:
    rng = random.Random("dead laptops")
    for number in range(MANY):
        kill_and_lose(tmp_path / str(number), rng.uniform(0, 0.4))
        shutil.rmtree(tmp_path / str(number))


def test_a_killed_program_leaves_a_mirror_that_the_next_one_completes(tmp_path: Path) -> None:
    db, stick = evening_with_a_mirror(tmp_path)
    rng = random.Random("killed")
    for _time in range(2):
        victims.killed(victims.turn, db, rng.uniform(0, 0.3))
        assert len(players.listing(db)) >= 24
        assert entry_lines(journal(stick)) == expected_lines(db)


@pytest.fixture(scope="module")
def with_log(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with a database whose last six changes are only in its log, and the folder of its mirror."""
    folder = tmp_path_factory.mktemp("log")
    db, stick = evening_with_a_mirror(folder / "live")
    with closing(sqlite3.connect(db)) as still_open:
        still_open.execute("SELECT * FROM act").fetchone()
        assert len(list(victims.enter_rest(db))) == 6
        copy = folder / "copy"
        copy.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{db}{end}", copy / f"club.db{end}")
    assert (copy / "club.db-wal").stat().st_size > 100_000
    return copy, stick


def damage(rng: random.Random, log: Path) -> str:
    """Delete the log, cut it off, or flip one of its bits; return which."""
    content = bytearray(log.read_bytes())
    kind = rng.choice(["deleted", "cut off", "flipped", "flipped"])
    if kind == "deleted":
        log.unlink()
    elif kind == "cut off":
        log.write_bytes(content[: rng.randrange(len(content))])
    else:
        bit = rng.randrange(len(content) * 8)
        content[bit // 8] ^= 1 << bit % 8
        log.write_bytes(content)
    return kind


def show_no_older_standings(run: Runner, with_log: tuple[Path, Path], folder: Path, times: int) -> int:
    """Damage the log in many ways: with exit code 0 the standings are the newest. Return how often entries lacked.

    Where they lack, the mirror brings them back.
    """
    copy, stick = with_log
    sound = shutil.copytree(copy, folder / "sound")
    expected = run("standings", "--json", "--db", str(sound / "club.db"))
    assert expected.code == 0
    rng, lacking = random.Random("log"), 0
    for number in range(times):
        db = Path(shutil.copytree(copy, folder / str(number))) / "club.db"
        own_stick = Path(shutil.copytree(stick, folder / f"stick {number}"))
        remember(db, [Mirror(str(journal(own_stick)))])
        kind = damage(rng, db.with_name("club.db-wal"))
        for _time in range(2):
            done = run("standings", "--json", "--db", str(db))
            assert done.code in (0, ExitCode.STORAGE), kind
            assert done.code or done.json == expected.json, kind
        if done.code:
            lacking += 1
            assert run("db", "restore", "--mirror", "--db", str(db)).code == 0
            assert run("standings", "--json", "--db", str(db)).json == expected.json
        shutil.rmtree(db.parent)
    return lacking


def test_a_lost_or_damaged_log_shows_no_older_standings(
    run: Runner, with_log: tuple[Path, Path], tmp_path: Path
) -> None:
    assert show_no_older_standings(run, with_log, tmp_path, FEW) > 0


@pytest.mark.soak
def test_three_hundred_lost_or_damaged_logs_show_no_older_standings(
    run: Runner, with_log: tuple[Path, Path], tmp_path: Path
) -> None:
    assert show_no_older_standings(run, with_log, tmp_path, MANY) > MANY // 2


def register_together(folder: Path, programs: int, people: int) -> None:
    """Let programs register people at once: the mirror has each entry once, in the order of the journal."""
    db, stick = str(folder / "club.db"), folder / "stick"
    stick.mkdir()
    apply(db, RegisterPlayers(["Ana"]))
    database.add_mirror(db, str(stick))
    arguments = [(db, str(journal(stick)), program, people) for program in range(programs)]
    run_at_once(victims.register_mirrored, arguments)
    assert len(expected_lines(db)) == 1 + programs * people
    assert journal(stick).read_text(encoding="utf-8").splitlines() == expected_lines(db)


def test_eight_programs_write_each_entry_to_the_mirror_once_and_in_order(tmp_path: Path) -> None:
    register_together(tmp_path, 8, 3)


@pytest.mark.soak
def test_eight_programs_write_eight_hundred_entries_to_the_mirror_in_order(tmp_path: Path) -> None:
    register_together(tmp_path, 8, 100)


def test_a_nested_line_at_the_end_of_a_mirror_is_one_that_is_damaged(run: Runner, tmp_path: Path) -> None:
    db, stick = desk.drawn(tmp_path / "club.db"), tmp_path / "stick"
    stick.mkdir()
    assert run("db", "mirror", "add", str(stick), "--db", db).code == 0
    journal = stick / "club.db-mirror.txt"
    number, head, _text = journal.read_text(encoding="utf-8").splitlines()[-1].split(" ", 2)
    with journal.open("a", encoding="utf-8") as file:
        file.write(f'{int(number) + 1} {head} {{"v":{"[" * 50_000}{"]" * 50_000}}}\n')
    for words in (("player", "list"), ("player", "add", "Zoe"), ("db", "mirror", "list")):
        assert "bug in tourney" not in run(*words, "--db", db).err
