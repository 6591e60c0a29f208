"""The form of an event's entries in its file: which values the payload of each kind must have."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import NoneType
from typing import Any, Final, get_args

from tourney import storage
from tourney.domain.events import ConstraintKind
from tourney.domain.results import RulingKind

Form = dict[str, type]
"""The types of values by their names."""

_PLAYERS: Form = {"players": list}
_SEATING: Form = {"round": int, "tables": list, "out": list}
_TABLE: Form = {"round": int, "table": int}
_OUTCOME: Form = _TABLE | {"hands": list, "points": list, "hands_won": list, "places": list}
_REASON: Form = {"reason": str}
_FORMS: Final[Mapping[str, Form]] = {
    "event.new": {"name": str, "rules": str, "rules_digest": str, "format": str, "rounds": int},
    "event.set": {"changes": dict},
    "event.wish": {"wishes": list},
    "event.finish": {},
    "event.reopen": _REASON,
    "event.enter": _PLAYERS,
    "event.checkin": _PLAYERS,
    "event.withdraw": _PLAYERS | _REASON | {"how": str},
    "event.return": _PLAYERS | {"state": str},
    "round.draw": _SEATING,
    "round.publish": {"round": int},
    "round.move": _SEATING | {"note": str},
    "round.dissolve": _SEATING | _REASON | {"table": int},
    "round.cancel": _REASON | {"round": int},
    "round.substitute": {"round": int, "absent": int},
    "round.clock": {"round": int, "started": str, "minutes": int},
    "result.enter": _OUTCOME,
    "result.correct": _OUTCOME | _REASON,
    "result.void": _TABLE | _REASON,
    "result.partial": _TABLE | {"people": list, "hands": list},
    "result.drop": _TABLE | _REASON | {"hands": list},
    "ruling.add": {"ruling": int, "kind": str, "text": str, "hand": str, "points": int},
    "ruling.cancel": _REASON | {"ruling": int},
    "flag.raise": _TABLE | {"flag": int, "text": str},
    "flag.answer": {"flag": int, "answer": str},
    "player.merge": {"keep": int, "gone": int, "events": list},
    "undo": {"batch": str},
    "redo": {"batch": str},
}
"""The values that each kind must have; those that may be missing are looked at where they are used."""
_BY_SEAT: Final = ("points", "hands_won", "places", "extra", "money")
_CHOICES: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("event.withdraw", "how"): ("withdrawn", "no-show"),
    ("event.return", "state"): ("entered", "checked in"),
    ("ruling.add", "kind"): get_args(RulingKind),
}


def refuse_other_form(kind: str, payload: storage.Payload) -> None:
    """Raise ValueError, KeyError or TypeError for a payload that lacks a value, or has one of another type."""
    for name, type_ in _FORMS[kind].items():
        if type(payload[name]) is not type_:
            raise TypeError(name)
    for (of_kind, name), choices in _CHOICES.items():
        if kind == of_kind and payload[name] not in choices:
            raise ValueError(name)
    if kind in ("result.enter", "result.correct"):
        _refuse_lists(payload)
    elif kind == "event.enter" and not all(map(_is_bot, payload.get("outside", ()))):
        raise TypeError("outside")
    elif kind == "event.wish" and any(each["kind"] not in get_args(ConstraintKind) for each in payload["wishes"]):
        raise ValueError("constraint")
    elif kind == "event.withdraw" and type(payload.get("mistake", False)) is not bool:
        raise TypeError("mistake")
    elif kind == "event.return" and type(payload.get("unchecked", False)) is not bool:
        raise TypeError("unchecked")
    elif kind == "round.draw" and type(payload.get("draft", False)) is not bool:
        raise TypeError("draft")
    elif kind == "round.substitute" and type(payload["substitute"]) not in (int, NoneType):
        raise TypeError("substitute")
    elif kind == "round.clock" and payload["minutes"]:
        datetime.fromisoformat(payload["started"])
    if kind in ("result.enter", "result.correct", "result.partial") and not all(map(_named, payload["hands"])):
        raise TypeError("hands")


def _is_bot(row: Any) -> bool:
    """Return whether a row is that of a bot from outside, as texts and lists of pairs. Raises as above."""
    bot = storage.outside_bot(row)
    texts = (bot.name, bot.entrant, bot.folder, bot.runtime, *(text for file in bot.files for text in file))
    return all(isinstance(text, str) for text in texts) and all(len(pair) == 2 for pair in (*bot.files, *bot.limits))


def _refuse_lists(payload: storage.Payload) -> None:
    lists = [payload[name] for name in _BY_SEAT if name in payload] + [hand["points"] for hand in payload["hands"]]
    if not all(type(value) is int for values in lists for value in values):
        raise TypeError("points")
    if type(payload.get("short", 0)) is not int:
        raise TypeError("short")


def _named(hand: Mapping[str, Any]) -> bool:
    return isinstance(hand["contract"], str)
