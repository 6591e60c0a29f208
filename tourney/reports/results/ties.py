"""Sentences on how ties of the standings are broken, for those who see equal scores at different ranks."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tourney.standings.standing import Standing
from tourney.text.i18n import _


def tie_sentences(rows: Sequence[Standing], *, by_average: bool) -> Iterator[str]:
    """Yield for each ranked player who has the score of the one above why they rank as they do.

    `by_average` says that points per game decide, as far as people see them: to two decimals.
    """
    for above, row in pairwise(rows):
        if row.rank is not None and _score(above, by_average) == _score(row, by_average):
            yield _("{player} – {why}.").format(player=row.player.shown, why=row.why)


def _score(row: Standing, by_average: bool) -> str:
    if row.money is not None:
        return str(row.money)
    return f"{row.average:.2f}" if by_average else str(row.points)
