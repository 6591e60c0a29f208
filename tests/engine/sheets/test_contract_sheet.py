"""Check score sheets of contract games: possible and impossible hands."""

import re
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from engine.errors import RulesError
from engine.play import play_game
from engine.rules import Rules, load_rules, parse_rules, variants_of
from engine.scoring import values_in_play
from engine.sheets.contract_sheet import ContractSheet, DeclaredHand, check_hand, check_sheet
from engine.sheets.declared import Problem, possible_sums
from tests.harness.engine.positions import CONTRACTS, OFICIAL, changed
from tests.harness.engine.rule_texts import OFICIAL_TEXT
from tests.oracles.engine.deals_and_points import pack, value

GOOD = DeclaredHand("TT", {0: 0, 1: 25, 2: 30})


def sheet(first: DeclaredHand, players: int = 3) -> ContractSheet:
    """Return a sheet of seven hands: the first as given, the others possible."""
    rest = [DeclaredHand(contract, {seat: 10 * seat for seat in range(players)}) for contract in CONTRACTS[1:]]
    return ContractSheet(players, (first, *rest))


ACCEPTED = {
    "closed after an earlier lay-down": GOOD,
    "closed at once": DeclaredHand("TT", {0: -10, 1: 25, 2: 30}),
    "closer named": DeclaredHand("TT", {0: 0, 1: 25, 2: 30}, closer=0),
    "marked at once": DeclaredHand("TT", {0: -10, 1: 25, 2: 30}, closer=0, at_once=True),
    "marked as earlier": DeclaredHand("TT", {0: 0, 1: 25, 2: 30}, closer=0, at_once=False),
    "dead": DeclaredHand("TT", {0: 5, 1: 25, 2: 30}, dead=True),
    "cards instead of points": DeclaredHand("TT", {0: 0, 1: 25}, left={2: "Kh 7d Jk"}),
    "cards of everybody": DeclaredHand("TT", {0: -10}, left={1: "Kh Kh", 2: "Jk Jk Jk Jk Jk Jk"}),
    "smallest sum": DeclaredHand("TT", {0: 0, 1: 2, 2: 2}),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_possible_hands_count_as_declared(name: str) -> None:
    """Check that the sheet has no problem, and that the result of the hand is as declared."""
    line = ACCEPTED[name]
    checked = check_sheet(OFICIAL, sheet(line))
    assert checked.problems == ()
    found = checked.hands[0]
    assert found.closer == (None if line.dead else 0)
    assert found.at_once == (line.points[0] == -10)
    assert {seat: found.points[seat] for seat in line.points} == dict(line.points)
    assert [hand.contract for hand in checked.hands] == list(CONTRACTS)


def test_cards_left_are_counted() -> None:
    """A king, a seven and a joker are 10, 7 and 50."""
    checked = check_sheet(OFICIAL, sheet(ACCEPTED["cards instead of points"]))
    assert checked.hands[0].points == (0, 25, 10 + 7 + 50)


REFUSED = {
    "nobody closed": (DeclaredHand("TT", {0: 5, 1: 25, 2: 30}), None, "nobody closed it"),
    "two closed": (DeclaredHand("TT", {0: 0, 1: -10, 2: 30}), None, "2 players closed it"),
    "all closed": (DeclaredHand("TT", {0: 0, 1: 0, 2: 0}), None, "3 players closed it"),
    "one point": (DeclaredHand("TT", {0: 0, 1: 1, 2: 30}), 1, "no cards .* add up to 1$"),
    "too many points": (DeclaredHand("TT", {0: 0, 1: 1549, 2: 30}), 1, "no cards"),
    "too many together": (DeclaredHand("TT", {0: 0, 1: 900, 2: 900}), None, "1800 points together"),
    "negative that is no bonus": (DeclaredHand("TT", {0: -20, 1: 25, 2: 30}), 0, "the closer scores 0 or -10"),
    "missing seat": (DeclaredHand("TT", {0: 0, 1: 25}), 2, "no points"),
    "dead with a zero": (DeclaredHand("TT", {0: 0, 1: 25, 2: 30}, dead=True), 0, "in a dead hand everybody holds"),
    "dead with a closer": (DeclaredHand("TT", {0: 5, 1: 25, 2: 30}, closer=1, dead=True), 1, "marked dead"),
    "closer with points": (DeclaredHand("TT", {0: 0, 1: 25, 2: 30}, closer=1), 1, "closed, but has 25"),
    "at once for nothing": (DeclaredHand("TT", {0: 0, 1: 25, 2: 30}, at_once=True), 0, "that is -10 points, not 0"),
    "earlier for the bonus": (
        DeclaredHand("TT", {0: -10, 1: 25, 2: 30}, at_once=False),
        0,
        "that is 0 points, not -10",
    ),
    "points and cards": (DeclaredHand("TT", {0: 0, 1: 25, 2: 30}, left={2: "Kh"}), 2, "both points and cards"),
    "not a card": (DeclaredHand("TT", {0: 0, 1: 25}, left={2: "Kh 7x"}), 2, "'7x' is not a card"),
    "a third copy": (DeclaredHand("TT", {0: 0, 1: 25}, left={2: "Kh Kh Kh"}), 2, "Kh is left once too often"),
    "a fifth copy": (DeclaredHand("TT", {0: 0, 1: 25}, left={2: "Kh Kh Kh Kh Kh"}), 2, "Kh"),
    "copies of two": (DeclaredHand("TT", {0: 0}, left={1: "Kh Kh", 2: "Kh 2c"}), 2, "Kh is left once too often"),
    "seven jokers": (
        DeclaredHand("TT", {0: 0}, left={1: "Jk Jk Jk Jk", 2: "Jk Jk Jk"}),
        2,
        "Jk is left once too often",
    ),
    "closer holds cards": (DeclaredHand("TT", {1: 25, 2: 30}, closer=0, left={0: "Kh"}), 0, "closed, but has 10"),
    "nobody left cards": (DeclaredHand("TT", {1: 25, 2: 30}, left={0: ""}, dead=True), 0, "dead hand"),
    "stranger": (DeclaredHand("TT", {0: 0, 1: 25, 2: 30, 3: 5}), 3, "not a seat"),
    "stranger closes": (DeclaredHand("TT", {0: 0, 1: 25, 2: 30}, closer=5), 5, "not a seat|closed"),
    "stranger's cards": (DeclaredHand("TT", {0: 0, 1: 25, 2: 30}, left={7: "Kh"}), 7, "not a seat"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_impossible_hands_are_refused(name: str) -> None:
    """Check that the problem has hand, seat and reason, and that the check returns no results."""
    line, seat, why = REFUSED[name]
    checked = check_sheet(OFICIAL, sheet(line))
    assert checked.hands == ()
    assert {problem.hand for problem in checked.problems} == {"TT"}
    assert checked.problems[0].seat == seat
    assert re.search(why, checked.problems[0].reason), checked.problems[0].reason


HANDS = [DeclaredHand(contract, {0: 0, 1: 25, 2: 30}) for contract in CONTRACTS]


@pytest.mark.parametrize(
    ("hands", "why"),
    [
        (HANDS[:-1], "hand EEE is missing"),
        (HANDS[1:], "hand TT is missing"),
        ([], "hand TT is missing"),
        ([*HANDS, HANDS[2]], "hand EE appears twice"),
        ([HANDS[1], HANDS[0], *HANDS[2:]], "hand TE is out of order"),
        ([*HANDS, DeclaredHand("TTTT", {0: 0, 1: 2, 2: 2})], "there is no hand TTTT"),
        ([HANDS[0], DeclaredHand("", {0: 0, 1: 2, 2: 2})], "hand 2 has no contract"),
    ],
)
def test_a_sheet_must_have_every_contract_once_and_in_order(hands: list[DeclaredHand], why: str) -> None:
    """Check a missing hand, a repeated one, one of another game or of none, and a wrong order."""
    checked = check_sheet(OFICIAL, ContractSheet(3, tuple(hands)))
    assert (checked.problems, checked.hands) == ((Problem("", None, why),), ())


@pytest.mark.parametrize("number", range(1, 8))
def test_a_short_game_has_its_first_hands(number: int) -> None:
    """Any number of hands but all may be missing at the end of a short game."""
    checked = check_sheet(OFICIAL, ContractSheet(3, tuple(HANDS[:number])), "short")
    assert checked.problems == ()
    assert [hand.contract for hand in checked.hands] == list(CONTRACTS[:number])


@pytest.mark.parametrize(
    ("hands", "why"),
    [
        ([], "hand TT is missing"),
        ([HANDS[0], HANDS[2]], "hand TE is missing"),
        (HANDS[1:3], "hand TT is missing"),
        ([HANDS[0], HANDS[0]], "hand TT appears twice"),
        ([HANDS[1], HANDS[0]], "hand TE is out of order"),
        ([HANDS[0], DeclaredHand("TTTT", {0: 0, 1: 2, 2: 2})], "there is no hand TTTT"),
    ],
    ids=["no hand", "a gap", "no beginning", "one twice", "out of order", "a hand of another game"],
)
def test_a_short_game_has_no_gap(hands: list[DeclaredHand], why: str) -> None:
    """Check missing hands before the last, a repeated one, a wrong order and a hand of another game."""
    checked = check_sheet(OFICIAL, ContractSheet(3, tuple(hands)), "short")
    assert (checked.problems, checked.hands) == ((Problem("", None, why),), ())


PARTIAL = {
    "nothing written": (DeclaredHand("TT", {}), (0, 1, 2), ""),
    "nobody has closed yet": (DeclaredHand("TT", {0: 25}), (1, 2), ""),
    "the closer is entered, the points are not": (DeclaredHand("TT", {1: 25}, closer=0), (0, 2), ""),
    "an impossible sum": (DeclaredHand("TT", {0: 0, 1: 1}), (2,), "no cards of these packs add up to 1$"),
    "two closed": (DeclaredHand("TT", {0: 0, 1: 0}), (2,), "2 players closed it"),
    "a third ace of spades": (DeclaredHand("TT", {0: 0}, left={1: "As As As"}), (2,), "As is left once too often"),
    # 110 cards count 832 + 300 = 1132 points; the closer has laid or discarded eight twos; the third player holds a 3.
    "all points but a card for the third player": (DeclaredHand("TT", {0: 0, 1: 1132 - 16 - 3}), (2,), ""),
    "no card for the third player": (DeclaredHand("TT", {0: 0, 1: 1132 - 16}), (2,), "1116 points together"),
}


@pytest.mark.parametrize("name", PARTIAL)
def test_a_hand_is_judged_while_it_is_entered(name: str) -> None:
    """Check that players whose points are missing give no problem, and entered points must be possible."""
    declared, waiting, why = PARTIAL[name]
    problems = check_hand(OFICIAL, 3, 1, declared, waiting).problems
    assert bool(problems) == bool(why)
    assert not why or re.search(why, problems[0].reason), problems[0].reason


def test_all_problems_are_reported_at_once() -> None:
    """Faults in three hands give problems in three hands."""
    lines = list(HANDS)
    lines[1] = DeclaredHand("TE", {0: 3, 1: 25, 2: 30})
    lines[4] = DeclaredHand("TTE", {0: 0, 1: 1, 2: 1})
    lines[6] = DeclaredHand("EEE", {0: 0, 1: 5})
    checked = check_sheet(OFICIAL, ContractSheet(3, tuple(lines)))
    assert [problem.hand for problem in checked.problems] == ["TE", "TTE", "TTE", "EEE"]


@pytest.mark.parametrize("players", [0, 1, 5])
def test_a_table_of_a_wrong_size_is_refused(players: int) -> None:
    """Check RulesError for tables without 2 to 4 players."""
    with pytest.raises(RulesError):
        check_sheet(OFICIAL, sheet(GOOD, players))


@pytest.mark.parametrize(
    "ranks",
    ["[20, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 90]", "[3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]"],
)
def test_possible_sums_with_changed_values_are_those_of_every_choice(ranks: str) -> None:
    """With few values the sums are a·20 + b·7 + c·90 + d·50, with each factor up to the number of such cards."""
    rules = changed("values.ranks", ranks)
    found = possible_sums(values_in_play(rules, 2, 1))
    values = [50 if face == 52 else rules.values.ranks[face % 13] for face in pack()]
    groups = [[copies * points for copies in range(values.count(points) + 1)] for points in sorted(set(values))]
    expected = {sum(parts) for parts in product(*groups)}
    assert {total for total in range(found.bit_length()) if found >> total & 1} == expected


@pytest.mark.parametrize("most", range(7))
def test_sums_of_a_limited_number_of_cards_are_those_of_every_choice(most: int) -> None:
    """Compare with the sums of every choice of up to `most` of six cards."""
    cards = [2, 2, 3, 7, 7, 50]
    found = possible_sums({2: 2, 3: 1, 7: 2, 50: 1}, most)
    expected = {sum(chosen) for size in range(most + 1) for chosen in combinations(cards, size)}
    assert {total for total in range(found.bit_length()) if found >> total & 1} == expected


def one_claim_a_hand() -> Rules:
    """Return the rules of a club with one claim a hand and no penalty card."""
    table = OFICIAL_TEXT.replace('limit = { is = "none"', "limit = { is = 1").replace(
        'penalty = { is = "stock"', 'penalty = { is = "none"'
    )
    return parse_rules(table, "club.toml")


CARD_LIMITS = {
    # The highest values are jokers 50, aces 20, then 10; two packs have eight aces and 32 cards of 10.
    # 5.11: there are no claims, so no player ends a hand with more than the twelve cards dealt.
    "zoliky, four jokers and eight aces": ("zoliky", 1, {1: 360, 2: 2}, ""),
    "zoliky, a card more": ("zoliky", 1, {1: 362, 2: 2}, "no 12 or fewer cards of these packs add up to 362$"),
    "zoliky, one ace less for a ten": ("zoliky", 1, {1: 350, 2: 2}, ""),
    "zoliky, between the two": ("zoliky", 1, {1: 355, 2: 2}, "add up to 355$"),
    "zoliky, three hands of 36 cards": ("zoliky", 1, {1: 300, 2: 4 * 50 + 8 * 20 + 24 * 10 - 2 - 300}, ""),
    "zoliky, three hands of 37 cards": ("zoliky", 1, {1: 300, 2: 308}, "610 points together"),
    "zoliky, twelve cards listed": ("zoliky", 1, {2: 2}, ""),
    "zoliky, thirteen cards listed": (
        "zoliky",
        1,
        {2: 2},
        "has 13 cards left; in this hand nobody can hold more than 12",
    ),
    # 003/2.10: three claims add six cards to the seven of TT, or to the thirteen of EEE.
    "three claims in TT": ("oficial+claims3", 1, {1: 6 * 50 + 7 * 20, 2: 2}, ""),
    "four claims in TT": ("oficial+claims3", 1, {1: 6 * 50 + 8 * 20, 2: 2}, "no 13 or fewer cards of these packs"),
    "three claims in EEE": ("oficial+claims3", 7, {1: 6 * 50 + 8 * 20 + 5 * 10, 2: 2}, ""),
    "four claims in EEE": (
        "oficial+claims3",
        7,
        {1: 6 * 50 + 8 * 20 + 6 * 10, 2: 2},
        "no 19 or fewer cards of these packs",
    ),
    "claims without limit": ("oficial", 1, {1: 6 * 50 + 8 * 20, 2: 2}, ""),
    "a claim without a penalty card": ("club", 1, {1: 6 * 50 + 2 * 20, 2: 2}, ""),
    "nine cards by one such claim": ("club", 1, {1: 6 * 50 + 3 * 20, 2: 2}, "no 8 or fewer cards of these packs"),
}


@pytest.mark.parametrize("name", CARD_LIMITS)
def test_no_player_ends_a_hand_with_more_cards_than_dealt_and_claimed(name: str) -> None:
    rules_name, number, points, why = CARD_LIMITS[name]
    rules = one_claim_a_hand() if rules_name == "club" else load_rules(rules_name)
    thirteen = "Kh Kd Kc Ks Qh Qd Qc Qs Jh Jd Jc Js Th"
    left = {} if 1 in points else {1: thirteen if "thirteen" in name else thirteen[:-3]}
    contract = rules.contracts.hands.order[number - 1][0]
    problems = check_hand(rules, 4, number, DeclaredHand(contract, {0: 0, 3: 2, **points}, left=left)).problems
    assert [bool(re.search(why, problem.reason)) for problem in problems] == ([True] if why else [])


def test_random_cards_always_have_a_possible_sum() -> None:
    """Check 2,000 random hands; of all numbers up to the whole pack only 1 and the whole less 1 are impossible."""
    rng, sums = Random("sums"), possible_sums(values_in_play(OFICIAL, 4, 1))
    for _ in range(2000):
        cards = rng.sample(pack(), rng.randrange(1, 40))
        assert sums >> sum(map(value, cards)) & 1
    whole = sum(map(value, pack()))
    assert sums.bit_length() - 1 == whole
    assert [total for total in range(whole + 1) if not sums >> total & 1] == [1, whole - 1]


@pytest.mark.parametrize("bots", [["greedy"] * 4, ["greedy", "random"], ["random", "greedy", "greedy"]])
@pytest.mark.parametrize("number", range(5))
def test_sheets_of_played_games_are_accepted(bots: list[str], number: int) -> None:
    """Check sheets of games of bots: the results, with closers and bonuses, are those of the games."""
    hands = play_game(OFICIAL, bots, f"real {number}").result.hands
    lines = [DeclaredHand(hand.contract, dict(enumerate(hand.points)), dead=hand.closer is None) for hand in hands]
    checked = check_sheet(OFICIAL, ContractSheet(len(bots), tuple(lines)))
    assert checked.problems == ()
    assert checked.hands == hands


OTHER_RULES = [
    *("fournier", "fournier+extended", "continental-rummy", "zoliky"),
    *(f"oficial+{name}" for name in variants_of("oficial")),
]


@pytest.mark.parametrize("name", OTHER_RULES)
def test_sheets_of_played_games_of_other_rules_are_accepted(name: str) -> None:
    """The points decide the closer of each hand; where they do not decide the turn, the sheet states it."""
    rules = load_rules(name)
    for number, players in enumerate((rules.players.least, rules.players.most)):
        bots = ("greedy", "random", "greedy", "greedy")
        hands = play_game(rules, [bots[seat % 4] for seat in range(players)], f"real {number}").result.hands
        lines = [DeclaredHand(hand.contract, dict(enumerate(hand.points)), dead=hand.closer is None) for hand in hands]
        checked = check_sheet(rules, ContractSheet(players, tuple(lines)))
        assert checked.problems == ()
        assert [hand.closer for hand in checked.hands] == [hand.closer for hand in hands]
        expected = [replace(line, at_once=hand.at_once) for line, hand in zip(lines, hands, strict=True)]
        assert check_sheet(rules, ContractSheet(players, tuple(expected))).hands == hands
