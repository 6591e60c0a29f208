"""The engine that runs modules, set so that a module spends the same on every machine; the only user of wasmtime."""

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
