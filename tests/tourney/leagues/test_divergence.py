"""Tests of divergences of two games with the same cards, against lists of all actions, passes and declines included."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

import pytest

from engine.actions import Action, Answer
from engine.bots import make_bot
from engine.games.contract_game import ContractGame
from engine.games.knock_game import KnockGame, Offer
from engine.hand import Legal
from engine.play import play_hand
from engine.records.record import HandRecord, Record, hand_record
from engine.rules import load_rules
from engine.seeds import Stream
from engine.view import View
from tourney.league.divergence import Divergence, divergences

Actions = list[tuple[int, Action | Answer]]


class ErraticBot:
    """A greedy bot that is random in one choice of a hundred, and in one buy of two."""

    def __init__(self, seed: str) -> None:
        self._greedy, self._random, self._stream = make_bot("greedy", seed), make_bot("random", seed), Stream(seed)

    def choose(self, view: View, legal: Legal) -> Action:
        """Return a greedy action, or a random one in one choice of a hundred."""
        return (self._greedy if self._stream.below(100) else self._random).choose(view, legal)

    def answer(self, offer: Offer) -> Answer:
        """Return a greedy answer, or a random one in one buy of two."""
        return (self._greedy if self._stream.below(2) else self._random).answer(offer)


def played(rules_id: str, seats: int, seed: str, bot_seed: str) -> tuple[Record, list[Actions]]:
    """Play a game of erratic bots; return its record, and for each hand all actions with their seats."""
    rules = load_rules(rules_id)
    knock = rules.kind == "knock"
    game = KnockGame(rules, seats, seed, 100) if knock else ContractGame(rules, seats, seed)
    bots = [ErraticBot(f"{bot_seed}/{seat}") for seat in range(seats)]
    whole: list[Actions] = []
    hands: list[HandRecord] = []
    while not game.over:
        hand, actions = game.next_hand(), Actions()
        game.add_result(play_hand(hand, bots, actions))
        if isinstance(game, KnockGame):
            while (offer := game.offer) is not None:
                answer = bots[offer.seat].answer(offer)
                game.answer(answer)
                actions.append((offer.seat, answer))
        whole.append(actions)
        hands.append(hand_record(game.results[-1], hand.dealer, actions))
    result = game.result()
    names = tuple("ABCDEFGH"[:seats])
    record = Record(rules.id, rules.digest, 1, names, seed, result.points, result.places, tuple(hands))
    return record, whole


def expected_divergences(one: list[Actions], other: list[Actions]) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """Yield for every different hand its number, the seat that decided, and both actions."""
    for number, (actions, other_actions) in enumerate(zip(one, other, strict=False), 1):
        for (seat, action), (other_seat, other_action) in zip(actions, other_actions, strict=False):
            if str(action) != str(other_action):
                assert seat == other_seat
                yield number, seat, (str(action), str(other_action))
                break


TABLES = [("oficial", 4), ("oficial", 3), ("zoliky", 4), ("continental-rummy", 5), ("knock", 4), ("knock", 6)]


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_games_diverge_at_the_first_different_action(rules: str, seats: int) -> None:
    """Four games of a deal are compared, each with the one before, action by action."""
    plays = [played(rules, seats, "deal", f"way {number}") for number in range(4)]
    for (record, actions), (other_record, other_actions) in pairwise(plays):
        expected = list(islice(expected_divergences(actions, other_actions), 1 if rules == "knock" else None))
        found_divergences = divergences(record, other_record)
        assert [(divergence.hand, divergence.seat, divergence.actions) for divergence in found_divergences] == expected
        for divergence in found_divergences:
            first, second = record.hands[divergence.hand - 1], other_record.hands[divergence.hand - 1]
            assert divergence.points == (first.points, second.points)
            assert first.actions[: divergence.step - 1] == second.actions[: divergence.step - 1]


DEAL = Record("oficial", "d", 1, ("A", "B", "C", "D"), "s", (0,) * 4, (1,) * 4, ())


def hand(*actions: str, points: tuple[int, ...] = (0, 0, 0, 0), contract: str = "TT", dealer: int = 0) -> HandRecord:
    """Return a hand with these actions; seats count from 1 in actions, and from 0 elsewhere."""
    return HandRecord(contract, dealer, points, 0, False, actions)


@pytest.mark.parametrize(
    ("one", "other", "seat", "actions"),
    [
        pytest.param("2 discard Kh", "2 discard 9c", 1, ("discard Kh", "discard 9c"), id="two discards"),
        pytest.param("3 claim", "2 discard Kh", 2, ("claim", "pass"), id="a claim, or none"),
        pytest.param("2 discard Kh", "1 claim", 0, ("pass", "claim"), id="none, or a claim"),
        pytest.param("4 claim", "1 claim", 3, ("claim", "pass"), id="two claims: who is asked first after seat 2"),
        pytest.param("1 claim", "3 claim", 2, ("pass", "claim"), id="two claims, exchanged"),
    ],
)
def test_the_decision_belongs_to_the_seat_that_was_asked_first(
    one: str, other: str, seat: int, actions: tuple[str, str]
) -> None:
    """Seat 2 has drawn, then seats 3, 4 and 1 are asked whether they claim (1.6); the second hands are equal."""
    same = hand("3 stock", "3 discard 2c", contract="TE")
    points = (10, 0, 3, 4), (0, 7, 3, 9)
    first = replace(DEAL, hands=(hand("2 stock", one, points=points[0]), same))
    second = replace(DEAL, hands=(hand("2 stock", other, points=points[1]), same))
    assert divergences(first, second) == (Divergence(1, "TT", 2, seat, actions, points),)


@pytest.mark.parametrize(
    ("one", "other", "seat", "actions"),
    [
        pytest.param(("3 buy",), (), 2, ("buy", "decline"), id="a buy, or none"),
        pytest.param(
            ("2 buy",), ("4 buy",), 3, ("decline", "buy"), id="two buys: who sits nearer at the dealer's left"
        ),
    ],
)
def test_buys_are_offered_from_the_left_of_the_dealer(
    one: tuple[str, ...], other: tuple[str, ...], seat: int, actions: tuple[str, str]
) -> None:
    """Seat 3 has dealt, so seats 4, 1, 2 and 3 are asked. The next hands differ as a consequence, and are left out."""
    hands = [hand("4 knock", *buys, contract="", dealer=2) for buys in (one, other)]
    after = [hand(action, contract="") for action in ("1 stock", "1 knock")]
    records = [replace(DEAL, hands=both) for both in zip(hands, after, strict=True)]
    assert [(divergence.seat, divergence.actions) for divergence in divergences(*records)] == [(seat, actions)]


def test_equal_games_do_not_diverge() -> None:
    record, _actions = played("oficial", 3, "deal", "way")
    assert divergences(record, record) == ()


@pytest.mark.parametrize(
    "other", [replace(DEAL, seed="t"), replace(DEAL, digest="e"), replace(DEAL, players=("A", "B", "C"))]
)
def test_games_of_different_cards_are_refused(other: Record) -> None:
    with pytest.raises(ValueError, match="not played with the same cards"):
        divergences(DEAL, other)
