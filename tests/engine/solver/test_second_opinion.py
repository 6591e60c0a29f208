"""Check melds and the solver against brute force, for every rule set and every variant that changes melds."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain, combinations

import pytest

from engine import melds, solver
from engine.cards import Faces, card_text, parse_card, parse_cards
from engine.melds import Meld
from engine.rules import Rules, load_rules
from engine.solver.minimal_melds import LayDowns
from tests.harness.engine.rule_texts import rules_with
from tests.oracles.engine import brute_contracts
from tests.oracles.engine.brute_contracts import JOKER, NATURALS, OFICIAL, ORDER, RED_TWOS, SUITS, Law

SMALL = ("T", "E", "TT", "TE", "TE", "EE", "EE", "TTT", "TTE")
LARGE = ("TTE", "TEE", "TEE", "EEE", "EEE", "EE", "TTT")


@dataclass(frozen=True)
class Pair:
    """Rules of the engine, the same rules for the brute force, and the contracts of large hands."""

    rules: Rules
    law: Law
    large: tuple[str, ...] = LARGE


ROUND_POINTS = (20, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10)
FOURNIER = Law(
    trio_naturals=1,
    run_most=13,
    jokers_side_by_side=True,
    swap_stays_in_the_run=False,
    points=ROUND_POINTS,
)
AMERICAN = Law(trio_naturals=1, run_most=13, turns_the_corner=False, jokers_side_by_side=True, jokers=2)
FIXED = {"swaps": False, "swap_stays_in_the_run": False}
KNOCK = replace(
    AMERICAN, run_least=3, run_most=1000, points=(15, *OFICIAL.points[1:]), joker_points=20, jokers=6, **FIXED
)

PAIRS: dict[str, Pair] = {
    "oficial": Pair(load_rules("oficial"), OFICIAL),
    "oficial+distinct": Pair(load_rules("oficial+distinct"), replace(OFICIAL, distinct=True)),
    "oficial+red-twos": Pair(load_rules("oficial+red-twos"), replace(OFICIAL, red_twos_wild=True)),
    "oficial+no-jokers": Pair(load_rules("oficial+no-jokers"), replace(OFICIAL, jokers=0)),
    "oficial+red-twos+distinct": Pair(
        load_rules("oficial+red-twos+distinct"), replace(OFICIAL, red_twos_wild=True, distinct=True)
    ),
    "fournier": Pair(load_rules("fournier"), replace(FOURNIER, packs=3)),
    "fournier+extended": Pair(
        load_rules("fournier+extended"), replace(FOURNIER, packs=3), ("TTTT", "TTTT", "TTTE", "TTEE", "EEE")
    ),
    "continental-rummy": Pair(load_rules("continental-rummy"), replace(AMERICAN, only_an_end_leaves=True)),
    "zoliky": Pair(load_rules("zoliky"), replace(AMERICAN, packs=4, jokers=8, **FIXED)),
    "knock": Pair(load_rules("knock"), KNOCK, ("EEE", "TEE", "TTE", "TTT")),
    "a club's short runs": Pair(
        rules_with({"run.least": "3", "run.ace": '"ends"', "run.most": "13"}),
        replace(OFICIAL, run_least=3, run_most=13, turns_the_corner=False),
    ),
    "a club's runs of six at most": Pair(
        rules_with({"run.most": "6", "run.jokers_adjacent": '"allowed"'}),
        replace(OFICIAL, run_most=6, jokers_side_by_side=True),
    ),
    "a club's trios with a natural": Pair(rules_with({"trio.naturals": "1"}), replace(OFICIAL, trio_naturals=1)),
    "a club's trios of four at most": Pair(
        rules_with({"trio.most": "4", "laying.distinct": '"yes"'}), replace(OFICIAL, trio_most=4, distinct=True)
    ),
    "a club's red twos in trios of four at most": Pair(
        rules_with({"trio.most": "4", "pack.wild_twos": '"red"'}), replace(OFICIAL, trio_most=4, red_twos_wild=True)
    ),
    "a club's distinct trios with a natural": Pair(
        rules_with({"trio.naturals": "1", "run.jokers_adjacent": '"allowed"', "laying.distinct": '"yes"'}),
        replace(OFICIAL, trio_naturals=1, jokers_side_by_side=True, distinct=True),
    ),
}
"""The pairs of rules that are compared; the clubs' have values that no document has."""

