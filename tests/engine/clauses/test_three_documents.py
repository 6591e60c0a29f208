"""Check what documents 000, 002 and 004 say alike, each clause under the rules of its own document."""

from collections import Counter

import pytest

from engine.cards import JOKER, Faces, parse_card, parse_cards
from engine.deal import Deal, deal
from engine.errors import RulesError
from engine.games.contract_game import ContractGame, game_result
from engine.melds import Kind, is_meld
from engine.rules import Rules, load_rules
from engine.scoring import HandResult, points_of
from tests.harness.engine.positions import (
    CONTRACTS,
    DOWN,
    TRIOS,
    asked,
    holds,
    listed,
    melds,
    play,
    play_dead,
    points,
    position,
)

DOCUMENTS = {"000": load_rules("fournier"), "002": load_rules("continental-rummy"), "004": load_rules("zoliky")}
FOUR = ["3h 4h", "3d 4d", "3c 4c", "3s 4s"]


def of(clauses: str, *values: object) -> object:
    """Return a case of a test: the rules of the document of these clauses, and more values."""
    names = clauses.split()
    rules = DOCUMENTS[names[0][:3]]
    return pytest.param(rules, *values, marks=pytest.mark.clause(*names), id=" ".join([rules.id, *map(str, values)]))


def alike(*cases: str) -> pytest.MarkDecorator:
    """Return the mark with which a test runs for each document, given the document's clauses."""
    return pytest.mark.parametrize("rules", [of(clauses) for clauses in cases])


# --- players, packs, values, contracts -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "most"), [of("000/1.1/players", 8), of("002/1.1/players", 6), of("004/1.1/players", 8)]
)
@pytest.mark.parametrize("players", range(1, 10))
def test_two_to_the_most_players_may_play(rules: Rules, most: int, players: int) -> None:
    if 2 <= players <= most:
        assert len(deal(rules, players, "seed", 7).hands) == players
    else:
        with pytest.raises(RulesError, match=f"2 to {most} players"):
            deal(rules, players, "seed", 7)


