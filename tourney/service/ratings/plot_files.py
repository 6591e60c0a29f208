"""A plot as a file: written whole or not at all, and over nothing but an older plot."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.player_history import Career
from tourney.files.named import shown
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed

_BEGINS = b"<svg "


def keep_plot(path: str, career: Career, draw: Callable[[Career], str]) -> None:
    """Write what `draw` makes of the career to that file.

    Raises TourneyError REFUSED for somebody without a game, CONFLICT where the file is there and is no plot, STORAGE
    where it cannot be written.
    """
    refuse_unnamed(path)
    if not career.games:
        message = _("{player} has no game in the pool {pool}").format(player=career.player, pool=career.pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("a plot needs one"))
    try:
        _refuse_other(path)
        _replace(path, draw(career).encode())
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        message = _("{file}: the file cannot be written ({why})").format(file=shown(path, 200), why=why)
        raise TourneyError(ExitCode.STORAGE, message, _("name a file in a folder that is yours")) from None


def _refuse_other(path: str) -> None:
    """Whatever is there must be a plot of ours, or a copy of one."""
    try:
        with open(path, "rb") as file:
            begins = file.read(len(_BEGINS))
    except FileNotFoundError:
        return
    if begins != _BEGINS:
        message = _("{file} is there, and is no plot").format(file=shown(path, 200))
        raise TourneyError(ExitCode.CONFLICT, message, _("name another file"))


def _replace(path: str, content: bytes) -> None:
    handle, draft = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".plot-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # The temporary file is for its maker alone; a plot is to be read.
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)
        raise
