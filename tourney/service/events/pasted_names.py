"""Names of people as they are pasted from a list or a message, and who each of them means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import EnteredPlayers
from tourney.domain.people import Player
from tourney.service.change import Change
from tourney.service.directory import Directory, UnknownName
from tourney.service.events.events import EnterPlayers
from tourney.service.lookup import find_open_event
from tourney.service.people.players import register
from tourney.service.people_file import people_of, person_name
from tourney.text.i18n import _
from tourney.text.look_alikes import look_alikes
from tourney.text.names import clean, fold
from tourney.text.similar import similar

MOST_NAMES: Final = 500
ALIKE: Final = 87
"""From which similarity on two new names of one list may be one person: another letter in a name of eight or more."""
_BETWEEN: Final = re.compile(r"[\n\r\t,;]+")
_MARK: Final = re.compile(r"(?:[0-9]{1,3}\s*[.):\-–]+|[^\w\"'(]+)\s*")
"""Mark before a name in a list: a number, a dash, a bullet, a tick."""


@dataclass(frozen=True, slots=True)
class PastedName:
    """A pasted name: who it means (None: nobody of that name is registered), and whether they are entered already.

    `candidates` are the people of whom it may be the beginning or a misspelling. `again` has the name as it was written
    on other lines, which are taken for this person too. `alike` is a new name above it in the list that it may
    misspell. `double` is the one of `candidates` and `alike` that looks the same, in letters of another alphabet.
    """

    text: str
    player: Player | None = None
    entered: bool = False
    candidates: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    alike: str = ""
    double: str = ""


@dataclass(frozen=True, slots=True)
class EnrolPlayers(Change[EnteredPlayers]):
    """Enter people after a look at who is meant: those of `known` names, and those to be registered as `new` first.

    Refused as `EnterPlayers`; REFUSED, too, for a new name that cannot be kept.
    """

    event: str | None
    known: Sequence[str]
    new: Sequence[str] = ()

    def perform(self, store: storage.Store) -> EnteredPlayers:
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
        people = people_of(reader)
    directory = Directory(people)
    entrants = {player.id for player in event.entrants}
    meant = [replace(_meant(directory, entrants, name), again=tuple(again)) for name, *again in _names(text)]
    names = _compared(meant, [person.shown for person in people])
    if not names:
        raise TourneyError(ExitCode.REFUSED, _("nobody is named to enter"), _("write a name on each line"))
    if len(names) > MOST_NAMES:
        message = _("{number} names are too many at once").format(number=len(names))
        raise TourneyError(ExitCode.REFUSED, message, _("use at most {most}").format(most=MOST_NAMES))
    return names


def _compared(names: Sequence[PastedName], registered: Sequence[str]) -> tuple[PastedName, ...]:
    """Return the names, each new one with the registered one and the new one above it that it is nearly the same as."""
    compared, new = list[PastedName](), list[str]()
    drawn_as = dict(look_alikes([name.text for name in names if name.player is None], registered))
    for name in names:
        if name.player is None:
            near = similar(name.text, new, cutoff=ALIKE)
            double = drawn_as.get(name.text, "")
            candidates = name.candidates
            if double in new:
                near = [double]
            elif double and double not in candidates:
                candidates = (double, *candidates)
            new.append(name.text)
            name = replace(name, candidates=candidates, alike=near[0] if near else "", double=double)
        compared.append(name)
    return tuple(compared)


def lines_of_two(text: str) -> tuple[str, ...]:
    """Return the lines of a longer list that have one comma: two people, or the surname and the first name of one."""
    lines = [clean(line) for line in text.splitlines() if line.strip()]
    return tuple(line for line in lines if line.count(",") == 1 and len(_names(line)) == 2) if len(lines) > 1 else ()


def _names(text: str) -> list[list[str]]:
    """Return each name without the mark before it, with how it was written again; what has no letter is no name."""
    names: dict[str, list[str]] = {}
    for part in _BETWEEN.split(text):
        mark = _MARK.match(part)
        bare = part[mark.end() :] if mark else part
        # A line that ends with a colon is the heading of the list.
        if any(map(str.isalpha, bare)) and not bare.rstrip().endswith(":"):
            name = clean(bare)
            names.setdefault(fold(name), []).append(name)
    return list(names.values())


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
