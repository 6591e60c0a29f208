"""Lookup of players, events, rounds and tables by the names and numbers that people type."""

from __future__ import annotations

import datetime
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.rulebook import rulesets
from tourney.service.change import Change, Outcome, Scope
from tourney.text.i18n import _
from tourney.text.names import fold
from tourney.text.sanitize import quote_argument


class Directory:
    """Players by the names that people type: name and label exactly, then without accents and case.

    A name without a label finds the only player of that name. If several players have the name, the one without a label
    is found only by the name exactly as it is stored: `Ana` is Ana, but `ana` may also be Ana (Getxo).
    """

    def __init__(self, players: Iterable[Player]) -> None:
        self._players = tuple(players)
        self._exact = {player.shown: player for player in self._players}

    # Computed only on demand: most names are typed as they are stored, and folding many names takes long.
    @cached_property
    def _folded(self) -> dict[str, Player]:
        return {fold(player.shown): player for player in self._players}

    @cached_property
    def _bare(self) -> Mapping[str, Sequence[Player]]:
        found: dict[str, list[Player]] = defaultdict(list)
        for player in self._players:
            found[fold(player.name)].append(player)
        return found

    def known(self, name: str) -> Player | None:
        """Return the player with this name and label, accents and case aside."""
        return self._folded.get(fold(name))

    def find(self, name: str, hint: str) -> Player:
        """Return the player that `name` means. Raises TourneyError NOT_FOUND, with a hint, for none or several."""
        tidy = unicodedata.normalize("NFC", " ".join(name.split()))
        if tidy in self._exact:
            return self._exact[tidy]
        several = self._bare.get(fold(name), [])
        if len(several) > 1:
            raise TourneyError(
                ExitCode.NOT_FOUND,
                _("“{name}” may be {several}").format(name=tidy, several=listed(player.shown for player in several)),
                _("write the name with its label, or exactly as shown here"),
            )
        found = self._folded.get(fold(name))
        if found is not None:
            return found
        if several:
            return several[0]
        hint = near_miss(name, (player.shown for player in self._players), hint, 0.7)
        raise TourneyError(ExitCode.NOT_FOUND, _("nobody is called “{name}”").format(name=tidy[:80]), hint)


def near_miss(name: str, known: Iterable[str], hint: str, cutoff: float = 0.6) -> str:
    """Return the hint, preceded by the nearest known name if one is near (accents and case aside)."""
    folded = {fold(each): each for each in known}
    near = get_close_matches(fold(name), list(folded), n=1, cutoff=cutoff)
    return _("did you mean {near}? Otherwise {hint}").format(near=folded[near[0]], hint=hint) if near else hint


def listed(names: Iterable[str], most: int = 5) -> str:
    """Return the first `most` names as a list in one line, and the number of further names."""
    known = list(names)
    shown = ", ".join(known[:most])
    return shown if len(known) <= most else _("{shown} and {more} more").format(shown=shown, more=len(known) - most)


def find_event(reader: storage.Reader, name: str | None) -> Event:
    """Return the event of that name, accents and case aside; without a name the current one.

    Raises TourneyError NOT_FOUND, suggesting a near name.
    """
    return reader.event(_event_number(reader, name))


def _event_number(reader: storage.Reader, name: str | None) -> int:
    names = reader.event_names()
    if name is None:
        return _current(reader, names)
    folded = {fold(known): number for number, known in names.items()}
    if fold(name) in folded:
        return folded[fold(name)]
    raise _no_event(reader, name)


def _no_event(reader: storage.Reader, name: str) -> TourneyError:
    hint = _("create it with `tourney event new`, or see `tourney event list`")
    near = near_miss(name, reader.event_names().values(), hint)
    return TourneyError(ExitCode.NOT_FOUND, _("no event is called “{name}”").format(name=name[:80]), near)


def _current(reader: storage.Reader, names: dict[int, str]) -> int:
    current = reader.meant_event()
    if current is not None:
        return current
    if not names:
        message = _("there is no event yet")
        raise TourneyError(ExitCode.NOT_FOUND, message, _("create one with `tourney event new NAME`"))
    raise TourneyError(
        ExitCode.NOT_FOUND,
        _("no event is named, and there is no current event"),
        _("name one, or set the current event with `tourney event use NAME`; there are {events}").format(
            events=listed(names.values())
        ),
    )


class EventChange(Change[Outcome]):
    """A change whose preview compares one event: `event` as `find_event` takes it."""

    __slots__ = ()
    event: str | None

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: this event."""
        return Scope([find_event(reader, self.event).id])


@dataclass(frozen=True, slots=True)
class AfterEvent(Change[Outcome]):
    """A change made of typed words, of which the first may name the event.

    The first word is the event if it is an event's exact name, accents and case aside; otherwise all words belong to
    the change, and `event` or without it the current event is meant. Of commands that take at most `most` words
    the first of more than these must be an event. `change` makes the change of the event's name and the other words.
    Refused: USAGE for two events, NOT_FOUND for a first word that must be an event and is none.
    """

    event: str | None
    words: Sequence[str]
    change: Callable[[str | None, Sequence[str]], Change[Outcome]]
    most: int | None = None

    def perform(self, store: storage.Store) -> Outcome:
        """Return the outcome of the change."""
        return self._meant(store).perform(store)

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return the scope of the change."""
        return self._meant(reader).scope(reader)

    def _meant(self, reader: storage.Reader) -> Change[Outcome]:
        names = {fold(name): number for number, name in reader.event_names().items()}
        first = next(iter(self.words), "")
        is_full = self.most is not None and len(self.words) <= self.most
        if is_full or (self.most is None and fold(first) not in names):
            return self.change(self.event, self.words)
        if self.event is not None and names.get(fold(first)) != _event_number(reader, self.event):
            message = _("two events are named: {event} and {first}").format(event=self.event[:40], first=first[:40])
            raise TourneyError(ExitCode.USAGE, message, _("name one of them, first or with --event"))
        if fold(first) not in names:
            raise _no_event(reader, first)
        return self.change(first, self._rest())

    def _rest(self) -> Sequence[str]:
        """Return the words after the event. Raises TourneyError USAGE if they are too many."""
        rest = self.words[1:]
        if self.most is not None and len(rest) > self.most:
            message = _("too many words: “{words}”").format(words=" ".join(rest)[:80])
            raise TourneyError(ExitCode.USAGE, message, _('a name of several words needs quotes, such as "Ana María"'))
        return rest


