"""An event that went to another computer comes back; an event that was deleted does, too."""

import json
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.evening.weekend import names, play_round
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.results.rulings import AddRuling, Decision


@pytest.fixture(autouse=True)
def two_computers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Runner) -> None:
    """Play a round of Friday on computer A, and carry it to computer B."""
    monkeypatch.chdir(tmp_path)
    apply("a.db", CreateEvent(EventSettings("Friday", "oficial", rounds=5)))
    apply("a.db", EnterPlayers("Friday", names(8), add=True))
    play_round("a.db")
    assert run("event", "export", "--output", "out.event", "--db", "a.db").code == 0
    assert run("event", "import", "out.event", "--db", "b.db").code == 0


def note(db: str, text: str) -> None:
    apply(db, AddRuling(None, Decision("note", text)), by="desk")


def text_of(run: Runner, db: str) -> str:
    exported = run("event", "export", "--db", db)
    assert exported.code == 0
    return exported.out


def go_on(run: Runner) -> str:
    """Play another round at B, take a note back there, and return the text of its file, `back.event`."""
    play_round("b.db")
    note("b.db", "typed in haste")
    assert run("undo", "--db", "b.db").code == 0
    note("b.db", "played at B")
    assert run("event", "export", "--output", "back.event", "--db", "b.db").code == 0
    return Path("back.event").read_text(encoding="utf-8")


def test_an_event_comes_back_with_what_was_done_elsewhere_and_one_undo_takes_it_away(run: Runner) -> None:
    """Both files are equal byte by byte afterwards, and the number of the event stays."""
    before, there = text_of(run, "a.db"), go_on(run)
    shown = run("event", "import", "back.event", "--dry-run", "--db", "a.db")
    assert (shown.code, "new changes" in shown.out, "note: played at B" in shown.out) == (0, True, True)
    assert text_of(run, "a.db") == before
    taken = run("event", "import", "back.event", "--json", "--db", "a.db")
    assert (taken.code, taken.json["entries"]) == (0, there.count('"time":') - before.count('"time":'))
    assert text_of(run, "a.db") == there
    assert run("standings", "--json", "--db", "a.db").json == run("standings", "--json", "--db", "b.db").json
    assert [event["name"] for event in run("event", "list", "--json", "--db", "a.db").json] == ["Friday"]
    assert "came back with" in run("log", "--db", "a.db").out
    assert database.check("a.db").problems == ()
    assert run("undo", "--db", "a.db").code == 0
    assert text_of(run, "a.db") == before
    assert database.check("a.db").problems == ()
    assert run("redo", "--db", "a.db").code == 0
    assert text_of(run, "a.db") == there
    assert run("undo", "--db", "a.db").code == 0
    assert run("event", "import", "back.event", "--db", "a.db").code == 0
    assert text_of(run, "a.db") == there


def test_an_event_goes_there_and_back_many_times(run: Runner) -> None:
    for here, there in (("b.db", "a.db"), ("a.db", "b.db"), ("b.db", "a.db")):
        play_round(here)
        assert run("event", "export", "--output", "it.event", "--force", "--db", here).code == 0
        assert run("event", "import", "it.event", "--db", there).code == 0
        assert text_of(run, here) == text_of(run, there)
    assert database.check("a.db").problems == database.check("b.db").problems == ()


def test_a_file_that_has_nothing_new_is_refused(run: Runner) -> None:
    go_on(run)
    for file in ("out.event", "back.event"):
        refused = run("event", "import", file, "--db", "b.db")
        assert (refused.code, "is here already, as Friday, and nothing in the file is new" in refused.err) == (
            ExitCode.CONFLICT,
            True,
        )


