"""Editions: a pool's ratings as they were published on a day. They never change; later ones list their corrections."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A player's row in an edition: `low` to `high` is the rank interval.

    mu and sigma are text, so that no digit is lost. `player` is a number: of the database, or in an imported pool the
    place of their name in the files, from 1.
    """

    player: int
    rank: int
    mu: str
    sigma: str
    games: int
    low: int
    high: int

    @property
    def score(self) -> float:
        """The score that players are ranked by: mu − 3 sigma."""
        return float(self.mu) - 3 * float(self.sigma)


@dataclass(frozen=True, slots=True)
class CorrectedRow:
    """A row of an earlier edition, and as it would be now; None where the player is not in the table."""

    player: int
    before: PublishedRow | None
    after: PublishedRow | None


@dataclass(frozen=True, slots=True)
class Correction:
    """The rows of an earlier edition that would be different now, and the numbers of the entries that changed them."""

    edition: int
    changes: tuple[int, ...]
    rows: tuple[CorrectedRow, ...]


@dataclass(frozen=True, slots=True)
class CountedGames:
    """Games that an edition counts: those of an event, or of an imported file, with their first day and a digest.

    A `digest` of "" says that games which the edition before counted are no longer there.
    """

    of: int
    day: str
    digest: str


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition of a pool's ratings, numbered within the pool, with the games up to the day `as_of` (ISO).

    `top` is the last rank that is listed (None: all are). `ranks_before` has the ranks in the edition before, by
    player, of everybody listed there. `counted` are the games that differ from those of the edition before of
    this unit.
    """

    pool: str
    number: int
    as_of: str
    top: int | None
    games: int
    parameters: Mapping[str, str]
    rows: tuple[PublishedRow, ...]
    ranks_before: Mapping[int, int]
    corrections: tuple[Correction, ...]
    counted: tuple[CountedGames, ...]
    unit: Literal["game", "hand"] = "game"


@dataclass(frozen=True, slots=True)
class PublishedEdition:
    """An edition with the number, the time and the author of its entry.

    `head` is the hash of the journal up to that entry.
    """

    edition: Edition
    entry: int
    time: str
    by: str
    head: str


@dataclass(frozen=True, slots=True)
class ShownEdition:
    """An edition as it is shown: `before` is the number of the edition before it (None: it is the first).

    `names` are today's names by number. `corrected_in` are the numbers of the later editions that correct it. `code` is
    the beginning of the journal's hash up to its entry, which never changes.
    """

    published: PublishedEdition
    code: str
    before: int | None
    names: Mapping[int, str]
    corrected_in: tuple[int, ...] = ()

    @property
    def edition(self) -> Edition:
        """The edition itself."""
        return self.published.edition

    def name(self, player: int) -> str:
        """Return the name of a player of the edition."""
        return self.names.get(player, f"#{player}")

    def ordered(self, by_name: Callable[[str], Any] = str) -> tuple[PublishedRow, ...]:
        """Return the rows by rank, those of one rank by name, or by what `by_name` returns for the name."""
        return tuple(sorted(self.edition.rows, key=lambda row: (row.rank, by_name(self.name(row.player)), row.player)))

    def left(self) -> tuple[tuple[int, int], ...]:
        """Return the players of the edition before who are not in this one, each with their rank there.

        Ranks that this edition does not list do not count.
        """
        top, listed = self.edition.top, {row.player for row in self.edition.rows}
        before = self.edition.ranks_before.items()
        gone = ((rank, player) for player, rank in before if player not in listed and (top is None or rank <= top))
        return tuple((player, rank) for rank, player in sorted(gone))
