"""With what probability the intervals of a league's table hold: that is how it is shown, and nothing of the league."""

from dataclasses import replace

from tourney.domain.leagues import LeaguePair, LeagueTable
from tourney.league.statistics import Estimate, rank_interval

LEVEL = 0.95
"""The probability, unless another is asked for."""


def at_level(table: LeagueTable, level: float) -> LeagueTable:
    """The same table with intervals of means, gaps and ranks that hold with this probability, from 0.5 to below 1.

    Each holds by itself, at all looks at which the league may end.
    """
    ahead: dict[str, list[Estimate]] = {bot.entrant: [] for bot in table.bots}
    for pair in table.pairs:
        ahead[pair.better].append(Estimate(pair.gap, pair.error, table.blocks))
        ahead[pair.worse].append(Estimate(-pair.gap, pair.error, table.blocks))
    bots = []
    for bot in table.bots:
        low, high = Estimate(bot.mean, bot.error, table.blocks).interval(level, table.looks)
        first, last = rank_interval(ahead[bot.entrant], level, table.looks)
        bots.append(replace(bot, low=low, high=high, rank_low=first, rank_high=last))
    pairs, duels = (tuple([_held(pair, table, level) for pair in both]) for both in (table.pairs, table.duels))
    return replace(table, level=level, bots=tuple(bots), pairs=pairs, duels=duels)


def _held(pair: LeaguePair, table: LeagueTable, level: float) -> LeaguePair:
    low, high = Estimate(pair.gap, pair.error, table.blocks).interval(level, table.looks)
    return replace(pair, low=low, high=high)
