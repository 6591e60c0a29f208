"""Tests of leagues in parts: whatever is killed or cut off, the merged league is the one that was run alone."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from tests.harness.bots.own_bots import write_bot
from tests.harness.commands import Ran, Runner
from tests.harness.disk.full_disk import full_disk
from tests.harness.leagues.lines import values_of, written
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import League, PlayedBlock
from tourney.league import workers
from tourney.text.signals import ENDINGS, listening

LEAGUE = ("--bots", "greedy,random", "--seats", "2", "--blocks", "10", "--seed", "7")


pytestmark = pytest.mark.usefixtures("folder")


def part(run: Runner, share: str, file: str, *words: str, league: tuple[str, ...] = LEAGUE) -> Ran:
    """Play a part."""
    return run("league", "part", share, *league, "--workers", "1", "--output", file, *words, "--json")


def merge(run: Runner, *files: str, db: str = "merged.db") -> Ran:
    """Merge files into a database."""
    return run("league", "merge", *files, "--json", "--db", db)


def run_alone(run: Runner, *words: str) -> str:
    """Return the hash of the league played by one command."""
    return str(run("league", "run", *LEAGUE, *words, "--workers", "1", "--json", "--db", "alone.db").json["hash"])


def test_parts_in_any_order_merge_to_the_league_that_was_run_alone(run: Runner) -> None:
    alone = run_alone(run)
    files = ["1.league", "2.league", "3.league"]
    played = [part(run, f"{k}/3", file).json for k, file in enumerate(files, 1)]
    assert [(each["part"], each["of"], each["blocks"], each["new"]) for each in played] == [
        (1, 3, 4, 4),
        (2, 3, 3, 3),
        (3, 3, 3, 3),
    ]
    for number, order in enumerate(permutations(files)):
        merged = merge(run, *order, db=f"{number}.db").json
        assert (merged["hash"], merged["blocks"], merged["new"], merged["missing"]) == (alone, 10, 10, 0)


def test_two_workers_write_the_same_file_as_one(run: Runner, folder: Path) -> None:
    part(run, "1/2", "one.league")
    words = ("league", "part", "1/2", *LEAGUE, "--workers", "2", "--output", "two.league")
    assert run(*words).code == 0
    assert (folder / "two.league").read_bytes() == (folder / "one.league").read_bytes()


def test_a_part_that_was_cut_off_anywhere_is_continued_to_the_same_file(run: Runner, folder: Path) -> None:
    """A cut inside the first two lines leaves no league: such a file is never written, and is refused."""
    file = folder / "part.league"
    part(run, "2/2", str(file), "--records", "all")
    whole = file.read_bytes()
    start = len(b"".join(whole.splitlines(keepends=True)[:2]))
    cuts = random.Random(5).sample(range(start, len(whole)), 8)
    new = []
    for cut in (start, *sorted(cuts), len(whole) - 1):
        file.write_bytes(whole[:cut])
        new.append(part(run, "2/2", str(file), "--records", "all").json["new"])
        assert file.read_bytes() == whole
    assert (new[0], new[-1], new) == (5, 1, sorted(new, reverse=True))
    assert part(run, "2/2", str(file), "--records", "all").json["new"] == 0
    file.write_bytes(whole[: start - 1])
    refused = part(run, "2/2", str(file))
    assert (refused.code, file.read_bytes()) == (ExitCode.REFUSED, whole[: start - 1])


def test_a_file_that_is_not_whole_is_not_merged(run: Runner, folder: Path) -> None:
    part(run, "1/2", "1.league")
    part(run, "2/2", "2.league")
    cut = folder / "2.league"
    cut.write_bytes(cut.read_bytes()[:-10])
    refused = merge(run, "1.league", "2.league")
    assert refused.code == ExitCode.REFUSED
    assert "2.league" in refused.err
    assert "tourney league part" in refused.err
    assert run("league", "status", "--db", "merged.db").code == ExitCode.NOT_FOUND


def test_what_a_part_lacks_is_counted_and_can_be_played_after_the_merge(run: Runner) -> None:
    alone = run_alone(run)
    part(run, "2/2", "2.league")
    merged = merge(run, "2.league")
    assert (merged.code, merged.json["new"], merged.json["missing"], merged.json["state"]) == (0, 5, 5, "open")
    assert "5 blocks are missing" in run("league", "merge", "2.league", "--db", "merged.db").out
    resumed = run("league", "resume", "--workers", "1", "--json", "--db", "merged.db").json
    assert resumed["hash"] == alone


def test_blocks_in_several_files_are_counted(run: Runner) -> None:
    part(run, "1/2", "half.league")
    part(run, "2/2", "other.league")
    part(run, "1/5", "fifth.league")
    merged = merge(run, "half.league", "fifth.league", "other.league").json
    assert (merged["new"], merged["repeated"], merged["missing"]) == (10, 2, 0)
    again = merge(run, "half.league").json
    assert (again["new"], again["repeated"], again["hash"]) == (0, 5, merged["hash"])


def test_a_league_that_ends_when_the_order_is_certain_ends_at_the_same_block(run: Runner) -> None:
    league = ("--bots", "greedy,random", "--seats", "2", "--blocks", "80", "--until-sure", "0.95", "--seed", "1")
    alone = run("league", "run", *league, "--workers", "1", "--json", "--db", "alone.db").json
    for k in (1, 2):
        assert part(run, f"{k}/2", f"{k}.league", league=league).code == 0
    merged = merge(run, "1.league", "2.league").json
    assert alone["blocks"] < 80
    assert (merged["hash"], merged["blocks"], merged["missing"]) == (alone["hash"], alone["blocks"], 0)


@pytest.mark.parametrize("share", ["0/3", "4/3", "3", "3/", "1/0", "x/3", "1/999999", "-1/3", "1.5/3"])
def test_what_is_no_part_is_refused(share: str, run: Runner, folder: Path) -> None:
    refused = run("league", "part", *LEAGUE, "--output", "p.league", "--", share)
    assert (refused.code, refused.out, list(folder.iterdir())) == (ExitCode.USAGE, "", [])
    assert "3/8 is the third of eight parts" in refused.err


@pytest.mark.parametrize(
    ("share", "words", "code", "problem"),
    [
        ("11/11", (), ExitCode.REFUSED, "part 11 of 11 has no blocks: the league has 10"),
        ("1/2", ("--bots", "nobody"), ExitCode.NOT_FOUND, "nobody"),
        ("1/2", ("--output", "nowhere/p.league"), ExitCode.NOT_FOUND, "no folder"),
        ("1/2", ("--output", "."), ExitCode.REFUSED, "this is not a file"),
        ("1/2", ("--output", "text.txt"), ExitCode.REFUSED, "this is not the file of a league"),
        ("2/2", ("--output", "1.league"), ExitCode.CONFLICT, "of another league, or of another part"),
        ("1/2", ("--output", "1.league", "--seed", "8"), ExitCode.CONFLICT, "of another league, or of another part"),
    ],
)
def test_a_part_that_cannot_be_played_is_refused_and_changes_no_file(
    share: str, words: tuple[str, ...], code: ExitCode, problem: str, run: Runner, folder: Path
) -> None:
    (folder / "text.txt").write_text("my notes\n", "utf-8")
    part(run, "1/2", "1.league")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    refused = part(run, share, "new.league", *words)
    assert (refused.code, problem in refused.err) == (code, True), refused.err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "what"),
    [(("--seed", "8"), "seed"), (("--rules", "fournier"), "rules"), (("--fault-cost", "1"), "fault_cost")],
)
def test_files_of_two_leagues_are_not_merged(words: tuple[str, ...], what: str, run: Runner) -> None:
    part(run, "1/2", "1.league")
    assert part(run, "2/2", "2.league", *words).code == 0
    refused = merge(run, "1.league", "2.league")
    assert (refused.code, refused.out) == (ExitCode.CONFLICT, "")
    assert "2.league is not of the same league as 1.league: they differ in " in refused.err
    assert what in refused.err
    assert run("league", "status", "--db", "merged.db").code == ExitCode.NOT_FOUND


def test_a_preview_of_a_merge_keeps_nothing(run: Runner) -> None:
    part(run, "1/1", "all.league")
    assert run("league", "merge", "all.league", "--dry-run", "--db", "merged.db").code == 0
    assert run("league", "status", "--db", "merged.db").code == ExitCode.NOT_FOUND


def test_parts_behind_a_proved_wall_need_a_seed(run: Runner, folder: Path) -> None:
    """Each would have one of its own, which no bot can guess."""
    write_bot(folder)
    words = ("--bots", "mine.py:Mine,greedy", "--seats", "2", "--isolation", "sandbox", "--output", "p.league")
    refused = run("league", "part", "1/2", *words)
    assert (refused.code, "all parts need the same seed" in refused.err) == (ExitCode.USAGE, True)


@pytest.mark.parametrize(
    ("blocks", "room", "hint"),
    [
        # The blocks alone have more than a million bytes in the database, however many are kept at once.
        (240, 400, "whether it has room; give the same"),
        # The database ends with 560 KiB, the file with 742.
        (60, 600, "make room or allow writing, and give the same"),
    ],
    ids=["while the blocks are kept", "while the file is written"],
)
def test_a_disk_that_fills_loses_no_block_that_was_kept(
    blocks: int, room: int, hint: str, run: Runner, folder: Path
) -> None:
    league = ("--bots", "greedy,random", "--seats", "2", "--blocks", f"{blocks}", "--seed", "7", "--records", "all")
    part(run, "1/1", "whole.league", league=league)
    with full_disk(room * 1024):
        refused = part(run, "1/1", "p.league", league=league)
    assert (refused.code, refused.out, (folder / "p.league").exists()) == (ExitCode.STORAGE, "", False)
    assert f"{hint} command again to continue" in refused.err
    kept = run("league", "list", "--json", "--db", "p.league.db").json[0]["blocks"]
    assert part(run, "1/1", "p.league", league=league).json["new"] == blocks - kept
    assert (folder / "p.league").read_bytes() == (folder / "whole.league").read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["p.league", "whole.league"]


@pytest.mark.parametrize("act", ["event", "league", "part"])
def test_a_database_of_something_else_beside_the_file_is_refused_and_stays(act: str, run: Runner, folder: Path) -> None:
    """A database beside the file is deleted only where it has nothing but blocks of this part."""
    make = {
        "event": ("event", "new", "Friday"),
        "league": ("league", "run", *LEAGUE, "--workers", "1", "--fault-cost", "1"),
        "part": ("league", "run", *LEAGUE, "--workers", "1"),
    }[act]
    assert run(*make, "--db", "p.league.db").code == 0
    before = (folder / "p.league.db").read_bytes()
    refused = part(run, "1/2", "p.league")
    assert (refused.code, refused.out) == (ExitCode.CONFLICT, "")
    assert "p.league.db: this is the file of another league, or of another part" in refused.err
    assert ((folder / "p.league.db").read_bytes(), (folder / "p.league").exists()) == (before, False)


@pytest.mark.parametrize("laid", ["p.league", "p.league.db"])
def test_a_part_does_not_continue_what_somebody_else_has_laid_there(laid: str, run: Runner, folder: Path) -> None:
    """A second name tells as much as another owner: somebody else can write the file."""
    assert part(run, "1/2", "p.league").code == 0 if laid == "p.league" else started_part(run, "p.league")
    os.link(folder / laid, folder / "other")
    refused = part(run, "1/2", "p.league")
    assert refused.code == ExitCode.STORAGE
    assert f"{laid}: it has a second name elsewhere" in refused.err.replace("\n", " ")


def started_part(run: Runner, file: str) -> bool:
    """Begin the database of a part, as an interrupted command leaves it."""
    return run("league", "run", *LEAGUE, "--workers", "1", "--db", f"{file}.db").code == 0


def test_parts_that_contradict_each_other_are_not_merged(run: Runner, folder: Path) -> None:
    """In the second file block 1 ended otherwise, with totals that agree with its games."""
    part(run, "1/2", "1.league")
    part(run, "1/5", "5.league")
    other = folder / "5.league"
    values = values_of(other)
    outcome = json.loads(values[2]["text"])
    game, entrant = outcome[2][0], outcome[2][0][2][0]
    game[3][0] += 5
    outcome[3][entrant][1] += 5
    outcome[3][entrant][-1][0] += 5
    values[2]["text"] = json.dumps(outcome, separators=(",", ":"))
    other.write_text(written(values), encoding="utf-8")
    for files in (("1.league", "5.league"), ("5.league", "1.league")):
        refused = merge(run, *files)
        assert (refused.code, refused.out) == (ExitCode.CONFLICT, "")
        assert "block 1 of league 1 was played before, and ended otherwise" in refused.err
    assert run("league", "list", "--db", "merged.db").code == ExitCode.NOT_FOUND


def test_a_merge_into_a_full_disk_keeps_nothing(run: Runner, folder: Path) -> None:
    run("player", "add", "Ana", "--db", "merged.db")
    part(run, "1/1", "all.league", "--records", "all")
    with full_disk(36 * 1024):
        refused = merge(run, "all.league")
    assert (refused.code, refused.out, "whether it has room" in refused.err) == (ExitCode.STORAGE, "", True)
    assert run("league", "list", "--json", "--db", "merged.db").json == []
    assert merge(run, "all.league").json["new"] == 10


LONG = ("--bots", "greedy,planner", "--seats", "4", "--blocks", "60", "--seed", "7", "--workers", "2")


def started() -> "subprocess.Popen[str]":
    """Start a part of a longer league."""
    command = [sys.executable, "-m", "tourney", "league", "part", "1/2", *LONG, "--output", "long.league"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_part_that_is_killed_or_interrupted_loses_only_what_was_being_played(run: Runner, folder: Path) -> None:
    """The part is killed or interrupted at random moments, then played to its end."""
    file, chance = folder / "long.league", random.Random(3)
    assert run("league", "part", "1/2", *LONG, "--output", "alone.league").code == 0
    kinds = (signal.SIGKILL, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)
    blocks = 0
    for turn in range(12):
        process = started()
        time.sleep(chance.uniform(0.5, 4.0))
        process.send_signal(kinds[turn % len(kinds)])
        process.communicate(timeout=60)
        if file.exists():
            break
        listed = run("league", "list", "--json", "--db", "long.league.db")
        now = listed.json[0]["blocks"] if listed.code == 0 and listed.json else 0
        assert now >= blocks
        blocks = now
    process = started()
    assert process.wait(timeout=300) == 0
    assert file.read_bytes() == (folder / "alone.league").read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["alone.league", "long.league"]


def test_an_interrupted_part_is_continued_by_the_same_command(
    run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal says how many blocks of the part are kept, and where."""
    part(run, "2/2", "whole.league")
    real = workers._player

    def interrupted(league: League, time_limit: int) -> Callable[[workers.Task], PlayedBlock]:
        play = real(league, time_limit)

        def played(task: workers.Task) -> PlayedBlock:
            if task[0] == 5:
                signal.raise_signal(signal.SIGINT)
            return play(task)

        return played

    monkeypatch.setattr(workers, "_player", interrupted)
    with listening(*ENDINGS):
        refused = part(run, "2/2", "p.league")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert (refused.code, refused.out) == (ExitCode.INTERRUPTED, "")
    assert "interrupted: 3 of 5 blocks are in " in refused.err
    assert "p.league.db\nhint: give the same command again to continue" in refused.err
    assert part(run, "2/2", "p.league", "--workers", "2").json["new"] == 2
    assert (folder / "p.league").read_bytes() == (folder / "whole.league").read_bytes()
