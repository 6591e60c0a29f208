"""A player's history in a pool: by game, opponent and score sheet, one game explained, and plots of it as files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.player_history import (
    Contribution,
    Curve,
    Explanation,
    Opponent,
    PlayerGame,
    PlayerGames,
    PlayerHistory,
)
from tourney.domain.pools import Pool
from tourney.domain.rankings import ALL_GAMES, RatingFilter
from tourney.files.named import shown, unwritable
from tourney.files.whole_file import WholeFile
from tourney.ratings.fold import Fold
from tourney.ratings.kernel import Skill
from tourney.ratings.readings import ranked
from tourney.ratings.shapley import shapley_values
from tourney.seating.rng import seeded_rng
from tourney.service.lookup import find_event, find_round
from tourney.service.ratings.open_pool import OpenPool, from_pool
from tourney.service.ratings.pools import player_keys, shown_names, unpublished
from tourney.service.ratings.rated_games import Line, RatedGames, rated_games
from tourney.service.ratings.rating_cache import day_of, parameters_of
from tourney.service.ratings.rating_filter import all_pass, filtered_games
from tourney.service.ratings.ratings import table_of
from tourney.service.ratings.score_sheets import sheet_statistics
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold as folded_case
from tourney.text.names import refuse_unnamed
from tourney.text.progress import Progress, no_progress
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


class _Shown:
    """The games of a pool as they are shown: with names, days and events."""

    def __init__(self, opened: OpenPool, rated: RatedGames) -> None:
        pool, history, line = opened.pool, opened.history, rated.timeline
        self.names = shown_names(opened.reader, pool)
        self._pool, self._history, self._lines = pool, history, rated.lines()
        self._events = {} if pool.kind == "imported" else opened.reader.events.names()
        self._batches = {batch.of: (batch, before) for batch, before in zip(line.batches, line.games, strict=False)}
        for batch, _before in self._batches.values():
            # What a file says of its games is read in this transaction, and remembered.
            history.day(batch, 1)
            history.name(batch, 1)

    def lines(self, key: str) -> Sequence[Line]:
        """Return the lines of a player's games."""
        return self._lines.of(key)

    def games(self, key: str) -> Iterator[PlayerGame]:
        """Yield a player's games."""
        parameters = parameters_of(self._pool)
        mu, sigma = parameters.mu, parameters.sigma
        for at, (of, in_round, number, players, places, skills) in enumerate(self.lines(key), 1):
            (batch, before), seat = self._batches[of], players.index(key)
            after_mu, after_sigma, *away = skills[seat]
            grown, days_away = away or (sigma, 0)
            names = tuple([self.names.get(player, player) for player in players])
            yield PlayerGame(
                at,
                self._events.get(of) or self._history.name(batch, number),
                self._history.day(batch, number),
                in_round,
                number if self._events else before + number,
                names,
                tuple(places),
                seat,
                mu,
                grown,
                after_mu,
                after_sigma,
                days_away,
                grown - sigma,
            )
            mu, sigma = after_mu, after_sigma


MOST_EXPLAINED: Final = 200
"""The most players of a game that is explained: the time grows with their number faster than its square."""


class Histories(Mapping[str, PlayerHistory]):
    """The histories of the players of a pool by their keys, each made when it is asked for, without score sheets.

    `table` has the ratings; `days` are those on which somebody has played whom rankings show.
    """

    def __init__(self, opened: OpenPool, rating_filter: RatingFilter = ALL_GAMES) -> None:
        rated, hidden = rated_games(opened, rating_filter), unpublished(opened.reader, opened.pool)
        self._shown, self._pool, self._filter = _Shown(opened, rated), opened.pool, rating_filter
        self.table = table_of(opened, opened.readings(rated.fold, rating_filter))
        shown = ((key, self.name(key)) for key in rated.fold.ratings() if key not in hidden)
        self._keys = {name: key for key, name in shown}
        rows = zip(self.table.rows, self.table.intervals, strict=True)
        self._rows = {self._keys[row.player]: (row, interval) for row, interval in rows}
        self.days = frozenset(_shown_days(opened.history, rated.timeline.batches, hidden))

    def __getitem__(self, key: str) -> PlayerHistory:
        """Return a player's history."""
        (row, interval), games = self._rows[key], tuple(self._shown.games(key))
        return PlayerHistory(
            self._pool, row.player, row, interval, games, _opponents(games), rating_filter=self._filter
        )

    def __iter__(self) -> Iterator[str]:
        """Yield the keys, the best player first."""
        return iter(self._rows)

    def __len__(self) -> int:
        """Return the number of players."""
        return len(self._rows)

    def name(self, key: str) -> str:
        """Return the name under which rankings show a player."""
        return self._shown.names.get(key, key)

    @property
    def shown(self) -> Mapping[str, str]:
        """The keys of the players by the names under which rankings show them."""
        return self._keys


def _shown_days(
    history: storage.History, batches: Iterable[storage.GameBatch], hidden: frozenset[str]
) -> Iterator[str]:
    """Yield the days of all games; if some players are hidden, of those in which others have played."""
    seen = set[str]()
    for batch in batches:
        days = {day for _games, day in history.days(batch)} - seen
        if days and not (hidden and all(hidden.issuperset(players) for players, _places in history.games(batch))):
            seen |= days
            yield from days


