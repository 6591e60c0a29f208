"""A bot in the place of a recorded player: asked every decision, while the game goes as it went."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from engine.actions import BUY, DECLINE, Action, Answer
from engine.cards import cards_text
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.records.record import HandRecord, Record, read
from engine.records.replay import actions as recorded_actions
from engine.records.replay import begin, buys
from engine.rules import Rules
from engine.seeds import hash_seed
from tourney.bots.entrant import Entrant, NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.faults import IllegalChoice
from tourney.bots.process import end_leaving
from tourney.bots.protocol.words import PHASES
from tourney.bots.seated import SeatedBot
from tourney.domain.league_tables import ReplayedDecision
from tourney.domain.rules import RulesRef
from tourney.league.playing import said
from tourney.league.probing.situations import Actions
from tourney.league.time_limits import ThinkingClock, thinking_clock
from tourney.rulebook.records import replay_record
from tourney.rulebook.rulesets import rules_of
from tourney.text.signals import is_from_person

PATIENCE: Final = 60.0
"""The seconds that a bot has for a decision, or its start."""


def replayed(entrant: Entrant, text: str, seat: int, ref: RulesRef | None = None) -> tuple[ReplayedDecision, ...]:
    """Return the decisions of a seat (from 0) of a record, each with what the bot would have done.

    The bot's seed is that of a game of bots with the record's seed. Raises TourneyError REFUSED if the record cannot
    be replayed by the rules that it names, or by those of `ref`.
    """
    replay_record(text, ref)
    try:
        with thinking_clock(PATIENCE) as clock:
            return tuple(_decisions(entrant, read(text), seat, clock, None if ref is None else rules_of(ref)))
    finally:
        end_leaving(at_once=True)


def _decisions(
    entrant: Entrant, record: Record, seat: int, clock: ThinkingClock, rules: Rules | None
) -> Iterator[ReplayedDecision]:
    game = begin(record, rules)
    seed = hash_seed(f"{record.seed or record.digest}/bot/{seat}")
    bot = entrant.block()(NewSeat(game.rules, len(record.players), seat, seed, record.stake or 0))
    try:
        yield from _Replay(bot, game, seat, clock).decisions(record)
    finally:
        bot.close()


class _Replay:
    """A recorded game that is played again beside a bot."""

    def __init__(self, bot: SeatedBot, game: ContractGame | KnockGame, seat: int, clock: ThinkingClock) -> None:
        self._bot, self._game, self._seat, self._clock = bot, game, seat, clock
        self._number = 0

    def decisions(self, record: Record) -> Iterator[ReplayedDecision]:
        """Yield the decisions of all hands."""
        game = self._game
        for written in record.hands:
            hand, told = game.next_hand(), Actions()
            self._number = 0
            view = hand.view(self._seat)
            self._tell(partial(self._bot.hand_begins, view, TableEvents(view, told)))
            yield from self._hand(hand, written, told)
            result = hand.result
            assert result is not None
            game.add_result(result)
            self._tell(partial(self._bot.hand_ends, result))
            if isinstance(game, KnockGame):
                yield from self._offers(game, written, told)
        self._tell(partial(self._bot.game_ends, game.result()))

    def _hand(self, hand: Hand, written: HandRecord, told: Actions) -> Iterator[ReplayedDecision]:
        for action in recorded_actions(hand, written):
            seat = hand.actor
            if seat == self._seat:
                yield self._decided(hand, action)
            hand.apply(action)
            told.append((seat, action))

    def _decided(self, hand: Hand, recorded: Action) -> ReplayedDecision:
        view, legal = hand.view(self._seat), hand.legal

        def choose() -> Action:
            action = self._bot.choose(view, legal)
            refused = legal.why_not(action)
            if refused is not None:
                raise IllegalChoice(str(action), refused)
            return action

        cards = cards_text(view.hand.cards())
        return self._asked(view.contract, view.turns, PHASES[view.phase], cards, recorded, choose)

    def _offers(self, game: KnockGame, written: HandRecord, told: Actions) -> Iterator[ReplayedDecision]:
        bought = {int(line.partition(" ")[0]) - 1 for line in buys(written)}
        while game.offer is not None:
            offer = game.offer
            answer = BUY if offer.seat in bought else DECLINE
            if offer.seat == self._seat:
                yield self._asked("", 0, "offer", "", answer, partial(self._bot.answer, offer))
            game.answer(answer)
            told.append((offer.seat, answer))

    def _asked(
        self,
        contract: str,
        turn: int,
        kind: str,
        cards: str,
        recorded: Action | Answer,
        choose: Callable[[], Action | Answer],
    ) -> ReplayedDecision:
        """Return the decision with the bot's answer, or with its fault."""
        before, chosen, fault = self._bot.asked, "", ""
        self._number += 1
        try:
            with self._clock.thinking():
                chosen = str(choose())
        except BaseException as error:
            if is_from_person(error):
                raise
            fault = said(error)
        hand = len(self._game.results) + (kind != "offer")
        asked = self._bot.asked > before
        return ReplayedDecision(hand, contract, turn, self._number, kind, cards, str(recorded), chosen, fault, asked)

    def _tell(self, tell: Callable[[], None]) -> None:
        """Tell the bot what it need not answer; its next answer shows whether it still can."""
        try:
            with self._clock.thinking():
                tell()
        except BaseException as error:
            if is_from_person(error):
                raise
