"""Tests of hostile texts as names, in the fields of every form and in every address: text they stay, and nothing fails.

Forms are found on the pages themselves, so that a new one is tested without being listed here. An error that is no
refusal fails a test by itself, as the client raises it.
"""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from httpx import Response

from tests.harness import desk
from tests.harness.slow import slow
from tests.harness.web import hostile, routes
from tests.harness.web.asking import HOST, ORIGIN, TestClient, client
from tests.harness.web.markup import Form, Markup, escapes, is_ours
from tests.harness.web.routes import KEYS, handsets, pages_for, parts_of, path_of, pattern_of, reached
from tourney.domain.events import EventSettings
from tourney.domain.results import DeclaredHand
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.people.players import RegisterPlayers
from tourney.service.ratings import pools
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.web.page import Page
from tourney.web.pages import PAGES
from tourney.web.server import Server, Settings


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with an evening of eight people with hostile names."""
    return routes.evening(str(tmp_path / "club.db"), hostile.names(8))


def faults(answer: Response, where: str) -> Iterator[str]:
    """Yield what is wrong with an answer: a failure, another host, or a text that was not escaped."""
    if answer.status_code >= 500:
        yield f"{where}: {answer.status_code}"
    if answer.status_code == 303 and not is_ours(answer.headers["location"]):
        yield f"{where}: to {answer.headers['location']}"
    if answer.headers.get("content-type", "").startswith("text/html"):
        styled = "unsafe-hashes" in answer.headers["content-security-policy"]
        yield from (f"{where}: {found}" for found in escapes(answer.text, styled=styled))
    if "a=b" in answer.headers.get("set-cookie", ""):
        yield f"{where}: a cookie of others"


def test_a_text_that_is_not_escaped_is_found() -> None:
    """The check finds each way in which a text can leave its place."""
    assert escapes(f"<p>{hostile.SHORT[0]}</p>")
    assert escapes(f'<input value="{hostile.SHORT[2]}">')
    assert escapes(f"<input value='{hostile.SHORT[4]}'>")
    assert escapes('<a href="javascript:x()">x</a>')
    assert escapes('<a href="//evil.example/">x</a>')
    assert escapes("<p>9801547</p>")
    assert escapes('<p><a href="/tables">&lt;zzxss&gt; {{1337*7331}}</a></p>') == []


@pytest.mark.parametrize("number", [8, *slow([500])])
def test_hostile_names_are_text_on_every_page(tmp_path: Path, number: int) -> None:
    """Everybody, a table and the desk see them."""
    names = hostile.names(number)
    db = routes.evening(str(tmp_path / "club.db"), names[:8])
    if names[8:]:
        apply(db, RegisterPlayers(names[8:]))
        apply(db, EnterPlayers(routes.EVENT, names[8:]))
    found = list[str]()
    with client(db, entry=True, signed_in=True) as pages:
        token = KEYS["table"].grant(db)
        for page in pages_for("everybody", "table", "desk"):
            numbers = range(1, min(number, 40) + 1) if page.path == "/players/{number}" else (1,)
            for at in numbers:
                path = path_of(page, token, number=str(at), player=names[0])
                answer = pages.get(path)
                assert answer.status_code in (200, 303, 403, 404), path
                found += faults(answer, path)
    assert found == []


@pytest.mark.parametrize("number", [1, *slow([40])])
def test_hostile_texts_in_addresses_are_text(db: str, number: int) -> None:
    """Each part of each path and each field of its query, of pages that are read and that are sent a form."""
    found = list[str]()
    every = hostile.texts(500)
    with client(db, entry=True, signed_in=True) as pages:
        token = KEYS["table"].grant(db)
        rng = random.Random(number)
        for page in PAGES:
            for path in hostile_paths(page, token, rng.sample(every, number)):
                answer = pages.request(page.method, path, headers=ORIGIN)
                found += faults(answer, f"{page.method} {path[:200]}")
    assert found == []


def hostile_paths(page: Page, token: str, texts: list[str]) -> Iterator[str]:
    """Yield the addresses of a page with each of the texts in place of each part; the long ones are cut."""
    quoted = [text.encode("utf-8", "replace").decode()[:1000] for text in texts]
    for part in parts_of(page):
        for text in quoted:
            yield path_of(page, **({"token": token} | {part: text}))
    for name in (*page.query, "lang"):
        for text in quoted:
            yield f"{path_of(page, token)}?{quote(name)}={quote(text)}"


class Opened:
    """A switch of a desk that is open to the network, and stays so."""

    is_open = True

    def open(self) -> str:
        return ""

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("most", "number", "seed"), [(1, 1, 1), *slow([(12, 20, seed) for seed in range(2, 5)])])
def test_hostile_texts_in_the_fields_of_forms_are_text(db: str, most: int, number: int, seed: int) -> None:
    """Each form as it stands on its page, with one field replaced, for at most so many fields and texts for each.

    The evening changes on the way, as it may. It has no mirror, whose form would take it away. Of the events with
    stages one waits for the names of its finalists, one for a play-off hand.
    """
    rng = random.Random(seed)
    every = hostile.texts(500, seed)
    found, sent = list[str](), set[str]()
    stages = [with_a_cut(f"{db}-{place}", final) for place, final in enumerate(CUTS)]
    signed_in = [(served, True) for served in (db, *stages)]
    for served, is_desk in (*signed_in, (db, False)):
        server = Server(Settings(served, None, True, frozenset({HOST}), f"http://{HOST}/"), network=Opened())
        with client(served, signed_in=is_desk, address="127.0.0.1", server=server) as pages:
            for cookies, path, form in forms_of(served, pages) if served == db and is_desk else forms_on(pages, *OWN):
                pages.cookies.update(cookies)
                for name, text in fields_to_try(form, rng, most, rng.sample(every, number)):
                    sent.add(pattern_of(form.action, form.method).partition("?")[0])
                    found += send(pages, form, path, name, text, rng)
    assert found == []
    left = {page.path for page in pages_for("everybody", "table", "desk", method="POST")} - sent
    assert left - {"/desk/sign-out", "/desk/paper/mirrors/remove"} == set(), "forms that no page has"


OWN = ("/sign-in", "/desk/stages")
"""The pages that have a form only for somebody who is not signed in, or where a cut is to be decided."""
CUTS = (Stage("Final", 1, take="named", tables=1), Stage("Final", 2, take="best", number=4, ties="play-off"))
"""Finals whose players the desk names, or a play-off hand decides."""


def with_a_cut(db: str, final: Stage) -> str:
    """Create an event of twelve with hostile names, of which all but the three winners are level; return its path."""
    names = hostile.names(12)
    apply(db, RegisterPlayers(names))
    apply(db, CreateEvent(EventSettings("Weekend", "oficial", stages=(Stage("Qualifying", 1, "rotation"), final))))
    apply(db, EnterPlayers("Weekend", names))
    for table in apply(db, DrawRound()).rounds[0].tables:
        shown = [player.shown for player in table.players]
        sheet = [DeclaredHand(each, dict(zip(shown, (0, 20, 20, 20), strict=True))) for each in desk.CONTRACTS]
        apply(db, EnterResult(None, table.round, table.number, sheet))
    return db


def forms_on(pages: TestClient, *paths: str) -> list[tuple[Mapping[str, str], str, Form]]:
    """Return the forms of these pages, as far as they open, which are sent to the page itself."""
    texts = [(path, pages.get(path)) for path in paths]
    shown = [(path, answer.text) for path, answer in texts if answer.status_code == 200]
    return [({}, path, form) for path, text in shown for form in Markup(text).forms if form.action == path]


def forms_of(db: str, pages: TestClient) -> list[tuple[Mapping[str, str], str, Form]]:
    """Return each form of phones at every step and of the desk, with the cookies of a phone and the path of the page.

    Of those with the same fields one is returned. The desk's come last: they may finish the event.
    """
    phones = [(handset.cookies, handset.token) for handset in handsets(db).values()]
    found = []
    for cookies, token in phones:
        pages.cookies.update(cookies)
        found += [(cookies, *each) for each in reached(pages, token, ("table",)).items()]
    desk_pages = [({}, *each) for each in reached(pages).items()]
    forms = {}
    for cookies, path, text in [*found, *desk_pages]:
        for form in Markup(text).forms:
            names = frozenset(name for name, _value in (*form.fields, *form.buttons))
            forms.setdefault((pattern_of(form.action, form.method), names), (cookies, path, form))
    return list(forms.values())


def fields_to_try(form: Form, rng: random.Random, most: int, texts: list[str]) -> Iterator[tuple[str, str]]:
    names = list(dict.fromkeys(name for name, _value in (*form.fields, *form.buttons))) or ["nothing"]
    for name in rng.sample(names, min(most, len(names))):
        for text in texts:
            yield name, text


def send(pages: TestClient, form: Form, path: str, name: str, text: str, rng: random.Random) -> Iterator[str]:
    """Send a form with this text in one field, and yield what is wrong with the answer and with the page after it."""
    values = dict([rng.choice(form.buttons)]) if form.buttons else {}
    data = form.filled(**values, **{name: text}) if name not in values else form.filled(**{name: text})
    encoded = {key: [one.encode("utf-8", "replace").decode() for one in many] for key, many in data.items()}
    where = f"{form.method} {form.action or path} {name}={text[:60]!r}"
    if "sign-out" in form.action:
        return
    answer = (
        pages.get(form.action or path, params=encoded)
        if form.method == "GET"
        else pages.post(urlsplit(form.action or path).path, data=encoded, headers=ORIGIN)
    )
    yield from faults(answer, where)
    if answer.status_code == 303 and is_ours(answer.headers["location"]):
        yield from faults(pages.get(answer.headers["location"]), f"after {where}")


def test_hostile_names_are_text_in_ratings(db: str) -> None:
    """The players of a pool have pages under their names."""
    with client(db) as pages:
        for page in pages_for("everybody"):
            if "player" in parts_of(page):
                for name in hostile.names(8):
                    path = path_of(page, player=name)
                    assert list(faults(pages.get(path), path)) == []
    assert pools.list_pools(db)
    assert desk.query(db, "SELECT count(*) FROM act") != [(0,)]
