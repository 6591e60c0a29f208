"""Reachable ranks: what the open tables of a round can do to the ratings of a pool."""

from __future__ import annotations

from collections.abc import Sequence

from tourney import storage
from tourney.domain.clinching import RatingProspect, RatingProspects
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rankings import Pool
from tourney.domain.rounds import Table
from tourney.ratings.fold import Fold
from tourney.ratings.model import ranking
from tourney.ratings.rank_reach import reachable_ranks
from tourney.service.lookup import find_entrant, find_event
from tourney.service.ratings.pools import POOL_PLAYERS, open_history
from tourney.service.ratings.rating_cache import current_fold, day_of, parameters_of
from tourney.text.i18n import _


def whatif(db: str | None, event: str | None, pool: str, rank: int = 1) -> RatingProspects:
    """Return the ranks that each player at an open table of a round can reach in a pool, by place at the table.

    The tables are those of the first drawn round that lacks results; they are rated on top of the current ratings,
    whatever has been played since. Raises TourneyError NOT_FOUND for an unknown event or pool, USAGE for a rank that
    does not exist, REFUSED where no open table counts in the pool, or one has too many players.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        counted, history = open_history(reader, pool)
        tables = _open_tables(reader, found, counted)
        fold = current_fold(reader, counted, history).fold
        day = next(listed.day for listed in reader.rated_events() if listed.number == found.id)
    prospects, ranked = _prospects(fold, max(fold.day, day_of(counted, day)), counted, tables)
    if not 1 <= rank <= ranked:
        message = _("there is no rank {rank} among {number} players").format(rank=rank, number=ranked)
        raise TourneyError(ExitCode.USAGE, message, _("give a rank from 1 to {most}").format(most=ranked))
    return RatingProspects(counted, found, rank, tables[0].round, prospects)


def prospect_of(prospects: RatingProspects, name: str) -> RatingProspect:
    """Return the prospect of an entrant, by name or short number.

    Raises TourneyError NOT_FOUND; REFUSED for an entrant at no open table.
    """
    player = find_entrant(prospects.event, name)
    found = next((prospect for prospect in prospects.prospects if prospect.player == player.shown), None)
    if found is None:
        message = _("{player} sits at no open table").format(player=player.shown)
        raise TourneyError(ExitCode.REFUSED, message, _("see who does with `tourney round show`"))
    return found


def _open_tables(reader: storage.Reader, event: Event, pool: Pool) -> tuple[Table, ...]:
    """Return the tables without a result, of the first round that has some, that count in the pool."""
    done = reader.finished(event.id)
    for drawn in reader.rounds(event):
        tables = tuple(
            table
            for table in drawn.tables
            if (table.round, table.number) not in done
            and len(table.players) > 1
            and {player.kind for player in table.players} == set(POOL_PLAYERS[pool.kind])
        )
        if tables:
            return tables
    message = _("no drawn table of {event} that counts in the pool {pool} lacks a result").format(
        event=event.settings.name, pool=pool.name
    )
    raise TourneyError(ExitCode.REFUSED, message, _("draw the next round with `tourney round draw`"))


def _prospects(fold: Fold, day: int, pool: Pool, tables: Sequence[Table]) -> tuple[tuple[RatingProspect, ...], int]:
    """Return the prospects of everybody seated, as of that day, and how many players will be ranked."""
    ratings = fold.ratings(day)
    ranks = {row.player: row.rank for row in ranking(ratings)}
    seated = [[fold.rating(str(player.id), day) for player in table.players] for table in tables]
    playing = {rating.player for table in seated for rating in table}
    others = [rating.score for player, rating in ratings.items() if player not in playing]
    skills = [[(rating.mu, rating.sigma) for rating in table] for table in seated]
    found = [
        _prospect(player, ranks.get(str(player.id)), table, by_place)
        for table, by_seat in zip(tables, reachable_ranks(parameters_of(pool), skills, others), strict=True)
        for player, by_place in zip(table.players, by_seat, strict=True)
    ]
    found.sort(key=lambda prospect: (prospect.rank is None, prospect.rank, prospect.player))
    return tuple(found), len(others) + len(playing)


def _prospect(player: Player, rank: int | None, table: Table, by_place: Sequence[tuple[int, int]]) -> RatingProspect:
    best, worst = zip(*by_place, strict=True)
    return RatingProspect(player.shown, rank, table.number, best, worst)
