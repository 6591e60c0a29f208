"""Check sheets of the knock game: possible and impossible hands, and the money that follows."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from engine.cards import Faces, parse_cards
from engine.errors import RulesError
from engine.play import play_game
from engine.sheets.declared import Length
from engine.sheets.knock_sheet import (
    CheckedGame,
    DeclaredKnockHand,
    check_knock_hand,
    check_knock_sheet,
    game_after,
    possible_deadwood,
)
from tests.harness.engine.knock_positions import KNOCK
from tests.oracles.engine import brute_knock

A, B, C, D, E = range(5)
RUMMY = "5h 6h Jk 8h 9d Jk 9c Kd Jk Ks"


def hand(ending: str, closer: int, *points: int, **more: Any) -> DeclaredKnockHand:
    """Return a hand with points by seat; None for a player who is out or has cards listed."""
    declared = {seat: score for seat, score in enumerate(points) if score is not None}
    return DeclaredKnockHand(ending, declared, closer, **more)


def dead_hand(*points: int) -> DeclaredKnockHand:
    return DeclaredKnockHand("", dict(enumerate(points)), dead=True)


GOOD = (
    hand("knock", C, 37, 38, 1),
    hand("rummy", A, -10, 56, 59, jokers=3, buys=(B,)),
    hand("color", B, 26, -25, 63),
    hand("knock", A, 2, 52),
    hand("continental", B, 16, 0),
)
"""The game of the golden record on a sheet."""


def checked(*hands: DeclaredKnockHand, players: int = 3, stake: int = 50, length: Length = "whole") -> CheckedGame:
    return check_knock_sheet(KNOCK, players, hands, stake, length)


def problems(*hands: DeclaredKnockHand, players: int = 3, length: str = "whole") -> list[tuple[str, int | None, str]]:
    found = checked(*hands, players=players, length=length)
    assert (found.result is None) == bool(found.problems)
    return [(problem.hand, problem.seat, problem.reason) for problem in found.problems]


def test_a_good_sheet_gives_the_game_and_its_money() -> None:
    """Check the results that the comments of the golden record work out."""
    found = checked(*GOOD)
    assert found.problems == ()
    assert found.result is not None
    assert (found.result.points, found.result.places) == ((71, 87, 123), (2, 1, 3))
    assert (found.result.money, found.result.hands_won) == ((-50, 180, -130), (2, 2, 1))
    assert found.result.hands[1].off == (0, 34, 0)
    assert found.dealers == (A, B, C, A, B)


def test_cards_may_stand_for_points() -> None:
    """The closer's ace counts 1, other aces 15; the jokers of a rummy are counted from its cards."""
    first = hand("knock", C, left={A: "9h 8s 6c 5d 3h 4h 2c Kc Kd Kh", B: "4d 4s 7h 2d 6s As", C: "Ac 7c 8c 9c"})
    second = hand("rummy", A, left={A: RUMMY}, buys=(B,))
    second = replace(second, points={B: 56, C: 59})
    found = checked(first, second, *GOOD[2:])
    assert found.result is not None
    assert found.result.hands[0].points == (37, 38, 1)
    assert found.result.hands[1].jokers == 3
    assert found.result.money == (-50, 180, -130)


def test_the_closers_points_may_be_left_out_where_the_ending_decides_them() -> None:
    found = checked(
        GOOD[0], replace(GOOD[1], points={B: 56, C: 59}), replace(GOOD[2], points={A: 26, C: 63}), *GOOD[3:]
    )
    assert found.result is not None
    assert found.result.points == (71, 87, 123)


