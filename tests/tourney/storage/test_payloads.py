"""Tests that stored values are read back equal, field by field, and of the payloads of their entries."""

import json
from collections.abc import Callable
from dataclasses import fields, replace

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import Constraint, Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, PartialSheet, Ruling, SheetHand
from tourney.domain.rounds import Round, Stage, Table
from tourney.domain.rules import RulesRef
from tourney.service import database
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.kinds.events import EventSet
from tourney.storage.person_names import NewPerson
from tourney.storage.session import reading, writing
from tourney.storage.store import Store

RULES = RulesRef("knock", "digest", "the club's rules")
SETTINGS = EventSettings(
    "Friday",
    "knock",
    "swiss",
    7,
    3,
    "9",
    "sit out",
    2,
    "2026-11-20",
    "required",
    45,
    "penalty",
    30,
    500,
    6,
    "drawn",
    lang="es",
    scoring="table points",
    table_points="7-5-3-1/7-4-1",
    totals="sum",
    tie_breaks="games-won,lot",
    fee="5",
    pot="120",
    prizes="50%-30%-20%",
    substitutes="nobody",
    organiser="Club Getxo",
    phone_pins="always",
    deals="0123456789abcdef0123456789abcdef",
    stages=(
        Stage("Qualifying", 3, "swiss", first=1),
        Stage("Final", 4, take="best", number=4, ties="list", carry="half"),
    ),
)


def make_db(path: str) -> None:
    """An event without default settings: four entrants and one drawn round, in which one of them has a bye."""
    with writing(path) as store:
        people = store.people.add_persons([NewPerson(name, "", "Getxo") for name in desk.NAMES[:4]])
        event = store.events.enter(store.events.new(SETTINGS, RULES), people)
        store.rounds.draw(event, Round(1, (Table(1, 1, people[2::-1]),), people[3:]))


def _event(db: str) -> Event:
    with reading(db) as reader:
        return reader.events.get(1)


def _do(db: str, change: Callable[[Store, Event], object]) -> Event:
    """Make the change, check the database and return the event."""
    with writing(db) as store:
        change(store, store.events.get(1))
    assert database.check(db).problems == ()
    return _event(db)


def test_every_setting_of_an_event_is_kept(db: str) -> None:
    """Check also that no setting has its default value, so that one that is not kept would be noticed."""
    defaults = EventSettings("", "")
    assert [
        field.name for field in fields(SETTINGS) if getattr(SETTINGS, field.name) == getattr(defaults, field.name)
    ] == []
    event = _event(db)
    assert (event.settings, event.rules) == (SETTINGS, RULES)


CHANGES = [
    {"name": "Saturday"},
    {"rounds": 3, "size": 4},
    {"minutes": None, "minimum": None},
    {"checkin": "not asked", "unfinished": "void", "unfinished_points": 0, "stake": 0, "date": ""},
]


@pytest.mark.parametrize("changed", CHANGES)
def test_an_entry_of_changed_settings_holds_only_the_changes(db: str, changed: dict[str, object]) -> None:
    """Check that the other settings stay, and that the rules cannot be changed."""
    expected = replace(SETTINGS, **changed)
    assert (
        _do(db, lambda store, event: store.events.change(event, replace(expected, rules="oficial"))).settings
        == expected
    )
    assert _payload(db) == {"event": 1, "changes": changed}


def test_unchanged_settings_are_no_entry(db: str) -> None:
    """Check that setting the same values again adds nothing to the journal."""
    before = desk.query(db, "SELECT count(*) FROM act")
    _do(db, lambda store, event: store.events.change(event, SETTINGS))
    assert desk.query(db, "SELECT count(*) FROM act") == before


def test_a_setting_of_a_newer_version_is_refused(db: str) -> None:
    """The database opens, because the entry needs no newer schema; reading its event is refused."""
    with writing(db) as store:
        store.write(EventSet(1, {"music": "quiet"}))
    with desk.refused(ExitCode.STORAGE, "Friday", "newer version", "update tourney"):
        _event(db)


