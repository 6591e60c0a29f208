"""The games of a pool with the ratings after each, kept in pieces as text, and continued from the last valid piece.

A piece is a line of JSON for each of its games. Only keys of players are in it, which are numbers in pools of events:
names, days and events are looked up when a game is shown.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tourney import storage
from tourney.domain.pools import Pool
from tourney.domain.rankings import ALL_GAMES, RatingFilter
from tourney.ratings.fold import Fold
from tourney.service.ratings.open_pool import OpenPool
from tourney.service.ratings.rating_cache import (
    Timeline,
    checkpoint,
    checkpoint_places,
    day_of,
    parameters_of,
    timeline,
)
from tourney.service.ratings.rating_filter import all_pass, filtered_games
from tourney.text.progress import Progress, no_progress

PROGRESS_INTERVAL = 500
"""Games between two reports of progress."""
MOST_TEXT = 1 << 22
"""The characters after which a piece ends, if no checkpoint's place ends it before."""
MOST_SEARCHED: Final = 20
"""The players whose lines are searched for; with one more all lines are read, once."""

Line = list[Any]
"""A game: the number of its event or file, its round, its number there, its players' keys, their places and skills.

A skill is mu and sigma after the game; where sigma grows with the calendar, sigma before it and the days away follow.
"""


class Lines:
    """Texts with a line of JSON for each game, or anything else, of which those of one player are found quickly.

    Each line ends with a line end; `keys` returns the keys of its players.
    """

    def __init__(self, texts: Sequence[str], keys: Callable[[Line], Collection[str]]) -> None:
        self._texts, self._keys = texts, keys
        self._searched = 0
        self._all: dict[str, list[Line]] = {}

    def of(self, key: str) -> list[Line]:
        """Return the lines of a player, in order."""
        if not self._all:
            self._searched += 1
            if self._searched <= MOST_SEARCHED:
                return [line for text in self._texts for line in self._search(text, key)]
            self._all = self._by_key()
        return self._all.get(key, [])

    def _search(self, text: str, key: str) -> Iterator[Line]:
        quoted, end = as_line(key)[:-1], 0
        while (at := text.find(quoted, end)) >= 0:
            end = text.index("\n", at)
            line = json.loads(text[text.rfind("\n", 0, at) + 1 : end])
            if key in self._keys(line):
                yield line

    def _by_key(self) -> dict[str, list[Line]]:
        found = defaultdict[str, list[Line]](list)
        for text in self._texts:
            for line in read_lines(text):
                for key in self._keys(line):
                    found[key].append(line)
        return found


def as_line(value: object) -> str:
    """Return a value as a line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_lines(text: str) -> list[Line]:
    """Return the values of the lines."""
    lines: list[Line] = json.loads(f"[{text[:-1].replace(chr(10), ',')}]")
    return lines


class Piece(NamedTuple):
    """The lines of some games in a row, the last of which is the pool's game number `games`, and their inputs."""

    games: int
    inputs: str
    text: str


@dataclass(frozen=True, slots=True)
class RatedGames:
    """The games of a pool that pass a filter, and their fold: in pieces, and those after the last piece."""

    fold: Fold
    pieces: Sequence[Piece]
    later: str
    timeline: Timeline

    def lines(self) -> Lines:
        """Return the games, to be found by their players."""
        return Lines([*(piece.text for piece in self.pieces), self.later], lambda line: line[3])


