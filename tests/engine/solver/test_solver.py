"""Check the solver: hands whose answers follow from the clauses, agreement of its answers, refusals, and speed."""

import gc
import pickle
import random
from collections.abc import Callable
from itertools import islice

import pytest

from engine import solver
from engine.cards import FACE_BIT, JOKER, Faces, cards_text, parse_card, parse_cards
from engine.errors import RulesError
from engine.melds import is_meld
from engine.rules import Rules, load_rules
from engine.solver.contract import forget
from engine.solver.minimal_melds import LayDowns
from tests.harness.effort import effort
from tests.harness.engine.rule_texts import rules_with

OFICIAL = load_rules("oficial")
CONTRACTS = ("T", "E", "TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")
PACK = [*range(52), *range(52), *[JOKER] * 6]


def hand(text: str) -> Faces:
    return Faces(parse_cards(text))


@pytest.mark.parametrize(
    ("contract", "cards", "left"),
    [
        pytest.param("E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", "", id="a run laps: 003/1.7"),
        pytest.param("E", "Jh Qh Kh Ah 2h", "", id="the ace stands between king and two: 003/1.1"),
        pytest.param("E", "5h Jk Jk 8h", None, id="no two jokers side by side: 003/1.7"),
        pytest.param("EE", "5h 6h 7h 8h Jk Jk Jk Jk", "", id="two runs share one suit, joker about: 003/1.7"),
        pytest.param("T", "Jk Jk Jk", "", id="three jokers are a trio: 003/1.7"),
        pytest.param("T", "7c 7c 7d 7h 7s", "", id="a trio has no limit: 003/1.7"),
        pytest.param("E", "3h 4h 5h 6h Jk Jk", "", id="jokers go to both ends"),
        pytest.param("E", "3h 4h 5h 6h Jk Jk Jk", "4h", id="a joker's 50 points outweigh a natural: 003/1.2"),
        pytest.param("TE", "As As Ad 4h 6h 7h Jk 9h", "4h", id="a joker fills the gap of the run"),
        pytest.param("TT", "5h 5d 5c 7h 7d 9s", None, id="one short"),
    ],
)
def test_cheapest_leftovers_of_a_named_hand(contract: str, cards: str, left: str | None) -> None:
    """Check hands whose answers follow from the clause that the case names."""
    found = solver.best(OFICIAL, contract, hand(cards))
    assert (None if found is None else cards_text(found.left)) == left
    assert solver.possible(OFICIAL, contract, hand(cards)) == (left is not None)


@pytest.mark.parametrize(
    ("rules", "contract", "cards", "left"),
    [
        pytest.param("fournier", "TT", "Qs Qc Jk Jk Jk Jk", "", id="a pair split over two trios: 000/1.7"),
        pytest.param("fournier", "TT", "Qs Jk Jk Jk Jk Jk", None, id="no trio of jokers alone: 000/1.7"),
        pytest.param("fournier", "TE", "5h 6h 7h 8h Jk Jk Jk", "", id="a run lends a trio its natural: 000/1.7"),
        pytest.param("fournier", "E", "5h Jk Jk 8h", "", id="jokers side by side: A-15"),
        pytest.param("fournier", "E", "5h Jk Jk Jk", "", id="one natural is enough: A-15"),
        pytest.param("fournier", "E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh 2h", "2h", id="no card repeats: 000/1.7"),
        pytest.param("continental-rummy", "E", "Qh Kh Ah 2h", None, id="never round the corner: 002/1.1"),
        pytest.param("continental-rummy", "E", "Ah 2h 3h Jk", "", id="the ace is low: 002/1.1"),
        pytest.param("continental-rummy", "E", "Jh Qh Kh Ah", "", id="the ace is high: 002/1.1"),
        pytest.param(
            "continental-rummy", "E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", "Ah", id="at most thirteen: A-14"
        ),
        pytest.param("continental-rummy", "T", "7c 7d 7h 7s 7c", "", id="what is longer is laid off at once: 002/1.8"),
        pytest.param("oficial+distinct", "TT", "7c 7d 7h 7c 7s 7d", None, id="trios of different ranks: 003/2.5"),
        pytest.param("oficial+distinct", "TT", "7c 7d 7h Jk Jk Jk", "", id="a trio of jokers has no rank: 5.6"),
        pytest.param("oficial+distinct", "EE", "Ah 2h 3h 4h 6h 7h 8h 9h", None, id="runs of different suits: 003/2.5"),
        pytest.param("oficial+red-twos", "T", "2h 2d 2h", "", id="red twos are a trio as jokers are: 5.7"),
        pytest.param("oficial+red-twos", "E", "Ah 2h Jk 4h", "", id="a natural two beside a joker: A-34b"),
        pytest.param("oficial+red-twos", "E", "5h 2h Jk 8h", None, id="a wild two is not beside a joker: A-34b"),
        pytest.param("oficial+red-twos", "T", "7c 7d 2h 4s", "4s", id="a wild two in any trio: 003/2.13"),
    ],
)
def test_cheapest_leftovers_under_other_rules(rules: str, contract: str, cards: str, left: str | None) -> None:
    """Check hands whose answers follow from the clause or the decision that the case names."""
    found = solver.best(load_rules(rules), contract, hand(cards))
    assert (None if found is None else cards_text(found.left)) == left
    assert solver.possible(load_rules(rules), contract, hand(cards)) == (left is not None)


