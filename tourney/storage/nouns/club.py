"""Read the club from its entries, which alone have it."""

from __future__ import annotations

from tourney.domain.club import Club, are_values, club_of
from tourney.storage.journal import kinds
from tourney.storage.journal.checksums import damaged
from tourney.storage.nouns.transaction import Transaction
from tourney.text.i18n import _


class ClubReader:
    """The query of the club."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def get(self) -> Club:
        """Return the club as it is now. Raises TourneyError STORAGE for values that no command writes."""
        values = dict[str, str]()
        for payload in self._transaction.made(kinds.club.ClubSet, "club"):
            values |= payload["changes"]
        if not are_values(values):
            raise damaged(_("the club's name, colour or logo is not one that can be set"))
        return club_of(values)
