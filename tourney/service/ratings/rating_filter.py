"""Views of a pool: some of its games, by days, rules or number, rated as if there were no others."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from tourney import rulebook, storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rankings import Pool, View
from tourney.service.lookup import iso_date, listed
from tourney.service.ratings.rating_cache import day_of, parameters_of
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.ratings.fold import Fold


def view_of(
    as_of: str = "", since: str = "", season: int | None = None, rules: str = "", first: int | None = None
) -> View:
    """The view that days as text say (both included), or a season, which is a year; rules; and a number of games.

    Raises TourneyError REFUSED for what is no date, USAGE where a season is named beside days.
    """
    if season is None:
        day = iso_date(as_of)
        return View(iso_date(since), day, rules, first, day)
    if as_of or since:
        message = _("--season says both days: --since and --as-of cannot stand beside it")
        raise TourneyError(ExitCode.USAGE, message, _("leave one of them out"))
    return View(f"{season:04}-01-01", f"{season:04}-12-31", rules, first)


class ViewedGame(NamedTuple):
    """A game of a view: by its number in a stretch, before which the pool has so many games.

    `day` (ISO) is "" where neither the view nor the pool asks for it.
    """

    stretch: storage.Stretch
    number: int
    before: int
    day: str
    players: Sequence[str]
    places: Sequence[int]


def viewed(reader: storage.Reader, pool: Pool, history: storage.History, view: View) -> Fold:
    """The pool's fold over the games of the view, from the first one on; games are read as they are rated.

    Raises TourneyError as `games_of_view` does, and REFUSED where the numbers leave what floats can hold.
    """
    from tourney.ratings.fold import Fold

    fold = Fold(parameters_of(pool))
    for game in games_of_view(reader, pool, history, view):
        fold.advance_to(day_of(pool, game.day))
        fold.add(game.players, game.places)
    return fold


def games_of_view(reader: storage.Reader, pool: Pool, history: storage.History, view: View) -> Iterator[ViewedGame]:
    """The games of the view in the order of rating, as they are read.

    Raises TourneyError NOT_FOUND for rules by which nothing was played, REFUSED for days or rules where games have
    none.
    """
    stretches = list(history.stretches(pool.kind))
    chosen = _by_rules(reader, pool, stretches, view.rules) if view.rules else set(stretches)
    dated = bool(view.since or view.until)
    found = _games(history, stretches, chosen, dated or pool.ages)
    taken = (game for game in found if not dated or _takes(view, pool, game.day))
    # `islice` counts no further than this: whoever asks for more means all of them.
    return taken if view.games is None else islice(taken, min(view.games, sys.maxsize))


def _games(
    history: storage.History, stretches: Collection[storage.Stretch], chosen: Collection[storage.Stretch], dated: bool
) -> Iterator[ViewedGame]:
    """All games of the stretches that are chosen."""
    before = 0
    for stretch in stretches:
        if stretch in chosen:
            for number, (players, places) in history.numbered(stretch):
                day = history.day(stretch, number) if dated else ""
                yield ViewedGame(stretch, number, before, day, players, places)
        before += stretch.games


def _takes(view: View, pool: Pool, day: str) -> bool:
    """Whether the day is among those of the view. Raises TourneyError REFUSED where it is not known."""
    if not day:
        message = _("not all games of {pool} have a date in their file").format(pool=pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("choose the first of them by number with --games"))
    return view.since <= day and day <= (view.until or day)


def _by_rules(
    reader: storage.Reader, pool: Pool, stretches: Collection[storage.Stretch], rules: str
) -> set[storage.Stretch]:
    """Those of events that were played by these rules."""
    if pool.kind == "imported":
        message = _("the games of {pool} come from files, which know no rules").format(pool=pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("leave --rules out"))
    played = {one.number: one.rules for one in reader.held()}
    found = _meant(rules, {played[stretch.of] for stretch in stretches})
    return {stretch for stretch in stretches if played[stretch.of] == found}


def _meant(wanted: str, used: Collection[str]) -> str:
    """The rules meant, as events keep them."""
    if wanted in used:
        return wanted
    found = rulebook.resolve(wanted).id
    if found not in used:
        message = _("nothing in this pool was played by {rules}").format(rules=found)
        hint = _("there was by: {rules}").format(rules=listed(sorted(used))) if used else _("it has no games yet")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return found
