"""Asking a program: its deadlines, its late answers, and the filters by which it need not be asked.

The first answer belongs to the first question, the second to the second: a program that was late still owes its
answer, which is thrown away when it comes.
"""

from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol, TypeVar

from engine.actions import DRAW_STOCK, PASS, Action
from engine.hand import Legal
from engine.state import Phase
from engine.view import View
from tourney.bots.faults import NO_ANSWER, SLOW, STALLED, UNREADABLE, BotFault
from tourney.bots.limits import Clock, Limits
from tourney.bots.protocol import words

Decision = TypeVar("Decision")
FILTERS: Final = ("claims", "takes")


class Lines(Protocol):
    """A program that hears and says lines, by deadlines of the monotonic clock."""

    def send(self, text: str, deadline: float) -> None:
        """Send lines. Raises BotFault SLOW or DIED."""
        ...

    def receive(self, deadline: float) -> str:
        """Return the next line. Raises BotFault SLOW, DIED or UNREADABLE."""
        ...

    def leave(self, farewell: str) -> None:
        """Say farewell and end the program."""
        ...

    def kill(self) -> None:
        """End the program at once."""
        ...


def read_hello(lines: Lines, deadline: float) -> words.Hello:
    """Return the program's answer to the greeting. Raises BotFault if it fails to give one."""
    reader = words.HelloReader()
    while not reader.add(lines.receive(deadline)):
        pass
    assert reader.hello is not None
    return reader.hello


class Asking:
    """Questions to one program in one game."""

    def __init__(self, limits: Limits) -> None:
        self._clock = Clock(limits)
        self._owed = 0
        self._claims: words.Filter = None
        self._takes: words.Filter = None

    def want(self, hello: words.Hello) -> None:
        """Set the filters to those of the greeting, as at the beginning of a hand."""
        self._claims, self._takes = hello.claims, hello.takes

    def forget_owed(self) -> None:
        """Forget late answers, of a program that has ended."""
        self._owed = 0

    def unasked(self, view: View, legal: Legal) -> Action | None:
        """Return the action that the filters decide; None if the program is to be asked."""
        if view.phase is Phase.PLAY or view.rules.kind != "contract":
            return None
        if view.phase is Phase.CLAIM:
            return None if self._claims is None or view.top in self._claims else PASS
        wanted = self._takes is None or (view.fresh and view.top in self._takes)
        return None if wanted or DRAW_STOCK not in legal else DRAW_STOCK

    def ask(self, lines: Lines, question: str, read: Callable[[str], Decision]) -> Decision:
        """Return what `read` makes of the answer. Raises BotFault, also whatever `read` raises."""
        started = monotonic()
        allowed = self._clock.allowed
        try:
            self._send(lines, question, started + allowed)
            line = self._answer(lines, started + allowed)
        except BotFault as fault:
            raise self._late(allowed, fault) if fault.kind is SLOW else fault from None
        finally:
            self._clock.spend(monotonic() - started)
        return read(line)

    def _send(self, lines: Lines, question: str, deadline: float) -> None:
        try:
            lines.send(question, deadline)
        except BotFault as fault:
            raise BotFault(STALLED, str(fault)) if fault.kind is SLOW else fault from None

    def _answer(self, lines: Lines, deadline: float) -> str:
        """Return the answer to this question; filters before it are kept, late answers to others thrown away."""
        bad_filter: BotFault | None = None
        while True:
            try:
                line = lines.receive(deadline)
            except BotFault as fault:
                if fault.kind is not UNREADABLE or not self._owed:
                    raise
                self._owed -= 1
                continue
            word, _blank, rest = line.partition(" ")
            if word in FILTERS:
                bad_filter = self._keep_filter(word, rest) or bad_filter
            elif self._owed:
                self._owed -= 1
            elif bad_filter is not None:
                raise bad_filter
            else:
                return line

    def _keep_filter(self, word: str, text: str) -> BotFault | None:
        """Keep a filter; return the fault if it cannot be read."""
        try:
            wanted = words.read_filter(text)
        except BotFault as fault:
            return fault
        if word == "claims":
            self._claims = wanted
        else:
            self._takes = wanted
        return None

    def _late(self, allowed: float, fault: BotFault) -> BotFault:
        """Return the fault of a program that has not answered; one that owes an answer already has stalled."""
        problem = str(fault)
        more = "" if problem == NO_ANSWER or not problem else f": {problem}"
        before, after = (problem, "") if fault.complete else (f"no answer within {allowed:.3g} s", more)
        if self._owed:
            return BotFault(STALLED, f"{before}, nor to an earlier question{after}")
        self._owed += 1
        return BotFault(SLOW, f"{before}{after}")
