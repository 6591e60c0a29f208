"""Random play of contract hands: check everything at every state, and count what happened."""

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice, pairwise, takewhile
from random import Random

import pytest

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
    parse_action,
)
from engine.cards import JOKER, held_face
from engine.contract.jokers import end_card
from engine.errors import IllegalAction, RecordError
from engine.hand import Hand
from engine.melds import Meld, fits
from engine.records.record import hand_record
from engine.records.replay import replay_hand
from engine.rules import Rules
from engine.scoring import HandResult
from engine.state import Phase
from engine.view import View
from tests.harness.engine.attempted_actions import attempts, everything, near_misses
from tests.harness.engine.built_hands import hide, some_hand, turns_a_joker, useless
from tests.harness.engine.occurrences import refusal_stem
from tests.harness.engine.positions import OFICIAL, snapshot
from tests.oracles.engine.bookkeeping import (
    apply_twice,
    barred_from_claiming,
    closing_bonus,
    gained,
    in_play,
    next_asked,
    piles,
    piles_after,
    variants,
    whole,
    worth,
)

LISTED = 40
"""The number of legal actions of a state that are checked: lay-downs can be very many."""
CLAUSE = r"(\d{3}/[12]\.\d+|A-\d\d[bc]?|5\.\d+)"
LIKED = {"down": 30.0, "swap": 30.0, "move": 5.0, "off": 12.0, "close": 60.0, "back": 1.0}
"""The weight of each kind of action in a random choice; all others weigh as much as a discard, 1.5."""


