"""Tests of fair stages: penalties stay in their stage, fewer games are no gain, and leavers stay below."""

import pytest

from tests.harness.commands import Runner
from tests.harness.evening.weekend import FINAL, play, play_round, seated, with_stages
from tests.tourney.standings.games import Evening
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import EnterPlayers
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.rounds.draw_round import DrawRound
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


def test_a_latecomer_who_goes_home_after_the_cut_keeps_their_rank(db: str) -> None:
    """P12 came for the last round of the stage, and so played it to its end."""
    with_stages(db, 11, QUALIFYING, FINAL)
    play_round(db)
    apply(db, EnterPlayers(None, ["P12"], add=True))
    play(db, 2)
    before = table(db)
    apply(db, WithdrawPlayers(None, ["P12"]))
    assert table(db) == before
