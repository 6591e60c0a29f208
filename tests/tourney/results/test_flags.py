"""Tests of flags: what tables ask the desk, raised at a phone or at the desk, answered, and named until then."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import FinishEvent
from tourney.service.players import MergePlayers, RegisterPlayers
from tourney.service.results import flags
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.service.rounds import rounds

make_db = desk.make_drawn


def _shown(db: str) -> list[tuple[int, str, str, str]]:
    return [(flag.number, flag.text, flag.state, flag.answer) for flag in flags.listing(db).flags]


def test_a_flag_is_open_until_it_is_answered_and_each_can_be_undone(db: str) -> None:
    """Numbers are not given twice: the flag after an undone one has the next number."""
    apply(db, RaiseFlag(None, 1, 1, "a card  is bent "), by="desk")
    assert _shown(db) == [(1, "a card is bent", "open", "")]
    apply(db, AnswerFlag(None, 1, "a new pack is there"), by="arbiter")
    answered = [(1, "a card is bent", "answered", "a new pack is there")]
    assert _shown(db) == answered
    (flag,) = flags.listing(db).flags
    assert (flag.by, flag.answered_by, flag.player) == ("desk", "arbiter", None)
    apply(db, Undo())
    assert _shown(db) == [(1, "a card is bent", "open", "")]
    apply(db, Redo())
    assert _shown(db) == answered
    apply(db, RaiseFlag(None, 1, 1, "the clock is slow"))
    apply(db, Undo())
    apply(db, RaiseFlag(None, 1, 1, "who dealt?"))
    assert _shown(db) == [*answered, (3, "who dealt?", "open", "")]
    assert database.check(db).problems == ()


def test_a_player_raises_a_flag_at_a_phone_and_sent_twice_it_counts_once(db: str) -> None:
    """The author is table and seat, and the player is kept by number, also after a merger."""
    player = rounds.show(db).rounds[0].tables[0].players[2]
    for _time in range(2):
        apply(db, RaiseFlag(None, 1, 1, "who dealt?", 2, "f" * 32))
    (flag,) = flags.listing(db).flags
    assert (flag.player, flag.by) == (player, "table 1: seat 3")
    apply(db, RegisterPlayers(["Hugo"]))
    apply(db, MergePlayers("Hugo", player.name))
    assert flags.listing(db).flags[0].player.name == "Hugo"
    assert database.check(db).problems == ()


REFUSED: dict[str, tuple[Callable[[str], object], ExitCode, str]] = {
    "no such table": (lambda db: apply(db, RaiseFlag(None, 1, 2, "x")), ExitCode.NOT_FOUND, "no table 2"),
    "no such round": (lambda db: apply(db, RaiseFlag(None, 2, 1, "x")), ExitCode.NOT_FOUND, "not drawn"),
    "no such seat": (lambda db: apply(db, RaiseFlag(None, 1, 1, "x", 4)), ExitCode.REFUSED, "no seat 5"),
    "no text": (lambda db: apply(db, RaiseFlag(None, 1, 1, "  ")), ExitCode.REFUSED, "is empty"),
    "a long text": (lambda db: apply(db, RaiseFlag(None, 1, 1, "x" * 81)), ExitCode.REFUSED, "81 characters"),
    "no such flag": (lambda db: apply(db, AnswerFlag(None, 1, "yes")), ExitCode.NOT_FOUND, "has no call 1"),
    "no answer": (lambda db: apply(db, AnswerFlag(None, 1, "")), ExitCode.REFUSED, "is empty"),
    "the same answer": (
        lambda db: (
            apply(db, RaiseFlag(None, 1, 1, "x")),
            apply(db, AnswerFlag(None, 1, "yes")),
            apply(db, AnswerFlag(None, 1, "yes")),
        ),
        ExitCode.REFUSED,
        "has this answer already",
    ),
    "a finished event": (
        lambda db: (apply(db, FinishEvent(None, incomplete=True)), apply(db, RaiseFlag(None, 1, 1, "x"))),
        ExitCode.REFUSED,
        "is finished",
    ),
    "another text under the id of a flag": (
        lambda db: [apply(db, RaiseFlag(None, 1, 1, text, 0, "f" * 32)) for text in ("x", "y")],
        ExitCode.CONFLICT,
        "belongs to another entry",
    ),
    "the tenth flag of a table's phones": (
        lambda db: [apply(db, RaiseFlag(None, 1, 1, f"text {number}", 0)) for number in range(10)],
        ExitCode.REFUSED,
        "has 9 calls without an answer",
    ),
    "an undo of the draw below a flag": (
        lambda db: (apply(db, RaiseFlag(None, 1, 1, "x")), apply(db, Undo(_drawn_by(db)))),
        ExitCode.REFUSED,
        "call 1",
    ),
}


def _drawn_by(db: str) -> int:
    return desk.query(db, "SELECT number FROM act WHERE kind = 'round.draw'")[0][0]


@pytest.mark.parametrize("name", REFUSED)
def test_an_impossible_flag_or_answer_is_refused(db: str, name: str) -> None:
    do, code, words = REFUSED[name]
    with desk.refused(code, words):
        do(db)


def test_status_and_the_next_draw_name_open_flags(run: Runner, db: str) -> None:
    """An answered flag is named by neither."""
    for text in ("who dealt?", "a card is bent"):
        assert run("result", "flag", "1", "1", *text.split(), "--db", db).code == 0
    assert run("result", "answer", "1", "Ana did", "--db", db).code == 0
    listed = run("result", "flags", "--db", db)
    assert all(word in listed.out for word in ("2 calls", "who dealt?", "Ana did", "a card is bent", "open"))
    status = run("status", "--db", db)
    assert "Call 2, round 1, table 1: a card is bent" in status.out
    assert "who dealt?" not in status.out
    (flag,) = run("status", "--db", db, "--json").json["flags"]
    assert (flag["number"], flag["text"], flag["state"]) == (2, "a card is bent", "open")
    drawn = run("round", "draw", "--db", db)
    assert "1 call has no answer yet: round 1, table 1." in drawn.out
    assert "call 2, table 1 of round 1: a card is bent" in run("log", "--db", db).out
    assert "call 1 answered: Ana did" in run("log", "--db", db).out


USAGE: dict[str, str] = {
    "result flag": "",
    "result flag 1": "a flag needs",
    "result flag 1 1": "a flag needs",
    "result flag x 1 who dealt": "ROUND cannot be “x”",
    "result flag 1 0 who dealt": "TABLE cannot be “0”",
    "result answer 1": "an answer needs",
    "result answer x yes": "NUMBER cannot be “x”",
}


@pytest.mark.parametrize("line", USAGE)
def test_a_mistyped_flag_is_explained(run: Runner, db: str, line: str) -> None:
    """Exit code 2, one line and an example."""
    ran = run(*line.split(), "--db", db)
    assert ran.code == ExitCode.USAGE
    assert USAGE[line] in ran.err
    assert _shown(db) == []


def test_flags_travel_with_their_event(run: Runner, db: str, tmp_path: Path) -> None:
    file, other = str(tmp_path / "friday.event"), str(tmp_path / "other.db")
    apply(db, RaiseFlag(None, 1, 1, "who dealt?", 0))
    apply(db, AnswerFlag(None, 1, "Ana"))
    apply(db, RaiseFlag(None, 1, 1, "a card is bent"))
    apply(other, RegisterPlayers(["Zoe"]))
    assert run("event", "export", "Friday", "--output", file, "--db", db).code == 0
    assert run("event", "import", file, "--db", other).code == 0
    here, there = flags.listing(db).flags, flags.listing(other).flags
    assert [(flag.text, flag.answer) for flag in there] == [(flag.text, flag.answer) for flag in here]
    assert there[0].player.name == here[0].player.name
    assert there[0].player.id != here[0].player.id
    assert database.check(other).problems == ()
