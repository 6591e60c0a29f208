"""Tests of what a game scores: published figures, sums of a table, and standings on each scale."""

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.tourney.standings.games import Evening
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.results import Outcome, Ruling
from tourney.service.change import apply
from tourney.service.events.settings import ChangeSettings
from tourney.standings.arithmetic import arithmetic
from tourney.standings.placing import RankingBasis, ranked
from tourney.standings.ranking import standings
from tourney.standings.scales import SCALES, adjusted
from tourney.standings.scoring import TOTALS, Scoring, scoring_of
from tourney.standings.table_points import PRESETS, read_table_points

# docs.matchplay.events, the page on scoring: tables of four and of three side by side.
MATCH_PLAY = {
    "ifpa": ([7, 5, 3, 1], [7, 4, 1]),
    "papa": ([4, 2, 1, 0], [4, 2, 1]),
    "pinburgh": ([3, 2, 1, 0], [3, 1.5, 0]),
    "bonus": ([5, 3, 2, 1], [5, 3, 1]),
    "winner only": ([1, 0, 0, 0], [1, 0, 0]),
    "first two": ([1, 1, 0, 0], [1, 0, 0]),
    "marburg": ([7, 4, 2, 0], [7, 3, 0]),
    "bapa": ([8, 6, 4, 2], [8, 5, 2]),
    "nepl": ([10, 6, 4, 2], [10, 5, 2]),
    "dc": ([4, 3, 2, 1], [4, 2.5, 1]),
}


def test_the_ten_published_lists_are_there_by_name() -> None:
    assert {
        name: ([*read_table_points(name).at(4)], [*read_table_points(name).at(3)]) for name in PRESETS
    } == MATCH_PLAY


@pytest.mark.parametrize("name", ["ifpa", "pinburgh", "bapa", "nepl", "dc"])
def test_the_rule_for_other_sizes_gives_the_published_lists_for_three(name: str) -> None:
    """Where the middle of three lies halfway between second and third of four, the page prints just that."""
    four = read_table_points(PRESETS[name].split("/")[0])
    assert list(four.at(3)) == MATCH_PLAY[name][1]


def test_a_list_for_five_is_derived_in_even_steps() -> None:
    """7-5-3-1 falls by 2 a place; over five places by 1.5. By hand for a list that is not straight: 5-3-2-1."""
    assert list(read_table_points("ifpa").at(5)) == [7, 5.5, 4, 2.5, 1]
    assert list(read_table_points("5-3-2-1").at(5)) == [5, 3.5, 2.5, 1.75, 1]
    assert list(read_table_points("5-3-2-1").at(2)) == [5, 1]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("7-5-3-1/7-4-1", "7-5-3-1/7-4-1"),
        ("7-4-1/7-5-3-1", "7-5-3-1/7-4-1"),
        ("3-2-1-0/3-1,5-0", "3-2-1-0/3-1.5-0"),
        ("15 5 -5 -15", "15 5 -5 -15"),
        ("IFPA", "7-5-3-1/7-4-1"),
        ("8-7-6-5-4-3-2-1/2-1", "8-7-6-5-4-3-2-1/2-1"),
    ],
)
def test_lists_are_typed_with_hyphens_or_blanks_and_kept_in_one_form(typed: str, kept: str) -> None:
    assert read_table_points(typed).text() == kept
    assert read_table_points(kept).text() == kept


@pytest.mark.parametrize(
    ("size", "full", "points", "expected"),
    [(6, 7, 4, Fraction(29, 6)), (6, 7, 9, Fraction(32, 3)), (10, 11, 18, Fraction(199, 10))],
)
def test_neuberg_gives_the_published_numbers(size: int, full: int, points: int, expected: Fraction) -> None:
    """(4 + 1) · 7 / 6 − 1 = 4.8333, (9 + 1) · 7 / 6 − 1 = 10.6667; a sole top of 10 where 11 are usual has 19.9."""
    assert adjusted(Fraction(points), size, full) == expected


