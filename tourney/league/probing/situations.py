"""Situations of a game in which a bot is asked: each is the first decision of that kind in a game of built-in bots."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.actions import (
    CLOSE,
    TAKE_BACK,
    Action,
    Answer,
    CloseHolding,
    Declare,
    DrawDiscard,
    Knock,
    LayDown,
    LayOff,
    MoveJoker,
    SwapJoker,
)
from engine.bots import Bot, make_bot
from engine.cards import JOKER
from engine.deal import deal
from engine.games.knock_game import KnockGame, Offer
from engine.hand import Hand, Legal
from engine.play import play_hand
from engine.rules import Rules, load_rules
from engine.scoring import HandResult
from engine.seeds import hash_seed
from engine.state import Phase
from engine.view import View
from tourney.text.i18n import marked

Shows = Callable[[View, Legal], bool]
Actions = list[tuple[int, Action | Answer]]
STAKE: Final = 100
RED_TWOS: Final = "oficial+red-twos"
MANY: Final = 60
"""More lay-downs than a program is told."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The first decision that `shows` accepts, of any seat, in one hand (from 1) of a game of these bots.

    A situation without `shows` is the first offer to buy after that hand of a knock game.
    """

    name: str
    about: str
    shows: Shows | None
    seed: str = "1"
    hand: int = 1
    bots: tuple[str, ...] = ("greedy",) * 4
    rules: str = "oficial"


@dataclass(frozen=True, slots=True)
class ProbePosition:
    """A decision in a hand: the hand as dealt, the actions before, and whose decision it is.

    After a hand of a knock game it may be an offer; `result` is then that of the hand.
    """

    rules: Rules
    players: int
    dealt: Hand
    actions: tuple[tuple[int, Action | Answer], ...]
    seat: int
    result: HandResult | None = None
    offer: Offer | None = None


@cache
def position_of(situation: Situation) -> ProbePosition:
    """Return the decision of the situation. Raises LookupError if the hand has none."""
    rules = load_rules(situation.rules)
    players = len(situation.bots)
    bots = [make_bot(bot, hash_seed(f"{situation.seed}/bot/{seat}")) for seat, bot in enumerate(situation.bots)]
    if rules.kind == "contract":
        hand = Hand(rules, deal(rules, players, situation.seed, situation.hand))
    else:
        game = KnockGame(rules, players, situation.seed, STAKE)
        hand = _knock_hand(game, situation.hand, bots)
        if situation.shows is None:
            return _offered(game, hand, bots)
    dealt, actions = hand.clone(), list[tuple[int, Action | Answer]]()
    assert situation.shows is not None
    for seat, action in _decisions(hand, bots):
        if situation.shows(hand.view(seat), hand.legal):
            return ProbePosition(rules, players, dealt, tuple(actions), seat)
        hand.apply(action)
        actions.append((seat, action))
    raise LookupError(situation.name)


def _decisions(hand: Hand, bots: Sequence[Bot]) -> Iterator[tuple[int, Action]]:
    """Yield what the bots choose; whoever iterates applies it."""
    while not hand.over:
        seat = hand.actor
        yield seat, bots[seat].choose(hand.view(seat), hand.legal)


def _knock_hand(game: KnockGame, number: int, bots: Sequence[Bot]) -> Hand:
    """Return the hand of that number, dealt after the bots have played those before it."""
    for _earlier in range(number - 1):
        game.add_result(play_hand(game.next_hand(), bots))
        while game.offer is not None:
            game.answer(bots[game.offer.seat].answer(game.offer))
    return game.next_hand()


def _offered(game: KnockGame, hand: Hand, bots: Sequence[Bot]) -> ProbePosition:
    dealt, actions = hand.clone(), Actions()
    result = play_hand(hand, bots, actions)
    game.add_result(result)
    if game.offer is None:
        raise LookupError("offer")
    return ProbePosition(game.rules, game.players, dealt, tuple(actions), game.offer.seat, result, game.offer)


# --- what a situation shows ---------------------------------------------------------------------------------


def _phase(phase: Phase) -> Shows:
    return lambda view, _legal: view.phase is phase


def _can(kind: type[Action]) -> Shows:
    """Accept a decision in which such an action, other than a lay-down, is legal."""
    return lambda view, legal: (
        view.phase is not Phase.CLAIM and any(isinstance(action, kind) for action in legal.but_lay_downs())
    )


def _can_lay_down(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and any(isinstance(action, LayDown) for action in legal)


def _can_lay_down_in_many_ways(view: View, legal: Legal) -> bool:
    return _can_lay_down(view, legal) and legal.count() - len(legal.but_lay_downs()) >= MANY


def _can_lay_down_with_a_wild_two(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and any(isinstance(action, LayDown) and "*" in str(action) for action in legal)


def _can_lay_off_low(view: View, legal: Legal) -> bool:
    return any(isinstance(action, LayOff) and str(action).endswith("low") for action in legal.but_lay_downs())


def _can_take_back(view: View, legal: Legal) -> bool:
    return TAKE_BACK in legal.but_lay_downs()


def _can_close(view: View, legal: Legal) -> bool:
    return CLOSE in legal.but_lay_downs()


def _can_only_discard(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and len({type(action) for action in legal}) == 1


def _has_one_action(view: View, legal: Legal) -> bool:
    return legal.count() == 1


def _holds_two_jokers(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and view.hand.cards().count(JOKER) > 1


def _holds_a_pair_of_one_card(view: View, legal: Legal) -> bool:
    cards = view.hand.cards()
    return view.phase is Phase.PLAY and len(cards) - len(set(cards)) > 1


def _holds_two_cards(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and len(view.hand.cards()) == 2


def _has_claimed(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and view.claims[view.seat] > 0


def _is_shuffled(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and view.shuffles > 0


def _has_many_melds(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and len(view.melds) >= 6


def _is_down(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and view.laid[view.seat] > 0


def _at_seat(seat: int) -> Shows:
    return lambda view, _legal: view.phase is Phase.PLAY and view.seat == seat


def _is_long(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and view.turns > 60


def _somebody_is_out(view: View, legal: Legal) -> bool:
    return view.phase is Phase.PLAY and 0 in view.sizes


def _may_take(view: View, legal: Legal) -> bool:
    return view.phase is Phase.DRAW and view.fresh and view.turns > 1


_PLAY: Final = _phase(Phase.PLAY)
_MIXED: Final = ("greedy", "random", "greedy")
_RANDOM: Final = ("random",) * 4
_PAIR: Final = ("greedy",) * 2
_FIVE: Final = ("greedy",) * 5
_SIX: Final = ("greedy",) * 6
PLAIN: Final = Situation("discard", marked("a discard, with nothing to lay down"), _can_only_discard)
PLAIN_KNOCK: Final = Situation("knock-discard", marked("a discard in the knock game"), _PLAY, rules="knock")
SITUATIONS: Final = (
    Situation("draw", marked("the first draw of a hand"), _phase(Phase.DRAW)),
    Situation("draw-later", marked("a draw in a later turn, with a discard to take"), _may_take),
    Situation("draw-only", marked("a question with a single action"), _has_one_action, hand=2),
    Situation("claim", marked("a discard that may be claimed"), _phase(Phase.CLAIM)),
    Situation("claimed", marked("a turn after a claim, with its penalty card"), _has_claimed),
    PLAIN,
    Situation("equal-cards", marked("two equal cards in the hand"), _holds_a_pair_of_one_card, hand=5),
    Situation("two-jokers", marked("two jokers in the hand"), _holds_two_jokers, hand=5),
    Situation("lay-down", marked("a lay-down"), _can_lay_down, hand=5),
    Situation("lay-downs", marked("more lay-downs than are listed"), _can_lay_down_in_many_ways, "3"),
    Situation("lay-down-7", marked("a lay-down of the last contract"), _can_lay_down, hand=7),
    Situation("back", marked("a lay-down that may be taken back"), _can_take_back),
    Situation("lay-off", marked("a card that can be laid off"), _can(LayOff)),
    Situation("low", marked("a card for the low end of a run"), _can_lay_off_low, hand=2),
    Situation("swap", marked("a joker that a card can replace"), _can(SwapJoker), hand=3),
    Situation("move", marked("a joker that can be moved"), _can(MoveJoker), hand=3),
    Situation("melds", marked("a table with six melds"), _has_many_melds, hand=5),
    Situation("last-cards", marked("two cards left in the hand"), _holds_two_cards),
    Situation("close", marked("all cards laid"), _can_close, "7", 3, _MIXED),
    Situation("close-holding", marked("closing with cards in the hand"), _can(CloseHolding), rules="oficial+close5"),
    Situation("wild-twos", marked("red twos that are wild"), _can_lay_down_with_a_wild_two, hand=3, rules=RED_TWOS),
    Situation("shuffled", marked("discards that became the stock"), _is_shuffled, hand=7, bots=_RANDOM),
    Situation("long-hand", marked("a hand of more than 60 turns"), _is_long, hand=2, bots=_RANDOM),
    Situation("first-seat", marked("seat 1"), _at_seat(0)),
    Situation("last-seat", marked("the last seat"), _at_seat(3)),
    Situation("two-players", marked("a table of two"), _PLAY, bots=_PAIR),
    Situation("five-players", marked("a table of five by the rules “fournier”"), _PLAY, bots=_FIVE, rules="fournier"),
    Situation("six-players", marked("a table of six by the rules “fournier”"), _PLAY, bots=_SIX, rules="fournier"),
    Situation("zoliky", marked("the rules “zoliky”"), _PLAY, rules="zoliky"),
    Situation("continental-rummy", marked("the rules “continental-rummy”"), _PLAY, rules="continental-rummy"),
    Situation("knock-draw", marked("a draw in the knock game"), _phase(Phase.DRAW), rules="knock"),
    Situation("knock-take", marked("a discard to take in the knock game"), _can(DrawDiscard), rules="knock"),
    PLAIN_KNOCK,
    Situation("knock", marked("a knock"), _can(Knock), hand=2, rules="knock"),
    Situation("rummy", marked("a hand to declare in the knock game"), _can(Declare), rules="knock"),
    Situation("offer", marked("an offer to buy points off"), None, hand=4, rules="knock"),
    Situation("out", marked("a hand of the knock game after a player is out"), _somebody_is_out, hand=6, rules="knock"),
)
"""The situations, in the order in which bots are put into them."""
