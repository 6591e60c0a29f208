"""A player's history in a pool, against the club evening's file and `trueskill`."""

import os
from collections import defaultdict
from pathlib import Path

import pytest
import trueskill

from tests.harness import desk
from tests.oracles import club_evening
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.player_history import PlayerHistory
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.ratings import player_history, ratings
from tourney.service.ratings.pools import ImportResults
from tourney.service.results import results
from tourney.service.results.results import VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.rounds import DrawRound

Skills = dict[str, tuple[float, float]]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    return desk.evening(tmp_path_factory.mktemp("evening") / "club.db")


@pytest.fixture(scope="module")
def quique(evening: str) -> PlayerHistory:
    return player_history.player_history(evening, "quique")


def behind_each() -> list[Skills]:
    """Return everybody's mu and sigma after each table of the evening, by the package."""
    world = trueskill.TrueSkill(draw_probability=0.01)
    skills: dict[str, trueskill.Rating] = defaultdict(world.create_rating)
    found = []
    for sheet in club_evening.sheets():
        rated = world.rate([(skills[name],) for name in sheet.players], ranks=sheet.places)
        skills.update({name: one for name, (one,) in zip(sheet.players, rated, strict=True)})
        found.append({name: (float(rating.mu), float(rating.sigma)) for name, rating in skills.items()})
    return found


def test_every_game_has_its_place_and_the_rating_after_it(quique: PlayerHistory) -> None:
    """Games are those of the package by round and table, and start where the game before ended."""
    wanted = [
        (sheet, skills["Quique"])
        for sheet, skills in zip(club_evening.sheets(), behind_each(), strict=True)
        if "Quique" in sheet.players
    ]
    assert len(quique.games) == len(wanted) == 5
    before = (25.0, 25.0 / 3.0)
    for number, (game, (sheet, skill)) in enumerate(zip(quique.games, wanted, strict=True), 1):
        assert (game.number, game.event, game.round, game.table) == (number, "Friday", sheet.round, sheet.table)
        assert (list(game.players), list(game.places)) == (sheet.players, sheet.places)
        assert game.place == sheet.places[sheet.players.index("Quique")]
        assert (game.mu_before, game.sigma_before) == pytest.approx(before, abs=1e-9)
        assert (game.mu, game.sigma) == pytest.approx(skill, abs=1e-9)
        before = skill


def test_the_rating_is_the_row_of_the_ratings(evening: str, quique: PlayerHistory) -> None:
    """The row of a history is the row of `ratings`, with its interval."""
    table = ratings.ratings(evening)
    place = [row.player for row in table.rows].index("Quique")
    assert quique.row == table.rows[place]
    assert quique.interval == table.intervals[place]


def test_opponents_are_counted_over_the_sheets(quique: PlayerHistory) -> None:
    """Opponents are sorted by games, with the games finished ahead."""
    wanted: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for sheet in club_evening.sheets():
        if "Quique" in sheet.players:
            mine = sheet.places[sheet.players.index("Quique")]
            for name, place in zip(sheet.players, sheet.places, strict=True):
                if name != "Quique":
                    wanted[name][0] += 1
                    wanted[name][1] += mine < place
                    wanted[name][2] += place < mine
    assert {
        opponent.player: [opponent.games, opponent.ahead, opponent.behind] for opponent in quique.opponents
    } == wanted
    assert [opponent.games for opponent in quique.opponents] == sorted(
        (opponent.games for opponent in quique.opponents), reverse=True
    )
    for opponent in quique.opponents:
        assert opponent.score == pytest.approx(
            (opponent.ahead + 0.5 * (opponent.games - opponent.ahead - opponent.behind)) / opponent.games
        )


