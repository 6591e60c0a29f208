"""Simulated tournaments: how often the best player wins under a plan, when skills spread as widely as in a pool.

A player's points in a game fall with their skill and have a random part, whose standard deviation over a whole game is
one unit of skill (beta of TrueSkill): in h of H hands the skill counts h/H times, the random part the square root of
that. Seating follows the formats; Swiss rounds take neighbours and avoid repeats where that is easy, without the
search that draws rounds of an event.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from math import sqrt
from random import Random
from typing import Final

from tourney.domain.rounds import Stage
from tourney.seating.formats import FORMATS, Format, kept_groups, ladder_tables
from tourney.seating.model import limit_tables, table_sizes
from tourney.seating.plan import PlanWish, plan
from tourney.standings.table_points import read_table_points

Tables = list[list[int]]
TIE_BREAK: Final = 1e-6
NEARBY: Final = 6
"""The neighbours among whom a Swiss table looks for one whom it has met least."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A plan to simulate: stages, players, table sizes as the rules allow, and the hands of a whole game."""

    stages: tuple[Stage, ...]
    players: int
    size: int
    least: int
    most: int
    hands: int
    table_points: str | None = None


@dataclass(frozen=True, slots=True)
class SimulatedTournament:
    """One simulated tournament: players (0 is the most skilled) in order, repeats, and the hands of each round.

    `hands` has for every round the number of its hands and the size of its largest table.
    """

    order: tuple[int, ...]
    repeats: int
    hands: tuple[tuple[int, int], ...]


def simulated(setup: Setup, spread: float, seed: str) -> SimulatedTournament:
    """Return one tournament of players whose skills have that standard deviation, in units of a game's random part."""
    rng = Random(seed)
    skills = sorted((rng.gauss(0.0, spread) for _player in range(setup.players)), reverse=True)
    return _Run(setup, skills, rng).played()


