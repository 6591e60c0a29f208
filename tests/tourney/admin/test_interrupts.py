"""Where Ctrl-C breaks off and where it waits; no command shows a traceback when it is interrupted."""

import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine.default import DefaultDialect

from tourney import cli
from tourney.cli.framework import app
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.people import players
from tourney.service.people.players import RegisterPlayers
from tourney.storage import sqlite
from tourney.storage.session import writing
from tourney.text.signals import deferred, ignore, interruptible, listening, stop_on_request

NOTHING_DONE = "error: interrupted before anything was done\nhint: give the same command again\n"


@pytest.fixture(autouse=True)
def listened() -> Iterator[None]:
    with listening(signal.SIGINT):
        yield


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def interrupted(act: Callable[[list[str]], None]) -> list[str]:
    """Return what was done before the interrupt, checking that there was one."""
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        act(done)
    return done


def test_what_is_held_ends_before_it_is_interrupted() -> None:
    def act(done: list[str]) -> None:
        with deferred():
            ctrl_c()
            done.append("to its end")
        done.append("too far")

    assert interrupted(act) == ["to its end"]


def test_an_interrupt_that_waits_is_heard_where_it_is_let_in() -> None:
    def act(done: list[str]) -> None:
        with deferred():
            ctrl_c()
            done.append("held")
            with interruptible():
                done.append("too far")

    assert interrupted(act) == ["held"]


def test_what_is_held_is_broken_off_once_and_then_undisturbed() -> None:
    """A second interrupt waits until it has ended."""

    def act(done: list[str]) -> None:
        with deferred():
            try:
                with interruptible():
                    try:
                        ctrl_c()
                    finally:
                        ctrl_c()
                        done.append("cleaned up")
            except KeyboardInterrupt:
                done.append("broken off once")
        done.append("too far")

    assert interrupted(act) == ["cleaned up", "broken off once"]


def test_where_something_is_to_be_finished_the_first_interrupt_only_asks_and_the_second_breaks_off() -> None:
    """Behind it the first one breaks off again."""

    def act(done: list[str]) -> None:
        with stop_on_request() as asked:
            done.append(f"asked {asked()}")
            ctrl_c()
            done.append(f"asked {asked()}")
            try:
                ctrl_c()
            except KeyboardInterrupt:
                done.append("broken off")
        ctrl_c()
        done.append("too far")

    assert interrupted(act) == ["asked False", "asked True", "broken off"]


def test_the_second_interrupt_waits_where_something_is_held() -> None:
    def act(done: list[str]) -> None:
        with stop_on_request():
            ctrl_c()
            with deferred():
                ctrl_c()
                done.append("to its end")
            done.append("too far")

    assert interrupted(act) == ["to its end"]


def test_nothing_is_heard_at_the_end_of_all() -> None:
    with listening(), deferred():
        ignore()
        with interruptible():
            ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()


def test_an_interrupt_that_python_cannot_raise_shows_nothing_and_is_heard_later(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Check an interrupt that arrives inside a finalizer."""

    class Falls:
        def __del__(self) -> None:
            ctrl_c()

    def act(done: list[str]) -> None:
        with deferred(), interruptible():
            one = Falls()
            del one
            done.append("went on")
            with interruptible():
                done.append("too far")

    assert interrupted(act) == ["went on"]
    assert capsys.readouterr().err == ""


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """As in a program started in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with listening(signal.SIGINT):
            ctrl_c()
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_breaks_off_the_waiting_for_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = str(tmp_path / "club.db")
    apply(db, RegisterPlayers(["Ana"]))
    monkeypatch.setattr(sqlite, "sleep", lambda _seconds: ctrl_c())
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(KeyboardInterrupt), writing(db):
            pytest.fail("it is locked")


def interrupt_after(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Ctrl-C falls right behind this step of the library."""
    does = getattr(DefaultDialect, step)

    def does_and_is_interrupted(dialect: DefaultDialect, connection: Any) -> None:
        does(dialect, connection)
        ctrl_c()

    monkeypatch.setattr(DefaultDialect, step, does_and_is_interrupted)


@pytest.mark.parametrize("step", ["do_commit", "do_close"])
def test_a_command_that_is_interrupted_at_the_end_of_its_work_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], step: str
) -> None:
    """Nothing of the library's is shown, and all is kept."""
    db = str(tmp_path / "club.db")
    apply(db, RegisterPlayers(["Ana"]))
    interrupt_after(monkeypatch, step)
    code = app.main(["player", "add", "Zoe", "--db", db])
    assert (code, capfd.readouterr().err) == (ExitCode.INTERRUPTED, "interrupted\n")
    monkeypatch.undo()
    assert [player.name for player in players.listing(db)] == ["Ana", "Zoe"]


def test_a_command_that_waits_is_interrupted_at_once_and_again_while_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    db = str(tmp_path / "club.db")
    apply(db, RegisterPlayers(["Ana"]))
    interrupt_after(monkeypatch, "do_close")
    monkeypatch.setattr(sqlite, "sleep", lambda _seconds: ctrl_c())
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        code = app.main(["player", "add", "Zoe", "--db", db])
    assert (code, capfd.readouterr().err) == (ExitCode.INTERRUPTED, "interrupted\n")


def test_a_command_that_is_interrupted_while_its_noun_is_loaded_says_that_nothing_was_done(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "import_module", lambda _name: ctrl_c())
    assert app.main(["league", "resume"]) == ExitCode.INTERRUPTED
    assert capfd.readouterr().err == NOTHING_DONE


def test_a_program_that_is_interrupted_before_it_has_read_its_command_says_the_same(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Loading:
        """Whoever loads the frame is interrupted."""

        @staticmethod
        def find_spec(name: str, _path: object, _target: object = None) -> None:
            if name == "tourney.cli.framework.app":
                ctrl_c()

    monkeypatch.setattr(sys, "meta_path", [Loading, *sys.meta_path])
    monkeypatch.delitem(sys.modules, "tourney.cli.framework.app")
    monkeypatch.setattr(cli, "_ignore_signals", lambda *_signals: None)
    with pytest.raises(SystemExit) as left:
        cli.run()
    assert (left.value.code, capfd.readouterr().err) == (ExitCode.INTERRUPTED, NOTHING_DONE)
