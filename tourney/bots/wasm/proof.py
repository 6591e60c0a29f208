"""Hostile modules: each tries what a module must not reach. Run as a program, it prints what got through.

`python -I proof.py JOURNAL BOT` prints a line for each probe: its name, a tab, and `open` or `closed`.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

FUEL = 10_000_000
MEMORY = 256 << 20
CALLS = 100_000
"""Calls that cost nothing, were they free, and more than the fuel of a probe if they are not."""
PIECES, PIECE = 24, 100_000_000
"""The pieces of one large write, and the bytes of each: ten times the memory of a probe's process."""
PAGES = 65_535
"""Pages of 64 kB: all but one of the 4 GB that a module can address."""
YEAR_2021 = 1_609_459_200_000_000_000
FILES = range(3, 10)
"""Descriptors where a host puts folders and sockets, were there any."""

_MODULE = """(module {imports}
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1) {declared}
  (data (i32.const 64) "open\\n")
  (data (i32.const 1024) {path})
  (func $through
    (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 5))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))))
  (func (export "_start") {body}))"""
_IMPORT = '(import "{module}" "{name}" (func $call (param {params}) {result}))'
_WASI = "wasi_snapshot_preview1"
THROUGH = b"open\n"
"""The line of a module that has got through; a large write does not begin with it."""
CONTROL = "control"
"""The module that only says so."""


def _module(body: str, imports: str = "", path: str = "", declared: str = "") -> str:
    return _MODULE.format(imports=imports, declared=declared, body=body, path=json.dumps(path))


def _asked(name: str, params: str, given: str, path: str = "") -> str:
    """Return a module that makes a call with each descriptor, and gets through if one is answered with success."""
    call = f"(if (i32.eqz (call $call {given})) (then (call $through)))"
    body = "".join(call.replace("$file", f"(i32.const {file})") for file in FILES)
    return _module(body, _IMPORT.format(module=_WASI, name=name, params=params, result="(result i32)"), path)


def _opened(path: str, create: bool = False) -> str:
    """Return a module that opens a file."""
    path = path.lstrip("/")  # a host gives folders, from which paths count
    size = len(path.encode())
    rights, flags = ("(i64.const 64)", 1) if create else ("(i64.const 2)", 0)
    given = (
        f"$file (i32.const 1) (i32.const 1024) (i32.const {size}) (i32.const {flags}) {rights} (i64.const 0)"
        " (i32.const 0) (i32.const 512)"
    )
    return _asked("path_open", "i32 i32 i32 i32 i32 i64 i64 i32 i32", given, path)


def _imported(module: str, name: str) -> str:
    """Return a module that needs a function of another system, and gets through if it is there."""
    return _module("(call $through)", _IMPORT.format(module=module, name=name, params="", result="(result i32)"))


_TABLE = "(table.grow $t (ref.null func) (i32.const 10000000))"


def _using(declared: str, asked: str) -> str:
    """Return a module that declares something and gets through if what it asks is not 0."""
    return _module(f"{asked} (if (then (call $through)))", declared=declared)


def _repeated(name: str, params: str, given: str) -> str:
    """Return a module that gets through if it can make a call very often."""
    imports = _IMPORT.format(module=_WASI, name=name, params=params, result="(result i32)")
    calls = f"(drop (call $call {given})) (local.set $n (i32.add (local.get $n) (i32.const 1)))"
    body = f"(local $n i32) (loop $on {calls} (br_if $on (i32.lt_u (local.get $n) (i32.const {CALLS}))))"
    return _module(f"{body} (call $through)", imports)


def _written() -> str:
    """Return a module that writes its whole memory many times in one call."""
    places = (f"(i32.store offset={2052 + 8 * at} (i32.const 0) (i32.const {PIECE}))" for at in range(PIECES))
    body = f"(drop (memory.grow (i32.const {PIECE // 65536 + 1}))) {''.join(places)}"
    return _module(f"{body} (drop (call $write (i32.const 1) (i32.const 2048) (i32.const {PIECES}) (i32.const 16)))")


