"""Check document 003 on closing, scoring, and who wins."""

import pytest

from engine.games.contract_game import ContractGame, game_result
from engine.hand import Hand
from engine.scoring import HandResult
from tests.harness.engine.positions import (
    CONTRACTS,
    OFICIAL,
    listed,
    play,
    points,
    position,
    refused,
    sizes,
)

clause = pytest.mark.clause

DOWN = "down T: 7h 7d 7c / T: 8h 8d 8c"


def start(rest: str, stock: str = "7s 8s", others: tuple[str, ...] = ("Ah 5c",)) -> Hand:
    """Return a hand in which A holds two trios and `rest`; the stock begins with cards that fit on the trios."""
    return position("TT", [f"7h 7d 7c 8h 8d 8c {rest}", *others], stock=stock)


@clause("003/1.10/last-discard", "003/1.10/same-turn")
def test_closing_with_a_discard_in_the_turn_of_the_lay_down_scores_the_bonus() -> None:
    """A lays down two trios and discards the last card in one turn: -10."""
    hand = play(start(""), f"A stock; B pass; A {DOWN}; A discard 7s")
    assert points(hand) == (-10, 25)
    assert hand.result == HandResult("TT", (-10, 25), 0, at_once=True)


@clause("003/1.10/all-placed", "003/1.10/same-turn")
def test_closing_by_laying_off_the_last_card_scores_the_bonus() -> None:
    """A lays off the last card and closes without a discard in the turn of the lay-down: -10."""
    hand = play(start(""), f"A stock; B pass; A {DOWN}; A off 7s 1")
    assert not hand.over
    play(hand, "A close")
    assert points(hand) == (-10, 25)


@clause("003/1.10/same-turn-with-lay-offs")
def test_lay_offs_and_joker_actions_of_the_closing_turn_count_towards_the_bonus() -> None:
    """A lays down, lays off twice, exchanges a joker and closes in one turn: -10."""
    hand = position("TE", ["9d 9c 9s 2h 3h Jk 5h 9h 4h Ks", "Ah"], stock="9d")
    play(hand, "A stock; B pass; A down T: 9d 9c 9s / E: 2h 3h Jk 5h; A off 9h 1; A swap 4h 2.3 to 2; A off 9d 1")
    play(hand, "A discard Ks")
    assert points(hand) == (-10, 20)


@clause("003/1.10/same-turn")
def test_the_bonus_does_not_need_the_first_turn() -> None:
    """Laying down and closing in the third turn scores -10 too [A-40]."""
    script = "A stock; B pass; A discard 7s; B take; B discard Ah; A stock; B pass; A discard 8s; B take; B discard 5c"
    hand = play(start("", stock="7s 8s Kd"), f"{script}; A stock; B pass; A {DOWN}; A discard Kd")
    assert points(hand)[0] == -10


@clause("003/1.10/earlier-zero")
@pytest.mark.parametrize("last", ["discard 7d", "off 7d 1; A close"])
def test_closing_after_an_earlier_lay_down_scores_zero(last: str) -> None:
    """A laid down in an earlier turn and scores 0, with a last discard or with every card laid off."""
    hand = play(start("Ks 7d"), f"A stock; B pass; A {DOWN}; A off 7s 1; A discard Ks; B take; B discard 5c")
    play(hand, f"A stock; B pass; A off 8s 2; A {last}")
    assert points(hand) == (0, 20 + 10)


@clause("003/1.10/earlier-zero")
def test_a_lay_down_taken_back_earlier_does_not_cost_the_bonus() -> None:
    """A takes the lay-down back in one turn and lays down and closes in a later one: -10."""
    hand = play(start("Ks"), f"A stock; B pass; A {DOWN}; A back; A discard Ks; B take; B discard Ks; A stock; B pass")
    play(hand, f"A {DOWN}; A off 7s 1; A off 8s 2; A close")
    assert points(hand)[0] == -10


