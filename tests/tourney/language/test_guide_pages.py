"""Tests of the translated pages of the guide: they are shown, and agree with the English pages and the program."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.pages.examples import EXAMPLE, GUIDE, PAGES, README, TRANSLATED, examples, fences, without_times
from tests.harness.slow import slow
from tourney.service.admin import guide
from tourney.text.i18n import SOURCE, speaking

PAIRS = {name: (PAGES[page.stem], page) for name, page in TRANSLATED.items()}
"""The English and the translated page, by the name of the latter."""
EVERY_RUN = "es/club-evening"
"""The page of which each test run tries the examples; the nightly run tries those of all pages."""
TYPED = {
    "Friday": "Viernes",
    "Weekend": "Finde",
    "weekend.toml": "finde.toml",
    "Cup": "Copa",
    "Sunday": "Domingo",
    "Autumn 2026": "Otoño 2026",
    "friday.": "viernes.",
    "standings.html": "clasificacion.html",
    "friday-pages": "paginas-del-viernes",
    "ranking-pages": "paginas-del-ranking",
    "season-pages": "paginas-de-la-temporada",
    "season.html": "temporada.html",
    "came late twice": "llegó tarde dos veces",
    "came late": "llegó tarde",
    "showed a card": "enseñó una carta",
    "has to catch a train": "se le va el tren",
    "--reason misread": "--reason ilegible",
    "sheet.toml": "hoja.toml",
    "slips.html": "papeletas.html",
    "players.csv": "jugadores.csv",
    "trial.db": "prueba.db",
    "new.db": "nueva.db",
    "`y`": "`s`",
    "`end`": "`fin`",
    '"7h 7d 7c / 8h 8d 8c"': '"7c 7d 7t / 8c 8d 8t" --cards es',
    '"7h 7d Jk / 4s 5s Jk 7s"': '"7c 7d Jk / 4p 5p Jk 7p" --cards es',
    '"7h 7d Jk / 4s 5s Jk 8s"': '"7c 7d Jk / 4p 5p Jk 8p" --cards es',
    '"7h 7d 7c 7s"': '"7c 7d 7t 7p" --cards es',
    '"5h 6h Jk 8h" 7h': '"5c 6c Jk 8c" 7c --cards es',
    '"7h 7d 7c Ks Kd 2c 9h"': '"7c 7d 7t Kp Kd 2t 9c" --cards es',
    '"As Kd 7h Jk"': '"Ap Kd 7c Jk" --cards es',
    "`7h`": "`7c`",
    "`Ts`": "`10p`",
}
"""Names and files of the examples in Spanish."""
TYPED_ON = {
    "protocol": {},  # programs speak it, in one language
    "event-file": {},  # the file is the same in all languages
    "few-keys": {"Friday": "Jueves", "from Fr": "from Ju", "20 late": "20 miró"},  # as long
}
"""The pages with words of their own; those of few-keys are as long as the English ones, since keys are counted."""
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^(- |\d+\. |\||#+ | {4})|(?<=\n\n)(?=\S)", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
NUMBER = re.compile(r"\d(?:[\d.,\u202f\u00a0]*\d)?")

each_page = pytest.mark.parametrize(("english", "translated"), list(PAIRS.values()), ids=list(PAIRS))


def translate(page: Path, text: str) -> str:
    """Return the text of an English page with the words that its reader types in Spanish."""
    for ours, theirs in TYPED_ON.get(page.stem, TYPED).items():
        text = text.replace(ours, theirs)
    return text


def headings(page: Path) -> list[str]:
    """Return the level of each heading, as `##`."""
    return HEADING.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))


def blocks(page: Path) -> list[tuple[str, str]]:
    """Return the language and the file of each fenced block."""
    return [(fence["language"], fence["file"] or "") for fence in fences(page)]


def commands(page: Path) -> list[str]:
    """Return the commands of the examples in order, without how many lines of their output are shown."""
    bodies = (fence["body"] for fence in fences(page) if fence["language"] == "console")
    return [found["command"].partition(" | head ")[0] for body in bodies for found in EXAMPLE.finditer(body)]


def sections(page: Path) -> list[str]:
    """Return the text from each heading to the next, without fenced blocks."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    starts = [found.start() for found in HEADING.finditer(text)]
    return [text[start:end] for start, end in pairwise((*starts, len(text)))]


def parts(section: str) -> list[str]:
    """Return the kind of each part of a section: paragraph, item of a list, or row of a table."""
    return [found[1] or "paragraph" for found in PART.finditer(section)]


