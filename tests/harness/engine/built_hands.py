"""Hands for random play: contracts already in the cards, jokers and cards that fit beside them.

Uniform deals seldom lay down and almost never move a joker; these do both all the time.
"""

from collections.abc import Collection
from itertools import takewhile
from random import Random

from engine.actions import DRAW_STOCK, PASS, Action, Discard, LayDown, LayOff
from engine.cards import JOKER, Faces
from engine.deal import Deal, deal, pack_cards, shuffled_pack
from engine.hand import Hand
from engine.melds import fits
from engine.rules import Rules
from engine.state import Phase
from tests.harness.engine.positions import OFICIAL
from tests.oracles.engine.bookkeeping import variants


def _take(pool: Faces, faces: list[int]) -> list[int] | None:
    """Take these cards out of the pool and return them, or nothing if it lacks one."""
    if not pool.holds(faces):
        return None
    for face in faces:
        pool.remove(face)
    return faces


def _trio(rng: Random, pool: Faces, rank: int) -> list[int] | None:
    size = rng.choice((3, 3, 4))
    return _take(pool, [JOKER if rng.random() < 0.2 else rank + 13 * rng.randrange(4) for _ in range(size)])


def _run(rng: Random, pool: Faces, suit: int) -> list[int] | None:
    """Return a run, half of the time with a joker at an end or inside, and the card that the joker stands for."""
    first, start, size = 13 * suit, rng.randrange(13), rng.choice((4, 4, 4, 5, 6))
    faces = [first + (start + place) % 13 for place in range(size)]
    if rng.random() < 0.6:
        place = rng.choice((0, 0, size - 1, size - 1, rng.randrange(size)))
        replaced, faces[place] = faces[place], JOKER
        if rng.random() < 0.5:
            faces.append(replaced)
    if rng.random() < 0.5:
        faces.append(first + (start + size) % 13)
    return _take(pool, faces)


def _hand(rng: Random, pool: Faces, contract: str, alike: bool) -> list[int]:
    """Return cards that hold the contract, if a few tries find them, and up to two more; its melds may be all alike."""
    cards: list[int] = []
    rank, suit = rng.randrange(13), rng.randrange(4)
    for kind in contract:
        for _ in range(30):
            if not alike:
                rank, suit = rng.randrange(13), rng.randrange(4)
            found = _trio(rng, pool, rank) if kind == "T" else _run(rng, pool, suit)
            if found is not None:
                cards += found
                break
    for _ in range(rng.choice((0, 0, 0, 1, 2)) if cards else 5):
        cards += _take(pool, [rng.choice(pool.cards())]) or []
    return cards


