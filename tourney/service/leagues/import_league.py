"""Import of a league from its file: a new league here, or the blocks that the same league lacks here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from os import PathLike, fspath
from typing import TYPE_CHECKING, Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import ImportedLeague, League
from tourney.rulebook import rulesets
from tourney.service.chained_lines import MALFORMED
from tourney.service.change import Change
from tourney.service.leagues.league_file import FileBlock, LeagueFile
from tourney.service.leagues.leagues import by_rules, roster_of
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.league.blocks import BlockOutcome

BATCH: Final = 500
"""The blocks that are kept at once."""


@dataclass(frozen=True, slots=True)
class ImportLeague(Change[ImportedLeague]):
    """Import a league from its file; if the same league is here, the blocks that it lacks are added to it.

    Refused: CONFLICT where nothing would be added, and where a block is here with another outcome; REFUSED, with the
    line, for a file that is not whole, and for blocks that do not follow from the league's settings.
    """

    path: str | PathLike[str]

    def perform(self, store: storage.Store) -> ImportedLeague:
        """Keep the league and its blocks."""
        file = LeagueFile(self.path)
        _check_settings(file)
        same = next((number for number, league in store.leagues().items() if _is_same(league, file.league)), None)
        number = store.new_league(file.league, file.program) if same is None else same
        league = store.leagues()[number]
        before = store.blocks(number).numbers()
        blocks = _Checked(file, league).blocks()
        while batch := [block.kept for block in islice(blocks, BATCH)]:
            store.keep_blocks(number, league, batch)
        after = len(store.blocks(number).numbers())
        if same is not None and after == len(before):
            message = _("{file}: all of its blocks are here already, in league {number}")
            hint = _("see it with `tourney league status {number}`").format(number=number)
            raise TourneyError(ExitCode.CONFLICT, message.format(file=fspath(self.path), number=number), hint)
        return ImportedLeague(number, league, same is None, after - len(before), after)


def _is_same(here: League, other: League) -> bool:
    """Return whether two leagues are the same but for the folders of their bots and the records that they keep."""
    return _without_places(here) == _without_places(other)


def _without_places(league: League) -> League:
    bots = tuple([replace(bot, folder="") for bot in league.outside])
    return replace(league, outside=bots, records="none")


def _check_settings(file: LeagueFile) -> None:
    """Raise TourneyError REFUSED if this program could not have begun the league, or has other rules."""
    league = file.league
    try:
        same = rulesets.is_same(league.rules_ref)
        known = roster_of(league.bots, league.outside, league.isolation).bots
        sound = same and known == league.bots and by_rules(league, league.rules_ref) == league
    except TourneyError as error:
        raise TourneyError(ExitCode.REFUSED, file.refusal(2, error.message).message, error.hint) from None
    except MALFORMED:
        raise file.unwritten(2) from None
    if not same:
        message = _("the rules {rules} of this program are others").format(rules=league.rules)
        hint = _("import it with the version of tourney that played the league")
        raise TourneyError(ExitCode.REFUSED, file.refusal(2, message).message, hint)
    if not sound:
        raise file.unwritten(2)


class _Checked:
    """The blocks of a file, each compared with the games that its league plays."""

    def __init__(self, file: LeagueFile, league: League) -> None:
        self._file, self._league = file, league

    def blocks(self) -> Iterator[FileBlock]:
        """Yield the blocks. Raises TourneyError REFUSED, with the line, for one that is not of this league."""
        last = -1
        for block in self._file.blocks():
            if block.number <= last:
                message = _("block {block} is there twice, or out of order").format(block=block.number + 1)
                raise self._file.refusal(block.line, message)
            last = block.number
            if not self._is_ours(block):
                message = _("it is not block {block} of this league").format(block=block.number + 1)
                raise self._file.refusal(block.line, message)
            yield block

    def _is_ours(self, block: FileBlock) -> bool:
        from tourney.league.blocks import follows_from, read_block, write_block
        from tourney.league.playing import block_games

        try:
            outcome = read_block(block.text)
            planned = block_games(self._league, block.number) if block.number < self._league.blocks else ()
            sound = write_block(outcome) == block.text and outcome.number == block.number
            return sound and follows_from(outcome, planned) and self._has_sound_extras(block, outcome)
        except MALFORMED:
            return False

    def _has_sound_extras(self, block: FileBlock, outcome: BlockOutcome) -> bool:
        """Return whether faults and records belong to games and entrants of the block, each record to one game."""
        games, entrants = range(len(outcome.games)), range(len(self._league.bots))
        recorded = [game for game, _text in block.records]
        return (
            all(fault.game in games and fault.entrant in entrants and fault.hand >= 0 for fault in block.faults)
            and all(game in games for game in recorded)
            and len(set(recorded)) == len(recorded)
        )
