"""Check edge cases that were found by reading the rules documents without the code."""

from random import Random

import pytest

from engine.actions import CLAIM, DRAW_DISCARD, DRAW_STOCK, PASS, Discard, LayDown, parse_action
from engine.bots import make_bot
from engine.cards import parse_card, parse_cards
from engine.deal import deal
from engine.errors import RecordError, RulesError
from engine.hand import Hand
from engine.records.record import HandRecord, Record, read, write
from engine.rules import parse_rules
from engine.seeds import hash_seed
from engine.sheets.contract_sheet import ContractSheet, DeclaredHand, check_sheet
from engine.state import Phase
from tests.harness.engine.positions import OFICIAL, changed, position, refused

# --- the stock runs out before any shuffle ----------------------------------------------------------------


def claimed_dry(seed: str) -> Hand:
    """Return a hand with an empty stock, in which the first player asked always claimed and nobody laid down."""
    hand, rng = Hand(OFICIAL, deal(OFICIAL, 3, seed)), Random(seed)
    while not hand.over and hand.view(0).stock > 0:
        if hand.phase == Phase.DRAW:
            hand.apply(DRAW_STOCK)
        elif hand.phase == Phase.CLAIM:
            hand.apply(CLAIM)
        else:
            hand.apply(Discard(rng.choice(hand.view(hand.actor).hand.cards())))
    return hand


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_with_an_empty_stock_and_one_discard_the_turn_begins_by_taking_it(seed: str) -> None:
    """A hand is dead only with no card to draw and no shuffle left (engine/SILENT.md, 5.8)."""
    hand = claimed_dry(seed)
    while hand.phase != Phase.DRAW:
        hand.apply(PASS if hand.phase == Phase.CLAIM else Discard(hand.view(hand.actor).hand.cards()[0]))
    seen = hand.view(hand.actor)
    assert (hand.over, seen.stock, seen.pile, seen.shuffles) == (False, 0, 1, 0)
    assert list(hand.legal) == [DRAW_DISCARD]


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_the_hand_is_dead_after_each_player_has_found_the_stock_empty(seed: str) -> None:
    """Each of the three players takes the discard once, then the hand ends, which could otherwise go on for ever."""
    hand = claimed_dry(seed)
    takers: list[int] = []
    while not hand.over:
        if hand.phase == Phase.DRAW:
            takers.append(hand.actor)
            hand.apply(DRAW_DISCARD)
        hand.apply(PASS if hand.phase == Phase.CLAIM else Discard(hand.view(hand.actor).hand.cards()[0]))
    assert sorted(takers) == [0, 1, 2]
    assert hand.result is not None
    assert hand.result.closer is None


# --- the turn ---------------------------------------------------------------------------------------------


def test_actions_that_were_taken_back_may_be_repeated() -> None:
    """Taking back restores the state after the draw (003/1.8), so the joker may make the same move again."""
    hand = position("TE", ["Jk 5h 6h 7h 8h 2c 2d 2s", "3c 3d 4c 4d 9c 9d Tc Td"], upcard="Kc", stock="Qd Qs Qh")
    turn = ["down T: 2c 2d 2s / E: Jk 5h 6h 7h", "move 2 low to 2"]
    script = ["stock", "pass", *turn, "back", *turn]
    for text in script:
        action = parse_action(text)
        if hand.phase == Phase.CLAIM or text != "pass":
            hand.apply(action)
    assert [str(meld) for meld in hand.view(hand.actor).melds][1] == "5h 6h 7h Jk"


def test_the_discard_that_closes_lies_face_down() -> None:
    """No player sees it, not even after the hand (003/1.5)."""
    hand = position("TT", ["7h 7d 7c Kh Kd Kc", "2c 2d 3c 3d 4c 4d"], upcard="9c", stock="5s 6s 8s")
    hand.apply(DRAW_STOCK)
    while hand.phase == Phase.CLAIM:
        hand.apply(PASS)
    hand.apply(parse_action("down T: 7h 7d 7c / T: Kh Kd Kc"))
    assert hand.view(1 - hand.actor).top == parse_card("9c")
    hand.apply(last_discard(hand))
    assert hand.over
    assert [hand.view(seat).top for seat in range(2)] == [None, None]


def last_discard(hand: Hand) -> Discard:
    (face,) = hand.view(hand.actor).hand.cards()
    return Discard(face)


def test_random_chooses_each_kind_of_action_equally_often() -> None:
    """In a state with many lay-downs, about half of 200 random bots discard."""
    hand = position("TT", ["Jk Jk Jk 7c 7d 7h 7s 2c", "2c 2d 3c 3d 4c 4d 9c"], upcard="9c", stock="5s 6s 8s")
    hand.apply(DRAW_STOCK)
    while hand.phase == Phase.CLAIM:
        hand.apply(PASS)
    assert sum(isinstance(action, LayDown) for action in hand.legal) > 16
    view = hand.view(hand.actor)
    discards = sum(
        isinstance(make_bot("random", hash_seed(str(seed))).choose(view, hand.legal), Discard) for seed in range(200)
    )
    assert 70 <= discards <= 130


# --- the sheet --------------------------------------------------------------------------------------------

CONTRACTS = [contract for contract, _ in OFICIAL.contracts.hands.order]