def test_red_twos_are_outs_where_jokers_are() -> None:
    """Check that a red two helps where a joker does, natural or wild; two packs hold two of each (003/2.13)."""
    red = load_rules("oficial+red-twos")
    outs = solver.outs(red, "T", hand("7c 7d 3s 2h"), 2, 6)
    assert outs == {}
    outs = solver.outs(red, "TT", hand("7c 7d 2h 9s 9c"), 2, 6)
    assert outs == {parse_card(card): copies for card, copies in NINES_AND_SEVENS.items()}


NINES_AND_SEVENS = {"7c": 1, "7d": 1, "7h": 2, "7s": 2, "9c": 1, "9d": 2, "9h": 2, "9s": 1, "2d": 2, "2h": 1, "Jk": 6}
"""The outs of two pairs and one wild card: a card of either rank, or any wild card."""


@pytest.mark.parametrize(
    ("rules", "contract", "supply"),
    [
        ("oficial", "TT", (2, 6)),
        ("fournier", "TT", (2, 4)),
        ("fournier", "EEE", (4, 8)),
        ("fournier+extended", "EEE", (3, 6)),
        ("continental-rummy", "TT", (2, 2)),
        ("zoliky", "TT", (4, 8)),
        ("oficial", "EEEE", (2, 6)),
    ],
)
def test_supply_is_the_most_packs_and_jokers_ever_in_play_with_a_contract(
    rules: str, contract: str, supply: tuple[int, int]
) -> None:
    """Check supplies of rule sets in which packs grow with hands and players: 000/1.1, A-02, A-01."""
    assert solver.supply(load_rules(rules), contract) == supply


def test_the_order_of_the_cards_does_not_change_the_best_arrangement() -> None:
    """Check that the same cards give the same arrangement, with its melds in the promised order."""
    rng = random.Random(5)
    for contract in CONTRACTS:
        cards = [*rng.sample(PACK[:104], 14), *[JOKER] * 5]
        found = solver.best(OFICIAL, contract, Faces(cards))
        rng.shuffle(cards)
        assert solver.best(OFICIAL, contract, Faces(cards)) == found
        assert found is not None
        assert [meld.kind for meld in found.melds] == sorted(contract, reverse=True)
        assert all(is_meld(OFICIAL, meld.kind, meld.cards) for meld in found.melds)
        assert list(found.left) == sorted(found.left)


