"""Tests of events with fewer tables than the players would fill, from the start or since a table was lost."""

from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.rounds import Round
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import EnterPlayers, UseEvent, bot_seats
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.rounds import draw_round
from tourney.service.rounds.draw_round import DrawRound

NAMES = [f"P{number:02}" for number in range(1, 21)]


def create_event(db: str, rules: str = "oficial", people: int = 20, **settings: object) -> None:
    """Create an event of the first `people` of NAMES."""
    desk.people_in(db, NAMES, people, rules=rules, **settings)
    apply(db, UseEvent("Friday"))


def sizes(round_: Round) -> list[int]:
    return [len(table.players) for table in round_.tables]


@pytest.mark.slow
def test_a_table_lost_after_two_rounds_is_reported_and_byes_are_shared(db: str) -> None:
    """Twenty players at five tables of four, the largest that the rules allow, lose a table after round 2.

    In each of rounds 3 to 6 four players have a bye, nobody twice. The dry run reports exactly the tables that change.
    Undo restores the five tables.
    """
    create_event(db, rounds=6)
    for _round in range(2):
        apply(db, DrawRound())
    planned = preview(db, ChangeSettings(None, {"minutes": 9})).outcome.event.settings
    assert planned.tables is None
    changes = preview(db, ChangeSettings(None, {"tables": 4})).outcome.ahead
    assert changes is not None
    assert all({p.name for p in change.before} != {p.name for p in change.after} for change in changes)
    apply(db, ChangeSettings(None, {"tables": 4}))
    drawn = {number: apply(db, DrawRound()).rounds[0] for number in range(3, 7)}
    assert [sizes(round_) for round_ in drawn.values()] == [[4, 4, 4, 4]] * 4
    assert len({player for round_ in drawn.values() for player in round_.sitting_out}) == 16
    assert {change.round: change.after for change in changes if change.number is None} == {
        number: round_.sitting_out for number, round_ in drawn.items()
    }
    for change in [change for change in changes if change.number is not None]:
        tables = {table.number: set(table.players) for table in drawn[change.round].tables}
        assert tables.get(change.number, set()) == set(change.after)
    assert draw_round.verify(db).agree
    for _change in range(5):
        apply(db, Undo())
    assert sizes(apply(db, DrawRound()).rounds[0]) == [4] * 5


@pytest.mark.parametrize("format", ["rotation", "swiss", "rated swiss", "snake", "random"])
def test_tables_are_larger_where_the_rules_allow_it(db: str, format: str) -> None:
    """Twenty players at three tables sit at 7, 7 and 6 by rules for eight; with `short = sit out` at 4, 4 and 4."""
    create_event(db, "fournier", rounds=3, format=format, tables=3)
    assert sorted(sizes(apply(db, DrawRound(anyway=True)).rounds[0])) == [6, 7, 7]
    apply(db, ChangeSettings(None, {"short": "sit out"}))
    second = apply(db, DrawRound(anyway=True)).rounds[0]
    assert (sizes(second), len(second.sitting_out)) == ([4, 4, 4], 8)


def test_bots_do_not_count_among_the_tables(db: str) -> None:
    """Eight people have one table of four; eight bots play at two more tables."""
    create_event(db, people=8, rounds=2, tables=1)
    apply(db, EnterPlayers("Friday", bots=bot_seats("greedy:8")))
    round_ = apply(db, DrawRound()).rounds[0]
    kinds = [{player.kind for player in table.players} for table in round_.tables]
    assert kinds == [{"person"}, {"bot"}, {"bot"}]
    assert len(round_.sitting_out) == 4


def test_a_file_cannot_seat_more_tables_than_the_event_has(db: str, tmp_path: Path) -> None:
    """A file with one of two tables leaves the rest to the other; three tables, or a table of five, are refused."""
    create_event(db, people=12, rounds=2, tables=2)
    file = tmp_path / "tables.csv"
    file.write_text("round,table,seat,player\n" + "".join(f"1,1,{seat},P0{seat}\n" for seat in range(1, 5)))
    round_ = apply(db, DrawRound(file=file)).rounds[0]
    assert (sizes(round_), len(round_.sitting_out)) == ([4, 4], 4)
    rows = "".join(f"1,{1 + at // 4},{1 + at % 4},{NAMES[at]}\n" for at in range(12))
    file.write_text("round,table,seat,player\n" + rows)
    with desk.refused(ExitCode.REFUSED, "the file seats 3 tables, and Friday has 2", "--tables"):
        apply(db, DrawRound(file=file))
    file.write_text("round,table,seat,player\n" + "".join(f"1,1,{seat},P0{seat}\n" for seat in range(1, 6)))
    with desk.refused(ExitCode.REFUSED, "round 1, table 1: the table has 5 players", "a table has 2 to 4 players"):
        apply(db, DrawRound(file=file))


def test_an_additional_round_leaves_the_planned_rounds_unchanged(db: str) -> None:
    """Three of five rounds are still to be drawn; with a sixth they do not change."""
    create_event(db, rounds=5)
    for _round in range(2):
        apply(db, DrawRound())
    changes = preview(db, ChangeSettings(None, {"rounds": 6})).outcome.ahead
    assert changes is not None
    assert {change.round for change in changes} == {6}


def test_a_constraint_during_the_event_changes_few_tables(db: str) -> None:
    """Keep apart two players who are planned to share a table in round 2 of 3: that table changes, and in both rounds
    together at most six."""
    create_event(db, rounds=3)
    apply(db, DrawRound())
    player, opponent = preview(db, DrawRound()).outcome.rounds[0].tables[0].players[:2]
    apply(db, ConstrainSeating(None, [f"{player.name},{opponent.name}"]))
    changes = preview(db, DrawRound()).outcome.ahead
    assert changes is not None
    assert (2, 1) in {(change.round, change.number) for change in changes}
    assert len(changes) <= 6
    apply(db, DrawRound())
    assert draw_round.verify(db).agree
