"""The register of people: adding, listing, finding, renaming, merging and erasing them."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike

from tourney import storage
from tourney.domain.errors import DoubtWarning, ExitCode, TourneyError
from tourney.domain.people import Player, PlayerKind, PublishedAs
from tourney.domain.rounds import EventPlanChanges
from tourney.files.description import PLAIN, Description
from tourney.service import database
from tourney.service.change import Change, Scope
from tourney.service.directory import Directory, find_all
from tourney.service.people_file import ERASED, person_name, read_people
from tourney.service.seating import plan_diff
from tourney.text.i18n import _, fill
from tourney.text.look_alikes import doubt, look_alikes
from tourney.text.names import fold, name_order, optional


@dataclass(frozen=True, slots=True)
class Registered:
    """Registrations: players new to the program, and those registered before."""

    added: tuple[Player, ...]
    known: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed:
    """A person before and after a renaming; `ahead` has the tables that a new club changes if clubs are kept apart."""

    before: Player
    after: Player
    ahead: tuple[EventPlanChanges, ...] = ()


@dataclass(frozen=True, slots=True)
class EventGames:
    """An event's name, and the number of a player's games in it that count."""

    event: str
    games: int


@dataclass(frozen=True, slots=True)
class Merged:
    """Two registrations merged into `keep`: `moved` are the events of `gone`, `ahead` is as in `Renamed`.

    `published` is the name that rankings show afterwards, None if they do not show the player.
    """

    keep: Player
    gone: Player
    moved: tuple[EventGames, ...]
    ahead: tuple[EventPlanChanges, ...]
    published: str | None


@dataclass(frozen=True, slots=True)
class Erased:
    """A person whose name was erased, before and after, and the numbers of events and games that remain.

    `backups` are the files in `tourney-backups` that still hold the name, `pools` the pools whose imported files do,
    `mirrors` the mirrors that are away, and lose the name only when they are back. `changes` are the numbers of the
    entries of the journal that have the name in a text, `settings` the events whose settings have it.
    """

    before: Player
    after: Player
    events: int
    games: int
    backups: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    mirrors: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()
    settings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player with the events entered (names, in the order of the events), games counted, tables won.

    `namesakes` are others of the same name, each with a label. `published` is the name that rankings show, None
    if they do not show the player.
    """

    player: Player
    events: tuple[str, ...]
    games: int
    wins: int
    namesakes: tuple[Player, ...] = ()
    published: str | None = None


@dataclass(frozen=True, slots=True)
class RegisterPlayers(Change[tuple[Player, ...]]):
    """Register people under these names; a label tells apart two people of the same name.

    Refused: CONFLICT for a name that is taken (accents and case aside), REFUSED for one that is empty, too long or not
    printable.
    """

    names: Sequence[str]
    label: str = ""
    club: str = ""

    def perform(self, store: storage.Store) -> tuple[Player, ...]:
        """Return the players that were registered."""
        new = self._people()
        directory = Directory.registered(store.people.players())
        taken: set[str] = set()
        for person in new:
            _refuse_taken(directory, taken, person)
        check_new_names(store, list(map(_shown, new)))
        return store.people.add_persons(new)

    def _people(self) -> list[storage.NewPerson]:
        if not self.names:
            raise TourneyError(ExitCode.USAGE, _("no name is given"), _("name one person or more"))
        label, club = optional(self.label, _("label")), optional(self.club, _("club"))
        return [storage.NewPerson(person_name(name), label, club) for name in self.names]


