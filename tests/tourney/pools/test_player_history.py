"""Tests of a player's history in a pool, against the file of the club evening and `trueskill`."""

import os
import shutil
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.ratings.imported import finishes, import_text
from tests.oracles import club_evening, trueskill_ratings
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.player_history import PlayerHistory
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, bot_seats
from tourney.service.ratings import player_history, rated_games, ratings, score_sheets
from tourney.service.ratings.rating_filter import parse_filter
from tourney.service.results import results
from tourney.service.results.results import VoidResult
from tourney.service.rounds import bot_tables
from tourney.service.rounds.draw_round import DrawRound

Skills = dict[str, tuple[float, float]]


@pytest.fixture(scope="module")
def quique(evening: str) -> PlayerHistory:
    return player_history.player_history(evening, "quique")


def ratings_after_each_table() -> list[Skills]:
    """Return every player's mu and sigma after each table of the evening, from `trueskill`."""
    rater = trueskill_ratings.Rater()
    after_tables = []
    for sheet in club_evening.sheets():
        rater.rate(sheet.players, sheet.places)
        after_tables.append({name: (mu, sigma) for name, (mu, sigma, *_counts) in rater.table().items()})
    return after_tables


def test_every_game_has_its_place_and_the_rating_after_it(quique: PlayerHistory) -> None:
    """Ratings equal those of `trueskill` by round and table, and each game starts with those after the previous one."""
    expected = [
        (sheet, skills["Quique"])
        for sheet, skills in zip(club_evening.sheets(), ratings_after_each_table(), strict=True)
        if "Quique" in sheet.players
    ]
    assert len(quique.games) == len(expected) == 5
    before = (25.0, 25.0 / 3.0)
    for number, (game, (sheet, skill)) in enumerate(zip(quique.games, expected, strict=True), 1):
        assert (game.number, game.event, game.round, game.table) == (number, "Friday", sheet.round, sheet.table)
        assert (list(game.players), list(game.places)) == (sheet.players, sheet.places)
        assert game.place == sheet.places[sheet.players.index("Quique")]
        assert (game.mu_before, game.sigma_before) == pytest.approx(before, abs=1e-9)
        assert (game.mu, game.sigma) == pytest.approx(skill, abs=1e-9)
        before = skill


def test_the_rating_of_a_history_is_the_row_of_ratings(evening: str, quique: PlayerHistory) -> None:
    """Check row and interval."""
    table = ratings.ratings(evening)
    place = [row.player for row in table.rows].index("Quique")
    assert quique.row == table.rows[place]
    assert quique.interval == table.intervals[place]


def test_opponents_are_counted_as_in_the_sheets(quique: PlayerHistory) -> None:
    """Opponents are sorted by games and have the games finished ahead and behind."""
    expected: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for sheet in club_evening.sheets():
        if "Quique" in sheet.players:
            own_place = sheet.places[sheet.players.index("Quique")]
            for name, place in zip(sheet.players, sheet.places, strict=True):
                if name != "Quique":
                    expected[name][0] += 1
                    expected[name][1] += own_place < place
                    expected[name][2] += place < own_place
    assert {
        opponent.player: [opponent.games, opponent.ahead, opponent.behind] for opponent in quique.opponents
    } == expected
    assert [opponent.games for opponent in quique.opponents] == sorted(
        (opponent.games for opponent in quique.opponents), reverse=True
    )
    for opponent in quique.opponents:
        assert opponent.score == pytest.approx(
            (opponent.ahead + 0.5 * (opponent.games - opponent.ahead - opponent.behind)) / opponent.games
        )


def test_contracts_and_seats_add_up_to_the_sheets(quique: PlayerHistory) -> None:
    """A player with 0 points or fewer has closed the hand, and with fewer than 0 in one turn."""
    hands: dict[str, list[int]] = defaultdict(list)
    seats: dict[int, list[list[int]]] = defaultdict(list)
    for sheet in club_evening.sheets():
        if "Quique" in sheet.players:
            seat = sheet.players.index("Quique")
            points = sheet.points[seat]
            seats[seat + 1].append(
                [sheet.places[seat], sum(points.values()), sum(point <= 0 for point in points.values())]
            )
            for contract, point in points.items():
                hands[contract].append(point)
    assert [tally.contract for tally in quique.contracts] == list(desk.CONTRACTS)
    for contract_tally in quique.contracts:
        scores = hands[contract_tally.contract]
        mean = pytest.approx(sum(scores) / len(scores))
        assert (contract_tally.hands, contract_tally.points) == (len(scores), mean)
        assert contract_tally.closed == sum(score <= 0 for score in scores)
        assert contract_tally.at_once == sum(score < 0 for score in scores)
    assert [tally.seat for tally in quique.seats] == sorted(seats)
    for tally in quique.seats:
        places, points, closed = zip(*seats[tally.seat], strict=True)
        assert tally.games == len(places)
        assert (tally.place, tally.points) == pytest.approx((sum(places) / len(places), sum(points) / len(points)))
        assert (tally.closed, tally.recorded, tally.claims) == (sum(closed), 0, 0)


