"""Bounds of what a module takes: memory, calls, processor time, and the engine's own proposals."""

import os
import resource
import struct
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest
import wasmtime

from tourney.bots.faults import STALLED, BotFault
from tourney.bots.isolation import sandbox
from tourney.bots.isolation.enclosure import Enclosed, Process
from tourney.bots.isolation.forked import process_wall
from tourney.bots.limits import Limits
from tourney.bots.wasm import engine as engines
from tourney.bots.wasm import launcher, lines, proof, wire
from tourney.bots.wasm.engine import Refused, load, new_engine
from tourney.bots.wasm.wasi import INPUT, LONGEST, OUTPUT, SUCCESS, System

OPEN_ELSEWHERE = ("free calls", "a large table", "two memories", "exceptions", "objects")


@pytest.mark.parametrize("name", OPEN_ELSEWHERE)
def test_the_hostile_modules_get_through_an_engine_with_everything(name: str) -> None:
    """The engine of this test has free calls, and proposals beyond WebAssembly 2.0."""
    config = wasmtime.Config()
    for proposal in engines.NOT_STANDARD:
        if proposal != "stack_switching":  # not on every machine
            setattr(config, f"wasm_{proposal}", True)
    engine = wasmtime.Engine(config)
    store, linker, said = wasmtime.Store(engine), wasmtime.Linker(engine), []
    loaded = wasmtime.Module(engine, proof.probes("journal", "bot")[name])
    for wanted in loaded.imports:
        assert wanted.name is not None
        assert isinstance(wanted.type, wasmtime.FuncType)
        answer = said.append if wanted.name == "fd_write" else None
        linker.define_func(
            wanted.module, wanted.name, wanted.type, lambda *given, answer=answer: answer(given) or 0 if answer else 0
        )
    start = linker.instantiate(store, loaded).exports(store)["_start"]
    assert isinstance(start, wasmtime.Func)
    start(store)
    assert len(said) == 1


class Counting:
    """A machine with 100 MB at every place, which counts what is copied out of it."""

    spent = 0

    def __init__(self, pieces: int, piece: int) -> None:
        self.table = struct.pack("<II", 0, piece) * pieces
        self.asked: list[int] = []
        self.copied, self.fuel, self.said = 0, 0, 0

    def read(self, at: int, size: int) -> bytes:
        """Return the table of pieces for its place, and zeros for all others."""
        if at:
            return self.table[:size]
        self.copied += size
        return bytes(size)

    def write(self, at: int, data: bytes) -> None:
        """Take nothing."""

    def spend(self, fuel: int) -> None:
        """Count fuel."""
        self.fuel += fuel

    def hear(self, most: int) -> bytes:
        """Return a line, however much is asked for."""
        self.asked.append(most)
        return b"a line\n"

    def say(self, data: bytes) -> None:
        """Count what is said."""
        self.said += len(data)

    note = say


@pytest.mark.parametrize(("file", "most"), [(OUTPUT, wire.MOST_SAID), (2, LONGEST)])
@pytest.mark.parametrize(("pieces", "piece"), [(24, 100_000_000), (1024, 1 << 20), (1, 3), (0, 5)])
def test_a_write_copies_no_more_than_is_passed_on_and_costs_all_of_it(
    file: int, most: int, pieces: int, piece: int
) -> None:
    machine = Counting(pieces, piece)
    assert System(machine, "").calls["fd_write"](file, 8, pieces, 16) == SUCCESS
    assert machine.copied == machine.said == min(most, pieces * piece)
    assert machine.fuel == 2_000 + 10 * pieces * piece + 500 * max(0, pieces - 4)


def test_a_list_of_pieces_without_end_costs_as_much_as_it_takes() -> None:
    """A call with 2^31 empty pieces; at 2,000 of fuel a module made 500,000 of them for an answer."""
    machine = Counting(5_000, 0)
    assert System(machine, "").calls["fd_write"](OUTPUT, 8, 0x7FFFFFFF, 16) == SUCCESS
    assert 1_000_000_000 // machine.fuel < 2_000


WRITES_NOTHING = """(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (loop $again (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 64)))
    (br $again))))"""


def test_a_module_that_does_nothing_but_call_has_a_small_part_of_the_calls_that_its_fuel_would_buy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of fuel for 10,000 calls at 2,000, the first tenth is at this price, and the rest at twenty times as much."""
    monkeypatch.setattr(engines, "FREE_CALL_FUEL", 2_000_000)
    engine = engines.new_engine()
    module = engines.load(engine, WRITES_NOTHING)
    instance, said = engines.Instance(engine, module, "1", 20_000_000, 1 << 20), list[bytes]()
    instance.say = said.append
    with pytest.raises(engines.OutOfFuel):
        instance.run()
    assert 1_000 <= len(said) <= 1_000 + 9_000 // 20 + 1
    instance.close()


def test_no_call_takes_more_pieces_than_1024() -> None:
    machine = Counting(5_000, 1)
    System(machine, "").calls["fd_read"](INPUT, 8, -1, 16)
    assert machine.asked == [1_024]


def test_a_large_write_takes_no_memory_of_the_launcher(tmp_path: Path) -> None:
    """The kernel's count of its memory; before writes were bounded, it was 4,843 MB."""
    file = tmp_path / "iov.wasm"
    file.write_bytes(wasmtime.wat2wasm(proof.probes("journal", "bot")["a large write"]))
    said, peak = launched(file, memory=150_000_000)
    assert said.startswith((wire.ENDED, wire.OUT))
    assert peak < 1 << 30


