"""Tests of the parameters of pools, which are set and undone as changes, and of sigma that grows with absence."""

import os
import shutil
from datetime import date
from math import sqrt
from pathlib import Path

import pytest
import trueskill

from tests.harness import desk
from tests.harness.commands import Runner, refusal
from tests.harness.long_history import long_history
from tests.harness.ratings.imported import finishes, import_text
from tests.oracles import second_fold
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.pools import Pool
from tourney.domain.rankings import RatingsTable
from tourney.service import database, players
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import forecasts, model_evaluation, player_history, pools, rating_cache, ratings
from tourney.service.ratings.pools import OpenJointPool, SetPoolParameters
from tourney.service.ratings.rating_filter import parse_filter
from tourney.service.rounds.draw_round import DrawRound

HEAD = "round,table,seat,player,TT,TE,EE,TTT,TTE,TEE,EEE\n"
FIRST, LAST = date(2020, 2, 1), date(2024, 2, 1)


def sheet(first: str, second: str) -> str:
    """Return the CSV text of a table of two players that the first one has won."""
    return f"{HEAD}1,1,1,{first},0,0,0,0,0,0,0\n1,1,2,{second},9,9,9,9,9,9,9\n"


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database: Ana and Carmen play, and four years (1461 days) later Ana and Beñat."""
    folder = tmp_path_factory.mktemp("years")
    db = os.fspath(folder / "club.db")
    apply(db, RegisterPlayers(["Ana", "Beñat", "Carmen"]))
    for day, names in ((FIRST, ("Ana", "Carmen")), (LAST, ("Ana", "Beñat"))):
        file = folder / f"{day}.csv"
        file.write_text(sheet(*names), encoding="utf-8")
        apply(db, ImportSheets(f"{day.year}", file, "oficial", date=day.isoformat()))
    return db


@pytest.fixture
def db(years: str, tmp_path: Path) -> str:
    return str(shutil.copy(years, tmp_path / "club.db"))


def sigmas(table: RatingsTable) -> dict[str, float]:
    return {row.player: row.sigma for row in table.rows}


def check_against_second_fold(db: str, pool: str = "people") -> RatingsTable:
    """Return the ratings, after checking them against a second fold of the journal with `trueskill`."""
    table = ratings.ratings(db, pool)
    names = {player.shown: player.id for player in players.listing(db)}
    second = second_fold.fold(db).ratings(pool)
    assert {names[row.player] for row in table.rows} == set(second)
    for row in table.rows:
        assert (row.mu, row.sigma, row.games, row.wins) == pytest.approx(second[names[row.player]], abs=1e-9)
    assert model_evaluation.verify(db, pool).agree
    assert database.check(db).problems == ()
    return table


def _published(**others: float) -> dict[str, float]:
    """Return the published parameters of TrueSkill, with draw probability 0.01 and changed by `others`."""
    return {"mu": 25.0, "sigma": 25 / 3, "beta": 25 / 6, "tau": 25 / 300, "draw": 0.01, "absence": 0.0} | others


def test_people_and_bots_are_rated_as_published_until_they_are_set(db: str) -> None:
    """The tau of bots is 0, because bots do not change."""
    parameters = {
        pool.name: {name: float(text) for name, text in pool.parameters.items()} for pool in pools.list_pools(db)
    }
    assert parameters == {"people": _published(), "bots": _published(tau=0.0)}


def test_new_parameters_rate_every_game_again_and_undo_restores(db: str) -> None:
    """Parameters are set twice; after each change, undo and redo the ratings follow from the journal."""
    tables = [check_against_second_fold(db)]
    for changed in ({"beta": 2.0, "draw": 0.2}, {"absence": 1.5}):
        before, after = apply(db, SetPoolParameters("people", changed))
        assert after.parameters == before.parameters | {name: repr(number) for name, number in changed.items()}
        assert after in pools.list_pools(db)
        tables.append(check_against_second_fold(db))
    assert len({table.rows for table in tables}) == 3
    for table in (tables[1], tables[0]):
        apply(db, Undo())
        assert check_against_second_fold(db).rows == table.rows
    for table in tables[1:]:
        apply(db, Redo())
        assert check_against_second_fold(db).rows == table.rows


def test_a_year_away_adds_absence_to_sigma_until_the_last_game_of_the_pool(db: str) -> None:
    """At the last game of the pool Carmen has been away for 4 years; absence 3 adds 4 × 9 to the square of sigma."""
    before = sigmas(ratings.ratings(db))
    apply(db, SetPoolParameters("people", {"absence": 3.0}))
    table = check_against_second_fold(db)
    assert sigmas(table)["Carmen"] == pytest.approx(min(sqrt(before["Carmen"] ** 2 + 36), 25 / 3), abs=1e-12)
    assert sigmas(table)["Beñat"] != before["Beñat"], "Ana's sigma had grown before the game with Beñat"
    assert table.notes == ("A year without a game adds 3² to sigma²; sigma has grown until 2024-02-01.",)


VIEWS = [
    (parse_filter(as_of="2020-02-01"), 0, FIRST),
    (parse_filter(as_of="2021-02-01"), 366, date(2021, 2, 1)),
    (parse_filter(season=2020), 0, FIRST),
    (parse_filter(rules="oficial", games=1), 0, FIRST),
    (parse_filter(rules="oficial"), 1461, LAST),
    (parse_filter(as_of="2025-02-01"), 1827, date(2025, 2, 1)),
]


@pytest.mark.parametrize(("view", "days", "until"), VIEWS, ids=[f"{view}" for view, _days, _until in VIEWS])
def test_sigma_of_filtered_ratings_grows_until_the_day_or_the_last_game(
    db: str, view: object, days: int, until: date
) -> None:
    """With a season or other filter sigma grows until its last game, with `as_of` until that day."""
    unchanged = sigmas(ratings.filtered_ratings(db, "people", parse_filter(games=1)))["Carmen"]
    apply(db, SetPoolParameters("people", {"absence": 0.5}))
    table = ratings.filtered_ratings(db, "people", view)
    assert sigmas(table)["Carmen"] == pytest.approx(sqrt(unchanged**2 + 0.25 * days / 365.25), abs=1e-12)
    assert table.notes[-1].endswith(f"sigma has grown until {until}.")


def test_a_history_shows_the_rating_before_each_game(db: str) -> None:
    """Sigma has grown over four years before Ana's second game; the row of a history is that of `ratings`."""
    apply(db, SetPoolParameters("people", {"absence": 1.0}))
    first, second = player_history.player_history(db, "Ana").games
    assert second.sigma_before == pytest.approx(sqrt(first.sigma**2 + 4), abs=1e-12)
    for name in ("Ana", "Carmen"):
        assert player_history.player_history(db, name).row in ratings.ratings(db).rows
    explained = player_history.explain(db, "Ana")
    assert explained.drift + sum(contribution.on_sigma for contribution in explained.contributions) == pytest.approx(
        second.sigma - second.sigma_before, abs=1e-9
    )


