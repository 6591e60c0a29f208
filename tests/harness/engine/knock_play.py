"""Random play of knock hands: check everything at every state, and count what happened."""

import re
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from engine.actions import Action, Declare, Discard, Knock, parse_action
from engine.cards import FACES, JOKER, cards_text
from engine.deal import Deal, pack_cards
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.scoring import HandResult
from tests.harness.engine.attempted_actions import NO_CARD
from tests.harness.engine.built_hands import hide
from tests.harness.engine.contract_play import check_record, raised
from tests.harness.engine.knock_positions import KNOCK
from tests.harness.engine.occurrences import refusal_stem
from tests.harness.engine.positions import snapshot
from tests.oracles.engine import brute_knock
from tests.oracles.engine.bookkeeping import apply_twice, gained, in_play, piles, piles_after, whole

TURNS = 10
"""The turns after which a hand is left: by then players only draw and discard."""
CLAUSE = r"001/1\.\d+|A-\d\d[bc]?"
DECLARED = ("rummy", "color", "continental")


def everything() -> list[Action]:
    """Return every action that could be written in the knock game, and some of the other family."""
    plain = ["stock", "take", "knock", "claim", "pass", "close", *DECLARED]
    cards = [cards_text([face]) for face in range(FACES)]
    texts = plain + [f"{verb} {card}" for verb in ("discard", *DECLARED) for card in cards]
    return [parse_action(text) for text in texts]


EVERYTHING = everything()


@dataclass
class KnockHarness:
    """Play hands and count what happened, what was `refused`, and how many `actions` were taken."""

    rng: Random
    seen: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    actions: int = 0

    def play(self, hand: Hand) -> None:
        """Play the hand, as far as it goes, and then its record from where it began."""
        fresh, actions, until = hand.clone(), list[tuple[int, Action]](), hand._state.turns + TURNS
        wanted = in_play(KNOCK, len(hand.view(0).sizes), 1)
        while not hand.over and hand._state.turns < until:
            self.seen[f"phase {hand.phase.name}"] += 1
            assert sorted(whole(hand)) == wanted
            listed = self.check_listing(hand)
            self.check_now_and_then(hand, listed)
            action = self.choose(listed)
            actions.append((hand.actor, action))
            self.do(hand, action)
        assert sorted(whole(hand)) == wanted
        if hand.result is not None:
            self.finish(hand, hand.result)
        check_record(hand, fresh, actions)
        self.actions += len(actions)

    def check_listing(self, hand: Hand) -> list[Action]:
        """Check that the state is sound, something is legal, and listed actions are unique and survive as text."""
        assert hand.faults() == []
        listed = list(hand.legal)
        assert listed
        texts = [str(action) for action in listed]
        assert len(set(texts)) == len(texts)
        assert [parse_action(text) for text in texts] == listed
        return listed

    def check_now_and_then(self, hand: Hand, listed: list[Action]) -> None:
        """Check in some states only what takes too long to check in all."""
        if self.rng.random() < 0.01:
            assert {action for action in EVERYTHING if hand.is_legal(action)} == set(listed)
        if not hand.view(0).pile or self.rng.random() < 0.15:
            self.check_refusals(hand)
        if self.rng.random() < 0.04:
            self.check_hidden(hand, listed)

    def check_refusals(self, hand: Hand) -> None:
        """Check that whatever else is tried is refused with a clause and a reason, and that nothing changes."""
        before = snapshot(hand)
        for action in tried(self.rng, hand):
            why = hand.why_not(action)
            if why is not None:
                assert re.fullmatch(CLAUSE, why.clause)
                assert raised(hand, action) == f"{why.reason} [{why.clause}]"
                self.refused[refusal_stem(why.reason)] += 1
        assert snapshot(hand) == before

    def check_hidden(self, hand: Hand, listed: list[Action]) -> None:
        """Check that a seat's view and actions are the same when the cards it has not seen are exchanged."""
        for seat in range(len(hand.view(0).sizes)):
            other = hand.clone()
            hide(other, seat, self.rng)
            assert other.view(seat) == hand.view(seat)
            if seat == hand.actor:
                assert list(other.legal) == listed

    def choose(self, listed: list[Action]) -> Action:
        """Choose an action: endings rarely, so that the hand may last, but nearly every continental."""
        ends = [action for action in listed if isinstance(action, Declare | Knock)]
        best = [action for action in ends if str(action).startswith("continental")]
        if best and self.rng.random() < 0.8:
            return self.rng.choice(best)
        if ends and self.rng.random() < 0.85:
            kind = self.rng.choice(sorted({str(action).split()[0] for action in ends}))
            return self.rng.choice([action for action in ends if str(action).split()[0] == kind])
        return self.rng.choice([action for action in listed if action not in ends])

    def do(self, hand: Hand, action: Action) -> None:
        """Apply the action: cards move as it says, now and then in a copy too."""
        view = hand.view(hand.actor)
        if self.rng.random() < 0.3:
            apply_twice(hand, action)
        else:
            hand.apply(action)
        after = hand.view(view.seat)
        assert after.sizes[view.seat] - view.sizes[view.seat] == gained(action, 0)
        assert piles(after) == piles_after(view, action)
        self.seen[str(action).split()[0]] += 1
        self.seen[f"seat {view.seat} of {len(view.sizes)}"] += 1
        self.seen["reshuffle for a draw"] += after.shuffles - view.shuffles

    def finish(self, hand: Hand, result: HandResult) -> None:
        """Check that nothing is legal any more, and that the outcome is that of the second program."""
        assert list(hand.legal) == []
        self.check_refusals(hand)
        self.check_hidden(hand, [])
        self.seen["phase OVER"] += 1
        self.seen[f"{result.ending} ends" if result.ending else "void"] += 1
        self.check_result(hand, result)

    def check_result(self, hand: Hand, result: HandResult) -> None:
        """Check the points of the closer, and of one other player, against the second program, which is slow."""
        players = len(result.points)
        for seat in {result.closer, self.rng.randrange(players)} - {None}:
            text = cards_text(hand._state.hands[seat].cards())
            if seat != result.closer:
                assert result.points[seat] == brute_knock.least(text), text
            elif result.ending == "knock":
                assert result.points[seat] == brute_knock.least(text, 1) <= 5, text
            else:
                assert result.points[seat] == {"rummy": -10, "color": -25, "continental": 0}[str(result.ending)]
                assert result.jokers == (text.split().count("Jk") if result.ending == "rummy" else 0)
                assert result.ending != "rummy" or brute_knock.least(text) == 0, text