def random_outcome(chance: random.Random, size: int) -> Outcome:
    points = tuple(chance.choice((-10, 0, 5, 20, 20, 70)) for _seat in range(size))
    return Outcome((), points, (0,) * size, tuple(1 + sum(other < own for other in points) for own in points))


def table_sum(scale: str, size: int, outcome: Outcome) -> Fraction:
    """Return the sum of a table as it must be: it depends on nothing but the size of the table of four."""
    pairs, full = Fraction(size * (size - 1), 2), 4
    return {
        "points": Fraction(sum(outcome.points)),
        "table points": sum((Fraction(7) - Fraction(6 * place, size - 1) for place in range(size)), Fraction(0)),
        "place points": pairs * (full - 1) / (size - 1),
        "share": Fraction(100 * size, full),
        "neuberg": (2 * pairs + size) * full / size - size,
    }[scale]


@pytest.mark.parametrize("scale", SCALES)
def test_the_sum_of_a_table_is_the_same_whoever_is_level_with_whom(scale: str) -> None:
    """1,400 random tables of two to eight; half of them have ties."""
    chance = random.Random(scale)
    settings = EventSettings("x", "oficial", scoring=scale, table_points="7-5-3-1" if scale == "table points" else None)
    made, ties = SCALES[scale].make(settings), 0
    for size in list(range(2, 9)) * 200:
        outcome = random_outcome(chance, size)
        scores = made.score(outcome)
        assert sum(map(Fraction, scores)) == table_sum(scale, size, outcome)
        for own, better in zip(outcome.places, scores, strict=True):
            worse = [score for place, score in zip(outcome.places, scores, strict=True) if place > own]
            assert all(made.better(better) <= made.better(score) for score in worse)
        ties += len(set(outcome.points)) < size
    assert ties >= 700


def unequal_tables() -> Evening:
    """A table of four and one of three; Ana is second of four, Elena second of three."""
    evening = Evening(*("Ana", "Beñat", "Carmen", "Diego", "Elena", "Félix", "Gloria"))
    evening.table(1, "Ana 30, Beñat 10, Carmen 60, Diego 60")
    evening.table(1, "Elena 20, Félix 10, Gloria 50")
    return evening


ON_EACH_SCALE = {
    "table points": ("ifpa", ["Beñat 7", "Félix 7", "Ana 5", "Elena 4", "Carmen 2", "Diego 2", "Gloria 1"]),
    "place points": (None, ["Beñat 3", "Félix 3", "Ana 2", "Elena 1.5", "Carmen 0.5", "Diego 0.5", "Gloria 0"]),
    "neuberg": (None, ["Beñat 6", "Félix 5.67", "Ana 4", "Elena 3", "Carmen 1", "Diego 1", "Gloria 0.33"]),
    "share": (
        None,
        ["Beñat 6.25", "Félix 9.38", "Ana 18.75", "Elena 18.75", "Carmen 37.5", "Diego 37.5", "Gloria 46.88"],
    ),
    "points": (None, ["Beñat 10", "Félix 10", "Elena 20", "Ana 30", "Gloria 50", "Carmen 60", "Diego 60"]),
}


@pytest.mark.parametrize("scale", ON_EACH_SCALE)
def test_tables_of_four_and_three_compare_on_each_scale(scale: str) -> None:
    """Worked by hand: Elena's 20 of 80 points are 25 %, of a table of four 18.75; Neuberg: (2 + 1) · 4 / 3 − 1 = 3."""
    lists, expected = ON_EACH_SCALE[scale]
    settings = EventSettings("x", "oficial", scoring=scale, table_points=lists)
    evening = unequal_tables()
    rows, notes = standings(
        evening.entrants, evening.results, basis=RankingBasis(scoring=scoring_of(settings, for_money=False))
    )
    assert [f"{row.player.name} {round(row.score, 2):g}" for row in rows] == expected
    assert [row.points for row in rows if row.player.name == "Elena"] == [20]
    words = {"table points": "Table points rank", "place points": "Place points rank"}
    words |= {"neuberg": "Neuberg", "share": "Shares rank"}
    assert [words[scale] in note for note in notes] == ([] if scale == "points" else [True])


