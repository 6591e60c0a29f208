"""Check values of fields that no built-in rule set uses, but a club may."""

import pytest

from engine.actions import parse_action
from engine.deal import deal
from engine.games.contract_game import game_result
from engine.hand import Hand
from engine.rules import Rules, load_rules
from engine.scoring import HandResult, closer_points
from engine.sheets.contract_sheet import DeclaredHand, check_hand
from tests.harness.engine.positions import held, listed, play, position, refused, sizes
from tests.harness.engine.rule_texts import rules_with

TRIOS = "7h 7d 7c 8h 8d 8c"
DOWN = "A down T: 7h 7d 7c / T: 8h 8d 8c"


def hand_with(changes: dict[str, str], hands: list[str], **more: str) -> Hand:
    """Return a hand with the contract of two trios under the official rules with fields changed."""
    return position("TT", hands, rules=rules_with(changes), **more)


# --- the turn ---------------------------------------------------------------------------------------------


def test_lay_downs_may_be_forbidden_in_a_player_s_first_turn() -> None:
    """Each player may lay down from their own second turn on [A-41]."""
    hand = hand_with(
        {"laying.first_turn": '"forbidden"'}, [TRIOS + " Ks", "Th Td Tc Jh Jd Jc Qs"], stock="2d 3d 4d 5d 6d"
    )
    play(hand, "A take")
    assert refused(hand, DOWN[2:]) == "A-41"
    assert listed(hand, "down") == set()
    play(hand, "A discard Ks; B take")
    assert refused(hand, "down T: Th Td Tc / T: Jh Jd Jc") == "A-41"
    play(hand, f"B discard Qs; A take; {DOWN}; A discard Qs; B take; B down T: Th Td Tc / T: Jh Jd Jc")
    assert len(hand.view(0).melds) == 4


def test_discarding_the_card_just_taken_may_be_forbidden() -> None:
    """A held a nine of hearts and took another: neither may be discarded, any other card may [A-10]."""
    hand = hand_with({"discarding.taken": '"forbidden"'}, ["9h 4h", "3d 4d"], upcard="9h", stock="Ks Qs")
    play(hand, "A take")
    assert refused(hand, "discard 9h") == "A-10"
    assert listed(hand, "discard") == {"discard 4h"}
    play(hand, "A discard 4h; B stock; A pass; B discard Ks; A stock; B pass; A discard 9h")
    assert held(hand, "A") == "9h Qs"


def test_the_card_just_taken_may_be_discarded_if_no_other_card_may() -> None:
    """Check a hand of two equal cards, and a hand of the card and a joker that may not be discarded."""
    hand = hand_with({"discarding.taken": '"forbidden"'}, ["9h", "3d 4d"], upcard="9h")
    play(hand, "A take; A discard 9h")
    both = {"discarding.taken": '"forbidden"', "discarding.jokers": '"forbidden"'}
    hand = hand_with(both, ["Jk", "3d 4d"], upcard="9h")
    play(hand, "A take")
    assert listed(hand, "discard") == {"discard 9h"}


def test_a_claim_without_penalty_brings_only_the_discard() -> None:
    """The claim is legal even with an empty stock."""
    hand = hand_with({"claim.penalty": '"none"'}, ["3h 4h", "3d 4d"], stock="9h Ks")
    play(hand, "A stock; B claim")
    assert sizes(hand) == (3, 3)
    hand = position("TT", ["3h", "3d"], rules=rules_with({"claim.penalty": '"none"'}), stock="9h", only=True)
    play(hand, "A stock; B claim")
    assert held(hand, "B") == "2c 3d"


def test_without_an_upcard_the_leader_draws_from_the_stock() -> None:
    """The leader cannot take a discard, and the stock is all cards that are not dealt."""
    rules = rules_with({"stock.upcard": '"none"'})
    dealt = deal(rules, 2, "seed")
    hand = Hand(rules, dealt)
    assert (dealt.upcard, len(dealt.stock), hand.view(0).top) == (None, 110 - 14, None)
    assert refused(hand, "take") == "003/1.6"
    hand.apply(parse_action("stock"))
    assert hand.actor == dealt.leader
    assert hand.faults() == []


# --- laying off -------------------------------------------------------------------------------------------


def test_laying_off_may_be_allowed_on_other_players_melds_only() -> None:
    """B may lay off on A's trio but not on their own, as document 000 says literally [A-17]."""
    hand = hand_with({"laying.lay_off": '"others\' melds"'}, [TRIOS + " Ks 5c", "Th Td Tc Jh Jd Jc 7s Ts 5d"])
    play(hand, f"A take; {DOWN}; A discard Ks; B take; B down T: Th Td Tc / T: Jh Jd Jc")
    assert refused(hand, "off Ts 3") == "003/1.8"
    assert listed(hand, "off") == {"off 7s 1"}


# --- closing ----------------------------------------------------------------------------------------------


