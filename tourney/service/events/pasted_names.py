"""Names of people as they are pasted from a list or a message, and who each of them means."""

from __future__ import annotations

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
from tourney.service.events.attendance import CheckInPlayers
from tourney.service.events.events import EnterPlayers
from tourney.service.lookup import find_open_event
from tourney.service.people_file import people_of, person_name
from tourney.service.players import register
from tourney.text.i18n import _
from tourney.text.look_alikes import look_alikes
from tourney.text.names import clean, fold
from tourney.text.pasted_list import MOST_NAMES, Pasted, Reading, Readings, readings
from tourney.text.ranges import listed
from tourney.text.similar import similar

ALIKE: Final = 87
"""From which similarity on two names may be one person: another letter in a name of eight or more."""


@dataclass(frozen=True, slots=True)
class PastedName:
    """A pasted name: who it means (None: nobody of that name is registered), and whether they are entered already.

    `candidates` are people whose names it may begin or misspell, `likely` the only one of them if it is
    nearly that ("": the desk decides). `again` has the name as it was written on other lines, which are taken for this
    person too. `alike` is a new name above it in the list that it may misspell. `double` is the one of `candidates` and
    `alike` that looks the same, in letters of another alphabet. `said` is what its line says besides; a `doubtful` one
    may not come, or be no name.
    """

    text: str
    player: Player | None = None
    entered: bool = False
    candidates: tuple[str, ...] = ()
    likely: str = ""
    again: tuple[str, ...] = ()
    alike: str = ""
    double: str = ""
    said: str = ""
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class PastedNames:
    """The names of a text with who they mean, in one way to read it; `others` are other ways.

    `left_out` has what is no name. `asks` if the text does not show which way is meant, and nobody has said so.
    """

    names: tuple[PastedName, ...]
    way: Reading
    others: tuple[Reading, ...] = ()
    asks: bool = False

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return what is no name, as it was written."""
        return self.way.left_out


@dataclass(frozen=True, slots=True)
class EnrolPlayers(Change[EnteredPlayers]):
    """Enter people after a look at who is meant: those of `known` names, and those to be registered as `new` first.

    With `here` they are checked in, too, also those who were entered before. Refused as `EnterPlayers`, and then as
    `CheckInPlayers`; REFUSED, too, for a new name that cannot be kept.
    """

    event: str | None
    known: Sequence[str]
    new: Sequence[str] = ()
    here: bool = False

    def perform(self, store: storage.Store) -> EnteredPlayers:
        """Return the players entered now, those entered before, and those who were registered."""
        people = [storage.NewPerson(person_name(name), "", "") for name in self.new]
        registered = register(store, people).added if people else ()
        names = [*self.known, *(person.name for person in people)]
        entered = replace(EnterPlayers(self.event, names).perform(store), registered=registered)
        if not self.here:
            return entered
        shown = [player.shown for player in (*entered.added, *entered.already)]
        came = CheckInPlayers(self.event, shown).perform(store)
        return replace(entered, event=came.event, checked_in=came.changed, ahead=came.ahead or entered.ahead)


def pasted_names(db: str | None, event_name: str | None, text: str, key: str = "") -> PastedNames:
    """Return the names in a text with who they mean, read in the way of this key, or else in the likeliest one.

    Raises TourneyError NOT_FOUND for an unknown event; REFUSED if the event is finished, for a text without a name, and
    for names that cannot be kept.
    """
    with storage.reading(db) as reader:
        event = find_open_event(reader, event_name)
        people = people_of(reader)
    directory = Directory(people)
    way, others, asks = _way(readings(text), key, directory)
    _refuse_number(way)
    entrants = {player.id for player in event.entrants}
    meant = [_meant(directory, entrants, pasted, again) for pasted, again in _distinct(way.people)]
    names = _compared(meant, [person.shown for person in people])
    return PastedNames(names, way, others, asks)


def _way(found: Readings, key: str, directory: Directory) -> tuple[Reading, tuple[Reading, ...], bool]:
    """Return the way to read a text, the others, and whether the desk is to be asked: names that are known decide."""
    ways = [way for way in found.ways if way.people] or list(found.ways)
    chosen = [way for way in ways if way.key == key]
    known = {way.key: sum(map(directory.is_name, (each.name for each in way.people))) for way in ways}
    best = max(known.values())
    leading = [way for way in ways if known[way.key] == best]
    way = (chosen or leading)[0]
    asks = found.asks and not chosen and len(leading) > 1
    return way, tuple(each for each in ways if each is not way and each.people != way.people), asks


def _refuse_number(way: Reading) -> None:
    """Raise TourneyError REFUSED for no names, saying what was left out, and for too many."""
    if not way.people:
        message, hint = _("no name is found in this text"), _("write a name on each line")
        if way.left_out:
            text = _("{hint}; this was left out: {lines}")
            hint = text.format(hint=hint, lines=listed([f"“{line[:_SHOWN]}”" for line in way.left_out], _MOST_SHOWN))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    if len(way.people) > MOST_NAMES:
        message = _("{number} names are too many at once").format(number=len(way.people))
        raise TourneyError(ExitCode.REFUSED, message, _("use at most {most}").format(most=MOST_NAMES))


_SHOWN: Final = 60
"""The characters of a line that a refusal shows, of at most so many lines:"""
_MOST_SHOWN: Final = 5


def _distinct(people: Sequence[Pasted]) -> list[tuple[Pasted, tuple[str, ...]]]:
    """Return each name once, with how it was written again."""
    found: dict[str, list[Pasted]] = {}
    for pasted in people:
        found.setdefault(fold(pasted.name), []).append(replace(pasted, name=clean(pasted.name)))
    return [(first, tuple(each.name for each in again)) for first, *again in found.values()]


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
            likely = name.likely if len(candidates) == 1 and not near else ""
            likely = double if candidates == (double,) and not near else likely
            name = replace(name, candidates=candidates, likely=likely, alike=near[0] if near else "", double=double)
        compared.append(name)
    return tuple(compared)


def _meant(directory: Directory, entrants: set[int], pasted: Pasted, again: tuple[str, ...]) -> PastedName:
    """Return what a name means: a person of that name, or the people whose names it may begin or misspell."""
    name = PastedName(pasted.name, again=again, said=pasted.said, doubtful=pasted.doubtful)
    with suppress(UnknownName):
        player = directory.find_exactly(pasted.name, "")
        doubtful = pasted.doubtful and bool(pasted.said)
        return replace(name, player=player, entered=player.id in entrants, doubtful=doubtful)
    try:
        candidates: tuple[str, ...] = (directory.find(pasted.name, "").shown,)
    except UnknownName as error:
        candidates = error.candidates
    return replace(name, candidates=candidates, likely=_likely(pasted.name, candidates))


def _likely(name: str, candidates: Sequence[str]) -> str:
    """Return the only candidate of which the name is the beginning, or nearly the whole; "" if that is nobody."""
    begun = [candidate for candidate in candidates if _begins(fold(name).split(), fold(candidate).split())]
    near = similar(name, candidates, cutoff=ALIKE) if len(candidates) == 1 else []
    return (begun or near or [""])[0] if len(begun) < 2 else ""


def _begins(words: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether each word is the beginning of another one's word."""
    return all(any(other.startswith(word) for other in others) for word in words)
