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
    """The scope of a preview: the numbers of the events (None: all), imported pools and seasons that it compares.

    The pools and seasons in which events count are always compared.
    """

    events: Collection[int] | None = None
    pools: Collection[int] = ()
    seasons: Collection[int] = ()


class Change(ABC, Generic[Outcome]):
    """One thing that an organiser does. Subclasses are frozen dataclasses whose fields are its arguments.

    Commands, prompts and pages only build a change; `apply` keeps it, `impact.preview` shows what it would do.
    """

    __slots__ = ()

    @abstractmethod
    def perform(self, store: storage.Store) -> Outcome:
        """Make the change in an open transaction and return its outcome. Raises TourneyError if it is refused."""

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return the standings and ratings that a preview compares; None if the change affects none."""
        return None

    def cut_scope(self, reader: storage.Reader) -> Collection[int]:
        """Return the numbers of the events in which the change may alter who goes through to a stage."""
        scope = self.scope(reader)
        return () if scope is None or scope.events is None else scope.events


def apply(db: str | None, change: Change[Outcome], patience: storage.Patience = "usual", *, by: str = "") -> Outcome:
    """Make the change in one transaction and return its outcome.

    `patience` is how long to wait for a locked database; `by` is who makes the change ("": the program itself).

    Raises TourneyError as the change does, CONFLICT if the database stays locked, STORAGE if it cannot be used.
    """
    with storage.writing(db, patience=patience, by=by) as store:
        return change.perform(store)
