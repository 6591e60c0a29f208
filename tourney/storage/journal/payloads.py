"""Domain values as payloads of acts and as text, and back. What is empty is left out, as acts of old have it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from tourney.domain.events import Constraint, Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import DeclaredHand, HandScore, Outcome
from tourney.domain.rounds import Drawing, Round, Table
from tourney.domain.rulings import Ruling
from tourney.storage.journal.canonical import canonical_json


def seating(event: Event, drawn: Round) -> dict[str, Any]:
    """A round's tables and who sits out."""
    tables = [{"table": one.number, "players": [player.id for player in one.players]} for one in drawn.tables]
    out = [player.id for player in drawn.sitting_out]
    return {"event": event.id, "round": drawn.number, "tables": tables, "out": out}


def drawn(payload: Mapping[str, Any], players: Mapping[int, Player]) -> Round:
    """The round of such a payload, with these players by their ids."""
    number = payload["round"]
    tables = (
        Table(number, one["table"], tuple(players[player] for player in one["players"])) for one in payload["tables"]
    )
    return Round(number, tuple(tables), tuple(players[player] for player in payload["out"]))


def drawing(one: Drawing | None) -> dict[str, Any]:
    """How a round was drawn; nothing where the program has not drawn it."""
    if one is None:
        return {}
    return {"program": one.program} | _filled(given=one.given, rested=tuple(player.id for player in one.rested))


def drawn_by(payload: Mapping[str, Any], players: Mapping[int, Player]) -> Drawing | None:
    """How the round of such a payload was drawn, with these players by their ids."""
    if "program" not in payload:
        return None
    rested = tuple(players[number] for number in payload.get("rested", ()))
    return Drawing(payload["program"], tuple(payload.get("given", ())), rested)


def result(event: Event, at: Table, outcome: Outcome) -> dict[str, Any]:
    """A table's outcome."""
    payload = {
        **place(event, at),
        "hands": [_hand(hand) for hand in outcome.hands],
        "points": list(outcome.points),
        "hands_won": list(outcome.hands_won),
        "places": list(outcome.places),
    }
    return payload | _filled(extra=outcome.extra, money=outcome.money, short=outcome.short)


def outcome(payload: Mapping[str, Any]) -> Outcome:
    """The outcome of such a payload."""
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


def place(event: Event, at: Table) -> dict[str, Any]:
    """Which table of which round."""
    return {"event": event.id, "round": at.round, "table": at.number}


def _hand(hand: HandScore) -> dict[str, Any]:
    fields = {"contract": hand.contract, "points": list(hand.points), "closer": hand.closer, "at_once": hand.at_once}
    return fields | _filled(ending=hand.ending, off=hand.off)


def _filled(**fields: str | int | Sequence[int]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items() if value}


def ruling(event: Event, one: Ruling) -> dict[str, Any]:
    """An arbiter's decision."""
    player = None if one.player is None else one.player.id
    fields = {"kind": one.kind, "text": one.text, "round": one.round, "table": one.table, "player": player}
    return {"event": event.id, "ruling": one.number, **fields, "hand": one.hand, "points": one.points}


def changes(before: EventSettings, after: EventSettings) -> dict[str, Any]:
    """The settings that differ; an event's rules never do."""
    ours, theirs = asdict(before), asdict(after)
    return {name: theirs[name] for name in ours if name != "rules" and ours[name] != theirs[name]}


def settings(before: EventSettings, payload: Mapping[str, Any]) -> EventSettings:
    """The settings after such an act, which makes the event or changes it; an older one leaves out those of today."""
    fields = payload.get("changes", payload)
    old = before if "changes" in payload else EventSettings(before.name, before.rules)
    return replace(old, **{name: fields[name] for name in EventSettings.__slots__ if name in fields})


def constraints(given: Sequence[Constraint]) -> list[dict[str, Any]]:
    """Wishes by the numbers of players."""
    return [
        {"kind": one.kind} | _filled(players=tuple(player.id for player in one.players), table=one.table or 0)
        for one in given
    ]


def read_constraints(text: str, players: Mapping[int, Player], merged: Mapping[int, int]) -> tuple[Constraint, ...]:
    """The wishes of such a list as text; `merged` says into whom people have gone."""
    return tuple(
        Constraint(
            row["kind"],
            tuple(players[number] for number in dict.fromkeys(living(one, merged) for one in row.get("players", ()))),
            row.get("table"),
        )
        for row in json.loads(text)
    )


def sheet_text(before: str, hands: Sequence[DeclaredHand], players: Sequence[Player], entry: int) -> str:
    """Half a sheet as canonical text, in front of those of the same table that are set aside.

    Each is its hands, whom it was typed for, and the act that was last done with the table's sheet (0: none);
    `before` is the text until now, of which one for the same people over the same act goes. People stand there by
    their numbers, so that no name is kept.
    """
    numbers = {player.shown: f"#{player.id}" for player in players}
    written = [asdict(_named_anew(hand, numbers)) for hand in hands]
    people = [player.id for player in players]
    new = {"hands": written, "people": people, "result": entry}
    aside = [one for one in _sheets(before) if (set(one["people"]), one["result"]) != (set(people), entry)]
    return canonical_json([new, *aside])


def sheets_aside(text: str, entry: int) -> str:
    """Those of such a text that were not typed over that act; nothing if there are none."""
    aside = [one for one in _sheets(text) if one["result"] != entry]
    return canonical_json(aside) if aside else ""


def _sheets(text: str) -> list[dict[str, Any]]:
    """The sheets of such a text; an old one has a single sheet."""
    written = json.loads(text) if text else []
    return [written] if isinstance(written, dict) else written


def sheet_hands(
    text: str, players: Sequence[Player], entry: int, merged: Mapping[int, int]
) -> tuple[DeclaredHand, ...] | None:
    """The hands of such a text, with the names that the table's players have now; others stay numbers.

    None where nothing of it was typed for `players` over that act. `merged` says into whom people have gone.
    """
    there = {player.id: player.shown for player in players}
    for written in _sheets(text):
        people = {number: living(number, merged) for number in written["people"]}
        if set(people.values()) == set(there) and written["result"] == entry:
            names = {f"#{number}": there[living] for number, living in people.items()}
            return tuple(_named_anew(DeclaredHand(**row), names) for row in written["hands"])
    return None


def living(number: int, merged: Mapping[int, int]) -> int:
    """Whom a player has gone into, or himself; `merged` says who has gone into whom."""
    while number in merged:
        number = merged[number]
    return number


def _named_anew(hand: DeclaredHand, names: Mapping[str, str]) -> DeclaredHand:
    return replace(
        hand,
        points={names.get(name, name): points for name, points in hand.points.items()},
        left={names.get(name, name): cards for name, cards in hand.left.items()},
        closer=None if hand.closer is None else names.get(hand.closer, hand.closer),
        buys=tuple(names.get(name, name) for name in hand.buys),
        declined=tuple(names.get(name, name) for name in hand.declined),
    )
