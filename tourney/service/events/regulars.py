"""Regulars: the people who are registered, those of the last evenings first, for an event that they do not play yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    """An event before this one, and who of it is not entered yet, by the names that lists show."""

    event: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Regular:
    """Somebody who is registered and not entered yet, and the number of the last evenings that they came to."""

    player: Player
    came: int


@dataclass(frozen=True, slots=True)
class Regulars:
    """Everybody who may still be entered, those of the last evening first, and the evenings, the last one first."""

    people: tuple[Regular, ...]
    evenings: tuple[Evening, ...]


def regulars(db: str | None, event_name: str | None) -> Regulars:
    """Return who is registered and not entered. Raises TourneyError NOT_FOUND for an unknown event."""
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        entered = set(event.entrants)
        free = [player for player in people_of(reader) if player not in entered]
        came = [
            (before.settings.name, taking_part(before, reader.rounds.of(before)))
            for before in _before(reader.events.all(), event)
        ]
    there = {player.id: [player in players for _name, players in came] for player in free}
    people = [Regular(player, sum(there[player.id])) for player in free]
    people.sort(key=lambda each: ([not was for was in there[each.player.id]], name_order(each.player.shown)))
    left = ((name, tuple(player.shown for player in players if player in free)) for name, players in came)
    return Regulars(tuple(people), tuple(Evening(name, players) for name, players in left if players))


def _before(events: Sequence[Event], event: Event) -> list[Event]:
    """Return the last evenings other than this one, the newest first."""
    others = [each for each in events if each.id != event.id and each.entrants]
    return sorted(others, key=lambda each: each.id, reverse=True)[:EVENINGS]
