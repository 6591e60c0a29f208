"""A player's history in a pool: by game, opponent and score sheet, and one game explained."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.player_history import (
    ContractStatistics,
    Contribution,
    Explanation,
    Opponent,
    PlayerGame,
    PlayerGames,
    PlayerHistory,
    SeatStatistics,
)
from tourney.domain.progress import Progress, no_progress
from tourney.domain.rankings import ALL_GAMES, Pool, RatingFilter
from tourney.domain.results import HandScore, Result
from tourney.ratings.fold import Fold
from tourney.ratings.model import Rating
from tourney.ratings.readings import ranked
from tourney.ratings.shapley import shapley_values
from tourney.rulebook.records import claims
from tourney.seating.rng import seeded_rng
from tourney.service.lookup import find_event, find_round
from tourney.service.ratings.pools import open_history, player_keys, shown_names, unpublished
from tourney.service.ratings.rating_cache import current_fold, day_of, parameters_of
from tourney.service.ratings.rating_filter import FilteredGame, cautious_ratings, filtered_games
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold as folded_case
from tourney.text.sanitize import quote_argument

PROGRESS_INTERVAL = 500
"""Games between two reports of progress."""


@dataclass(frozen=True, slots=True)
class _RatedGame:
    """A game of the player: its event (0: a file), round, table and day, and the ratings before and after it.

    `name` is the game's name in its file. `sigma_left` is the player's sigma after the previous game; the ratings
    `before` are those of the day of the game.
    """

    event: int
    round: int
    table: int
    day: str
    name: str
    players: Sequence[str]
    places: Sequence[int]
    seat: int
    sigma_left: float
    before: tuple[Rating, ...]
    after: Rating


@dataclass(frozen=True, slots=True)
class _History:
    """A player's games in a pool, and the pool's fold after all games."""

    pool: Pool
    history: storage.History
    key: str
    player: str
    fold: Fold
    rated: Sequence[_RatedGame]
    games: tuple[PlayerGame, ...]


def player_history(
    db: str | None,
    player: str,
    pool: str = "people",
    progress: Progress = no_progress,
    rating_filter: RatingFilter = ALL_GAMES,
) -> PlayerHistory:
    """Return a player's history in a pool, from the games that pass the filter.

    Raises TourneyError NOT_FOUND for an unknown pool or player, REFUSED where the numbers overflow; and as
    `filtered_games` does.
    """
    with storage.reading(db) as reader:
        found = _history(reader, player, pool, progress, rating_filter)
        tables = {(game.event, game.round, game.table) for game in found.rated if game.event}
        contracts, seats = sheet_statistics(reader, int(found.key), tables) if tables else ((), ())
        day = day_of(found.pool, rating_filter.day) if rating_filter.day else found.fold.day
        own = found.fold.ratings(day)
        reading = cautious_ratings(reader, found.pool, found.history, rating_filter, own, day)
    row, interval = next((each for each in ranked(own, reading) if each[0].player == found.key), (None, None))
    opponents = _opponents(found.games)
    return PlayerHistory(
        found.pool,
        found.player,
        None if row is None else replace(row, player=found.player),
        interval,
        found.games,
        opponents,
        contracts,
        seats,
        rating_filter,
    )


def published_history(db: str | None, name: str, pool: str) -> PlayerHistory:
    """Return the history of the player whom rankings show under this name, who is named so in it.

    Raises TourneyError as `player_history` does, and NOT_FOUND for a player whom rankings do not show, and for all of
    a pool of files, whose players have no names but their keys.
    """
    with storage.reading(db) as reader:
        found, _history_of = open_history(reader, pool)
        names, hidden = shown_names(reader, found), unpublished(reader, found)
        own = {str(player.id): player.shown for player in reader.people.players()}
    matching = [key for key, shown in names.items() if shown == name and key not in hidden]
    if not matching:
        message = _("no ranking shows a player called “{name}”").format(name=name[:80])
        raise TourneyError(ExitCode.NOT_FOUND, message, _("find the name in the ranking"))
    history = player_history(db, own[matching[0]], pool)
    row = None if history.row is None else replace(history.row, player=name)
    return replace(history, player=name, row=row)


def player_histories(
    db: str | None,
    pool: str = "people",
    keys: frozenset[str] | None = None,
    rating_filter: RatingFilter = ALL_GAMES,
) -> Mapping[str, PlayerHistory]:
    """Return the histories of all players of a pool, or of those with these keys, in one pass.

    They are from the games that pass the filter, and lack what score sheets say; players without games have none.
    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED where the numbers overflow; and as `filtered_games` does.
    """
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        fold, rated = Fold(parameters_of(found)), defaultdict[str, list[_RatedGame]](list)
        for game in filtered_games(reader, found, history, rating_filter):
            fold.advance_to(day_of(found, game.day))
            wanted = [key for key in game.players if keys is None or key in keys]
            for key, each in zip(wanted, _rate_game(fold, found, history, game, wanted), strict=True):
                rated[key].append(each)
        names, hidden = shown_names(reader, found), unpublished(reader, found)
        events = _event_names(reader, found)
        games = {key: _games(each, names, events) for key, each in rated.items()}
        day = day_of(found, rating_filter.day) if rating_filter.day else fold.day
        own = fold.ratings(day)
        reading = cautious_ratings(reader, found, history, rating_filter, own, day)
    return {
        row.player: PlayerHistory(
            found,
            names.get(row.player, row.player),
            replace(row, player=names.get(row.player, row.player)),
            interval,
            games[row.player],
            _opponents(games[row.player]),
        )
        for row, interval in ranked(own, reading, hidden=hidden)
        if row.player in games
    }


def player_games(
    db: str | None,
    player: str,
    pool: str = "people",
    progress: Progress = no_progress,
    rating_filter: RatingFilter = ALL_GAMES,
) -> PlayerGames:
    """Return a player's games in a pool that pass the filter. Raises TourneyError as `player_history` does."""
    with storage.reading(db) as reader:
        found = _history(reader, player, pool, progress, rating_filter)
        return PlayerGames(found.pool, found.player, found.games, rating_filter)


