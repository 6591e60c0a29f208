"""Tests of who deals first and who sits next: balanced, drawn by card by the rules, or the last winner dealing."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.people import Player
from tourney.domain.results import Outcome, Result, ResultState
from tourney.domain.rounds import Round, Table
from tourney.service.results import entry
from tourney.service.seating.seat_order import last_winners

RANKS = "A23456789TJQK"

pytestmark = pytest.mark.usefixtures("new_db")


def new_event(run: Runner, *options: str, people: Sequence[str] = desk.NAMES, name: str = "Friday") -> None:
    assert run("event", "new", name, "--rounds", "3", *options).code == 0
    assert run("event", "enter", "--event", name, *people, "--add").code == 0


def draw(run: Runner, *options: str) -> list[list[str]]:
    """Draw the next round and return its tables, players in seat order."""
    return run("round", "draw", *options, "--json").json["rounds"][0]


def enter(run: Runner, round_number: int, table: int, players: Sequence[str], winner: str) -> None:
    """Enter a knock game that was stopped after one hand which nobody ended; the winner has the fewest points."""
    points = " ".join(f"{player}={10 if player == winner else 30}" for player in players)
    place = ("--round", str(round_number), "--table", str(table))
    ran = run("result", "enter", *place, "--short", "--hand", f"void {points}")
    assert ran.code == 0, ran.err


def cards_of(run: Runner) -> dict[int, list[tuple[str, list[str]]]]:
    """Return the players and their cards, by table, from what `round show` prints about the newest round."""
    lines = re.findall(r"^round \d+, table (\d+): (.+)$", run("round", "show").out, re.MULTILINE)
    return {int(table): [(each.split()[0], each.split()[1:]) for each in said.split(", ")] for table, said in lines}


def ranks(cards: Sequence[str]) -> list[int]:
    """Return the ranks that decide, the ace low: a joker is drawn again."""
    return [RANKS.index(card[0]) for card in cards if card != "Jk"]


# --- drawn by card ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["1", "tie 3", "Ñ", "tie 9"])
def test_in_oficial_the_players_sit_by_their_cards_from_the_highest_down(run: Runner, seed: str) -> None:
    """003/1.4: the highest card deals, the second highest sits next, and so on; tied players draw again."""
    new_event(run, "--seats", "drawn", "--seed", seed)
    tables = draw(run)
    shown = cards_of(run)
    for number, players in enumerate(tables, 1):
        assert [player for player, _cards in shown[number]] == players
        drawn = [ranks(cards) for _player, cards in shown[number]]
        assert drawn == sorted(drawn, reverse=True)
        firsts = [cards[0] for cards in drawn]
        assert all((firsts.count(cards[0]) > 1) == (len(cards) > 1) for cards in drawn), "only ties draw again"


def test_the_draw_follows_from_the_seed_leaves_the_tables_and_is_verified(run: Runner) -> None:
    tables = {}
    for name, options in {"balanced": (), "drawn": ("drawn",), "again": ("drawn",)}.items():
        new_event(run, "--seed", "z", *(("--seats", *options) if options else ()), name=name)
        run("event", "use", name)
        tables[name] = [draw(run) for _round in range(3)]
        assert "DIFFERENT" not in run("round", "verify").out
        assert run("round", "verify").out.count("identical, seat by seat") == 3
    assert tables["drawn"] == tables["again"] != tables["balanced"]
    drawn, balanced = ([[set(table) for table in round_] for round_ in tables[name]] for name in ("drawn", "balanced"))
    assert drawn == balanced


def test_where_cards_choose_the_dealer_alone_the_others_keep_their_order(run: Runner) -> None:
    """002/1.4: one card each, and the lowest deals; no document 002 says that seats are drawn."""
    for name, options in {"balanced": (), "drawn": ("--seats", "drawn")}.items():
        new_event(run, "--rules", "continental-rummy", "--size", "4", *options, name=name)
    balanced, drawn = (draw(run, "--event", name) for name in ("balanced", "drawn"))
    run("event", "use", "drawn")
    assert "The player who draws the lowest card deals first." in run("round", "show").out
    for number, players in enumerate(drawn, 1):
        place = balanced[number - 1].index(players[0])
        assert players == balanced[number - 1][place:] + balanced[number - 1][:place]
        lowest = min(ranks(cards) for _player, cards in cards_of(run)[number])
        assert ranks(cards_of(run)[number][0][1]) == lowest


def test_the_cards_stand_on_slips_and_posted_lists_until_somebody_is_moved(run: Runner) -> None:
    new_event(run, "--seats", "drawn")
    tables = draw(run)
    said = ", ".join(" ".join([player, *cards]) for player, cards in cards_of(run)[1])
    assert f"Drawn for the seats: {said}." in run("round", "slips", "--table", "1").out
    assert f"round 1, table 1: {said}" in run("round", "show", "--by", "table").out
    assert "Drawn" not in run("round", "slips", "--event", "Friday", "--json").out
    assert run("round", "move", tables[0][0], "--with", tables[1][0]).code == 0
    assert cards_of(run) == {}


def test_tables_of_a_file_keep_the_seats_that_it_gives(run: Runner, tmp_path: Path) -> None:
    new_event(run, "--seats", "drawn")
    file = tmp_path / "tables.csv"
    seats = [f"1,1,{seat},{player}\n" for seat, player in enumerate(("Hugo", "Ana", "Félix", "Diego"), 1)]
    file.write_text("round,table,seat,player\n" + "".join(seats), encoding="utf-8")
    assert draw(run, "--file", str(file))[0] == ["Hugo", "Ana", "Félix", "Diego"]
    assert "identical" in run("round", "verify").out


# --- the winner deals ---------------------------------------------------------------------------------------------


def test_in_the_knock_game_who_won_their_last_game_deals_first(run: Runner) -> None:
    """001/1.11: the winner deals the first hand of the next game; neighbours stay as the plan has them."""
    for name, options in {"plan": ("--seats", "balanced"), "Friday": ()}.items():
        new_event(run, "--rules", "knock", "--stake", "10", *options, name=name)
    run("event", "use", "Friday")
    assert run("event", "show", "--json").json["seats"] == "winner deals"
    first = draw(run)
    assert "deal first" not in run("round", "show").out
    enter(run, 1, 1, first[0], first[0][2])
    enter(run, 1, 2, first[1], first[1][3])
    winners = {first[0][2], first[1][3]}
    draw(run, "--event", "plan")
    planned, second = draw(run, "--event", "plan"), draw(run)
    for number, (before, players) in enumerate(zip(planned, second, strict=True), 1):
        dealers = [player for player in before if player in winners]
        place = before.index(dealers[0]) if dealers else 0
        assert players == before[place:] + before[:place]
        if dealers:
            assert f"{players[0]} (table {number})" in run("round", "show").out
            assert f"{players[0]} (table {number})" in run("round", "show", "--by", "name").out
        assert f"{players[0]} deals the first hand." in run("round", "slips", "--table", str(number)).out
        assert f"{players[0]} deals the first hand." in entry.begin(None, "Friday", 2, number).greeting
    run("result", "correct", "--round", "1", "--table", "1", "--reason", "misread", "--short", "--hand",
        "void " + " ".join(f"{player}={10 if seat == 0 else 30}" for seat, player in enumerate(first[0])))  # fmt: skip
    assert run("round", "show", "--json").json["rounds"][-1] == second, "what is drawn stays"
    assert run("round", "verify").out.count("identical") == 2


def test_seats_are_a_choice_of_the_event_and_without_one_as_usual(run: Runner) -> None:
    """Only a new knock event lets the winner deal unless it is said otherwise; contract events stay balanced."""
    new_event(run, name="contract")
    assert run("event", "show", "contract", "--json").json["seats"] is None
    new_event(run, "--rules", "knock", "--stake", "10", "--seats", "balanced", name="knock")
    assert run("event", "show", "knock", "--json").json["seats"] == "balanced"
    assert run("event", "set", "knock", "--clear", "seats").code == 0
    assert run("event", "show", "knock", "--json").json["seats"] == "winner deals"
    assert run("event", "set", "contract", "--seats", "winner deals").code == 0
    refused = run("event", "set", "contract", "--seats", "by card")
    assert (refused.code, "balanced, drawn or" in refused.err) == (ExitCode.USAGE, True)


PLAYERS = [Player(number, name) for number, name in enumerate(desk.NAMES)]


def result(round_number: int, table: int, seats: str, points: tuple[int, ...], state: ResultState = "counts") -> Result:
    """Return the result of a game of these players, given by their numbers; equal points share a place."""
    at = Table(round_number, table, tuple(PLAYERS[int(seat)] for seat in seats))
    places = tuple(1 + sum(other < own for other in points) for own in points)
    return Result("Friday", at, Outcome((), points, (0,) * len(points), places), state=state)


def test_a_last_game_is_the_last_table_with_its_result_and_one_player_of_it_won() -> None:
    """0 won round 1 and had a bye; 3 won round 2, and their new table has no result; a void game has no winner."""
    results = [result(1, 1, "012", (5, 9, 9)), result(1, 2, "345", (9, 8, 7)), result(2, 1, "134", (9, 2, 9))]
    tables = [each.table for each in results]
    rounds = [Round(1, tuple(tables[:2])), Round(2, tuple(tables[2:]))]
    assert last_winners(rounds, results) == {0, 3, 5}
    third = Table(3, 1, (PLAYERS[3], PLAYERS[6]))
    assert last_winners([*rounds, Round(3, (third,))], results) == {0, 5}
    assert last_winners(rounds[:1], [result(1, 1, "012", (5, 9, 9), "void")]) == frozenset()


def test_of_two_who_share_a_pot_the_lower_score_deals_next() -> None:
    """A-25: the odd unit and the next deal go to the lower score."""
    shared = Outcome((), (97, 91, 120), (0, 0, 0), (1, 1, 3))
    table = Table(1, 1, tuple(PLAYERS[:3]))
    assert last_winners([Round(1, (table,))], [Result("Friday", table, shared)]) == {1}
