"""A player's history in a pool: by game, opponent and score sheet, one game explained, and plots of it as files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple, TypeVar

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.player_history import (
    ContractStatistics,
    Contribution,
    Curve,
    Explanation,
    Opponent,
    PlayerGame,
    PlayerGames,
    PlayerHistory,
    SeatStatistics,
)
from tourney.domain.pools import Pool
from tourney.domain.progress import Progress, no_progress
from tourney.domain.rankings import ALL_GAMES, RatingFilter
from tourney.domain.results import HandScore, Result
from tourney.files.named import shown, unwritable
from tourney.files.whole_file import WholeFile
from tourney.ratings.fold import Fold
from tourney.ratings.model import Rating
from tourney.ratings.readings import ranked
from tourney.ratings.shapley import shapley_values
from tourney.rulebook.records import claims
from tourney.seating.rng import seeded_rng
from tourney.service.lookup import find_event, find_round
from tourney.service.ratings.pools import open_history, player_keys, shown_names, unpublished
from tourney.service.ratings.rating_cache import current_fold, day_of, parameters_of
from tourney.service.ratings.rating_filter import FilteredGame, filtered_games, readings
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold as folded_case
from tourney.text.names import refuse_unnamed
from tourney.text.sanitize import quote_argument

_SVG_START = b"<svg "
Plotted = TypeVar("Plotted", PlayerHistory, Curve)


def write_plot(path: str, history: Plotted, draw: Callable[[Plotted], str]) -> None:
    """Write the plot (SVG) that `draw` makes of a player's history or curve to the file `path`.

    Raises TourneyError REFUSED for a player without games, CONFLICT where the file exists and is not a plot, STORAGE
    where it cannot be written.
    """
    refuse_unnamed(path)
    if not history.games:
        message = _("{player} has no game in the pool {pool}").format(player=history.player, pool=history.pool.name)
        raise TourneyError(ExitCode.REFUSED, message, _("a plot needs at least one"))
    try:
        _refuse_other(path)
    except OSError as error:
        raise unwritable(path, error) from None
    WholeFile(path, force=True).write(draw(history).encode())


def _refuse_other(path: str) -> None:
    """Raise TourneyError CONFLICT for a file that exists and is not a plot."""
    try:
        with open(path, "rb") as file:
            start = file.read(len(_SVG_START))
    except FileNotFoundError:
        return
    if start != _SVG_START:
        message = _("{file} exists and is not a plot").format(file=shown(path, 200))
        raise TourneyError(ExitCode.CONFLICT, message, _("choose another file"))


PROGRESS_INTERVAL = 500
"""Games between two reports of progress."""


class _RatedGame(NamedTuple):
    """A game of a player, the number of its event (0: a file), and the ratings of all its players on its day."""

    game: PlayerGame
    event: int
    before: tuple[Rating, ...]


class _Rated:
    """The fold of a pool's games, and those of some players (None: of all), by their keys; `names` are those shown."""

    def __init__(
        self, reader: storage.Reader, pool: Pool, history: storage.History, keys: Collection[str] | None
    ) -> None:
        self.fold = Fold(parameters_of(pool))
        self.games = defaultdict[str, list[_RatedGame]](list)
        self.names = shown_names(reader, pool)
        self._pool, self._history, self._keys = pool, history, keys
        self._from_files = pool.kind == "imported"
        self._events = {} if self._from_files else reader.events.names()

    def add(self, game: FilteredGame) -> None:
        """Rate a game, and keep it for each of the players who is in it."""
        self.fold.advance_to(day_of(self._pool, game.day))
        keys = game.players if self._keys is None else [key for key in game.players if key in self._keys]
        sigmas_left = [self.fold.rating(key).sigma for key in keys]
        before = tuple([self.fold.rating(player, self.fold.day) for player in game.players]) if keys else ()
        self.fold.add(game.players, game.places)
        shown = tuple([self.names.get(player, player) for player in game.players]) if keys else ()
        for key, sigma_left in zip(keys, sigmas_left, strict=True):
            self._keep(key, sigma_left, game, before, shown)

    def _keep(
        self, key: str, sigma_left: float, game: FilteredGame, before: tuple[Rating, ...], players: tuple[str, ...]
    ) -> None:
        batch, number, seat = game.batch, game.number, game.players.index(key)
        event, in_round, table = (0, 0, game.before + number) if self._from_files else (batch.of, batch.round, number)
        mine, after, games = before[seat], self.fold.rating(key), self.games[key]
        name = self._events.get(event) or self._history.name(batch, number)
        places, days_away = tuple(game.places), after.day - mine.day if mine.day else 0
        skills = mine.mu, mine.sigma, after.mu, after.sigma
        shown = PlayerGame(
            len(games) + 1,
            name,
            self._history.day(batch, number),
            in_round,
            table,
            players,
            places,
            seat,
            *skills,
            days_away,
            mine.sigma - sigma_left,
        )
        games.append(_RatedGame(shown, event, before))


@dataclass(frozen=True, slots=True)
class _History:
    """A player's games in a pool, among all that were rated."""

    pool: Pool
    history: storage.History
    key: str
    player: str
    rated: _Rated

    @property
    def games(self) -> Sequence[_RatedGame]:
        """Return the player's games with the ratings before them."""
        return self.rated.games[self.key]

    @property
    def shown(self) -> tuple[PlayerGame, ...]:
        """Return the player's games."""
        return tuple(each.game for each in self.games)