def rated_games(
    opened: OpenPool, rating_filter: RatingFilter = ALL_GAMES, progress: Progress = no_progress
) -> RatedGames:
    """Rate the games that pass the filter; if all do, only those that are not kept are rated, and kept then.

    Raises TourneyError as `filtered_games` does, and REFUSED where the numbers overflow.
    """
    line = timeline(opened.pool, opened.history)
    if all_pass(rating_filter):
        name = opened.kept_as("games")
        kept = tuple(_valid(opened.reader.pools.kept(name), line))
        rated = continued(opened, line, kept, progress)
        ends = [0, *(piece.games for piece in rated.pieces)]
        new = list(zip(ends, rated.pieces, strict=False))[len(kept) :]
        rows = [storage.KeptRatings(piece.games, piece.inputs, f"{start}\n{piece.text}") for start, piece in new]
        opened.keep(name, rows, {piece.inputs for piece in kept})
        return rated
    fold, lines = Fold(parameters_of(opened.pool)), list[str]()
    for game in filtered_games(opened.reader, opened.pool, opened.history, rating_filter):
        _report(progress, fold, line)
        fold.advance_to(day_of(opened.pool, game.day))
        lines.append(_rated(fold, opened.pool, game.batch, game.number, (game.players, game.places)))
    return RatedGames(fold, (), "".join(lines), line)


def continued(
    opened: OpenPool, line: Timeline, pieces: Sequence[Piece], progress: Progress = no_progress
) -> RatedGames:
    """Rate the games after these pieces; the checkpoints that are passed are kept."""
    pool, history, stored = opened.pool, opened.history, opened.reader.pools.checkpoints(opened.pool.name)
    covered = pieces[-1].games if pieces else 0
    done, fold = line.start(opened.reader, pool, stored, covered)
    made, places, marks = _Pieces(pieces), checkpoint_places(line.games), line.marks
    checkpoints = []
    for place, batch in enumerate(line.batches[done:], done + 1):
        for number, game in history.numbered(batch):
            _report(progress, fold, line)
            fold.advance_to(day_of(pool, history.day(batch, number) if pool.ages else ""))
            if fold.games < covered:
                fold.add(*game)
            else:
                made.add(_rated(fold, pool, batch, number, game), fold.games, line.inputs[place])
        if place in marks and place < len(line.batches):
            # Results of the last round come one by one; a piece with them would be made again for each.
            made.cut(fold.games, line.inputs[place])
        if place in places:
            checkpoints.append(checkpoint(fold, line.inputs[place]))
    opened.keep_fold(pool, line.kept(fold, checkpoints, stored))
    return RatedGames(fold, made.pieces, "".join(made.lines), line)


class _Pieces:
    """The pieces so far, and the lines after the last."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces, self.lines, self._size = list(pieces), list[str](), 0

    def add(self, line: str, games: int, inputs: str) -> None:
        """Add the line of the pool's game of that number; a piece ends that has become long."""
        self.lines.append(line)
        self._size += len(line)
        if self._size > MOST_TEXT:
            self.cut(games, inputs)

    def cut(self, games: int, inputs: str) -> None:
        """End a piece, if it has a line."""
        if self.lines:
            self.pieces.append(Piece(games, inputs, "".join(self.lines)))
            self.lines, self._size = [], 0


def _valid(rows: Iterable[storage.KeptRatings], line: Timeline) -> Iterator[Piece]:
    """Yield the kept pieces whose inputs are as they were, as far as none is missing between them."""
    covered, inputs = 0, frozenset(line.inputs)
    for row in rows:
        start, _end, text = row.text.partition("\n")
        if row.inputs in inputs and start == str(covered):
            covered = row.games
            yield Piece(row.games, row.inputs, text)


def _report(progress: Progress, fold: Fold, line: Timeline) -> None:
    if fold.games % PROGRESS_INTERVAL == 0:
        progress(fold.games, line.games[-1])


def _rated(fold: Fold, pool: Pool, batch: storage.GameBatch, number: int, game: storage.Game) -> str:
    """Rate a game on the current day, and return its line."""
    players, places = game
    before = [fold.rating(player, fold.day) for player in players] if pool.ages else []
    fold.add(players, places)
    skills: list[tuple[float, ...]] = [*fold.skills(players)]
    if before:
        away = [fold.day - each.day if each.day else 0 for each in before]
        skills = [(*after, each.sigma, days) for after, each, days in zip(skills, before, away, strict=True)]
    return as_line([batch.of, batch.round, number, list(players), list(places), skills])
