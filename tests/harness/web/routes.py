"""An evening with something on every page, every kind of key to it, and the paths of all pages with real arguments.

Pages come from the table of pages itself, so that a new one is tested without being listed here.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest.mock import patch
from urllib.parse import parse_qsl, quote

from tests.harness import desk
from tests.harness.web.asking import TestClient
from tests.harness.web.markup import Markup
from tourney.domain.events import EventSettings
from tourney.domain.leagues import League
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.leagues import leagues
from tourney.service.people.players import RegisterPlayers
from tourney.service.ratings.editions import PublishEdition
from tourney.service.results.flags import RaiseFlag
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access
from tourney.service.web.submissions import Submit
from tourney.web.page import Page
from tourney.web.pages import PAGES

EVENT = "Friday"
LEFT, PLAYED, DRAFT = 1, 2, 3
"""The rounds of the evening: one that is over, one that is played, and one that only the desk may see."""
WAITING = 2
"""The table of the round that is played which has no result, but a sheet that waits for confirmation."""
SHEET = "5e" * 16
"""The client's id of that sheet."""

ARGUMENTS: Mapping[str, str] = {"pool": "people", "player": "Ana", "event": EVENT, "round": "2", "name": EVENT}
"""Values of the parts of paths, by their name; every other part is a number and has 1."""


def evening(db: str, names: tuple[str, ...] = desk.NAMES, draft: bool = True) -> str:
    """Create the evening, copied from one made earlier in this process; return its path."""
    return desk.copied(db, _make_with_draft if draft else _make, names)


def _make_with_draft(db: str, names: tuple[str, ...]) -> None:
    desk.copied(db, _make, names)
    add_draft(db)


def _make(db: str, names: tuple[str, ...]) -> None:
    apply(db, RegisterPlayers(names))
    for event in (EVENT, "Saturday"):
        apply(db, CreateEvent(EventSettings(event, "oficial", rounds=4)))
        apply(db, EnterPlayers(event, names))
        apply(db, DrawRound(event))
    apply(db, UseEvent(EVENT))
    for number in seated(db, LEFT):
        _enter(db, LEFT, number)
    apply(db, PublishEdition("people", datetime.now(UTC).date().isoformat()))
    apply(db, DrawRound(EVENT))
    apply(db, ChangeClock(EVENT, "start", minutes=30))
    _enter(db, PLAYED, 1)
    apply(db, RaiseFlag(EVENT, PLAYED, WAITING, "a card is bent", 0))
    hands = desk.hands(seated(db, PLAYED)[WAITING])
    apply(db, Submit(EVENT, PLAYED, WAITING, SHEET, device="a phone", seat=0, hands=hands))
    leagues.run(db, League(("random", "random"), "oficial", 2, "7", 2))


def add_draft(db: str) -> None:
    """Draw the round that only the desk may see."""
    apply(db, DrawRound(EVENT, anyway=True, draft=True))


def seated(db: str, number: int, event: str = EVENT) -> dict[int, list[str]]:
    """Return the names at each table of a round, in the order of their seats."""
    (drawn,) = rounds.show(db, event, number).rounds
    return {table.number: [player.name for player in table.players] for table in drawn.tables}


def _enter(db: str, round_number: int, table: int) -> None:
    apply(db, EnterResult(EVENT, round_number, table, desk.hands(seated(db, round_number)[table])))


@dataclass(frozen=True)
class Key:
    """A kind of key: how one is got, and the pages that it opens besides those for everybody."""

    grant: Callable[[str], str]
    opens: str = ""


def _desk(db: str) -> str:
    token = access.sign_in(db, access.sign_in_token(db))
    assert token is not None
    return token


def _ended_desk(db: str) -> str:
    token = _desk(db)
    access.revoke_token(db, token)
    return token


