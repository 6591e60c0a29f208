"""Replies of workers, whose fields are checked here alone, also against a second answer for the same block.

A reply of another form raises one of MALFORMED, and its worker is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from warnings import warn

from tourney.bots import roster
from tourney.bots.isolation import levels
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.leagues import League, LeagueFault, PlayedBlock
from tourney.league.blocks import read_block
from tourney.service.leagues.cluster.ticket import ProgramDigest, Ticket
from tourney.service.leagues.cluster.wire import Task
from tourney.service.leagues.league_file import is_of
from tourney.text.i18n import _


def is_by_time(league: League) -> bool:
    """Return whether how a block ends depends on how fast the computer is: programs have seconds for their answers."""
    if not league.outside:
        return False

    return any(roster.level_of(bot, league.isolation) not in (levels.TRUSTED, levels.WASM) for bot in league.outside)


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


MOST_TEXT: Final = 2000
"""The most characters of a text that people are shown."""
MOST_TRACE: Final = 20_000
"""The most characters of a traceback; a worker sends half as many."""
MOST_LINE: Final = 1 << 24
"""The most characters of a block, and of the record of a game."""
MOST_NUMBER: Final = 1 << 31
MOST_SECONDS: Final = 1e7


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a worker that each reply has: its version of dask, its address, and an error in its own program."""

    version: str
    address: str
    error: str


@dataclass(frozen=True, slots=True)
class EntryReply:
    """An answer to a league's assignment: a ticket, or the digests that the worker lacks, or why it cannot play."""

    ticket: Ticket | None = None
    lacks: Collection[str] = ()
    refused: str = ""


@dataclass(frozen=True, slots=True)
class PlayedReply:
    """Blocks that a worker has played, their hands, the seconds that it says it needed, and why the next one failed."""

    blocks: Sequence[PlayedBlock]
    hands: int
    seconds: float
    failed: str


def facts_of(reply: Mapping[str, Any]) -> Facts:
    """Return what a reply says of its worker. Raises one of MALFORMED."""
    return Facts(_text(reply["dask"]), _text(reply["address"]), _text(reply.get("error", ""), MOST_LINE))


def entry_of(reply: Mapping[str, Any], digests: Collection[str]) -> EntryReply:
    """Return how a worker answers an assignment; it may lack files with these digests. Raises one of MALFORMED."""
    if "lacks" in reply:
        lacks = frozenset(map(_text, _list(reply["lacks"], len(digests))))
        if not lacks or not lacks <= frozenset(digests):
            raise ValueError("files that nobody has asked for")
        return EntryReply(lacks=lacks)
    if "refused" in reply:
        return EntryReply(refused=_text(reply["refused"]))
    program, rules, block, seconds = _list(reply["ticket"], 4)
    made_by = ProgramDigest(*map(_text, _list(program, 4)))
    return EntryReply(Ticket(made_by, _text(rules), _text(block, MOST_LINE), _seconds(seconds)))


def is_forgotten(reply: Mapping[str, Any]) -> bool:
    """Return whether a worker says that it does not know the league, as one that was started again does."""
    return reply.get("unknown") is True


def played_of(reply: Mapping[str, Any], league: League, tasks: Sequence[Task]) -> PlayedReply:
    """Return the blocks of a reply, which are the first of these tasks of the league. Raises one of MALFORMED."""
    failed, seconds = _text(reply["failed"]), _seconds(reply["seconds"])
    rows = _list(reply["blocks"], len(tasks))
    if len(rows) < len(tasks) and not failed:
        raise ValueError("too few blocks")
    blocks = [_block(number, *_list(row, 3)) for (number, _first), row in zip(tasks, rows, strict=False)]
    if not all(is_of(league, block, first) for block, (_number, first) in zip(blocks, tasks, strict=False)):
        raise ValueError("blocks that the league does not have")
    return PlayedReply(blocks, sum(read_block(block.text).hands for block in blocks), seconds, failed)


def _block(number: int, text: object, faults: object, records: object) -> PlayedBlock:
    return PlayedBlock(
        number,
        _text(text, MOST_LINE),
        [_fault(*_list(fault, 5)) for fault in _list(faults)],
        [(_whole(game), _text(record, MOST_LINE)) for game, record in (_list(pair, 2) for pair in _list(records))],
    )


def _fault(game: object, hand: object, entrant: object, what: object, trace: object) -> LeagueFault:
    return LeagueFault(_whole(game), _whole(hand), _whole(entrant), _text(what), _text(trace, MOST_TRACE))


def _text(value: object, most: int = MOST_TEXT) -> str:
    """Return a text that can be written as UTF-8."""
    if not isinstance(value, str) or len(value) > most:
        raise ValueError("not a text, or too long a one")
    value.encode()
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_NUMBER:
        raise ValueError("not a possible number")
    return value


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_SECONDS:
        raise ValueError("not a possible time")
    return float(value)


def _list(value: object, most: int = MOST_NUMBER) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise ValueError("not a list, or too long a one")
    return value