def explain(
    db: str | None,
    player: str,
    event: str | None = None,
    round_number: int | None = None,
    game: int | None = None,
    pool: str = "people",
    seed: str = "1",
    progress: Progress = no_progress,
) -> Explanation:
    """Return the contribution of each opponent to a player's rating in one game: the last, unless another is named.

    A game is named by its number among the player's games, or by an event and a round (the last game of the event if
    no round is given); in a pool of files by its name in the file (the last game of that name). The seed is for the
    orders sampled if there are many players. Raises TourneyError NOT_FOUND for an unknown pool, player, event or game,
    REFUSED as `player_history` does.
    """
    with storage.reading(db) as reader:
        found = _history(reader, player, pool, progress, ALL_GAMES)
        from_files = found.pool.kind == "imported"
        within = None if from_files or (event is None and round_number is None) else find_event(reader, event)
        if within is not None and round_number is not None:
            find_round(within, reader.rounds.of(within), round_number)
    if from_files and event is not None:
        game = _game_called(found, event, game)
    place = _find_game(found, within, round_number, game)
    return _explanation(found, place, seed)


def _history(
    reader: storage.Reader, player: str, pool: str, progress: Progress, rating_filter: RatingFilter
) -> _History:
    """Rate the games of a pool and return the player's games among them, with the final fold."""
    found, history = open_history(reader, pool)
    ((key, shown),) = player_keys(reader, found, current_fold(reader, found, history).fold, [player]).items()
    fold = Fold(parameters_of(found))
    total = sum(batch.games for batch in history.batches(found.kind))
    rated: list[_RatedGame] = []
    for game in filtered_games(reader, found, history, rating_filter):
        if fold.games % PROGRESS_INTERVAL == 0:
            progress(fold.games, total)
        fold.advance_to(day_of(found, game.day))
        if key in game.players:
            rated += _rate_game(fold, found, history, game, [key])
        else:
            fold.add(game.players, game.places)
    games = _games(rated, shown_names(reader, found), _event_names(reader, found))
    return _History(found, history, key, shown, fold, rated, games)


