"""Tests of the ratings of pools against the package `trueskill`."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.effort import effort
from tests.harness.rating_steps import rate
from tests.oracles import club_evening, formula1, trueskill_ratings
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rankings import RatingsTable
from tourney.ratings.parameters import Parameters
from tourney.service import database, players
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, bot_seats
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.impact import preview
from tourney.service.players import ImportPlayers, RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.ratings.pools import ImportResults, OpenJointPool
from tourney.service.results import results
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds.draw_round import DrawRound


def _check_table(table: RatingsTable, expected: dict[str, tuple[float, float, int, int]]) -> None:
    assert {row.player for row in table.rows} == set(expected)
    for row in table.rows:
        mu, sigma, games, wins = expected[row.player]
        assert row.mu == pytest.approx(mu, abs=1e-9)
        assert row.sigma == pytest.approx(sigma, abs=1e-9)
        assert row.score == pytest.approx(mu - 3 * sigma, abs=1e-8)
        assert (row.games, row.wins) == (games, wins)
    scores = [row.score for row in table.rows]
    assert scores == sorted(scores, reverse=True)


def _club_games() -> list[trueskill_ratings.Game]:
    """Return the evening's tables in order."""
    return [(sheet.players, sheet.places) for sheet in club_evening.sheets()]


def test_the_ratings_of_the_club_evening_equal_those_of_trueskill(evening: str) -> None:
    """The draw probability is 0.01, places follow the tie rule, and tables are rated in order."""
    _check_table(ratings.ratings(evening), trueskill_ratings.rated(_club_games()))


def test_change_is_the_change_of_the_score_by_the_last_game(evening: str) -> None:
    """The expected change is the difference to the ratings before each player's last table."""
    games = _club_games()
    after = trueskill_ratings.rated(games)
    for row in ratings.ratings(evening).rows:
        last = max(number for number, (names, _places) in enumerate(games) if row.player in names)
        before = trueskill_ratings.rated(games[:last])[row.player]
        gained = (after[row.player][0] - 3 * after[row.player][1]) - (before[0] - 3 * before[1])
        assert row.change == pytest.approx(gained, abs=1e-8)


def test_the_trend_sums_changes_of_mu_with_decay(evening: str) -> None:
    """The expected trend is computed from the mu of `trueskill` after every table."""
    games = _club_games()
    trends: dict[str, float] = {}
    before: dict[str, tuple[float, float]] = {}
    for number, (names, _places) in enumerate(games, 1):
        after = trueskill_ratings.rated(games[:number])
        for name in names:
            mu = before.get(name, (25.0, 25.0 / 3.0))[0]
            trends[name] = 0.9 * trends.get(name, 0.0) + after[name][0] - mu
        before = after
    for row in ratings.ratings(evening).rows:
        assert row.trend == pytest.approx(trends[row.player], abs=1e-8)


