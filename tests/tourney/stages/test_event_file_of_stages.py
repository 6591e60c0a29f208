"""Tests of the file of an event with stages: its standings follow from the page of the guide alone."""

from pathlib import Path
from random import Random

import pytest

from tests.harness.evening.weekend import FINAL, at_random, planned, play_round, seated, with_stages
from tests.harness.round_trip import verified
from tests.harness.slow import half_slow
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.event_file import exported
from tourney.service.events.events import show
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.stages.shown import standings

QUALIFYING = Stage("Qualifying", 2)
SEMI_FINAL = Stage("Semi-final", 1, take="best", number=8, ties="list")
PLANS: dict[str, tuple[Stage, ...]] = {
    "nothing carried over": (QUALIFYING, SEMI_FINAL, FINAL),
    "all carried over twice": (QUALIFYING, planned(SEMI_FINAL, carry="all"), planned(FINAL, carry="all")),
    "half carried over twice": (QUALIFYING, planned(SEMI_FINAL, carry="half"), planned(FINAL, carry="half")),
    "place points": (QUALIFYING, planned(FINAL, carry="place points", carry_points=(0, 10, 20, 30))),
    "a knock-out": (Stage("Knock-out", 8, "knock-out", lives=2, until=4), FINAL),
    "a ladder and a final": (Stage("Ladder", 3, "ladder"), FINAL),
    "a ladder": (QUALIFYING, planned(SEMI_FINAL, format="ladder", rounds=2)),
    "groups": (Stage("Groups", 2, "groups"), Stage("Final", 1, take="of each table", number=1, ties="list")),
}


def agree(db: str) -> None:
    """Compare the standings with those that the verifier works out from the file."""
    rows = standings(db).rows
    shown = {(row.rank, row.player.shown, row.games, row.points, row.penalty) for row in rows}
    assert verified(exported(db, "Weekend").text) == shown


@pytest.mark.parametrize("plan", half_slow(PLANS))
def test_the_standings_follow_from_the_file(tmp_path: Path, plan: str) -> None:
    """After every round, with penalties of a round and of none, and with a player who leaves."""
    db, rng, sheet = str(tmp_path / "club.db"), Random(plan), at_random(plan)
    with_stages(db, 13, *PLANS[plan])
    number = 0
    while number < show(db).settings.rounds:  # a knock-out may need fewer than its plan has
        number, names = number + 1, seated(play_round(db, sheet))
        agree(db)
        points = rng.choice((-20, 30, 400))
        round_number = rng.choice((number, None))
        apply(db, AddRuling(None, Decision("penalty", "late", round_number, player=rng.choice(names), points=points)))
        agree(db)
        if number == 1:
            apply(db, WithdrawPlayers(None, [rng.choice(names)], "a train"))
            agree(db)
    assert show(db).settings.stages[-1].begun
