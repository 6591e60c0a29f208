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
from tourney.bots.limits import Limits, TimeBank
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
    """Questions to one program in one game; `filters` says whether its filters count by the rules."""

    def __init__(self, limits: Limits, filters: bool) -> None:
        self._clock = TimeBank(limits)
        self._filters = filters
        self._owed = 0
        self._claims: words.Filter = None
        self._takes: words.Filter = None

    def want(self, hello: words.Hello) -> None:
        """Set the filters to those of the greeting, as at the beginning of a hand."""
        self._claims, self._takes = hello.claims, hello.takes

    def forget(self) -> None:
        """Forget the filters and the late answers of a program that has ended."""
        self._owed, self._claims, self._takes = 0, None, None

    def unasked(self, view: View, legal: Legal) -> Action | None:
        """Return the action that the filters decide; None if the program is to be asked, or has still to begin."""
        phase = view.phase
        if phase is Phase.PLAY or not self._filters:
            return None
        if phase is Phase.CLAIM:
            return None if self._claims is None or view.top in self._claims else PASS
        wanted = self._takes is None or (view.fresh and view.top in self._takes)
        return None if wanted or DRAW_STOCK not in legal else DRAW_STOCK

    def ask(self, lines: Lines, question: str, read: Callable[[str], Decision]) -> Decision:
        """Return what `read` makes of the answer. Raises BotFault, also whatever `read` raises."""
        started = monotonic()
        allowed, is_sent = self._clock.allowed, False
        deadline = started + allowed
        try:
            lines.send(question, deadline)
            is_sent = True
            line = self._answer(lines, deadline)
        except BotFault as fault:
            if fault.kind is not SLOW:
                raise
            raise self._late(allowed, fault) if is_sent else BotFault(STALLED, str(fault)) from None
        finally:
            self._clock.spend(monotonic() - started)
        return read(line)

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
        return BotFault(SLOW, f"{before}{after}", grave=not fault.complete)
