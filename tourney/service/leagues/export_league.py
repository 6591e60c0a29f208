"""Export of a league to its file, and of its deals as a book."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from warnings import warn

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.domain.leagues import ExportedLeague, PlayedBlock
from tourney.files.book import MAX_DEALS
from tourney.service.leagues.league_file import file_lines
from tourney.service.leagues.leagues import START_HINT, find_league
from tourney.service.leagues.play import load_tally
from tourney.text.i18n import _


def export_league(db: str | None, number: int | None, write: Callable[[str], object]) -> ExportedLeague:
    """Write the lines of a league's file, the newest one's unless another is named; return what was written.

    Blocks that bots who joined have not played yet are left out. Raises TourneyError NOT_FOUND, and STORAGE for damaged
    blocks.
    """
    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        league, records = reader.leagues.all()[number], 0

        def counted() -> Iterator[PlayedBlock]:
            nonlocal records
            for block in reader.leagues.blocks(number).whole():
                records += len(block.records)
                yield block

        for line in file_lines(league, reader.leagues.program(number), counted()):
            write(line)
        tally, _later = load_tally(reader, number)
        if tally.verdict == "open" and league.has_drawn_seed:
            message = _("the file has the seed of a league that has not ended, which gives away all cards")
            warn(TourneyWarning(message), stacklevel=2)
        return ExportedLeague(number, league, reader.leagues.blocks(number).count(), records, tally.hash)


def book_of_league(db: str | None, number: int | None, blocks: Sequence[int] = ()) -> tuple[str, ...]:
    """Return the seeds of the deals of a league's played blocks, or of these (from 1), in their order.

    Raises TourneyError NOT_FOUND for an unknown league or block, REFUSED for more deals than a book may have.
    """
    from tourney.league.playing import deals_of_block, seed_of_deal

    with storage.reading(db, START_HINT) as reader:
        number = find_league(reader, number)
        league, played = reader.leagues.all()[number], reader.leagues.blocks(number).numbers()
    wanted = [block - 1 for block in dict.fromkeys(blocks)] or sorted(played)
    for block in wanted:
        if block not in played:
            message = _("block {block} of league {number} has not been played").format(block=block + 1, number=number)
            raise TourneyError(ExitCode.NOT_FOUND, message, _("see `tourney league status`"))
    return _bounded([seed_of_deal(league, block, deal) for block in wanted for deal in range(deals_of_block(league))])


def new_book(deals: int, seed: str) -> tuple[str, ...]:
    """Return the seeds of so many deals, those of a league of this seed with a deal for each block.

    Raises TourneyError REFUSED for more deals than a book may have.
    """
    from tourney.league.playing import deal_seed

    return _bounded([deal_seed(seed, block, 0) for block in range(min(deals, MAX_DEALS + 1))])


def _bounded(seeds: list[str]) -> tuple[str, ...]:
    if not seeds:
        message = _("no block of the league has been played")
        raise TourneyError(ExitCode.REFUSED, message, _("continue with `tourney league resume`"))
    if len(seeds) > MAX_DEALS:
        message = _("a book has at most {most} deals").format(most=MAX_DEALS)
        raise TourneyError(ExitCode.REFUSED, message, _("take fewer deals, or some blocks with --block"))
    return tuple(seeds)
