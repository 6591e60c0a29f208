"""The number of hands won, as a tie-break."""

from typing import Final

from tourney.standings.tiebreaks.tiebreak import TieBreak, each
from tourney.text.i18n import marked

HANDS_WON: Final = TieBreak(
    "hands-won",
    marked("hands won"),
    marked("Who won more hands."),
    each(lambda tally: sum(game.result.outcome.hands_won[game.seat] for game in tally.played)),
)

TIE_BREAKS: Final = (HANDS_WON,)
