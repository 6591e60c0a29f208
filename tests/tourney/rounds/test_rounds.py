"""Tests of drawing rounds and of playing the tables of bots."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.rating_steps import rate
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.schedule import Schedule
from tourney.ratings.parameters import Parameters
from tourney.rulebook import records
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent, bot_seats
from tourney.service.impact import preview
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.results import results, standings
from tourney.service.rounds import bot_tables, edit_round, rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import MovePlayer


def _names(schedule: Schedule) -> list[list[list[str]]]:
    return [[[player.shown for player in table.players] for table in round_.tables] for round_ in schedule.rounds]


def test_drawn_rounds_do_not_change_when_more_are_drawn(db: str) -> None:
    """Everybody sits once in each of three rounds; a fourth round is refused."""
    desk.event(db, 8, rounds=3, seed="club")
    drawn = [apply(db, DrawRound()) for _round in range(3)]
    shown = rounds.show(db)
    assert [schedule.rounds[0] for schedule in drawn] == list(shown.rounds)
    assert [round_.number for round_ in shown.rounds] == [1, 2, 3]
    for tables in _names(shown):
        assert sorted(name for table in tables for name in table) == sorted(desk.NAMES)
        assert [len(table) for table in tables] == [4, 4]
    assert drawn[1].notes[:-1] == ("Round 1: 2 tables without a result.",)
    with desk.refused(ExitCode.REFUSED, "all 3 rounds of Friday are drawn"):
        apply(db, DrawRound())


def test_a_dry_run_of_a_draw_returns_the_draw_that_follows(db: str) -> None:
    """The dry run draws nothing."""
    desk.event(db, 8)
    dry = preview(db, DrawRound()).outcome
    assert rounds.show(db).rounds == ()
    assert apply(db, DrawRound()) == dry


@pytest.mark.parametrize(
    ("people", "bots", "kinds"),
    [
        (4, 4, [{"person"}, {"bot"}]),
        (3, 5, [{"person"}, {"bot"}, {"bot"}]),
        (8, 0, [{"person"}, {"person"}]),
        (1, 3, [{"person", "bot"}]),
        (3, 1, [{"person", "bot"}]),
        (0, 6, [{"bot"}, {"bot"}]),
    ],
)
def test_people_and_bots_sit_apart_where_each_can_fill_a_table(db: str, people: int, bots: int, kinds: list) -> None:
    """The engine can then play the bots' tables; a single person or bot sits with the other kind."""
    apply(db, RegisterPlayers(desk.NAMES))
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    apply(db, EnterPlayers("Friday", desk.NAMES[:people], bots=bot_seats(f"greedy:{bots}" if bots else "")))
    (round_,) = apply(db, DrawRound()).rounds
    assert [{player.kind for player in table.players} for table in round_.tables] == kinds
    assert sum(len(table.players) for table in round_.tables) == people + bots
    assert [table.number for table in round_.tables] == list(range(1, len(kinds) + 1))


def test_five_players_have_short_tables_or_a_bye_as_the_event_is_set(db: str) -> None:
    """Five players sit at tables of 3 and 2; or four sit and one has a bye, each player once in five rounds."""
    apply(db, RegisterPlayers(desk.NAMES))
    for name, short in (("short", "short tables"), ("out", "sit out")):
        apply(db, CreateEvent(EventSettings(name, "oficial", rounds=5, short=short)))
        apply(db, EnterPlayers(name, desk.NAMES[:5]))
        for _round in range(5):
            apply(db, DrawRound(name))
    assert [sorted(map(len, tables)) for tables in _names(rounds.show(db, "short"))] == [[2, 3]] * 5
    with_byes = rounds.show(db, "out").rounds
    assert [[len(table.players) for table in round_.tables] for round_ in with_byes] == [[4]] * 5
    assert sorted(player.name for round_ in with_byes for player in round_.sitting_out) == sorted(desk.NAMES[:5])


@pytest.mark.parametrize(("people", "code"), [(0, ExitCode.REFUSED), (1, ExitCode.REFUSED)])
def test_too_few_entrants_cannot_be_seated(db: str, people: int, code: ExitCode) -> None:
    """The hint names `tourney event enter`."""
    apply(db, RegisterPlayers(["Ana"]))
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    if people:
        apply(db, EnterPlayers("Friday", ["Ana"]))
    with desk.refused(code, "Friday", "tourney event enter"):
        apply(db, DrawRound())


def test_a_missing_round_or_table_is_refused(db: str) -> None:
    """The refusals name the rounds and tables that exist."""
    desk.event(db, 4)
    with desk.refused(ExitCode.REFUSED, "no round of Friday is drawn"):
        bot_tables.play(db)
    apply(db, DrawRound())
    with desk.refused(ExitCode.NOT_FOUND, "round 2", "1 of 3"):
        rounds.show(db, None, 2)
    with desk.refused(ExitCode.NOT_FOUND, "round 2"):
        standings.standings(db, None, 2)
    with desk.refused(ExitCode.NOT_FOUND, "no table 2", "its tables are 1"):
        results.show(db, None, 1, 2)
    with desk.refused(ExitCode.NOT_FOUND, "has no result", "result enter"):
        results.show(db, None, 1, 1)


