"""Where two plays of the same cards part: against plays with every answer written down, passes and declines too."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

import pytest

from engine.actions import Action, Answer
from engine.bots import make_bot
from engine.games.contract_game import Game
from engine.games.knock_game import KnockGame, Offer
from engine.hand import Legal
from engine.play import play_hand
from engine.records.record import HandRecord, Record, hand_record
from engine.rules import load_rules
from engine.seeds import Stream
from engine.view import View
from tourney.league.divergence import Divergence, divergences

Acts = list[tuple[int, Action | Answer]]


class Wayward:
    """Greedy, but for one choice in a hundred, and one buy in two."""

    def __init__(self, seed: str) -> None:
        self._greedy, self._random, self._chance = make_bot("greedy", seed), make_bot("random", seed), Stream(seed)

    def choose(self, view: View, legal: Legal) -> Action:
        """A greedy act, or any."""
        return (self._greedy if self._chance.below(100) else self._random).choose(view, legal)

    def answer(self, offer: Offer) -> Answer:
        """A greedy answer, or any."""
        return (self._greedy if self._chance.below(2) else self._random).answer(offer)


def played(rules_id: str, seats: int, seed: str, ways: str) -> tuple[Record, list[Acts]]:
    """A game of wayward bots with these cards, as a record, and by hand every act with the seat, none left out."""
    rules = load_rules(rules_id)
    knock = rules.kind == "knock"
    game = KnockGame(rules, seats, seed, 100) if knock else Game(rules, seats, seed)
    bots = [Wayward(f"{ways}/{seat}") for seat in range(seats)]
    whole: list[Acts] = []
    hands: list[HandRecord] = []
    while not game.over:
        hand, acts = game.next_hand(), Acts()
        game.keep(play_hand(hand, bots, acts))
        if isinstance(game, KnockGame):
            while (offer := game.offer) is not None:
                answer = bots[offer.seat].answer(offer)
                game.answer(answer)
                acts.append((offer.seat, answer))
        whole.append(acts)
        hands.append(hand_record(game.results[-1], hand.dealer, acts))
    result = game.result()
    names = tuple("ABCDEFGH"[:seats])
    record = Record(rules.id, rules.digest, 1, names, seed, result.points, result.places, tuple(hands))
    return record, whole


def told(one: list[Acts], other: list[Acts]) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """For every hand that parts: its number, who decided, and what was done in each; both were asked the same."""
    for number, (acts, otherwise) in enumerate(zip(one, other, strict=False), 1):
        for (seat, act), (again, instead) in zip(acts, otherwise, strict=False):
            if str(act) != str(instead):
                assert seat == again
                yield number, seat, (str(act), str(instead))
                break


TABLES = [("oficial", 4), ("oficial", 3), ("zoliky", 4), ("continental-rummy", 5), ("knock", 4), ("knock", 6)]


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_plays_part_where_the_first_answer_differs(rules: str, seats: int) -> None:
    """Four plays of a deal, each against the one before: who decided what, found by comparing every single answer."""
    plays = [played(rules, seats, "deal", f"way {way}") for way in range(4)]
    for (record, acts), (instead, otherwise) in pairwise(plays):
        expected = list(islice(told(acts, otherwise), 1 if rules == "knock" else None))
        found = divergences(record, instead)
        assert [(parting.hand, parting.seat, parting.actions) for parting in found] == expected
        for parting in found:
            first, second = record.hands[parting.hand - 1], instead.hands[parting.hand - 1]
            assert parting.points == (first.points, second.points)
            assert first.acts[: parting.step - 1] == second.acts[: parting.step - 1]


DEAL = Record("oficial", "d", 1, ("A", "B", "C", "D"), "s", (0,) * 4, (1,) * 4, ())


def hand(*acts: str, points: tuple[int, ...] = (0, 0, 0, 0), contract: str = "TT", dealer: int = 0) -> HandRecord:
    """A hand with these acts; seats count from 1 in them, and from 0 else."""
    return HandRecord(contract, dealer, points, 0, False, acts)


@pytest.mark.parametrize(
    ("one", "other", "seat", "acts"),
    [
        pytest.param("2 discard Kh", "2 discard 9c", 1, ("discard Kh", "discard 9c"), id="two discards"),
        pytest.param("3 claim", "2 discard Kh", 2, ("claim", "pass"), id="a claim, or none"),
        pytest.param("2 discard Kh", "1 claim", 0, ("pass", "claim"), id="none, or a claim"),
        pytest.param("4 claim", "1 claim", 3, ("claim", "pass"), id="two claims: who is asked first after seat 2"),
        pytest.param("1 claim", "3 claim", 2, ("pass", "claim"), id="the other way"),
    ],
)
def test_who_decided_is_who_was_asked_first(one: str, other: str, seat: int, acts: tuple[str, str]) -> None:
    """Seat 2 has drawn, then seats 3, 4 and 1 are asked whether they claim (1.6); the second hand is the same."""
    same = hand("3 stock", "3 discard 2c", contract="TE")
    points = (10, 0, 3, 4), (0, 7, 3, 9)
    first = replace(DEAL, hands=(hand("2 stock", one, points=points[0]), same))
    second = replace(DEAL, hands=(hand("2 stock", other, points=points[1]), same))
    assert divergences(first, second) == (Divergence(1, "TT", 2, seat, acts, points),)


@pytest.mark.parametrize(
    ("one", "other", "seat", "acts"),
    [
        pytest.param(("3 buy",), (), 2, ("buy", "decline"), id="a buy, or none"),
        pytest.param(
            ("2 buy",), ("4 buy",), 3, ("decline", "buy"), id="two buys: who sits nearer at the dealer's left"
        ),
    ],
)
def test_buys_are_asked_for_from_the_dealers_left(
    one: tuple[str, ...], other: tuple[str, ...], seat: int, acts: tuple[str, str]
) -> None:
    """Seat 3 has dealt; 4, 1, 2 and 3 are asked. The next hand goes another way for it, and is not told."""
    hands = [hand("4 knock", *buys, contract="", dealer=2) for buys in (one, other)]
    after = [hand(act, contract="") for act in ("1 stock", "1 knock")]
    records = [replace(DEAL, hands=both) for both in zip(hands, after, strict=True)]
    assert [(parting.seat, parting.actions) for parting in divergences(*records)] == [(seat, acts)]


def test_games_that_went_the_same_way_do_not_part() -> None:
    record, _acts = played("oficial", 3, "deal", "way")
    assert divergences(record, record) == ()


@pytest.mark.parametrize(
    "other", [replace(DEAL, seed="t"), replace(DEAL, digest="e"), replace(DEAL, players=("A", "B", "C"))]
)
def test_games_of_other_cards_are_refused(other: Record) -> None:
    with pytest.raises(ValueError, match="not played with the same cards"):
        divergences(DEAL, other)
