"""Values that a bot is given: its view of the hand, the legal actions, offers and results, as objects of their own.

Nothing here leads back to the hand in play. Cards are numbers from 0 to 52 (`suit * 13 + rank`, suits in the order
clubs, diamonds, hearts, spades, ranks from the ace; 52 is the joker), as `engine.cards` has them. A bot that changes
what it was given changes nothing but its own copy. So `View`, `Legal` and `Offer` are also classes of the engine: a
bot is behind a wall, and has neither the engine's objects nor names of ours for them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pickle import dumps, loads
from typing import Any, Final, Literal, overload

from engine import actions as a
from engine.actions import Action
from engine.games.knock_game import Offer as EngineOffer
from engine.hand import Legal as EngineLegal
from engine.hand import legal_at
from engine.melds import Meld
from engine.position import Position
from engine.rules import Rules
from engine.scoring import GameResult
from engine.state import CLAIM, DRAW, PLAY
from engine.view import View as EngineView

Phase = Literal["draw", "claim", "play"]
"""A kind of decision: a draw, an answer to a discard that may be claimed, or an action of the turn after the draw."""

MAX_LAY_DOWNS: Final = 100
"""The most lay-downs that are listed among the legal actions: a hand with jokers may have millions."""

_PHASES: Final[dict[int, Phase]] = {int(DRAW): "draw", int(CLAIM): "claim", int(PLAY): "play"}


@dataclass(frozen=True, slots=True)
class View:
    """The hand as one seat sees it; seats count from 0 in the order of play.

    `number` counts the hands of a game from 1, `contract` is written T and E (empty in the knock game), `hand` are the
    seat's own cards in ascending order. By seat: `sizes` of the hands, the cards `known` to be in them because
    everybody saw them taken, `laid` (the turn of the hand in which the seat laid down, 0: not yet), `claims` and
    `totals`, the points of the earlier hands. `melds` lie on the table, each of a seat in `owners`. `top` is the top
    discard, `fresh` says whether it may still be taken; `pile`, `stock` and `penalty` are sizes. `turns` counts turns,
    this one included.
    """

    number: int
    contract: str
    seat: int
    dealer: int
    turn: int
    phase: Phase
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    melds: tuple[Meld, ...]
    owners: tuple[int, ...]
    top: int | None
    fresh: bool
    pile: int
    stock: int
    penalty: int
    shuffles: int
    laid: tuple[int, ...]
    claims: tuple[int, ...]
    totals: tuple[int, ...]
    turns: int


def view_of(seen: EngineView) -> View:
    """Return the engine's view as a value of its own."""
    return View(
        number=seen.number,
        contract=seen.contract,
        seat=seen.seat,
        dealer=seen.dealer,
        turn=seen.turn,
        phase=_PHASES[int(seen.phase)],
        hand=seen.hand.cards(),
        sizes=seen.sizes,
        known=seen.known,
        melds=tuple([copied_meld(meld) for meld in seen.melds]),
        owners=seen.owners,
        top=seen.top,
        fresh=seen.fresh,
        pile=seen.pile,
        stock=seen.stock,
        penalty=seen.penalty,
        shuffles=seen.shuffles,
        laid=seen.laid,
        claims=seen.claims,
        totals=seen.totals,
        turns=seen.turns,
    )


class Legal(Sequence[Action]):
    """The legal actions of a decision, in a fixed order.

    Lay-downs come last, at most MAX_LAY_DOWNS of them, with melds of the least size: longer ones are reached by laying
    off in the same turn. `in` judges any action, longer lay-downs too, and `why_not` says why one is not legal.
    """

    __slots__ = ("_actions", "_all", "_digest", "_position", "_rules")

    def __init__(self, rules: Rules, digest: str, actions: tuple[Action, ...], position: Position) -> None:
        self._rules, self._digest, self._actions, self._position = rules, digest, actions, position
        self._all: tuple[Action, ...] | None = None

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, place: int | slice) -> Action | tuple[Action, ...]:
        return self._listed()[place]

    def __len__(self) -> int:
        return len(self._listed())

    def __bool__(self) -> bool:
        return bool(self._actions) or len(self) > 0

    def __iter__(self) -> Iterator[Action]:
        yield from self._actions
        yield from self._listed()[len(self._actions) :]

    def __contains__(self, action: object) -> bool:
        return action in self._actions or self.why_not(action) is None

    def why_not(self, action: object) -> str | None:
        """Return why the action is not legal, with the clause of the rules; None if it is."""
        plain = plain_action(action)
        if plain is None:
            return f"{type(action).__name__} is not an action"
        refusal = self._judge().why_not(plain)
        return None if refusal is None else f"{refusal.reason} [{refusal.clause}]"

    def __repr__(self) -> str:
        return f"Legal({', '.join(map(str, self))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Legal, (self._rules, self._digest, self._actions, self._position)

    def _listed(self) -> tuple[Action, ...]:
        if self._all is None:
            self._all = (*self._actions, *self._lay_downs())
        return self._all

    def _lay_downs(self) -> Iterator[Action]:
        position = self._position
        if _PHASES.get(position.phase) == "play" and position.contract and not position.down[position.turn]:
            every = (action for action in self._judge() if isinstance(action, a.LayDown))
            return map(copied_action, islice(every, MAX_LAY_DOWNS))
        return iter(())

    def _judge(self) -> EngineLegal:
        """Return the engine's judge of this position, made for one question: nothing of it is kept."""
        return legal_at(_JUDGING.get(self._digest, self._rules), self._position)