def test_where_every_card_must_be_placed_no_action_leaves_one_that_cannot_be() -> None:
    """Neither a lay-down nor a lay-off may leave one card that fits on no meld: it could not be discarded."""
    rules = {"closing.last_discard": '"forbidden"'}
    hand = hand_with(rules, [TRIOS, "5h 5d"], upcard="Ks")
    play(hand, "A take")
    assert refused(hand, DOWN[2:]) == "003/1.10"
    assert listed(hand, "down") == set()
    hand = hand_with(rules, [TRIOS + " 7s", "5h 5d"], upcard="Ks")
    play(hand, f"A take; {DOWN}")
    assert refused(hand, "off 7s 1") == "003/1.10"
    assert listed(hand, "off") == set()
    play(hand, "A discard 7s")
    hand = hand_with(rules, [TRIOS + " 7s", "5h 5d"], upcard="8s")
    play(hand, f"A take; {DOWN}; A off 7s 1")
    assert refused(hand, "discard 8s") == "003/1.10"
    play(hand, "A off 8s 2; A close")
    assert hand.over


def test_where_a_hand_is_closed_by_a_discard_one_card_must_be_kept() -> None:
    """Neither a lay-down nor a lay-off may use the last card."""
    rules = {"closing.all_placed": '"forbidden"'}
    hand = hand_with(rules, [TRIOS, "5h 5d"], upcard="7s")
    play(hand, "A take")
    assert refused(hand, "down T: 7h 7d 7c 7s / T: 8h 8d 8c") == "003/1.10"
    play(hand, DOWN)
    assert refused(hand, "off 7s 1") == "003/1.10"
    assert listed(hand, "off") == set()
    play(hand, "A discard 7s")
    assert hand.over


@pytest.mark.parametrize(("counts", "points"), [("no", -30), ("yes", -30 + 4)])
def test_cards_that_a_closer_holds_count_where_the_rules_say_so(counts: str, points: int) -> None:
    """The closer of hand 3 has the bonus -30 and holds four points [A-33]."""
    scaled = '[["EE", -30]]'
    changes = {"closing.held": "5", "closing.held_counts": f'"{counts}"', "bonus.same_turn_by_contract": scaled}
    hand = position("EE", ["3h 4h 5h 6h 9s Ts Js Qs 4d", "5d"], rules=rules_with(changes), upcard="Kc")
    play(hand, "A take; A down E: 3h 4h 5h 6h / E: 9s Ts Js Qs; A close Kc")
    assert hand.result is not None
    assert (hand.result.points, hand.result.closer, hand.result.at_once) == ((points, 5), 0, True)


# --- sheets -----------------------------------------------------------------------------------------------

# The scores that a closer may have, by 003/2.3 to 2.8 and A-31 to A-33, and for each whether the closer may have laid
# down in the closing turn.
CLOSERS = {
    ("oficial", "TT"): {0: (False,), -10: (True,)},
    ("oficial+scaled", "EE"): {0: (False,), -30: (True,)},
    ("oficial+scaled+super", "TTEE"): {0: (False,), -100: (True,)},
    ("oficial+scaled+openers", "E"): {0: (False,), -10: (True,)},
    ("oficial+minus50", "TT"): {0: (False,), -50: (True,)},
    ("oficial+all-placed50", "TT"): {0: (False,), -10: (True,), -50: (False, True)},
    ("oficial+all-placed50+scaled", "EEE"): {0: (False,), -70: (True,), -50: (False,)},
    ("oficial+all-placed50+minus50", "TT"): {0: (False,), -50: (True, False)},
    ("oficial+only-minus10", "TT"): {-10: (True,)},
    ("oficial+last-minus10", "TEE"): {0: (False,), -10: (True,)},
    ("oficial+last-minus10", "EEE"): {-10: (True,)},
    ("oficial+last-minus10+super", "EEE"): {0: (False,), -10: (True,)},
    ("oficial+close5", "TT"): {0: (False,), -10: (True,)},
    ("fournier", "TT"): {0: (False, True)},
    ("continental-rummy", "TT"): {0: (False,), -10: (True,)},
    ("zoliky", "EEE"): {0: (False,), -10: (True,)},
}


@pytest.mark.parametrize(("case", "expected"), CLOSERS.items(), ids=[" ".join(case) for case in CLOSERS])
def test_a_closer_may_have_only_the_scores_of_the_rules(
    case: tuple[str, str], expected: dict[int, tuple[bool, ...]]
) -> None:
    """Check the scores from -130 to 0, by tens, on a sheet."""
    rules, contract = load_rules(case[0]), case[1]
    scores = closer_points(rules, contract)
    assert {points: set(turns) for points, turns in scores.items()} == {
        points: set(turns) for points, turns in expected.items()
    }
    number = [name for name, _dealt in rules.contracts.hands.order].index(contract) + 1
    for points in range(-130, 1, 10):
        checked = check_hand(rules, 3, number, DeclaredHand(contract, {0: points, 1: 20, 2: 30}))
        assert (checked.problems == ()) == (points in expected), points
        if points in expected:
            assert checked.hands[0].at_once == (expected[points] == (True,))