def event_argument(event: Event) -> str:
    """Return how a command to paste names the event: quoted after a blank, "" if it is the current event anyway."""
    return "" if event.is_current else f" {quote_argument(event.settings.name)}"


def table_arguments(event: Event, table: Table) -> str:
    """Return how a command to paste names the table, after a blank: ` Friday --round 2 --table 1`."""
    return f"{event_argument(event)} --round {table.round} --table {table.number}"


def find_open_event(reader: storage.Reader, name: str | None) -> Event:
    """Return the event as `find_event` does. Raises TourneyError REFUSED, too, if the event is finished."""
    event = find_event(reader, name)
    refuse_finished(event)
    return event


def refuse_finished(event: Event) -> None:
    """Raise TourneyError REFUSED if the event is finished: nothing in it changes any more."""
    if event.state == "finished":
        message = _("{event} is finished").format(event=event.settings.name)
        hint = _("open it again with `tourney event reopen{event} --reason TEXT`").format(event=event_argument(event))
        raise TourneyError(ExitCode.REFUSED, message, hint)


def find_round(event: Event, rounds: Sequence[Round], number: int) -> Round:
    """Return the drawn round of that number. Raises TourneyError NOT_FOUND."""
    found = next((round_ for round_ in rounds if round_.number == number), None)
    if found is None:
        refuse_no_round(event, number)
        message = _("round {round} of {event} is not drawn; {drawn} of {all} are").format(
            round=number, event=event.settings.name, drawn=len(rounds), all=event.settings.rounds
        )
        hint = _("draw the next one with `tourney round draw{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return found


def refuse_no_round(event: Event, number: int) -> None:
    """Raise TourneyError NOT_FOUND if the event has no round of that number, drawn or not."""
    if not 1 <= number <= event.settings.rounds:
        message = _("{event} has no round {round}").format(event=event.settings.name, round=number)
        hint = _("its rounds are 1 to {last}").format(last=event.settings.rounds)
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)


def find_table(event: Event, rounds: Sequence[Round], round_number: int, number: int) -> Table:
    """Return the table of that number in a drawn round. Raises TourneyError NOT_FOUND."""
    tables = find_round(event, rounds, round_number).tables
    found = next((table for table in tables if table.number == number), None)
    if found is None:
        message = _("round {round} of {event} has no table {table}").format(
            round=round_number, event=event.settings.name, table=number
        )
        numbers = listed((str(table.number) for table in tables), 12)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("its tables are {numbers}").format(numbers=numbers))
    return found


def find_entrant(event: Event, text: str) -> Player:
    """Return the entrant of a number (the place among the entrants, from 1) or of a name.

    An entrant whose name is that number is preferred. Raises TourneyError NOT_FOUND.
    """
    directory = Directory(event.entrants)
    number = text.strip()
    if not number.isdecimal() or directory.known(number) is not None:
        hint = _("see who plays with `tourney event show{event}`").format(event=event_argument(event))
        return directory.find(text, hint)
    if 1 <= len(number) < 10 and 1 <= int(number) <= len(event.entrants):
        return event.entrants[int(number) - 1]
    message = _("{event} has no entrant {number}").format(event=event.settings.name, number=number[:40])
    hint = _("the numbers go from 1 to {most}; see them with `tourney event show{event}`").format(
        most=len(event.entrants), event=event_argument(event)
    )
    raise TourneyError(ExitCode.NOT_FOUND, message, hint)


def newest(event: Event, rounds: Sequence[Round]) -> Round:
    """Return the round drawn last. Raises TourneyError REFUSED if none is."""
    if not rounds:
        raise nothing_drawn(event)
    return rounds[-1]


def nothing_drawn(event: Event) -> TourneyError:
    """Return the error for an event without rounds where one is needed."""
    message = _("no round of {event} is drawn").format(event=event.settings.name)
    hint = _("draw one with `tourney round draw{event}`").format(event=event_argument(event))
    return TourneyError(ExitCode.REFUSED, message, hint)


def same_rules(event: Event) -> None:
    """Raise TourneyError REFUSED if the rules that the event was created with have changed since."""
    if not rulesets.is_current(event.rules):
        message = _("the rules {rules} are no longer those that {event} was created with").format(
            rules=event.settings.rules, event=event.settings.name
        )
        raise TourneyError(ExitCode.REFUSED, message, _("use the version of tourney that the event began with"))


def iso_date(text: str) -> str:
    """Return the date in ISO form, "" for an empty text. Raises TourneyError REFUSED for text that is not a date."""
    if not text:
        return ""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        message = _("“{text}” is not a date").format(text=text[:40])
        raise TourneyError(ExitCode.REFUSED, message, _("write it as 2026-11-20")) from None
