"""A probe of a bot: the bot asked one decision at a seat of a known game, and the findings."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from engine.actions import Action, Answer
from engine.hand import Hand
from engine.rules import Rules
from tourney.bots.entrant import Entrant, NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.faults import IllegalChoice
from tourney.bots.protocol.words import Hello
from tourney.bots.seated import SeatedBot
from tourney.domain.league_tables import ProbeVerdict, Remark
from tourney.league.playing import said
from tourney.league.probing.situations import STAKE, Actions, ProbePosition
from tourney.league.time_limits import ThinkingClock
from tourney.text.i18n import marked

SEED: Final = "8f3c52ab91"
"""The seed that a probed bot is given for its own randomness."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The bot's decision; None where its filters answered for it."""

    action: Action | Answer | None


@contextmanager
def seated(entrant: Entrant, position: ProbePosition, seed: str = SEED) -> Iterator[SeatedBot]:
    """Seat the bot for the length of the block."""
    stake = STAKE if position.rules.kind == "knock" else 0
    bot = entrant.block()(NewSeat(position.rules, position.players, position.seat, seed, stake))
    try:
        yield bot
    finally:
        bot.close()


def ask(entrant: Entrant, position: ProbePosition, seed: str = SEED) -> Asked:
    """Return the bot's decision in the position. Raises BotFault, and whatever a bot in Python raises."""
    with seated(entrant, position, seed) as bot:
        return decision(bot, position)


def decision(bot: SeatedBot, position: ProbePosition) -> Asked:
    """Return the decision of a bot that has heard nothing yet. Raises as `ask`."""
    hand, actions = position.dealt.clone(), Actions()
    bot.hand_begins(hand.view(position.seat), TableEvents(hand.view(position.seat), actions))
    _replay(bot, hand, position, actions)
    before = bot.asked
    if position.offer is not None:
        assert position.result is not None
        bot.hand_ends(position.result)
        return Asked(bot.answer(position.offer))
    legal = hand.legal
    action = bot.choose(hand.view(position.seat), legal)
    refused = legal.why_not(action)
    if refused is not None:
        raise IllegalChoice(str(action), refused)
    return Asked(action if bot.asked > before else None)


def _replay(bot: SeatedBot, hand: Hand, position: ProbePosition, actions: Actions) -> None:
    """Play the actions before the decision; the bot hears of them, and takes none."""
    for seat, action in position.actions:
        assert isinstance(action, Action)
        if seat == position.seat:
            bot.hear(hand.view(seat))
        hand.apply(action)
        actions.append((seat, action))


def remark(text: str, **values: object) -> Remark:
    """Return a remark; `text` is marked for translation where it is written."""
    return Remark(text, tuple(values.items()))


def fault_remark(error: BaseException) -> Remark:
    """Return the fault that a bot's error is, as a remark."""
    if not isinstance(error, IllegalChoice):
        return remark("{fault}", fault=said(error))
    values = {"fault": error.kind.name, "action": error.action, "reason": error.refused.reason}
    return remark("{fault}: {action}: {reason} [{clause}]", **values, clause=error.refused.clause)


class ProbeFinding(Exception):
    """A finding of a probe, other than that everything is as it should be."""

    def __init__(self, verdict: ProbeVerdict, detail: Remark) -> None:
        super().__init__(detail.text)
        self.verdict: ProbeVerdict = verdict
        self.detail = detail


def failed(text: str, **values: object) -> ProbeFinding:
    """Return the finding that a bot does what no bot may."""
    return ProbeFinding("failed", remark(text, **values))


def noted(text: str, **values: object) -> ProbeFinding:
    """Return the finding that a bot does what it may, and what its author should know."""
    return ProbeFinding("noted", remark(text, **values))


def skipped(text: str, **values: object) -> ProbeFinding:
    """Return the finding that there was nothing to find."""
    return ProbeFinding("skipped", remark(text, **values))


@dataclass(slots=True)
class Subject:
    """The bot that is probed: how it answered the greeting (None: it is not greeted), and until when there is time."""

    entrant: Entrant
    clock: ThinkingClock
    until: float
    hello: Hello | None = None
    unanswered: int = field(default=0)

    def skip_unless_plays(self, rules: Rules, players: int) -> None:
        """Raise a Finding if the bot says that it does not play these rules, or not at such a table."""
        if self.hello is None:
            return
        if rules.kind not in self.hello.families:
            raise skipped(marked("it does not play this family of rules"))
        if not self.hello.least <= players <= self.hello.most:
            raise skipped(marked("it does not play at tables of this size"))

    def check_time(self) -> None:
        """Raise a Finding if no time is left for more questions."""
        if monotonic() > self.until:
            raise skipped(marked("no time is left"))


@dataclass(frozen=True, slots=True)
class Probe:
    """A probe: its name for programs, what it tries, and what does it.

    `run` returns a remark on what is as it should be, and raises a Finding for anything else; a BotFault, and whatever
    else a bot raises, is a failure.
    """

    name: str
    about: str
    run: Callable[[Subject], Remark]
