"""The table of the last round: in a Swiss event the leaders meet at the first one."""

from collections.abc import Sequence
from typing import Final

from tourney.standings.standing import PlayerTally
from tourney.standings.tiebreaks.tiebreak import Contest, TieBreak
from tourney.text.i18n import _, marked

NO_TABLE: Final = 10**6
"""After the last table: the player did not play the last round."""


def _tables(level: Sequence[PlayerTally], contest: Contest) -> list[int]:
    """Return the number of each player's table in the last round that has a result."""
    last = max((result.table.round for result in contest.results), default=0)
    return [_table(tally, last) for tally in level]


def _table(tally: PlayerTally, round_number: int) -> int:
    return min((game.result.table.number for game in tally.played if game.round == round_number), default=NO_TABLE)


def _text(table: int) -> str:
    return _("not played") if table == NO_TABLE else _("table {table}").format(table=table)


LAST_TABLE: Final = TieBreak(
    "last-table",
    marked("table of the last round"),
    marked("Who sat at the table with the lower number in the last round, as the leaders do in a Swiss event."),
    _tables,
    most_wins=False,
    value_text=_text,
)

TIE_BREAKS: Final = (LAST_TABLE,)
