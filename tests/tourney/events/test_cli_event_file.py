"""`event export` and `event import FILE` as whole commands: there and back, who is who, and every bad file."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.bad_input import chained as chained_files
from tests.harness.bad_input.chained import chained, with_junk
from tests.harness.commands import Runner
from tests.harness.effort import effort
from tests.harness.pages import event_file as page_event
from tests.harness.round_trip import names_of, shown, there_and_back
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.service import database
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events import import_event
from tourney.service.events.event_file import FilePerson, exported
from tourney.service.events.import_event import ImportEvent
from tourney.service.players import RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.substitute import NameSubstitute

FILE = desk.CLUB / "friday.event"
"""The file that the guide shows: Ana, Beñat and Carmen play one game."""
LINES = FILE.read_text(encoding="utf-8").splitlines()


@pytest.fixture(autouse=True)
def own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a database of its own, and its files a folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "own.db"))


def values_of(lines: Sequence[str] = LINES) -> list[Any]:
    return chained_files.values_of(lines)


def test_an_event_is_carried_to_another_computer_and_back_unchanged(run: Runner, tmp_path: Path) -> None:
    page_event.make(str(tmp_path / "club.db"))
    there, back = tmp_path / "there.event", tmp_path / "back.event"
    exported = run("event", "export", "Friday", "--output", str(there), "--db", str(tmp_path / "club.db"))
    assert exported.out == "exported: Friday: 7 changes, 3 players, code 72f52c8bc9706212\n"
    assert there.read_bytes() == FILE.read_bytes()
    imported = run("event", "import", str(there), "--db", str(tmp_path / "other.db"))
    assert imported.code == ExitCode.DONE, imported.err
    assert imported.out.startswith("imported: Friday: 7 changes, code 72f52c8bc9706212\n")
    assert run("event", "export", "--output", str(back), "--db", str(tmp_path / "other.db")).code == ExitCode.DONE
    assert back.read_bytes() == FILE.read_bytes()


def test_an_export_without_a_file_is_the_text_itself(run: Runner) -> None:
    run("event", "import", str(FILE))
    assert run("event", "export").out.encode() == FILE.read_bytes()
    data = run("event", "export", "--json").json
    assert data["text"].encode() == FILE.read_bytes()
    assert data["code"] == "72f52c8bc9706212"


def test_people_are_matched_by_name_and_label_and_others_are_registered(run: Runner) -> None:
    """Beñat is known without his accent; Ana (Getxo) is another person than Ana."""
    run("player", "add", "Xabier")
    run("player", "add", "Ana", "--label", "Getxo")
    run("player", "add", "benat")
    run("event", "import", str(FILE), "--dry-run")
    assert len(run("player", "list", "--json").json) == 3
    people = run("event", "import", str(FILE), "--json").json["people"]
    assert [(row["person"], row["name"], row["player"], row["how"]) for row in people] == [
        (1, "Ana", "Ana", "new"),
        (2, "Beñat", "benat", "known"),
        (3, "Carmen", "Carmen", "new"),
    ]
    assert {row["player"] for row in run("ratings", "--json").json} == {"Ana", "benat", "Carmen"}
    assert run("db", "check").code == ExitCode.DONE


def test_the_same_event_is_refused_again_until_its_import_is_taken_back(run: Runner) -> None:
    run("event", "import", str(FILE))
    again = run("event", "import", str(FILE), "--name", "Other")
    assert again.code == ExitCode.CONFLICT
    assert "this event is here already, as Friday, and nothing in the file is new" in again.err
    assert run("undo").code == ExitCode.DONE
    assert (run("player", "list", "--json").json, run("event", "list", "--json").json) == ([], [])
    assert run("redo").code == ExitCode.DONE
    assert run("event", "export").out.encode() == FILE.read_bytes()
    assert run("undo").code == ExitCode.DONE
    assert run("event", "import", str(FILE)).code == ExitCode.DONE
    assert run("event", "export").out.encode() == FILE.read_bytes()
    assert run("db", "check").code == ExitCode.DONE


def test_an_event_whose_name_is_taken_needs_another_one(run: Runner) -> None:
    """The other name is an entry of its own, so that the code of before is still found in later files."""
    run("event", "new", "friday")
    taken = run("event", "import", str(FILE))
    assert taken.code == ExitCode.CONFLICT
    assert "`--name NEW`" in taken.err
    assert run("event", "import", str(FILE), "--name", "Friday 20").code == ExitCode.DONE
    lines = run("event", "export", "Friday 20").out.splitlines()
    assert lines[:8] == LINES[:8]
    assert values_of(lines)[8]["payload"] == {"event": 1, "changes": {"name": "Friday 20"}}
    assert run("event", "set", "Friday 20", "--date", "2026-11-20").code == ExitCode.DONE
    assert run("undo").code == ExitCode.DONE
    assert run("db", "check").code == ExitCode.DONE


def test_the_event_goes_on_where_it_was_imported(run: Runner) -> None:
    run("event", "import", str(FILE))
    assert run("ruling", "add", "--kind", "note", "--reason", "went on here").code == ExitCode.DONE
    lines = run("event", "export").out.splitlines()
    assert lines[:8] == LINES[:8]
    assert values_of(lines)[8]["payload"]["text"] == "went on here"
    refused = run("undo", "5")
    assert refused.code == ExitCode.REFUSED, "the note rests on the import, which is one whole"
    assert run("undo").code == ExitCode.DONE
    kinds = [value.get("kind") for value in values_of(run("event", "export").out.splitlines())]
    assert kinds[8:10] == ["ruling.add", "undo"]


def test_erased_and_merged_people_and_late_registrations_travel(run: Runner, db: str, tmp_path: Path) -> None:
    """Annika was merged into Ana, Beñat erased, and Zoe's registration taken back with her entry."""
    page_event.make(db)
    for words in (
        ("player", "add", "Annika"),
        ("event", "enter", "Friday", "Annika"),
        ("event", "enter", "Friday", "Zoe", "--add"),
        ("undo",),
        ("player", "merge", "Ana", "Annika"),
        ("player", "erase", "Beñat"),
    ):
        assert run(*words, "--db", db).code == ExitCode.DONE, words
    text = there_and_back(db, tmp_path, "Friday")
    merged = [value for value in values_of(text.splitlines()) if "merged" in value]
    assert merged == [{"person": 4, "name": "Annika", "merged": 1}]
    # An Annika who is somebody else there stays who she is.
    other = str(tmp_path / "other.db")
    run("player", "add", "Annika", "--db", other)
    assert run("event", "import", str(tmp_path / "Friday.event"), "--db", other).code == ExitCode.DONE
    assert "Annika" in [row["name"] for row in run("player", "list", "--json", "--db", other).json]
    assert run("event", "export", "--db", other).out == text
    assert run("db", "check", "--db", other).code == ExitCode.DONE


