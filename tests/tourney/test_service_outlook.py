"""What coming and going would change in the rounds to come, told before it happens."""

from collections.abc import Sequence
from pathlib import Path

import desk
import pytest
from commands import Here

from tourney.domain import EventSettings, Round, TableChange
from tourney.service import events, mending, players, presence, rounds, settings

NAMES = [f"P{number:02}" for number in range(1, 26)]


@pytest.fixture
def db(tmp_path: Path) -> str:
    """24 people, two of six rounds drawn: 23 can go on without a repeat where one leaves."""
    db = str(tmp_path / "club.db")
    players.add(db, NAMES)
    events.new(db, EventSettings("Friday", "oficial", rounds=6))
    events.enter(db, "Friday", NAMES[:24])
    events.use(db, "Friday")
    for _round in range(2):
        rounds.draw(db)
    return db


def names(changes: Sequence[TableChange] | None) -> list[tuple[int, set[str], set[str]]]:
    assert changes is not None
    return [(one.round, {p.name for p in one.before}, {p.name for p in one.after}) for one in changes]


def rest(db: str) -> list[Round]:
    return [rounds.draw(db).rounds[0] for _round in range(4)]


def test_a_withdrawal_would_change_one_table_of_each_round_and_then_does(db: str) -> None:
    """He is missing where he was to sit; the dry run changes nothing, and the act does what the dry run said."""
    told = names(presence.withdraw(db, None, ["P05"], mode="dry run").ahead)
    assert [number for number, _before, _after in told] == [3, 4, 5, 6]
    assert all(after == before - {"P05"} and len(before) == 4 for _number, before, after in told)
    assert presence.withdraw(db, None, ["P05"]).ahead is None
    assert names(rounds.draw(db, mode="dry run").ahead) == told
    drawn = rest(db)
    for number, _before, after in told:
        assert after in [{player.name for player in table.players} for table in drawn[number - 3].tables]


def test_a_late_entry_is_told_with_the_table_that_is_new(db: str) -> None:
    """25 at seven tables: two tables of each round give one player each, and the last one had nobody before."""
    told = events.enter(db, "Friday", ["P25"], mode="dry run").ahead
    assert told is not None
    for number in range(3, 7):
        changed = [one for one in told if one.round == number]
        assert [(one.number, one.before) for one in changed][-1] == (7, ())
        assert len(changed) == 3
        assert sorted(len(one.after) for one in changed) == [3, 3, 3]
    events.enter(db, "Friday", ["P25"])
    tables = {(3 + at, table.number): set(table.players) for at, one in enumerate(rest(db)) for table in one.tables}
    assert {(one.round, one.number): set(one.after) for one in told}.items() <= tables.items()


def test_who_comes_back_finds_his_tables_again(db: str) -> None:
    """Gone and back between two draws: nothing has changed."""
    presence.withdraw(db, None, ["P05"])
    told = names(presence.bring_back(db, None, ["P05"], mode="dry run").ahead)
    assert all(before == after - {"P05"} for _number, before, after in told)
    presence.bring_back(db, None, ["P05"])
    assert rounds.draw(db, mode="dry run").ahead == ()


def test_a_round_mended_by_hand_changes_the_rounds_after_where_they_would_repeat(db: str) -> None:
    """Nobody has gone: what the draw would change is nothing, as the plan after the mending is the plan."""
    before = rounds.show(db).rounds[1]
    one, other = before.tables[0].players[0].name, before.tables[1].players[0].name
    mending.move(db, "Friday", one, mending.Swap(other))
    assert rounds.draw(db, mode="dry run").ahead == ()
    assert len(rest(db)) == 4


def test_a_setting_is_told_with_the_tables_that_it_changes(db: str) -> None:
    """A round fewer, and the six tables of the last are gone; smaller tables, and two more of them in each round."""
    fewer = settings.change(db, None, {"rounds": 5}, "dry run").ahead
    assert fewer is not None
    assert [(one.number, one.after) for one in fewer if one.round == 6] == [(number, ()) for number in range(1, 7)]
    assert settings.change(db, None, {"minutes": 50}, "dry run").ahead is None
    smaller = settings.change(db, None, {"size": 3}, "dry run").ahead
    assert smaller is not None
    assert [(one.number, one.before) for one in smaller if one.number > 6] == [(7, ()), (8, ())] * 4


def test_who_checks_in_late_is_told_with_his_tables(tmp_path: Path) -> None:
    """Where only who has checked in is seated: 24 of 25, then the last one."""
    db = str(tmp_path / "late.db")
    players.add(db, NAMES)
    events.new(db, EventSettings("Friday", "oficial", rounds=4, checkin="required"))
    events.enter(db, "Friday", NAMES)
    presence.check_in(db, "Friday", NAMES[:24])
    rounds.draw(db, "Friday")
    told = names(presence.check_in(db, "Friday", ["P25"], mode="dry run").ahead)
    assert [number for number, _before, after in told if "P25" in after] == [2, 3, 4]


@pytest.mark.parametrize("format", ["swiss", "rated swiss", "snake", "random"])
def test_where_nothing_is_planned_nothing_is_told(tmp_path: Path, format: str) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=3, format=format)
    rounds.draw(db)
    assert presence.withdraw(db, None, ["Ana"], mode="dry run").ahead is None
    assert rounds.draw(db, mode="dry run").ahead is None


def test_before_the_first_draw_nothing_is_told(tmp_path: Path) -> None:
    """Nobody has seen a plan."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=3)
    assert presence.withdraw(db, None, ["Ana"], mode="dry run").ahead is None


def test_the_desk_reads_the_change_table_by_table(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Four lines, one for each round, and the same as JSON."""
    here = Here(capsys)
    ran = here("event", "withdraw", "Friday", "P05", "--dry-run", "--db", db)
    assert "4 tables of the rounds to come change:\n" in ran.out
    assert len([line for line in ran.out.splitlines() if " → " in line]) == 4
    data = here("event", "withdraw", "Friday", "P05", "--dry-run", "--json", "--db", db).json["ahead"]
    assert [one["round"] for one in data] == [3, 4, 5, 6]
    assert all(set(one["before"]) - set(one["after"]) == {"P05"} for one in data)
    assert "The rounds to come stay as they were planned." in here("round", "draw", "--dry-run", "--db", db).out


def test_who_stays_stands_as_before(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """P05 is missing from four tables: the others stand in the same order on both sides."""
    ran = Here(capsys)("event", "withdraw", "Friday", "P05", "--dry-run", "--db", db)
    lines = [line.partition(": ")[2] for line in ran.out.splitlines() if " → " in line]
    pairs = [tuple(side.split(", ") for side in line.split(" → ")) for line in lines]
    assert len(pairs) == 4
    assert all(after == [name for name in before if name != "P05"] for before, after in pairs)


def test_who_will_sit_out_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Eight at two tables of four: at one table four sit out; for programs they have no table."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=2)
    rounds.draw(db)
    here = Here(capsys)
    words = ("event", "set", "Friday", "--tables", "1", "--dry-run", "--db", db)
    assert "\nround 2, sitting out: nobody → " in here(*words).out
    out = here(*words, "--json").json["ahead"][-1]
    assert (out["round"], out["table"], out["before"], len(out["after"])) == (2, None, [], 4)
