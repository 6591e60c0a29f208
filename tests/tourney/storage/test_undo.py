"""Tests of undo and redo: they reach the first entry, and the index tables always follow from the valid entries."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, done
from tests.harness.disk import season
from tests.harness.effort import effort
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, Ruling
from tourney.domain.rounds import Round, Table
from tourney.domain.rules import RulesRef
from tourney.service import database
from tourney.storage.journal import kinds
from tourney.storage.journal.kinds import KINDS
from tourney.storage.person_names import NewPerson
from tourney.storage.session import reading, writing
from tourney.storage.store import Store
from tourney.storage.tables import COLUMNS, OUTSIDE

INDEX_TABLES = [name for name in COLUMNS if name not in {*OUTSIDE, "head", "step", "trace", "undone", "counter"}]
"""The tables that hold the current state; the other tables hold its history."""


def _index_rows(db: str) -> dict[str, list[tuple]]:
    return {name: desk.query(db, f'SELECT * FROM "{name}" ORDER BY 1, 2, 3') for name in INDEX_TABLES}


def _filled(db: str) -> dict[str, list[tuple]]:
    return {name: rows for name, rows in _index_rows(db).items() if rows}


def outcome(closer: int, seats: int = 4) -> Outcome:
    """Return an outcome of one hand: the closer has 0 points, every other player 20 plus 10 times the seat."""
    points = tuple(0 if seat == closer else 20 + 10 * seat for seat in range(seats))
    places = tuple(1 + sorted(points).index(player_points) for player_points in points)
    won = tuple(int(seat == closer) for seat in range(seats))
    return Outcome((HandScore("TT", points, closer, False),), points, won, places)


def draft_round(event: Event, number: int, players: list[Player]) -> Round:
    """Return a round with tables of four players in the given order; the remaining players have a bye."""
    full = len(players) // 4 * 4
    tables = tuple(Table(number, start // 4 + 1, tuple(players[start : start + 4])) for start in range(0, full, 4))
    return Round(number, tables, tuple(entrant for entrant in event.entrants if entrant in players[full:]))


def _turn(db: str, which: str) -> int:
    """Undo or redo one command, as `which` says, and return the number of commands turned: 0 or 1."""
    with writing(db) as store:
        turn = store.journal.next_undo() if which == "undo" else store.journal.next_redo()
        if turn.entries:
            assert (store.undo if which == "undo" else store.redo)() == turn.entries
    return bool(turn.entries)


def test_a_change_of_every_kind_is_undone_down_to_the_first_entry_and_redone(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each undo and redo the index is row for row as it was there, and the fold of the entries that stand."""
    season.prepare(folder := tmp_path / "club")
    db = str(folder / "club.db")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TOURNEY_DB", db)
    states: list[dict[str, list[tuple]]] = [{}]
    for line in season.lines()[: season.lines().index("print wall Friday --output wall.html")]:
        if line.split()[0] not in ("db", "undo", "redo", "ratings") and "erase" not in line:
            done(run(*season.words(line, folder)))
            ((changes,),) = desk.query(db, "SELECT count(DISTINCT batch) FROM step")
            states += [_filled(db)] * (changes + 1 - len(states))
    made = {row[0] for row in desk.query(db, "SELECT DISTINCT kind FROM act")}
    assert made == {*KINDS, "undo", "redo"} - {"player.erase"}
    for which, others in (("undo", states[-2::-1]), ("redo", states[1:])):
        for state in others:
            assert _turn(db, which) == 1
            assert _filled(db) == state
            assert database.check(db).problems == ()
        assert _turn(db, which) == 0


def make_db(path: str) -> None:
    """The path of a database with Ana, Beñat, Carmen and Diego, each registered by a separate command."""
    for name in desk.NAMES[:4]:
        _add(path, name)


def _add(db: str, name: str) -> Player:
    with writing(db) as store:
        return store.people.add_persons([NewPerson(name, "", "")])[0]


def _names(db: str) -> list[str]:
    with reading(db) as reader:
        return [player.name for player in reader.people.players()]


def test_undoing_a_registration_frees_the_name_and_redoing_brings_it_back(db: str) -> None:
    """While the name is free, another player may take it, and gets a new number."""
    _turn(db, "undo")
    assert _names(db) == ["Ana", "Beñat", "Carmen"]
    _turn(db, "redo")
    assert _names(db) == ["Ana", "Beñat", "Carmen", "Diego"]
    _turn(db, "undo")
    assert _add(db, "DIEGO").id == 5
    assert _turn(db, "redo") == 0
    assert database.check(db).problems == ()


def test_undoing_a_renaming_restores_the_name_before(db: str) -> None:
    """Two renamings are undone and one is redone; a former name can then be given to another player."""
    for name in ("Ane", "Anne"):
        with writing(db) as store:
            store.people.rename(store.people.players()[0], name, "", "")
    for expected in ("Ane", "Ana"):
        _turn(db, "undo")
        assert _names(db)[0] == expected
    _turn(db, "redo")
    assert _names(db)[0] == "Ane"
    _add(db, "Ana")
    with pytest.raises(sqlite3.IntegrityError), closing(sqlite3.connect(db)) as connection:
        connection.execute("UPDATE person SET folded = 'ane' WHERE player = 2")
    assert database.check(db).problems == ()


