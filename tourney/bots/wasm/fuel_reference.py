"""A measure of how the installed engine counts: small modules whose fuel differs where versions count otherwise.

Every plain instruction costs the same in all versions from 36 to 50. What memory and tables cost that are filled,
copied or grown has changed twice, between 44 and 47, and in 49.
"""

from typing import Final

from tourney.bots.wasm.engine import Instance, load, new_engine
from tourney.bots.wasm.wasi import Exit

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