def problems_of(first: DeclaredHand, players: int) -> tuple[str, ...]:
    """Return the problems of a sheet with this first hand and possible hands after it."""
    sound = {seat: 0 if seat == 0 else 20 for seat in range(players)}
    rest = [DeclaredHand(contract, sound) for contract in CONTRACTS[1:]]
    return tuple(problem.reason for problem in check_sheet(OFICIAL, ContractSheet(players, (first, *rest))).problems)


# All cards of two packs and six jokers count 2 * (4 * (20 + 30 + 10 + 44)) + 300 = 1132. The closer of TT has laid or
# discarded eight cards: at least eight twos, 16 points (003/1.2, 003/1.3).
SHEETS = [
    ("all but the closer's eight twos", DeclaredHand("TT", {0: 0, 1: 1132 - 16}), ""),
    ("more than the closer leaves", DeclaredHand("TT", {0: 0, 1: 1132 - 14}), "packs do not hold"),
    ("every card but the discard", DeclaredHand("TT", {0: 1100, 1: 30}, dead=True), ""),
    ("no card for the pile", DeclaredHand("TT", {0: 1100, 1: 32}, dead=True), "packs do not hold"),
    (
        "a two where all eight are named",
        DeclaredHand("TT", {0: -10, 2: 2}, left={1: "2c 2c 2d 2d 2h 2h 2s 2s"}),
        "add up to 2",
    ),
    ("dead and at once", DeclaredHand("TT", {0: 10, 1: 20}, at_once=True, dead=True), "marked dead"),
]


@pytest.mark.parametrize(("declared", "reason"), [row[1:] for row in SHEETS], ids=[row[0] for row in SHEETS])
def test_the_total_of_points_cannot_exceed_the_cards_that_other_players_may_hold(
    declared: DeclaredHand, reason: str
) -> None:
    """Cards that the closer has laid or discarded, or that a player listed, cannot be another player's points."""
    players = 3 if 2 in declared.points else 2
    found = problems_of(declared, players)
    assert found == () if not reason else len(found) == 1 and reason in found[0]


def test_a_closer_cannot_have_laid_cards_that_other_players_hold() -> None:
    """B lists all naturals and three jokers; the three jokers left do not make two trios."""
    naturals = " ".join(card for card in NATURALS for _ in range(2))
    found = problems_of(DeclaredHand("TT", {0: 0}, left={1: f"{naturals} Jk Jk Jk"}), 2)
    assert len(found) == 1
    assert "cannot have laid down TT" in found[0]


NATURALS = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]


# --- records and rules ------------------------------------------------------------------------------------


def record_of_people(
    points: tuple[int, int], total: tuple[int, int], left: tuple[tuple[int, ...] | None, ...] = ()
) -> Record:
    hand = HandRecord("TT", 0, points, 0, False, left=left)
    return Record("oficial", OFICIAL.digest, 1, ("Ana", "Beñat"), None, total, (1, 2), (hand,))


def test_a_record_distinguishes_no_cards_left_from_unknown_cards() -> None:
    """Check that both are read back as they were written."""
    record = record_of_people((0, 7), (0, 7), (None, parse_cards("7h")))
    assert read(write(record)) == record
    empty = record_of_people((0, 7), (0, 7), ((), parse_cards("7h")))
    assert read(write(empty)) == empty


def test_totals_of_a_record_without_actions_must_add_up() -> None:
    """Such a record is never replayed, so reading it checks the sums."""
    with pytest.raises(RecordError, match="its hands give"):
        read(write(record_of_people((0, 7), (0, 8))))


def test_a_clause_is_text() -> None:
    """A number as a clause is refused."""
    with pytest.raises(RulesError, match="must name its clause"):
        parse_rules(RULES_WITH_A_NUMBER, "club.toml")


RULES_WITH_A_NUMBER = """
id = "club"
kind = "contract"
document = "003"
title = "A club's"

[players]
least = { is = 2, clause = 7 }
"""


def test_lay_offs_are_listed_only_where_they_are_legal() -> None:
    """Check that listed actions are legal under rules without lay-offs."""
    rules = changed("laying.lay_off", '"none"')
    hand = position("TT", ["7h 7d 7c Kh Kd Kc 7s 2c", "2c 2d 3c 3d 4c 4d 9c"], upcard="9c", stock="5s 6s", rules=rules)
    hand.apply(DRAW_STOCK)
    while hand.phase == Phase.CLAIM:
        hand.apply(PASS)
    hand.apply(parse_action("down T: 7h 7d 7c / T: Kh Kd Kc"))
    assert refused(hand, "off 7s 1")
    assert all(hand.is_legal(action) for action in hand.legal)
    assert parse_action("off 7s 1") not in list(hand.legal)


def test_an_action_found_legal_is_checked_again_after_another_action() -> None:
    """Taking the discard, legal at the beginning of the turn, is refused after another draw and changes nothing."""
    hand = position("TT", ["7h 7d 8h 8d 2s 4s Js", "7s 7c 9h 9d 3s 5s Jd"], upcard="Kc", stock="Ts Qs")
    assert DRAW_DISCARD in hand.legal
    hand.apply(DRAW_STOCK)
    assert refused(hand, "take")
    hand.apply(PASS)
    assert parse_action("discard Ts") in hand.legal
    hand.apply(parse_action("discard Js"))
    assert refused(hand, "discard Ts")
