"""Find the regulars of an evening: registered people who are not entered yet, the most recent players first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.service.events.attendance import taking_part
from tourney.service.lookup import find_event
from tourney.service.people_file import people_of
from tourney.text.names import name_order

EVENINGS: Final = 6
"""The evenings before this one that make a regular."""


@dataclass(frozen=True, slots=True)
class Evening:
    """An earlier event, and its players who are not entered yet, by the names that lists show."""

    event: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Regular:
    """A registered person who is not entered yet, and how many of the last evenings they played."""

    player: Player
    came: int


@dataclass(frozen=True, slots=True)
class Regulars:
    """The people who may still be entered, players of the last evening first, and the evenings, the newest first."""

    people: tuple[Regular, ...]
    evenings: tuple[Evening, ...]


def regulars(db: str | None, event_name: str | None) -> Regulars:
    """Return the registered people who are not entered. Raises TourneyError NOT_FOUND for an unknown event."""
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        entered = set(event.entrants)
        free = [player for player in people_of(reader) if player not in entered]
        came = [(before.settings.name, players) for before, players in _before(reader, event)]
    there = {player.id: [player in players for _name, players in came] for player in free}
    people = [Regular(player, sum(there[player.id])) for player in free]
    people.sort(key=lambda each: ([not was for was in there[each.player.id]], name_order(each.player.shown)))
    left = ((name, tuple(player.shown for player in players if player in free)) for name, players in came)
    return Regulars(tuple(people), tuple(Evening(name, players) for name, players in left if players))


def _before(reader: storage.Reader, event: Event) -> Iterator[tuple[Event, tuple[Player, ...]]]:
    """Return the last evenings other than this one with their players, the newest first; no older one is read.

    An event of which no round is published is only prepared.
    """
    others = (reader.events.get(number) for number in sorted(reader.events.names(), reverse=True) if number != event.id)
    drawn = ((each, [one for one in reader.rounds.of(each) if not one.draft]) for each in others)
    return islice(((each, taking_part(each, rounds)) for each, rounds in drawn if rounds), EVENINGS)
