"""An evening with something on every page, every kind of key to it, and the paths of all pages with real arguments.

Pages come from the table of pages itself, so that a new one is tested without being listed here.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest.mock import patch
from urllib.parse import parse_qsl, quote

from tests.harness import desk
from tests.harness.web.asking import TestClient
from tests.harness.web.markup import Markup
from tourney import storage
from tourney.domain.events import EventSettings
from tourney.domain.leagues import League
from tourney.service.admin.club import SetClub
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.leagues import leagues
from tourney.service.lookup import find_event
from tourney.service.players import RegisterPlayers
from tourney.service.ratings.editions import PublishEdition
from tourney.service.results.flags import RaiseFlag
from tourney.service.results.results import EnterResult
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seasons.seasons import CountEvents, CreateSeason
from tourney.service.web import access
from tourney.service.web.submissions import KeepTyped, RefuseSheet, Submit
from tourney.web.access import PLAYER_COOKIE, seat_cookie
from tourney.web.page import Page
from tourney.web.pages import PAGES
from tourney.web.pages.hall import name_code

EVENT = "Friday"
LEFT, PLAYED, DRAFT = 1, 2, 3
"""The rounds of the evening: one that is over, one that is played, and one that only the desk may see."""
WAITING = 2
"""The table of the round that is played which has no result, but a sheet that waits for confirmation."""
SHEET = "5e" * 16
"""The client's id of that sheet."""

DEVICE = "the first phone"
"""The phone that has typed the sheets of the evening."""

ARGUMENTS: Mapping[str, str] = {
    "pool": "people",
    "player": name_code("Ana"),
    "event": EVENT,
    "round": "2",
    "name": EVENT,
    "sheet": "wall",
    "file": "standings.csv",
    "year": f"{datetime.now(UTC):%Y}",
}
"""Values of the parts of paths, by their name; every other part is a number and has 1."""


def evening(db: str, names: tuple[str, ...] = desk.NAMES, draft: bool = True) -> str:
    """Create the evening, copied from one made earlier in this process; return its path."""
    return desk.copied(db, _make_with_draft if draft else _make, names)


def _make_with_draft(db: str, names: tuple[str, ...]) -> None:
    desk.copied(db, _make, names)
    add_draft(db)


def _make(db: str, names: tuple[str, ...]) -> None:
    apply(db, SetClub("Club & <b>", "red", desk.LOGO))
    apply(db, RegisterPlayers(names))
    for event in (EVENT, "Saturday", "Sunday"):
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
    apply(db, AddRuling(EVENT, Decision("note", "a phone rang", PLAYED, 1)))
    _type(db, EVENT, PLAYED, WAITING, SHEET)
    hands = desk.hands(seated(db, PLAYED)[WAITING])
    third = _device(_seat_key("a third phone", EVENT, PLAYED, WAITING))
    apply(db, KeepTyped(EVENT, PLAYED, WAITING, "4d" * 16, third, 2, hands[:2]))
    apply(db, RefuseSheet("Sunday", _type(db, "Sunday", 1, 1, "6f" * 16), "two hands are missing"))
    _type(db, "Sunday", 1, 2, "7a" * 16, hands=3)
    _type(db, "Saturday", 1, 1, "8b" * 16, hands=3)
    _type(db, "Saturday", 1, 2, "9c" * 16, hands=7)
    leagues.run(db, League(("random", "random"), "oficial", 2, "7", 2))
    apply(db, CreateSeason("Autumn 2026/27", {"best": 1}))
    apply(db, CountEvents(None, [EVENT, "Saturday"]))


def add_draft(db: str) -> None:
    """Draw the round that only the desk may see."""
    apply(db, DrawRound(EVENT, anyway=True, draft=True))


def seated(db: str, number: int, event: str = EVENT) -> dict[int, list[str]]:
    """Return the names at each table of a round, in the order of their seats."""
    (drawn,) = rounds.show(db, event, number).rounds
    return {table.number: [player.name for player in table.players] for table in drawn.tables}


