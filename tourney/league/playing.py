"""Play one block of a league: seeds, games, faults of bots, records, and conversations by playing it again.

All randomness comes from hashes of the league's seed and the block's number, separate ones for deals and for each bot.
So a block is the same wherever and whenever it is played, a bot cannot work out a deal, and the random numbers that
one bot draws change neither the deals nor those of other bots.
"""

import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from engine.actions import DECLINE, Action, Answer, Discard, DrawStock, Pass
from engine.bots import Bot, make_bot
from engine.errors import IllegalAction
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame, Offer
from engine.hand import Hand, Legal
from engine.play import answer_offers, play_hand
from engine.records.record import HandRecord, Record, hand_record, write
from engine.rules import ENGINE_RULES, Rules
from engine.scoring import GameResult
from engine.seeds import Stream, hash_seed
from engine.view import View
from tourney.bots.entrant import Entrant, NewSeat, Sit
from tourney.bots.events import TableEvents
from tourney.bots.faults import ILLEGAL, RAISED, STALLED, BotFault, FaultKind, cut
from tourney.bots.isolation.own_process import staying
from tourney.bots.roster import entrants_of
from tourney.bots.seated import PythonSeat, SeatedBot, TurnLimit
from tourney.domain.league_tables import SeatLog
from tourney.domain.leagues import FAULT_KINDS, TIME_LIMIT, League, LeagueFault, PlayedBlock
from tourney.league.blocks import BlockOutcome, EntrantTotals, GameOutcome, histogram, read_block, write_block
from tourney.league.designs import PlannedGame, plan_block
from tourney.league.time_limits import OutOfTime, ThinkingClock, thinking_clock, timed
from tourney.text.signals import is_from_person

Actions = list[tuple[int, Action | Answer]]

MOST_TRACE = 10_000
"""The most characters of a traceback that are kept, the last ones."""
KEPT_FAULTS = 3
"""The number of faults of a game, the first ones, that are kept; all are counted."""
_FILE = re.compile(r'(?<=^  File ")[^"\n]+(?=", line )', re.MULTILINE)
"""The path of a file in a traceback."""
_PATH = re.compile(r"""(?<=')/[^']+(?=')|(?<=")/[^"]+(?=")|(?<![\w/.~-])/[^\s'":;,()<>]+""")
"""A whole path in a text, with or without quotation marks."""
_PROGRAM = str(Path(__file__).parents[2])
"""The folder in which this program is installed."""
SAMPLED = 100
"""With sampled records, those of every block whose number is a multiple of this are kept."""


def deal_seed(league_seed: str, block: int, deal: int) -> str:
    """Return the seed from which all games of a block's deal are dealt, whatever their seating."""
    return hash_seed(f"{league_seed}/block/{block}/deal/{deal}")


def seed_of_deal(league: League, block: int, deal: int) -> str:
    """Return the seed of a block's deal: that of the league's book, if it has one, else `deal_seed`."""
    if not league.book:
        return deal_seed(league.seed, block, deal)
    return league.book[block * deals_of_block(league) + deal]


def deals_of_block(league: League) -> int:
    """Return the number of deals of a block, the same in every block."""
    return 1 + max(planned.deal for planned in block_games(league, 0))


def bot_seed(league_seed: str, block: int, deal: int, seat: int, entrant: str) -> str:
    """Return the seed of an entrant's own randomness at that seat, the same in every game of a deal."""
    return hash_seed(f"{league_seed}/block/{block}/deal/{deal}/seat/{seat}/bot/{entrant}")


def seating_rng(league_seed: str, block: int) -> Stream:
    """Return the generator that draws the seats of a block's games."""
    return Stream(hash_seed(f"{league_seed}/block/{block}/seating"))


def keeps_records(league: League, block: int) -> bool:
    """Return whether the records of the block's games are kept."""
    return league.records == "all" or (league.records == "sampled" and block % SAMPLED == 0)


def block_games(league: League, block: int) -> tuple[PlannedGame, ...]:
    """Return the games of the block of that number (from 0)."""
    return plan_block(league.design, len(league.bots), league.seats, block, seating_rng(league.seed, block))


