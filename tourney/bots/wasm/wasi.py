"""The system of a module, of which it has input, output, and a clock and chance that are the same on every machine.

This is `wasi_snapshot_preview1` with a virtual clock, which goes by the fuel that is spent, and random bytes from the
seed of the game. There are no files but the three standard ones, no arguments and no environment; every other call is
answered as not available. Calls cost fuel, so that a module cannot hold a league by calling.
"""

import hashlib
import struct
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, Protocol

from tourney.bots.wasm.wire import MOST_SAID

SUCCESS, BAD_FILE, UNAVAILABLE, NO_SEEKING = 0, 8, 52, 70
INPUT, OUTPUT, ERRORS = 0, 1, 2
CALL_FUEL: Final = 2_000
"""The cost of a call."""
BYTE_FUEL: Final = 10
"""The cost of each byte that is read, written or drawn."""
EPOCH: Final = 1_577_836_800_000_000_000
"""The virtual time at which every game begins, in nanoseconds: 1 January 2020."""
CHARACTER_DEVICE: Final = 2
LONGEST: Final = 1 << 20
"""The most bytes that one call draws, or writes to the standard error."""
MOST_PIECES: Final = 1024
"""The most pieces of memory that one call reads or writes."""
FREE_PIECES: Final = 4
"""The pieces of a call that cost nothing more: C libraries need two."""
PIECE_FUEL: Final = 500
"""The cost of each piece beyond them."""
FREE_REFUSALS: Final = 1_000
"""The refused calls that cost nothing, of one instance: the C library asks at its start what there is."""


class Exit(Exception):
    """The module has ended itself."""


class Machine(Protocol):
    """The instance, as its system sees it."""

    def read(self, at: int, size: int) -> bytes:
        """Return bytes of its memory."""
        ...

    def write(self, at: int, data: bytes) -> None:
        """Write into its memory."""
        ...

    def spend(self, fuel: int) -> None:
        """Take fuel; all that is left, if there is not so much."""
        ...

    @property
    def spent(self) -> int:
        """The fuel that it has spent since it began."""
        ...

    def hear(self, most: int) -> bytes:
        """Return what it reads next: at most one line."""
        ...

    def say(self, data: bytes) -> None:
        """Take what it writes."""
        ...

    def note(self, data: bytes) -> None:
        """Take what it writes to its standard error."""
        ...


class System:
    """The calls of one instance, by name."""

    def __init__(self, machine: Machine, seed: str) -> None:
        self._machine = machine
        self._entropy = _random_bytes(seed)
        self._refusals = 0
        self.calls: dict[str, Callable[..., Any]] = {
            "args_get": self._nothing,
            "args_sizes_get": self._no_list,
            "environ_get": self._nothing,
            "environ_sizes_get": self._no_list,
            "clock_res_get": self._clock_step,
            "clock_time_get": self._clock,
            "fd_close": self._close,
            "fd_fdstat_get": self._kind,
            "fd_prestat_get": lambda *_given: self._refuse(BAD_FILE),
            "fd_read": self._read,
            "fd_seek": self._seek,
            "fd_write": self._write,
            "proc_exit": self._exit,
            "random_get": self._random,
            "sched_yield": self._nothing,
        }

    def refused(self, *_given: int) -> int:
        """Answer a call that is not available."""
        return self._refuse(UNAVAILABLE)

    def _refuse(self, problem: int) -> int:
        self._refusals += 1
        if self._refusals > FREE_REFUSALS:
            self._machine.spend(CALL_FUEL)
        return problem

    def _nothing(self, *_given: int) -> int:
        self._machine.spend(CALL_FUEL)
        return SUCCESS

    def _no_list(self, number_at: int, size_at: int) -> int:
        self._machine.write(number_at, bytes(4))
        self._machine.write(size_at, bytes(4))
        return self._nothing()

    def _clock_step(self, _clock: int, at: int) -> int:
        self._machine.write(at, struct.pack("<Q", 1))
        return self._nothing()

    def _clock(self, _clock: int, _precision: int, at: int) -> int:
        self._machine.write(at, struct.pack("<Q", EPOCH + self._machine.spent))
        return self._nothing()

    def _close(self, _file: int) -> int:
        return self._nothing()

    def _kind(self, file: int, at: int) -> int:
        if not INPUT <= file <= ERRORS:
            return self._refuse(BAD_FILE)
        self._machine.write(at, struct.pack("<BxHxxxxQQ", CHARACTER_DEVICE, 0, 0x42, 0))
        return self._nothing()

    def _seek(self, file: int, *_given: int) -> int:
        return self._refuse(NO_SEEKING if INPUT <= file <= ERRORS else BAD_FILE)

    def _read(self, file: int, places: int, number: int, read_at: int) -> int:
        if file != INPUT:
            return self._refuse(BAD_FILE)
        buffers = self._buffers(places, number)
        data = self._machine.hear(sum(size for _at, size in buffers))
        self._machine.spend(_cost(buffers, len(data)))
        rest = data
        for at, size in buffers:
            part, rest = rest[:size], rest[size:]
            if part:
                self._machine.write(at, part)
        self._machine.write(read_at, struct.pack("<I", len(data)))
        return SUCCESS

    def _write(self, file: int, places: int, number: int, written_at: int) -> int:
        if file not in (OUTPUT, ERRORS):
            return self._refuse(BAD_FILE)
        buffers = self._buffers(places, number)
        size = sum(size for _at, size in buffers)
        self._machine.spend(_cost(buffers, size))
        if file == OUTPUT:
            self._machine.say(self._begin(buffers, MOST_SAID))
        else:
            self._machine.note(self._begin(buffers, LONGEST))
        self._machine.write(written_at, struct.pack("<I", size & 0xFFFFFFFF))
        return SUCCESS

    def _begin(self, buffers: list[tuple[int, int]], most: int) -> bytes:
        """Return the first bytes of these pieces of memory; no more are copied."""
        data = bytearray()
        for at, size in buffers:
            data += self._machine.read(at, min(size, most - len(data)))
            if len(data) == most:
                break
        return bytes(data)

    def _buffers(self, places: int, number: int) -> list[tuple[int, int]]:
        count = min(number & 0xFFFFFFFF, MOST_PIECES)
        return list(struct.iter_unpack("<II", self._machine.read(places, 8 * count)))

    def _random(self, at: int, size: int) -> int:
        if not 0 <= size <= LONGEST:
            return self._refuse(UNAVAILABLE)
        self._machine.spend(CALL_FUEL + BYTE_FUEL * size)
        self._machine.write(at, bytes(islice(self._entropy, size)))
        return SUCCESS

    def _exit(self, code: int) -> None:
        raise Exit(f"ended with exit code {code}")


def _cost(buffers: list[tuple[int, int]], size: int) -> int:
    """Return the fuel for a call with these pieces of memory, and so many bytes in them."""
    return CALL_FUEL + BYTE_FUEL * size + PIECE_FUEL * max(0, len(buffers) - FREE_PIECES)


def _random_bytes(seed: str) -> Iterator[int]:
    """Yield bytes without end: SHA-256 of the seed and a counter."""
    counter = 0
    while True:
        yield from hashlib.sha256(f"{seed}/{counter}".encode()).digest()
        counter += 1
