"""Whole games of a probed bot, at one seat or several, with all its faults and the time that it took."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, TypeVar

from engine.actions import DECLINE, Action, Answer
from engine.bots import Bot, make_bot
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame, Offer
from engine.hand import Legal
from engine.play import answer_offers, play_hand
from engine.rules import Rules, load_rules
from engine.seeds import hash_seed
from engine.view import View
from tourney.bots.entrant import Entrant, NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.faults import IllegalChoice
from tourney.bots.seated import SeatedBot, TurnLimit
from tourney.domain.leagues import Remark
from tourney.league.playing import fallback_action
from tourney.league.probing.asking import SEED
from tourney.league.probing.probe import fault_remark
from tourney.league.probing.situations import STAKE, Actions
from tourney.league.time_limits import OutOfTime, ThinkingClock
from tourney.text.signals import is_from_person

PROBED: Final = ""
"""A seat of the bot that is probed."""

Decision = TypeVar("Decision")


@dataclass(slots=True)
class ProbedGame:
    """The play of a bot in a game: the hands that were finished, its questions, longest answer, actions and faults."""

    hands: int = 0
    asked: int = 0
    slowest: float = 0.0
    actions: list[str] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    is_whole: bool = False


class _Watched:
    """A bot whose answers are timed and judged, and for whose faults the fallback acts."""

    def __init__(self, bot: SeatedBot, played: ProbedGame, clock: ThinkingClock, until: float) -> None:
        self.bot, self._turns, self._played, self._clock, self._until = bot, TurnLimit(bot), played, clock, until
        self._is_out = False

    def choose(self, view: View, legal: Legal) -> Action:
        """Return the bot's action, or that of the fallback."""
        action = self._timed(lambda: self._judged(view, legal)) or fallback_action(legal)
        self._played.actions.append(str(action))
        return action

    def _judged(self, view: View, legal: Legal) -> Action:
        action = self._turns.choose(view, legal)
        refused = legal.why_not(action)
        if refused is not None:
            raise IllegalChoice(str(action), refused)
        return action

    def answer(self, offer: Offer) -> Answer:
        """Return the bot's answer, or that of the fallback."""
        return self._timed(lambda: self.bot.answer(offer)) or DECLINE

    def tell(self, about: Callable[[SeatedBot], None]) -> None:
        """Tell the bot what it need not answer."""
        self._timed(lambda: about(self.bot))

    def _timed(self, decide: Callable[[], Decision]) -> Decision | None:
        """Return the decision; None for a fault, for a bot that had one without an end, and when the time is over."""
        if self._is_out or monotonic() > self._until:
            return None
        before, started = self.bot.asked, monotonic()
        try:
            with self._clock.thinking():
                return decide()
        except BaseException as error:
            if is_from_person(error):
                raise
            self._is_out = isinstance(error, OutOfTime)
            self._played.faults.append(fault_remark(error))
            return None
        finally:
            self._played.asked += self.bot.asked - before
            if before:  # the first question waits for the program's start
                self._played.slowest = max(self._played.slowest, monotonic() - started)


def play(
    entrant: Entrant, bots: Sequence[str], rules: str, seed: str, clock: ThinkingClock, until: float = float("inf")
) -> ProbedGame:
    """Play a game in which the bot has the seats that are PROBED; after the time `until` it is asked no more."""
    ref, played = load_rules(rules), ProbedGame()
    watched = dict(_watched(entrant, bots, ref, played, clock, until))
    game = ContractGame(ref, len(bots), seed) if ref.kind == "contract" else KnockGame(ref, len(bots), seed, STAKE)
    seats: list[Bot] = [
        watched[seat] if name == PROBED else make_bot(name, hash_seed(f"{seed}/bot/{seat}"))
        for seat, name in enumerate(bots)
    ]
    try:
        while not game.over and monotonic() < until:
            _play_next_hand(game, seats, watched)
            played.hands += 1
        if game.over:
            played.is_whole, result = monotonic() < until, game.result()
            for one in watched.values():
                one.tell(lambda bot: bot.game_ends(result))
    finally:
        for one in watched.values():
            one.bot.close()
    return played


def _watched(
    entrant: Entrant, bots: Sequence[str], rules: Rules, played: ProbedGame, clock: ThinkingClock, until: float
) -> list[tuple[int, _Watched]]:
    """Return the seats of the probed bot."""
    sit, stake = entrant.block(), STAKE if rules.kind == "knock" else 0
    seatings = [NewSeat(rules, len(bots), seat, f"{SEED}{seat}", stake) for seat in range(len(bots))]
    return [(one.seat, _Watched(sit(one), played, clock, until)) for one in seatings if bots[one.seat] == PROBED]


def _play_next_hand(game: ContractGame | KnockGame, seats: Sequence[Bot], watched: Mapping[int, _Watched]) -> None:
    hand, actions = game.next_hand(), Actions()
    table = TableEvents(hand.view(0), actions)
    for seat, one in watched.items():
        one.bot.hand_begins(hand.view(seat), table)
    result = play_hand(hand, seats, actions)
    game.add_result(result)
    for one in watched.values():
        one.tell(lambda bot: bot.hand_ends(result))
    if isinstance(game, KnockGame):
        answer_offers(game, seats, actions)