Cards = tuple[str, ...]
Check = Callable[[Pair, int, int], Counter[str]]


def some_run(rng: random.Random, law: Law) -> Cards:
    """Return cards in order with some jokers, which are often a run or nearly one."""
    suit, start = rng.choice(SUITS), rng.randrange(13)
    length = rng.choice((3, 4, 4, 5, 5, 6, 7, 9, 13, 14, 16))
    cards = [ORDER[(start + i) % 13] + suit for i in range(length)]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        cards[rng.randrange(length)] = some_wild(rng, law)
    if rng.random() < 0.25:
        cards[rng.randrange(length)] = rng.choice(NATURALS)
    return tuple(cards)


def some_wild(rng: random.Random, law: Law) -> str:
    """Return a joker or, where red twos are wild, often one of them, marked as wild or not."""
    return rng.choice((JOKER, JOKER, *RED_TWOS, "2d*", "2h*")) if law.red_twos_wild else JOKER


def some_trio(rng: random.Random, law: Law) -> Cards:
    """Return cards of one rank with some jokers, which are often a trio or nearly one."""
    rank = rng.choice(ORDER)
    cards = [rank + rng.choice(SUITS) for _ in range(rng.choice((1, 2, 2, 3, 4)))]
    if rng.random() < 0.2:
        cards = []
    if rng.random() < 0.3:
        cards.append(rng.choice(NATURALS))
    return (*cards, *[some_wild(rng, law) for _ in range(rng.choice((0, 1, 1, 2, 3)))])


def some_hand(rng: random.Random, law: Law, contract: str, size: int, jokers: int) -> Cards:
    """Return a hand of the packs, mostly of few suits and near ranks or of whole melds, so that melds are common."""
    suits = rng.sample(SUITS, rng.choice((1, 2, 2, 4)))
    ranks = ORDER if rng.random() < 0.4 else [ORDER[(rng.randrange(13) + i) % 13] for i in range(8)]
    pool = sorted({rank + suit for rank in ranks for suit in suits}) * min(3, law.packs)
    built = [card for kind in contract for card in some_minimal_meld(rng, law, kind)] if rng.random() < 0.3 else []
    if law.red_twos_wild:
        pool = [card for card in pool if card not in RED_TWOS]
    jokers = min(jokers, law.jokers)
    twos = rng.sample(RED_TWOS * 2, min(size - 1, rng.choice((0, 1, 1, 2, 2, 3)))) if law.red_twos_wild else []
    count = min(len(pool), max(1, size - jokers - len(twos)))
    chosen: Counter[str] = Counter(twos)
    for card in (*rng.sample(built, len(built)), *rng.sample(pool, len(pool))):
        if chosen.total() < count + len(twos) and chosen[card] < law.packs:
            chosen[card] += 1
    return (*chosen.elements(), *[JOKER] * jokers)


def some_minimal_meld(rng: random.Random, law: Law, kind: str) -> list[str]:
    """Return naturals that make a minimal trio or run."""
    rank, suit = rng.randrange(13 if kind == "T" or law.turns_the_corner else 9), rng.choice(SUITS)
    if kind == "T":
        return rng.choices([ORDER[rank] + letter for letter in SUITS], k=3)
    return [ORDER[(rank + i) % 13] + suit for i in range(law.run_least)]


def faces(cards: Cards) -> tuple[int, ...]:
    return tuple(parse_card(card) for card in cards)


