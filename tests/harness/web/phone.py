"""Phones at a table, each with cookies of its own, that ask the pages of one server, over a network or without."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from html import unescape
from itertools import count

from httpx import Client, Response

from tests.harness.web.markup import Markup
from tourney.domain.results import SheetHand
from tourney.web.access import SEAT_COOKIE

_NUMBERS = count(1)
"""Every phone has a browser of its own."""


class Phone:
    """A phone that has scanned the sign of a table; `seat` is whose it is, from 1 (0: it has not said).

    Its forms name the `players` as the last page that named them: their numbers in the order of their seats.
    """

    def __init__(self, pages: Client, token: str, seat: int = 0) -> None:
        self.pages, self.home, self.cookies = pages, f"/t/{token}", dict[str, str]()
        self.agent = f"phone {next(_NUMBERS)}"
        self.players = ""
        if seat:
            self.post("/who", seat=str(seat))

    @property
    def device(self) -> str:
        """The hash of the newest key of a seat that the phone was given, which tells phones apart."""
        keys = [value for name, value in self.cookies.items() if name.startswith(SEAT_COOKIE)]
        return hashlib.sha256(keys[-1].encode()).hexdigest()

    def get(self, path: str = "") -> Response:
        """Open a page of the table."""
        return self._ask("GET", self.home + path)

    def post(self, path: str, **fields: str | Sequence[str]) -> Response:
        """Submit a form, and return its own answer; a redirection is not followed."""
        if "seat" in fields or path.startswith("/hands/"):
            if not self.players:
                self.get()
            fields = {"players": self.players, **fields}
        return self._ask("POST", self.home + path, fields)

    def shown(self, path: str, **fields: str | Sequence[str]) -> Response:
        """Submit a form, and return the page that is shown then."""
        answer = self.post(path, **fields)
        if answer.status_code != 303:
            return answer
        return self._ask("GET", answer.headers["location"])

    def texts(self, path: str = "") -> list[str]:
        """Return the texts of a page of the table."""
        return Markup(self.get(path).text).texts

    def step(self, path: str = "") -> str:
        """Return the heading of the step that a page of the table shows, such as `Hand 2 of 7: TE`."""
        return heading(self.get(path))

    def type_hand(self, number: int, fields: Mapping[str, str]) -> Response:
        """Type a hand, counted from 1, and keep it."""
        return self.post(f"/hands/{number}", **fields)

    def correct_hand(self, number: int, fields: Mapping[str, str]) -> Response:
        """Open a hand that was typed before, and type it otherwise."""
        return self.type_hand(number, {"was": self.field("was", f"/hands/{number}"), **fields})

    def type_sheet(self, names: Sequence[str], hands: Sequence[SheetHand[str]]) -> None:
        """Type the hands of players in the order of their seats, one after the other, none of which is refused."""
        for number, hand in enumerate(hands, 1):
            answer = self.type_hand(number, hand_fields(names, hand))
            assert answer.status_code == 303, Markup(answer.text).texts

    def send(self) -> Response:
        """Press the button that sends the whole sheet, and return what is shown then."""
        return self.shown("/send", sheet=self.field("sheet"))

    def field(self, name: str, path: str = "") -> str:
        """Return the value of the first field with this name in a form of the page."""
        fields = (pair for form in Markup(self.get(path).text).forms for pair in form.fields)
        return next(value for found, value in fields if found == name)

    def _ask(self, method: str, path: str, fields: Mapping[str, str | Sequence[str]] | None = None) -> Response:
        self.pages.cookies.clear()
        for name, value in self.cookies.items():
            self.pages.cookies.set(name, value)
        headers = {"User-Agent": self.agent}
        if method == "POST":
            headers["Origin"] = str(self.pages.base_url).rstrip("/")
        answer = self.pages.request(method, path, data=None if fields is None else dict(fields), headers=headers)
        for name, value in answer.cookies.items():
            self.cookies.pop(name, None)
            self.cookies[name] = value
        named = re.search(r'name="players" value="([^"]+)"', answer.text)
        self.players = named[1] if named else self.players
        return answer


def heading(answer: Response) -> str:
    """Return the heading of the step that a page shows; a page has the forms of later hands, too."""
    found = re.search(r'id="hand-name"[^>]*>([^<]*)<', answer.text)
    assert found, Markup(answer.text).texts
    return unescape(found[1])


def hand_fields(names: Sequence[str], hand: SheetHand[str]) -> dict[str, str]:
    """Return a hand of `desk.hands` as the fields of a form: whoever has 0 points closed, after an earlier lay-down."""
    closer = next(seat for seat, name in enumerate(names, 1) if hand.points[name] == 0)
    points = {f"points-{seat}": str(hand.points[name]) for seat, name in enumerate(names, 1) if seat != closer}
    return {"closer": str(closer), "at_once": "0", **points}