def _old(grant: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that grants a key two days ago."""

    def granted(db: str) -> str:
        with patch.object(access, "_now", lambda: datetime.now(UTC) - timedelta(days=2)):
            return grant(db)

    return granted


def _used_sign_in(db: str) -> str:
    token = access.sign_in_token(db)
    access.sign_in(db, token)
    return token


def _table(round_number: int, table: int, event: str = EVENT) -> Callable[[str], str]:
    return lambda db: access.grant_tables(db, event, round_number)[table - 1].token


def _ended_table(db: str) -> str:
    token = _table(PLAYED, WAITING)(db)
    access.revoke(db, EVENT, PLAYED, WAITING)
    return token


KEYS: Mapping[str, Key] = {
    "nothing": Key(lambda db: ""),
    "invented": Key(lambda db: "A" * 22),
    "hostile": Key(lambda db: "%00' OR 1=1 --"),
    "desk": Key(_desk, "desk"),
    "desk that signed out": Key(_ended_desk),
    "desk of two days ago": Key(_old(_desk)),
    "sign-in": Key(access.sign_in_token, "sign-in"),
    "sign-in used twice": Key(_used_sign_in),
    "sign-in of two days ago": Key(_old(access.sign_in_token)),
    "table": Key(_table(PLAYED, WAITING), "table"),
    "table with a result": Key(_table(PLAYED, 1), "table"),
    "table of another event": Key(_table(1, 1, "Saturday"), "table"),
    "table of a round that is over": Key(_table(LEFT, 1)),
    "table of a draft": Key(_table(DRAFT, 1)),
    "table that was closed": Key(_ended_table),
    "code": Key(lambda db: access.grant_tables(db, EVENT, PLAYED)[WAITING - 1].code),
    "PIN": Key(lambda db: access.grant_pin(db, EVENT, "Ana").pin),
}
"""Every kind of key that a visitor may have, in a cookie or in the address."""


def path_of(page: Page, token: str = "-", **arguments: str) -> str:
    """Return the path of a page with real arguments, or with those given."""
    values = {**ARGUMENTS, "token": token or "-", **arguments}
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda part: quote(values.get(part[1], "1"), safe=""), page.path)


def parts_of(page: Page) -> list[str]:
    """Return the names of the parts of a page's path."""
    return re.findall(r"\{(\w+)", page.path)


def pages_for(*audiences: str, method: str = "GET") -> Iterator[Page]:
    """Yield the pages for these audiences that are read, or that are sent a form."""
    return (page for page in PAGES if page.audience in audiences and page.method == method)


def pattern_of(path: str, method: str = "GET") -> str:
    """Return the path of the page that answers, with the names of its parts, and the fields of its query; "" if none.

    Pages of different rounds or players have the same pattern.
    """
    place, _mark, query = path.partition("#")[0].partition("?")
    names = sorted({name for name, _value in parse_qsl(query, keep_blank_values=True)} - {"lang", "done"})
    for page in PAGES:
        if page.method == method and re.fullmatch(_as_regex(page), place):
            return page.path + ("?" + "&".join(names) if names else "")
    return ""


def _as_regex(page: Page) -> str:
    return re.sub(r"\{\w+(:path)?\}", lambda part: ".+" if part[1] else "[^/]+", page.path)


def reached(pages: TestClient, token: str) -> dict[str, str]:
    """Return the texts of pages by their paths: of each page, and of those to which links lead.

    Pages of one pattern are looked at once, and the desk's twice: a table with a result and one that waits differ.
    """
    waiting = [path_of(page, token) for page in pages_for("everybody", "table", "desk")]
    found, patterns = dict[str, str](), Counter[str]()
    while waiting:
        path = waiting.pop(0)
        pattern = pattern_of(path)
        enough = patterns[pattern] >= (2 if pattern.startswith("/desk") else 1)
        if enough or path in found or not pattern or pattern.startswith("/sign-in"):
            continue
        patterns[pattern] += 1
        answer = pages.get(path)
        if answer.status_code == 200:
            found[path] = answer.text
            waiting += [link for link in Markup(answer.text).links() if link.startswith("/")]
    return found