def test_erasing_cannot_be_undone_but_earlier_changes_can(db: str) -> None:
    """Undo skips the erasure and reports it; the erased name is nowhere in the file, also after redo."""
    with writing(db) as store:
        store.people.rename(store.people.players()[3], "Zacarias", "", "")
    with writing(db) as store:
        store.people.erase(store.people.players()[3])
        turn = store.journal.next_undo()
    assert [entry.kind for entry in turn.entries] == ["player.rename"]
    assert [entry.kind for entry in turn.skipped] == ["player.erase"]
    for which in ("undo", "undo", "redo", "redo"):
        _turn(db, which)
        assert _names(db)[3:] in ([], ["erased-4"])
        assert database.check(db).problems == ()
    assert _names(db) == ["Ana", "Beñat", "Carmen", "erased-4"]
    content = Path(db).read_bytes()
    assert b"Carmen" in content
    assert b"Zacarias" not in content
    assert b"Diego" not in content


def test_a_new_change_ends_the_possibility_to_redo(db: str) -> None:
    """After a new change there is nothing to redo, although one change is still undone."""
    _turn(db, "undo")
    _turn(db, "undo")
    _turn(db, "redo")
    _add(db, "Elena")
    with desk.refused(ExitCode.REFUSED, "nothing to redo"), writing(db) as store:
        store.redo()
    _turn(db, "undo")
    _turn(db, "redo")
    assert _names(db) == ["Ana", "Beñat", "Carmen", "Elena"]


def test_there_is_nothing_to_undo_once_everything_is_undone(db: str) -> None:
    """Check that undo is refused with a hint and adds no entry."""
    for _time in range(4):
        _turn(db, "undo")
    with desk.refused(ExitCode.REFUSED, "nothing to undo", "tourney log"), writing(db) as store:
        store.undo()
    assert desk.query(db, "SELECT count(*) FROM act") == [(8,)]


def test_a_command_is_undone_whole_and_its_dry_run_changes_nothing(tmp_path: Path) -> None:
    """The command is the import of an evening, which has many entries in one batch."""
    db = desk.evening(tmp_path / "club.db")
    before = _index_rows(db)
    with writing(db, dry_run=True) as store:
        kinds = [entry.kind for entry in store.undo()]
        assert store.events.names() == {}
    assert kinds[:2] == ["event.new", "event.enter"]
    assert _index_rows(db) == before
    _turn(db, "undo")
    assert {name for name, rows in _index_rows(db).items() if rows} == {"player", "seal"}
    _turn(db, "redo")
    assert _index_rows(db) == before


def test_merging_two_entrants_leaves_one_in_every_event(db: str) -> None:
    """Seats, byes and rulings move to the remaining player, who keeps the lower number and the better state."""
    with writing(db) as store:
        ana, benat, carmen, diego = store.people.players()
        first_event = store.events.enter(
            store.events.new(EventSettings("Both", "oficial"), RulesRef("oficial")), (benat, ana, carmen, diego)
        )
        store.changed(kinds.people.PlayersWithdrawn.of(first_event, [benat], "no-show", ""))
        store.rounds.draw(first_event, Round(1, (Table(1, 1, (benat, carmen)),), (ana, diego)))
        store.rounds.draw(first_event, Round(2, (Table(2, 1, (ana, carmen)),), (diego,)))
        second_event = store.events.enter(
            store.events.new(EventSettings("One", "oficial"), RulesRef("oficial")), (carmen, benat)
        )
        store.rounds.draw(second_event, Round(1, (), (benat, carmen)))
        store.add(kinds.results.RulingAdded.of(second_event, Ruling(0, "", "penalty", "late", player=benat, points=10)))
    with writing(db) as store:
        store.events.merge(ana, benat)
    with reading(db) as reader:
        first_event, second_event = reader.events.get(1), reader.events.get(2)
        assert (first_event.entrants, first_event.states) == ((ana, carmen, diego), ("entered",) * 3)
        first, second = reader.rounds.of(first_event)
        assert (first.tables[0].players, first.sitting_out) == ((ana, carmen), (diego,))
        assert (second.tables[0].players, second.sitting_out) == ((ana, carmen), (diego,))
        assert second_event.entrants == (carmen, ana)
        assert reader.rounds.of(second_event)[0].sitting_out == (carmen, ana)
        assert reader.results.rulings(second_event)[0].player == ana
        assert reader.people.players() == (ana, carmen, diego)
    assert database.check(db).problems == ()


@pytest.mark.slow
def test_undoing_is_quick_in_a_large_event_beside_others(new_db: str) -> None:
    """Undo in one of two events of 200 players, 8 rounds of 50 tables and results: as long as 42 million passes."""
    with writing(new_db) as store:
        people = store.people.add_persons([NewPerson(f"Player {number}", "", "") for number in range(200)])
        for name in ("First", "Second"):
            _large(store, name, people)
    with writing(new_db) as store:
        event = store.events.get(2)
        table = store.rounds.of(event)[7].tables[49]
        store.write(kinds.results.ResultCorrected.of(event, table, outcome(0), "a slip"))
    with writing(new_db) as store:
        store.changed(kinds.people.PlayersWithdrawn.of(store.events.get(2), people[:1], "withdrawn", "has gone home"))
    for which in ("undo", "undo", "redo", "redo"):
        assert effort(lambda turn=which: _turn(new_db, turn)) < 42
    assert database.check(new_db).problems == ()


def _large(store: Store, name: str, people: tuple[Player, ...]) -> None:
    """Create an event with these people: 8 drawn rounds, every table with a result."""
    event = store.events.enter(store.events.new(EventSettings(name, "oficial"), RulesRef("oficial")), people)
    for number in range(1, 9):
        round_ = draft_round(event, number, list(people))
        store.rounds.draw(event, round_)
        for table in round_.tables:
            store.write(kinds.results.ResultEntered.of(event, table, outcome(number % 4)))
