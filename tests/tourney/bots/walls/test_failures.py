"""Programs that end, stall or flood: they are out of the block after some failures, over all its games."""

from collections.abc import Sequence
from time import monotonic

import pytest

from engine.actions import PASS
from engine.deal import deal
from engine.hand import Hand
from engine.rules import load_rules
from tourney.bots.events import TableEvents
from tourney.bots.faults import DIED, NO_ANSWER, SLOW, UNREADABLE, BotFault
from tourney.bots.isolation.enclosure import Enclosed, Walled
from tourney.bots.isolation.forked import process_wall
from tourney.bots.limits import Limits
from tourney.bots.process import Child
from tourney.bots.protocol.session import Failures, Session

RULES = load_rules("oficial")
OUT = "has failed too often to play on in this block"
LATE = BotFault(SLOW, NO_ANSWER)
FLOOD = BotFault(UNREADABLE, "an answer of more than 4096 bytes", grave=True)
ENDED = BotFault(DIED, "ended with exit code 1")
READS_ON = BotFault(SLOW, "reads on without an answer", complete=True)


class Bad:
    """A program that greets, and then says or does the next of some things, again and again."""

    def __init__(self, answers: Sequence[str | BotFault]) -> None:
        self._greeting, self._answers, self._asked = ["hello 1 bad", "ready"], answers, 0

    def send(self, text: str, deadline: float) -> None:
        """Hear everything."""

    def receive(self, deadline: float) -> str:
        """Return the next line, or raise what happens."""
        if self._greeting:
            return self._greeting.pop(0)
        said = self._answers[self._asked % len(self._answers)]
        self._asked += 1
        if isinstance(said, BotFault):
            raise said
        return said

    def leave(self, farewell: str) -> None:
        """End."""

    def kill(self) -> None:
        """End at once."""


def questions(answers: Sequence[str | BotFault], games: int, each: int) -> tuple[list[str], int]:
    """Return the faults of a bot's questions in a block ("" for none), and how often it was started."""
    failures, begun, faults = Failures(), [0], []

    def start() -> Bad:
        begun[0] += 1
        return Bad(answers)

    for number in range(games):
        hand = Hand(RULES, deal(RULES, 2, str(number), 1))
        view = hand.view(hand.actor)
        session = Session(start, Limits(), failures, RULES, "")
        session.hand_begins(view, TableEvents(view, []))
        for _question in range(each):
            try:
                assert session.choose(view, hand.legal) is not PASS
                faults.append("")
            except BotFault as fault:
                faults.append(str(fault))
        session.close()
    return faults, begun[0]


ALWAYS: dict[str, tuple[list[str | BotFault], int, int]] = {
    "ends": ([ENDED], 4, 4),
    "is silent": ([LATE], 4, 2),
    "floods": ([FLOOD], 4, 1),
    "floods, and is silent": ([FLOOD, LATE], 4, 1),
    "cannot be read in time each second time": (["1", LATE, "late"], 8, 1),
}
"""The answers of a program, the questions that reach it, and how often it is started for them."""


@pytest.mark.parametrize("way", ALWAYS)
def test_a_program_that_fails_four_times_is_out_of_the_block(way: str) -> None:
    """No later question reaches it, and no later game of the block starts it."""
    answers, reached, starts = ALWAYS[way]
    faults, begun = questions(answers, games=3, each=20)
    assert [fault == OUT for fault in faults] == [number >= reached for number in range(60)]
    assert begun == starts


@pytest.mark.parametrize("answers", [["1"], ["99"], ["what"], [READS_ON, "1"], ["1", LATE, "1", "1"]])
def test_a_program_that_answers_in_time_plays_on_whatever_its_answers(answers: list[str | BotFault]) -> None:
    """The last one is late three times in the block: with each game it may be late once."""
    faults, begun = questions(answers, games=3, each=3 if LATE in answers else 20)
    assert OUT not in faults
    assert begun == 3


def test_a_failure_of_one_seat_counts_for_the_others_of_the_block() -> None:
    failures = Failures()
    sessions = [Session(lambda: Bad([ENDED]), Limits(), failures, RULES, "") for _seat in range(2)]
    hand = Hand(RULES, deal(RULES, 2, "1", 1))
    view = hand.view(hand.actor)
    said = []
    for number in range(6):
        sessions[number % 2].hand_begins(view, TableEvents(view, []))
        with pytest.raises(BotFault) as caught:
            sessions[number % 2].choose(view, hand.legal)
        said.append(str(caught.value))
    assert [text == OUT for text in said] == [False] * 4 + [True] * 2


def test_an_answer_that_is_too_long_is_a_failure() -> None:
    child = Child(Walled(process_wall(), Enclosed(("/bin/sh", "-c", "printf '%05000d'; exec sleep 60")), Limits()))
    try:
        with pytest.raises(BotFault, match="more than 4096 bytes") as caught:
            child.receive(monotonic() + 600)
    finally:
        child.kill()
    assert caught.value.grave