def test_contracts_and_seats_add_up_to_the_sheets(quique: PlayerHistory) -> None:
    """A player without points has closed, at once with fewer than 0."""
    hands: dict[str, list[int]] = defaultdict(list)
    seats: dict[int, list[list[int]]] = defaultdict(list)
    for sheet in club_evening.sheets():
        if "Quique" in sheet.players:
            seat = sheet.players.index("Quique")
            points = sheet.points[seat]
            seats[seat + 1].append(
                [sheet.places[seat], sum(points.values()), sum(point <= 0 for point in points.values())]
            )
            for contract, one in points.items():
                hands[contract].append(one)
    assert [one.contract for one in quique.contracts] == list(desk.CONTRACTS)
    for one in quique.contracts:
        there = hands[one.contract]
        assert (one.hands, one.points) == (len(there), pytest.approx(sum(there) / len(there)))
        assert (one.closed, one.at_once) == (sum(each <= 0 for each in there), sum(each < 0 for each in there))
    assert [one.seat for one in quique.seats] == sorted(seats)
    for tally in quique.seats:
        places, points, closed = zip(*seats[tally.seat], strict=True)
        assert tally.games == len(places)
        assert (tally.place, tally.points) == pytest.approx((sum(places) / len(places), sum(points) / len(points)))
        assert (tally.closed, tally.recorded, tally.claims) == (sum(closed), 0, 0)


def test_history_has_the_same_games(evening: str, quique: PlayerHistory) -> None:
    assert player_history.player_games(evening, "Quique").games == quique.games


def test_hands_of_the_knock_game_are_of_no_contract(tmp_path: Path) -> None:
    """Hands of the knock game are counted together."""
    db = os.fspath(tmp_path / "club.db")
    apply(db, CreateEvent(EventSettings("Knock", "knock", rounds=1, stake=100)))
    apply(db, EnterPlayers("Knock", [], bots="greedy:2,random:2"))
    apply(db, DrawRound())
    rounds.play(db)
    (result,) = results.show(db)
    (tally,) = player_history.player_history(db, "greedy-1", "bots").contracts
    seat = [player.shown for player in result.table.players].index("greedy-1")
    assert (tally.contract, tally.hands) == ("", len(result.outcome.hands))
    assert tally.closed == result.outcome.hands_won[seat]


def test_claims_are_counted_in_the_records_of_the_engine(tmp_path: Path) -> None:
    """Count the lines of stored records that are claims."""
    db = os.fspath(tmp_path / "club.db")
    desk.event(db, 0, "greedy:4", rounds=2)
    wanted: dict[int, int] = defaultdict(int)
    for _round in range(2):
        apply(db, DrawRound())
        rounds.play(db)
    for result in results.show(db):
        seat = [player.shown for player in result.table.players].index("greedy-1") + 1
        ((text,),) = desk.query(db, "SELECT text FROM record WHERE digest = ?", result.record_digest)
        wanted[seat] += text.count(f"\n{seat} claim")
    found = player_history.player_history(db, "greedy-1", "bots")
    assert {one.seat: one.claims for one in found.seats} == wanted
    assert sum(wanted.values()) > 0
    assert sum(one.recorded for one in found.seats) == 2


def test_a_void_table_is_in_no_history(tmp_path: Path) -> None:
    db = desk.evening(tmp_path / "club.db")
    first = player_history.player_history(db, "Quique").games[0]
    apply(db, VoidResult(None, first.round, first.table, "not played"))
    after = player_history.player_history(db, "Quique")
    assert [game.round for game in after.games] == [2, 3, 4, 5]
    assert sum(seat.games for seat in after.seats) == 4


def test_who_has_not_played_has_no_game_and_no_row(evening: str, tmp_path: Path) -> None:
    db = os.fspath(tmp_path / "club.db")
    desk.event(db, 4)
    found = player_history.player_history(db, "Ana")
    assert (found.games, found.row, found.interval, found.opponents, found.seats) == ((), None, None, (), ())
    with desk.refused(ExitCode.NOT_FOUND, "nobody is called “Zoe”"):
        player_history.player_history(evening, "Zoe")
    with desk.refused(ExitCode.NOT_FOUND, "no pool “nix”"):
        player_history.player_history(evening, "Quique", "nix")