PACKS = [
    of("000/1.1/joker-share 000/1.1/jokers-grow 000/1.1/two-packs-first", 2, (2, 2, 3, 3, 3, 3, 3)),
    of("000/1.1/joker-share 000/1.1/jokers-grow 000/1.1/up-to-four-end-with-three", 4, (2, 2, 3, 3, 3, 3, 3)),
    of("000/1.1/joker-share 000/1.1/jokers-grow 000/1.1/third-pack-when", 3, (2, 2, 3, 3, 3, 3, 3)),
    of("000/1.1/joker-share 000/1.1/jokers-grow 000/1.1/five-to-eight-third-pack", 5, (2, 2, 3, 3, 4, 4, 4)),
    of("000/1.1/joker-share 000/1.1/jokers-grow 000/1.1/five-to-eight-fourth-pack", 8, (2, 2, 3, 3, 4, 4, 4)),
    of("002/1.1/two-packs 002/1.1/two-jokers 002/1.1/jokers-in-all", 4, (2,) * 7),
    *[of("004/1.1/packs 004/1.1/jokers", players, (2 + (players - 3) // 2,) * 7) for players in (4, 5, 6, 7, 8)],
    of("004/1.1/packs 004/1.1/jokers", 2, (2,) * 7),
]


@pytest.mark.parametrize(("rules", "players", "packs"), PACKS)
def test_each_hand_has_its_packs_with_two_jokers_each_or_in_all(
    rules: Rules, players: int, packs: tuple[int, ...]
) -> None:
    for number, count in enumerate(packs, 1):
        found = cards_of(deal(rules, players, "seed", number))
        assert found.pop(JOKER) == (2 if rules.document == "002" else 2 * count)
        assert found == Counter(list(range(52)) * count)


def cards_of(dealt: Deal) -> Counter[int]:
    """Return the numbers of all faces of a deal."""
    assert dealt.upcard is not None
    return Counter([*(face for hand in dealt.hands for face in hand), dealt.upcard, *dealt.stock, *dealt.penalty])


VALUES = [
    of("000/1.2/joker", "Jk", 50),
    of("000/1.2/ace", "As Ah", 40),
    of("000/1.2/high-cards", "Kc Qd Jh Ts 9c 8d", 60),
    of("000/1.2/low-cards", "7c 6d 5h 4s 3c 2d", 30),
    of("000/1.2/melded-count", "7c 7d 7h Jk", 65),
    of("002/1.2/joker", "Jk", 50),
    of("002/1.2/tens", "Ks Qh Jd Tc", 40),
    of("002/1.2/numbers", "9s 8h 7d 6c 5s 4h 3d 2c", 44),
    of("002/1.2/ace", "As", 20),
    of("004/1.2/values", "Jk", 50),
    of("004/1.2/values", "Ah", 20),
    of("004/1.2/values", "Ks Qh Jd Tc", 40),
    of("004/1.2/values", "9s 8h 7d 6c 5s 4h 3d 2c", 44),
]


@pytest.mark.parametrize(("rules", "cards", "value"), VALUES)
def test_cards_in_hand_count_their_values(rules: Rules, cards: str, value: int) -> None:
    assert points_of(rules, Faces(parse_cards(cards))) == value


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        of("000/1.3/contracts 000/1.3/cards-dealt", (6, 7, 8, 9, 10, 11, 12)),
        of("002/1.3/seven-hands 002/1.3/contracts 002/1.3/cards-dealt", (7, 8, 9, 10, 11, 12, 13)),
        of("004/1.3/seven-hands 004/1.3/twelve-cards 004/1.3/contracts", (12,) * 7),
    ],
)
def test_the_seven_hands_have_their_contracts_and_cards(rules: Rules, sizes: tuple[int, ...]) -> None:
    deals = [deal(rules, 4, "seed", number) for number in range(1, 8)]
    assert tuple(dealt.contract for dealt in deals) == CONTRACTS
    assert [{len(hand) for hand in dealt.hands} for dealt in deals] == [{size} for size in sizes]
    for number in (0, 8):
        with pytest.raises(RulesError, match=f"no hand {number}"):
            deal(rules, 4, "seed", number)


@alike("000/1.4/leader 000/1.4/next-dealer", "002/1.4/upcard 002/1.4/leader 002/1.4/deal-passes-left", "004/1.4/leader")
def test_a_card_is_turned_the_player_after_the_dealer_leads_and_the_deal_passes_on(rules: Rules) -> None:
    game = ContractGame(rules, 3, "seed")
    for dealer in (0, 1, 2, 0):
        hand = game.next_hand()
        assert (hand.dealer, hand.actor) == (dealer, (dealer + 1) % 3)
        assert hand.view(0).top == deal(rules, 3, "seed", len(game.results) + 1).upcard is not None
        game.add_result(HandResult("", (0, 0, 0), None))


# --- melds -----------------------------------------------------------------------------------------------

SPADES = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
MELDS = [
    of("000/1.7/trio", "T", "7h 7d 7c", True),
    of("000/1.7/trio", "T", "7h 7d", False),
    of("000/1.7/trio", "T", "7h 7d 8c", False),
    of("000/1.7/trio-three-or-more", "T", "7h 7h 7h 7d 7c", True),
    of("000/1.7/run", "E", "5h 6h 7h 8h", True),
    of("000/1.7/run", "E", "5h 6h 7h", False),
    of("000/1.7/run", "E", "5h 6h 7h 8d", False),
    of("000/1.7/run", "E", "5h 6h 8h 9h", False),
    of("000/1.7/joker-any", "E", "5h Jk 7h 8h", True),
    of("000/1.7/joker-any", "T", "7h Jk 7d", True),
    of("000/1.7/two-jokers-and-a-natural", "T", "7h Jk Jk", True),
    of("000/1.7/no-trio-of-jokers", "T", "Jk Jk Jk", False),
    of("000/1.7/trio-most", "T", "7h 7d 7c 7s " * 3 + "Jk " * 6, True),
    of("000/1.7/run-thirteen", "E", SPADES, True),
    of("000/1.7/run-thirteen", "E", f"{SPADES} As", False),
    of("000/1.7/run-thirteen", "E", f"{SPADES} Jk", False),
    of("000/1.7/run-thirteen-with-jokers", "E", SPADES.replace("5s 6s", "Jk Jk"), True),
    of("000/1.7/ace-between", "E", "Ks As 2s 3s", True),
    of("000/1.7/adjacent-jokers", "E", "5h Jk Jk 8h", True),
    of("000/1.7/natural-in-a-run", "E", "Jk Jk Jk Jk", False),
    of("000/1.7/natural-in-a-run", "E", "Jk Jk 7h Jk", True),
    of("002/1.7/trio-three", "T", "3c 3d 3h", True),
    of("002/1.7/trio-three", "T", "3c 3d", False),
    of("002/1.7/trio-three", "T", "3c 3d 4h", False),
    of("002/1.7/one-suit-twice", "T", "3c 3c 3h", True),
    of("002/1.7/ace-high", "E", "Jh Qh Kh Ah", True),
    of("002/1.7/ace-low", "E", "Ah 2h 3h 4h", True),
    of("002/1.7/not-round-the-corner", "E", "Qh Kh Ah 2h 3h", False),
    of("002/1.7/not-round-the-corner", "E", "Kh Ah 2h 3h", False),
    of("002/1.7/not-round-the-corner", "E", "Kh Jk 2h 3h", False),
    of("002/1.7/several-jokers", "T", "Th Jk Jk", True),
    of("002/1.7/no-trio-of-jokers", "T", "Jk Jk Jk", False),
    of("002/1.7/run-four", "E", "5h 6h 7h", False),
    of("002/1.7/run-four", "E", "5h 6h 7h 8h", True),
    of("002/1.7/run-thirteen", "E", SPADES, True),
    of("002/1.7/run-thirteen", "E", f"{SPADES} As", False),
    of("002/1.7/adjacent-jokers", "E", "5h Jk Jk 8h", True),
    of("004/1.7/trio-three-or-more", "T", "Qh Qd Qc", True),
    of("004/1.7/trio-three-or-more", "T", "Ah Ad Ac As", True),
    of("004/1.7/trio-three-or-more", "T", "7h 7d", False),
    of("004/1.1/red-aces", "T", "7h 7d Ah", False),
    of("004/1.7/run-four", "E", "5h 6h 7h 8h", True),
    of("004/1.7/run-four", "E", "5h 6h 7h", False),
    of("004/1.7/run-four", "E", f"{SPADES} As", False),
    of("004/1.7/ace-at-an-end", "E", "Jh Qh Kh Ah", True),
    of("004/1.7/ace-at-an-end", "E", "Ah 2h 3h 4h", True),
    of("004/1.7/ace-at-an-end", "E", "Kh Ah 2h 3h", False),
    of("004/1.7/no-trio-of-jokers", "T", "Jk Jk Jk", False),
    of("004/1.7/adjacent-jokers", "E", "5h Jk Jk 8h", True),
]


@pytest.mark.parametrize(("rules", "kind", "cards", "legal"), MELDS)
def test_cards_are_a_trio_or_a_run_as_the_document_says(rules: Rules, kind: Kind, cards: str, legal: bool) -> None:
    assert is_meld(rules, kind, parse_cards(cards)) is legal


# --- the play --------------------------------------------------------------------------------------------


@alike("000/1.5/draw 000/1.5/discard", "002/1.5/draw 002/1.5/discard", "004/1.5/draw")
def test_a_turn_is_a_draw_and_a_discard(rules: Rules) -> None:
    hand = position("TT", FOUR, stock="9h 9d", rules=rules)
    assert {str(action) for action in hand.legal} == {"stock", "take"}
    asked(play(hand, "A stock"))
    assert holds(hand, "A", "3h 4h 9h")
    play(hand, "A discard 9h")
    assert (hand.actor, hand.view(2).top) == (1, parse_card("9h"))


@alike("000/1.5/discard-just-taken 000/1.5/discard-joker", "002/1.5/discard-just-taken 002/1.5/discard-joker")
def test_the_card_just_taken_and_jokers_may_be_discarded(rules: Rules) -> None:
    hand = play(position("TT", ["3h Jk", "3d 4d"], rules=rules), "A take")
    assert {"discard 2c", "discard Jk"} <= listed(hand, "discard")


@alike("000/1.6/when-down", "002/1.6/when-down")
def test_a_player_who_is_down_may_claim(rules: Rules) -> None:
    hand = play(position("TT", [f"{TRIOS} Ks", "3d 4d"], rules=rules), f"A take; {DOWN}; A discard Ks; B stock")
    assert hand.actor == 0
    assert listed(hand, "claim") == {"claim"}


@alike("000/1.8/take-back", "002/1.8/take-back")
def test_a_lay_down_is_taken_back_in_its_turn(rules: Rules) -> None:
    hand = play(position("TT", [f"{TRIOS} Ks", "3d"], rules=rules), f"A take; {DOWN}; A back")
    assert melds(hand) == []
    assert holds(hand, "A", f"{TRIOS} Ks 2c")


# --- the end ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "bonus"),
    [
        of("000/1.10/either-close", 0),
        of("002/1.10/last-card 002/1.10/in-one-turn 002/1.10/once 002/1.10/either-close", -10),
        of("004/1.10/in-one-turn", -10),
    ],
)
@pytest.mark.parametrize("last", ["discard 7s", "off 7s 1; A close"])
def test_laying_down_and_closing_in_one_turn_scores_the_bonus(rules: Rules, bonus: int, last: str) -> None:
    hand = position("TT", [TRIOS, "Ah"], stock="7s", rules=rules)
    asked(play(hand, "A stock"))
    assert points(play(hand, f"{DOWN}; A {last}")) == (bonus, 20)


