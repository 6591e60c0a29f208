"""Tests of Ctrl-C: where it interrupts and where it is deferred; no interrupted command shows a traceback."""

import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy.engine.default import DefaultDialect

from tourney import cli
from tourney.cli.framework import app
from tourney.domain.errors import ExitCode
from tourney.service import players
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.storage import sqlite
from tourney.storage.session import writing
from tourney.text.signals import deferred, ignore, interruptible, listening, stop_on_request

NOTHING_DONE = "error: interrupted before anything was done\nhint: give the same command again\n"


@pytest.fixture(autouse=True)
def listened() -> Iterator[None]:
    """Handle SIGINT as the program does."""
    with listening(signal.SIGINT):
        yield


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def interrupted(work: Callable[[list[str]], None]) -> list[str]:
    """Return what `work` did before it was interrupted, after checking that it was."""
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        work(done)
    return done


def test_deferred_work_ends_before_the_interrupt() -> None:
    def work(done: list[str]) -> None:
        with deferred():
            ctrl_c()
            done.append("to its end")
        done.append("too far")

    assert interrupted(work) == ["to its end"]


def test_a_deferred_interrupt_is_raised_at_the_next_interruptible_place() -> None:
    def work(done: list[str]) -> None:
        with deferred():
            ctrl_c()
            done.append("held")
            with interruptible():
                done.append("too far")

    assert interrupted(work) == ["held"]


def test_an_interrupt_reaches_the_main_thread_whatever_another_thread_defers() -> None:
    """A desk whose server was reading a page lost its Ctrl-C: that page failed, and the program went on."""
    inside, go_on, ends = Event(), Event(), list[str]()

    def read() -> None:
        with deferred():
            inside.set()
            go_on.wait()
        ends.append("read to its end")

    def work(done: list[str]) -> None:
        thread = Thread(target=read)
        with deferred():
            try:
                with interruptible():
                    thread.start()
                    inside.wait()
                    ctrl_c()
                    done.append("too far")
            finally:
                go_on.set()
                thread.join()

    assert interrupted(work) == []
    assert ends == ["read to its end"]


def test_interruptible_work_is_interrupted_once_and_its_clean_up_is_not() -> None:
    """A second interrupt waits until the deferred work has ended."""

    def work(done: list[str]) -> None:
        with deferred():
            try:
                with interruptible():
                    try:
                        ctrl_c()
                    finally:
                        ctrl_c()
                        done.append("cleaned up")
            except KeyboardInterrupt:
                done.append("interrupted once")
        done.append("too far")

    assert interrupted(work) == ["cleaned up", "interrupted once"]


def test_the_first_interrupt_requests_a_stop_and_the_second_one_interrupts() -> None:
    """After the block the first interrupt interrupts again."""

    def work(done: list[str]) -> None:
        with stop_on_request() as stop_requested:
            done.append(f"requested {stop_requested()}")
            ctrl_c()
            done.append(f"requested {stop_requested()}")
            try:
                ctrl_c()
            except KeyboardInterrupt:
                done.append("interrupted")
        ctrl_c()
        done.append("too far")

    assert interrupted(work) == ["requested False", "requested True", "interrupted"]


def test_the_second_interrupt_waits_for_deferred_work() -> None:
    def work(done: list[str]) -> None:
        with stop_on_request():
            ctrl_c()
            with deferred():
                ctrl_c()
                done.append("to its end")
            done.append("too far")

    assert interrupted(work) == ["to its end"]


def test_interrupts_are_ignored_at_the_end_of_the_program() -> None:
    with listening(), deferred():
        ignore()
        with interruptible():
            ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()


def test_an_interrupt_that_python_cannot_raise_prints_nothing_and_is_raised_later(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The interrupt arrives inside a finalizer."""

    class InterruptedWhenDeleted:
        def __del__(self) -> None:
            ctrl_c()

    def work(done: list[str]) -> None:
        with deferred(), interruptible():
            value = InterruptedWhenDeleted()
            del value
            done.append("continued")
            with interruptible():
                done.append("too far")

    assert interrupted(work) == ["continued"]
    assert capsys.readouterr().err == ""


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """A program that is started in the background ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with listening(signal.SIGINT):
            ctrl_c()
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_ends_the_wait_for_another_program(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apply(db, RegisterPlayers(["Ana"]))
    monkeypatch.setattr(sqlite, "sleep", lambda _seconds: ctrl_c())
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(KeyboardInterrupt), writing(db):
            pytest.fail("it is locked")


def interrupt_after(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Let Ctrl-C arrive right after this step of the database library."""
    original = getattr(DefaultDialect, step)

    def interrupted_step(dialect: DefaultDialect, connection: Any) -> None:
        original(dialect, connection)
        ctrl_c()

    monkeypatch.setattr(DefaultDialect, step, interrupted_step)


@pytest.mark.parametrize("step", ["do_commit", "do_close"])
def test_a_command_that_is_interrupted_at_its_end_says_so_in_one_line(
    db: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], step: str
) -> None:
    """Check that no message of the library is shown and that the change is kept."""
    apply(db, RegisterPlayers(["Ana"]))
    interrupt_after(monkeypatch, step)
    code = app.main(["player", "add", "Zoe", "--db", db])
    assert (code, capfd.readouterr().err) == (ExitCode.INTERRUPTED, "interrupted\n")
    monkeypatch.undo()
    assert [player.name for player in players.listing(db)] == ["Ana", "Zoe"]


def test_a_waiting_command_may_be_interrupted_again_while_it_ends(
    db: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    apply(db, RegisterPlayers(["Ana"]))
    interrupt_after(monkeypatch, "do_close")
    monkeypatch.setattr(sqlite, "sleep", lambda _seconds: ctrl_c())
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        code = app.main(["player", "add", "Zoe", "--db", db])
    assert (code, capfd.readouterr().err) == (ExitCode.INTERRUPTED, "interrupted\n")


def test_a_command_that_is_interrupted_while_its_module_is_imported_says_that_nothing_was_done(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "import_module", lambda _name: ctrl_c())
    assert app.main(["league", "resume"]) == ExitCode.INTERRUPTED
    assert capfd.readouterr().err == NOTHING_DONE


def test_a_program_that_is_interrupted_before_it_reads_its_command_says_that_nothing_was_done(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class InterruptImport:
        """An import finder that interrupts the import of the framework."""

        @staticmethod
        def find_spec(name: str, _path: object, _target: object = None) -> None:
            if name == "tourney.cli.framework.app":
                ctrl_c()

    monkeypatch.setattr(sys, "meta_path", [InterruptImport, *sys.meta_path])
    monkeypatch.delitem(sys.modules, "tourney.cli.framework.app")
    monkeypatch.setattr(cli, "_ignore_signals", lambda *_signals: None)
    with pytest.raises(SystemExit) as exit_:
        cli.run()
    assert (exit_.value.code, capfd.readouterr().err) == (ExitCode.INTERRUPTED, NOTHING_DONE)