def play_block(
    league: League,
    rules: Rules,
    number: int,
    first_entrant: int = 0,
    time_limit: float = TIME_LIMIT,
    entrants: Mapping[str, Entrant] | None = None,
) -> PlayedBlock:
    """Play the block of that number (from 0); the same call gives the same block.

    `entrants` are the league's bots from outside by name, loaded; if left out, they are loaded now.

    Only games with an entrant from `first_entrant` on are played: the others were played before it joined. A bot that
    raises an error, or chooses an illegal action, has a fault; `fallback_action` is taken instead, and the game
    continues with the bot. A bot that does not answer within `time_limit` seconds is replaced to the end of the game.
    """
    outcomes: list[GameOutcome] = []
    faults: list[LeagueFault] = []
    records: list[tuple[int, str]] = []
    totals = [EntrantTotals() for _bot in league.bots]
    loaded = entrants_of(league.outside, league.isolation) if entrants is None else entrants
    with thinking_clock(time_limit) as clock, _outside_seats(loaded) as outside:
        for game_number, planned in enumerate(block_games(league, number)):
            if max(planned.seating) < first_entrant:
                continue
            table = _Table(_Block(league, rules, number, clock, outside), game_number, planned)
            result = table.play()
            outcomes.append(table.outcome(result))
            faults += table.faults
            for seat, entrant in enumerate(planned.seating):
                totals[entrant] = totals[entrant].plus(table.totals(result, seat))
            if table.hands is not None:
                records.append((game_number, write(table.record(result, table.hands))))
    return PlayedBlock(number, write_block(BlockOutcome(number, tuple(outcomes), tuple(totals))), faults, records)


@dataclass(frozen=True, slots=True)
class BotTable:
    """A game outside a league: its result, its record as text, and its first faults, whose entrant is the seat."""

    result: GameResult
    record: str
    faults: tuple[LeagueFault, ...]


def play_table(
    rules: Rules,
    bots: Sequence[str],
    names: Sequence[str],
    seed: str,
    stake: int,
    outside: Mapping[str, Entrant],
) -> BotTable:
    """Play a game with these bots in seat order, dealt from the seed, as leagues play theirs; the record has the names.

    `outside` has those of the bots that are not built in, by name, loaded.
    """
    league = League(tuple(bots), rules.id, len(bots), seed, 1, records="all", stake=stake, book=(seed,))
    planned = PlannedGame(0, tuple(range(len(bots))))
    with thinking_clock(TIME_LIMIT) as clock, _outside_seats(outside) as seats:
        table = _Table(_Block(league, rules, 0, clock, seats), 0, planned, names)
        result = table.play()
    assert table.hands is not None
    return BotTable(result, write(table.record(result, table.hands)), tuple(table.faults))


@contextmanager
def _outside_seats(entrants: Mapping[str, Entrant]) -> Iterator[Mapping[str, Sit]]:
    """Yield what seats each bot from outside in this block; what such bots print goes to standard error."""
    if not entrants:
        yield {}
        return
    with redirect_stdout(sys.stderr), staying():
        yield {name: entrant.block() for name, entrant in entrants.items()}


def merge_blocks(league: League, before: PlayedBlock, new: PlayedBlock) -> PlayedBlock:
    """Return a block of the league, made of its games before bots joined and of the games with those bots.

    This needs a design in which each table has only two entrants, so that a bot that joins adds games and changes none.
    The league is then, block by block and hash by hash, the one that all its bots would have started together.
    """
    earlier, outcome = read_block(before.text), read_block(new.text)
    entrants = len(earlier.totals)
    planned = block_games(league, before.number)
    places = [place for place, game in enumerate(planned) if max(game.seating) < entrants]
    played = dict(zip(places, earlier.games, strict=True))
    added = iter(outcome.games)
    games = tuple([played[place] if place in played else next(added) for place in range(len(planned))])
    totals = [*earlier.totals, *[EntrantTotals()] * (len(league.bots) - entrants)]
    sums = tuple(ours.plus(theirs) for ours, theirs in zip(totals, outcome.totals, strict=True))
    faults = [fault._replace(game=places[fault.game]) for fault in before.faults]
    records = [(places[game], text) for game, text in before.records]
    return PlayedBlock(
        before.number,
        write_block(BlockOutcome(before.number, games, sums)),
        sorted((*faults, *new.faults), key=lambda fault: fault.game),
        sorted((*records, *new.records)),
    )


def fallback_action(legal: Legal) -> Action:
    """Return the action taken for a bot that failed.

    It passes, draws from the stock, or discards the first card allowed; failing these, it takes the first legal action.
    """
    plain = (action for action in legal if isinstance(action, Pass | DrawStock | Discard))
    return next(plain, None) or next(iter(legal))


def without_places(text: str) -> str:
    """Return a text in which each whole path is the name of its file: where files lie, only their owner sees."""
    return _PATH.sub(lambda found: os.path.basename(found[0].rstrip("/")), text)


def said(error: BaseException) -> str:
    """Return an error in one line that is not long, whatever a bot's own class of errors makes of itself."""
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - the text of a bot's own error may fail in every way
        text = "…"
    return cut(f"{error.kind.name if isinstance(error, BotFault) else type(error).__name__}: {without_places(text)}")


