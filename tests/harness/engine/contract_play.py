"""Random play of contract hands: check everything at every state, and count what happened."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise, takewhile
from random import Random

from engine.actions import (
    Action,
    Claim,
    Close,
    CloseHolding,
    Discard,
    DrawStock,
    LayDown,
    LayOff,
    MoveJoker,
    Pass,
    SwapJoker,
    TakeBack,
)
from engine.cards import JOKER, held_face
from engine.contract.jokers import end_card
from engine.hand import Hand
from engine.melds import Meld, fits
from engine.rules import Rules
from engine.scoring import HandResult
from engine.state import Phase
from engine.view import View
from tests.harness.engine.attempted_actions import attempts, everything, near_misses
from tests.harness.engine.built_hands import some_hand, turns_a_joker, useless
from tests.harness.engine.checked_play import CheckedPlay
from tests.harness.engine.positions import OFICIAL
from tests.oracles.engine.bookkeeping import (
    all_cards,
    barred_from_claiming,
    closing_bonus,
    hand_points,
    next_asked,
    piles,
    variants,
)

WEIGHTS = {"down": 30.0, "swap": 30.0, "move": 5.0, "off": 12.0, "close": 60.0, "back": 1.0}
"""The weight of each kind of action in a random choice; other kinds, such as a discard, have 1.5."""


@dataclass
class Harness(CheckedPlay):
    """Play contract hands until their turns are up."""

    most_listed = 40
    patient: bool = False

    def begin(self, hand: Hand) -> None:
        """Choose when play stops and whether players are patient; count the deal."""
        players = len(hand.view(0).sizes)
        self.last_turn = hand._state.turns + self.rng.choice((3, players + 2, 2 * players))
        self.patient = self.rng.random() < 0.5
        self.seen[f"{len(all_cards(hand))} cards in play"] += 1
        self.count_upcard(hand)

    def stops(self, hand: Hand) -> bool:
        """Return whether the hand is over, or its turns are up and players would only draw and discard.

        A hand with six cards or fewer in its piles is played to its end.
        """
        if hand.over or hand.phase != Phase.DRAW or hand._state.turns < self.last_turn:
            return hand.over
        return sum(piles(hand.view(0))) > 6

    def check_listing(self, hand: Hand) -> list[Action]:
        """Check that the table is sound too, and that each kind of action is listed as it is among all."""
        assert table_faults(hand) == []
        assert bool(hand.legal)
        listed = super().check_listing(hand)
        check_kinds(hand, listed)
        for action in listed:
            assert hand.is_legal(action), f"{action} is listed, but {hand.why_not(action)}"
        return listed

    def check_now_and_then(self, hand: Hand, listed: list[Action]) -> None:
        """Make, in a random part of the states, the checks that take too long to make in all."""
        view = hand.view(0)
        busy = hand.phase == Phase.PLAY
        dry = hand.phase == Phase.DRAW and view.stock + view.penalty == 0
        if dry or self.rng.random() < (0.45 if busy else 0.25):
            self.check_refusals(hand, (*attempts(self.rng, hand), *near_misses(self.rng, hand, listed)))
        if self.rng.random() < 0.05:
            self.check_hidden(hand, attempts(Random(self.rng.random()), hand))
        if self.rng.random() < (0.006 if busy else 0.002):
            self.check_listing_is_complete(hand)

    def check_listing_is_complete(self, hand: Hand) -> None:
        """Check that every action but lay-downs, which are listed last, is legal if and only if it is listed."""
        listed = set(takewhile(lambda action: not isinstance(action, LayDown), hand.legal))
        legal = {action for action in everything(self.rng, hand) if hand.is_legal(action)}
        assert legal == listed
        self.seen["complete listing"] += 1

    def choose(self, hand: Hand, listed: list[Action]) -> Action:
        """Return an action: more often a lay-down or a joker action than one that ends the turn.

        In a patient hand a player who has just laid down mostly ends the turn.
        """
        kinds: dict[str, list[Action]] = {}
        for action in listed:
            kinds.setdefault(str(action).split()[0], []).append(action)
        view, weights = hand.view(hand.actor), WEIGHTS
        if view.stock < 2:
            weights = weights | {"stock": 30.0, "claim": 20.0}
        if view.down[view.seat] and len(view.hand) < 4:
            ends_turn = self.patient and hand._state.undo_point is not None and len(view.hand) > 1
            weights = weights | ({"discard": 200.0} if ends_turn else {"off": 80.0, "discard": 0.2, "take": 8.0})
        names = list(kinds)
        verb = self.rng.choices(names, [weights.get(name, 1.5) for name in names])[0]
        action = useless(self.rng, listed) if verb == "discard" else self.rng.choice(kinds[verb])
        return longer(self.rng, hand, action) if isinstance(action, LayDown) else action

    def do(self, hand: Hand, action: Action) -> None:
        """Apply the action; check that no natural on the table moved, and who is asked next."""
        view, after = self.apply(hand, action, 0.25)
        if isinstance(action, TakeBack):
            assert shown_is_known(view, after)
        else:
            assert naturals_fixed(view.melds, after.melds)
        self.check_asked(hand, action, view, after)
        self.count(action, view, after)

    def check_asked(self, hand: Hand, action: Action, view: View, after: View) -> None:
        """Check that after a draw from the stock, and after every pass, the next player who may claim is asked."""
        if not isinstance(action, DrawStock | Pass):
            return
        discarder = hand._state.discarder
        asked = next_asked(after, view.seat, discarder)
        assert (hand.actor if hand.phase == Phase.CLAIM else None) == asked
        others = (seat for seat in range(len(view.sizes)) if seat != view.turn)
        if any(barred_from_claiming(view.rules, after, seat, discarder) for seat in others):
            self.seen["barred from claiming"] += 1

    def count(self, action: Action, view: View, after: View) -> None:
        """Count shuffles and the events that only a variant has."""
        if after.shuffles > view.shuffles:
            self.seen["reshuffle for a penalty card" if isinstance(action, Claim) else "reshuffle for a draw"] += 1
        if isinstance(action, CloseHolding):
            self.seen["close holding"] += 1
        elif isinstance(action, LayDown):
            self.seen[f"{view.contract} laid"] += 1
            self.seen["a wild two laid"] += any(face > JOKER for meld in after.melds for face in meld.cards)
        elif isinstance(action, SwapJoker):
            self.seen["a wild two exchanged"] += view.melds[action.meld].cards[action.place] > JOKER
        elif isinstance(action, MoveJoker):
            self.seen["a wild two moved"] += end_card(view.melds[action.meld], action.origin) > JOKER

    def count_upcard(self, hand: Hand) -> None:
        """Count the deal if a joker would have been its upcard and went back into the stock (003/2.11)."""
        state = hand._state
        puts_joker_back = "no-joker-upcard" in variants(state.rules) and "/hand/" in state.deal.seed
        if puts_joker_back and turns_a_joker(state.rules, state.players, state.deal.seed, state.deal.number):
            assert state.deal.upcard != JOKER
            self.seen["a joker put back"] += 1

    def finish(self, hand: Hand, result: HandResult, last: Action) -> None:
        """Check that the result follows from the table and the documents, and that after the end nothing is legal."""
        assert list(hand.legal) == []
        assert table_faults(hand) == []
        self.check_refusals(hand, attempts(self.rng, hand))
        self.check_hidden(hand, attempts(Random(self.rng.random()), hand))
        self.seen["phase OVER"] += 1
        view = hand.view(0)
        if result.closer is None:
            self.seen["void"] += 1
            assert (view.stock, view.penalty) == (0, 0)
        else:
            self.seen["closed at once" if result.at_once else "closed later"] += 1
            self.seen[f"{result.points[result.closer]} {'at once' if result.at_once else 'later'}"] += 1
            self.seen["a bonus below -10"] += result.points[result.closer] < -10
            assert (view.sizes[result.closer] > 0) == isinstance(last, CloseHolding)
            assert view.top is None or isinstance(last, Close)  # the last card lies face down (003/1.5)
        assert [seat for seat, size in enumerate(view.sizes) if size == 0 and seat != result.closer] == []
        self.check_points(hand, result, isinstance(last, Close))

    def check_points(self, hand: Hand, result: HandResult, all_placed: bool) -> None:
        """Check that the closer scores the bonus and every other player the cards that they hold."""
        view = hand.view(0)
        for seat, cards in enumerate(hand._state.hands):
            if seat == result.closer:
                expected = closing_bonus(view.rules, view.contract, result.at_once, all_placed)
            else:
                expected = hand_points(view.rules, cards)
                self.seen["counted otherwise"] += expected != hand_points(OFICIAL, cards)
            assert result.points[seat] == expected


def check_kinds(hand: Hand, listed: list[Action]) -> None:
    """Check that the list of each kind of action begins with the actions of that kind in `listed`."""
    legal = hand.legal
    for kind, actions in (
        (LayOff, legal.lay_offs()),
        (SwapJoker, legal.swaps()),
        ((Close, CloseHolding), legal.closings()),
        (Discard, legal.discards()),
    ):
        of_kind = [action for action in listed if isinstance(action, kind)]
        assert actions[: len(of_kind)] == of_kind
        assert len(actions) == len(of_kind) or len(listed) == Harness.most_listed


def run(actions: int, seed: str, rules: Rules) -> Harness:
    """Play hands until at least `actions` actions are taken; return the harness with its counts."""
    harness, number = Harness(Random(seed)), 0
    while harness.actions < actions:
        harness.play(some_hand(seed, number, rules))
        number += 1
    return harness


def table_faults(hand: Hand) -> list[str]:
    """Return the faults of melds on the table by the document, found without the engine's own checks."""
    view = hand.view(0)
    faults = [str(meld) for meld in view.melds if not (trio_is_good if meld.kind == "T" else run_is_good)(view, meld)]
    for seat, down in enumerate(view.down):
        kinds = "".join(meld.kind for meld, owner in zip(view.melds, view.owners, strict=True) if owner == seat)
        if sorted(kinds) != (sorted(view.contract) if down else []):
            faults.append(f"seat {seat} has laid {kinds}")
        if "distinct" in variants(view.rules) and alike(view, seat):
            faults.append(f"the melds of seat {seat} are alike")
    return faults


