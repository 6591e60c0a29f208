"""Views of a pool: some of its games, by days, rules or number, rated as if there were no others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from tourney import games
from tourney.domain import ExitCode, Pool, TourneyError, View
from tourney.service.folding import parameters_of
from tourney.service.lookup import listed
from tourney.service.settings import iso_date
from tourney.text import _

if TYPE_CHECKING:
    from tourney.ratings import Fold
    from tourney.storage import Game, Held, History, Reader, Stretch


def view_of(
    as_of: str = "", since: str = "", season: int | None = None, rules: str = "", first: int | None = None
) -> View:
    """The view that days as text say (both included), or a season, which is a year; rules; and a number of games.

    Raises TourneyError REFUSED for what is no date, USAGE where a season is named beside days.
    """
    if season is None:
        return View(iso_date(since), iso_date(as_of), rules, first)
    if as_of or since:
        message = _("--season says both days: --since and --as-of cannot stand beside it")
        raise TourneyError(ExitCode.USAGE, message, _("leave one of them out"))
    return View(f"{season:04}-01-01", f"{season:04}-12-31", rules, first)


def viewed(reader: Reader, pool: Pool, history: History, view: View) -> Fold:
    """The pool's fold over the games of the view, from the first one on; games are read as they are rated.

    Raises TourneyError NOT_FOUND for rules by which nothing was played, REFUSED for days or rules where games have
    none, and where the numbers leave what floats can hold.
    """
    from tourney.ratings import Fold

    fold = Fold(parameters_of(pool))
    fold.add_all(islice(_games(reader, pool, history, view), view.games))
    return fold


def _games(reader: Reader, pool: Pool, history: History, view: View) -> Iterator[Game]:
    stretches = list(history.stretches(pool.kind))
    if view.since or view.until or view.rules:
        stretches = _within(reader, pool, stretches, view)
    for stretch in stretches:
        yield from history.games(stretch)


def _within(reader: Reader, pool: Pool, stretches: list[Stretch], view: View) -> list[Stretch]:
    """Those of events on these days by these rules."""
    if pool.kind == "imported":
        message = _("the games of {pool} come from a file, and are kept without days and rules").format(pool=pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("choose the first of them by number with --games"))
    held = {one.number: one for one in reader.held()}
    rules = _rules(view.rules, [held[stretch.of] for stretch in stretches])
    return [stretch for stretch in stretches if _takes(view, rules, held[stretch.of])]


def _takes(view: View, rules: str, event: Held) -> bool:
    return view.since <= event.day and event.day <= (view.until or event.day) and rules in ("", event.rules)


def _rules(wanted: str, events: list[Held]) -> str:
    """The rules meant, as events keep them."""
    used = {event.rules for event in events}
    if not wanted or wanted in used:
        return wanted
    found = games.adopted(wanted).id
    if found not in used:
        message = _("nothing in this pool was played by {rules}").format(rules=found)
        hint = _("there was by: {rules}").format(rules=listed(sorted(used))) if used else _("it has no games yet")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return found