def texts(cards: tuple[int, ...]) -> Cards:
    return tuple(card_text(face) for face in cards)


def as_texts(found: tuple[Meld, ...]) -> list[Cards]:
    return sorted(texts(meld.cards) for meld in found)


def check_melds(pair: Pair, seed: int, cases: int) -> Counter[str]:
    """Compare `kinds`, `fault` and `roles` with brute force; count the cases by legal kinds."""
    rules, law = pair.rules, pair.law
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(cases):
        cards = some_run(rng, law) if rng.random() < 0.6 else some_trio(rng, law)
        laid = {kind: brute_contracts.as_laid(law, kind, cards) for kind in "TE"}
        expected = tuple(kind for kind in "TE" if laid[kind])
        assert melds.kinds(rules, faces(cards)) == expected, cards
        for kind in (melds.TRIO, melds.RUN):
            refusal = melds.fault(rules, kind, faces(cards))
            assert (refusal is None) == (kind in expected), cards
            if refusal is None:
                assert texts(melds.roles(rules, kind, faces(cards))) in laid[kind], cards
        seen["".join(expected) or "none"] += 1
    return seen


def check_lay_offs(pair: Pair, seed: int, cases: int) -> Counter[str]:
    """Compare the melds that `fits`, `swaps` and `left_by_joker` make."""
    rules, law = pair.rules, pair.law
    rng, seen = random.Random(seed), Counter[str]()
    while sum(seen.values()) < cases:
        plain = some_run(rng, law) if rng.random() < 0.7 else some_trio(rng, law)
        for kind in melds.kinds(rules, faces(plain)):
            meld = Meld(kind, melds.roles(rules, kind, faces(plain)))
            cards = texts(meld.cards)
            card = some_card_near(rng, cards)
            longer = sorted(brute_contracts.lay_offs(law, kind, cards, card))
            assert as_texts(melds.fits(rules, meld, parse_card(card))) == longer, (cards, card)
            seen["fits" if longer else "misfits"] += 1
            if kind == melds.RUN:
                swapped = sorted(brute_contracts.swaps(law, cards, card))
                assert as_texts(melds.swaps(rules, meld, parse_card(card))) == swapped, (cards, card)
                seen["swaps" if swapped else "no swap"] += 1
                left = sorted(brute_contracts.runs_freeing_joker(law, cards, card))
                assert as_texts(melds.left_by_joker(rules, meld, parse_card(card))) == left, (cards, card)
                seen["left" if left else "not left"] += 1
    return seen


def some_card_near(rng: random.Random, cards: Cards) -> str:
    """Return a joker, a card of the meld's suit or rank, or any card."""
    naturals = [card for card in cards if not brute_contracts.is_wild(card)]
    if not naturals or rng.random() < 0.2:
        return rng.choice((JOKER, *NATURALS))
    return rng.choice(ORDER) + naturals[0][1] if rng.random() < 0.7 else naturals[0][0] + rng.choice(SUITS)


def check_best(pair: Pair, seed: int, cases: int) -> Counter[str]:
    """Compare the points that `best` leaves with those of every choice of melds, and check its melds."""
    rules, law = pair.rules, pair.law
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(cases):
        contract = rng.choice(SMALL)
        need = sum(law.run_least if kind == "E" else 3 for kind in contract)
        cards = some_hand(rng, law, contract, rng.randint(need, need + 3 if need < 9 else need + 1), rng.randrange(5))
        hand = Faces(faces(cards))
        expected = brute_contracts.least_left(law, contract, cards)
        found = solver.best(rules, contract, hand)
        assert (found is None) == (expected is None), (contract, cards)
        assert solver.possible(rules, contract, hand) == (expected is not None), (contract, cards)
        if found is not None:
            assert found.points == expected, (contract, cards)
            assert_sound(law, contract, cards, found)
        seen["possible" if found else "impossible"] += 1
    return seen


