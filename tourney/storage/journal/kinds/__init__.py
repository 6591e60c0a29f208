"""Kinds of journal entries, each one class, by noun; importing the package declares all of them."""

from tourney.storage.journal.kinds import (
    attendance,
    columns,
    events,
    leagues,
    people,
    pools,
    results,
    rounds,
    rulings,
    seasons,
)
from tourney.storage.journal.kinds.base import KINDS, Change, OfEvent, is_of_events, kind_of, permanent_names
from tourney.storage.journal.kinds.meanings import Number

__all__ = [
    "KINDS",
    "Change",
    "Number",
    "OfEvent",
    "attendance",
    "columns",
    "events",
    "is_of_events",
    "kind_of",
    "leagues",
    "people",
    "permanent_names",
    "pools",
    "results",
    "rounds",
    "rulings",
    "seasons",
]
