"""Tie-breaks by the scores of single games, and by points."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from tourney.standings.scales import Score, shares, shown
from tourney.standings.standing import PlayerTally, ScoredGame
from tourney.standings.tiebreaks.tiebreak import Contest, Measure, TieBreak, each, shared_out
from tourney.text.i18n import _, marked


def _by_scores(of: Callable[[Sequence[Score]], Score]) -> Measure:
    """Return a measure by the game scores of a player, the best one first."""
    return each(lambda tally: of(_from_best(tally)) if tally.played else 0)


def _from_best(tally: PlayerTally) -> list[Score]:
    return sorted((game.score for game in tally.played), key=tally.scale.better)


def _last_score(tally: PlayerTally) -> Score:
    return _last(tally).score if tally.played else 0


def _last(tally: PlayerTally) -> ScoredGame:
    return max(tally.played, key=lambda game: game.round)


def _shares(level: Sequence[PlayerTally], contest: Contest) -> Sequence[Fraction]:
    return [sum((_share(game, contest) for game in tally.played), Fraction(0)) for tally in level]


def _share(game: ScoredGame, contest: Contest) -> Fraction:
    return shares(game.result.outcome, contest.full)[game.seat]


def _per_cent(value: Fraction) -> str:
    return _("{number} %").format(number=shown(100 * value))


BEST_GAME: Final = TieBreak(
    "best-game",
    marked("best game"),
    marked("Whose best game scored better."),
    _by_scores(lambda scores: scores[0]),
    most_wins=None,
)
DROP_WORST: Final = TieBreak(
    "drop-worst",
    marked("total without the worst game"),
    marked("Who ranks better if everybody's worst game is left out; penalties stay."),
    each(lambda tally: tally.without_worst(per_game=False)),
    most_wins=None,
    average=lambda tally, _total: tally.without_worst(per_game=True),
)
LAST_GAME: Final = TieBreak(
    "last-game",
    marked("last game"),
    marked("Who scored better in their last game."),
    each(_last_score),
    most_wins=None,
)
FEWEST_POINTS: Final = TieBreak(
    "points",
    marked("points"),
    marked("Who has fewer points in all games: for events in which something else ranks."),
    each(lambda tally: tally.points_played),
    most_wins=False,
    average=shared_out,
)
SHARE: Final = TieBreak(
    "share",
    marked("shares of the tables' points"),
    marked(
        "Who has the smaller sum of shares: at each table one's part of the points of all, adjusted where the table is "
        "not full."
    ),
    _shares,
    most_wins=False,
    average=shared_out,
    value_text=_per_cent,
)

TIE_BREAKS: Final = (BEST_GAME, DROP_WORST, LAST_GAME, FEWEST_POINTS, SHARE)
