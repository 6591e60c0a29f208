"""Check the exported file of an event, and compute its standings, from the page event-file.md of the guide alone.

`python tests/oracles/verify_event.py FILE [CODE]` prints the standings, and with CODE, the 16 digits on a paper, the
entry at which it stood and the standings then. It exits with 0, with 1 and a line for each fault, or with 2 for usage.
"""

import hashlib
import json
import re
import sys
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

Value = dict[str, Any]
Row = tuple[int | None, str, int, int, int]  # rank or None, name, games, points or money, penalty
Found = tuple[tuple[int, int], list[int], Value]  # round and table, players, outcome
Faults = dict[tuple[int, str], None]  # the number of a line and what is wrong there, each once
PARTS = {
    "header": {"format", "version"},
    "entries": {"id", "kind", "time", "batch", "payload"},
    "people": {"person"},
    "records": {"record", "text"},
    "end": {"entries", "people", "records", "head"},
}
"""The parts of the file in their order, with the keys that their lines must have."""
KINDS = (
    r"event\.(new|set|wish|finish|reopen|enter|checkin|withdraw|return)|round\.(draw|publish|substitute|move|dissolve|cancel"
    r"|clock)"
    r"|result\.(enter|correct|void|partial|drop)|ruling\.(add|cancel)|flag\.(raise|answer)|player\.merge|undo|redo"
)
STATES = ("checked in", "entered", "withdrawn", "no-show")


@dataclass(frozen=True)
class Line:
    """A line of the file, with its number, its hash and its JSON as text and as a value."""

    number: int
    digits: str
    text: str
    value: Value

    def note(self, faults: Faults, check: Callable[[], Iterable[str]]) -> None:
        """Note what a check finds in this line; values of a wrong type are a fault, too."""
        try:
            faults |= dict.fromkeys((self.number, text) for text in check())
        except (LookupError, TypeError, ValueError, AttributeError):
            faults[self.number, "its values are not such as the page describes"] = None


