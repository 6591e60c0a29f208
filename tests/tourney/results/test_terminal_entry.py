"""Tests of entering sheets at the prompts of a real terminal, with mistakes and interruptions. POSIX only."""

import _thread
import csv
import io
import json
import os
import signal
import sqlite3
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import run_process
from tests.harness.programs import wait_until
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Round, Table
from tourney.service import players
from tourney.service.results import entry
from tourney.service.rounds import rounds
from tourney.storage.session import writing

if sys.platform == "win32":
    pytest.skip("terminals of this kind are POSIX only", allow_module_level=True)
import pty

from tests.harness.slow import slow
from tests.harness.terminal import CTRL_C, CTRL_D, Terminal
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import ImportPlayers
from tourney.service.results.results import EnterResult
from tourney.text.signals import deferred, listening, read_typed_line

Rows = dict[tuple[int, int], list[dict[str, str]]]


def sheets() -> Rows:
    """Return the rows of the club's score sheets by round and table, in seat order."""
    rows_of: Rows = defaultdict(list)
    with (desk.CLUB / "score-sheets.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            rows_of[int(row["round"]), int(row["table"])].append(row)
    return {spot: sorted(rows, key=lambda row: int(row["seat"])) for spot, rows in rows_of.items()}


def evening(path: Path, rounds: int = 5, **settings: object) -> str:
    """Create the club's event, its players seated as on its score sheets, without results; return the database."""
    db, tables = str(path), sheets()
    apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=rounds, **settings)))
    by_name = {player.name: player for player in players.listing(db)}
    event = apply(db, EnterPlayers("Friday", list(by_name))).event
    with writing(db) as store:
        for number in range(1, rounds + 1):
            drawn_tables = tuple(
                Table(number, table, tuple(by_name[row["player"]] for row in rows))
                for (round_number, table), rows in tables.items()
                if round_number == number
            )
            store.rounds.draw(event, Round(number, drawn_tables))
    return db


def points(row: dict[str, str], contract: str) -> int:
    return int(row[contract])


class Typist:
    """A person who types the sheet of a table: waits for each question, makes mistakes, answers again."""

    def __init__(self, terminal: Terminal, rows: list[dict[str, str]]) -> None:
        self.terminal, self.rows = terminal, rows

    def hand(self, contract: str, mistakes: str = "") -> None:
        """Type one hand; check the reply to each of the `mistakes`."""
        terminal, rows = self.terminal, self.rows
        closer = min(rows, key=lambda row: points(row, contract))
        terminal.wait(f"{contract}: who closed? ")
        if "name" in mistakes:
            terminal.type("Zuriñe")
            terminal.wait("nobody called “Zuriñe” sits here")
            terminal.wait("who closed? ")
        terminal.type(closer["seat"])
        terminal.wait(f"{closer['player']} lay down and close in one turn, for -10? (y/n) [n] ")
        terminal.type("y" if points(closer, contract) == -10 else "")
        for row in rows:
            if row is not closer:
                self.points(contract, row, mistakes)

    def points(self, contract: str, row: dict[str, str], mistakes: str) -> None:
        terminal, value = self.terminal, points(row, contract)
        terminal.wait(f"{contract}, {row['player']}: ")
        if "impossible" in mistakes:
            terminal.type("1")
            terminal.wait("no cards of these packs add up to 1")
            terminal.wait(f"{contract}, {row['player']}: ")
        if "slip" in mistakes and 14 <= value <= 99:
            terminal.type(f"{value // 10}0{value % 10}")
            terminal.wait(f"did you mean {value}")
            terminal.wait("] ")
        if "back" in mistakes and row is next(other for other in self.rows if points(other, contract) > 0):
            terminal.type("77")
            terminal.see(f"{contract}, ", "who closed? ")
            terminal.type("b")
            terminal.wait("[77] ")
        terminal.type(str(value))
        if terminal.see("Enter keeps", f"\n{contract}, ", "\nafter") == "Enter keeps":
            terminal.wait("] ")
            terminal.type("")


MISTAKES = ("name", "impossible", "slip", "", "name slip", "")
"""The mistakes made in the first hand of a table, by table number."""


@pytest.mark.parametrize(
    "tables",
    [[(2, 3)], *slow([([(2, 1), (2, 3), (2, 4)],), (list(sheets()),)])],
    ids=["one table", "three tables", "the whole evening"],
)
def test_typed_sheets_give_the_totals_of_the_score_sheets(tmp_path: Path, tables: list[tuple[int, int]]) -> None:
    """Each table of a round has a terminal of its own; table 3 of round 2 is interrupted and continues its sheet.

    Every kind of mistake is made at three tables.
    """
    db = evening(tmp_path / "club.db")
    rows = sheets()
    type_and_interrupt(enter(2, 3, db), rows[2, 3])
    for _number, of_round in groupby(tables, key=itemgetter(0)):
        with ExitStack() as stack:
            typists = {spot: Typist(stack.enter_context(Terminal(*enter(*spot, db))), rows[spot]) for spot in of_round}
            for spot, typist in typists.items():
                contracts = desk.CONTRACTS[2:] if spot == (2, 3) else desk.CONTRACTS
                type_sheet(typist, contracts, MISTAKES[spot[1] % len(MISTAKES)])
    assert totals_in_standings(db) == totals_of_sheets(tables)


