"""Tests of the pages of seasons: in the hall, as a static site, and on paper."""

import hashlib
import os
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path, PurePosixPath

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.web.asking import TestClient, client
from tests.harness.web.markup import Markup
from tests.tourney.seasons.test_seasons import late, two_evenings
from tests.tourney.web.public.test_site import texts
from tourney.domain.errors import ExitCode
from tourney.files.site_folder import marked
from tourney.service.change import apply
from tourney.service.events.events import UseEvent
from tourney.service.players import PublishPlayer
from tourney.service.seasons import seasons
from tourney.service.seasons.seasons import ChangeSeason, CreateSeason
from tourney.web.pages.hall import name_code
from tourney.web.pages.site import season_site

HOSTILE = '2026/27 <b>&"Autumn"'


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with two evenings and the season that counts them."""
    return two_evenings(tmp_path / "club.db")


@pytest.fixture
def pages(db: str) -> Iterator[TestClient]:
    """Ask as a phone in the hall."""
    with client(db) as asked:
        yield asked


def cells(text: str, row: int) -> list[str]:
    """Return the texts of the cells of a row of the page's table; the first one has number 1."""
    inner = text.split("<tr")[1 + row]
    return [unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall(r"<t[hd][^>]*>(.*?)(?:</t[hd]>|$)", inner)]


def test_the_hall_leads_to_the_season_its_players_and_what_counts(db: str, pages: TestClient) -> None:
    """Each evening gives a point for each player ranked behind, and the best one counts."""
    assert 'href="/seasons"' in pages.get("/").text
    assert 'href="/seasons/1"' in pages.get("/seasons").text
    rows = seasons.standings(db).rows
    shown = pages.get("/seasons/1").text
    for at, row in enumerate(rows, 1):
        assert cells(shown, at)[:2] == [str(row.rank), row.player.shown]
    link = re.search(rf'<a href="(/seasons/1/players/[^"]+)">{rows[1].player.shown}<', shown)
    assert link
    why = pages.get(link[1]).text
    behind = len(rows) - 2
    assert f"Friday: rank 2 of {len(rows)}: {behind}" in why
    assert f"{rows[1].player.shown}: rank 2 in the season Autumn" in why
    counted = pages.get("/seasons/1/events").text
    assert {"Friday", "Saturday", "best results that count"} <= set(Markup(counted).texts)


def test_a_correction_is_on_the_page_at_once(db: str, pages: TestClient) -> None:
    leader = cells(pages.get("/seasons/1").text, 1)[1]
    for event in ("Friday", "Saturday"):
        apply(db, late(event, leader))
    assert cells(pages.get("/seasons/1").text, 1)[1] != leader


def test_without_a_season_no_page_leads_to_one(tmp_path: Path) -> None:
    with client(desk.evening(tmp_path / "plain.db")) as pages:
        assert "/seasons" not in pages.get("/").text
        assert pages.get("/seasons").status_code == 200


@pytest.mark.parametrize("path", ["/seasons/2", "/seasons/x", "/seasons/1/players/99", "/seasons/1/players/x"])
def test_a_season_or_player_that_is_not_there_is_one_sentence(pages: TestClient, path: str) -> None:
    answer = pages.get(path)
    assert answer.status_code == 404
    assert "`tourney" not in answer.text


def test_a_season_with_a_slash_and_marks_in_its_name_has_its_pages(db: str, pages: TestClient) -> None:
    apply(db, ChangeSeason("Autumn", {"name": HOSTILE}))
    for path in ("/seasons", "/seasons/1", "/seasons/1/events"):
        text = pages.get(path).text
        assert HOSTILE in " ".join(Markup(text).texts)
        assert "<b>" not in text


def test_a_season_without_events_has_a_page_that_says_so(db: str, pages: TestClient) -> None:
    apply(db, CreateSeason("Winter", {}))
    assert "No results yet." in pages.get("/seasons/2").text


def page_of(name: str) -> str:
    """Return the file of a player's page on a site."""
    return f"players/{hashlib.sha256(name.encode()).hexdigest()[:16]}.html"


