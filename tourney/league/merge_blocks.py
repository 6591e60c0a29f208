"""A bot that joins a league brings games and takes none away: its blocks are the old ones with the new games in them.

So it is only in the designs where every two entrants sit alone. A league that others have joined is, block by
block and hash by hash, the one that all of them had begun together.
"""

from dataclasses import replace

from tourney.domain.leagues import League
from tourney.league.playing import PlayedBlock, sittings
from tourney.league.values import BlockOutcome, GameOutcome, Share


def joined(league: League, before: PlayedBlock, new: PlayedBlock) -> PlayedBlock:
    """A block of the league made of what it gave when there were fewer entrants, and of the games with the others."""
    since, number = len(before.outcome.shares), before.outcome.number
    whole = sittings(league, number)
    kept = [at for at, sitting in enumerate(whole) if max(sitting.seating) < since]
    old = dict(zip(kept, before.outcome.games, strict=True))
    others = iter(new.outcome.games)
    games: list[GameOutcome] = [old[at] if at in old else next(others) for at in range(len(whole))]
    shares = [*before.outcome.shares, *[Share()] * (len(league.bots) - since)]
    together = tuple(one.plus(other) for one, other in zip(shares, new.outcome.shares, strict=True))
    faults = [replace(fault, game=kept[fault.game]) for fault in before.faults]
    records = [(kept[game], text) for game, text in before.records]
    return PlayedBlock(
        BlockOutcome(number, tuple(games), together),
        tuple(sorted((*faults, *new.faults), key=lambda fault: fault.game)),
        tuple(sorted((*records, *new.records))),
    )
