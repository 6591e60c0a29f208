"""Fields that no document of ours sets otherwise, but that a club may."""

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


def at(changes: dict[str, str], hands: list[str], **more: str) -> Hand:
    """A hand of two trios under the official rules with these fields changed."""
    return position("TT", hands, rules=rules_with(changes), **more)


# --- the turn ---------------------------------------------------------------------------------------------


def test_where_the_first_turn_is_for_looking_one_lays_down_in_the_second() -> None:
    """A-41: each seat's own first turn; nothing is listed before."""
    hand = at({"laying.first_turn": '"forbidden"'}, [TRIOS + " Ks", "Th Td Tc Jh Jd Jc Qs"], stock="2d 3d 4d 5d 6d")
    play(hand, "A take")
    assert refused(hand, DOWN[2:]) == "A-41"
    assert listed(hand, "down") == set()
    play(hand, "A discard Ks; B take")
    assert refused(hand, "down T: Th Td Tc / T: Jh Jd Jc") == "A-41"
    play(hand, f"B discard Qs; A take; {DOWN}; A discard Qs; B take; B down T: Th Td Tc / T: Jh Jd Jc")
    assert len(hand.view(0).melds) == 4


def test_the_discard_just_taken_is_not_discarded_again() -> None:
    """A-10: its face may not, though another of that face was held before; any other card may."""
    hand = at({"discarding.taken": '"forbidden"'}, ["9h 4h", "3d 4d"], upcard="9h", stock="Ks Qs")
    play(hand, "A take")
    assert refused(hand, "discard 9h") == "A-10"
    assert listed(hand, "discard") == {"discard 4h"}
    play(hand, "A discard 4h; B stock; A pass; B discard Ks; A stock; B pass; A discard 9h")
    assert held(hand, "A") == "9h Qs"


def test_but_by_who_holds_nothing_else() -> None:
    """A hand of one face has nothing else to discard; beside a joker that may not be discarded, the card may."""
    hand = at({"discarding.taken": '"forbidden"'}, ["9h", "3d 4d"], upcard="9h")
    play(hand, "A take; A discard 9h")
    both = {"discarding.taken": '"forbidden"', "discarding.jokers": '"forbidden"'}
    hand = at(both, ["Jk", "3d 4d"], upcard="9h")
    play(hand, "A take")
    assert listed(hand, "discard") == {"discard 9h"}


def test_a_claim_without_penalty_costs_nothing() -> None:
    """And is offered when there is no card to be had."""
    hand = at({"claim.penalty": '"none"'}, ["3h 4h", "3d 4d"], stock="9h Ks")
    play(hand, "A stock; B claim")
    assert sizes(hand) == (3, 3)
    hand = position("TT", ["3h", "3d"], rules=rules_with({"claim.penalty": '"none"'}), stock="9h", only=True)
    play(hand, "A stock; B claim")
    assert held(hand, "B") == "2c 3d"


def test_without_an_upcard_the_leader_draws_from_the_stock() -> None:
    """There is nothing to take and nothing to claim."""
    rules = rules_with({"stock.upcard": '"none"'})
    dealt = deal(rules, 2, "seed")
    hand = Hand(rules, dealt)
    assert (dealt.upcard, len(dealt.stock), hand.view(0).top) == (None, 110 - 14, None)
    assert refused(hand, "take") == "003/1.6"
    hand.apply(parse_action("stock"))
    assert hand.actor == dealt.leader
    assert hand.faults() == []


# --- laying off -------------------------------------------------------------------------------------------


def test_cards_go_on_the_melds_of_others_only() -> None:
    """Document 000 read by the letter [A-17]."""
    hand = at({"laying.lay_off": '"others\' melds"'}, [TRIOS + " Ks 5c", "Th Td Tc Jh Jd Jc 7s Ts 5d"])
    play(hand, f"A take; {DOWN}; A discard Ks; B take; B down T: Th Td Tc / T: Jh Jd Jc")
    assert refused(hand, "off Ts 3") == "003/1.8"
    assert listed(hand, "off") == {"off 7s 1"}


# --- closing ----------------------------------------------------------------------------------------------


def test_where_every_card_must_be_placed_none_is_left_that_fits_nowhere() -> None:
    """Neither a lay-down nor a lay-off may leave one card: it could not be discarded."""
    rules = {"closing.last_discard": '"forbidden"'}
    hand = at(rules, [TRIOS, "5h 5d"], upcard="Ks")
    play(hand, "A take")
    assert refused(hand, DOWN[2:]) == "003/1.10"
    assert listed(hand, "down") == set()
    hand = at(rules, [TRIOS + " 7s", "5h 5d"], upcard="Ks")
    play(hand, f"A take; {DOWN}")
    assert refused(hand, "off 7s 1") == "003/1.10"
    assert listed(hand, "off") == set()
    play(hand, "A discard 7s")
    hand = at(rules, [TRIOS + " 7s", "5h 5d"], upcard="8s")
    play(hand, f"A take; {DOWN}; A off 7s 1")
    assert refused(hand, "discard 8s") == "003/1.10"
    play(hand, "A off 8s 2; A close")
    assert hand.over


def test_where_one_must_close_with_a_discard_a_card_stays_for_it() -> None:
    """Neither a lay-down nor a card laid off uses up the hand."""
    rules = {"closing.all_placed": '"forbidden"'}
    hand = at(rules, [TRIOS, "5h 5d"], upcard="7s")
    play(hand, "A take")
    assert refused(hand, "down T: 7h 7d 7c 7s / T: 8h 8d 8c") == "003/1.10"
    play(hand, DOWN)
    assert refused(hand, "off 7s 1") == "003/1.10"
    assert listed(hand, "off") == set()
    play(hand, "A discard 7s")
    assert hand.over


