"""Blocks that two workers played: both must end alike, but where bots have a time limit."""

from __future__ import annotations

from warnings import warn

from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.leagues import League, PlayedBlock
from tourney.text.i18n import _


def is_by_time(league: League) -> bool:
    """Return whether how a block ends depends on how fast the computer is: programs have seconds for their answers."""
    if not league.outside:
        return False
    from tourney.bots.isolation.levels import TRUSTED, WASM
    from tourney.bots.roster import level_of

    return any(level_of(bot, league.isolation) not in (TRUSTED, WASM) for bot in league.outside)


def warn_if_by_time(league: League) -> None:
    """Warn that the league's hash is not promised, if it depends on time."""
    if is_by_time(league):
        message = _(
            "these bots have a time limit, which a slow computer may exceed: the league's hash is not promised, and "
            "blocks that end differently the second time do not stop it"
        )
        warn(TourneyWarning(message), stacklevel=2)


def differs(league: League, number: int, kept: str, again: PlayedBlock, first: str, second: str) -> None:
    """Report a block (in league `number`) that ended otherwise when the worker `second` played it again.

    Both lines are shown, and TourneyError CONFLICT is raised; where bots have a time limit there is only a warning.
    """
    block = again.number + 1
    if is_by_time(league):
        message = _("block {block} ended differently when {worker} played it again; the first outcome counts")
        warn(TourneyWarning(message.format(block=block, worker=second)), stacklevel=2)
        return
    for worker, line in ((first or "?", kept), (second, again.text)):
        message = _("block {block} as {worker} played it: {line}").format(block=block, worker=worker, line=line)
        warn(TourneyWarning(message), stacklevel=2)
    message = _("block {block} of league {league} was played twice, by {first} and {second}, and ended differently")
    message = message.format(block=block, league=number, first=first or "?", second=second)
    hint = _("`tourney league record {league} --block {block}` plays it here, and says whether what is kept is right")
    raise TourneyError(ExitCode.CONFLICT, message, hint.format(league=number, block=block))
