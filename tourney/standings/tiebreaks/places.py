"""Tie-breaks by the places at the tables."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from tourney.standings.scales import Score, shown
from tourney.standings.standing import PlayerTally
from tourney.standings.tiebreaks.tiebreak import TieBreak, each, shared_out
from tourney.text.i18n import _, marked
from tourney.text.numbers import Number


def _times(tally: PlayerTally, place: int) -> int:
    """Return how many games the player ended in this place, ties included."""
    return sum(game.place == place for game in tally.played)


def _all_places(tally: PlayerTally) -> list[int]:
    """Return the number of first places, of second places, and so on up to the player's worst place.

    A larger table has places that nobody at a smaller one can have: without any, they do not count.
    """
    worst = max((game.place for game in tally.played), default=0)
    return [_times(tally, place) for place in range(1, worst + 1)]


def _all_shared_out(tally: PlayerTally, times: Sequence[int]) -> list[Fraction]:
    return [shared_out(tally, each_place) for each_place in times]


def _places_text(times: Sequence[Score]) -> str:
    """Return the numbers as they are read: `3-1-0-2`."""
    return "-".join(map(shown, times)) or "0"


def _mean_place(tally: PlayerTally) -> Fraction:
    return Fraction(sum(game.place for game in tally.played), max(1, tally.games))


def _why_mean_place(above: PlayerTally, below: PlayerTally, _contest: object) -> str:
    text = _("level with {above}; mean place {theirs} against {ours}")
    theirs, ours = f"{Number(_mean_place(above)):.2f}", f"{Number(_mean_place(below)):.2f}"
    return text.format(above=above.player.shown, theirs=theirs, ours=ours)


GAMES_WON: Final = TieBreak(
    "games-won",
    marked("games won"),
    marked("Who won more games; a shared first place counts."),
    each(lambda tally: _times(tally, 1)),
    average=shared_out,
)
SECOND_PLACES: Final = TieBreak(
    "second-places",
    marked("second places"),
    marked("Who came second more often."),
    each(lambda tally: _times(tally, 2)),
    average=shared_out,
)
COUNT_BACK: Final = TieBreak(
    "count-back",
    marked("first places, then second places, and so on"),
    marked("Who has more first places; if these are equal, more second places, and so on to the last."),
    each(_all_places),
    average=_all_shared_out,
    value_text=_places_text,
)
MEAN_PLACE: Final = TieBreak(
    "mean-place",
    marked("mean place"),
    marked("Who has the better mean place at the tables."),
    each(_mean_place),
    most_wins=False,
    reason=_why_mean_place,
)

TIE_BREAKS: Final = (GAMES_WON, SECOND_PLACES, COUNT_BACK, MEAN_PLACE)
