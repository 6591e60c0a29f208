"""Games of bots from Python: `play` one game, or measure with `duel` which of two bots is better."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist, mean, stdev
from typing import Final

from engine.actions import Action, Answer
from engine.bots import Bot as EngineBot
from engine.bots import make_bot
from engine.games.contract_game import ContractGame as ContractGame
from engine.games.knock_game import KnockGame
from engine.play import answer_offers, play_hand
from engine.records.record import HandRecord, Record, hand_record, write
from engine.rules import ENGINE_RULES, Rules, load_rules
from engine.scoring import GameResult
from engine.seeds import hash_seed
from tourney.bots.api import Bot
from tourney.bots.entrant import NewSeat
from tourney.bots.events import TableEvents
from tourney.bots.isolation.levels import TRUSTED
from tourney.bots.roster import entrants_of, read_roster
from tourney.bots.seated import PythonSeat, SeatedBot, TurnLimit
from tourney.text.i18n import _
from tourney.text.numbers import Number

Player = str | type[Bot] | Callable[[], Bot]
"""A player: the name of a bot as in a league, a class of yours, or a function that makes a bot."""

SEATINGS: Final = ((0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0))
"""The seats of the two bots of a duel; with the bots exchanged they are all ways to share four seats evenly."""
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Game:
    """A game that bots have played: points and places by seat, money in the knock game, and its record as text.

    The record, empty unless it was asked for, can be read by `tourney record`.
    """

    players: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    hands: int
    money: tuple[int, ...] = ()
    record: str = ""

    def __str__(self) -> str:
        line = _("{player}: {points} points")
        rows = zip(self.players, self.points, strict=True)
        return "\n".join([line.format(player=player, points=points) for player, points in rows])


@dataclass(frozen=True, slots=True)
class Duel:
    """Two bots compared over blocks: mean points a hand of each, and by how much the first is better, with its error.

    A block is two games with the same deals, in which the bots exchange their seats. `error` is the standard error of
    `lead`, `certainty` the probability that the first is really better.
    """

    first: str
    second: str
    first_mean: float
    second_mean: float
    lead: float
    error: float
    certainty: float
    blocks: int
    games: tuple[Game, ...] = ()

    def __str__(self) -> str:
        rows = [(self.first, self.first_mean), (self.second, self.second_mean)]
        (better, better_mean), (worse, worse_mean) = rows if self.lead >= 0 else reversed(rows)
        sentence = _(
            "{better} is better than {worse} by {lead:.2f} ± {margin:.2f} points a hand ({better_mean:.2f} and "
            "{worse_mean:.2f}; blocks: {blocks}; {certainty:.1f} % certain)"
        )
        return sentence.format(
            better=better,
            worse=worse,
            better_mean=Number(better_mean),
            worse_mean=Number(worse_mean),
            lead=Number(abs(self.lead)),
            margin=Number(NormalDist().inv_cdf((1 + LEVEL) / 2) * self.error),
            blocks=self.blocks,
            certainty=Number(100 * max(self.certainty, 1 - self.certainty)),
        )


def play(
    players: Sequence[Player],
    rules: str | Rules = "oficial",
    seed: str = "1",
    *,
    record: bool = False,
    stake: int = 100,
) -> Game:
    """Play a game of these bots in seat order, the first dealer first; the same seed gives the same game.

    `rules` are named as in `tourney rules list`; `stake` is that of a knock game. What a bot raises is not caught, and
    an illegal action raises `engine.errors.IllegalAction`: a league counts both as faults.
    """
    names = tuple([name_of(player) for player in players])
    table = _Table(load_rules(rules) if isinstance(rules, str) else rules, players, seed, stake)
    result = table.play(record)
    text = write(table.record(names, result)) if record else ""
    return Game(names, result.points, result.places, len(result.hands), result.money, text)


def duel(
    first: Player,
    second: Player,
    blocks: int = 50,
    rules: str | Rules = "oficial",
    seed: str = "1",
    *,
    keep: bool = False,
) -> Duel:
    """Play blocks of two games with two seats for each bot, and return which one is better; `keep` keeps the games.

    In the knock game the bots are compared by points too, not by money. Raises ValueError for fewer than two blocks.
    """
    if blocks < 2:
        raise ValueError("a duel needs at least two blocks: one has no error")
    rules = load_rules(rules) if isinstance(rules, str) else rules
    means: list[tuple[float, float]] = []
    games: list[Game] = []
    for block in range(blocks):
        seating = SEATINGS[block % len(SEATINGS)]
        pair = [_exchanged(rules, (first, second), seating, f"{seed}/{block}", turn, keep) for turn in (0, 1)]
        seats = 2 * sum(game.hands for game, _points in pair)
        ours, theirs = (sum(points[bot] for _game, points in pair) / seats for bot in (0, 1))
        means.append((ours, theirs))
        games += [game for game, _points in pair if keep]
    leads = [theirs - ours for ours, theirs in means]
    error = stdev(leads) / blocks**0.5
    lead = mean(leads)
    certainty = NormalDist().cdf(lead / error) if error else 0.5
    return Duel(
        first=name_of(first),
        second=name_of(second),
        first_mean=mean([ours for ours, _theirs in means]),
        second_mean=mean([theirs for _ours, theirs in means]),
        lead=lead,
        error=error,
        certainty=certainty,
        blocks=blocks,
        games=tuple(games),
    )


def _exchanged(
    rules: Rules, players: Sequence[Player], seating: Sequence[int], seed: str, turn: int, keep: bool
) -> tuple[Game, list[int]]:
    """Play a game in which the bots sit by the seating, or in each other's seats, and return it with their points."""
    seats = [seat ^ turn for seat in seating]
    game = play([players[seat] for seat in seats], rules, seed, record=keep)
    sums = [0, 0]
    for seat, points in zip(seats, game.points, strict=True):
        sums[seat] += points
    return game, sums


