"""Domain values as payloads of acts and as text, and back. What is empty is left out, as acts of old have it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from tourney.domain import DeclaredHand, Event, EventSettings, HandScore, Outcome, Player, Round, Ruling, Table
from tourney.storage import journal


def seating(event: Event, drawn: Round) -> dict[str, Any]:
    """A round's tables and who sits out."""
    tables = [{"table": one.number, "players": [player.id for player in one.players]} for one in drawn.tables]
    out = [player.id for player in drawn.sitting_out]
    return {"event": event.id, "round": drawn.number, "tables": tables, "out": out}


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


def sheet_text(hands: Sequence[DeclaredHand], players: Sequence[Player], result: int) -> str:
    """Half a sheet as canonical text: its hands, whom it was typed for, the act of the result it corrects (0: none).

    People stand there by their numbers, so that no name is kept.
    """
    numbers = {player.shown: f"#{player.id}" for player in players}
    written = [asdict(_named_anew(hand, numbers)) for hand in hands]
    return journal.canonical({"hands": written, "people": [player.id for player in players], "result": result})


def sheet_hands(
    text: str, players: Sequence[Player], result: int, merged: Mapping[int, int]
) -> tuple[DeclaredHand, ...] | None:
    """The hands of such a text, with the names that the table's players have now; others stay numbers.

    None where it was typed for other people than `players`, or over another result. `merged` says into whom
    people have gone.
    """
    written: Mapping[str, Any] = json.loads(text)
    there = {player.id: player.shown for player in players}
    people = {number: _living(number, merged) for number in written["people"]}
    if set(people.values()) != set(there) or written["result"] != result:
        return None
    names = {f"#{number}": there[living] for number, living in people.items()}
    return tuple(_named_anew(DeclaredHand(**row), names) for row in written["hands"])


def _living(number: int, merged: Mapping[int, int]) -> int:
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
