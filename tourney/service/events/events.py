"""Events: making, listing, choosing and entering them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

from tourney import rulebook, storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Entered, Event, EventSettings, Finished
from tourney.domain.modes import Mode
from tourney.domain.people import Player
from tourney.domain.rules import RulesRef
from tourney.service.events.settings import checked, refuse_taken
from tourney.service.impact import Watch, watching
from tourney.service.lookup import Directory, find_event, listed, refuse_finished
from tourney.service.partial_sheets import half_sheets
from tourney.service.people.players import register, unknown_hint
from tourney.service.people_file import read_people
from tourney.service.seating.plan_diff import Outlook, changes_ahead
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean

if TYPE_CHECKING:
    from os import PathLike


MOST_BOTS = 10_000
Adding = Literal["no", "yes"]
Wanted = Literal["complete", "as it is"]
"""Whether an event may be finished that lacks rounds or results."""
_BOTS = re.compile(r"([^:,\s]+):([0-9]{1,6})", re.ASCII)


def new(db: str | None, settings: EventSettings, mode: Mode = "save") -> Event:
    """Make an event.

    Raises TourneyError NOT_FOUND for unknown rules, CONFLICT for a name that is taken (accents and case
    aside), REFUSED for settings that no event can have.
    """
    rules = rulebook.resolve(settings.rules)
    settings = checked(settings, rules)
    with storage.writing(db, mode) as store:
        return make(store, settings, rules)


def listing(db: str | None) -> tuple[Event, ...]:
    """All events in the order they were made."""
    with storage.reading(db) as reader:
        return tuple(reader.event(number) for number in reader.event_names())


def show(db: str | None, name: str | None = None) -> Event:
    """An event with its settings and entrants. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return find_event(reader, name)


def use(db: str | None, name: str, mode: Mode = "save") -> Event:
    """Make it the event that commands mean when none is named. Raises TourneyError NOT_FOUND."""
    with storage.writing(db, mode) as store:
        event = find_event(store, name)
        store.use_event(event)
        return event


def enter(
    db: str | None,
    name: str | None,
    players: Sequence[str] = (),
    file: str | PathLike[str] | None = None,
    bots: str | None = None,
    add: Adding = "no",
    mode: Mode = "save",
) -> Entered:
    """Enter people by name or from a file of names, and bots: `greedy:6,random:6` are six seats of each.

    Who is entered already is passed over and told. With `add` unknown people are registered first. Raises
    TourneyError NOT_FOUND for an unknown event, person or bot, REFUSED for a file that cannot be read.
    """
    named = [storage.NewPerson(clean(player, _("name")), "", "") for player in players]
    from_file = [] if file is None else read_people(file)
    seats = bot_seats("" if bots is None else bots)
    if not (named or from_file or seats):
        raise TourneyError(
            ExitCode.USAGE, _("nobody is named to enter"), _("give names, a file of names, or bots such as greedy:4")
        )
    with storage.writing(db, mode) as store:
        event = find_event(store, name)
        refuse_finished(event)
        before, people = Outlook.of(store, event), [*named, *from_file]
        registered = register(store, people).added if add == "yes" and people else ()
        wanted = [*_people(store, named, ""), *_people(store, from_file, f"{file}: "), *_bot_players(store, seats)]
        entered = _enter(store, event, wanted)
        ahead = changes_ahead(before, Outlook.of(store, entered.event))
        return replace(entered, registered=registered, drawn=len(before.drawn), ahead=ahead)


def finish(
    db: str | None,
    name: str | None = None,
    wanted: Wanted = "complete",
    mode: Mode = "save",
    watch: Watch | None = None,
) -> Finished:
    """Finish an event: nothing in it can be drawn, entered or ruled any more until it is reopened.

    Raises TourneyError NOT_FOUND, and REFUSED if it is finished already, or if rounds or results are missing,
    naming them, and it is to be `complete`.
    """
    with storage.writing(db, mode) as store:
        event = find_event(store, name)
        refuse_finished(event)
        missing = _missing(store, event)
        if missing and wanted == "complete":
            message = _("{event} lacks {missing}").format(event=event.settings.name, missing="; ".join(missing))
            raise TourneyError(ExitCode.REFUSED, message, _hint(store, event))
        with watching(store, watch, [event.id]):
            return Finished(store.finish(event), tuple(missing))