@pytest.mark.parametrize(
    ("contract", "cards", "distance", "outs"),
    [
        ("T", "7c 7d", 1, {"7c": 1, "7d": 1, "7h": 2, "7s": 2, "Jk": 6}),
        ("T", "7c 7c", 1, {"7d": 2, "7h": 2, "7s": 2, "Jk": 6}),
        ("E", "5h 6h 7h", 1, {"4h": 2, "8h": 2, "Jk": 6}),
        ("E", "5h 6h 8h", 1, {"7h": 2, "Jk": 6}),
        ("E", "Kh Ah 2h", 1, {"Qh": 2, "3h": 2, "Jk": 6}),
        ("E", "5h Jk Jk Jk", 1, {"3h": 2, "4h": 2, "6h": 2, "7h": 2}),
        ("TT", "7c 7d 7h 2c 2d 2h", 0, {}),
    ],
)
def test_distance_and_outs_of_a_named_hand(contract: str, cards: str, distance: int, outs: dict[str, int]) -> None:
    """Check distances and outs; two packs hold two of each card and six jokers (003/1.1)."""
    assert solver.distance(OFICIAL, contract, hand(cards)) == distance
    expected = {parse_card(card): copies for card, copies in outs.items()}
    assert solver.outs(OFICIAL, contract, hand(cards)) == expected


def test_outs_and_no_other_cards_shorten_the_distance() -> None:
    """Check outs of random hands of every contract against the distances of the hands with one more card."""
    rng = random.Random(11)
    for contract in CONTRACTS:
        for _ in range(12):
            held = Faces(rng.sample(PACK, rng.randint(5, 14)))
            distance = solver.distance(OFICIAL, contract, held, 2, 6)
            unseen = Faces(PACK)
            for face in held:
                unseen.remove(face)
            nearer: dict[int, int] = {}
            for face in unseen.distinct():
                held.add(face)
                after = solver.distance(OFICIAL, contract, held, 2, 6)
                held.remove(face)
                assert after in (distance, distance - 1)
                if after < distance:
                    nearer[face] = unseen.count(face)
            assert solver.outs(OFICIAL, contract, held, 2, 6) == nearer, (contract, held)
            mask = solver.plan(OFICIAL, contract, held, 2, 6).outs_mask
            assert {face for face in range(53) if mask & FACE_BIT[face]} == set(nearer)


def test_kept_cards_have_the_distance_of_the_whole_hand() -> None:
    """Check that the cards that `plan` keeps are in the hand and have its distance."""
    rng = random.Random(12)
    for contract in CONTRACTS:
        for _ in range(40):
            held = Faces(rng.sample(PACK, rng.randint(6, 14)))
            plan = solver.plan(OFICIAL, contract, held, 2, 6)
            assert held.holds(plan.keep)
            assert solver.distance(OFICIAL, contract, Faces(plan.keep), 2, 6) == plan.distance


def test_a_plan_does_not_change_when_the_hand_does() -> None:
    """Check that a plan keeps cards of the hand for which it was made, and that a pickled copy is equal."""
    held = hand("7c 7d 9s Jk")
    plan, copied = (solver.plan(OFICIAL, "TT", held, 2, 6) for _ in range(2))
    copied = pickle.loads(pickle.dumps(copied))
    for card in parse_cards("7c 7d Jk"):
        held.remove(card)
    assert cards_text(plan.keep) == cards_text(copied.keep) == "7c 7d 9s Jk"
    assert copied == plan
    assert plan != solver.plan(OFICIAL, "TT", held, 2, 6)


def test_answers_do_not_depend_on_earlier_questions() -> None:
    """Compare plans of many hands, some a card apart, with plans made after the caches were cleared."""
    rng = random.Random(18)
    questions = []
    for _ in range(30):
        held = Faces([*rng.sample(PACK[:52], 7), *rng.sample(PACK[:26], 3), *[JOKER] * rng.randrange(3)])
        for contract in ("EE", "TEE", "EEE"):
            questions += [(contract, held.copy()), (contract, Faces([*held, rng.choice(PACK[26:52])]))]
    rng.shuffle(questions)
    in_turn = [solver.plan(OFICIAL, contract, held) for contract, held in questions]
    for (contract, held), answered in zip(questions, in_turn, strict=True):
        forget()
        assert solver.plan(OFICIAL, contract, held) == answered, (contract, held)