@dataclass(frozen=True, slots=True)
class _History:
    """A player's games in a pool, among all that were rated."""

    opened: OpenPool
    key: str
    player: str
    fold: Fold
    lines: Sequence[Line]
    games: tuple[PlayerGame, ...]

    @property
    def pool(self) -> Pool:
        """Return the pool."""
        return self.opened.pool

    @property
    def is_of_files(self) -> bool:
        """Return whether the games come from files."""
        return self.pool.kind == "imported"


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

    def read(opened: OpenPool) -> PlayerHistory:
        found = _history(opened, player, progress, rating_filter)
        tables = set() if found.is_of_files else {(of, in_round, table) for of, in_round, table, *_rest in found.lines}
        contracts, seats = sheet_statistics(opened.reader, int(found.key), tables) if tables else ((), ())
        own, reading, _day = opened.readings(found.fold, rating_filter)
        row, interval = next((each for each in ranked(own, reading) if each[0].player == found.key), (None, None))
        own_row = None if row is None else replace(row, player=found.player)
        sheets = _opponents(found.games), contracts, seats
        return PlayerHistory(found.pool, found.player, own_row, interval, found.games, *sheets, rating_filter)

    return from_pool(db, pool, read)


def player_histories(db: str | None, pool: str = "people", rating_filter: RatingFilter = ALL_GAMES) -> Histories:
    """Return the histories of all players of a pool, from the games that pass the filter.

    They lack what score sheets say; players without games have none. Raises TourneyError NOT_FOUND for an unknown pool,
    REFUSED where the numbers overflow; and as `filtered_games` does.
    """
    return from_pool(db, pool, lambda opened: Histories(opened, rating_filter))


def player_games(
    db: str | None,
    player: str,
    pool: str = "people",
    progress: Progress = no_progress,
    rating_filter: RatingFilter = ALL_GAMES,
) -> PlayerGames:
    """Return a player's games in a pool that pass the filter. Raises TourneyError as `player_history` does."""

    def read(opened: OpenPool) -> PlayerGames:
        found = _history(opened, player, progress, rating_filter)
        return PlayerGames(found.pool, found.player, found.games, rating_filter)

    return from_pool(db, pool, read)


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

    def read(opened: OpenPool) -> Explanation:
        found, reader = _history(opened, player, progress, ALL_GAMES), opened.reader
        named = choice.event is not None or choice.round is not None
        within = find_event(reader, choice.event) if named and not found.is_of_files else None
        if within is not None and choice.round is not None:
            find_round(within, reader.rounds.of(within), choice.round)
        chosen = choice
        if found.is_of_files and choice.event is not None:
            chosen = replace(choice, game=_game_called(found, choice.event, choice.game))
        return _explanation(found, _find_game(found, within, chosen), seed)

    return from_pool(db, pool, read)


def _history(opened: OpenPool, player: str, progress: Progress, rating_filter: RatingFilter) -> _History:
    """Rate the games of a pool and return the player's games among them, with the final fold."""
    rated = rated_games(opened, rating_filter, progress)
    known = rated.fold if all_pass(rating_filter) else opened.fold()
    ((key, name),) = player_keys(opened.reader, opened.pool, known, [player]).items()
    shown = _Shown(opened, rated)
    return _History(opened, key, name, rated.fold, shown.lines(key), tuple(shown.games(key)))


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


def _find_game(found: _History, event: Event | None, choice: GameChoice) -> PlayerGame:
    """Return the last game that matches. Raises TourneyError NOT_FOUND if there is none."""
    matching = [
        each
        for each, (of, *_rest) in zip(found.games, found.lines, strict=True)
        if (event is None or event.id == of)
        and choice.round in (None, each.round)
        and choice.game in (None, each.number)
    ]
    if matching:
        return matching[-1]
    message = _no_such_game(len(found.games), found.player, event, choice)
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


def _no_such_game(games: int, shown: str, event: Event | None, choice: GameChoice) -> str:
    count = ngettext("{player} has {count} game in this pool", "{player} has {count} games in this pool", games)
    count = count.format(player=shown, count=games)
    if event is None or choice.game is not None:
        return _("{count}, but not this one").format(count=count)
    if choice.round is None:
        return _("{count}, none of them in {event}").format(count=count, event=event.settings.name)
    text = _("{count}, none of them in round {round} of {event}")
    return text.format(count=count, round=choice.round, event=event.settings.name)


def _skills_before(found: _History, game: PlayerGame) -> list[Skill]:
    """Return the skills of all players of a game on its day."""
    opened, fold, number = found.opened, Fold(parameters_of(found.pool)), 0
    for each in filtered_games(opened.reader, opened.pool, opened.history, ALL_GAMES):
        fold.advance_to(day_of(opened.pool, each.day))
        number += found.key in each.players
        if number == game.number:
            return fold.skills(each.players)
        fold.add(each.players, each.places)
    raise AssertionError("a game of the history is one of the pool")


def _explanation(found: _History, game: PlayerGame, seed: str) -> Explanation:
    skills = _skills_before(found, game)
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
