"""Penalties as a tie-break: fair play ranks first."""

from typing import Final

from tourney.standings.tiebreaks.tiebreak import TieBreak, each
from tourney.text.i18n import marked

FEWEST_PENALTIES: Final = TieBreak(
    "fewest-penalties",
    marked("penalties"),
    marked("Who has fewer penalty points from the arbiter."),
    each(lambda tally: sum(max(0, ruling.points) for ruling in tally.penalties)),
    most_wins=False,
)

TIE_BREAKS: Final = (FEWEST_PENALTIES,)
