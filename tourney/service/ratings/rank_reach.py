"""What the open tables of a round can do to the ratings of a pool."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.clinching import RatingProspect, RatingProspects
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player, PlayerKind
from tourney.domain.rankings import Pool, PoolKind
from tourney.domain.rounds import Table
from tourney.service.lookup import find_entrant, find_event
from tourney.service.ratings.rating_cache import day_of, folded, parameters_of
from tourney.service.ratings.ratings import find_pool, history_of
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.ratings.fold import Fold

_KINDS: dict[PoolKind, Collection[PlayerKind]] = {
    "people": {"person"},
    "bots": {"bot"},
    "joint": {"person", "bot"},
    "imported": (),
}
"""Who sits at the tables that count in a pool."""


def whatif(db: str | None, event: str | None, pool: str, rank: int = 1) -> RatingProspects:
    """The ranks in the ratings of a pool that each player of the open tables of a round can come to, by his place.

    The tables are those of the first drawn round that lacks results; they are rated upon the ratings as they are now,
    whatever has been played since. Raises TourneyError NOT_FOUND for an unknown event or pool, USAGE for a rank that
    there is not, REFUSED where no such table counts in the pool, or one has too many players.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        number, kept = find_pool(reader, pool)
        tables = _open_tables(reader, found, kept)
        fold = folded(reader, kept, history_of(reader, number, kept)).fold
        held = next(one.day for one in reader.held() if one.number == found.id)
    told = _prospects(fold, max(fold.day, day_of(kept, held)), kept, tables)
    if not 1 <= rank <= told[1]:
        message = _("there is no rank {rank} among {number} players").format(rank=rank, number=told[1])
        raise TourneyError(ExitCode.USAGE, message, _("give a place from 1 to {most}").format(most=told[1]))
    return RatingProspects(kept, found, rank, tables[0].round, told[0])


def prospect_of(told: RatingProspects, name: str) -> RatingProspect:
    """That of an entrant, by name or short number. Raises TourneyError NOT_FOUND; REFUSED if he sits elsewhere."""
    player = find_entrant(told.event, name)
    found = next((one for one in told.prospects if one.player == player.shown), None)
    if found is None:
        message = _("{player} sits at no table that is open").format(player=player.shown)
        raise TourneyError(ExitCode.REFUSED, message, _("see who does with `tourney round show`"))
    return found


def _open_tables(reader: storage.Reader, event: Event, pool: Pool) -> tuple[Table, ...]:
    """Those of the first round that lacks results of tables that count in the pool."""
    done = reader.finished(event.id)
    for drawn in reader.rounds(event):
        tables = tuple(
            table
            for table in drawn.tables
            if (table.round, table.number) not in done
            and len(table.players) > 1
            and {player.kind for player in table.players} == set(_KINDS[pool.kind])
        )
        if tables:
            return tables
    message = _("no drawn table of {event} that counts in the pool {pool} lacks a result").format(
        event=event.settings.name, pool=pool.name
    )
    raise TourneyError(ExitCode.REFUSED, message, _("draw the next round with `tourney round draw`"))


def _prospects(fold: Fold, day: int, pool: Pool, tables: Sequence[Table]) -> tuple[tuple[RatingProspect, ...], int]:
    """Those of everybody seated, and how many players will be ranked; all as they stand on that day."""
    from tourney.ratings.model import ranking
    from tourney.ratings.rank_reach import reachable_ranks

    ratings = fold.ratings(day)
    ranks = {row.player: row.rank for row in ranking(ratings)}
    seated = [[fold.rating(str(player.id), day) for player in table.players] for table in tables]
    playing = {one.player for there in seated for one in there}
    resting = [one.score for player, one in ratings.items() if player not in playing]
    found = reachable_ranks(parameters_of(pool), [[(one.mu, one.sigma) for one in there] for there in seated], resting)
    told = [
        _prospect(player, ranks.get(str(player.id)), table, ends)
        for table, there in zip(tables, found, strict=True)
        for player, ends in zip(table.players, there, strict=True)
    ]
    told.sort(key=lambda one: (one.rank is None, one.rank, one.player))
    return tuple(told), len(resting) + len(playing)


def _prospect(player: Player, rank: int | None, table: Table, ends: Sequence[tuple[int, int]]) -> RatingProspect:
    best, worst = zip(*ends, strict=True)
    return RatingProspect(player.shown, rank, table.number, best, worst)