def trace_of(error: BaseException, folder: str) -> str:
    """Return the traceback of an error without the places of this program and of a bot's folder.

    A long one has lost its beginning.
    """
    try:
        text = "".join(traceback.format_exception(error))
    except BaseException:  # noqa: BLE001 - as its text
        return said(error)
    return _FILE.sub(lambda found: _inside(found[0], folder), text)[-MOST_TRACE:]


def _inside(file: str, folder: str) -> str:
    """Return the path of a file from this program's folder or a bot's; the name alone of one that lies elsewhere."""
    places = (place for place in (_PROGRAM, folder) if place and Path(file).is_relative_to(place))
    return next((os.path.relpath(file, place) for place in places), os.path.basename(file))


def fault_kind(error: BaseException) -> FaultKind:
    """Return the kind of the fault that an error of a bot is."""
    if isinstance(error, BotFault):
        return error.kind
    if isinstance(error, OutOfTime):
        return STALLED
    return ILLEGAL if isinstance(error, IllegalAction) else RAISED


class _TimedOutBot:
    """The replacement for a bot that did not answer in time: each of its decisions is a fault."""

    def choose(self, view: View, legal: Legal) -> Action:
        """Raise BotFault."""
        raise BotFault(STALLED, "out of this game")

    def answer(self, offer: Offer) -> Answer:
        """Raise BotFault."""
        raise BotFault(STALLED, "out of this game")


class _Block(NamedTuple):
    """A block being played: the clock that limits its bots, and what seats those from outside."""

    league: League
    rules: Rules
    number: int
    clock: ThinkingClock
    outside: Mapping[str, Sit]


