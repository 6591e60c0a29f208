"""Put one bot at a seat of a known game, and ask it the decision there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from engine.actions import Action, Answer
from engine.hand import Hand
from tourney.bots.entrant import Entrant, NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.faults import IllegalChoice
from tourney.bots.seated import SeatedBot
from tourney.league.probing.situations import STAKE, Actions, ProbePosition

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
