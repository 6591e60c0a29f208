"""Tests of reports as HTML: structure, language, hostile texts, and tables that fit their paper."""

import re

import pytest

from tests.harness.paper.markup import document, rows
from tourney.reports.html.document import html_text
from tourney.reports.render.report import Field, Report, Section
from tourney.text import i18n

DAY = "2026-11-23"
CODE = "0123456789abcdef"
COLUMNS = (
    Field("rank", "Rank", align="right"),
    Field("player", "Player"),
    Field("average", "Per game", align="right", decimals=2),
)
CERTIFICATE = tuple(Field(key, key) for key in ("event", "place", "player", "date", "organiser", "signature"))
LONG_NAME = "Maria Angeles Etxeberria Goikoetxea-Aran"
HOSTILE = {
    "a script": "<script>alert(1)</script>",
    "an attribute": "\"><img src=x onerror='alert(1)'>",
    "the end of the style": "</style></title></main>",
    "a template": "{{ 7 * 7 }}{% raw %}{# no #}",
    "an entity": "&lt;b&gt; & &amp;",
    "letters from the right": "שלום עולם",
    "sixty letters": "Maximiliana" * 5 + "Etxeb",
    "wide letters": "王" * 40,
    "a formula": "=1+1",
    "a path of a style": "url(https://example.org/x.png)",
}


def report(name: str = "Ana", **parts: object) -> Report:
    rows = ((1, name, 12.376), (2, "Beñat", None))
    return Report("Friday", COLUMNS, rows, dimmed=(False, True), code=CODE, **parts)


def size_of(text: str) -> str:
    """Return the size of the pages."""
    return re.findall(r"size: ([A-Za-z0-9 ]*);", text)[-1]


def test_a_table_has_a_caption_and_headings_of_columns_and_rows() -> None:
    """Numbers are rounded as in a table on a terminal: 12.376 to two decimals, a dash for what is missing."""
    page = document(html_text(report(), DAY))
    (table,) = page.all("table")
    assert [each.text for each in table.all("caption")] == ["Friday"]
    assert [each.text for each in table.all("th", scope="col")] == ["Rank", "Player", "Per game"]
    assert [each.text for each in table.all("th", scope="row")] == ["Ana", "Beñat"]
    assert rows(table) == [["1", "Ana", "12.38"], ["2", "Beñat", "-"]]
    assert [row.text for row in table.all("tr", class_="dimmed")] == ["2 Beñat -"]
    assert [each.text for each in page.all("h1")] == [each.text for each in page.all("title")] == ["Friday"]


def test_a_page_has_its_sections_figures_sentences_day_and_code() -> None:
    sections = (
        Section("Hands", COLUMNS[:2], ((1, "TT"),)),
        Section("How", figure=lambda _width: ["▂▄  <b>", "ab"], bullets=("one [003/1.1]", "two")),
    )
    page = document(html_text(report(sections=sections, lines=("A result is missing.",), notes=("Note.",)), DAY))
    assert [each.text for each in page.all("caption")] == ["Hands"]
    assert [each.text for each in page.all("h2")] == ["How"]
    assert ["".join(each.parts).strip("\n") for each in page.all("pre")] == ["▂▄  <b>\nab"]
    assert [each.text for each in page.all("li")] == ["one [003/1.1]", "two"]
    assert [each.text for each in page.all("p")] == ["A result is missing.", "Note."]
    assert [each.text for each in page.all("footer")] == [f"{DAY} · code {CODE}"]


def test_day_and_code_are_in_the_margin_of_every_page() -> None:
    text = html_text(report(), DAY)
    assert f'@bottom-left {{ content: "{DAY} · code {CODE}"; }}' in text
    assert f'@bottom-left {{ content: "{DAY}"; }}' in html_text(Report("Rules"), DAY)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("layout", ["listing", "slips", "wall", "signs", "certificates"])
