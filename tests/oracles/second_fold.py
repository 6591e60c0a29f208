"""A second opinion on a whole database, which shares no code with the program.

Entries are read by sqlite3 alone, undone and redone, and folded into what must be shown; ratings come from the
trueskill package.
"""

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

import trueskill

Spot = tuple[int, int]
PUBLISHED = {"mu": 25.0, "sigma": 25 / 3, "beta": 25 / 6, "tau": 25 / 300, "draw": 0.01, "absence": 0.0}
GONE = ("withdrawn", "no-show")
BEST = ("checked in", "entered", "withdrawn", "no-show")


@dataclass
class Event:
    """One event; players by their number, `tables` and `results` by round and table."""

    day: str
    settings: dict[str, Any]
    entrants: dict[int, str] = field(default_factory=dict)
    tables: dict[Spot, list[int]] = field(default_factory=dict)
    results: dict[Spot, dict[str, Any] | None] = field(default_factory=dict)
    rulings: dict[int, dict[str, Any]] = field(default_factory=dict)
    finished: bool = False

    def drop_round(self, number: int) -> None:
        """Forget the seats of a round."""
        self.tables = {spot: there for spot, there in self.tables.items() if spot[0] != number}

    def played(self) -> dict[Spot, dict[str, Any]]:
        """The results that count."""
        return {spot: result for spot, result in self.results.items() if result is not None}

    def games(self, player: int) -> list[tuple[Spot, int, dict[str, Any]]]:
        """Where the player sat, at which seat, and with what result."""
        return [
            (spot, self.tables[spot].index(player), result)
            for spot, result in sorted(self.played().items())
            if player in self.tables[spot]
        ]

    def penalty(self, player: int) -> int:
        """Return the penalty points of the player's rulings that stand."""
        mine = (
            ruling for ruling in self.rulings.values() if ruling["kind"] == "penalty" and ruling["player"] == player
        )
        return sum(one["points"] for one in mine if one["stands"])

    def points(self, player: int) -> int:
        """Points of all games, with the penalties."""
        return sum(result["points"][seat] for _spot, seat, result in self.games(player)) + self.penalty(player)

    def won(self, player: int) -> set[tuple[int, int]]:
        """The hands that the player closed, as round and place of the hand."""
        return {
            (spot[0], place)
            for spot, seat, result in self.games(player)
            for place, hand in enumerate(result["hands"])
            if hand["closer"] == seat
        }

    def standings(self) -> set[tuple[int | None, int, int, int, int, int, int, str]]:
        """Rank, player, points, penalty, games, hands won, short games and state of everybody who is shown."""
        shown = [
            entrant
            for entrant in self.entrants
            if self.games(entrant) or self._ruled(entrant) or self._state(entrant) not in GONE
        ]
        rounds = len({spot[0] for spot in self.played()})
        minimum = self.settings["minimum"]
        needed = -(-rounds // 2) if minimum is None else min(minimum, rounds)
        ranked = [one for one in shown if self.games(one) and len(self.games(one)) >= needed]
        places = {one: 1 + sum(self._compare(other, one) < 0 for other in ranked) for one in ranked}
        return {(places.get(one), one, *self._row(one)) for one in shown}

    def order(self) -> list[int]:
        """The ranked players, best first; those level in any order."""
        rows = [row for row in self.standings() if row[0] is not None]
        return sorted((row[1] for row in rows), key=cmp_to_key(self._compare))

    def _row(self, player: int) -> tuple[int, int, int, int, int, str]:
        games = self.games(player)
        short = sum(result.get("short", 0) > 0 for _spot, _seat, result in games)
        won = len(self.won(player))
        return self.points(player), self.penalty(player), len(games), won, short, self._state(player)

    def _state(self, player: int) -> str:
        return self.entrants[player]

    def _ruled(self, player: int) -> bool:
        mine = (
            ruling for ruling in self.rulings.values() if ruling["kind"] == "penalty" and ruling["player"] == player
        )
        return any(one["stands"] for one in mine)

    def _compare(self, one: int, other: int) -> int:
        first, second = (Fraction(self.points(each), len(self.games(each))) for each in (one, other))
        if first != second:
            return -1 if first < second else 1
        ours, theirs = self.won(one), self.won(other)
        for hand in sorted(ours | theirs, reverse=True):
            if (hand in ours) != (hand in theirs):
                return -1 if hand in ours else 1
        return 0


@dataclass
class World:
    """Everything that the entries that stand add up to."""

    bots: set[int] = field(default_factory=set)
    events: dict[int, Event] = field(default_factory=dict)
    # Bots do not change, so that nothing is added to their sigma.
    pools: dict[str, dict[str, float]] = field(
        default_factory=lambda: {"people": dict(PUBLISHED), "bots": PUBLISHED | {"tau": 0.0}}
    )
    kinds: dict[int, str] = field(default_factory=dict)

    def take(self, kind: str, day: str, payload: dict[str, Any]) -> None:
        """Fold one entry. Raise KeyError for a kind that is not known here."""
        match kind:
            case "player.add":
                self.bots |= {player["id"] for player in payload["players"] if player["kind"] == "bot"}
            case "player.merge":
                for event in self.events.values():
                    _merge(event, payload["keep"], payload["gone"])
            case "event.new":
                self.events[payload["event"]] = Event(day, dict(payload))
            case "pool.new":
                self.kinds[payload["pool"]] = payload["kind"]
                self.pools[payload["kind"]] = _numbers(payload["parameters"])
            case "pool.set":
                self.pools[self.kinds[payload["pool"]]] |= _numbers(payload["changes"])
            case "player.rename" | "player.erase" | "rating.import":
                pass
            case _:
                _take_event(self.events[payload["event"]], kind, payload)

    def ratings(self, pool: str) -> dict[int, tuple[float, float, int, int]]:
        """mu, sigma, games and wins of everybody who played in the pool, as on the day of its last game."""
        numbers = self.pools[pool]
        newcomer = {"mu": numbers["mu"], "sigma": numbers["sigma"]}
        env = trueskill.TrueSkill(
            **newcomer, beta=numbers["beta"], tau=numbers["tau"], draw_probability=numbers["draw"]
        )
        skill: dict[int, Any] = {}
        last: dict[int, date] = {}
        games: dict[int, int] = defaultdict(int)
        wins: dict[int, int] = defaultdict(int)

        def on(day: date, player: int) -> Any:
            now = skill.get(player, env.create_rating())
            variance = now.sigma**2 + numbers["absence"] ** 2 * (day - last.get(player, day)).days / 365.25
            return env.create_rating(now.mu, max(now.sigma, min(variance**0.5, numbers["sigma"])))

        for day, players, places in self._tables(pool):
            rated = env.rate([(on(day, player),) for player in players], ranks=places)
            for player, place, (after,) in zip(players, places, rated, strict=True):
                skill[player], last[player] = after, day
                games[player] += 1
                wins[player] += place == 1
        end = max(last.values(), default=date.min)
        shown = {player: on(end, player) for player in skill}
        return {player: (rating.mu, rating.sigma, games[player], wins[player]) for player, rating in shown.items()}

    def _tables(self, pool: str) -> list[tuple[date, list[int], list[int]]]:
        found = []
        for number, event in self.events.items():
            for spot, result in event.played().items():
                players = event.tables[spot]
                bots = sum(player in self.bots for player in players)
                kind = "people" if bots == 0 else "bots" if bots == len(players) else "joint"
                if kind == pool:
                    day = event.settings["date"] or event.day
                    found.append(((day, number, spot), players, result["places"]))
        return [(date.fromisoformat(day), players, places) for (day, *_place), players, places in sorted(found)]


def _numbers(payload: dict[str, str]) -> dict[str, float]:
    return {name: float(text) for name, text in payload.items()}


def _take_event(event: Event, kind: str, payload: dict[str, Any]) -> None:
    match kind:
        case "event.enter":
            event.entrants |= dict.fromkeys(payload["players"], "entered")
        case "event.checkin":
            event.entrants |= dict.fromkeys(payload["players"], "checked in")
        case "event.withdraw":
            event.entrants |= dict.fromkeys(payload["players"], payload["how"])
        case "event.return":
            event.entrants |= dict.fromkeys(payload["players"], payload["state"])
        case "event.set":
            event.settings |= payload["changes"]
        case "event.finish" | "event.reopen":
            event.finished = kind == "event.finish"
        case "round.draw" | "round.move":
            event.drop_round(payload["round"])
            event.tables |= {(payload["round"], table["table"]): list(table["players"]) for table in payload["tables"]}
        case "round.cancel":
            event.drop_round(payload["round"])
            event.results = {spot: one for spot, one in event.results.items() if spot[0] != payload["round"]}
        case "result.enter" | "result.correct":
            event.results[payload["round"], payload["table"]] = payload
        case "result.void":
            event.results[payload["round"], payload["table"]] = None
        case "result.drop":
            """Half a sheet is nothing that counts."""
        case "ruling.add":
            event.rulings[payload["ruling"]] = {**payload, "stands": True}
        case "ruling.cancel":
            event.rulings[payload["ruling"]]["stands"] = False
        case _:
            raise KeyError(kind)


def _merge(event: Event, keep: int, gone: int) -> None:
    states = [event.entrants.pop(one) for one in (keep, gone) if one in event.entrants]
    if states:
        event.entrants[keep] = min(states, key=BEST.index)
    event.tables = {spot: [keep if one == gone else one for one in there] for spot, there in event.tables.items()}
    for ruling in event.rulings.values():
        ruling["player"] = keep if ruling["player"] == gone else ruling["player"]


def fold(db: str) -> World:
    """Return the world that the journal's entries give, without those that were undone."""
    with closing(sqlite3.connect(db)) as connection:
        texts = [row[0] for row in connection.execute("SELECT text FROM act ORDER BY number")]
    acts = [json.loads(text) for text in texts]
    standing: list[str] = []
    undone: list[str] = []
    for act in acts:
        if act["kind"] == "undo":
            undone.append(standing.pop())
        elif act["kind"] == "redo":
            standing.append(undone.pop())
        else:
            undone.clear()
            if act["kind"] != "player.erase" and act["batch"] not in standing:
                standing.append(act["batch"])
    world = World()
    for act in acts:
        if act["batch"] in standing and act["kind"] not in ("undo", "redo", "player.erase"):
            world.take(act["kind"], act["time"][:10], act["payload"])
    return world