def links(page: Path) -> list[Path]:
    """Return the files that a page links to."""
    targets = re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8"))
    return [page.parent / target.replace("\n", "") for target in targets]


def code(section: str) -> set[str]:
    """Return what stands between backquotes, on one line."""
    return {" ".join(found.split()) for found in CODE.findall(section)}


def numbers(section: str, plain: Callable[[str], str]) -> set[str]:
    """Return the numbers outside backquotes and links as `plain` writes them."""
    text = re.sub(r"\]\([^)]*\)", "", CODE.sub("", section))
    return {plain(found) for found in NUMBER.findall(text)}


def plain_english(number: str) -> str:
    """Return a number without the commas of thousands."""
    return re.sub(r",(?=\d{3}(?!\d))", "", number)


def plain_spanish(number: str) -> str:
    """Return a number without the spaces of thousands, and with a decimal point."""
    return re.sub(r"[\u202f\u00a0]", "", number).replace(",", ".")


@each_page
def test_a_translated_page_has_the_structure_of_the_english_one(english: Path, translated: Path) -> None:
    assert headings(translated) == headings(english)
    assert blocks(translated) == [(kind, translate(english, file)) for kind, file in blocks(english)]
    assert [parts(section) for section in sections(translated)] == [parts(section) for section in sections(english)]
    assert commands(translated) == [translate(english, command) for command in commands(english)]


@each_page
def test_a_translated_page_has_the_code_and_the_figures_of_the_english_one(english: Path, translated: Path) -> None:
    """Check section by section, so that whoever changes a command or a figure changes it in every language."""
    for ours, theirs in zip(sections(english), sections(translated), strict=True):
        title = theirs.partition("\n")[0]
        assert code(theirs) == code(translate(english, ours)), title
        assert numbers(theirs, plain_spanish) == numbers(ours, plain_english), title


@pytest.mark.parametrize("name", [*({EVERY_RUN} & set(PAIRS)), *slow(sorted(set(PAIRS) - {EVERY_RUN}))])
def test_every_example_prints_what_the_translated_page_shows(name: str, tmp_path: Path) -> None:
    for command, shown, printed in examples(TRANSLATED[name], tmp_path):
        assert without_times(printed) == without_times(shown), command


@each_page
def test_a_translated_page_links_to_what_the_english_one_links_to(english: Path, translated: Path) -> None:
    """Check that the links lead to the same files, or to the same pages in the page's own language."""
    in_english = [
        GUIDE / path.name if path.parent == translated.parent else path for path in map(Path.resolve, links(translated))
    ]
    assert sorted(in_english) == sorted(map(Path.resolve, links(english)))


@each_page
def test_a_translated_page_is_at_most_a_fifth_longer(english: Path, translated: Path) -> None:
    lengths = [len(page.read_text(encoding="utf-8").splitlines()) for page in (english, translated)]
    assert lengths[1] <= 1.2 * lengths[0]


def test_the_event_file_is_the_same_in_all_languages() -> None:
    files = [
        [fence["body"] for fence in fences(page) if fence["file"]]
        for page in (PAGES["event-file"], TRANSLATED["es/event-file"])
    ]
    assert files[1] == files[0]


def test_the_guide_speaks_the_language_of_the_program(run: Runner) -> None:
    """Check the list and a page: names stay, titles and texts are those of the translated files."""
    english = run("guide", "--json").json
    spanish = run("guide", "--json", "--lang", "es").json
    assert [row["page"] for row in spanish] == [row["page"] for row in english]
    for row in spanish:
        page = TRANSLATED.get(f"es/{row['page']}", PAGES[row["page"]])
        assert page.read_text(encoding="utf-8").startswith(f"# {row['title']}\n\n")
    assert run("guide", "seating", "--lang", "es").out == TRANSLATED["es/seating"].read_text(encoding="utf-8")


def test_a_page_without_a_translation_is_shown_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, title in (("one.md", "One"), ("two.md", "Two"), ("es/two.md", "Dos")):
        path = tmp_path / "guide" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {title}\n\nAbout.\n\nText.\n", encoding="utf-8")
    monkeypatch.setattr(guide, "files", lambda _package: tmp_path)
    with speaking("es"):
        assert [page.title for page in guide.pages()] == ["One", "Dos"]
    with speaking(SOURCE):
        assert [page.title for page in guide.pages()] == ["One", "Two"]


def test_every_page_is_translated() -> None:
    assert set(TRANSLATED) == {f"es/{name}" for name, page in PAGES.items() if page != README}