def reopen(db: str | None, name: str | None, reason: str, mode: Mode = "save", watch: Watch | None = None) -> Event:
    """Open a finished event again. Raises TourneyError NOT_FOUND, and REFUSED if it is open or no reason is given."""
    why = clean(reason, _("reason"))
    with storage.writing(db, mode) as store:
        event = find_event(store, name)
        if event.state == "open":
            raise TourneyError(ExitCode.REFUSED, _("{event} is not finished").format(event=event.settings.name))
        with watching(store, watch, [event.id]):
            return store.reopen(event, why)


def make(store: storage.Store, settings: EventSettings, rules: RulesRef) -> Event:
    """Make the event in an open transaction. Raises TourneyError CONFLICT for a name that is taken."""
    refuse_taken(store, settings.name)
    return store.new_event(replace(settings, rules=rules.id), rules)


def bot_seats(text: str) -> list[str]:
    """The seats that `greedy:2,random:1` names: greedy-1, greedy-2, random-1.

    Raises TourneyError NOT_FOUND for an unknown bot, USAGE for text of another form.
    """
    seats: list[str] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        found = _BOTS.fullmatch(part)
        if found is None or not 1 <= int(found[2]) <= MOST_BOTS:
            message = _("“{part}” does not say which bots").format(part=part[:40])
            raise TourneyError(ExitCode.USAGE, message, _("write bots as greedy:6,random:6"))
        check_bot(found[1])
        seats += [f"{found[1]}-{number}" for number in range(1, int(found[2]) + 1)]
    return list(dict.fromkeys(seats))


def check_bot(kind: str) -> None:
    """Raises TourneyError NOT_FOUND, with the nearest, if there is no bot of that name."""
    known = rulebook.bot_names()
    if kind in known:
        return
    near = get_close_matches(kind, known, n=1)
    hint = _("there are: {bots}").format(bots=", ".join(known))
    if near:
        hint = _("did you mean {near}? Otherwise {hint}").format(near=near[0], hint=hint)
    raise TourneyError(ExitCode.NOT_FOUND, _("there is no bot “{kind}”").format(kind=kind[:40]), hint)


def _missing(reader: storage.Reader, event: Event) -> list[str]:
    """What a complete event would have besides, in words."""
    rounds = reader.rounds(event)
    done = reader.finished(event.id)
    tables = [table for one in rounds for table in one.tables if (table.round, table.number) not in done]
    undrawn = event.settings.rounds - len(rounds)
    missing: list[str] = []
    if undrawn > 0:
        missing.append(ngettext("{number} round", "{number} rounds", undrawn).format(number=undrawn))
    if tables:
        halves = {half.table for half in half_sheets(reader, event)}
        plain, half = _("round {round} table {table}"), _("round {round} table {table} (half a sheet is there)")
        spots = ((half if table in halves else plain).format(round=table.round, table=table.number) for table in tables)
        text = ngettext("the result of {tables}", "the results of {tables}", len(tables))
        missing.append(text.format(tables=listed(spots)))
    return missing


def _hint(reader: storage.Reader, event: Event) -> str:
    """How an event that lacks something may be finished all the same."""
    hint = _("`--anyway` finishes it as it is")
    if half_sheets(reader, event):
        more = _("half a sheet is finished with `tourney result enter`, or set aside with `tourney result void`")
        hint = f"{hint}; {more}"
    return hint


def _people(store: storage.Store, people: Sequence[storage.NewPerson], where: str) -> list[Player]:
    """The people of these names; `where` they stand begins the message if nobody has one."""
    directory = Directory(store.players())
    shown = [Player(0, person.name, "person", person.label).shown for person in people]
    try:
        return [directory.find(name, unknown_hint()) for name in shown]
    except TourneyError as error:
        raise TourneyError(error.code, where + error.message, error.hint) from None


def _bot_players(store: storage.Store, seats: Sequence[str]) -> list[Player]:
    if not seats:
        return []
    directory = Directory(store.players())
    for seat in seats:
        before = directory.known(seat)
        if before is not None and before.kind == "person":
            message = _("a person is called {name}, as the bot's seat would be").format(name=before.shown)
            raise TourneyError(ExitCode.CONFLICT, message, _("enter fewer bots of that kind"))
    missing = [seat for seat in seats if directory.known(seat) is None]
    if missing:
        store.add_bots(missing)
        directory = Directory(store.players())
    return [directory.find(seat, "") for seat in seats]


def _enter(store: storage.Store, event: Event, wanted: Sequence[Player]) -> Entered:
    before = {player.id for player in event.entrants}
    distinct = list({player.id: player for player in wanted}.values())
    added = tuple(player for player in distinct if player.id not in before)
    already = tuple(player for player in distinct if player.id in before)
    return Entered(store.enter(event, added) if added else event, added, already)
