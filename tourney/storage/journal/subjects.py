"""Subjects: what an entry writes and what it reads, so that undo can tell which later changes rest on an earlier one.

A subject is a tuple: its kind, then numbers, such as ("seats", event, round, table). A later entry rests on an earlier
one if it reads a subject that the earlier one wrote: its content was worked out from it, or it could not have been
made, or not be replayed, without it. An entry that only replaces what another wrote does not rest on that one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from tourney.storage.journal.entries import Payload

Subject = tuple[Any, ...]
Name = tuple[str, str]
"""A kind of name, of people or of events, and the name as look-ups compare it."""


class Past(Protocol):
    """The state just before an entry, as the entries that stand give it."""

    def tables(self, event: int, in_round: int) -> Mapping[int, Sequence[int]]:
        """Return the players at each table of a round, in seat order."""

    def settings(self, event: int) -> Mapping[str, Any]:
        """Return the settings of an event, with its name."""

    def entrants(self, event: int) -> Iterator[int]:
        """Yield everybody who has entered an event, also those who were merged into others."""

    def apart_by_club(self, event: int) -> bool:
        """Return whether the members of each club are kept apart."""

    def ordered_by(self, event: int) -> frozenset[str]:
        """Return by what the event's formats order players for a draw: nothing, standings, last tables, ratings."""

    def is_draft(self, event: int, in_round: int) -> bool:
        """Return whether the round was drawn as a draft and not published, whatever results it has."""

    def event_name(self, name: str) -> Name:
        """Return the name of an event for comparison."""

    def person_names(self, player: int, versions: range) -> Iterator[Name]:
        """Yield versions of a person's name that were not erased, for comparison."""


Finder = Callable[[Payload, Past], Iterable[Subject]]
Names = Callable[[Payload, Past], Iterable[tuple[Name, int]]]
"""A function from a payload to names, each with the number of the person or event that has it."""


def found(subjects: Iterable[str | Finder], payload: Payload, past: Past) -> Iterator[Subject]:
    """Yield the subjects that an entry of this payload has, as words or as their finders give them."""
    for each in subjects:
        yield from _named(each, payload) if isinstance(each, str) else each(payload, past)


def _named(words: str, payload: Payload) -> Iterator[Subject]:
    """Yield the subjects given as words: their kind, then the names of the payload's numbers.

    A name of a list gives a subject for each of its items: `entrant event players`. Numbers that are None or missing
    give no subject.
    """
    kind, *keys = words.split()
    values = [payload.get(key) for key in keys]
    if None in values:
        return
    if values and isinstance(values[-1], list):
        yield from ((kind, *values[:-1], each) for each in values[-1])
    else:
        yield (kind, *values)
