"""Create small events and sheets, and read and change databases with sqlite3 alone.

Databases that many tests need are made once in a process and then copied.
"""

import os
import shutil
import sqlite3
import tempfile
import time
from base64 import b64decode
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import EventSettings
from tourney.domain.leagues import League, LeagueFault, PlayedBlock
from tourney.domain.results import PartialSheet, Ruling, SheetHand
from tourney.domain.rounds import Table
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent, bot_seats
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.leagues import leagues
from tourney.service.players import ImportPlayers, RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.ratings.pools import ImportResults, OpenJointPool
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds import bot_tables, rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access
from tourney.service.web.submissions import KeepTyped
from tourney.storage.journal import kinds
from tourney.storage.person_names import NewPerson
from tourney.storage.session import writing

ROOT = Path(__file__).resolve().parents[2]
CLUB = ROOT / "fixtures" / "club"
BAD = ROOT / "fixtures" / "bad"
CONTRACTS = ("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")
POINTS = ("0", "20", "30", "40")
LOGO = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAC0lEQVR4nGNgwAQAABQAAX3+Hu4AAAAASUVORK5CYII=")
"""A black picture of 3 pixels by 2, as a club may have it."""
NAMES = ("Ana", "Beñat", "Carmen", "Diego", "Elena", "Félix", "Gloria", "Hugo")


def copied(path: Path | str, make: Callable[..., object], *arguments: object, **settings: object) -> str:
    """Copy the database that `make`, called with a path and the arguments, makes once in a process; return its path."""
    return str(shutil.copy(_made(make, *arguments, **settings), path))


@cache
def _made(make: Callable[..., object], *arguments: object, **settings: object) -> str:
    db = str(Path(tempfile.mkdtemp(dir=_folder().name)) / "club.db")
    make(db, *arguments, **settings)
    return db


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Create the folder of the databases that are copied, which is deleted when the process ends."""
    return tempfile.TemporaryDirectory(prefix="desk-")


def evening(path: Path, name: str = "Friday", sheets: str = "score-sheets.csv") -> str:
    """Create a database with the people and sheets of the club evening; return its path as text."""
    return copied(path, make_evening, name, sheets)


def make_evening(db: str, name: str = "Friday", sheets: str = "score-sheets.csv") -> None:
    apply(db, ImportPlayers(CLUB / "players.csv"))
    apply(db, ImportSheets(name, CLUB / sheets, "oficial"))


def event(db: str, people: int = 4, bots: str = "", name: str = "Friday", **settings: object) -> str:
    """Create an event with the first `people` of NAMES and with bots (`greedy:2`); return its name."""
    if Path(db).exists():
        _add_event(db, people, bots, name, **settings)
    else:
        copied(db, _add_event, people, bots, name, **settings)
    return name


def club_of(db: str, names: Sequence[str], event: str = "Friday", rules: str = "oficial", **settings: object) -> None:
    """Register these people, and enter them into a new event by these rules."""
    apply(db, RegisterPlayers(names))
    apply(db, CreateEvent(EventSettings(event, rules, **settings)))
    apply(db, EnterPlayers(event, names))


def _add_event(db: str, people: int, bots: str, name: str, **settings: object) -> None:
    if people:
        apply(db, RegisterPlayers(NAMES[:people]))
    apply(db, CreateEvent(EventSettings(name, **{"rules": "oficial", **settings})))
    apply(db, EnterPlayers(name, NAMES[:people], bots=bot_seats(bots)))


def people_in(db: str, names: Sequence[str], playing: int | None = None, rules: str = "oficial", **more: object) -> str:
    """Register these people, and enter them, or the first `playing` of them, into the new event Friday; return `db`."""
    apply(db, RegisterPlayers(names))
    apply(db, CreateEvent(EventSettings("Friday", rules, **more)))
    apply(db, EnterPlayers("Friday", names[:playing]))
    return db


def drawn(path: Path, people: int = 4, **settings: object) -> str:
    """Create a database with the event Friday, of four, and its first round (changes 1 to 4); return its path."""
    return copied(path, make_drawn, people, **settings)


def make_drawn(db: str, people: int = 4, **settings: object) -> None:
    event(db, people, **{"rounds": 2, **settings})
    apply(db, DrawRound())


def with_a_sheet(path: Path) -> str:
    """Create a database as `drawn` does, with a sheet of the table; return its path."""
    return copied(path, _make_with_a_sheet)


def _make_with_a_sheet(db: str) -> None:
    make_drawn(db)
    apply(db, EnterResult(None, 1, 1, hands(_seated(db, 1, 1))))


def hand_option(contract: str) -> str:
    """Return the option of a hand in which the four people of `drawn` have 0, 20, 30 and 40 points."""
    return f"--hand={contract} " + " ".join(f"{name}={points}" for name, points in zip(NAMES, POINTS, strict=False))


def hands(names: Sequence[str], closers: Iterable[int] = (0, 1, 2, 3, 0, 1, 2)) -> list[SheetHand[str]]:
    """Return a sheet of seven hands: 0 points for the closer, 20 + 10 × seat for every other player."""
    sheet = []
    for contract, closer in zip(CONTRACTS, closers, strict=True):
        closer %= len(names)
        points = {name: 0 if seat == closer else 20 + 10 * seat for seat, name in enumerate(names)}
        sheet.append(SheetHand(contract, points))
    return sheet


def enter(db: str, table: Table, event: str | None = None, entry_id: str = "") -> None:
    """Enter a sheet that `hands` makes of the table."""
    sheet = hands([player.shown for player in table.players])
    apply(db, EnterResult(event, table.round, table.number, sheet, entry_id=entry_id))


def sheet_text(sheet: Iterable[SheetHand[str]]) -> str:
    """Return the text of a sheet's file; the player without points has closed the hand."""
    text = ""
    for hand in sheet:
        closer = next(name for name, points in hand.points.items() if points == 0)
        points = ", ".join(f'"{name}" = {points}' for name, points in hand.points.items())
        text += f'[[hands]]\ncontract = "{hand.contract}"\ncloser = "{closer}"\npoints = {{ {points} }}\n'
    return text


