"""A change of the organiser's as one frozen value, and the one way to apply it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import Generic, TypeVar

from tourney import storage

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a change: standings of events by their numbers (None: of all), ratings of imported pools.

    The pools of events are always looked at.
    """

    events: Collection[int] | None = None
    pools: Collection[int] = ()


class Change(ABC, Generic[Outcome]):
    """One thing that an organiser does. Subclasses are frozen dataclasses whose fields say what is to be done.

    Commands, prompts and pages only build a change; `apply` keeps it, `impact.preview` shows what it would do.
    """

    __slots__ = ()

    @abstractmethod
    def perform(self, store: storage.Store) -> Outcome:
        """Make the change in an open transaction. Raises TourneyError for what is refused."""

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return whose standings and ratings a preview compares; None where a change moves none."""
        return None


def apply(db: str | None, change: Change[Outcome], patience: storage.Patience = "usual") -> Outcome:
    """Make the change and keep it: all of it, or nothing. `patience` says how long a locked database is waited for.

    Raises TourneyError as the change does, CONFLICT if the database stays locked, STORAGE if it cannot be used.
    """
    with storage.writing(db, patience=patience) as store:
        return change.perform(store)