class _Table:
    """One game being played, with the claims and faults that its result does not have."""

    def __init__(self, block: _Block, number: int, planned: PlannedGame, shown: Sequence[str] = ()) -> None:
        self._number, self._planned = number, planned
        self._league, self._rules, at, self._clock, outside = block
        league = self._league
        self._seed = seed_of_deal(league, at, planned.deal)
        names = league.entrants
        self._names = tuple(shown) or tuple([names[entrant] for entrant in planned.seating])
        self._bots: list[Bot] = []
        self._outside: dict[int, SeatedBot] = {}
        for seat, entrant in enumerate(planned.seating):
            seed = bot_seed(league.seed, at, planned.deal, seat, names[entrant])
            name = league.bots[entrant]
            if name in outside:
                seating = NewSeat(self._rules, len(self._names), seat, seed, league.stake)
                self._outside[seat] = outside[name](seating)
            bot = TurnLimit(self._outside[seat]) if name in outside else make_bot(name, seed)
            self._bots.append(timed(bot, self._clock))
        self._claims = [0] * len(self._names)
        self._failures = [[0] * len(FAULT_KINDS) for _name in self._names]
        self.faults: list[LeagueFault] = []
        self.hands: list[HandRecord] | None = [] if keeps_records(league, at) else None

    def play(self) -> GameResult:
        """Play all hands of the game."""
        game: ContractGame | KnockGame
        if self._rules.kind == "contract":
            game = ContractGame(self._rules, len(self._names), self._seed)
        else:
            game = KnockGame(self._rules, len(self._names), self._seed, self._league.stake)
        try:
            while not game.over:
                self._play_next_hand(game)
            result = game.result()
            self._tell_outside(len(game.results) - 1, lambda bot: bot.game_ends(result))
        finally:
            for bot in self._outside.values():
                bot.close()
        return result

    def _play_next_hand(self, game: ContractGame | KnockGame) -> None:
        hand = game.next_hand()
        actions: Actions = []
        if self._outside:
            table = TableEvents(hand.view(0), actions)
            for seat, bot in self._outside.items():
                bot.hand_begins(hand.view(seat), table)
        kept = actions if self._outside or self.hands is not None else None
        self._play_hand(hand, kept, len(game.results))
        result = hand.result
        assert result is not None
        game.add_result(result)
        self._tell_outside(len(game.results) - 1, lambda bot: bot.hand_ends(result))
        if isinstance(game, KnockGame):
            self._answer_offers(game, kept)
        else:
            self._claims = [total + new for total, new in zip(self._claims, hand.view(0).claims, strict=True)]
        if self.hands is not None:
            self.hands.append(hand_record(game.results[-1], hand.dealer, actions))

    def _play_hand(self, hand: Hand, actions: Actions | None, number: int) -> None:
        while not hand.over:
            try:
                play_hand(hand, self._bots, actions)
            except BaseException as error:  # noqa: BLE001 - whatever a bot raises is its fault
                seat = hand.actor
                self._record_fault(seat, number, error)
                action = fallback_action(hand.legal)
                hand.apply(action)
                if actions is not None:
                    actions.append((seat, action))

    def _answer_offers(self, game: KnockGame, actions: Actions | None) -> None:
        """Put the offers after a hand of the knock game to the bots; one that fails declines."""
        while game.offer is not None:
            try:
                answer_offers(game, self._bots, actions)
            except BaseException as error:  # noqa: BLE001 - whatever a bot raises is its fault
                self._record_fault(game.offer.seat, len(game.results) - 1, error)
                game.answer(DECLINE)

    def _tell_outside(self, hand: int, tell: Callable[[SeatedBot], None]) -> None:
        """Tell all bots from outside; one that fails has a fault, for which nothing is to be decided."""
        for seat, bot in list(self._outside.items()):
            try:
                with self._clock.thinking():
                    tell(bot)
            except BaseException as error:  # noqa: BLE001 - whatever a bot raises is its fault
                self._record_fault(seat, hand, error)

    def _record_fault(self, seat: int, hand: int, error: BaseException) -> None:
        """Count a fault. Raises the error again if it is no bot's, but the interrupt of a person."""
        self._clock.stop()
        if is_from_person(error):
            raise error
        out_before, outside = isinstance(self._bots[seat], _TimedOutBot), self._outside.get(seat)
        if isinstance(error, OutOfTime):
            self._bots[seat] = _TimedOutBot()
            gone = self._outside.pop(seat, None)
            if gone is not None:
                gone.close()
        self._failures[seat][FAULT_KINDS.index(fault_kind(error).name)] += 1
        if len(self.faults) < KEPT_FAULTS and not out_before:
            entrant = self._planned.seating[seat]
            self.faults.append(
                LeagueFault(self._number, hand, entrant, said(error), self._trace(entrant, outside, error))
            )

    def _trace(self, entrant: int, outside: SeatedBot | None, error: BaseException) -> str:
        """Return the traceback of a bot inside this program; that of another bot would show the program alone."""
        if outside is not None and not isinstance(outside, PythonSeat):
            return ""
        name = self._league.bots[entrant]
        return trace_of(error, next((bot.folder for bot in self._league.outside if bot.name == name), ""))

    def outcome(self, result: GameResult) -> GameOutcome:
        """Return the game's outcome."""
        deal, seating = self._planned.deal, self._planned.seating
        faults = tuple(map(sum, self._failures))
        shown = faults if any(faults) else ()
        return GameOutcome(deal, len(result.hands), seating, result.points, result.places, result.money, shown)

    def totals(self, result: GameResult, seat: int) -> EntrantTotals:
        """Return the totals of a seat."""
        failures = self._failures[seat]
        return EntrantTotals(
            hands=len(result.hands),
            points=result.points[seat],
            money=result.money[seat] if result.money else 0,
            closes=result.hands_won[seat],
            claims=self._claims[seat],
            faults=sum(failures),
            contracts=() if result.money else tuple([hand.points[seat] for hand in result.hands]),
            faults_by_kind=tuple(failures) if any(failures) else (),
            fuel=histogram(self._outside[seat].fuel) if seat in self._outside else (),
        )

    def record(self, result: GameResult, hands: Sequence[HandRecord]) -> Record:
        """Return the game as a record that replays: its deals follow from its seed."""
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
class _Logged:
    """An entrant of which every seat keeps a log; `seats` has all of them in the order in which they were taken."""

    entrant: Entrant
    seats: list[list[str]] = field(default_factory=list)

    def check(self, rules: Rules, seats: int) -> None:
        """Raise what the entrant raises."""
        self.entrant.check(rules, seats)

    def block(self) -> Sit:
        """Return what seats the entrant in a block."""
        sit = self.entrant.block()

        def seated(seating: NewSeat) -> SeatedBot:
            self.seats.append([])
            return sit(replace(seating, log=self.seats[-1]))

        return seated


def play_logged(league: League, rules: Rules, number: int, game: int) -> tuple[PlayedBlock, tuple[SeatLog, ...]]:
    """Return the block played again, and the logs of the programs in one of its games (from 0), by seat."""
    logged = {name: _Logged(entrant) for name, entrant in entrants_of(league.outside, league.isolation).items()}
    played = play_block(replace(league, records="none"), rules, number, entrants=logged)
    logs: list[SeatLog] = []
    taken = dict.fromkeys(logged, 0)
    for place, planned in enumerate(block_games(league, number)):
        for seat, entrant in enumerate(planned.seating):
            bot = league.bots[entrant]
            if bot in logged:
                lines = logged[bot].seats[taken[bot]]
                taken[bot] += 1
                if place == game and lines:
                    logs.append(SeatLog(seat + 1, league.entrants[entrant], tuple(lines)))
    return played, tuple(logs)
