"""One block of a league played: its games one after the other, what they gave, and what went wrong in a bot."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.actions import DECLINE, Action, Answer, Discard, DrawStock, Pass
from engine.bots import Bot, make_bot
from engine.games.contract_game import Game, GameResult
from engine.games.knock_game import KnockGame, Offer
from engine.hand import Hand, Legal
from engine.play import answer_offers, play_hand
from engine.records.record import HandRecord, Record, hand_record, write
from engine.rules import ENGINE_RULES, Rules
from engine.view import View
from tourney.domain.leagues import PATIENCE, League
from tourney.league.designs import Sitting, seatings
from tourney.league.seeds import bot_seed, deal_seed, seating_chance
from tourney.league.time_limits import OutOfTime, Watch, watched, watching
from tourney.league.values import BlockOutcome, Fault, GameOutcome, Share

Acts = list[tuple[int, Action | Answer]]
MakeBot = Callable[[str, str], Bot]
"""Makes a bot of its name and seed."""

KEPT_FAULTS = 3
"""Faults of a game that are kept with their tracebacks, the first ones; all are counted."""
SAMPLED = 100
"""With sampled records, those of every so-manieth block are kept, from the first."""


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """A block's outcome, the first faults of each game, and by game (from 0) the records that are kept, as text."""

    outcome: BlockOutcome
    faults: tuple[Fault, ...] = ()
    records: tuple[tuple[int, str], ...] = ()


def keeps_records(league: League, block: int) -> bool:
    """Whether the records of the block's games are kept."""
    return league.records == "all" or (league.records == "sampled" and block % SAMPLED == 0)


def sittings(league: League, block: int) -> tuple[Sitting, ...]:
    """The games of the block of that number (from 0)."""
    chance = seating_chance(league.seed, block)
    return seatings(league.design, len(league.bots), league.seats, block, chance)


def play_block(
    league: League, rules: Rules, number: int, since: int = 0, make: MakeBot = make_bot, patience: float = PATIENCE
) -> PlayedBlock:
    """Plays the block of that number (from 0); the same call, the same block.

    Of a league that others have joined, only the games with an entrant from `since` on. A bot that raises an error, or
    gives an act that is not legal, has a fault; `fallback` acts in its place, and the game goes on with it. In the
    place of one that does not answer within `patience` seconds it acts to the end of the game.
    """
    with watching(patience) as watch:
        return _played(league, rules, number, since, lambda name, seed: watched(make(name, seed), watch), watch)


def _played(league: League, rules: Rules, number: int, since: int, make: MakeBot, watch: Watch) -> PlayedBlock:
    faults: list[Fault] = []
    outcomes: list[GameOutcome] = []
    records: list[tuple[int, str]] = []
    tallies = [_Tally() for _entrant in league.bots]
    for at, sitting in enumerate(sittings(league, number)):
        if max(sitting.seating) < since:
            continue
        table = _Table(league, rules, number, at, sitting, make, watch)
        result = table.play()
        outcomes.append(table.outcome(result))
        faults += table.faults
        for seat, entrant in enumerate(sitting.seating):
            tallies[entrant].add(result, table.claims[seat], seat)
        for entrant in table.failed:
            tallies[entrant].faults += 1
        if table.hands is not None:
            records.append((at, write(table.record(result, table.hands))))
    shares = tuple(tally.share() for tally in tallies)
    return PlayedBlock(BlockOutcome(number, tuple(outcomes), shares), tuple(faults), tuple(records))


def fallback(legal: Legal) -> Action:
    """What is done for a bot that failed: it passes, draws from the stock, or throws the first card that it may; where
    none of these is legal, it does the first thing that is.
    """
    plain = (act for act in legal if isinstance(act, Pass | DrawStock | Discard))
    return next(plain, None) or next(iter(legal))


class _Absent:
    """Sits there for a bot that did not answer."""

    def choose(self, view: View, legal: Legal) -> Action:
        """What is done for a bot that failed."""
        return fallback(legal)

    def answer(self, offer: Offer) -> Answer:
        """It declines."""
        return DECLINE


