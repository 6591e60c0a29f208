"""Python classes behind a wall: a program of ours loads the class and plays for it; none of its code runs here."""

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from engine.bots.parameters import split_bot
from engine.rules import Rules
from tourney.bots.entrant import NewSeat, Sit
from tourney.bots.faults import BotFault, cut
from tourney.bots.isolation.enclosure import Enclosed, Wall, Walled, interpreter_reads
from tourney.bots.limits import Limits
from tourney.bots.process import Child, refuse_on_windows
from tourney.bots.protocol.dialect import PickledValues
from tourney.bots.protocol.session import Failures, Session
from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

HOST: Final = str(Path(__file__).resolve().with_name("host.py"))
"""The program that loads the class."""


@dataclass(frozen=True, slots=True)
class HostedClass:
    """A Python class that plays in a process; `reads` are its files."""

    text: str
    folder: str
    reads: tuple[str, ...]
    limits: Limits
    wall: Wall

    def check(self, rules: Rules, seats: int) -> None:
        """Start it once. Raises TourneyError if the class cannot be loaded."""
        self.known()

    def known(self) -> str:
        """Return the text by which the class is known. Raises TourneyError if it cannot be loaded."""
        try:
            child = self._started("describe")
        except OSError as error:
            raise self._refused(error.strerror or "") from None
        try:
            line = child.receive(monotonic() + self.limits.start)
        except BotFault as fault:
            raise self._refused(str(fault)) from None
        finally:
            child.kill()
        word, _blank, rest = line.partition(" ")
        if word == "refused":
            code, _blank, said = rest.partition(" ")
            message, _tab, hint = said.partition("\t")
            raise TourneyError(_code(code), cut(message), cut(hint))
        name, parameters = split_bot(rest)
        if word != "known" or name != split_bot(self.text)[0] or not parameters.isprintable():
            raise self._refused(_("it says that it is another bot"))
        return rest

    def block(self) -> Sit:
        """Return what starts the class at each seat of each game; after some failures it is out of the block."""
        return partial(self.seat, failures=Failures())

    def seat(self, seating: NewSeat, failures: Failures) -> Session:
        """Return the class at its seat of a new game."""
        dialect = PickledValues(seating.rules)
        game = dialect.game(seating.rules, seating.players, seating.seat, seating.seed, seating.stake)
        return Session(partial(self._started, "play"), self.limits, failures, seating.rules, game, dialect)

    @property
    def walled(self) -> Walled:
        """The class in its host, behind its wall."""
        return self._walled("play")

    def _walled(self, task: str) -> Walled:
        command = (sys.executable, "-I", HOST, task, self.folder, self.text)
        reads = (*self.reads, *interpreter_reads())
        return Walled(self.wall, Enclosed(command, self.folder or None, reads), self.limits)

    def _started(self, task: str) -> Child:
        refuse_on_windows()
        return Child(self._walled(task))

    def _refused(self, problem: str) -> TourneyError:
        message = _("{bot} does not begin: {problem}").format(bot=cut(self.text), problem=problem)
        hint = _("try it by itself: tourney bot check {bot}").format(bot=cut(self.text))
        return TourneyError(ExitCode.USAGE, message, hint)


def _code(text: str) -> ExitCode:
    """Return the exit code of that number; a bot's process may say anything."""
    known = {str(int(code)): code for code in (ExitCode.USAGE, ExitCode.NOT_FOUND)}
    return known.get(text, ExitCode.USAGE)
