"""Domain values as payloads of entries and as text, and back. Empty values are left out, as in older entries."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, fields, replace
from operator import attrgetter
from typing import Any, Final, TypeVar

from tourney.domain.editions import CorrectedRow, Correction, CountedGames, Edition, PublishedRow
from tourney.domain.events import SETTINGS, Constraint, Event, EventSettings
from tourney.domain.leagues import GapTest, League, OutsideBot
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Length, Outcome, SheetHand, Who
from tourney.domain.rounds import OF_PEOPLE, Drawing, KeptPlan, Round, Table, read_stage, stage_fields
from tourney.domain.seasons import CountedEvent, Season, SeasonSettings
from tourney.storage.journal.canonical import canonical_json

Other = TypeVar("Other", int, str)


def plain(value: Any) -> Any:
    """Return a value of an entry as its text has it: things that have numbers by them, tuples as lists."""
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    written = _PLAIN.get(type(value))
    return value if written is None else written(value)


def _table(table: Table) -> dict[str, Any]:
    return {"table": table.number, "players": [player.id for player in table.players]}


def _constraint(given: Constraint) -> dict[str, Any]:
    players = tuple(player.id for player in given.players)
    return {"kind": given.kind} | _nonempty(players=players, table=given.table or 0)


def _counted_event(counted: CountedEvent) -> dict[str, Any]:
    """Return an event of a season as a payload; values that are as usual are left out."""
    usual = asdict(CountedEvent(0))
    return {key: value for key, value in asdict(counted).items() if value != usual[key]}


def drawn(payload: Mapping[str, Any], players: Mapping[int, Player]) -> Round:
    """Return the round of a payload; `players` are by id."""
    number = payload["round"]
    tables = (
        Table(number, table["table"], tuple(players[player] for player in table["players"]))
        for table in payload["tables"]
    )
    return Round(number, tuple(tables), tuple(players[player] for player in payload["out"]))


def drawn_by(payload: Mapping[str, Any], players: Mapping[int, Player]) -> Drawing | None:
    """Return how the round of a payload was drawn, None if not by the program; `players` are by id."""
    if "program" not in payload:
        return None
    rested = tuple(players[number] for number in payload.get("rested", ()))
    return Drawing(payload["program"], tuple(payload.get("given", ())), rested)


def plans(steps: Mapping[str, KeptPlan]) -> list[dict[str, Any]]:
    """Return the steps of an announced plan as a payload: tables and byes by the number of the round."""
    return [
        {
            "of": key,
            "rounds": {str(number): [list(table) for table in tables] for number, (tables, _out) in plan.items()},
            "out": {str(number): list(out) for number, (_tables, out) in plan.items() if out},
        }
        for key, plan in steps.items()
    ]


def read_plans(payload: Mapping[str, Any], merged: Mapping[int, int]) -> dict[str, KeptPlan]:
    """Return the steps that an entry keeps, under their keys; `merged` maps merged players as for `survivor`.

    Raises KeyError, TypeError, ValueError or AttributeError for a payload that no command has written.
    """

    def ids(players: Sequence[int]) -> tuple[int, ...]:
        return tuple(survivor(player, merged) for player in players)

    return {
        step["of"]: {
            int(number): (tuple(map(ids, tables)), ids(step["out"].get(number, ())))
            for number, tables in step["rounds"].items()
        }
        for step in payload.get("plan", ())
    }


def outcome(payload: Mapping[str, Any]) -> Outcome:
    """Return the outcome of a payload."""
    hands = tuple(
        HandScore(
            hand["contract"],
            tuple(hand["points"]),
            hand["closer"],
            hand["at_once"],
            hand.get("ending", ""),
            tuple(hand.get("off", ())),
        )
        for hand in payload["hands"]
    )
    seats = {name: tuple(payload.get(name, ())) for name in ("points", "hands_won", "places", "extra", "money")}
    return Outcome(hands, **seats, short=payload.get("short", 0))


def _hand(hand: HandScore) -> dict[str, Any]:
    fields = {"contract": hand.contract, "points": list(hand.points), "closer": hand.closer, "at_once": hand.at_once}
    return fields | _nonempty(ending=hand.ending, off=hand.off)


def _nonempty(**fields: str | int | Sequence[int]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items() if value}


_NEWER: Final = (
    *("scoring", "table_points", "totals", "tie_breaks", "lang", "fee", "pot", "prizes", "substitutes", "organiser"),
    "phone_pins",
)
"""Settings that a new event's entry leaves out where they have their default, so that its code stays what it was."""


