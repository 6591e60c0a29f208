"""A play-off hand at a border: asked without an answer, with its hand and seats, kept with its points and its name."""

import csv
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.evening.weekend import FINAL, planned, play_round, with_stages
from tests.tourney.stages.test_cuts import equal_seconds
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Stage, Table
from tourney.reports.results.standings import standings_then
from tourney.service.change import apply
from tourney.service.events.events import show
from tourney.service.events.status import status
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.stages.shown import seats, standings


def make_db(db: str) -> None:
    """Three tables whose winners go through, and nine others level for the fourth place of the final."""
    with_stages(db, 12, Stage("Qualifying", 1), planned(FINAL, ties="play-off"))
    play_round(db, equal_seconds)


TABLE_WINNERS = planned(FINAL, take="of each table", number=1, ties="play-off", hands=("TT",))


def level(db: str) -> list[str]:
    found = status(db).stages
    assert found is not None
    return [player.shown for player in found.undecided]


def test_the_command_to_paste_decides_nothing_and_no_draw_is_offered(db: str, run: Runner) -> None:
    (first, *others) = status(db).next
    assert first.words[1:3] == ("event", "cut")
    assert run(*first.words[1:]).code == ExitCode.NOT_FOUND
    assert show(db).settings.stages[1].playoff == ()
    assert ("round", "draw") not in [each.words[1:3] for each in others]
    refused = run("round", "draw", "--db", db)
    assert "--playoff FIRST=0,SECOND=25" in refused.err
    assert not any(name in refused.err.partition("--playoff")[2] for name in level(db))
    assert "--playoff PRIMERO=0,SEGUNDO=25" in run("round", "draw", "--lang", "es", "--db", db).err
    assert "--playoff PRIMERO,SEGUNDO," in run("status", "--lang", "es", "--db", db).out
    assert "FIRST" not in run("status", "--lang", "es", "--db", db).out


def test_the_status_says_which_hand_is_played_and_who_sits_where(db: str, run: Runner) -> None:
    """Nine are level and a table seats at most four (003/1.2): three tables of three, whose first players deal."""
    shown = " ".join(run("status", "--db", db).out.split())
    assert "Play-off hand for Final (EEE): the fewest points win 1 place." in shown
    event = show(db)
    found = status(db).stages
    assert found is not None
    tables = seats(event, event.settings.stages[1], found.undecided)
    assert sorted(map(len, tables)) == [3, 3, 3]
    assert sorted(player.shown for table in tables for player in table) == sorted(level(db))
    for number, table in enumerate(tables, 1):
        assert f"Table {number}: {', '.join(player.shown for player in table)}." in shown


def test_a_player_whose_points_are_mistyped_is_named(db: str, run: Runner) -> None:
    names = level(db)
    typed = ",".join([f"{name}={place}" for place, name in enumerate(names[1:])] + [f"{names[0]}=5x"])
    refused = run("event", "cut", "--playoff", typed, "--db", db)
    assert refused.err.startswith(f"error: {names[0]}=5x has no points, and other players")


def test_the_points_give_the_order_and_are_kept(db: str, run: Runner) -> None:
    names = level(db)
    sheet = {name: 10 * place for place, name in enumerate(reversed(names))}
    typed = ",".join(f"{name}={points}" for name, points in sheet.items())
    assert run("event", "cut", "--playoff", typed, "--db", db).code == 0
    stage = show(db).settings.stages[1]
    numbers = {player.shown: player.id for player in show(db).entrants}
    assert stage.playoff == tuple(numbers[name] for name in reversed(names))
    assert stage.playoff_points == tuple(sorted(sheet.values()))
    said = f"play-off hand for Final, the best first: {names[-1]} 0, {names[-2]} 10"
    assert said in run("log", "--json", "--db", db).json[-1]["said"]
    assert said in " ".join(run("undo", "--dry-run", "--db", db).out.split())
    assert run("round", "draw", "--db", db).code == 0
    why = run("standings", "--why", names[-1], "--db", db).out
    assert f"the best first: {names[-1]} 0, {names[-2]} 10" in " ".join(why.split())


