"""Sentences on how ties of the standings are broken, for those who see equal scores at different ranks."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tourney.standings.scales import shown
from tourney.standings.standing import Standing
from tourney.text.i18n import _


def tie_sentences(rows: Sequence[Standing]) -> Iterator[str]:
    """Yield for each ranked player who has the score of the one above why they rank as they do.

    Scores are compared as people see them: to two decimals.
    """
    for above, row in pairwise(rows):
        if row.rank is not None and shown(above.score) == shown(row.score):
            yield _("{player} – {why}.").format(player=row.player.shown, why=row.why)