def test_playing_keeps_each_table_with_its_record(db: str) -> None:
    """Bots' tables of all drawn rounds are played; their records replay to the results; people's tables wait."""
    desk.event(db, 3, "greedy:3", rounds=2, size=3)
    apply(db, DrawRound())
    apply(db, DrawRound())
    steps: list[tuple[int, int]] = []
    played = bot_tables.play(db, progress=lambda count, of: steps.append((count, of)))
    assert steps == [(1, 2), (2, 2)]
    assert [(result.table.round, result.table.number) for result in played.results] == [(1, 2), (2, 2)]
    assert [(table.round, table.number) for table in played.waiting] == [(1, 1), (2, 1)]
    assert results.show(db) == played.results
    for result in played.results:
        record = results.record(db, None, result.table.round, result.table.number)
        assert records.record_digest(record) == result.record_digest
        assert records.replay_record(record) == result.outcome
    assert bot_tables.play(db).results == ()


def test_a_single_round_can_be_played_and_a_dry_run_keeps_nothing(db: str) -> None:
    """Playing then returns what the dry run returned."""
    desk.event(db, 0, "greedy:2", rounds=2, size=2)
    apply(db, DrawRound())
    apply(db, DrawRound())
    second = bot_tables.BotTables(round=2)
    dry = bot_tables.play(db, second, dry_run=True)
    assert results.show(db) == ()
    assert bot_tables.play(db, second) == dry
    assert [result.table.round for result in results.show(db)] == [2]


def test_an_interrupted_play_keeps_the_tables_that_were_finished(db: str) -> None:
    """Playing again plays only the other tables."""
    desk.event(db, 0, "greedy:4", rounds=1, size=2)
    apply(db, DrawRound())

    def interrupt(count: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bot_tables.play(db, progress=interrupt)
    assert len(results.show(db)) == 1
    assert len(bot_tables.play(db).results) == 1


def test_a_table_edited_while_another_is_played_keeps_no_result(db: str) -> None:
    """After table 1 is played, two players of tables 2 and 3 swap; the next call of `play` plays these tables."""
    desk.event(db, 0, "greedy:6", rounds=1, size=2)
    _first, second, third = apply(db, DrawRound()).rounds[0].tables

    def edit(count: int, of: int) -> None:
        if count == 1:
            apply(db, MovePlayer(None, second.players[0].name, edit_round.Swap(third.players[0].name)))

    assert [result.table.number for result in bot_tables.play(db, progress=edit).results] == [1]
    assert [result.table.number for result in results.show(db)] == [1]
    again = bot_tables.play(db).results
    assert [result.table for result in again] == list(rounds.show(db).rounds[0].tables[1:])
    assert again[0].table.players == (third.players[0], second.players[1])
    assert database.check(db).problems == ()


def test_a_finished_event_is_not_played(db: str) -> None:
    """A finished event can be reopened."""
    desk.event(db, 0, "greedy:2", rounds=1, size=2)
    apply(db, DrawRound())
    apply(db, FinishEvent("Friday", incomplete=True))
    with desk.refused(ExitCode.REFUSED, "Friday is finished", "event reopen"):
        bot_tables.play(db)


def _played_bot_event(db: str) -> dict[str, object]:
    """Draw and play a bot event; return its reports and database tables by name, without journal times and ids."""
    apply(db, CreateEvent(EventSettings("Bots", "oficial", rounds=2, size=3, seed="same", date="2026-11-20")))
    apply(db, EnterPlayers("Bots", bots=bot_seats("greedy:4,random:2")))
    for _round in range(2):
        apply(db, DrawRound())
        bot_tables.play(db)
    shown = {"rounds": rounds.show(db), "results": results.show(db), "bots": ratings.ratings(db, "bots").rows}
    shown["standings"] = standings.standings(db).rows
    for name in desk.tables(db):
        if name not in ("act", "head"):
            shown[name] = desk.query(db, f'SELECT * FROM "{name}"')
    return shown


def test_the_same_seed_gives_the_same_records_standings_and_ratings_in_two_databases(tmp_path: Path) -> None:
    """Compare everything but the ids and times of journal entries."""
    first, second = _played_bot_event(str(tmp_path / "one.db")), _played_bot_event(str(tmp_path / "two.db"))
    assert len(first) > 15
    assert {name for name in first if repr(first[name]) != repr(second[name])} == set()
    assert database.check(str(tmp_path / "one.db")).problems == ()


def test_bots_are_rated_by_their_own_tables_with_tau_0(db: str) -> None:
    """Compare with the ratings package, called with the results in the order of rounds and tables."""
    _played_bot_event(db)
    games = [([player.name for player in result.table.players], result.outcome.places) for result in results.show(db)]
    expected = rate(games, Parameters(tau=0.0))
    rows = ratings.ratings(db, "bots").rows
    assert {row.player: (row.mu, row.sigma) for row in rows} == {
        name: (rating.mu, rating.sigma) for name, rating in expected.items()
    }
    assert ratings.ratings(db).rows == ()
