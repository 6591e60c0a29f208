"""The files of bots: regular files of the bot's own folder, which run as they were digested."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.bots.hostile_bots import ROOT
from tests.harness.bots.own_bots import MINE, write_bot
from tests.harness.bots.sandboxed import SANDBOXED
from tests.harness.commands import Runner
from tourney.bots.author_modules import module_file
from tourney.bots.files import copies
from tourney.bots.files.own_files import OwnFile
from tourney.bots.isolation.levels import SANDBOX
from tourney.bots.program import PROGRAM
from tourney.bots.roster import check_files, entrants_of, files_on_disk, read_roster
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.service.leagues.cluster import bot_files

STARTER = ROOT / "tourney" / "bots" / "starters" / "bot.py"
MODULE = ROOT / "fixtures" / "modules" / "starter.wasm"
SECRET = "-----BEGIN SECRET KEY----- hunter2"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An author's folder with bots of all kinds, in which the program runs; the organiser's secret lies outside."""
    author = tmp_path / "author"
    write_bot(author)
    (author / "bot.py").write_bytes(STARTER.read_bytes())
    (author / "bot.wasm").write_bytes(MODULE.read_bytes())
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "secret").write_text(SECRET)
    monkeypatch.chdir(author)
    return author


WAYS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link": (lambda place: place.symlink_to("../secret"), "given is a link to ../secret"),
    "an absolute link": (lambda place: place.symlink_to(place.parents[1] / "secret"), "is a link to /"),
    "a link within the folder": (lambda place: place.symlink_to("bot.py"), "given is a link to bot.py"),
}
"""Ways to put what is not the author's at a path of theirs, and what is said of it."""
COMMANDS = ("cmd:python3 bot.py given", "cmd:./given", "wasm:given", "given.py:Mine")


