"""Rating filters: the ratings of some games of a pool, against `trueskill` over those games alone."""

import os
from pathlib import Path

import pytest
import trueskill

from tests.harness import desk
from tests.harness.commands import Runner
from tests.oracles import club_evening
from tourney.domain.errors import ExitCode
from tourney.domain.rankings import RatingFilter
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.people.players import ImportPlayers
from tourney.service.ratings import player_history, ratings
from tourney.service.ratings.pools import ImportResults
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
    """Return a database of three events, the newest imported first."""
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
    "before all": (parse_filter(as_of="2025-05-02"), []),
    "since the second event": (parse_filter(since="2026-01-02"), ["January", "Night"]),
    "a season": (parse_filter(season=2026), ["January", "Night"]),
    "the season before": (parse_filter(season=2025), ["May"]),
    "some rules": (parse_filter(rules="oficial"), ["May", "Night"]),
    "a variant": (parse_filter(rules="oficial+claims3"), ["January"]),
    "rules in a season": (parse_filter(season=2026, rules="oficial"), ["Night"]),
}


@pytest.mark.parametrize(("view", "names"), VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("first", [None, 0, 4])
def test_filtered_games_are_rated_as_if_there_were_no_others(
    db: str, view: RatingFilter, names: list[str], first: int | None
) -> None:
    """A filter passes all of its games, none, or the first four."""
    games = [game for name in names for game in GAMES[name]][:first]
    world = trueskill.TrueSkill(draw_probability=0.01)
    skills: dict[str, trueskill.Rating] = {}
    for there, places in games:
        groups = [(skills.get(name, world.create_rating()),) for name in there]
        for name, (one,) in zip(there, world.rate(groups, ranks=places), strict=True):
            skills[name] = one
    table = ratings.filtered_ratings(db, "people", RatingFilter(view.since, view.until, view.rules, first))
    assert {row.player for row in table.rows} == set(skills)
    for row in table.rows:
        one = skills[row.player]
        assert (row.mu, row.sigma) == pytest.approx((float(one.mu), float(one.sigma)), abs=1e-9)
        assert row.games == sum(row.player in there for there, _places in games)
    assert len(table.intervals) == len(table.rows)
    assert table.notes[0].startswith(f"{len(games)} game")


@pytest.mark.parametrize(("view", "names"), VIEWS.values(), ids=VIEWS)
def test_a_filtered_history_has_its_games_only(db: str, view: RatingFilter, names: list[str]) -> None:
    """A filtered history has its games, and the row and interval of the filtered ratings."""
    found = player_history.player_history(db, "Quique", rating_filter=view)
    games = [(name, *game) for name in names for game in GAMES[name] if "Quique" in game[0]]
    assert [(game.event, list(game.players), list(game.places)) for game in found.games] == games
    table = ratings.filtered_ratings(db, "people", view)
    stands = {row.player: (row, interval) for row, interval in zip(table.rows, table.intervals, strict=True)}
    assert (found.row, found.interval) == stands.get("Quique", (None, None))
    assert sum(contract.hands for contract in found.contracts) == 7 * len(games)
    assert sum(seat.games for seat in found.seats) == len(games)
    assert player_history.player_games(db, "Quique", rating_filter=view).games == found.games


def test_a_filter_that_passes_everything_changes_nothing(db: str) -> None:
    """The filter that passes everything changes nothing but the note."""
    whole, view = ratings.ratings(db), ratings.filtered_ratings(db, "people", RatingFilter())
    assert (whole.rows, whole.intervals, whole.head) == (view.rows, view.intervals, view.head)


def test_ratings_of_the_past_use_results_as_corrected(tmp_path: Path) -> None:
    """Ratings as of a day contain corrections made later."""
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


def _dated(folder: Path) -> str:
    """Return a pool of two files with the day of every game."""
    path = os.fspath(folder / "club.db")
    for name, text in (("one", DATED), ("two", LATER)):
        file = folder / f"{name}.csv"
        file.write_text(text, encoding="utf-8")
        apply(path, ImportResults(file, "races"))
    return path


@pytest.mark.parametrize(("view", "number"), FILES, ids=[f"{view}" for view, _number in FILES])
def test_games_of_files_have_the_days_that_their_files_say(tmp_path: Path, view: RatingFilter, number: int) -> None:
    """Games up to a day, of both files, are rated as that many first games."""
    db = _dated(tmp_path)
    assert (
        ratings.filtered_ratings(db, "races", view).rows
        == ratings.filtered_ratings(db, "races", RatingFilter(games=number)).rows
    )
    world = trueskill.TrueSkill(draw_probability=0.01)
    skills = {name: world.create_rating() for name in ("Eva", "Iker", "Noa")}
    for first, second in [("Eva", "Iker"), ("Iker", "Eva"), ("Eva", "Iker"), ("Noa", "Eva")][:number]:
        (skills[first],), (skills[second],) = world.rate([(skills[first],), (skills[second],)])
    for row in ratings.filtered_ratings(db, "races", view).rows:
        one = skills[row.player]
        assert (row.mu, row.sigma) == pytest.approx((float(one.mu), float(one.sigma)), abs=1e-9)


def test_days_of_files_are_in_the_journal_and_in_histories(tmp_path: Path) -> None:
    db = _dated(tmp_path)
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


def test_one_file_without_dates_keeps_a_pool_from_days(tmp_path: Path) -> None:
    db = _dated(tmp_path)
    file = tmp_path / "three.csv"
    file.write_text("seq,player,rank\n1,Eva,1\n1,Noa,2\n", encoding="utf-8")
    apply(db, ImportResults(file, "races"))
    with desk.refused(ExitCode.REFUSED, "not all games of races have a date"):
        ratings.filtered_ratings(db, "races", parse_filter(as_of="2026-12-31"))


@pytest.mark.parametrize("verb", ["ratings", "rating show Ana", "rating history Ana"])
def test_more_games_than_there_are_is_all_of_them(db: str, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    """Numbers of games beyond 2 to the 63rd pass everything."""
    whole = Runner(capsys)(*verb.split(), "--db", db, "--json").json
    for games in (2**63 - 1, 2**63, 10**30):
        assert Runner(capsys)(*verb.split(), "--games", str(games), "--db", db, "--json").json == whole


def test_a_file_with_a_game_without_a_date_is_kept_without_days_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "four.csv"
    file.write_text(LATER.replace("2026-03-05", ""), encoding="utf-8")
    ran = Runner(capsys)("rating", "import", str(file), "--pool", "races", "--db", str(tmp_path / "club.db"))
    assert ran.code == 0
    assert ran.out.endswith("\nNo date of these games is kept: line 4 has no date.\n")


def test_a_file_of_more_names_than_are_kept_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.files.results.MAX_NAME_CHARACTERS", 20)
    file = tmp_path / "five.csv"
    file.write_text("seq,race,player,rank\n1,Spa-Francorchamps,Eva,1\n1,,Iker,2\n", encoding="utf-8")
    ran = Runner(capsys)("rating", "import", str(file), "--pool", "races", "--db", str(tmp_path / "club.db"))
    assert ran.code == 0
    assert ran.out.endswith("\nNo name of these games is kept: the names are too long together.\n")


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
    ("words", "code", "message"), REFUSED, ids=[" ".join(words) for words, _code, _said in REFUSED]
)
def test_an_impossible_filter_is_one_error_with_a_hint(
    full: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: ExitCode, message: str
) -> None:
    ran = Runner(capsys)("ratings", *words, "--db", full)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err
    assert ran.err.count("\n") == 2


def test_the_title_says_what_is_shown(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--since", "2025-01-01", "--as-of", "2026-05-01", "--rules", "oficial+claims3", "--games", "9")
    ran = Runner(capsys)("ratings", *words, "--db", db)
    assert ran.out.startswith(
        "Ratings of the pool people, since 2025-01-01, as of 2026-05-01, by oficial+claims3, first 9 games\n"
    )
    assert ran.out.endswith("1 game of the pool counts here.\n")
    season = Runner(capsys)("ratings", "--season", "2026", "--db", db)
    assert season.out.startswith("Ratings of the pool people, since 2026-01-01, until 2026-12-31\n")


def test_filtered_games_keep_their_numbers_in_the_pool(tmp_path: Path) -> None:
    """Games keep their numbers in the pool, but are counted anew among the player's own."""
    since = parse_filter(since="2026-03-01")
    found = player_history.player_games(_dated(tmp_path), "Eva", "races", rating_filter=since).games
    assert [(game.number, game.table, game.day) for game in found] == [(1, 3, "2026-03-01"), (2, 4, "2026-03-05")]
