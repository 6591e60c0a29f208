"""Tests of authors that name a table's seats: in the reader's language, and with the players in a sheet's history."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.service.change import apply
from tourney.service.results.flags import RaiseFlag
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web.submissions import Confirm, Submit
from tourney.text.authors import author_of_table, named_author, reads_as_table, seats_of_author, shown_author
from tourney.text.i18n import LANGUAGES, speaking


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


def test_no_desk_has_a_name_that_pages_show_for_a_table_in_any_language() -> None:
    """The attack: a desk called itself `table 2: Félix, Ana`, as pages show the players who confirmed a sheet."""
    for by in ("table 2: seat 1", "table 12: seats 1, 3"):
        for language in LANGUAGES:
            with speaking(language):
                assert reads_as_table(shown_author(by))
                assert reads_as_table(named_author(by, ("Félix", "Ana")).upper())


@pytest.mark.parametrize(
    ("name", "is_refused"),
    [
        ("mesa 2: puestos 1, 3", True),
        ("  Table2 Ana", True),
        ("(table) #2, Ana", True),
        ("t\u0430ble \uff12\uff1a Ana", True),  # a Cyrillic letter, and the digit and the colon of full width
        ("table l\u2236 Ana", True),
        ("M\u00e9sa 2", True),
        ("Mesa", False),
        ("Juan Mesa", False),
        ("Mesa García", False),
        ("desk-1", False),
        ("Tables of Ana 2", False),
    ],
)
def test_a_desk_s_name_is_refused_if_it_reads_as_a_table(name: str, is_refused: bool) -> None:
    assert reads_as_table(name) is is_refused


def test_who_entered_a_sheet_at_a_phone_is_shown_by_name_and_in_the_reader_s_language(
    run: Runner, tmp_path: Path
) -> None:
    """JSON is the same in both languages, and the log names the seats."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=1)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    one, two, *_others = (player.name for player in table.players)
    sheet = apply(db, Submit("Friday", 1, 1, "a" * 32, "phone", 0, desk.hands([p.name for p in table.players])))
    apply(db, Confirm("Friday", "a" * 32, sheet.digest, table.players[1]))
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