class _Table:
    """One game: who sits there, and what happens beside the points."""

    def __init__(
        self, league: League, rules: Rules, block: int, number: int, sitting: Sitting, make: MakeBot, watch: Watch
    ) -> None:
        self._watch = watch
        self._league, self._rules, self._block, self._number, self._sitting = league, rules, block, number, sitting
        self._seed = deal_seed(league.seed, block, sitting.deal)
        names = league.entrants
        self._names = tuple([names[entrant] for entrant in sitting.seating])
        self._bots: list[Bot] = [
            make(league.bots[entrant], bot_seed(league.seed, block, sitting.deal, seat, names[entrant]))
            for seat, entrant in enumerate(sitting.seating)
        ]
        self.claims = [0] * len(self._names)
        self.failed: list[int] = []
        self.faults: list[Fault] = []
        self.hands: list[HandRecord] | None = [] if keeps_records(league, block) else None

    def play(self) -> GameResult:
        """Plays all hands of the game."""
        game: Game | KnockGame
        if self._rules.kind == "contract":
            game = Game(self._rules, len(self._names), self._seed)
        else:
            game = KnockGame(self._rules, len(self._names), self._seed, self._league.stake)
        while not game.over:
            hand = game.next_hand()
            acts: Acts | None = None if self.hands is None else []
            self._play_hand(hand, acts, len(game.results))
            result = hand.result
            assert result is not None
            game.keep(result)
            if isinstance(game, KnockGame):
                self._answer(game, acts)
            else:
                self.claims = [all_ + new for all_, new in zip(self.claims, hand.view(0).claims, strict=True)]
            if self.hands is not None and acts is not None:
                self.hands.append(hand_record(game.results[-1], hand.dealer, acts))
        return game.result()

    def _play_hand(self, hand: Hand, acts: Acts | None, number: int) -> None:
        while not hand.over:
            try:
                play_hand(hand, self._bots, acts)
            except (Exception, OutOfTime) as error:  # noqa: BLE001 - whatever a bot raises is its fault
                seat = hand.actor
                self._note(seat, number, error)
                act = fallback(hand.legal)
                hand.apply(act)
                if acts is not None:
                    acts.append((seat, act))

    def _answer(self, game: KnockGame, acts: Acts | None) -> None:
        """Has the offers after a hand of the knock game answered; who fails declines."""
        while game.offer is not None:
            try:
                answer_offers(game, self._bots, acts)
            except (Exception, OutOfTime) as error:  # noqa: BLE001 - whatever a bot raises is its fault
                self._note(game.offer.seat, len(game.results) - 1, error)
                game.answer(DECLINE)

    def _note(self, seat: int, hand: int, error: Exception | OutOfTime) -> None:
        self._watch.rest()
        if isinstance(error, OutOfTime):
            self._bots[seat] = _Absent()
        entrant = self._sitting.seating[seat]
        self.failed.append(entrant)
        if len(self.faults) < KEPT_FAULTS:
            trace = "".join(traceback.format_exception(error))
            what = f"{type(error).__name__}: {error}"
            self.faults.append(Fault(self._block, self._number, hand, entrant, what, trace))

    def outcome(self, result: GameResult) -> GameOutcome:
        """What the game gave."""
        deal, seating = self._sitting.deal, self._sitting.seating
        return GameOutcome(deal, len(result.hands), seating, result.points, result.places, result.money)

    def record(self, result: GameResult, hands: Sequence[HandRecord]) -> Record:
        """The game as a record that replays: its deals follow from its seed."""
        knock = self._rules.kind == "knock"
        return Record(
            rules=self._rules.id,
            digest=self._rules.digest,
            engine_rules=ENGINE_RULES,
            players=self._names,
            seed=self._seed,
            points=result.points,
            places=result.places,
            hands=tuple(hands),
            stake=self._league.stake if knock else None,
            money=result.money,
        )


@dataclass(slots=True)
class _Tally:
    """A share while it grows, seat by seat."""

    hands: int = 0
    points: int = 0
    money: int = 0
    closes: int = 0
    claims: int = 0
    faults: int = 0
    contracts: list[int] = field(default_factory=list)

    def add(self, result: GameResult, claims: int, seat: int) -> None:
        """Take in what a seat of a game has got."""
        self.hands += len(result.hands)
        self.points += result.points[seat]
        self.closes += result.hands_won[seat]
        self.claims += claims
        if result.money:
            self.money += result.money[seat]
            return
        scored = [hand.points[seat] for hand in result.hands]
        self.contracts = [all_ + new for all_, new in zip(self.contracts or [0] * len(scored), scored, strict=True)]

    def share(self) -> Share:
        """The share as it is now."""
        return Share(self.hands, self.points, self.money, self.closes, self.claims, self.faults, tuple(self.contracts))