def new_event(settings: EventSettings) -> dict[str, Any]:
    """Return the settings of a new event, without stages, deals and newer settings that have their default."""
    fields = _settings_fields(settings)
    for name in _NEWER:
        if fields[name] == SETTINGS[name].default:
            del fields[name]
    for name in ("stages", "deals"):
        if not fields[name]:
            del fields[name]
    return fields


def _settings_fields(settings: EventSettings) -> dict[str, Any]:
    return {**asdict(settings), "stages": [stage_fields(stage) for stage in settings.stages]}


def read_settings(fields: Mapping[str, Any], merged: Mapping[int, int] | None = None) -> dict[str, Any]:
    """Return the settings of a payload as `EventSettings` has them; `merged` is as for `survivor`."""
    if "stages" not in fields:
        return dict(fields)
    return {**fields, "stages": tuple(read_stage(_with_survivors(stage, merged or {})) for stage in fields["stages"])}


def _with_survivors(stage: Mapping[str, Any], merged: Mapping[int, int]) -> dict[str, Any]:
    return {
        name: list(dict.fromkeys(survivor(player, merged) for player in value)) if name in OF_PEOPLE else value
        for name, value in stage.items()
    }


def changes(before: EventSettings, after: EventSettings) -> dict[str, Any]:
    """Return the settings that differ, as `after` has them; an event's rules never differ."""
    old, new = _settings_fields(before), _settings_fields(after)
    return {name: new[name] for name in old if name != "rules" and old[name] != new[name]}


def settings(
    before: EventSettings, payload: Mapping[str, Any], merged: Mapping[int, int] | None = None
) -> EventSettings:
    """Return the settings after an entry that creates or changes the event; older entries lack newer settings."""
    fields = read_settings(payload.get("changes", payload), merged)
    old = before if "changes" in payload else EventSettings(before.name, before.rules)
    return replace(old, **{name: fields[name] for name in EventSettings.__slots__ if name in fields})


def season_changes(before: SeasonSettings, after: SeasonSettings) -> dict[str, Any]:
    """Return the settings of a season that differ, as `after` has them; with its new name, if that differs too."""
    old, new = asdict(before), asdict(after)
    name = new.pop("name")
    renamed = {} if name == before.name else {"name": name}
    return {**renamed, "changes": {key: value for key, value in new.items() if old[key] != value}}


def read_constraints(text: str, players: Mapping[int, Player], merged: Mapping[int, int]) -> tuple[Constraint, ...]:
    """Return the constraints that a text holds; `merged` maps merged players to those they were merged into."""
    return tuple(
        Constraint(
            row["kind"],
            tuple(
                players[number]
                for number in dict.fromkeys(survivor(player, merged) for player in row.get("players", ()))
            ),
            row.get("table"),
        )
        for row in json.loads(text)
    )


def partial_sheets_text(before: str, payload: Mapping[str, Any]) -> str:
    """Return the partial sheets of a table as text, that of a payload first.

    `before` is the text so far; a sheet in it for the same players is replaced, those for others are kept.
    """
    new = {"hands": payload["hands"], "people": payload["people"]}
    others = [sheet for sheet in read_sheets(before) if set(sheet["people"]) != set(new["people"])]
    return canonical_json([new, *others])


def other_drafts(text: str, entry: int) -> str:
    """Return the partial sheets of a text of versions before 0009 that belong to other entries; empty without one."""
    others = [sheet for sheet in read_sheets(text) if sheet["result"] != entry]
    return canonical_json(others) if others else ""


def read_sheets(text: str) -> list[dict[str, Any]]:
    """Return the sheets of a text; one of the oldest versions has a single sheet."""
    written = json.loads(text) if text else []
    return [written] if isinstance(written, dict) else written