def assert_sound(law: Law, contract: str, cards: Cards, found: solver.Arrangement) -> None:
    """Check that the melds have the right kinds and the hand's cards, and the points of the cards left."""
    assert [meld.kind for meld in found.melds] == sorted(contract, reverse=True)
    assert all(brute_contracts.is_meld(law, meld.kind, texts(meld.cards)) for meld in found.melds)
    if law.red_twos_wild:
        assert all(
            texts(meld.cards) in brute_contracts.as_laid(law, meld.kind, brute_contracts.in_hand(texts(meld.cards)))
            for meld in found.melds
        )
    labels = [brute_contracts.label(meld.kind, texts(meld.cards)) for meld in found.melds]
    named = [label for label in labels if label is not None]
    assert not law.distinct or len(set(named)) == len(named)
    used = Counter(card for meld in found.melds for card in brute_contracts.in_hand(texts(meld.cards)))
    assert used + Counter(texts(found.left)) == Counter(cards)
    assert found.points == sum(law.worth(card) for card in texts(found.left))


def check_runs(pair: Pair, seed: int, cases: int) -> Counter[str]:
    """Compare `best` with runs laid card by card, on larger hands and with more jokers than runs need."""
    rules, law = pair.rules, pair.law
    many_jokers = replace(law, jokers=8 if law.jokers else 0)
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(cases):
        contract = rng.choice(("E", "E", "EE", "EE", "EEE"))
        size = law.run_least * len(contract) + rng.randrange(12 - 2 * len(contract))
        cards = some_hand(rng, many_jokers, contract, size, rng.randrange(8))
        hand = Faces(faces(cards))
        expected = brute_contracts.least_left_by_runs(law, len(contract), cards)
        found = solver.best(rules, contract, hand)
        assert (None if found is None else found.points) == expected, (contract, cards)
        if found is not None:
            assert_sound(law, contract, cards, found)
        seen["impossible" if found is None else "replaced" if replaces_a_natural(law, found) else "possible"] += 1
    return seen


def replaces_a_natural(law: Law, found: solver.Arrangement) -> bool:
    """Return whether a joker of a run stands for a card that stays in the hand."""
    rows = [brute_contracts.run_row(law, texts(meld.cards)) for meld in found.melds]
    places = [zip(row, texts(meld.cards), strict=True) for row, meld in zip(rows, found.melds, strict=True) if row]
    stood_for = {natural for place in places for natural, card in place if brute_contracts.is_wild(card)}
    return not stood_for.isdisjoint(texts(found.left))


def check_possible(pair: Pair, seed: int, cases: int) -> Counter[str]:
    """Compare `possible` on larger hands with jokers; check that `LayDowns` lists something exactly then."""
    rules, law = pair.rules, pair.law
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(cases):
        contract = rng.choice(pair.large)
        need = sum(law.run_least if kind == "E" else 3 for kind in contract)
        cards = some_hand(rng, law, contract, need + rng.randrange(3), rng.randrange(5))
        expected = brute_contracts.meets(law, contract, cards)
        hand = Faces(faces(cards))
        assert solver.possible(rules, contract, hand) == expected, (contract, cards)
        assert any(LayDowns(rules, contract, hand)) == expected
        seen["possible" if expected else "impossible"] += 1
    return seen