def test_a_hostile_text_is_only_text(name: str, layout: str) -> None:
    """The page has the elements that it has for Ana, and the text stands in it whole."""
    page, usual = (document(html_text(report_of(layout, text), DAY)) for text in (name, "Ana"))
    assert [each.tag for each in page.elements] == [each.tag for each in usual.elements]
    assert "".join(name.split()) in "".join(page.text.split())
    assert [each.text for each in page.all("style")] == [each.text for each in usual.all("style")]


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_organiser_is_only_text_at_the_foot_of_pages(name: str) -> None:
    """CSS writes any character as its number in hexadecimal digits between a stroke and a blank."""
    page = document(html_text(report(organiser=name), DAY))
    assert [each.text for each in page.all("footer")] == [f"{name} · {DAY} · code {CODE}"]
    assert page.all("p", class_="organiser")[0].text == name
    (style,) = page.all("style")
    (foot,) = re.findall(r'@bottom-left { content: "([^"]*)"; }', "".join(style.parts))
    assert set(re.findall(r"[^\w ·/.-]", foot)) <= {"\\"}
    assert re.sub(r"\\([0-9a-f]+) ", lambda found: chr(int(found[1], 16)), foot) == f"{name} · {DAY} · code {CODE}"


def report_of(layout: str, name: str) -> Report:
    """Return a report of the layout in which the event, a player and a sentence are the text."""
    places = (Field("round", "Round"), Field("table", "Table"), Field("seat", "Seat"), Field("player", "Name"))
    slip = (Field("hand", "Hand"), Field("points_1", name), Field("total_1", "Total"))
    parts = {
        "listing": Report(name, COLUMNS, ((1, name, 1.0),)),
        "slips": Report(name, sections=(Section(name, slip, (("TT", " ", " "),), (name, f"{name}: {'_' * 20}")),)),
        "wall": Report(name, places, ((1, 1, 1, name),)),
        "signs": Report(name, places, ((1, 1, 1, name),)),
        "certificates": Report(name, CERTIFICATE, ((name, name, name, " ", name, " "),)),
    }
    made = parts[layout]
    return Report(made.title, made.columns, made.rows, (name,), sections=made.sections, layout=layout)


def test_characters_that_steer_a_text_are_written_out() -> None:
    """An override would turn the rest of a line around; names with one are refused, but old databases have them."""
    text = html_text(report("\u202egnitirw\u202c\x1b[31m\nx"), DAY)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b]", text)


@pytest.mark.parametrize("layout", ["listing", "slips", "wall", "signs", "certificates"])
def test_a_file_needs_no_other(layout: str) -> None:
    page = document(html_text(report_of(layout, "Ana"), DAY))
    assert {"script", "link", "img", "iframe", "base", "object"}.isdisjoint(each.tag for each in page.elements)
    assert {"src", "href"}.isdisjoint(name for each in page.elements for name in each.attributes)
    (style,) = page.all("style")
    assert "url(" not in style.text
    assert "@import" not in style.text


def test_the_language_of_a_page_is_that_of_its_sentences() -> None:
    assert document(html_text(report(), DAY)).all("html", lang="en")
    with i18n.speaking("es"):
        assert document(html_text(report(), DAY)).all("html", lang="es")


@pytest.mark.parametrize(
    ("columns", "paper", "size", "type_"),
    [
        (3, None, "portrait", "narrow"),
        (5, None, "portrait", ""),
        (5, "a4", "A4 portrait", ""),
        (5, "letter", "Letter portrait", ""),
        (12, "a4", "A4 landscape", "tight"),
        (12, None, "landscape", "tight"),
        (20, "a4", "A4 landscape", "dense"),
    ],
)
def test_a_wide_table_gets_a_page_on_its_side(columns: int, paper: str | None, size: str, type_: str) -> None:
    """Ten letters and a gap of three are 13 for each column: 65, 156 less the gap … beside 100 and 146 of a line."""
    wide = tuple(Field(f"c{number}", "abcdefgh") for number in range(columns))
    text = html_text(Report("Friday", wide, (("abcdefgh",) * columns,)), DAY, paper)
    assert size_of(text) == size
    (table,) = document(text).all("table")
    assert table.attributes["class"].split() == ["grid", *filter(None, [type_])]


@pytest.mark.parametrize(("people", "type_"), [(18, ""), (19, "close"), (24, "close"), (25, "")])
def test_a_list_on_a_wall_that_would_leave_a_few_lines_to_a_second_page_is_closer(people: int, type_: str) -> None:
    """18 lines fit a page in the usual type and 24 in that of 18 points; a name of 40 letters counts as two lines."""
    places = (Field("table", "Table"), Field("seat", "Seat"), Field("player", "Name"))
    for names in (["Ana"] * people, [LONG_NAME, *["Ana"] * (people - 2)]):
        wall = Report("Friday", places, tuple((1, 1, name) for name in names), layout="wall")
        (table,) = document(html_text(wall, DAY)).all("table")
        assert table.attributes["class"].split() == ["list", "by-table", *filter(None, [type_])]
