"""The length of a league: its blocks, its certainty, its test, and the deals of its book."""

from dataclasses import replace
from math import isfinite
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import League
from tourney.text.answers import read_decimal
from tourney.text.i18n import _

DEFAULT_BLOCKS: Final = 100
"""The blocks of a league, unless a number is given."""
MAX_BLOCKS_UNTIL_SURE: Final = 100_000
"""The most blocks of a league that ends as soon as it has an answer, unless a number is given."""
MAX_BLOCKS: Final = 1_000_000_000
"""The most blocks of a league: their numbers and sums fit into database integers."""
MOST_GAP: Final = 1_000_000.0
"""The largest gap of a test, in either direction."""


def with_length(league: League) -> League:
    """Return the league with its number of blocks; 0 stands for the usual one, or for all that its book is enough for.

    Raises TourneyError USAGE for an impossible certainty, too many blocks, or more than the book has deals for.
    """
    certainty = read_decimal(league.certainty)
    if league.certainty and (certainty is None or not 0.5 < certainty < 1.0):
        message = _("“{text}” is not a possible certainty").format(text=league.certainty[:40])
        raise TourneyError(ExitCode.USAGE, message, _("give one above 0.5 and below 1, such as 0.95"))
    if league.blocks > MAX_BLOCKS:
        message = _("{blocks} blocks are too many").format(blocks=league.blocks)
        raise TourneyError(ExitCode.USAGE, message, _("give at most {most}").format(most=MAX_BLOCKS))
    if league.book:
        return replace(league, blocks=_blocks_of_book(league))
    usual = MAX_BLOCKS_UNTIL_SURE if league.certainty or league.test else DEFAULT_BLOCKS
    return replace(league, blocks=league.blocks or usual)


def _blocks_of_book(league: League) -> int:
    """Return the number of blocks: as many as asked for, or as the book has deals for."""
    from tourney.league.playing import deals_of_block

    deals = deals_of_block(league)
    most = len(league.book) // deals
    if not most or league.blocks > most:
        wanted = max(1, league.blocks)
        message = _("the book has {deals} deals, and {blocks} blocks of {each} need {needed}").format(
            deals=len(league.book), blocks=wanted, each=deals, needed=wanted * deals
        )
        hint = (
            _("give at most --blocks {most}, or a longer book").format(most=most) if most else _("give a longer book")
        )
        raise TourneyError(ExitCode.USAGE, message, hint)
    return league.blocks or most


def check_test(league: League) -> None:
    """Raise TourneyError USAGE for a test that is none: of other than two bots, or with impossible numbers."""
    test = league.test
    if test is None:
        return
    from tourney.league.stopping import FIRST_LOOK

    if len(league.bots) != 2:
        message = _("a test is of two bots, not of {n}").format(n=len(league.bots))
        raise TourneyError(ExitCode.USAGE, message, _("name the new bot and the old one"))
    if not (isfinite(test.low) and isfinite(test.high) and -MOST_GAP <= test.low < test.high <= MOST_GAP):
        message = _("{low},{high} are not two possible gaps").format(low=f"{test.low:g}", high=f"{test.high:g}")
        raise TourneyError(ExitCode.USAGE, message, _("give the smaller one first, such as --sprt 0,1"))
    for name, error in (("--alpha", test.alpha), ("--beta", test.beta)):
        if not 0.0 < error < 0.5:
            message = _("{error} is not a possible error for {option}").format(error=f"{error:g}", option=name)
            raise TourneyError(ExitCode.USAGE, message, _("give one above 0 and below 0.5, such as 0.05"))
    if league.blocks < FIRST_LOOK:
        message = _("a test needs {least} blocks at least, not {blocks}").format(least=FIRST_LOOK, blocks=league.blocks)
        raise TourneyError(ExitCode.USAGE, message, _("give a larger number with --blocks, or none"))
