"""Lookup of players, events, stages, rounds and tables by the names and numbers that people type."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event, stage_settings
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Stage, Table
from tourney.rulebook import rulesets
from tourney.service.change import Change, Outcome, Scope
from tourney.service.directory import Directory, Names, UnknownName, find_all, with_suggestion
from tourney.standings.lives import lives_lost, out_of_lives
from tourney.standings.substitutes import counted
from tourney.text.dates import date_hint, read_date
from tourney.text.i18n import _, fill
from tourney.text.names import fold
from tourney.text.ranges import listed, ranges
from tourney.text.sanitize import quote_argument


def in_stage(reader: storage.Reader, event: Event) -> Event:
    """Return the event with the format, rounds, tables and players of the stage that was begun last.

    An event without stages is returned as it is.
    """
    stage = event.stage
    if stage is None:
        return event
    return replace(
        event,
        settings=stage_settings(event.settings, stage),
        members=_members(event, stage, _out(reader, event, stage)),
    )


def as_in_round(event: Event, number: int) -> Event:
    """Return the event with the settings of the stage in which round `number` is played; its players do not count."""
    stage = event.in_round(number)
    return event if stage is None else replace(event, settings=stage_settings(event.settings, stage))


def with_rules_of_round(event: Event, number: int) -> Event:
    """Return the event with the rules of round `number`, where a stage plays only some hands of a game."""
    stage = event.in_round(number)
    if stage is None or not stage.hands:
        return event
    return replace(event, rules=rulesets.with_hands(event.rules, stage.hands))


def _members(event: Event, stage: Stage, out: Collection[int]) -> frozenset[int]:
    """Return the numbers of the players who play on in the stage; everybody plays in the first one."""
    return frozenset(stage.players or (player.id for player in event.entrants)).difference(out)


def _out(reader: storage.Reader, event: Event, stage: Stage) -> frozenset[int]:
    """Return the numbers of the players who are out of a knock-out, as results of substitutes count."""
    if not stage.lives:
        return frozenset()
    results = [each for each in reader.results.of(event) if each.table.round >= stage.first]
    counts = counted(results, reader.rounds.substitutions(event), event.settings.substitutes)
    return out_of_lives(lives_lost(counts.results, counts.uncounted), stage.lives)


def find_event(reader: storage.Reader, name: str | None) -> Event:
    """Return the event that the text means, as `Names` says; without a text the current one.

    Numbers are those of `event list`. Raises TourneyError NOT_FOUND, suggesting similar names.
    """
    return reader.events.get(_event_number(reader, name))


def is_event(db: str | None, text: str) -> bool:
    """Return whether the text is an event's exact name, accents and case aside."""
    with storage.reading(db) as reader:
        return fold(text) in map(fold, reader.events.names().values())


def _event_number(reader: storage.Reader, name: str | None) -> int:
    names = reader.events.names()
    if name is None:
        return _current(reader, names)
    found = _named(names).meant(name)
    if len(found) != 1:
        raise _no_event(names, name)
    return list(names)[found[0]]


def _named(names: Mapping[int, str]) -> Names:
    """Return the names of the events, with the numbers of `event list`."""
    return Names(list(names.values()), numbers={number: place for place, number in enumerate(names)})


def _no_event(names: Mapping[int, str], name: str) -> TourneyError:
    """Return the refusal of a text that means no event, or several."""
    shown, known = list(names.values()), _named(names)
    if several := known.meant(name):
        message = _("“{name}” may be {several}").format(
            name=name[:80], several=listed(shown[place] for place in several)
        )
        hint = _("write more of the name, or its number from `tourney event list`")
        return TourneyError(ExitCode.NOT_FOUND, message, hint)
    hint = _("create it with `tourney event new`, or see `tourney event list`")
    if name.isdecimal():
        hint = _("for a round add `--round {number}`; `tourney event list` shows the numbers of events")
        hint = hint.format(number=name[:80])
    near = with_suggestion([shown[place] for place in known.similar(name)], hint)
    return TourneyError(ExitCode.NOT_FOUND, _("no event is called “{name}”").format(name=name[:80]), near)


def _current(reader: storage.Reader, names: dict[int, str]) -> int:
    current = reader.events.meant()
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


class InEvent(Change[Outcome]):
    """A change in one event: `event` as `find_event` takes it."""

    __slots__ = ()
    event: str | None

    def cut_scope(self, reader: storage.Reader) -> Collection[int]:
        """Return the number of the event."""
        return [find_event(reader, self.event).id]


class ComparedChange(InEvent[Outcome]):
    """A change whose preview compares one event."""

    __slots__ = ()

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

    def cut_scope(self, reader: storage.Reader) -> Collection[int]:
        """Return the events of the change."""
        return self._meant(reader).cut_scope(reader)

    def _meant(self, reader: storage.Reader) -> Change[Outcome]:
        names = {fold(name): number for number, name in reader.events.names().items()}
        first = next(iter(self.words), "")
        is_full = self.most is not None and len(self.words) <= self.most
        if is_full or (self.most is None and fold(first) not in names):
            if self.event is None and self.most is None:
                _refuse_misspelt(reader, first)
            return self.change(self.event, self.words)
        if self.event is not None and names.get(fold(first)) != _event_number(reader, self.event):
            message = fill(_("two events are named: {event} and {first}"), event=self.event[:40], first=first[:40])
            raise TourneyError(ExitCode.USAGE, message, _("name one of them, first or with --event"))
        if fold(first) not in names:
            raise _no_first_word(reader.events.names(), first)
        return self.change(first, self._rest())

    def _rest(self) -> Sequence[str]:
        """Return the words after the event. Raises TourneyError USAGE if they are too many."""
        rest = self.words[1:]
        if self.most is not None and len(rest) > self.most:
            message = _("too many words: “{words}”").format(words=" ".join(rest)[:80])
            raise TourneyError(ExitCode.USAGE, message, _('a name of several words needs quotes, such as "Ana María"'))
        return rest


