"""Tests of trust: a bot that came with a file, a backup or a database runs only where its organiser here says so."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.harness.cluster.dask_processes import dask_cluster
from tests.harness.commands import Runner
from tests.harness.web.asking import ORIGIN, client
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import League
from tourney.service import bots
from tourney.service.change import Change, apply
from tourney.service.leagues import leagues

MARKER = "ran"
PROGRAM = """import pathlib, sys
try:
    pathlib.Path({marker!r}).touch()
except OSError:
    pass
for line in sys.stdin:
    if line.startswith("tourney"):
        print("hello 1 mark 1\\nready", flush=True)
    elif line.startswith("ask"):
        print("1", flush=True)
"""
CLASS = "import pathlib\nfrom tourney.bots import Bot\npathlib.Path({marker!r}).touch()\nclass Mine(Bot):\n    pass\n"
SAYING = """import os
from tourney.bots import Bot
with open({marker!r}, "a") as opened:
    print(os.getpid(), file=opened)
class Mine(Bot):
    pass
"""


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of somebody whose bot touches a file when it runs; commands run in it."""
    folder = tmp_path / "author"
    folder.mkdir()
    for name, text in {"bot.py": PROGRAM, "payload.py": CLASS}.items():
        (folder / name).write_text(text.format(marker=str(tmp_path / MARKER)))
    monkeypatch.chdir(folder)
    be(monkeypatch, tmp_path / "their-data")
    return folder


