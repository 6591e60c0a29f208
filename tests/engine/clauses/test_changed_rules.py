"""Check that each clause which is a rules field fails once the field has another value."""

from collections.abc import Callable

import pytest

from engine.actions import parse_action
from engine.cards import Faces, parse_cards
from engine.deal import deal, draw_seats, pack_cards
from engine.errors import EngineError, IllegalAction
from engine.games.contract_game import game_result
from engine.melds import Kind, is_meld
from engine.rules import Rules
from engine.scoring import HandResult, points_of
from tests.harness.engine.positions import (
    CONTRACTS,
    DOWN,
    OFICIAL,
    TRIOS,
    changed,
    play,
    play_dead,
    points,
    position,
)
from tests.harness.engine.rule_texts import rules_with

clause = pytest.mark.clause
Check = Callable[[Rules], bool]


def meld(kind: Kind, text: str) -> Check:
    """Return the check that the cards are a meld of the kind."""
    return lambda rules: is_meld(rules, kind, parse_cards(text))


def not_meld(kind: Kind, text: str) -> Check:
    """Return the check that the cards are not a meld of the kind."""
    return lambda rules: not is_meld(rules, kind, parse_cards(text))


def dealt(players: int) -> Check:
    """Return the check that a hand can be dealt to `players` players."""

    def check(rules: Rules) -> bool:
        try:
            return len(deal(rules, players, "seed").hands) == players
        except EngineError:
            return False

    return check


def plays(contract: str, hands: list[str], script: str, upcard: str = "2c") -> Check:
    """Return the check that the script can be played: every action is legal, and its seat is to act."""

    def check(rules: Rules) -> bool:
        try:
            play(position(contract, hands, rules=rules, upcard=upcard), script)
        except (IllegalAction, AssertionError):
            return False
        return True

    return check


def refuses(contract: str, hands: list[str], script: str) -> Check:
    """Return the check that the last line of the script is refused."""
    earlier, _, last = script.rpartition("; ")
    assert last
    whole, before_last = plays(contract, hands, script), plays(contract, hands, earlier)
    return lambda rules: before_last(rules) and not whole(rules)


def scores(script: str, expected: tuple[int, ...]) -> Check:
    """Return the check that the hand, played by the script, has these points."""

    def check(rules: Rules) -> bool:
        hand = play(position("TT", [TRIOS, "Ah 5c"], rules=rules, stock="7s 8s"), script)
        return points(hand) == expected

    return check


def counts(cards: str, expected: int) -> Check:
    """Return the check that the cards, left in hand, count `expected`."""
    return lambda rules: points_of(rules, Faces(parse_cards(cards))) == expected


def seats(rules: Rules) -> bool:
    """Check that 30 seeds give the seats that they give under the official rules."""
    return all(draw_seats(rules, 4, f"s{number}") == draw_seats(OFICIAL, 4, f"s{number}") for number in range(30))


def cut(rules: Rules) -> bool:
    """Check that the deal differs from that of an uncut pack."""
    return deal(rules, 2, "seed").hands != deal(changed("table.cut", '"none"'), 2, "seed").hands


def contracts(rules: Rules) -> bool:
    """Check the order of the hands and the numbers of cards dealt."""
    deals = [deal(rules, 2, "seed", number) for number in range(1, 8)]
    return [(dealt_hand.contract, len(dealt_hand.hands[0])) for dealt_hand in deals] == list(
        zip(CONTRACTS, range(7, 14), strict=True)
    )


def two_shuffles(rules: Rules) -> bool:
    """Check that a stock of two cards lasts six turns: it is drawn, and twice shuffled and drawn again."""
    hand = position("TT", ["3h 4h", "3d 4d"], stock="9h 9d", rules=rules, only=True)
    return len(play_dead(hand)) == 6


def recent_hand(rules: Rules) -> bool:
    """Check that of two tied players the one who won a hand more recently is first."""
    lines = [HandResult("TT", (-10, 20), 0, True), HandResult("TE", (20, -10), 1, True)]
    return game_result(rules, 2, lines).places == (2, 1)