def some_hand(name: str, number: int, rules: Rules) -> Hand:
    """Return the hand of that name and number: as dealt, or built and then often late, with little to draw.

    In some everybody is down. Sizes of table and contracts take their turns.
    """
    rng = Random(f"{name}/{number}")
    least, sizes = rules.players.least, rules.players.most - rules.players.least + 1
    players, contracts, kind = least + number % sizes, _contracts(rules), rng.random()
    contract = contracts[number // sizes % len(contracts)]
    if kind < 0.06 or (kind > 0.8 and rules.contracts.stock.upcard == "no joker"):
        return _dealt(rng, players, rules, contract)
    hand = _begun(rng, players, rules, contract)
    if kind < 0.26:
        rich = rng.randrange(players)
        _lay_all(rng, hand, (rich,))
        if hand._state.down[rich]:
            _hold_all(rng, hand, rich)
            return hand
    elif kind < 0.82:
        _lay_all(rng, hand, range(players))
        _trade(rng, hand)
    if kind < 0.98:
        _play_on(rng, hand)
    return hand


def _contracts(rules: Rules) -> list[int]:
    """Return the numbers of the hands; those that only a variant has, or treats differently, stand more often."""
    numbers = list(range(1, len(rules.contracts.hands.order) + 1))
    own = [number for number in numbers if len(rules.contracts.hands.order[number - 1][0]) not in (2, 3)]
    last = numbers[-1:] if rules.contracts.closing.only_same_turn == "last hand" else []
    return [*numbers, *own * 5, *last * 5]


def _dealt(rng: Random, players: int, rules: Rules, number: int) -> Hand:
    """Return a hand as dealt; where a joker may not be turned, one whose first card to turn is a joker."""
    seed, named = f"{rng.random()}", variants(rules)
    put_back = "no-joker-upcard" in named and "no-jokers" not in named
    while put_back and not turns_a_joker(rules, players, f"{seed}/hand/{number}", number):
        seed = f"{rng.random()}"
    return Hand(rules, deal(rules, players, seed, number))


def turns_a_joker(rules: Rules, players: int, hand_seed: str, number: int) -> bool:
    """Return whether the first card to turn of the hand dealt from that seed is a joker, wherever it goes then."""
    dealt_out = players * rules.contracts.hands.order[number - 1][1]
    return shuffled_pack(rules, players, hand_seed, number)[dealt_out] == JOKER


def built(seed: str, players: int, rules: Rules = OFICIAL) -> Hand:
    """Return a hand of any contract, any seat dealing, in which most seats can lay down.

    In most hands play is well under way: most of the stock lies under the top discard, and some shuffles are used.
    """
    rng = Random(seed)
    hand = _begun(rng, players, rules, rng.randrange(1, len(rules.contracts.hands.order) + 1))
    if rng.random() < 0.85:
        _play_on(rng, hand)
    return hand


def _begun(rng: Random, players: int, rules: Rules, number: int) -> Hand:
    pool = Faces(pack_cards(rules, players, number))
    contract = rules.contracts.hands.order[number - 1][0]
    often = 0.4 if rules.contracts.laying.distinct == "yes" else 0.05
    wanted = [contract if rng.random() < 0.85 else "" for _ in range(players)]
    hands = tuple(tuple(_hand(rng, pool, one, rng.random() < often)) for one in wanted)
    rest = list(pool.cards())
    rng.shuffle(rest)
    if rng.random() < 0.8:  # jokers on top fit nearly everywhere: hands are closed with every card placed
        rest.sort(key=lambda face: face != JOKER)
    if rules.contracts.stock.upcard == "no joker":
        rest.insert(0, rest.pop(next(place for place, face in enumerate(rest) if face != JOKER)))
    share = rules.contracts.stock.penalty_share
    split = len(rest) - (0 if share is None else len(rest) // share)
    stocks = (tuple(rest[1:split]), f"built {rng.random()}", tuple(rest[split:]))
    deal_so = Deal(number, contract, rng.randrange(players), hands, rest[0], *stocks)
    return Hand(rules, deal_so, tuple(rng.randrange(-20, 200) for _ in range(players)))


def _lay_all(rng: Random, hand: Hand, seats: Collection[int]) -> None:
    """Play a round, with two more cards for each, in which these seats lay down if they can; nobody closes."""
    state = hand._state
    if len(state.stock) < 4 * state.players:
        return
    for held_now in state.hands:
        for _ in range(2):
            held_now.add(state.stock.pop(0))
    for _ in hand.view(0).sizes:
        hand.apply(DRAW_STOCK)
        while hand.phase == Phase.CLAIM:
            hand.apply(PASS)
        held = len(hand.view(hand.actor).hand)
        lay_downs = (action for action in hand.legal if isinstance(action, LayDown))
        down = next(lay_downs, None) if hand.actor in seats else None
        if down is not None and sum(len(meld.cards) for meld in down.melds) < held - 1:
            hand.apply(down)
            _lay_off_to(hand, rng.choice((2, 2, 3, 4)))
        hand.apply(useless(rng, list(takewhile(_no_lay_down, hand.legal))))


def useless(rng: Random, listed: list[Action]) -> Discard:
    """Return the discard of a card that fits nowhere, if there is one."""
    fitting = {action.face for action in listed if isinstance(action, LayOff)}
    thrown = [action for action in listed if isinstance(action, Discard)]
    return rng.choice([action for action in thrown if action.face not in fitting] or thrown)


def _no_lay_down(action: Action) -> bool:
    return not isinstance(action, LayDown)


def _lay_off_to(hand: Hand, kept: int) -> None:
    """Lay off while cards fit, and keep that many."""
    while len(hand.view(hand.actor).hand) > kept:
        action = next(iter(hand.legal))
        if not isinstance(action, LayOff):
            return
        hand.apply(action)


def _trade(rng: Random, hand: Hand) -> None:
    """Give most who are down one or two cards that fit on the table, for all that they hold; one more lies open."""
    state = hand._state
    fitting = [face for face in state.stock if any(fits(state.rules, meld, face) for meld in state.melds)]
    rng.shuffle(fitting)
    for seat, held in enumerate(state.hands):
        if state.down[seat] and len(fitting) > 2 and rng.random() < 0.9:
            chosen = [fitting.pop() for _ in range(rng.choice((1, 1, 1, 2)))]
            for face in chosen:
                state.stock.remove(face)
            state.stock = [*held.cards(), *state.stock]
            state.hands[seat] = Faces(chosen)
    if fitting:
        place = state.stock.index(fitting[-1])
        state.stock[place], state.pile[-1] = state.pile[-1], state.stock[place]


def _play_on(rng: Random, hand: Hand) -> None:
    """Put most of the stock under the first upcard, as if it had been drawn and discarded, and count some claims."""
    state = hand._state
    left = rng.choice((0, 0, 1, 1, 1, 1, 1, 1, 3))
    if rng.random() < 0.6:
        state.stock.sort(key=lambda face: face != JOKER)
    state.pile = [*state.stock[left:], *state.pile]
    state.stock = state.stock[:left]
    if state.penalty:
        fewer = rng.choice((0, 0, 0, 0, 0, 1, 3))
        state.pile = [*state.penalty[fewer:], *state.pile]
        state.penalty = state.penalty[:fewer]
    state.shuffles = rng.choice((0, 1))
    state.claims = tuple([rng.randrange(4) for _ in state.claims])


def _hold_all(rng: Random, hand: Hand, rich: int) -> None:
    """Give the stocks and nearly all discards to that seat: little or nothing is left to draw and to shuffle."""
    state = hand._state
    left = rng.choice((1, 1, 1, 2, 2, 3))
    cards = [*state.stock, *state.penalty, *state.pile]
    state.stock, state.penalty, state.pile = [], [], cards[-left:]
    for face in cards[:-left]:
        state.hands[rich].add(face)
    state.shuffles, state.empty_draws = 0, int(left == 1)


def hide(hand: Hand, seat: int, rng: Random) -> None:
    """Exchange, in this copy, all cards that the seat has not seen.

    Those are the stocks, the discards under the open one, and the other hands without the cards that everybody saw
    enter them.
    """
    state = hand._state
    covered = state.pile if state.visible_discard() is None else state.pile[:-1]
    unseen = [*state.stock, *state.penalty, *covered]
    sizes: dict[int, int] = {}
    for other, cards in enumerate(state.hands):
        if other != seat:
            rest = cards.copy()
            for face in state.known[other]:
                rest.remove(face)
            sizes[other] = len(rest)
            unseen += rest.cards()
    rng.shuffle(unseen)
    for other, size in sizes.items():
        state.hands[other] = Faces([*state.known[other], *unseen[:size]])
        del unseen[:size]
    for pile, size in (
        (state.stock, len(state.stock)),
        (state.penalty, len(state.penalty)),
        (state.pile, len(covered)),
    ):
        pile[:size] = unseen[:size]
        del unseen[:size]
