"""Tests of the formats: rounds seated by rating, at random and by hand, and the constraints that all formats keep."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.evening import weekend
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Round, Stage
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import forecasts, ratings
from tourney.service.results.results import EnterResult
from tourney.service.rounds import draw_round, rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.stages.shown import standings

NAMES = [f"P{number:02}" for number in range(1, 13)]


def create_event(db: str, people: int = 12, name: str = "Friday", **settings: object) -> list[str]:
    """Create an event of the first `people` of NAMES and return their names; only Friday registers them."""
    if name == "Friday":
        apply(db, RegisterPlayers(NAMES[:people]))
    apply(db, CreateEvent(EventSettings(name, "oficial", **settings)))
    apply(db, EnterPlayers(name, NAMES[:people]))
    return NAMES[:people]


def names(round_: Round) -> list[list[str]]:
    return [[player.name for player in table.players] for table in round_.tables]


def draw(db: str, event: str | None = None, file: Path | None = None) -> list[list[str]]:
    return names(apply(db, DrawRound(event, file, anyway=True)).rounds[0])


def play(db: str, tables: Sequence[Sequence[str]], number: int, event: str | None = None) -> None:
    """Enter results in which the alphabetically first player of each table closes every hand."""
    for table, seated in enumerate(tables, 1):
        closer = seated.index(min(seated))
        apply(db, EnterResult(event, number, table, desk.hands(seated, [closer] * 7)))


def repeats(drawn: Sequence[Sequence[Sequence[str]]]) -> int:
    met = Counter(frozenset(pair) for tables in drawn for table in tables for pair in combinations(table, 2))
    return sum(met.values()) - len(met)


def test_a_snake_is_seated_by_rating_with_new_players_last(db: str) -> None:
    """Eight rated players, in the order of mu - 3 sigma, go to three tables and back; four new players follow them."""
    create_event(db, 8, rounds=1)
    play(db, draw(db), 1)
    rated = [row.player for row in sorted(ratings.ratings(db).rows, key=lambda row: 3 * row.sigma - row.mu)]
    apply(db, RegisterPlayers(NAMES[8:]))
    create_event(db, 12, "Snake", format="snake", rounds=3)
    first = draw(db, "Snake")
    place = {name: min(number, 9) for number, name in enumerate(rated, 1)} | dict.fromkeys(NAMES[8:], 9)
    expected = [[1, 6, 7, 9], [2, 5, 8, 9], [3, 4, 9, 9]]
    assert sorted(sorted(place[name] for name in table) for table in first) == expected
    # Each table has four players who come from three tables, so two of them have met.
    assert repeats([first, draw(db, "Snake")]) == 3


@pytest.mark.parametrize(
    ("players", "tables", "expected"),
    [
        (8, 2, [[1, 4, 5, 8], [2, 3, 6, 7]]),
        (12, 3, [[1, 6, 7, 12], [2, 5, 8, 11], [3, 4, 9, 10]]),
        (9, 3, [[1, 6, 7], [2, 5, 8], [3, 4, 9]]),
    ],
)
def test_a_seeded_final_seats_the_ranks_across_its_tables_whoever_met_before(
    db: str, players: int, tables: int, expected: list[list[int]]
) -> None:
    """The tables are those of the snake by hand, in the order of the ranks; later rounds have the fewest repeats."""
    final = Stage("Final", 2, "seeded", take="best", number=players, ties="list", tables=tables)
    stages = (Stage("Qualifying", 3, "swiss"), final)
    weekend.with_stages(db, 16, *stages, size=4)
    weekend.play(db, 3, weekend.at_random("seeded"))
    rank = {row.player.shown: place for place, row in enumerate(standings(db).rows, 1)}
    drawn = weekend.play_round(db, weekend.at_random("seeded"))
    assert [sorted(rank[player.shown] for player in table.players) for table in drawn.tables] == expected
    second = weekend.play_round(db)
    assert repeats([names(drawn), names(second)]) == _fewest(expected)
    assert [round_.state for round_ in draw_round.verify(db).rounds] == ["the same"] * 5


def _fewest(tables: Sequence[Sequence[int]]) -> int:
    """Return the fewest repeats of a second round at tables of these sizes, by counting how they split each table."""
    number = len(tables)
    parts = [[len(table) // number + (at < len(table) % number) for at in range(number)] for table in tables]
    return sum(part * (part - 1) // 2 for split in parts for part in split)


def test_a_rated_swiss_round_seats_neighbours_by_rating_and_names_the_pool(db: str) -> None:
    """Of eight rated players the first four by mu - 3 sigma sit at table 1, the others at 2; four new players at 3."""
    create_event(db, 8, rounds=1, format="rated swiss")
    at_random = apply(db, DrawRound())
    assert at_random.notes == ("Nobody is rated yet: seated at random.",)
    play(db, names(at_random.rounds[0]), 1)
    rated = [row.player for row in sorted(ratings.ratings(db).rows, key=lambda row: 3 * row.sigma - row.mu)]
    apply(db, RegisterPlayers(NAMES[8:]))
    create_event(db, 12, "Rated", format="rated swiss", rounds=3)
    first = apply(db, DrawRound("Rated", anyway=True))
    assert [set(table) for table in names(first.rounds[0])] == [set(rated[:4]), set(rated[4:]), set(NAMES[8:])]
    assert first.notes[0].startswith(
        "Seated by rating, 8 of 12 players being rated: by all results so far, people in the"
    )


def information(db: str, table: Sequence[str]) -> float:
    """Return the information that a result of the table is expected to give, in bits."""
    return forecasts.quality(db, table).bits


def test_an_informative_round_has_the_greatest_information_gain(db: str) -> None:
    """Compare with `rating quality` of all seatings of six players, two of them new, that have the fewest repeats.

    `round verify` draws the same rounds again from the ratings before each.
    """
    people = create_event(db, 6, rounds=2)
    apply(db, WithdrawPlayers("Friday", people[4:]))
    for number in (1, 2):
        play(db, draw(db, "Friday"), number, "Friday")
    create_event(db, 6, "Informative", format="informative", rounds=2, size=3)
    drawn: list[list[list[str]]] = []
    for number in (1, 2):
        halves = [set(combination) for combination in combinations(people, 3) if people[0] in combination]
        seatings = [[sorted(half), sorted(set(people) - half)] for half in halves]
        fewest = min(repeats([*drawn, tables]) for tables in seatings)
        best = max(
            sum(information(db, table) for table in tables)
            for tables in seatings
            if repeats([*drawn, tables]) == fewest
        )
        drawn.append(draw(db, "Informative"))
        assert repeats(drawn) == fewest
        assert sum(information(db, table) for table in drawn[-1]) == pytest.approx(best, abs=1e-6)
        play(db, drawn[-1], number, "Informative")
    assert [round_.state for round_ in draw_round.verify(db, "Informative").rounds] == ["the same", "the same"]


def test_a_random_draw_follows_from_the_seed_and_the_round_alone(db: str) -> None:
    """Equal seeds give equal draws, other seeds other draws; in 40 rounds all pairs meet about equally often."""
    for event, seed in (("Friday", "a"), ("Same", "a"), ("Other", "b")):
        create_event(db, 12, event, format="random", rounds=40, seed=seed)
    drawn = {event: [draw(db, event) for _round in range(3)] for event in ("Friday", "Same", "Other")}
    assert drawn["Friday"] == drawn["Same"] != drawn["Other"]
    drawn["Friday"] += [draw(db, "Friday") for _round in range(37)]
    met = Counter(frozenset(pair) for tables in drawn["Friday"] for table in tables for pair in combinations(table, 2))
    # 40 * 3 / 11 is 10.9, the standard deviation 2.8; all 66 pairs stay within about four of these.
    assert len(met) == 66
    assert all(0 < count < 23 for count in met.values())


def test_random_draws_share_byes_equally_and_keep_constraints(db: str) -> None:
    """Ten players at tables of four have two byes a round, shared equally; P01 and P02 never meet; P03 has table 2."""
    create_event(db, 10, format="random", rounds=10, short="sit out")
    apply(db, ConstrainSeating(None, ["P01,P02"], tables=["P03=2"]))
    byes: Counter[str] = Counter()
    for _round in range(10):
        round_ = apply(db, DrawRound(anyway=True)).rounds[0]
        byes.update(player.name for player in round_.sitting_out)
        assert max(byes[name] for name in NAMES[:10]) - min(byes[name] for name in NAMES[:10]) <= 1
        assert not any({"P01", "P02"} <= set(table) for table in names(round_))
        assert "P03" not in names(round_)[0]
    assert set(byes.values()) == {2}


@pytest.mark.parametrize("format", ["rotation", "swiss", "rated swiss", "snake", "random", "informative"])
def test_clubs_are_kept_apart_in_every_format(db: str, format: str) -> None:
    """Four clubs of three players sit at three tables of four: in both rounds every table has one player of each."""
    for number, name in enumerate(NAMES):
        apply(db, RegisterPlayers([name], club=f"Club {number % 4}"))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", format=format, rounds=2)))
    apply(db, EnterPlayers("Friday", NAMES))
    apply(db, ConstrainSeating(None, ["club"]))
    drawn = [draw(db)]
    play(db, drawn[0], 1)
    drawn.append(draw(db))
    broken = [table for tables in drawn for table in tables if len({NAMES.index(name) % 4 for name in table}) < 4]
    # Random seatings are drawn until few constraints are broken, not until none is.
    assert len(broken) <= (4 if format == "random" else 0)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_tables_of_a_file_are_kept_and_the_other_players_seated_around_them(db: str, tmp_path: Path, form: str) -> None:
    """The file gives one table of round 2; the other eight players have the fewest repeats of all their seatings."""
    create_event(db, 12, rounds=3)
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
    rest = others[0] + others[1]
    seatings = [(half, tuple(set(rest) - set(half))) for half in combinations(rest, 4)]
    assert repeats([first, others]) == min(repeats([first, seating]) for seating in seatings)


@pytest.mark.parametrize("number", [1, 2])
def test_a_file_of_one_round_is_used_for_the_round_that_is_drawn(db: str, tmp_path: Path, number: int) -> None:
    """The round may be numbered 1 or as it is drawn; its single table may have any number."""
    create_event(db, 8, rounds=3)
    draw(db)
    file = tmp_path / "one.csv"
    rows = [f"{number},2,{seat},{name}" for seat, name in enumerate(NAMES[:4], 1)]
    file.write_text("\n".join(["round,table,seat,player", *rows]), encoding="utf-8")
    assert draw(db, None, file)[1] == NAMES[:4]


def test_every_manual_round_needs_a_file_and_a_whole_seating_is_kept(db: str, tmp_path: Path) -> None:
    """One file may hold two rounds, and may name entrants by number and give byes."""
    create_event(db, 9, format="manual", rounds=2)
    with desk.refused(ExitCode.REFUSED, "no table is given", "--file"):
        apply(db, DrawRound(anyway=True))
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


IMPOSSIBLE = {
    "an unknown name": ({"rounds": [[["P01", "P02", "Nobody"]]]}, ExitCode.NOT_FOUND, "Nobody"),
    "a player by number and by name": ({"rounds": [[["P01", "P02", 1]]]}, ExitCode.REFUSED, "P01 appears twice"),
    "a table too large": (
        {"rounds": [[NAMES[:5]]]},
        ExitCode.REFUSED,
        "table 1: the table has 5 players | a table has 2 to 4",
    ),
    "a withdrawn player": ({"rounds": [[["P01", "P02", "P12"]]]}, ExitCode.REFUSED, "P12 has left the event"),
    "another round": ({"rounds": [[NAMES[:4]], [NAMES[:4]]]}, ExitCode.REFUSED, "has no round 3"),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_file_is_refused_and_nothing_drawn(db: str, tmp_path: Path, case: str) -> None:
    seating, code, message = IMPOSSIBLE[case]
    create_event(db, 12, rounds=4)
    draws = 2 if case == "another round" else 0
    for _round in range(draws):
        draw(db)
    apply(db, WithdrawPlayers(None, ["P12"]))
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(seating), encoding="utf-8")
    with desk.refused(code, message):
        apply(db, DrawRound(None, file))
    assert len(rounds.show(db).rounds) == draws


def test_the_format_can_change_between_rounds(db: str) -> None:
    """Four formats have a round each, and everybody sits in all of them."""
    create_event(db, 12, rounds=4)
    for number, format in enumerate(("rotation", "snake", "swiss", "random"), 1):
        if number > 1:
            apply(db, ChangeSettings(None, {"format": format}))
        tables = draw(db)
        assert sorted(name for table in tables for name in table) == NAMES
        play(db, tables, number)


def test_nobody_meets_twice_while_players_leave_and_enter_between_rounds(db: str) -> None:
    """28 players have five rounds: each change modifies the plan left by the changes before it."""
    chance = random.Random("course")
    everybody = [f"Q{number:02}" for number in range(1, 31)]
    desk.people_in(db, everybody, 28, rounds=5)
    drawn = [draw(db)]
    for late in everybody[28:]:
        apply(db, WithdrawPlayers(None, [chance.choice([name for table in drawn[-1] for name in table])]))
        drawn.append(draw(db))
        apply(db, EnterPlayers("Friday", [late]))
        drawn.append(draw(db))
    assert repeats(drawn) == 0


def test_a_later_swiss_round_without_any_result_notes_that_it_is_random(db: str) -> None:
    """The first round has no such note; with one result there are standings."""
    create_event(db, format="swiss", rounds=3)
    first = apply(db, DrawRound())
    assert first.notes == ()
    message = "No game has a result yet: seated at random."
    assert message in preview(db, DrawRound(anyway=True)).outcome.notes
    play(db, names(first.rounds[0])[:1], 1)
    assert message not in apply(db, DrawRound(anyway=True)).notes