def test_constraints_are_kept_by_number_and_follow_merged_players(db: str) -> None:
    """Diego is merged into Carmen, who is then kept apart once; undoing the merge restores the constraints."""
    ana, benat, carmen, diego = _event(db).entrants
    constraints = (
        Constraint("apart", (benat, carmen, diego)),
        Constraint("clubs apart"),
        Constraint("together", (ana, carmen)),
        Constraint("table", (diego,), 3),
    )
    assert (
        _do(db, lambda store, event: store.changed(kinds.events.EventConstrained(event, constraints))).constraints
        == constraints
    )
    assert all(name not in str(_payload(db)) for name in desk.NAMES)
    _do(db, lambda store, event: store.write(kinds.rounds.RoundCancelled(event, 1, "drawn too early")))
    _do(db, lambda store, event: store.events.merge(carmen, diego))
    merged = _event(db).constraints
    assert merged == (Constraint("apart", (benat, carmen)), *constraints[1:3], Constraint("table", (carmen,), 3))
    _do(db, lambda store, event: store.undo())
    assert _event(db).constraints == constraints
    assert _do(db, lambda store, event: store.changed(kinds.events.EventConstrained(event, ()))).constraints == ()


def test_reseating_a_round_keeps_the_results_of_unchanged_tables(new_db: str) -> None:
    """Table 1 has a result, and table 2 is reseated."""
    with writing(new_db) as store:
        people = store.people.add_persons([NewPerson(name, "", "") for name in desk.NAMES])
        event = store.events.enter(store.events.new(EventSettings("Friday", "oficial"), RulesRef("oficial")), people)
        tables = Table(1, 1, people[:4]), Table(1, 2, people[4:])
        store.rounds.draw(event, Round(1, tables))
        store.write(kinds.results.ResultEntered.of(event, tables[0], _outcome(4)))
    moved = Round(1, (tables[0], Table(1, 2, people[:3:-1])))
    _do(new_db, lambda store, event: store.write(kinds.rounds.TablesMoved.of(event, moved, note="")))
    with reading(new_db) as reader:
        assert reader.rounds.of(event) == (moved,)
        assert [(result.table, result.outcome) for result in reader.results.of(event)] == [(tables[0], _outcome(4))]


def _outcome(seats: int, **more: object) -> Outcome:
    points, won = tuple(range(0, 10 * seats, 10)), (1,) + (0,) * (seats - 1)
    return Outcome((HandScore("TT", points, 0, True),), points, won, tuple(range(1, seats + 1)), **more)


KNOCK = (
    HandScore("", (0, 12, 7), 0, True, "knock"),
    HandScore("", (5, 0, 40), 1, False, "rummy", (0, 0, 33)),
    HandScore("", (1, 2, 3), None, False),
)
OUTCOMES = {
    "of a game": _outcome(3),
    "of an unfinished game": _outcome(3, extra=(0, 30, 30), short=6),
    "of a knock game": Outcome(KNOCK, (6, 14, 17), (1, 1, 0), (1, 2, 3), money=(1000, -500, -500)),
    "of nothing": Outcome((), (0, 0, 0), (0, 0, 0), (1, 1, 1), short=7),
}


@pytest.mark.parametrize("outcome", OUTCOMES.values(), ids=OUTCOMES)
def test_an_outcome_is_kept_whole(db: str, outcome: Outcome) -> None:
    """The outcome is entered, corrected and voided; empty fields stay empty."""
    table = Table(1, 1, _event(db).entrants[2::-1])
    event = _do(db, lambda store, event: store.write(kinds.results.ResultEntered.of(event, table, outcome)))
    with reading(db) as reader:
        assert [(result.table, result.outcome, result.state) for result in reader.results.of(event)] == [
            (table, outcome, "counts")
        ]
    other = _outcome(3, short=1)
    _do(db, lambda store, event: store.write(kinds.results.ResultCorrected.of(event, table, other, "a slip")))
    with reading(db) as reader:
        assert [(result.outcome, result.reason) for result in reader.results.of(event, spot=(1, 1))] == [
            (other, "a slip")
        ]
    _do(db, lambda store, event: store.write(kinds.results.ResultVoided(event, table.round, table.number, "set aside")))
    with reading(db) as reader:
        (void,) = reader.results.of(event)
        assert (void.outcome, void.state) == (Outcome((), (), (), ()), "void")


def test_an_entry_of_a_plain_result_has_the_fields_of_the_first_version(db: str) -> None:
    """Check that old and new entries have the same fields, also in each hand."""
    table = Table(1, 1, _event(db).entrants[2::-1])
    _do(db, lambda store, event: store.write(kinds.results.ResultEntered.of(event, table, OUTCOMES["of a game"])))
    first = (desk.ROOT / "fixtures" / "databases" / "0001.sql").read_text(encoding="utf-8")
    line = next(line for line in first.splitlines() if '"kind":"result.enter"' in line and '"record"' not in line)
    before = json.loads(line[line.index("{") : line.rindex("}") + 1])["payload"]
    assert _payload(db).keys() == before.keys()
    assert _payload(db)["hands"][0].keys() == before["hands"][0].keys()


