"""Dates as people type them, in options and in files: stored and shown as 2026-11-20."""

from datetime import timedelta, timezone
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.files.results import read_results
from tourney.text.dates import local, read_date

SAME_DAY = ["2026-11-20", "20/11/2026", "20-11-2026", "20.11.2026", " 20/11/2026 "]
SAME_DAY += ["20 de nov de 2026", "viernes 20 de noviembre de 2026", "Friday, 20 Nov. 2026"]
IMPOSSIBLE = {
    "no such day": ("31/11/2026", "write it as 20/11/2026, 2026-11-20 or 20 November 2026"),
    "no leap year": ("29.2.2026", "write it as 20/11/2026, 2026-11-20 or 20 November 2026"),
    "the month first": ("11/20/2026", "write the day first, as 20/11/2026"),
    "a short year": ("20/11/26", "write the year with four digits, as 20/11/2026"),
    "a short year with dashes": ("20-11-26", "write the year with four digits"),
    "two separators": ("20/11-2026", "write it as 20/11/2026, 2026-11-20 or 20 November 2026"),
    "no year": ("20/11", "write it as 20/11/2026, 2026-11-20 or 20 November 2026"),
    "another day of the week": ("sábado 20 de noviembre de 2026", "write it as 20/11/2026, 2026-11-20"),
    "a word": ("yesterday", "write it as 20/11/2026, 2026-11-20 or 20 November 2026"),
    "digits of another script": ("٢٠/١١/٢٠٢٦", "write it as 20/11/2026, 2026-11-20 or 20 November 2026"),
}


def make_db(path: str) -> None:
    desk.event(path, 3)


@pytest.mark.parametrize("typed", SAME_DAY)
def test_an_event_is_given_its_day(run: Runner, db: str, typed: str) -> None:
    changed = run("event", "set", "Friday", "--date", typed, "--json", "--db", db)
    assert changed.json["event"]["date"] == "2026-11-20"


@pytest.mark.parametrize("typed", ["3/4/2026", "03/04/2026", "03.4.2026"])
def test_the_day_comes_before_the_month(typed: str) -> None:
    assert read_date(typed) == "2026-04-03"


def test_an_evening_is_imported_with_its_day(run: Runner, tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    assert run("player", "import", str(desk.CLUB / "players.csv"), "--db", db).code == 0
    sheets = str(desk.CLUB / "score-sheets.csv")
    imported = run("event", "import", "A", "--sheets", sheets, "--date", "20.11.2026", "--json", "--db", db)
    assert imported.json["date"] == "2026-11-20"
    shown = [run("ratings", "--as-of", day, "--json", "--db", db).json for day in ("20/11/2026", "2026-11-20")]
    assert shown[0] == shown[1] != []
    assert run("ratings", "--as-of", "19/11/2026", "--json", "--db", db).json == []


@pytest.mark.parametrize(("typed", "hint"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
@pytest.mark.parametrize("words", ["event set --date", "ratings --as-of"])
def test_an_impossible_or_unclear_date_is_refused_in_one_line_with_a_hint(
    run: Runner, db: str, words: str, typed: str, hint: str
) -> None:
    refused = run(*words.split(), typed, "--db", db)
    assert (refused.code, refused.out) == (ExitCode.REFUSED, "")
    error, advice = refused.err.splitlines()
    assert error == f"error: “{typed}” is not a date"
    assert advice.startswith(f"hint: {hint}")


def test_a_results_file_has_days_in_either_form(tmp_path: Path) -> None:
    """The second row of game 1 names the same day in the other form."""
    file = tmp_path / "results.csv"
    rows = ["1,20/11/2026,1,Ana", "1,2026-11-20,2,Beto", "2,21.11.2026,1,Ana", "2,,2,Beto"]
    file.write_text("\n".join(["seq,date,rank,player", *rows]) + "\n", encoding="utf-8")
    assert [game.date for game in read_results(file)] == ["2026-11-20", "2026-11-21"]


@pytest.mark.parametrize(("typed", "hint"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_results_file_with_an_impossible_date_is_refused_with_its_line(
    run: Runner, tmp_path: Path, typed: str, hint: str
) -> None:
    file = tmp_path / "results.csv"
    file.write_text(f"seq,date,rank,player\n1,{typed},1,Ana\n1,{typed},2,Beto\n", encoding="utf-8")
    refused = run("rating", "import", str(file), "--pool", "races", "--db", str(tmp_path / "club.db"))
    assert refused.code == ExitCode.REFUSED
    assert f"line 2: date '{typed}' is not a date" in refused.err
    assert hint in refused.err


EAST, WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))


@pytest.mark.parametrize(
    ("time", "zone", "minutes", "shown"),
    [
        ("2026-11-20T23:30:00Z", EAST, 45, "2026-11-21 14:15"),
        ("2026-11-20T09:30:00Z", WEST, 0, "2026-11-19 21:30"),
        ("9999-12-31T23:59:59Z", EAST, 0, "9999-12-31 23:59"),
        ("9999-12-31T23:59:59Z", WEST, 90, "9999-12-31 23:59"),
        ("0001-01-01T00:00:00Z", WEST, 0, "0001-01-01 00:00"),
    ],
)
def test_a_time_at_the_end_of_the_calendar_is_shown_as_it_stands(
    time: str, zone: timezone, minutes: int, shown: str
) -> None:
    """A file of others may have one, and everything that showed it was an error in the program."""
    assert local(time, zone, minutes).isoformat(" ")[:16] == shown
    assert local(time, zone, minutes).tzinfo is not None
