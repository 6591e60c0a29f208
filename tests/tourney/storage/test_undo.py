"""Undo and redo: linear, as deep as the journal, and what is left is what a fold of all that stands gives."""

import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import Constraint, Event, EventSettings
from tourney.domain.leagues import League
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, Ruling
from tourney.domain.rounds import Clock, Round, Table
from tourney.domain.rules import RulesRef
from tourney.service import database
from tourney.storage.journal.kinds import KINDS
from tourney.storage.person_names import NewPerson
from tourney.storage.schema import METADATA, OUTSIDE
from tourney.storage.session import reading, writing
from tourney.storage.write import Store

INDEX = [name for name in METADATA.tables if name not in {*OUTSIDE, "head", "step", "trace", "undone", "counter"}]
"""The tables that say what is so now; the others say how it became so."""


def _index(db: str) -> dict[str, list[tuple]]:
    return {name: desk.query(db, f'SELECT * FROM "{name}" ORDER BY 1, 2, 3') for name in INDEX}


def outcome(closer: int, seats: int = 4) -> Outcome:
    """One hand: the closer 0, the others 10 times the seat and 20."""
    points = tuple(0 if seat == closer else 20 + 10 * seat for seat in range(seats))
    places = tuple(1 + sorted(points).index(each) for each in points)
    won = tuple(int(seat == closer) for seat in range(seats))
    return Outcome((HandScore("TT", points, closer, False),), points, won, places)