def penalty(rules: Rules) -> bool:
    """Check that the player who claims gets the discard and one more card."""
    hand = play(position("TT", NOTHING, rules=rules), "A stock; B claim")
    return hand.view(0).sizes == (3, 4, 2)


def closes_later(rules: Rules) -> bool:
    """Check that a player who laid down in an earlier turn may lay off all but one card, to close with its discard."""
    hand = position("TT", [TRIOS + " Ks Qs", "Ah 5c"], rules=rules, stock="7s 8s")
    play(hand, f"A take; {DOWN}; A discard Ks; B take; B discard 5c; A stock; B pass; A off 7s 1; A discard 2c")
    play(hand, "B take; B discard 2c; A stock; B pass")
    return hand.is_legal(parse_action("off 8s 2"))


NOTHING = ["3h 4h", "3d 4d", "3c 4c"]
RUNS = ["5h 6h Jk 8h 9s Ts Js Qs Kc Kd", "2d 3d 4d 5d 9d Td Jd Qd 7h Kh"]
DOWN_RUNS = (
    "A take; A down E: 5h 6h Jk 8h / E: 9s Ts Js Qs; A discard Kc; B take; B down E: 2d 3d 4d 5d / E: 9d Td Jd Qd"
)
FREE = ["5h 6h 7h 8h Jk 9s Ts Js Qs Kc Kd", RUNS[1]]
DOWN_FREE = DOWN_RUNS.replace("5h 6h Jk 8h", "5h 6h 7h 8h Jk")
BOTH = ["7h 7d 7c 8h 8d 8c Ks", "Th Td Tc Jh Jd Jc 8s 5s"]
DOWN_BOTH = f"A take; {DOWN}; A discard Ks; B take; B down T: Th Td Tc / T: Jh Jd Jc"

