"""Ask the web pages of a database without a network."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

with warnings.catch_warnings():
    # The client of a newer httpx is announced, which is not there yet.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from httpx import Response

from tests.harness.web.markup import Markup
from tourney.service.web.access import sign_in_token
from tourney.web.app import application
from tourney.web.page import Page
from tourney.web.pages import PAGES
from tourney.web.server import Server, Settings

HOST = "club.test"
ORIGIN = {"Origin": f"http://{HOST}"}
"""The header with which a browser submits a form of a page of ours."""


@contextmanager
def client(
    db: str,
    event: str | None = None,
    *,
    entry: bool = False,
    address: str = "192.168.1.50",
    pages: Sequence[Page] = PAGES,
    raises: bool = True,
    signed_in: bool = False,
    phones: str = "",
    server: Server | None = None,
) -> Iterator[TestClient]:
    """Serve the database, and return a client at this address; redirections are not followed.

    An error that is no refusal fails the test unless `raises` is false; the client then gets the page about it. One who
    is `signed_in` is a desk. `phones` is the address of the front page for phones. A `server` of the test's
    own takes the place of one with these settings.
    """
    app = application(server or Server(Settings(db, event, entry, frozenset({HOST}), phones)), pages)
    with TestClient(
        app,
        f"http://{HOST}",
        raises,
        client=(address, 50000),
        follow_redirects=False,
        headers={"Accept-Language": "en"},
    ) as asked:
        if signed_in:
            asked.post(f"/sign-in/{sign_in_token(db)}", headers=ORIGIN)
        yield asked


def press(
    pages: TestClient,
    path: str,
    button: str,
    typed: Mapping[str, str | Sequence[str]] | None = None,
    action: str = "",
    shown: str = "",
) -> Response:
    """Load a page, fill in the form that has this button, and press it; an empty value takes a tick away.

    `action` names the form where several have such a button. `shown` is the page's text if it is loaded already.
    """
    found = Markup(shown or pages.get(path).text).forms
    form, typed = next(form for form in found if button in form.texts and action in form.action), typed or {}
    unknown = set(typed) - form.values.keys() - form.ticks.keys()
    assert not unknown, f"the form has no field {unknown}"
    values = {key: value for key, value in {**form.filled(), **typed}.items() if value or key not in form.ticks}
    name, value = form.texts[button]
    return pages.post(form.action, data={**values, **({name: value} if name else {})}, headers=ORIGIN)
