"""Pilot runs: a few games in each design, to estimate how many hands each would need. Nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from math import isfinite
from typing import TYPE_CHECKING, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import Design, League, LeaguePilot, PlaySettings
from tourney.domain.progress import Progress, no_progress
from tourney.rulebook import rulesets
from tourney.service.leagues.leagues import proved
from tourney.text.i18n import _
from tourney.text.numbers import Number

if TYPE_CHECKING:
    from tourney.league.pilot import PilotBlocks

DESIGNS: Final[tuple[Design, ...]] = ("fresh", "rotations", "pairs", "replace")
"""The designs tried, each compared with the first."""
MIN_GAP: Final = 0.001
"""The smallest gap accepted, in points a hand: no league is long enough for less."""
MIN_BLOCKS: Final = 30
"""The minimum number of blocks of a design, for a usable estimate of the spread."""


def pilot(
    league: League, gap: float, games: int = 200, workers: int = 1, progress: Progress = no_progress
) -> LeaguePilot:
    """Return how many hands each design needs to separate a `gap` (points a hand) with the league's certainty.

    Each design plays blocks of at least `games` games; the league's own design and length do not matter. Raises
    TourneyError as `leagues.checked`, USAGE for an impossible gap or certainty or fewer than two bots, and REFUSED if a
    worker dies.
    """
    from tourney.league.pilot import POWER, design_needs
    from tourney.league.workers import WorkerDied

    league = proved(None, league)
    _check_pilot(league, gap)
    try:
        pilots = _play_designs(league, games, workers, progress)
    except WorkerDied as error:
        message = _("worker processes died again and again at block {block}").format(block=error.block + 1)
        raise TourneyError(ExitCode.REFUSED, message, _("try --workers 1")) from error
    certainty = float(league.certainty)
    needs = design_needs(pilots, league.entrants, gap, certainty, "highest" if _counts_money(league) else "lowest")
    return LeaguePilot(league, gap, certainty, POWER, needs)


def _check_pilot(league: League, gap: float) -> None:
    if not (isfinite(gap) and gap >= MIN_GAP):
        message = _("a gap of {gap} points a hand is impossible").format(gap=Number(gap))
        raise TourneyError(
            ExitCode.USAGE, message, _("give {least} or more, such as 0.5").format(least=Number(MIN_GAP))
        )
    if not league.certainty:
        raise TourneyError(ExitCode.USAGE, _("a pilot needs a certainty"), _("give one from 0.5 to 1, such as 0.95"))
    if len(league.bots) < 2:
        raise TourneyError(ExitCode.USAGE, _("a pilot needs two bots or more"), _("name another one with --bots"))


def _counts_money(league: League) -> bool:
    return rulesets.family(league.rules_ref) == "knock"


def _play_designs(league: League, games: int, workers: int, progress: Progress) -> dict[Design, PilotBlocks]:
    leagues = {design: replace(league, design=design) for design in DESIGNS}
    lengths = {design: _blocks_for(leagues[design], games) for design in DESIGNS}
    counter = _counter(progress, sum(lengths.values()))
    return {design: _play_pilot(leagues[design], lengths[design], workers, counter) for design in DESIGNS}


def _blocks_for(league: League, games: int) -> int:
    """Return the number of blocks that have at least `games` games, and at least MIN_BLOCKS."""
    from tourney.league.playing import block_games

    return max(MIN_BLOCKS, -(-games // len(block_games(league, 0))))


def _counter(progress: Progress, total: int) -> Iterator[int]:
    """Count the blocks and report each to `progress`."""
    for done in count(1):
        progress(done, total)
        yield done


def _play_pilot(league: League, blocks: int, workers: int, counter: Iterator[int]) -> PilotBlocks:
    """Play the league's first blocks and return their mean points (or money) a hand."""
    from tourney.league.blocks import read_block
    from tourney.league.pilot import PilotBlocks
    from tourney.league.workers import play_blocks

    hands, rows, money = 0, {}, _counts_money(league)
    for block in play_blocks(league, iter(range(blocks)), PlaySettings(min(workers, blocks)), lambda: False):
        outcome = read_block(block.text)
        hands += outcome.hands
        rows[outcome.number] = [(totals.money if money else totals.points) / totals.hands for totals in outcome.totals]
        next(counter)
    return PilotBlocks(hands, [rows[number] for number in range(blocks)])