def test_forecasts_use_the_ratings_shown(db: str) -> None:
    """Check that a forecast uses the sigma that `ratings` lists."""
    apply(db, SetPoolParameters("people", {"absence": 1.0}))
    predicted = forecasts.predict(db, ["Ana", "Carmen"]).players
    shown = sigmas(ratings.ratings(db))
    assert {row.player: row.sigma for row in predicted} == {name: shown[name] for name in ("Ana", "Carmen")}


def test_reachable_ranks_use_ratings_of_the_day_of_the_event(db: str) -> None:
    """Beñat and Carmen play two years later, without Ana; the expected ranks are computed with `trueskill`."""
    apply(db, SetPoolParameters("people", {"absence": 2.0}))
    apply(db, CreateEvent(EventSettings("2026", "oficial", rounds=1, date="2026-02-01")))
    apply(db, EnterPlayers("2026", ["Beñat", "Carmen"]))
    apply(db, DrawRound("2026"))
    rows = ratings.filtered_ratings(db, "people", parse_filter(as_of="2026-02-01")).rows
    skills = {row.player: trueskill.Rating(row.mu, row.sigma) for row in rows}
    env = trueskill.TrueSkill(draw_probability=0.01)
    for prospect in forecasts.whatif(db, "2026", "people").prospects:
        (other,) = {"Beñat", "Carmen"} - {prospect.player}
        for place in (1, 2):
            ((own,), (opponents,)) = env.rate([(skills[prospect.player],), (skills[other],)], ranks=[place, 3 - place])
            score = own.mu - 3 * own.sigma
            other_scores = (skill.mu - 3 * skill.sigma for skill in (opponents, skills["Ana"]))
            rank = 1 + sum(other_score > score for other_score in other_scores)
            assert (prospect.best[place - 1], prospect.worst[place - 1]) == (rank, rank)