@dataclass(frozen=True, slots=True)
class RenamePlayer(Change[Renamed]):
    """Give a person another name, label or club; None keeps the old value, an empty label or club is removed.

    Refused: NOT_FOUND, CONFLICT for a name that is taken, REFUSED for a bot, for a person erased, for text that cannot
    be kept, and where nothing would change.
    """

    player: str
    name: str | None = None
    label: str | None = None
    club: str | None = None

    def perform(self, store: storage.Store) -> Renamed:
        """Return the person before and after, with the tables that a new club changes if clubs are kept apart."""
        directory = Directory.registered(store.people.players())
        before = _person(directory, self.player)
        _refuse_erased(before)
        renamed = self._renamed(before)
        if renamed == before:
            message = _("nothing about {name} would change").format(name=before.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("give another --name, --label or --club"))
        other = directory.known(renamed.shown)
        if other is not None and other.id != before.id:
            raise _taken(other)
        # Only a club can change a seating, and planning is slow for a player who has entered many events.
        entered = [] if renamed.club == before.club else _numbers_of(store, store.events.entered_by(before.id))
        plans = plan_diff.plan_inputs_of(store, entered)
        check_new_names(store, [renamed.shown], but=before.id)
        after = store.people.rename(before, renamed.name, renamed.label, renamed.club)
        return Renamed(before, after, plan_diff.plan_changes_by_event(plans, plan_diff.plan_inputs_of(store, entered)))

    def _renamed(self, before: Player) -> Player:
        return Player(
            before.id,
            before.name if self.name is None else person_name(self.name),
            label=before.label if self.label is None else optional(self.label, _("label")),
            club=before.club if self.club is None else optional(self.club, _("club")),
        )