def test_bots_records_club_rules_and_partial_sheets_travel(tmp_path: Path) -> None:
    db = desk.everything(tmp_path / "club.db")
    with_records = 0
    for name in names_of(db):
        values = values_of(there_and_back(db, tmp_path, name).splitlines())
        with_records += any("record" in value and "text" in value for value in values)
    assert with_records


def changed(at: int, **changes: Any) -> Callable[[], str]:
    """Return the file with other values in a line, chained anew."""

    def make() -> str:
        values = values_of()
        values[at] = values[at] | changes
        return chained(values)

    return make


def with_payload(at: int, **changes: Any) -> Callable[[], str]:
    """Return the file with other values in the payload of a line, chained anew."""
    return lambda: changed(at, payload=values_of()[at]["payload"] | changes)()


def with_clock(started: str, minutes: int) -> Callable[[], str]:
    """Return the file with a clock of the round as its last entry."""
    payload = {"event": 1, "round": 1, "started": started, "minutes": minutes}
    return changed(7, kind="round.clock", payload=payload)


def last(kind: str, payload: Mapping[str, Any]) -> Callable[[], str]:
    """Return the file with another last entry."""
    return changed(7, kind=kind, payload=payload)


def last_after_the_end(**changes: Any) -> str:
    """Return the file with an end of the event before its last entry, which has these values; without undo and redo."""
    values = values_of()
    values[7] |= changes
    values[5:7] = [values[6] | {"kind": "event.finish", "payload": {"event": 1}, "batch": values[6]["id"]}]
    values[-1] = values[-1] | {"entries": 6}
    return chained(values)