@dataclass(frozen=True)
class Event:
    """An event as the entries that stand make it; tables and results are by round and number of the table."""

    settings: Value = field(default_factory=dict)
    entrants: dict[int, str] = field(default_factory=dict)
    tables: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    results: dict[tuple[int, int], Value | None] = field(default_factory=dict)
    rulings: dict[int, Value] = field(default_factory=dict)
    flags: set[int] = field(default_factory=set)

    def take(self, kind: str, payload: Value) -> Iterator[str]:
        """Change the event by an entry that stands; yield why it cannot stand here."""
        yield from getattr(self, "take_" + kind.partition(".")[0])(kind.partition(".")[2], payload)

    def take_event(self, verb: str, payload: Value) -> Iterator[str]:
        players = set(payload.get("players", []))
        if (self.entrants.keys() & players) if verb == "enter" else (players - self.entrants.keys()):
            yield "somebody is entered already, or not entered"
        if (verb == "new") == bool(self.settings):
            yield "an event is created once, and first"
        if verb in ("new", "set"):
            self.settings.update(payload.get("changes", payload))
        state = payload.get("how") or payload.get("state") or ("entered" if verb == "enter" else "checked in")
        self.entrants.update(dict.fromkeys(players, state))

    def take_round(self, verb: str, payload: Value) -> Iterator[str]:
        """Seat a round, or remove it; tables with a result that counts stay as they are."""
        tables = {(payload["round"], each["table"]): each["players"] for each in payload.get("tables", ())}
        old = {spot: players for spot, players in self.tables.items() if spot[0] == payload["round"]}
        if bool(old) == (verb == "draw"):
            yield f"round {payload['round']} is {'drawn already' if old else 'not drawn'}"
        seated = [player for players in (*tables.values(), payload.get("out", [])) for player in players]
        if len(set(seated)) < len(seated) or set(seated) - self.entrants.keys():
            yield "somebody is seated twice, or not entered"
        for spot in old if verb not in ("clock", "publish", "substitute") else ():
            if verb != "cancel" and self.results.get(spot) and tables.get(spot) != old[spot]:
                yield f"table {spot[1]} has a result"
            if spot not in tables:
                self.results.pop(spot, None)
            del self.tables[spot]
        self.tables.update(tables)

    def take_result(self, verb: str, payload: Value) -> Iterator[str]:
        spot = payload["round"], payload["table"]
        if spot not in self.tables:
            yield f"round {spot[0]} has no table {spot[1]}"
        elif verb in ("partial", "drop"):
            return
        elif bool(self.results.get(spot)) == (verb == "enter") and not (verb == "correct" and spot in self.results):
            yield f"the table has {'a result already' if verb == 'enter' else 'no result'}"
        elif verb != "void" and len(payload["points"]) != len(self.tables[spot]):
            yield "the result has not as many seats as the table"
        self.results[spot] = None if verb == "void" else payload

    def take_ruling(self, verb: str, payload: Value) -> Iterator[str]:
        if (verb == "add") == (payload["ruling"] in self.rulings):
            yield f"ruling {payload['ruling']} is {'not there' if verb == 'cancel' else 'there already'}"
        self.rulings[payload["ruling"]] = payload

    def take_flag(self, verb: str, payload: Value) -> Iterator[str]:
        if (verb == "raise") == (payload["flag"] in self.flags):
            yield f"flag {payload['flag']} is {'there already' if verb == 'raise' else 'not there'}"
        self.flags.add(payload["flag"])

    def take_player(self, _: str, payload: Value) -> Iterator[str]:
        keep, gone = payload["keep"], payload["gone"]
        for spot, players in self.tables.items():
            self.tables[spot] = [keep if player == gone else player for player in players]
            yield from ["both have a seat at one table"] * (self.tables[spot].count(keep) > 1)
        for number, each in self.rulings.items():
            self.rulings[number] = each | ({"player": keep} if each.get("player") == gone else {})
        for stage in self.settings.get("stages", ()):
            if stage.get("players"):
                stage["players"] = list(
                    dict.fromkeys(keep if player == gone else player for player in stage["players"])
                )
        if states := [self.entrants.pop(player) for player in (keep, gone) if player in self.entrants]:
            self.entrants[keep] = min(states, key=STATES.index)

    def standings(self, names: dict[int, str]) -> list[Row]:
        """Return the rows in order, those without a rank at the end, or at the end of their stage."""
        stages = [stage for stage in self.settings.get("stages", ()) if stage.get("first")]
        if not stages:
            rows, _ = self.ranked(names, self.entrants, range(10**6), range(10**6), self.settings.get("minimum"))
            return [row for _, row in rows]
        listed: dict[int, Row] = {}
        tables = [self.stage(names, at) for at in range(len(stages))]
        for table, _ in reversed(tables):
            new = {player: row for player, row in table if player not in listed}
            ranks = [row[0] for row in new.values() if row[0]]
            first = 1 + len(listed)
            for player, (rank, *rest) in new.items():
                listed[player] = (first + sum(each < rank for each in ranks) if rank else None, *rest)
        return list(listed.values())

    def ranked(
        self,
        names: dict[int, str],
        players: Collection[int],
        counted: Container[int],
        fined: Container[int],
        least: int | None,
        carried: dict[int, int] | None = None,
        bands: dict[int, tuple[int, ...]] | None = None,
        last: Container[int] | None = None,
    ) -> tuple[list[tuple[int, Row]], dict[int, int]]:
        """Return the rows of these players with their numbers, by the rounds that are `counted`, and their points.

        Penalties count in the rounds `fined`. Those given outside of a round count for players in `last`.
        """
        found = [(spot[0], self.tables[spot], outcome) for spot, outcome in self.results.items() if outcome]
        results = [each for each in found if each[0] in counted]
        rounds = len({number for number, _, _ in results})
        needed = max(1, (rounds + 1) // 2 if least is None else min(least, rounds))
        kind, sign = ("money", -1) if any("money" in outcome for *_, outcome in results) else ("points", 1)
        penalties = [each for each in self.rulings.values() if each.get("kind") == "penalty"]
        rows, totals = [], {}
        seats = [player for _, at, _ in results for player in at if player in players]
        full = max(map(seats.count, seats), default=0)
        differ = len(set(map(seats.count, seats))) > 1
        for player, state in self.entrants.items():
            if player not in players:
                continue
            alone = last is None or player in last
            own = [
                each["points"]
                for each in penalties
                if each["player"] == player and (alone if each["round"] is None else each["round"] in fined)
            ]
            games = [(number, at.index(player), outcome) for number, at, outcome in results if player in at]
            total = sum(outcome[kind][seat] for _, seat, outcome in games) + sign * sum(own)
            brought = (carried or {}).get(player, 0)
            mean = Fraction(total, len(games)) + Fraction(brought, full) if games else Fraction(0)
            total += brought
            totals[player] = int(mean * full // 1) if games and differ and kind == "points" else total
            if games or own or state not in STATES[2:]:
                order = order_of(kind, total, mean, games) if len(games) >= needed else None
                band = (bands or {}).get(player, ())
                rows.append(
                    ((band, order) if order else None, band, player, names[player], len(games), total, sum(own))
                )
        keys = [order for order, *_ in rows if order]
        table = [
            (1 + sum(key < order for key in keys) if order else None, band, player, rest)
            for order, band, player, *rest in rows
        ]
        table.sort(key=lambda row: (row[0] or len(table) + 1, row[1][:1], row[3]))
        return [(player, (rank, *rest)) for rank, _, player, rest in table], totals

    def stage(self, names: dict[int, str], at: int) -> tuple[list[tuple[int, Row]], dict[int, int]]:
        """Return the rows of a stage that has begun, with the numbers of their players, and their points."""
        stages = [stage for stage in self.settings["stages"] if stage.get("first")]
        stage, later = stages[at], stages[at + 1] if at + 1 < len(stages) else None
        ends = [each["first"] for each in stages[1:]] + [10**6]
        own, begins = range(stage["first"] if at else 0, ends[at]), at
        while stages[begins].get("carry") == "all":
            begins -= 1
        counted = range(stages[begins]["first"] if begins else 0, ends[at])
        found = [(spot, self.tables[spot], each) for spot, each in self.results.items() if each and spot[0] in own]
        seated = {player for _, players, _ in found for player in players}
        members = {*self.members(stage), *seated}
        given = stage.get("carry_points", [])
        carried = {
            player: given[min(at, len(given) - 1)] for at, player in enumerate(stage.get("players", ())) if given
        }
        if stage.get("carry") == "half":
            carried = {player: points // 2 for player, points in self.stage(names, at - 1)[1].items()}
        bands = {player: self.band(stage, later, player, found) for player in members}
        least = 0 if stage.get("lives") else self.settings.get("minimum")
        last = {player for player in members if not any(player in self.members(each) for each in stages[at + 1 :])}
        drawn = max(number for number, _table in self.tables) if self.tables else 0
        fined = range(counted.start, min(counted.stop, drawn + 1))
        rows, totals = self.ranked(names, members, counted, fined, least, carried, bands, last)
        if at and not any(row[2] for _, row in rows):
            order = [*stage["players"], *(player for player, _ in rows)]
            rows.sort(key=lambda row: (self.entrants[row[0]] in STATES[2:], order.index(row[0])))
            rows = [(player, (place, *row[1:])) for place, (player, row) in enumerate(rows, 1)]
        return rows, totals

    def members(self, stage: Value) -> Collection[int]:
        return stage.get("players") or self.entrants

    def band(self, stage: Value, later: Value | None, player: int, found: Sequence[Found]) -> tuple[int, ...]:
        """Return what ranks a player of a stage before points, the least first."""
        games = [(spot, players.index(player), each) for spot, players, each in found if player in players]
        behind = len(games) < stage["rounds"] and self.entrants[player] in STATES[2:]
        lost = [
            spot[0] for spot, seat, each in games if each["places"][seat] == max(each["places"]) != min(each["places"])
        ]
        alive = stage.get("format") != "knock-out" or len(lost) < stage["lives"]
        last = stage["first"] + (later["first"] - stage["first"] if later else stage["rounds"]) - 1
        left = behind and alive and not any(spot[0] == last for spot, _, _ in games)
        out = later is not None and player not in later["players"]
        behind = (left and (later is None or out)) + out
        if stage.get("format") == "knock-out":
            return (behind, 0, len(lost)) if alive else (behind, 1, -max(lost))
        if stage.get("format") == "ladder":
            last = max((spot[0] for spot, _, _ in found), default=0)
            at = [(spot[1], each["places"][seat]) for spot, seat, each in games if spot[0] == last]
            return (behind, *at[0]) if at else (behind, 10**6, 0)
        return (behind,)


def order_of(kind: str, total: int, mean: Fraction, games: Sequence[tuple[int, int, Value]]) -> tuple[Any, ...]:
    """Return what ranks a player, the least first; who has no further closed hand is behind."""
    if kind == "money":
        return -total, Fraction(sum(outcome["places"][seat] for _, seat, outcome in games), len(games))
    closed: list[tuple[int, int]] = []
    for number, seat, outcome in games:
        closed += [(-number, -at) for at, hand in enumerate(outcome["hands"]) if hand["closer"] == seat]
    return mean, [*sorted(closed), (1, 1)]


def verify(data: bytes) -> tuple[list[str], list[Line], dict[int, str]]:
    """Return the faults of an exported file, its entries, and the names of its people."""
    faults: Faults = {}
    lines = read(data, faults)
    parts = {part: [line for line in lines if keys <= line.value.keys()] for part, keys in PARTS.items()}
    check_file(lines, parts, faults)
    event = fold(parts["entries"], faults)
    names = {} if faults else {line.value["person"]: shown(line.value) for line in parts["people"]}
    if not faults:
        listed = partial(event.standings, dict.fromkeys(event.entrants, "") | names)
        lines[-1].note(faults, lambda: ("an entrant is not among the people" for row in listed() if not row[1]))
    return [f"line {number}: {text}" for number, text in sorted(faults)], parts["entries"], names


def shown(person: Value) -> str:
    name: str = person.get("name") or person.get("bot") or f"person {person['person']}"
    return f"{name} ({person['label']})" if "label" in person else name


def read(data: bytes, faults: Faults) -> list[Line]:
    """Return all lines that have digits and a canonical JSON object."""
    *raws, rest = data.split(b"\n")
    if rest or not raws:
        faults[len(raws) + 1, "it does not end with a line feed: the file is cut off"] = None
    lines = []
    for number, raw in enumerate(raws, 1):
        digits, _, text = raw.partition(b" ")
        try:
            value = json.loads(text, parse_float=int, parse_constant=int)  # int refuses what is not a whole number
            again = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            again = b""
        if again == text and isinstance(value, dict) and re.fullmatch(b"[0-9a-f]{64}", digits):
            lines.append(Line(number, digits.decode(), text.decode(), value))
        else:
            faults[number, "it is not 64 digits, a blank and an object in canonical JSON"] = None
    return lines


def check_file(lines: Sequence[Line], parts: dict[str, list[Line]], faults: Faults) -> None:
    """Check the chain as far as its first wrong line, the order of the lines, and all lines but entries."""
    chain = zip(("", *(line.digits for line in lines)), lines, strict=False)
    hashed = ((hashlib.sha256(f"{before}\n{line.text}".encode()).hexdigest(), line) for before, line in chain)
    if wrong := next((line for digits, line in hashed if digits != line.digits), None):
        faults[wrong.number, "its digits do not follow from it and the line before: the file was changed here"] = None
    orderly = [*(line for part in parts.values() for line in part), None]
    if wrong := next((line for line, due in zip(lines, orderly, strict=False) if line is not due), None):
        faults[wrong.number, "such a line does not belong here"] = None
    if [line.value for line in parts["header"]] != [{"format": "tourney event", "version": 1}]:
        faults[1, "the file has not one header, of version 1"] = None
    for number, line in enumerate(parts["people"], 1):
        if line.value["person"] != number:
            faults[line.number, f"it should be person {number}"] = None
    for line in parts["records"]:
        if hashlib.sha256(str(line.value.get("text")).encode()).hexdigest() != line.value["record"]:
            faults[line.number, "the record is not the hash of its text"] = None
    end: Value = {part: len(parts[part]) for part in ("entries", "people", "records")}
    end["head"] = parts["entries"][-1].digits if parts["entries"] else None
    if [line.value for line in parts["end"]] != [end] or not parts["entries"]:
        faults[len(lines), f"the file has not one end, with {end['entries']} entries and {end['people']} people"] = None


def entry_faults(entry: Value, batch: str, ids: set[str], ways: set[str]) -> Iterator[str]:
    """Yield a wrong id, batch or time, and a wrong result, even one that was undone."""
    if entry["id"] in ids or entry["batch"] not in (entry["id"], batch):
        yield "its id is not new, or its batch is neither its id nor the batch of the entry before"
    ids.add(entry["id"])
    if not re.fullmatch(r"[0-9a-f]{32}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", entry["id"] + entry["time"]):
        yield "its id is not 32 digits, or its time is not written like 2026-11-20T20:00:00.000000Z"
    if not re.fullmatch(KINDS, entry["kind"]):
        yield f"{entry['kind']} is not a kind of entry"
    if entry["kind"] in ("result.enter", "result.correct"):
        yield from outcome_faults(entry["payload"], ways)


def outcome_faults(outcome: Value, ways: set[str]) -> Iterator[str]:
    """Yield wrong sums and places; keep in `ways` how ties may be broken by this and all earlier results."""
    hands, extra, zero = outcome["hands"], outcome.get("extra"), [0] * len(outcome["points"])
    for seat, (points, won) in enumerate(zip(outcome["points"], outcome["hands_won"], strict=True)):
        due = (extra or zero)[seat] + sum(hand["points"][seat] - hand.get("off", zero)[seat] for hand in hands)
        closed = sum(hand["closer"] == seat for hand in hands)
        if (points, won) != (due, closed):
            yield f"seat {seat} has {points} points and {won} hands won, but by its hands {due} and {closed}"
    right = {way for way in ways if "money" in outcome or places(outcome, way) == outcome["places"]}
    if not right:
        yield f"the places {outcome['places']} do not follow from the points, or equal points not as in results before"
    ways &= right or ways


def places(outcome: Value, way: str) -> list[int]:
    """Return the places if equal points share one, or else if who closed the more recent hand is ahead."""
    closed = {hand["closer"]: at for at, hand in enumerate(outcome["hands"], 1)}
    keys = [(points, -closed.get(seat, 0) * (way == "recent")) for seat, points in enumerate(outcome["points"])]
    return [1 + sum(other < key for other in keys) for key in keys]


def fold(entries: Sequence[Line], faults: Faults) -> Event:
    """Return the event after these entries, and note what contradicts the entries that stand before it."""
    event, made, gone, again = Event(), list[Line](), list[str](), list[str]()
    batch, ids, ways = "", set[str](), {"shared", "recent"}
    for line in entries:
        kind, payload = line.value["kind"], line.value["payload"]
        line.note(faults, partial(entry_faults, line.value, batch, ids, ways))
        batch = str(line.value["batch"])
        if kind in ("undo", "redo"):
            line.note(faults, partial(turn, kind, payload, [str(each.value["batch"]) for each in made], gone, again))
            event = Event()
            for each in made:
                if each.value["batch"] not in gone:
                    each.note(faults, partial(event.take, each.value["kind"], each.value["payload"]))
        else:
            line.note(faults, partial(event.take, kind, payload))
            made.append(line)
            again.clear()
    return event


def turn(kind: str, payload: Value, made: list[str], gone: list[str], again: list[str]) -> Iterator[str]:
    """Undo or redo a batch of those `made`: those `gone` do not stand, and the last of `again` may be put back."""
    batch, undo = payload["batch"], kind == "undo"
    if batch not in (set(made).difference(gone, made[:1]) if undo else again[-1:]):
        yield f"the batch that it names is none to {kind}"
    else:
        (gone.append if undo else gone.remove)(batch)
        (again.append if undo else again.remove)(batch)


def main(words: Sequence[str]) -> int:
    """Check a file, print what it says, and return the exit code."""
    try:
        if len(words) not in (1, 2) or not re.fullmatch("[0-9a-f]{16}", [*words, "0" * 16][1]):
            raise OSError("usage: verify_event.py FILE [CODE]; a code is 16 digits from 0 to f")
        faults, entries, names = verify(Path(words[0]).read_bytes())
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    at = next((at for at, line in enumerate(entries, 1) if line.digits.startswith(words[-1])), 0)
    faults += [f"no entry has the code {code}" for code in words[1:] if not at]
    sys.stderr.writelines(f"{words[0]}, {fault}\n" for fault in faults)
    for end in [] if faults else [len(entries), at] if at else [len(entries)]:
        line = entries[end - 1]
        sys.stdout.write(f"Code {line.digits[:16]}, entry {end}, {line.value['kind']} at {line.value['time']}:\n")
        for rank, name, games, total, penalty in fold(entries[:end], {}).standings(names):
            sys.stdout.write(f"{rank or '-':>4}  {name}: {total} in {games} games, penalty {penalty}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