def launched(file: Path, memory: int = 1 << 30, fuel: int = 1_000_000_000, seconds: float = 60.0) -> tuple[str, int]:
    """Run a module in a launcher without a wall; return what it says, and the most memory that it had, in bytes."""
    command = (sys.executable, "-I", launcher.__file__, str(file), str(fuel), str(memory), str(seconds))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{wire.NEW} 1 seed\n{wire.GO}\n".encode())
    process.stdin.flush()
    said = ""
    while not said.startswith((wire.OUT, wire.ENDED, wire.LATE)) and (line := process.stdout.readline()):
        said = line.decode()
    process.stdin.close()
    _pid, _status, used = os.wait4(process.pid, 0)
    process.returncode = 0
    process.stdout.close()
    return said, used.ru_maxrss * 1024


def plain(body: str, declared: str = "") -> bytes:
    """Return a module without calls."""
    return wasmtime.wat2wasm(f'(module (memory (export "memory") 1) {declared} (func (export "_start") {body}))')


LATE = {
    "an answer": plain("(loop $on (br $on))"),
    "compiling": plain(
        "(local i64)" + "(local.set 0 (i64.mul (local.get 0) (i64.load (i32.wrap_i64 (local.get 0)))))" * 300_000
    ),
}


@pytest.mark.parametrize("name", LATE)
def test_a_launcher_ends_when_its_processor_time_is_over(name: str, tmp_path: Path) -> None:
    """Fuel is no limit here."""
    (tmp_path / "bad.wasm").write_bytes(LATE[name])
    said, _peak = launched(tmp_path / "bad.wasm", fuel=1 << 50, seconds=0.3)
    assert said == f"{wire.LATE}\n"


def test_a_module_whose_time_is_over_stalls_and_its_launcher_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.wasm").write_bytes(LATE["an answer"])
    monkeypatch.setattr(lines, "seconds_of", lambda _limits: 0.5)
    limits = Limits(fuel=1 << 50)
    bad = lines.ModuleLines(str(tmp_path / "bad.wasm"), limits, "seed", [])
    bad.send("tourney 1\n", 0.0)
    with pytest.raises(BotFault, match="of processor time") as caught:
        bad.receive(monotonic() + 600)
    assert caught.value.kind is STALLED
    bad.kill()
    assert not lines._idle[bad._key]


def test_the_time_of_the_clock_is_far_beyond_what_fuel_allows() -> None:
    """Slowest of what was measured: 20 ns for a unit of fuel, by a load that no cache has."""
    for fuel in (1, 1_000_000_000, 5_000_000_000):
        limits = Limits(fuel=fuel)
        assert lines.seconds_of(limits) >= 5 * 20e-9 * fuel
        assert lines.patience(limits) >= 10 * lines.seconds_of(limits)


ENDS = {
    "a stack without end": (plain("(call $f)", "(func $f (call $f))"), "wasm trap: call stack exhausted"),
    "a call before it has begun": (
        wasmtime.wat2wasm(
            '(module (import "wasi_snapshot_preview1" "random_get" (func $r (param i32 i32) (result i32)))'
            ' (memory (export "memory") 1) (func $s (drop (call $r (i32.const 0) (i32.const 9)))) (start $s)'
            ' (func (export "_start")))'
        ),
        "makes a call before it has begun",
    ),
    "a place outside of its memory": (
        wasmtime.wat2wasm(
            '(module (import "wasi_snapshot_preview1" "random_get" (func $r (param i32 i32) (result i32)))'
            ' (memory (export "memory") 1) (func (export "_start") (drop (call $r (i32.const -4) (i32.const 9)))))'
        ),
        "gives a call a place outside of its memory",
    ),
    "five tables": (plain("", "(table 1 funcref)" * 5), "table"),
    "40,000 nested blocks": (plain("(block " * 40_000 + ")" * 40_000), "ended with exit code 0"),
    "29 MB of data": (plain("", f'(data (i32.const 0) "{"x" * 60_000}")' * 480), "ended with exit code 0"),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_strange_module_ends_with_a_line_that_says_why(name: str, tmp_path: Path) -> None:
    text, problem = ENDS[name]
    (tmp_path / "strange.wasm").write_bytes(text)
    said, peak = launched(tmp_path / "strange.wasm")
    assert said.startswith(wire.ENDED)
    assert problem in said
    assert peak < 1 << 30


def test_a_module_of_more_than_32_mb_is_refused() -> None:
    with pytest.raises(Refused, match="more than 32 MB"):
        load(new_engine(), bytes(engines.MOST_BYTES + 1))


def test_the_memory_of_a_launcher_is_limited_while_it_compiles_and_while_a_module_runs(tmp_path: Path) -> None:
    """The kernel's own limit, read from outside while the module runs: its memory and 512 MB."""
    (tmp_path / "loop.wasm").write_bytes(LATE["an answer"])
    run = lines.ModuleLines(str(tmp_path / "loop.wasm"), Limits(memory=100 << 20), "seed", [])
    run.send("tourney 1\n", 0.0)
    with pytest.raises(BotFault, match="out of fuel"):
        run.receive(monotonic() + 600)
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit() and b"loop.wasm" in words_of(name)]
    found = {resource.prlimit(pid, resource.RLIMIT_DATA)[0] for pid in pids}
    run._launcher.child.kill()
    assert 612 << 20 in found


def words_of(pid: str) -> bytes:
    """Return the command of a process, b"" if it is gone."""
    try:
        return Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("there_is_one", [True, False])
def test_a_launcher_is_behind_the_sandbox_where_there_is_one(
    there_is_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = Enclosing()
    monkeypatch.setattr(sandbox, "_found", lambda: wall if there_is_one else "there is none")
    assert lines.launcher("bot.wasm", Limits()).wall == (wall if there_is_one else process_wall())


class Enclosing:
    """A wall that starts nothing."""

    def popen(self, enclosed: Enclosed, limits: Limits) -> Process:
        """Refuse."""
        raise OSError