def rules_counting_held_cards(most: int) -> Rules:
    """Return the official rules with the cards counting, up to `most` points, that a closer may hold."""
    return rules_with({"closing.held": str(most), "closing.held_counts": '"yes"'})


def test_a_closer_who_held_cards_that_count_must_be_named() -> None:
    """A closer may have 0 to 5 or -10 to -5 points, except 1 and -9, which no cards give, and must be named."""
    assert set(closer_points(rules_counting_held_cards(5), "TT")) == {0, 2, 3, 4, 5, -10, -8, -7, -6, -5}
    line = DeclaredHand("TT", {0: 4, 1: 20, 2: 30}, closer=0)
    assert check_hand(rules_counting_held_cards(5), 3, 1, line).hands[0].closer == 0
    unnamed = DeclaredHand("TT", {0: 4, 1: 20, 2: 30})
    assert "nobody closed" in check_hand(rules_counting_held_cards(5), 3, 1, unnamed).problems[0].reason
    beyond = DeclaredHand("TT", {0: 6, 1: 20, 2: 30}, closer=0)
    assert "closed, but has 6" in check_hand(rules_counting_held_cards(5), 3, 1, beyond).problems[0].reason


DECLARED = {
    "-50 is both": ("oficial+all-placed50", -50, None, False, ""),
    "-50 at once": ("oficial+all-placed50", -50, True, True, ""),
    "-50 earlier": ("oficial+all-placed50", -50, False, False, ""),
    "-10 earlier": ("oficial+all-placed50", -10, False, False, "that is 0 or -50 points, not -10"),
    "never earlier": ("oficial+only-minus10", -10, False, False, "not allowed in this hand"),
    "zero": ("oficial+only-minus10", 0, None, False, "the closer scores -10"),
}


@pytest.mark.parametrize(("name", "points", "declared", "at_once", "says"), DECLARED.values(), ids=DECLARED.keys())
def test_a_sheet_may_say_when_the_closer_laid_down(
    name: str, points: int, declared: bool | None, at_once: bool, says: str
) -> None:
    """The sheet decides where the points do not, and must not contradict them."""
    line = DeclaredHand("TT", {0: points, 1: 20, 2: 30}, at_once=declared)
    checked = check_hand(load_rules(name), 3, 1, line)
    if says:
        assert says in checked.problems[0].reason
    else:
        assert checked.hands[0].at_once == at_once


# The most copies of a card that players may have left: those in the packs of that hand.
COPIES = [
    ("oficial", 3, 1, "As", 2),
    ("oficial", 3, 7, "Jk", 6),
    ("oficial+two-jokers", 3, 7, "Jk", 4),
    ("oficial+no-jokers", 3, 7, "Jk", 0),
    ("fournier", 5, 2, "As", 2),
    ("fournier", 5, 3, "As", 3),
    ("fournier", 5, 5, "Jk", 8),
    ("fournier", 4, 7, "As", 3),
    ("continental-rummy", 6, 7, "Jk", 2),
    ("zoliky", 8, 1, "As", 4),
    ("zoliky", 4, 1, "Jk", 4),
]


@pytest.mark.parametrize(("name", "players", "number", "card", "copies"), COPIES)
def test_cards_left_may_not_exceed_the_packs_of_the_hand(
    name: str, players: int, number: int, card: str, copies: int
) -> None:
    """Check all copies of the packs, and one more."""
    rules = load_rules(name)
    contract = rules.contracts.hands.order[number - 1][0]
    others = dict.fromkeys(range(2, players), 10)
    for number_left, possible in ((copies, True), (copies + 1, False)):
        texts = [card] * number_left
        cards_left = {1: " ".join(texts[:4] or ["Kd"]), 2: " ".join(texts[4:8] or ["Kc"])}
        if number_left > 8:
            cards_left[3] = texts[8]
        points = {0: 0, **{seat: value for seat, value in others.items() if seat not in cards_left}}
        found = check_hand(rules, players, number, DeclaredHand(contract, points, left=cards_left)).problems
        assert (found == ()) == possible, found
        assert possible or "once too often" in found[0].reason


# --- ties -------------------------------------------------------------------------------------------------

TIED = [HandResult("TT", (0, 20, 30), 0), HandResult("TE", (20, 0, 30), 1)]


@pytest.mark.parametrize(
    ("rules", "places", "why"),
    [
        ("oficial", (2, 1, 3), ("20 points, last won hand 1 (TT)", "20 points, last won hand 2 (TE)", "60 points")),
        ("fournier", (1, 1, 3), ("20 points: shared", "20 points: shared", "60 points")),
        ("continental-rummy", (1, 1, 3), ("20 points: shared", "20 points: shared", "60 points")),
        ("zoliky", (1, 1, 3), ("20 points: shared", "20 points: shared", "60 points")),
    ],
)
def test_a_tie_says_what_decided_it(rules: str, places: tuple[int, ...], why: tuple[str, ...]) -> None:
    """Document 003 breaks a tie by the more recent hand won; under the other documents the place is shared [A-22]."""
    found = game_result(load_rules(rules), 3, TIED)
    assert (found.places, found.why) == (places, why)