def probes(journal: str, bot: str) -> dict[str, str]:
    """Return the modules by what they try, as text."""
    counted = "(drop (call $call (i32.const 32) (i32.const 40))) (if (i32.load (i32.const 32)) (then (call $through)))"
    late = (
        "(drop (call $call (i32.const 0) (i64.const 0) (i32.const 32)))"
        f"(if (i64.gt_u (i64.load (i32.const 32)) (i64.const {YEAR_2021})) (then (call $through)))"
    )
    grown = f"(if (i32.ne (memory.grow (i32.const {PAGES})) (i32.const -1)) (then (call $through)))"
    listing = "$file (i32.const 2048) (i32.const 512) (i64.const 0) (i32.const 512)"
    sent = "$file (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 512)"
    return {
        "journal": _opened(journal),
        "another bot": _opened(bot),
        "processes": _opened("/proc"),
        "folders": _asked("fd_readdir", "i32 i32 i32 i64 i32", listing),
        "tcp": _asked("sock_accept", "i32 i32 i32", "$file (i32.const 0) (i32.const 512)"),
        "udp": _asked("sock_send", "i32 i32 i32 i32 i32", sent),
        "dns": _imported("wasix_32v1", "resolve"),
        "unix socket": _imported("wasix_32v1", "sock_open"),
        "abstract socket": _imported("env", "connect"),
        "writing": _opened("written-by-a-probe", create=True),
        "signals": _asked("proc_raise", "i32", "(i32.const 9)"),
        "forks": _imported("wasix_32v1", "proc_fork"),
        "threads": _imported("wasi", "thread-spawn"),
        "memory": _module(grown),
        "a large write": _written(),
        "free calls": _repeated(
            "fd_seek", "i32 i64 i32 i32", "(i32.const 1) (i64.const 0) (i32.const 0) (i32.const 0)"
        ),
        "free unknown calls": _repeated("sock_shutdown", "i32 i32", "(i32.const 1) (i32.const 0)"),
        "a large table": _using("(table $t 1 funcref)", f"(i32.ge_s {_TABLE} (i32.const 0))"),
        "two memories": _using("(memory $second 1)", "(i32.load $second (i32.const 0)) (i32.eqz)"),
        "exceptions": _using("(tag $e)", "(block $h (try_table (catch $e $h) (throw $e))) (i32.const 1)"),
        "objects": _using("(type $a (array (mut i8)))", "(array.len (array.new_default $a (i32.const 9)))"),
        "environment": _module(
            counted, _IMPORT.format(module=_WASI, name="environ_sizes_get", params="i32 i32", result="(result i32)")
        ),
        "clock": _module(
            late, _IMPORT.format(module=_WASI, name="clock_time_get", params="i32 i64 i32", result="(result i32)")
        ),
        "outliving": _module("(loop $on (br $on))"),
    }


def tried(journal: str, bot: str) -> Iterator[tuple[str, bool]]:
    """Yield each probe, and whether it got through; at last the one that must, or the others have said nothing."""
    from tourney.bots.wasm.engine import Refused, load, new_engine

    engine = new_engine()
    for name, text in {**probes(journal, bot), CONTROL: _module("(call $through)")}.items():
        try:
            yield name, _gets_through(engine, load(engine, text))
        except Refused:
            yield name, False


def _gets_through(engine: Any, module: Any) -> bool:
    """Return whether a module says that it got through, or takes more memory than there is."""
    from tourney.bots.wasm.engine import Instance, OutOfFuel
    from tourney.bots.wasm.wasi import Exit

    said: list[bytes] = []
    instance = Instance(engine, module, "probe", FUEL, MEMORY)
    instance.say = said.append
    try:
        instance.run()
    except MemoryError:
        return True
    except (OutOfFuel, Exit):
        return b"".join(said).startswith(THROUGH)
    finally:
        instance.close()
    return False


def main(journal: str, bot: str) -> None:
    """Print what each probe found, in as little memory as a launcher has."""
    from tourney.bots.wasm.engine import OWN_MEMORY, limit_data

    limit_data(OWN_MEMORY + MEMORY)
    for name, through in tried(journal, bot):
        sys.stdout.write(f"{name}\t{'open' if through else 'closed'}\n")


if __name__ == "__main__":
    sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))]
    main(*sys.argv[1:])
