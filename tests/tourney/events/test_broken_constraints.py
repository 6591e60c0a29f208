"""Tests of the report on broken constraints: each is named with its reason, and brute force agrees with the reason."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness.commands import Runner, done
from tourney.domain.events import EventSettings
from tourney.seating.constraints import Constraints
from tourney.seating.keeping_price import price_apart, price_together
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.players import RegisterPlayers
from tourney.service.rounds import rounds

NAMES = [f"P{number:02}" for number in range(1, 10)]


def make_db(db: str) -> None:
    """Nine people in an event of three tables; the first four are of the club Getxo."""
    apply(db, RegisterPlayers(NAMES[:4], club="Getxo"))
    apply(db, RegisterPlayers(NAMES[4:]))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", "swiss", rounds=5, size=3)))
    apply(db, EnterPlayers("Friday", NAMES))
    apply(db, UseEvent("Friday"))


def seatings(players: frozenset[str]) -> list[list[frozenset[str]]]:
    """Return all seatings of these players at tables of three."""
    if not players:
        return [[]]
    first, *others = sorted(players)
    tables = [frozenset({first, *mates}) for mates in combinations(others, 2)]
    return [[table, *rest] for table in tables for rest in seatings(players - table)]


def pairs_at(tables: list[frozenset[str]]) -> list[frozenset[str]]:
    return [frozenset(pair) for table in tables for pair in combinations(table, 2)]


def test_every_break_of_an_evening_is_reported_with_a_price_that_brute_force_finds(db: str, run: Runner) -> None:
    """Eight Swiss rounds of nine in three families of three: after a few rounds families meet, since others would a
    third time.

    All 280 seatings of each round are tried: a third meeting counts as five repeats. A break that is not reported, or
    one with another price, fails the test.
    """
    families = [NAMES[:3], NAMES[3:6], NAMES[6:]]
    apart = [frozenset(pair) for family in families for pair in combinations(family, 2)]
    done(run("event", "set", "--rounds", "8"))
    done(run("event", "constrain", *(word for family in families for word in ("--apart", ",".join(family)))))
    met: Counter[frozenset[str]] = Counter()
    every, reported = seatings(frozenset(NAMES)), 0

    def repeats(tables: list[frozenset[str]]) -> int:
        return sum(5 if met[pair] > 1 else met[pair] for pair in pairs_at(tables))

    for number in range(1, 9):
        drawn = done(run("round", "draw", "--anyway", "--json")).json
        tables = [frozenset(table) for table in drawn["rounds"][0]]
        broken = [pair for pair in apart if pair in pairs_at(tables)]
        rows = drawn.get("broken", [])
        assert {frozenset(row["players"]) for row in rows} == set(broken)
        for row in rows:
            pair = frozenset(row["players"])
            others = [each for each in apart if each != pair and each not in broken]
            keeping = [way for way in every if not {pair, *others} & set(pairs_at(way))]
            assert row["why"] == "price"
            if row["price"] is None:
                assert rows.index(row) >= 6, "six prices are computed"
                continue
            assert row["price"] == min(map(repeats, keeping)) - repeats(tables) >= 3
            reported += 1
        assert done(run("round", "show", "--round", str(number), "--json")).json.get("broken", []) == rows
        met.update(pairs_at(tables))
    assert reported > 0


def test_a_break_by_counting_says_how_many_there_are(db: str, run: Runner) -> None:
    """Four of one club at three tables: two of them share a table in each of the rounds, drawn and announced."""
    done(run("event", "constrain", "--apart", "club"))
    drawn = done(run("round", "draw"))
    line = "are not kept apart: by counting, 4 players to be kept apart at 3 tables."
    assert " ".join(drawn.out.split()).count(line) == 1
    shown = done(run("round", "show", "--json")).json["broken"]
    assert [(row["kind"], row["round"], row["why"], row["price"]) for row in shown] == [("apart", 1, "counting", None)]
    assert set(shown[0]["players"]) < set(NAMES[:4])


def test_pairs_of_a_large_club_have_one_sentence_until_all_of_it_is_asked_for(db: str, run: Runner) -> None:
    """Six of one club at three tables need two at each table at best: three pairs that no seating can separate."""
    for name in NAMES[4:6]:
        done(run("player", "rename", name, "--club", "Getxo"))
    done(run("event", "constrain", "--apart", "club"))
    drawn = done(run("round", "draw")).out
    line = "By counting, 3 pairs to keep apart share a table in round 1; `--verbose` names them."
    assert " ".join(drawn.split()).count(line) == 1
    assert "not kept apart" not in drawn
    full = " ".join(done(run("round", "show", "--verbose")).out.split())
    assert full.count("are not kept apart: by counting, 6 players to be kept apart at 3 tables.") == 3
    assert len(done(run("round", "show", "--json")).json["broken"]) == 3


def test_constraints_broken_by_the_announced_plan_are_reported_at_once(db: str, run: Runner) -> None:
    """Four players in pairs can be seated in three ways. Over five rounds each way comes twice at most; without one of
    them, another comes a third time, which costs more than a broken constraint.

    The rounds are then drawn as announced, each with the same report.
    """
    words = ("event", "new", "Pairs", "--format", "rotation", "--rounds", "5", "--size", "2")
    done(run(*words))
    done(run("event", "enter", "Pairs", *NAMES[:4]))
    first = done(run("round", "draw", "Pairs", "--json")).json["rounds"][0]
    pair = [first[0][0], first[1][0]]
    announced = done(run("event", "constrain", "Pairs", "--apart", ",".join(pair), "--json")).json["broken"]
    drawn = [row for _round in range(4) for row in done(run("round", "draw", "Pairs", "--json")).json.get("broken", [])]
    shown = done(run("round", "show", "Pairs", "--json")).json
    together = [
        (number, sorted(pair))
        for number, tables in enumerate(shown["rounds"], 1)
        if sorted(pair) in [sorted(table) for table in tables]
    ]
    assert together
    for found in (announced, drawn, shown["broken"]):
        assert [(row["round"], sorted(row["players"])) for row in found] == together
    assert "keeping this constraint would cost" in " ".join(done(run("round", "show", "Pairs")).out.split())


def test_a_constraint_made_after_a_round_is_not_broken_by_it(db: str, run: Runner) -> None:
    """Two who share a table in round 1 are kept apart from then on; a table that does not exist is named."""
    first = done(run("round", "draw", "--json")).json["rounds"][0]
    done(run("event", "constrain", "--apart", ",".join(first[0][:2])))
    assert "broken" not in done(run("round", "show", "--json")).json
    done(run("event", "constrain", "--table", "P01=4", "--table", "P05=1", "--table", "P06=2"))
    drawn = done(run("round", "draw", "--anyway"))
    text = " ".join(drawn.out.split())
    assert "and needs table 4: the round has 3 tables." in text
    assert "P05 sits at" not in text


def test_a_player_who_needs_a_table_is_told_who_else_needs_it(db: str, run: Runner) -> None:
    """P01 sits at table 1 as needed; P02, who needs it too, sits at table 2, by the draw or by hand."""
    done(run("event", "constrain", "--table", "P01=1", "--table", "P02=1"))
    tables = done(run("round", "draw", "--json")).json["rounds"][0]
    if "P02" not in tables[1]:
        done(run("round", "move", "P02", "--with", tables[1][0]))
    shown = " ".join(done(run("round", "show")).out.split())
    assert "P02 sits at table 2, and needs table 1: P01 needs one of the two tables, too." in shown


def test_a_pair_that_meets_in_no_round_is_named_with_the_last(db: str, run: Runner) -> None:
    """Two to be seated together are both given a bye or different tables by a file in the only two rounds."""
    done(run("event", "set", "--rounds", "1", "--format", "manual"))
    done(run("event", "constrain", "--together", "P01,P09"))
    file = Path(db).with_name("tables.csv")
    rows = [f"1,{place // 3 + 1},{place % 3 + 1},{name}" for place, name in enumerate(NAMES)]
    file.write_text("\n".join(("round,table,seat,player", *rows)), encoding="utf-8")
    drawn = done(run("round", "draw", "--file", str(file)))
    line = (
        "P01 and P09 are to share a table, and do so in no round: this constraint can be kept without one more repeat"
    )
    assert line in " ".join(drawn.out.split())
    assert rounds.show(db).broken[0].kind == "together"


@pytest.mark.parametrize("case", range(12))
def test_prices_equal_those_of_all_seatings(case: int) -> None:
    """Nine players at three tables after rounds that depend on the case; 0 and one of their table are kept apart."""
    every = [[tuple(sorted(int(name) for name in table)) for table in way] for way in seatings(frozenset("012345678"))]
    played = [every[(37 * case + 101 * number) % len(every)] for number in range(4)]
    tables = every[(53 * case + 7) % len(every)]
    met = Counter(pair for way in played for table in way for pair in combinations(table, 2))

    def repeats(way: list[tuple[int, ...]]) -> int:
        counts = [met[pair] for table in way for pair in combinations(table, 2)]
        return sum(4 * count - 3 for count in counts if count)

    pair = next(pair for table in tables if 0 in table for pair in combinations(table, 2) if 0 in pair)
    least = min(repeats(way) for way in every if not any(set(pair) <= set(table) for table in way))
    price = price_apart(tables, played, Constraints(), pair)
    assert (price.repeats, price.exact) == (least - repeats(tables), True)
    stranger = next(player for player in range(9) if not any({0, player} <= set(table) for table in tables))
    least = min(repeats(way) for way in every if any({0, stranger} <= set(table) for table in way))
    together = price_together(tables, played, (0, stranger)).repeats
    assert together is not None
    assert together >= least - repeats(tables)
