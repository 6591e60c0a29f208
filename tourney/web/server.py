"""State that a running server keeps in memory for all its visitors. Everything else is in the database."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from math import inf
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, Literal, ParamSpec, Protocol, TypeVar

from tourney import storage
from tourney.domain.club import Club
from tourney.domain.errors import TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rankings import WHOLE_RANKING, RankingChoice
from tourney.service.admin.club import club_if_any
from tourney.service.events import events
from tourney.service.web.access import sign_in_token, token_hash
from tourney.service.web.as_seen import hall_event
from tourney.service.web.seats import made_by, players_by_device
from tourney.text.i18n import _, language, preferred
from tourney.web.answers import Content
from tourney.web.forms import MOST_FILES, Forms, Newest, Upload
from tourney.web.live import HERE, PER_ADDRESS, Live
from tourney.web.work import MOST_IN_WORK, WorkThread

Parameters = ParamSpec("Parameters")
Read = TypeVar("Read")

MOST_KEPT: Final = 600
"""The most rendered pages that are kept: those of 200 players in two languages, and the hall's."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server: the event that it serves, and who may read or change what.

    `event` is its name, None for the event that is current at the time. `hosts` are the names and addresses under which
    the server may be asked, besides those of this computer. Others than this computer can only read, unless `entry`.
    `address` is that of the front page for phones, "" if no phone reaches it. `command` starts the same server for the
    local network. `ranking` is what the page of a pool shows. `per_address` is the most connections from one address.
    `run` is a random text of this run of the program. Desks have their pages and their cookie under a path that it
    names, which no other program can lead their browser to, and their keys end with it. At this computer they also have
    an origin of this run, so that a browser brings nothing along that another program has left in it.
    """

    db: str | None = None
    event: str | None = None
    entry: bool = False
    hosts: frozenset[str] = frozenset()
    address: str = ""
    command: str = "tourney desk --host 0.0.0.0"
    ranking: RankingChoice = WHOLE_RANKING
    per_address: int = PER_ADDRESS
    run: str = ""

    @property
    def desk(self) -> str:
        """Return the path of the desk's pages as browsers ask for them."""
        return f"/desk-{self.run}" if self.run else "/desk"

    @property
    def mark(self) -> str:
        """Return the mark of this run in the database and in the name of the desk's cookie; it does not tell `run`."""
        return sha256(self.run.encode()).hexdigest()[:16] if self.run else ""

    @property
    def own_host(self) -> str:
        """Return the name of this computer that only this run has; browsers find what ends with `localhost` here."""
        return f"{self.mark}.localhost" if self.run else ""

    @property
    def names(self) -> frozenset[str]:
        """Return the names and addresses under which the server may be asked besides `LOOPBACK`."""
        return self.hosts | {self.own_host}

    def most_in_work(self, address: str) -> int:
        """Return how many requests of one address may wait; under this computer's own a proxy asks for many."""
        return MOST_IN_WORK // 2 if address in HERE else min(self.per_address // 2, MOST_IN_WORK // 2)


class NetworkSwitch(Protocol):
    """The switch that opens a server to the local network while it runs."""

    @property
    def is_open(self) -> bool:
        """Return whether others reach the server now."""

    def open(self) -> str:
        """Let others in; return what to do about a firewall, "" if nothing. Raises TourneyError if it cannot."""

    def close(self) -> None:
        """Let only this computer in again."""


_of_form: ContextVar[str] = ContextVar("of_form", default="")
"""The event that a form is about, which may be another than the one that the desk runs now; "" for none."""


@contextmanager
def answering_form(event: str) -> Iterator[None]:
    """Let the pages that answer a form during the block be of the form's event: what was typed belongs to it."""
    before = _of_form.set(event)
    try:
        yield
    finally:
        _of_form.reset(before)


class KeptPages:
    """Rendered pages of one version of the state, the least used forgotten first."""

    def __init__(self) -> None:
        self._version = ""
        self._pages = Newest[Hashable, Content](MOST_KEPT)
        self._lock = Lock()  # the loop asks, the worker's thread forgets

    def get(self, version: str, key: Hashable) -> Content | None:
        """Return the page as it was rendered from this version; None if it was not."""
        with self._lock:
            if version != self._version or key not in self._pages:
                return None
            self._pages.move_to_end(key)
            return self._pages[key]

    def put(self, version: str, key: Hashable, page: Content) -> None:
        """Keep a page; those of another version are forgotten."""
        with self._lock:
            if version != self._version:
                self._pages.clear()
                self._version = version
            self._pages.keep(key, page)


Showing = Literal["all", "podium", "seating", "tables", "standings", "clock"]
"""The things that the projector can show."""


@dataclass(slots=True)
class Projector:
    """A projector as the desk steers it: its content, whether it pauses, and the pages turned forwards by hand."""

    show: Showing = "all"
    paused: bool = False
    turned: int = 0

    def state(self) -> dict[str, Any]:
        """Return its state, for the message that all visitors get."""
        return {"screen": {"show": self.show, "paused": self.paused, "turned": self.turned}}


