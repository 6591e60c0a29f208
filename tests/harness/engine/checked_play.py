"""Random play of hands in which every state is checked: the checks of contract hands and of knock hands alike."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import ClassVar

import pytest

from engine.actions import Action, Pass, parse_action
from engine.errors import IllegalAction, RecordError
from engine.hand import Hand
from engine.records.record import hand_record
from engine.records.replay import replay_hand
from engine.scoring import HandResult
from engine.view import View
from tests.harness.engine.built_hands import shuffle_hidden_cards
from tests.harness.engine.occurrences import refusal_stem
from tests.harness.engine.positions import snapshot
from tests.oracles.engine.bookkeeping import all_cards, apply_twice, cards_gained, cards_in_play, piles, piles_after

CLAUSE = r"(\d{3}/[12]\.\d+|A-\d\d[bc]?|5\.\d+)"


@dataclass
class CheckedPlay(ABC):
    """Play hands; count the events `seen`, the `refused` actions by reason, and the `actions` taken."""

    rng: Random
    seen: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    actions: int = 0
    last_turn: int = 0
    texts: dict[str, Action] = field(default_factory=dict)
    most_listed: ClassVar[int | None] = None
    """The most legal actions that are checked in a state, which may have very many lay-downs; None checks all."""

    def play(self, hand: Hand) -> None:
        """Play the hand until it `stops`, and replay its record in a copy."""
        copy, actions, view = hand.clone(), list[tuple[int, Action]](), hand.view(0)
        expected = cards_in_play(view.rules, len(view.sizes), view.number)
        self.begin(hand)
        while not self.stops(hand):
            self.seen[f"phase {hand.phase.name}"] += 1
            assert sorted(all_cards(hand)) == expected
            listed = self.check_listing(hand)
            self.check_now_and_then(hand, listed)
            action = self.choose(hand, listed)
            actions.append((hand.actor, action))
            self.do(hand, action)
        assert sorted(all_cards(hand)) == expected
        if hand.result is not None:
            self.finish(hand, hand.result, actions[-1][1])
        check_record(hand, copy, actions)
        self.seen["record"] += 1
        self.actions += len(actions)

    @abstractmethod
    def begin(self, hand: Hand) -> None:
        """Prepare for a new hand."""

    @abstractmethod
    def stops(self, hand: Hand) -> bool:
        """Return whether the hand is over or its play should stop."""

    @abstractmethod
    def check_now_and_then(self, hand: Hand, listed: list[Action]) -> None:
        """Make, in a random part of the states, the checks that take too long to make in all."""

    @abstractmethod
    def choose(self, hand: Hand, listed: list[Action]) -> Action:
        """Return an action."""

    @abstractmethod
    def do(self, hand: Hand, action: Action) -> None:
        """Apply the action and check what it has changed."""

    @abstractmethod
    def finish(self, hand: Hand, result: HandResult, last: Action) -> None:
        """Check the result of a hand that is over after its last action."""

    def check_listing(self, hand: Hand) -> list[Action]:
        """Return the first legal actions; check that the state is sound, and that they are unique and survive as text.

        Each text is read once only.
        """
        assert hand.faults() == []
        listed = self.listed(hand)
        assert listed
        texts = [str(action) for action in listed]
        assert len(set(texts)) == len(texts)
        for text, action in zip(texts, listed, strict=True):
            if text not in self.texts:
                self.texts[text] = parse_action(text)
            assert self.texts[text] == action
        return listed

    def listed(self, hand: Hand) -> list[Action]:
        """Return the first legal actions."""
        return list(islice(hand.legal, self.most_listed))

    def check_refusals(self, hand: Hand, attempted: Iterable[Action]) -> None:
        """Check that attempted actions, if illegal, are refused with clause and reason, and that nothing changes."""
        before = snapshot(hand)
        for action in attempted:
            refusal = hand.why_not(action)
            if refusal is not None:
                assert re.fullmatch(rf"{CLAUSE}(, {CLAUSE})*", refusal.clause)
                assert refusal_message(hand, action) == f"{refusal.reason} [{refusal.clause}]"
                self.refused[refusal_stem(refusal.reason)] += 1
        assert snapshot(hand) == before

    def check_hidden(self, hand: Hand, attempted: Iterable[Action] = ()) -> None:
        """Check that a seat's view, actions and refusals are the same when the cards it has not seen are exchanged."""
        attempted = list(attempted)
        for seat in range(len(hand.view(0).sizes)):
            copy = hand.clone()
            shuffle_hidden_cards(copy, seat, self.rng)
            assert copy.view(seat) == hand.view(seat)
            if seat == hand.actor:
                assert self.listed(copy) == self.listed(hand)
                assert [copy.why_not(action) for action in attempted] == [hand.why_not(action) for action in attempted]

    def apply(self, hand: Hand, action: Action, twice: float) -> tuple[View, View]:
        """Apply the action, in a part `twice` of the cases in a copy too; return the actor's view before and after.

        The cards of the action have moved and no others.
        """
        view = hand.view(hand.actor)
        if self.rng.random() < twice:
            apply_twice(hand, action)
        else:
            hand.apply(action)
        after = hand.view(view.seat)
        assert after.sizes[view.seat] - view.sizes[view.seat] == cards_gained(action, len(after.hand) - len(view.hand))
        assert piles(after) == piles_after(view, action)
        self.seen[str(action).split()[0]] += 1
        self.seen[f"seat {view.seat} of {len(view.sizes)}"] += 1
        return view, after


def check_record(hand: Hand, copy: Hand, actions: list[tuple[int, Action]]) -> None:
    """Check that the record of the actions, replayed in a copy from before them, leads to the same state and result."""
    result = hand.result
    written = hand_record(result or HandResult("", (), None), hand.dealer, actions)
    assert len(written.actions) == sum(not isinstance(action, Pass) for _, action in actions)
    if result is None:
        with pytest.raises(RecordError, match="stops before its end"):
            replay_hand(copy, written, 1)
    else:
        assert replay_hand(copy, written, 1) == result
    assert snapshot(copy) == snapshot(hand)


def refusal_message(hand: Hand, action: Action) -> str:
    """Apply the action and return the message of its refusal, "nothing" if it was legal."""
    try:
        hand.apply(action)
    except IllegalAction as error:
        return str(error)
    return "nothing"