def enter(number: int, table: int, db: str) -> tuple[str, ...]:
    return ("result", "enter", "Friday", "--round", str(number), "--table", str(table), "--db", db)


def type_sheet(typist: Typist, contracts: Sequence[str], mistakes: str) -> None:
    """Type the hands of these contracts, with mistakes in the first, and confirm the sheet.

    On a resumed sheet, go back over the answer that the first of these hands already has.
    """
    if len(contracts) < len(desk.CONTRACTS):
        typist.terminal.wait(f"continuing at {contracts[0]}, which {typist.rows[0]['player']} closed\n")
        typist.terminal.wait("(y/n) ")
        typist.terminal.type("b")
    for contract in contracts:
        typist.hand(contract, mistakes if contract == contracts[0] else "")
    typist.terminal.wait("Is the sheet correct?")
    typist.terminal.type("y")
    assert typist.terminal.code() == ExitCode.DONE, typist.terminal.shown


def type_and_interrupt(words: tuple[str, ...], rows: list[dict[str, str]]) -> None:
    """Type two hands and the closer of the third, then press Ctrl-C."""
    with Terminal(*words) as terminal:
        typist = Typist(terminal, rows)
        typist.hand("TT", "back")
        typist.hand("TE")
        terminal.wait("EE: who closed? ")
        terminal.type(rows[0]["player"])
        terminal.wait("(y/n) ")
        terminal.press(CTRL_C)
        assert terminal.code() == ExitCode.INTERRUPTED
        assert "kept: TT TE EE\ncontinue with `tourney result enter --round 2 --table 3`" in terminal.shown


def test_an_interrupt_that_comes_just_before_the_wait_for_a_line_ends_it() -> None:
    """As such a signal does, `interrupt_main` leaves the system call waiting, which a line typed later would end."""
    end, terminal_end = pty.openpty()

    class Read(io.TextIOWrapper):
        """A terminal at which the signal comes once the program is about to wait for it."""

        def fileno(self) -> int:
            threading.Timer(0.2, _thread.interrupt_main).start()
            return super().fileno()

    line_is_typed = threading.Timer(300, os.write, (end, b"late\n"))
    with open(end, "rb", buffering=0), Read(open(terminal_end, "rb"), encoding="utf-8") as terminal:
        line_is_typed.start()
        try:
            with listening(signal.SIGINT), deferred(), pytest.raises(KeyboardInterrupt):
                read_typed_line(terminal)
            assert line_is_typed.is_alive()
        finally:
            line_is_typed.cancel()