@dataclass(slots=True)
class _Run:
    """A tournament while it is simulated; `points` are those of the stage that is played."""

    setup: Setup
    skills: Sequence[float]
    rng: Random
    met: dict[tuple[int, int], int] = field(default_factory=dict)
    hands: list[tuple[int, int]] = field(default_factory=list)
    points: dict[int, float] = field(default_factory=dict)
    games: dict[int, int] = field(default_factory=dict)
    lost: dict[int, int] = field(default_factory=dict)
    out_since: dict[int, int] = field(default_factory=dict)
    tables: Tables = field(default_factory=list)
    rounds: int = 0

    def played(self) -> SimulatedTournament:
        members = self._shuffled(range(self.setup.players))
        out: list[int] = []
        for at, stage in enumerate(self.setup.stages):
            if at:
                through = self._through(stage, members)
                out = [player for player in members if player not in through] + out
                members = through
            self._begin(stage, members)
            members = self._stage(stage, members, ordered=at > 0)
        repeats = sum(count - 1 for count in self.met.values())
        return SimulatedTournament((*members, *out), repeats, tuple(self.hands))

    def _begin(self, stage: Stage, members: Sequence[int]) -> None:
        keeps = {"all": 1.0, "half": 0.5}.get(stage.carry, 0.0)
        self.points = {player: keeps * self.points.get(player, 0.0) for player in members}
        if stage.carry == "place points":
            self.points.update(zip(members, stage.carry_points, strict=False))
        self.games = dict.fromkeys(members, 0)
        self.lost, self.out_since, self.tables = dict.fromkeys(members, 0), {}, []

    def _stage(self, stage: Stage, members: Sequence[int], *, ordered: bool) -> list[int]:
        """Play a stage and return its players in order, the best first."""
        playing, order = list(members), list(members)
        rounds = _planned(len(members), self._size(stage), stage.rounds, self.setup.least)
        for number in range(stage.rounds):
            if stage.lives and number and len(playing) <= stage.until:
                break
            self.tables = self._seat(stage, playing, order, number, rounds, ordered=ordered or number > 0)
            self._round(stage)
            playing = [player for player in playing if player not in self.out_since]
            order = self._order(stage, members)
        return order

    def _size(self, stage: Stage) -> int:
        return stage.size or self.setup.size

    def _sizes(self, stage: Stage, players: int) -> tuple[int, ...]:
        sizes = table_sizes(players, self._size(stage), self.setup.least)
        return sizes if stage.tables is None else limit_tables(sizes, stage.tables, self.setup.most, "short tables")

    def _seat(
        self,
        stage: Stage,
        playing: Sequence[int],
        order: Sequence[int],
        number: int,
        rounds: Sequence[Sequence[Sequence[int]]],
        *,
        ordered: bool,
    ) -> Tables:
        format_ = FORMATS[stage.format]
        sizes = self._sizes(stage, len(playing))
        if format_.planned_ahead:
            return [[playing[place] for place in table] for table in rounds[number]]
        ranked = [player for player in order if player in set(playing)] if ordered else self._shuffled(playing)
        if format_.ordered_once:
            return (
                kept_groups(playing, self.tables, self.setup.least, self.setup.most)[0]
                if self.tables
                else _snake(ranked, sizes)
            )
        if format_.ranked_by == "last table":
            return ladder_tables(ranked, sizes, self.tables, (), ())[0]
        if _by_standings(format_):
            return _snake(ranked, sizes) if format_.equal_tables else self._neighbours(ranked, sizes)
        return self._neighbours(self._shuffled(playing), sizes, len(playing))

    def _neighbours(self, order: Sequence[int], sizes: Sequence[int], nearby: int = NEARBY) -> Tables:
        """Return tables of players near each other in the order, each with those whom the table has met least."""
        waiting, tables = list(order), []
        for size in sizes:
            table = [waiting.pop(0)]
            while len(table) < size:
                near = waiting[:nearby]
                best = min(range(len(near)), key=lambda at: (self._meetings(near[at], table), at))
                table.append(waiting.pop(best))
            tables.append(table)
        return tables

    def _meetings(self, player: int, table: Sequence[int]) -> int:
        return sum(self.met.get((min(player, other), max(player, other)), 0) for other in table)

    def _round(self, stage: Stage) -> None:
        """Play a round: points fall with skill; the tables are then in the order of their players' places."""
        share = len(stage.hands or range(self.setup.hands)) / self.setup.hands
        noise = sqrt(share)
        self.rounds += 1
        for table in self.tables:
            scores = {player: self.rng.gauss(-share * self.skills[player], noise) for player in table}
            for pair in combinations(sorted(table), 2):
                self.met[pair] = self.met.get(pair, 0) + 1
            table.sort(key=scores.__getitem__)
            gains = _gains(stage.table_points or self.setup.table_points, len(table))
            for place, player in enumerate(table):
                # Wins and table points are whole, so that the points of the games decide among equals.
                self.points[player] += scores[player] * (TIE_BREAK if gains else 1.0) - (gains[place] if gains else 0.0)
                self.games[player] += 1
            if stage.lives:
                self._lose(table[-1], stage.lives)
        hands = len(stage.hands) or self.setup.hands
        self.hands.append((hands, max(map(len, self.tables))))

    def _lose(self, player: int, lives: int) -> None:
        self.lost[player] += 1
        if self.lost[player] >= lives:
            self.out_since[player] = self.rounds

    def _order(self, stage: Stage, members: Sequence[int]) -> list[int]:
        """Return the players of a stage in order, as its format ranks them."""
        ranked_by = FORMATS[stage.format].ranked_by
        average = {player: self.points[player] / max(self.games[player], 1) for player in members}
        if ranked_by == "lives":
            return sorted(members, key=lambda each: (-self.out_since.get(each, 10**6), self.lost[each], average[each]))
        if ranked_by == "last table":
            rungs = {player: (at, place) for at, table in enumerate(self.tables) for place, player in enumerate(table)}
            return sorted(members, key=lambda each: rungs.get(each, (10**6, 0)))
        return sorted(members, key=average.__getitem__)

    def _through(self, stage: Stage, order: Sequence[int]) -> list[int]:
        """Return who goes through to a stage, the best first."""
        if stage.take == "of each table":
            firsts = {player for table in self.tables for player in sorted(table, key=order.index)[: stage.number]}
            return [player for player in order if player in firsts]
        places: dict[str, Callable[[], int]] = {
            "best": lambda: stage.number,
            "percent": lambda: max(self.setup.least, len(order) * stage.number // 100),
        }
        return list(order[: places.get(stage.take, lambda: len(order))()])

    def _shuffled(self, players: Sequence[int]) -> list[int]:
        mixed = list(players)
        self.rng.shuffle(mixed)
        return mixed


_PLANS: dict[tuple[int, int, int, int], Sequence[Sequence[Sequence[int]]]] = {}


def _planned(players: int, size: int, rounds: int, least: int) -> Sequence[Sequence[Sequence[int]]]:
    """Return the tables of a rotation, by places of the players; made once for all tournaments."""
    key = (players, size, rounds, least)
    if key not in _PLANS:
        _PLANS[key] = plan(players, size, rounds, "simulated", PlanWish(least=least)).rounds
    return _PLANS[key]


@cache
def _gains(table_points: str | None, size: int) -> tuple[float, ...]:
    """Return what each place of a table of that size gives; empty where the points of the game count."""
    return () if table_points is None else tuple(map(float, read_table_points(table_points).at(size)))


def _by_standings(format_: Format) -> bool:
    return format_.ordered_by == "standings"


def _snake(order: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Return tables of equal strength: along the order to and fro."""
    tables: Tables = [[] for _size in sizes]
    at, step = 0, 1
    for player in order:
        while len(tables[at]) >= sizes[at]:
            at, step = _next(at, step, len(sizes))
        tables[at].append(player)
        at, step = _next(at, step, len(sizes))
    return tables


def _next(at: int, step: int, number: int) -> tuple[int, int]:
    return (at, -step) if not 0 <= at + step < number else (at + step, step)
