"""The engine that runs modules, the only user of wasmtime: set and measured so that all machines count alike.

Every plain instruction costs the same in all versions from 36 to 50. What memory and tables cost that are filled,
copied or grown has changed twice, between 44 and 47, and in 49.
"""

import sys
from collections.abc import Callable
from typing import Any, Final

import wasmtime

from tourney.bots.wasm.wasi import Exit, System

SYSTEM: Final = "wasi_snapshot_preview1"
STACK_BYTES: Final = 512 << 10
MOST_BYTES: Final = 32 << 20
"""The largest file of a module."""
MOST_ADDRESSED: Final = 1 << 32
"""The bytes that a module can address; the engine reserves room for so many, which costs no memory."""
OWN_MEMORY: Final = 512 << 20
"""The bytes that a process has for itself, besides the memory of the module that it runs."""
COMPILE_MEMORY: Final = 2 << 30
"""The bytes that a process has while it compiles a module."""
FREE_CALL_FUEL: Final = 100_000_000
"""The fuel for calls in one answer, far more than honest modules need, beyond which calls cost CALL_FACTOR as much."""
CALL_FACTOR: Final = 20
OUTSIDE: Final = "gives a call a place outside of its memory"
_TRAP: Final = "wasm trap: "
NOT_STANDARD: Final = (
    "custom_page_sizes",
    "exceptions",
    "function_references",
    "gc",
    "memory64",
    "multi_memory",
    "relaxed_simd",
    "stack_switching",
    "tail_call",
    "threads",
    "wide_arithmetic",
)
"""Proposals beyond the standard WebAssembly 2.0: compilers for `wasm32-wasi` do not need them."""


class OutOfFuel(Exception):
    """A module has used up its fuel."""


class Refused(Exception):
    """A file is not a module that can run here."""


def limit_data(size: int) -> None:
    """Limit the memory of this process that can be written in; what the engine only reserves does not count."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def new_engine() -> wasmtime.Engine:
    """Return an engine that counts fuel, and has nothing whose result depends on the machine."""
    config = wasmtime.Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True
    config.shared_memory = False
    config.max_wasm_stack = STACK_BYTES
    config.memory_init_cow = False  # needs a file in memory, which the sandbox does not allow
    config.memory_reservation = MOST_ADDRESSED
    for proposal in NOT_STANDARD:
        setattr(config, f"wasm_{proposal}", False)
    return wasmtime.Engine(config)


def load(engine: wasmtime.Engine, source: bytes | str) -> wasmtime.Module:
    """Return the module of a file, or of its text. Raises Refused for anything else."""
    if len(source) > MOST_BYTES:
        raise Refused(f"it has more than {MOST_BYTES >> 20} MB")
    try:
        module = wasmtime.Module(engine, source)
    except wasmtime.WasmtimeError as error:
        raise Refused(str(error).splitlines()[0]) from None
    for wanted in module.imports:
        if wanted.module != SYSTEM or not isinstance(wanted.type, wasmtime.FuncType):
            raise Refused(f"it imports {wanted.name} of {wanted.module}")
    names = [export.name for export in module.exports]
    if "_start" not in names or "memory" not in names:
        raise Refused("it is not a WASI program: it exports no _start, or no memory")
    return module


def _problem(error: Exception) -> str:
    """Return the line of an error that names it: the first one of a trap only begins a trace."""
    lines = str(error).splitlines()
    return next((line[line.index(_TRAP) :] for line in lines if _TRAP in line), lines[0])


class Instance:
    """A module that runs, with its memory and fuel; `hear`, `say` and `note` are its input, output and errors."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module, seed: str, fuel: int, memory: int) -> None:
        self._store = wasmtime.Store(engine)
        self._store.set_limits(memory_size=memory, memories=1, tables=4, table_elements=100_000, instances=1)
        self._fuel, self._before, self._called = fuel, 0, 0
        self._memory: Any = None
        self._store.set_fuel(fuel + MOST_BYTES)  # some versions count the data that they copy at the start
        self._engine, self._module, self._seed = engine, module, seed
        self.hear: Callable[[int], bytes] = lambda _most: b""
        self.say: Callable[[bytes], None] = lambda _data: None
        self.note: Callable[[bytes], None] = lambda _data: None

    def run(self) -> None:
        """Run the module to its end. Raises OutOfFuel, and Exit with how it ended."""
        try:
            exports = self._linked().exports(self._store)
            self._memory = exports["memory"]
            self._store.set_fuel(self._fuel)
            exports["_start"](self._store)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            if self._store.get_fuel() == 0:
                raise OutOfFuel from None
            raise Exit(_problem(error)) from None
        raise Exit("ended with exit code 0")

    def close(self) -> None:
        """Free its memory; there is room for one instance at a time."""
        self._memory = None
        self._store.close()

    def _linked(self) -> Any:
        linker, system = wasmtime.Linker(self._engine), System(self, self._seed)
        for wanted in self._module.imports:
            assert wanted.name is not None
            assert isinstance(wanted.type, wasmtime.FuncType)
            linker.define_func(SYSTEM, wanted.name, wanted.type, system.calls.get(wanted.name, system.refused))
        return linker.instantiate(self._store, self._module)

    def read(self, at: int, size: int) -> bytes:
        """Return bytes of its memory. Raises Exit if it has not so much."""
        at &= 0xFFFFFFFF
        found = self._begun().read(self._store, at, at + size)
        if len(found) != size:
            raise Exit(OUTSIDE)
        return bytes(found)

    def write(self, at: int, data: bytes) -> None:
        """Write into its memory. Raises Exit if it has not so much."""
        try:
            self._begun().write(self._store, data, at & 0xFFFFFFFF)
        except IndexError:
            raise Exit(OUTSIDE) from None

    def _begun(self) -> Any:
        if self._memory is None:
            raise Exit("makes a call before it has begun")
        return self._memory

    def spend(self, fuel: int) -> None:
        """Take fuel for a call; with none left, the module ends at its next step.

        A call takes the time of many instructions: a module that does nothing else would have half a minute.
        """
        self._called += fuel
        fuel *= CALL_FACTOR if self._called > FREE_CALL_FUEL else 1
        self._store.set_fuel(max(0, self._store.get_fuel() - fuel))

    @property
    def used(self) -> int:
        """The fuel that it has spent since it was filled up."""
        return self._fuel - int(self._store.get_fuel())

    @property
    def spent(self) -> int:
        """The fuel that it has spent since it began."""
        return self._before + self.used

    def fill_up(self) -> None:
        """Give it the fuel for another answer."""
        self._before, self._called = self._before + self.used, 0
        self._store.set_fuel(self._fuel)