def test_the_games_alone_are_those_of_the_whole_history(evening: str, quique: PlayerHistory) -> None:
    assert player_history.player_games(evening, "Quique").games == quique.games


def test_hands_of_the_knock_game_are_counted_without_a_contract(tmp_path: Path) -> None:
    """All hands of the knock game are in one tally, whose contract is empty."""
    db = os.fspath(tmp_path / "club.db")
    apply(db, CreateEvent(EventSettings("Knock", "knock", rounds=1, stake=100)))
    apply(db, EnterPlayers("Knock", [], bots=bot_seats("greedy:2,random:2")))
    apply(db, DrawRound())
    bot_tables.play(db)
    (result,) = results.show(db)
    (tally,) = player_history.player_history(db, "greedy-1", "bots").contracts
    seat = [player.shown for player in result.table.players].index("greedy-1")
    assert (tally.contract, tally.hands) == ("", len(result.outcome.hands))
    assert tally.closed == result.outcome.hands_won[seat]


def test_claims_are_counted_from_the_records_of_the_engine(tmp_path: Path) -> None:
    """The expected numbers are the lines of the stored records that are claims."""
    db = os.fspath(tmp_path / "club.db")
    desk.event(db, 0, "greedy:4", rounds=2)
    expected: dict[int, int] = defaultdict(int)
    for _round in range(2):
        apply(db, DrawRound())
        bot_tables.play(db)
    for result in results.show(db):
        seat = [player.shown for player in result.table.players].index("greedy-1") + 1
        ((text,),) = desk.query(db, "SELECT text FROM record WHERE digest = ?", result.record_digest)
        expected[seat] += text.count(f"\n{seat} claim")
    history = player_history.player_history(db, "greedy-1", "bots")
    assert {tally.seat: tally.claims for tally in history.seats} == expected
    assert sum(expected.values()) > 0
    assert sum(tally.recorded for tally in history.seats) == 2


def test_a_void_table_is_in_no_history(tmp_path: Path) -> None:
    db = desk.evening(tmp_path / "club.db")
    first = player_history.player_history(db, "Quique").games[0]
    apply(db, VoidResult(None, first.round, first.table, "not played"))
    after = player_history.player_history(db, "Quique")
    assert [game.round for game in after.games] == [2, 3, 4, 5]
    assert sum(seat.games for seat in after.seats) == 4


def test_a_player_who_has_not_played_has_no_game_and_no_row(evening: str, tmp_path: Path) -> None:
    db = os.fspath(tmp_path / "club.db")
    desk.event(db, 4)
    history = player_history.player_history(db, "Ana")
    assert (history.games, history.row, history.interval, history.opponents, history.seats) == ((), None, None, (), ())
    with desk.refused(ExitCode.NOT_FOUND, "nobody is called “Zoe”"):
        player_history.player_history(evening, "Zoe")
    with desk.refused(ExitCode.NOT_FOUND, "no pool “nix”"):
        player_history.player_history(evening, "Quique", "nix")


def test_games_of_files_are_numbered_across_the_files(tmp_path: Path) -> None:
    """The numbers of the second file continue those of the first; files have no contracts or seats."""
    import_text(tmp_path, finishes("Eva Iker", "Iker Noa"), file="one.csv")
    db = import_text(tmp_path, finishes("Noa Eva"), file="two.csv")
    history = player_history.player_history(db, "Eva", "races")
    assert [(game.event, game.round, game.table, game.place) for game in history.games] == [
        ("", 0, 1, 1),
        ("", 0, 3, 2),
    ]
    assert (history.contracts, history.seats) == ((), ())


