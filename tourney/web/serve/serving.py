"""Serve the pages: take a port, show where they are, test the address, open the desk, until Ctrl-C."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path

from tourney import storage
from tourney.service.lookup import find_event
from tourney.service.web.keys import new_token
from tourney.text.i18n import _, language
from tourney.text.sanitize import quote_argument
from tourney.web.live import PER_ADDRESS
from tourney.web.qr import terminal_code
from tourney.web.serve.addresses import ALL, LOCAL, addresses, is_loopback, page_address
from tourney.web.serve.lifetime import listen_all, run
from tourney.web.serve.network import LocalNetwork, answers, silent
from tourney.web.server import Server, Settings


def open_browser(address: str) -> bool:
    """Open an address in a window; return whether there is one. No browser is opened within a terminal.

    What a program is started with can be read by every user of the computer. So the browser is given a file that only
    its user can read, and that leads to the address.
    """
    if sys.platform.startswith("linux") and os.environ.keys().isdisjoint({"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"}):
        return False
    with suppress(webbrowser.Error, OSError):
        return webbrowser.open(_leading_to(address).as_uri())
    return False


def _leading_to(address: str) -> Path:
    """Return a page that leads to the address, which is deleted when the program ends.

    It lies in the user's own folder: browsers that are confined, as those of snap are, have a temporary folder of their
    own.
    """
    try:
        handle, name = tempfile.mkstemp(".html", "tourney-sign-in-", Path.home())
    except (OSError, RuntimeError):
        handle, name = tempfile.mkstemp(".html", "tourney-sign-in-")
    path, to = Path(name), escape(address)
    atexit.register(path.unlink, missing_ok=True)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(
            f'<!DOCTYPE html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url={to}">\n'
            f'<title>tourney</title>\n<p><a href="{to}">tourney</a></p>\n'
        )
    return path


Say = Callable[[str], None]
Open = Callable[[str], bool]
"""A function that opens an address in a browser, and returns whether it could."""


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that is to run: what it serves and where, and who may enter from elsewhere.

    Without `event` it serves the current one. `per_address` is the most connections from one
    address. A `desk` is signed in, by the function that opens its browser.
    """

    db: str | None
    event: str | None
    host: str
    port: int
    per_address: int = PER_ADDRESS
    entry: bool = False
    desk: Open | None = None


def serve(asked: Serving, say: Say, *, with_code: bool) -> None:
    """Serve the pages until Ctrl-C.

    Raises TourneyError NOT_FOUND for an event or a database that is not there, which a desk makes, and as `listen`.
    """
    name = None if asked.desk and asked.event is None else _name_of(asked.db, asked.event)
    program = "tourney desk" if asked.desk else "tourney serve"
    sockets = listen_all(asked.host, asked.port, program, and_here=asked.desk is not None)
    port = int(sockets[0].getsockname()[1])
    bound = [str(taken.getsockname()[0]) for taken in sockets]
    found = addresses(bound)
    here = LOCAL if not ALL.isdisjoint(bound) else bound[0]
    is_alone = all(map(is_loopback, bound))
    tested = next(iter(found.phones), here)
    phones = page_address(found.phones[0], port) if found.phones else ""
    settings = Settings(
        asked.db,
        name,
        asked.entry,
        found.own,
        phones,
        command(asked, port),
        per_address=asked.per_address,
        run=new_token(),
    )

    server = Server(settings)
    # All that is said is written before the first visitor comes: their languages change the language of the process.
    start = tuple(_start(asked, page_address(here, port), port, found.phones, is_alone=is_alone, with_code=with_code))
    opened = _("The desk opens in the browser. If it does not, open {address} there.")
    unopened = _("Open the desk in a browser of this computer: {address}")
    lacking = _("If the browser does not find it, open {address} there. Close its pages when you end the program.")
    unanswered, end = silent(tested, port), _("The server has ended.")

    def open_desk(opens: Open) -> None:
        path = f"sign-in/{server.invite()}"
        address = page_address(settings.own_host, port) + path
        say((opened if opens(address) else unopened).format(address=address))
        say(lacking.format(address=page_address(LOCAL, port) + path))

    def ready() -> None:
        if asked.desk:
            open_desk(asked.desk)
        for line in start:
            say(line)
        if not answers(tested, port):
            say(unanswered)

    if asked.desk:
        # Whoever reaches the page at this computer can ask for it, so no window is opened.
        server.remind = partial(open_desk, lambda _address: False)
        server.network = LocalNetwork(server, port, server.settings.command) if is_alone else None
    run(server, sockets, ready)
    say(end)


def _name_of(db: str | None, event: str | None) -> str | None:
    """Return the whole name of the event; None, for the one that is current at the time, if none is named."""
    with storage.reading(db) as reader:
        return None if event is None else find_event(reader, event).settings.name


def _start(
    asked: Serving, here: str, port: int, phones: Sequence[str], *, is_alone: bool, with_code: bool
) -> Iterator[str]:
    """Yield the lines that say where the pages are: `here` is the front page on this computer."""
    if phones:
        yield _("Phones in the same network open {address}").format(address=page_address(phones[0], port))
        for other in phones[1:]:
            yield _("If that fails: {address}").format(address=page_address(other, port))
        if with_code:
            yield terminal_code(page_address(phones[0], port)).rstrip("\n")
    else:
        if not asked.desk:
            yield _("On this computer: {address}").format(address=here)
        if is_alone and (asked.desk or asked.entry):
            yield _("With `--host 0.0.0.0` phones and other desks in the same network take part, too.")
        elif is_alone:
            yield _("With `--host 0.0.0.0` phones in the same network can read the pages, too.")
        else:
            yield _("No network was found: join the one of the phones, then start the server again.")
    yield _("Ctrl-C ends the server.")


def command(asked: Serving, port: int) -> str:
    """Return the command that starts the same server for the local network."""
    words = ["tourney", "desk" if asked.desk else "serve"]
    words += [] if asked.event is None else [quote_argument(asked.event)]
    words += [] if asked.desk else ["--entry"]
    words += ["--host", "0.0.0.0", "--port", str(port)]
    words += [] if asked.per_address == PER_ADDRESS else ["--per-address", str(asked.per_address)]
    words += [] if asked.db is None else ["--db", quote_argument(asked.db)]
    return " ".join([*words, "--lang", language()])