def by_seat(sheet: Sequence[SheetHand[str]]) -> list[SheetHand[int]]:
    """Return hands that `hands` made with the seats in place of the names, which are in the order of the seats."""
    return [SheetHand(hand.contract, dict(enumerate(hand.points.values()))) for hand in sheet]


def everything(path: Path) -> str:
    """Create a database with rows in every table: people, bots, results of all kinds, pools, a league."""
    return copied(path, make_everything)


def make_everything(db: str) -> None:
    event(db, 4, "greedy:2", rounds=2, size=3, short="sit out", seed="7")
    apply(db, UseEvent("Friday"))
    for _round in range(2):
        for table in apply(db, DrawRound()).rounds[0].tables:
            if any(player.kind == "person" for player in table.players):
                enter(db, table)
    bot_tables.play(db)
    apply(db, CorrectResult(None, 1, 1, hands(_seated(db, 1, 1), range(7)), "a slip of the pen"))
    apply(db, VoidResult(None, 2, 1, "the table was set aside"))
    apply(db, OpenJointPool())
    file = Path(db).with_name("races.csv")
    file.write_text("seq,player,rank\n1,Eva,1\n1,Iker,2\n2,Iker,1\n2,Eva,2\n2,Noa,2\n", encoding="utf-8")
    apply(db, ImportResults(file, "races"))
    _a_league(db)
    _an_evening(db)
    ratings.ratings(db)


def _a_league(db: str) -> None:
    """Play a league of two blocks with records, and add a third block, in which a bot has failed."""
    leagues.run(db, League(("random", "random"), "oficial", 2, "7", 2, records="all"))
    fault = LeagueFault(0, 3, 1, "ZeroDivisionError: by nought", "Traceback")
    with writing(db) as store:
        store.leagues.keep_blocks(1, store.leagues.all()[1], [PlayedBlock(2, "[1,2,[],[]]", [fault])])


