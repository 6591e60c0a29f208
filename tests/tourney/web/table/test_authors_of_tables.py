"""Tests of authors that name a table's seats: in the reader's language, and with the players in a sheet's history."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.service.change import apply
from tourney.service.results.flags import RaiseFlag
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web.submissions import Confirm, Submit
from tourney.text.authors import author_of_table, seats_of_author, shown_author


@pytest.mark.parametrize(
    ("by", "seats"),
    [
        ("table 3: seat 1", (0,)),
        ("table 3: seats 2, 4", (1, 3)),
        ("table 3: seats", ()),
        ("table 0: seat 1", ()),
        ("a table 3: seat 1", ()),
        ("table 3: seat 1\n", ()),
        ("Ana", ()),
        ("", ()),
    ],
)
def test_only_authors_as_they_are_kept_name_seats(by: str, seats: tuple[int, ...]) -> None:
    """Every other author is shown as it is."""
    assert seats_of_author(by) == seats
    assert shown_author(by) == by
    if seats:
        assert author_of_table(3, seats) == by


def test_who_entered_a_sheet_at_a_phone_is_shown_by_name_and_in_the_reader_s_language(
    run: Runner, tmp_path: Path
) -> None:
    """JSON is the same in both languages, and the log names the seats."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=1)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    one, two, *_others = (player.name for player in table.players)
    sheet = apply(db, Submit("Friday", 1, 1, "a" * 32, "phone", 0, desk.hands([p.name for p in table.players])))
    apply(db, Confirm("Friday", "a" * 32, sheet.submission.digest, table.players[1]))
    apply(db, RaiseFlag("Friday", 1, 1, "who dealt?", 2))
    show = ("result", "show", "--round", "1", "--table", "1", "--db", db)
    assert f"entered by table 1: {one}, {two}" in run(*show).out
    spanish = run(*show, "--lang", "es").out
    assert f"mesa 1: {one}, {two}" in spanish
    history = run(*show, "--json").json["history"]
    assert [(each["by"], each["players"]) for each in history] == [("table 1: seats 1, 2", [one, two])]
    assert run(*show, "--json", "--lang", "es").json["history"] == history
    assert "table 1: seats 1, 2" in run("log", "--db", db).out
    log = run("log", "--db", db, "--lang", "es").out
    assert "mesa 1: puestos 1, 2" in log
    assert "mesa 1: puesto 3" in log
