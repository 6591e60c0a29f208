"""Plots as files: written whole or not at all, and only over an older plot."""

from collections.abc import Callable
from typing import TypeVar

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.player_history import Curve, PlayerHistory
from tourney.files.named import shown, unwritable
from tourney.files.whole_file import WholeFile
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed

_SVG_START = b"<svg "
Plotted = TypeVar("Plotted", PlayerHistory, Curve)


def write_plot(path: str, history: Plotted, draw: Callable[[Plotted], str]) -> None:
    """Write the plot (SVG) that `draw` makes of a player's history or curve to the file `path`.

    Raises TourneyError REFUSED for a player without games, CONFLICT where the file exists and is not a plot, STORAGE
    where it cannot be written.
    """
    refuse_unnamed(path)
    if not history.games:
        message = _("{player} has no game in the pool {pool}").format(player=history.player, pool=history.pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("a plot needs at least one"))
    try:
        _refuse_other(path)
    except OSError as error:
        raise unwritable(path, error) from None
    WholeFile(path, force=True).write(draw(history).encode())


def _refuse_other(path: str) -> None:
    """Raise TourneyError CONFLICT for a file that exists and is not a plot."""
    try:
        with open(path, "rb") as file:
            start = file.read(len(_SVG_START))
    except FileNotFoundError:
        return
    if start != _SVG_START:
        message = _("{file} exists and is not a plot").format(file=shown(path, 200))
        raise TourneyError(ExitCode.CONFLICT, message, _("choose another file"))