WORKING = {
    "table points": "round 1, table 2: place 2 of 3 gives 4",
    "place points": "round 1, table 2: 1 of 2 players beaten, × 3 / 2 = 1.5",
    "neuberg": "round 1, table 2: (2 + 1) × 4 / 3 − 1 = 3",
    "share": "round 1, table 2: 20 of 80 points, × 3 / 4: 18.75 %",
}


@pytest.mark.parametrize("scale", WORKING)
def test_the_arithmetic_says_how_a_game_scored(scale: str) -> None:
    settings = EventSettings("x", "oficial", scoring=scale, table_points="ifpa" if scale == "table points" else None)
    evening = unequal_tables()
    order = ranked(evening.entrants, evening.results, basis=RankingBasis(scoring=scoring_of(settings, for_money=False)))
    assert arithmetic(order, evening.people["Elena"])[0] == WORKING[scale]


def test_tied_players_and_negative_points_have_their_own_words() -> None:
    """Two share places 3 and 4 of four: (3 + 1) / 2 = 2. With −10 at the table, points count from −10."""
    evening = unequal_tables()
    order = ranked(evening.entrants, evening.results, basis=RankingBasis(scoring=_scoring("table points", "ifpa")))
    assert arithmetic(order, evening.people["Diego"])[0] == "round 1, table 1: place 3 of 4, shared by 2, gives each 2"
    evening = Evening("Ana", "Beñat")
    evening.table(1, "Ana -10, Beñat 30, Carmen 0, Diego 20")
    order = ranked(evening.entrants, evening.results, basis=RankingBasis(scoring=_scoring("share")))
    assert arithmetic(order, evening.people["Beñat"])[0] == (
        "round 1, table 1: counted from -10, 40 of 80 points: 50 %"
    )


def _scoring(scale: str, lists: str | None = None, **settings: str) -> Scoring:
    return scoring_of(EventSettings("x", "oficial", scoring=scale, table_points=lists, **settings), for_money=False)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ("automatic", [("Beñat", 5), ("Ana", 4)]),
        ("sum", [("Ana", 8), ("Beñat", 5)]),
        ("per game", [("Beñat", 5), ("Ana", 4)]),
    ],
)
def test_scores_are_added_up_or_divided_by_the_games(totals: str, expected: list[tuple[str, int]]) -> None:
    """Ana has 7 and 1 table points, Beñat 5 in one game."""
    evening = Evening("Ana", "Beñat")
    evening.table(1, "Ana 0, Beñat 10, x 20, y 30")
    evening.table(2, "Ana 90, z 0, v 10, w 20")
    scoring = _scoring("table points", "ifpa", totals=totals)
    rows, _notes = standings(evening.entrants, evening.results, 1, basis=RankingBasis(scoring=scoring))
    assert [(row.player.name, row.score) for row in rows if row.player.name in ("Ana", "Beñat")] == expected
    assert set(TOTALS) == {"automatic", "sum", "per game"}


def test_a_penalty_goes_to_the_total_and_to_no_table() -> None:
    """Beñat's 7 table points less 3 are 4, behind Félix with 7 and Ana with 5, before Elena by the tie-break."""
    evening = unequal_tables()
    late = Ruling(1, "x", "penalty", "late", player=evening.people["Beñat"], points=3)
    scoring = replace(_scoring("table points", "ifpa"), tie_breaks=())
    rows, notes = standings(evening.entrants, evening.results, basis=RankingBasis(rulings=[late], scoring=scoring))
    assert [(row.rank, row.player.name, row.score, row.points) for row in rows[:4]] == [
        (1, "Félix", 7, 10),
        (2, "Ana", 5, 30),
        (3, "Beñat", 4, 10),
        (3, "Elena", 4, 20),
    ]
    assert "The points of a penalty count against what ranks here, and in no single game." in notes
    order = ranked(evening.entrants, evening.results, basis=RankingBasis(rulings=[late], scoring=scoring))
    assert arithmetic(order, evening.people["Beñat"])[1] == "Table points: 7 - 3 (penalty) = 4"


