"""Tests of fair stages: penalties stay in their stage, fewer games are no gain, and leavers stay below."""

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.evening.weekend import FINAL, planned, play, play_round, seated, with_stages
from tests.tourney.stages.test_event_file_of_stages import agree
from tests.tourney.standings.games import Evening
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Stage, Table
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import EnterPlayers, show
from tourney.service.results.results import CorrectResult
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.stages.shown import standings
from tourney.standings.arithmetic import arithmetic
from tourney.standings.placing import RankingBasis, ranked

QUALIFYING = Stage("Qualifying", 2, "rotation")


def table(db: str, **options: object) -> list[tuple[int | None, str, int]]:
    """Return rank, name and points of each row of the standings."""
    return [(row.rank, row.player.shown, row.points) for row in standings(db, **options).rows]  # type: ignore[arg-type]


@pytest.mark.parametrize("rounds", [0, 2])
def test_a_penalty_without_a_round_stays_in_its_stage(db: str, rounds: int) -> None:
    """Given before the first draw or after the qualifying rounds, it does not follow P01 into the final."""
    with_stages(db, 8, QUALIFYING, FINAL)
    play(db, rounds)
    apply(db, AddRuling(None, Decision("penalty", "late", player="P01", points=20)))
    play(db, 2 - rounds)
    assert next(row.penalty for row in standings(db).rows if row.player.shown == "P01") == 20
    final = seated(play_round(db))
    assert final[0] == "P01"
    assert next((row.rank, row.points) for row in standings(db).rows if row.player.shown == "P01") == (1, 0)


POINTS = {"P01": 30, "P02": 40, "P03": 42, "P04": 45, "P05": 50, "P06": 60, "P07": 70, "P08": 80}


def one_hand(_event: Event, table: Table, **changed: int) -> list[SheetHand[str]]:
    """Return a sheet of one dead hand with the points of POINTS, or changed ones."""
    points = POINTS | changed
    return [SheetHand("TT", {player.shown: points[player.shown] for player in table.players}, dead=True)]


def four_best_of_eight(db: str) -> None:
    """A round that sends P01 to P04 to the final, whose first round is drawn, with a penalty of 30 for P01 in it."""
    with_stages(db, 8, Stage("Qualifying", 1, hands=("TT",)), planned(FINAL, hands=("TT",)))
    play_round(db, one_hand)
    apply(db, DrawRound())
    apply(db, AddRuling(None, Decision("penalty", "late", player="P01", points=30)))


def points_of(db: str, name: str) -> int:
    return next(row.points for row in standings(db).rows if row.player.shown == name)


def test_a_penalty_waits_while_its_round_is_cancelled_and_counts_again_in_its_stage(db: str, run: Runner) -> None:
    """With the penalty of the final P01 would have 60 in the qualifying, as P06 has, and be out."""
    four_best_of_eight(db)
    assert points_of(db, "P01") == 30
    apply(db, CancelRound(None, "drawn too early"))
    assert points_of(db, "P01") == 30, "the points of the qualifying"
    agree(db)
    note = "P01: a penalty of 30 points in round 2: late. It waits until round 2 is drawn."
    assert note in standings(db).notes
    for shown in (("standings",), ("standings", "--why", "P01")):
        assert note in " ".join(run(*shown, "--db", db).out.split())
    listed = run("ruling", "list", "--json", "--db", db).json
    assert [each["state"] for each in listed] == ["waits"]
    assert seated(apply(db, DrawRound()).rounds[0]) == ["P01", "P02", "P03", "P04"]
    assert points_of(db, "P01") == 30, "the penalty, before the first game of the final"
    assert not [each for each in standings(db).notes if "waits" in each]
    agree(db)


def test_a_correction_and_the_proposed_new_draw_leave_a_penalty_in_its_stage(db: str) -> None:
    """Corrected to 41, P05 is third: P01 30, P02 40, P05 41, P03 42."""
    four_best_of_eight(db)
    table = next(each for each in rounds.show(db).rounds[0].tables if "P05" in [one.shown for one in each.players])
    sheet = one_hand(show(db), table, P05=41)
    apply(db, CorrectResult(None, 1, table.number, sheet, "misread"))
    apply(db, CancelRound(None, "the cut changed"))
    assert seated(apply(db, DrawRound()).rounds[0]) == ["P01", "P02", "P03", "P05"]


