"""Hostile modules: each tries what a module must not reach. Run as a program, it prints what got through.

`python -I proof.py JOURNAL BOT` prints a line for each probe: its name, a tab, and `open` or `closed`.
"""

import json
import os
import sys
from collections.abc import Iterator

FUEL = 10_000_000
MEMORY = 256 << 20
PAGES = 65_535
"""Pages of 64 kB: all but one of the 4 GB that a module can address."""
YEAR_2021 = 1_609_459_200_000_000_000
FILES = range(3, 10)
"""Descriptors where a host puts folders and sockets, were there any."""

_MODULE = """(module {imports}
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 64) "open\\n")
  (data (i32.const 1024) {path})
  (func $through
    (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 5))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))))
  (func (export "_start") {body}))"""
_IMPORT = '(import "{module}" "{name}" (func $call (param {params}) {result}))'
_WASI = "wasi_snapshot_preview1"


def _module(body: str, imports: str = "", path: str = "") -> str:
    return _MODULE.format(imports=imports, body=body, path=json.dumps(path))


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
        "environment": _module(
            counted, _IMPORT.format(module=_WASI, name="environ_sizes_get", params="i32 i32", result="(result i32)")
        ),
        "clock": _module(
            late, _IMPORT.format(module=_WASI, name="clock_time_get", params="i32 i64 i32", result="(result i32)")
        ),
        "outliving": _module("(loop $on (br $on))"),
    }


def tried(journal: str, bot: str) -> Iterator[tuple[str, bool]]:
    """Yield each probe, and whether it got through."""
    from tourney.bots.wasm.engine import Instance, OutOfFuel, Refused, load, new_engine
    from tourney.bots.wasm.wasi import Exit

    engine = new_engine()
    for name, text in probes(journal, bot).items():
        said: list[bytes] = []
        try:
            instance = Instance(engine, load(engine, text), "probe", FUEL, MEMORY)
            instance.say = said.append
            instance.run()
        except (Refused, OutOfFuel, Exit):
            yield name, bool(said)


def main(journal: str, bot: str) -> None:
    """Print what each probe found."""
    for name, through in tried(journal, bot):
        sys.stdout.write(f"{name}\t{'open' if through else 'closed'}\n")


if __name__ == "__main__":
    sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))]
    main(*sys.argv[1:])