@clause("003/1.10/others-count")
def test_all_players_but_the_closer_count_every_card_in_hand() -> None:
    """B is down with a joker and a queen left, C holds a meld, and D low cards."""
    others = ("Th Td Tc Jh Jd Jc Jk Qh", "Kh Kd Kc", "2h 3h")
    hand = position("TT", ["7h 7d 7c 8h 8d 8c Ks", *others], stock="7s 8s", dealer=0)
    play(hand, "B take; B down T: Th Td Tc / T: Jh Jd Jc; B discard Qh; C take; C discard Qh; D take; D discard Qh")
    play(hand, f"A stock; B pass; C pass; D pass; A {DOWN}; A off 7s 3; A discard Ks")
    assert points(hand) == (-10, 50 + 2, 30, 5)


@clause("003/1.10/not-with-cards")
def test_nobody_closes_holding_cards() -> None:
    """A is down with two cards: closing is refused, and a discard does not end the hand."""
    hand = play(start("2c", stock="2d 7s"), f"A stock; B pass; A {DOWN}")
    assert refused(hand, "close") == "003/1.10"
    play(hand, "A discard 2d")
    assert not hand.over
    assert sizes(hand) == (1, 2)


@clause("003/1.10/not-with-cards")
def test_a_player_with_one_card_cannot_close_without_placing_it() -> None:
    """A is down with one card: closing is not listed and is refused."""
    hand = play(start("", stock="2d 7s"), f"A stock; B pass; A {DOWN}")
    assert sizes(hand)[0] == 1
    assert listed(hand, "close") == set()
    assert refused(hand, "close") == "003/1.10"


@clause("003/1.10/not-with-cards")
def test_nobody_closes_without_having_laid_down() -> None:
    """Check that closing is refused to a player who has not laid down, and that discards never empty such a hand."""
    hand = play(start(""), "A stock; B pass")
    assert refused(hand, "close") == "003/1.10"


@clause("003/1.10/goes-on")
def test_a_player_with_more_than_one_card_continues_until_they_are_placed() -> None:
    """A, down with two cards, plays more turns until the last card is discarded."""
    hand = play(start("Ks Qs"), f"A stock; B pass; A {DOWN}; A discard Ks; B take; B discard Ks")
    play(hand, "A take; A discard Ks; B take; B discard Ks; A stock; B pass; A off 8s 2; A off 7s 1; A discard Qs")
    assert points(hand) == (0, 20 + 5)


@clause("003/1.10/over")
def test_after_the_close_nothing_is_legal() -> None:
    """Check that no action is listed and every action is refused once the hand is over."""
    hand = play(start(""), f"A stock; B pass; A {DOWN}; A discard 7s")
    assert list(hand.legal) == []
    for action in ("stock", "take", "claim", "pass", "discard Ah", "back", "close"):
        assert refused(hand, action) == "003/1.10"


# --- the sheet -------------------------------------------------------------------------------------------


def result(contract: str, points: tuple[int, ...], closer: int | None) -> HandResult:
    """Return a line of a score sheet."""
    return HandResult(contract, points, closer, closer is not None and points[closer] == -10)


def sheet(*lines: tuple[tuple[int, ...], int | None]) -> list[HandResult]:
    """Return seven lines: dead hands with equal points, then the given lines."""
    players = len(lines[0][0])
    filled = [((20,) * players, None)] * (7 - len(lines)) + list(lines)
    return [result(contract, *line) for contract, line in zip(CONTRACTS, filled, strict=True)]


@clause("003/1.10/sheet-lines", "003/1.10/running-totals")
def test_a_hand_has_one_line_and_shows_the_running_totals() -> None:
    """Check that the line of a hand has its contract, and that views have the totals of earlier hands."""
    lines = sheet(((-10, 30, 5), 0), ((7, 0, 12), 1))
    game = ContractGame(OFICIAL, 3, "seed")
    running = [0, 0, 0]
    for line in lines:
        hand = game.next_hand()
        assert hand.view(1).contract == line.contract
        assert hand.view(2).totals == tuple(running) == game.totals
        game.add_result(line)
        running = [total + more for total, more in zip(running, line.points, strict=True)]
    assert game.over
    assert game.result().points == tuple(running)
    assert [hand.contract for hand in game.result().hands] == list(CONTRACTS)


