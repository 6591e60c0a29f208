"""A player's way through a pool of ratings, game by game, and what each of its opponents did in one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.player_history import Career, CareerGame, CareerGames, Contribution, Explanation, Opponent
from tourney.domain.rankings import EVERYTHING, Pool, RatingRow, View
from tourney.service.lookup import find_event, find_round
from tourney.service.ratings.player_statistics import tallies
from tourney.service.ratings.pool_players import keys_of
from tourney.service.ratings.rating_cache import day_of, folded, parameters_of
from tourney.service.ratings.rating_filter import ViewedGame, games_of_view
from tourney.service.ratings.ratings import find_pool, history_of, shown_names
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold
from tourney.text.sanitize import quote_argument

if TYPE_CHECKING:
    from tourney.domain.modes import Progress
    from tourney.ratings.fold import Fold
    from tourney.ratings.model import Rating


TELL_EVERY = 500
"""Games after which whoever waits is told how many are rated."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A game of the player: in which event (0: in a file), round and table, when, and the ratings of all before it.

    `name` is what its file calls it.
    `left` is the sigma that the player's game before left him with; the ratings are those of the day.
    """

    event: int
    round: int
    table: int
    day: str
    name: str
    players: Sequence[str]
    places: Sequence[int]
    seat: int
    left: float
    before: tuple[Rating, ...]
    after: Rating


def career(
    db: str | None, player: str, pool: str = "people", progress: Progress | None = None, view: View = EVERYTHING
) -> Career:
    """All that a pool, or a view of it, knows of a player; without a game if he has not played.

    Raises TourneyError NOT_FOUND for an unknown pool or player, REFUSED where the numbers leave what floats can hold;
    and as `games_of_view` does.
    """
    with storage.reading(db) as reader:
        found, key, shown, fold, moments = _walked(reader, player, pool, progress, view)
        games = _games(reader, found, shown_names(reader, found), moments)
        spots = {(one.event, one.round, one.table) for one in moments if one.event}
        contracts, seats = tallies(reader, int(key), spots) if spots else ((), ())
    row, interval = _stands(fold, day_of(found, view.day) if view.day else fold.day, key, shown)
    return Career(found, shown, row, interval, games, _opponents(games), contracts, seats, view)


def history(
    db: str | None, player: str, pool: str = "people", progress: Progress | None = None, view: View = EVERYTHING
) -> CareerGames:
    """A player's games in a pool, or in a view of it, in their order. Raises TourneyError as `career` does."""
    with storage.reading(db) as reader:
        found, _key, shown, _fold, moments = _walked(reader, player, pool, progress, view)
        return CareerGames(found, shown, _games(reader, found, shown_names(reader, found), moments), view)


def explain(
    db: str | None,
    player: str,
    event: str | None = None,
    round_number: int | None = None,
    game: int | None = None,
    pool: str = "people",
    seed: str = "1",
    progress: Progress | None = None,
) -> Explanation:
    """What the place of each opponent did to a player's rating in one game: his last, unless another is named.

    That is by its number among his own, or by an event, whose last game of his is meant where no round is named; in a
    pool of files by what they call it, and his last of that name. The seed is for orders that are drawn where many have
    played. Raises TourneyError NOT_FOUND for an unknown pool,
    player, event or game, REFUSED as `career` does.
    """
    with storage.reading(db) as reader:
        found, _key, shown, _fold, moments = _walked(reader, player, pool, progress, EVERYTHING)
        of_files = found.kind == "imported"
        within = None if of_files or (event is None and round_number is None) else find_event(reader, event)
        if within is not None and round_number is not None:
            find_round(within, reader.rounds(within), round_number)
        games = _games(reader, found, shown_names(reader, found), moments)
    if of_files and event is not None:
        game = _called(games, found, shown, event, game)
    place = _chosen(moments, found, shown, within, round_number, game)
    return _explanation(found, shown, games[place], moments[place], seed)


def _walked(
    reader: storage.Reader, player: str, pool: str, progress: Progress | None, view: View
) -> tuple[Pool, str, str, Fold, list[_Moment]]:
    """The pool, the player's key and name, the fold behind all games, and the player's own games on the way."""
    from tourney.ratings.fold import Fold

    number, found = find_pool(reader, pool)
    history = history_of(reader, number, found)
    ((key, shown),) = keys_of(reader, found, folded(reader, found, history).fold, [player]).items()
    fold = Fold(parameters_of(found))
    total = sum(stretch.games for stretch in history.stretches(found.kind))
    moments: list[_Moment] = []
    for game in games_of_view(reader, found, history, view):
        if progress is not None and fold.games % TELL_EVERY == 0:
            progress(fold.games, total)
        fold.advance_to(day_of(found, game.day))
        if key in game.players:
            moments.append(_moment(fold, found, history, game, key))
        else:
            fold.add(game.players, game.places)
    return found, key, shown, fold, moments


