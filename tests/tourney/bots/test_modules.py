"""WebAssembly modules as bots: they play alike everywhere, are limited by fuel, and reach nothing."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
import wasmtime

from tests.harness.bots.own_bots import write_bot
from tests.harness.bots.sandboxed import SANDBOXED
from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.bots.limits import Limits
from tourney.bots.wasm import engine, proof
from tourney.bots.wasm import module as module_kind
from tourney.bots.wasm.engine import Exit, Instance, OutOfFuel, Refused, load, new_engine
from tourney.bots.wasm.lines import launcher
from tourney.bots.wasm.proof_run import prove_modules
from tourney.domain.errors import ExitCode
from tourney.league.blocks import histogram, merged, quantile

ROOT = Path(__file__).resolve().parents[3]
STARTER = ROOT / "fixtures" / "modules" / "starter.wasm"

HELLO = r"hello 1 wat\nready\n"
BOT = """(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 2)
  (data (i32.const 256) "%s")
  (func $say (param $at i32) (param $size i32)
    (i32.store (i32.const 0) (local.get $at)) (i32.store (i32.const 4) (local.get $size))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))))
  (func $hear (result i32)
    (i32.store (i32.const 0) (i32.const 4096)) (i32.store (i32.const 4) (i32.const 65536))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 16)))
    (i32.load (i32.const 16)))
  (func (export "_start")
    (drop (call $hear))
    (call $say (i32.const 256) (i32.const 18))
    (loop $on
      (if (call $hear) (then %s (br $on))))))"""
"""A module that greets, and does one thing at every question; it hears a question with all that is before it."""
FIRST = "(call $say (i32.const 274) (i32.const 2))"
"""Answers with the first action."""
FAULTS = {
    "slow": "(nop)",
    "stalled": "(loop $spin (br $spin))",
    "died": "(call $exit (i32.const 3))",
    "unreadable": "(call $say (i32.const 276) (i32.const 6))",
    "illegal": "(call $say (i32.const 282) (i32.const 4))",
}
"""The behaviour of a module at every question, by the fault that it is."""


def module(folder: Path, does: str = FIRST, name: str = "bot.wasm") -> str:
    """Write a module, and return how a league names it."""
    text = BOT % (HELLO + r"1\nseven\n999\n", does)
    (folder / name).write_bytes(wasmtime.wat2wasm(text))
    return f"wasm:{name}"


@pytest.fixture
def folder(folder: Path) -> Path:
    """The folder in which the program runs, with the module of the starter in C."""
    shutil.copy(STARTER, folder)
    return folder


def league(run: Runner, *bots: str, workers: int = 1, blocks: int = 1, db: str = "club.db") -> Runner:
    """Play a small league."""
    words = ("--bots", ",".join(bots), "--blocks", str(blocks), "--seats", "2", "--workers", str(workers))
    return run("league", "run", *words, "--seed", "a seed that nobody guesses", "--json", "--db", db)


def test_a_module_plays_a_league_and_its_fuel_is_shown(folder: Path, run: Runner) -> None:
    ran = league(run, "greedy", "wasm:starter.wasm")
    assert (ran.code, ran.err) == (0, "")
    bots = {bot["bot"]: bot for bot in ran.json["bots"]}
    fuel = bots["wasm:starter.wasm"]["fuel"]
    assert 0 < fuel["median"] <= fuel["p99"] <= fuel["max"] < 1_000_000_000
    assert bots["greedy"]["fuel"] is None
    assert {bot["faults"] for bot in ran.json["bots"]} == {0}
    out = run("league", "status", "--db", "club.db").out
    assert "Isolation: wasm (wasm:starter.wasm)" in out
    assert "Fuel for an answer" in out


@pytest.mark.parametrize("kind", ["stalled", "died", *slow(["slow", "unreadable", "illegal"])])
def test_every_kind_of_fault_ends_no_league(kind: str, folder: Path, run: Runner) -> None:
    """The limit of fuel is low, so that the one that spins is quick."""
    module(folder, FAULTS[kind])
    text = '[[bot]]\nname = "bad"\nentrant = "wasm:bot.wasm"\nlimits = { fuel = 3_000_000 }\n'
    (folder / "field.toml").write_text(text, "utf-8")
    ran = league(run, "random", "@field.toml")
    assert (ran.code, ran.json["state"]) == (0, "played"), ran.err
    bad = next(bot for bot in ran.json["bots"] if bot["bot"] == "bad")
    assert bad["faults"] > 20
    assert bad["faults_by_kind"][kind] > 0
    allowed = {kind, "died"} | ({"stalled"} if kind == "slow" else set())  # who died too often is not started again
    assert {name for name, count in bad["faults_by_kind"].items() if count} <= allowed
    if kind == "stalled":
        assert bad["fuel"]["max"] == 3_000_000


def test_a_module_that_is_written_anew_plays_as_it_is_now(folder: Path, run: Runner) -> None:
    """The launchers of the first league are idle in this process."""
    for at, kind in enumerate(("unreadable", "died")):
        module(folder, FAULTS[kind])
        ran = league(run, "random", "wasm:bot.wasm", db=f"{at}.db")
        (bad,) = (bot for bot in ran.json["bots"] if bot["bot"] == "wasm:bot.wasm")
        assert bad["faults_by_kind"][kind] > 0
        assert bad["faults_by_kind"]["unreadable"] == 0 or kind == "unreadable"


@contextmanager
def busy() -> Iterator[None]:
    """Keep both cores busy."""
    loops = [subprocess.Popen(["nice", sys.executable, "-c", "while True: pass"]) for _core in range(2)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def test_a_league_ends_alike_idle_beside_busy_loops_and_with_two_workers(folder: Path, run: Runner) -> None:
    """One bot runs out of fuel at some questions and not at others, so that the limit itself is part of the play."""
    text = '[[bot]]\nname = "short"\nentrant = "wasm:starter.wasm"\nlimits = { fuel = 90_000 }\n'
    (folder / "field.toml").write_text(text, "utf-8")
    tables = [league(run, "random", "@field.toml", db="idle.db", blocks=2).json]
    tables.append(league(run, "random", "@field.toml", db="two.db", blocks=2, workers=2).json)
    with busy():
        tables.append(league(run, "random", "@field.toml", db="busy.db", blocks=2).json)
    assert len({table["hash"] for table in tables}) == 1
    short = next(bot for bot in tables[0]["bots"] if bot["bot"] == "short")
    assert short["faults_by_kind"]["stalled"] > 0
    assert short["fuel"]["median"] <= short["fuel"]["max"] == 90_000


def another_engine(monkeypatch: pytest.MonkeyPatch, grow: int) -> None:
    """Install wasmtime 51.0.0, which takes so much fuel to grow a memory."""
    monkeypatch.setattr("tourney.bots.wasm.module.version", lambda _name: "51.0.0")
    monkeypatch.setattr(engine, "counted", lambda: engine.COUNTED | {"grow": grow})
    module_kind._counts_as.cache_clear()


def test_an_engine_that_counts_otherwise_belongs_to_the_league(
    folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = league(run, "greedy", "wasm:starter.wasm").json
    another_engine(monkeypatch, grow=3)
    ran = run("league", "join", "--bots", "random", "--db", "club.db")
    assert ran.code == ExitCode.REFUSED
    assert "here is wasmtime 51.0.0" in ran.err
    assert league(run, "greedy", "wasm:starter.wasm", db="new.db").json["hash"] != before["hash"]
    module_kind._counts_as.cache_clear()


def test_another_version_that_counts_alike_continues_the_league(
    folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = league(run, "greedy", "wasm:starter.wasm").json
    another_engine(monkeypatch, grow=engine.COUNTED["grow"])
    assert league(run, "greedy", "wasm:starter.wasm", db="new.db").json["hash"] == before["hash"]
    assert run("league", "join", "--bots", "random", "--db", "club.db").code == 0
    module_kind._counts_as.cache_clear()


def test_the_installed_engine_counts_as_the_reference() -> None:
    """The figures are those of wasmtime 49.0.0 and 50.0.1, each in an environment of its own."""
    assert engine.counted() == engine.COUNTED


def test_the_starter_costs_what_it_cost_in_all_versions_from_36_to_50() -> None:
    """15,789 by six versions of wasmtime, each in an environment of its own: it hears a greeting and the end."""
    engine = new_engine()
    instance = Instance(engine, load(engine, STARTER.read_bytes()), "seed", 1_000_000, 3 << 30)
    heard = iter([b"tourney 1\n", b"\n"])
    instance.hear = lambda most: next(heard, b"")[:most]
    with pytest.raises(Exit, match="exit code 0"):
        instance.run()
    assert instance.used == 15_789


REFUSED = {
    "a file that is no module": ("wasm:text.wasm", ExitCode.USAGE, "is not a WebAssembly module"),
    "a file that is not there": ("wasm:gone.wasm", ExitCode.NOT_FOUND, "there is no file"),
    "a module cut short": ("wasm:cut.wasm", ExitCode.USAGE, "does not answer the greeting"),
    "a module of another system": ("wasm:env.wasm", ExitCode.USAGE, "it imports connect of env"),
    "a program as a module": ("cmd:./bot", ExitCode.USAGE, "cannot play at the level wasm"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_modules_that_cannot_play_are_refused_and_nothing_is_begun(name: str, folder: Path, run: Runner) -> None:
    bot, code, problem = REFUSED[name]
    (folder / "text.wasm").write_text("no module")
    (folder / "cut.wasm").write_bytes(STARTER.read_bytes()[:1000])
    foreign = '(module (import "env" "connect" (func)) (memory (export "memory") 1) (func (export "_start")))'
    (folder / "env.wasm").write_bytes(wasmtime.wat2wasm(foreign))
    ran = run("league", "run", "--bots", f"greedy,{bot}", "--isolation", "wasm", "--db", "club.db")
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err
    assert len(ran.err.splitlines()) == 2
    assert not (folder / "club.db").exists()


def test_without_the_engine_the_refusal_says_what_to_install(
    folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.bots.wasm.module.find_spec", lambda _name: None)
    ran = league(run, "greedy", "wasm:starter.wasm")
    assert ran.code == ExitCode.REFUSED
    assert f'hint: {sys.executable} -m pip install "tourney-continental[wasm]"' in ran.err


# --- the walls ------------------------------------------------------------------------------------------


def test_no_hostile_module_gets_through(tmp_path: Path) -> None:
    journal = tmp_path / "club.db"
    journal.write_text("journal")
    found = dict(proof.tried(str(journal), str(journal)))
    assert len(found) >= 24
    assert [name for name, through in found.items() if through] == [proof.CONTROL]


def test_the_proof_before_a_league_tries_every_module_and_the_walls_of_the_launcher(tmp_path: Path) -> None:
    journal = tmp_path / "club.db"
    journal.write_text("journal")
    assert prove_modules(launcher(str(STARTER), Limits()), str(journal), ()) == ()


@SANDBOXED
def test_a_module_that_is_given_the_journal_is_not_played(tmp_path: Path) -> None:
    """The launcher is proved with all that it may read."""
    journal = tmp_path / "club.db"
    journal.write_text("journal")
    given = launcher(str(STARTER), Limits())
    given = replace(given, enclosed=replace(given.enclosed, reads=(*given.enclosed.reads, str(journal))))
    assert prove_modules(given, str(journal), (str(STARTER),)) == ("journal", "another bot")


GET_THROUGH = ("journal", "another bot", "processes", "folders", "writing", "environment", "clock")


@pytest.mark.parametrize("name", GET_THROUGH)
def test_the_hostile_modules_get_through_where_a_host_lets_them(name: str, tmp_path: Path) -> None:
    """All modules, with the engine's own system, with folders, environment and clock."""
    (tmp_path / "club.db").write_text("journal")
    engine, wasi = wasmtime.Engine(), wasmtime.WasiConfig()
    wasi.preopen_dir("/" if name == "processes" else str(tmp_path), "/")
    wasi.env = [("SECRET", "1")]
    output = tmp_path / "output"
    wasi.stdout_file = str(output)
    store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
    store.set_wasi(wasi)
    linker.define_wasi()
    text = proof.probes("club.db", "club.db")[name]
    instance = linker.instantiate(store, wasmtime.Module(engine, text))
    start = instance.exports(store)["_start"]
    assert isinstance(start, wasmtime.Func)
    start(store)
    assert output.read_text().startswith("open\n")


