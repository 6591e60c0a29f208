"""A play-off hand at a border: asked without an answer, with its hand and seats, kept with its points and its name."""

from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.evening.weekend import FINAL, planned, play_round, with_stages
from tests.tourney.stages.test_cuts import equal_seconds
from tourney.domain.errors import ExitCode
from tourney.domain.rounds import Stage
from tourney.reports.results.standings import standings_then
from tourney.service.events.events import show
from tourney.service.events.status import status
from tourney.service.stages.shown import seats, standings


def make_db(db: str) -> None:
    """Three tables whose winners go through, and nine others level for the fourth place of the final."""
    with_stages(db, 12, Stage("Qualifying", 1), planned(FINAL, ties="play-off"))
    play_round(db, equal_seconds)


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
    ("points", "code"), [((0, 0, 20), ExitCode.REFUSED), ((0, 20, 20), ExitCode.DONE), ((0, 20, None), ExitCode.USAGE)]
)
def test_points_that_are_level_at_the_border_or_missing_are_refused(
    db: str, run: Runner, points: tuple[int | None, ...], code: ExitCode
) -> None:
    names = level(db)
    filled = (*points[:2], *[points[2]] * (len(names) - 2))
    typed = ",".join(name if each is None else f"{name}={each}" for name, each in zip(names, filled, strict=True))
    assert run("event", "cut", "--playoff", typed, "--db", db).code == code


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
    play_round(db)
    earlier = standings_then(standings(db, None, 1))
    assert [each.heading for each in earlier.sections[1:]] == [f"Group {table.number}" for table in drawn.tables]