def partial_sheet_hands(
    sheets: Sequence[Mapping[str, Any]], players: Sequence[Player], merged: Mapping[int, int]
) -> tuple[SheetHand[int], ...] | None:
    """Return the hands of the first sheet begun for `players`, who sit in this order now; None without one.

    `merged` maps merged players to those they were merged into.
    """
    seats = {player.id: seat for seat, player in enumerate(players)}
    for written in sheets:
        people = {number: survivor(number, merged) for number in written["people"]}
        if set(people.values()) == set(seats):
            # Early versions wrote names as they were typed; what is of nobody here is asked again.
            known = {player.shown: seats[player.id] for player in players}
            known |= {f"#{number}": seats[kept] for number, kept in people.items()}
            hands: list[SheetHand[str]] = [SheetHand(**row) for row in written["hands"]]
            return tuple(_with(hand, known.get) for hand in hands)
    return None


def sheet_rows(at: Table, hands: Sequence[SheetHand[int]]) -> list[dict[str, Any]]:
    """Return the hands of a sheet as rows. Players are written by number, so that no name is kept."""
    people = [player.id for player in at.players]
    return [asdict(_with(hand, lambda seat: f"#{people[seat]}")) for hand in hands]


def sheet_text(at: Table, hands: Sequence[SheetHand[int]], length: Length) -> str:
    """Return the sheet of a table as one phone typed it as text, players by number."""
    people = [player.id for player in at.players]
    return canonical_json({"hands": sheet_rows(at, hands), "people": people, "length": length})


def read_sheet_text(
    text: str, players: Mapping[int, Player], merged: Mapping[int, int], now: Sequence[Player] = ()
) -> tuple[tuple[Player, ...], tuple[SheetHand[int], ...], Length]:
    """Return the players, hands and length of a sheet that `sheet_text` wrote; `players` are by number.

    They are in the order of their seats `now` if the same people sit at the table, otherwise as they sat then.
    """
    written = json.loads(text)
    seated = tuple(players[survivor(number, merged)] for number in written["people"])
    if {player.id for player in now} == {player.id for player in seated}:
        seated = tuple(now)
    return seated, partial_sheet_hands([written], seated, merged) or (), written["length"]


def edition(published: Edition, kind: str) -> dict[str, Any]:
    """Return an edition as a payload; `kind` is the kind of its pool."""
    unit = {} if published.unit == "game" else {"unit": published.unit}
    return {
        "kind": kind,
        **unit,
        "name": published.pool,
        "edition": published.number,
        "as_of": published.as_of,
        "top": published.top,
        "games": published.games,
        "parameters": dict(published.parameters),
        "rows": [asdict(row) for row in published.rows],
        "before": sorted(map(list, published.ranks_before.items())),
        "corrections": [asdict(correction) for correction in published.corrections],
        "counted": [list(astuple(games)) for games in published.counted],
    }


def read_edition(payload: Mapping[str, Any]) -> Edition:
    """Return the edition of a payload."""
    return Edition(
        payload["name"],
        payload["edition"],
        payload["as_of"],
        payload["top"],
        payload["games"],
        payload["parameters"],
        tuple(PublishedRow(**row) for row in payload["rows"]),
        dict(payload["before"]),
        tuple(map(_correction, payload["corrections"])),
        tuple(CountedGames(*games) for games in payload["counted"]),
        payload.get("unit", "game"),
    )


def _correction(written: Mapping[str, Any]) -> Correction:
    rows = (CorrectedRow(row["player"], _row(row["before"]), _row(row["after"])) for row in written["rows"])
    return Correction(written["edition"], tuple(written["changes"]), tuple(rows))


def _row(written: Mapping[str, Any] | None) -> PublishedRow | None:
    return None if written is None else PublishedRow(**written)


def survivor(number: int, merged: Mapping[int, int]) -> int:
    """Return the player into which a player was merged, or the player's own number; `merged` maps numbers."""
    while number in merged:
        number = merged[number]
    return number