def test_games_of_files_are_numbered_through_the_pool(tmp_path: Path) -> None:
    """A second file continues the first; neither has sheets."""
    db = os.fspath(tmp_path / "club.db")
    for name, text in (("one", "1,Eva,1\n1,Iker,2\n2,Iker,1\n2,Noa,2\n"), ("two", "1,Noa,1\n1,Eva,2\n")):
        file = tmp_path / f"{name}.csv"
        file.write_text("seq,player,rank\n" + text, encoding="utf-8")
        apply(db, ImportResults(file, "races"))
    found = player_history.player_history(db, "Eva", "races")
    assert [(game.event, game.round, game.table, game.place) for game in found.games] == [("", 0, 1, 1), ("", 0, 3, 2)]
    assert (found.contracts, found.seats) == ((), ())


def test_progress_reports_how_many_games_are_rated(evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_history, "PROGRESS_INTERVAL", 10)
    reported: list[tuple[int, int]] = []
    player_history.player_games(evening, "Quique", progress=lambda done, total: reported.append((done, total)))
    assert reported == [(0, 30), (10, 30), (20, 30)]


def test_an_explanation_sums_to_the_game_it_explains(evening: str, quique: PlayerHistory) -> None:
    """A game is the last one, or named by number or by round."""
    for asked, number in (
        ({}, 5),
        ({"game": 2}, 2),
        ({"event": "friday", "round_number": 3}, 3),
        ({"event": "Friday"}, 5),
    ):
        explained = player_history.explain(evening, "Quique", **asked)
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


def test_opponents_are_explained_with_their_ratings_before_the_game(evening: str, quique: PlayerHistory) -> None:
    explained = player_history.explain(evening, "Quique")
    number = [(sheet.round, sheet.table) for sheet in club_evening.sheets()].index((5, quique.games[-1].table))
    brought = behind_each()[number - 1]
    for contribution in explained.contributions:
        assert (contribution.mu, contribution.sigma) == pytest.approx(brought[contribution.player], abs=1e-9)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"game": 6}, ("Quique has 5 games in this pool",)),
        ({"event": "Friday", "round_number": 9}, ("Friday has no round 9", "its rounds are 1 to 5")),
        ({"event": "Monday"}, ("no event is called “Monday”",)),
    ],
    ids=["number", "round", "event"],
)
def test_a_game_without_the_player_cannot_be_explained(evening: str, asked: dict, words: tuple[str, ...]) -> None:
    with desk.refused(ExitCode.NOT_FOUND, *words):
        player_history.explain(evening, "Quique", **asked)


def test_a_game_not_in_the_event_is_refused_with_its_round(tmp_path: Path) -> None:
    """The refusal names the round or the event, and says if the round is not drawn."""
    db = desk.evening(tmp_path / "club.db")
    apply(db, CreateEvent(EventSettings("Monday", "oficial", rounds=3)))
    apply(db, EnterPlayers("Monday", ["Ana", "Beñat", "Carmen", "Quique"]))
    apply(db, DrawRound("Monday"))
    for asked, words in (
        ({}, "Quique has 5 games in this pool, none of them in Monday"),
        ({"round_number": 1}, "Quique has 5 games in this pool, none of them in round 1 of Monday"),
        ({"round_number": 2}, "round 2 of Monday is not drawn; 1 of 3 are"),
    ):
        with desk.refused(ExitCode.NOT_FOUND, words):
            player_history.explain(db, "Quique", "Monday", **asked)


def test_an_event_on_an_earlier_day_comes_first(tmp_path: Path) -> None:
    """An event of an earlier day comes first, though imported later."""
    db = desk.evening(tmp_path / "club.db")
    one = tmp_path / "one.csv"
    one.write_text(
        "round,table,seat,player,TT,TE,EE,TTT,TTE,TEE,EEE\n1,1,1,Ana,0,0,0,0,0,0,0\n1,1,2,Quique,9,9,9,9,9,9,9\n",
        encoding="utf-8",
    )
    apply(db, ImportSheets("earlier", one, "oficial", date="2026-01-02"))
    first, *_rest = player_history.player_history(db, "Quique").games
    assert (first.event, first.day, first.mu_before) == ("earlier", "2026-01-02", 25.0)