def test_the_players_of_a_play_off_go_through_in_its_order(new_db: str, run: Runner) -> None:
    """Two of nine get a place: the winner of the hand comes before the other one, whatever the list says."""
    with_stages(new_db, 12, Stage("Qualifying", 1), planned(FINAL, ties="play-off", number=5, rounds=2, tables=None))
    play_round(new_db, equal_seconds)
    names = level(new_db)
    order = [names[5], names[2], *(name for name in names if name not in (names[5], names[2]))]
    assert run("event", "cut", "--playoff", ",".join(order), "--db", new_db).code == 0
    assert run("round", "draw", "--db", new_db).code == 0
    event = show(new_db)
    shown = {player.id: player.shown for player in event.entrants}
    assert [shown[number] for number in event.settings.stages[1].players][3:] == order[:2]


@pytest.mark.parametrize(
    ("points", "why"),
    [(1, "no cards of these packs add up to 1"), (-5, "has -5 points; the closer scores 0 or -10"), (5000, "5000")],
)
def test_points_that_no_sheet_of_the_hand_can_have_are_refused(db: str, run: Runner, points: int, why: str) -> None:
    names = level(db)
    typed = of_players(names, points, *(10 * place for place in range(1, len(names))))
    refused = run("event", "cut", "--playoff", typed, "--db", db)
    assert refused.code == ExitCode.REFUSED
    assert refused.err.startswith(f"error: EEE: {names[0]}: ")
    assert why in refused.err
    assert show(db).settings.stages[1].playoff == ()


@pytest.mark.parametrize(
    ("points", "code"), [((0, 0, 20), ExitCode.REFUSED), ((0, 20, 20), ExitCode.DONE), ((0, 20, None), ExitCode.USAGE)]
)
def test_points_that_are_level_at_the_border_or_missing_are_refused(
    db: str, run: Runner, points: tuple[int | None, ...], code: ExitCode
) -> None:
    names = level(db)
    filled = (*points[:2], *[points[2]] * (len(names) - 2))
    typed = ",".join(name if each is None else f"{name}={each}" for name, each in zip(names, filled, strict=True))
    assert run("event", "cut", "--playoff", typed, "--db", db).code == code


def two_hands(db: str) -> tuple[list[str], list[str]]:
    """Two of the first group and three of the second are level for the place of each; a third group has its winner."""
    with_stages(db, 12, Stage("Groups", 1, "groups", hands=("TT",)), TABLE_WINNERS)
    points = {1: (10, 10, 50, 60), 2: (20, 20, 20, 70), 3: (30, 40, 50, 60)}

    def sheet(_event: Event, table: Table) -> list[SheetHand[str]]:
        names = [player.shown for player in table.players]
        return [SheetHand("TT", dict(zip(names, points[table.number], strict=True)), dead=True)]

    first, second, _third = play_round(db, sheet).tables
    return [player.shown for player in first.players[:2]], [player.shown for player in second.players[:3]]


def of_players(names: list[str], *points: int) -> str:
    return ",".join(f"{name}={each}" for name, each in zip(names, points, strict=True)) if points else ",".join(names)


def test_two_groups_have_a_play_off_hand_each_with_chances_of_its_own(new_db: str, run: Runner) -> None:
    """One of two goes through, and one of three: 50 % and 33 %."""
    two, three = two_hands(new_db)
    chances = {row.player.shown: row.chance for row in standings(new_db).rows}
    assert [chances[name] for name in two] == [1 / 2] * 2
    assert [chances[name] for name in three] == [1 / 3] * 3
    assert sum(chance or 0 for chance in chances.values()) == pytest.approx(3)
    hands = run("status", "--json", "--db", new_db).json["play_offs"]
    assert [(sorted(each["players"]), each["places"]) for each in hands] == [(sorted(two), 1), (sorted(three), 1)]
    refused = run("round", "draw", "--db", new_db)
    for names in (two, three):
        assert (
            f"{', '.join(sorted(names))} are level at the border of Final and play one hand for 1 place" in refused.err
        )


