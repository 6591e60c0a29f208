"""A part of a league, played into a file of its own, for another computer to merge."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import filterfalse, islice
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import League, LeagueProgress, PlayedBlock, PlayedPart, PlaySettings
from tourney.files.named import shown
from tourney.files.whole_file import WholeFile
from tourney.service.leagues.import_league import checked_blocks, is_same_league, keep_all
from tourney.service.leagues.league_file import LeagueFile, file_lines
from tourney.service.leagues.leagues import proved, warm_up
from tourney.service.leagues.play import LeagueRun, Progress, finish
from tourney.service.trusted_bots import NO_CONSENT, permitted, trust
from tourney.service.version import program_version
from tourney.text.i18n import _, ngettext
from tourney.text.names import refuse_unnamed, written_at
from tourney.text.signals import deferred, interruptible

BESIDE: Final = ".db"
"""The end of the name of the database in which a part is kept until it is whole, after the name of its file."""
MOST_PARTS: Final = 100_000
_SHARE: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Share:
    """One of `of` parts of a league: every `of`-th block, from block `part` on."""

    part: int
    of: int

    def numbers(self, blocks: int) -> range:
        """Return the numbers, from 0, of the part's blocks in a league of so many."""
        return range(self.part - 1, blocks, self.of)


def read_share(text: str) -> Share:
    """Return the part that a text such as `3/8` names. Raises TourneyError USAGE for another text."""
    found = _SHARE.fullmatch(text.strip())
    part, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= part <= of <= MOST_PARTS:
        message = _("“{text}” is not a part of a league").format(text=shown(text))
        raise TourneyError(ExitCode.USAGE, message, _("3/8 is the third of eight parts"))
    return Share(part, of)


def play_part(
    path: str, league: League, share: Share, settings: PlaySettings, progress: Progress | None = None
) -> PlayedPart:
    """Play a part of a league, and write its file; one that was interrupted is continued.

    Until the part is whole, its blocks are in a database beside the file. Raises TourneyError as `leagues.checked`;
    USAGE where each part would get a seed of its own; REFUSED for a part without blocks, and if a worker dies; CONFLICT
    for a file or database of something else; STORAGE where they cannot be written; INTERRUPTED when it is interrupted.
    """
    from tourney.league.workers import head_start

    warm_up(settings)
    refuse_unnamed(path)
    db = written_at(f"{written_at(path)}{BESIDE}")
    league = _with_shared_seed(db, league)
    numbers = share.numbers(league.blocks)
    if not numbers:
        message = _("part {part} of {of} has no blocks: the league has {blocks}")
        message = message.format(part=share.part, of=share.of, blocks=league.blocks)
        raise TourneyError(ExitCode.REFUSED, message, _("make fewer parts, or give more blocks with --blocks"))
    there, whole = _blocks_there(path, league, numbers)
    new = 0
    if not whole:
        begun = there or os.path.exists(db)
        with deferred(), nullcontext() if begun else head_start(league, settings, numbers):
            number = _begun(db, league, numbers, islice(LeagueFile(path).blocks(), there) if there else ())
            with interruptible():
                run = _ShareRun(db, number, progress, league, numbers)
            new = run.left
            finish(run, settings, None, _("give the same command again to continue"))
        _write(path, db, number)
    if _number_here(db, league, numbers) is not None:
        storage.remove(storage.locate(db))
    return PlayedPart(league, share.part, share.of, len(numbers), new)


def _with_shared_seed(db: str, league: League) -> League:
    """Return the league as it is begun. Raises TourneyError USAGE where each part would draw a seed of its own."""
    if not league.seed:
        message = _("all parts need the same seed, one that no bot can guess")
        raise TourneyError(ExitCode.USAGE, message, _("give a long one with --seed, the same for each part"))
    league = proved(db, league).with_given_seed()
    trust(league.outside, league.isolation)
    return league