def tried(rng: Random, hand: Hand) -> list[Action]:
    """Return a few actions of every kind, legal or not."""
    held = hand.view(hand.actor).hand.cards() or (JOKER,)
    texts = ["stock", "take", "knock", *DECLARED, rng.choice(("claim", "pass", "close"))]
    texts += [f"{verb} {cards_text([rng.choice(held)])}" for verb in DECLARED]
    texts.append(f"discard {cards_text([rng.randrange(FACES)])}")
    return [*map(parse_action, texts), Discard(NO_CARD)]


def built(rng: Random, players: int) -> Deal:
    """Return a deal with hands that are nearly a color, a straight, ten of a kind or a rummy."""
    cards = pack_cards(KNOCK, players, 1)
    rng.shuffle(cards)
    held: list[tuple[int, ...]] = []
    for _ in range(players):
        chosen = likely(rng, cards)[: 10 - rng.choice((0, 0, 0, 1))]
        for face in chosen:
            cards.remove(face)
        while len(chosen) < 10:
            chosen.append(cards.pop())
        held.append(tuple(chosen))
    rng.shuffle(cards)
    return Deal(1, "", players - 1, tuple(held), None, tuple(cards), f"built {rng.random()}")


def likely(rng: Random, cards: list[int]) -> list[int]:
    """Return at most ten of the cards that have one thing in common."""
    suit, rank, low = 13 * rng.randrange(4), rng.randrange(13), rng.randrange(4)
    kind = rng.choice(("color", "color", "color", "straight", "straight", "rank", "rank", "lays", "lays", "lays"))
    if kind == "color":
        found = [face for face in cards if suit <= face < suit + 13 or face == JOKER]
    elif kind == "straight":
        found = list(dict.fromkeys(face for face in cards if suit + low <= face < suit + low + 10))
        found += [face for face in cards if face == JOKER]
    elif kind == "rank":
        found = [face for face in cards if face == JOKER or face % 13 == rank]
    elif kind == "lays":
        found = [face for face in cards if face != JOKER and face % 13 in (rank, (rank + 3) % 13, (rank + 6) % 13)]
    else:
        found = cards
    return found[:10]


def shortened(rng: Random, hand: Hand) -> Hand:
    """Return the hand at a late stage: few cards left in its stock, and one or both shuffles done."""
    state, size = hand._state, rng.choice((1, 1, 1, 2, 3))
    state.pile, state.stock, state.shuffles = state.stock[:-size], state.stock[-size:], rng.choice((0, 1, 2))
    return hand


def some_hand(seed: str, number: int) -> Hand:
    """Return the hand of that name and number: as dealt, or built, and often late."""
    rng, players = Random(f"{seed}/{number}"), 2 + number % 5
    kind = rng.random()
    if kind < 0.15:
        return KnockGame(KNOCK, players, f"{seed}/{number}").next_hand()
    if kind < 0.4:
        return shortened(rng, KnockGame(KNOCK, players, f"{seed}/{number}").next_hand())
    hand = Hand(KNOCK, built(rng, players))
    return hand if kind < 0.7 else shortened(rng, hand)


def run(actions: int, seed: str) -> KnockHarness:
    """Play hands until at least that many actions are done."""
    harness, number = KnockHarness(Random(seed)), 0
    while harness.actions < actions:
        harness.play(some_hand(seed, number))
        number += 1
    return harness