def _moment(fold: Fold, pool: Pool, history: storage.History, game: ViewedGame, key: str) -> _Moment:
    """Rate a game of the player."""
    left = fold.rating(key).sigma
    before = tuple([fold.rating(one, fold.day) for one in game.players])
    fold.add(game.players, game.places)
    stretch, number = game.stretch, game.number
    spot = (0, 0, game.before + number) if pool.kind == "imported" else (stretch.of, stretch.round, number)
    seat = game.players.index(key)
    day, name = history.day(stretch, number), history.name(stretch, number)
    return _Moment(*spot, day, name, game.players, game.places, seat, left, before, fold.rating(key))


def _games(
    reader: storage.Reader, pool: Pool, names: Mapping[str, str], moments: Sequence[_Moment]
) -> tuple[CareerGame, ...]:
    events = {} if pool.kind == "imported" else reader.event_names()
    return tuple(_game(number, one, names, events.get(one.event, one.name)) for number, one in enumerate(moments, 1))


def _game(number: int, one: _Moment, names: Mapping[str, str], event: str) -> CareerGame:
    before = one.before[one.seat]
    return CareerGame(
        number,
        event,
        one.day,
        one.round,
        one.table,
        tuple(names.get(player, player) for player in one.players),
        tuple(one.places),
        one.seat,
        before.mu,
        before.sigma,
        one.after.mu,
        one.after.sigma,
        one.after.day - before.day if before.day else 0,
        before.sigma - one.left,
    )


def _stands(fold: Fold, day: int, key: str, shown: str) -> tuple[RatingRow | None, tuple[int, int] | None]:
    """The player's row in the ratings of that day, and the ranks that he may have."""
    from tourney.ratings.intervals import rank_interval
    from tourney.ratings.model import ranking

    rows = ranking(fold.ratings(day))
    place = next((place for place, row in enumerate(rows) if row.player == key), None)
    if place is None:
        return None, None
    interval = rank_interval([(row.mu, row.sigma) for row in rows], place)
    return replace(rows[place], player=shown), interval


def _opponents(games: Sequence[CareerGame]) -> tuple[Opponent, ...]:
    met: dict[str, list[int]] = defaultdict(list)
    for game in games:
        for seat, (player, place) in enumerate(zip(game.players, game.places, strict=True)):
            if seat != game.seat:
                met[player].append(place - game.place)
    found = [
        Opponent(player, len(gaps), sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps))
        for player, gaps in met.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.games, one.player)))


def _chosen(
    moments: Sequence[_Moment], pool: Pool, shown: str, event: Event | None, round_number: int | None, game: int | None
) -> int:
    """Which of the games is meant, from 0. Raises TourneyError NOT_FOUND for one that he has not in the pool."""
    meant = [
        place
        for place, one in enumerate(moments)
        if (event is None or event.id == one.event) and round_number in (None, one.round) and game in (None, place + 1)
    ]
    if meant:
        return meant[-1]
    message = _none_meant(len(moments), shown, event, round_number, game)
    raise TourneyError(ExitCode.NOT_FOUND, message, _see_all(pool, shown))


def _called(games: Sequence[CareerGame], pool: Pool, shown: str, name: str, game: int | None) -> int:
    """The last of a player's games that files call so, or that one of them. Raises TourneyError NOT_FOUND for none."""
    wanted = fold(name)
    meant = [one.number for one in games if fold(one.event) == wanted and game in (None, one.number)]
    if meant:
        return meant[-1]
    message = _("{player} has no game called “{name}” in this pool")
    if game is not None:
        message = _("{player} has no game {number} called “{name}” in this pool")
    raise TourneyError(ExitCode.NOT_FOUND, message.format(player=shown, name=name, number=game), _see_all(pool, shown))


def _see_all(pool: Pool, shown: str) -> str:
    hint = _("see them all with `tourney rating history {player} --pool {pool}`")
    return hint.format(player=quote_argument(shown), pool=quote_argument(pool.name))


def _none_meant(games: int, shown: str, event: Event | None, round_number: int | None, game: int | None) -> str:
    """What a player lacks who has so many games in a pool."""
    count = ngettext("{player} has {count} game in this pool", "{player} has {count} games in this pool", games)
    count = count.format(player=shown, count=games)
    if event is None or game is not None:
        return _("{count}, and not this one").format(count=count)
    if round_number is None:
        return _("{count}, none of them in {event}").format(count=count, event=event.settings.name)
    text = _("{count}, none of them in round {round} of {event}")
    return text.format(count=count, round=round_number, event=event.settings.name)


def _explanation(pool: Pool, shown: str, game: CareerGame, moment: _Moment, seed: str) -> Explanation:
    from tourney.ratings.shapley import shapley_values
    from tourney.seating.rng import seeded_rng

    skills = [(one.mu, one.sigma) for one in moment.before]
    drift, found = shapley_values(parameters_of(pool), skills, moment.places, moment.seat, seeded_rng(seed))
    others = [seat for seat in range(len(skills)) if seat != moment.seat]
    contributions = tuple(
        Contribution(game.players[seat], game.places[seat], *skills[seat], *share)
        for seat, share in zip(others, found, strict=True)
    )
    return Explanation(pool, shown, game, drift, tuple(sorted(contributions, key=lambda one: one.place)))
