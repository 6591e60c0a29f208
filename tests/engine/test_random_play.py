"""Random play over every rule set, variant and contract, two to eight players, everything checked at every state.

Fails when, under the official rules, any kind of act, phase, refusal or reshuffle occurred fewer than 200 times.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice, pairwise
from random import Random

import pytest

from engine.actions import (
    Action,
    Claim,
    CloseHolding,
    Discard,
    LayDown,
    LayOff,
    MoveJoker,
    Pass,
    SwapJoker,
    TakeBack,
    parse_action,
)
from engine.cards import JOKER, Faces, held_face
from engine.errors import IllegalAction, RecordError
from engine.hand import Hand
from engine.melds import Meld, fits
from engine.record import hand_record
from engine.replay import replay_hand
from engine.rules import Rules, load_rules, variants_of
from engine.scoring import HandResult
from engine.state import Phase
from engine.view import View
from tests.engine.attempts import attempts, everything
from tests.engine.dealing import built
from tests.engine.rule_texts import pairs
from tests.engine.table import OFICIAL, play, position, snapshot

TURNS = (4, 8)
"""A hand is left after so many turns: what is played on and on is only drawn and thrown."""
LISTED = 50
"""Of the legal acts of a state, so many are looked at: lay-downs can be very many."""
SEEN = 200
"""How often each kind of thing must have happened."""

VERBS = ("stock", "take", "claim", "pass", "down", "back", "off", "swap", "move", "discard", "close")
REFUSALS = (
    "a turn begins by drawing",
    "out of turn one may only claim",
    "the card of this turn has been drawn",
    "is not in the hand",
    "one closes when every card has been placed",
    "only who has laid down may touch",
    "one lays down once in a hand",
    "the contract is",
    "a trio has at least",
    "the cards of a trio are of one rank",
    "a run has at least",
    "a run needs 1 cards besides jokers",
    "the cards of a run are of one suit",
    "two jokers of a run may not stand side by side",
    "the cards of a run follow one another",
    "not all of these cards are in the hand",
    "there is no meld",
    "a joker does not fit there on",
    "does not fit there on",
    "a joker is exchanged for a natural card",
    "there is no such meld",
    "no joker there stands for",
    "a joker from a run goes to a run",
    "a joker stays in the runs of the player",
    "only a joker at the end of a run",
    "the joker is there already",
    "the run must keep at least",
    "the table has looked like that",
    "a lay-down can be taken back in its own turn only",
    "nobody closes with cards in the hand",
    "the hand is over",
)
OUTCOMES = ("closed at once", "closed later", "void")
RESHUFFLES = ("reshuffle for a draw", "reshuffle for a penalty card")
HANDS = 1200

CLAUSE = r"(\d{3}/[12]\.\d+|A-\d\d[bc]?|5\.\d+)"


@dataclass
class Harness:
    """Plays hands and counts what happened."""

    rng: Random
    seen: Counter[str] = field(default_factory=Counter)

    def play(self, hand: Hand, fresh: Hand) -> None:
        """Plays the hand, as far as it goes, and the record of it on the fresh copy."""
        acts: list[tuple[int, Action]] = []
        turns = self.rng.choice(TURNS)
        while not hand.over and (hand._state.turns <= turns or hand.phase != Phase.DRAW):
            self.seen[f"phase {hand.phase.name}"] += 1
            listed = self.check_listing(hand)
            rare = hand.phase == Phase.PLAY and len(hand.view(0).melds) > 0
            if rare or self.rng.random() < 0.1:
                self.check_refusals(hand)
            if self.rng.random() < 0.05:
                self.check_hidden(hand)
            if self.rng.random() < (0.02 if rare else 0.003):
                self.check_two_roads(hand)
            act = self.choose(hand, listed)
            acts.append((hand.actor, act))
            self.do(hand, act)
        if hand.over:
            self.finish(hand)
        self.check_record(hand, fresh, acts)

    def check_listing(self, hand: Hand) -> list[Action]:
        """The state is sound and something is legal; what is listed is legal, unique, and survives its text."""
        assert hand.faults() == []
        assert table_faults(hand) == []
        listed = list(islice(hand.legal, LISTED))
        assert listed
        assert bool(hand.legal)
        texts = [str(act) for act in listed]
        assert len(set(texts)) == len(texts)
        for act, text in zip(listed, texts, strict=True):
            assert hand.is_legal(act), f"{text} is listed, but {hand.why_not(act)}"
            assert parse_action(text) == act
        return listed

    def check_refusals(self, hand: Hand) -> None:
        """Whatever else is tried is refused with a clause and a reason, and nothing changes."""
        before = snapshot(hand)
        for act in attempts(self.rng, hand):
            why = hand.why_not(act)
            if why is None:
                continue
            assert re.fullmatch(rf"{CLAUSE}(, {CLAUSE})*", why.clause)
            assert raised(hand, act) == f"{why.reason} [{why.clause}]"
            self.seen[next((stem for stem in REFUSALS if stem in why.reason), why.reason)] += 1
        assert snapshot(hand) == before

    def check_hidden(self, hand: Hand) -> None:
        """With the cards that a seat has not seen exchanged among themselves, its view and its acts are the same."""
        for seat in range(len(hand.view(0).sizes)):
            other = hand.clone()
            hide(other, seat, self.rng)
            assert other.view(seat) == hand.view(seat)
            if seat == hand.actor:
                assert list(islice(other.legal, LISTED)) == list(islice(hand.legal, LISTED))

    def check_two_roads(self, hand: Hand) -> None:
        """Of every act that could be written down, but lay-downs, those are legal that are listed."""
        listed = {act for act in hand.legal if not isinstance(act, LayDown)} if hand.phase != Phase.OVER else set()
        legal = {act for act in everything(self.rng, hand) if hand.is_legal(act)}
        assert legal == listed
        self.seen["two roads"] += 1

    def choose(self, hand: Hand, listed: list[Action]) -> Action:
        """An act: lay-downs and joker acts are liked, the end of the turn is not."""
        kinds: dict[str, list[Action]] = {}
        for act in listed:
            kinds.setdefault(str(act).split()[0], []).append(act)
        liked = {"down": 30.0, "swap": 9.0, "move": 3.0, "off": 8.0, "close": 40.0, "back": 1.0}
        if hand.view(0).stock < 2:
            liked |= {"stock": 12.0, "claim": 0.5}
        names = list(kinds)
        verb = self.rng.choices(names, [liked.get(name, 1.5) for name in names])[0]
        act = self.rng.choice(kinds[verb])
        return longer(self.rng, hand, act) if isinstance(act, LayDown) else act

    def do(self, hand: Hand, act: Action) -> None:
        """Does the act: a copy does the same, without touching the first; cards move as the act says."""
        copy, before = hand.clone(), snapshot(hand)
        assert snapshot(copy) == before
        view = hand.view(hand.actor)
        copy.apply(act)
        assert snapshot(hand) == before
        hand.apply(act)
        assert snapshot(hand) == snapshot(copy)
        self.seen[str(act).split()[0]] += 1
        after = hand.view(view.seat)
        assert after.sizes[view.seat] - view.sizes[view.seat] == gained(act, len(after.hand) - len(view.hand))
        assert naturals_fixed(view.melds, after.melds) or isinstance(act, TakeBack)
        if after.shuffles > view.shuffles:
            self.seen["reshuffle for a penalty card" if isinstance(act, Claim) else "reshuffle for a draw"] += 1

    def finish(self, hand: Hand) -> None:
        """The outcome is as the table shows it, and nothing is legal any more."""
        result = hand.result
        assert result is not None
        assert list(hand.legal) == []
        self.check_refusals(hand)
        self.seen["phase OVER"] += 1
        view = hand.view(0)
        if result.closer is None:
            self.seen["void"] += 1
            assert (view.stock, view.penalty) == (0, 0)
        else:
            if view.rules.contracts.closing.held is None:
                assert view.sizes[result.closer] == 0
            if view.rules is OFICIAL:
                assert result.points[result.closer] == (-10 if result.at_once else 0)
            assert result.points[result.closer] <= 0
            self.seen["closed at once" if result.at_once else "closed later"] += 1
        assert [seat for seat, size in enumerate(view.sizes) if size == 0] in ([], [result.closer])

    def check_record(self, hand: Hand, fresh: Hand, acts: list[tuple[int, Action]]) -> None:
        """The lines of the hand lead a fresh copy to the same state, and to the same outcome if there is one."""
        result = hand.result
        written = hand_record(result or HandResult("", (), None), hand.dealer, acts)
        assert len(written.acts) == sum(not isinstance(act, Pass) for _, act in acts)
        if result is None:
            with pytest.raises(RecordError, match="stops before its end"):
                replay_hand(fresh, written, 1)
        else:
            assert replay_hand(fresh, written, 1) == result
        assert snapshot(fresh) == snapshot(hand)
        self.seen["record"] += 1


def raised(hand: Hand, act: Action) -> str:
    """What the act is refused with."""
    try:
        hand.apply(act)
    except IllegalAction as error:
        return str(error)
    return "nothing"


def table_faults(hand: Hand) -> list[str]:
    """Melds on the table that the document does not allow, found without the engine's own eyes."""
    view = hand.view(0)
    faults = [str(meld) for meld in view.melds if not (trio_is_good if meld.kind == "T" else run_is_good)(view, meld)]
    for seat, down in enumerate(view.down):
        kinds = "".join(meld.kind for meld, owner in zip(view.melds, view.owners, strict=True) if owner == seat)
        if sorted(kinds) != (sorted(view.contract) if down else []):
            faults.append(f"seat {seat} has laid {kinds}")
    return faults


