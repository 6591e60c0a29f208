"""Tests of drafts: rounds that are drawn and shown to nobody but the desk until they are published."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.slow import half_slow
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.event_file import read_event_file
from tourney.service.events.events import FinishEvent
from tourney.service.results import entry
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import SETTLING, ChangeClock, WatchedRound
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.draw_round import DrawRound, PublishRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Out
from tourney.service.rounds.rounds import published
from tourney.service.web import access


def make_db(db: str) -> None:
    """The path of a database with an event of seven people, of which the second of three rounds is a draft."""
    desk.event(db, 7, size=4, rounds=3)
    apply(db, DrawRound())
    apply(db, DrawRound(draft=True))


def _enter(db: str, round_number: int, table_number: int = 1) -> None:
    tables = rounds.show(db, None, round_number).rounds[0].tables
    players = [player.shown for player in next(at for at in tables if at.number == table_number).players]
    apply(db, EnterResult(None, round_number, table_number, desk.hands(players, (0, 1, 2, 0, 1, 2, 0))))


def _published(db: str) -> list[int]:
    return [drawn.number for drawn in published(rounds.show(db)).rounds]


HAPPENINGS: dict[str, tuple[Callable[[str], object], list[int]]] = {
    "nothing": (lambda db: None, [1]),
    "it is published": (lambda db: apply(db, PublishRound()), [1, 2]),
    "it is published by its number": (lambda db: apply(db, PublishRound("Friday", 2)), [1, 2]),
    "its publishing is undone": (lambda db: (apply(db, PublishRound()), apply(db, Undo())), [1]),
    "its publishing is redone": (lambda db: (apply(db, PublishRound()), apply(db, Undo()), apply(db, Redo())), [1, 2]),
    "a player is moved": (
        lambda db: apply(db, MovePlayer(None, rounds.show(db, None, 2).rounds[0].tables[0].players[0].name, Out())),
        [1],
    ),
    "a table is dissolved": (lambda db: apply(db, DissolveTable(None, 1, "ill")), [1]),
    "its clock is started": (lambda db: apply(db, ChangeClock(None, "start", 2, minutes=60)), [1]),
    "a result is entered": (lambda db: _enter(db, 2), [1, 2]),
    "a result is made void": (lambda db: (_enter(db, 2), apply(db, VoidResult(None, 2, 1, "wet"))), [1, 2]),
    "a result is undone": (lambda db: (_enter(db, 2), apply(db, Undo())), [1]),
    "it is cancelled": (lambda db: apply(db, CancelRound(None, "late")), [1]),
    "it is drawn again": (lambda db: (apply(db, CancelRound(None, "late")), apply(db, DrawRound())), [1, 2]),
}
"""Events after the draft was drawn, each with the rounds that others then see."""


@pytest.mark.parametrize("name", half_slow(HAPPENINGS))
def test_others_see_published_rounds_and_rounds_with_results(db: str, name: str) -> None:
    """The desk sees all of them, and the database stays sound."""
    happens, seen = HAPPENINGS[name]
    happens(db)
    assert _published(db) == seen
    assert database.check(db).problems == ()


def test_a_schedule_of_published_rounds_says_nothing_of_drafts(db: str) -> None:
    """Byes, notes and tables with too few players of the draft are left out; without a draft nothing is."""
    schedule = published(rounds.show(db))
    assert (schedule.notes, schedule.seating, schedule.ahead) == ((), (), None)
    assert {table.round for table in schedule.too_few} <= {1}
    apply(db, PublishRound())
    assert published(rounds.show(db)) == rounds.show(db)


REFUSED: dict[str, tuple[Callable[[str], object], ExitCode, str]] = {
    "the next draw": (lambda db: apply(db, DrawRound()), ExitCode.CONFLICT, "round 2 of Friday is a draft"),
    "a second publishing": (
        lambda db: (apply(db, PublishRound()), apply(db, PublishRound())),
        ExitCode.CONFLICT,
        "round 2 of Friday is published already",
    ),
    "a published round": (lambda db: apply(db, PublishRound("Friday", 1)), ExitCode.CONFLICT, "published already"),
    "a scored round": (lambda db: (_enter(db, 2), apply(db, PublishRound())), ExitCode.CONFLICT, "published already"),
    "a round that is not drawn": (lambda db: apply(db, PublishRound("Friday", 3)), ExitCode.NOT_FOUND, "not drawn"),
    "a finished event": (
        lambda db: (apply(db, FinishEvent("Friday", incomplete=True)), apply(db, PublishRound())),
        ExitCode.REFUSED,
        "is finished",
    ),
    "undoing the publishing before a draw": (
        lambda db: (apply(db, PublishRound()), apply(db, DrawRound()), apply(db, Undo(_published_by(db)))),
        ExitCode.REFUSED,
        "round 3 drawn",
    ),
}


def _published_by(db: str) -> int:
    return desk.query(db, "SELECT number FROM act WHERE kind = 'round.publish'")[0][0]


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_draft_forbids_is_refused(db: str, name: str) -> None:
    do, code, words = REFUSED[name]
    with desk.refused(code, words):
        do(db)


def test_a_key_of_a_table_opens_nothing_while_its_round_is_a_draft(db: str) -> None:
    """Signs may be printed before: they lead to the table of the round before until the round is published.

    New signs end earlier codes.
    """
    keys = access.grant_tables(db, "Friday", 2)[0]
    assert access.visitor(db, keys.token) is None
    for led_to in (access.enter_code(db, keys.code), access.scan_sign(db, keys.sign)):
        assert led_to is not None
        opened = access.visitor(db, led_to)
        assert opened is not None
        assert opened.table is not None
        assert (opened.table.round, opened.table.number) == (1, keys.table.number)
    again = access.grant_tables(db, "Friday", 2)[0]
    apply(db, PublishRound())
    assert access.visitor(db, keys.token) is not None
    assert access.enter_code(db, keys.code) is None
    assert access.enter_code(db, again.code) is not None


def test_a_table_keeps_its_key_while_the_next_round_is_a_draft(db: str) -> None:
    """Round 1 has a result at table 1; its key ends when round 2 is published."""
    keys = access.grant_tables(db, "Friday", 1)[0]
    _enter(db, 1)
    assert access.visitor(db, keys.token) is not None
    apply(db, PublishRound())
    assert access.visitor(db, keys.token) is None


def test_a_draft_is_in_nobody_s_way_while_the_round_before_is_played(db: str) -> None:
    """Clock, projector and sheets mean round 1 unless they name round 2; once it is published they mean that."""
    now = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
    watched = WatchedRound(db, None, None)
    assert [drawn.number for drawn in watched.look(now).rounds] == [1]
    assert apply(db, ChangeClock(None, "start", minutes=60)).rounds[0].number == 1
    assert entry.waiting(db, None).round == 1
    assert entry.begin(db, None, None, 1).table.round == 1
    apply(db, PublishRound())
    assert [drawn.number for drawn in watched.look(now + SETTLING).rounds] == [2]
    assert apply(db, ChangeClock(None, "start", minutes=60)).rounds[0].number == 2
    assert entry.waiting(db, None).round == 2
    assert entry.begin(db, None, None, 1).table.round == 2


def test_an_event_s_only_round_may_be_a_draft(new_db: str) -> None:
    """A clock or a sheet then means that round, since there is no other; a projector shows nothing of it."""
    desk.event(new_db, 4)
    apply(new_db, DrawRound(draft=True))
    assert apply(new_db, ChangeClock(None, "start", minutes=60)).rounds[0].draft
    assert entry.waiting(new_db, None).round == 1
    assert published(rounds.show(new_db)).rounds == ()
    assert WatchedRound(new_db, None, None).look(datetime(2026, 11, 20, tzinfo=UTC)).rounds == ()


def test_commands_draw_a_draft_mark_it_and_publish_it(run: Runner, db: str) -> None:
    """`round show`, lists, slips, posters and `status` say that it is one, and `status` how it is published."""
    shown = run("round", "show", "--db", db, "--round", "2").out
    assert "Friday, round 2 (draft)" in shown
    assert "`tourney round publish`" in shown
    for command in ("round show --by name", "round slips", "print wall", "print signs", "print slips", "status"):
        assert "(draft)" in run(*command.split(), "--db", db).out, command
    status = run("status", "--db", db, "--json").json
    assert status["draft"] is True
    assert status["next"][0]["words"][:3] == ["tourney", "round", "publish"]
    assert run("round", "show", "--db", db, "--json").json["drafts"] == [2]
    assert "round 2 drawn as a draft: 2 tables" in run("log", "--db", db).out
    assert run("round", "publish", "--db", db, "--dry-run").code == 0
    assert _published(db) == [1]
    assert "(draft)" not in run("round", "publish", "--db", db).out
    assert "round 2 published" in run("log", "--db", db).out
    assert "drafts" not in run("round", "show", "--db", db, "--json").json
    assert run("status", "--db", db, "--json").json["draft"] is False
    assert run("round", "draw", "--db", db, "--draft").code == 0
    assert _published(db) == [1, 2]


def test_a_draft_travels_with_its_event(run: Runner, db: str, tmp_path: Path) -> None:
    """The file has the draw as a draft; where it is imported, the round is one too, and is published there."""
    file, other = str(tmp_path / "friday.event"), str(tmp_path / "other.db")
    assert run("event", "export", "Friday", "--output", file, "--db", db).code == 0
    assert [each.entry.payload.get("draft") for each in read_event_file(file).entries][-2:] == [None, True]
    assert run("event", "import", file, "--db", other).code == 0
    assert _published(other) == [1]
    apply(other, PublishRound())
    assert _published(other) == [1, 2]
    assert database.check(other).problems == ()
