"""Meanings of the values in entries, by which the fields of a kind are annotated.

From its meaning follow which values a field may have in an event's file, the numbers of players that change when an
event leaves or enters a database, and what an entry with the value rests on.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from tourney.domain.events import Constraint, ConstraintKind, Event
from tourney.domain.people import Player
from tourney.domain.results import HandScore
from tourney.domain.rounds import OF_PEOPLE, Table
from tourney.domain.seasons import Season
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.payloads import are_bots

Number = Callable[[int], int]
"""A function from a player's number to another one."""
_NUMBERED = re.compile(r"#[1-9][0-9]{0,18}", re.ASCII)
"""A player in the hands of a partial sheet."""


class Meaning(NamedTuple):
    """The form of a value in a payload: one of these types, and `sound`.

    `reads` are the subjects on which an entry with the value rests, in words; `{}` is the name of the field.
    `renumbered` returns the value with other numbers of players, if it names some.
    """

    types: tuple[type, ...]
    reads: tuple[str, ...] = ()
    renumbered: Callable[[Any, Number], Any] | None = None
    sound: Callable[[Any], bool] | None = None

    @classmethod
    def of(cls, hint: Any) -> "Meaning":
        """Return the meaning of an annotation; that of a plain type is its type, or its choices."""
        if get_origin(hint) is Annotated:
            meaning: Meaning = hint.__metadata__[0]
            return meaning
        if get_origin(hint) is Literal:
            return cls((str,), sound=get_args(hint).__contains__)
        return cls(get_args(hint) if isinstance(hint, UnionType) else (hint,))

    def refuse_other(self, name: str, value: Any) -> None:
        """Raise ValueError, KeyError or TypeError for a value that a field of that name never has."""
        if type(value) not in self.types:
            raise TypeError(name)
        if self.sound is not None and not self.sound(value):
            raise ValueError(name)


def _one(value: int | None, player: Number) -> int | None:
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


def _are_numbers(values: Iterable[Any]) -> bool:
    return all(type(value) is int for value in values)


def _are_hands(hands: Sequence[Payload]) -> bool:
    return all(isinstance(hand["contract"], str) for hand in hands)


def _are_scored(hands: Sequence[Payload]) -> bool:
    return _are_hands(hands) and all(_are_numbers(hand["points"]) for hand in hands)


def _are_constraints(rows: Sequence[Payload]) -> bool:
    return all(row["kind"] in get_args(ConstraintKind) for row in rows)


EventNo = Annotated[Event | int, Meaning((int,), ("event {}",))]
PlayerNo = Annotated[Player | int, Meaning((int,), ("player {}",), _one)]
Entrant = Annotated[Player, Meaning((int,), ("entrant event {}",), _one)]
MaybeEntrant = Annotated[Player | None, Meaning((int, NoneType), ("entrant event {}",), _one)]
Entrants = Annotated[Sequence[Player], Meaning((list,), ("entrant event {}",), _list)]
Attending = Annotated[Sequence[Player], Meaning((list,), ("entrant event {}", "attendance event {}"), _list)]
Newcomers = Annotated[Sequence[Player], Meaning((list,), ("player {}",), _list)]
Players = Annotated[Sequence[Player], Meaning((list,), renumbered=_list)]
"""Players on whom the entry does not rest by their number alone."""
RoundNo = Annotated[int, Meaning((int,), ("round event {}",))]
MaybeRound = Annotated[int | None, Meaning((int, NoneType), ("round event {}",))]
SeatsOf = Annotated[int | None, Meaning((int, NoneType), ("seats event round {}",))]
SheetOf = Annotated[int, Meaning((int,), ("seats event round {}", "result event round {}", "sheet event round {}"))]
"""A table whose sheet the entry changes."""
Tables = Annotated[Sequence[Table], Meaning((list,), renumbered=_groups)]
Constraints = Annotated[Sequence[Constraint], Meaning((list,), renumbered=_groups, sound=_are_constraints)]
Stages = Annotated[Sequence[Payload], Meaning((list,), renumbered=_stages)]
Changes = Annotated[Mapping[str, Any], Meaning((dict,), renumbered=_changes)]
Plan = Annotated[Sequence[Payload], Meaning((list,), renumbered=_plan)]
"""The plan of the coming rounds that the entry announced."""
Scores = Annotated[Sequence[HandScore], Meaning((list,), sound=_are_scored)]
SheetHands = Annotated[Sequence[Payload], Meaning((list,), renumbered=_hands, sound=_are_hands)]
Numbers = Annotated[Sequence[int], Meaning((list,), sound=_are_numbers)]
Texts = Annotated[Sequence[str], Meaning((list,))]
Rows = Annotated[Sequence[Any], Meaning((list,))]
Values = Annotated[Mapping[str, Any], Meaning((dict,))]
Outside = Annotated[Sequence[Any], Meaning((list,), sound=are_bots)]
SeasonNo = Annotated[Season, Meaning((int,), ("season {}",))]
Played = Annotated[Sequence[int], Meaning((list,), ("event {}",))]
PoolNo = Annotated[int, Meaning((int,), ("pool {}",))]
MaybePool = Annotated[int | None, Meaning((int, NoneType), ("pool {}",))]
Imports = Annotated[Sequence[int], Meaning((list,), ("import {}",))]
LeagueNo = Annotated[int, Meaning((int,), ("league {}",))]
RulingNo = Annotated[int, Meaning((int,), ("ruling event {}",))]
FlagNo = Annotated[int, Meaning((int,), ("flag event {}",))]