def _refuse_misspelt(reader: storage.Reader, first: str) -> None:
    """Raise TourneyError NOT_FOUND for a first word that means nobody, and may be meant as an event.

    Otherwise `event enter Frday Ana --add` would register a person called Frday.
    """
    hint = _meant_by_option(reader.events.names(), first)
    if hint and not Directory.registered(reader.people.players()).means(first):
        message = _("“{name}” is neither a player nor an event").format(name=first[:80])
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)


def _no_first_word(names: Mapping[int, str], first: str) -> TourneyError:
    """Return the refusal of a first word that had to be an event's whole name, or else is half of a player's."""
    hint = _meant_by_option(names, first) or _('a name of several words needs quotes, such as "Ana María"')
    return TourneyError(ExitCode.NOT_FOUND, _("no event is called “{name}”").format(name=first[:80]), hint)


def _meant_by_option(names: Mapping[int, str], first: str) -> str:
    """Return a hint to the event of which the first word is the beginning or a misspelling; "" if there is none."""
    known = _named(names)
    near = [] if first.strip().isdecimal() else [*known.meant(first), *known.similar(first)]
    if not near:
        return ""
    event = list(names.values())[near[0]]
    return _("did you mean the event {event}? Write its whole name, or add `{option}`").format(
        event=event,
        option=quote_argument(f"--event={event}") if event.startswith("-") else f"--event {quote_argument(event)}",
    )


def event_argument(event: Event) -> str:
    """Return how a command to paste names the event: quoted after a blank, "" if it is the current event anyway."""
    return "" if event.is_current else f" {quote_argument(event_word(event.settings.name))}"


def event_word(name: str) -> str:
    """Return how a command names an event in one word: as an option where the name looks like one, as `-x` does."""
    return f"--event={name}" if name.startswith("-") else name


def free_event_name(taken: Iterable[str], day: str) -> str:
    """Return a name for a new event: the day, with a number if there is an event of that name."""
    folded = set(map(fold, taken))
    again = "{day} ({number})" if " " in day else "{day}-{number}"
    names = (day if number == 1 else again.format(day=day, number=number) for number in count(1))
    return next(name for name in names if fold(name) not in folded)


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
    """Return the drawn round of that number. Raises TourneyError NOT_FOUND, and REFUSED if no round is drawn."""
    found = next((round_ for round_ in rounds if round_.number == number), None)
    if found is None:
        refuse_no_round(event, number)
        newest(event, rounds)
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
        numbers = ranges(table.number for table in tables)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("its tables are {numbers}").format(numbers=numbers))
    return found


def find_entrant(event: Event, text: str) -> Player:
    """Return the entrant that the text means, as `Names` says; numbers are the places among the entrants, from 1.

    Raises TourneyError NOT_FOUND.
    """
    return find_entrants(event, [text])[0]


def find_entrants(event: Event, texts: Iterable[str]) -> list[Player]:
    """Return the entrants that the texts mean. Raises TourneyError NOT_FOUND, for several wrong ones together."""
    return find_all(partial(_entrant, event, entrants_of(event)), texts)


def entrants_of(event: Event) -> Directory:
    """Return the directory of the entrants, with the numbers of `event show`."""
    command = f"tourney event show{event_argument(event)}"
    return Directory(event.entrants, dict(enumerate(event.entrants, 1)), command)


def _entrant(event: Event, directory: Directory, text: str) -> Player:
    number = text.strip()
    if directory.means(text) or not number.isdecimal():
        hint = _("see who plays with `tourney event show{event}`").format(event=event_argument(event))
        return directory.find(text, hint)
    message = _("{event} has no entrant {number}").format(event=event.settings.name, number=number[:40])
    hint = _("the numbers go from 1 to {most}; see them with `tourney event show{event}`").format(
        most=len(event.entrants), event=event_argument(event)
    )
    raise UnknownName(number[:40], message, hint, ())


def newest(event: Event, rounds: Sequence[Round]) -> Round:
    """Return the round drawn last. Raises TourneyError REFUSED if none is."""
    if not rounds:
        raise nothing_drawn(event)
    return rounds[-1]


def newest_played(event: Event, rounds: Sequence[Round]) -> Round:
    """Return the round published last, or a draft where no other is drawn. Raises TourneyError REFUSED if none is."""
    return newest(event, [drawn for drawn in rounds if not drawn.draft] or rounds)


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
        return read_date(text) or datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        message = _("“{text}” is not a date").format(text=text[:40])
        raise TourneyError(ExitCode.REFUSED, message, date_hint(text)) from None