REFUSED = [
    ({"table_points": "7-5-3-1/7-4-1/6-4-1"}, "there are two lists for a table of 3"),
    ({"table_points": "7-5-x-1"}, "“x” is not a number of points"),
    ({"table_points": "7"}, "“7” is not a list for a table of 2 to 8 players"),
    ({"table_points": "9-8-7-6-5-4-3-2-1"}, "is not a list for a table of 2 to 8 players"),
    ({"table_points": "1-3-5-7"}, "in “1-3-5-7” a worse place gives more"),
    ({"table_points": "1-1-1"}, "in “1-1-1” all places give the same"),
    ({"table_points": "99999-1"}, "99999 points are too many for a place"),
    ({"table_points": "nobody"}, "“nobody” is not a number of points"),
    ({"scoring": "table points"}, "table points need lists"),
    ({"scoring": "share", "table_points": "ifpa"}, "`--table-points` goes only with"),
    ({"scoring": "goals"}, "“goals” is not possible"),
    ({"totals": "never"}, "“never” is not possible"),
    ({"tie_breaks": "games-won,games-won"}, "the tie-break games-won is in the list twice"),
    ({"tie_breaks": "lot,games-won"}, "nothing is left to decide after lot"),
    ({"tie_breaks": "games-won,hooray"}, "there is no tie-break “hooray”"),
    ({"tie_breaks": " , "}, "the list of tie-breaks is empty"),
    ({"tie_breaks": "none,lot"}, "there is no tie-break “none”"),
]


@pytest.mark.parametrize(("settings", "words"), REFUSED, ids=str)
def test_settings_that_no_standings_can_have_are_refused(settings: dict[str, str], words: str, db: str) -> None:
    code = ExitCode.REFUSED if words.startswith(("table points need", "`--table")) else ExitCode.USAGE
    with desk.refused(code, words):
        desk.event(db, 4, **settings)


@pytest.mark.parametrize("scoring", ["points", "share"])
def test_lists_that_are_given_with_another_scoring_are_refused(run: Runner, scoring: str, tmp_path: Path) -> None:
    """Points that somebody asks for are not replaced by table points without a word."""
    db = ("--db", str(tmp_path / "club.db"))
    both = ("--scoring", scoring, "--table-points", "pinburgh", *db)
    assert run("event", "new", "Friday", *db).code == 0
    commands = (
        ("event", "new", "A"),
        ("event", "new", "B", "--from", "Friday"),
        ("event", "new", "C", "--preset", "swiss-final"),
        ("event", "set", "Friday"),
    )
    for command in commands:
        ran = run(*command, *both)
        assert (ran.code, "`--table-points` goes only with" in ran.err) == (ExitCode.REFUSED, True), command
        assert "leave out one of the two options" in ran.err


def test_the_knock_game_has_no_shares_but_places(run: Runner, tmp_path: Path) -> None:
    db = ("--db", str(tmp_path / "club.db"))
    ran = run("event", "new", "Friday", "--rules", "knock", "--scoring", "share", *db)
    assert (ran.code, "of which nobody has a share" in ran.err) == (1, True)
    assert run("event", "new", "Friday", "--rules", "knock", "--table-points", "dc", *db).code == 0


