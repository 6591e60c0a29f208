"""Keep a class at the level `trusted` from ending or doubling this process by mistake: no wall, but a net.

`os._exit` in a bot is its fault, and a copy of this process that a bot has made by `os.fork` ends where the bot's turn
does. Who means harm gets round both.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

exit_now: Final = os._exit
"""Ends this process, also while a game is played."""


@contextmanager
def staying() -> Iterator[None]:
    """Within the block, turn `os._exit` in this process into SystemExit, which is a fault of the bot."""
    owner = os.getpid()

    def refused(status: int) -> NoReturn:
        if os.getpid() != owner:
            exit_now(status)
        raise SystemExit(status)

    os._exit = refused
    try:
        yield
    finally:
        os._exit = exit_now


def end_copies(owner: int) -> None:
    """End this process if it is a copy of the process of that number."""
    if os.getpid() != owner:
        exit_now(1)
