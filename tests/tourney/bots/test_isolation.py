"""Walls between bots and the program: levels, what hostile probes reach behind each wall, and refusals."""

import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.bots.hostile_bots import ROOT
from tests.harness.bots.own_bots import MINE, misbehaving, write_bot
from tests.harness.bots.sandboxed import BUBBLEWRAP, SANDBOXED
from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.bots.isolation import hostile, process_limit, proof, sandbox, seccomp
from tourney.bots.isolation.enclosure import (
    Enclosed,
    Process,
    Wall,
    Walled,
    interpreter_reads,
)
from tourney.bots.isolation.forked import ForkedWall, process_wall, sandbox_or_process
from tourney.bots.isolation.levels import LEVELS, PROCESS, SANDBOX, TRUSTED, WASM, level_for
from tourney.bots.isolation.proof import promised, prove
from tourney.bots.limits import Limits
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import League
from tourney.service import bots
from tourney.service.leagues import leagues

WALLS: dict[str, Wall] = {"program": BUBBLEWRAP, "class": ForkedWall(BUBBLEWRAP)}
STARTER = ROOT / "tourney" / "bots" / "starters" / "bot.py"
MODULE = ROOT / "fixtures" / "modules" / "starter.wasm"
SEED = "a seed that nobody guesses"


@pytest.fixture
def folder(folder: Path) -> Path:
    """A folder with a bot's file, in which the program runs."""
    write_bot(folder)
    return folder


def walled(wall: Wall, command: tuple[str, ...] = (sys.executable,), folder: str | None = None) -> Walled:
    """Return a command behind a wall."""
    return Walled(wall, Enclosed(command, folder, interpreter_reads()), Limits())


@pytest.mark.parametrize(
    ("possible", "asked", "level"),
    [
        ((PROCESS, TRUSTED, SANDBOX), None, PROCESS),
        ((PROCESS, TRUSTED, SANDBOX), TRUSTED, TRUSTED),
        ((TRUSTED, PROCESS, SANDBOX), PROCESS, PROCESS),
        ((PROCESS, SANDBOX), TRUSTED, PROCESS),
        ((WASM,), SANDBOX, WASM),
    ],
)
def test_a_bot_plays_at_the_weakest_level_as_strong_as_the_one_asked_for(possible, asked, level) -> None:  # type: ignore[no-untyped-def]
    assert level_for("bot", possible, asked) is level


def test_a_level_that_is_too_strong_for_a_bot_is_refused() -> None:
    with desk.refused(ExitCode.USAGE, "“bot” cannot play at the level wasm", "sandbox"):
        level_for("bot", (PROCESS, SANDBOX), WASM)


@SANDBOXED
@pytest.mark.parametrize("name", WALLS)
def test_no_hostile_probe_gets_through_a_sandbox(name: str, tmp_path: Path) -> None:
    """The probes are those that get through without a wall, as the next test shows."""
    journal = tmp_path / "club.db"
    journal.write_text("journal")
    proved = prove(walled(WALLS[name]), str(journal), [str(journal)], promised(SANDBOX, WALLS[name]))
    assert proved.leaks == ()
    programs = () if isinstance(WALLS[name], ForkedWall) else hostile.AT_CLASSES
    assert {name for name, _through in proved.through} >= hostile.PROBES.keys() - {"threads", *programs}


@pytest.mark.parametrize("wall", [process_wall(), ForkedWall()], ids=["program", "class"])
def test_a_process_alone_stops_memory_forks_and_orphans_and_nothing_else(wall: Wall, tmp_path: Path) -> None:
    """The user decides whether a process may be traced, and the system written."""
    journal = tmp_path / "club.db"
    journal.write_text("journal")
    leaks = set(prove(walled(wall), str(journal), []).leaks)
    of_user = {
        "memory of others",
        "writing in the system",
        "variables",
        "needless calls",
        "merged memory",
        "cached pages",
    }
    counted = ["forks", "threads"] if process_limit.most_of_user() or process_limit._has("pids") else []
    stopped = {"memory", "open files", "outliving", *counted}
    assert leaks - of_user == set(hostile.PROBES) - of_user - stopped
    assert set(promised(PROCESS, wall)) == stopped


class Broken(ForkedWall):
    """A wall that has forgotten to limit memory."""

    def popen(self, enclosed: Enclosed, limits: Limits) -> Process:
        """Start the program with all memory."""
        return super().popen(enclosed, replace(limits, memory=1 << 50))