def _an_evening(db: str) -> None:
    """Make the changes of an organiser that `everything` lacks: a new name, a clock, rulings, a partial sheet, undo."""
    with writing(db) as store:
        event = store.events.get(1)
        player = event.entrants[3]
        store.people.rename(player, "Diego Luis", "Getxo", player.club)
        store.changed(kinds.people.PlayersCheckedIn(event, event.entrants[:2]))
        store.write(kinds.rounds.ClockSet(event, 2, "2026-11-20T20:00:00.000000Z", 45))
        penalty = Ruling(0, "", "penalty", "a phone at the table", 2, 1, event.entrants[0], "TE", 20)
        store.add(kinds.results.RulingAdded.of(event, penalty))
        note = store.add(kinds.results.RulingAdded.of(event, replace(penalty, kind="note", player=None)))
        store.write(kinds.results.RulingCancelled(event, note, "settled"))
        store.results.keep_partial_sheet(event, PartialSheet(2, 1, tuple(by_seat(hands(_seated(db, 2, 1)))[:2])))
        # No command of this version writes the table in which versions before 0009 kept partial sheets.
        store.rounds._write_draft(event, (1, 2), '[{"hands":[],"people":[1,2,3],"result":1}]')
    apply(db, AnswerFlag(None, apply(db, RaiseFlag(None, 2, 1, "a card is bent", 0)).number, "a new pack is there"))
    access.grant_pin(db, "Friday", "Ana")
    access.grant_tables(db, "Friday")
    apply(db, KeepTyped("Friday", 2, 1, "5e" * 16, "a phone", 0, hands(_seated(db, 2, 1))[:3]))
    for number in (1, 2):
        with writing(db) as store:
            store.people.add_persons([NewPerson("Irene", f"day {number}", "")])
    for _time in range(2):
        with writing(db) as store:
            store.undo()


def _seated(db: str, round_number: int, table: int) -> list[str]:
    tables = rounds.show(db, None, round_number).rounds[0].tables
    return [player.name for player in tables[table - 1].players]


def refused(code: ExitCode, *words: str):
    """Return a context that expects a TourneyError of this code, with `words` in its one-line message or hint."""
    return _Refused(code, words)


class _Refused:
    def __init__(self, code: ExitCode, words: Sequence[str]) -> None:
        self._code, self._words = code, words

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        assert error is not None, "no error was raised"
        if not isinstance(error, TourneyError):
            return False
        text = f"{error.message} | {error.hint}"
        assert error.code == self._code, text
        assert "\n" not in text
        for word in self._words:
            assert word in text, f"{word!r} not in {text!r}"
        return True


def query(db: str, sql: str, *values: object) -> list[tuple]:
    """Return the rows of a query that sqlite3 runs."""
    with closing(sqlite3.connect(db)) as connection:
        return connection.execute(sql, values).fetchall()


def tamper(db: str, *statements: str) -> None:
    """Run SQL statements on the database without the program, ignoring its check constraints."""
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)


def set_age(path: Path, seconds: float) -> None:
    """Set the time of the file to `seconds` ago."""
    modified = time.time() - seconds
    os.utime(path, (modified, modified))


def changed(db: str, table: str, column: str, by: int = 1000) -> str:
    """Return an SQL statement that gives the column of the last row another value of the same type."""
    last = end_row(db, table)
    kind = query(db, f'SELECT typeof("{column}") FROM "{table}" WHERE {last}')[0][0]
    value = f'"{column}" + {by}' if kind == "integer" else f"coalesce(\"{column}\", '') || 'x'"
    return f'UPDATE "{table}" SET "{column}" = {value} WHERE {last}'


def end_row(db: str, table: str, order: Literal["ASC", "DESC"] = "DESC") -> str:
    """Return an SQL condition that only the last row of a table fulfils, or in the order ASC the first one."""
    made = query(db, f"SELECT sql FROM sqlite_master WHERE name = '{table}'")[0][0]
    key = ["rowid"]
    if made.strip().endswith("WITHOUT ROWID"):
        key = [
            f'"{name}"' for (name,) in query(db, f"SELECT name FROM pragma_table_info('{table}') WHERE pk ORDER BY pk")
        ]
    ordered = ", ".join(f"{name} {order}" for name in key)
    return f'({", ".join(key)}) = (SELECT {", ".join(key)} FROM "{table}" ORDER BY {ordered} LIMIT 1)'


def tables(db: str) -> list[str]:
    """Return the names of all tables of the database, sorted."""
    return [row[0] for row in query(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
