"""Tie-breaks by the scores of the opponents, as Buchholz introduced them: who met stronger players ranks first.

At tables of several players numbers of opponents differ, so that means take the place of sums.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from tourney.standings.scales import Score
from tourney.standings.standing import PlayerTally
from tourney.standings.tiebreaks.tiebreak import Contest, Measure, TieBreak
from tourney.text.i18n import marked


def _mean_without(best: int, worst: int) -> Measure:
    """Return the measure by the mean score of the opponents, some of the best and of the worst ones left out.

    It tells nobody apart if one of the players who are level has no opponents left.
    """

    def measure(level: Sequence[PlayerTally], contest: Contest) -> Sequence[Score]:
        left = [_cut(tally, contest, best, worst) for tally in level]
        return [Fraction(sum(scores)) / len(scores) for scores in left] if all(left) else [0] * len(left)

    return measure


def _cut(tally: PlayerTally, contest: Contest, best: int, worst: int) -> list[Score]:
    """Return the scores of the opponents from the best to the worst, without the extremes."""
    scores = sorted(_opponents(tally, contest), key=contest.scale.better)
    return scores[best : max(best, len(scores) - worst)]


def _opponents(tally: PlayerTally, contest: Contest) -> Iterator[Score]:
    """Yield the score of each opponent, once for every meeting."""
    for game in tally.played:
        for seat, player in enumerate(game.result.table.players):
            if seat != game.seat and (game.round, player.id) not in contest.uncounted:
                yield contest.score(player)


def _tie_break(key: str, name: str, explanation: str, best: int, worst: int) -> TieBreak:
    return TieBreak(key, name, explanation, _mean_without(best, worst), most_wins=None)


OPPONENTS: Final = _tie_break(
    "opponents",
    marked("opponents' mean"),
    marked("Whose opponents have the better mean score; their penalties count."),
    0,
    0,
)
OPPONENTS_CUT: Final = _tie_break(
    "opponents-cut",
    marked("opponents' mean without the weakest"),
    marked("Whose opponents have the better mean score, the weakest of them left out; their penalties count."),
    0,
    1,
)
OPPONENTS_MEDIAN: Final = _tie_break(
    "opponents-median",
    marked("opponents' mean without the strongest and the weakest"),
    marked(
        "Whose opponents have the better mean score, the strongest and the weakest of them left out; their penalties "
        "count."
    ),
    1,
    1,
)
OPPONENTS_MEDIAN_2: Final = _tie_break(
    "opponents-median-2",
    marked("opponents' mean without the two strongest and the two weakest"),
    marked(
        "Whose opponents have the better mean score, the two strongest and the two weakest left out; their penalties "
        "count."
    ),
    2,
    2,
)

TIE_BREAKS: Final = (OPPONENTS, OPPONENTS_CUT, OPPONENTS_MEDIAN, OPPONENTS_MEDIAN_2)
