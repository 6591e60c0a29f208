"""Tests of printed pages: Chromium makes a PDF of each, and its pages are counted and read. Run nightly."""

import re
from pathlib import Path

import pytest

from engine.rules import all_rules
from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.crowd import crowd as crowd_of
from tests.harness.paper.chromium import Sheet, printed
from tests.harness.web.asking import client, press
from tests.tourney.printing.conftest import FAMILIES, FIRST, ODD
from tourney.service.events.codes import event_code

pytestmark = pytest.mark.slow

SIZES = {"a4": (595.3, 841.9), "letter": (612.0, 792.0)}
"""210 × 297 mm and 8.5 × 11 inches, in points."""
PAPERS = tuple(SIZES)
READABLE = ODD[:3]
"""The odd names of which every machine has the letters, from left to right."""


def pages(run: Runner, folder: Path, *words: str) -> list[Sheet]:
    """Return the pages of paper that a command makes."""
    file = folder / f"{'-'.join(words).replace('/', '')}.html"
    ran = run("print", *words, "--output", str(file))
    assert ran.code == 0, ran.err
    return printed(file)


def assert_sound(sheets: list[Sheet], paper: str, code: str | None) -> None:
    """Check that every page has its size upright and its number, and that no text begins outside of it.

    It has the code, too; None: no code at all, as what players take home.
    """
    for number, sheet in enumerate(sheets, 1):
        assert (sheet.width, sheet.height) == pytest.approx(SIZES[paper], abs=1.5)
        assert set(re.findall("code([0-9a-f]{16})", sheet.letters)) == {code} - {None}
        assert f"{number}/{len(sheets)}" in sheet.letters
        assert all(14 <= word.x <= sheet.width - 14 and 14 <= word.y <= sheet.height - 14 for word in sheet.words)


