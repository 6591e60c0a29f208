"""The log of a conversation: what a program hears (>) and says (<), its faults (#) and its standard error (!)."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from tourney.bots.faults import BotFault
from tourney.bots.protocol.asking import Lines

Spoken = TypeVar("Spoken")


class Speaker(Lines, Protocol):
    """A program or module, whose standard error can be read when it is to end."""

    def last_errors(self) -> str:
        """Return what is kept of its standard error."""
        ...


def logged(start: Callable[[], Speaker], log: list[str] | None) -> Callable[[], Lines]:
    """Return what starts a program and adds its conversation to the log; without one, `start` itself."""
    return start if log is None else lambda: LoggedLines(start(), log)


class LoggedLines:
    """A program whose conversation is added to a log."""

    def __init__(self, speaker: Speaker, log: list[str]) -> None:
        self._speaker, self._log = speaker, log
        self._log.append("# started")

    def send(self, text: str, deadline: float) -> None:
        """Send lines. Raises BotFault as the program does."""
        self._note(">", text)
        self._heard(lambda: self._speaker.send(text, deadline))

    def receive(self, deadline: float) -> str:
        """Return the next line. Raises BotFault as the program does."""
        line = self._heard(lambda: self._speaker.receive(deadline))
        self._note("<", line)
        return line

    def leave(self, farewell: str) -> None:
        """Say farewell, and wait for what the program still writes to its standard error."""
        self._note(">", farewell)
        self._speaker.leave(farewell)
        self._note("!", self._speaker.last_errors())

    def kill(self) -> None:
        """End the program at once."""
        self._note("!", self._speaker.last_errors())
        self._speaker.kill()
        self._log.append("# ended")

    def _heard(self, speak: Callable[[], Spoken]) -> Spoken:
        try:
            return speak()
        except BotFault as fault:
            self._log.append(f"# {fault.kind.name}: {fault}")
            raise

    def _note(self, sign: str, text: str) -> None:
        self._log += [f"{sign} {line}" for line in text.splitlines()]