def alike(view: View, seat: int) -> bool:
    """Return whether two trios of a seat have one rank, or two of its runs one suit (003/2.5)."""
    features = [
        (meld.kind, min(face % 13 if meld.kind == "T" else face // 13 for face in meld.cards if face < JOKER))
        for meld, owner in zip(view.melds, view.owners, strict=True)
        if owner == seat and min(meld.cards) < JOKER
    ]
    return len(set(features)) < len(features)


def shown_is_known(view: View, after: View) -> bool:
    """Return whether the cards that the seat laid and took back are known to be in its hand (engine/SILENT.md, 5.3)."""
    shown = Counter(held_face(face) for meld in view.melds for face in meld.cards)
    shown -= Counter(held_face(face) for meld in after.melds for face in meld.cards)
    return shown <= Counter(after.known[after.seat])


def trio_is_good(view: View, meld: Meld) -> bool:
    """Return whether the trio has three or more cards of one rank; only in document 003 may all be jokers."""
    naturals = [face for face in meld.cards if face < JOKER]
    enough = view.rules.document == "003" or len(naturals) > 0
    return enough and len(meld.cards) >= 3 and len({face % 13 for face in naturals}) <= 1


def run_is_good(view: View, meld: Meld) -> bool:
    """Return whether the run has four or more cards of one suit in order.

    In 003 no two jokers are neighbours. Elsewhere a run has at most 13 cards, and in 002 and 004 the ace is at an end.
    """
    naturals = [(place, face) for place, face in enumerate(meld.cards) if face < JOKER]
    ring = {((face % 13) - place) % 13 for place, face in naturals}
    if len(meld.cards) < 4 or len(ring) != 1 or len({face // 13 for _, face in naturals}) != 1:
        return False
    if view.rules.document == "003":
        return not any(card >= JOKER and next_card >= JOKER for card, next_card in pairwise(meld.cards))
    round_the_corner = view.rules.document != "000" and min(ring) + len(meld.cards) > 14
    return len(meld.cards) <= 13 and not round_the_corner


def naturals_fixed(before: tuple[Meld, ...], after: tuple[Meld, ...]) -> bool:
    """Return whether every natural of `before` is still in its meld and as far from the meld's other naturals."""
    if len(after) < len(before):
        return False
    for old, new in zip(before, after, strict=False):
        if old.kind == "T":
            fixed = new.cards[: len(old.cards)] == old.cards
        else:
            fixed = any(
                all(
                    face >= JOKER or (0 <= place + shift < len(new.cards) and new.cards[place + shift] == face)
                    for place, face in enumerate(old.cards)
                )
                for shift in (-1, 0, 1)
            )
        if not fixed:
            return False
    return True


def longer(rng: Random, hand: Hand, action: LayDown) -> LayDown:
    """Return the lay-down, sometimes with longer melds, which most rule sets allow but do not list."""
    not_laid = hand.view(hand.actor).hand
    melds = list(action.melds)
    for meld in melds:
        for face in meld.cards:
            not_laid.remove(held_face(face))
    while rng.random() < 0.4 and len(not_laid):
        place, face = rng.randrange(len(melds)), rng.choice(not_laid.cards())
        longer_melds = fits(hand.view(0).rules, melds[place], face)
        if longer_melds:
            not_laid.remove(face)
            melds[place] = rng.choice(longer_melds)
    longer_action = LayDown(tuple(melds))
    return longer_action if hand.is_legal(longer_action) else action
