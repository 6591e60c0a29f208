"""Import of a whole event from its file: people and event get numbers of this database, entries keep all else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike

from tourney import storage
from tourney.bots import builtin
from tourney.domain.database import CODE_LENGTH
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import SETTINGS, BroughtIn, Event, PersonHere, PersonOrigin
from tourney.domain.people import Player
from tourney.domain.results import Result
from tourney.rulebook import rulesets
from tourney.service import database
from tourney.service.bots import draw_deals_again
from tourney.service.chained_lines import MALFORMED
from tourney.service.change import Change, Scope
from tourney.service.directory import Directory
from tourney.service.events.entries_of_file import FileEntries, impossible
from tourney.service.events.event_file import (
    EventFile,
    FilePerson,
    known_event,
    read_event_file,
    refuse_line,
)
from tourney.service.events.settings import checked
from tourney.service.lookup import with_rules_of_round
from tourney.service.people_file import person_name
from tourney.service.players import check_new_names
from tourney.service.results.standings import table_of
from tourney.text.i18n import _
from tourney.text.names import clean, fold, optional


@dataclass(frozen=True, slots=True)
class ImportEvent(Change[BroughtIn]):
    """Import an event from its file; `name` gives it another name here.

    If the event is here already, the file's new entries are added to it. Refused: CONFLICT for a file without new ones,
    for an event that went on in both places, and for a name that is taken; REFUSED, with the line, for a file that is
    not whole, or holds entries that no program can have written.
    """

    path: str | PathLike[str]
    name: str | None = None

    def perform(self, store: storage.Store) -> BroughtIn:
        """Return the event, and who its people are here."""
        file = read_event_file(self.path)
        given = None if self.name is None else clean(self.name, _("name"))
        known = known_event(store, self.path, file)
        names = _names(self.path, file)
        name = _name(store, names if given is None else [given], known.number)
        people = _People(self.path, file, store.people.players(), dict(known.people), known.people.keys())
        people.refuse_impossible()
        new = len(file.entries) - known.entries
        if known.number is not None:
            # Whoever had the file had the seed.
            draw_deals_again(store, store.events.get(known.number))
        number = store.events.note_import(name, new, file.head, known.number)
        people.register(store)
        FileEntries(self.path, number, given, people.numbers, known.entries).write(store, file)
        people.merge(store)
        event = _event(store, self.path, number)
        if given is not None and given != names[-1]:
            store.write(storage.kinds.events.EventSet(event, {"name": event.settings.name}))
        store.after_commit(lambda: database.round_finished(store.db))
        bots, more = tuple(store.events.bots(event.id).values()), known.new_changes(file)
        return BroughtIn(event, new, file.head[:CODE_LENGTH], people.here(store), bots, more)

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: the ratings, in which the event counts."""
        return Scope(())


def outlook(db: str | None, change: ImportEvent) -> BroughtIn:
    """Return what the import would do. Raises TourneyError as the import does."""
    with storage.writing(db, dry_run=True) as store:
        return change.perform(store)


def _names(path: str | PathLike[str], file: EventFile) -> list[str]:
    """Return the names that the event has had, the last one last. Raises TourneyError REFUSED, with the line."""
    if not storage.given_name(file.entries[0].entry.payload):
        raise impossible(path, file.entries[0].line)
    return [name for each in file.standing if (name := storage.given_name(each.entry.payload))]


def _name(store: storage.Store, wanted: Sequence[str], known: int | None) -> str:
    """Return the name that the event gets. Raises TourneyError CONFLICT if another event has one that it has had.

    `known` is the number of the event if it is here.
    """
    taken = {fold(name): name for number, name in store.events.names().items() if number != known}
    for name in wanted:
        if fold(name) in taken:
            message = _("there is an event called {name} already").format(name=taken[fold(name)])
            raise TourneyError(ExitCode.CONFLICT, message, _("give this one another name: `--name NEW`"))
    return wanted[-1]