def _rate_game(
    fold: Fold, pool: Pool, history: storage.History, game: FilteredGame, keys: Sequence[str]
) -> list[_RatedGame]:
    """Add a game to the fold and return it for each of these players, with the ratings before and after it."""
    sigmas_left = [fold.rating(key).sigma for key in keys]
    before = tuple([fold.rating(player, fold.day) for player in game.players])
    fold.add(game.players, game.places)
    batch, number = game.batch, game.number
    table = (0, 0, game.before + number) if pool.kind == "imported" else (batch.of, batch.round, number)
    day, name = history.day(batch, number), history.name(batch, number)
    players, places = game.players, game.places
    return [
        _RatedGame(*table, day, name, players, places, players.index(key), sigma_left, before, fold.rating(key))
        for key, sigma_left in zip(keys, sigmas_left, strict=True)
    ]


def _event_names(reader: storage.Reader, pool: Pool) -> Mapping[int, str]:
    """Return the names of the events by number; none for a pool of files, whose games have their own."""
    return {} if pool.kind == "imported" else reader.events.names()


def _games(rated: Sequence[_RatedGame], names: Mapping[str, str], events: Mapping[int, str]) -> tuple[PlayerGame, ...]:
    """Return the games of a player as they are shown; `names` are those of the players by their keys."""
    return tuple(_game(number, each, names, events.get(each.event, each.name)) for number, each in enumerate(rated, 1))


def _game(number: int, rated: _RatedGame, names: Mapping[str, str], event: str) -> PlayerGame:
    before, after = rated.before[rated.seat], rated.after
    return PlayerGame(
        number,
        event,
        rated.day,
        rated.round,
        rated.table,
        tuple(names.get(player, player) for player in rated.players),
        tuple(rated.places),
        rated.seat,
        before.mu,
        before.sigma,
        after.mu,
        after.sigma,
        after.day - before.day if before.day else 0,
        before.sigma - rated.sigma_left,
    )


def _opponents(games: Sequence[PlayerGame]) -> tuple[Opponent, ...]:
    met: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for game in games:
        own = game.place
        for player, place in zip(game.players, game.places, strict=True):
            counts = met[player]
            counts[0] += 1
            counts[1] += place > own
            counts[2] += place < own
        # The player's own seat, which counts as a tie.
        met[game.players[game.seat]][0] -= 1
    found = [Opponent(player, *counts) for player, counts in met.items() if counts[0]]
    return tuple(sorted(found, key=lambda opponent: (-opponent.games, opponent.player)))


def _find_game(found: _History, event: Event | None, round_number: int | None, game: int | None) -> int:
    """Return the index of the last game that matches. Raises TourneyError NOT_FOUND if there is none."""
    matching = [
        place
        for place, rated in enumerate(found.rated)
        if (event is None or event.id == rated.event)
        and round_number in (None, rated.round)
        and game in (None, place + 1)
    ]
    if matching:
        return matching[-1]
    message = _no_such_game(len(found.rated), found.player, event, round_number, game)
    raise TourneyError(ExitCode.NOT_FOUND, message, _history_hint(found))


def _game_called(found: _History, name: str, game: int | None) -> int:
    """Return the number of the last matching game of that name. Raises TourneyError NOT_FOUND if there is none."""
    folded = folded_case(name)
    matching = [
        each.number for each in found.games if folded_case(each.event) == folded and game in (None, each.number)
    ]
    if matching:
        return matching[-1]
    message = _("{player} has no game called “{name}” in this pool")
    if game is not None:
        message = _("{player} has no game {number} called “{name}” in this pool")
    raise TourneyError(
        ExitCode.NOT_FOUND, message.format(player=found.player, name=name, number=game), _history_hint(found)
    )


def _history_hint(found: _History) -> str:
    hint = _("see all games with `tourney rating history {player} --pool {pool}`")
    return hint.format(player=quote_argument(found.player), pool=quote_argument(found.pool.name))


def _no_such_game(games: int, shown: str, event: Event | None, round_number: int | None, game: int | None) -> str:
    count = ngettext("{player} has {count} game in this pool", "{player} has {count} games in this pool", games)
    count = count.format(player=shown, count=games)
    if event is None or game is not None:
        return _("{count}, but not this one").format(count=count)
    if round_number is None:
        return _("{count}, none of them in {event}").format(count=count, event=event.settings.name)
    text = _("{count}, none of them in round {round} of {event}")
    return text.format(count=count, round=round_number, event=event.settings.name)