def test_of_an_event_that_went_on_in_both_places_the_first_difference_is_named(run: Runner) -> None:
    note("a.db", "played at A")
    before = text_of(run, "a.db")
    play_round("b.db")
    assert run("event", "export", "--output", "back.event", "--db", "b.db").code == 0
    refused = run("event", "import", "back.event", "--db", "a.db")
    assert refused.code == ExitCode.CONFLICT
    assert "Friday was changed here as well as there" in refused.err
    assert "note: played at A" in refused.err
    assert "round 2" in refused.err
    assert "`tourney event delete Friday`" in refused.err
    assert text_of(run, "a.db") == before


def test_a_change_that_was_taken_back_there_is_named_and_nothing_is_done(run: Runner) -> None:
    assert run("undo", "--db", "a.db").code == 0
    assert run("event", "export", "--output", "undone.event", "--db", "a.db").code == 0
    before = text_of(run, "b.db")
    refused = run("event", "import", "undone.event", "--db", "b.db")
    assert (refused.code, "was taken back or put back since" in refused.err) == (ExitCode.CONFLICT, True)
    assert text_of(run, "b.db") == before
    assert run("event", "delete", "Friday", "--db", "b.db").code == 0
    assert run("event", "import", "undone.event", "--db", "b.db").code == 0
    assert text_of(run, "b.db") == Path("undone.event").read_text(encoding="utf-8")
    assert database.check("b.db").problems == ()


def test_a_deleted_event_is_gone_and_undo_brings_it_back(run: Runner) -> None:
    before, standings = text_of(run, "a.db"), run("standings", "--json", "--db", "a.db").json
    ratings = run("ratings", "--json", "--db", "a.db").json
    deleted = run("event", "delete", "Friday", "--db", "a.db")
    assert (deleted.code, "`tourney undo` brings it back" in deleted.out) == (0, True)
    assert run("event", "list", "--json", "--db", "a.db").json == []
    assert run("ratings", "--json", "--db", "a.db").json == []
    assert len(run("player", "list", "--json", "--db", "a.db").json) == 8
    assert run("standings", "--db", "a.db").code == ExitCode.NOT_FOUND
    assert run("event", "new", "Friday", "--db", "a.db").code == 0, "the name is free"
    assert database.check("a.db").problems == ()
    assert run("undo", "--db", "a.db").code == 0
    assert run("undo", "--db", "a.db").out.startswith("undone: event deleted (Friday, ")
    assert (text_of(run, "a.db"), run("standings", "--json", "--db", "a.db").json) == (before, standings)
    assert run("ratings", "--json", "--db", "a.db").json == ratings
    assert database.check("a.db").problems == ()


def test_nothing_of_a_deleted_event_is_taken_back_alone_and_its_name_stays_free(run: Runner) -> None:
    number = run("log", "--json", "--db", "a.db").json[-1]["number"]
    assert run("event", "delete", "Friday", "--db", "a.db").code == 0
    assert run("undo", str(number), "--db", "a.db").code == ExitCode.REFUSED
    assert run("event", "new", "Friday", "--db", "a.db").code == 0
    assert run("undo", str(number + 1), "--db", "a.db").code == ExitCode.REFUSED, "another event has its name"


def test_an_event_that_counts_in_a_season_is_not_deleted(run: Runner) -> None:
    assert run("season", "new", "Autumn", "--db", "a.db").code == 0
    assert run("season", "add", "Autumn", "Friday", "--db", "a.db").code == 0
    refused = run("event", "delete", "Friday", "--db", "a.db")
    assert (refused.code, "`tourney season remove Autumn Friday`" in refused.err) == (ExitCode.CONFLICT, True)
    assert run("season", "remove", "Autumn", "Friday", "--db", "a.db").code == 0
    left_out = run("log", "--json", "--db", "a.db").json[-1]["number"]
    assert run("event", "delete", "Friday", "--db", "a.db").code == 0
    assert run("undo", str(left_out), "--db", "a.db").code == ExitCode.REFUSED
    assert json.dumps(run("season", "standings", "Autumn", "--json", "--db", "a.db").json)