@alike("002/1.10/zero", "004/1.10/zero")
def test_closing_after_an_earlier_lay_down_scores_zero(rules: Rules) -> None:
    hand = position("TT", [f"{TRIOS} Ks", "Ah 3d"], stock="7s", rules=rules)
    asked(play(hand, f"A take; {DOWN}; A discard Ks; B take; B discard Ks; A stock"))
    assert points(play(hand, "A off 7s 1; A discard 2c")) == (0, 23)


@alike("000/1.10/dead-hand", "002/1.10/dead-hand", "004/1.10/dead-hand")
def test_in_a_dead_hand_all_players_count(rules: Rules) -> None:
    hand = position("TT", ["3h Kh", "3d 4d"], stock="9h 9d", rules=rules, only=True)
    play_dead(hand)
    assert hand.result is not None
    assert hand.result.closer is None
    assert points(hand) == tuple(points_of(rules, hand.view(seat).hand) for seat in (0, 1))


@alike(
    "000/1.1/individually 000/1.10/lowest-total 000/1.10/tie-shared",
    "002/1.10/lowest-total 002/1.10/tie-shared",
    "004/1.10/fewest-points 004/1.10/tie-shared",
)
def test_every_player_has_a_total_the_lowest_wins_and_ties_share_the_place(rules: Rules) -> None:
    """Check that a tie is shared regardless of hands won."""
    result = game_result(rules, 3, [HandResult("TT", (30, 0, 12), 1), HandResult("TE", (0, 25, 20), 0)])
    assert (result.points, result.places) == ((30, 25, 32), (2, 1, 3))
    tied = game_result(rules, 3, [HandResult("TT", (20, 0, 30), 1), HandResult("TE", (0, 20, 5), 0)])
    assert (tied.points, tied.places) == ((20, 20, 35), (1, 1, 3))