@pytest.mark.parametrize(
    ("place", "wrong", "seat", "says"),
    [
        (0, {"ending": "rumy"}, None, "ended with 'rumy'; a hand ends with knock, rummy, color, continental"),
        (0, {"ending": ""}, None, "does not say how it ended"),
        (0, {"closer": None}, None, "does not say who ended it with a knock"),
        (0, {"closer": 3}, 3, "is not a seat at this table of 3"),
        (0, {"dead": True}, C, "cannot have ended a hand that is marked dead"),
        (0, {"dead": True, "closer": None}, None, "is marked dead, but ended with 'knock'"),
        (0, {"points": {A: 37, B: 38, C: 6}}, C, "has 6 points; a player knocks with 0 to 5"),
        (0, {"points": {A: 37, B: 38, C: -10}}, C, "has -10 points; a player knocks with 0 to 5"),
        (0, {"points": {A: 37, B: 38}}, C, "has no points in this hand"),
        (0, {"points": {A: 37, C: 1}}, B, "has no points in this hand"),
        (0, {"points": {A: 1, B: 38, C: 1}}, A, "no hand leaves 1 point of deadwood"),
        (0, {"points": {A: 111, B: 38, C: 1}}, A, "no hand leaves 111 points of deadwood"),
        (0, {"points": {A: -10, B: 38, C: 1}}, A, "no hand leaves -10 points of deadwood"),
        (0, {"points": {A: 37, B: 38, C: 1, 3: 5}}, 3, "is not a seat at this table of 3"),
        (0, {"left": {A: "9h"}}, A, "has both points and cards left"),
        (0, {"points": {B: 38, C: 1}, "left": {A: "9x"}}, A, "'9x' is not a card"),
        (0, {"points": {B: 38, C: 1}, "left": {A: "2c " * 11}}, A, "a fifth 2c"),
        (0, {"points": {B: 38, C: 1}, "left": {A: f"{RUMMY} 2c"}}, A, "has 11 cards left; a hand is 10 cards"),
        (0, {"points": {C: 1}, "left": {A: "9h 9h", B: "9h"}}, B, "9h is left once too often; the packs hold 2"),
        (0, {"jokers": 1}, C, "the jokers of a knock do not count"),
        (0, {"buys": (A,)}, A, "may buy above 80 points, and has 37"),
        (0, {"buys": (7,)}, 7, "is not a seat at this table of 3"),
        (1, {"points": {A: 0, B: 56, C: 59}}, A, "has 0 points; a hand that ends with a rummy gives -10"),
        (1, {"jokers": 5}, A, "cannot have 5 jokers; only 4 can be in that hand"),
        (1, {"jokers": -1}, A, "cannot have -1 jokers; only 4 can be in that hand"),
        (1, {"points": {B: 56, C: 59}, "left": {A: RUMMY}, "jokers": 2}, A, "has 3 jokers among these cards, not 2"),
        (1, {"points": {B: 56, C: 59}, "left": {A: "2c 2d 2h"}}, A, "a rummy is 10 cards, not 3"),
        (
            1,
            {"points": {B: 56, C: 59}, "left": {A: RUMMY.replace("Ks", "2s")}},
            A,
            "this is not a rummy: not every card",
        ),
        (1, {"buys": (B, B)}, B, "buys twice after one hand"),
        (1, {"buys": (B, C)}, C, "may buy above 80 points, and has 60"),
        (2, {"points": {A: 26, B: -10, C: 63}}, B, "has -10 points; a hand that ends with a color gives -25"),
        (2, {"buys": (C,)}, C, "is out of the game, with 123 points"),
        (3, {"points": {A: 2, B: 52, C: 10}}, C, "is out of the game"),
        (3, {"closer": C}, C, "is out of the game"),
        (3, {"buys": (B,)}, B, "may not buy in a hand that began heads-up"),
        (4, {"points": {A: 16, B: 5}}, B, "has 5 points; a hand that ends with a continental gives 0"),
        (4, {"buys": (B,)}, B, "may not buy after a continental"),
    ],
)
def test_impossible_hands_are_refused(place: int, wrong: dict[str, object], seat: int | None, says: str) -> None:
    """Change one hand of the good sheet: all problems name that hand, and one has the seat and reason."""
    hands = [replace(good, **wrong) if index == place else good for index, good in enumerate(GOOD)]
    found = problems(*hands)
    assert {name for name, _seat, _reason in found} == {f"hand {place + 1}"}
    assert any(named == seat and says in reason for _name, named, reason in found), found


