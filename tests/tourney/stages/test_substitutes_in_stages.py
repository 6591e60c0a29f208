"""Tests of substitutes and prizes in events with stages, against results worked out by hand.

On the sheets here nobody closes a hand, and everybody has ten points times the number in their name: a game brings P01
70 points, P02 140, and so on, at whatever table they sit.
"""

from collections.abc import Sequence

import pytest

from tests.harness.commands import Runner
from tests.harness.evening.weekend import FINAL, by_name, planned, play_round, seated, with_stages
from tests.harness.web.asking import client
from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Round, Stage, Table
from tourney.service.change import apply
from tourney.service.events.events import FinishEvent, show
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.substitute import NameSubstitute
from tourney.service.stages.shown import standings
from tourney.service.web.access import grant_tables
from tourney.storage.session import writing

QUALIFYING = Stage("Qualifying", 2, "rotation")
SETTINGS = ("absent", "substitute", "nobody")


def play_for(db: str, absent: str) -> Round:
    """Draw the next round and enter its sheets, with Eva on a seat."""
    (drawn,) = apply(db, DrawRound()).rounds
    apply(db, NameSubstitute(None, [absent, "Eva"]))
    for table in drawn.tables:
        apply(db, EnterResult(None, table.round, table.number, by_name(show(db), table)))
    return drawn


def weekend(db: str, players: int, *stages: Stage, **settings: object) -> None:
    with_stages(db, players, *stages, **settings)
    apply(db, RegisterPlayers(["Eva"]))


def change(db: str, **settings: str) -> None:
    apply(db, ChangeSettings(None, settings))


def of_getxo(db: str, name: str) -> None:
    with writing(db) as store:
        player = next(each for each in store.people.players() if each.shown == name)
        store.people.rename(player, player.name, player.label, "Getxo")


Ranks = Sequence[tuple[int | None, str, float]]


def ranks(db: str) -> Ranks:
    return [(row.rank, row.player.shown, row.score) for row in standings(db).rows]


