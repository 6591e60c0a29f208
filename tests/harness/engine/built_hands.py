"""Build hands for random play in which players hold their contracts, jokers, and cards that fit on melds.

In dealt hands players seldom lay down and almost never move a joker; in built ones they often do both.
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
    """Remove these cards from the pool and return them; None if the pool lacks one."""
    if not pool.holds(faces):
        return None
    for face in faces:
        pool.remove(face)
    return faces


def _trio(rng: Random, pool: Faces, rank: int) -> list[int] | None:
    size = rng.choice((3, 3, 4))
    return _take(pool, [JOKER if rng.random() < 0.2 else rank + 13 * rng.randrange(4) for _ in range(size)])


def _run(rng: Random, pool: Faces, suit: int) -> list[int] | None:
    """Return the cards of a run, often with a joker, with the card that it stands for, or with one card more."""
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


def _cards_with_contract(rng: Random, pool: Faces, contract: str, alike: bool) -> list[int]:
    """Return cards with the melds of the contract, if found; `alike` melds are all of one rank or suit."""
    cards: list[int] = []
    rank, suit = rng.randrange(13), rng.randrange(4)
    for kind in contract:
        for _ in range(30):
            if not alike:
                rank, suit = rng.randrange(13), rng.randrange(4)
            meld = _trio(rng, pool, rank) if kind == "T" else _run(rng, pool, suit)
            if meld is not None:
                cards += meld
                break
    for _ in range(rng.choice((0, 0, 0, 1, 2)) if cards else 5):
        cards += _take(pool, [rng.choice(pool.cards())]) or []
    return cards


def some_hand(name: str, number: int, rules: Rules) -> Hand:
    """Return hand `number` of the series `name`: as dealt, or built and then often late, with little to draw.

    In some hands all players have laid down. The numbers go through all sizes of table and all contracts.
    """
    rng = Random(f"{name}/{number}")
    least, sizes = rules.players.least, rules.players.most - rules.players.least + 1
    players, contracts, draw = least + number % sizes, _contracts(rules), rng.random()
    contract = contracts[number // sizes % len(contracts)]
    if draw < 0.06 or (draw > 0.8 and rules.contracts.stock.upcard == "no joker"):
        return _dealt(rng, players, rules, contract)
    hand = _new_hand(rng, players, rules, contract)
    if draw < 0.26:
        holder = rng.randrange(players)
        _let_seats_lay_down(rng, hand, (holder,))
        if hand._state.down[holder]:
            _give_stocks_to(rng, hand, holder)
            return hand
    elif draw < 0.82:
        _let_seats_lay_down(rng, hand, range(players))
        _hold_fitting_cards(rng, hand)
    if draw < 0.98:
        _make_late(rng, hand)
    return hand


def _contracts(rules: Rules) -> list[int]:
    """Return the numbers of the hands; those that only a variant has, or treats differently, occur six times."""
    numbers = list(range(1, len(rules.contracts.hands.order) + 1))
    of_variant = [number for number in numbers if len(rules.contracts.hands.order[number - 1][0]) not in (2, 3)]
    last = numbers[-1:] if rules.contracts.closing.only_same_turn == "last hand" else []
    return [*numbers, *of_variant * 5, *last * 5]


def _dealt(rng: Random, players: int, rules: Rules, number: int) -> Hand:
    """Return a hand as dealt; where a joker may not be the upcard, one in which a joker would be turned first."""
    seed, variant_names = f"{rng.random()}", variants(rules)
    put_back = "no-joker-upcard" in variant_names and "no-jokers" not in variant_names
    while put_back and not turns_a_joker(rules, players, f"{seed}/hand/{number}", number):
        seed = f"{rng.random()}"
    return Hand(rules, deal(rules, players, seed, number))


def turns_a_joker(rules: Rules, players: int, hand_seed: str, number: int) -> bool:
    """Return whether a joker is the first card that this deal turns, even if the rules then put it back."""
    dealt_out = players * rules.contracts.hands.order[number - 1][1]
    return shuffled_pack(rules, players, hand_seed, number)[dealt_out] == JOKER


def built_hand(seed: str, players: int, rules: Rules = OFICIAL) -> Hand:
    """Return a hand of a random contract and dealer in which most seats can lay down.

    Most hands are late ones: most of the stock lies under the top discard, and a shuffle may be used up.
    """
    rng = Random(seed)
    hand = _new_hand(rng, players, rules, rng.randrange(1, len(rules.contracts.hands.order) + 1))
    if rng.random() < 0.85:
        _make_late(rng, hand)
    return hand


def _new_hand(rng: Random, players: int, rules: Rules, number: int) -> Hand:
    pool = Faces(pack_cards(rules, players, number))
    contract = rules.contracts.hands.order[number - 1][0]
    alike_share = 0.4 if rules.contracts.laying.distinct == "yes" else 0.05
    contracts = [contract if rng.random() < 0.85 else "" for _ in range(players)]
    hands = tuple(tuple(_cards_with_contract(rng, pool, melds, rng.random() < alike_share)) for melds in contracts)
    rest = list(pool.cards())
    rng.shuffle(rest)
    if rng.random() < 0.8:  # jokers on top fit nearly everywhere: hands are closed with every card placed
        rest.sort(key=lambda face: face != JOKER)
    if rules.contracts.stock.upcard == "no joker":
        rest.insert(0, rest.pop(next(place for place, face in enumerate(rest) if face != JOKER)))
    share = rules.contracts.stock.penalty_share
    split = len(rest) - (0 if share is None else len(rest) // share)
    stocks = (tuple(rest[1:split]), f"built {rng.random()}", tuple(rest[split:]))
    built_deal = Deal(number, contract, rng.randrange(players), hands, rest[0], *stocks)
    return Hand(rules, built_deal, tuple(rng.randrange(-20, 200) for _ in range(players)))


def _let_seats_lay_down(rng: Random, hand: Hand, seats: Collection[int]) -> None:
    """Give each player two more cards and play a round in which `seats` lay down if they can; nobody closes."""
    state = hand._state
    if len(state.stock) < 4 * state.players:
        return
    for cards in state.hands:
        for _ in range(2):
            cards.add(state.stock.pop(0))
    for _ in hand.view(0).sizes:
        hand.apply(DRAW_STOCK)
        while hand.phase == Phase.CLAIM:
            hand.apply(PASS)
        size = len(hand.view(hand.actor).hand)
        lay_downs = (action for action in hand.legal if isinstance(action, LayDown))
        lay_down = next(lay_downs, None) if hand.actor in seats else None
        if lay_down is not None and sum(len(meld.cards) for meld in lay_down.melds) < size - 1:
            hand.apply(lay_down)
            _lay_off_until(hand, rng.choice((2, 2, 3, 4)))
        hand.apply(useless(rng, list(takewhile(_no_lay_down, hand.legal))))


def useless(rng: Random, listed: list[Action]) -> Discard:
    """Return a random discard, of a card that fits nowhere if there is one."""
    fitting_faces = {action.face for action in listed if isinstance(action, LayOff)}
    discards = [action for action in listed if isinstance(action, Discard)]
    return rng.choice([action for action in discards if action.face not in fitting_faces] or discards)


def _no_lay_down(action: Action) -> bool:
    return not isinstance(action, LayDown)


def _lay_off_until(hand: Hand, kept: int) -> None:
    """Lay off cards while any fits, until the player has `kept` cards."""
    while len(hand.view(hand.actor).hand) > kept:
        action = next(iter(hand.legal))
        if not isinstance(action, LayOff):
            return
        hand.apply(action)


def _hold_fitting_cards(rng: Random, hand: Hand) -> None:
    """Replace the cards of most seats that are down by one or two that fit on melds, and the upcard by another."""
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
        index = state.stock.index(fitting[-1])
        state.stock[index], state.pile[-1] = state.pile[-1], state.stock[index]


def _make_late(rng: Random, hand: Hand) -> None:
    """Make the hand a late one: most of the stock goes under the upcard, and each seat has made some claims."""
    state = hand._state
    stock_size = rng.choice((0, 0, 1, 1, 1, 1, 1, 1, 3))
    if rng.random() < 0.6:
        state.stock.sort(key=lambda face: face != JOKER)
    state.pile = [*state.stock[stock_size:], *state.pile]
    state.stock = state.stock[:stock_size]
    if state.penalty:
        penalty_size = rng.choice((0, 0, 0, 0, 0, 1, 3))
        state.pile = [*state.penalty[penalty_size:], *state.pile]
        state.penalty = state.penalty[:penalty_size]
    state.shuffles = rng.choice((0, 1))
    state.claims = tuple([rng.randrange(4) for _ in state.claims])


def _give_stocks_to(rng: Random, hand: Hand, holder: int) -> None:
    """Give the stocks and nearly all discards to `holder`, so that little or nothing is left to draw and to shuffle."""
    state = hand._state
    pile_size = rng.choice((1, 1, 1, 2, 2, 3))
    cards = [*state.stock, *state.penalty, *state.pile]
    state.stock, state.penalty, state.pile = [], [], cards[-pile_size:]
    for face in cards[:-pile_size]:
        state.hands[holder].add(face)
    state.shuffles, state.empty_draws = 0, int(pile_size == 1)


def shuffle_hidden_cards(hand: Hand, seat: int, rng: Random) -> None:
    """Shuffle among themselves all cards of the hand that the seat has not seen.

    These are the stocks, the discards under the upcard, and the other seats' cards, except those that all players know.
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
