"""WebAssembly modules whose calls, growth or form take the computer's memory or time."""
# ruff: noqa: E501 - a case is a line of its table

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.campaigns.attacks.attack import Attack, tourney

WRITE: Final = '(import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))'
READ: Final = '(import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))'
CHANCE: Final = '(import "wasi_snapshot_preview1" "random_get" (func $chance (param i32 i32) (result i32)))'
FOREVER: Final = "(loop $again (br $again))"


def _module(body: str, imports: str = WRITE, pages: int = 1700, parts: str = "") -> str:
    return (
        f'(module {imports} (memory (export "memory") {pages}) {parts} (func (export "_start") (local $i i32) {body}))'
    )


def _pieces(number: int, length: int, call: str = "write", to: int = 1, start: int = 16_384) -> str:
    """Return a body that makes one call with this number of pieces, each of the length, which share their bytes."""
    return (
        f"(loop $fill (i32.store (i32.mul (local.get $i) (i32.const 8)) (i32.const {start}))"
        f" (i32.store offset=4 (i32.mul (local.get $i) (i32.const 8)) (i32.const {length}))"
        f" (local.set $i (i32.add (local.get $i) (i32.const 1)))"
        f" (br_if $fill (i32.lt_u (local.get $i) (i32.const {number}))))"
        f" (loop $again (drop (call ${call} (i32.const {to}) (i32.const 0) (i32.const {number}) (i32.const 16000)))"
        " (br $again))"
    )


MODULES: Final[Mapping[str, tuple[str, str]]] = {
    "24 pieces of 100 MB in one write to the output": ("bot 28", _module(_pieces(24, 100_000_000))),
    "24 pieces of 100 MB in one write to the errors": ("new", _module(_pieces(24, 100_000_000, to=2))),
    "1,024 pieces of 100 MB": ("F6", _module(_pieces(1024, 100_000_000))),
    "1,900 pieces of 100 MB": ("new", _module(_pieces(1900, 100_000_000))),
    "pieces whose sum passes 2^32": ("new", _module(_pieces(43, 100_000_000))),
    "pieces longer than the memory": ("new", _module(_pieces(2, 0x7FFFFFFF))),
    "a list of pieces of 2^31": ("new", _module(
        "(loop $again (drop (call $write (i32.const 1) (i32.const 0) (i32.const 0x7fffffff) (i32.const 16000))) (br $again))"
    )),
    "reads into 24 pieces of 100 MB": ("new", _module(_pieces(24, 100_000_000, "read", 0), READ)),
    "takes chance of 100 MB again and again": ("new", _module(
        "(loop $again (drop (call $chance (i32.const 0) (i32.const 100000000))) (br $again))", CHANCE
    )),
    "writes nothing again and again": ("new", _module(_pieces(1, 0))),
    "loops before its greeting": ("new", _module(FOREVER)),
    "loops in its start section": ("new", f"(module (func $spin {FOREVER}) (start $spin) (memory 1) (func (export \"_start\")))"),
    "grows its memory without end": ("new", _module(
        "(loop $again (drop (memory.grow (i32.const 1))) (memory.fill (i32.const 0) (i32.const 1) (i32.const 100000000)) (br $again))"
    )),
    "begins with 4 GB of memory": ("new", _module(FOREVER, pages=65_536)),
    "begins with 40 memories": ("new", "(module " + "(memory 65536)" * 40 + f' (func (export "_start") {FOREVER}))'),
    "a table of 4,000,000,000 elements": ("new", _module(FOREVER, parts="(table 4000000000 funcref)")),
    "grows a table without end": ("new", _module(
        "(loop $again (drop (table.grow $t (ref.null func) (i32.const 1000000))) (br $again))", parts="(table $t 1 funcref)"
    )),
    "calls itself without end": ("new", _module("(call $deep)", parts="(func $deep (call $deep))")),
    "copies 100 MB again and again": ("new", _module(
        "(loop $again (memory.copy (i32.const 0) (i32.const 1) (i32.const 100000000)) (br $again))"
    )),
    "40,000 functions of 500 locals": ("new", "(module " + ("(func (local " + "i64 " * 500 + "))") * 40_000 + ")"),
    "a function of 1,000,000 branches": ("new", _module("(block (br_if 0 (local.get $i)))" * 200_000)),
    "a section that claims 2^32 bytes": ("new", "\0asm\1\0\0\0\1\xff\xff\xff\xff\x0f"),
}  # fmt: skip


def _try(folder: Path, text: str) -> Iterator[str]:
    """Play a league with the module: it ends, the bot may fail, and no process takes much memory."""
    import wasmtime

    data = text.encode("latin-1")
    if text.startswith("("):
        try:
            data = bytes(wasmtime.wat2wasm(text))
        except wasmtime.WasmtimeError as error:
            if "deep" not in str(error) and "nesting" not in str(error) and "recursion" not in str(error):
                raise
            return
    (folder / "bad.wasm").write_bytes(data)
    (folder / "field.toml").write_text(
        '[[bot]]\nname = "bad"\nentrant = "wasm:bad.wasm"\nlimits = { memory = 150_000_000 }\n', "utf-8"
    )
    words = ("--seats", "2", "--blocks", "1", "--workers", "1", "--isolation", "wasm")
    ran = tourney(folder, "league", "run", "--bots", "greedy,@field.toml", *words, seconds=45)
    if ran.code < 0:
        yield ran.err[-60:].strip() or f"exit code {ran.code}"
    elif "Traceback" in ran.err:
        yield "an error in the program"


ATTACKS: Final = tuple(
    Attack(row, tried, lambda folder, text=text: _try(folder, text)) for tried, (row, text) in MODULES.items()
)