def test_ratings_listed_again_come_from_the_cache(evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second listing rates no game."""
    first = ratings.ratings(evening)
    monkeypatch.setattr("tourney.ratings.fold.Fold.add_all", None)  # the service calls it in both builds
    assert ratings.ratings(evening) == first


def test_a_correction_is_rated_in_place_of_the_first_result(tmp_path: Path) -> None:
    """Correcting an early table after the evening gives the ratings of a right first entry."""
    db = desk.evening(tmp_path / "club.db")
    before = ratings.ratings(db)
    (result,) = results.show(db, None, 1, 1)
    names = [player.shown for player in result.table.players]
    apply(db, CorrectResult(None, 1, 1, desk.hands(names), "the wrong sheet"))
    (corrected,) = results.show(db, None, 1, 1)
    games = _club_games()
    games[0] = (names, corrected.outcome.places)
    table = ratings.ratings(db)
    _check_table(table, trueskill_ratings.rated(games))
    assert table.rows != before.rows
    apply(db, VoidResult(None, 1, 1, "not played"))
    _check_table(ratings.ratings(db), trueskill_ratings.rated(games[1:]))


def test_events_are_rated_by_their_dates(tmp_path: Path) -> None:
    """The older event is imported later and rated first."""
    db = str(tmp_path / "club.db")
    apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    apply(db, ImportSheets("later", desk.CLUB / "score-sheets.csv", "oficial", date="2026-11-20"))
    file = tmp_path / "one.csv"
    file.write_text(
        "round,table,seat,player,TT,TE,EE,TTT,TTE,TEE,EEE\n1,1,1,Ana,0,0,0,0,0,0,0\n1,1,2,Quique,9,9,9,9,9,9,9\n",
        encoding="utf-8",
    )
    apply(db, ImportSheets("earlier", file, "oficial", date="2026-01-02"))
    _check_table(ratings.ratings(db), trueskill_ratings.rated([(["Ana", "Quique"], [1, 2]), *_club_games()]))


def _create_mixed_event(db: str) -> None:
    """Create an event of one person and two bots with the result of their table."""
    apply(db, RegisterPlayers(["Ana"]))
    apply(db, CreateEvent(EventSettings("Mixed", "oficial", rounds=1)))
    apply(db, EnterPlayers("Mixed", ["Ana"], bots=bot_seats("greedy:1,random:1")))
    (table,) = apply(db, DrawRound()).rounds[0].tables
    apply(db, EnterResult(None, 1, 1, desk.hands([player.shown for player in table.players])))


def test_a_mixed_table_is_rated_only_in_the_joint_pool_with_a_note(tmp_path: Path) -> None:
    """Before the joint pool is opened, mixed tables are not rated."""
    db = str(tmp_path / "club.db")
    _create_mixed_event(db)
    for pool in ("people", "bots"):
        table = ratings.ratings(db, pool)
        assert table.rows == ()
        (note,) = table.notes
        assert note.startswith("1 table of people and bots is not rated")
        assert "`tourney rating pool --open`" in note
    with desk.refused(ExitCode.NOT_FOUND, "joint", "people, bots"):
        ratings.ratings(db, "joint")
    apply(db, OpenJointPool())
    (result,) = results.show(db)
    names = [player.shown for player in result.table.players]
    _check_table(ratings.ratings(db, "joint"), trueskill_ratings.rated([(names, result.outcome.places)]))
    assert ratings.ratings(db).notes == ("1 table of people and bots counts in the joint pool only.",)
    with desk.refused(ExitCode.CONFLICT, "open already"):
        apply(db, OpenJointPool())


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> str:
    db = str(tmp_path_factory.mktemp("races") / "club.db")
    apply(db, ImportResults(formula1.FILE, "Formula 1"))
    return db


def test_the_ratings_of_formula_1_are_those_of_its_races_in_order(races: str) -> None:
    """All 679 ratings are listed in the time of 85 million passes, since the import has computed them.

    That races so rated have the ratings of `trueskill` is a test of `tourney/ratings`.
    """
    assert effort(lambda: ratings.ratings(races, "formula 1")) < 85
    table = ratings.ratings(races, "formula 1")
    expected = rate(((tuple(names), tuple(places)) for names, places in formula1.races()), Parameters())
    assert len(table.rows) == 679
    _check_table(table, {name: (row.mu, row.sigma, row.games, row.wins) for name, row in expected.items()})


def test_an_imported_pool_adds_no_players_and_no_ratings_to_other_pools(races: str) -> None:
    """Check the list of players and the pool of people."""
    assert players.listing(races) == ()
    assert ratings.ratings(races).rows == ()
    assert database.check(races).problems == ()


def test_the_same_file_is_not_imported_twice(races: str) -> None:
    """The second import is a conflict, and the pool is unchanged."""
    before = ratings.ratings(races, "Formula 1")
    file = formula1.FILE
    with desk.refused(ExitCode.CONFLICT, "already"):
        apply(races, ImportResults(file, "formula 1"))
    assert ratings.ratings(races, "Formula 1") == before


FIRST = "seq,player,rank\n1,Eva,1\n1,Iker,2\n2,Solo,1\n3,Iker,1\n3,Eva,1\n3,Noa,3\n"
SECOND = "seq,rank,Name\n1,2,Eva\n1,1,Noa\n"


def test_a_second_file_is_rated_after_the_first(tmp_path: Path) -> None:
    """Games of one player are skipped and counted; the names of the second file are in another column."""
    db, one, two = str(tmp_path / "club.db"), tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text(FIRST, encoding="utf-8")
    two.write_text(SECOND, encoding="utf-8")
    dry = preview(db, ImportResults(one, "races")).outcome
    assert not Path(db).exists()
    first = apply(db, ImportResults(one, "races"))
    assert first == dry
    assert (first.games, first.players, first.rows, first.skipped) == (2, 3, 5, 1)
    second = apply(db, ImportResults(two, "Races", {"player": "Name"}))
    assert (second.games, second.players, second.rows) == (1, 3, 2)
    games = [(("Eva", "Iker"), (1, 2)), (("Iker", "Eva", "Noa"), (1, 1, 3)), (("Eva", "Noa"), (2, 1))]
    _check_table(ratings.ratings(db, "races"), trueskill_ratings.rated(games))
    desk.tamper(db, "DELETE FROM rating_checkpoint")
    _check_table(ratings.ratings(db, "races"), trueskill_ratings.rated(games))
    assert database.check(db).problems == ()


def test_a_pool_keeps_the_parameters_of_its_first_file(tmp_path: Path) -> None:
    """A second file with other parameters is refused."""
    db, one, two = str(tmp_path / "club.db"), tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text(FIRST, encoding="utf-8")
    two.write_text(SECOND, encoding="utf-8")
    apply(db, ImportResults(one, "races", parameters="beta=6 tau=0.5"))
    with desk.refused(ExitCode.CONFLICT, "the pool races is rated with", "beta=6.0", "another pool"):
        apply(db, ImportResults(two, "Races", {"player": "Name"}, parameters="beta=6"))
    apply(db, ImportResults(two, "Races", {"player": "Name"}, parameters="tau=0.5 beta=6"))
    games = [(("Eva", "Iker"), (1, 2)), (("Iker", "Eva", "Noa"), (1, 1, 3)), (("Eva", "Noa"), (2, 1))]
    _check_table(ratings.ratings(db, "races"), trueskill_ratings.rated(games, beta=6.0, tau=0.5))
    assert database.check(db).problems == ()


def test_the_joint_pool_is_rated_with_the_parameters_it_was_opened_with(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    _create_mixed_event(db)
    apply(db, OpenJointPool("sigma=5 beta=3"))
    (result,) = results.show(db)
    names = [player.shown for player in result.table.players]
    _check_table(
        ratings.ratings(db, "joint"), trueskill_ratings.rated([(names, result.outcome.places)], sigma=5.0, beta=3.0)
    )


@pytest.mark.parametrize("text", ["beta", "beta=0", "draw=0", "gamma=1", "tau=x", "tau=1 tau=2"])
def test_a_pool_with_impossible_parameters_is_not_created(tmp_path: Path, text: str) -> None:
    """Check malformed, unknown and repeated parameters, and values out of range, such as draw probability 0."""
    db, file = str(tmp_path / "club.db"), tmp_path / "one.csv"
    file.write_text(FIRST, encoding="utf-8")
    with desk.refused(ExitCode.REFUSED):
        apply(db, ImportResults(file, "races", parameters=text))
    with desk.refused(ExitCode.REFUSED):
        apply(db, OpenJointPool(text))
    assert not Path(db).exists()


@pytest.mark.parametrize("pool", ["people", "BOTS", "joint"])
def test_no_file_is_imported_into_the_pools_of_events(tmp_path: Path, pool: str) -> None:
    """The names of these pools are recognised in small and capital letters."""
    file = tmp_path / "one.csv"
    file.write_text(FIRST, encoding="utf-8")
    with desk.refused(ExitCode.REFUSED, "for events"):
        apply(str(tmp_path / "club.db"), ImportResults(file, pool))


def test_an_unknown_pool_is_refused_with_a_list(races: str) -> None:
    """Check that the refusal suggests a similar name and lists all pools."""
    with desk.refused(ExitCode.NOT_FOUND, "“formula1”", "did you mean", "people, bots, Formula 1"):
        ratings.ratings(races, "formula1")