def test_the_log_says_that_a_stage_has_no_round_any_more(db: str, run: Runner) -> None:
    four_best_of_eight(db)
    apply(db, CancelRound(None, "drawn too early"))
    said = run("log", "--json", "--db", db).json[-1]["said"]
    assert said == "Final has no round now: the next draw decides again who plays in it"


@pytest.mark.parametrize("round_number", [None, 2])
def test_a_penalty_for_somebody_who_is_out_of_the_stage_is_refused_with_their_round(
    db: str, run: Runner, round_number: int | None
) -> None:
    four_best_of_eight(db)
    with desk.refused(ExitCode.REFUSED, "P07 does not play in Final, and round 2 belongs to it", "such as round 1"):
        apply(db, AddRuling(None, Decision("penalty", "noise", round_number, player="P07", points=3)))
    apply(db, AddRuling(None, Decision("penalty", "noise", 1, player="P07", points=3)))
    assert points_of(db, "P07") == 73
    assert [each["state"] for each in run("ruling", "list", "--json", "--db", db).json] == ["stands", "stands"]


def test_a_penalty_in_a_stage_in_which_its_player_no_longer_plays_says_so(db: str, run: Runner) -> None:
    """P01 leaves before the final is drawn again: P05 plays, and the penalty of round 2 counts nowhere."""
    four_best_of_eight(db)
    apply(db, CancelRound(None, "P01 is ill"))
    apply(db, WithdrawPlayers(None, ["P01"]))
    assert seated(apply(db, DrawRound()).rounds[0]) == ["P02", "P03", "P04", "P05"]
    assert points_of(db, "P01") == 30
    assert [each["state"] for each in run("ruling", "list", "--json", "--db", db).json] == ["not in stage"]
    said = "It does not count, as P01 does not play in that stage."
    assert any(said in note for note in standings(db).notes)
    agree(db)