def trio_is_good(view: View, meld: Meld) -> bool:
    """Three or more of one rank; in document 003 jokers alone will do."""
    naturals = [face for face in meld.cards if face < JOKER]
    enough = view.rules.document == "003" or len(naturals) > 0
    return enough and len(meld.cards) >= 3 and len({face % 13 for face in naturals}) <= 1


def run_is_good(view: View, meld: Meld) -> bool:
    """Four or more of one suit in order. In 003 jokers stand apart; elsewhere thirteen are the most, and in 002 and
    004 the ace stands at an end."""
    naturals = [(place, face) for place, face in enumerate(meld.cards) if face < JOKER]
    ring = {((face % 13) - place) % 13 for place, face in naturals}
    if len(meld.cards) < 4 or len(ring) != 1 or len({face // 13 for _, face in naturals}) != 1:
        return False
    if view.rules.document == "003":
        return not any(one >= JOKER and other >= JOKER for one, other in pairwise(meld.cards))
    round_the_corner = view.rules.document != "000" and min(ring) + len(meld.cards) > 14
    return len(meld.cards) <= 13 and not round_the_corner


def naturals_fixed(before: tuple[Meld, ...], after: tuple[Meld, ...]) -> bool:
    """Whether every natural on the table lies where it lay, seen from its meld's other naturals."""
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


def gained(act: Action, back: int) -> int:
    """How many cards the act brings to the hand of who acts."""
    if isinstance(act, LayDown):
        return -sum(len(meld.cards) for meld in act.melds)
    if isinstance(act, TakeBack):
        return back
    if isinstance(act, CloseHolding):
        return -1
    return {"stock": 1, "take": 1, "claim": 2, "off": -1, "swap": -1, "discard": -1}.get(str(act).split()[0], 0)


def longer(rng: Random, hand: Hand, act: LayDown) -> LayDown:
    """The lay-down, sometimes with a longer meld: legal too in most rule sets, though not listed."""
    rest = hand.view(hand.actor).hand
    melds = list(act.melds)
    for meld in melds:
        for face in meld.cards:
            rest.remove(held_face(face))
    while rng.random() < 0.4 and len(rest):
        place, face = rng.randrange(len(melds)), rng.choice(rest.cards())
        ways = fits(hand.view(0).rules, melds[place], face)
        if ways:
            rest.remove(face)
            melds[place] = rng.choice(ways)
    more = LayDown(tuple(melds))
    return more if hand.is_legal(more) else act


def hide(hand: Hand, seat: int, rng: Random) -> None:
    """Exchanges, in this copy, all cards that the seat has not seen."""
    state = hand._state
    places: list[int] = []
    unseen = [*state.stock, *state.penalty, *state.pile[:-1]]
    for other, cards in enumerate(state.hands):
        rest = cards.copy()
        for face in state.known[other]:
            rest.remove(face)
        places.append(0 if other == seat else len(rest))
        unseen += [] if other == seat else rest.cards()
    rng.shuffle(unseen)
    for other, number in enumerate(places):
        if other != seat:
            state.hands[other] = Faces([*state.known[other], *unseen[:number]])
            del unseen[:number]
    for pile in (state.stock, state.penalty):
        pile[:] = unseen[: len(pile)]
        del unseen[: len(pile)]
    state.pile[:-1] = unseen


def run(hands: int, seed: str, rules: Rules = OFICIAL) -> Counter[str]:
    """Plays so many hands; what happened."""
    harness, least = Harness(Random(seed)), rules.players.least
    for number in range(hands):
        players = least + number % (rules.players.most - least + 1)
        name = f"{seed}/{number}"
        harness.play(built(name, players, rules), built(name, players, rules))
    return harness.seen


def assert_seen(seen: Counter[str], least: int) -> None:
    """Every kind of act, phase, refusal and outcome happened so often, and no refusal is missing from the list."""
    wanted = [*VERBS, *(f"phase {phase.name}" for phase in Phase), *REFUSALS, *RESHUFFLES]
    rare = {name: seen[name] for name in wanted if seen[name] < least}
    rare |= {name: seen[name] for name in OUTCOMES if seen[name] < least // 4}
    assert rare == {}
    assert set(seen) - set(wanted) - set(OUTCOMES) == {"two roads", "record"}


def test_random_play_holds_in_every_state() -> None:
    """Cards conserved, acts listed and legal alike, texts unique, copies equal, views tight, records replayed."""
    assert_seen(run(HANDS, "random play"), SEEN)


OTHERS = [
    *("fournier", "continental-rummy", "zoliky"),
    *(f"{base}+{name}" for base in ("oficial", "fournier") for name in variants_of(base)),
    *("oficial+close5+only-minus10", "oficial+red-twos+distinct", "oficial+super+openers+red-twos"),
    *("oficial+no-joker-discard+no-own-claim+claims3", "oficial+red-twos+two-jokers+last-minus10"),
]
"""Every other rule set of contracts, every variant, and combinations that meet in one mechanic."""
NEVER = {
    "continental-rummy": set(),
    "fournier": {"move"},
    "fournier+extended": {"move"},
    "zoliky": {"claim", "pass", "swap", "move"},
    "oficial+no-jokers": {"swap", "move"},
}
"""Acts that the rule set does not have; all others must happen."""


def play_others(name: str, hands: int) -> None:
    seen = run(hands, f"others {name}", load_rules(name))
    never = NEVER.get(name, set())
    assert {verb for verb in VERBS if not seen[verb]} == never
    assert seen["closed at once"] or seen["closed later"]


@pytest.mark.parametrize("name", OTHERS)
def test_random_play_holds_under_every_rule_set_and_variant(name: str) -> None:
    """The same in small, and every act that the rules have happens."""
    play_others(name, 30)


@pytest.mark.soak
@pytest.mark.parametrize("name", OTHERS)
def test_random_play_under_every_rule_set_and_variant_for_long(name: str) -> None:
    """The same in large."""
    play_others(name, HANDS)


@pytest.mark.soak
@pytest.mark.parametrize("name", pairs())
def test_random_play_under_every_pair_of_variants(name: str) -> None:
    """Whatever two variants make of each other, every state holds."""
    assert run(50, f"pairs {name}", load_rules(name))["record"] == 50


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_random_play_for_long(part: int) -> None:
    """The same over forty times as many hands."""
    assert_seen(run(2 * HANDS, f"soak {part}"), SEEN)


def test_the_harness_finds_a_lost_card() -> None:
    """A state that lost a card, or knows too much, is reported."""
    hand = built("lost", 2)
    assert hand.faults() == []
    hand._state.stock.pop()
    assert hand.faults() != []
    hand = built("known", 2)
    hand._state.known[0].add(next(face for face in range(52) if face not in hand._state.hands[0]))
    assert hand.faults() != []


def test_the_harness_finds_a_leak() -> None:
    """A view that depended on a hidden card would differ once the hidden cards are exchanged."""
    hand, rng = built("leak", 3), Random("leak")
    differ = 0
    for _ in range(20):
        other = hand.clone()
        hide(other, 0, rng)
        differ += snapshot(other) != snapshot(hand) and other.view(1) != hand.view(1)
        assert sorted(whole(other)) == sorted(whole(hand))
    assert differ == 20


def whole(hand: Hand) -> list[int]:
    """Every card in hands, stock, pile and melds."""
    state = hand._state
    cards = [*state.stock, *state.penalty, *state.pile]
    for held in state.hands:
        cards += held.cards()
    for meld in state.melds:
        cards += map(held_face, meld.cards)
    return cards


def test_acts_that_no_text_can_write_are_refused() -> None:
    """Places below the first meld or the first card, ends that are none, faces that are none."""
    hand = position("EE", ["5h 6h 7h Jk Jk Ts Js Qs 9s 4h 8h Ks", "Ah"])
    play(hand, "A take; A down E: 5h 6h 7h Jk / E: Jk Ts Js Qs")
    odd: list[Action] = [MoveJoker(-1, 0, -1, 1), MoveJoker(-2, 1, -2, 0), MoveJoker(0, 1, -2, 0)]
    odd += [MoveJoker(0, 2, 0, 0), MoveJoker(0, 1, 0, 2), MoveJoker(0, -1, 0, 0)]
    for face in (*hand.view(0).hand.distinct(), -1, 53, 104):
        for end in (-1, 2):
            odd += [LayOff(face, 0, end), LayOff(face, 1, end), SwapJoker(face, 0, 3, 0, end)]
        for low in (-1, -2):
            odd += [LayOff(face, low, 0), LayOff(face, low, 1), SwapJoker(face, low, 3, 0), SwapJoker(face, 0, 3, low)]
            odd += [SwapJoker(face, 0, low, 0), SwapJoker(face, 1, -4, 0)]
    odd += [Discard(face) for face in (-1, -10, 53, 104)]
    odd += [LayDown(()), LayDown((Meld("T", (-1, -1, -1)), Meld("T", (99, 99, 99))))]
    before = snapshot(hand)
    for act in odd:
        assert not hand.is_legal(act), act
        assert raised(hand, act) != "nothing"
    assert snapshot(hand) == before
