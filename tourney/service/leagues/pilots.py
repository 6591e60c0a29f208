"""Pilots of leagues: a few games in each design, to see how many hands each would need. Nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from math import isfinite
from typing import TYPE_CHECKING, Final

from tourney import rulebook
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import Crew, Design, League, LeaguePilot
from tourney.service.leagues.leagues import checked
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.modes import Progress
    from tourney.league.pilot import Pilot

DESIGNS: Final[tuple[Design, ...]] = ("fresh", "rotations", "pairs", "replace")
"""The designs that are tried; the others are measured by the first one."""
LEAST_GAP: Final = 0.001
"""The smallest gap that is looked for, in points a hand: no league is long enough for less."""
LEAST_BLOCKS: Final = 30
"""Blocks that every design plays at least: fewer say too little of a spread."""


def pilot(
    wanted: League, gap: float, played: int = 200, workers: int = 1, progress: Progress | None = None
) -> LeaguePilot:
    """How many hands each design needs until a gap of so many points a hand is separated with the league's certainty.

    Each design plays blocks of `played` games at least; the league's own design and length do not count. Raises
    TourneyError as `leagues.checked`, and USAGE for a gap or a certainty that is none or fewer than two bots, and
    REFUSED if a worker dies.
    """
    from tourney.league.pilot import POWER, needs
    from tourney.league.workers import WorkerDied

    league = checked(wanted)
    _refuse_no_pilot(league, gap)
    try:
        pilots = _pilots(league, played, workers, progress)
    except WorkerDied as error:
        raise TourneyError(ExitCode.REFUSED, _("a worker has died"), _("try --workers 1")) from error
    certainty = float(league.certainty)
    found = needs(pilots, league.entrants, gap, certainty, "highest" if _knock(league) else "lowest")
    return LeaguePilot(league, gap, certainty, POWER, found)


def _refuse_no_pilot(league: League, gap: float) -> None:
    if not (isfinite(gap) and gap >= LEAST_GAP):
        message = _("a gap of {gap} points a hand cannot be looked for").format(gap=gap)
        raise TourneyError(ExitCode.USAGE, message, _("give {least} or more, as 0.5").format(least=LEAST_GAP))
    if not league.certainty:
        raise TourneyError(ExitCode.USAGE, _("a pilot needs a certainty"), _("give one from 0.5 to 1, as 0.95"))
    if len(league.bots) < 2:
        raise TourneyError(ExitCode.USAGE, _("one bot alone has nobody to be told from"), _("name two or more"))


def _knock(league: League) -> bool:
    """Whether money counts, and not points."""
    return rulebook.family(league.rules_ref) == "knock"


def _pilots(league: League, played: int, workers: int, progress: Progress | None) -> dict[Design, Pilot]:
    """What each design gives."""
    tried = {design: replace(league, design=design) for design in DESIGNS}
    lengths = {design: _length(one, played) for design, one in tried.items()}
    told = _told(progress, sum(lengths.values()))
    return {design: _piloted(one, lengths[design], workers, told) for design, one in tried.items()}


def _length(league: League, played: int) -> int:
    """Blocks of so many games, or a few more."""
    from tourney.league.playing import sittings

    return max(LEAST_BLOCKS, -(-played // len(sittings(league, 0))))


def _told(progress: Progress | None, whole: int) -> Iterator[int]:
    """Counts, and tells of it."""
    for done in count(1):
        if progress is not None:
            progress(done, whole)
        yield done


def _piloted(league: League, blocks: int, workers: int, told: Iterator[int]) -> Pilot:
    """The league's first blocks, whoever plays them."""
    from tourney.league.pilot import Pilot
    from tourney.league.workers import play_blocks

    hands, rows, knock = 0, {}, _knock(league)
    for block in play_blocks(league, iter(range(blocks)), Crew(min(workers, blocks)), lambda: False):
        outcome = block.outcome
        hands += outcome.hands
        rows[outcome.number] = [(share.money if knock else share.points) / share.hands for share in outcome.shares]
        next(told)
    return Pilot(hands, [rows[number] for number in range(blocks)])
