"""Tests of rehearsals and simulations: every preset ends over its range, and plans compare as arithmetic says."""

from functools import partial
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.effort import effort
from tests.harness.evening.weekend import with_stages
from tourney.domain.errors import TourneyError
from tourney.domain.events import Event
from tourney.domain.rounds import Stage
from tourney.service.admin.rehearsal import Cast, rehearse
from tourney.service.change import apply
from tourney.service.events.copy_event import CreatePlannedEvent
from tourney.service.events.events import show
from tourney.service.stages.presets import PRESETS
from tourney.service.stages.simulation import SimulationRequest, simulate
from tourney.standings.simulated import Setup, simulated

SHORT = [(preset.id, preset.least) for preset in PRESETS.values()] + [("groups", 23), ("knock-out", 9)]
"""The rehearsals of every run: each preset with its fewest players, and some whose numbers do not divide."""


def planned(folder: Path, preset: str) -> Event:
    """Return an event of a preset, without entrants."""
    return apply(str(folder / f"{preset}.db"), CreatePlannedEvent("Weekend", preset))


@pytest.mark.parametrize(("preset", "players"), SHORT)
def test_a_preset_is_played_to_its_end_with_people_who_come_late_and_leave(
    tmp_path: Path, preset: str, players: int
) -> None:
    rehearsal = rehearse(planned(tmp_path, preset), Cast(players, "1"))
    assert rehearsal.event.state == "finished"
    assert rehearsal.first
    assert rehearsal.rounds[-1].tables == 1 or len(PRESETS[preset].stages) == 1
    assert rehearsal.sheets == sum(each.tables for each in rehearsal.rounds)


@pytest.mark.soak
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_ends_over_its_range_with_drop_outs(tmp_path: Path, preset: str) -> None:
    """Every number of players twice, on two days on which other people leave."""
    event, asked = planned(tmp_path, preset), []
    for players in range(PRESETS[preset].least, PRESETS[preset].most + 1):
        for seed in ("1", "2"):
            try:
                rehearse(event, Cast(players, seed))
            except TourneyError as error:
                asked.append((players, seed, error.message))
    assert asked == []


def test_a_play_off_hand_and_named_players_are_answered_in_a_rehearsal(db: str) -> None:
    with_stages(
        db,
        12,
        Stage("Groups", 1, "groups"),
        Stage("Semi-final", 1, take="named", tables=2),
        Stage("Final", 1, take="best", number=2, ties="play-off", tables=1),
    )
    rehearsal = rehearse(show(db), Cast(12, "3", drop_outs=False))
    assert [each.kind for each in rehearsal.incidents] == ["named"]
    assert show(db).settings.stages[1].named == (), "the event itself does not change"


def test_a_rehearsal_says_what_is_typed_and_how_long_the_rounds_take(run: Runner, db: str) -> None:
    """Without timed games: 35 to 60 minutes for seven hands and four players, as the guide of tables says; 47.5."""
    with_stages(db, 8, Stage("Qualifying", 2), Stage("Final", 1, take="best", number=4, ties="list", tables=1))
    shown = run("event", "rehearse", "--db", db, "--players", "8", "--calm", "--json").json
    assert [each["minutes"] for each in shown["rounds"]] == [47.5] * 3
    assert shown["minutes"] == 142.5
    assert shown["sheets"] == 2 + 2 + 1
    assert shown["commands"] == 1 + 3 + 1, "the event with its players, three draws and the end"


def test_a_plan_with_a_gap_is_reported_as_its_command_would(run: Runner, tmp_path: Path) -> None:
    found = run("event", "rehearse", "--preset", "catan", "--players", "8", "--calm", "--db", str(tmp_path / "club.db"))
    assert found.code == 1
    assert "16 go through, and 8 play before" in found.err
    assert len(found.err.splitlines()) == 2


def test_without_luck_the_best_wins_and_the_best_four_are_in_the_final() -> None:
    """Skills a thousand times as wide as a game's chance: ranks are those of the skills wherever all can meet."""
    for preset in ("swiss-final", "club-evening"):
        setup = Setup(PRESETS[preset].stages, 16, 4, 2, 4, 7)
        played = simulated(setup, 1000.0, "1")
        assert played.order[0] == 0
    assert simulated(Setup(PRESETS["swiss-final"].stages, 16, 4, 2, 4, 7), 1000.0, "1").order[:4] == (0, 1, 2, 3)


def test_without_skill_everybody_wins_equally_often() -> None:
    """With a spread of 0 the best of 16 wins one tournament in 16: 400 x 1/16 = 25, three standard errors are 14.5."""
    setup = Setup(PRESETS["club-evening"].stages, 16, 4, 2, 4, 7)
    wins = sum(simulated(setup, 0.0, str(seed)).order[0] == 0 for seed in range(400))
    assert abs(wins - 25) <= 14.5


def test_a_simulated_plan_has_the_tables_and_repeats_that_counting_gives() -> None:
    """16 in groups of four for three rounds: 4 x 6 pairs meet three times, which are 48 repeats; 64 = 16 x 4 seats."""
    setup = Setup((Stage("Groups", 3, "groups"),), 16, 4, 2, 4, 7)
    played = simulated(setup, 1.0, "1")
    assert played.repeats == 48
    assert played.hands == ((7, 4),) * 3
    assert sorted(played.order) == list(range(16))


def test_presets_are_compared_side_by_side_with_intervals(run: Runner, db: str) -> None:
    with_stages(db, 4)
    shown = run("event", "simulate", "--players", "16", "--runs", "50", "--db", db, "--json").json
    assert {plan["preset"] for plan in shown["plans"]} == {
        preset.id for preset in PRESETS.values() if preset.least <= 16 <= preset.most
    }
    for plan in shown["plans"]:
        assert plan["best_wins"]["low"] <= plan["best_wins"]["mean"] <= plan["best_wins"]["high"]
        assert 2.5 <= plan["top_four"]["mean"] <= 14.5


def test_a_simulation_of_no_preset_is_refused_before_ratings_are_computed_and_kept(tmp_path: Path) -> None:
    db = desk.everything(tmp_path / "club.db")
    before = Path(db).read_bytes()
    with pytest.raises(TourneyError, match="no preset is called “Ana”"):
        simulate(db, SimulationRequest(32, 10, pool="bots", presets=("Ana",)))
    assert Path(db).read_bytes() == before


@pytest.mark.slow
def test_a_thousand_tournaments_of_32_take_the_time_of_2550_million_passes_at_most(db: str) -> None:
    with_stages(db, 4)
    for preset in PRESETS:
        asked = SimulationRequest(32, 1000, presets=(preset,), spread=1.0)
        assert effort(partial(simulate, db, asked)) <= 2550, preset