def test_rulings_are_numbered_in_their_event_and_stay_when_cancelled(db: str) -> None:
    """Check that every field is read back, and that repeating the change under its id returns the same ruling."""
    ana = _event(db).entrants[0]
    penalty = Ruling(0, "Friday", "penalty", "a phone", 1, 1, ana, "TE", 20)
    with writing(db) as store:
        event = store.events.get(1)
        first = store.add(kinds.results.RulingAdded.of(event, penalty), "1" * 32)
        note = Ruling(0, "Friday", "note", "late")
        second = store.add(kinds.results.RulingAdded.of(event, note))
        store.write(kinds.results.RulingCancelled(event, 2, "was not"))
    with writing(db) as store:
        assert store.add(kinds.results.RulingAdded.of(store.events.get(1), penalty), "1" * 32) == first
    with reading(db) as reader:
        cancelled = replace(note, number=second, state="cancelled", why_cancelled="was not")
        assert reader.results.rulings(event) == (replace(penalty, number=1), cancelled)
    assert database.check(db).problems == ()


SHEET = (
    SheetHand("TT", {2: 0, 1: 20}, closer=2, at_once=True, left={0: "Kh 7d"}),
    SheetHand("TE", {1: 5}, dead=True, ending="knock", buys=(0,)),
)
"""Two hands of Carmen, Beñat and Ana, who sit in this order."""


def test_a_partial_sheet_follows_the_names_of_its_table(db: str) -> None:
    """Check that its entry names nobody, a renamed player keeps the seat, and the result removes the sheet."""
    event = _event(db)
    _do(db, lambda store, event: store.results.keep_partial_sheet(event, PartialSheet(1, 1, SHEET[:1])))
    _do(db, lambda store, event: store.results.keep_partial_sheet(event, PartialSheet(1, 1, SHEET)))
    with reading(db) as reader:
        assert reader.results.partial_sheets(event) == (PartialSheet(1, 1, SHEET),)
    assert _payload(db)["people"] == [player.id for player in event.entrants[2::-1]]
    assert not any(player.name in json.dumps(_payload(db), ensure_ascii=False) for player in event.entrants)
    event = _do(db, lambda store, event: store.people.rename(event.entrants[0], "Ane", "", ""))
    with reading(db) as reader:
        assert reader.results.partial_sheets(event) == (PartialSheet(1, 1, SHEET),)
    table = Table(1, 1, event.entrants[2::-1])
    _do(db, lambda store, event: store.write(kinds.results.ResultEntered.of(event, table, OUTCOMES["of a game"])))
    with reading(db) as reader:
        assert reader.results.partial_sheets(event) == ()


def test_a_partial_sheet_of_an_early_version_is_read_by_the_names_that_it_has() -> None:
    """Hands of somebody who does not sit there are left out; seats are those of now."""
    people = (Player(1, "Ana"), Player(2, "Beñat"))
    hand = {"contract": "TT", "points": {"Ana": 0, "#2": 20, "Somebody": 5}, "closer": "Somebody"}
    found = payloads.partial_sheet_hands([{"hands": [hand], "people": [2, 1]}], people, {})
    assert found == (SheetHand("TT", {0: 0, 1: 20}),)


def test_a_partial_sheet_is_removed_and_restored_with_its_table(db: str) -> None:
    """Reseating its table or cancelling its round removes the sheet; undo restores it."""
    event = _event(db)
    ana, benat, carmen, diego = event.entrants
    _do(db, lambda store, event: store.results.keep_partial_sheet(event, PartialSheet(1, 1, SHEET)))
    moved = Round(1, (Table(1, 1, (diego, ana, carmen)),), (benat,))
    _do(db, lambda store, event: store.write(kinds.rounds.TablesMoved.of(event, moved, note="")))
    with reading(db) as reader:
        assert reader.results.partial_sheets(event) == ()
    _do(db, lambda store, event: store.results.keep_partial_sheet(event, PartialSheet(1, 1, SHEET)))
    _do(db, lambda store, event: store.write(kinds.rounds.RoundCancelled(event, 1, "")))
    with reading(db) as reader:
        assert reader.results.partial_sheets(event) == ()
    sheets = []
    for _time in range(3):
        _do(db, lambda store, event: store.undo())
        with reading(db) as reader:
            sheets.append(len(reader.results.partial_sheets(event)))
    assert sheets == [1, 0, 1], "undone: the cancelling, the sheet of Diego, Ana and Carmen, the new seats"


def _payload(db: str) -> dict[str, object]:
    """Return the payload of the last entry."""
    return json.loads(desk.query(db, "SELECT text FROM act ORDER BY number DESC LIMIT 1")[0][0])["payload"]
