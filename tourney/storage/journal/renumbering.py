"""Numbers and names in payloads, replaced by others when an event leaves or enters a database."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tourney.domain.rounds import OF_PEOPLE
from tourney.storage.journal.entries import Payload

Number = Callable[[int], int]
"""A function from a player's number to another one."""
_NUMBERED = re.compile(r"#[1-9][0-9]{0,18}", re.ASCII)
"""A player in the hands of a partial sheet."""

_OF_PLAYERS: Final = ("players", "plan")
_OF_SEATING: Final = ("tables", "out", "rested", "plan")
PEOPLE_IN: Final[Mapping[str, tuple[str, ...]]] = {
    "event.new": ("stages",),
    "event.set": ("changes", "plan"),
    "event.wish": ("wishes", "plan"),
    "event.finish": (),
    "event.reopen": (),
    "event.enter": _OF_PLAYERS,
    "event.checkin": _OF_PLAYERS,
    "event.withdraw": _OF_PLAYERS,
    "event.return": _OF_PLAYERS,
    "round.draw": _OF_SEATING,
    "round.publish": (),
    "round.move": _OF_SEATING,
    "round.dissolve": _OF_SEATING,
    "round.cancel": ("plan",),
    "round.clock": (),
    "round.substitute": ("absent", "substitute"),
    "result.enter": (),
    "result.correct": (),
    "result.void": (),
    "result.partial": ("people", "hands"),
    "result.drop": (),
    "ruling.add": ("player",),
    "ruling.cancel": (),
    "flag.raise": ("player",),
    "flag.answer": (),
    "player.merge": ("keep", "gone"),
}
"""The kinds of entries that belong to an event, each with the fields that name people, in the order of numbering."""


def renumbered(kind: str, payload: Payload, event: Number, player: Number) -> dict[str, Any]:
    """Return the payload of an event's entry with other numbers. Raises KeyError for a kind of no event.

    A payload of another form than commands write raises AttributeError, KeyError, TypeError or ValueError.
    """
    changed = dict(payload)
    for name in PEOPLE_IN[kind]:
        if name in changed:
            changed[name] = _FIELDS[name](changed[name], player)
    if kind == "player.merge":
        changed["events"] = [event(number) for number in changed["events"]]
    else:
        changed["event"] = event(changed["event"])
    return changed


def given_name(payload: Payload) -> str:
    """Return the name that an entry gives its event; "" if it gives none."""
    name: str = payload.get("changes", payload).get("name", "")
    return name


def renamed(payload: Payload, name: str) -> Payload:
    """Return the payload with this name where it gives its event one."""
    if not given_name(payload):
        return payload
    return (
        {**payload, "changes": {**payload["changes"], "name": name}}
        if "changes" in payload
        else {**payload, "name": name}
    )


def _one(value: int, player: Number) -> int:
    return player(value)


def _one_or_none(value: int | None, player: Number) -> int | None:
    return None if value is None else player(value)


def _list(values: Sequence[int], player: Number) -> list[int]:
    return [player(value) for value in values]


def _groups(rows: Sequence[Payload], player: Number) -> list[dict[str, Any]]:
    """Return tables or constraints; some constraints name nobody."""
    return [{**row, "players": _list(row["players"], player)} if "players" in row else dict(row) for row in rows]


def _stages(rows: Sequence[Payload], player: Number) -> list[dict[str, Any]]:
    """Return the stages of an event."""
    return [{name: _list(value, player) if name in OF_PEOPLE else value for name, value in row.items()} for row in rows]


def _changes(changes: Payload, player: Number) -> dict[str, Any]:
    """Return changed settings, of which only the stages name people."""
    return {name: _stages(value, player) if name == "stages" else value for name, value in changes.items()}


def _plan(steps: Sequence[Payload], player: Number) -> list[dict[str, Any]]:
    return [
        {
            **step,
            "rounds": {
                number: [_list(table, player) for table in step["rounds"][number]] for number in _rounds(step["rounds"])
            },
            "out": {number: _list(step["out"][number], player) for number in _rounds(step["out"])},
        }
        for step in steps
    ]


def _rounds(by_round: Mapping[str, Any]) -> list[str]:
    return sorted(by_round, key=int)


def _hands(hands: Sequence[Payload], player: Number) -> list[dict[str, Any]]:
    """Return the hands of a partial sheet, in which players are written as `#` and their number."""

    def name(text: str) -> str:
        return f"#{player(int(text[1:]))}" if _NUMBERED.fullmatch(text) else text

    return [{field: _hand_field(field, value, name) for field, value in hand.items()} for hand in hands]


def _hand_field(field: str, value: Any, name: Callable[[str], str]) -> Any:
    if field in ("points", "left"):
        return {name(key): each for key, each in value.items()}
    if field in ("buys", "declined"):
        return [name(each) for each in value]
    return name(value) if field == "closer" and value is not None else value


_FIELDS: Final[Mapping[str, Callable[[Any, Number], Any]]] = {
    "players": _list,
    "out": _list,
    "rested": _list,
    "people": _list,
    "tables": _groups,
    "wishes": _groups,
    "plan": _plan,
    "stages": _stages,
    "changes": _changes,
    "hands": _hands,
    "player": _one_or_none,
    "keep": _one,
    "gone": _one,
    "absent": _one,
    "substitute": _one_or_none,
}
