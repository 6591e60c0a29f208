"""Tests of `rating whatif`: the games left, the conditions in words, and which players may be named."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, refusal
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event, EventSettings
from tourney.domain.forecasts import Level, Prospect, Prospects, Rival
from tourney.domain.people import Player
from tourney.domain.rules import RulesRef
from tourney.reports.results import clinching as reports
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import EnterPlayers
from tourney.service.events.settings import ChangeSettings
from tourney.service.results import standings
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound


@pytest.fixture
def friday(tmp_path: Path) -> str:
    """The path of a database: four people, three rounds, the first one played.

    A hand is 20, 30, 40 or 50 points by seat, and 0 for the closer; the first three seats close two hands each and
    the last one closes one.
    """
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=3)
    play(db)
    return db


def play(db: str) -> None:
    """Draw the next round and enter its results."""
    for table in apply(db, DrawRound()).rounds[0].tables:
        apply(db, EnterResult(None, table.round, table.number, desk.hands([player.name for player in table.players])))


def whatif(run: Runner, db: str, *words: str) -> dict[str, object]:
    """Return the JSON of `rating whatif` with these options."""
    result = run("rating", "whatif", *words, "--db", db, "--json")
    assert (result.code, result.err.count("error")) == (0, 0)
    data: dict[str, object] = result.json
    return data


def test_the_room_against_a_rival_is_the_difference_of_points(run: Runner, friday: str) -> None:
    """All players have played equally many games and have one game left."""
    rows = {row.player.name: row for row in standings.standings(friday).rows}
    data = whatif(run, friday, "--place", "2")
    assert (data["event"], data["round"], data["place"], data["unranked"]) == ("Friday", 2, 2, [])
    for player in data["players"]:
        row = rows[player["player"]]
        assert (player["rank"], player["total"], player["left"], player["needed"]) == (row.rank, row.points, 1, 2)
        for rival in player["rivals"]:
            assert (rival["share"], rival["room"]) == (1, rows[rival["player"]].points - row.points)
        assert [rival["room"] for rival in player["rivals"]] == sorted(rival["room"] for rival in player["rivals"])


def test_games_left_are_those_of_the_drawn_tables(run: Runner, friday: str) -> None:
    """In a drawn round the seated players have one game left, and a withdrawn player has none."""
    apply(friday, WithdrawPlayers(None, ["Diego"]))
    apply(friday, DrawRound())
    games_left = {player["player"]: player["left"] for player in whatif(run, friday)["players"]}
    assert games_left == {"Ana": 1, "Beñat": 1, "Carmen": 1, "Diego": 0}


def test_a_player_who_cannot_have_a_rank_is_named(run: Runner, friday: str) -> None:
    """Elena enters before the last round, so that she can play only one game of the minimum of three."""
    apply(friday, ChangeSettings(None, {"minimum": 3}))
    play(friday)
    apply(friday, EnterPlayers("Friday", ["Elena"], add=True))
    data = whatif(run, friday)
    assert data["unranked"] == ["Elena"]
    error, _hint = refusal(run("rating", "whatif", "--player", "Elena", "--db", friday), ExitCode.REFUSED)
    assert error == "error: Elena has too few games for a rank, even with these"
    assert "Too few games for a rank even then: Elena." in run("rating", "whatif", "--db", friday).out


def test_an_event_without_games_left_is_refused(run: Runner, friday: str) -> None:
    play(friday)
    play(friday)
    error, _hint = refusal(run("rating", "whatif", "--db", friday), ExitCode.REFUSED)
    assert error == "error: Friday has no games left"


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("--place", "5"), ExitCode.USAGE, "there is no place 5 among 4 players"),
        (("--player", "Bento"), ExitCode.NOT_FOUND, "nobody is called “Bento”"),
        (("Fryday",), ExitCode.NOT_FOUND, "no event is called “Fryday”"),
    ],
    ids=["place", "player", "event"],
)
def test_an_unknown_place_player_or_event_is_refused_with_a_hint(
    run: Runner, friday: str, words: tuple[str, ...], code: ExitCode, error: str
) -> None:
    said, _hint = refusal(run("rating", "whatif", *words, "--db", friday), code)
    assert said == f"error: {error}"


POINTS = [
    (1, 1, 13, "ahead", "at most 12 points more"),
    (1, 1, 2, "ahead", "at most 1 point more"),
    (1, 1, 1, "ahead", "at most as many points"),
    (1, 1, 0, "behind", "at least 1 point fewer"),
    (1, 1, -12, "ahead", "at least 13 points fewer"),
    (1, 0, 48, "shared", "at most 47 points"),
    (1, 0, Fraction(95, 2), "shared", "at most 47 points"),
    (0, Fraction(1, 2), -24, "shared", "they score at least 49 points"),
    (0, 1, Fraction(-1, 2), "shared", "they score at least 1 point"),
    (0, 0, 3, "ahead", "nothing, it is decided"),
    (0, 0, -3, "ahead", "out of reach"),
    (0, 0, 0, "ahead", "nothing, it is decided"),
    (0, 0, 0, "shared", "nothing, it is decided"),
    (0, 0, 0, "behind", "out of reach"),
    (1, Fraction(4, 5), 7, "shared", "fewer than 0.80 × theirs +7.0"),
]
MONEY = [
    (1, 1, 13, "mean place", "win at most 12 less"),
    (1, 1, 1, "mean place", "win at least as much"),
    (1, 1, -12, "mean place", "win at least 13 more"),
    (1, 0, 11, "mean place", "lose at most 10"),
    (1, 0, -10, "mean place", "win at least 11"),
    (0, 1, -10, "mean place", "they lose at least 11"),
    (0, 1, 10, "mean place", "they win at most 9"),
]


@pytest.mark.parametrize(("left", "share", "room", "level", "words"), [*POINTS, *MONEY])
def test_the_condition_against_a_rival_is_put_into_words(
    left: int, share: Fraction, room: Fraction, level: Level, words: str
) -> None:
    """A player is ahead with fewer points or losses than `share` × the rival's plus `room`; the words were derived by
    hand.
    """
    rival = Rival(Player(2, "Beñat"), Fraction(share), Fraction(room), level)
    prospect = Prospect(Player(1, "Ana"), 1, 100, left, (rival,))
    event = Event(1, EventSettings("Friday", "oficial"), RulesRef("oficial"))
    prospects = Prospects(event, 1, 2, (), (prospect,), (), in_money=level == "mean place")
    assert reports.prospect(prospects, prospect).rows[0][1] == words
    assert reports.prospects(prospects).rows[0][-1] == words


def test_a_sure_place_has_no_condition(run: Runner, friday: str) -> None:
    """Each of four players is at least fourth."""
    result = run("rating", "whatif", "--place", "4", "--db", friday)
    assert result.out.count("nothing, the place is sure") == 4
    page = run("rating", "whatif", "--place", "4", "--player", "1", "--db", friday).out
    assert "Place 4 is sure: nobody has to be passed." in page


@pytest.mark.parametrize(
    ("place", "needed", "message"),
    [("1", "7", ""), ("2", "6", "One rival, harder still, may"), ("3", "5", "2 rivals, harder still, may stay ahead.")],
)
def test_the_page_says_how_many_rivals_must_be_beaten(
    run: Runner, tmp_path: Path, place: str, needed: str, message: str
) -> None:
    """Nothing is played: for place N each of eight players must be ahead of all but N - 1 of the seven rivals."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=1)
    head, *rows = run("rating", "whatif", "--place", place, "--db", db, "--format", "csv").out.splitlines()
    assert [dict(zip(head.split(","), row.split(","), strict=True))["needed"] for row in rows] == [needed] * 8
    output = " ".join(run("rating", "whatif", "--place", place, "--db", db).out.split())
    assert "Rank Player Points Games left To beat Hardest Against the hardest" in output
    assert (
        f"Nobody of those to beat may be ahead in the end: the hardest is shown, all of them with --player. {message}"
        in output
    )


def test_the_pages_of_whatif_have_at_most_eighty_columns(run: Runner, friday: str) -> None:
    for words in ((), ("--place", "3"), ("--player", "Ana")):
        result = run("rating", "whatif", *words, "--db", friday)
        assert result.code == 0
        assert max(map(len, result.out.splitlines())) <= 80