SEATED_ANEW = {"event": 1, "round": 1, "out": []}
MOVED = SEATED_ANEW | {"note": ""}
CALLED = {"event": 1, "round": 1, "table": 1, "player": None, "text": "x"}
CANNOT_FOLLOW = ", line 8: this entry cannot follow those before it"
NOBODY_WRITES = ", line 8: no program writes such a line here"
UNKNOWN_VALUE = ", line 8: it has a value that this program does not know"


def with_record(text: str) -> Callable[[], str]:
    """Return the file with a record that its result names, with the hashes and the counts that follow."""

    def make() -> str:
        values, digest = values_of(), sha256(text.encode()).hexdigest()
        values[4]["payload"]["record"] = digest
        values.insert(-1, {"record": digest, "text": text})
        values[-1]["records"] = 1
        return chained(values)

    return make


def without(at: int) -> Callable[[], str]:
    """Return the file without a line, with the hashes and the counts that follow."""

    def make() -> str:
        values = values_of()
        key = "people" if "person" in values.pop(at) else "entries"
        values[-1] = values[-1] | {key: values[-1][key] - 1}
        return chained(values)

    return make


def test_the_tests_chain_files_as_the_program_does() -> None:
    assert chained(values_of()).encode() == FILE.read_bytes()


BAD: dict[str, tuple[Callable[[], str | bytes], str]] = {
    "empty": (lambda: "", "the file ends after line 0, before its end"),
    "a spreadsheet": (lambda: "round,table,seat\n1,1,1\n", "this is not the file of an event"),
    "another JSON": (lambda: chained([{"format": "other"}]), "this is not the file of an event"),
    "a later version": (changed(0, version=2), "version 2 of event files, and this program reads version 1"),
    "a changed letter": (lambda: "\n".join(LINES).replace("came late", "came Late") + "\n", ", line 8: it is not as"),
    "a line left out": (lambda: "\n".join(LINES[:4] + LINES[5:]) + "\n", ", line 5: it is not as it was written"),
    "cut off between lines": (lambda: "\n".join(LINES[:6]) + "\n", "the file ends after line 6, before its end"),
    "cut off within a line": (lambda: "\n".join(LINES)[:3000], "the file is cut off here"),
    "Windows line ends": (lambda: "\r\n".join(LINES) + "\r\n", "this is not the file of an event"),
    "a database": (lambda: b"SQLite format 3\0\x10\xff\n\xff\n", "this is not the file of an event"),
    "zero characters": (lambda: "\0" * 2000 + "\n", "this is not the file of an event"),
    "a huge line": (lambda: LINES[0] + "\n" + "x" * 4_000_002, ", line 2: it has more than 4000000 bytes"),
    "not UTF-8": (lambda: LINES[0].encode() + b"\n\xff\xfe\n", ", line 2: it is not text in UTF-8"),
    "a line after the end": (lambda: chained([*values_of(), {"person": 4}]), ", line 13: it follows the end"),
    "a wrong count": (changed(11, people=4), ", line 12: no program writes such a line here"),
    "a wrong head": (lambda: "\n".join(LINES[:-1]) + "\n" + LINES[-1].replace("7,", "7,"), "cut off here"),
    "an unknown kind": (changed(4, kind="result.guess"), ", line 5: this program does not know the kind of entry"),
    "an id twice": (changed(5, id=values_of()[4]["id"]), ", line 6: no program writes such a line here"),
    "a batch that is over": (changed(7, batch=values_of()[4]["id"]), ", line 8: no program writes such a line here"),
    "a number for an id": (changed(4, id=5), ", line 5: no program writes such a line here"),
    "no such day": (changed(4, time="2026-11-31T20:00:00.000000Z"), ", line 5: no program writes such a line here"),
    "an undo of nothing": (with_payload(5, batch="f" * 32), ", line 6: no program writes such a line here"),
    "no creation": (without(1), ", line 2: no program writes such a line here"),
    "a round not drawn": (without(3), ", line 4: this entry cannot follow those before it"),
    "nobody entered": (without(2), ", line 3: this entry cannot follow those before it"),
    "a person missing": (without(10), ", line 3: this entry cannot follow those before it"),
    "people out of order": (changed(9, person=3), ", line 10: no program writes such a line here"),
    "a person twice": (changed(9, name="ana"), ", line 10: no database has such a person"),
    "a name with blanks": (changed(9, name=" Ana  María "), ", line 10: no database has such a person"),
    "an unknown bot": (lambda: changed(9, bot="cheat-1")().replace('"name":"Beñat",', ""), ", line 10: "),
    "merged in a circle": (changed(9, merged=2), ", line 10: no database has such a person"),
    "another event": (with_payload(2, event=2), ", line 3: this entry cannot follow those before it"),
    "entered twice": (with_payload(2, players=[1, 2, 2]), ", line 3: this entry cannot follow those before it"),
    "text for points": (with_payload(4, points=["a", "b", "c"]), ", line 5: no program writes such a line here"),
    "too few points": (with_payload(4, points=[1, 2]), ", line 5: this entry cannot follow those before it"),
    "text for minutes": (with_payload(1, minutes="5"), "the entries do not make an event"),
    "no name": (with_payload(1, name=""), ", line 2: this entry cannot follow those before it"),
    "a plan of nothing": (with_payload(3, plan=[{"of": ["x"], "rounds": {}, "out": {}}]), "do not make an event"),
    "text for rounds": (with_payload(1, rounds="5"), ", line 2: no program writes such a line here"),
    "a newer setting": (with_payload(1, cards="four"), ", line 2: it has a value that this program does not know"),
    "unknown rules": (with_payload(1, rules="unknown"), ", line 2: "),
    "a bot that cannot be seen in full": (
        with_payload(2, outside=[["x", "cmd:python3 bot.py\u001b]0;x\u0007\u202e", "", [], []]]),
        ", line 3: the entrant of bot 1 has characters that cannot be seen",
    ),
    "a bot with an unseen name": (
        with_payload(2, outside=[["x\u200f", "cmd:python3 bot.py", "", [], []]]),
        ", line 3: the entrant of bot 1 has characters that cannot be seen",
    ),
    "a bot with the name of a built-in one": (
        with_payload(2, outside=[["greedy ", "cmd:python3 bot.py", "", [], []]]),
        ", line 3: “greedy ” is the name of a built-in bot",
    ),
    "a clock without a time zone": (with_clock("2026-11-20T20:00:00", 60), NOBODY_WRITES),
    "a clock that begins with a day": (with_clock("2026-11-20", 60), NOBODY_WRITES),
    "a clock of more than a day": (with_clock("2026-11-20T20:00:00Z", 24 * 60 + 1), NOBODY_WRITES),
    "a pause of a million years": (with_clock("", 10**12), NOBODY_WRITES),
    "a clock of fewer minutes than none": (with_clock("2026-11-20T20:00:00Z", -1), NOBODY_WRITES),
    "a text of 4,000 letters": (with_payload(7, text="x" * 4_000), NOBODY_WRITES),
    "an author of 4,000 letters": (changed(7, by="x" * 4_000), NOBODY_WRITES),
    "a penalty of more points than a database holds": (with_payload(7, points=2**63), NOBODY_WRITES),
    "a change that writes into another event too": (with_payload(7, events=[2]), UNKNOWN_VALUE),
    "a change that writes into other rounds too": (with_payload(7, of_rounds=[1, 2]), UNKNOWN_VALUE),
    "a setting that no event has": (last("event.set", {"event": 1, "changes": {"of_rounds": [1]}}), UNKNOWN_VALUE),
    "a call of a later number": (last("flag.raise", CALLED | {"flag": 2**40}), NOBODY_WRITES),
    "a call of another number than the next": (last("flag.raise", CALLED | {"flag": 2}), CANNOT_FOLLOW),
    "a round before the next one": (last("round.draw", values_of()[3]["payload"] | {"round": 3}), CANNOT_FOLLOW),
    "a table of nobody": (last("round.move", MOVED | {"tables": [{"table": 2, "players": []}]}), CANNOT_FOLLOW),
    "a text for a table": (last("round.move", MOVED | {"tables": [{"table": "2", "players": [1]}]}), CANNOT_FOLLOW),
    "points that are no sums": (with_payload(4, points=[37, 35, 101]), ", line 5: this entry cannot follow"),
    "hands won that nobody closed": (with_payload(4, hands_won=[3, 0, 0]), ", line 5: this entry cannot follow"),
    "places against the points": (with_payload(4, places=[3, 2, 1]), ", line 5: this entry cannot follow"),
    "points without a hand": (with_payload(4, extra=[5, 5, 5]), ", line 5: this entry cannot follow"),
    "money in a game of contracts": (with_payload(4, money=[5, -5, 0]), "the entries do not make an event"),
    "a second result": (last("result.enter", values_of()[4]["payload"]), CANNOT_FOLLOW),
    "other people at a table that has a result": (
        last("round.move", MOVED | {"tables": [{"table": 1, "players": [1, 2, 3]}]}),
        CANNOT_FOLLOW,
    ),
    "a dissolved table that has a result": (
        last("round.dissolve", SEATED_ANEW | {"tables": [], "out": [1, 2, 3], "table": 1, "reason": "x"}),
        CANNOT_FOLLOW,
    ),
    "a round drawn again": (last("round.draw", values_of()[3]["payload"] | {"round": 1}), CANNOT_FOLLOW),
    "a table twice": (
        with_payload(3, tables=[{"players": [2, 1], "table": 1}, {"players": [3], "table": 1}]),
        ", line 4: this entry cannot follow",
    ),
    "a player seated and out": (with_payload(3, out=[1]), ", line 4: this entry cannot follow"),
    "a cancelled decision that nobody took": (
        last("ruling.cancel", {"event": 1, "ruling": 1, "reason": "x"}),
        CANNOT_FOLLOW,
    ),
    "a decision in an event that has ended": (last_after_the_end, ", line 7: this entry cannot follow"),
    "a setting of an event that has ended": (
        partial(last_after_the_end, kind="event.set", payload={"event": 1, "changes": {"size": 5}}),
        ", line 7: this entry cannot follow",
    ),
    "a penalty for a stranger": (with_payload(7, player=9), ", line 8: this entry cannot follow those before it"),
    "a record that is none": (with_record("x"), "this is not a record"),
    "a record that is missing": (with_payload(4, record="0" * 64), "the records of games in the file"),
}