def test_best_finds_an_arrangement_exactly_at_distance_zero() -> None:
    """Check that `best`, `possible`, `distance` and `LayDowns` agree on hands of up to 24 cards."""
    rng = random.Random(13)
    seen = {True: 0, False: 0}
    for contract in CONTRACTS:
        for _ in range(25):
            held = Faces([*rng.sample(PACK[:104], rng.randint(5, 18)), *[JOKER] * rng.randrange(7)])
            met = solver.distance(OFICIAL, contract, held, 2, 6) == 0
            assert solver.possible(OFICIAL, contract, held) == met
            assert (solver.best(OFICIAL, contract, held) is not None) == met
            assert any(LayDowns(OFICIAL, contract, held)) == met
            seen[met] += 1
    assert min(seen.values()) > 20, seen


def test_best_never_leaves_more_than_a_lay_down_of_minimal_melds() -> None:
    """Compare the points that `best` leaves with those of a lay-down of minimal melds."""
    rng = random.Random(14)
    compared = 0
    for contract in CONTRACTS:
        for _ in range(12):
            held = Faces([*rng.sample(PACK[:104], 13), *[JOKER] * 3])
            total = sum(OFICIAL.points(face) for face in held)
            for melds in islice(LayDowns(OFICIAL, contract, held), 1):
                found = solver.best(OFICIAL, contract, held)
                assert found is not None
                assert found.points <= total - sum(OFICIAL.points(face) for meld in melds for face in meld.cards)
                compared += 1
    assert compared > 40


@pytest.mark.parametrize(
    ("cards", "packs", "jokers", "named"),
    [
        ("As As As", 2, 6, "a third As"),
        ("7h 7h", 1, 3, "a second 7h"),
        ("Jk Jk Jk", 2, 2, "3 jokers"),
    ],
)
def test_a_hand_that_the_packs_do_not_hold_is_refused(cards: str, packs: int, jokers: int, named: str) -> None:
    """Check that the refusal names the card (003/1.1)."""
    with pytest.raises(RulesError, match=named):
        solver.distance(OFICIAL, "TT", hand(cards), packs, jokers)


@pytest.mark.parametrize("contract", ["", "X", "TTTTTT", "te"])
def test_a_text_that_is_not_a_contract_is_refused(contract: str) -> None:
    """Check texts that are not one to five letters T and E."""
    with pytest.raises(RulesError, match="is not a contract"):
        solver.best(OFICIAL, contract, hand("As"))


@pytest.mark.parametrize("contract", ["ET", "ETE", "TET"])
def test_the_order_of_the_letters_does_not_matter(contract: str) -> None:
    """Compare TET and ETE with TTE and TEE."""
    sorted_contract = "".join(sorted(contract, reverse=True))
    held = hand("4h 5h 6h 7h 9c 9d 9h 2s 3s 4s 5s Jk Jk")
    assert solver.best(OFICIAL, contract, held) == solver.best(OFICIAL, sorted_contract, held)
    assert solver.plan(OFICIAL, contract, held) == solver.plan(OFICIAL, sorted_contract, held)


def test_the_solver_follows_changed_rules_of_melds() -> None:
    """Check rules without runs round the corner, with adjacent jokers, and with runs of three."""
    ends = rules_with({"run.ace": '"ends"'})
    assert solver.best(ends, "E", hand("Qh Kh Ah 2h")) is None
    assert solver.distance(ends, "E", hand("Qh Kh Ah 2h")) == 1
    adjacent = rules_with({"run.jokers_adjacent": '"allowed"', "trio.naturals": "1", "run.most": "13"})
    assert solver.possible(adjacent, "E", hand("5h Jk Jk 8h"))
    assert not solver.possible(adjacent, "T", hand("Jk Jk Jk"))
    lapping = solver.best(adjacent, "E", hand("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh 2h"))
    assert lapping is not None
    assert cards_text(lapping.left) == "2h"
    short_runs = rules_with({"run.least": "3"})
    assert solver.possible(short_runs, "E", hand("5h 6h 7h"))


