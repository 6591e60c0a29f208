"""A conversation of a known hand as text, which a program can be told in every way that pipes allow.

The fallback takes every action of the program's seat, and the program is told of a fault each time: what it answers
changes nothing, and it has to go by what it hears.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.actions import Action
from engine.bots import make_bot
from engine.deal import deal
from engine.games.knock_game import KnockGame
from engine.hand import Hand, Legal, legal_at
from engine.rules import Rules, load_rules
from engine.scoring import HandResult
from tourney.bots.events import TableEvents
from tourney.bots.faults import BotFault
from tourney.bots.limits import Limits
from tourney.bots.protocol import words
from tourney.bots.protocol.dialect import WORDS
from tourney.bots.protocol.session import Failures, Session
from tourney.league.playing import fallback_action
from tourney.league.probing.probe import SEED
from tourney.league.probing.situations import STAKE, Actions

SEAT: Final = 1
PLAYERS: Final = 3
_HELLO: Final = ("hello 1 nobody", "claims none", "takes none", "ready")
_WRONG: Final = "999"


@dataclass(frozen=True, slots=True)
class FullQuestion:
    """A question with all that the program is told before it since its last answer."""

    text: str
    actions: tuple[Action, ...]
    legal: Legal

    def read(self, line: str) -> Action:
        """Return the action that the answer means. Raises BotFault for an illegal one, or for none."""
        return words.read_action(line, self.actions, self.legal)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The questions of one hand, and what is told after the last of them, without `bye`."""

    questions: tuple[FullQuestion, ...]
    ending: str


class _Nobody:
    """A program that writes down what it is told, and answers wrongly."""

    def __init__(self) -> None:
        self.told = ""
        self._saying: list[str] = []

    def send(self, text: str, deadline: float) -> None:
        """Write down the text; a greeting is answered."""
        self._saying = list(_HELLO) if text == words.GREETING else [_WRONG]
        self.told += "" if text == words.GREETING else text

    def receive(self, deadline: float) -> str:
        """Return the next line of the answer."""
        return self._saying.pop(0)

    def leave(self, farewell: str) -> None:
        """Write down what is told before the farewell."""
        self.told += farewell.removesuffix(words.FAREWELL)

    def kill(self) -> None:
        """Do nothing."""

    def take(self) -> str:
        """Return what was told since the last call."""
        told, self.told = self.told, ""
        return told


@cache
def conversation(rules_name: str) -> Conversation:
    """Return the conversation of the first hand of a game of three."""
    rules, nobody = load_rules(rules_name), _Nobody()
    stake = STAKE if rules.kind == "knock" else 0
    game = WORDS.game(rules, PLAYERS, SEAT, SEED, stake)
    session = Session(lambda: nobody, Limits(), Failures(), rules, game)
    questions: list[FullQuestion] = []
    hand, actions = _first_hand(rules), Actions()
    bots = [make_bot("greedy", str(seat)) for seat in range(PLAYERS)]
    session.hand_begins(hand.view(SEAT), TableEvents(hand.view(SEAT), actions))
    while not hand.over:
        seat = hand.actor
        if seat == SEAT:
            action = _asked(session, nobody, rules, hand, questions)
        else:
            action = bots[seat].choose(hand.view(seat), hand.legal)
        hand.apply(action)
        actions.append((seat, action))
    assert hand.result is not None
    return Conversation(tuple(questions), _ending(session, nobody, hand.result))


def _first_hand(rules: Rules) -> Hand:
    if rules.kind == "contract":
        return Hand(rules, deal(rules, PLAYERS, SEED, 1))
    return KnockGame(rules, PLAYERS, SEED, STAKE).next_hand()


def _asked(session: Session, nobody: _Nobody, rules: Rules, hand: Hand, questions: list[FullQuestion]) -> Action:
    """Ask nobody, keep the question if there was one, and return the fallback's action."""
    before, listed = session.asked, tuple(words.listed(hand.legal))
    try:
        return session.choose(hand.view(SEAT), hand.legal)
    except BotFault:
        if session.asked > before:
            questions.append(FullQuestion(nobody.take(), listed, legal_at(rules, hand.legal.position())))
        return fallback_action(hand.legal)


def _ending(session: Session, nobody: _Nobody, result: HandResult) -> str:
    session.hand_ends(result)
    session.close()
    return nobody.take()


def with_strangers(text: str, stranger: str) -> str:
    """Return the text with a line of an unknown word before every line but those of the list of a question."""
    lines, in_list = list[str](), False
    for line in text.splitlines():
        if not in_list:
            lines.append(stranger)
        lines.append(line)
        in_list = in_list or line.startswith("ask ")
    return "\n".join(lines) + "\n"


def pieces(text: str, size: int) -> Sequence[str]:
    """Return the text in pieces of that many characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]