def test_every_hostile_module_is_a_module() -> None:
    """A mistake in its text would be refused, too, and look like a wall."""
    for name, text in proof.probes("journal", "bot").items():
        assert wasmtime.wat2wasm(text).startswith(b"\0asm"), name


def test_time_and_chance_follow_from_the_seed(tmp_path: Path) -> None:
    """The module says ten random bytes as letters."""
    text = """(module
      (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1)
      (func (export "_start")
        (drop (call $random (i32.const 64) (i32.const 10)))
        (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 10))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))))"""
    engine = new_engine()
    said = []
    for seed in ("a", "a", "b"):
        heard: list[bytes] = []
        instance = Instance(engine, load(engine, text), seed, 1_000_000, 1 << 20)
        instance.say = heard.append
        with pytest.raises(Exit):
            instance.run()
        said.append(b"".join(heard))
    assert said[0] == said[1] != said[2]
    assert len(said[0]) == 10


def test_calls_cost_fuel_so_that_no_module_holds_a_league_by_calling() -> None:
    """A million calls of the clock at 2,000 each are more than a thousand million."""
    text = """(module
      (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
      (memory (export "memory") 1)
      (func (export "_start") (loop $on (drop (call $yield)) (br $on))))"""
    engine = new_engine()
    instance = Instance(engine, load(engine, text), "", 20_000_000, 1 << 20)
    with pytest.raises(OutOfFuel):
        instance.run()


