"""Serve web pages in a thread of this process, on a real port and as the commands do."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn

from tourney.web.app import application
from tourney.web.page import Page
from tourney.web.pages import PAGES
from tourney.web.serve import lifetime
from tourney.web.serve.protocol import Connections
from tourney.web.server import Server

END_SECONDS = 300.0
"""The most seconds that a test waits for the end of its server, which only end a hang."""


@contextmanager
def in_thread(
    server: Server,
    port: int = 0,
    host: str = "127.0.0.1",
    pages: Sequence[Page] = PAGES,
    connections: Connections | None = None,
) -> Iterator[int]:
    """Serve these pages at a port, or at any free one, and return it; `connections` have limits of a test's own."""
    taken = lifetime.listen(host, port)
    counted = connections or Connections(lifetime.limits_of(server))
    running = uvicorn.Server(lifetime.configuration(application(server, pages), counted))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [taken]})
    thread.start()
    try:
        while not running.started:
            thread.join(0.02)
            assert thread.is_alive(), "the server has not begun"
        yield int(taken.getsockname()[1])
    finally:
        server.live.close_from_thread()
        running.should_exit = True
        thread.join(END_SECONDS)