@pytest.mark.parametrize(
    ("started", "minutes"), [("2026-11-20T20:00:00Z", 24 * 60), ("2026-11-20T20:00:00Z", 0), ("", 5)]
)
def test_a_clock_as_commands_write_it_is_imported(run: Runner, started: str, minutes: int) -> None:
    Path("clock.event").write_text(with_clock(started, minutes)(), encoding="utf-8")
    assert run("event", "import", "clock.event").code == ExitCode.DONE


@pytest.mark.parametrize(("make", "message"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_in_one_line_and_nothing_is_imported(
    run: Runner, tmp_path: Path, make: Callable[[], str | bytes], message: str
) -> None:
    text = make()
    (tmp_path / "bad.event").write_bytes(text.encode() if isinstance(text, str) else text)
    refused = run("event", "import", str(tmp_path / "bad.event"), "--db", str(tmp_path / "new.db"))
    assert refused.code == ExitCode.REFUSED, refused.err
    assert message in refused.err
    assert refused.err.startswith("error: ")
    assert [line[:6] for line in refused.err.splitlines()] == ["error:", "hint: "]
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("cases", [15, pytest.param(2000, marks=pytest.mark.slow)])
def test_whatever_a_value_is_the_file_is_refused_or_can_be_shown_and_taken_back(
    full: str, tmp_path: Path, cases: int
) -> None:
    rng, file = Random(cases), tmp_path / "junk.event"
    events = [values_of(exported(full, name).text.splitlines()) for name in names_of(full)]
    for case in range(cases):
        file.write_text(with_junk(rng, rng.choice([values_of(), *events])), encoding="utf-8")
        db = str(tmp_path / f"{case}.db")
        refusal = refusal_of(db, file)
        if refusal is not None:
            assert refusal.code == ExitCode.REFUSED, refusal.message
            assert refusal.hint
            assert "\n" not in refusal.message
            continue
        shown(db, *names_of(db))
        apply(db, Undo())
        assert database.check(db).problems == ()


def refusal_of(db: str, file: Path) -> TourneyError | None:
    """Import a file and return the refusal, if it is refused."""
    try:
        apply(db, ImportEvent(file))
    except TourneyError as error:
        return error
    return None


def test_a_missing_file_a_folder_that_is_not_there_and_a_file_that_exists_are_refused(
    run: Runner, tmp_path: Path
) -> None:
    assert run("event", "import", "none.event").code == ExitCode.NOT_FOUND
    run("event", "import", str(FILE))
    assert run("event", "export", "--output", str(tmp_path / "no" / "f.event")).code == ExitCode.NOT_FOUND
    kept = tmp_path / "kept.event"
    kept.write_text("mine")
    assert run("event", "export", "--output", str(kept)).code == ExitCode.CONFLICT
    assert kept.read_text() == "mine"
    assert run("event", "export", "--output", str(kept), "--force").code == ExitCode.DONE
    assert kept.read_bytes() == FILE.read_bytes()


@pytest.mark.parametrize("option", ["--rules=oficial", "--date=2026-11-20"])
def test_options_of_score_sheets_do_not_go_with_the_file_of_an_event(run: Runner, option: str) -> None:
    assert run("event", "import", str(FILE), option).code == ExitCode.USAGE


def test_a_mirror_has_an_imported_event_too(run: Runner, tmp_path: Path) -> None:
    """The database is thrown away; its mirror restores the event, which is exported as it came."""
    run("player", "add", "Zoe")
    (tmp_path / "stick").mkdir()
    assert run("db", "mirror", "add", str(tmp_path / "stick")).code == ExitCode.DONE
    assert run("event", "import", str(FILE)).code == ExitCode.DONE
    for path in tmp_path.glob("own.db*"):
        path.unlink()
    restored = run("db", "restore", "--mirror", str(tmp_path / "stick"))
    assert restored.code == ExitCode.DONE, restored.err
    assert run("event", "export").out.encode() == FILE.read_bytes()
    assert run("db", "check").code == ExitCode.DONE


if sys.platform != "win32":
    from tests.harness.terminal import Terminal

    @pytest.mark.parametrize("answer", ["n", "y"])
    def test_at_a_terminal_the_people_are_shown_before_anything_is_saved(
        run: Runner, tmp_path: Path, answer: str
    ) -> None:
        run("player", "add", "benat")
        with Terminal("event", "import", str(FILE), TOURNEY_DB=str(tmp_path / "own.db")) as terminal:
            terminal.wait("Friday: 7 changes, code 72f52c8bc9706212")
            terminal.wait("3 players: 1 registered here, 2 new")
            terminal.wait("Import it? (y/n) [n]")
            terminal.type(f"{answer}\n")
            terminal.wait("nothing was imported" if answer == "n" else "imported: Friday")
            assert terminal.code() == ExitCode.DONE
            assert terminal.shown.count("1 registered here") == 1, "what was shown before is not shown twice"
        assert len(run("player", "list", "--json").json) == (1 if answer == "n" else 3)


OF_ROUND = {"event": 1, "round": 1, "absent": "other"}
TWO_SEATS: dict[str, tuple[str, dict[str, Any], bool]] = {
    "a merger into the substitute": ("player.merge", {"keep": "Eva", "gone": "seated", "events": [1]}, True),
    "a merger of the substitute": ("player.merge", {"keep": "seated", "gone": "Eva", "events": [1]}, True),
    "a substitute with a seat": ("round.substitute", OF_ROUND | {"substitute": "seated"}, True),
    "a substitute of two": ("round.substitute", OF_ROUND | {"substitute": "Eva"}, True),
    "a seat for the substitute": ("round.move", {"event": 1, "round": 1}, True),
    "a merger with who is absent": ("player.merge", {"keep": "absent", "gone": "Eva", "events": [1]}, False),
}


@pytest.mark.parametrize("case", TWO_SEATS)
def test_no_file_brings_one_person_in_two_seats_of_a_round(run: Runner, tmp_path: Path, case: str) -> None:
    """Eva plays for somebody at table 1; the file goes on with one more entry, and all its hashes are right."""
    kind, payload, refused = TWO_SEATS[case]
    db = str(tmp_path / "club.db")
    desk.event(db, 8)
    apply(db, RegisterPlayers(["Eva"]))
    first, second = apply(db, DrawRound()).rounds[0].tables
    who = {"absent": first.players[0].name, "other": first.players[1].name, "seated": second.players[0].name}
    apply(db, NameSubstitute(None, [who["absent"], "Eva"]))
    values = values_of(run("event", "export", "Friday", "--db", db).out.splitlines())
    entries = [value for value in values if "kind" in value]
    people = [value for value in values if "person" in value]
    numbers = {value["name"]: value["person"] for value in people}
    payload = {key: numbers[who.get(of, of)] if isinstance(of, str) else of for key, of in payload.items()}
    if kind == "round.move":
        drawn = next(value["payload"]["tables"] for value in entries if value["kind"] == "round.draw")
        now = {numbers[who["seated"]]: numbers["Eva"]}
        tables = [{**each, "players": [now.get(player, player) for player in each["players"]]} for each in drawn]
        payload |= {"tables": tables, "out": [numbers[who["seated"]]], "note": ""}
    if kind == "player.merge":
        people[payload["gone"] - 1]["merged"] = payload["keep"]
    entries.append({**entries[-1], "id": "ab" * 16, "batch": "ab" * 16, "kind": kind, "payload": payload})
    end = {**values[-1], "entries": len(entries)}
    (tmp_path / "more.event").write_text(chained([values[0], *entries, *people, end]), encoding="utf-8")
    ran = run("event", "import", str(tmp_path / "more.event"), "--db", str(tmp_path / "new.db"))
    assert ran.code == (ExitCode.REFUSED if refused else ExitCode.DONE), ran.err
    assert ("this entry cannot follow those before it" in ran.err) == refused


SEATED = ["mine", "cmd:python3 bot.py", "", [["bot.py", "0" * 64]], []]
SECOND_SEAT: dict[str, tuple[list[Any], bool]] = {
    "the same bot": (SEATED, False),
    "another command": (["mine", "cmd:sh evil.sh", *SEATED[2:]], True),
    "another file": ([*SEATED[:3], [["bot.py", "1" * 64]], []], True),
    "larger limits": ([*SEATED[:4], [["memory", 8 << 30]]], True),
    "a bot of another name": (["yours", *SEATED[1:]], False),
}


@pytest.mark.parametrize("returning", [False, True])
@pytest.mark.parametrize("case", SECOND_SEAT)
def test_no_file_puts_another_bot_under_the_name_of_one(run: Runner, case: str, returning: bool) -> None:
    """The file of an event that is here comes back with one more seat; a seat before it would be played by that bot."""
    row, refused = SECOND_SEAT[case]
    values = values_of(with_payload(2, outside=[SEATED])().splitlines())
    Path("here.event").write_text(chained(values), encoding="utf-8")
    if returning:
        assert run("event", "import", "here.event").code == ExitCode.DONE
    place = next(at for at, value in enumerate(values) if "person" in value)
    payload = {"event": 1, "first": 4, "players": [4], "outside": [row]}
    new = {**values[place - 1], "id": "ab" * 16, "batch": "ab" * 16, "kind": "event.enter", "payload": payload}
    end = {**values[-1], "entries": values[-1]["entries"] + 1, "people": 4}
    more = [*values[:place], new, *values[place:-1], {"person": 4, "bot": "mine-2"}, end]
    Path("more.event").write_text(chained(more), encoding="utf-8")
    ran = run("event", "import", "more.event")
    assert ran.code == (ExitCode.REFUSED if refused else ExitCode.DONE), ran.err
    assert ("the event has another bot called “mine”" in ran.err) == refused


def test_a_long_chain_of_mergers_is_followed_once() -> None:
    """The attack: each of 10,000 people was followed to the end of the chain, for 15 s."""
    number = 10_000
    people = {
        each: FilePerson(each, Player(each, f"p{each}"), each + 1 if each < number else None)
        for each in range(1, number + 1)
    }
    file = SimpleNamespace(people=people, standing=(), entries=())
    assert effort(import_event._People("x.event", file, (), {}, ()).refuse_impossible) < 170