def rich_hands() -> list[list[int]]:
    """Return hands of up to 24 cards that make a search long."""
    rng = random.Random(17)
    hands = [
        [*range(13), *rng.sample(range(13), 5), *[JOKER] * 6],
        [*rng.sample([*range(13)] * 2, 18), *[JOKER] * 6],
        [*rng.sample([*range(13)] * 2, 9), *rng.sample([*range(13, 26)] * 2, 9), *[JOKER] * 6],
        [*range(0, 12, 2), *range(0, 12, 2), *range(13, 25, 2), *[JOKER] * 6],
        [*rng.sample(PACK[:104], 18), *[JOKER] * 6],
        [*rng.sample(PACK[:104], 21), *[JOKER] * 3],
        [*rng.sample(PACK[:104], 7), *[JOKER] * 6],
    ]
    return [*hands, *[rng.sample(PACK, size) for size in (7, 10, 13)]]


SLOW = (
    ("best", "E", "Ac 2c 3c 3c 4c 5c 6c 7c 8c 9c Tc Jc Jc Qc Kc 2d As 3s Ks Jk Jk Jk Jk Jk"),
    ("best", "EE", "2c 2c 3c 4c 5c 5c 6c 6c 7c 8c 9c 9c Tc Tc Jc Kc Kc Jd Jk Jk Jk Jk Jk Jk"),
    ("best", "EE", "Ac 2c 3c 4c 5c 6c 8c Tc Jc Jc Qc Kc Ad 2d 3d Kd Qh Js Qs Jk Jk Jk"),
    ("best", "EEE", "Ac Ac 2c 2c 4c 4c 6c 7c 7c 8c 8c 9c 9c Tc Tc Jc Jc Qd Jk Jk Jk Jk Jk Jk"),
    ("best", "EEE", "Ac 2c 2c 3c 3c 4c 4c 5c 6c 6c 7c 8c 9c Jc Jc Kc 7d Jh 2s 5s Jk Jk Jk Jk"),
    ("best", "EEE", "Ac 2c 2c 3c 4c 4c 5c 6c 6c 7c 7c 8c 8c 9c 9c Tc Jc Qc Kc Td Jk Jk Jk Jk"),
    ("best", "EEE", "Ac 2c 3c 3c 5c 6c 6c 7c 8c 8c 9c Qc Ad 2d 6d 2h 4h Ks Jk Jk Jk Jk"),
    ("best", "EEE", "Ac 2c 3c 4c 4c 6c 6c 7c 9c Tc Jc Jc Qc Qc Kc 2h 3h Jh Jk Jk Jk Jk Jk Jk"),
    ("best", "EEE", "Ac Ac 2c 2c 3c 5c 5c 7c 8c 9c Tc Jc Qc Kc Kc 3d 7d Th 6s Jk Jk Jk Jk Jk"),
    ("best", "EEE", "Ac Ac 3c 3c 5c 5c 7c 7c 9c 9c Jc Jc Kc Kc 2d 4d 6d 8d Jk Jk Jk Jk Jk Jk"),
    ("best", "EEE", "Ac Ac 4c 5c 6c 7c 8c 8c 9c Tc Jc Jc Kc Ad 4d 5h 5s Ks Jk Jk Jk Jk"),
    ("best", "TEE", "Ac Ac 2c 2c 3c 4c 5c 6c 7c 8c 9c 9c Tc Jc Qc Qc Kc Kc Ad 8s Jk Jk Jk Jk"),
    ("best", "TEE", "Ac Ac 2c 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Jc Qc Kc 7h As Jk Jk Jk Jk Jk"),
    ("possible", "EEE", "Ac 2c 5c 6c 6c 7c 8c 9c Tc Jc Qc Kc 2d 5d 8d Jh Jk Jk Jk Jk Jk Jk"),
    ("plan", "EEE", ""),
    ("plan", "EEE", "7c 8c 9c Tc Jk Jk Jk Jk"),
    ("plan", "EEE", "Ac 2c 2c 5c 6c 6c 7c 8c 9c Jc Jc Qc Kc 4d Jd 4h Jh Ks Jk Jk Jk Jk Jk Jk"),
    ("plan", "TEE", "2c 5c Qc 2d 8d 8d Qd Ah Ah 7h 2s 6s 9s Qs Jk Jk Jk Jk Jk Jk"),
)
"""The slowest hands found by hill climbing, one card changed at a time: function, contract, cards."""


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_question_is_answered_within_fifty_milliseconds(contract: str) -> None:
    """Measure hands of up to 24 cards, 6 of them jokers, in plain Python."""
    for cards in rich_hands():
        for ask in (solver.best, solver.plan, solver.possible):
            assert quickest(ask, contract, Faces(cards)) < 4, (ask.__name__, cards_text(cards))