def check_distances(pair: Pair, seed: int, cases: int) -> Counter[str]:
    """Compare `distance` and `outs` with every addition of one or two cards."""
    rules, law = pair.rules, pair.law
    rng, seen = random.Random(seed), Counter[str]()
    while sum(seen.values()) < cases:
        contract = rng.choice(("T", "E", "E", "TT", "TE", "TE", "EE", "EE"))
        need = sum(law.run_least if kind == "E" else 3 for kind in contract)
        cards = some_hand(rng, law, contract, max(1, need - rng.randrange(3)), rng.choice((0, 0, 1, 1, 2, 3)))
        hand = Faces(faces(cards))
        plan = solver.plan(rules, contract, hand, law.packs, law.jokers)
        if need >= 7 and rng.random() < 0.7:
            continue
        if plan.distance > 2 or (plan.distance == 2 and (need > 6 or rng.random() < 0.9)):
            continue  # brute force takes too long to add every two cards for larger contracts
        outs = {card_text(face): n for face, n in solver.outs(rules, contract, hand, law.packs, law.jokers).items()}
        assert (plan.distance == 0) == brute_contracts.meets(law, contract, cards), (contract, cards)
        assert need - len(plan.keep) == plan.distance, (contract, cards)
        assert hand.holds(plan.keep)
        if plan.distance == 0:
            assert outs == {}
        elif plan.distance == 1:
            assert outs == brute_contracts.completing_cards(law, contract, cards), (contract, cards)
        else:
            unseen = brute_contracts.unseen_copies(law, cards)
            assert brute_contracts.completing_cards(law, contract, cards) == {}
            after_one_card = {
                card: n for card, n in unseen.items() if brute_contracts.completing_cards(law, contract, (*cards, card))
            }
            assert outs == after_one_card, (contract, cards)
        seen[str(plan.distance)] += 1
    return seen


def check_lay_downs(pair: Pair, seed: int, cases: int) -> Counter[str]:
    """Check that `LayDowns` lists each lay-down of minimal melds once, and no other."""
    rules, law = pair.rules, pair.law
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(cases):
        contract = rng.choice(("T", "E", "TT", "TE", "EE", "TTE"))
        cards = some_hand(rng, law, contract, rng.randint(7, 10), rng.randrange(4))
        listed = list(LayDowns(rules, contract, Faces(faces(cards))))
        assert len(set(listed)) == len(listed)
        found = {in_text_order(lay_down) for lay_down in listed}
        assert found == set(brute_contracts.all_lay_downs(law, contract, cards)), (contract, cards)
        assert len(found) == len(listed)
        seen["some" if listed else "none"] += 1
    return seen


def in_text_order(lay_down: tuple[Meld, ...]) -> tuple[Cards, ...]:
    """Return a lay-down as texts in the brute force's order: trios, then runs, each in alphabetical order."""
    order = {card: place for place, card in enumerate((*NATURALS, JOKER, "2d*", "2h*"))}
    trios = sorted(tuple(sorted(texts(m.cards), key=order.__getitem__)) for m in lay_down if m.kind == melds.TRIO)
    runs = sorted(texts(m.cards) for m in lay_down if m.kind == melds.RUN)
    return (*trios, *runs)


CHECKS: dict[str, tuple[Check, int, tuple[str, ...]]] = {
    "melds": (check_melds, 8400, ("T", "E", "none")),
    "lay-offs": (check_lay_offs, 8100, ("fits", "misfits", "no swap")),
    "best": (check_best, 2200, ("possible", "impossible")),
    "runs": (check_runs, 640, ("possible", "impossible")),
    "possible": (check_possible, 1000, ("possible", "impossible")),
    "distances": (check_distances, 150, ("0", "1", "2")),
    "lay-downs": (check_lay_downs, 400, ("some", "none")),
}
"""Each check with its number of cases and the outcomes that must occur."""

