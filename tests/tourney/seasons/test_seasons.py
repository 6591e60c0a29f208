"""Tests of seasons in a database: commands, refusals, undo, and that everything follows from the results."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.desk import CLUB
from tests.harness.evening.weekend import FINAL, by_name, names, planned, play, play_round, seated, with_stages
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Stage
from tourney.service.admin import journal
from tourney.service.change import apply
from tourney.service.database import check
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.impact import preview
from tourney.service.players import MergePlayers, RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seasons import seasons
from tourney.service.seasons.seasons import ChangeSeason, CountEvents, CreateSeason, DeleteSeason, RemoveEvents
from tourney.service.stages.shown import standings as in_stages


def two_evenings(path: Path) -> str:
    """Create a database with the evenings Friday and Saturday, of equal sheets, and a season that counts both."""
    return desk.copied(path, _make)


def _make(db: str) -> None:
    desk.make_evening(db)
    apply(db, ImportSheets("Saturday", CLUB / "score-sheets.csv", "oficial"))
    apply(db, CreateSeason("Autumn", {"best": 1}))
    apply(db, CountEvents("Autumn", ["Friday", "Saturday"]))


def ranks(db: str, season: str | None = None) -> list[tuple[int | None, str, float]]:
    return [(row.rank, row.player.shown, float(row.score)) for row in seasons.standings(db, season).rows]


def late(event: str, player: str) -> AddRuling:
    return AddRuling(event, Decision("penalty", "late", player=player, points=5000))


def test_the_commands_of_a_season_from_its_beginning_to_its_end(run: Runner, tmp_path: Path) -> None:
    db = ("--db", desk.evening(tmp_path / "club.db"))
    assert "new season: Autumn" in run("season", "new", "Autumn", "--drop", "1", *db).out
    assert run("season", "add", "Autumn", "Friday", "--weight", "1,5", "--final", *db).code == 0
    rows = run("season", "standings", *db, "--json").json
    assert (rows[0]["rank"], rows[0]["results"][0]["weight"]) == (1, 1.5)
    assert rows[0]["score"] == 1.5 * (len(rows) - 1)
    shown = run("season", "show", "Autumn", *db, "--json").json
    assert (shown["drop"], shown["events"][0]["event"], shown["events"][0]["final"]) == (1, "Friday", True)
    run("season", "set", "Autumn", "--name", "Winter", "--best", "3", *db)
    listed = run("season", "list", *db, "--json").json
    assert [(each["name"], each["best"], each["drop"]) for each in listed] == [("Winter", 3, None)]
    why = run("season", "standings", "--why", rows[1]["player"], *db).out
    assert f"Friday: rank 2 of {len(rows)}: {len(rows) - 2}; weight 1.5" in why
    assert run("season", "remove", "Winter", "Friday", *db).code == 0
    assert run("season", "standings", *db, "--json").json == []
    assert "deleted: season Winter" in run("season", "delete", "Winter", *db).out
    assert run("season", "list", *db, "--json").json == []
    said = [line.said for line in journal.log(db[1]).lines[-5:]]
    assert said == [
        "new season: Autumn",
        "season Autumn: counts Friday",
        "season Autumn: name Winter, best results that count 3, worst results left out not set",
        "season Winter: no longer counts Friday",
        "season Winter deleted",
    ]


def test_a_correction_moves_the_season_and_the_dry_run_shows_it(run: Runner, tmp_path: Path) -> None:
    """The leader gets a penalty in both evenings: season and preview change in the same way."""
    db = two_evenings(tmp_path / "club.db")
    leader = ranks(db)[0][1]
    for event in ("Friday", "Saturday"):
        before = {name: (rank, score) for rank, name, score in ranks(db)}
        moves = preview(db, late(event, leader)).moves
        assert moves is not None
        previewed = {
            move.after.player.shown: (move.after.rank, float(move.after.score)) for move in moves.seasons if move.after
        }
        apply(db, late(event, leader))
        after = {name: (rank, score) for rank, name, score in ranks(db)}
        changed = {name: row for name, row in after.items() if row != before[name]}
        assert changed
        assert changed.items() <= previewed.items() <= after.items()
    assert after[leader] == (len(after), 0)
    ran = run("undo", "--dry-run", "--db", db)
    assert "What moves in the season Autumn" in ran.out


@pytest.mark.parametrize("carry", ["nothing", "all", "half"])
def test_every_game_of_an_event_with_stages_gives_its_table_points(db: str, carry: str) -> None:
    """P01 wins two games of the qualifying and the final: 7 + 7 + 7; P04 is last three times: 1 + 1 + 1."""
    final = planned(FINAL, carry=carry)
    with_stages(db, 4, Stage("Qualifying", 2), final)
    play(db, 3)
    apply(db, CreateSeason("Autumn", {"by": "table points", "table_points": "7-5-3-1"}))
    apply(db, CountEvents("Autumn", ["Weekend"]))
    assert ranks(db) == [(1, "P01", 21), (2, "P02", 15), (3, "P03", 9), (4, "P04", 3)]


def test_a_season_by_points_counts_the_penalties_that_are_points(db: str) -> None:
    """P01 has 70 points in every game, P02 140, and so on.

    Of the penalties 3 are place points of the qualifying, and 10 are points of two games. A player who is not in the
    final gets none there.
    """
    with_stages(db, 8, Stage("Qualifying", 1, scoring="place points"), FINAL)
    play(db, 1, by_name)
    first, second, *_others = seated(play_round(db, by_name))
    out = next(row.player.shown for row in in_stages(db).rows if row.stage == "Qualifying")
    for name, points, number in ((first, 3, 1), (second, 10, 2)):
        apply(db, AddRuling("Weekend", Decision("penalty", "late", player=name, points=points, round=number)))
    with desk.refused(ExitCode.REFUSED, "does not play in Final", "such as round 1"):
        apply(db, AddRuling("Weekend", Decision("penalty", "late", player=out, points=30, round=2)))
    apply(db, CreateSeason("Autumn", {"by": "points"}))
    apply(db, CountEvents("Autumn", ["Weekend"]))
    expected = {name: 70 * int(name[1:]) for name in names(8)}
    expected[second] += 5
    assert {name: score for _rank, name, score in ranks(db)} == expected


def test_a_merged_player_has_one_row_with_the_results_of_both(db: str) -> None:
    """Of two registrations, one played on Friday and one on Saturday."""
    apply(db, RegisterPlayers(["Ana", "Ana María", "Beñat", "Carmen", "Diego"]))
    for name, first in (("Friday", "Ana"), ("Saturday", "Ana María")):
        apply(db, CreateEvent(EventSettings(name, "oficial", rounds=1)))
        apply(db, EnterPlayers(name, [first, "Beñat", "Carmen", "Diego"]))
        (drawn,) = apply(db, DrawRound(name)).rounds
        names = [player.shown for player in drawn.tables[0].players]
        apply(db, EnterResult(name, 1, 1, desk.hands(names, [names.index(first)] * 7)))
    apply(db, CreateSeason("Autumn"))
    apply(db, CountEvents("Autumn", ["Friday", "Saturday"]))
    assert {(name, score) for _rank, name, score in ranks(db)} > {("Ana", 3), ("Ana María", 3)}
    apply(db, MergePlayers("Ana", "Ana María"))
    assert ranks(db)[0] == (1, "Ana", 6)


def test_undo_and_redo_take_every_change_of_a_season_back_and_forth(run: Runner, tmp_path: Path) -> None:
    db = two_evenings(tmp_path / "club.db")
    changes = (
        ChangeSeason("Autumn", {"name": "Winter", "by": "points"}),
        RemoveEvents("Winter", ["Friday"]),
        CountEvents("Winter", ["Friday"], weight="2"),
        DeleteSeason("Winter"),
    )
    states = [seasons.listing(db)]
    for change in changes:
        apply(db, change)
        states.append(seasons.listing(db))
    for state in reversed(states[:-1]):
        assert run("undo", "--db", db).code == 0
        assert seasons.listing(db) == state
        assert check(db).problems == ()
    for state in states[1:]:
        assert run("redo", "--db", db).code == 0
        assert seasons.listing(db) == state


def test_an_event_that_a_season_counts_cannot_be_undone_alone(run: Runner, tmp_path: Path) -> None:
    db = desk.drawn(tmp_path / "club.db")
    apply(db, CreateSeason("Autumn"))
    apply(db, CountEvents("Autumn", ["Friday"]))
    numbers = {line.said: line.number for line in journal.log(db).lines}
    created = next(number for said, number in numbers.items() if said.startswith("created"))
    ran = run("undo", str(created), "--db", db)
    assert ran.code == ExitCode.REFUSED
    assert "season Autumn: counts Friday" in ran.out + ran.err


def test_a_season_is_no_part_of_an_event_and_its_file(run: Runner, tmp_path: Path) -> None:
    db = desk.evening(tmp_path / "club.db")
    before = run("event", "export", "Friday", "--db", db).out
    apply(db, CreateSeason("Autumn"))
    apply(db, CountEvents("Autumn", ["Friday"]))
    assert run("event", "export", "Friday", "--db", db).out == before


REFUSED = [
    (CountEvents("Autumn", ["Friday"]), ExitCode.REFUSED, "Friday counts in Autumn already: no event counts twice"),
    (CountEvents("Autumn", ["Next", "Next"]), ExitCode.REFUSED, "Next counts in Autumn already"),
    (CountEvents("Autumn", ["Next"], weight="0"), ExitCode.REFUSED, "with a weight of 0 the event would not count"),
    (CountEvents("Autumn", ["Next"], weight="-1"), ExitCode.REFUSED, "“-1” is not a weight"),
    (CountEvents("Autumn", ["Next"], days=4), ExitCode.REFUSED, "--days: “4” is not possible"),
    (CountEvents("Autumn", ["Next"], countries=0), ExitCode.REFUSED, "--countries: “0” is not possible"),
    (CountEvents("Autumn", ["Sunday"]), ExitCode.NOT_FOUND, "no event is called “Sunday”"),
    (CountEvents("Summer", ["Friday"]), ExitCode.NOT_FOUND, "no season is called “Summer”"),
    (RemoveEvents("Autumn", ["Next"]), ExitCode.NOT_FOUND, "Next does not count in Autumn"),
    (CreateSeason("AUTUMN"), ExitCode.CONFLICT, "there is a season called Autumn already"),
    (CreateSeason("B", {"best": 2, "drop": 1}), ExitCode.REFUSED, "the best results and those left out contradict"),
    (CreateSeason("B", {"best": 0}), ExitCode.REFUSED, "“0” is not possible"),
    (CreateSeason("B", {"by": "table points"}), ExitCode.REFUSED, "table points need lists"),
    (CreateSeason("B", {"table_points": "3-1"}), ExitCode.REFUSED, "`--table-points` goes only with"),
    (CreateSeason("B", {"by": "points", "places": "3-1"}), ExitCode.REFUSED, "`--places` goes only with"),
    (CreateSeason("B", {"places": "3-x"}), ExitCode.USAGE, "“x” is not a number of points"),
    (CreateSeason("B", {"by": "points", "totals": "sum"}), ExitCode.REFUSED, "the sum of points favours"),
    (CreateSeason("B", {"decay": "12"}), ExitCode.USAGE, "does not name months and per cent"),
    (CreateSeason("B", {"by": "goals"}), ExitCode.USAGE, "“goals” is not possible"),
    (CreateSeason("B", {}, "fide"), ExitCode.NOT_FOUND, "there is no preset “fide”"),
    (CreateSeason(" "), ExitCode.REFUSED, "the name is empty"),
    (ChangeSeason("Autumn", {"best": 1}), ExitCode.REFUSED, "nothing about Autumn would change"),
    (ChangeSeason("Autumn", {"drop": 2}), ExitCode.REFUSED, "2 results left out leave none of the 2 events of Autumn"),
    (ChangeSeason("Autumn", {"best": 1}, ["best"]), ExitCode.USAGE, "contradict each other"),
]


@pytest.mark.parametrize(("change", "code", "words"), REFUSED, ids=str)
def test_what_no_season_can_be_is_refused_and_nothing_is_kept(
    change: CountEvents, code: ExitCode, words: str, tmp_path: Path
) -> None:
    db = two_evenings(tmp_path / "club.db")
    apply(db, CreateEvent(EventSettings("Next", "oficial")))
    before = seasons.listing(db)
    with desk.refused(code, words):
        apply(db, change)
    assert seasons.listing(db) == before


def test_a_season_must_be_named_where_there_are_several(run: Runner, tmp_path: Path) -> None:
    db = desk.drawn(tmp_path / "club.db")
    assert "there is no season yet" in run("season", "standings", "--db", db).err
    apply(db, CreateSeason("Autumn"))
    apply(db, CreateSeason("Winter"))
    ran = run("season", "standings", "--db", db)
    assert (ran.code, "no season is named" in ran.err) == (3, True)
    assert run("season", "standings", "wint", "--db", db).code == 0


def test_presets_are_settings_that_others_replace(db: str) -> None:
    made = apply(db, CreateSeason("Europe", {"rounding": "truncate"}, "ema")).season.settings
    assert (made.by, made.totals, made.weights, made.minimum) == ("base rank", "ema", "ema", 2)
    assert (made.decay, made.rounding) == ("12:50/24:0", "truncate")
