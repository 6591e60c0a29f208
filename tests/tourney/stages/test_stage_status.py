"""Tests of the status of an event with stages, and of the commands that it suggests for each state of a cut."""

import re
import shlex

import pytest

from tests.harness.commands import Runner
from tests.harness.evening import weekend
from tests.harness.evening.weekend import FINAL, planned, play_round, with_stages
from tests.tourney.stages.test_cuts import corrected, equal_seconds, final_of_eight
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import show
from tourney.service.events.status import status
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.stages.shown import standings

QUALIFYING = Stage("Qualifying", 1, "rotation")


def suggested(db: str) -> list[str]:
    """Return the commands that come next, without their first word."""
    return [shlex.join(each.words[1:]).replace(f" --db {db}", "") for each in status(db).next]


def typed(db: str) -> list[str]:
    """Return the first suggestion, with the players of a play-off hand where they are to be filled in."""
    found = status(db)
    words = list(found.next[0].words[1:])
    if "--playoff" in words and found.stages is not None:
        words[words.index("--playoff") + 1] = ",".join(player.shown for player in found.stages.undecided)
    return words


def make_over(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)


def make_tied(db: str) -> None:
    with_stages(db, 12, QUALIFYING, planned(FINAL, ties="play-off"))
    play_round(db, equal_seconds)


def make_unnamed(db: str) -> None:
    with_stages(db, 8, QUALIFYING, Stage("Final", 1, take="named", tables=1))
    play_round(db)


def make_left(db: str) -> None:
    order = final_of_eight(db)
    apply(db, WithdrawPlayers(None, [order[0]]))


STATES = [
    pytest.param(make_over, "round draw", id="the final can begin"),
    pytest.param(make_tied, "event cut --playoff", id="a play-off hand waits"),
    pytest.param(make_unnamed, "event cut --players", id="nobody is named"),
    pytest.param(make_left, "event cut --replace", id="a finalist has left"),
    pytest.param(corrected, "event cut --keep", id="a result was corrected"),
]


@pytest.mark.parametrize(("make", "first"), STATES)
def test_the_first_suggestion_does_what_the_stage_needs_and_runs(db: str, run: Runner, make, first: str) -> None:
    make(db)
    assert suggested(db)[0].startswith(first)
    assert run(*typed(db)).code == 0


@pytest.mark.parametrize("make", [corrected, make_left], ids=["a result was corrected", "a finalist has left"])
def test_the_status_offers_what_the_answer_to_a_correction_offers(db: str, make) -> None:
    """The next round and the sheets are suggested after these offers, however many there are."""
    make(db)
    lines = " ".join(standings(db).notes)
    offered = set(re.findall(r"`tourney ([^`]*)`", lines)) - {"round draw"}
    assert len(offered) == 3
    assert set(suggested(db)[:3]) == offered
    assert suggested(db)[3].startswith("result enter")


def test_a_weekend_can_be_run_by_suggestions_alone_but_for_the_sheets(db: str, run: Runner) -> None:
    with_stages(db, 12, QUALIFYING, planned(FINAL, ties="play-off"))
    for _step in range(40):
        found = status(db)
        if found.event is not None and found.event.state == "finished":
            break
        words = found.next[0].words[1:]
        if words[:2] == ("result", "enter"):
            table = found.open_tables[0].table
            weekend.enter(db, show(db), table, equal_seconds)
        else:
            assert run(*typed(db)).code == 0, words
    assert status(db).event.state == "finished"  # type: ignore[union-attr]


def test_the_status_says_which_stage_is_played_and_which_comes_next(db: str, run: Runner) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    assert "Now: Qualifying. Next: Final." in run("status", "--db", db).out
    play_round(db)
    assert "Begin Final: draw round 2" in run("status", "--db", db).out
    apply(db, DrawRound())
    shown = run("status", "--db", db, "--json").json
    assert (shown["stage"], shown["next_stage"]) == ("Final", None)


def test_players_who_are_out_are_not_late(db: str) -> None:
    with_stages(db, 8, QUALIFYING, FINAL)
    play_round(db)
    apply(db, DrawRound())
    assert status(db).late == ()
