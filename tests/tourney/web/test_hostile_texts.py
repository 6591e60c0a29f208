"""Tests of hostile texts as names, in the fields of every form and in every address: text they stay, and nothing fails.

Forms are found on the pages themselves, so that a new one is tested without being listed here. An error that is no
refusal fails a test by itself, as the client raises it.
"""

import random
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import slow
from tests.harness.web import hostile, routes
from tests.harness.web.asking import ORIGIN, client
from tests.harness.web.markup import escapes
from tests.harness.web.routes import KEYS, pages_for, parts_of, path_of, pattern_of
from tests.harness.web.submitting import (
    CUTS,
    OWN,
    desk_client,
    faults,
    fields_to_try,
    forms_of,
    forms_on,
    hostile_paths,
    send,
    with_a_cut,
)
from tourney.service.change import apply
from tourney.service.events.events import EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import pools
from tourney.web.pages import PAGES


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with an evening of eight people with hostile names."""
    return routes.evening(str(tmp_path / "club.db"), hostile.names(8))


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
        with desk_client(served, is_desk) as pages:
            for cookies, path, form in forms_of(served, pages) if served == db and is_desk else forms_on(pages, *OWN):
                pages.cookies.update(cookies)
                for name, text in fields_to_try(form, rng, most, rng.sample(every, number)):
                    sent.add(pattern_of(form.action, form.method).partition("?")[0])
                    found += send(pages, form, path, name, text, rng)
    assert found == []
    left = {page.path for page in pages_for("everybody", "table", "desk", method="POST")} - sent
    without_fields = {"/desk/sign-out", "/desk/paper/mirrors/remove", "/desk/events/delete", "/sign-in/{token}"}
    assert left - without_fields == set(), "forms that no page has"


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
