"""Editions of a pool's ratings: published as of a day, listed, and shown as they were published."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from tourney import storage
from tourney.domain.database import CODE_LENGTH
from tourney.domain.editions import Edition, PublishedEdition, ShownEdition
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rankings import Pool
from tourney.service.change import Change
from tourney.service.lookup import iso_date
from tourney.service.ratings.corrected_editions import corrections
from tourney.service.ratings.counted_games import counted_games, differing, known_games
from tourney.service.ratings.pools import find_pool, history_of, unpublished
from tourney.service.ratings.published_table import names_by_number, published_table
from tourney.text.dates import shown_dates
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class PublishEdition(Change[ShownEdition]):
    """Publish the ratings of a pool as of a day as its next edition: all ranks, or the first `top`.

    Raises TourneyError NOT_FOUND for an unknown pool; REFUSED for what is not a date, a day to come, a day before that
    of the last edition, a pool without games up to that day, and a file without dates; CONFLICT if the edition would be
    the last one again.
    """

    pool: str
    as_of: str
    top: int | None = None

    def perform(self, store: storage.Store) -> ShownEdition:
        """Return the new edition."""
        number, pool = find_pool(store, self.pool)
        editions = store.pools.editions(pool.name)
        day = _day(iso_date(self.as_of), pool, editions)
        edition = self._edition(store, pool, history_of(store, number, pool), day, editions)
        if editions:
            _refuse_repeated(edition, editions[-1].edition)
        published = store.pools.publish(edition, pool.kind, number)
        return _shown(store, pool, number, (*editions, published), published)

    def _edition(
        self,
        store: storage.Store,
        pool: Pool,
        history: storage.History,
        day: str,
        editions: Sequence[PublishedEdition],
    ) -> Edition:
        games = counted_games(pool, history, day)
        if not games:
            message = _("no game of the pool {pool} was played up to {day}").format(
                pool=pool.name, day=shown_dates(day)
            )
            raise TourneyError(
                ExitCode.REFUSED,
                message,
                _("see its games with `tourney ratings{pool}`").format(pool=_pool_option(pool)),
            )
        # Editions of whole games and of hands count different things.
        alike = [published for published in editions if published.edition.unit == pool.unit]
        changed = differing(known_games(alike), games)
        number_of_games, rows = published_table(store, pool, history, day, self.top)
        return Edition(
            pool.name,
            store.pools.next_edition(pool.name),
            day,
            self.top,
            number_of_games,
            pool.parameters,
            rows,
            _ranks_before(store, pool, editions),
            tuple(corrections(store, pool, history, alike, changed)),
            changed,
            pool.unit,
        )


def list_editions(db: str | None, pool: str = "people") -> tuple[ShownEdition, ...]:
    """Return the editions of a pool, the oldest first. Raises TourneyError NOT_FOUND for an unknown pool."""
    with storage.reading(db) as reader:
        number, found = find_pool(reader, pool)
        editions = reader.pools.editions(found.name)
        return tuple(_shown(reader, found, number, editions, published) for published in editions)


def edition(db: str | None, number: int | None = None, pool: str = "people") -> ShownEdition:
    """Return the edition of that number, by default the last one, as it was published.

    Raises TourneyError NOT_FOUND for an unknown pool, and for an edition that the pool does not have.
    """
    with storage.reading(db) as reader:
        pool_number, found = find_pool(reader, pool)
        editions = reader.pools.editions(found.name)
        wanted = [published for published in editions if number in (None, published.edition.number)]
        if not wanted:
            raise _no_edition(found, number, editions)
        return _shown(reader, found, pool_number, editions, wanted[-1])


def _no_edition(pool: Pool, number: int | None, editions: Sequence[PublishedEdition]) -> TourneyError:
    option = _pool_option(pool)
    if not editions:
        message = _("the pool {pool} has no edition yet").format(pool=pool.name)
        hint = _("publish one with `tourney rating publish{pool} --as-of {day}`")
        return TourneyError(ExitCode.NOT_FOUND, message, hint.format(pool=option, day=_today().isoformat()))
    message = _("the pool {pool} has no edition {number}").format(pool=pool.name, number=number)
    hint = _("see which there are with `tourney rating editions{pool}`").format(pool=option)
    return TourneyError(ExitCode.NOT_FOUND, message, hint)


def _day(day: str, pool: Pool, editions: Sequence[PublishedEdition]) -> str:
    """Return the day of a new edition. Raises TourneyError REFUSED for a day to come, or before the last edition."""
    if not day:
        raise TourneyError(ExitCode.REFUSED, _("the day of the edition is missing"), _("give one with --as-of"))
    if day > (today := _today().isoformat()):
        message = _("{day} is still to come").format(day=shown_dates(day))
        raise TourneyError(ExitCode.REFUSED, message, _("publish up to today with --as-of {day}").format(day=today))
    if editions and day < (last := editions[-1].edition).as_of:
        message = _("{day} is before edition {number} of the pool {pool}, which is as of {last}").format(
            day=shown_dates(day), number=last.number, pool=pool.name, last=shown_dates(last.as_of)
        )
        hint = _("give that day or a later one; an edition lists the corrections of earlier ones by itself")
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return day


def _today() -> date:
    """Return today here or in UTC, whichever is later: events without a date have the day in UTC."""
    now = datetime.now(UTC)
    return max(now.date(), now.astimezone().date())


def _refuse_repeated(new: Edition, last: Edition) -> None:
    """Raise TourneyError CONFLICT if nothing is new since the last edition of the same day."""
    if (new.as_of, new.rows, new.corrections) == (last.as_of, last.rows, ()):
        message = _("edition {number} of the pool {pool} is the same already, as of {day}").format(
            number=last.number, pool=last.pool, day=shown_dates(last.as_of)
        )
        hint = _("see it with `tourney rating edition {number}{pool}`").format(
            number=last.number, pool=_pool_option(new)
        )
        raise TourneyError(ExitCode.CONFLICT, message, hint)


def _pool_option(pool: Pool | Edition) -> str:
    """Return the option that names a pool; "" for the pool of people, which commands mean without it."""
    name = pool.name if isinstance(pool, Pool) else pool.pool
    return "" if name == "people" else f" --pool {quote_argument(name)}"


def _ranks_before(reader: storage.Reader, pool: Pool, editions: Sequence[PublishedEdition]) -> dict[int, int]:
    """Return the ranks of the last edition by player, whatever players were merged since."""
    if not editions:
        return {}
    merged = reader.people.merged() if pool.kind != "imported" else {}
    ranks: dict[int, int] = {}
    for row in editions[-1].edition.rows:
        player = row.player
        while player in merged:
            player = merged[player]
        ranks[player] = min(row.rank, ranks.get(player, row.rank))
    return ranks


def _shown(
    reader: storage.Reader,
    pool: Pool,
    number: int | None,
    editions: Sequence[PublishedEdition],
    published: PublishedEdition,
) -> ShownEdition:
    place = editions.index(published)
    later = (each.edition for each in editions[place + 1 :])
    corrected_in = (
        each.number
        for each in later
        if any(correction.edition == published.edition.number for correction in each.corrections)
    )
    before = editions[place - 1].edition.number if place else None
    names = names_by_number(reader, pool)
    shown = replace(published, edition=_without(published.edition, unpublished(reader, pool)))
    return ShownEdition(shown, published.head[:CODE_LENGTH], before, names, tuple(corrected_in))


def _without(edition: Edition, hidden: Collection[str]) -> Edition:
    """Return an edition without the players whom rankings do not show."""
    if not hidden:
        return edition
    return replace(
        edition,
        rows=tuple(row for row in edition.rows if str(row.player) not in hidden),
        ranks_before={player: rank for player, rank in edition.ranks_before.items() if str(player) not in hidden},
        corrections=tuple(
            replace(each, rows=tuple(row for row in each.rows if str(row.player) not in hidden))
            for each in edition.corrections
        ),
    )