@clause("003/1.10/lowest-total")
@pytest.mark.parametrize("winner", range(4))
def test_the_lowest_total_wins(winner: int) -> None:
    """Check that places go from fewest points to most, with a negative total."""
    points = tuple(-10 if seat == winner else 10 * (1 + (seat - winner) % 4) for seat in range(4))
    lines = [result(contract, points, winner) for contract in CONTRACTS]
    found = game_result(OFICIAL, 4, lines)
    assert found.points[winner] == -70
    assert found.places == tuple(1 + (seat - winner) % 4 for seat in range(4))
    assert found.hands_won == tuple(7 if seat == winner else 0 for seat in range(4))


@clause("003/1.10/tie")
def test_a_tie_is_won_by_the_player_who_won_a_hand_more_recently() -> None:
    """A and B tie; B won a later hand than A, so B is first."""
    lines = sheet(((-10, 20, 90), 0), ((20, -10, 90), 1))
    found = game_result(OFICIAL, 3, lines)
    assert found.points[0] == found.points[1] < found.points[2]
    assert found.places == (2, 1, 3)
    assert "hand 7 (EEE)" in found.why[1]


@clause("003/1.10/tie")
def test_in_a_tie_the_number_of_hands_won_does_not_matter() -> None:
    """A won two hands, B a later one: B is first. C, who is not tied, won the last hand and is last."""
    lines = sheet(((-10, 40, 40), 0), ((-10, 40, 40), 0), ((80, -10, 40), 1), ((20, 10, -10), 2))
    found = game_result(OFICIAL, 3, lines)
    assert found.points[0] == found.points[1] == 140
    assert found.points[2] == 170
    assert found.places == (2, 1, 3)


@clause("003/1.10/tie")
def test_among_three_tied_the_order_is_by_the_last_hand_won() -> None:
    """B won hand 4, A hand 5 and C hand 7, and hand 6 is dead: the order is C, A, B."""
    lines = sheet(((20, 0, 20), 1), ((0, 20, 20), 0), ((20, 20, 20), None), ((20, 20, 0), 2))
    found = game_result(OFICIAL, 3, lines)
    assert len(set(found.points)) == 1
    assert found.places == (2, 3, 1)


@clause("003/1.10/tie")
def test_a_tie_for_second_place_is_broken_in_the_same_way() -> None:
    """A wins; B and C tie for second place, and C won a hand: C is second."""
    lines = sheet(((0, 40, 30), 0), ((10, 10, 0), 2), ((-10, 20, 40), 0))
    found = game_result(OFICIAL, 3, lines)
    assert found.points[1] == found.points[2]
    assert found.places == (1, 3, 2)


@clause("003/1.10/tie-shared")
def test_tied_players_who_won_no_hand_share_the_place() -> None:
    """A and B tie and won no hand; both are first, ahead of D and C [A-22]."""
    lines = sheet(((5, 5, 50, 0), 3), ((5, 5, 60, 100), None))
    found = game_result(OFICIAL, 4, lines)
    assert found.points[0] == found.points[1]
    assert found.points[2] > found.points[3]
    assert found.places == (1, 1, 4, 3)
    assert "shared" in found.why[0]
    assert "shared" in found.why[1]


@clause("003/1.10/tie", "003/1.10/tie-shared")
def test_in_a_tie_a_player_who_won_a_hand_is_ahead_of_players_who_won_none() -> None:
    """A, B and C tie; only B won a hand: B is first, A and C share the second place."""
    lines = [result("TT", (20, 0, 20), 1)]
    lines += [result(contract, (20, 20, 20), None) for contract in CONTRACTS[1:-1]]
    lines += [result("EEE", (10, 30, 10), None)]
    found = game_result(OFICIAL, 3, lines)
    assert len(set(found.points)) == 1
    assert found.places == (2, 1, 2)


@clause("003/1.10/dead-hand")
def test_in_a_dead_hand_everybody_counts_and_nobody_wins() -> None:
    """All players score the cards they hold, melds on the table count for nobody, and nobody won the hand [A-39]."""
    hand = position("TT", ["7h 7d 7c 8h 8d 8c Ks Qs", "Ah 5c"], upcard="2c", stock="9s", only=True)
    hand._state.shuffles = 2
    play(hand, f"A stock; A {DOWN}; A discard Ks")
    assert points(hand) == (10 + 9, 25)
    assert hand.result == HandResult("TT", (19, 25), None)
    game = game_result(OFICIAL, 2, [hand.result])
    assert game.hands_won == (0, 0)
