"""Send what the pages of an evening would send, with a text of another's choice in a field or an address.

Pages and forms are found by themselves: forms on the pages as each visitor sees them, addresses in the table of pages.
"""

import random
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from urllib.parse import quote, urlsplit

from httpx import Response

from tests.harness import desk
from tests.harness.web import hostile
from tests.harness.web.asking import HOST, ORIGIN, TestClient, client
from tests.harness.web.markup import Form, Markup, escapes, is_ours
from tests.harness.web.routes import handsets, parts_of, path_of, pattern_of, reached
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Stage
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.web.page import Page
from tourney.web.server import Server, Settings


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


class Opened:
    """A switch of a desk that is open to the network, and stays so."""

    is_open = True

    def open(self) -> str:
        return ""

    def close(self) -> None:
        pass


def desk_client(db: str, signed_in: bool = True) -> AbstractContextManager[TestClient]:
    """Serve the database on a desk's own computer, open to the network, and return its client."""
    server = Server(Settings(db, None, True, frozenset({HOST}), f"http://{HOST}/"), network=Opened())
    return client(db, signed_in=signed_in, address="127.0.0.1", server=server)


OWN = ("/sign-in", "/desk/stages")
"""The pages that have a form only for somebody who is not signed in, or where a cut is to be decided."""
CUTS = (Stage("Final", 1, take="named", tables=1), Stage("Final", 2, take="best", number=4, ties="play-off"))
"""Finals whose players the desk names, or a play-off hand decides."""


def with_a_cut(db: str, final: Stage) -> str:
    """Create an event of twelve with hostile names, of which all but the three winners are level; return its path."""
    names = hostile.names(12)
    desk.club_of(db, names, "Weekend", stages=(Stage("Qualifying", 1, "rotation"), final))
    for table in apply(db, DrawRound()).rounds[0].tables:
        shown = [player.shown for player in table.players]
        sheet = [SheetHand(each, dict(zip(shown, (0, 20, 20, 20), strict=True))) for each in desk.CONTRACTS]
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


def hostile_paths(page: Page, token: str, texts: list[str]) -> Iterator[str]:
    """Yield the addresses of a page with each of the texts in place of each part; the long ones are cut."""
    quoted = [text.encode("utf-8", "replace").decode()[:1000] for text in texts]
    for part in parts_of(page):
        for text in quoted:
            yield path_of(page, **({"token": token} | {part: text}))
    for name in (*page.query, "lang"):
        for text in quoted:
            yield f"{path_of(page, token)}?{quote(name)}={quote(text)}"