def test_several_problems_of_one_hand_are_reported_together() -> None:
    found = problems(hand("knock", C, 1, 109, 7))
    assert [seat for _name, seat, _reason in found] == [C, A]


def test_a_hand_after_the_end_of_the_game_is_refused() -> None:
    assert problems(*GOOD, hand("knock", A, 2, 5)) == [("hand 6", None, "the game was over after hand 5")]


def test_a_game_is_whole_unless_time_expired() -> None:
    """A short game ends with its last hand, and the lowest score still in wins the pot."""
    assert problems(*GOOD[:2]) == [("hand 3", None, "is missing: 3 players are still in")]
    assert problems() == [("hand 1", None, "is missing: the sheet has no hands")]
    assert problems(length="short") == [("hand 1", None, "is missing: the sheet has no hands")]
    short = checked(*GOOD[:2], length="short").result
    assert short is not None
    assert (short.points, short.places) == ((27, 60, 60), (1, 2, 2))
    assert (short.money, sum(short.money)) == ((250, -160, -90), 0)


def test_a_dead_hand_has_no_closer_and_all_count() -> None:
    found = checked(dead_hand(60, 70, 101))
    assert found.result is not None
    assert (found.result.places, found.result.hands[0].closer) == ((1, 1, 3), None)


def test_a_player_who_is_out_does_not_deal() -> None:
    found = checked(
        hand("knock", A, 0, 101, 20, 30),
        DeclaredKnockHand("knock", {A: 0, C: 40, D: 20}, A),
        DeclaredKnockHand("continental", {C: 0, D: 20}, A),
        players=4,
    )
    assert found.dealers == (A, C, D)


@pytest.mark.parametrize(("players", "stake"), [(1, 50), (7, 50), (3, 7)])
def test_wrong_tables_and_stakes_are_refused(players: int, stake: int) -> None:
    with pytest.raises(RulesError):
        check_knock_sheet(KNOCK, players, GOOD, stake)


def test_players_cannot_hold_more_points_together_than_the_packs() -> None:
    """Six aces and 24 tens and court cards are listed: one more player may hold 110 points, but three not 330.

    Three jokers, two aces, eight tens and court cards, eight nines, eight eights and a seven are
    60 + 30 + 80 + 72 + 64 + 7 = 313.
    """
    named = {
        A: "Kc Kd Kh Ks Qc Qd Qh Qs Ac Ad",
        B: "Jc Jd Jh Js Tc Td Th Ts Ah As",
        C: "Kc Kd Qc Qd Jc Jd Tc Td Ac Ad",
    }
    possible = DeclaredKnockHand("knock", {D: 110, E: 20, 5: 20}, A, left=named)
    assert not any(name == "hand 1" for name, _seat, _reason in problems(possible, players=6))
    impossible = replace(possible, points={D: 110, E: 110, 5: 110})
    reason = "the packs do not hold enough cards for 330 points together"
    assert problems(impossible, players=6) == [("hand 1", None, reason)]


# --- which points a hand can leave ----------------------------------------------------------------------