@pytest.mark.parametrize(
    ("bot", "where"), [("cmd:python3 bot.py", "program.wall_at"), ("mine.py:Mine", "python_class.class_wall_at")]
)
def test_no_bot_is_started_where_a_process_does_not_keep_its_promises(
    bot: str, where: str, folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each bot leaves a file when it is started, and plays where the wall holds."""
    mark = "open('started', 'w').close()\n"
    (folder / "bot.py").write_text(mark + STARTER.read_text("utf-8"), "utf-8")
    write_bot(folder, "mine.py", mark + MINE)
    words = ("--bots", f"greedy,{bot}", "--blocks", "1", "--seats", "2", "--isolation", "process", "--db", "club.db")
    broken = Broken(programs=True)
    with monkeypatch.context() as patched:
        patched.setattr(f"tourney.bots.{where}", lambda _level: broken)
        ran = run("league", "run", *words)
    assert ran.code == ExitCode.REFUSED
    assert "the level process does not hold here; probes that got through: memory" in ran.err
    assert not (folder / "started").exists()
    assert run("league", "run", *words).code == 0
    assert (folder / "started").exists()


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which control groups are made, with the files that the kernel would have, on any machine."""
    monkeypatch.setattr(process_limit, "_bases", lambda _process: {tmp_path: ("pids.max",)})
    monkeypatch.setattr(process_limit, "_empty", {})
    monkeypatch.setattr(process_limit, "_left", set())
    monkeypatch.setattr(process_limit, "END_SECONDS", 0.1)
    return tmp_path


@pytest.mark.parametrize("ends", [True, False], ids=["that has ended", "that runs"])
def test_another_bot_gets_the_control_group_of_a_bot_only_if_it_is_empty(groups: Path, ends: bool) -> None:
    """To make and remove a group takes as long as to start a small program."""
    room = process_limit.Room(1 << 28, walled=True)
    (entry,) = room.entries
    with subprocess.Popen(("sleep", "60")) as bot:
        entry.write_text("" if ends else f"{bot.pid}\n")
        room.leave()
        assert (process_limit.Room(1 << 28, walled=True).entries == (entry,)) == ends
        if ends:
            bot.kill()
    assert bot.returncode == -signal.SIGKILL


def test_no_other_bot_gets_the_control_group_of_a_bot_without_a_wall(groups: Path) -> None:
    """The attacks: such a bot changed the limits of its group, and left files in memory that counted there."""
    room = process_limit.Room(1 << 28, walled=False)
    (entry,) = room.entries
    entry.write_text("")
    room.leave()
    assert entry not in (
        *process_limit.Room(1 << 28, walled=True).entries,
        *process_limit.Room(1 << 28, walled=False).entries,
    )


def test_a_shell_that_is_never_told_to_go_on_starts_nothing(tmp_path: Path) -> None:
    """A referee may be killed before it has set the limits."""
    room = process_limit.Room(153 << 20, walled=True)
    words = room.command(("touch", str(tmp_path / "started")), waits=True)
    subprocess.run(words, stdin=subprocess.DEVNULL, check=False, timeout=300)
    assert not (tmp_path / "started").exists()


@SANDBOXED
def test_programs_that_need_no_more_than_the_system_run_in_a_sandbox() -> None:
    """Threads, an event loop and a temporary file are what an honest program may use."""
    text = "import asyncio, tempfile, threading; t = threading.Thread(target=tempfile.mkdtemp); t.start(); t.join(); "
    text += "asyncio.run(asyncio.sleep(0)); print(6 * 7)"
    assert BUBBLEWRAP.popen(Enclosed(("python3", "-c", text)), Limits()).communicate(timeout=300) == (b"42\n", b"")


@SANDBOXED
def test_a_program_in_a_sandbox_finds_itself_and_no_variable_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loader finds libraries beside a program by that link; all else of /proc is missing."""
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
    text = "import os; print(os.readlink('/proc/self/exe'), os.listdir('/proc'), *sorted(os.environ))"
    process = BUBBLEWRAP.popen(Enclosed((sys.executable, "-I", "-S", "-c", text)), Limits())
    said = process.communicate(timeout=300)[0].decode().split()
    assert said[:2] == [os.path.realpath(sys.executable), "['self']"]
    assert {*said[2:]} <= {"HOME", "LANG", "LC_CTYPE", "PATH", "PWD"}


def executable(path: Path, line: str) -> Path:
    """Return a shell script of one line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
    path.chmod(0o755)
    return path


@SANDBOXED
def test_a_program_behind_the_shim_of_a_version_manager_runs_in_a_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manager is not in the sandbox: a shim that ran there would not find it."""
    root = tmp_path / ".pyenv"
    program = executable(root / "versions" / "counter", "echo 42")
    asked = f'[ "$1 $2 $PWD" = "which counter /" ] && echo "{program}"'
    manager = executable(root / "bin" / "pyenv", asked)
    shim = executable(root / "shims" / "counter", f'exec "{manager}" exec counter')
    monkeypatch.setenv("PYENV_ROOT", str(root))
    monkeypatch.setenv("PATH", f"{shim.parent}:{manager.parent}:{os.environ['PATH']}")
    assert BUBBLEWRAP.popen(Enclosed(("counter",)), Limits()).communicate(timeout=300) == (b"42\n", b"")


@SANDBOXED
@pytest.mark.parametrize("path", ["", "{folder}/bin:", "bin:.:"])
@pytest.mark.parametrize("root", ["", "{folder}", "other"])
def test_nothing_of_an_author_is_started_before_the_wall(
    path: str, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The author's folder looks like a version manager's, with a manager that leaves a mark."""
    folder = tmp_path / "author"
    shim = executable(folder / "shims" / "bot", "echo inside")
    executable(folder / "bin" / "pyenv", f"touch {tmp_path}/mark; echo /bin/true")
    monkeypatch.setenv("PATH", path.format(folder=folder) + os.environ["PATH"])
    if root:
        monkeypatch.setenv("PYENV_ROOT", root.format(folder=folder))
    monkeypatch.chdir(folder)
    process = BUBBLEWRAP.popen(Enclosed(("./shims/bot",), str(folder), (str(shim),)), Limits())
    assert process.communicate(timeout=300)[0] == b"inside\n"
    assert not (tmp_path / "mark").exists()


@SANDBOXED
def test_a_program_of_the_folder_brings_no_file_of_the_user_into_the_sandbox(tmp_path: Path) -> None:
    """The bot's folder is the user's, with a `pyvenv.cfg`; a link leads to a script of the user."""
    folder = tmp_path / "home"
    secret = folder / "club.db"
    program = executable(folder / "bin" / "bot", f"cat {secret}")
    (folder / "pyvenv.cfg").touch()
    secret.write_text("secret", "utf-8")
    process = BUBBLEWRAP.popen(Enclosed((str(program),), str(folder), (str(program),)), Limits())
    assert process.communicate(timeout=300)[0] == b""
    (folder / "bin" / "link").symlink_to(executable(tmp_path / "backup.sh", "echo secret"))
    with pytest.raises(PermissionError):
        BUBBLEWRAP.popen(Enclosed(("bin/link",), str(folder)), Limits())


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
DENIED = {
    *("ptrace", "process_vm_readv", "process_vm_writev", "socket", "unshare", "setns", "mount", "umount2", "fork"),
    *("pivot_root", "chroot", "bpf", "perf_event_open", "keyctl", "add_key", "request_key", "userfaultfd", "kcmp"),
    *("setpgid", "pidfd_send_signal", "io_uring_setup", "io_uring_enter", "io_uring_register", "pidfd_open", "vfork"),
    *("pidfd_getfd", "process_madvise", "flock", "memfd_create", "shmget", "shmat", "shmctl", "semget", "msgget"),
    *("mq_open", "inotify_init1", "inotify_add_watch", "fanotify_init", "chmod", "fchmod", "fchmodat", "fchmodat2"),
    *("chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat", "futimesat", "setxattr", "fsetxattr"),
    *("sched_setaffinity", "sched_setscheduler", "sched_setattr", "sched_setparam", "setpriority", "ioprio_set"),
    *("tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sendmsg", "recvmsg", "sendmmsg", "connect", "bind", "clone3"),
    *("openat2", "name_to_handle_at", "open_by_handle_at", "timer_create", "mlock", "mincore", "execveat", "mknodat"),
}


@pytest.mark.parametrize("kind", HEADERS)
def test_the_numbers_of_system_calls_are_those_of_linux(kind: str) -> None:
    """The second source are the headers of Linux."""
    numbers = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", HEADERS[kind].read_text("utf-8"))
    }
    allowed = seccomp.numbers(kind)
    assert allowed == {
        name: numbers["fstatat" if name == "newfstatat" and kind == "aarch64" else name] for name in allowed
    }
    assert not DENIED & allowed.keys()


