"""Tests of what Spanish writes in another way: decimals, dates, lists, and the order of names."""

import csv
import io
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.reports.render.plots import figure, svg
from tourney.text import i18n
from tourney.text.dates import day_name, long_date, read_date, shown_dates
from tourney.text.i18n import fill, speaking
from tourney.text.names import name_order
from tourney.text.numbers import Number

NUMBERS = [
    (1234.5, ".2f", "1234,50"),
    (-0.25, "+.1f", "-0,2"),
    (95.0, "g", "95"),
    (0.5, "", "0,5"),
    (12, "8.1f", "    12,0"),
]


@pytest.mark.parametrize(("value", "form", "spanish"), NUMBERS)
def test_numbers_for_people_have_a_comma_in_spanish_and_no_separator_of_thousands(
    value: float, form: str, spanish: str
) -> None:
    with speaking("es"):
        assert format(Number(value), form) == spanish
    with speaking("en"):
        assert format(Number(value), form) == spanish.replace(",", ".")


def test_a_plot_is_labelled_with_the_decimals_of_the_language() -> None:
    with speaking("es"):
        text, drawn = "\n".join(figure([(25.0, 8.0), (25.5, 8.0)], 60)), svg("mu", [(25.0, 0.1), (25.5, 0.1)])
    assert "," in text
    assert "." not in text
    assert ">25,2</text>" in drawn
    assert 'x="42"' in drawn


@pytest.fixture
def rated(tmp_path: Path) -> str:
    """Return a database with an event of three players."""
    db = str(tmp_path / "club.db")
    desk.event(db, 3, rounds=1)
    return db


def test_tables_have_a_comma_and_programs_a_point(run: Runner, rated: str) -> None:
    played = ["TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE"]
    hands = [word for name in played for word in ("--hand", f"{name} 1=0 2=20 3=15")]
    assert run("round", "draw", "--db", rated).code == 0
    assert run("result", "enter", "--round", "1", "--table", "1", *hands, "--db", rated).code == 0
    table, plain = (run("ratings", "--db", rated, "--lang", language).out for language in ("es", "en"))
    score = run("ratings", "--json", "--db", rated, "--lang", "es").json[0]["score"]
    assert (f"{score:.2f}".replace(".", ",") in table, f"{score:.2f}" in plain) == (True, True)
    rows = csv.DictReader(io.StringIO(run("ratings", "--format", "csv", "--db", rated, "--lang", "es").out))
    assert float(next(rows)["score"]) == pytest.approx(score)


@pytest.mark.parametrize(
    "typed",
    ["20 de noviembre de 2026", "20 noviembre 2026", "20 de Noviembre del 2026", "20 November 2026", "20/11/2026"],
)
def test_a_day_is_typed_in_words_too(typed: str) -> None:
    assert read_date(typed) == "2026-11-20"


@pytest.mark.parametrize("typed", ["20 de brumario de 2026", "31 de abril de 2026", "noviembre de 2026"])
def test_a_day_that_does_not_exist_is_not_read(typed: str) -> None:
    assert read_date(typed) is None


def test_days_are_shown_day_first_in_spanish() -> None:
    with speaking("es"):
        assert shown_dates("2026-11-20 21:30") == "20/11/2026 21:30"
        assert long_date("2026-11-20") == "20 de noviembre de 2026"
        assert [long_date(f"2026-{month:02}-01").split()[2][:3] for month in (1, 4, 8, 12)] == [
            "ene",
            "abr",
            "ago",
            "dic",
        ]
        assert long_date("____") == "____"
    with speaking("en"):
        assert (shown_dates("2026-11-20"), long_date("2026-11-20")) == ("2026-11-20", "20 November 2026")
        assert long_date("____") == "____"


@pytest.mark.parametrize(
    ("day", "english", "spanish"),
    [
        ("2026-11-27", "Friday 27 November", "Viernes 27 de noviembre"),
        ("2026-12-02", "Wednesday 2 December", "Miércoles 2 de diciembre"),
        ("2027-01-02", "Saturday 2 January", "Sábado 2 de enero"),
    ],
)
def test_an_event_is_named_after_its_day_and_the_day_is_read_again(day: str, english: str, spanish: str) -> None:
    for spoken, name in (("en", english), ("es", spanish)):
        with speaking(spoken):
            assert day_name(day) == name
        assert read_date(f"{name} {day[:4]}") == day


def test_a_list_of_events_has_its_days_as_people_of_the_language_write_them(run: Runner, rated: str) -> None:
    assert run("event", "set", "Friday", "--date", "20 de noviembre de 2026", "--db", rated).code == 0
    assert "20/11/2026" in run("event", "list", "--db", rated, "--lang", "es").out
    assert "2026-11-20" in run("event", "list", "--db", rated, "--lang", "en").out
    assert "2026-11-20" in run("event", "list", "--format", "csv", "--db", rated, "--lang", "es").out


SORTED = ["Ana", "Beñat", "Benito", "Íñigo", "Irene", "Nadia", "núria", "Nzinga", "Ñico", "Óscar", "Pía"]
"""By the Ortografía of 2010: ñ is a letter of its own between n and o, accents count only between words alike.

`Beñat` comes behind `Benito`, and `Íñigo` before `Irene`, whose second letter is later.
"""


def test_names_are_sorted_as_in_spanish() -> None:
    expected = [*SORTED]
    expected[1:3] = ["Benito", "Beñat"]
    assert sorted(SORTED, key=name_order) == expected
    assert sorted(["Óscar", "Oscar", "oscar"], key=name_order) == ["Oscar", "oscar", "Óscar"]
    assert name_order("Ben\u0303at") == name_order("Be\u00f1at")


@pytest.mark.parametrize("language", ["en", "es"])
def test_people_are_listed_in_that_order_in_either_language(run: Runner, tmp_path: Path, language: str) -> None:
    db = str(tmp_path / "club.db")
    assert run("player", "add", *SORTED, "--db", db).code == 0
    shown = run("player", "list", "--json", "--db", db, "--lang", language).json
    assert [row["name"] for row in shown][1:5] == ["Benito", "Beñat", "Íñigo", "Irene"]
    assert [row["name"] for row in shown][5:] == SORTED[5:]


LAST = {
    "Íñigo": "e",
    "Isabel": "e",
    "Hilario": "e",
    "Ybarra": "e",
    "Hierro": "y",
    "Iago": "y",
    "Yolanda": "y",
    "Beñat": "y",
}


@pytest.mark.parametrize("last", LAST)
def test_and_becomes_e_before_its_own_sound(last: str) -> None:
    with speaking("es"):
        assert fill("{one} y {other} juegan en la mesa {table}", one="Ana", other=last, table=3) == (
            f"Ana {LAST[last]} {last} juegan en la mesa 3"
        )


@pytest.mark.parametrize(
    ("last", "joint"), [("8", "u"), ("80", "u"), ("11", "u"), ("110", "o"), ("10", "o"), ("`Óscar`", "u")]
)
def test_or_becomes_u_before_its_own_sound(last: str, joint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_", lambda sentence: {"{words} or {last}": "{words} o {last}"}[sentence])
    with speaking("es"):
        assert i18n.either(["7", last]) == f"7 {joint} {last}"


def test_in_english_no_joint_changes() -> None:
    with speaking("en"):
        assert i18n.both(["Ana", "Beñat", "Íñigo"]) == "Ana, Beñat and Íñigo"
        assert i18n.either(["7", "8"]) == "7 or 8"
