"""Keys to the pages of a desk or of a table, and what each opens."""

from dataclasses import dataclass
from typing import Literal

from tourney.domain.people import Player
from tourney.domain.rounds import Table

AccessKind = Literal["desk", "sign-in", "table", "code", "pin"]
"""The kinds of keys: `sign-in` is exchanged once for one of a desk, `code` (six digits) for one of a table."""


@dataclass(frozen=True, slots=True)
class Access:
    """The pages that a key opens: those of the desk, or the sheet of one table of a round of the event of that name."""

    kind: Literal["desk", "table"]
    event: str = ""
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of a table, shown once: the token of its address, and the six digits to type instead."""

    table: Table
    token: str
    code: str


@dataclass(frozen=True, slots=True)
class PlayerPin:
    """The four digits with which a player confirms a sheet on another one's phone, shown once."""

    player: Player
    pin: str