def test_threads_and_shared_memory_are_no_part_of_a_module() -> None:
    engine = new_engine()
    shared = '(module (memory (export "memory") 1 1 shared) (func (export "_start")))'
    with pytest.raises(Refused):
        load(engine, shared)


# --- fuel -----------------------------------------------------------------------------------------------


def test_a_histogram_of_fuel_gives_quantiles_to_one_part_in_32() -> None:
    """The second source is the sorted list."""
    random = Random("fuel")
    costs = [int(10 ** random.uniform(0, 9)) for _number in range(1000)]
    together = merged(histogram(costs[:300]), histogram(costs[300:]))
    assert together == histogram(costs)
    assert together[0] == max(costs)
    for share in (0.1, 0.5, 0.99):
        true = sorted(costs)[int(share * 1000) - 1]
        assert true <= quantile(together, share) <= true * (1 + 1 / 32) + 1


# --- built from source ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_starter_in_c_plays_as_a_module_as_it_does_as_a_program(folder: Path, run: Runner) -> None:
    """The starter is built twice, for WebAssembly and for this machine; both play the same games with the same seed."""
    assert run("bot", "new", "mybot", "--source", "c").code == 0
    os.chdir("mybot")
    subprocess.run(["cc", "-O2", "-o", "bot", "bot.c"], check=True)
    wasi = ["clang", "--target=wasm32-wasi", "--sysroot=/usr", "-O2", "-o", "bot.wasm", "bot.c"]
    subprocess.run(wasi, check=True)
    field = '[[bot]]\nname = "mine"\nentrant = "{}"\n'
    rows = []
    for entrant in ("cmd:./bot", "wasm:bot.wasm"):
        Path("field.toml").write_text(field.format(entrant), "utf-8")
        table = league(run, "greedy", "@field.toml", db=f"{len(rows)}.db", blocks=3).json
        rows.append([(bot["entrant"], bot["points"], bot["closes"], bot["faults"]) for bot in table["bots"]])
    assert rows[0] == rows[1]