def test_a_season_shows_people_as_rankings_do(db: str, pages: TestClient, run: Runner) -> None:
    """Seasons named who is not to be shown, and the number of a page told whose other name it has."""
    rows = seasons.standings(db).rows
    hidden, renamed = rows[0].player.shown, rows[1].player.shown
    apply(db, PublishPlayer(hidden, "nothing"))
    apply(db, PublishPlayer(renamed, "other name", "Zorro"))
    shown = [(row.rank, row.player.shown) for row in seasons.standings(db).rows]
    assert shown == [(2, "Zorro"), *((row.rank, row.player.shown) for row in rows[2:])]
    files = season_site(db, "Autumn")
    assert page_of("Zorro") in files
    shown_texts = [text.decode() for name, text in files.items() if name.endswith(".html")]
    shown_texts += [pages.get(path).text for path in ("/seasons/1", f"/seasons/1/players/{name_code('Zorro')}")]
    shown_texts.append(run("print", "season", "Autumn", "--db", db).out)
    assert not any(re.search(rf"\b{name}\b", text) for text in shown_texts for name in (hidden, renamed))
    for name in (hidden, renamed):
        assert pages.get(f"/seasons/1/players/{name_code(name)}").status_code == 404


def test_the_site_of_a_season_has_its_standings_players_and_events(db: str, tmp_path: Path, run: Runner) -> None:
    rows = seasons.standings(db).rows
    files = season_site(db, "Autumn")
    players = {page_of(row.player.shown) for row in rows}
    assert set(files) == {"index.html", "events.html", "style.css", *players}
    for name, text in texts(files).items():
        page = Markup(text)
        targets = {os.path.normpath(PurePosixPath(name).parent / each) for each in page.links() if each[0] != "#"}
        assert {each.replace(os.sep, "/") for each in targets} <= set(files), name
        assert {"script", "form", "button"}.isdisjoint(tag for tag, _attributes in page.elements)
    assert page_of(rows[0].player.shown) in Markup(files["index.html"].decode()).links()
    assert rows[0].player.shown in Markup(files["index.html"].decode()).texts
    folder = tmp_path / "site"
    done = run("site", str(folder), "--season", "Autumn", "--db", db, "--json").json
    assert done["files"] == len(files)
    assert (folder / "index.html").read_bytes() == marked(files)["index.html"]


@pytest.mark.parametrize(
    ("words", "code", "named"),
    [
        (("Friday", "out", "--season", "Autumn"), ExitCode.USAGE, "more than one"),
        (("out", "--pool", "people", "--season", "Autumn"), ExitCode.USAGE, "more than one"),
        (("out", "--season", "Autmn"), ExitCode.NOT_FOUND, "did you mean Autumn?"),
    ],
    ids=["event and season", "pool and season", "unknown"],
)
def test_a_site_of_two_things_or_of_none_is_refused(
    db: str, run: Runner, tmp_path: Path, words: tuple[str, ...], code: ExitCode, named: str
) -> None:
    refused = run("site", *(str(tmp_path / word) if word == "out" else word for word in words), "--db", db)
    assert (refused.code, refused.out) == (code, "")
    assert named in refused.err
    assert not (tmp_path / "out").exists()


def test_the_season_is_printed_with_the_events_that_count(db: str, run: Runner) -> None:
    text = run("print", "season", "--db", db).out
    assert "Standings of the season Autumn" in text
    assert {"Friday", "Saturday"} <= set(Markup(text).texts)
    assert re.search("code [0-9a-f]{16}", text)
    data = run("print", "season", "Autumn", "--db", db, "--json").json
    assert data == run("season", "standings", "--db", db, "--json").json


def test_the_desk_prints_each_season(db: str, run: Runner) -> None:
    apply(db, UseEvent("Saturday"))
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        assert 'href="/desk/paper/print/season?season=1"' in pages.get("/desk/paper").text
        printed = pages.get("/desk/paper/print/season?season=1").text
        assert pages.get("/desk/paper/print/season?season=2").status_code == 404
    assert printed == run("print", "season", "Autumn", "--db", db).out