def test_a_new_date_changes_ratings_only_if_absence_counts(db: str) -> None:
    """The new date keeps the order of the games and changes the days between them."""
    before = check_against_second_fold(db)
    apply(db, ChangeSettings("2020", {"date": "2023-02-01"}))
    assert check_against_second_fold(db).rows == before.rows
    apply(db, SetPoolParameters("people", {"absence": 1.0}))
    closer = check_against_second_fold(db)
    apply(db, ChangeSettings("2020", {"date": FIRST.isoformat()}))
    assert sigmas(check_against_second_fold(db))["Carmen"] > sigmas(closer)["Carmen"] + 0.1


def test_ratings_after_a_change_of_dates_equal_those_from_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the change there are checkpoints after every four games."""
    monkeypatch.setattr(rating_cache, "CHECKPOINT_INTERVAL", 4)
    db = str(tmp_path / "club.db")
    long_history(db, 4, 3, 12)
    apply(db, SetPoolParameters("people", {"absence": 30.0, "tau": 0.0}))
    ratings.ratings(db)
    apply(db, ChangeSettings("Night 4", {"date": "2000-03-01"}))
    check_against_second_fold(db)


DATED = "seq,date,player,rank\n1,2020-02-01,Eva,1\n1,2020-02-01,Iker,2\n2,2024-02-01,Eva,1\n2,2024-02-01,Noa,2\n"


def test_absence_counts_by_the_dates_in_a_file(tmp_path: Path) -> None:
    """A pool created with absence has the ratings of one that is given it later; dry runs, also of undo, show who
    moves.
    """
    import_text(tmp_path, DATED, "made", parameters="absence=1")
    db = import_text(tmp_path, DATED, "set")
    plain = ratings.ratings(db, "set")
    moves = preview(db, SetPoolParameters("set", {"absence": 1.0})).moves
    assert ratings.ratings(db, "set") == plain
    assert moves is not None
    assert [(rating.pool, rating.before) for rating in moves.ratings] == [("set", row) for row in plain.rows]
    apply(db, SetPoolParameters("set", {"absence": 1.0}))
    created = ratings.ratings(db, "made")
    assert ratings.ratings(db, "set").rows == created.rows
    assert sigmas(created)["Iker"] == pytest.approx(sqrt(sigmas(plain)["Iker"] ** 2 + 4), abs=1e-12)
    assert model_evaluation.verify(db, "set").agree
    moves = preview(db, Undo()).moves
    assert moves is not None
    assert {(rating.pool, rating.after) for rating in moves.ratings} == {("set", row) for row in plain.rows}
    assert database.check(db).problems == ()


def test_the_same_games_on_other_days_have_other_ratings(tmp_path: Path) -> None:
    """An import is undone and repeated with other dates; no checkpoint of the first import is used."""
    db = import_text(tmp_path, DATED, parameters="absence=1")
    far = sigmas(ratings.ratings(db, "races"))
    apply(db, Undo())
    import_text(tmp_path, DATED.replace("2024-02-01", "2020-02-01"), parameters="absence=1")
    assert sigmas(ratings.ratings(db, "races"))["Iker"] < far["Iker"] - 0.1


def test_absence_needs_a_date_for_every_game(tmp_path: Path) -> None:
    """Absence is refused for a file without dates, set before or after the import, and nothing is kept."""
    with desk.refused(ExitCode.REFUSED, "games.csv, line 2: no date", "absence"):
        import_text(tmp_path, finishes("Eva Iker"), parameters="absence=1")
    db = import_text(tmp_path, finishes("Eva Iker"))
    with desk.refused(ExitCode.REFUSED, "not all games of races have a date"):
        apply(db, SetPoolParameters("races", {"absence": 1.0}))
    assert [pool.absence for pool in pools.list_pools(db)] == ["0.0"] * 3


REFUSED = [
    ("people", {"mu": 1e18}, ExitCode.REFUSED, "mu is 1e+18; it must be from -10000 to 10000"),
    ("people", {"sigma": 1e9}, ExitCode.REFUSED, "sigma is 1e+09; it must be from 0.1 to 1000"),
    ("people", {"sigma": 1000.0}, ExitCode.REFUSED, "beta is 4.16667; with sigma 1000 it must be from 50 to 100000"),
    ("people", {"tau": 1e10}, ExitCode.REFUSED, "tau is 1e+10; with beta 4.16667 it must be from 0 to 4.16667"),
    ("people", {"beta": 1e-300}, ExitCode.REFUSED, "beta is 1e-300; with sigma 8.33333 it must be from 0.416667 to"),
    ("people", {"beta": 1e300}, ExitCode.REFUSED, "beta is 1e+300; with sigma 8.33333 it must be from 0.416667 to"),
    ("people", {"absence": 1e308}, ExitCode.REFUSED, "absence is 1e+308; with sigma 8.33333 it must be from 0 to"),
    ("people", {"draw": 0.9999}, ExitCode.REFUSED, "draw is 0.9999; it must be from 0.001 to 0.5"),
    ("people", {"beta": 0.0}, ExitCode.REFUSED, "beta is 0.0"),
    ("people", {"absence": -1.0}, ExitCode.REFUSED, "absence is -1.0"),
    ("people", {"absence": 0.0}, ExitCode.REFUSED, "the pool people has these parameters already"),
    ("joint", {"beta": 1.0}, ExitCode.NOT_FOUND, "there is no pool “joint”"),
]


@pytest.mark.parametrize(("name", "given", "code", "message"), REFUSED, ids=[message for *_case, message in REFUSED])
def test_refused_parameters_leave_the_journal_unchanged(
    db: str, name: str, given: dict[str, float], code: ExitCode, message: str
) -> None:
    before = desk.query(db, "SELECT count(*) FROM act")
    with desk.refused(code, message):
        apply(db, SetPoolParameters(name, given))
    assert desk.query(db, "SELECT count(*) FROM act") == before


def test_parameters_that_cannot_rate_the_games_are_refused(tmp_path: Path) -> None:
    """The parameters are refused when they are set, so later listings do not fail."""
    db = import_text(tmp_path, DATED)
    with desk.refused(ExitCode.REFUSED, "sigma is 1e-160; it must be from 0.1 to 1000"):
        apply(db, SetPoolParameters("races", {"beta": 1e-160, "sigma": 1e-160, "tau": 0.0}))
    assert ratings.ratings(db, "races").rows


def test_parameters_out_of_range_are_refused_for_new_pools(tmp_path: Path) -> None:
    with desk.refused(ExitCode.REFUSED, "sigma is 1e+09"):
        apply(os.fspath(tmp_path / "club.db"), OpenJointPool("sigma=1e9"))
    with desk.refused(ExitCode.REFUSED, "sigma is 1e+09"):
        import_text(tmp_path, DATED, parameters="sigma=1e9")


def test_a_pool_of_an_older_database_with_parameters_out_of_range_stays_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ratings are shown and checked, and files imported; once its parameters change, all must be in their ranges."""
    with monkeypatch.context() as older:
        older.setattr("tourney.service.ratings.pools.check_ranges", lambda _parameters: None)
        db = import_text(tmp_path, DATED, parameters="sigma=2000 beta=1000")
    assert ratings.ratings(db, "races").rows
    assert model_evaluation.verify(db, "races").agree
    import_text(tmp_path, DATED.replace("Iker", "Noa"), source="other")
    with desk.refused(ExitCode.REFUSED, "sigma is 2000"):
        apply(db, SetPoolParameters("races", {"tau": 0.5}))
    apply(db, SetPoolParameters("races", {"sigma": 25 / 3, "beta": 25 / 6}))
    assert database.check(db).problems == ()