NOTE = (
    "(i32.store (i32.const 0) (i32.const 276)) (i32.store (i32.const 4) (i32.const 6))"
    "(drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 16)))"
)
"""Writes `seven` to the standard error."""


def logged(run: Runner, game: int) -> list[str]:
    """Return the lines of the log of a game of the first block."""
    return run("league", "log", "--block", "1", "--game", str(game), "--db", "club.db").out.splitlines()


def test_the_log_of_a_game_has_what_a_module_writes_to_its_standard_error(folder: Path, run: Runner) -> None:
    """The module writes a line for each question and one for the farewell; both games have the same launcher."""
    league(run, "greedy", module(folder, NOTE + FIRST))
    for game in (1, 2):
        lines = logged(run, game)
        asked = sum(line.startswith("> ask ") for line in lines)
        assert lines.count("! seven") == asked + 1 > 100


def test_the_log_has_the_last_words_of_a_module_that_dies(folder: Path, run: Runner) -> None:
    """The module dies at its first question, and is started anew three times in a block."""
    league(run, "greedy", module(folder, NOTE + "(call $exit (i32.const 3))"))
    lines = logged(run, 1)
    assert lines.count("# died: ended with exit code 3") == lines.count("# started") == lines.count("! seven") == 4


@pytest.mark.parametrize("isolation", ["", "process"])
def test_on_windows_only_classes_in_this_process_play(
    isolation: str, folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal names what the user asked for, and a way that works there."""
    write_bot(folder)
    # Only this module is told so: Python's own imports are other ones on Windows.
    monkeypatch.setattr("tourney.bots.process.sys", SimpleNamespace(platform="win32"))
    words = ("mine.py:Mine,greedy", "--isolation", isolation) if isolation else ("wasm:starter.wasm,greedy",)
    ran = run("league", "run", "--bots", *words, "--blocks", "1", "--seats", "2", "--db", "club.db")
    assert ran.code == ExitCode.USAGE
    assert "WebAssembly modules, and classes in a process of their own cannot play on Windows" in ran.err
    assert "a Python class without --isolation" in ran.err
    assert not (folder / "club.db").exists()