FUEL: Final = 1_000_000
REFERENCE: Final = "50.0.1"
"""The version that counted COUNTED; leagues are kept with its name by every version that counts alike."""
_MODULE: Final = """(module
  (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
  (memory (export "memory") 2) (table $t 8 20000 funcref) (data $d "12345678") (elem $e func $f $f)
  (type $plain (func (param i32) (result i32)))
  (func $f (param i32) (result i32)
    (if (result i32) (i32.lt_s (local.get 0) (i32.const 2)) (then (local.get 0)) (else (i32.add
      (call $f (i32.sub (local.get 0) (i32.const 1))) (call $f (i32.sub (local.get 0) (i32.const 2)))))))
  (func (export "_start") (local $i i32) (local $x f64) (local $v v128) %s))"""
_PARTS: Final = {
    "calls": "(drop (call $f (i32.const 10)))",
    "branches": "(loop $on (block $a (block $b (br_table $a $b (i32.and (local.get $i) (i32.const 1)))) (nop))"
    " (local.set $i (i32.add (local.get $i) (i32.const 1))) (br_if $on (i32.lt_u (local.get $i) (i32.const 9))))",
    "numbers": "(local.set $x (f64.div (f64.sqrt (f64.const 2)) (local.get $x)))"
    " (i64.store (i32.const 8) (i64.rem_u (i64.load (i32.const 0)) (i64.const 7)))",
    "vectors": "(local.set $v (f32x4.mul (local.get $v) (f32x4.splat (f32.const 2))))",
    "fill": "(memory.fill (i32.const 0) (i32.const 1) (i32.const 1000))",
    "copy": "(memory.copy (i32.const 1) (i32.const 0) (i32.const 100000))",
    "init": "(memory.init $d (i32.const 0) (i32.const 0) (i32.const 8)) (data.drop $d)",
    "grow": "(drop (memory.grow (i32.const 15)))",
    "failing to grow": "(drop (memory.grow (i32.const 65535)))",
    "table": "(table.init $t $e (i32.const 0) (i32.const 0) (i32.const 2)) (elem.drop $e)"
    " (table.copy $t $t (i32.const 1) (i32.const 0) (i32.const 5))"
    " (table.fill $t (i32.const 0) (ref.func $f) (i32.const 7))"
    " (drop (call_indirect $t (type $plain) (i32.const 1) (i32.const 0)))",
    "growing table": "(drop (table.grow $t (ref.null func) (i32.const 99)))",
    "host": "(drop (call $yield))",
}
COUNTED: Final = {
    "calls": 1769,
    "branches": 109,
    "numbers": 12,
    "vectors": 6,
    "fill": 1005,
    "copy": 100_005,
    "init": 14,
    "grow": 18,
    "failing to grow": 3,
    "table": 37,
    "growing table": 103,
    "host": 2002,
}


def counted() -> dict[str, int]:
    """Return the fuel that each part costs in the version that is installed."""
    engine, found = new_engine(), {}
    for name, part in _PARTS.items():
        instance = Instance(engine, load(engine, _MODULE % part), "", FUEL, 64 << 20)
        try:
            instance.run()
        except Exit:
            found[name] = instance.used
        finally:
            instance.close()
    return found