def be(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """Become a user with this data folder, who has named no bot yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.setattr(bots, "_named_now", set())


Carried = Callable[[Runner, Path], None]
"""Brings a league or an event from `their.db` to `our.db`."""


def by_league_file(run: Runner, folder: Path) -> None:
    """Export and import a league."""
    assert run("league", "export", "--output", "l.league", "--db", "their.db").code == 0
    ran = run("league", "import", "l.league", "--db", "our.db")
    assert ran.code == 0, ran.err
    assert "cmd:python3 bot.py" in ran.out or "payload.py:Mine" in ran.out


def by_database(run: Runner, folder: Path) -> None:
    """Copy the database."""
    shutil.copy("their.db", "our.db")


def by_backup(run: Runner, folder: Path) -> None:
    """Restore a backup."""
    assert run("db", "backup", "b.db", "--db", "their.db").code == 0
    assert run("db", "restore", "b.db", "--db", "our.db").code == 0


def by_merge(run: Runner, folder: Path) -> None:
    """Export a league and merge its file, as if it were a part."""
    assert run("league", "export", "--output", "l.league", "--db", "their.db").code == 0
    assert run("league", "merge", "l.league", "--db", "our.db").code == 0


def by_mirror(run: Runner, folder: Path) -> None:
    """Restore a mirror: the settings of a league are in it, and its blocks are to be played."""
    (folder / "stick").mkdir()
    assert run("db", "mirror", "add", str(folder / "stick"), "--db", "their.db").code == 0
    restored = run("db", "restore", "--mirror", str(folder / "stick"), "--db", "our.db")
    assert restored.code == 0, restored.err


CARRIED = {
    "a league file": by_league_file,
    "a database": by_database,
    "a backup": by_backup,
    "a merge": by_merge,
    "a mirror": by_mirror,
}
PLAYS = {
    "resume": ("resume",),
    "record": ("record",),
    "log": ("log",),
    "join": ("join", "--bots", "random"),
}


@pytest.fixture
def begun(author: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a league of a program in `their.db`; from then on somebody else sits there."""
    words = ("--bots", "greedy,cmd:python3 bot.py", "--blocks", "1", "--seats", "2", "--seed", "given")
    ran = run("league", "run", *words, "--db", "their.db")
    assert ran.code == 0, ran.err
    (tmp_path / MARKER).unlink()
    be(monkeypatch, tmp_path / "our-data")
    return author


@pytest.mark.parametrize(
    ("way", "command"),
    # A mirror has no blocks of which a game could be shown.
    [(way, command) for way in CARRIED for command in PLAYS if way != "a mirror" or command in ("resume", "join")],
)
def test_a_league_of_others_runs_nothing_until_it_is_trusted(
    way: str, command: str, begun: Path, run: Runner, tmp_path: Path
) -> None:
    CARRIED[way](run, begun)
    ran = run("league", *PLAYS[command], "--db", "our.db")
    assert (ran.code, (tmp_path / MARKER).exists()) == (1, False), ran.out + ran.err
    assert "cmd:python3 bot.py" in ran.err
    assert "--trust-bots" in ran.err
    assert ran.err.count("\n") == 2


def test_a_merge_runs_nothing_either(begun: Path, run: Runner, tmp_path: Path) -> None:
    by_merge(run, begun)
    assert run("league", "status", "--db", "our.db").code == 0
    assert not (tmp_path / MARKER).exists()


def test_workers_of_a_scheduler_get_no_bot_that_is_not_trusted(begun: Path, run: Runner, tmp_path: Path) -> None:
    """The league is not finished, and a worker waits for its blocks. Once it is trusted, it is played there."""
    by_mirror(run, begun)
    with dask_cluster(tmp_path / "cluster", 1) as cluster:
        words = ("league", "resume", "--on", cluster.on, "--trust-users", "--db", "our.db")
        refused = run(*words)
        assert (refused.code, (tmp_path / MARKER).exists()) == (1, False), refused.out + refused.err
        assert "cmd:python3 bot.py" in refused.err
        trusted = run(*words, "--trust-bots")
        assert (trusted.code, (tmp_path / MARKER).exists()) == (0, True), trusted.err


def test_larger_limits_need_trust_behind_a_wall_too(author: Path, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: the file of a league let its bot take all the memory that there was, at `sandbox` without a word."""
    (author / "more.toml").write_text('[[bot]]\nentrant = "cmd:python3 bot.py"\nlimits = { memory = 100000000000 }\n')
    words = ("--bots", "greedy,@more.toml", "--blocks", "1", "--seats", "2", "--seed", "given")
    ran = run("league", "run", *words, "--db", "their.db")
    assert (ran.code, "more than the default: memory = 100,000,000,000" in ran.err) == (0, True), ran.err
    be(monkeypatch, author.parent / "our-data")
    by_league_file(run, author)
    refused = run("league", "resume", "--isolation", "sandbox", "--db", "our.db")
    assert (refused.code, "memory = 100,000,000,000" in refused.err) == (1, True), refused.err


def test_trust_is_named_remembered_and_kept_from_others(begun: Path, run: Runner, tmp_path: Path) -> None:
    by_league_file(run, begun)
    ran = run("league", "record", "--trust-bots", "--db", "our.db")
    assert (ran.code, "cmd:python3 bot.py" in ran.err, (tmp_path / MARKER).exists()) == (0, True, True)
    assert run("league", "record", "--db", "our.db").code == 0
    kept = tmp_path / "our-data" / "tourney" / "trusted-bots"
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("command", ["log", "record", "resume"])
def test_a_bot_whose_file_is_not_there_is_not_trusted(begun: Path, run: Runner, tmp_path: Path, command: str) -> None:
    """The command said that the bot is trusted from now on, and then that there is no file."""
    by_league_file(run, begun)
    bot = begun / "bot.py"
    bot.rename(begun / "away.py")
    ran = run("league", *PLAYS[command], "--trust-bots", "--db", "our.db")
    assert (ran.code, ran.err.count("\n"), "there is no file" in ran.err) == (3, 2, True), ran.err
    (begun / "away.py").rename(bot)
    assert "--trust-bots" in run("league", *PLAYS[command], "--db", "our.db").err


def test_a_bot_that_has_changed_is_not_the_one_that_was_trusted(begun: Path, run: Runner) -> None:
    by_database(run, begun)
    assert run("league", "record", "--trust-bots", "--db", "our.db").code == 0
    shutil.copytree(begun, begun.parent / "elsewhere")
    (begun / "bot.py").write_text(PROGRAM.format(marker="other"))
    assert run("league", "record", "--db", "our.db").code == 1


def test_untrusted_bots_play_behind_the_sandbox(begun: Path, run: Runner, tmp_path: Path) -> None:
    by_league_file(run, begun)
    ran = run("league", "record", "--isolation", "sandbox", "--db", "our.db")
    assert (ran.code, (tmp_path / MARKER).exists()) == (0, False), ran.err


def test_reading_a_league_loads_no_class_that_its_file_names(
    author: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ("--bots", "greedy,payload.py:Mine", "--blocks", "1", "--seats", "2", "--seed", "given")
    assert run("league", "run", *words, "--isolation", "trusted", "--db", "their.db").code == 0
    (tmp_path / MARKER).unlink()
    be(monkeypatch, tmp_path / "our-data")
    by_league_file(run, author)
    assert not (tmp_path / MARKER).exists()


JOINED = ("join", "--bots", "payload.py:Mine")
REPLAYED = ("record", "--trust-bots")
INSIDE = {
    "of ours": ("greedy,payload.py:Mine", None, ("record",), False),
    "of ours, asked for": ("greedy,payload.py:Mine", None, ("record", "--isolation", "trusted"), True),
    "joins one with a program that is trusted": ("greedy,cmd:python3 bot.py", None, JOINED, False),
    "of a file": ("greedy,payload.py:Mine", by_merge, REPLAYED, False),
    "of a database": ("greedy,payload.py:Mine", by_database, REPLAYED, False),
    "of a file, asked for": ("greedy,payload.py:Mine", by_merge, (*REPLAYED, "--isolation", "trusted"), True),
    "joins a file's": ("greedy,random", by_merge, JOINED, False),
    "joins a database's": ("greedy,random", by_database, JOINED, False),
    "joins a file's, asked for": ("greedy,random", by_merge, (*JOINED, "--isolation", "trusted"), True),
}
"""The bots of a league at `trusted`, how it comes here, a command that plays, and whether a class is in its process."""


@pytest.mark.skipif(
    sys.platform == "win32", reason="the default of a class on Windows is `trusted`: it plays inside the program"
)
@pytest.mark.parametrize("case", INSIDE)
def test_no_league_from_elsewhere_lets_a_class_into_the_program(
    case: str, author: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named, way, command, inside = INSIDE[case]
    (author / "payload.py").write_text(SAYING.format(marker=str(tmp_path / MARKER)))
    words = ("--bots", named, "--blocks", "1", "--seats", "2", "--seed", "given", "--isolation", "trusted")
    assert run("league", "run", *words, "--db", "their.db").code == 0
    (tmp_path / MARKER).unlink(missing_ok=True)
    if way is not None:
        be(monkeypatch, tmp_path / "our-data")
        way(run, author)
    ran = run("league", *command, "--db", "their.db" if way is None else "our.db")
    assert ran.code == 0, ran.err
    assert (str(os.getpid()) in (tmp_path / MARKER).read_text().split()) == inside


def test_parts_of_ours_at_the_level_trusted_are_merged_with_our_league(author: Path, run: Runner) -> None:
    """The merged league plays behind a process later, unless the command asks for less."""
    words = ("--bots", "greedy,payload.py:Mine", "--blocks", "2", "--seats", "2", "--seed", "given")
    assert run("league", "part", "1/2", *words, "--isolation", "trusted", "--output", "1.league").code == 0
    assert run("league", "run", *words, "--isolation", "trusted", "--db", "their.db").code == 0
    for db in ("their.db", "our.db"):
        assert run("league", "merge", "1.league", "--db", db).code == 0
        (league,) = leagues.known(db).values()
        assert league.isolation == ("trusted" if db == "their.db" else "")


@pytest.fixture
def entered(author: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with an event in `their.db` that a bot of harmless name has entered; then somebody else sits there."""
    (author / "field.toml").write_text(
        '[[bot]]\nname = "harmless"\nentrant = "cmd:python3 bot.py"\nfiles = ["bot.py"]\n'
    )
    assert run("event", "new", "Bots", "--rounds", "1", "--db", "their.db").code == 0
    assert run("event", "enter", "--bots", "@field.toml,greedy:3", "--db", "their.db").code == 0
    assert run("round", "draw", "--db", "their.db").code == 0
    assert run("event", "export", "Bots", "--output", "b.event", "--db", "their.db").code == 0
    (tmp_path / MARKER).unlink(missing_ok=True)
    be(monkeypatch, tmp_path / "our-data")
    return author


def test_an_event_of_others_plays_none_of_its_bots_until_they_are_trusted(
    entered: Path, run: Runner, tmp_path: Path
) -> None:
    """The name of the bot is harmless; the import shows the command that would run."""
    ran = run("event", "import", "b.event", "--db", "our.db")
    assert (ran.code, "cmd:python3 bot.py" in " ".join(ran.out.split())) == (0, True), ran.out + ran.err
    refused = run("round", "play", "--db", "our.db")
    assert (refused.code, (tmp_path / MARKER).exists()) == (1, False), refused.out + refused.err
    assert "cmd:python3 bot.py" in refused.err
    assert run("round", "play", "--trust-bots", "--db", "our.db").code == 0
    assert (tmp_path / MARKER).exists()


EVENTS = {
    "a database": by_database,
    "a backup": by_backup,
    "a mirror": by_mirror,
}


@pytest.mark.parametrize("way", EVENTS)
def test_an_event_that_came_with_a_database_plays_none_of_its_bots(
    way: str, entered: Path, run: Runner, tmp_path: Path
) -> None:
    EVENTS[way](run, entered)
    refused = run("round", "play", "--db", "our.db")
    assert (refused.code, (tmp_path / MARKER).exists()) == (1, False), refused.out + refused.err
    assert "cmd:python3 bot.py" in refused.err


DESK = ("/desk", "/desk/events", "/desk/people", "/desk/rounds", "/desk/results", "/desk/backup", "/tables", "/seating")


def test_the_desk_brings_an_event_in_and_runs_none_of_its_bots(entered: Path, run: Runner, tmp_path: Path) -> None:
    """The desk looks at the file, imports it and copies the event, and its pages are read. `round play` refuses."""
    assert run("player", "add", "Ana", "--db", "our.db").code == 0
    with client("our.db", address="127.0.0.1", signed_in=True) as pages:
        path = "/desk/events/import"
        files = {"file": ("b.event", (entered / "b.event").read_bytes())}
        page = pages.post(path, data={"do": "look"}, files=files, headers=ORIGIN).text
        key = page.split('name="key" value="')[1].split('"')[0]
        assert pages.post(path, data={"key": key, "name": "", "do": "import"}, headers=ORIGIN).status_code == 303
        pages.post("/desk/events/new", data={"name": "Again", "like": "Bots"}, headers=ORIGIN)
        assert {pages.get(each).status_code for each in DESK} <= {200, 404}
    assert not (tmp_path / MARKER).exists()
    assert run("event", "show", "Again", "--db", "our.db").code == 0
    assert run("round", "draw", "Again", "--db", "our.db").code == 0
    for name in ("Bots", "Again"):
        assert run("round", "play", name, "--db", "our.db").code == 1
    assert not (tmp_path / MARKER).exists()


def test_a_dry_run_remembers_no_trust(entered: Path, run: Runner, tmp_path: Path) -> None:
    """The dry run says that the trust is for this once; the bots are refused afterwards."""
    by_database(run, entered)
    tried = run("round", "play", "--dry-run", "--trust-bots", "--db", "our.db")
    assert (tried.code, "trusted in this dry run only: harmless" in tried.err) == (0, True), tried.err
    assert not (tmp_path / "our-data" / "tourney" / "trusted-bots").exists()
    assert run("round", "play", "--db", "our.db").code == 1


def test_entering_a_bot_in_a_dry_run_remembers_no_trust(entered: Path, run: Runner, tmp_path: Path) -> None:
    kept = tmp_path / "our-data" / "tourney" / "trusted-bots"
    words = ("event", "enter", "Bots", "--bots", "cmd:python3 bot.py:1", "--db", "their.db")
    assert run(*words, "--dry-run").code == 0
    assert not kept.exists()
    assert run(*words).code == 0
    assert kept.exists()


@pytest.mark.parametrize("command", ["python3 bot.py", "{folder}/bot.py", "{folder}/x/../bot.py --fast"])
@pytest.mark.parametrize("trusted", [False, True], ids=["before it is trusted", "once it was trusted"])
def test_no_file_leaves_out_the_digest_of_what_runs(
    trusted: bool, command: str, begun: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise what was trusted could change, and would run, also a program that is named by its whole path."""
    elsewhere = begun.parent / "eve"
    shutil.copytree(begun, elsewhere)
    (elsewhere / "x").mkdir()
    (elsewhere / "bot.py").chmod(0o755)
    with storage.reading("their.db") as reader:
        league = reader.leagues.all()[1]
    text = f"cmd:{command.format(folder=elsewhere)}"
    bare = [replace(bot, entrant=text, files=()) if bot.files else bot for bot in league.outside]
    apply("our.db", StartBare(replace(league, outside=tuple(bare))))
    if trusted:
        monkeypatch.setattr(bots, "_known", lambda: EVERY)
    ran = run("league", "resume", "--db", "our.db", *(() if trusted else ("--trust-bots",)))
    assert (ran.code, ran.out) == (ExitCode.REFUSED, "")
    assert "its file bot.py" in ran.err
    assert not (begun.parent / MARKER).exists()


@dataclass(frozen=True)
class StartBare(Change[int]):
    """Keep a league as it is, as an import does."""

    league: League

    def perform(self, store: storage.Store) -> int:
        return store.add(storage.kinds.leagues.LeagueStarted.of(self.league, "0.1"))


class _Every(set[str]):
    """A list of digests on which each is."""

    def __contains__(self, _digest: object) -> bool:
        return True


EVERY = _Every()