@dataclass
class Harness:
    """Play hands and count what happened, what was `refused`, and how many `actions` were taken."""

    rng: Random
    seen: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    actions: int = 0
    texts: dict[str, Action] = field(default_factory=dict)

    def play(self, hand: Hand) -> None:
        """Play the hand, as far as it goes, and then its record from where it began."""
        fresh = hand.clone()
        actions: list[tuple[int, Action]] = []
        view = hand.view(0)
        players = len(view.sizes)
        until, patient = hand._state.turns + self.rng.choice((3, players + 2, 2 * players)), self.rng.random() < 0.5
        wanted = in_play(view.rules, players, view.number)
        self.seen[f"{len(wanted)} cards in play"] += 1
        self.count_upcard(hand)
        while not left(hand, until):
            self.seen[f"phase {hand.phase.name}"] += 1
            assert sorted(whole(hand)) == wanted
            listed = self.check_listing(hand)
            self.check_now_and_then(hand, listed)
            action = self.choose(hand, listed, patient)
            actions.append((hand.actor, action))
            self.do(hand, action)
        assert sorted(whole(hand)) == wanted
        if hand.over:
            self.finish(hand, actions[-1][1])
        check_record(hand, fresh, actions)
        self.seen["record"] += 1
        self.actions += len(actions)

    def check_listing(self, hand: Hand) -> list[Action]:
        """Check that the state is sound and something is legal, and that listed actions are legal, unique and survive
        as text."""
        assert hand.faults() == []
        assert table_faults(hand) == []
        listed = list(islice(hand.legal, LISTED))
        assert listed
        assert bool(hand.legal)
        texts = [str(action) for action in listed]
        assert len(set(texts)) == len(texts)
        check_kinds(hand, listed)
        for action, text in zip(listed, texts, strict=True):
            assert hand.is_legal(action), f"{text} is listed, but {hand.why_not(action)}"
            self.check_text(text, action)
        return listed

    def check_text(self, text: str, action: Action) -> None:
        """Check that the text names this action and no other; a text that has been read once need not be read again."""
        if text not in self.texts:
            self.texts[text] = parse_action(text)
        assert self.texts[text] == action

    def check_now_and_then(self, hand: Hand, listed: list[Action]) -> None:
        """Check in some states only what takes too long to check in all."""
        view = hand.view(0)
        busy = hand.phase == Phase.PLAY
        dry = hand.phase == Phase.DRAW and view.stock + view.penalty == 0
        if dry or self.rng.random() < (0.45 if busy else 0.25):
            self.check_refusals(hand, listed)
        if self.rng.random() < 0.05:
            self.check_hidden(hand)
        if self.rng.random() < (0.006 if busy else 0.002):
            self.check_two_roads(hand)

    def check_refusals(self, hand: Hand, listed: list[Action]) -> None:
        """Check that whatever else is tried is refused with a clause and a reason, and that nothing changes."""
        before = snapshot(hand)
        for action in (*attempts(self.rng, hand), *near_misses(self.rng, hand, listed)):
            why = hand.why_not(action)
            if why is None:
                continue
            assert re.fullmatch(rf"{CLAUSE}(, {CLAUSE})*", why.clause)
            assert raised(hand, action) == f"{why.reason} [{why.clause}]"
            self.refused[refusal_stem(why.reason)] += 1
        assert snapshot(hand) == before

    def check_hidden(self, hand: Hand) -> None:
        """Check that a seat's view, actions and refusals are the same when the cards it has not seen are exchanged."""
        seed = self.rng.random()
        for seat in range(len(hand.view(0).sizes)):
            other = hand.clone()
            hide(other, seat, self.rng)
            assert other.view(seat) == hand.view(seat)
            if seat == hand.actor:
                assert list(islice(other.legal, LISTED)) == list(islice(hand.legal, LISTED))
                tried = attempts(Random(seed), hand)
                assert tried == attempts(Random(seed), other)
                assert [other.why_not(action) for action in tried] == [hand.why_not(action) for action in tried]

    def check_two_roads(self, hand: Hand) -> None:
        """Check that an action is legal if and only if it is listed, for every action that could be written down.

        Lay-downs, which are listed last, are left out.
        """
        listed = set(takewhile(lambda action: not isinstance(action, LayDown), hand.legal))
        legal = {action for action in everything(self.rng, hand) if hand.is_legal(action)}
        assert legal == listed
        self.seen["two roads"] += 1

    def choose(self, hand: Hand, listed: list[Action], patient: bool) -> Action:
        """Choose an action: lay-downs and joker actions are preferred to the end of the turn.

        In a patient hand a player who has just laid down ends the turn.
        """
        kinds: dict[str, list[Action]] = {}
        for action in listed:
            kinds.setdefault(str(action).split()[0], []).append(action)
        view, liked = hand.view(hand.actor), LIKED
        if view.stock < 2:
            liked = liked | {"stock": 30.0, "claim": 20.0}
        if view.down[view.seat] and len(view.hand) < 4:
            waits = patient and hand._state.undo_point is not None and len(view.hand) > 1
            liked = liked | ({"discard": 200.0} if waits else {"off": 80.0, "discard": 0.2, "take": 8.0})
        names = list(kinds)
        verb = self.rng.choices(names, [liked.get(name, 1.5) for name in names])[0]
        action = useless(self.rng, listed) if verb == "discard" else self.rng.choice(kinds[verb])
        return longer(self.rng, hand, action) if isinstance(action, LayDown) else action

    def do(self, hand: Hand, action: Action) -> None:
        """Apply the action: cards move as it says, now and then in a copy too."""
        view = hand.view(hand.actor)
        if self.rng.random() < 0.25:
            apply_twice(hand, action)
        else:
            hand.apply(action)
        after = hand.view(view.seat)
        assert after.sizes[view.seat] - view.sizes[view.seat] == gained(action, len(after.hand) - len(view.hand))
        assert piles(after) == piles_after(view, action)
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
        """Count the action, its seat, and what a variant brings to it."""
        self.seen[str(action).split()[0]] += 1
        self.seen[f"seat {view.seat} of {len(view.sizes)}"] += 1
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
        """Count a joker that would have been the first upcard, and went back into the stock (003/2.11)."""
        state = hand._state
        dealt_so = "no-joker-upcard" in variants(state.rules) and "/hand/" in state.deal.seed
        if dealt_so and turns_a_joker(state.rules, state.players, state.deal.seed, state.deal.number):
            assert state.deal.upcard != JOKER
            self.seen["a joker put back"] += 1

    def finish(self, hand: Hand, last: Action) -> None:
        """Check that the outcome follows from the table and the documents, and that nothing is legal any more."""
        result = hand.result
        assert result is not None
        assert list(hand.legal) == []
        assert table_faults(hand) == []
        self.check_refusals(hand, [])
        self.check_hidden(hand)
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
        """Check that all players score the cards that they hold, and the closer the bonus."""
        view = hand.view(0)
        for seat, cards in enumerate(hand._state.hands):
            if seat == result.closer:
                wanted = closing_bonus(view.rules, view.contract, result.at_once, all_placed)
            else:
                wanted = worth(view.rules, cards)
                self.seen["counted otherwise"] += wanted != worth(OFICIAL, cards)
            assert result.points[seat] == wanted


def check_record(hand: Hand, fresh: Hand, actions: list[tuple[int, Action]]) -> None:
    """Check that the lines of the hand lead a fresh copy to the same state, and to the same outcome if there is one."""
    result = hand.result
    written = hand_record(result or HandResult("", (), None), hand.dealer, actions)
    assert len(written.actions) == sum(not isinstance(action, Pass) for _, action in actions)
    if result is None:
        with pytest.raises(RecordError, match="stops before its end"):
            replay_hand(fresh, written, 1)
    else:
        assert replay_hand(fresh, written, 1) == result
    assert snapshot(fresh) == snapshot(hand)


