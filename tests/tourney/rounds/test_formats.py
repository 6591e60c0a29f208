"""Tests of rounds seated by rating, at random and by hand, and of the constraints that all of them keep."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Round
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.people.players import RegisterPlayers
from tourney.service.ratings import forecasts, ratings
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds, verify_draw
from tourney.service.rounds.rounds import DrawRound

NAMES = [f"P{number:02}" for number in range(1, 13)]


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "club.db")


def club(db: str, people: int = 12, name: str = "Friday", **wanted: object) -> list[str]:
    """An event of so many people."""
    if name == "Friday":
        apply(db, RegisterPlayers(NAMES[:people]))
    apply(db, CreateEvent(EventSettings(name, "oficial", **wanted)))
    apply(db, EnterPlayers(name, NAMES[:people]))
    return NAMES[:people]


def names(round_: Round) -> list[list[str]]:
    return [[player.name for player in table.players] for table in round_.tables]


def draw(db: str, event: str | None = None, file: Path | None = None) -> list[list[str]]:
    return names(apply(db, DrawRound(event, file)).rounds[0])


def play(db: str, tables: Sequence[Sequence[str]], number: int, event: str | None = None) -> None:
    """Enter results in which the first player of the alphabet closes every hand."""
    for table, seated in enumerate(tables, 1):
        closer = seated.index(min(seated))
        apply(db, EnterResult(event, number, table, desk.hands(seated, [closer] * 7)))


def repeats(drawn: Sequence[Sequence[Sequence[str]]]) -> int:
    met = Counter(frozenset(pair) for tables in drawn for table in tables for pair in combinations(table, 2))
    return sum(met.values()) - len(met)


def test_a_snake_goes_by_rating_and_who_is_new_stands_last(db: str) -> None:
    """Eight have played: places 1 to 8 by mu - 3 sigma to three tables and back; the four new ones come behind them."""
    club(db, 8, rounds=1)
    play(db, draw(db), 1)
    rated = [row.player for row in sorted(ratings.ratings(db).rows, key=lambda row: 3 * row.sigma - row.mu)]
    apply(db, RegisterPlayers(NAMES[8:]))
    club(db, 12, "Snake", format="snake", rounds=3)
    first = draw(db, "Snake")
    place = {name: min(number, 9) for number, name in enumerate(rated, 1)} | dict.fromkeys(NAMES[8:], 9)
    wanted = [[1, 6, 7, 9], [2, 5, 8, 9], [3, 4, 9, 9]]
    assert sorted(sorted(place[name] for name in table) for table in first) == wanted
    # Four from three tables: two of each have met, whoever sits where.
    assert repeats([first, draw(db, "Snake")]) == 3


def test_a_rated_swiss_round_seats_neighbours_by_rating_and_says_by_which(db: str) -> None:
    """Eight have played: places 1 to 4 by mu - 3 sigma at table 1, 5 to 8 at table 2, the four new ones at the last."""
    club(db, 8, rounds=1, format="rated swiss")
    by_lot = apply(db, DrawRound())
    assert by_lot.notes == ("Nobody is rated yet: seated at random.",)
    play(db, names(by_lot.rounds[0]), 1)
    rated = [row.player for row in sorted(ratings.ratings(db).rows, key=lambda row: 3 * row.sigma - row.mu)]
    apply(db, RegisterPlayers(NAMES[8:]))
    club(db, 12, "Rated", format="rated swiss", rounds=3)
    first = apply(db, DrawRound("Rated"))
    assert [set(table) for table in names(first.rounds[0])] == [set(rated[:4]), set(rated[4:]), set(NAMES[8:])]
    assert first.notes[0].startswith(
        "Seated by rating, 8 of 12 players being rated: by all results so far, people in the"
    )


def information(db: str, table: Sequence[str]) -> float:
    """The bits that a result of this table would tell."""
    return forecasts.quality(db, table).bits


def test_an_informative_round_tells_most_of_ratings(db: str) -> None:
    """Four have played twice and two never: `rating quality` finds no seating more telling, in the second round none of
    those with the fewest repeats; and it is drawn so a second time from the ratings of then."""
    people = club(db, 6, rounds=2)
    apply(db, WithdrawPlayers("Friday", people[4:]))
    for number in (1, 2):
        play(db, draw(db, "Friday"), number, "Friday")
    club(db, 6, "Telling", format="informative", rounds=2, size=3)
    drawn: list[list[list[str]]] = []
    for number in (1, 2):
        halves = [set(combination) for combination in combinations(people, 3) if people[0] in combination]
        ways = [[sorted(one), sorted(set(people) - one)] for one in halves]
        least = min(repeats([*drawn, way]) for way in ways)
        best = max(sum(information(db, table) for table in way) for way in ways if repeats([*drawn, way]) == least)
        drawn.append(draw(db, "Telling"))
        assert repeats(drawn) == least
        assert sum(information(db, table) for table in drawn[-1]) == pytest.approx(best, abs=1e-6)
        play(db, drawn[-1], number, "Telling")
    assert [one.state for one in verify_draw.verify(db, "Telling").rounds] == ["the same", "the same"]


def test_lots_follow_from_the_seed_and_the_round_alone(db: str) -> None:
    """Equal seeds draw alike, others differently; over many rounds it is random who shares a table."""
    for event, seed in (("Friday", "a"), ("Same", "a"), ("Other", "b")):
        club(db, 12, event, format="random", rounds=40, seed=seed)
    drawn = {event: [draw(db, event) for _round in range(3)] for event in ("Friday", "Same", "Other")}
    assert drawn["Friday"] == drawn["Same"] != drawn["Other"]
    drawn["Friday"] += [draw(db, "Friday") for _round in range(37)]
    met = Counter(frozenset(pair) for tables in drawn["Friday"] for table in tables for pair in combinations(table, 2))
    # 40 * 3 / 11 is 10.9, the standard deviation 2.8; 66 pairs stay within four of them.
    assert len(met) == 66
    assert all(0 < count < 23 for count in met.values())


def test_random_draws_keep_byes_in_turn_and_constraints(db: str) -> None:
    """Ten at tables of four: two rest, and nobody twice before all have; P01 and P02 do not meet."""
    club(db, 10, format="random", rounds=10, short="sit out")
    apply(db, ConstrainSeating(None, ["P01,P02"], tables=["P03=2"]))
    turns: Counter[str] = Counter()
    for _round in range(10):
        round_ = apply(db, DrawRound()).rounds[0]
        turns.update(player.name for player in round_.sitting_out)
        assert max(turns[name] for name in NAMES[:10]) - min(turns[name] for name in NAMES[:10]) <= 1
        assert not any({"P01", "P02"} <= set(table) for table in names(round_))
        assert "P03" not in names(round_)[0]
    assert set(turns.values()) == {2}


@pytest.mark.parametrize("format", ["rotation", "swiss", "rated swiss", "snake", "random", "informative"])
def test_clubs_are_kept_apart_in_every_format(db: str, format: str) -> None:
    """Four clubs of three at three tables of four: every table has one of each, for two rounds."""
    for number, name in enumerate(NAMES):
        apply(db, RegisterPlayers([name], club=f"Club {number % 4}"))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", format=format, rounds=2)))
    apply(db, EnterPlayers("Friday", NAMES))
    apply(db, ConstrainSeating(None, ["club"]))
    drawn = [draw(db)]
    play(db, drawn[0], 1)
    drawn.append(draw(db))
    lost = [table for tables in drawn for table in tables if len({NAMES.index(name) % 4 for name in table}) < 4]
    # Lots are drawn until they break few wishes, not until they break none.
    assert len(lost) <= (4 if format == "random" else 0)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_given_tables_stand_as_they_are_and_the_rest_is_seated_around_them(db: str, tmp_path: Path, form: str) -> None:
    """Round 2 of 12: table 2 is given; nobody of the other eight need meet again, and nobody does."""
    club(db, 12, rounds=3)
    first = draw(db)
    given = [first[0][0], first[1][0], first[2][0], first[0][1]]
    file = tmp_path / f"round2.{form}"
    if form == "json":
        file.write_text(json.dumps({"rounds": [[given]]}), encoding="utf-8")
    else:
        lines = ["round,table,seat,player", "1,1,1,P01", "1,1,2,P02"]
        lines += [f"2,2,{seat},{name}" for seat, name in enumerate(given, 1)]
        file.write_text("\n".join(lines), encoding="utf-8")
    second = draw(db, None, file)
    assert second[0 if form == "json" else 1] == given
    assert sorted(name for table in second for name in table) == NAMES
    others = [table for table in second if table != given]
    # Two of table 1, three each of tables 2 and 3 of round 1 are left for two tables: four pairs meet again at least.
    ways = [(half, tuple(set(others[0] + others[1]) - set(half))) for half in combinations(others[0] + others[1], 4)]
    assert repeats([first, others]) == min(repeats([first, way]) for way in ways)


@pytest.mark.parametrize("number", [1, 2])
def test_a_file_of_one_round_is_of_the_round_that_is_drawn(db: str, tmp_path: Path, number: int) -> None:
    """A single table may have its own number."""
    club(db, 8, rounds=3)
    draw(db)
    file = tmp_path / "one.csv"
    rows = [f"{number},2,{seat},{name}" for seat, name in enumerate(NAMES[:4], 1)]
    file.write_text("\n".join(["round,table,seat,player", *rows]), encoding="utf-8")
    assert draw(db, None, file)[1] == NAMES[:4]


def test_by_hand_every_round_needs_a_file_and_a_whole_one_is_taken_as_it_is(db: str, tmp_path: Path) -> None:
    """One file may have two rounds, numbers of entrants and byes."""
    club(db, 9, format="manual", rounds=2)
    with desk.refused(ExitCode.REFUSED, "no table is given", "--file"):
        apply(db, DrawRound())
    plan = {"rounds": [[["P01", 2, "P03", 4], [5, 6, 7, 8]], [[1, 5, 2, 6], [3, 7, 9]]], "sitting_out": [[9], [4]]}
    file = tmp_path / "all.json"
    file.write_text(json.dumps(plan), encoding="utf-8")
    drawn = [apply(db, DrawRound(None, file)).rounds[0] for _round in range(2)]
    assert names(drawn[0]) == [NAMES[:4], NAMES[4:8]]
    assert names(drawn[1]) == [
        ["P01", "P05", "P02", "P06"],
        ["P03", "P07", "P09"],
    ]
    assert [[player.name for player in round_.sitting_out] for round_ in drawn] == [["P09"], ["P04", "P08"]]
    assert database.check(db).problems == ()


WRONG = {
    "a stranger": ({"rounds": [[["P01", "P02", "Nobody"]]]}, ExitCode.NOT_FOUND, "Nobody"),
    "a number and a name of one": ({"rounds": [[["P01", "P02", 1]]]}, ExitCode.REFUSED, "P01 has two places"),
    "a table too large": (
        {"rounds": [[NAMES[:5]]]},
        ExitCode.REFUSED,
        "table 1: the table has 5 players | a table has 2 to 4",
    ),
    "who has left": ({"rounds": [[["P01", "P02", "P12"]]]}, ExitCode.REFUSED, "P12 has left the event"),
    "another round": ({"rounds": [[NAMES[:4]], [NAMES[:4]]]}, ExitCode.REFUSED, "has no round 3"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_seated_by_hand_is_refused_and_nothing_drawn(db: str, tmp_path: Path, case: str) -> None:
    seating, code, words = WRONG[case]
    club(db, 12, rounds=4)
    draws = 2 if case == "another round" else 0
    for _round in range(draws):
        draw(db)
    apply(db, WithdrawPlayers(None, ["P12"]))
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(seating), encoding="utf-8")
    with desk.refused(code, words):
        apply(db, DrawRound(None, file))
    assert len(rounds.show(db).rounds) == draws


def test_the_format_can_change_between_rounds(db: str) -> None:
    """One round each; everybody sits in all of them."""
    club(db, 12, rounds=4)
    for number, format in enumerate(("rotation", "snake", "swiss", "random"), 1):
        if number > 1:
            apply(db, ChangeSettings(None, {"format": format}))
        tables = draw(db)
        assert sorted(name for table in tables for name in table) == NAMES
        play(db, tables, number)


def test_nobody_meets_twice_while_somebody_leaves_or_comes_in_each_round(db: str) -> None:
    """28 over five rounds: each change is made to the plan as it was after those before."""
    chance = random.Random("course")
    everybody = [f"Q{number:02}" for number in range(1, 31)]
    apply(db, RegisterPlayers(everybody))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=5)))
    apply(db, EnterPlayers("Friday", everybody[:28]))
    drawn = [draw(db)]
    for late in everybody[28:]:
        apply(db, WithdrawPlayers(None, [chance.choice([name for table in drawn[-1] for name in table])]))
        drawn.append(draw(db))
        apply(db, EnterPlayers("Friday", [late]))
        drawn.append(draw(db))
    assert repeats(drawn) == 0


def test_a_swiss_round_before_any_result_says_that_it_is_drawn_by_lot(db: str) -> None:
    """The first round needs no such word; with one result there are standings."""
    club(db, format="swiss", rounds=3)
    first = apply(db, DrawRound())
    assert first.notes == ()
    message = "No game has a result yet: seated at random."
    assert message in preview(db, DrawRound()).outcome.notes
    play(db, names(first.rounds[0])[:1], 1)
    assert message not in apply(db, DrawRound()).notes