@dataclass(frozen=True, slots=True)
class GameChoice:
    """The game of a player that is asked about: its number among the player's, or an event and a round of it.

    In a pool of files the event is the name of the game in its file.
    """

    event: str | None = None
    round: int | None = None
    game: int | None = None


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
        tables = {(each.event, each.game.round, each.game.table) for each in found.games if each.event}
        contracts, seats = sheet_statistics(reader, int(found.key), tables) if tables else ((), ())
        own, reading, _day = readings(reader, found.pool, found.history, rating_filter, found.rated.fold)
    row, interval = next((each for each in ranked(own, reading) if each[0].player == found.key), (None, None))
    games = found.shown
    own_row = None if row is None else replace(row, player=found.player)
    sheets = _opponents(games), contracts, seats
    return PlayerHistory(found.pool, found.player, own_row, interval, games, *sheets, rating_filter)


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
        rated = _Rated(reader, found, history, keys)
        for game in filtered_games(reader, found, history, rating_filter):
            rated.add(game)
        games = {key: tuple(each.game for each in played) for key, played in rated.games.items()}
        names, hidden = rated.names, unpublished(reader, found)
        own, reading, _day = readings(reader, found, history, rating_filter, rated.fold)
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
        return PlayerGames(found.pool, found.player, found.shown, rating_filter)


def explain(
    db: str | None,
    player: str,
    choice: GameChoice = GameChoice(),
    pool: str = "people",
    seed: str = "1",
    progress: Progress = no_progress,
) -> Explanation:
    """Return the contribution of each opponent to a player's rating in one game: the last of those that are chosen.

    The seed is for the orders sampled if there are many players. Raises TourneyError NOT_FOUND for an unknown pool,
    player, event or game, REFUSED as `player_history` does.
    """
    with storage.reading(db) as reader:
        found = _history(reader, player, pool, progress, ALL_GAMES)
        from_files = found.pool.kind == "imported"
        within = (
            None if from_files or (choice.event is None and choice.round is None) else find_event(reader, choice.event)
        )
        if within is not None and choice.round is not None:
            find_round(within, reader.rounds.of(within), choice.round)
    if from_files and choice.event is not None:
        choice = replace(choice, game=_game_called(found, choice.event, choice.game))
    return _explanation(found, _find_game(found, within, choice), seed)


def _history(
    reader: storage.Reader, player: str, pool: str, progress: Progress, rating_filter: RatingFilter
) -> _History:
    """Rate the games of a pool and return the player's games among them, with the final fold."""
    found, history = open_history(reader, pool)
    ((key, shown),) = player_keys(reader, found, current_fold(reader, found, history).fold, [player]).items()
    rated = _Rated(reader, found, history, [key])
    total = sum(batch.games for batch in history.batches(found.kind))
    for game in filtered_games(reader, found, history, rating_filter):
        if rated.fold.games % PROGRESS_INTERVAL == 0:
            progress(rated.fold.games, total)
        rated.add(game)
    return _History(found, history, key, shown, rated)


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


def _find_game(found: _History, event: Event | None, choice: GameChoice) -> _RatedGame:
    """Return the last game that matches. Raises TourneyError NOT_FOUND if there is none."""
    matching = [
        each
        for each in found.games
        if (event is None or event.id == each.event)
        and choice.round in (None, each.game.round)
        and choice.game in (None, each.game.number)
    ]
    if matching:
        return matching[-1]
    message = _no_such_game(len(found.games), found.player, event, choice)
    raise TourneyError(ExitCode.NOT_FOUND, message, _history_hint(found))


def _game_called(found: _History, name: str, game: int | None) -> int:
    """Return the number of the last matching game of that name. Raises TourneyError NOT_FOUND if there is none."""
    folded = folded_case(name)
    matching = [
        each.number for each in found.shown if folded_case(each.event) == folded and game in (None, each.number)
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


def _no_such_game(games: int, shown: str, event: Event | None, choice: GameChoice) -> str:
    count = ngettext("{player} has {count} game in this pool", "{player} has {count} games in this pool", games)
    count = count.format(player=shown, count=games)
    if event is None or choice.game is not None:
        return _("{count}, but not this one").format(count=count)
    if choice.round is None:
        return _("{count}, none of them in {event}").format(count=count, event=event.settings.name)
    text = _("{count}, none of them in round {round} of {event}")
    return text.format(count=count, round=choice.round, event=event.settings.name)


def _explanation(found: _History, rated: _RatedGame, seed: str) -> Explanation:
    game, skills = rated.game, [(rating.mu, rating.sigma) for rating in rated.before]
    if len(skills) > MOST_EXPLAINED:
        message = _("the game has {players} players, and shares are computed for at most {most}")
        hint = _("name another game; `tourney rating history` has the change of each")
        raise TourneyError(ExitCode.REFUSED, message.format(players=len(skills), most=MOST_EXPLAINED), hint)
    drift, shares = shapley_values(parameters_of(found.pool), skills, game.places, game.seat, seeded_rng(seed))
    others = [seat for seat in range(len(skills)) if seat != game.seat]
    contributions = tuple(
        Contribution(game.players[seat], game.places[seat], *skills[seat], *share)
        for seat, share in zip(others, shares, strict=True)
    )
    by_place = sorted(contributions, key=lambda contribution: contribution.place)
    return Explanation(found.pool, found.player, game, drift, tuple(by_place))


MOST_EXPLAINED: Final = 200
"""The most players of a game that is explained: the time grows with their number faster than its square."""
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
