"""Compute standings and ratings from a database a second time, without code of the program.

sqlite3 reads the entries of the journal; undone ones are left out and the others folded into events. Ratings come from
the package trueskill.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cmp_to_key
from typing import Any, TypeVar

import trueskill

Spot = tuple[int, int]
"""Round and table."""

Constraint = tuple[str, frozenset[int], int | None]
"""The kind of a constraint, the players it names, and the table that is needed."""

Kept = TypeVar("Kept")

PUBLISHED = {"mu": 25.0, "sigma": 25 / 3, "beta": 25 / 6, "tau": 25 / 300, "draw": 0.01, "absence": 0.0}
GONE = ("withdrawn", "no-show")
COUNTS_FOR_NOTHING = {
    *("player.rename", "player.erase", "player.publish", "rating.import", "rating.remove", "rating.alias"),
    *("event.use", "event.import", "columns.name", "round.substitute", "round.clock"),
    *("season.new", "season.set", "season.add", "season.remove", "season.delete"),
}
"""The kinds of entries that change neither standings nor ratings."""
STATES = ("checked in", "entered", "withdrawn", "no-show")
"""The states of an entrant; of two merged entrants the earlier state here is kept."""


@dataclass
class Event:
    """One event: `entrants` have states by player number; `tables` and `results` are by round and table.

    `partial` has the players of each partial sheet of a table, `unpublished` the rounds that were not published,
    `flags` the answer of each flag, "" for none.
    """

    day: str
    settings: dict[str, Any]
    entrants: dict[int, str] = field(default_factory=dict)
    tables: dict[Spot, list[int]] = field(default_factory=dict)
    results: dict[Spot, dict[str, Any] | None] = field(default_factory=dict)
    rulings: dict[int, dict[str, Any]] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    partial: dict[Spot, list[list[int]]] = field(default_factory=dict)
    flags: dict[int, str] = field(default_factory=dict)
    unpublished: set[int] = field(default_factory=set)
    finished: bool = False

    def drafts(self) -> set[int]:
        """Return the rounds that were not published and have no result."""
        return self.unpublished - {spot[0] for spot in self.results}

    def drop_round(self, number: int) -> None:
        """Remove the tables of a round."""
        self.tables = _without_round(self.tables, number)

    def played(self) -> dict[Spot, dict[str, Any]]:
        """Return the results that are not void."""
        return {spot: result for spot, result in self.results.items() if result is not None}

    def games(self, player: int) -> list[tuple[Spot, int, dict[str, Any]]]:
        """Return the player's games: round and table, seat, result."""
        return [
            (spot, self.tables[spot].index(player), result)
            for spot, result in sorted(self.played().items())
            if player in self.tables[spot]
        ]

    def penalty(self, player: int) -> int:
        """Return the penalty points of the player's rulings that stand."""
        return sum(ruling["points"] for ruling in self._penalties(player))

    def points(self, player: int) -> int:
        """Return the player's points of all games and penalties."""
        return sum(result["points"][seat] for _spot, seat, result in self.games(player)) + self.penalty(player)

    def won(self, player: int) -> set[tuple[int, int]]:
        """Return the hands that the player closed, as round and index of the hand."""
        return {
            (spot[0], index)
            for spot, seat, result in self.games(player)
            for index, hand in enumerate(result["hands"])
            if hand["closer"] == seat
        }

    def standings(self) -> set[tuple[int | None, int, int, int, int, int, int, str]]:
        """Return rank, player, points, penalty, games, hands won, short games and state of all listed players."""
        shown = [
            entrant
            for entrant in self.entrants
            if self.games(entrant) or self._penalties(entrant) or self.entrants[entrant] not in GONE
        ]
        rounds = len({spot[0] for spot in self.played()})
        minimum = self.settings["minimum"]
        needed = -(-rounds // 2) if minimum is None else min(minimum, rounds)
        ranked = [player for player in shown if self.games(player) and len(self.games(player)) >= needed]
        ranks = {player: 1 + sum(self._compare(other, player) < 0 for other in ranked) for player in ranked}
        return {(ranks.get(player), player, *self._row(player)) for player in shown}

    def order(self) -> list[int]:
        """Return the ranked players, best first; players of one rank are in any order."""
        rows = [row for row in self.standings() if row[0] is not None]
        return sorted((row[1] for row in rows), key=cmp_to_key(self._compare))

    def _row(self, player: int) -> tuple[int, int, int, int, int, str]:
        games = self.games(player)
        short = sum(result.get("short", 0) > 0 for _spot, _seat, result in games)
        won = len(self.won(player))
        return self.points(player), self.penalty(player), len(games), won, short, self.entrants[player]

    def _penalties(self, player: int) -> list[dict[str, Any]]:
        """Return the player's penalties that stand."""
        return [
            ruling
            for ruling in self.rulings.values()
            if (ruling["kind"], ruling["player"], ruling["stands"]) == ("penalty", player, True)
        ]

    def _compare(self, first: int, second: int) -> int:
        mean, other_mean = (Fraction(self.points(player), len(self.games(player))) for player in (first, second))
        if mean != other_mean:
            return -1 if mean < other_mean else 1
        won, other_won = self.won(first), self.won(second)
        for hand in sorted(won | other_won, reverse=True):
            if (hand in won) != (hand in other_won):
                return -1 if hand in won else 1
        return 0


@dataclass
class World:
    """The bots, events and pools that follow from the entries which are not undone."""

    bots: set[int] = field(default_factory=set)
    events: dict[int, Event] = field(default_factory=dict)
    # Bots do not change, so their tau is 0.
    pools: dict[str, dict[str, float]] = field(
        default_factory=lambda: {"people": dict(PUBLISHED), "bots": PUBLISHED | {"tau": 0.0}}
    )
    kinds: dict[int, str] = field(default_factory=dict)
    editions: list[dict[str, Any]] = field(default_factory=list)

    def take(self, kind: str, day: str, payload: dict[str, Any]) -> None:
        """Apply one entry, made on `day`. Raises KeyError for a kind that this module does not know."""
        match kind:
            case "player.add":
                self.bots |= {player["id"] for player in payload["players"] if player["kind"] == "bot"}
            case "player.merge":
                for event in self.events.values():
                    _merge(event, payload["keep"], payload["gone"])
            case "event.new":
                self.events[payload["event"]] = Event(day, dict(payload))
            case "event.delete":
                del self.events[payload["event"]]
            case "pool.new":
                self.kinds[payload["pool"]] = payload["kind"]
                self.pools[payload["kind"]] = _numbers(payload["parameters"])
            case "pool.set":
                self.pools[self.kinds[payload["pool"]]] |= _numbers(payload["changes"])
            case "rating.publish":
                self.editions.append(payload)
            case _ if kind in COUNTS_FOR_NOTHING:
                pass
            case _:
                _take_event(self.events[payload["event"]], kind, payload)

    def ratings(self, pool: str, as_of: str = "") -> dict[int, tuple[float, float, int, int]]:
        """Return mu, sigma, games and wins of everybody who played in the pool up to the day `as_of`, as of that day.

        Without a day, all games count, and the ratings are as of the day of the last one.
        """
        numbers = self.pools[pool]
        newcomer = {"mu": numbers["mu"], "sigma": numbers["sigma"]}
        env = trueskill.TrueSkill(
            **newcomer, beta=numbers["beta"], tau=numbers["tau"], draw_probability=numbers["draw"]
        )
        skill: dict[int, Any] = {}
        last: dict[int, date] = {}
        games: dict[int, int] = defaultdict(int)
        wins: dict[int, int] = defaultdict(int)

        def skill_on(day: date, player: int) -> Any:
            kept = skill.get(player, env.create_rating())
            variance = kept.sigma**2 + numbers["absence"] ** 2 * (day - last.get(player, day)).days / 365.25
            return env.create_rating(kept.mu, max(kept.sigma, min(variance**0.5, numbers["sigma"])))

        for day, players, places in self._tables(pool):
            if as_of and day.isoformat() > as_of:
                break
            rated = env.rate([(skill_on(day, player),) for player in players], ranks=places)
            for player, place, (after,) in zip(players, places, rated, strict=True):
                skill[player], last[player] = after, day
                games[player] += 1
                wins[player] += place == 1
        end = date.fromisoformat(as_of) if as_of else max(last.values(), default=date.min)
        shown = {player: skill_on(end, player) for player in skill}
        return {player: (rating.mu, rating.sigma, games[player], wins[player]) for player, rating in shown.items()}

    def wrong_editions(self, pool: str = "people") -> list[int]:
        """Return the numbers of the editions that, with the corrections of all later ones, are not what is rated now.

        The journal must end with the last edition, which has the corrections of everything before it.
        """
        published = [edition for edition in self.editions if edition["name"] == pool]
        wrong = []
        for edition in published:
            rows = {row["player"]: row for row in edition["rows"]}
            for correction in (each for later in published for each in later["corrections"]):
                if correction["edition"] == edition["edition"]:
                    rows |= {row["player"]: row["after"] for row in correction["rows"]}
            found = {player: row for player, row in rows.items() if row is not None}
            rated = self.ratings(pool, edition["as_of"])
            if found.keys() != rated.keys() or not all(_near(found[player], rated[player]) for player in rated):
                wrong.append(edition["edition"])
        return wrong

    def _tables(self, pool: str) -> list[tuple[date, list[int], list[int]]]:
        """Return day, players and places of the pool's games, in the order in which they are rated."""
        games = []
        for number, event in self.events.items():
            for spot, result in event.played().items():
                players = event.tables[spot]
                bots = sum(player in self.bots for player in players)
                kind = "people" if bots == 0 else "bots" if bots == len(players) else "joint"
                if kind == pool:
                    day = event.settings["date"] or event.day
                    games.append(((day, number, spot), players, result["places"]))
        return [(date.fromisoformat(day), players, places) for (day, *_place), players, places in sorted(games)]


def _near(row: dict[str, Any], rated: tuple[float, float, int, int]) -> bool:
    mu, sigma, games, _wins = rated
    return row["games"] == games and max(abs(float(row["mu"]) - mu), abs(float(row["sigma"]) - sigma)) <= 1e-9


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
        case "event.wish":
            event.constraints = [
                (row["kind"], frozenset(row.get("players", ())), row.get("table")) for row in payload["wishes"]
            ]
        case "event.finish" | "event.reopen":
            event.finished = kind == "event.finish"
        case "round.draw" | "round.move" | "round.dissolve":
            event.drop_round(payload["round"])
            if kind == "round.dissolve":
                event.results.pop((payload["round"], payload["table"]), None)
            event.tables |= {(payload["round"], table["table"]): list(table["players"]) for table in payload["tables"]}
            if payload.get("draft"):
                event.unpublished.add(payload["round"])
        case "round.publish":
            event.unpublished.discard(payload["round"])
        case "round.cancel":
            event.drop_round(payload["round"])
            event.unpublished.discard(payload["round"])
            event.results = _without_round(event.results, payload["round"])
            event.partial = _without_round(event.partial, payload["round"])
        case "result.enter" | "result.correct" | "result.void":
            spot = payload["round"], payload["table"]
            event.results[spot] = None if kind == "result.void" else payload
            event.partial.pop(spot, None)
        case "result.partial":
            event.partial.setdefault((payload["round"], payload["table"]), []).append(list(payload["people"]))
        case "result.drop":
            event.partial.pop((payload["round"], payload["table"]), None)
        case "flag.raise" | "flag.answer":
            event.flags[payload["flag"]] = payload.get("answer", "")
        case "ruling.add":
            event.rulings[payload["ruling"]] = {**payload, "stands": True}
        case "ruling.cancel":
            event.rulings[payload["ruling"]]["stands"] = False
        case _:
            raise KeyError(kind)


def _without_round(at: dict[Spot, Kept], number: int) -> dict[Spot, Kept]:
    return {spot: kept for spot, kept in at.items() if spot[0] != number}


def _merge(event: Event, keep: int, gone: int) -> None:
    states = [event.entrants.pop(player) for player in (keep, gone) if player in event.entrants]
    if states:
        event.entrants[keep] = min(states, key=STATES.index)

    def one(players: Iterable[int]) -> list[int]:
        return [keep if player == gone else player for player in players]

    event.tables = {spot: one(players) for spot, players in event.tables.items()}
    event.partial = {spot: list(map(one, sheets)) for spot, sheets in event.partial.items()}
    event.constraints = [(kind, frozenset(one(players)), table) for kind, players, table in event.constraints]
    for ruling in event.rulings.values():
        ruling["player"] = keep if ruling["player"] == gone else ruling["player"]


def fold(db: str) -> World:
    """Return what follows from the entries of the journal, without those that are undone."""
    with closing(sqlite3.connect(db)) as connection:
        texts = [row[0] for row in connection.execute("SELECT text FROM act ORDER BY number")]
    entries = [json.loads(text) for text in texts]
    for entry in entries:
        known = {"v", "id", "kind", "time", "batch", "payload"} | {1: set(), 2: {"by"}, 3: {"by", "origin"}}[entry["v"]]
        assert set(entry) == known, entry
    # What did not stand when its event was imported does nothing here.
    entries = [entry for entry in entries if entry.get("origin", {"state": "stands"})["state"] == "stands"]
    standing: list[str] = []
    undone: list[str] = []
    for entry in entries:
        if entry["kind"] == "undo":
            standing.remove(entry["payload"]["batch"])
            undone.append(entry["payload"]["batch"])
        elif entry["kind"] == "redo":
            standing.append(undone.pop())
        else:
            undone.clear()
            if entry["kind"] != "player.erase" and entry["batch"] not in standing:
                standing.append(entry["batch"])
    world = World()
    for entry in entries:
        if entry["batch"] in standing and entry["kind"] not in ("undo", "redo", "player.erase"):
            world.take(entry["kind"], entry["time"][:10], entry["payload"])
    return world