def test_the_page_shows_new_parameters_and_who_moves(db: str, run: Runner) -> None:
    """The log names all parameters after the first change of people or bots, and later only those set."""
    before = sigmas(ratings.ratings(db))
    output = run("rating", "pool", "set", "people", "--absence", "1", "--dry-run", "--db", db).out.splitlines()
    assert output[0] == "dry run: nothing was saved. the pool people is rated with absence 0 → 1"
    assert output[2] == "What moves in the ratings: players"
    data = run("rating", "pool", "set", "people", "--absence", "1", "--db", db, "--json").json
    assert data == {"pool": "people", "kind": "people", "unit": "game", **_published(absence=1.0)}
    after = sigmas(ratings.ratings(db))
    for line, player in zip(output[4:], after, strict=True):
        assert f"{before[player]:.2f} → {after[player]:.2f}" in line
    run("rating", "pool", "set", "people", "--beta", "3", "--tau", "0", "--db", db)
    *_before, first, second = run("log", "--db", db, "--format", "csv").out.splitlines()
    assert "the pool people is rated with mu 25, sigma 8.333, beta 4.167, tau 0.08333, draw 0.01, absence 1" in first
    assert "the pool people is rated with beta 3, tau 0" in second


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("set", "people"), "no parameter to set is given for the pool people"),
        (("--json", "set", "people", "--tau", "1"), "options go after `set`"),
        (("st", "people"), "`tourney rating pool` has no “st”"),
        (("set", "people", "--tau", "x"), "--tau"),
    ],
)
def test_wrong_usage_is_refused_in_one_line_with_a_hint(
    db: str, run: Runner, words: tuple[str, ...], message: str
) -> None:
    result = run("rating", "pool", *words, *(("--db", db) if words[0] == "set" else ()))
    assert message in " ".join(refusal(result, ExitCode.USAGE))