@dataclass
class _People:
    """The people of a file, and who they are here; `numbers` has their numbers here by those in the file.

    `here_before` are the numbers in the file of the people whom entries that are here name.
    """

    path: str | PathLike[str]
    file: EventFile
    registered: tuple[Player, ...]
    numbers: dict[int, int]
    here_before: Collection[int]
    _how: dict[int, PersonOrigin] = field(default_factory=dict)
    _ending: set[int] = field(default_factory=set)
    """The people in the file whose mergers are known to end at somebody who is not merged."""

    @cached_property
    def _here(self) -> Directory:
        return Directory(self.registered)

    def refuse_impossible(self) -> None:
        """Raise TourneyError REFUSED, with the line, for people that no database has."""
        shown: set[str] = set()
        for number, person in self.file.people.items():
            try:
                self._check(person)
            except MALFORMED:
                raise self._refusal(person) from None
            except TourneyError as error:
                raise refuse_line(self.path, person.line, error.message, error.hint) from None
            folded = fold(person.player.shown)
            if person.merged is None and folded and folded in shown:
                raise self._refusal(person)
            shown.add(folded if person.merged is None else "")
            self._how[number] = self._origin(number, person)
        self._refuse_other_mergers()

    def _check(self, person: FilePerson) -> None:
        player = person.player
        if player.kind == "bot":
            self._check_bot(player)
        if player.kind == "person" and player.name:
            texts = (person_name(player.name), optional(player.label, _("label")), optional(player.club, _("club")))
            if texts != (player.name, player.label, player.club):
                raise ValueError("not as names are kept")
        seen, at = {player.id}, person.merged
        while at is not None and at not in self._ending:
            if at in seen:
                raise ValueError("merged in a circle")
            seen.add(at)
            at = self.file.people[at].merged
        self._ending |= seen

    def _check_bot(self, player: Player) -> None:
        """Raise TourneyError or ValueError unless the name is that of a seat of a bot."""
        bot, dash, number = player.name.rpartition("-")
        if not (dash and number.isdigit()):
            raise ValueError("not a bot")
        if bot not in self._outside and not builtin.is_built_in(bot):
            raise ValueError("not a bot")

    @cached_property
    def _outside(self) -> frozenset[str]:
        """The names of bots that are not built in."""
        payloads = [each.entry.payload for each in self.file.entries]
        return frozenset(row[0] for payload in payloads for row in payload.get("outside", ()))

    def _refusal(self, person: FilePerson) -> TourneyError:
        return refuse_line(self.path, person.line, _("no database has such a person"), _("export the event again"))

    def _refuse_other_mergers(self) -> None:
        for each in self.file.standing:
            payload = each.entry.payload
            if each.entry.kind == "player.merge" and self._merged(payload.get("gone")) != payload.get("keep"):
                message = _("a merger of people who are not merged below")
                raise refuse_line(self.path, each.line, message, _("export the event again"))

    def _merged(self, number: object) -> int | None:
        person = self.file.people.get(number) if isinstance(number, int) else None
        return None if person is None else person.merged

    def _origin(self, number: int, person: FilePerson) -> PersonOrigin:
        if number in self.here_before:
            return "known"
        if person.merged is not None:
            return "merged"
        if not person.player.name:
            return "erased" if number in self._needed else "unregistered"
        known = self._here.known(person.player.shown)
        if known is not None and known.kind != person.player.kind:
            message = _("{name} is a person here, and a bot's seat in the event").format(name=known.shown)
            raise TourneyError(ExitCode.CONFLICT, message, _("rename the person with `tourney player rename`"))
        if known is not None:
            self.numbers[number] = known.id
        return "new" if known is None else "known"

    @cached_property
    def _needed(self) -> set[int]:
        """The people whom entries that stand name, and those into whom others were merged."""
        named: set[int] = {person.merged for person in self.file.people.values() if person.merged is not None}

        def note(number: int) -> int:
            named.add(number)
            return number

        for each in self.file.standing:
            try:
                storage.KINDS[each.entry.kind].renumbered(each.entry.payload, lambda event: event, note)
            except MALFORMED:
                raise impossible(self.path, each.line) from None
        return named

    def register(self, store: storage.Store) -> None:
        """Register everybody who is not known here, and erase those who were erased."""
        everybody = self.file.people.items()
        new = [number for number, _person in everybody if self._how[number] in ("new", "merged", "erased")]
        people = [number for number in new if self.file.people[number].player.kind == "person"]
        texts = [self.file.people[number].player for number in people]
        if people:
            check_new_names(store, [self.file.people[each].player.shown for each in people if self._how[each] == "new"])
            added = store.people.add_persons([storage.NewPerson(each.name, each.label, each.club) for each in texts])
            self.numbers |= {number: player.id for number, player in zip(people, added, strict=True)}
        bots = [number for number in new if number not in people]
        if bots:
            seats = store.people.add_bots([self.file.people[number].player.name for number in bots])
            self.numbers |= {number: player.id for number, player in zip(bots, seats, strict=True)}
        store.people.erase_names(
            [self.numbers[number] for number in people if not self.file.people[number].player.name]
        )
        gone = [number for number, _person in everybody if self._how[number] == "unregistered"]
        if gone:
            self.numbers |= dict(zip(gone, store.events.add_unregistered(len(gone)), strict=True))

    def merge(self, store: storage.Store) -> None:
        """Merge those who were merged without an entry of the event."""
        done = {each.entry.payload["gone"] for each in self.file.standing if each.entry.kind == "player.merge"}
        for number, person in self.file.people.items():
            if person.merged is not None and number not in done and number not in self.here_before:
                keep, gone = self.numbers[person.merged], self.numbers[number]
                store.write(storage.kinds.people.PlayersMerged(keep, gone, []))

    def here(self, reader: storage.Reader) -> tuple[PersonHere, ...]:
        """Return who everybody is here."""
        players = {player.id: player for player in (*reader.people.gone(), *reader.people.players())}
        return tuple(
            PersonHere(
                number,
                person.player.shown,
                players.get(self.numbers[number], Player(self.numbers[number], "")),
                self._how[number],
            )
            for number, person in self.file.people.items()
        )


def _event(store: storage.Store, path: str | PathLike[str], number: int) -> Event:
    """Return the event, read as every report reads it. Raises TourneyError REFUSED if it cannot be one."""
    refusal = refuse_line(path, 2, _("the entries do not make an event"), _("export the event again"))
    try:
        event = store.events.get(number)
        rulesets.rules_of(event.rules)
        sound = _settings_sound(event) and not store.events.refers_to_nothing(number)
        sound = sound and all(_sound(event, result) for result in store.results.of(event))
        store.results.partial_sheets(event)
        store.rounds.as_drawn(event)
        table_of(store, event)
    except MALFORMED:
        raise refusal from None
    except TourneyError as error:
        # Storage takes rows that no program has written for a damaged database.
        if error.code == ExitCode.STORAGE:
            raise refusal from None
        raise refuse_line(path, 2, error.message, error.hint) from None
    if not sound:
        raise refusal
    return event


def _settings_sound(event: Event) -> bool:
    values = ((setting, getattr(event.settings, name)) for name, setting in SETTINGS.items())
    typed = all(value is None or isinstance(value, int) == (setting.least is not None) for setting, value in values)
    return typed and checked(event.settings, event.rules) == event.settings


def _sound(event: Event, result: Result) -> bool:
    """Return whether money was won only in the knock game."""
    rules = with_rules_of_round(event, result.table.round).rules
    return not result.outcome.money or rulesets.family(rules) == "knock"