def test_a_sandbox_that_leaks_is_refused_and_nothing_begins(
    folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder with the journal is shown to the probes, as by an installation that lies in it."""
    ran = run("league", "run", "--bots", "greedy,random", "--blocks", "1", "--seats", "2", "--db", "club.db")
    assert ran.code == 0
    monkeypatch.setattr(proof, "interpreter_reads", lambda: (*interpreter_reads(), str(folder)))
    words = ("--bots", "mine.py:Mine,greedy", "--blocks", "1", "--seats", "2", "--isolation", "sandbox")
    ran = run("league", "run", *words, "--db", "club.db")
    assert (ran.code, ran.out) == (ExitCode.REFUSED, "")
    assert "the level sandbox does not hold here; probes that got through: journal, another bot" in ran.err
    assert run("league", "status", "--json", "--db", "club.db").json["league"] == 1


def test_without_a_sandbox_there_is_no_lower_wall(folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "BUBBLEWRAP", ())
    sandbox._found.cache_clear()
    try:
        words = ("--bots", "mine.py:Mine,greedy", "--blocks", "1", "--seats", "2", "--isolation", "sandbox")
        ran = run("league", "run", *words, "--db", "club.db")
        assert (ran.code, ran.out) == (ExitCode.REFUSED, "")
        assert "there is no sandbox here: bubblewrap is not installed" in ran.err
        assert not (folder / "club.db").exists()
        assert sandbox_or_process() == process_wall()
    finally:
        sandbox._found.cache_clear()


@pytest.mark.parametrize("levels", [("trusted", "process"), *slow([(("trusted", "process", "sandbox"),)])])
def test_a_class_plays_alike_at_every_level(levels: tuple[str, ...], folder: Path, run: Runner) -> None:
    """The level stands in the table and in JSON, is kept with the league, and is no part of the hash."""
    hashes = set()
    for level in levels:
        words = ("--bots", "mine.py:Mine?care=3,random", "--blocks", "1", "--seats", "2", "--workers", "1")
        ran = run("league", "run", *words, "--seed", SEED, "--isolation", level, "--json", "--db", f"{level}.db")
        assert ran.code == 0, ran.err
        hashes.add(ran.json["hash"])
        levels = {bot["bot"]: bot["isolation"] for bot in ran.json["bots"]}
        assert levels == {"mine.py:Mine?care=3": level, "random": "trusted"}
        assert ran.json["isolation"] == level
        assert f"Isolation: {level} (mine.py:Mine?care=3)" in run("league", "status", "--db", f"{level}.db").out
    assert len(hashes) == 1


def test_from_the_level_process_on_no_code_of_a_class_runs_in_the_program(folder: Path, run: Runner) -> None:
    """The module writes the number of its process whenever it is executed."""
    write_bot(folder, "spy.py", f"import os\nprint('here', os.getpid(), flush=True)\n{MINE}")
    words = ("--bots", "spy.py:Mine,greedy", "--blocks", "1", "--seats", "2", "--workers", "1", "--db", "club.db")
    trusted = run("league", "run", *words, "--isolation", "trusted")
    assert "here" in trusted.err
    said = "classes at the level trusted run inside this program"
    assert trusted.err.count(said) == 1
    assert trusted.err.index(said) < trusted.err.index("here"), "before any of its code"
    for level in ((), ("--isolation", "process")):
        ran = run("league", "run", *words, *level)
        assert (ran.code, "here" in ran.err) == (0, False)


@pytest.mark.parametrize(
    ("bot", "problem"),
    [("mine.py:Nothing", "has no class “Nothing”"), ("mine.py:Mine?speed=1", "speed"), ("broken.py:Mine", "line 1")],
)
def test_a_class_that_cannot_play_is_refused_by_its_process(bot: str, problem: str, folder: Path, run: Runner) -> None:
    write_bot(folder, "broken.py", "1 / 0\n")
    ran = run("league", "run", "--bots", f"{bot},greedy", "--isolation", "process", "--db", "club.db")
    assert ran.code in (ExitCode.USAGE, ExitCode.NOT_FOUND)
    assert problem in ran.err
    assert not (folder / "club.db").exists()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("os._exit(0)", "died"),
        ("return None", "unreadable"),
        *slow(
            [
                ("raise SystemExit(0)", "died"),
                (
                    "from tourney.bots import Discard\nreturn Discard(0) if view.phase == 'claim' else legal[0]",
                    "illegal",
                ),
            ]
        ),
    ],
)
def test_faults_of_a_class_in_a_process_are_of_the_kinds_that_the_guide_names(
    body: str, kind: str, folder: Path, run: Runner
) -> None:
    write_bot(folder, "bad.py", misbehaving(body))
    words = ("--bots", "bad.py:Mine,greedy", "--blocks", "1", "--seats", "2", "--isolation", "process")
    ran = run("league", "run", *words, "--workers", "1", "--json", "--db", "club.db")
    assert (ran.code, ran.json["state"]) == (0, "played")
    bad = next(bot for bot in ran.json["bots"] if bot["bot"] == "bad.py:Mine")
    assert {name for name, count in bad["faults_by_kind"].items() if count} == {kind}
    assert bad["faults"] > 20


def test_an_unknown_level_is_refused(folder: Path, run: Runner) -> None:
    ran = run("league", "run", "--bots", "mine.py:Mine,greedy", "--isolation", "paper", "--db", "club.db")
    assert ran.code == ExitCode.USAGE
    assert all(level in ran.err for level in LEVELS)


def test_a_league_gets_a_seed_that_cannot_be_guessed(folder: Path) -> None:
    """Whoever knows the seed knows the deals; 32 hexadecimal digits are 128 bits."""
    league = League(("mine.py:Mine", "greedy"), "oficial", 2, "", 1)
    built_in = replace(league, bots=("greedy", "random"))
    seeds = {leagues.checked(each).seed for each in (league, league, built_in, replace(league, isolation="sandbox"))}
    assert len(seeds) == 4
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)
    assert leagues.checked(replace(league, seed="x")).seed == "x"


def test_a_seed_that_can_be_guessed_is_warned_of(folder: Path, run: Runner) -> None:
    shutil.copy(MODULE, folder)
    words = ("--bots", "wasm:starter.wasm,greedy", "--blocks", "1", "--seats", "2", "--workers", "1", "--seed", "7")
    assert "the seed 7 can be guessed" in run("league", "run", *words, "--db", "short.db").err


PLAYED_AT_ONCE = ("--seats", "2", "--blocks", "1", "--workers", "1")
GREETING = {
    "a league": ("league", "run", "--bots", "cmd:./mark,greedy", *PLAYED_AT_ONCE),
    "a test of two bots": ("league", "test", "cmd:./mark", "greedy", *PLAYED_AT_ONCE),
    "a part": (
        "league",
        "part",
        "1/1",
        "--bots",
        "cmd:./mark,greedy",
        *PLAYED_AT_ONCE,
        "--seed",
        "1",
        "--output",
        "p.league",
    ),
    "bots that join": ("league", "join", "--bots", "cmd:./mark", "--workers", "1"),
    "bots that would join": ("league", "join", "--bots", "cmd:./mark", "--dry-run"),
    "a round": ("round", "play", "Bots"),
    "a check": ("bot", "check", "cmd:./mark"),
}


@pytest.mark.parametrize("words", GREETING.values(), ids=GREETING)
def test_no_program_is_started_before_its_wall_is_proved(
    words: tuple[str, ...], folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program leaves a mark when it is started; the wall does not hold."""
    monkeypatch.setenv("TOURNEY_DB", str(folder / "club.db"))
    (folder / "mark").write_text("#!/bin/sh\ntouch started\n", encoding="utf-8")
    (folder / "mark").chmod(0o755)
    assert run("league", "run", "--bots", "greedy,random", *PLAYED_AT_ONCE).code == 0
    for command in (
        "event new Bots --rounds 1 --size 2",
        "event enter Bots --bots cmd:./mark:1,random:1",
        "round draw",
    ):
        assert run(*command.split()).code == 0
    monkeypatch.setattr(bots, "_proved", set())
    monkeypatch.setattr(bots, "_leaks", lambda *_tried: ("journal",))
    refused = run(*words)
    assert (refused.code, refused.out, (folder / "started").exists()) == (ExitCode.REFUSED, "", False)
    assert "the level process does not hold here; probes that got through: journal" in refused.err
    assert [row["league"] for row in run("league", "list", "--json").json] == [1]