def _explanation(found: _History, place: int, seed: str) -> Explanation:
    rated, game = found.rated[place], found.games[place]
    skills = [(rating.mu, rating.sigma) for rating in rated.before]
    drift, shares = shapley_values(parameters_of(found.pool), skills, rated.places, rated.seat, seeded_rng(seed))
    others = [seat for seat in range(len(skills)) if seat != rated.seat]
    contributions = tuple(
        Contribution(game.players[seat], game.places[seat], *skills[seat], *share)
        for seat, share in zip(others, shares, strict=True)
    )
    by_place = sorted(contributions, key=lambda contribution: contribution.place)
    return Explanation(found.pool, found.player, game, drift, tuple(by_place))


TableId = tuple[int, int, int]
"""Event, round and table."""


SheetStatistics = tuple[tuple[ContractStatistics, ...], tuple[SeatStatistics, ...]]
"""Statistics of a player from score sheets, by contract and by seat."""


def sheet_statistics(reader: storage.Reader, player: int, tables: Collection[TableId]) -> SheetStatistics:
    """Return a player's statistics over the results of these tables; contracts in the order of their first hand.

    Raises TourneyError STORAGE for damaged results and records.
    """
    return _statistics(_results(reader, player, tables), _claims_in(reader))


def all_sheet_statistics(db: str | None, pool: str) -> Mapping[str, SheetStatistics]:
    """Return the statistics of all players of a pool by their keys, in one pass; none in a pool of files.

    Raises TourneyError NOT_FOUND for an unknown pool, STORAGE for damaged results and records.
    """
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        if found.kind == "imported":
            return {}
        games = filtered_games(reader, found, history, ALL_GAMES)
        rated = {(game.batch.of, game.batch.round, game.number): frozenset(game.players) for game in games}
        played = defaultdict[str, list[tuple[int, Result]]](list)
        for event in sorted({event for event, _round, _table in rated}):
            for result in reader.results.of(reader.events.get(event)):
                keys = rated.get((event, result.table.round, result.table.number), frozenset())
                for seat, player in enumerate(result.table.players):
                    if str(player.id) in keys:
                        played[str(player.id)].append((seat, result))
        claims_in = _claims_in(reader)
        return {key: _statistics(each, claims_in) for key, each in played.items()}


def _results(reader: storage.Reader, player: int, tables: Collection[TableId]) -> Iterator[tuple[int, Result]]:
    """Yield the player's seat, from 0, and the result, table by table."""
    for event in dict.fromkeys(event for event, _round, _table in sorted(tables)):
        for result in reader.results.of_player(reader.events.get(event), player):
            if (event, result.table.round, result.table.number) in tables:
                yield [seated.id for seated in result.table.players].index(player), result


def _claims_in(reader: storage.Reader) -> Callable[[str], Sequence[int]]:
    """Return the function that reads the claims by seat from the record with a digest, each record once."""
    return cache(lambda digest: claims(reader.results.record(digest)))


def _statistics(played: Iterable[tuple[int, Result]], claims_in: Callable[[str], Sequence[int]]) -> SheetStatistics:
    hands: dict[str, list[tuple[int, HandScore]]] = defaultdict(list)
    games: dict[int, list[Result]] = defaultdict(list)
    for seat, result in played:
        games[seat].append(result)
        for hand in result.outcome.hands:
            hands[hand.contract].append((seat, hand))
    contracts = tuple(_contract(name, of_contract) for name, of_contract in hands.items())
    return contracts, tuple(_seat(seat, games[seat], claims_in) for seat in sorted(games))


def _contract(name: str, hands: list[tuple[int, HandScore]]) -> ContractStatistics:
    closed = [hand for seat, hand in hands if hand.closer == seat]
    points = sum(hand.points[seat] for seat, hand in hands)
    return ContractStatistics(name, len(hands), points / len(hands), len(closed), sum(hand.at_once for hand in closed))


def _seat(seat: int, results: list[Result], claims_in: Callable[[str], Sequence[int]]) -> SeatStatistics:
    outcomes = [result.outcome for result in results]
    recorded = [result.record_digest for result in results if result.record_digest]
    return SeatStatistics(
        seat + 1,
        len(results),
        sum(outcome.places[seat] for outcome in outcomes) / len(results),
        sum(outcome.points[seat] for outcome in outcomes) / len(results),
        sum(hand.closer == seat for outcome in outcomes for hand in outcome.hands),
        len(recorded),
        sum(claims_in(digest)[seat] for digest in recorded),
    )
