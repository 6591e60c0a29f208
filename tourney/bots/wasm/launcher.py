"""The launcher: a process that runs one module after another, and speaks with the program in the lines of `wire`.

`python -I launcher.py FILE FUEL MEMORY SECONDS`. A module hears nothing before all is there that it is to hear for now,
so that what it spends does not depend on how the lines arrived. SECONDS of this process's processor time are the most
that it takes to compile the module, and that the module takes for an answer.
"""

import os
import sys
from threading import Thread
from time import process_time, sleep

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


class Deadline:
    """A limit of processor time, which ends this process; `late` is what it says before."""

    def __init__(self, seconds: float, late: bytes) -> None:
        self._seconds, self._late = seconds, late
        self.begin()
        Thread(target=self._watch, daemon=True).start()

    def begin(self) -> None:
        """Give the full time from now on."""
        self._until = process_time() + self._seconds

    def _watch(self) -> None:
        while (left := self._until - process_time()) > 0:
            sleep(max(left, 0.01))
        os.write(1, self._late)
        os._exit(3)


class Launcher:
    """Instances of one module, one at a time."""

    def __init__(self, source: bytes, fuel: int, memory: int, seconds: float) -> None:
        from tourney.bots.wasm import engine, wasi, wire

        self._wire, self._wasm, self._fuel, self._memory = wire, engine, fuel, memory
        self._exit = wasi.Exit
        self._deadline = Deadline(seconds, f"\n{wire.LATE}\n".encode())
        self._engine = engine.new_engine()
        engine.limit_data(engine.COMPILE_MEMORY)
        self._module = engine.load(self._engine, source)
        engine.limit_data(engine.OWN_MEMORY + min(memory, engine.MOST_ADDRESSED))
        self._heard = b""
        self._partial = b""
        self._said = 0
        self._listening = False

    def serve(self) -> None:
        """Run an instance for each `!new`, until the input ends."""
        for line in sys.stdin.buffer:
            word, _blank, rest = line.decode("utf-8", "replace").rstrip("\n").partition(" ")
            if word == self._wire.NEW:
                number, _blank, seed = rest.partition(" ")
                self._listening = True
                self._tell(f"{self._wire.BEGUN} {number}")
                self._run(seed)
            elif word == self._wire.SYNC:
                self._listening = True
                self._tell(self._wire.SYNCED)

    def _run(self, seed: str) -> None:
        self._heard = self._partial = b""
        self._said = self._fetched = 0
        self._deadline.begin()
        self._instance = self._wasm.Instance(self._engine, self._module, seed, self._fuel, self._memory)
        self._instance.hear, self._instance.say, self._instance.note = self._hear, self._say, _note
        try:
            self._instance.run()
        except self._wasm.OutOfFuel:
            self._tell(self._wire.OUT)
        except self._exit as ended:
            self._tell(f"{self._wire.ENDED} {ended}")
        self._instance.close()

    def _hear(self, most: int) -> bytes:
        """Return what there is to read, as far as there is room for it; b"" at the end of the input."""
        if not self._heard and self._listening:
            if self._fetched:
                self._tell(f"{self._wire.WAITS} {self._fetched}")
            self._fetch()
        heard, self._heard = self._heard[:most], self._heard[most:]
        return heard

    def _fetch(self) -> None:
        """Read what the module is to hear for now, and fill it up."""
        heard: list[bytes] = []
        self._fetched += 1
        for line in sys.stdin.buffer:
            if line.startswith(b"!"):
                self._listening = line.strip() == self._wire.GO.encode()
                break
            heard.append(line)
        else:
            self._listening = False
        self._said, self._heard = 0, b"".join(heard)
        self._instance.fill_up()
        self._deadline.begin()

    def _say(self, data: bytes) -> None:
        """Pass on whole lines; what is beyond the most that may be said is thrown away."""
        data = data[: max(0, self._wire.MOST_SAID - self._said)]
        self._said += len(data)
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self._tell(f"{self._wire.SAID}{self._instance.used} ".encode() + line)

    def _tell(self, line: str | bytes) -> None:
        if self._listening:
            rest = (line if isinstance(line, bytes) else line.encode()) + b"\n"
            while rest:
                rest = rest[os.write(1, rest) :]


def _note(data: bytes) -> None:
    """Write to the standard error."""
    while data:
        data = data[os.write(2, data) :]


def main(file: str, fuel: str, memory: str, seconds: str) -> None:
    """Serve the module of that file."""
    from tourney.bots.wasm.engine import MOST_BYTES, Refused

    with open(file, "rb") as opened:
        source = opened.read(MOST_BYTES + 1)
    try:
        Launcher(source, int(fuel), int(memory), float(seconds)).serve()
    except Refused as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


if __name__ == "__main__":
    sys.path[:0] = [HOME]
    main(*sys.argv[1:])