def _with(hand: SheetHand[Who], key: Callable[[Who], Other | None]) -> SheetHand[Other]:
    """Return the hand with another key for each of its players, without those who have none."""

    def keys(players: Iterable[Who]) -> Iterator[tuple[Other, Who]]:
        return ((found, player) for player in players if (found := key(player)) is not None)

    return SheetHand(
        hand.contract,
        {other: hand.points[player] for other, player in keys(hand.points)},
        None if hand.closer is None else key(hand.closer),
        hand.at_once,
        hand.dead,
        {other: hand.left[player] for other, player in keys(hand.left)},
        hand.ending,
        tuple(other for other, _player in keys(hand.buys)),
        tuple(other for other, _player in keys(hand.declined)),
    )


LEAGUE_MORE: Final = ("test", "book", "isolation", "fault_cost", "seed_given")
"""The settings of a league that are in its payload only where they are not the usual ones."""


def league_payload(league: League) -> dict[str, Any]:
    """Return the settings of a league as a payload; `league_of` is the inverse."""
    kept = {name: getattr(league, name) for name in League.__slots__ if name not in ("bots", "outside", *LEAGUE_MORE)}
    usual = {field.name: field.default for field in fields(League)}
    more = {name: getattr(league, name) for name in LEAGUE_MORE if getattr(league, name) != usual[name]}
    if league.test is not None:
        more["test"] = list(map(str, astuple(league.test)))
    if league.book:
        more["book"] = list(league.book)
    return {**kept, **more, **league_bots(league.bots, league.outside)}


def league_of(payload: Mapping[str, Any]) -> League:
    """Return the league of a payload, which may have other values besides."""
    kept = {name: payload[name] for name in League.__slots__ if name not in ("bots", "outside", *LEAGUE_MORE)}
    more = {name: payload[name] for name in LEAGUE_MORE if name in payload}
    if "test" in more:
        more["test"] = GapTest(*map(float, more["test"]))
    if "book" in more:
        more["book"] = tuple(more["book"])
    bots, outside = tuple(payload["bots"]), tuple(map(outside_bot, payload.get("outside", ())))
    return League(**kept, **more, bots=bots, outside=outside)


def outside_bot(kept: Sequence[Any]) -> OutsideBot:
    """Return a bot from outside from the list of its fields."""
    name, entrant, folder, files, limits, *runtime = kept
    numbers = [(limit, float(value) if isinstance(value, str) else value) for limit, value in limits]
    return OutsideBot(name, entrant, folder, tuple(map(tuple, files)), tuple(numbers), *runtime)


def are_bots(rows: Sequence[Any]) -> bool:
    """Return whether each row has a bot from outside, as texts and lists of pairs.

    Raises ValueError or TypeError for a row of another form.
    """
    for bot in map(outside_bot, rows):
        texts = (bot.name, bot.entrant, bot.folder, bot.runtime, *(text for file in bot.files for text in file))
        pairs = (*bot.files, *bot.limits)
        if not all(isinstance(text, str) for text in texts) or any(len(pair) != 2 for pair in pairs):
            return False
    return True


def league_bots(bots: Sequence[str], outside: Sequence[OutsideBot]) -> dict[str, Any]:
    """Return the bots of a league as a payload; those from outside also as lists of their fields, if there are any."""
    return {"bots": list(bots)} | ({"outside": outside_rows(outside)} if outside else {})


def outside_rows(outside: Sequence[OutsideBot]) -> list[Any]:
    """Return bots from outside as lists of their fields, without the last one where it is empty."""
    return [
        [bot.name, bot.entrant, bot.folder, list(map(list, bot.files)), _limits(bot), *filter(None, [bot.runtime])]
        for bot in outside
    ]


def _limits(bot: OutsideBot) -> list[list[Any]]:
    """Return the limits of a bot; a number that is not whole is a text, because entries hold no floats."""
    return [[name, str(value) if isinstance(value, float) else value] for name, value in bot.limits]


def identified_bots(payload: Mapping[str, Any]) -> list[Any]:
    """Return what plays in each place of a league: a built-in bot's name, or the fields of one from outside."""
    outside = {row[0]: row for row in payload.get("outside", ())}
    return [outside.get(bot, bot) for bot in payload["bots"]]


_PLAIN: Final[Mapping[type, Callable[[Any], Any]]] = {
    Constraint: _constraint,
    CountedEvent: _counted_event,
    HandScore: _hand,
    Table: _table,
    **dict.fromkeys((Event, Player, Season), attrgetter("id")),
}
"""The functions that write things of these types in entries."""