def test_half_is_carried_per_game_where_games_differ(db: str) -> None:
    """P08 comes for the second of two rounds: half of twice the points of their only game are those points."""
    with_stages(db, 7, QUALIFYING, Stage("Second", 1, carry="half"), FINAL)
    play_round(db)
    apply(db, EnterPlayers(None, ["P08"], add=True))
    play_round(db)
    points = {row.player.shown: (row.points, row.games) for row in standings(db).rows}
    assert points["P08"][1] == 1
    apply(db, DrawRound())
    carried = {row.player.shown: row.carried for row in standings(db).rows}
    assert carried == {name: total // games for name, (total, games) in points.items()}
    assert carried["P08"] > 0


CARRIED = {
    "half": ({"carry": "half"}, "Carried over to Final is half the points: P01 15, P02 20, P03 21, P04 22."),
    "all": ({"carry": "all"}, "All points and games so far count in Final: P01 30, P02 40, P03 42, P04 45."),
    "by rank": (
        {"carry": "place points", "carry_points": (0, 10, 20, 35)},
        "Carried over to Final by rank: P01 0, P02 10, P03 20, P04 35.",
    ),
}


@pytest.mark.parametrize("carry", CARRIED)
def test_the_draw_says_what_is_carried_over_and_how(db: str, run: Runner, carry: str) -> None:
    changes, said = CARRIED[carry]
    with_stages(db, 8, Stage("Qualifying", 1, hands=("TT",)), planned(FINAL, hands=("TT",), **changes))
    play_round(db, one_hand)
    drawn = run("round", "draw", "--db", db)
    assert said in " ".join(drawn.out.split())


@pytest.mark.parametrize("carry", ["by rank", "half"])
def test_all_that_counts_does_not_reach_back_behind_a_stage_with_points_brought_along(
    db: str, run: Runner, carry: str
) -> None:
    """The final counts only games of the second stage: no games of the first, and no points carried from it."""
    changes, _said = CARRIED[carry]
    second = planned(FINAL, name="Second", hands=("TT",), **changes)
    with_stages(db, 8, Stage("Qualifying", 1, hands=("TT",)), second, planned(FINAL, hands=("TT",), carry="all"))
    play_round(db, one_hand)
    play_round(db, one_hand)
    drawn = " ".join(run("round", "draw", "--db", db).out.split())
    points = ", ".join(f"{row.player.shown} {row.score}" for row in standings(db).rows[:4])
    assert "All points and games so far" not in drawn
    said = "Points and games since the beginning of Second, without those brought along, count in Final:"
    assert f"{said} {points}." in drawn


def test_the_draw_says_nothing_of_points_that_are_not_carried_over(db: str) -> None:
    with_stages(db, 8, Stage("Qualifying", 1, hands=("TT",)), planned(FINAL, hands=("TT",)))
    play_round(db, one_hand)
    assert apply(db, DrawRound()).notes == ("Players of Final: P01, P02, P03, P04.",)


def test_the_draw_says_that_halves_are_per_game_where_games_differ(db: str) -> None:
    """In every game a player has the points of POINTS, so that half of two times the mean is those points."""
    with_stages(db, 7, Stage("Qualifying", 2, hands=("TT",)), Stage("Second", 1, carry="half", hands=("TT",)))
    play_round(db, one_hand)
    apply(db, EnterPlayers(None, ["P08"], add=True))
    play_round(db, one_hand)
    carried = ", ".join(f"{name} {points}" for name, points in POINTS.items())
    said = f"Carried over to Second is half the points per game, times 2: {carried}."
    assert said in apply(db, DrawRound()).notes


def test_fewer_games_in_a_stage_make_nothing_of_what_was_carried() -> None:
    """Hugo's 450 count over the stage's two games, as everybody's do: 450 / 2 + 123 = 348."""
    evening = Evening("Hugo", "Paco")
    evening.table(1, "Hugo 123, Ana 0")
    evening.table(1, "Paco 100, Eva 0")
    evening.table(2, "Paco 200, Eva 0")
    carried = {player.id: points for player, points in zip(evening.entrants, (450, 300), strict=False)}
    order = ranked(evening.entrants[:2], evening.results, 0, basis=RankingBasis(carried=carried))
    assert [(each.tally.player.name, each.tally.average) for each in order.placed] == [("Paco", 300), ("Hugo", 348)]
    assert arithmetic(order, evening.entrants[0]) == (
        "Points: 450 (carried over) + 123 = 573",
        "450 carried over 2 games, and 123 in 1 game: 348.00 per game",
    )


def test_standings_after_a_round_know_nothing_of_later_stages(db: str, run: Runner) -> None:
    """As they were before the cut: also with somebody who left after it, and by the name of the stage."""
    with_stages(db, 12, QUALIFYING, FINAL)
    play_round(db)
    first = table(db)
    apply(db, WithdrawPlayers(None, ["P02"]))
    play_round(db)
    second = table(db)
    play_round(db)
    apply(db, WithdrawPlayers(None, ["P05"]))
    assert table(db, round_number=1) == first
    assert table(db, round_number=2) == second
    assert table(db, stage="qualifying") == second
    assert table(db, stage="Final") == table(db)
    refused = run("standings", "--stage", "Semi", "--db", db)
    assert (refused.code, "Qualifying, Final" in refused.err) == (3, True)


def test_a_player_who_left_stays_below_all_who_stayed_after_the_next_draw(db: str) -> None:
    with_stages(db, 12, QUALIFYING, FINAL)
    play_round(db)
    apply(db, WithdrawPlayers(None, ["P01"]))
    play_round(db)
    before = table(db)
    assert before[-1][1] == "P01"
    play_round(db)
    assert [row[1] for row in table(db)[4:]] == [row[1] for row in before if row not in before[:4]]
    assert table(db)[-1][1] == "P01"


@pytest.mark.parametrize("later", [0, 1])
def test_why_a_player_who_left_is_last_is_said(db: str, run: Runner, later: int) -> None:
    """P01 and P02, the best two, leave after the first of two rounds; P03 goes home when the stage is over."""
    with_stages(db, 12, QUALIFYING, FINAL)
    play_round(db)
    apply(db, WithdrawPlayers(None, ["P01", "P02"]))
    play_round(db)
    apply(db, WithdrawPlayers(None, ["P03"]))
    play(db, later)
    said = "left before the end of the stage, which ranks below all who stayed"
    for name in ("P01", "P02", "P03", "P04"):
        steps = run("standings", "--why", name, "--json", "--db", db).json["steps"]
        assert [said in step for step in steps].count(True) == (name in ("P01", "P02"))


def test_a_latecomer_who_goes_home_after_the_cut_keeps_their_rank(db: str) -> None:
    """P12 came for the last round of the stage, and so played it to its end."""
    with_stages(db, 11, QUALIFYING, FINAL)
    play_round(db)
    apply(db, EnterPlayers(None, ["P12"], add=True))
    play(db, 2)
    before = table(db)
    apply(db, WithdrawPlayers(None, ["P12"]))
    assert table(db) == before
