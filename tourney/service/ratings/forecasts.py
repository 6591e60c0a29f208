"""Forecasts: how games are expected to end, how good a table would be, and which ranks its result can lead to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from math import perm

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.forecasts import (
    Forecast,
    OrderForecast,
    PlayerAtTable,
    PlayerForecast,
    RatingProspect,
    RatingProspects,
    TableQuality,
)
from tourney.domain.people import Player
from tourney.domain.pools import Pool
from tourney.domain.rounds import Table
from tourney.ratings.fold import Fold
from tourney.ratings.forecast import (
    MAX_EXACT_PLAYERS,
    evenness,
    expected_information,
    match_quality,
    order_probabilities,
    place_probabilities,
    reachable_ranks,
    win_probability,
)
from tourney.ratings.model import Rating, ranking
from tourney.ratings.parameters import Parameters
from tourney.seating.rng import seeded_rng
from tourney.service.lookup import event_argument, find_entrant, find_event
from tourney.service.ratings.pools import (
    POOL_PLAYERS,
    event_pools,
    game_parameters,
    game_players,
    history_of,
    open_history,
)
from tourney.service.ratings.rating_cache import current_fold, day_of
from tourney.text.i18n import _
from tourney.text.names import name_order

MAX_ORDERS = 5040
"""The most orders that are computed and listed: as many as seven players have."""

InformationGain = Callable[[Sequence[Player]], float]
"""The expected information, in bits, of a table's result about the ratings of its players."""


def predict(
    db: str | None, names: Sequence[str], pool: str = "people", top: int = 0, newcomers: Sequence[str] = ()
) -> Forecast:
    """Return the place probabilities of 2 to 64 players and, if `top` is not 0, those of each order of the first `top`.

    `newcomers` play, too: names of whom nothing is known yet.

    Raises TourneyError NOT_FOUND for an unknown pool or player; USAGE for a repeated player, too few or too many
    players, and too many orders; REFUSED where skills are too far apart to compute.
    """
    with storage.reading(db) as reader:
        found, ratings = game_players(reader, pool, names, newcomers)
        beta = game_parameters(reader, found).beta
    _check_orders(len(ratings), top)
    return Forecast(found, _player_forecasts(ratings, beta), _order_forecasts(ratings, beta, top))


def quality(
    db: str | None, names: Sequence[str], pool: str = "people", seed: str = "1", newcomers: Sequence[str] = ()
) -> TableQuality:
    """Return the quality of a table of these players, and newcomers.

    `seed` is for the sample of orders that is taken if the players are too many to try all orders.
    Raises TourneyError as `predict` does.
    """
    with storage.reading(db) as reader:
        found, ratings = game_players(reader, pool, names, newcomers)
        parameters = game_parameters(reader, found)
    skills = [(rating.mu, rating.sigma) for rating in ratings]
    first = [places[0] for places in place_probabilities(skills, parameters.beta)]
    bits, sigmas = expected_information(skills, parameters, seeded_rng(seed))
    players = tuple(
        PlayerAtTable(rating.player, rating.mu, rating.sigma, wins, sigma)
        for rating, wins, sigma in zip(ratings, first, sigmas, strict=True)
    )
    return TableQuality(found, players, match_quality(skills, parameters.beta), evenness(first), bits)


def information_gain(reader: storage.Reader, event: Event) -> InformationGain:
    """Return a function for the information gain of a table, by the current ratings and the parameters of people.

    Bots have the ratings of their own pool. If the event's tables have up to MAX_EXACT_PLAYERS, the gain is the `bits`
    of `quality`; for larger tables it is the sum over all pairs, which ranks tables similarly and needs no random
    numbers. Raises TourneyError as `current_fold` does.
    """
    ratings, parameters = _entrant_ratings(reader, event), game_parameters(reader, event_pools(reader)[0])

    @cache
    def bits(*skills: tuple[float, float]) -> float:
        return expected_information(skills, parameters, seeded_rng(event.settings.seed))[0]

    def of_table(players: Sequence[Player]) -> float:
        skills = sorted((ratings[player.id].mu, ratings[player.id].sigma) for player in players)
        if event.settings.size <= MAX_EXACT_PLAYERS:
            return bits(*skills)
        return sum(bits(*pair) for pair in combinations(skills, 2))

    return of_table


def _entrant_ratings(reader: storage.Reader, event: Event) -> dict[int, Rating]:
    """Return the ratings of the entrants by player number, newcomers included."""
    found: dict[int, Rating] = {}
    for pool in event_pools(reader)[:2]:
        fold = current_fold(reader, pool, history_of(reader, None, pool)).fold
        kind = "person" if pool.kind == "people" else "bot"
        found |= {player.id: fold.rating(str(player.id), fold.day) for player in event.entrants if player.kind == kind}
    return found