@pytest.mark.parametrize("level", ["", "sandbox"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("way", WAYS)
def test_a_link_is_refused_with_its_target(way: str, command: str, level: str, folder: Path, run: Runner) -> None:
    make, said = WAYS[way]
    name = "given.py" if ".py:" in command else "given"
    make(folder / name)
    words = ("--blocks", "1", "--seats", "2", "--db", "../club.db", *(["--isolation", level] if level else []))
    ran = run("league", "run", "--bots", f"greedy,{command}", *words)
    assert (ran.code, ran.out) == (ExitCode.REFUSED, "")
    assert said.replace("given", name) in ran.err
    assert ran.err.count("\n") == 2


OUTSIDE = {
    "the folder above": ("../secret", "lies outside its folder", ExitCode.REFUSED),
    "an absolute path": ("{above}/secret", "lies outside its folder", ExitCode.REFUSED),
    "a way back": ("there/../bot.py", "lies outside its folder", ExitCode.REFUSED),
    "a linked folder": ("there/secret", "there is a link to ../there", ExitCode.REFUSED),
    "a folder": ("own", "own is not a regular file", ExitCode.REFUSED),
    "a pipe": ("pipe", "pipe is not a regular file", ExitCode.REFUSED),
    "a socket": ("socket", "cannot be read", ExitCode.NOT_FOUND),
    "a device": ("/dev/zero", "lies outside its folder", ExitCode.REFUSED),
    "nothing": ("missing", "there is no file", ExitCode.NOT_FOUND),
}


@pytest.mark.parametrize("kind", ["cmd:python3 bot.py", "mine.py:Mine", "wasm:bot.wasm"])
@pytest.mark.parametrize("name", OUTSIDE)
def test_an_entrants_file_names_no_file_outside_of_its_folder(name: str, kind: str, folder: Path) -> None:
    text, said, code = OUTSIDE[name]
    (folder / "there").symlink_to("../there")
    (folder / "own").mkdir()
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        listed = text.format(above=folder.parent)
        (folder / "field.toml").write_text(f'[[bot]]\nentrant = "{kind}"\nfiles = ["{listed}"]\n')
        with desk.refused(code, said):
            read_roster(["@field.toml"], folder)


@pytest.mark.parametrize(
    "command",
    ["python3 .", "python3 own", "python3 -m own", "python3 -m own.inner", "java -cp . Bot", "./own"],
)
def test_a_command_that_names_a_folder_is_refused(command: str, folder: Path, run: Runner) -> None:
    """Nothing has a digest of what runs then, so an author could change it after the organiser trusted it."""
    (folder / "own" / "inner").mkdir(parents=True)
    (folder / "own" / "inner" / "__main__.py").write_bytes(STARTER.read_bytes())
    ran = run("league", "run", "--bots", f"greedy,cmd:{command}", "--blocks", "1", "--seats", "2", "--db", "../club.db")
    assert (ran.code, ran.out) == (ExitCode.REFUSED, "")
    assert "is not a regular file" in ran.err
    assert "name the file in this folder" in ran.err


@pytest.mark.parametrize("command", ["python3 .", "python3 own", "python3 -m bot"])
def test_a_stored_bot_without_a_digest_of_what_its_command_names_has_changed(command: str, folder: Path) -> None:
    """A file of others may leave the digests out, and versions before took none of a folder or a module."""
    (folder / "own").mkdir()
    with desk.refused(ExitCode.REFUSED, "has changed"):
        check_files([OutsideBot("bot", f"cmd:{command}", str(folder))])


MODULES_OF_COMMANDS = {
    "python3 -m bot": "bot.py",
    "python3 -m own.Bot": "own/Bot.py",
    "java -cp bot.jar own.Bot": "own/Bot.class",
    "node table": "table.js",
}


@pytest.mark.parametrize("command", MODULES_OF_COMMANDS)
def test_a_module_that_a_command_names_has_a_digest(command: str, folder: Path) -> None:
    """Python, Java and Node add the ending of the file."""
    (folder / "own").mkdir()
    for name in ("bot.jar", "own/Bot.py", "own/Bot.class", "table.js"):
        (folder / name).write_text(name)
    (bot,) = read_roster([f"cmd:{command}"], folder).outside
    assert MODULES_OF_COMMANDS[command] in [name for name, _digest in bot.files]


ELSEWHERE = (
    "{above}/mine.py:Mine",
    "/proc/self/cwd/../author:Mine",
    "cmd:{above}/secret",
    "wasm:{above}/author/bot.wasm",
    "wasm:/proc/self/cwd/../author/bot.wasm",
)


@pytest.mark.parametrize("text", ELSEWHERE)
def test_an_entrants_file_names_no_bot_outside_of_its_folder(text: str, folder: Path) -> None:
    (folder / "__init__.py").write_text(MINE)
    entrant = text.format(above=folder.parent)
    (folder / "field.toml").write_text(f'[[bot]]\nentrant = "{entrant}"\nfiles = ["secret"]\n')
    with desk.refused(ExitCode.REFUSED, "lies outside the folder of this file"):
        read_roster(["@field.toml"], folder)


@pytest.mark.parametrize("path", ["./{above}/mine", "..//mine", "mine/..//../mine"])
def test_dots_of_a_module_lead_out_of_no_folder(path: str, folder: Path) -> None:
    assert module_file(path.format(above=folder.parent), folder) is None


STRANGE = ("pipe", "socket", "/dev/zero", "/dev/tty")
NAMED = ("cmd:python3 {}", "cmd:python3 bot.py {}", "wasm:{}", "{}.py:Mine")


@pytest.mark.parametrize(
    "text",
    [*[kind.format(name) for kind in NAMED for name in STRANGE], "cmd:./pipe", "cmd:./socket"],
)
def test_what_is_not_a_regular_file_is_refused_before_anybody_waits_for_it(text: str, folder: Path) -> None:
    for suffix in ("", ".py"):
        os.mkfifo(f"pipe{suffix}")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(f"socket{suffix}")
    with pytest.raises(TourneyError) as caught:
        read_roster([text], folder)
    assert caught.value.code in (ExitCode.REFUSED, ExitCode.NOT_FOUND)
    assert "\n" not in caught.value.message


def test_a_file_of_a_bot_has_no_more_than_256_megabytes(folder: Path) -> None:
    """A file of holes takes no room where it lies, and all of its length in each copy."""
    os.truncate(folder / "bot.py", (256 << 20) + 1)
    with desk.refused(ExitCode.REFUSED, "bot.py has more than 268435456 bytes"):
        read_roster(["cmd:python3 bot.py"], folder)


@pytest.mark.parametrize(("number", "size"), [(3, 100 << 20), (1_001, 0)], ids=["bytes", "files"])
def test_the_files_of_a_bot_are_bounded_together(folder: Path, number: int, size: int) -> None:
    """The attack: sixteen files of holes, 598 bytes in an archive, became 4 GB for each process that plays the bot."""
    names = [f"data{at}.bin" for at in range(number)]
    for name in names:
        (folder / name).touch()
        os.truncate(folder / name, size)
    (folder / "all.toml").write_text(f'[[bot]]\nentrant = "cmd:python3 bot.py"\nfiles = {names}\n')
    with desk.refused(ExitCode.REFUSED, "268435456 are the most", "only the files that the bot needs"):
        read_roster(["@all.toml"], folder)


SAID = ("search", "cmd:python3 bot.py", "evil.py:Other", "evil.py:Evil?a=\x1b[2J", "")


@pytest.mark.parametrize("said", SAID)
def test_a_class_does_not_say_what_plays_under_its_name(said: str, folder: Path) -> None:
    """The class writes what it likes to every pipe that it finds, before the host can."""
    answer = f"known {said}\n".encode()
    tries = f"""
import os, sys
for number in range(3, 32):
    try:
        os.write(number, {answer!r})
    except OSError:
        pass
os._exit(0)
"""
    (folder / "evil.py").write_text(tries)
    for level in ("process", "sandbox"):
        with desk.refused(ExitCode.USAGE, "evil.py:Evil", "says that it is another bot"):
            read_roster(["evil.py:Evil"], folder, isolation=level)


@pytest.mark.parametrize(
    "command", ["cmd:python3 bot.py ../secret", "cmd:python3 bot.py {above}/secret", "../mine.py:Mine"]
)
def test_a_command_names_no_file_outside_of_the_folder(command: str, folder: Path) -> None:
    with desk.refused(ExitCode.REFUSED, "lies outside its folder", "own folder"):
        read_roster([command.format(above=folder.parent)], folder)


@pytest.mark.parametrize("named", ["club.db", "hard", "backup.db", "club.db-mirror.txt"])
def test_the_database_is_no_file_of_a_bot(named: str, folder: Path, run: Runner) -> None:
    """Neither under its name, in the folder where the league is played, nor as a second name, nor as a copy."""
    assert run("league", "run", "--bots", "greedy,random", "--blocks", "1", "--db", "club.db").code == 0
    os.link("club.db", "hard")
    assert run("db", "backup", "backup.db", "--db", "club.db").code == 0
    Path("club.db-mirror.txt").write_text("1 a {}")
    for level in ("process", "sandbox"):
        words = ("--blocks", "1", "--isolation", level, "--db", "club.db")
        ran = run("league", "run", "--bots", f"greedy,cmd:python3 bot.py {named}", *words)
        assert ran.code == ExitCode.REFUSED
        assert f"{named} is a database, or a copy of one" in ran.err


def outside(folder: Path, text: str) -> OutsideBot:
    """Return the bot that a text names at the level `sandbox`."""
    (bot,) = read_roster([text], folder, isolation="sandbox").outside
    return bot


@pytest.mark.parametrize("text", ["cmd:python3 bot.py", "cmd:python3 {folder}/bot.py", "mine.py:Mine", "wasm:bot.wasm"])
def test_behind_a_wall_runs_what_was_digested(text: str, folder: Path, run: Runner) -> None:
    """The author's file changes after it was read: a bot that is ready plays on, and is not begun again."""
    bot = outside(folder, text.format(folder=folder))
    (entrant,) = entrants_of([bot], "sandbox").values()
    ((name, digest),) = bot.files
    for kept in (folder / name).parent.glob(name):
        kept.write_text("changed")
    copy = Path(copies.copied(bot, files_on_disk(bot)).folder, name)
    assert OwnFile(copy, copy.parent).digest() == digest
    assert str(folder) not in repr(entrant)
    assert copy.stat().st_mode & 0o277 == 0
    assert copy.parent.parent.stat().st_mode & 0o077 == 0
    from engine.rules import load_rules

    entrant.check(load_rules("oficial"), 2)
    with desk.refused(ExitCode.REFUSED, "has changed"):
        copies._copies.clear()
        entrants_of([bot], "sandbox")


def test_a_league_with_files_by_absolute_paths_plays_in_the_sandbox(folder: Path, run: Runner) -> None:
    (folder / "weights.bin").write_text("1 2 3")
    read = f"import sys\nassert open(sys.argv[1]).read() == '1 2 3'\n{STARTER.read_text('utf-8')}"
    (folder / "bot.py").write_text(read)
    for word in ("weights.bin", f"{folder}/weights.bin"):
        bots = f"greedy,cmd:python3 bot.py {word}"
        ran = run(
            "league", "run", "--bots", bots, "--isolation", "sandbox", "--blocks", "1", "--seats", "2", "--db", "x.db"
        )
        assert ran.code == 0, ran.err


KILLED = """
import sys, time
from pathlib import Path
from tourney.bots.roster import entrants_of, read_roster
bots = read_roster(["wasm:bot.wasm"], Path.cwd()).outside
entrants_of(bots)
print("ready", flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["", "time.sleep(60)"], ids=["ended", "killed"])
def test_copies_are_deleted_at_the_end_and_after_a_kill(then: str, folder: Path, tmp_path: Path) -> None:
    """The copies of a killed process are deleted by the next one; a process that lives keeps its own."""
    place = tmp_path / "temporary"
    place.mkdir()
    environment = {**os.environ, "TMPDIR": str(place), "PYTHONPATH": str(ROOT)}

    def started(then: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", KILLED.format(then=then)]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    first = started(then)
    if then:
        first.send_signal(signal.SIGKILL)
    first.communicate()
    assert len(list(place.iterdir())) == bool(then)
    second, third = started("time.sleep(60)"), started("time.sleep(60)")
    try:
        assert len(list(place.glob(f"{copies.PREFIX}*"))) == 2
    finally:
        for process in (second, third):
            process.kill()
            process.communicate()


def test_a_folder_of_another_user_or_a_link_is_not_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (tmp_path / f"{copies.PREFIX}link").symlink_to(kept)
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        copies._sweep(tmp_path / f"{copies.PREFIX}link")
    monkeypatch.setattr(os, "getuid", lambda: -1)
    copies._sweep(kept)
    assert kept.is_dir()
    assert Path(tempfile.gettempdir()).is_dir()


@pytest.mark.parametrize("name", ["../escaped", "/tmp/escaped-of-a-bot", "a/../../escaped"])
def test_a_worker_writes_no_file_outside_of_its_folder(name: str, tmp_path: Path) -> None:
    """The names of a bot's files come from whoever sent the league."""
    bot_files.store(tmp_path / "kept", {})
    digest = "0" * 64
    (tmp_path / "kept" / digest).write_bytes(b"x")
    bot = OutsideBot("bad", "cmd:./bad", "/", ((name, digest),))
    with desk.refused(ExitCode.REFUSED, "lies outside its folder"):
        bot_files.unpacked(tmp_path / "kept", tmp_path / "places", [bot])
    assert not list(tmp_path.rglob("escaped"))
    assert not Path("/tmp/escaped-of-a-bot").exists()


MODES = {0o6755: 0o500, 0o4755: 0o500, 0o2711: 0o500, 0o1777: 0o500, 0o7644: 0o400, 0o666: 0o400, 0o070: 0o400}
"""Permissions of a file, and of its copy by bits: the owner reads, and runs what the owner of the file may run."""


@pytest.mark.parametrize("mode", MODES)
def test_a_copy_has_no_permission_but_those_of_its_owner_to_read_and_run_it(mode: int, folder: Path) -> None:
    """Here, sent to a worker, kept there, and in the bot's folder there, where the worker's program starts again."""
    (folder / "bot.py").chmod(mode)
    bot = outside(folder, "cmd:python3 bot.py")
    ((name, digest),) = bot.files
    sent = bot_files.packed([bot])
    assert sent[digest][0] == MODES[mode]
    for _turn in range(2):
        bot_files.store(folder / "kept", {digest: (mode, sent[digest][1])})
        (placed,) = bot_files.unpacked(folder / "kept", folder / "places", [bot])
    copies_of_it = (
        folder / "kept" / digest,
        Path(placed.folder, name),
        Path(copies.copied(bot, files_on_disk(bot)).folder, name),
    )
    assert [copy.stat().st_mode & 0o7777 for copy in copies_of_it] == [MODES[mode]] * 3


SPY = """#!/usr/bin/python3
import os, sys
for place in ("libexec", "share", "lib", "include", "lib/python3.0"):
    for name in ("{secret}", "secret", "libsecret.so"):
        path = f"{folder}/{{place}}/{{name}}"
        if os.path.isfile(path):
            sys.stderr.write("GOT " + open(path).read())
sys.stderr.write("LOOKED\\n")
{starter}
"""
LOOKS_LIKE_PYTHON = {"a virtual environment": "pyvenv.cfg", "a Python's home": "lib/python3.1/os.py"}


@pytest.fixture
def eve(folder: Path) -> Path:
    """An author's folder with a program, and links from the parts of a Python to the organiser's secret and to all."""
    eve = folder.parent / "eve"
    (eve / "bin").mkdir(parents=True)
    (eve / "libexec").symlink_to("/")
    (eve / "share").symlink_to(folder.parent)
    (eve / "lib").mkdir()
    (eve / "lib" / "python3.0").symlink_to("/")
    (eve / "lib" / "libsecret.so").symlink_to(folder.parent / "secret")
    text = SPY.format(folder=eve, secret=folder.parent / "secret", starter=STARTER.read_text("utf-8"))
    (eve / "bin" / "bot").write_text(text)
    (eve / "bin" / "bot").chmod(0o755)
    return eve


@SANDBOXED
@pytest.mark.parametrize("name", ["bot", "python3"])
@pytest.mark.parametrize("way", LOOKS_LIKE_PYTHON)
def test_a_program_by_its_whole_path_reads_nothing_beside_it(way: str, name: str, eve: Path, run: Runner) -> None:
    """The folder looks like a Python's, with links to files of the organiser."""
    sign = eve / LOOKS_LIKE_PYTHON[way]
    sign.parent.mkdir(parents=True, exist_ok=True)
    sign.touch()
    (eve / "bin" / "bot").rename(eve / "bin" / name)
    words = ("--blocks", "1", "--seats", "2", "--isolation", "sandbox", "--workers", "1", "--db", "club.db")
    ran = run("league", "run", "--bots", f"greedy,cmd:{eve}/bin/{name}", *words)
    assert ran.code == 0, ran.err
    log = run("league", "log", "--block", "1", "--game", "1", "--db", "club.db").out
    assert "LOOKED" in log
    assert "GOT" not in log
    old = OutsideBot("old", f"cmd:{eve}/bin/{name}", "/")  # as a league of an earlier version has it
    process = PROGRAM.walled(old, SANDBOX).popen()
    assert process.stderr is not None
    assert process.stderr.read(6) == b"LOOKED"
    process.end()


def test_a_program_by_its_whole_path_is_a_file_of_the_bot(eve: Path, folder: Path, run: Runner) -> None:
    """The program is digested, wherever it lies, but an interpreter of the system or of the organiser is not."""
    bot = outside(folder, f"cmd:{eve}/bin/bot --fast")
    assert (bot.entrant, bot.folder, [name for name, _digest in bot.files]) == (
        "cmd:./bot --fast",
        str(eve / "bin"),
        ["bot"],
    )
    (inner,) = read_roster([f"cmd:{folder}/bot.py weights"], folder).outside
    assert (inner.entrant, inner.folder) == ("cmd:./bot.py weights", str(folder))
    for python in (sys.executable, "/usr/bin/python3"):
        assert outside(folder, f"cmd:{python} bot.py").entrant == f"cmd:{python} bot.py"
    with desk.refused(ExitCode.REFUSED, "lies outside its folder"):
        read_roster([f"cmd:{eve}/bin/bot bot.py"], folder)
    words = ("--blocks", "1", "--seats", "2", "--workers", "1", "--db", "club.db")
    assert run("league", "run", "--bots", f"greedy,cmd:{eve}/bin/bot", *words).code == 0
    with open(eve / "bin" / "bot", "a") as file:
        file.write("# changed\n")
    changed = run("league", "log", "--block", "1", "--game", "1", "--db", "club.db")
    assert changed.code == ExitCode.REFUSED
    assert "its file bot is not as it was" in changed.err
