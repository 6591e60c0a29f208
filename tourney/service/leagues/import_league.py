"""Import of a league from its file: a new league here, or the blocks that the same league lacks here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from os import PathLike, fspath
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import ImportedLeague, League, PlayedBlock
from tourney.rulebook import rulesets
from tourney.service.chained_lines import MALFORMED
from tourney.service.change import Change
from tourney.service.leagues.league_file import MOST_RECORDS, LeagueFile, without_folders
from tourney.service.leagues.leagues import by_rules
from tourney.service.leagues.play import league_table, load_tally
from tourney.service.leagues.sound_blocks import is_of
from tourney.service.trusted_bots import forget_seeds
from tourney.text.i18n import _

BATCH: Final = 500
"""The blocks that are kept at once."""


@dataclass(frozen=True, slots=True)
class ImportLeague(Change[ImportedLeague]):
    """Import a league from its files, such as its parts in any order; the same league here gets the blocks it lacks.

    With `merged` the outcome has its table, and files that add nothing are allowed; otherwise these are a CONFLICT.
    Refused: CONFLICT where two files, or a file and the database, have another outcome for a block, and for a file of
    another league than the first one's; REFUSED, with the line, for a file that is not whole, and for blocks that do
    not follow from the league's settings. Nothing is kept then.
    """

    paths: Sequence[str | PathLike[str]]
    merged: bool = False

    def perform(self, store: storage.Store) -> ImportedLeague:
        """Keep the league and its blocks."""
        first = LeagueFile(self.paths[0])
        _check_settings(first)
        number, is_new = _place(store, first)
        league = store.leagues()[number]
        before = store.blocks(number).count()
        files = (self._of_league(path, first.league) for path in self.paths)
        read = sum(keep_all(store, number, checked_blocks(file, league)) for file in files)
        blocks = store.blocks(number).count()
        if not (self.merged or is_new or blocks > before):
            message = _("{file}: all of its blocks are here already, in league {number}")
            hint = _("see it with `tourney league status {number}`").format(number=number)
            raise TourneyError(ExitCode.CONFLICT, message.format(file=fspath(self.paths[0]), number=number), hint)
        table = league_table(store, number, load_tally(store, number)[0]) if self.merged else None
        return ImportedLeague(number, league, is_new, blocks - before, read - (blocks - before), blocks, table)

    def _of_league(self, path: str | PathLike[str], league: League) -> LeagueFile:
        """Return the file. Raises TourneyError CONFLICT if it is another league's."""
        file = LeagueFile(path)
        ours, theirs = _without_places(league), _without_places(file.league)
        if ours != theirs:
            wrong = [field.name for field in fields(League) if getattr(ours, field.name) != getattr(theirs, field.name)]
            message = _("{file} is not of the same league as {first}: they differ in {what}")
            message = message.format(file=fspath(path), first=fspath(self.paths[0]), what=", ".join(wrong))
            raise TourneyError(
                ExitCode.CONFLICT, message, _("merge the files of one league, each with the same options")
            )
        return file


def _place(store: storage.Store, file: LeagueFile) -> tuple[int, bool]:
    """Return the number of the file's league here, and whether it is new; whoever had the file had its seed."""
    for number, league in store.leagues().items():
        if is_same_league(league, file.league):
            store.after_commit(partial(forget_seeds, store.db, f"league {number}"))
            return number, False
    return store.add(
        storage.kinds.leagues.LeagueStarted.of(without_folders(file.league).with_given_seed(), file.program)
    ), True


def keep_all(store: storage.Store, number: int, blocks: Iterable[PlayedBlock]) -> int:
    """Keep the blocks in the league of that number, some at a time, and return how many they are."""
    league, count, held, length = store.leagues()[number], 0, list[PlayedBlock](), 0
    for block in blocks:
        held.append(block)
        length += sum(len(text) for _game, text in block.records)
        if len(held) == BATCH or length > MOST_RECORDS:
            store.keep_blocks(number, league, held)
            count, held, length = count + len(held), [], 0
    store.keep_blocks(number, league, held)
    return count + len(held)


def is_same_league(here: League, other: League) -> bool:
    """Return whether two leagues are the same besides the folders of their bots and the records that they keep."""
    return _without_places(here) == _without_places(other)


def _without_places(league: League) -> League:
    return replace(without_folders(league), records="none")


def _check_settings(file: LeagueFile) -> None:
    """Raise TourneyError REFUSED if this program could not have begun the league, or has other rules."""
    league = file.league
    try:
        same = rulesets.is_same(league.rules_ref)
        sound = same and _has_sound_bots(league) and by_rules(league, league.rules_ref) == league
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


def _has_sound_bots(league: League) -> bool:
    """Return whether every bot is built in, or is told in full. Texts are compared, and name no module or file here.

    Raises TourneyError for an unknown built-in bot, and for one with characters that cannot be seen.
    """
    from tourney.bots.builtin import has_built_in_name, is_built_in
    from tourney.bots.entrants_file import refuse_unseen
    from tourney.bots.isolation.levels import read_level

    read_level(league.isolation)
    refuse_unseen(league.outside)
    outside = [bot.name for bot in league.outside]
    sound = [name in outside or is_built_in(name) for name in league.bots]
    own = [name for name in dict.fromkeys(league.bots) if name in outside]
    return bool(sound) and all(sound) and outside == own and not any(map(has_built_in_name, outside))


def checked_blocks(file: LeagueFile, league: League) -> Iterator[PlayedBlock]:
    """Yield the blocks of a file, each compared with the games that its league plays.

    Raises TourneyError REFUSED, with the line, for one that is not of this league.
    """
    last = -1
    for line, block in file.blocks():
        if block.number <= last:
            message = _("block {block} is there twice, or out of order").format(block=block.number + 1)
            raise file.refusal(line, message)
        last = block.number
        if not is_of(league, block):
            message = _("it is not block {block} of this league").format(block=block.number + 1)
            raise file.refusal(line, message)
        yield block
