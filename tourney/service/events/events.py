"""Events: creating, listing, choosing, entering, finishing and deleting them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Final

from tourney import storage
from tourney.bots import roster
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import DeletedEvent, EnteredPlayers, Event, EventSettings, Finished
from tourney.domain.leagues import OutsideBot
from tourney.domain.people import Player
from tourney.domain.rules import RulesRef
from tourney.files.description import PLAIN, Description
from tourney.rulebook import rulesets
from tourney.service import players
from tourney.service.bots import draw_deals_again, prove_wall, trust, with_deals
from tourney.service.change import Change, Scope
from tourney.service.directory import Directory, find_all
from tourney.service.events.settings import check_prizes, checked, for_new_event, refuse_contradiction, refuse_taken
from tourney.service.lookup import ComparedChange, event_argument, find_event, find_open_event, table_arguments
from tourney.service.people_file import people_of, read_people
from tourney.service.results import begun_sheets
from tourney.service.results.standings import podium
from tourney.service.seating import plan_diff
from tourney.text.i18n import ForTerminal, _, ngettext
from tourney.text.names import clean
from tourney.text.ranges import listed_tables
from tourney.text.sanitize import quote_argument


@dataclass(frozen=True, slots=True)
class DeleteEvent(Change[DeletedEvent]):
    """Delete an event, its people stay. Refused: NOT_FOUND, and CONFLICT for one that counts in a season."""

    event: str

    def perform(self, store: storage.Store) -> DeletedEvent:
        """Return the event that is gone, with what it had."""
        event = find_event(store, self.event)
        for season in store.seasons.all():
            if event.id in {counted.event for counted in season.counted}:
                names = {"event": event.settings.name, "season": season.settings.name}
                hint = _("leave it out with `tourney season remove {season} {event}` first").format(
                    season=quote_argument(names["season"]), event=quote_argument(names["event"])
                )
                message = _("{event} counts in the season {season}").format(**names)
                raise TourneyError(ExitCode.CONFLICT, message, hint)
        rounds, results = store.rounds.of(event), store.results.finished(event.id)
        rulings = store.results.rulings(event)
        store.write(storage.kinds.events.EventDeleted(event, [drawn.number for drawn in rounds]))
        return DeletedEvent(event, len(rounds), len(results), len(rulings))

    def scope(self, reader: storage.Reader) -> Scope:
        """Return the scope: the ratings, in which the event counted."""
        return Scope(())


MAX_BOTS = 10_000
"""The last rank that is named when an event is finished."""


@dataclass(frozen=True, slots=True)
class CreateEvent(Change[Event]):
    """Create an event; `given` are the settings that somebody chose.

    Refused: NOT_FOUND for unknown rules, CONFLICT for a name that is taken (accents and case aside), REFUSED for
    settings that no event can have.
    """

    settings: EventSettings
    given: Mapping[str, Any] = field(default_factory=dict)

    def perform(self, store: storage.Store) -> Event:
        """Return the new event, without entrants."""
        refuse_contradiction(self.given)
        rules = rulesets.resolve(self.settings.rules)
        settings = checked(self.settings, rules)
        check_prizes(settings)
        return make(store, for_new_event(settings, rules), rules)


@dataclass(frozen=True, slots=True)
class UseEvent(Change[Event]):
    """Make an event the one that commands mean when none is named. Refused: NOT_FOUND."""

    event: str

    def perform(self, store: storage.Store) -> Event:
        """Return the event that is current now."""
        event = find_event(store, self.event)
        store.write(storage.kinds.events.EventUsed(event))
        return event


@dataclass(frozen=True, slots=True)
class BotSeats:
    """Seats of bots, such as `greedy-1`, and the bots from outside that sit there."""

    names: tuple[str, ...] = ()
    outside: tuple[OutsideBot, ...] = ()


NO_BOTS: Final = BotSeats()


@dataclass(frozen=True, slots=True)
class EnterPlayers(Change[EnteredPlayers]):
    """Enter people by name or from a file of names, and bots as `bot_seats` returned them.

    Players entered already are returned as `already`. With `add` unknown people are registered first, with `everybody`
    all who are registered are entered. Bots from outside are trusted to play at the level `isolation` from then on. No
    bot runs in the transaction. Refused: NOT_FOUND for an unknown event or person, REFUSED for a file that cannot be
    read and for a finished event.
    """

    event: str | None
    players: Sequence[str] = ()
    file: str | PathLike[str] | None = None
    bots: BotSeats = NO_BOTS
    add: bool = False
    everybody: bool = False
    described: Description = PLAIN
    isolation: str = ""

    def perform(self, store: storage.Store) -> EnteredPlayers:
        """Return the players entered now, those entered before, and those who had to be registered."""
        named = [storage.NewPerson(clean(player, _("name")), "", "") for player in self.players]
        from_file = [] if self.file is None else read_people(self.file, self.described)
        store.after_commit(partial(trust, self.bots.outside, self.isolation))
        if not (named or from_file or self.bots.names or self.everybody):
            message = _("nobody is named to enter")
            hint = _("give names, a file of names, bots such as greedy:4, or --all for everybody who is registered")
            raise TourneyError(ExitCode.USAGE, message, hint)
        event = find_open_event(store, self.event)
        before = plan_diff.PlanInputs.of(store, event)
        people = [*_not_numbers(store, named), *from_file] if self.add else []
        registered = players.register(store, people).added if people else ()
        wanted = [*_named(store, named), *_in_file(store, from_file, self.file), *_bot_players(store, self.bots.names)]
        wanted += people_of(store) if self.everybody else ()
        refuse_other_bots(store.events.bots(event.id), self.bots.outside)
        entered = _enter(store, event, wanted, self.bots.outside)
        ahead = plan_diff.announced(store, before, entered.event)
        return replace(entered, registered=registered, drawn=len(before.drawn), ahead=ahead)


@dataclass(frozen=True, slots=True)
class FinishEvent(ComparedChange[Finished]):
    """Finish an event: nothing in it can be drawn, entered or ruled until it is reopened.

    The seed of its deals is shown then, so bots that play after it was reopened get another one.
    Refused: NOT_FOUND, and REFUSED if it is finished already, or, unless it may be `incomplete`, if rounds or results
    are missing, which the message names.
    """

    event: str | None = None
    incomplete: bool = False

    def perform(self, store: storage.Store) -> Finished:
        """Return the finished event, the rounds and results that it lacks, and who has won."""
        event = find_open_event(store, self.event)
        missing = _missing(store, event)
        if missing and not self.incomplete:
            message = _("{event} lacks {missing}").format(event=event.settings.name, missing="; ".join(missing))
            raise TourneyError(ExitCode.REFUSED, message, _hint(store, event))
        draw_deals_again(store, event)
        return Finished(store.changed(storage.kinds.events.EventFinished(event)), tuple(missing), podium(store, event))


@dataclass(frozen=True, slots=True)
class ReopenEvent(ComparedChange[Event]):
    """Reopen a finished event. Refused: NOT_FOUND, and REFUSED if it is open or no reason is given."""

    event: str | None
    reason: str

    def perform(self, store: storage.Store) -> Event:
        """Return the event, open again."""
        reason = clean(self.reason, _("reason"))
        event = find_event(store, self.event)
        if event.state == "open":
            message = _("{event} is not finished").format(event=event.settings.name)
            raise TourneyError(ExitCode.REFUSED, message, _("it is open already: just continue"))
        return store.changed(storage.kinds.events.EventReopened(event, reason))


def listing(db: str | None) -> tuple[Event, ...]:
    """Return all events in the order they were created."""
    with storage.reading(db) as reader:
        return reader.events.all()


def show(db: str | None, name: str | None = None) -> Event:
    """Return an event with its settings and entrants. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return find_event(reader, name)