def letters(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("paper", PAPERS)
def test_two_slips_or_more_are_on_a_page_and_none_is_split(
    evening: str, run: Runner, tmp_path: Path, paper: str
) -> None:
    """22 players sit at six tables: three pages of two slips, each with its heading, all contracts and signatures."""
    sheets = pages(run, tmp_path, "slips", "--round", "1", "--paper", paper)
    assert_sound(sheets, paper, event_code(None)(evening))
    assert len(sheets) == 3
    for first, sheet in zip((1, 3, 5), sheets, strict=True):
        assert [f"table{n}" in sheet.letters for n in range(1, 7)] == [n in (first, first + 1) for n in range(1, 7)]
        assert sheet.letters.count("On the left the points of the hand".replace(" ", "")) == 2
        assert sheet.text.count("EEE") == 2


@pytest.mark.parametrize("paper", PAPERS)
def test_a_name_of_sixty_letters_takes_no_slip_from_its_page(
    crowd: str, run: Runner, tmp_path: Path, paper: str
) -> None:
    sheets = pages(run, tmp_path, "slips", "--paper", paper)
    assert_sound(sheets, paper, event_code(None)(crowd))
    headings = [sheet.letters.count("round1,table") for sheet in sheets]
    assert headings == [2, 2, 2, 2, 2, 2, 2, 2, 1]
    for heads, sheet in zip(headings, sheets, strict=True):
        assert sheet.letters.count("Ontheleftthepointsofthehand") == heads
        assert sheet.text.count("EEE") == heads


@pytest.mark.parametrize("paper", PAPERS)
def test_a_wall_of_66_repeats_its_headings_and_loses_nobody(
    crowd: str, run: Runner, tmp_path: Path, paper: str
) -> None:
    sheets = pages(run, tmp_path, "wall", "--paper", paper)
    assert_sound(sheets, paper, event_code(None)(crowd))
    assert len(sheets) >= 6
    assert {sheet.letters.count("Otoño</style>2026,round1") for sheet in sheets} == {1}, "each list begins a page"
    assert all({"Name", "Table", "Seat"} <= set(sheet.text.split()) for sheet in sheets)
    whole = letters("".join(sheet.text for sheet in sheets))
    for name in (*READABLE, *(f"{first} {family}" for first in FIRST for family in FAMILIES)):
        assert whole.count(letters(name)) >= 2, name


@pytest.mark.parametrize("paper", PAPERS)
def test_a_table_of_a_wall_is_on_one_page(crowd: str, run: Runner, tmp_path: Path, paper: str) -> None:
    tables = run("round", "show", "--json").json["rounds"][0]
    sheets = pages(run, tmp_path, "wall", "--paper", paper)
    for names in tables:
        plain = [letters(name) for name in names if name not in ODD]
        assert any(all(name in sheet.letters for name in plain) for sheet in sheets[2:]), names


@pytest.mark.parametrize("paper", PAPERS)
def test_each_list_of_a_wall_of_24_is_on_one_page(run: Runner, tmp_path: Path, paper: str) -> None:
    db = desk.copied(tmp_path / "club.db", crowd_of, people=24, rounds=1)
    sheets = pages(run, tmp_path, "wall", "--paper", paper, "--db", db)
    assert_sound(sheets, paper, event_code(None)(db))
    assert [sheet.letters.count("Player0") for sheet in sheets] == [24, 24]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sign_and_a_certificate_fill_a_page_each(
    evening: str, crowd: str, run: Runner, tmp_path: Path, paper: str
) -> None:
    signs = pages(run, tmp_path, "signs", "--paper", paper)
    assert_sound(signs, paper, event_code(None)(crowd))
    tables = run("round", "show", "--json").json["rounds"][0]
    assert len(signs) == len(tables)
    for names, sheet in zip(tables, signs, strict=True):
        assert all(letters(name) in sheet.letters for name in names if name in READABLE or name not in ODD)
    db = ("--db", evening)
    winners = [row["player"] for row in run("standings", "--json", *db).json[:4]]
    sheets = pages(run, tmp_path, "certificates", "--top", "4", "--paper", paper, *db)
    assert_sound(sheets, paper, None)
    assert [winner in sheet.text for winner, sheet in zip(winners, sheets, strict=True)] == [True] * 4


def test_a_sign_with_a_code_to_scan_fills_a_page_too(crowd: str, run: Runner, tmp_path: Path) -> None:
    """The desk prints it for phones once for all rounds, so that it names nobody; address and six digits are on it."""
    tables = run("round", "show", "--json").json["rounds"][0]
    file = tmp_path / "signs.html"
    with client(crowd, entry=True, signed_in=True, phones="http://192.168.178.120:8000/") as desk_pages:
        answer = press(desk_pages, "/desk/paper/phones", "Print the signs for the tables")
    file.write_text(answer.text, encoding="utf-8")
    signs = printed(file)
    assert_sound(signs, "a4", None)
    assert len(signs) == len(tables)
    for number, sheet in enumerate(signs, 1):
        assert re.search(rf"Table{number}\D.*http://192\.168\.178\.120:8000/code\d{{6}}\D", sheet.letters)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("what", ["standings", "ratings", "rules"])
def test_a_listing_is_printed_whole(evening: str, run: Runner, tmp_path: Path, what: str, paper: str) -> None:
    """JSON also has the fewest and the most players apart, which a page has in one sentence."""
    sheets = pages(run, tmp_path, what, "--paper", paper)
    sentences = run("rules", "show", "--json").json["sentences"]
    apart = ("players.least", "players.most")
    words = {"rules": [row["text"] for row in sentences if row["field"] not in apart]}
    rows = words.get(what) or [row["player"] for row in run(what, "--json").json]
    whole = letters("".join(sheet.text for sheet in sheets))
    assert [row for row in rows if letters(row.split(" [")[0]) not in whole] == []
    assert (sheets[0].width, sheets[0].height) == pytest.approx(SIZES[paper], abs=1.5)


VARIED = ("oficial+all-placed50+scaled", "oficial+super+openers+claims3")
"""Variants with the longest pages."""


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", [*all_rules(), *VARIED])
def test_rules_take_two_sheets_at_most_and_none_is_nearly_empty(
    evening: str, run: Runner, tmp_path: Path, name: str, language: str
) -> None:
    """Text of the last sheet reaches into its middle third: above it a sheet would hang on the wall for a few lines."""
    sheets = pages(run, tmp_path, "rules", name, "--lang", language, "--db", evening)
    assert 1 <= len(sheets) <= 2
    last = sheets[-1]
    footer = SIZES["a4"][1] / 20
    assert min(word.y for word in last.words if word.y > footer) < last.height * 2 / 3


def test_rules_with_a_club_word_take_two_sheets_at_most(evening: str, run: Runner, tmp_path: Path) -> None:
    rules = tmp_path / "mexico.toml"
    words = '[words]\ntrio = "tercia"\n'
    rules.write_text(f'id = "mexico"\nbase = "oficial"\ntitle = "Club de México"\n{words}', encoding="utf-8")
    sheets = pages(run, tmp_path, "rules", str(rules), "--lang", "es", "--db", evening)
    assert len(sheets) <= 2
    assert "tercias" in "".join(sheet.text for sheet in sheets)


def test_no_heading_of_spanish_standings_is_broken_by_a_long_name(run: Runner, tmp_path: Path) -> None:
    db = desk.copied(tmp_path / "club.db", crowd_of, people=24, rounds=1)
    long = "María de los Ángeles Etxeberria Goikoetxea de la Trinidad"
    assert run("player", "rename", "Player 007", "--name", long, "--db", db).code == 0
    (sheet,) = pages(run, tmp_path, "standings", "--lang", "es", "--db", db)
    assert {"Pos.", "Jugador", "Puntos", "Partidas"} <= set(sheet.text.split())