def test_a_pool_of_an_older_entry_has_no_absence() -> None:
    """A pool built without absence has absence 0."""
    assert Pool("x", "joint", "25.0", "8.0", "4.0", "0.1", "0.01").absence == "0.0"


def test_ratings_kept_wrongly_are_found_and_computed_anew(
    tmp_path: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rating is moved before it is kept, so that the database's own checks find nothing."""
    kept = rating_cache.checkpoint
    with monkeypatch.context() as wrong:
        wrong.setattr(
            rating_cache,
            "checkpoint",
            lambda fold, inputs: storage.KeptRatings(
                fold.games,
                inputs,
                kept(fold, inputs).text.replace(repr(next(iter(fold.checkpoint().ratings.values())).mu), "20.0"),
            ),
        )
        db = import_text(tmp_path, DATED)
    assert database.check(db).problems == ()
    ran = run("rating", "verify", "--pool", "races", "--db", db)
    assert ran.code == ExitCode.REFUSED
    assert "computed again when the parameters of the pool change" in " ".join(ran.out.split())
    for tau in ("0.1", repr(25 / 300)):
        run("rating", "pool", "set", "races", "--tau", tau, "--db", db)
    assert run("rating", "verify", "--pool", "races", "--db", db).code == ExitCode.DONE


def test_nothing_is_suggested_for_a_pool_of_no_similar_name(db: str, run: Runner) -> None:
    ran = run("ratings", "--pool", "nope", "--db", db)
    assert (ran.code, "did you mean" in ran.err) == (ExitCode.NOT_FOUND, False)
    assert "did you mean people?" in run("ratings", "--pool", "peple", "--db", db).err