@dataclass(frozen=True, slots=True)
class MergePlayers(Change[Merged]):
    """Merge two registrations of one person: the events and games of `gone` become those of `keep`.

    If either is not shown in rankings, or under another name, so is `keep`.

    Refused: NOT_FOUND, and REFUSED for bots, for one registration named twice, and if both sat in the same round, which
    the message names.
    """

    keep: str
    gone: str

    def perform(self, store: storage.Store) -> Merged:
        """Return both players, and the events and games that `keep` has received."""

        stays, goes = self._both(store)
        moved = _games_of(store, goes)
        touched = self._events(store)
        plans = plan_diff.plan_inputs_of(store, touched)
        store.events.merge(stays, goes)
        ahead = plan_diff.plan_changes_by_event(plans, plan_diff.plan_inputs_of(store, touched))
        return Merged(stays, goes, moved, ahead, store.people.published().get(stays.id, stays.shown))

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: the events that either registration has entered."""
        return Scope(self._events(reader))

    def _both(self, reader: storage.Reader) -> tuple[Player, Player]:
        directory = Directory.registered(reader.people.players())
        stays, goes = find_all(partial(_person, directory), (self.keep, self.gone))
        if stays.id == goes.id:
            message = _("{name} is named twice").format(name=stays.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("name the two registrations of one person"))
        return stays, goes

    def _events(self, reader: storage.Reader) -> list[int]:
        return _numbers_of(
            reader, {event for player in self._both(reader) for event in reader.events.entered_by(player.id)}
        )


@dataclass(frozen=True, slots=True)
class PublishPlayer(Change[tuple[Player, PublishedAs, str]]):
    """Set what rankings, their pages and editions show of a person: the name, another `name`, or nothing.

    Refused: NOT_FOUND, CONFLICT for another person's name, REFUSED for a bot, for a person erased, for text that cannot
    be kept, and where nothing would change.
    """

    player: str
    published: PublishedAs
    name: str = ""

    def perform(self, store: storage.Store) -> tuple[Player, PublishedAs, str]:
        """Return the person, what is shown, and the other name."""
        directory = Directory.registered(store.people.players())
        person = _person(directory, self.player)
        _refuse_erased(person)
        name = person_name(self.name) if self.published == "other name" else ""
        now = store.people.published()
        if now.get(person.id, person.shown) == (name or (person.shown if self.published == "name" else None)):
            message = _("nothing about {name} would change").format(name=person.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("see it with `tourney player show`"))
        _refuse_others_name(store, directory, person, name)
        store.people.publish(person, self.published, name)
        return person, self.published, name


def _refuse_others_name(reader: storage.Reader, directory: Directory, person: Player, name: str) -> None:
    """Raise TourneyError CONFLICT for a name by which rankings would confuse two people."""
    other = directory.known(name) if name else None
    if other is None:
        _refuse_pseudonym(reader, [player for player in reader.people.players() if player.id != person.id], [name])
    elif other.id != person.id:
        message = _("another player is called {name}").format(name=name)
        raise TourneyError(ExitCode.CONFLICT, message, _("choose a name that nobody else has"))


@dataclass(frozen=True, slots=True)
class ErasePlayer(Change[Erased]):
    """Erase the name, label and club of a person for good; games and points remain, under a number.

    Refused: NOT_FOUND, and REFUSED for bots and for a person erased already.
    """

    player: str

    def perform(self, store: storage.Store) -> Erased:
        """Return the person before and after, what remains, and the places that still hold the name."""
        # Whoever is erased is named in full: the name is gone for good.
        before = _person(Directory.registered(store.people.players()), self.player, exactly=True)
        _refuse_erased(before)
        moved = _games_of(store, before)
        names = store.people.former_names(before)
        pools, settings = store.pools.naming(names), store.events.naming(names)
        changes = store.journal.naming(names)
        registrations = store.people.erase(before)
        after = next(player for player in store.people.players() if player.id == before.id)
        store.after_commit(lambda: database.name_erased(store.db))
        backups = tuple(str(path) for path in storage.backups_naming(store.db, registrations))
        games = sum(event.games for event in moved)
        mirrors = storage.mirrors_away(store.db)
        return Erased(before, after, len(moved), games, backups, pools, mirrors, changes, settings)


@dataclass(frozen=True, slots=True)
class ImportPlayers(Change[Registered]):
    """Register the people of a CSV file or a workbook with the column `name`, optional `label` and `club`.

    People registered already are returned as `known`. Refused: REFUSED with file and line for a file that cannot be
    read, and for a name that appears twice in it.
    """

    path: str | PathLike[str]
    described: Description = PLAIN

    def perform(self, store: storage.Store) -> Registered:
        """Return the people registered now, and those registered already."""
        return register(store, read_people(self.path, self.described))


def listing(db: str | None, search: str = "", kind: PlayerKind | None = None) -> tuple[Player, ...]:
    """Return the players whose name contains `search` (accents and case aside), sorted by name."""
    searched = fold(search)
    with storage.reading(db) as reader:
        players = reader.people.players()
    found = [player for player in players if kind in (None, player.kind) and searched in fold(player.shown)]
    return tuple(sorted(found, key=lambda player: (name_order(player.shown), player.id)))


def show(db: str | None, name: str) -> PlayerPage:
    """Return a player with the events entered, games that count and tables won. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        everybody = reader.people.players()
        player = Directory.registered(everybody).find(name, unknown_hint())
        places = [
            place
            for table in reader.pools.played_by(player.id)
            for seated, place in zip(table.players, table.places, strict=True)
            if seated.id == player.id
        ]
        namesakes = tuple(
            namesake for namesake in everybody if fold(namesake.name) == fold(player.name) and namesake.id != player.id
        )
        published = reader.people.published().get(player.id, player.shown)
        return PlayerPage(
            player, reader.events.entered_by(player.id), len(places), places.count(1), namesakes, published
        )


def _games_of(reader: storage.Reader, player: Player) -> tuple[EventGames, ...]:
    """Return the events that the player has entered, each with the number of the player's games that count."""
    played = [table.event for table in reader.pools.played_by(player.id)]
    return tuple(EventGames(event, played.count(event)) for event in reader.events.entered_by(player.id))


def _numbers_of(reader: storage.Reader, events: Collection[str]) -> list[int]:
    """Return the numbers of the events of these names."""
    return [number for number, event in reader.events.names().items() if event in events]


