"""The registry of tie-breaks. A new one is a module of this folder with its `TIE_BREAKS`, and its name in `MODULES`."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.standings.tiebreaks.lot import LOT
from tourney.standings.tiebreaks.tiebreak import TieBreak
from tourney.text.i18n import _

MODULES: Final = (
    "recent_hand",
    "places",
    "scores",
    "head_to_head",
    "opponents",
    "last_table",
    "lot",
)
TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    each.key: each for module in MODULES for each in import_module(f"{__package__}.{module}").TIE_BREAKS
}
"""Every tie-break by its key, in the order in which they are listed."""

NONE: Final = "none"
"""Typed for a list without tie-breaks: players who are level share a rank."""
LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "official": ("recent-hand",),
    "mso": ("last-table", "last-game", "share", "games-won", "count-back", "head-to-head", "opponents-median-2"),
    "catan": ("games-won", "points", "share"),
}
"""Published lists by name: the rules' own, the Mind Sports Olympiad's for games of several players, and Catan's."""


def read_tie_breaks(typed: str) -> str:
    """Return a list of keys in the order in which they decide, from keys or from the name of a published list.

    Raises ValueError with a sentence that says what is wrong.
    """
    words = [word.strip().lower().replace("_", "-").replace(" ", "-") for word in typed.split(",")]
    keys = [key for word in words if word for key in LISTS.get(word, (word,))]
    if keys == [NONE]:
        return NONE
    for key in keys:
        if key not in TIE_BREAKS:
            raise ValueError(_("there is no tie-break “{key}”").format(key=key[:40]))
        if keys.count(key) > 1:
            raise ValueError(_("the tie-break {key} is in the list twice").format(key=key))
    if LOT.key in keys[:-1]:
        raise ValueError(_("nothing is left to decide after {key}: put it last").format(key=LOT.key))
    if not keys:
        raise ValueError(_("the list of tie-breaks is empty"))
    return ",".join(keys)


def tie_breaks(text: str) -> Sequence[TieBreak]:
    """Return the tie-breaks of a list as `read_tie_breaks` returns it.

    Raises TourneyError REFUSED for one that only another version of the program has.
    """
    keys = [] if text == NONE else text.split(",")
    for key in keys:
        if key not in TIE_BREAKS:
            hint = _("choose others with `tourney event set --tie-breaks`, or use the version that has it")
            raise TourneyError(ExitCode.REFUSED, _("there is no tie-break “{key}”").format(key=key[:40]), hint)
    return tuple(TIE_BREAKS[key] for key in keys)
