"""Requests to the web pages with something bad in a field, an address, a header or the body, or of another method.

Forms and addresses are those of the pages of an evening with something on every page, which changes on the way.
"""

from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from httpx import Response

from tests.harness.bad_input.chained import values_of, with_junk
from tests.harness.bad_input.judged import Judged, judged
from tests.harness.bad_input.mutations import mutated, mutated_file
from tests.harness.desk import CLUB
from tests.harness.web import hostile, routes
from tests.harness.web.asking import HOST, ORIGIN, TestClient
from tests.harness.web.markup import Form
from tests.harness.web.routes import KEYS, path_of
from tests.harness.web.submitting import desk_client, faults, forms_of
from tourney.service.web.access import sign_in_token
from tourney.web.pages import PAGES

EACH: Final = 250
"""The requests to one evening, before another one is made."""
AGAIN: Final = 10
"""The requests after which the desk signs in again."""
METHODS: Final = ("HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "POST", "GET", "BREW")
HEADERS: Final = {
    "Host": HOST,
    "Origin": f"http://{HOST}",
    "Cookie": "tourney-desk=AAAA; tourney-lang=es",
    "Accept-Language": "es-ES,es;q=0.9,en;q=0.8",
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": "12",
    "If-None-Match": '"0123456789abcdef01234567"',
    "Range": "bytes=0-10",
    "Accept": "text/html",
    "Transfer-Encoding": "chunked",
}
"""Headers of a usual request, of which one is mutated."""
UPLOAD: Final = "/desk/events/import"
EVENT_FILE: Final = (CLUB / "friday.event").read_bytes()
PART: Final = (
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="friday.event"\r\n'
    b"Content-Type: application/octet-stream\r\n\r\n%s\r\n"
    b'--x\r\nContent-Disposition: form-data; name="do"\r\n\r\n%s\r\n--x--\r\n'
)
Forms = list[tuple[Mapping[str, str], str, Form]]


class RefusedPage(Exception):
    """A page that refuses what was sent; the text is what it says."""


class _Alerts(HTMLParser):
    """The texts of the alerts and faults of a page, and of its main part."""

    VOID: Final = frozenset({"input", "img", "br", "meta", "link", "hr", "path", "source", "wbr"})

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.alerts: list[str] = []
        self.main: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in self.VOID:
            is_fault = given.get("role") == "alert" or "fault" in (given.get("class") or "").split()
            self._open.append((tag, is_fault and "hidden" not in given, tag == "main"))

    def handle_endtag(self, tag: str) -> None:
        while any(name == tag for name, _alert, _main in self._open) and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text and any(alert for _tag, alert, _main in self._open):
            self.alerts.append(text)
        elif text and any(main for _tag, _alert, main in self._open):
            self.main.append(text)


def tried(folder: Path, number: int, seed: int) -> Iterator[Judged]:
    """Send so many requests; yield what became of each."""
    for first in range(0, number, EACH):
        rng = Random(f"{seed} requests {first}")
        db = routes.evening(str(folder / f"{first}.db"), hostile.names(8))
        with desk_client(db) as pages:
            yield from _at_an_evening(f"requests {seed} {first}", rng, db, pages, min(EACH, number - first))


def _at_an_evening(name: str, rng: Random, db: str, pages: TestClient, number: int) -> Iterator[Judged]:
    forms = [each for each in forms_of(db, pages) if "sign-out" not in each[2].action]
    token = KEYS["table"].grant(db)
    own = dict[str, str]()
    kinds: list[tuple[str, Callable[[], Response]]] = [
        ("a form", lambda: _form(rng, pages, forms)),
        ("a form", lambda: _form(rng, pages, forms)),
        ("a body", lambda: _body(rng, pages, forms)),
        ("an address", lambda: pages.get(_address(rng, token))),
        ("a header", lambda: _header(rng, pages, token)),
        ("a method", lambda: pages.request(rng.choice(METHODS), _sound_address(rng, token), headers=ORIGIN)),
        ("a file", lambda: _upload(rng, pages)),
    ]
    for turn in range(number):
        kind, ask = rng.choice(kinds)
        pages.cookies.clear()
        if turn % AGAIN == 0:  # the desk may have signed out, or ended all keys
            pages.post(f"/sign-in/{sign_in_token(db)}", headers=ORIGIN)
            own = dict(pages.cookies)
        pages.cookies.update(own)
        yield judged(f"{name}+{turn}: {kind}", lambda ask=ask: _answered(ask), (RefusedPage,))


def _answered(ask: Callable[[], Response]) -> None:
    """Ask, and raise RefusedPage for a page that refuses, AssertionError for one with a fault."""
    answer = ask()
    asked = answer.request
    where = f"{asked.method} {str(asked.url)[:300]} {asked.content[:300]!r}"
    wrong = list(faults(answer, where))
    assert not wrong, wrong[0]
    if answer.status_code >= 400:
        page = _Alerts(answer.text)
        raise RefusedPage(" ".join(page.alerts or page.main))


def _form(rng: Random, pages: TestClient, forms: Forms) -> Response:
    """Send a form of a page, with one to three of its fields changed, left out, doubled or invented."""
    cookies, path, form = rng.choice(forms)
    pages.cookies.update(cookies)
    button = dict([rng.choice(form.buttons)]) if form.buttons else {}
    data = form.filled(**button)
    for name in rng.choices([*data, "unknown"], k=rng.randrange(1, 4)):
        data[name] = _changed(rng, data.get(name, []))
    return _sent(pages, form, path, data)


def _changed(rng: Random, values: list[str]) -> list[str]:
    texts = (mutated(rng, values[0] if values else "1"), rng.choice(hostile.SHORT), rng.choice(hostile.WILD))
    text = rng.choice(texts).encode("utf-8", "replace").decode()
    return rng.choice(([text], [text], [text], [], [*values, text]))


def _sent(pages: TestClient, form: Form, path: str, data: Mapping[str, list[str]]) -> Response:
    address = urlsplit(form.action or path).path
    if form.method == "GET":
        return pages.get(address, params={name: [value[:2000] for value in values] for name, values in data.items()})
    return pages.post(address, data=data, headers=ORIGIN)


def _body(rng: Random, pages: TestClient, forms: Forms) -> Response:
    """Send a form whose encoded body is damaged."""
    cookies, path, form = rng.choice([each for each in forms if each[2].method == "POST"])
    pages.cookies.update(cookies)
    body = mutated_file(rng, urlencode(form.filled(), doseq=True, errors="replace").encode())
    kind = rng.choice(("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "text/plain"))
    headers = {**ORIGIN, "Content-Type": kind}
    return pages.post(urlsplit(form.action or path).path, content=body, headers=headers)


def _sound_address(rng: Random, token: str) -> str:
    return path_of(rng.choice(PAGES), token)


def _address(rng: Random, token: str) -> str:
    """Return an address with a part, a field of its query, or the whole of it mutated."""
    page = rng.choice([page for page in PAGES if page.method == "GET"])
    parts = [*routes.parts_of(page), *page.query, "lang", "done", ""]
    name = rng.choice(parts)
    text = quote(mutated(rng, routes.ARGUMENTS.get(name, "1")).encode("utf-8", "replace")[:2000], safe="")
    if name in routes.parts_of(page):
        return path_of(page, token).replace(quote(routes.ARGUMENTS.get(name, "1"), safe=""), text, 1)
    if name:
        return f"{path_of(page, token).partition('?')[0]}?{quote(name)}={text}"
    return "/" + quote(mutated(rng, path_of(page, token)).encode("utf-8", "replace")[:2000], safe="/?&=%")


def _header(rng: Random, pages: TestClient, token: str) -> Response:
    """Ask with one header mutated; what no header can hold is left out."""
    name = rng.choice(list(HEADERS))
    value = mutated(rng, HEADERS[name]).encode("utf-8", "replace").translate(None, b"\r\n\0")[:8000]
    page = rng.choice(PAGES)
    headers = {key.encode(): text.encode() for key, text in ORIGIN.items()} | {name.encode(): value.strip()}
    return pages.request(page.method, path_of(page, token), headers=headers)


def _upload(rng: Random, pages: TestClient) -> Response:
    """Send the file of an event, damaged or forged, to be looked at or to be taken in."""
    forged = with_junk(rng, values_of(EVENT_FILE.decode().splitlines())).encode()
    content = rng.choice((mutated_file(rng, EVENT_FILE), forged))
    body = PART % (content, rng.choice((b"", b"import", b"look")))
    if rng.random() < 0.3:
        body = mutated_file(rng, body)
    kind = "multipart/form-data; boundary=x"
    kind = mutated(rng, kind).encode("ascii", "ignore").decode() if rng.random() < 0.1 else kind
    return pages.post(UPLOAD, content=body, headers={**ORIGIN, "Content-Type": kind.translate({10: None, 13: None})})
