"""Tests of rating filters: ratings of selected games of a pool, against `trueskill` with only these games."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.ratings.imported import finishes, import_text
from tests.oracles import club_evening, trueskill_ratings
from tourney.domain.errors import ExitCode
from tourney.domain.rankings import RatingFilter
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.players import ImportPlayers
from tourney.service.ratings import player_history, ratings
from tourney.service.ratings.rating_filter import parse_filter
from tourney.service.results.results import VoidResult

HEAD = "round,table,seat,player,TT,TE,EE,TTT,TTE,TEE,EEE\n"
SHEETS = {
    "May": ("2025-05-03", "oficial", "1,1,1,Ana,0,0,0,0,0,0,0\n1,1,2,Quique,9,9,9,9,9,9,9\n"),
    "January": ("2026-01-02", "oficial+claims3", "1,1,1,Quique,0,0,0,0,0,0,0\n1,1,2,Ana,9,9,9,9,9,9,9\n"),
}
NIGHT = "2026-11-20"
GAMES = {
    "May": [(["Ana", "Quique"], [1, 2])],
    "January": [(["Quique", "Ana"], [1, 2])],
    "Night": [(sheet.players, sheet.places) for sheet in club_evening.sheets()],
}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database of three events, of which the newest was imported first."""
    folder: Path = tmp_path_factory.mktemp("views")
    path = os.fspath(folder / "club.db")
    apply(path, ImportPlayers(desk.CLUB / "players.csv"))
    apply(path, ImportSheets("Night", desk.CLUB / "score-sheets.csv", "oficial", date=NIGHT))
    for name, (day, rules, rows) in SHEETS.items():
        file = folder / f"{name}.csv"
        file.write_text(HEAD + rows, encoding="utf-8")
        apply(path, ImportSheets(name, file, rules, date=day))
    return path


VIEWS = {
    "everything": (RatingFilter(), ["May", "January", "Night"]),
    "the day before the night": (parse_filter(as_of="2026-11-19"), ["May", "January"]),
    "the day of the night": (parse_filter(as_of=NIGHT), ["May", "January", "Night"]),
    "before all events": (parse_filter(as_of="2025-05-02"), []),
    "since the second event": (parse_filter(since="2026-01-02"), ["January", "Night"]),
    "a season": (parse_filter(season=2026), ["January", "Night"]),
    "the season before": (parse_filter(season=2025), ["May"]),
    "one rule set": (parse_filter(rules="oficial"), ["May", "Night"]),
    "a variant": (parse_filter(rules="oficial+claims3"), ["January"]),
    "rules in a season": (parse_filter(season=2026, rules="oficial"), ["Night"]),
}


