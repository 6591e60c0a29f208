"""Tests of what the standings say of results that are not in yet."""

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.service.change import apply
from tourney.service.results import standings
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound


def test_the_standings_name_the_tables_without_a_result_round_by_round(run: Runner, db: str) -> None:
    """Of twelve people at three tables a round, table 2 of round 1 and two tables of round 2 are missing.

    A void result is one, standings after round 1 leave round 2 out, and JSON is as before.
    """
    desk.event(db, 8, "greedy:4")
    for spots in (((1, 1), (1, 3)), ((2, 3),)):
        apply(db, DrawRound())
        for number, table in spots:
            players = rounds.show(db, None, number).rounds[0].tables[table - 1].players
            apply(db, EnterResult(None, number, table, desk.hands([player.shown for player in players])))
    apply(db, VoidResult(None, 1, 1, "a card too many"))
    missing = "Results are not in yet: round 1, table 2; round 2, tables 1, 2."
    assert f"\n{missing}\n" in run("standings", "--db", db).out
    assert "\nA result is not in yet: round 1, table 2.\n" in run("standings", "--round", "1", "--db", db).out
    assert missing not in run("standings", "--db", db, "--json").err
    assert len(standings.standings(db).waiting) == 3
