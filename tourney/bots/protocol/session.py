"""The referee's side of a conversation with one program, which sits at one seat for one game, and its log.

A program that ends is started again unless it has failed too often; it is then told the game, and the hand in play from
its beginning, but no earlier question. Every question that the program fails raises a BotFault; whoever asked lets the
fallback act.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final, Protocol, TypeVar

from engine.actions import PASS, Action, Answer
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.rules import Rules
from engine.scoring import GameResult, HandResult
from engine.view import View
from tourney.bots.events import SeatEvents, TableEvents
from tourney.bots.faults import DIED, BotFault
from tourney.bots.limits import Limits
from tourney.bots.protocol import words
from tourney.bots.protocol.asking import Asking, Lines, read_hello
from tourney.bots.protocol.dialect import WORDS, Decision, Dialect, Question

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


MOST_FAILURES: Final = 3
"""The most times that a program may end, stall, flood or be late in a block; with the next time it is out of it."""


class Failures:
    """The failures of a program, over all its seats and games of a block."""

    def __init__(self, most: int = MOST_FAILURES) -> None:
        self._left = most

    @property
    def too_many(self) -> bool:
        """True if the program is out of the block."""
        return self._left < 0

    def add(self) -> None:
        """Count one more."""
        self._left -= 1


class Session:
    """A program at a seat of one game, as a bot of the engine; `start` starts the program, `game` begins the game.

    `fuel` has what the lines of a module have cost: whoever seats the module gives the list in which it is noted.
    Raises BotFault from `choose` and `answer` where the program fails.
    """

    def __init__(
        self,
        start: Callable[[], Lines],
        limits: Limits,
        failures: Failures,
        rules: Rules,
        game: str,
        dialect: Dialect = WORDS,
    ) -> None:
        self._start, self._limits, self._failures = start, limits, failures
        self._dialect, self._game = dialect, game
        self._asks = Asking(limits, filters=rules.kind == "contract")
        self._lines: Lines | None = None
        self._hello: words.Hello | None = None
        self._start_by = 0.0
        self._unsent: list[str] = [self._game]
        self._hand: list[str] = []
        self._events: SeatEvents | None = None
        self.asked = 0
        self.fuel: Sequence[int] = ()
        with suppress(BotFault):  # the first question finds out
            self._begin()

    # --- what the table says ---------------------------------------------------------------------------------

    def hand_begins(self, view: View, table: TableEvents) -> None:
        """Begin a hand; the table's events follow."""
        self._tell(self._news())
        self._events = SeatEvents(view, table)
        self._hand = []
        self._tell(self._dialect.hand(view))
        if self._lines is not None and self._hello is not None:
            self._asks.want(self._hello)

    def hand_ends(self, result: HandResult) -> None:
        """Tell the end of a hand."""
        self._tell(self._news() + self._dialect.result(result))

    def game_ends(self, result: GameResult) -> None:
        """Tell the end of the game, and let the program end."""
        self._tell(self._news() + self._dialect.end(result))
        self.close()

    def close(self) -> None:
        """End the program, wherever the game is."""
        if self._lines is not None:
            self._lines.leave("".join(self._unsent) + words.FAREWELL)
            self._lines = None

    # --- what the program decides ----------------------------------------------------------------------------

    def hear(self, view: View) -> None:
        """Tell the program what has happened before a decision that somebody else takes."""
        hand = view.hand.cards()
        self._tell(self._news(hand))
        if self._events is not None:
            self._events.decided(hand)

    def choose(self, view: View, legal: Legal) -> Action:
        """Return the program's action, without asking where its filters answer for it."""
        action = self._asks.unasked(view, legal)
        if action is PASS:
            return action  # it changes no hand: the events can follow later
        self.hear(view)
        if action is None:
            lines = self._connected()
            action = self._asks.unasked(view, legal)  # a program that has just begun has filters now
            if action is None:
                return self._ask(lines, self._dialect.ask(view, legal))
        return action

    def answer(self, offer: Offer) -> Answer:
        """Return the program's answer to an offer."""
        lines = self._connected()
        self._tell(self._news())
        return self._ask(lines, self._dialect.offer(offer))

    def _ask(self, lines: Lines, question: Question[Decision]) -> Decision:
        text = "".join(self._unsent) + question.text
        self._unsent = []
        self.asked += 1
        try:
            return self._asks.ask(lines, text, question.read)
        except BotFault as fault:
            self._fail(fault)
            raise

    def _news(self, hand: tuple[int, ...] = ()) -> str:
        """Return the lines of what is new; `hand` are the seat's cards if it is to decide."""
        return "" if self._events is None else self._dialect.news(self._events, hand)

    def _tell(self, text: str) -> None:
        """Keep lines for the next question, and for a program that must be told the hand again."""
        if text:
            self._unsent.append(text)
            self._hand.append(text)

    # --- starting and ending the program ---------------------------------------------------------------------

    def _begin(self) -> None:
        """Start the program and greet it; it is not waited for. Raises BotFault DIED if it cannot start, or may not."""
        self._start_by = monotonic() + self._limits.start
        self._hello = None
        if self._failures.too_many:
            raise BotFault(DIED, "has failed too often to play on in this block")
        try:
            self._lines = self._start()
            self._lines.send(words.GREETING, self._start_by)
        except OSError as error:
            raise BotFault(DIED, f"cannot be started: {error.strerror}") from None

    def _connected(self) -> Lines:
        """Return the program, started again if it has ended. Raises BotFault if it does not answer the greeting."""
        if self._lines is not None and self._hello is not None:
            return self._lines
        try:
            if self._lines is None:
                self._begin()
                self._unsent = [self._game, *self._hand]
            assert self._lines is not None
            self._hello = read_hello(self._lines, self._start_by)
        except BotFault as fault:
            self._fail(fault, ends=True)
            raise
        self._asks.want(self._hello)
        return self._lines

    def _fail(self, fault: BotFault, ends: bool = False) -> None:
        """Tell the program of its fault, or end it."""
        if ends or fault.grave:
            self._failures.add()
        if ends or fault.kind.ends_bot or self._failures.too_many:
            if self._lines is not None:
                self._lines.kill()
            self._lines = None
            self._asks.forget()
        else:
            self._unsent.append(words.fault_line(fault.kind, str(fault)))