def _blocks_there(path: str, league: League, numbers: range) -> tuple[int, bool]:
    """Return how many blocks of the part, from its first one on, a file has, and whether it has its end.

    Earlier versions wrote the file while they played: what follows the place where a kill has cut it off is played
    again. Raises TourneyError for another file.
    """
    if not os.path.exists(path):
        WholeFile(path).refuse()
        return 0, False
    file = LeagueFile(path)
    there = 0
    try:
        if not is_same_league(file.league, league):
            raise _other_file(path)
        for block in checked_blocks(file, league):
            if there == len(numbers) or block.number != numbers[there]:
                raise _other_file(path)
            there += 1
    except TourneyError as error:
        if error.code is ExitCode.CONFLICT:
            raise
        return there, False
    return there, there == len(numbers)


def _begun(db: str, league: League, numbers: range, there: Iterable[tuple[int, PlayedBlock]]) -> int:
    """Return the number of the league in the database of the part, which is made, with these blocks, if need be."""
    number = _number_here(db, league, numbers)
    if number is not None:
        return number
    with storage.writing(db) as store:
        number = store.add(storage.kinds.leagues.LeagueStarted.of(league, program_version()))
        keep_all(store, number, (block for _line, block in there))
        return number


def _number_here(db: str, league: League, numbers: range) -> int | None:
    """Return the number of the league in the database of the part, None if there is none.

    Raises TourneyError CONFLICT for a database with anything else: it is deleted when the part is whole.
    """
    if not os.path.exists(db):
        return None
    with storage.reading(db) as reader:
        entries, leagues = reader.journal.head()[0], reader.leagues.all()
        if not entries:
            return None
        for number, here in leagues.items():
            if entries == 1 and is_same_league(here, league) and reader.leagues.blocks(number).numbers() <= {*numbers}:
                return number
    raise _other_file(db)


def _other_file(path: str) -> TourneyError:
    message = _("{file}: this is the file of another league, or of another part").format(file=shown(path, 200))
    return TourneyError(ExitCode.CONFLICT, message, _("name another file with --output"))


def _write(path: str, db: str, number: int) -> None:
    """Write the file of a part that is whole. Raises TourneyError, and keeps the database, where that is impossible."""
    try:
        with storage.reading(db) as reader, WholeFile(path, force=True).open() as file:
            blocks = reader.leagues.blocks(number).whole()
            for line in file_lines(reader.leagues.all()[number], program_version(), blocks):
                file.write(line.encode())
    except TourneyError as error:
        hint = _("make room or allow writing, and give the same command again to continue")
        raise TourneyError(error.code, error.message, hint if error.code is ExitCode.STORAGE else error.hint) from None


class _ShareRun(LeagueRun):
    """Some blocks of a league being played, all of them, whatever they say: nobody here knows the others."""

    def __init__(self, db: str, number: int, progress: Progress | None, league: League, numbers: range) -> None:
        self._playing, self._numbers = league, numbers
        super().__init__(db, number, progress, NO_CONSENT)

    def _load(self, reader: storage.Reader) -> None:
        self._kept = reader.leagues.blocks(self._number).numbers()
        self._done = len(self._kept)

    @property
    def ended(self) -> bool:
        """Return whether all of the blocks are played."""
        return self._done == self.blocks

    @property
    def done(self) -> int:
        """The number of blocks that are played."""
        return self._done

    @property
    def blocks(self) -> int:
        """The number of blocks in all."""
        return len(self._numbers)

    @property
    def left(self) -> int:
        """The number of blocks that are missing."""
        return self.blocks - self._done

    def _missing(self) -> Iterator[int]:
        return filterfalse(self._kept.__contains__, self._numbers)

    def _permitted(self) -> League:
        return permitted(self._playing)

    def stopped(self, reason: str, code: ExitCode, hint: str) -> TourneyError:
        """Return the error for an unfinished share, with the number of its blocks that are kept."""
        message = ngettext(
            "{reason}: {done} of {blocks} block is in {file}",
            "{reason}: {done} of {blocks} blocks are in {file}",
            self.blocks,
        )
        message = message.format(reason=reason, done=self.done, blocks=self.blocks, file=shown(str(self._db), 200))
        return TourneyError(code, message, hint)

    def _count(self, block: PlayedBlock) -> None:
        self._done += 1

    def _with_order(self, state: LeagueProgress) -> LeagueProgress:
        return state
