"""Tests of undo and redo: they reach the first entry, and the index tables always follow from the valid entries."""

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time
from timeit import timeit

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import Constraint, Event, EventSettings
from tourney.domain.leagues import League
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, PartialSheet, Ruling, SheetHand
from tourney.domain.rounds import Round, Table
from tourney.domain.rules import RulesRef
from tourney.domain.seasons import CountedEvent, SeasonSettings
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


def outcome(closer: int, seats: int = 4) -> Outcome:
    """Return an outcome of one hand: the closer has 0 points, every other player 20 plus 10 times the seat."""
    points = tuple(0 if seat == closer else 20 + 10 * seat for seat in range(seats))
    places = tuple(1 + sorted(points).index(player_points) for player_points in points)
    won = tuple(int(seat == closer) for seat in range(seats))
    return Outcome((HandScore("TT", points, closer, False),), points, won, places)


def _half_sheet(table: Table, points: int) -> tuple[SheetHand[int], ...]:
    """Return a hand that the first player of the table has closed."""
    return (SheetHand("TT", dict.fromkeys(range(len(table.players)), points) | {0: 0}, 0),)


def draft_round(event: Event, number: int, players: list[Player]) -> Round:
    """Return a round with tables of four players in the given order; the remaining players have a bye."""
    full = len(players) // 4 * 4
    tables = tuple(Table(number, start // 4 + 1, tuple(players[start : start + 4])) for start in range(0, full, 4))
    return Round(number, tables, tuple(entrant for entrant in event.entrants if entrant in players[full:]))


class RandomChanges:
    """Makes one random change of a database after another, each in a command of its own."""

    def __init__(self, db: str, seed: int) -> None:
        self.db, self.rng, self.count = db, random.Random(seed), 0

    def step(self) -> None:
        """Make one or two changes of any kind that is possible now, in one command."""
        with writing(self.db) as store:
            for _change in range(self.rng.choice((1, 1, 1, 2))):
                self._change(store)

    def _change(self, store: Store) -> None:
        self.count += 1
        if self.count % 20 == 0:
            self._league(store)
        people = [
            player
            for player in store.people.players()
            if player.kind == "person" and not player.name.startswith("erased")
        ]
        events = [store.events.get(number) for number in store.events.names()]
        if len(people) < 8 or self.rng.random() < 0.05:
            store.people.add_persons(
                [NewPerson(f"Player {self.count}", "", ""), NewPerson("Twin", str(self.count), "Getxo")]
            )
        elif not events or self.rng.random() < 0.02:
            store.events.new(EventSettings(f"Event {self.count}", "oficial"), RulesRef("oficial", "digest", "text"))
        else:
            self.rng.choice((self._person, *[self._of_event] * 5))(store, people, events)

    def _league(self, store: Store) -> None:
        """Create a league, or add a bot to the newest one; both happen alternately."""
        leagues = store.leagues.all()
        if leagues and self.count % 40 == 0:
            store.leagues.join(max(leagues), ["random"])
        else:
            store.add(
                kinds.leagues.LeagueStarted.of(League(("greedy", "random"), "oficial", 4, str(self.count), 10), "0.1.0")
            )

    def _person(self, store: Store, people: list[Player], events: list[Event]) -> None:
        person, other_person = self.rng.sample(people, 2)
        choice = self.rng.random()
        if choice < 0.5:
            store.people.rename(person, f"Renamed {self.count}", self.rng.choice(("", "Bilbao")), "")
        elif choice < 0.6:
            store.people.erase(person)
        elif choice < 0.7:
            store.people.add_bots([f"greedy-{self.count}"])
        elif not self._play_in_one_round(store, events, person, other_person):
            store.events.merge(person, other_person)

    @staticmethod
    def _play_in_one_round(store: Store, events: list[Event], person: Player, other_person: Player) -> bool:
        players_of_rounds = [
            {player for table in round_.tables for player in table.players}
            for event in events
            for round_ in store.rounds.of(event)
        ]
        return any({person, other_person} <= players for players in players_of_rounds)

    def _of_event(self, store: Store, people: list[Player], events: list[Event]) -> None:
        event = self.rng.choice(events)
        not_entered = [person for person in people if person not in event.entrants]
        if not_entered and self.rng.random() < (0.9 if len(event.entrants) < 8 else 0.1):
            store.events.enter(event, not_entered[:8])
        elif len(event.entrants) >= 8:
            kinds = (self._states, self._settings, self._rounds, *[self._results] * 3, self._rulings, self._season)
            self.rng.choice(kinds)(store, event)

    def _states(self, store: Store, event: Event) -> None:
        two_entrants = self.rng.sample(event.entrants, 2)
        withdraw = partial(store.write, kinds.people.PlayersWithdrawn(event, two_entrants, "no-show", "not seen"))
        check_in = partial(store.write, kinds.people.PlayersCheckedIn(event, two_entrants))
        bring_back = partial(store.write, kinds.people.PlayersReturned.back(event, two_entrants))
        self.rng.choice((check_in, withdraw, bring_back))()

    def _season(self, store: Store, event: Event) -> None:
        seasons = store.seasons.all()
        if not seasons or self.rng.random() < 0.2:
            store.seasons.get(store.add(kinds.seasons.SeasonMade.of(SeasonSettings(f"Season {self.count}", best=4))))
            return
        season = self.rng.choice(seasons)
        if self.rng.random() < 0.2:
            store.write(
                kinds.seasons.SeasonSet.of(
                    season, replace(season.settings, name=f"Season {self.count}", minimum=self.count)
                )
            )
        elif self.rng.random() < 0.1:
            store.write(kinds.seasons.SeasonDeleted(season, season.settings.name))
        elif event.id in {counted.event for counted in season.counted}:
            store.write(kinds.seasons.EventsLeftOut(season, season.settings.name, [event.id], [event.settings.name]))
        else:
            store.write(
                kinds.seasons.EventsCounted.adding(
                    season, [CountedEvent(event.id, weight="1.5", final=True)], [event.settings.name]
                )
            )

    def _settings(self, store: Store, event: Event) -> None:
        changed = replace(event.settings, name=f"Event {self.count}", minutes=self.count, stake=self.count)
        self.rng.choice(
            (
                partial(store.events.change, event, changed),
                partial(store.write, kinds.events.EventFinished(event)),
                partial(store.write, kinds.events.EventReopened(event, "a mistake")),
            )
        )()
        if self.rng.random() < 0.2:
            store.write(kinds.events.EventUsed(event))
            store.changed(kinds.events.EventConstrained(event, [Constraint("apart", event.entrants[:2])]))

    def _rounds(self, store: Store, event: Event) -> None:
        rounds, players = store.rounds.of(event), list(event.entrants)
        self.rng.shuffle(players)
        if not rounds or self.rng.random() < 0.4:
            drawn = draft_round(event, len(rounds) + 1, players)
            store.rounds.draw(event, replace(drawn, draft=self.count % 3 > 0))
            if self.count % 3 == 1:
                store.write(kinds.rounds.RoundPublished(event, drawn.number))
            return
        last = rounds[-1]
        done = {table for number, table in store.results.finished(event.id) if number == last.number}
        choice = self.rng.random()
        if choice < 0.3:
            store.write(
                kinds.rounds.ClockSet(event, last.number, *self.rng.choice((("", 0), ("2026-11-20T20:00:00Z", 45))))
            )
        elif choice < 0.45 and self._emptied(last, done):
            number, without = self._emptied(last, done)
            store.write(kinds.results.TableDissolved.of(event, without, table=number, reason="too few players"))
        elif choice < 0.6 or store.results.finished(event.id) - store.results.void(event.id) & {
            (last.number, table) for table in done
        }:
            store.write(
                kinds.rounds.TablesMoved.of(event, self._reseated(event, last, done), note="somebody came late")
            )
        else:
            store.write(kinds.rounds.RoundCancelled(event, last.number, "drawn too early"))

    @staticmethod
    def _emptied(last: Round, done: set[int]) -> tuple[int, Round] | None:
        """Return a table without a result and the round without it, its players with byes; None for the only table."""
        number = next((table.number for table in last.tables if table.number not in done), None)
        if number is None or len(last.tables) == 1:
            return None
        gone = next(table.players for table in last.tables if table.number == number)
        tables = tuple(table for table in last.tables if table.number != number)
        return number, Round(last.number, tables, (*last.sitting_out, *gone))

    def _reseated(self, event: Event, last: Round, done: set[int]) -> Round:
        """Return the round with the players without a result, byes included, seated at random."""
        free = [player for table in last.tables if table.number not in done for player in table.players] + list(
            last.sitting_out
        )
        self.rng.shuffle(free)
        tables = [table for table in last.tables if table.number in done]
        for table in last.tables:
            if table.number not in done:
                tables.append(replace(table, players=tuple(free[:4])))
                free = free[4:]
        return Round(last.number, tuple(sorted(tables, key=lambda table: table.number)), tuple(free))

    def _results(self, store: Store, event: Event) -> None:
        tables = [table for round_ in store.rounds.of(event) for table in round_.tables if len(table.players) == 4]
        if not tables:
            return
        table, counts = self.rng.choice(tables), store.results.finished(event.id) - store.results.void(event.id)
        if (table.round, table.number) not in counts:
            if self.count % 3 != 1:
                store.results.keep_partial_sheet(
                    event, PartialSheet(table.round, table.number, _half_sheet(table, self.count))
                )
            if self.count % 3 == 0:
                store.write(kinds.results.SheetDiscarded(event, table.round, table.number, ("TT",), "another table's"))
            scored, record = outcome(self.rng.randrange(4)), self.rng.choice(("", "a record"))
            digest = store.results.keep_record(record) if record else ""
            store.write(kinds.results.ResultEntered.of(event, table, scored, digest))
        elif self.rng.random() < 0.5:
            store.write(kinds.results.ResultCorrected.of(event, table, outcome(self.rng.randrange(4)), "a slip"))
        else:
            store.write(kinds.results.ResultVoided(event, table.round, table.number, "set aside"))

    def _rulings(self, store: Store, event: Event) -> None:
        tables = [table for drawn in store.rounds.of(event) for table in drawn.tables]
        if tables:
            store.add(
                kinds.results.FlagRaised(
                    event, tables[0].round, tables[0].number, next(iter(tables[0].players), None), "a card is bent"
                )
            )
            other = self.rng.choice((None, event.entrants[1]))
            store.write(kinds.rounds.SubstituteNamed(event, tables[0].round, event.entrants[0], other))
        flags = store.results.open_flags(event)
        if len(flags) > 1:
            store.write(kinds.results.FlagAnswered(event, flags[0].number, "the desk has seen it"))
        standing = [ruling for ruling in store.results.rulings(event) if ruling.state == "stands"]
        if standing and self.rng.random() < 0.4:
            store.write(kinds.results.RulingCancelled(event, standing[0].number, "settled"))
        else:
            who = self.rng.choice(event.entrants)
            store.add(kinds.results.RulingAdded.of(event, Ruling(0, "", "penalty", "a phone", player=who, points=20)))


def test_after_every_undo_and_redo_the_index_is_the_fold_of_the_valid_entries(new_db: str) -> None:
    """Changes of all kinds are undone and redone at random; `db check` folds the whole journal and compares."""
    _walk(new_db, 1, 320)
    kinds = {row[0] for row in desk.query(new_db, "SELECT DISTINCT kind FROM act")}
    assert kinds == {*KINDS, "undo", "redo"} - {
        "columns.name",
        "event.delete",  # `events/test_event_comes_back.py`, as the next one
        "event.import",
        "player.publish",  # `people/test_published_names.py`
        "pool.new",
        "pool.set",
        "rating.import",  # and the next two: `pools/test_sources.py`
        "rating.remove",
        "rating.alias",
        "rating.publish",
    }


@pytest.mark.soak
def test_the_index_follows_from_the_journal_in_2000_random_steps(tmp_path: Path) -> None:
    """Check that many changes, undos and redos leave a sound database."""
    _walk(str(tmp_path / "club.db"), 77, 2000)


def _walk(db: str, seed: int, steps: int) -> None:
    """Make `steps` random changes, undos and redos, and run `db check` after every 20 of them."""
    changes, counts = RandomChanges(db, seed), {"undo": 0, "redo": 0, "alone": 0}
    for step in range(steps):
        choice = changes.rng.random()
        if step < 30 or choice < 0.5:
            changes.step()
        elif choice < 0.65:
            counts["alone"] += _undo_alone(db, changes.rng)
        else:
            counts["undo" if choice < 0.82 else "redo"] += _turn(db, "undo" if choice < 0.82 else "redo")
        if step % 20 == 0:
            assert database.check(db).problems == ()
    assert database.check(db).problems == ()
    assert min(counts.values()) > steps / 40


def _undo_alone(db: str, rng: random.Random) -> int:
    """Undo one of the last 30 commands on which nothing rests, except the newest; return 0 if there is none."""
    standing = "SELECT max(act) FROM step JOIN act ON number = act WHERE state = 'stands' AND kind <> 'player.erase'"
    numbers = [row[0] for row in desk.query(db, f"{standing} GROUP BY batch ORDER BY 1 DESC LIMIT 30")][1:]
    rng.shuffle(numbers)
    with writing(db) as store:
        for number in numbers:
            if not store.journal.resting_on(store.journal.undo_of(number).entries, lambda _format: "nothing"):
                assert store.undo(number)
                return 1
    return 0


def _turn(db: str, which: str) -> int:
    """Undo or redo one command, as `which` says, and return the number of commands turned: 0 or 1."""
    with writing(db) as store:
        turn = store.journal.next_undo() if which == "undo" else store.journal.next_redo()
        if turn.entries:
            assert (store.undo if which == "undo" else store.redo)() == turn.entries
    return bool(turn.entries)


def test_everything_can_be_undone_to_the_first_entry_and_redone(new_db: str) -> None:
    """After all undos the index is empty; after all redos it is row for row as before."""
    changes = RandomChanges(new_db, 5)
    for _step in range(50):
        with writing(new_db) as store:
            changes._change(store)
    before = _index_rows(new_db)
    steps = 0
    while _turn(new_db, "undo"):
        steps += 1
    assert steps == desk.query(new_db, "SELECT count(DISTINCT batch) FROM step WHERE state = 'undone'")[0][0] > 30
    assert {name: rows for name, rows in _index_rows(new_db).items() if rows} == {}
    while _turn(new_db, "redo"):
        steps -= 1
    assert steps == 0
    assert _index_rows(new_db) == before
    assert database.check(new_db).problems == ()


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
    """Undo in one of two events of 200 players, with 8 rounds of 50 tables and results, takes at most half a second."""
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
        assert timeit(lambda turn=which: _turn(new_db, turn), timer=process_time, number=1) < 0.5
    assert database.check(new_db).problems == ()


def _large(store: Store, name: str, people: tuple[Player, ...]) -> None:
    """Create an event with these people: 8 drawn rounds, every table with a result."""
    event = store.events.enter(store.events.new(EventSettings(name, "oficial"), RulesRef("oficial")), people)
    for number in range(1, 9):
        round_ = draft_round(event, number, list(people))
        store.rounds.draw(event, round_)
        for table in round_.tables:
            store.write(kinds.results.ResultEntered.of(event, table, outcome(number % 4)))
