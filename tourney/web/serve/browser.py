"""The browser of whoever started the program."""

import os
import sys
import webbrowser
from contextlib import suppress


def open_browser(address: str) -> bool:
    """Open an address in a window; return whether there is one. No browser is opened within a terminal."""
    if sys.platform.startswith("linux") and os.environ.keys().isdisjoint({"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"}):
        return False
    with suppress(webbrowser.Error, OSError):
        return webbrowser.open(address)
    return False