def _refuse_erased(person: Player) -> None:
    """Raise TourneyError REFUSED for a person whose name was erased, which cannot be undone."""
    if ERASED.fullmatch(person.name):
        message = _("the name of {name} is erased already, for good").format(name=person.name)
        raise TourneyError(ExitCode.REFUSED, message, _("if they play again, register them as somebody new"))


def _person(directory: Directory, name: str, *, exactly: bool = False) -> Player:
    """Return the person whom the name means. Raises TourneyError NOT_FOUND, and REFUSED for a bot's seat."""
    find = directory.find_exactly if exactly else directory.find
    found = find(name, unknown_hint())
    if found.kind == "bot":
        message = _("{name} is a bot's seat, not a person").format(name=found.shown)
        raise TourneyError(ExitCode.REFUSED, message, _("bots keep their names"))
    return found


def register(store: storage.Store, people: Sequence[storage.NewPerson]) -> Registered:
    """Register those people who are not registered yet; return them and the others."""
    directory = Directory.registered(store.people.players())
    known = [directory.known(_shown(person)) for person in people]
    new = [person for person, before in zip(people, known, strict=True) if before is None]
    check_new_names(store, list(map(_shown, new)))
    added = store.people.add_persons(new) if new else ()
    return Registered(added, tuple(player for player in known if player is not None))


def check_new_names(store: storage.Store, new: Sequence[str], but: int = 0) -> None:
    """Warn of each new name that looks almost like a registered one: they are probably the same person.

    Raises TourneyError CONFLICT for a name under which rankings show somebody else than `but`.
    """
    others = [player for player in store.people.players() if player.id != but]
    _refuse_pseudonym(store, others, new)
    for name, other in look_alikes(new, (player.shown for player in others)):
        message = _("{name} looks like {other}, but in letters of another alphabet; `tourney player merge` merges them")
        warnings.warn(DoubtWarning(message.format(name=name, other=other), doubt(name, other)), stacklevel=2)


def _refuse_pseudonym(reader: storage.Reader, others: Sequence[Player], names: Sequence[str]) -> None:
    """Raise TourneyError CONFLICT for a name under which rankings show one of the others."""
    published = reader.people.published()
    shown = {fold(name): player for player in others if (name := published.get(player.id))}
    for name in names:
        if fold(name) in shown:
            message = _("rankings show {player} as {name}: nobody else can have this name")
            hint = _("give a label or another name, or change what rankings show with `tourney player publish`")
            raise TourneyError(ExitCode.CONFLICT, fill(message, player=shown[fold(name)].shown, name=name), hint)


def mistakable(reader: storage.Reader) -> frozenset[tuple[Player, str, Player]]:
    """Return who is shown in rankings under another name that a further person has, with the name and that person."""
    players, published = reader.people.players(), reader.people.published()
    shown = {fold(name): player for player in players if (name := published.get(player.id))}
    named = ((name, player) for player in players if shown for name in {player.shown, published.get(player.id) or ""})
    return frozenset(
        (holder, name, other) for name, other in named if (holder := shown.get(fold(name), other)).id != other.id
    )


def unknown_hint() -> str:
    """Return the hint for a person who is not registered."""
    return _("register people with `tourney player add` or `tourney player import`")


def _shown(person: storage.NewPerson) -> str:
    return Player(0, person.name, "person", person.label).shown


def _folded(person: storage.NewPerson) -> str:
    return fold(_shown(person))


def _refuse_taken(directory: Directory, taken: set[str], person: storage.NewPerson) -> None:
    before = directory.known(_shown(person))
    if before is not None:
        raise _taken(before)
    if _folded(person) in taken:
        raise TourneyError(ExitCode.CONFLICT, _("{name} is named twice").format(name=_shown(person)), _label_hint())
    taken.add(_folded(person))


def _taken(by: Player) -> TourneyError:
    message = _("there is a player called {name} already").format(name=by.shown)
    return TourneyError(ExitCode.CONFLICT, message, _label_hint())


def _label_hint() -> str:
    return _("for another person of that name give a label, such as `--label Getxo`")
