"""People: registering, listing, finding, renaming, merging and erasing them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.modes import Mode
from tourney.domain.people import Player, PlayerKind
from tourney.domain.registration import Erased, EventGames, Merged, PlayerPage, Registered, Renamed
from tourney.service.impact import Watch, watching
from tourney.service.lookup import Directory
from tourney.service.people_file import _ERASED, _person_name, read_people
from tourney.service.seating.plan_diff import changes_of_each, outlooks
from tourney.text.i18n import _
from tourney.text.names import fold, optional

if TYPE_CHECKING:
    from os import PathLike


def add(
    db: str | None, names: Sequence[str], label: str = "", club: str = "", mode: Mode = "save"
) -> tuple[Player, ...]:
    """Register people under these names; a label tells apart two who have the same one.

    Raises TourneyError CONFLICT for a name that is taken (accents and case aside), REFUSED for one that is
    empty, too long or not printable.
    """
    new = [
        storage.NewPerson(_person_name(name), optional(label, _("label")), optional(club, _("club"))) for name in names
    ]
    if not new:
        raise TourneyError(ExitCode.USAGE, _("no name is given"), _("name one person or more"))
    with storage.writing(db, mode) as store:
        directory = Directory(store.players())
        taken: set[str] = set()
        for person in new:
            _refuse_taken(directory, taken, person)
        return store.add_persons(new)


def listing(db: str | None, search: str = "", kind: PlayerKind | None = None) -> tuple[Player, ...]:
    """Everybody registered whose name holds `search` (accents and case aside), by name."""
    wanted = fold(search)
    with storage.reading(db) as reader:
        players = reader.players()
    found = [one for one in players if kind in (None, one.kind) and wanted in fold(one.shown)]
    return tuple(sorted(found, key=lambda one: (fold(one.shown), one.id)))


def show(db: str | None, name: str) -> PlayerPage:
    """A player with the events entered, games that count and tables won. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        everybody = reader.players()
        player = Directory(everybody).find(name, unknown_hint())
        places = [
            place
            for table in reader.played()
            for who, place in zip(table.players, table.places, strict=True)
            if who.id == player.id
        ]
        namesakes = tuple(one for one in everybody if fold(one.name) == fold(player.name) and one.id != player.id)
        return PlayerPage(player, reader.events_of(player.id), len(places), places.count(1), namesakes)


def rename(
    db: str | None,
    name: str,
    new: str | None = None,
    label: str | None = None,
    club: str | None = None,
    mode: Mode = "save",
) -> Renamed:
    """Give a person another name, label or club; what is None stays, an empty label or club goes.

    Raises TourneyError NOT_FOUND, CONFLICT for a name that is taken, REFUSED for a bot, for a person erased, for
    text that cannot be kept, and where nothing would change.
    """
    with storage.writing(db, mode) as store:
        directory = Directory(store.players())
        before = _person(directory, name)
        _refuse_erased(before)
        wanted = Player(
            before.id,
            before.name if new is None else _person_name(new),
            label=before.label if label is None else optional(label, _("label")),
            club=before.club if club is None else optional(club, _("club")),
        )
        if wanted == before:
            message = _("nothing about {name} would change").format(name=before.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("give another --name, --label or --club"))
        other = directory.known(wanted.shown)
        if other is not None and other.id != before.id:
            raise _taken(other)
        # Names and labels seat nobody otherwise, and a veteran has entered many events.
        entered = [] if wanted.club == before.club else _numbers_of(store, store.events_of(before.id))
        foreseen = outlooks(store, entered)
        after = store.rename(before, wanted.name, wanted.label, wanted.club)
        return Renamed(before, after, changes_of_each(foreseen, outlooks(store, entered)))


def merge(db: str | None, keep: str, gone: str, mode: Mode = "save", watch: Watch | None = None) -> Merged:
    """Make one of two entries of one person: events and games of `gone` are then those of `keep`.

    Raises TourneyError NOT_FOUND, and REFUSED for bots, for one entry named twice, and where both sat in one
    round, naming it.
    """
    with storage.writing(db, mode) as store:
        directory = Directory(store.players())
        stays, goes = _person(directory, keep), _person(directory, gone)
        if stays.id == goes.id:
            message = _("{name} is named twice").format(name=stays.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("name the two entries of one person"))
        moved = _games_of(store, goes)
        touched = _numbers_of(store, {*store.events_of(stays.id), *(one.event for one in moved)})
        foreseen = outlooks(store, touched)
        with watching(store, watch, touched):
            store.merge(stays, goes)
        return Merged(stays, goes, moved, changes_of_each(foreseen, outlooks(store, touched)))


def erase(db: str | None, name: str, mode: Mode = "save") -> Erased:
    """Erase the name, label and club of a person for good; games and points remain, under a number.

    Raises TourneyError NOT_FOUND, and REFUSED for bots and for a person erased already.
    """
    with storage.writing(db, mode) as store:
        before = _person(Directory(store.players()), name)
        _refuse_erased(before)
        moved = _games_of(store, before)
        entries = store.erase(before)
        after = next(one for one in store.players() if one.id == before.id)
    backups = tuple(str(path) for path in storage.holding(db, entries))
    return Erased(before, after, len(moved), sum(one.games for one in moved), backups)


def _games_of(reader: storage.Reader, player: Player) -> tuple[EventGames, ...]:
    """The events that the player has entered, each with the games there that count."""
    played = [table.event for table in reader.played() if any(who.id == player.id for who in table.players)]
    return tuple(EventGames(event, played.count(event)) for event in reader.events_of(player.id))


def _numbers_of(reader: storage.Reader, events: Collection[str]) -> list[int]:
    """The numbers of the events of these names."""
    return [number for number, event in reader.event_names().items() if event in events]


def _refuse_erased(person: Player) -> None:
    """Raises TourneyError REFUSED for somebody whose name was erased: that is for good."""
    if _ERASED.fullmatch(person.name):
        message = _("the name of {name} is erased already, for good").format(name=person.name)
        raise TourneyError(ExitCode.REFUSED, message, _("a person who plays again is registered anew"))


def _person(directory: Directory, name: str) -> Player:
    """The person of that name. Raises TourneyError NOT_FOUND, and REFUSED for a bot's seat."""
    found = directory.find(name, unknown_hint())
    if found.kind == "bot":
        message = _("{name} is a bot's seat, and no person").format(name=found.shown)
        raise TourneyError(ExitCode.REFUSED, message, _("bots keep their names"))
    return found


def import_file(db: str | None, path: str | PathLike[str], mode: Mode = "save") -> Registered:
    """Register the people of a file with the column `name`, optional `label` and `club`.

    Who is registered already is passed over and told. Raises TourneyError REFUSED with file and line for
    what cannot be read, and for a name that stands there twice.
    """
    people = read_people(path)
    with storage.writing(db, mode) as store:
        return register(store, people)


def register(store: storage.Store, people: Sequence[storage.NewPerson]) -> Registered:
    """Register those who are not yet."""
    directory = Directory(store.players())
    known = [directory.known(_shown(person)) for person in people]
    new = [person for person, before in zip(people, known, strict=True) if before is None]
    added = store.add_persons(new) if new else ()
    return Registered(added, tuple(player for player in known if player is not None))


def unknown_hint() -> str:
    """What to do about a person whom nobody has registered."""
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