def test_progress_reports_how_many_games_are_rated(
    evening: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = os.fspath(shutil.copy(evening, tmp_path / "club.db"))
    desk.tamper(db, "DELETE FROM rating_checkpoint")
    monkeypatch.setattr(rated_games, "PROGRESS_INTERVAL", 10)
    reported: list[tuple[int, int]] = []
    player_history.player_games(db, "Quique", progress=lambda done, total: reported.append((done, total)))
    assert reported == [(0, 30), (10, 30), (20, 30)]


def test_an_explanation_sums_to_the_game_it_explains(evening: str, quique: PlayerHistory) -> None:
    """The game is the last one, or is given by number, by event, or by event and round."""
    for options, number in (
        ({}, 5),
        ({"game": 2}, 2),
        ({"event": "friday", "round": 3}, 3),
        ({"event": "Friday"}, 5),
    ):
        explained = player_history.explain(evening, "Quique", player_history.GameChoice(**options))
        game = quique.games[number - 1]
        assert explained.game == game
        assert sum(contribution.on_mu for contribution in explained.contributions) == pytest.approx(
            game.mu - game.mu_before, abs=1e-9
        )
        on_sigma = explained.drift + sum(contribution.on_sigma for contribution in explained.contributions)
        assert on_sigma == pytest.approx(game.sigma - game.sigma_before, abs=1e-9)
        others = sorted(
            (place, name) for name, place in zip(game.players, game.places, strict=True) if name != "Quique"
        )
        assert [(contribution.place, contribution.player) for contribution in explained.contributions] == others


def test_an_explanation_has_the_opponents_ratings_before_the_game(evening: str, quique: PlayerHistory) -> None:
    explained = player_history.explain(evening, "Quique")
    number = [(sheet.round, sheet.table) for sheet in club_evening.sheets()].index((5, quique.games[-1].table))
    ratings_before = ratings_after_each_table()[number - 1]
    for contribution in explained.contributions:
        assert (contribution.mu, contribution.sigma) == pytest.approx(ratings_before[contribution.player], abs=1e-9)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"game": 6}, ("Quique has 5 games in this pool",)),
        ({"event": "Friday", "round": 9}, ("Friday has no round 9", "its rounds are 1 to 5")),
        ({"event": "Monday"}, ("no event is called “Monday”",)),
    ],
    ids=["number", "round", "event"],
)
def test_a_game_without_the_player_cannot_be_explained(evening: str, options: dict, words: tuple[str, ...]) -> None:
    with desk.refused(ExitCode.NOT_FOUND, *words):
        player_history.explain(evening, "Quique", player_history.GameChoice(**options))


def test_a_game_not_in_the_event_is_refused_with_its_round(tmp_path: Path) -> None:
    """Check that the refusal names the event or the round, and says if the round is not drawn."""
    db = desk.evening(tmp_path / "club.db")
    apply(db, CreateEvent(EventSettings("Monday", "oficial", rounds=3)))
    apply(db, EnterPlayers("Monday", ["Ana", "Beñat", "Carmen", "Quique"]))
    apply(db, DrawRound("Monday"))
    for options, words in (
        ({}, "Quique has 5 games in this pool, none of them in Monday"),
        ({"round": 1}, "Quique has 5 games in this pool, none of them in round 1 of Monday"),
        ({"round": 2}, "round 2 of Monday is not drawn; 1 of 3 are"),
    ):
        with desk.refused(ExitCode.NOT_FOUND, words):
            player_history.explain(db, "Quique", player_history.GameChoice("Monday", **options))


@pytest.mark.parametrize("pool", ["people", "races", "bots"])
def test_all_histories_of_a_pool_are_those_of_each_player(full: str, pool: str) -> None:
    """Score sheets are read apart; the rank interval has a grid of its own, and may be one rank wider."""
    histories = player_history.player_histories(full, pool)
    sheets = score_sheets.all_sheet_statistics(full, pool)
    assert len(histories) == len(ratings.ratings(full, pool).rows)
    for key, found in histories.items():
        alone = player_history.player_history(full, found.player, pool)
        assert sheets.of(key) == (alone.contracts, alone.seats)
        assert bool(alone.seats) == (pool != "races")
        assert replace(alone, contracts=(), seats=(), interval=found.interval) == found
        assert found.interval is not None
        assert alone.interval is not None
        assert all(abs(mine - theirs) <= 1 for mine, theirs in zip(found.interval, alone.interval, strict=True))


def test_histories_pass_the_filter_of_the_ratings(evening: str) -> None:
    """The first three games of the evening's pool have the players and scores of the ratings filtered so."""
    rating_filter = parse_filter(games=3)
    rows = ratings.filtered_ratings(evening, "people", rating_filter).rows
    found = player_history.player_histories(evening, "people", rating_filter=rating_filter)
    assert {(row.player, row.score, row.games) for row in rows} == {
        (each.player, each.games[-1].score, len(each.games)) for each in found.values()
    }