def make(store: storage.Store, settings: EventSettings, rules: RulesRef) -> Event:
    """Create the event in an open transaction. Raises TourneyError CONFLICT for a name that is taken."""
    refuse_taken(store, settings.name)
    return store.events.new(replace(settings, rules=rules.id), rules)


def bot_seats(text: str, isolation: str = "", db: str | None = None) -> BotSeats:
    """Return bots' seats: for `greedy:2,mine.py:Mine:1` greedy-1, greedy-2 and mine.py:Mine-1; `@FILE` names a field.

    The code of a class runs at the level `isolation` at least, once that was proved to hold beside the database. Raises
    TourneyError NOT_FOUND for an unknown bot, USAGE for text of another form, REFUSED where the level does not hold,
    and as `roster.read_roster`.
    """
    prove = partial(prove_wall, db)
    names: list[str] = []
    outside: dict[str, OutsideBot] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        bot, colon, count = part.rpartition(":")
        if part.startswith("@") and not count.isdigit():
            bot, colon, count = part, ":", "1"
        if not (bot and colon and re.fullmatch(r"[0-9]{1,6}", count) and 1 <= int(count) <= MAX_BOTS):
            message = _("“{part}” does not name bots and seats").format(part=part[:40])
            raise TourneyError(ExitCode.USAGE, message, _("write bots as greedy:6,random:6"))
        named = roster.read_roster([bot], Path.cwd(), tuple(outside.values()), isolation, prove)
        outside |= {each.name: _near(each) for each in named.outside}
        names += [f"{name}-{number}" for name in named.bots for number in range(1, int(count) + 1)]
    return BotSeats(tuple(dict.fromkeys(names)), tuple(outside.values()))