def check_kinds(hand: Hand, listed: list[Action]) -> None:
    """Check that the list of each kind of action is what the whole list has of it, as far as that is checked."""
    legal = hand.legal
    for kind, actions in (
        (LayOff, legal.lay_offs()),
        (SwapJoker, legal.swaps()),
        ((Close, CloseHolding), legal.closings()),
        (Discard, legal.discards()),
    ):
        found = [action for action in listed if isinstance(action, kind)]
        assert actions[: len(found)] == found
        assert len(actions) == len(found) or len(listed) == LISTED


def run(actions: int, seed: str, rules: Rules) -> Harness:
    """Play hands until at least that many actions are done."""
    harness, number = Harness(Random(seed)), 0
    while harness.actions < actions:
        harness.play(some_hand(seed, number, rules))
        number += 1
    return harness


def left(hand: Hand, until: int) -> bool:
    """Return whether play of the hand stops here, because players would only go on drawing and discarding.

    A hand with few cards to draw and to shuffle is played to its end, which is near.
    """
    if hand.over or hand.phase != Phase.DRAW or hand._state.turns < until:
        return hand.over
    return sum(piles(hand.view(0))) > 6


def raised(hand: Hand, action: Action) -> str:
    """Return the message with which the action is refused."""
    try:
        hand.apply(action)
    except IllegalAction as error:
        return str(error)
    return "nothing"


def table_faults(hand: Hand) -> list[str]:
    """Return melds on the table that the document does not allow, found without the engine's own checks."""
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
    """Return whether two trios of a seat have one rank, or two of its runs one suit (003/2.5); jokers have neither."""
    features = [
        (meld.kind, min(face % 13 if meld.kind == "T" else face // 13 for face in meld.cards if face < JOKER))
        for meld, owner in zip(view.melds, view.owners, strict=True)
        if owner == seat and min(meld.cards) < JOKER
    ]
    return len(set(features)) < len(features)


def shown_is_known(view: View, after: View) -> bool:
    """Return whether everybody knows that this seat holds the cards that it laid and took back (section 5.3)."""
    shown = Counter(held_face(face) for meld in view.melds for face in meld.cards)
    shown -= Counter(held_face(face) for meld in after.melds for face in meld.cards)
    return shown <= Counter(after.known[after.seat])


def trio_is_good(view: View, meld: Meld) -> bool:
    """Return whether the trio has three or more cards of one rank; in document 003 jokers alone will do."""
    naturals = [face for face in meld.cards if face < JOKER]
    enough = view.rules.document == "003" or len(naturals) > 0
    return enough and len(meld.cards) >= 3 and len({face % 13 for face in naturals}) <= 1


def run_is_good(view: View, meld: Meld) -> bool:
    """Return whether the run has four or more cards of one suit in order.

    In 003 jokers stand apart; elsewhere thirteen are the most, and in 002 and 004 the ace stands at an end.
    """
    naturals = [(place, face) for place, face in enumerate(meld.cards) if face < JOKER]
    ring = {((face % 13) - place) % 13 for place, face in naturals}
    if len(meld.cards) < 4 or len(ring) != 1 or len({face // 13 for _, face in naturals}) != 1:
        return False
    if view.rules.document == "003":
        return not any(one >= JOKER and other >= JOKER for one, other in pairwise(meld.cards))
    round_the_corner = view.rules.document != "000" and min(ring) + len(meld.cards) > 14
    return len(meld.cards) <= 13 and not round_the_corner


def naturals_fixed(before: tuple[Meld, ...], after: tuple[Meld, ...]) -> bool:
    """Return whether every natural on the table lies where it lay, seen from its meld's other naturals."""
    if len(after) < len(before):
        return False
    for old, new in zip(before, after, strict=False):
        if old.kind == "T":
            same = new.cards[: len(old.cards)] == old.cards
        else:
            same = any(
                all(
                    face >= JOKER or (0 <= place + shift < len(new.cards) and new.cards[place + shift] == face)
                    for place, face in enumerate(old.cards)
                )
                for shift in (-1, 0, 1)
            )
        if not same:
            return False
    return True


def longer(rng: Random, hand: Hand, action: LayDown) -> LayDown:
    """Return the lay-down, sometimes with a longer meld: legal too in most rule sets, though not listed."""
    rest = hand.view(hand.actor).hand
    melds = list(action.melds)
    for meld in melds:
        for face in meld.cards:
            rest.remove(held_face(face))
    while rng.random() < 0.4 and len(rest):
        place, face = rng.randrange(len(melds)), rng.choice(rest.cards())
        longer_melds = fits(hand.view(0).rules, melds[place], face)
        if longer_melds:
            rest.remove(face)
            melds[place] = rng.choice(longer_melds)
    more = LayDown(tuple(melds))
    return more if hand.is_legal(more) else action
