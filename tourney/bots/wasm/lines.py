"""A module's side of a conversation, as the referee sees it: launchers are kept, and run one game after another."""

import os
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

from tourney.bots.faults import DIED, SLOW, STALLED, BotFault
from tourney.bots.isolation.enclosure import PROCESS_WALL, Enclosed
from tourney.bots.limits import Limits
from tourney.bots.process import Child
from tourney.bots.wasm import wire

LAUNCHER: Final = str(Path(__file__).resolve().with_name("launcher.py"))
BACKSTOP: Final = 3600.0
"""Seconds after which a launcher is given up: modules are limited by fuel, and never by time."""
MODULE_LIMIT: Final = 1 << 40
"""The address space of a launcher: the engine reserves much more than it uses, and limits modules itself."""

Key = tuple[str, tuple[int, int, int], Limits]
_idle: dict[Key, list["_Launcher"]] = defaultdict(list)
"""Launchers without a game, by file, what the file system says of it, and limits: a file may have been replaced."""


class _Launcher:
    """A launcher's process, and the number of the instance that it runs."""

    def __init__(self, file: str, limits: Limits) -> None:
        command = (sys.executable, "-I", LAUNCHER, file, str(limits.fuel), str(limits.memory))
        own = Limits(stderr=limits.stderr, answer=2 * wire.MOST_SAID, memory=MODULE_LIMIT)
        self.child = Child(Enclosed(command), own, PROCESS_WALL)
        self.number = 0


class ModuleLines:
    """A module at one seat of one game. Raises OSError if the launcher cannot be started."""

    def __init__(self, file: str, limits: Limits, seed: str, costs: list[int]) -> None:
        found = os.stat(file)
        self._key, self._costs = (file, (found.st_ino, found.st_mtime_ns, found.st_size), limits), costs
        idle = _idle[self._key]
        self._launcher = idle.pop() if idle else _Launcher(file, limits)
        self._launcher.number += 1
        self._begun, self._told, self._noted = False, 0, 0
        self._limits = limits
        self._write(f"{wire.NEW} {self._launcher.number} {seed}\n")

    def send(self, text: str, deadline: float) -> None:
        """Send lines, all that the module is to hear for now. Raises BotFault DIED if the launcher is gone."""
        self._told += 1
        self._write(f"{text}{wire.GO}\n")

    def _write(self, text: str) -> None:
        self._launcher.child.send(text, monotonic() + BACKSTOP)

    def receive(self, deadline: float) -> str:
        """Return the module's next line. Raises BotFault for a module that reads on, has ended, or is out of fuel."""
        while True:
            line = self._launcher.child.receive(deadline + BACKSTOP)
            word, _blank, rest = line.partition(" ")
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
            _idle[self._key].append(self._launcher)

    def last_errors(self) -> str:
        """End the instance, and return what is kept of its standard error."""
        child = self._launcher.child
        with suppress(BotFault):
            self._write(f"{wire.END}\n{wire.SYNC}\n")
            while child.receive(monotonic() + BACKSTOP) != wire.SYNCED:
                pass
        return child.errors()

    def kill(self) -> None:
        """End the instance, whose launcher is kept unless it is gone."""
        if self._launcher.child.gone:
            self._launcher.child.kill()
        else:
            self.leave("")