_JUDGING: Final[dict[str, Rules]] = {}
"""The rules by their digest that decisions were asked by, so that a bot's copy of them, if it changes it, decides
nothing."""


def legal_of(rules: Rules, own_rules: Rules, legal: EngineLegal) -> Legal:
    """Return the engine's legal actions as a value of its own; `own_rules` are the bot's copy of the rules."""
    _JUDGING[rules.digest] = rules
    actions = tuple([copied_action(action) for action in legal.but_lay_downs()])
    return Legal(own_rules, rules.digest, actions, legal.position())


_RULES: Final[dict[str, bytes]] = {}


def copied_rules(rules: Rules) -> Rules:
    """Return a copy of the rules that shares nothing with them."""
    if rules.digest not in _RULES:
        _RULES[rules.digest] = dumps(rules)
    copied: Rules = loads(_RULES[rules.digest])
    return copied


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer to buy points off after a hand of the knock game: the price goes into the pot, the total becomes `to`.

    `scores` are the totals by seat, `active` the seats still in the game.
    """

    seat: int
    price: int
    to: int
    scores: tuple[int, ...]
    active: tuple[int, ...]
    pot: int


def offer_of(offer: EngineOffer) -> Offer:
    """Return the engine's offer without its rules."""
    return Offer(offer.seat, offer.price, offer.to, offer.scores, offer.active, offer.pot)


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game, by seat: points, places (1 is best, equal places are shared) and money in the knock game."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    money: tuple[int, ...] = ()


def result_of(result: GameResult) -> Result:
    """Return the engine's result of a game without its hands."""
    return Result(result.points, result.places, result.money)


def copied_meld(meld: Meld) -> Meld:
    """Return the meld as another object, without its caches."""
    return Meld(meld.kind, meld.cards)


def copied_action(action: Action) -> Action:
    """Return the action as another object: the engine shares its own among all hands."""
    return _COPY[type(action)](action)


def plain_action(answer: object) -> Action | None:
    """Return the engine's action of that type and these values; None for anything else.

    Only the types of `engine.actions` themselves count, whose values are read once, so that no answer of a bot can look
    different each time that it is asked.
    """
    copy = _COPY.get(type(answer))
    if copy is None:
        return None
    try:
        action = copy(answer)
    except (TypeError, ValueError, AttributeError):
        return None
    return action


_MOST: Final = 200
"""No card, meld or place of an action has a greater number."""


def _number(value: object) -> int:
    """Return a card, or the number of a meld or a place; ValueError or TypeError for anything else."""
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError(f"{value!r:.20} is not such a number")
    return value


def _lay_down(action: a.LayDown) -> a.LayDown:
    return a.LayDown(tuple([_meld(meld) for meld in action.melds]))


def _meld(meld: object) -> Meld:
    if type(meld) is not Meld or meld.kind not in ("T", "E"):
        raise ValueError("not a meld")
    return Meld("T" if meld.kind == "T" else "E", tuple([_number(card) for card in meld.cards]))


def _declare(action: a.Declare) -> a.Declare:
    if action.ending not in ("rummy", "color", "continental"):
        raise ValueError("not an ending")
    ending: a.DeclaredEnding = str(action.ending)  # type: ignore[assignment] # it is one of them, as a plain text
    return a.Declare(ending, None if action.face is None else _number(action.face))


_COPY: Final[dict[type, Callable[[Any], Action]]] = {
    a.DrawStock: lambda _action: a.DRAW_STOCK,
    a.DrawDiscard: lambda _action: a.DRAW_DISCARD,
    a.Claim: lambda _action: a.CLAIM,
    a.Pass: lambda _action: a.PASS,
    a.TakeBack: lambda _action: a.TAKE_BACK,
    a.Close: lambda _action: a.CLOSE,
    a.Knock: lambda _action: a.KNOCK,
    a.Discard: lambda action: a.Discard(_number(action.face)),
    a.CloseHolding: lambda action: a.CloseHolding(_number(action.face)),
    a.LayDown: _lay_down,
    a.LayOff: lambda action: a.LayOff(_number(action.face), _number(action.meld), _number(action.end)),
    a.SwapJoker: lambda action: a.SwapJoker(
        _number(action.face), _number(action.meld), _number(action.place), _number(action.target), _number(action.end)
    ),
    a.MoveJoker: lambda action: a.MoveJoker(
        _number(action.meld), _number(action.origin), _number(action.target), _number(action.end)
    ),
    a.Declare: _declare,
}
"""By type of action, how another object of the same values is made."""