def _enter(db: str, round_number: int, table: int) -> None:
    apply(db, EnterResult(EVENT, round_number, table, desk.hands(seated(db, round_number)[table])))


def _type(db: str, event: str, number: int, table: int, sheet: str, hands: int | None = None) -> str:
    """Type a sheet on the phone of the first seat: so many hands of it, or all, which are then sent."""
    whole, device = desk.hands(seated(db, number, event)[table]), _device(_seat_key(DEVICE, event, number, table))
    if hands is None:
        apply(db, Submit(event, number, table, sheet, device, 0, whole))
    else:
        apply(db, KeepTyped(event, number, table, sheet, device, 0, whole[:hands]))
    return sheet


def _seat_key(name: str, event: str, number: int, table: int) -> str:
    """Return the key that a phone of this name has for a seat of a table."""
    return f"{name}-{event}-{number}-{table}".replace(" ", "-")


def _device(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


@dataclass(frozen=True)
class Handset:
    """A phone at a table: the token of its link, and the cookies that say whose it is."""

    token: str
    cookies: Mapping[str, str]


def handsets(db: str) -> dict[str, Handset]:
    """Return a phone for each thing that a table's page may ask for, the one without cookies first."""
    places = {
        "who": ("Saturday", 1, 1, 0, ""),
        "confirm": (EVENT, PLAYED, WAITING, 1, "another phone"),
        "sent": (EVENT, PLAYED, WAITING, 0, DEVICE),
        "warned": (EVENT, PLAYED, WAITING, 2, "a third phone"),
        "result": (EVENT, PLAYED, 1, 0, DEVICE),
        "hand": ("Saturday", 1, 1, 0, DEVICE),
        "review": ("Saturday", 1, 2, 0, DEVICE),
        "refused": ("Sunday", 1, 1, 0, DEVICE),
        "follow": ("Sunday", 1, 2, 1, "another phone"),
    }
    return {step: _handset(db, *place) for step, place in places.items()}


def _handset(db: str, event: str, number: int, table: int, seat: int, device: str) -> Handset:
    found = access.grant_tables(db, event, number)[table - 1]
    if not device:
        return Handset(found.token, {})
    key, player = _seat_key(device, event, number, table), found.table.players[seat].id
    with storage.writing(db) as store:
        at = find_event(store, event)
        entry, made = store.events.making_entry(at), f"2020-01-01T00:00:00.00000{seat}Z"
        row = storage.KeptAccess(_device(key), "seat", "", at.id, number, table, player, entry, made)
        store.outside.forget_access([row.hash])
        store.outside.keep_access([row._replace(origin=device)])
    return Handset(found.token, {seat_cookie(entry): key, PLAYER_COOKIE: str(player)})


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
    access.end(db, access.token_hash(token))
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
    path = re.sub(r"\{(\w+)(?::\w+)?\}", lambda part: quote(values.get(part[1], "1"), safe=""), page.path)
    return f"{path}?table=1" if "table" in page.query else path


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


def reached(pages: TestClient, token: str = "", audiences: Sequence[str] = ("everybody", "desk")) -> dict[str, str]:
    """Return the texts of pages by their paths: of each page for these audiences, and of those to which links lead.

    Pages of one pattern are looked at once, and those of the desk three times: tables with a result and others differ.
    """
    pages_there = list(pages_for(*audiences))
    waiting = [path_of(page, token, table=table) for page in pages_there for table in ("1", str(WAITING))]
    found, tried, patterns = dict[str, str](), set[str](), Counter[str]()
    while waiting:
        path = waiting.pop(0).partition("#")[0]
        pattern = pattern_of(path)
        enough = patterns[pattern] >= (3 if pattern.startswith("/desk") else 1)
        if enough or path in tried or not pattern or pattern.startswith("/sign-in"):
            continue
        tried.add(path)
        answer = pages.get(path)
        if answer.status_code == 200 and answer.headers["content-type"].startswith("text/html"):
            patterns[pattern] += 1
            found[path] = answer.text
            waiting += [link for link in Markup(answer.text).links() if link.startswith("/")]
    return found