CHANGES: list[tuple[str, str, str, Check]] = [
    ("003/1.1/players", "players.least", "3", dealt(2)),
    ("003/1.1/players", "players.most", "3", dealt(4)),
    ("003/1.4/draw-ace-low", "table.draw_ace", '"high"', seats),
    ("003/1.4/highest-deals", "table.first_dealer", '"low card"', seats),
    ("003/1.4/cut", "table.cut", '"none"', cut),
    ("003/1.1/packs", "pack.packs", "[[4, 1, 3]]", lambda rules: len(pack_cards(rules, 2, 1)) == 110),
    ("003/1.1/jokers", "pack.jokers", "[[4, 2]]", lambda rules: len(pack_cards(rules, 2, 1)) == 110),
    ("003/1.1/jokers", "pack.jokers_counted", '"in all"', lambda rules: len(pack_cards(rules, 2, 1)) == 110),
    ("003/1.7/trio-no-limit", "trio.most", "4", meld("T", "7h 7d 7c 7s 7h")),
    ("003/1.7/trio-of-jokers", "trio.naturals", "1", meld("T", "Jk Jk Jk")),
    ("003/1.7/run-four-or-more", "run.least", "3", not_meld("E", "5h 6h 7h")),
    ("003/1.7/run-no-limit", "run.most", "13", meld("E", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah")),
    ("003/1.7/joker-any", "run.naturals", "3", meld("E", "Jk 6h Jk 8h")),
    ("003/1.1/ace-between", "run.ace", '"ends"', meld("E", "Qh Kh Ah 2h")),
    ("003/1.7/no-adjacent-jokers", "run.jokers_adjacent", '"allowed"', not_meld("E", "5h Jk Jk 8h")),
    ("003/1.2/ace", "values.ranks", "[15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]", counts("Ah 2h", 22)),
    ("003/1.2/numbers", "values.ranks", "[20, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10]", counts("2h 9h", 11)),
    ("003/1.2/joker", "values.joker", "20", counts("Jk Jk", 100)),
    ("003/1.3/contracts", "hands.order", '[["TT", 7], ["EE", 9], ["TE", 8], ["TTT", 10], ["TTE", 11], '
     '["TEE", 12], ["EEE", 13]]', contracts),
    ("003/1.3/cards-dealt", "hands.order", '[["TT", 6], ["TE", 7], ["EE", 8], ["TTT", 9], ["TTE", 10], '
     '["TEE", 11], ["EEE", 12]]', contracts),
    ("003/1.5/two-shuffles-then-void", "stock.shuffles", "1", two_shuffles),
    ("003/1.6/any-following", "claim.who", '"nobody"', plays("TT", NOTHING, "A stock; B claim")),
    ("003/1.6/own-discard", "claim.own_discard", '"forbidden"',
     plays("TT", NOTHING[:2], "A take; A discard 2c; B stock; A claim")),
    ("003/1.6/when-down", "claim.when_down", '"forbidden"',
     plays("TT", [TRIOS + " Ks Qs", *NOTHING[1:]], f"A take; {DOWN}; A discard Ks; B stock; C pass; A claim")),
    ("003/1.6/no-limit", "claim.limit", "1",
     plays("TT", NOTHING[:2], "A stock; B claim; A discard 4h; B take; B discard 4h; A stock; B claim")),
    ("003/1.8/longer-melds", "laying.longer_melds", '"forbidden"',
     plays("TT", [TRIOS + " 7s Ks", "Ah"], "A take; A down T: 7h 7d 7c 7s / T: 8h 8d 8c")),
    ("003/1.8/take-back", "laying.taking_back", '"never"',
     plays("TT", [TRIOS + " Ks", "Ah"], f"A take; {DOWN}; A back")),
    ("003/1.8/lay-off-any-meld", "laying.lay_off", '"own melds"', plays("TT", BOTH, f"{DOWN_BOTH}; B off 8s 2")),
    ("003/1.8/lay-off-when-down", "laying.lay_off", '"none"', plays("TT", BOTH, f"{DOWN_BOTH}; B off 8s 2")),
    ("003/1.9/swap", "jokers.swap", '"none"', plays("EE", RUNS, f"{DOWN_RUNS}; B swap 7h 1.3 to 1")),
    ("003/1.9/swap-by-anyone-down", "jokers.swap", '"own runs"', plays("EE", RUNS, f"{DOWN_RUNS}; B swap 7h 1.3 to 1")),
    ("003/1.9/swap-same-run", "jokers.freed", '"any other run"', plays("EE", RUNS, f"{DOWN_RUNS}; B swap 7h 1.3 to 1")),
    ("003/1.9/swap-never-other-owner", "jokers.freed", '"any other run"',
     refuses("EE", RUNS, f"{DOWN_RUNS}; B swap 7h 1.3 to 3")),
    ("003/1.9/move-to-other-run", "jokers.move", '"none"', plays("EE", FREE, f"{DOWN_FREE}; B move 1 to 2")),
    ("003/1.9/move-by-anyone-down", "jokers.move", '"own runs"', plays("EE", FREE, f"{DOWN_FREE}; B move 1 to 2")),
    ("003/1.10/last-discard", "closing.last_discard", '"forbidden"',
     plays("TT", [TRIOS, "Ah"], f"A take; {DOWN}; A discard 2c")),
    ("003/1.10/all-placed", "closing.all_placed", '"forbidden"',
     plays("TT", [TRIOS, "Ah"], f"A take; {DOWN}; A off 7s 1; A close", upcard="7s")),
    ("003/1.10/same-turn", "bonus.same_turn", "-50", scores(f"A stock; B pass; {DOWN}; A discard 7s", (-10, 25))),
    ("003/1.10/same-turn", "bonus.same_turn_by_contract", '[["TT", -20]]',
     scores(f"A stock; B pass; {DOWN}; A discard 7s", (-10, 25))),
    ("003/1.10/all-placed", "bonus.all_placed", "-50",
     scores(f"A stock; B pass; {DOWN}; A off 7s 1; A close", (-10, 25))),
    ("003/1.10/tie", "ending.tie", '"shared"', recent_hand),
    ("003/1.4/seat-draw", "table.seat_draw", '"none"', seats),
    ("003/1.4/upcard", "stock.upcard", '"none"', lambda rules: deal(rules, 2, "seed").upcard is not None),
    ("003/1.6/penalty-card", "claim.penalty", '"none"', penalty),
    ("003/1.5/discard-just-drawn", "discarding.taken", '"forbidden"', plays("TT", NOTHING, "A take; A discard 2c")),
    ("003/1.5/discard-jokers", "discarding.jokers", '"forbidden"',
     plays("TT", ["Jk 4h", *NOTHING[1:]], "A take; A discard Jk")),
    ("003/1.8/first-turn", "laying.first_turn", '"forbidden"', plays("TT", [TRIOS + " Ks", "Ah"], f"A take; {DOWN}")),
    ("003/1.7/same-rank-trios", "laying.distinct", '"yes"',
     plays("TT", ["7h 7d 7c 7h 7s 7c Ks", "Ah"], "A take; A down T: 7h 7d 7c / T: 7h 7s 7c")),
    ("003/1.10/not-with-cards", "closing.held", "5",
     refuses("TT", [TRIOS + " 3h", "Ah"], f"A take; {DOWN}; A close 2c")),
    ("003/1.10/earlier-zero", "closing.only_same_turn", '"every hand"', closes_later),
]  # fmt: skip

TESTED_ELSEWHERE = {
    "table.direction": "seats are numbered in the order of play, whatever its direction",
    "ending.dead_hand": "has one value",
    "stock.stocks": "depends on the share of the penalty stock: see test_fournier",
    "stock.penalty_share": "depends on the number of stocks: see test_fournier",
    "pack.wild_twos": "changes nothing in hands without red twos: see test_variants",
    "values.wild_two": "counts only where twos are wild: see test_variants",
    "closing.held_counts": "counts only where a closer may hold cards: see test_club_fields",
}


@pytest.mark.parametrize(
    ("path", "value", "check"),
    [
        pytest.param(path, value, check, marks=clause(name), id=f"{path} = {value[:20]}")
        for name, path, value, check in CHANGES
    ],
)
def test_the_clause_fails_when_its_field_is_changed(path: str, value: str, check: Check) -> None:
    """Check that the clause holds under the official rules, and not with another value of its field."""
    other = changed(path, value)
    assert other.digest != OFICIAL.digest
    assert check(OFICIAL)
    assert not check(other)


@clause("003/1.7/trio-three-or-more")
def test_the_least_size_of_a_trio_is_a_field() -> None:
    """With trios of four cards three sevens are not a trio; the game has one hand, which can still be dealt."""
    other = rules_with({"trio.least": "4", "hands.order": '[["TT", 7]]'})
    assert meld("T", "7h 7d 7c")(OFICIAL)
    assert not meld("T", "7h 7d 7c")(other)
    assert meld("T", "7h 7d 7c 7s")(other)


@clause("003/1.10/earlier-zero")
def test_the_points_for_closing_after_an_earlier_lay_down_are_a_field() -> None:
    """Check that closing after an earlier lay-down scores `bonus.earlier`."""
    for rules, expected in ((OFICIAL, 0), (changed("bonus.earlier", "-3"), -3)):
        hand = position("TT", [TRIOS + " Ks Qs", "Ah 5c"], rules=rules, stock="7s 8s")
        play(hand, f"A take; {DOWN}; A discard Ks; B take; B discard 5c; A stock; B pass; A off 7s 1; A discard 2c")
        assert not hand.over
        play(hand, "B take; B discard 2c; A stock; B pass; A off 8s 2; A discard Qs")
        assert points(hand)[0] == expected


def test_every_field_is_changed_above_or_tested_elsewhere() -> None:
    """A new rules field must get a line in one of the two tables."""
    changed_fields = {path for _, path, _, _ in CHANGES} | {"bonus.earlier", "trio.least"}
    assert changed_fields & set(TESTED_ELSEWHERE) == set()
    assert changed_fields | set(TESTED_ELSEWHERE) == set(OFICIAL.sources)