def _near(bot: OutsideBot) -> OutsideBot:
    """Return the bot with a folder that counts from this one: an event's file goes to others."""
    with suppress(ValueError):  # another drive of Windows has no way there
        return replace(bot, folder=Path(os.path.relpath(bot.folder, Path.cwd().resolve())).as_posix())
    return bot


def _missing(reader: storage.Reader, event: Event) -> list[str]:
    """Return in words the rounds and results that the event lacks."""
    rounds = reader.rounds.of(event)
    tables = reader.results.waiting(event, rounds)
    undrawn = event.settings.rounds - len(rounds)
    missing: list[str] = []
    if undrawn > 0:
        missing.append(ngettext("{number} round", "{number} rounds", undrawn).format(number=undrawn))
        stages = (stage.name for stage in event.settings.stages if not stage.first)
        missing += (_("the stage “{stage}”").format(stage=name) for name in stages)
    if tables:
        partial = {(sheet.table.round, sheet.table.number) for sheet in begun_sheets.partial_sheets(reader, event)}
        text = ngettext("the result of {tables}", "the results of {tables}", len(tables))
        spots = ((table.round, table.number) for table in tables)
        missing.append(text.format(tables=listed_tables(spots, partial)))
    return missing


def _hint(reader: storage.Reader, event: Event) -> str:
    """Return how an incomplete event can be finished."""
    hint = _("`tourney event finish{event} --anyway` finishes it as it is").format(event=event_argument(event))
    if sheets := begun_sheets.partial_sheets(reader, event):
        more = _(
            "finish a partial sheet with `tourney result enter{place}`, or discard it with `tourney result void{place} "
            "--reason TEXT`"
        ).format(place=table_arguments(event, sheets[0].table))
        hint = ForTerminal("{hint}; {more}").format(hint=hint, more=more)
    return hint


def _not_numbers(store: storage.Store, people: Sequence[storage.NewPerson]) -> list[storage.NewPerson]:
    """Return the people without those whose name is in fact a number of `player list`."""
    directory = Directory.registered(store.people.players())
    return [person for person in people if not directory.has_number(person.name)]


def _named(store: storage.Store, people: Sequence[storage.NewPerson]) -> list[Player]:
    """Return the registered players whom the typed names mean. Raises TourneyError NOT_FOUND."""
    directory = Directory.registered(store.people.players())
    hint = _("`--add` registers new people; see who is registered with `tourney player list`")
    return find_all(partial(directory.find, hint=hint), (person.name for person in people))


def _in_file(
    store: storage.Store, people: Sequence[storage.NewPerson], path: str | PathLike[str] | None
) -> list[Player]:
    """Return the registered players of a file, who are named in full. Raises TourneyError NOT_FOUND with the file."""
    if not people:
        return []
    directory = Directory.registered(store.people.players())
    shown = (Player(0, person.name, "person", person.label).shown for person in people)
    try:
        return find_all(partial(directory.find_exactly, hint=players.unknown_hint()), shown)
    except TourneyError as error:
        raise TourneyError(error.code, f"{path}: {error.message}", error.hint) from None


def _bot_players(store: storage.Store, seats: Sequence[str]) -> list[Player]:
    if not seats:
        return []
    directory = Directory(store.people.players())
    for seat in seats:
        before = directory.known(seat)
        if before is not None and before.kind == "person":
            message = _("{name} is a person; a bot's seat would have the same name").format(name=before.shown)
            raise TourneyError(ExitCode.CONFLICT, message, _("enter fewer bots of that kind"))
    missing = [seat for seat in seats if directory.known(seat) is None]
    if missing:
        store.people.add_bots(missing)
        directory = Directory(store.people.players())
    return [directory.find_exactly(seat, "") for seat in seats]


def refuse_other_bots(known: Mapping[str, OutsideBot], outside: Sequence[OutsideBot]) -> None:
    """Raise TourneyError CONFLICT if the event knows another bot of the same name, or files of it that were others."""
    for bot in outside:
        if bot.name in known and known[bot.name].identity != bot.identity:
            message = _("the event has another bot called “{name}”, or the same with other files")
            hint = _("give this one a name of its own in an entrants file, as in --bots @field.toml")
            raise TourneyError(ExitCode.CONFLICT, message.format(name=bot.name[:80]), hint)


def _enter(
    store: storage.Store, event: Event, wanted: Sequence[Player], outside: Sequence[OutsideBot] = ()
) -> EnteredPlayers:
    before = {player.id for player in event.entrants}
    distinct = list({player.id: player for player in wanted}.values())
    added = tuple(player for player in distinct if player.id not in before)
    already = tuple(player for player in distinct if player.id in before)
    if added:
        event = store.events.enter(with_deals(store, event, outside), added, outside)
    return EnteredPlayers(event, added, already)