@pytest.mark.parametrize("later", ["of two", "of three"])
def test_each_play_off_hand_is_decided_without_the_other(new_db: str, run: Runner, later: str) -> None:
    two, three = two_hands(new_db)
    first, last = (three, two) if later == "of two" else (two, three)
    mixed = of_players([two[0], three[0]], 5, 0)
    assert "of one hand" in run("event", "cut", "--playoff", mixed, "--db", new_db).err
    done = run("event", "cut", "--playoff", of_players(first[::-1]), "--db", new_db)
    assert (
        f"the fewest points win 1 place. Seats (the first deals): {', '.join(seat_names(new_db, last))}."
        in " ".join(done.out.split())
    )
    assert level(new_db) == sorted(last)
    chances = {row.player.shown: row.chance for row in standings(new_db).rows}
    assert (chances[first[-1]], chances[last[0]]) == (1, 1 / len(last))
    points = range(5, 5 * len(last) + 1, 5)
    assert run("event", "cut", "--playoff", of_players(last, *points), "--db", new_db).code == 0
    said = run("log", "--json", "--db", new_db).json[-1]["said"]
    kept = ", ".join(f"{name} {each}" for name, each in zip(last, points, strict=True))
    assert said == f"play-off hand for Final, the best first: {kept}"
    (drawn,) = apply(new_db, DrawRound()).rounds
    assert {first[-1], last[0]} < {player.shown for table in drawn.tables for player in table.players}
    why = {name: " ".join(run("standings", "--why", name, "--db", new_db).out.split()) for name in (*two, *three)}
    assert all(f"the best first: {', '.join(first[::-1])}." in why[name] for name in first)
    assert all(f"the best first: {kept}." in why[name] for name in last)


def test_both_play_off_hands_may_be_entered_at_once_and_again(new_db: str, run: Runner) -> None:
    """The order counts within each hand; the second answer about one hand leaves the other as it was."""
    two, three = two_hands(new_db)
    typed = of_players([three[2], two[1], three[0], two[0], three[1]])
    assert run("event", "cut", "--playoff", typed, "--db", new_db).code == 0
    assert level(new_db) == []
    assert run("event", "cut", "--playoff", of_players(two, 0, 30), "--db", new_db).code == 0
    assert level(new_db) == []
    (drawn,) = apply(new_db, DrawRound()).rounds
    assert {two[0], three[2]} < {player.shown for table in drawn.tables for player in table.players}


def seat_names(db: str, names: list[str]) -> list[str]:
    event = show(db)
    (seated,) = seats(event, event.settings.stages[1], [each for each in event.entrants if each.shown in names])
    return [player.shown for player in seated]


def test_groups_have_a_table_each_in_which_the_ranks_begin_at_one(tmp_path: Path, run: Runner) -> None:
    """By the sheets lower names have fewer points, so that each table of the round is a group in the order of names."""
    db = str(tmp_path / "groups.db")
    with_stages(db, 12, Stage("Groups", 2, "groups"), FINAL)
    drawn = play_round(db)
    shown = run("standings", "--format", "markdown", "--db", db).out
    for table in drawn.tables:
        part = shown.partition(f"Group {table.number}")[2].partition("Group")[0]
        names = sorted(player.shown for player in table.players)
        rows = [line for line in part.splitlines() if line.startswith("|") and any(name in line for name in names)]
        assert [line.split("|")[1].strip() for line in rows] == [str(rank) for rank in range(1, len(names) + 1)]
        assert [next(name for name in names if name in line) for line in rows] == names
    groups = {player.shown: table.number for table in drawn.tables for player in table.players}
    assert {row["player"]: row["group"] for row in run("standings", "--json", "--db", db).json} == groups
    in_csv = csv.DictReader(run("standings", "--format", "csv", "--db", db).out.splitlines())
    assert {row["player"]: int(row["group"]) for row in in_csv} == groups
    play_round(db)
    earlier = standings_then(standings(db, None, 1))
    assert [each.heading for each in earlier.sections[1:]] == [f"Group {table.number}" for table in drawn.tables]
