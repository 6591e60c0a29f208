"""The browser of the user who started the program."""

import atexit
import os
import sys
import tempfile
import webbrowser
from contextlib import suppress
from html import escape
from pathlib import Path


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