IN_QUALIFYING: dict[str, Ranks] = {
    # After both rounds of the qualifying: whoever has a game less makes points per game rank.
    "absent": [(1, "P01", 140), (2, "P02", 280), (3, "P03", 420), (4, "P04", 560)],
    "nobody": [(1, "P01", 70), (2, "P02", 140), (3, "P03", 210), (4, "P04", 280)],
    "substitute": [(1, "P01", 70), (2, "P02", 140), (3, "P03", 210), (4, "P04", 280), (5, "Eva", 70)],
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_substitute_in_the_qualifying_never_goes_through(db: str, setting: str) -> None:
    """Eva has 70 points on P01's seat in round 1; she has left the stage, and stands below all who stay in it."""
    weekend(db, 4, QUALIFYING, FINAL, substitutes=setting)
    play_for(db, "P01")
    play_round(db, by_name)
    assert ranks(db) == IN_QUALIFYING[setting]
    assert seated(play_round(db, by_name)) == ["P01", "P02", "P03", "P04"]
    finalists = [(number, f"P{number:02}", 70 * number) for number in range(1, 5)]
    assert ranks(db)[:4] == finalists


IN_THE_FINAL: dict[str, Ranks] = {
    # The final of P01 to P04, and P05 and P06 with their points of the qualifying below.
    "absent": [(1, "P01", 70), (2, "P02", 140), (3, "P03", 210), (4, "P04", 280), (5, "P05", 350), (6, "P06", 420)],
    "nobody": [(1, "P01", 70), (2, "P03", 210), (3, "P04", 280), (None, "P02", 0), (5, "P05", 350), (6, "P06", 420)],
    "substitute": [
        *((1, "P01", 70), (2, "Eva", 140), (3, "P03", 210), (4, "P04", 280), (None, "P02", 0)),
        *((6, "P05", 350), (7, "P06", 420)),
    ],
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_final_that_a_substitute_plays_counts_for_whom_the_event_says(db: str, run: Runner, setting: str) -> None:
    """Eva plays the final for P02, who without a game in it stands last of the finalists, above all who are out."""
    weekend(db, 6, Stage("Qualifying", 1), FINAL, substitutes=setting, size=3)
    play_round(db, by_name)
    assert seated(play_for(db, "P02")) == ["P01", "P02", "P03", "P04"]
    assert ranks(db) == IN_THE_FINAL[setting]
    assert "Eva played for P02 in round 2" in run("standings", "--db", db).out.replace("\n", " ")


def test_games_carried_over_rank_a_finalist_whose_final_counts_for_nobody(db: str) -> None:
    """P02 has 140 points in the qualifying; with the final too, P01 has 140 in two games, P03 420 and P04 560."""
    final = planned(FINAL, carry="all")
    weekend(db, 6, Stage("Qualifying", 1), final, substitutes="nobody", size=3, totals="per game")
    play_round(db, by_name)
    play_for(db, "P02")
    assert ranks(db)[:4] == [(1, "P01", 70), (2, "P02", 140), (3, "P03", 210), (4, "P04", 280)]


@pytest.mark.parametrize(("setting", "plays_on"), [("absent", False), ("substitute", True), ("nobody", True)])
def test_a_life_is_lost_by_whom_the_result_counts_for(db: str, setting: str, plays_on: bool) -> None:
    """P08 is last wherever they sit, and out with one life; with Eva on the seat only if it counts for P08."""
    weekend(db, 8, Stage("Knock-out", 3, "knock-out", lives=1, until=4), FINAL, substitutes=setting)
    first = play_for(db, "P08")
    last = {max(player.shown for player in table.players) for table in first.tables}
    second = seated(play_round(db, by_name))
    assert ("P08" in second) == plays_on
    assert last - {"P08"} not in (set(), set(second))
    assert not (last - {"P08"}) & set(second)
    bands = {row.player.shown: row.band for row in standings(db, None, 1).rows}
    assert bands["P08"] == bands["P01" if plays_on else (last - {"P08"}).pop()]


@pytest.mark.parametrize(("setting", "rank"), [("absent", 1), ("substitute", 8), ("nobody", 8)])
def test_the_last_table_of_a_ladder_ranks_whom_the_result_counts_for(db: str, setting: str, rank: int) -> None:
    """The top table has one round: whoever has the fewest points there is first, or comes last without a place."""
    weekend(db, 8, Stage("Ladder", 1, "ladder"), substitutes=setting, minimum=0)
    (drawn,) = apply(db, DrawRound()).rounds
    best = min(player.shown for player in drawn.tables[0].players)
    apply(db, NameSubstitute(None, [best, "Eva"]))
    for table in drawn.tables:
        apply(db, EnterResult(None, 1, table.number, by_name(show(db), table)))
    order = [row.player.shown for row in standings(db).rows if row.player.shown != "Eva"]
    assert order.index(best) + 1 == rank


@pytest.mark.parametrize(("setting", "state"), [("absent", "open"), ("substitute", "sure"), ("nobody", "sure")])
def test_a_seat_that_does_not_count_for_its_holder_is_no_open_game_of_theirs(db: str, setting: str, state: str) -> None:
    """P01 has 70 points in one game, and two of four go through; round 2 is open, with Eva on P01's seat.

    P03, who has 210, needs -70 in round 2 to be level with 70 per game: every hand closed at once. Then P02, who has
    140, closes none and is behind. So at most one of them is ahead of P01, unless P01 has a game more to lose. P04 with
    280 comes to 105 at best.
    """
    weekend(db, 4, QUALIFYING, Stage("Final", 1, take="best", number=2, ties="list", tables=1), substitutes=setting)
    play_round(db, by_name)
    apply(db, DrawRound())
    apply(db, NameSubstitute(None, ["P01", "Eva"]))
    states = {row.player.shown: row.cut for row in standings(db).rows}
    assert states["P01"] == state
    assert states.get("Eva", "out") == "out"


def test_what_must_be_scored_is_not_asked_of_an_absent_player(db: str, run: Runner) -> None:
    weekend(db, 4, Stage("Qualifying", 2), substitutes="nobody")
    play_round(db, by_name)
    apply(db, DrawRound())
    apply(db, NameSubstitute(None, ["P01", "Eva"]))
    found = run("rating", "whatif", "--db", db, "--json").json
    left = {each["player"]: each["left"] for each in found["players"]}
    assert left == {"P01": 0, "P02": 1, "P03": 1, "P04": 1}


def prizes(db: str) -> dict[str, int | None]:
    """Return the prizes in cents by name, without those who get nothing."""
    return {row.player.shown: row.prize for row in standings(db).rows if row.prize}


@pytest.mark.parametrize(
    ("setting", "paid"),
    [
        ("absent", {"P01": 6000, "P02": 3600, "P03": 2400, "P05": 1000}),
        ("substitute", {"P01": 6000, "Eva": 3600, "P03": 2400, "P05": 1000}),
        ("nobody", {"P01": 6000, "P03": 3600, "P04": 2400, "P05": 1000}),
    ],
)
def test_prizes_follow_the_final_and_a_substitute_pays_no_fee(db: str, setting: str, paid: dict[str, int]) -> None:
    """Six players pay 15 beside 40: the pot is 130. 60, 36 and 24 for the first three, and 10 for the best of Getxo."""
    weekend(db, 6, Stage("Qualifying", 1), FINAL, substitutes=setting, size=3)
    for name in ("P02", "P05", "P06"):
        of_getxo(db, name)
    play_round(db, by_name)
    play_for(db, "P02")
    change(db, fee="15", pot="40", prizes="60-36-24; club Getxo 10")
    apply(db, FinishEvent(None))
    assert prizes(db) == paid
    assert any("Pot 130.00, prizes 130.00, left 0.00." in note for note in standings(db).notes)


def test_players_level_below_the_final_share_the_prizes_of_their_ranks(db: str) -> None:
    """P05 and P06 have 350 points each in the qualifying, on a shared rank 5: half of 9 + 6 for each."""
    weekend(db, 7, Stage("Qualifying", 1), FINAL, tie_breaks="none", size=4)

    def level(event: Event, table: Table) -> list[SheetHand[str]]:
        return [
            SheetHand(
                hand.contract, {name: 50 if name == "P06" else score for name, score in hand.points.items()}, dead=True
            )
            for hand in by_name(event, table)
        ]

    play_round(db, level)
    play_round(db, by_name)
    change(db, pot="100", prizes="40-20-15-10-9-6")
    apply(db, FinishEvent(None))
    assert [(row.rank, row.prize) for row in standings(db).rows] == [
        *((1, 4000), (2, 2000), (3, 1500), (4, 1000)),
        *((5, 750), (5, 750), (7, None)),
    ]


def test_the_seating_the_slips_and_the_sheet_name_who_plays(db: str, run: Runner) -> None:
    """Programs read whose seat it is, and in JSON who plays on it."""
    weekend(db, 4, QUALIFYING, FINAL)
    (drawn,) = apply(db, DrawRound()).rounds
    apply(db, NameSubstitute(None, ["P01", "Eva"]))
    for words in (("round", "show"), ("round", "show", "--by", "name"), ("round", "show", "--by", "table")):
        assert "Eva for P01" in run(*words, "--db", db).out, words
        assert "Eva por P01" in run(*words, "--db", db, "--lang", "es").out, words
        assert "Eva" not in run(*words, "--db", db, "--format", "csv").out, words
        assert "Eva for P01" in run(*words, "--db", db, "--format", "message").out, words
    data = run("round", "show", "--db", db, "--json").json
    assert data["rounds"][0][0] == [player.shown for player in drawn.tables[0].players]
    assert data["substitutes"] == [{"round": 1, "absent": "P01", "substitute": "Eva"}]
    for sheet in ("slips", "wall", "signs"):
        assert "Eva for P01" in run("print", sheet, "--db", db).out, sheet
    assert "Eva for P01" in run("round", "slips", "--db", db).out
    token = grant_tables(db, "Weekend")[0].token
    with client(db, entry=True) as pages:
        for path in ("/seating", "/tables", "/screen", f"/t/{token}"):
            assert "Eva for P01" in pages.get(path).text, path
    apply(db, EnterResult(None, 1, 1, by_name(show(db), drawn.tables[0])))
    shown = run("result", "show", "--round", "1", "--table", "1", "--db", db).out
    assert "Eva played for P01 in round 1: that seat counts for P01." in shown.replace("\n", " ")