@dataclass(slots=True)
class Server:
    """One running server."""

    settings: Settings
    worker: WorkThread = field(default_factory=WorkThread)
    pages: KeptPages = field(default_factory=KeptPages)
    projector: Projector = field(default_factory=Projector)
    desks: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The name and the address that each desk had last, by the hash of its key; those who asked since the start."""
    invited: set[str] = field(default_factory=set)
    """The hashes of the tokens that this server has made to sign in desks, as long as nobody has used them."""
    forms: Forms = field(default_factory=Forms)
    uploads: Newest[str, Upload] = field(default_factory=lambda: Newest(MOST_FILES))
    """The files that were sent, by a key that only their sender learns."""
    network: NetworkSwitch | None = None
    """The switch for the local network; None where the server listens there by its start, or is no desk."""
    remind: Callable[[], None] | None = None
    """Show a new address that signs in a desk, where the program runs; None if it is no desk."""
    reminded: float = -inf
    """The monotonic time at which that was done last."""
    busy: str = field(default_factory=lambda: _("Too many requests at once. Load the page again in a moment."))
    """The answer for an address that asks too much at once, in the language of the program's start."""
    live: Live = field(init=False)
    _seen: tuple[tuple[str, str], Event | None] = (("", ""), None)
    _seats: tuple[tuple[str, str, int], Mapping[str, Player]] = (("", "", 0), MappingProxyType({}))
    _version: str = ""
    _read: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.live = Live(self.settings.db, self.projector.state, self.settings.per_address // 2)

    def invite(self, by: str = "") -> str:
        """Return a token that signs in one desk; `by` is the hash of the key of the desk that asks, "" for none."""
        token = sign_in_token(self.settings.db, self.settings.mark, by)
        self.invited.add(token_hash(token))
        return token

    def announce(self) -> None:
        """Send all visitors a message, from the worker's thread."""
        self.live.notify_from_thread()

    def event(self) -> Event:
        """Return the event that is served, or the one that a form is about, in the worker's thread.

        Raises TourneyError NOT_FOUND if there is none.
        """
        if named := _of_form.get():
            with suppress(TourneyError):  # another desk has deleted it
                return events.show(self.settings.db, named)
        return events.show(self.settings.db, self.settings.event)

    def shown_event(self) -> Event:
        """Return the event that pages for everybody show, read once for each version. Raises as `event`."""
        return self.once(hall_event, self.settings.db, self.settings.event)

    def shown_if_any(self) -> Event | None:
        """Return the event that pages for everybody show, None if it cannot be read."""
        try:
            return self.shown_event()
        except TourneyError:
            return None

    def seats_of(self, event: str) -> Mapping[str, Player]:
        """Return the players of an event whose seats phones have, by the phones' devices; read once for each write."""
        # The version looks at what was written before the looks are counted.
        now = event, self.live.version, self.live.writes
        if self._seats[0] != now:
            self._seats = now, players_by_device(self.settings.db, event)
        return self._seats[1]

    def made_by(self, event: str) -> str:
        """Return the entry that made an event, by which its phones' cookies are named; read once for each version."""
        return self.once_for_all(made_by, self.settings.db, event)

    def event_if_any(self) -> Event | None:
        """Return the event as `event` does, None if it cannot be read; it is read once for each version."""
        known = self.live.version, _of_form.get()
        if self._seen[0] != known:
            try:
                self._seen = known, self.event()
            except TourneyError:
                self._seen = known, None
        return self._seen[1]

    def club(self) -> Club:
        """Return the club, nothing of it where it cannot be read; it is read once for each version."""
        return self.once_for_all(club_if_any, self.settings.db)

    def once(self, read: Callable[Parameters, Read], *args: Parameters.args, **kwargs: Parameters.kwargs) -> Read:
        """Return what a service reads, in the worker's thread; of each version of the state it is read once a language.

        What is read may have sentences, such as the reasons of ranks. Drafts are only for those who may see them, so
        that what is read as published is kept by itself.
        """
        view = language(), storage.reads_as_published()
        return self._kept((read, args, tuple(kwargs.items()), view), partial(read, *args, **kwargs))

    def once_for_all(
        self, read: Callable[Parameters, Read], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Read:
        """Return as `once` what has neither sentences nor drafts: histories of players, for every language."""
        view = storage.reads_as_published()
        return self._kept((read, args, tuple(kwargs.items()), view), partial(read, *args, **kwargs))

    def _kept(self, key: tuple[Any, ...], read: Callable[[], Read]) -> Read:
        version = self.live.version
        if version != self._version:
            self._version = version
            self._read.clear()
        if key not in self._read:
            # Not `setdefault`: a refusal is not kept.
            self._read[key] = read()
        found: Read = self._read[key]
        return found

    def language(self, asked: str) -> str:
        """Return the language of a page: the one that is asked for, the event's, or the system's."""
        if asked:
            return asked
        event = self.event_if_any()
        return (event and event.settings.lang) or preferred()