def name_of(player: Player) -> str:
    """Return the name of a player."""
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


class _Table:
    """One game, played without catching errors."""

    def __init__(self, rules: Rules, players: Sequence[Player], seed: str, stake: int) -> None:
        self._rules, self._seed, self._stake = rules, seed, stake
        self._contract = rules.kind == "contract"
        self._seats = len(players)
        self._bots: list[EngineBot] = []
        self._own: dict[int, SeatedBot] = {}
        self._hands: list[HandRecord] = []
        for seat, player in enumerate(players):
            self._bots.append(self._seated(player, seat, hash_seed(f"{seed}/bot/{seat}")))

    def _seated(self, player: Player, seat: int, seed: str) -> EngineBot:
        if isinstance(player, str):
            return self._named(player, seat, seed)
        return self._limited(PythonSeat(player, self._rules, seat, seed), seat)

    def _limited(self, bot: SeatedBot, seat: int) -> EngineBot:
        self._own[seat] = bot
        return TurnLimit(bot)

    def _named(self, text: str, seat: int, seed: str) -> EngineBot:
        """Return the bot that the text names, which may be one from outside."""
        (bot,) = read_roster([text], Path.cwd(), isolation=TRUSTED.name).outside or (None,)
        if bot is None:
            return make_bot(text, seed)
        seating = NewSeat(self._rules, self._seats, seat, seed, self._stake)
        return self._limited(entrants_of([bot], TRUSTED.name)[bot.name].block()(seating), seat)

    def play(self, record: bool) -> GameResult:
        """Play all hands."""
        game: ContractGame | KnockGame
        if self._contract:
            game = ContractGame(self._rules, self._seats, self._seed)
        else:
            game = KnockGame(self._rules, self._seats, self._seed, self._stake)
        while not game.over:
            self._play_hand(game, record)
        result = game.result()
        for bot in self._own.values():
            bot.game_ends(result)
            bot.close()
        return result

    def _play_hand(self, game: ContractGame | KnockGame, record: bool) -> None:
        hand, actions = game.next_hand(), list[tuple[int, Action | Answer]]()
        table = TableEvents(hand.view(0), actions)
        for seat, bot in self._own.items():
            bot.hand_begins(hand.view(seat), table)
        result = play_hand(hand, self._bots, actions if self._own or record else None)
        game.add_result(result)
        for bot in self._own.values():
            bot.hand_ends(result)
        if isinstance(game, KnockGame):
            answer_offers(game, self._bots, actions)
        if record:
            self._hands.append(hand_record(game.results[-1], hand.dealer, actions))

    def record(self, names: tuple[str, ...], result: GameResult) -> Record:
        """Return the game as a record that replays."""
        return Record(
            rules=self._rules.id,
            digest=self._rules.digest,
            engine_rules=ENGINE_RULES,
            players=names,
            seed=self._seed,
            points=result.points,
            places=result.places,
            hands=tuple(self._hands),
            stake=None if self._contract else self._stake,
            money=result.money,
        )