@cache
def sums_by_hand() -> set[int]:
    """Return the sums of deadwood: up to seven dead cards, or ten; two of a rank at most, or a joker and nine ranks."""
    values = [15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    pairs = [value for value in values for _ in range(2)]
    by_size: dict[int, set[int]] = {size: set() for size in range(11)}
    by_size[0].add(0)
    for value in pairs:
        for size in range(10, 0, -1):
            by_size[size] |= {total + value for total in by_size[size - 1]}
    found = {total for size in (*range(8), 10) for total in by_size[size]}
    return found | {sum(nine) + 20 for nine in combinations(values, 9)}


def test_possible_deadwood_is_the_sums_of_cards_that_make_no_meld() -> None:
    """The most points, 110, are two aces, two tens and two of each court card."""
    bits = possible_deadwood(KNOCK, 4, Faces())
    found = {points for points in range(400) if bits >> points & 1}
    assert found == sums_by_hand()
    assert 1 not in found
    assert max(found) == 110


def test_a_ten_card_hand_with_every_rank_twice_has_the_most_points() -> None:
    """Check every ten of twelve cards, two each of the six ranks with most points, by brute force."""
    high_cards = ["Ac", "Ad", "Kc", "Kd", "Qh", "Qs", "Jc", "Jd", "Th", "Ts", "9c", "9d"]
    assert max(brute_knock.least_deadwood(" ".join(cards)) for cards in combinations(high_cards, 10)) == 110


@pytest.mark.slow
def test_sheets_of_the_engines_own_games_are_good() -> None:
    """Check that the sheets of thirty games of bots give the points, places and money of the games."""
    for number in range(30):
        names = ("greedy", "random", "greedy", "greedy", "random", "greedy")[: 2 + number % 5]
        played = play_game(KNOCK, names, f"sheet {number}", stake=50)
        totals = [0] * len(names)
        hands = []
        for hand in played.result.hands:
            points = {seat: hand.points[seat] for seat, total in enumerate(totals) if total <= 100}
            buys = tuple(seat for seat, off in enumerate(hand.off) if off)
            dead = hand.ending is None
            hands.append(DeclaredKnockHand(hand.ending or "", points, hand.closer, dead, {}, hand.jokers, buys))
            off = hand.off or (0,) * len(names)
            totals = [total + hand.points[seat] - off[seat] for seat, total in enumerate(totals)]
        found = check_knock_sheet(KNOCK, len(names), hands, 50)
        assert found.problems == ()
        assert found.result == played.result


def test_listed_cards_cannot_be_the_deadwood_of_other_players() -> None:
    """With all aces and jokers listed the most points are eight tens and court cards and two nines: 98."""
    named = Faces(parse_cards("Ac Ad Ah As Ac Ad Ah As Jk Jk Jk Jk"))
    assert possible_deadwood(KNOCK, 4, named).bit_length() - 1 == 98


# --- hand by hand ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 6))
def test_each_hand_of_a_good_sheet_is_possible_in_its_place_and_none_after_the_last(number: int) -> None:
    assert check_knock_hand(KNOCK, 3, GOOD[: number - 1], GOOD[number - 1]) == ()
    late = check_knock_hand(KNOCK, 3, GOOD, GOOD[number - 1])
    assert [problem.reason for problem in late] == ["the game was over after hand 5"]


@pytest.mark.parametrize(
    ("declared", "waiting", "reason"),
    [
        (hand("knock", A), (A, B, C), None),
        (hand("knock", A, None, 1), (A, C), "no hand leaves 1 point of deadwood"),
        (hand("knock", A, 6), (B, C), "has 6 points; a player knocks with 0 to 5"),
        (hand("rummy", A, jokers=5), (B, C), "cannot have 5 jokers; only 4 can be in that hand"),
        (hand("knock", A, 5, 12), (), "has no points in this hand"),
    ],
)
def test_a_partial_hand_is_judged_by_what_is_entered(
    declared: DeclaredKnockHand, waiting: tuple[int, ...], reason: str | None
) -> None:
    found = [problem.reason for problem in check_knock_hand(KNOCK, 3, (), declared, waiting)]
    assert found == ([] if reason is None else [reason])


def test_the_game_after_some_hands_offers_the_first_buy_that_is_not_answered() -> None:
    """A dealt: B and C may buy, in this order, down to the second lowest score, which D has (001/1.11)."""
    scores = dead_hand(30, 90, 95, 85)
    offers = [
        (replace(scores, buys=buys), declined)
        for buys, declined in (((), ()), ((B,), ()), ((), (B,)), ((B,), (C,)), ((B, C), ()))
    ]
    games = [game_after(KNOCK, 4, [declared], 50, declined) for declared, declined in offers]
    assert [None if game.offer is None else (game.offer.seat, game.offer.to) for game in games] == [
        (B, 85),
        (C, 85),
        (C, 85),
        None,
        None,
    ]
    assert [game.pot.amount for game in games] == [200, 250, 200, 250, 300]
    assert game_after(KNOCK, 4, [scores], 50).offer is None, (
        "without `declined`, a player who is not marked as a buyer has declined"
    )