@pytest.mark.parametrize(("counts", "points"), [("no", -30), ("yes", -30 + 4)])
def test_what_a_closer_holds_counts_where_the_club_says_so(counts: str, points: int) -> None:
    """The worked case of close5 and scaled in hand 3, holding four points [A-33]."""
    scaled = '[["EE", -30]]'
    changes = {"closing.held": "5", "closing.held_counts": f'"{counts}"', "bonus.same_turn_by_contract": scaled}
    hand = position("EE", ["3h 4h 5h 6h 9s Ts Js Qs 4d", "5d"], rules=rules_with(changes), upcard="Kc")
    play(hand, "A take; A down E: 3h 4h 5h 6h / E: 9s Ts Js Qs; A close Kc")
    assert hand.result is not None
    assert (hand.result.points, hand.result.closer, hand.result.at_once) == ((points, 5), 0, True)


# --- sheets -----------------------------------------------------------------------------------------------

# By clauses 2.3 to 2.8 and A-31 to A-33: what a closer may score, and whether it says that they laid down in that turn.
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


@pytest.mark.parametrize(("case", "wanted"), CLOSERS.items(), ids=[" ".join(case) for case in CLOSERS])
def test_what_a_closer_may_write_down(case: tuple[str, str], wanted: dict[int, tuple[bool, ...]]) -> None:
    """And nothing else: the sheet refuses every other number up to zero."""
    rules, contract = load_rules(case[0]), case[1]
    found = closer_points(rules, contract)
    assert {points: set(turns) for points, turns in found.items()} == {
        points: set(turns) for points, turns in wanted.items()
    }
    number = [name for name, _dealt in rules.contracts.hands.order].index(contract) + 1
    for points in range(-130, 1, 10):
        checked = check_hand(rules, 3, number, DeclaredHand(contract, {0: points, 1: 20, 2: 30}))
        assert (checked.problems == ()) == (points in wanted), points
        if points in wanted:
            assert checked.hands[0].at_once == (wanted[points] == (True,))


def counting(most: int) -> Rules:
    """The official rules, a closer's held cards counting."""
    return rules_with({"closing.held": str(most), "closing.held_counts": '"yes"'})


def test_a_closer_who_held_cards_that_count_is_named() -> None:
    """0 to 5 or -10 to -5, but not 1: no card counts one. The declared name tells who of several closed."""
    assert set(closer_points(counting(5), "TT")) == {0, 2, 3, 4, 5, -10, -8, -7, -6, -5}
    line = DeclaredHand("TT", {0: 4, 1: 20, 2: 30}, closer=0)
    assert check_hand(counting(5), 3, 1, line).hands[0].closer == 0
    unnamed = DeclaredHand("TT", {0: 4, 1: 20, 2: 30})
    assert "nobody closed" in check_hand(counting(5), 3, 1, unnamed).problems[0].reason
    beyond = DeclaredHand("TT", {0: 6, 1: 20, 2: 30}, closer=0)
    assert "closed, but has 6" in check_hand(counting(5), 3, 1, beyond).problems[0].reason


DECLARED = {
    "-50 is both": ("oficial+all-placed50", -50, None, False, ""),
    "-50 at once": ("oficial+all-placed50", -50, True, True, ""),
    "-50 earlier": ("oficial+all-placed50", -50, False, False, ""),
    "-10 earlier": ("oficial+all-placed50", -10, False, False, "that is 0 or -50 points, not -10"),
    "never earlier": ("oficial+only-minus10", -10, False, False, "not allowed in this hand"),
    "zero": ("oficial+only-minus10", 0, None, False, "the closer scores -10"),
}


@pytest.mark.parametrize(("name", "points", "declared", "at_once", "says"), DECLARED.values(), ids=DECLARED.keys())
def test_a_sheet_says_when_the_closer_laid_down(
    name: str, points: int, declared: bool | None, at_once: bool, says: str
) -> None:
    """Where points do not tell, the sheet may."""
    line = DeclaredHand("TT", {0: points, 1: 20, 2: 30}, at_once=declared)
    checked = check_hand(load_rules(name), 3, 1, line)
    if says:
        assert says in checked.problems[0].reason
    else:
        assert checked.hands[0].at_once == at_once


# Copies of one card that may be left: as many as the packs of that hand hold.
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
def test_a_sheet_holds_cards_left_against_the_packs_of_its_hand(
    name: str, players: int, number: int, card: str, copies: int
) -> None:
    """As many as there are, and one more."""
    rules = load_rules(name)
    contract = rules.contracts.hands.order[number - 1][0]
    others = dict.fromkeys(range(2, players), 10)
    for left, fine in ((copies, True), (copies + 1, False)):
        texts = [card] * left
        half = {1: " ".join(texts[:4] or ["Kd"]), 2: " ".join(texts[4:8] or ["Kc"])}
        if left > 8:
            half[3] = texts[8]
        points = {0: 0, **{seat: value for seat, value in others.items() if seat not in half}}
        found = check_hand(rules, players, number, DeclaredHand(contract, points, left=half)).problems
        assert (found == ()) == fine, found
        assert fine or "once too often" in found[0].reason


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
    """Document 003 asks who won more recently; where the others are silent the place is shared [A-22]."""
    found = game_result(load_rules(rules), 3, TIED)
    assert (found.places, found.why) == (places, why)