SLOW_UNDER_OTHER_RULES = (
    ("fournier+extended", "TEEE", "3c Ah 2h 2h 3h 3h 4h 5h 5h 6h 7h 8h 9h Th Jh Qh Qh Kh 6s Jk Jk Jk Jk Jk"),
    ("fournier+extended", "TEEE", "Qc Ad 2d 3d 4d 5d 5d 6d 6d 7d 7d 8d 9d 9d Td Td Jd Jd Qd Kd Kd Jk Jk"),
    ("fournier+extended", "EEEE", "4c Ad 2d 2d 3d 4d 5d 6d 7d 8d Td Jd Qd Kd Th As 7s Jk Jk Jk Jk Jk Jk"),
    ("fournier+extended", "EEEE", "4c Ad 2d 2d 3d 3d 4d 5d 6d 7d 7d 8d 9d Td Jd Jd Qd Kd 5h 5h 5s 8s Ks Jk"),
    ("fournier+extended", "TTEE", "4c Ad 2d 3d 4d 5d 6d 7d 7d 8d 9d Td Td Jd Jd Qd Kd 3h 5h As 8s Jk Jk Jk"),
    ("fournier", "EEE", "2d 6d 6h As 2s 3s 4s 5s 6s 7s 8s 9s 9s Ts Js Qs Ks Jk Jk Jk Jk Jk Jk"),
    ("zoliky", "EEE", "5d 5d Qd Qd Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Kh Jk Jk Jk Jk Jk Jk"),
    ("oficial+red-twos", "TEE", "2d 2d 9d Ah 2h 2h 3h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Jk Jk Jk Jk Jk Jk"),
    ("oficial+red-twos", "EEE", "Qc 2d 2d 7d Td Ah 2h 2h 3h 9h Jh Kh As 6s 6s 8s 9s 9s Jk Jk Jk Jk Jk Jk"),
    ("oficial+red-twos", "EEE", "Ac 8c Jc 2d 2d 5d 2h 2h 8h Jk Jk Jk Jk Jk Jk"),
    ("oficial+distinct", "EEE", "Ac 2c 3c 5c 6c 8c 9c Qc Ad 2d 6d 2h 4h 6h 7h 9h Ks Qs Jk Jk Jk Jk"),
)
"""The slowest hands found for other rule sets: rules, contract, cards."""


@pytest.mark.parametrize(("rules", "contract", "cards"), SLOW_UNDER_OTHER_RULES)
def test_questions_under_other_rule_sets_are_answered_within_150_milliseconds(
    rules: str, contract: str, cards: str
) -> None:
    """Measure hands with long searches: four runs of any length, or red twos natural and wild."""
    for ask in (solver.best, solver.plan, solver.possible):
        assert quickest(ask, contract, hand(cards), load_rules(rules)) < 12, ask.__name__


@pytest.mark.parametrize(("question", "contract", "cards"), SLOW)
def test_the_slowest_hands_known_are_answered_within_fifty_milliseconds(
    question: str, contract: str, cards: str
) -> None:
    """Measure the hands of `SLOW`."""
    assert quickest(getattr(solver, question), contract, hand(cards)) < 4


def quickest(
    function: Callable[[Rules, str, Faces], object], contract: str, held: Faces, rules: Rules = OFICIAL
) -> float:
    """Return the effort of the quickest of up to five calls.

    The solver's caches are cleared before each call. Garbage collection, which would measure objects of other tests, is
    switched off.
    """
    efforts = []
    gc.disable()
    try:
        for _ in range(5):
            forget()
            efforts.append(effort(lambda: function(rules, contract, held)))
            if efforts[-1] < 2:
                break
    finally:
        gc.enable()
    return min(efforts)
