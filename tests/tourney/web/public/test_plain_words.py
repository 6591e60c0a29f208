"""Tests that public pages speak as players do: without statistics, names of pools, references and commands."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.rules import all_rules
from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.web import routes
from tests.harness.web.asking import TestClient, client
from tests.harness.web.markup import Markup
from tests.harness.web.routes import reached
from tourney.web.pages.hall import name_code

JARGON = re.compile(r"\b(mu|sigma)\b|pool people|grupo people|\bpeople\b")
REFERENCE = re.compile(r"\[|`|\btourney \w")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Ask as everybody, on an evening that has something on every page."""
    with client(routes.evening(str(tmp_path_factory.mktemp("web") / "club.db"))) as asked:
        yield asked


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_public_page_has_a_word_of_statistics_or_the_name_of_a_pool(pages: TestClient, language: str) -> None:
    pages.headers["Accept-Language"] = language
    shown = reached(pages, audiences=("everybody",))
    assert {
        "/pools/people",
        f"/pools/people/players/{name_code('Ana')}",
        "/pools/people/editions/1",
        "/players/1",
    } <= set(shown)
    found = {path: [text for text in Markup(page).texts if JARGON.search(text)] for path, page in shown.items()}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_the_ratings_explain_their_numbers_below_the_table(pages: TestClient) -> None:
    """The score is that of the sentence below the table: the rating less three times its uncertainty."""
    pages.headers["Accept-Language"] = "en"
    text = pages.get("/pools/people").text
    assert re.search(r'<th scope="col">Rating</th>\s*<th scope="col">±</th>', text)
    for note in ("Rating ±: how well a player plays", "Score: the rating less three times ±; it decides the rank."):
        assert text.count(note) == 1
    player = pages.get(f"/pools/people/players/{name_code('Ana')}").text
    numbers = re.search(r"rating (-?[\d.]+) ± ([\d.]+); score (-?[\d.]+);", player)
    assert numbers is not None
    rating, uncertainty, score = map(float, numbers.groups())
    assert score == pytest.approx(rating - 3 * uncertainty, abs=0.025)


def test_the_ratings_begin_with_rank_name_the_number_that_ranks_and_games(pages: TestClient) -> None:
    pages.headers["Accept-Language"] = "en"
    text = pages.get("/pools/people").text
    assert re.findall(r'<th scope="col">([^<]*)</th>', text)[:4] == ["Rank", "Player", "Score", "Games"]
    row = re.search(r"<td[^>]*>1</td>\s*<t[dh][^>]*><a[^>]*>([^<]*)</a></t[dh]>\s*<td[^>]*>[\d.-]+</td>", text)
    assert row is not None
    assert ('<th scope="col">?</th>' in text) is ("?: the rating is still provisional" in text)


def test_a_pool_without_a_game_is_not_offered(pages: TestClient, tmp_path: Path) -> None:
    pages.headers["Accept-Language"] = "en"
    assert 'href="/pools/people"' in pages.get("/pools").text
    with client(desk.copied(tmp_path / "club.db", desk.event)) as asked:
        shown = asked.get("/pools").text
    assert "Nobody has a rating yet." in shown
    assert 'href="/pools/' not in shown


@pytest.mark.parametrize("rules", [*all_rules(), "oficial+scaled"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_rules_for_the_wall_have_neither_references_nor_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str, language: str
) -> None:
    """At a terminal and with their clauses quoted they have references."""
    run = Runner(capsys)
    printed = run("print", "rules", rules, "--lang", language, "--db", str(tmp_path / "club.db"))
    assert printed.code == 0
    assert [text for text in Markup(printed.out).texts if REFERENCE.search(text)] == []
    assert REFERENCE.search(run("rules", "show", rules, "--lang", language).out)