@pytest.mark.parametrize(("view", "names"), VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("first", [None, 0, 4])
def test_filtered_games_are_rated_as_if_they_were_the_only_ones(
    db: str, view: RatingFilter, names: list[str], first: int | None
) -> None:
    """Each filter passes all of its games, none, or the first four."""
    games = [game for name in names for game in GAMES[name]][:first]
    expected = trueskill_ratings.rated(games)
    table = ratings.filtered_ratings(db, "people", RatingFilter(view.since, view.until, view.rules, first))
    assert {row.player for row in table.rows} == set(expected)
    for row in table.rows:
        mu, sigma, played, won = expected[row.player]
        assert (row.mu, row.sigma) == pytest.approx((mu, sigma), abs=1e-9)
        assert (row.games, row.wins) == (played, won)
    assert len(table.intervals) == len(table.rows)
    assert table.notes[0].startswith(f"{len(games)} game")


@pytest.mark.parametrize(("view", "names"), VIEWS.values(), ids=VIEWS)
def test_a_filtered_history_has_only_the_filtered_games(db: str, view: RatingFilter, names: list[str]) -> None:
    """Rows and intervals are those of the filtered ratings."""
    history = player_history.player_history(db, "Quique", rating_filter=view)
    games = [(name, *game) for name in names for game in GAMES[name] if "Quique" in game[0]]
    assert [(game.event, list(game.players), list(game.places)) for game in history.games] == games
    table = ratings.filtered_ratings(db, "people", view)
    rows_by_player = {row.player: (row, interval) for row, interval in zip(table.rows, table.intervals, strict=True)}
    assert (history.row, history.interval) == rows_by_player.get("Quique", (None, None))
    assert sum(contract.hands for contract in history.contracts) == 7 * len(games)
    assert sum(seat.games for seat in history.seats) == len(games)
    assert player_history.player_games(db, "Quique", rating_filter=view).games == history.games


def test_a_filter_that_passes_everything_changes_nothing(db: str) -> None:
    """Check rows, intervals and head of the journal."""
    whole, view = ratings.ratings(db), ratings.filtered_ratings(db, "people", RatingFilter())
    assert (whole.rows, whole.intervals, whole.head) == (view.rows, view.intervals, view.head)


def test_ratings_of_the_past_use_results_as_corrected(tmp_path: Path) -> None:
    """The ratings of the first game change when its result is voided later."""
    path = desk.evening(tmp_path / "club.db")
    before = ratings.filtered_ratings(path, "people", RatingFilter(games=1)).rows
    apply(path, VoidResult(None, 1, 1, "not played"))
    after = ratings.filtered_ratings(path, "people", RatingFilter(games=1)).rows
    assert {row.player for row in before} != {row.player for row in after}


DATED = "seq,date,player,rank\n1,2026-01-02,Eva,1\n1,2026-01-02,Iker,2\n2,2026-01-02,Iker,1\n2,2026-01-02,Eva,2\n"
LATER = "seq,date,player,rank\n1,2026-03-01,Eva,1\n1,2026-03-01,Iker,2\n2,2026-03-05,Noa,1\n2,2026-03-05,Eva,2\n"
FILES = [
    (parse_filter(as_of="2026-01-01"), 0),
    (parse_filter(as_of="2026-01-02"), 2),
    (parse_filter(as_of="2026-03-04"), 3),
    (parse_filter(season=2026), 4),
    (parse_filter(as_of="2026-03-01", games=1), 1),
]


def _create_dated_pool(folder: Path) -> str:
    """Create a pool of two files that have the date of every game, and return the path of the database."""
    import_text(folder, DATED, file="one.csv")
    return import_text(folder, LATER, file="two.csv")


@pytest.mark.parametrize(("view", "number"), FILES, ids=[f"{view}" for view, _number in FILES])
def test_games_of_files_are_filtered_by_the_dates_in_the_files(tmp_path: Path, view: RatingFilter, number: int) -> None:
    """A filter by date gives the ratings of the first `number` games of both files."""
    db = _create_dated_pool(tmp_path)
    assert (
        ratings.filtered_ratings(db, "races", view).rows
        == ratings.filtered_ratings(db, "races", RatingFilter(games=number)).rows
    )
    games = [("Eva", "Iker"), ("Iker", "Eva"), ("Eva", "Iker"), ("Noa", "Eva")][:number]
    expected = trueskill_ratings.rated((players, (1, 2)) for players in games)
    for row in ratings.filtered_ratings(db, "races", view).rows:
        assert (row.mu, row.sigma) == pytest.approx(expected[row.player][:2], abs=1e-9)


def test_days_of_files_are_in_the_journal_and_in_histories(tmp_path: Path) -> None:
    db = _create_dated_pool(tmp_path)
    assert [game.day for game in player_history.player_history(db, "Eva", "races").games] == [
        "2026-01-02",
        "2026-01-02",
        "2026-03-01",
        "2026-03-05",
    ]
    texts = [text for (text,) in desk.query(db, "SELECT text FROM act WHERE kind = 'rating.import' ORDER BY number")]
    assert '"days":[[1,"2026-01-02"]]' in texts[0]
    assert '"days":[[1,"2026-03-01"],[2,"2026-03-05"]]' in texts[1]
    assert database.check(db).problems == ()


def test_a_pool_with_a_file_without_dates_cannot_be_filtered_by_date(tmp_path: Path) -> None:
    _create_dated_pool(tmp_path)
    db = import_text(tmp_path, finishes("Eva Noa"), file="three.csv")
    with desk.refused(ExitCode.REFUSED, "not all games of races have a date"):
        ratings.filtered_ratings(db, "races", parse_filter(as_of="2026-12-31"))


@pytest.mark.parametrize("verb", ["ratings", "rating show Ana", "rating history Ana"])
def test_a_filter_of_more_games_than_there_are_passes_all(
    db: str, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    """Check the largest integer that SQLite can hold, and larger ones."""
    whole = Runner(capsys)(*verb.split(), "--db", db, "--json").json
    for games in (2**63 - 1, 2**63, 10**30):
        assert Runner(capsys)(*verb.split(), "--games", str(games), "--db", db, "--json").json == whole


def test_the_import_of_a_file_with_a_missing_date_says_that_it_keeps_no_dates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "four.csv"
    file.write_text(LATER.replace("2026-03-05", ""), encoding="utf-8")
    result = Runner(capsys)("rating", "import", str(file), "--pool", "races", "--db", str(tmp_path / "club.db"))
    assert result.code == 0
    assert "\nNo date of these games is kept: line 4 has no date.\n" in result.out


def test_the_import_of_a_file_with_too_long_names_says_that_it_keeps_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.files.results.MAX_NAME_CHARACTERS", 20)
    file = tmp_path / "five.csv"
    file.write_text("seq,race,player,rank\n1,Spa-Francorchamps,Eva,1\n1,,Iker,2\n", encoding="utf-8")
    result = Runner(capsys)("rating", "import", str(file), "--pool", "races", "--db", str(tmp_path / "club.db"))
    assert result.code == 0
    assert "\nNo name of these games is kept: the names are too long together.\n" in result.out


REFUSED = [
    (("--as-of", "yesterday"), ExitCode.REFUSED, "“yesterday” is not a date"),
    (("--season", "2026", "--as-of", NIGHT), ExitCode.USAGE, "--season cannot be combined"),
    (("--rules", "zoliky"), ExitCode.NOT_FOUND, "no game in this pool was played by zoliky"),
    (("--rules", "nix"), ExitCode.NOT_FOUND, "no rule set 'nix'"),
    (("--pool", "races", "--since", "2026-01-01"), ExitCode.REFUSED, "not all games of races have a date"),
    (("--pool", "races", "--rules", "oficial"), ExitCode.REFUSED, "the games of races come from files"),
    (("--pool", "nix", "--games", "1"), ExitCode.NOT_FOUND, "there is no pool “nix”"),
]


@pytest.mark.parametrize(
    ("words", "code", "message"), REFUSED, ids=[" ".join(words) for words, _code, _message in REFUSED]
)
def test_an_impossible_filter_is_refused_in_one_line_with_a_hint(
    full: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: ExitCode, message: str
) -> None:
    result = Runner(capsys)("ratings", *words, "--db", full)
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert result.err.count("\n") == 2


def test_the_title_of_ratings_names_the_filter(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--since", "2025-01-01", "--as-of", "2026-05-01", "--rules", "oficial+claims3", "--games", "9")
    result = Runner(capsys)("ratings", *words, "--db", db)
    assert result.out.startswith(
        "Ratings of the pool people, since 2025-01-01, as of 2026-05-01, only games by oficial+claims3, first 9 games\n"
    )
    assert result.out.endswith("1 game of the pool counts here.\n")
    season = Runner(capsys)("ratings", "--season", "2026", "--db", db)
    assert season.out.startswith("Ratings of the pool people, since 2026-01-01, until 2026-12-31\n")


def test_filtered_games_keep_their_numbers_in_the_pool(tmp_path: Path) -> None:
    """Games keep their `table` number in the pool, while `number` counts the player's filtered games."""
    since = parse_filter(since="2026-03-01")
    games = player_history.player_games(_create_dated_pool(tmp_path), "Eva", "races", rating_filter=since).games
    assert [(game.number, game.table, game.day) for game in games] == [(1, 3, "2026-03-01"), (2, 4, "2026-03-05")]


@pytest.mark.parametrize("kept", [False, True])
def test_a_history_has_the_same_interval_from_checkpoints_as_from_all_games_anew(
    tmp_path: Path, db: str, kept: bool
) -> None:
    """A filter for a million games passes all of them, too, but uses no checkpoint."""
    path = shutil.copy(db, tmp_path)
    if kept:
        ratings.ratings(path)
    every, first_million = RatingFilter(), RatingFilter(games=10**6)
    own, anew = (player_history.player_history(path, "Ana", rating_filter=each) for each in (every, first_million))
    assert own == replace(anew, rating_filter=every)
    table, rated_anew = (ratings.filtered_ratings(path, "people", each) for each in (every, first_million))
    assert table == replace(rated_anew, rating_filter=every)