def test_lists_imply_table_points_and_go_with_them(db: str) -> None:
    """A list alone is enough, another scoring drops the list, and without the list points rank again."""
    desk.event(db, 4, table_points="ifpa", tie_breaks="MSO")
    changed = apply(db, ChangeSettings(None, {"minimum": 1}))
    assert (changed.event.settings.scoring, changed.event.settings.table_points) == ("table points", "7-5-3-1/7-4-1")
    assert changed.event.settings.tie_breaks.startswith("last-table,last-game,")
    changed = apply(db, ChangeSettings(None, {"scoring": "neuberg"}))
    assert (changed.event.settings.scoring, changed.event.settings.table_points) == ("neuberg", None)
    changed = apply(db, ChangeSettings(None, {"scoring": "table points", "table_points": "4-3-2-1"}))
    assert changed.event.settings.table_points == "4-3-2-1"
    changed = apply(db, ChangeSettings(None, {}, "table_points"))
    assert (changed.event.settings.scoring, changed.event.settings.table_points) == ("points", None)


def test_standings_by_table_points_keep_their_fields_and_say_what_ranks(run: Runner, tmp_path: Path) -> None:
    """JSON keeps the total of points under `points`, and has what ranks under `score`."""
    db = ("--db", desk.evening(tmp_path / "club.db"))
    before = {row["player"]: row for row in run("standings", *db, "--json").json}
    run("event", "set", "--table-points", "ifpa", "--tie-breaks", "points,lot", *db)
    rows = run("standings", *db, "--json").json
    assert {row["player"]: row["points"] for row in rows} == {name: row["points"] for name, row in before.items()}
    assert all({*before[row["player"]]} == {*row} for row in rows)
    games = {row["player"]: row["games"] for row in rows}
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    assert len(set(games.values())) == 1
    shown = run("standings", *db).out
    assert "Table points" in shown
    assert "Table points rank: each table size has its own list" in " ".join(shown.split())
    why = run("standings", *db, "--why", rows[1]["player"], "--json").json
    assert len(why["steps"]) >= games[rows[1]["player"]] + 1
    assert f"= {rows[1]['score']:g}" in why["steps"][games[rows[1]["player"]]]


def test_what_is_needed_for_a_place_is_not_asked_of_places(run: Runner, tmp_path: Path) -> None:
    db = ("--db", desk.drawn(tmp_path / "club.db"))
    run("event", "set", "--scoring", "place points", *db)
    ran = run("rating", "whatif", "Friday", *db)
    assert (ran.code, "ranks by places at the tables or by shares" in ran.err) == (1, True)


@pytest.mark.parametrize(
    ("places", "working"),
    [
        ((1, 2, 3, 4), "place 2 of 4 by the most recent hand won gives 5"),
        ((1, 2, 2, 4), "place 2 of 4, shared by 2, gives each 4"),
    ],
)
def test_the_working_says_that_the_rules_have_told_equal_points_apart(places: tuple[int, ...], working: str) -> None:
    """The second and the third have 20 points each; where no hand tells them apart, they share 5 and 3."""
    outcome = Outcome((), (0, 20, 20, 40), (0, 0, 0, 0), places)
    scale = SCALES["table points"].make(
        EventSettings("Friday", "oficial", scoring="table points", table_points="7-5-3-1")
    )
    assert scale.working(outcome, 1) == working


@pytest.mark.parametrize(
    ("settings", "gap", "text"),
    [
        ({"scoring": "table points", "table_points": "7-5-3-1"}, 1, "1 table point fewer than Ana"),
        ({"scoring": "table points", "table_points": "7-5-3-1"}, 2, "2 table points fewer than Ana"),
        ({"scoring": "place points"}, 1, "1 place point fewer than Ana"),
        ({"scoring": "neuberg"}, 0.5, "0.5 match points fewer than Ana"),
        ({"scoring": "share"}, 7.75, "7.75 percentage points more than Ana"),
    ],
)
def test_how_far_a_player_is_behind_reads_as_a_sentence(settings: dict[str, str], gap: float, text: str) -> None:
    scale = SCALES[settings["scoring"]].make(EventSettings("Friday", "oficial", **settings))
    assert scale.behind(gap, "Ana") == text
