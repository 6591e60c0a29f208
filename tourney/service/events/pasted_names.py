"""Names of people as they are pasted from a list or a message, and who each of them means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Entered
from tourney.domain.people import Player
from tourney.service.change import Change
from tourney.service.directory import Directory, UnknownName
from tourney.service.events.events import EnterPlayers
from tourney.service.lookup import find_open_event
from tourney.service.people.players import register
from tourney.service.people_file import people_of, person_name
from tourney.text.i18n import _
from tourney.text.names import clean, fold

MOST_NAMES: Final = 500
_BETWEEN: Final = re.compile(r"[\n\r\t,;]+")
_MARK: Final = re.compile(r"(?:[0-9]{1,3}\s*[.):\-–]+|[^\w\"'(]+)\s*")
"""Mark before a name in a list: a number, a dash, a bullet, a tick."""


@dataclass(frozen=True, slots=True)
class PastedName:
    """A pasted name: who it means (None: nobody of that name is registered), and whether they are entered already.

    `candidates` are the people of whom it may be the beginning or a misspelling.
    """

    text: str
    player: Player | None = None
    entered: bool = False
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EnrolPlayers(Change[Entered]):
    """Enter people after a look at who is meant: those of `known` names, and those to be registered as `new` first.

    Refused as `EnterPlayers`; REFUSED, too, for a new name that cannot be kept.
    """

    event: str | None
    known: Sequence[str]
    new: Sequence[str] = ()

    def perform(self, store: storage.Store) -> Entered:
        """Return the players entered now, those entered before, and those who were registered."""
        people = [storage.NewPerson(person_name(name), "", "") for name in self.new]
        registered = register(store, people).added if people else ()
        names = [*self.known, *(person.name for person in people)]
        return replace(EnterPlayers(self.event, names).perform(store), registered=registered)


def pasted_names(db: str | None, event_name: str | None, text: str) -> tuple[PastedName, ...]:
    """Return the names in a text, a line or a part between commas each, with who they mean.

    Raises TourneyError NOT_FOUND for an unknown event; REFUSED if the event is finished, for a text without a name, and
    for names that cannot be kept.
    """
    with storage.reading(db) as reader:
        event = find_open_event(reader, event_name)
        directory = Directory(people_of(reader))
    entrants = {player.id for player in event.entrants}
    names = tuple(_meant(directory, entrants, name) for name in _names(text))
    if not names:
        raise TourneyError(ExitCode.REFUSED, _("nobody is named to enter"), _("write a name on each line"))
    if len(names) > MOST_NAMES:
        message = _("{number} names are too many at once").format(number=len(names))
        raise TourneyError(ExitCode.REFUSED, message, _("use at most {most}").format(most=MOST_NAMES))
    return names


def _names(text: str) -> Iterator[str]:
    """Yield each name once, without the mark before it; what has no letter is no name."""
    seen: set[str] = set()
    for part in _BETWEEN.split(text):
        mark = _MARK.match(part)
        bare = part[mark.end() :] if mark else part
        if any(map(str.isalpha, bare)):
            name = clean(bare)
            if fold(name) not in seen:
                seen.add(fold(name))
                yield name


def _meant(directory: Directory, entrants: set[int], name: str) -> PastedName:
    candidates: tuple[str, ...] = ()
    with suppress(UnknownName):
        player = directory.find_exactly(name, "")
        return PastedName(name, player, player.id in entrants)
    try:
        candidates = (directory.find(name, "").shown,)
    except UnknownName as error:
        candidates = error.candidates
    return PastedName(name, candidates=candidates)