def totals_of_sheets(tables: list[tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return the points and games of each player who sat at these tables, added up from the score sheets."""
    totals: dict[str, tuple[int, int]] = {}
    for spot in tables:
        for row in sheets()[spot]:
            before, games = totals.get(row["player"], (0, 0))
            totals[row["player"]] = (before + sum(points(row, contract) for contract in desk.CONTRACTS), games + 1)
    return totals


def totals_in_standings(db: str) -> dict[str, tuple[int, int]]:
    rows = json.loads(run_process("standings", "Friday", "--json", "--db", db).out)
    return {row["player"]: (row["points"], row["games"]) for row in rows if row["games"]}


def make_db(db: str) -> None:
    """Draw a round of eight players at two tables; return the database."""
    desk.make_drawn(db, 8, rounds=1)


@pytest.mark.parametrize("ending", ["closed", "terminated"])
def test_answers_are_kept_when_the_terminal_closes_or_the_process_is_terminated(db: str, ending: str) -> None:
    """The answers of a begun hand are kept, as after Ctrl-C."""
    words = enter(1, 1, db)
    with Terminal(*words) as terminal:
        terminal.wait("TT: who closed?")
        terminal.type("1")
        terminal.wait("(y/n)")
        terminal.type("y")
        terminal.wait("TT, ")
        if ending == "terminated":
            terminal.signal(signal.SIGTERM)
            assert terminal.code() == ExitCode.INTERRUPTED
    wait_until(lambda: entry.partial_sheets_of(db, None))
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT",)]


def type_all_but_the_last_points(terminal: Terminal) -> str:
    """Type hand TT except the last player's points: seat 1 closed, then 20 and 30. Return that player's name."""
    terminal.wait("TT: who closed? ")
    terminal.type("1")
    terminal.wait("(y/n) [n] ")
    terminal.type("n")
    for points in ("20", "30"):
        terminal.wait("TT, ")
        terminal.wait(": ")
        terminal.type(points)
    terminal.wait("TT, ")
    terminal.wait(": ")
    return terminal.shown.rpartition("TT, ")[2].removesuffix(": ")


@contextmanager
def locked_by_another_program(db: str) -> Iterator[None]:
    """Hold the write lock of the database, as another program does while it writes."""
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.parametrize("interrupts", [1, 2])
def test_a_hand_that_waits_for_the_database_is_kept_when_interrupted(db: str, interrupts: int) -> None:
    """The hand that is reported as kept is in the database, and a second Ctrl-C changes nothing."""
    with Terminal(*enter(1, 1, db)) as terminal:
        type_all_but_the_last_points(terminal)
        with locked_by_another_program(db):
            terminal.type("40")
            terminal.wait("40\n")
            terminal.until_read()
            for _each in range(interrupts):
                terminal.press(CTRL_C)
                time.sleep(0.3)
        assert terminal.code() == ExitCode.INTERRUPTED
        assert "interrupted\nkept: TT\n" in terminal.shown
        assert terminal.shown.count("interrupted") == 1
        assert "Traceback" not in terminal.shown
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT",)]


@pytest.mark.slow
def test_answers_that_cannot_be_kept_are_shown(db: str) -> None:
    """While the database stays locked, nothing is reported as kept, and the typed answers are shown to be copied."""
    first = rounds.show(db).rounds[0].tables[0].players[0].name
    with Terminal(*enter(1, 1, db)) as terminal, locked_by_another_program(db):
        last = type_all_but_the_last_points(terminal)
        terminal.press(CTRL_C)
        time.sleep(0.3)
        terminal.press(CTRL_C)
        assert terminal.code() == ExitCode.CONFLICT
        assert f"not kept: TT, closed by {first}: " in terminal.shown
        assert " 20, " in terminal.shown
        assert f"{last} " not in terminal.shown.rpartition("not kept")[2].partition("\n")[0]
        # The message is broken to the width of the terminal, and where depends on the length of the database's path.
        assert "is locked: another program has been writing to it" in " ".join(terminal.shown.split())
        assert "\nkept:" not in terminal.shown
        assert "Traceback" not in terminal.shown
    assert entry.partial_sheets_of(db, None) == ()


@pytest.mark.parametrize("wait", [0, *(pytest.param(wait, marks=pytest.mark.slow) for wait in (0.01, 0.03, 0.1))])
def test_two_interrupts_in_quick_succession_keep_the_answers(db: str, wait: float) -> None:
    """The second interrupt is ignored while the first one ends the entry."""
    with Terminal(*enter(1, 2, db)) as terminal:
        type_all_but_the_last_points(terminal)
        terminal.signal(signal.SIGINT)
        time.sleep(wait)
        terminal.signal(signal.SIGINT)
        assert terminal.code() == ExitCode.INTERRUPTED, terminal.shown
        assert "kept: TT\n" in terminal.shown
        assert "Traceback" not in terminal.shown
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT",)]


@pytest.mark.parametrize(
    ("words", "question", "key"), [((), "Which table? ", "q\n"), (("--table", "2"), "TT: who closed? ", CTRL_D)]
)
def test_leaving_before_anything_is_typed_keeps_nothing(
    db: str, words: tuple[str, ...], question: str, key: str
) -> None:
    with Terminal("result", "enter", *words, "--db", db) as terminal:
        terminal.wait(question)
        terminal.press(key)
        assert terminal.code() == ExitCode.DONE
        assert terminal.shown.endswith(("nothing was entered\n", "nothing was kept\n"))
    assert entry.partial_sheets_of(db, None) == ()


def test_a_sheet_is_printed_once_and_its_questions_fit_a_narrow_terminal(db: str) -> None:
    """At 50 columns no line is wider than the terminal; the answers are `0 20 30 40` and Enter for the sheet."""
    with Terminal("result", "enter", "--db", db, "--table", "1", columns=50) as terminal:
        for contract in desk.CONTRACTS:
            terminal.wait(f"{contract}: who closed? ")
            terminal.type("0 20 30 40")
        terminal.wait("Is the sheet correct? (y/n, or a hand) [y] ")
        terminal.type("")
        assert terminal.code() == ExitCode.DONE
    assert terminal.shown.count("Closed by") == 1
    assert "Next" not in terminal.shown
    assert "entered: Friday, round 1, table 1: " in terminal.shown
    assert max(map(len, terminal.shown.splitlines())) <= 50


def test_the_last_sheet_of_a_round_says_what_comes_next(db: str) -> None:
    """Table 1 of the only round has its result, and table 2 is the last one."""
    first = rounds.show(db).rounds[0].tables[0]
    apply(db, EnterResult(None, 1, 1, desk.hands([player.name for player in first.players])))
    with Terminal("result", "enter", TOURNEY_DB=db) as terminal:
        for contract in desk.CONTRACTS:
            terminal.wait(f"{contract}: who closed? ")
            terminal.type("0 20 30 40")
        terminal.wait("Is the sheet correct? (y/n, or a hand) [y] ")
        terminal.type("")
        terminal.wait("entered: Friday, round 1, table 2: ")
        terminal.wait("Next")
        terminal.wait("Finish the event: `tourney event finish`")
        assert terminal.code() == ExitCode.DONE
