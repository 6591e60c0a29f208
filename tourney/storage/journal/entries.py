"""Acts as lines of canonical text, chained by their hashes. Text and hashing only; no database here."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal
from uuid import uuid4

VERSION = 1
FIRST = ""
"""What stands before the first act, in place of a hash."""

Payload = Mapping[str, Any]

State = Literal["stands", "undone", "takes back", "puts back"]


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody did. `batch` is the id of the first act of the same command, so that one is undone whole."""

    id: str
    kind: str
    time: str
    batch: str
    payload: Payload


def new_id() -> str:
    """32 hexadecimal digits that nobody else has."""
    return uuid4().hex


def now() -> str:
    """The time in UTC, as `2026-11-20T20:53:06.000000Z`."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def canonical(value: object) -> str:
    """JSON with sorted keys, without blanks. Raises TypeError for a float: its text is not one everywhere."""
    _refuse_floats(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def write(act: Act) -> str:
    """The act as the line that is hashed and kept."""
    fields = {"v": VERSION, "id": act.id, "kind": act.kind, "time": act.time, "batch": act.batch}
    return canonical({**fields, "payload": act.payload})


def read(text: str) -> Act:
    """The act of a line. Raises ValueError if the line is not one that `write` makes."""
    try:
        fields = json.loads(text)
        act = Act(fields["id"], fields["kind"], fields["time"], fields["batch"], fields["payload"])
        version = fields["v"]
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError("it is no act") from error
    if version != VERSION:
        raise ValueError(f"version {version} of acts is not known here")
    if write(act) != text:
        raise ValueError("it is not canonical text")
    return act


def chain(before: str, text: str) -> str:
    """The hash of an act: SHA-256 over the hash of the act before it, a line feed, and its text; hexadecimal."""
    return digest(f"{before}\n{text}")


def digest(text: str) -> str:
    """SHA-256 of the text in UTF-8, hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def person_checksum(player: int, version: int, name: str, label: str, club: str) -> str:
    """Over a person's text with its numbers, so that a flipped letter or an exchanged row is found."""
    return digest(canonical([player, version, name, label, club]))


def checksum(row: Sequence[object]) -> str:
    """Over all that a row says whose table is no index of the journal; a damaged one may hold any value."""
    return digest(json.dumps(row, separators=(",", ":"), ensure_ascii=False, default=repr))


@lru_cache(maxsize=1 << 16)
def _quoted(name: str) -> str:
    """The name as canonical text has it; most names come again and again."""
    return json.dumps(name, ensure_ascii=False, default=repr)


class RowsDigest:
    """SHA-256 over imported rows in order, one canonical line each, taken as they pass by."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, game: int, names: Sequence[str], places: Sequence[int]) -> None:
        """Take the rows of the next game in, or some of them."""
        lines = [f"[{game},{_quoted(name)},{place}]\n" for name, place in zip(names, places, strict=True)]
        self._hash.update("".join(lines).encode("utf-8"))

    def text(self) -> str:
        """The digest so far, hexadecimal."""
        return self._hash.hexdigest()


def _refuse_floats(value: object) -> None:
    if isinstance(value, float):
        raise TypeError("an act holds no floats")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError("the keys of an act are text")
            _refuse_floats(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_floats(inner)


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """An act as the log tells it: its number from 1, its batch (of one command), and whether it stands."""

    number: int
    time: str
    kind: str
    payload: Payload
    batch: str
    state: State
