"""A module's side of a conversation, as the referee sees it: launchers are kept, and run one game after another."""

import os
import sys
from collections import defaultdict
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Final

from tourney.bots.faults import DIED, SLOW, STALLED, BotFault
from tourney.bots.isolation.enclosure import Enclosed, Walled, interpreter_reads
from tourney.bots.isolation.forked import sandbox_or_process
from tourney.bots.limits import MOST_SECONDS, Limits
from tourney.bots.process import Child
from tourney.bots.wasm import wire

ENGINE: Final = "wasmtime"
LAUNCHER: Final = str(Path(__file__).resolve().with_name("launcher.py"))
MODULE_LIMIT: Final = 6 << 30
"""The address space of a launcher: the engine reserves 4 GB at once, whatever a module uses."""
STARTED_SECONDS: Final = 30.0
SECONDS_OF_FUEL: Final = 1e-7
"""The processor time that a launcher has for an answer: some seconds, and what fuel may take on a very slow machine."""
PATIENCE: Final = 10.0
"""Seconds of the clock for a second of processor time, after which a launcher is given up."""


def seconds_of(limits: Limits) -> float:
    """Return the processor time for an answer: beyond all that fuel allows, so that it ends no honest module."""
    return min(STARTED_SECONDS + SECONDS_OF_FUEL * limits.fuel, MOST_SECONDS / PATIENCE)


def patience(limits: Limits) -> float:
    """Return the time of the clock for an answer, after which the launcher has come to nothing."""
    return PATIENCE * seconds_of(limits)


def launcher(file: str, limits: Limits) -> Walled:
    """Return the launcher of a module, behind a sandbox where there is one."""
    file, engine = os.path.abspath(file), find_spec(ENGINE)
    command = (sys.executable, "-I", LAUNCHER, file, *map(str, (limits.fuel, limits.memory, seconds_of(limits))))
    reads = (*interpreter_reads(), *(() if engine is None else engine.submodule_search_locations or ()), file)
    own = Limits(stderr=limits.stderr, answer=2 * wire.MOST_SAID, memory=MODULE_LIMIT)
    return Walled(sandbox_or_process(), Enclosed(command, None, reads), own)


Key = tuple[str, tuple[int, int, int], Limits]
_idle: dict[Key, list["_Launcher"]] = defaultdict(list)
"""Launchers without a game, by file, what the file system says of it, and limits: a file may have been replaced."""


class _Launcher:
    """A launcher's process, and the number of the instance that it runs."""

    def __init__(self, file: str, limits: Limits) -> None:
        self.child = Child(launcher(file, limits))
        self.number, self.over = 0, False

    def receive(self, deadline: float) -> str:
        """Return its next line. Raises BotFault; one that is late or gone is not used again."""
        try:
            return self.child.receive(deadline)
        except BotFault as fault:
            self.over = fault.kind in (SLOW, DIED)
            raise


class ModuleLines:
    """A module at one seat of one game. Raises OSError if the launcher cannot be started."""

    def __init__(self, file: str, limits: Limits, seed: str, costs: list[int]) -> None:
        found = os.stat(file)
        self._limits = limits
        self._key, self._costs = (file, (found.st_ino, found.st_mtime_ns, found.st_size), limits), costs
        idle = _idle[self._key]
        self._launcher = idle.pop() if idle else _Launcher(file, limits)
        self._launcher.number += 1
        self._begun, self._told, self._noted = False, 0, 0
        self._write(f"{wire.NEW} {self._launcher.number} {seed}\n")

    def send(self, text: str, deadline: float) -> None:
        """Send lines, all that the module is to hear for now. Raises BotFault DIED if the launcher is gone."""
        self._told += 1
        self._write(f"{text}{wire.GO}\n")

    def _write(self, text: str) -> None:
        self._launcher.child.send(text, self._patient_until())

    def _patient_until(self) -> float:
        return monotonic() + patience(self._limits)

    def receive(self, deadline: float) -> str:
        """Return the module's next line. Raises BotFault for a module that reads on, has ended, or is out of fuel."""
        while True:
            line = self._launcher.receive(deadline)
            word, _blank, rest = line.partition(" ")
            if word == wire.LATE:
                self._launcher.over = True
                raise BotFault(STALLED, f"more than {seconds_of(self._limits):.0f} s of processor time")
            if not self._begun:
                self._begun = (word, rest) == (wire.BEGUN, str(self._launcher.number))
                if self._begun:
                    self._launcher.child.forget_errors()
            elif word.startswith(wire.SAID):
                self._note(int(word[1:]))
                return rest
            elif word == wire.OUT:
                problem = f"out of fuel: {self._limits.fuel} for one answer"
                self._note(self._limits.fuel)
                raise BotFault(STALLED, problem)
            elif word == wire.ENDED:
                raise BotFault(DIED, rest)
            elif word == wire.WAITS and rest == str(self._told):
                raise BotFault(SLOW, "reads on without an answer", complete=True)

    def _note(self, fuel: int) -> None:
        """Note what this line has cost, in place of those before it; the greeting is no answer."""
        if self._told > 1:
            if self._noted == self._told:
                self._costs.pop()
            self._costs.append(fuel)
            self._noted = self._told

    def leave(self, farewell: str) -> None:
        """Say farewell, and keep the launcher for another game."""
        with suppress(BotFault):
            self._write(f"{farewell}{wire.END}\n")
            if not self._launcher.over:
                _idle[self._key].append(self._launcher)

    def last_errors(self) -> str:
        """End the instance, and return what is kept of its standard error."""
        with suppress(BotFault):
            if not self._launcher.over:
                self._write(f"{wire.END}\n{wire.SYNC}\n")
            while not self._launcher.over and self._launcher.receive(self._patient_until()) != wire.SYNCED:
                pass
        return self._launcher.child.errors()

    def kill(self) -> None:
        """End the instance, whose launcher is kept unless it is gone."""
        if self._launcher.over or self._launcher.child.gone:
            self._launcher.child.kill()
        else:
            self.leave("")