PART_OF_CASES = 48
"""One case of this many is compared in each test run; the soak tests compare all."""


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("rules", PAIRS)
def test_engine_and_brute_force_agree(rules: str, name: str) -> None:
    """Check that the two programs agree, and that every outcome but the rare distance 2 occurs."""
    check, cases, outcomes = CHECKS[name]
    seen = check(PAIRS[rules], 20261, cases // PART_OF_CASES)
    assert all(seen[outcome] for outcome in outcomes if outcome != "2"), seen


@pytest.mark.soak
@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("rules", PAIRS)
def test_engine_and_brute_force_agree_on_all_cases(rules: str, name: str) -> None:
    """Check all cases with another seed, and that every outcome occurs."""
    check, cases, outcomes = CHECKS[name]
    seen = check(PAIRS[rules], 1, cases)
    assert all(seen[outcome] for outcome in outcomes), seen


@pytest.mark.parametrize(
    "rules", ["oficial", "oficial+red-twos", "fournier", "a club's short runs", "a club's runs of six at most"]
)
def test_jokers_replace_naturals_where_runs_have_no_room_at_their_ends(rules: str) -> None:
    """Compare long hands of one suit with many jokers; in some, jokers replace naturals."""
    pair, rng, replaced = PAIRS[rules], random.Random(21), 0
    for number in range(20):
        contract = "EE" if number % 4 == 0 and not pair.law.jokers_side_by_side else "E"
        jokers, naturals = (6, rng.randint(6, 8)) if contract == "EE" else (rng.randint(3, 6), rng.randint(9, 11))
        pool, suit = [rank for rank in ORDER if rank != "2"], rng.choice(SUITS)
        cards = (*[rank + suit for rank in rng.sample(pool, naturals)], *[JOKER] * jokers)
        found = solver.best(pair.rules, contract, Faces(faces(cards)))
        expected = brute_contracts.least_left_by_runs(pair.law, len(contract), cards)
        assert (None if found is None else found.points) == expected, (contract, cards)
        if found is not None:
            assert_sound(pair.law, contract, cards, found)
            replaced += replaces_a_natural(pair.law, found)
    assert replaced > 3, replaced


@pytest.mark.parametrize(
    "rules", [name for name, pair in PAIRS.items() if pair.law.jokers and pair.law.swap_stays_in_the_run]
)
def test_swaps_of_jokers_occur_among_the_cases(rules: str) -> None:
    """Check that the cases exercise swaps where the rules allow them."""
    assert check_lay_offs(PAIRS[rules], 20261, 1500)["swaps"]


@pytest.mark.parametrize(
    ("name", "start", "length"), [("oficial", 4, 6), ("fournier", 4, 5), ("continental-rummy", 0, 13)]
)
def test_every_joker_that_may_leave_its_run_is_found(name: str, start: int, length: int) -> None:
    """Check runs with up to three jokers in all places, and every card for which a joker stands."""
    rules, law, leaving = PAIRS[name].rules, PAIRS[name].law, 0
    for places in chain(*(combinations(range(length), jokers) for jokers in (1, 2, 3))):
        cards = tuple("Jk" if place in places else ORDER[start + place] + "h" for place in range(length))
        if not brute_contracts.is_run(law, cards):
            continue
        for place in places:
            card = ORDER[start + place] + "h"
            left = brute_contracts.runs_freeing_joker(law, cards, card)
            found = melds.left_by_joker(rules, Meld(melds.RUN, faces(cards)), parse_card(card))
            assert as_texts(found) == sorted(left), (cards, card)
            leaving += len(left)
    assert leaving


def test_twenty_thousand_cases_are_compared_for_each_rule_set() -> None:
    """Check that the numbers of cases add up to 20,000 or more."""
    assert sum(cases for _, cases, _ in CHECKS.values()) >= 20_000


def test_brute_force_agrees_with_the_examples_of_the_documents() -> None:
    """Check the brute force against examples of runs, trios and exchanges in the documents."""
    assert brute_contracts.is_run(OFICIAL, texts(parse_cards("Qh Kh Ah 2h")))
    assert not brute_contracts.is_run(OFICIAL, texts(parse_cards("5h Jk Jk 8h")))
    assert brute_contracts.is_trio(OFICIAL, texts(parse_cards("Jk Jk Jk")))
    assert brute_contracts.swaps(OFICIAL, texts(parse_cards("5h 6h Jk 8h")), "7h") == {
        texts(parse_cards("Jk 5h 6h 7h 8h")),
        texts(parse_cards("5h 6h 7h 8h Jk")),
    }
    assert not brute_contracts.is_run(AMERICAN, texts(parse_cards("Qh Kh Ah 2h")))
