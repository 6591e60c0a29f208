"""Programs that speak the protocol of bots badly: greetings and answers are mutated, and go through real pipes."""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Final

from engine.actions import Action, Answer
from engine.bots import make_bot
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.rules import Rules, load_rules
from tests.harness.bad_input.judged import Judged, judged
from tests.harness.bad_input.mutations import mutated, mutated_file
from tourney.bots.events import TableEvents
from tourney.bots.isolation.enclosure import Enclosed, Walled
from tourney.bots.isolation.forked import process_wall
from tourney.bots.limits import Limits
from tourney.bots.process import Child, end_leaving
from tourney.bots.protocol import words
from tourney.bots.protocol.dialect import WORDS, Dialect, PickledValues
from tourney.bots.protocol.session import Failures, Session
from tourney.league.playing import fallback_action

LIMITS: Final = Limits(action=0.01, bank=0, start=0.05)
"""Short ones, since many answers never come: a line may lack its end."""
HELLO: Final = "hello 1 bot 0.1\nfamilies contract knock\nseats 2 8\nclaims As 7h Jk\ntakes all\nready\n"
FILTERS: Final = (
    "claims none\n",
    "takes 7h 7d\n",
    "claims all\n",
    "raised ZeroDivisionError: by nought\n",
    "wrong None\n",
)
SHARE_BAD: Final = 0.7
"""The share of the answers that are bad, and half of it that of the greetings."""
MOST_BYTES: Final = 60_000
"""The most bytes that a program says at once, which a pipe holds."""
MOST_QUESTIONS: Final = 60
"""The questions of a conversation, which ends then wherever the hand is."""


class Echo:
    """A program that says what was chosen for it, whatever it hears: `cat`, which sends it back."""

    def __init__(self, rng: Random) -> None:
        self._rng, self._child = rng, Child(Walled(process_wall(), Enclosed(("cat",)), LIMITS))
        self.saying = b""

    def send(self, text: str, deadline: float) -> None:
        """Let the program hear the text, and say something."""
        says = _spoken(self._rng, HELLO, SHARE_BAD / 2) if text == words.GREETING else self.saying
        self._child.send("", deadline)
        with suppress(BlockingIOError):  # on a busy machine `cat` has not sent the last answer back yet
            os.write(self._child._input, says[:MOST_BYTES])

    def receive(self, deadline: float) -> str:
        """Return the next line."""
        return self._child.receive(deadline)

    def leave(self, farewell: str) -> None:
        """End the program."""
        self._child.kill()

    def kill(self) -> None:
        """End the program at once."""
        self._child.kill()


def tried(_folder: Path, number: int, seed: int) -> Iterator[Judged]:
    """Hold conversations with so many questions in all; yield what became of each."""
    yield from islice((each for turn in count() for each in _conversation(f"conversations {seed} {turn}")), number)


def _conversation(name: str) -> Iterator[Judged]:
    rng = Random(name)
    rules = load_rules(rng.choice(("oficial", "knock")))
    dialect: Dialect = PickledValues(rules) if rng.random() < 0.3 else WORDS
    echoes: list[Echo] = []

    def start() -> Echo:
        echoes[:] = [Echo(rng)]
        return echoes[0]

    stake = 100 if rules.kind == "knock" else 0
    session = Session(start, LIMITS, Failures(1 << 30), rules, dialect.game(rules, 3, 0, "seed", stake), dialect)
    try:
        yield from _hand(name, rng, rules, session, echoes)
    finally:
        session.close()
        end_leaving(at_once=True)


def _hand(name: str, rng: Random, rules: Rules, session: Session, echoes: list[Echo]) -> Iterator[Judged]:
    """Play the beginning of a hand, in which the program sits at the first seat; the fallback acts for its faults."""
    hand = (KnockGame(rules, 3, name, 100) if rules.kind == "knock" else ContractGame(rules, 3, name)).next_hand()
    others = [make_bot("random", f"{name} {seat}") for seat in range(3)]
    actions: list[tuple[int, Action | Answer]] = []
    session.hand_begins(hand.view(0), TableEvents(hand.view(0), actions))
    asked = 0
    while not hand.over and asked < MOST_QUESTIONS:
        seat, chosen = hand.actor, list[Action]()
        if seat:
            chosen.append(others[seat].choose(hand.view(seat), hand.legal))
        else:
            asked += 1
            if echoes:
                echoes[0].saying = _answer(rng, hand)
            yield judged(f"{name} question {asked}", lambda chosen=chosen: chosen.append(_chosen(hand, session)))
        action = chosen[0] if chosen else fallback_action(hand.legal)
        hand.apply(action)
        actions.append((seat, action))


def _chosen(hand: Hand, session: Session) -> Action:
    """Return the program's action, which must be legal. Raises BotFault."""
    action = session.choose(hand.view(0), hand.legal)
    assert hand.legal.refusal_to_apply(action) is None, action
    return action


def _answer(rng: Random, hand: Hand) -> bytes:
    """Return what the program says to the next question: filters perhaps, and a number or an action's text."""
    listed = words.listed(hand.legal)
    number = rng.randrange(len(listed))
    text = rng.choice((str(number + 1), words.action_text(listed[number]))) + "\n"
    filters = rng.choice(FILTERS) if rng.random() < 0.3 else ""
    return _spoken(rng, filters + text, SHARE_BAD)


def _spoken(rng: Random, text: str, share: float) -> bytes:
    """Return the text as bytes, for this share of all texts another one."""
    if rng.random() > share:
        return text.encode()
    if rng.random() < 0.4:
        return mutated_file(rng, text.encode())
    line = mutated(rng, text.removesuffix("\n")).encode("utf-8", "surrogatepass")
    return line + rng.choice((b"\n", b"\n", b"\r\n", b"", b"\n\n"))