def drawn(event: Event, number: int, players: list[Player]) -> Round:
    """Tables of four in that order; who is left over sits out."""
    full = len(players) // 4 * 4
    tables = tuple(Table(number, at // 4 + 1, tuple(players[at : at + 4])) for at in range(0, full, 4))
    return Round(number, tables, tuple(entrant for entrant in event.entrants if entrant in players[full:]))


class Evening:
    """Does one random thing after another to a database, each in a command of its own."""

    def __init__(self, db: str, seed: int) -> None:
        self.db, self.chance, self.count = db, random.Random(seed), 0

    def step(self) -> None:
        """Make one change of any kind that is possible now; some are made together in one command."""
        with writing(self.db) as store:
            for _act in range(self.chance.choice((1, 1, 1, 2))):
                self._act(store)

    def _act(self, store: Store) -> None:
        self.count += 1
        if self.count % 20 == 0:
            self._league(store)
        people = [
            player for player in store.players() if player.kind == "person" and not player.name.startswith("erased")
        ]
        events = [store.event(number) for number in store.event_names()]
        if len(people) < 8 or self.chance.random() < 0.05:
            store.add_persons([NewPerson(f"Player {self.count}", "", ""), NewPerson("Twin", str(self.count), "Getxo")])
        elif not events or self.chance.random() < 0.02:
            store.new_event(EventSettings(f"Event {self.count}", "oficial"), RulesRef("oficial", "digest", "text"))
        else:
            self.chance.choice((self._person, *[self._of_event] * 5))(store, people, events)

    def _league(self, store: Store) -> None:
        """A new one and another bot for the newest in turn, whatever else happens."""
        known = store.leagues()
        if known and self.count % 40 == 0:
            store.join_league(max(known), ["random"])
        else:
            store.new_league(League(("greedy", "random"), "oficial", 4, str(self.count), 10), "0.1.0")

    def _person(self, store: Store, people: list[Player], events: list[Event]) -> None:
        one, other = self.chance.sample(people, 2)
        what = self.chance.random()
        if what < 0.5:
            store.rename(one, f"Renamed {self.count}", self.chance.choice(("", "Bilbao")), "")
        elif what < 0.6:
            store.erase(one)
        elif what < 0.7:
            store.add_bots([f"greedy-{self.count}"])
        elif not self._meet(store, events, one, other):
            store.merge(one, other)

    @staticmethod
    def _meet(store: Store, events: list[Event], one: Player, other: Player) -> bool:
        seats = [{who for at in each.tables for who in at.players} for event in events for each in store.rounds(event)]
        return any({one, other} <= there for there in seats)

    def _of_event(self, store: Store, people: list[Player], events: list[Event]) -> None:
        event = self.chance.choice(events)
        new = [person for person in people if person not in event.entrants]
        if new and self.chance.random() < (0.9 if len(event.entrants) < 8 else 0.1):
            store.enter(event, new[:8])
        elif len(event.entrants) >= 8:
            self.chance.choice((self._states, self._settings, self._rounds, *[self._results] * 3, self._rulings))(
                store, event
            )

    def _states(self, store: Store, event: Event) -> None:
        some = self.chance.sample(event.entrants, 2)
        withdraw: Callable[[], object] = lambda: store.withdraw(event, some, "no-show", "not seen")  # noqa: E731
        self.chance.choice((lambda: store.check_in(event, some), withdraw, lambda: store.bring_back(event, some)))()

    def _settings(self, store: Store, event: Event) -> None:
        changed = replace(event.settings, name=f"Event {self.count}", minutes=self.count, stake=self.count)
        change: Callable[[], object] = lambda: store.set_event(event, changed)  # noqa: E731
        self.chance.choice((change, lambda: store.finish(event), lambda: store.reopen(event, "a mistake")))()
        if self.chance.random() < 0.2:
            store.use_event(event)
            store.constrain(event, [Constraint("apart", event.entrants[:2])])

    def _rounds(self, store: Store, event: Event) -> None:
        rounds, players = store.rounds(event), list(event.entrants)
        self.chance.shuffle(players)
        if not rounds or self.chance.random() < 0.4:
            store.draw(event, drawn(event, len(rounds) + 1, players))
            return
        last = rounds[-1]
        done = {at for number, at in store.finished(event.id) if number == last.number}
        what = self.chance.random()
        if what < 0.3:
            store.start_clock(event, last.number, self.chance.choice((None, Clock("2026-11-20T20:00:00Z", 45))))
        elif what < 0.6 or store.finished(event.id) - store.void(event.id) & {(last.number, at) for at in done}:
            store.reseat(event, self._moved(event, last, done), "somebody came late")
        else:
            store.cancel_round(event, last.number, "drawn too early")

    def _moved(self, event: Event, last: Round, done: set[int]) -> Round:
        """The round with everybody at tables without a result seated anew, and those who sat out among them."""
        free = [player for at in last.tables if at.number not in done for player in at.players] + list(last.sitting_out)
        self.chance.shuffle(free)
        tables = [at for at in last.tables if at.number in done]
        for at in last.tables:
            if at.number not in done:
                tables.append(replace(at, players=tuple(free[:4])))
                free = free[4:]
        return Round(last.number, tuple(sorted(tables, key=lambda at: at.number)), tuple(free))

    def _results(self, store: Store, event: Event) -> None:
        tables = [at for round_ in store.rounds(event) for at in round_.tables if len(at.players) == 4]
        if not tables:
            return
        at, counts = self.chance.choice(tables), store.finished(event.id) - store.void(event.id)
        if (at.round, at.number) not in counts:
            if self.count % 3 == 0:
                store.discard_partial_sheet(event, at, ("TT",), "another table's")
            store.keep_result(event, at, outcome(self.chance.randrange(4)), record=self.chance.choice(("", "a record")))
        elif self.chance.random() < 0.5:
            store.correct_result(event, at, outcome(self.chance.randrange(4)), "a slip")
        else:
            store.void_result(event, at, "set aside")

    def _rulings(self, store: Store, event: Event) -> None:
        standing = [ruling for ruling in store.rulings(event) if ruling.state == "stands"]
        if standing and self.chance.random() < 0.4:
            store.cancel_ruling(event, standing[0].number, "settled")
        else:
            who = self.chance.choice(event.entrants)
            store.add_ruling(event, Ruling(0, "", "penalty", "a phone", player=who, points=20))


def test_after_every_undo_and_redo_the_index_is_the_fold_of_what_stands(tmp_path: Path) -> None:
    """Undo and redo changes of all kinds at random: `db check` folds the whole journal and agrees."""
    db = str(tmp_path / "club.db")
    _walk(db, 6, 200)
    kinds = {row[0] for row in desk.query(db, "SELECT DISTINCT kind FROM act")}
    assert kinds == {*KINDS, "undo", "redo"} - {"pool.new", "pool.set", "rating.import"}


@pytest.mark.soak
def test_a_long_walk_ends_as_its_journal_says(tmp_path: Path) -> None:
    """Check a walk of two thousand steps."""
    _walk(str(tmp_path / "club.db"), 77, 2000)


def _walk(db: str, seed: int, steps: int) -> None:
    evening, turned = Evening(db, seed), {"undo": 0, "redo": 0}
    for step in range(steps):
        what = evening.chance.random()
        if step < 30 or what < 0.6:
            evening.step()
        else:
            turned["undo" if what < 0.82 else "redo"] += _turn(db, "undo" if what < 0.82 else "redo")
        if step % 20 == 0:
            assert database.check(db).problems == ()
    assert database.check(db).problems == ()
    assert min(turned.values()) > steps / 40


def _turn(db: str, which: str) -> int:
    with writing(db) as store:
        turn = store.next_undo() if which == "undo" else store.next_redo()
        if turn.entries:
            assert (store.undo if which == "undo" else store.redo)() == turn.entries
    return bool(turn.entries)


def test_everything_can_be_undone_to_the_first_entry_and_put_back_again(tmp_path: Path) -> None:
    """As deep as the journal: the index is empty then, and afterwards row for row what it was."""
    db = str(tmp_path / "club.db")
    evening = Evening(db, 5)
    for _step in range(50):
        with writing(db) as store:
            evening._act(store)
    before = _index(db)
    steps = 0
    while _turn(db, "undo"):
        steps += 1
    assert steps == desk.query(db, "SELECT count(DISTINCT batch) FROM step WHERE state = 'undone'")[0][0] > 30
    assert {name: rows for name, rows in _index(db).items() if rows} == {}
    while _turn(db, "redo"):
        steps -= 1
    assert steps == 0
    assert _index(db) == before
    assert database.check(db).problems == ()


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Ana, Beñat, Carmen and Diego, each registered by a command of their own."""
    path = str(tmp_path / "club.db")
    for name in desk.NAMES[:4]:
        _add(path, name)
    return path


def _add(db: str, name: str) -> Player:
    with writing(db) as store:
        return store.add_persons([NewPerson(name, "", "")])[0]


def _names(db: str) -> list[str]:
    with reading(db) as reader:
        return [player.name for player in reader.players()]


def test_undoing_a_registration_frees_the_name_and_redoing_brings_it_back(db: str) -> None:
    """And while it was free somebody else could take it; no number is given out twice."""
    _turn(db, "undo")
    assert _names(db) == ["Ana", "Beñat", "Carmen"]
    _turn(db, "redo")
    assert _names(db) == ["Ana", "Beñat", "Carmen", "Diego"]
    _turn(db, "undo")
    assert _add(db, "DIEGO").id == 5
    assert _turn(db, "redo") == 0
    assert database.check(db).problems == ()


def test_a_renaming_is_undone_to_the_name_before(db: str) -> None:
    """Twice renamed, twice undone, once redone; the names given up can be taken meanwhile."""
    for name in ("Ane", "Anne"):
        with writing(db) as store:
            store.rename(store.players()[0], name, "", "")
    for expected in ("Ane", "Ana"):
        _turn(db, "undo")
        assert _names(db)[0] == expected
    _turn(db, "redo")
    assert _names(db)[0] == "Ane"
    _add(db, "Ana")
    with pytest.raises(sqlite3.IntegrityError), closing(sqlite3.connect(db)) as connection:
        connection.execute("UPDATE person SET folded = 'ane' WHERE player = 2")
    assert database.check(db).problems == ()


def test_erasing_cannot_be_undone_and_what_was_before_it_can(db: str) -> None:
    """Undo passes over the erasure, and says so; the erased name is nowhere in the file, redo or not."""
    with writing(db) as store:
        store.rename(store.players()[3], "Zacarias", "", "")
    with writing(db) as store:
        store.erase(store.players()[3])
        turn = store.next_undo()
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


def test_something_new_ends_the_possibility_to_redo(db: str) -> None:
    """Otherwise two histories would be mixed."""
    _turn(db, "undo")
    _turn(db, "undo")
    _turn(db, "redo")
    _add(db, "Elena")
    with desk.refused(ExitCode.REFUSED, "nothing to redo"), writing(db) as store:
        store.redo()
    _turn(db, "undo")
    _turn(db, "redo")
    assert _names(db) == ["Ana", "Beñat", "Carmen", "Elena"]


def test_there_is_nothing_to_undo_in_a_journal_all_undone(db: str) -> None:
    """One clear line, and nothing is written."""
    for _time in range(4):
        _turn(db, "undo")
    with desk.refused(ExitCode.REFUSED, "nothing to undo", "tourney log"), writing(db) as store:
        store.undo()
    assert desk.query(db, "SELECT count(*) FROM act") == [(8,)]


def test_a_command_is_undone_whole_and_its_dry_run_leaves_nothing(tmp_path: Path) -> None:
    """Check an imported evening, which is one batch of many entries."""
    db = desk.evening(tmp_path / "club.db")
    before = _index(db)
    with writing(db, dry_run=True) as store:
        kinds = [entry.kind for entry in store.undo()]
        assert store.event_names() == {}
    assert kinds[:2] == ["event.new", "event.enter"]
    assert _index(db) == before
    _turn(db, "undo")
    assert {name for name, rows in _index(db).items() if rows} == {"player", "seal"}
    _turn(db, "redo")
    assert _index(db) == before


def test_the_log_tells_what_stands(db: str) -> None:
    """Check that each change is listed once, in order, with its state."""
    for which in ("undo", "undo", "redo"):
        _turn(db, which)
    with reading(db) as reader:
        entries = [(entry.number, entry.kind, entry.state) for entry in reader.entries()]
    assert entries == [
        (1, "player.add", "stands"),
        (2, "player.add", "stands"),
        (3, "player.add", "stands"),
        (4, "player.add", "undone"),
        (5, "undo", "takes back"),
        (6, "undo", "takes back"),
        (7, "redo", "puts back"),
    ]


def test_two_entries_of_one_person_become_one_in_every_event(db: str) -> None:
    """By hand: seats, sittings-out and rulings move over, the lower number stays with the better state."""
    with writing(db) as store:
        ana, benat, carmen, diego = store.players()
        both = store.enter(
            store.new_event(EventSettings("Both", "oficial"), RulesRef("oficial")), (benat, ana, carmen, diego)
        )
        store.withdraw(both, [benat], "no-show", "")
        store.draw(both, Round(1, (Table(1, 1, (benat, carmen)),), (ana, diego)))
        store.draw(both, Round(2, (Table(2, 1, (ana, carmen)),), (diego,)))
        one = store.enter(store.new_event(EventSettings("One", "oficial"), RulesRef("oficial")), (carmen, benat))
        store.draw(one, Round(1, (), (benat, carmen)))
        store.add_ruling(one, Ruling(0, "", "penalty", "late", player=benat, points=10))
    with writing(db) as store:
        store.merge(ana, benat)
    with reading(db) as reader:
        both, one = reader.event(1), reader.event(2)
        assert (both.entrants, both.states) == ((ana, carmen, diego), ("entered",) * 3)
        first, second = reader.rounds(both)
        assert (first.tables[0].players, first.sitting_out) == ((ana, carmen), (diego,))
        assert (second.tables[0].players, second.sitting_out) == ((ana, carmen), (diego,))
        assert one.entrants == (carmen, ana)
        assert reader.rounds(one)[0].sitting_out == (carmen, ana)
        assert reader.rulings(one)[0].player == ana
        assert reader.players() == (ana, carmen, diego)
    assert database.check(db).problems == ()


def test_two_who_sat_in_one_round_are_not_one_person(db: str) -> None:
    """The event and the round are named, and nothing is changed."""
    with writing(db) as store:
        event = store.enter(store.new_event(EventSettings("Friday", "oficial"), RulesRef("oficial")), store.players())
        store.draw(event, drawn(event, 1, list(event.entrants)))
    with desk.refused(ExitCode.REFUSED, "round 1 of Friday", "Ana", "Beñat"), writing(db) as store:
        store.merge(*store.players()[:2])
    assert len(_names(db)) == 4


def test_undoing_is_quick_in_a_large_event_beside_others(tmp_path: Path) -> None:
    """200 players, 8 rounds of 50 tables with results, and another event as large: half a second is the limit."""
    db = str(tmp_path / "club.db")
    with writing(db) as store:
        people = store.add_persons([NewPerson(f"Player {number}", "", "") for number in range(200)])
        for name in ("First", "Second"):
            _large(store, name, people)
    with writing(db) as store:
        event = store.event(2)
        at = store.rounds(event)[7].tables[49]
        store.correct_result(event, at, outcome(0), "a slip")
    with writing(db) as store:
        store.withdraw(store.event(2), people[:1], "withdrawn", "has gone home")
    for which in ("undo", "undo", "redo", "redo"):
        began = time.process_time()
        _turn(db, which)
        assert time.process_time() - began < 0.5
    assert database.check(db).problems == ()


def _large(store: Store, name: str, people: tuple[Player, ...]) -> None:
    event = store.enter(store.new_event(EventSettings(name, "oficial"), RulesRef("oficial")), people)
    for number in range(1, 9):
        round_ = drawn(event, number, list(people))
        store.draw(event, round_)
        for at in round_.tables:
            store.keep_result(event, at, outcome(number % 4))
