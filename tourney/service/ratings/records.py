"""The records of a pool's players: highest scores, runs of games won, and meetings, kept as they were after a piece."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import accumulate, combinations, pairwise
from math import isqrt
from typing import Any, Final, NamedTuple

from tourney import storage
from tourney.service.ratings.open_pool import OpenPool
from tourney.service.ratings.rated_games import Line, Piece, continued, rated_games, read_lines
from tourney.service.ratings.rating_cache import Timeline, timeline

KEPT_AFTER: Final = 2
"""The last pieces after which the records are kept: a result may change the round that ended the last one."""
MOST_TEXT: Final = 1 << 24
"""The most characters of records that are kept."""


class Meetings(NamedTuple):
    """Two players by their keys, their games together, and in how many each finished ahead of the other."""

    player: str
    rival: str
    games: int
    ahead: int
    behind: int


class PlayerRecords:
    """The records of one player; a game is given by its event or file, and its number there."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.games = 0
        self.best = (0.0, 0, 0, 0)
        """The highest score, and after which of the player's games: its number, its event and its number there."""
        self.run = (0, 0, 0)
        """The games won since the last that was not, and the first of them."""
        self.longest = (0, 0, 0, 0, 0, 0)
        """The longest run: its length, its first and its last game, and the number of the last."""

    def add(self, game: tuple[int, int], score: float, *, won: bool) -> None:
        """Add the player's next game."""
        self.games += 1
        if self.games == 1 or score > self.best[0]:
            self.best = (score, self.games, *game)
        if not won:
            self.run = (0, 0, 0)
            return
        self.run = (self.run[0] + 1, *(self.run[1:] if self.run[0] else game))
        if self.run[0] > self.longest[0]:
            self.longest = (*self.run, *game, self.games)

    @property
    def lasting(self) -> bool:
        """Return whether no game was lost since the longest run."""
        return self.longest[5] == self.games


class Records:
    """The records of all players after some games."""

    def __init__(self, text: str = "") -> None:
        state: dict[str, Any] = json.loads(text) if text else {"players": [], "pairs": [], "counts": [[], [], []]}
        self.players: dict[str, PlayerRecords] = {}
        for key, *rest in state["players"]:
            player = self.players[key] = PlayerRecords(key)
            player.games, player.best, player.run, player.longest = rest[0], *map(tuple, rest[1:])
        self._numbers = {key: number for number, key in enumerate(self.players)}
        self._pairs = dict(zip(accumulate(state["pairs"]), range(len(state["pairs"])), strict=True))
        """The place of each pair of players in the lists of counts."""
        self._games, self._ahead, self._behind = state["counts"]

    def text(self) -> str:
        """Return all records as text."""
        order = sorted(self._pairs.items())
        pairs = [later - before for before, later in pairwise([0, *(pair for pair, _place in order)])]
        counts = [[each[place] for _pair, place in order] for each in (self._games, self._ahead, self._behind)]
        players = [[each.key, each.games, each.best, each.run, each.longest] for each in self.players.values()]
        state = {"players": players, "pairs": pairs, "counts": counts}
        return json.dumps(state, ensure_ascii=False, separators=(",", ":"))

    def add(self, lines: Iterable[Line]) -> None:
        """Add games in the order of rating."""
        for of, _round, number, players, places, skills in lines:
            for key, place, skill in zip(players, places, skills, strict=True):
                if key not in self.players:
                    self._numbers[key] = len(self.players)
                    self.players[key] = PlayerRecords(key)
                self.players[key].add((of, number), skill[0] - 3 * skill[1], won=place == 1)
            seated = sorted((self._numbers[key], place) for key, place in zip(players, places, strict=True))
            for (low, place), (high, other) in combinations(seated, 2):
                self._meet(high * (high - 1) // 2 + low, place, other)

    def _meet(self, pair: int, place: int, other: int) -> None:
        at = self._pairs.get(pair)
        if at is None:
            at = self._pairs[pair] = len(self._games)
            for counts in (self._games, self._ahead, self._behind):
                counts.append(0)
        self._games[at] += 1
        self._ahead[at] += place < other
        self._behind[at] += place > other

    def met(self, least: int) -> Iterator[Meetings]:
        """Yield the pairs with at least so many games."""
        keys = list(self.players)
        for pair, at in self._pairs.items():
            if self._games[at] >= least:
                high = _row_of(pair)
                low = pair - high * (high - 1) // 2
                yield Meetings(keys[low], keys[high], self._games[at], self._ahead[at], self._behind[at])


def _row_of(pair: int) -> int:
    """Return the higher number of a pair, which are counted row by row: (1, 0), (2, 0), (2, 1), (3, 0) …"""
    return (1 + isqrt(1 + 8 * pair)) // 2


def records(opened: OpenPool) -> Records:
    """Return the records after all games; games are added to those that are kept. Raises as `rated_games` does."""
    name, line = opened.kept_as("records"), timeline(opened.pool, opened.history)
    found, start = _newest(opened.reader.pools.kept(name), line)
    rated = rated_games(opened) if start is None else continued(opened, line, [start])
    ends, new = rated.pieces[-KEPT_AFTER:], list[storage.KeptRatings]()
    for piece in rated.pieces:
        if piece is not start:
            found.add(read_lines(piece.text))
            if piece in ends:
                new.append(storage.KeptRatings(piece.games, piece.inputs, found.text()))
    found.add(read_lines(rated.later))
    opened.keep(name, [row for row in new if len(row.text) <= MOST_TEXT], {piece.inputs for piece in ends})
    return found


def _newest(rows: Iterable[storage.KeptRatings], line: Timeline) -> tuple[Records, Piece | None]:
    """Return the newest kept records whose inputs are as they were, and where they end."""
    inputs = frozenset(line.inputs)
    valid = [row for row in rows if row.inputs in inputs]
    return (Records(valid[-1].text), Piece(*valid[-1][:2], "")) if valid else (Records(), None)