def _check_orders(players: int, top: int) -> None:
    if not 0 <= top <= players:
        message = _("there is no order of the first {top} of {players} players").format(top=top, players=players)
        raise TourneyError(ExitCode.USAGE, message, _("give a number from 1 to {most}").format(most=players))
    if perm(players, top) > MAX_ORDERS:
        message = _("the first {top} of {players} players have {number} orders; the limit is {most}").format(
            top=top, players=players, number=perm(players, top), most=MAX_ORDERS
        )
        raise TourneyError(ExitCode.USAGE, message, _("lower --top"))


def _player_forecasts(ratings: Sequence[Rating], beta: float) -> tuple[PlayerForecast, ...]:
    skills = [(rating.mu, rating.sigma) for rating in ratings]
    forecasts: list[PlayerForecast] = []
    for rating, skill, places in zip(ratings, skills, place_probabilities(skills, beta), strict=True):
        ahead = tuple(win_probability(skill, other, beta) for other in skills)
        forecasts.append(PlayerForecast(rating.player, *skill, rating.games, tuple(places), ahead))
    return tuple(forecasts)


def _order_forecasts(ratings: Sequence[Rating], beta: float, top: int) -> tuple[OrderForecast, ...]:
    """Return the orders of the first `top` players, the most likely first."""
    if top == 0:
        return ()
    found = order_probabilities([(rating.mu, rating.sigma) for rating in ratings], beta, top)
    likeliest = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return tuple(OrderForecast(tuple(ratings[seat].player for seat in order), share) for order, share in likeliest)


def whatif(db: str | None, event: str | None, pool: str, rank: int = 1) -> RatingProspects:
    """Return the ranks that each player at an open table of a round can reach in a pool, by place at the table.

    The tables are those of the first drawn round that lacks results; they are rated on top of the current ratings,
    whatever has been played since. `rank` is the rank that the report asks about; it is only checked here. Raises
    TourneyError NOT_FOUND for an unknown event or pool, USAGE for a rank that does not exist, REFUSED where no open
    table counts in the pool, or one has too many players.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        counted, history = open_history(reader, pool)
        tables = _open_tables(reader, found, counted)
        fold = current_fold(reader, counted, history).fold
        day = next(listed.day for listed in reader.events.rated() if listed.number == found.id)
        parameters = game_parameters(reader, counted)
    prospects, ranked = _prospects(fold, max(fold.day, day_of(counted, day)), parameters, tables)
    if not 1 <= rank <= ranked:
        message = _("there is no rank {rank} among {number} players").format(rank=rank, number=ranked)
        raise TourneyError(ExitCode.USAGE, message, _("give a rank from 1 to {most}").format(most=ranked))
    return RatingProspects(counted, found, rank, tables[0].round, prospects)


def prospect_of(prospects: RatingProspects, name: str) -> RatingProspect:
    """Return the prospect of an entrant, by name or number.

    Raises TourneyError NOT_FOUND; REFUSED for an entrant at no open table.
    """
    player = find_entrant(prospects.event, name)
    found = next((prospect for prospect in prospects.prospects if prospect.player == player.shown), None)
    if found is None:
        message = _("{player} sits at no open table").format(player=player.shown)
        hint = _("see who sits at one with `tourney round show{event}`").format(event=event_argument(prospects.event))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return found


def _open_tables(reader: storage.Reader, event: Event, pool: Pool) -> tuple[Table, ...]:
    """Return the tables without a result that count in the pool, of the first round that has any."""
    done = reader.results.finished(event.id)
    for drawn in reader.rounds.of(event):
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
    hint = _("draw the next round with `tourney round draw{event}`").format(event=event_argument(event))
    raise TourneyError(ExitCode.REFUSED, message, hint)


def _prospects(
    fold: Fold, day: int, parameters: Parameters, tables: Sequence[Table]
) -> tuple[tuple[RatingProspect, ...], int]:
    """Return the prospects of all players at these tables, as of `day`, and the number of players then ranked."""
    ratings = fold.ratings(day)
    ranks = {row.player: row.rank for row in ranking(ratings)}
    seated = [[fold.rating(str(player.id), day) for player in table.players] for table in tables]
    playing = {rating.player for table in seated for rating in table}
    others = [rating.score for player, rating in ratings.items() if player not in playing]
    skills = [[(rating.mu, rating.sigma) for rating in table] for table in seated]
    found = [
        _prospect(player, ranks.get(str(player.id)), table, by_place)
        for table, by_seat in zip(tables, reachable_ranks(parameters, skills, others), strict=True)
        for player, by_place in zip(table.players, by_seat, strict=True)
    ]
    found.sort(key=lambda prospect: (prospect.rank is None, prospect.rank, name_order(prospect.player)))
    return tuple(found), len(others) + len(playing)


def _prospect(player: Player, rank: int | None, table: Table, by_place: Sequence[tuple[int, int]]) -> RatingProspect:
    best, worst = zip(*by_place, strict=True)
    return RatingProspect(player.shown, rank, table.number, best, worst)
