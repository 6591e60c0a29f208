"""Read and write leagues and the blocks that they have played."""

from __future__ import annotations

from collections.abc import Sequence

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import League, OutsideBot, PlayedBlock
from tourney.storage import league_blocks
from tourney.storage import rows as values
from tourney.storage.journal import kinds, payloads
from tourney.storage.league_blocks import Blocks
from tourney.storage.nouns.transaction import Transaction
from tourney.storage.nouns.writing import Writing
from tourney.text.i18n import _


class LeagueReader:
    """Queries of leagues."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def all(self) -> dict[int, League]:
        """Return the leagues by number, in the order they were begun."""
        return {row.id: values.league(row) for row in self._transaction.rows("leagues")["league"]}

    def program(self, number: int) -> str:
        """Return the version of this program that began the league."""
        return str(next(row.program for row in self._transaction.rows("leagues")["league"] if row.id == number))

    def has_shown_its_seed(self, number: int) -> bool:
        """Return whether a league had ended, and shown its seed, before bots joined it."""
        entries = self._transaction.about("leagues")
        return any(entry.payload.get("shown", False) and entry.payload["league"] == number for entry in entries)

    def blocks(self, number: int) -> Blocks:
        """Return the results of a league's blocks, with the bots that it has now."""
        return Blocks(self._transaction.connection, number, len(self.all()[number].bots))


class LeagueStore(LeagueReader):
    """Reads and writes leagues."""

    _transaction: Writing

    def join(self, number: int, bots: Sequence[str], outside: Sequence[OutsideBot], shown: bool) -> None:
        """Add bots after the bots of a league; `outside` are the new bots that are not built in.

        `shown` is true if the league has ended, and has shown its seed.

        Blocks of other bots, who had joined and were undone, are deleted: they cannot come back after this change.
        """
        league = self.all()[number]
        from_outside = tuple(dict.fromkeys((*league.outside, *outside)))
        together = (*league.bots, *bots)
        joined = kinds.leagues.LeagueJoined(number, together, payloads.outside_rows(from_outside), shown)
        identified = payloads.identified_bots(joined.payload)
        for entrants, before in league_blocks.played_by(self._transaction.connection, number).items():
            shared = min(entrants, len(identified))
            if before[:shared] != identified[:shared]:
                league_blocks.Blocks(self._transaction.connection, number, entrants).forget()
        self._transaction.write(joined)

    def keep_blocks(self, number: int, league: League, blocks: Sequence[PlayedBlock]) -> None:
        """Keep blocks of a league that is still `league`. No entry is written: the blocks follow from the league's own.

        Raises TourneyError CONFLICT if the league was undone or joined meanwhile, or a block was kept with another
        outcome.
        """
        if self.all().get(number) != league:
            message = _("league {number} was taken back, another bot has joined it, or the database is another one now")
            hint = _("see `tourney log`, and `tourney league status`")
            raise TourneyError(ExitCode.CONFLICT, message.format(number=number), hint)
        self.blocks(number).keep(blocks)
