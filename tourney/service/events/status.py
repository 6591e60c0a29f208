"""Status of an evening: where it is, read in one transaction, and the commands that come next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice

from tourney import storage
from tourney.domain.events import GONE, Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round
from tourney.domain.status import NextCommand, OpenTable, StageStatus, Status
from tourney.rulebook import rulesets
from tourney.service.events import constraints
from tourney.service.lookup import event_word, find_event, free_event_name, in_stage
from tourney.service.people_file import people_of
from tourney.service.results.begun_sheets import partial_sheets
from tourney.service.results.standings import podium
from tourney.service.seating import constraint_text
from tourney.service.stages.advance import names_of
from tourney.service.stages.shown import order_to_type, stage_status
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold

MOST = 3
"""The most commands that are suggested at once."""
MOST_NAMES = 4
"""The most players named in a command; more are meant together."""
EXAMPLES = ("Ana", "Beñat", "Carmen", "Diego")
"""Names that show where a person's own players go."""


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The words that a command needs besides its own: the event, unless it is the current one, and the database.

    `events` are the names of all events, which no player's name may be taken for; `day` is today in ISO form.
    """

    event: str | None
    db: str | None
    events: tuple[str, ...]
    day: str

    def command(self, why: str, *words: str, names: Iterable[str] = (), options: Iterable[str] = ()) -> NextCommand:
        """Return a command about the event: its words, the event, names, and options."""
        event = () if self.event is None else (event_word(self.event),)
        return self.plain(why, *words, *event, *names, *options)

    def plain(self, why: str, *words: str) -> NextCommand:
        """Return a command that names no event."""
        database = () if self.db is None else ("--db", self.db)
        return NextCommand(("tourney", *words, *database), why)

    def names(self, event: Event, players: Iterable[Player]) -> tuple[str, ...]:
        """Return the players as a command takes them: by name, or by number where the name would mean another thing."""
        taken = set(map(fold, self.events))
        number_of = {player.id: number for number, player in enumerate(event.entrants, 1)}
        return tuple(
            str(number_of[player.id]) if player.shown.startswith("-") or fold(player.shown) in taken else player.shown
            for player in players
        )

    def new_event(self) -> str:
        """Return a name for a new event: today's date, with a number if it is taken."""
        return free_event_name(self.events, self.day)


def next_commands(status: Status, address: CommandContext) -> tuple[NextCommand, ...]:
    """Return the commands that come next, the most urgent first."""
    event = status.event
    if event is None:
        found = _without_event(status, address)
    elif event.state == "finished":
        found = _finished(status, event, address)
    elif status.open_tables:
        found = _playing(status, event, address)
    elif status.drawn < event.settings.rounds:
        found = _before_round(status, event, address)
    else:
        found = _played(address)
    decisions = tuple(_decisions(status, address))
    others = {each.words: each for each in found}.values()
    return (*decisions, *islice(others, max(1, MOST - len(decisions))))


def _without_event(status: Status, address: CommandContext) -> Iterator[NextCommand]:
    for name in reversed(status.open_events):
        yield address.plain(_("Make {event} the current event").format(event=name), "event", "use", event_word(name))
    if address.events and not status.open_events:
        yield _next_evening(address.events[-1], address)
        if status.first:
            file = f"certificates-{address.day}.html"
            why = _("Print the certificates of {event}").format(event=status.last)
            yield address.plain(why, "print", "certificates", event_word(status.last), "--output", file)
    elif not status.registered and not address.events:
        yield address.plain(_("Register your players, by their own names"), "player", "add", *EXAMPLES)
    new = address.plain(_("Create an event, by a name of yours"), "event", "new", address.new_event())
    yield replace(new, button=_("Create an event"))
    yield address.plain(_("See who is registered"), "player", "list")


def _before_round(status: Status, event: Event, address: CommandContext) -> Iterator[NextCommand]:
    """Yield what brings the players in, and then the draw."""
    if not _fill_a_table(event, len(event.playing)):
        yield from _too_few(status, event, address)
        return
    if event.settings.checkin == "required":
        yield from _check_in(status, event, address)
    if not _is_drawn(event):
        why = _("See the players, for the file of tables that `round draw --file` reads")
        yield replace(address.command(why, "event", "show"), button=_("See who plays"))
    elif names := _never_in_the_way(event):
        why = _("They cannot all be kept apart at so few tables: give it up, or have more tables")
        yield address.command(why, "event", "constrain", options=("--remove", names))
    elif status.stages is None or not (status.stages.undecided or status.stages.unnamed):
        yield address.command(_draw_text(status), "round", "draw")
    if status.drawn:
        yield address.command(_("See who leads"), "standings")
    else:
        yield address.command(_("See the settings and who plays"), "event", "show")


def _draw_text(status: Status) -> str:
    """Return in words what the next draw does."""
    number = status.drawn + 1
    if status.stages is not None and status.stages.begins:
        return _("Begin {stage}: draw round {round}").format(stage=status.stages.following, round=number)
    return _("Draw round {round}").format(round=number)


def _decisions(status: Status, address: CommandContext) -> Iterator[NextCommand]:
    """Yield what must be decided about a stage before it is drawn, or is offered after a correction or a departure."""
    stages, event = status.stages, status.event
    if stages is None or event is None:
        return
    if stages.undecided:
        first, *others = stages.play_offs
        why = _("Enter how the play-off hand for {stage} ended, the best first")
        if others:
            why = _("Enter how the play-off hand of {names} for {stage} ended, the best first")
        text = why.format(stage=stages.following, names=names_of(first.players))
        yield address.command(text, "event", "cut", options=("--playoff", order_to_type(len(first.players))))
    elif stages.unnamed:
        why = _("Name the players of {stage}").format(stage=stages.following)
        names = _name_list(event, event.playing[: event.settings.size], address)
        yield address.command(why, "event", "cut", options=("--players", names))
    elif stages.lines:
        yield from _offers(stages, address)


def _offers(stages: StageStatus, address: CommandContext) -> Iterator[NextCommand]:
    """Yield what can be done after a correction or a departure, as the answer to it offers."""
    if stages.can_replace:
        why = _("Let the next in line play in {stage}").format(stage=stages.name)
        yield address.command(why, "event", "cut", options=("--replace",))
    why = _("Leave the players of {stage} as they are").format(stage=stages.name)
    yield address.command(why, "event", "cut", options=("--keep",))
    if stages.can_add and not stages.can_replace:
        why = _("Add a seat in {stage} for each").format(stage=stages.name)
        yield address.command(why, "event", "cut", options=("--add",))
    if stages.can_seat_again:
        why = _("Seat {stage} again: cancel the round, then draw it").format(stage=stages.name)
        yield address.command(why, "round", "cancel", options=("--reason", "TEXT"))


def _name_list(event: Event, players: Iterable[Player], address: CommandContext) -> str:
    """Return players as an option takes them: names with commas between."""
    return ",".join(f'"{name}"' if "," in name else name for name in address.names(event, players))


def _fill_a_table(event: Event, players: int) -> bool:
    """Return whether so many players are enough for a table. The rules are read only where the size is not enough."""
    return players >= event.settings.size or players >= rulesets.table_limits(event.rules)[0]


def _is_drawn(event: Event) -> bool:
    """Return whether the program draws the rounds of the event, which otherwise come from files."""
    # Not at the top of the module: importing all formats takes as long as `python -c pass`.
    from tourney.seating.formats import FORMATS

    format_ = FORMATS[event.settings.format]
    return format_.planned_ahead or format_.seat is not None


def _never_in_the_way(event: Event) -> str:
    """Return the names of a constraint that forbids the draw, as `event constrain --remove` takes them; "" if none."""
    if not any(constraint.kind == "never" for constraint in event.constraints):
        return ""
    found = constraints.impossible_never(event)
    return "" if found is None else ",".join(constraint_text.name_in_list(player.shown) for player in found.players)


def _too_few(status: Status, event: Event, address: CommandContext) -> Iterator[NextCommand]:
    """Yield how players come in who are too few for a table."""
    absent = status.in_state("withdrawn", "no-show")
    if event.settings.checkin == "required":
        yield from _check_in(status, event, address)
    if status.registered:
        everybody = address.command(_("Enter everybody who is registered"), "event", "enter", options=("--all",))
        yield replace(everybody, button=_("Enrol players"))
        yield address.plain(_("See who is registered"), "player", "list")
    elif not status.not_checked_in and not absent:
        why = _("Enter your players, by their own names")
        enter = address.command(why, "event", "enter", names=EXAMPLES, options=("--add",))
        yield replace(enter, button=_("Enrol players"))
    if absent:
        names = address.names(event, absent[:MOST_NAMES])
        yield address.command(_("Bring back who has left"), "event", "return", names=names)
    if status.drawn:
        yield address.command(_("End the evening here"), "event", "finish", options=("--anyway",))


def _check_in(status: Status, event: Event, address: CommandContext) -> Iterator[NextCommand]:
    """Yield how those who have not checked in do so, or are struck off once others play."""
    missing = status.not_checked_in
    if not missing:
        return
    names = address.names(event, missing) if len(missing) <= MOST_NAMES else ()
    why = ngettext("Check in {number} player", "Check in {number} players", len(missing)).format(number=len(missing))
    listed = ngettext(
        "{number} player is not here yet: check in", "{number} players are not here yet: check in", len(missing)
    )
    command = address.command(why, "event", "checkin", names=names, options=() if names else ("--all",))
    yield replace(command, button=listed.format(number=len(missing)))
    if names and status.in_state("checked in"):
        yield address.command(_("Or they never came"), "event", "withdraw", names=names, options=("--no-show",))


def _playing(status: Status, event: Event, address: CommandContext) -> Iterator[NextCommand]:
    """Yield what the open tables need: players who can play, a clock, and their results, the oldest first."""
    newest = status.newest
    assert newest is not None, "a table without a result is in a drawn round"
    in_newest = [open_ for open_ in status.open_tables if open_.table.round == newest.number]
    if newest.draft:
        why = _("Publish round {round}, which nobody else sees yet").format(round=newest.number)
        yield address.command(why, "round", "publish")
    yield from _without_players(status, event, in_newest, address)
    unplayed = not newest.draft and len(in_newest) == len(newest.tables) and not any(open_.hands for open_ in in_newest)
    if unplayed and newest.clock is None and event.settings.minutes is not None:
        why = _("Start the clock of round {round}").format(round=newest.number)
        yield address.command(why, "round", "clock", options=("--start",))
    first, *others = _results(status, address)
    yield first
    yield from _with_withdrawn(status, event, in_newest, address)
    yield from others
    if unplayed:
        yield address.command(_("See who sits where"), "round", "show", options=("--by", "name"))
    yield address.command(_("See who leads"), "standings")


def _without_players(
    status: Status, event: Event, open_tables: Iterable[OpenTable], address: CommandContext
) -> Iterator[NextCommand]:
    """Yield how tables go on that lack players: those who never came, or too many who have left."""
    for open_ in (each for each in open_tables if each.gone and not each.hands):
        number = open_.table.number
        if not _fill_a_table(event, len(open_.table.players) - len(open_.gone)):
            why = _("If too few play at table {table}, seat them elsewhere").format(table=number)
            yield address.command(why, "round", "dissolve", options=("--table", str(number)))
        else:
            for player in (each for each in open_.gone if each in status.in_state("no-show")):
                why = _("Take {player}, who never came, out of table {table}")
                yield _out(why, event, player, open_, address)


def _with_withdrawn(
    status: Status, event: Event, open_tables: Iterable[OpenTable], address: CommandContext
) -> Iterator[NextCommand]:
    """Yield how players leave their table who have left the event, for they may still play this round."""
    for open_ in (each for each in open_tables if each.gone and not each.hands):
        if _fill_a_table(event, len(open_.table.players) - len(open_.gone)):
            for player in (each for each in open_.gone if each in status.in_state("withdrawn")):
                yield _out(_("If {player} has gone, take them out of table {table}"), event, player, open_, address)


def _out(why: str, event: Event, player: Player, open_: OpenTable, address: CommandContext) -> NextCommand:
    """Return the command that takes a player out of the table; `why` names both."""
    text = why.format(player=player.shown, table=open_.table.number)
    return address.command(text, "round", "move", names=address.names(event, [player]), options=("--out",))


def _results(status: Status, address: CommandContext) -> Iterator[NextCommand]:
    """Yield how results are entered: begun sheets, then the oldest, those that a phone types last; bots just play."""
    bots = [each for each in status.open_tables if all(player.kind == "bot" for player in each.table.players)]
    people = [each for each in status.open_tables if each not in bots]
    people.sort(key=lambda each: (each.on_phone, not each.hands))
    if bots:
        yield address.command(_("Let the bots play their tables"), "round", "play")
    for open_ in people[:2]:
        table = open_.table
        place = ("--round", str(table.round), "--table", str(table.number))
        one_round = len({each.table.round for each in people}) == 1
        why = _entering(open_, one_round).format(round=table.round, table=table.number)
        yield address.command(why, "result", "enter", options=place)


def _entering(open_: OpenTable, one_round: bool) -> str:
    """Return what entering the table's sheet is, in words."""
    if open_.on_phone:
        alone = _("Enter the sheet of table {table} instead of the phone there")
        return alone if one_round else _("Enter the sheet of round {round}, table {table} instead of the phone there")
    if open_.hands:
        alone = _("Finish the sheet of table {table}")
        return alone if one_round else _("Finish the sheet of round {round}, table {table}")
    alone = _("Enter the sheet of table {table}")
    return alone if one_round else _("Enter the sheet of round {round}, table {table}")


def _played(address: CommandContext) -> Iterator[NextCommand]:
    yield address.command(_("Finish the event"), "event", "finish")
    yield address.command(_("See who has won"), "standings")


def _finished(status: Status, event: Event, address: CommandContext) -> Iterator[NextCommand]:
    if status.changes:
        yield address.plain(_("Make a backup"), "db", "backup")
    else:
        yield address.command(_("See or print the standings"), "standings")
    if status.first:
        file = f"certificates-{address.day}.html"
        yield address.command(_("Print the certificates"), "print", "certificates", options=("--output", file))
    yield _next_evening(event.settings.name, address)


def _next_evening(event: str, address: CommandContext) -> NextCommand:
    why = _("Prepare the next evening, with the players and settings of {event}").format(event=event)
    source = (f"--from={event}",) if event.startswith("-") else ("--from", event)
    new = address.plain(why, "event", "new", address.new_event(), *source)
    return replace(new, button=_("Next evening"), source=event)


def status(db: str | None, name: str | None = None, now: datetime | None = None) -> Status:
    """Return the status of an event, the current one if none is named, with the commands that come next.

    `db` is given to these commands too; `now` dates a new event. Raises TourneyError NOT_FOUND for an unknown event, or
    if there is no database.
    """
    with storage.reading(db) as reader:
        current = reader.events.meant()
        event = reader.events.get(current) if name is None and current is not None else None
        event = find_event(reader, name) if name is not None else event
        found = _found(reader, event, db)
        named = None if event is None or event.id == current else event.settings.name
        day = (now or datetime.now(UTC).astimezone()).date().isoformat()
        address = CommandContext(named, db, tuple(reader.events.names().values()), day)
    return replace(found, next=next_commands(found, address))


def _found(reader: storage.Reader, event: Event | None, db: str | None) -> Status:
    """Return the status without the commands that come next."""
    entries = reader.journal.head()[0]
    made, kept = storage.newest_backup(storage.locate(db)) or (None, 0)
    backup = "" if made is None else made.isoformat().replace("+00:00", "Z")
    entered = set() if event is None else {player.id for player in event.entrants}
    known = sum(player.id not in entered for player in people_of(reader))
    common = Status(event, registered=known, changes=max(entries - kept, 0), backup=backup)
    if event is None:
        return _with_last(reader, replace(common, open_events=_open_events(reader)))
    rounds = reader.rounds.of(event)
    return replace(
        common,
        drawn=len(rounds),
        newest=rounds[-1] if rounds else None,
        open_tables=tuple(_open_tables(reader, event, rounds)),
        late=_late(in_stage(reader, event), rounds[-1]) if rounds else (),
        stages=stage_status(reader, event) if event.settings.stages else None,
        flags=reader.results.open_flags(event),
        first=podium(reader, event) if event.state == "finished" else (),
    )


def _with_last(reader: storage.Reader, found: Status) -> Status:
    """Return the status with who has won the newest event, if none is open."""
    events = reader.events.names()
    if found.open_events or not events:
        return found
    last = max(events)
    return replace(found, last=events[last], first=podium(reader, reader.events.get(last)))


def _open_events(reader: storage.Reader) -> tuple[str, ...]:
    events = map(reader.events.get, reader.events.names())
    return tuple(event.settings.name for event in events if event.state == "open")


def _open_tables(reader: storage.Reader, event: Event, rounds: Sequence[Round]) -> Iterator[OpenTable]:
    done = reader.results.finished(event.id)
    on_phone = {(row.round, row.table_number) for row in reader.outside.submissions(event.id) if row.state != "refused"}
    begun = {sheet.table: sheet.hands for sheet in partial_sheets(reader, event)}
    drawn_at = reader.rounds.drawn_at(event)
    gone = event.in_state(*GONE)
    for round_ in rounds:
        since = round_.clock.started if round_.clock else drawn_at[round_.number]
        for table in round_.tables:
            if (table.round, table.number) not in done:
                left = tuple(player for player in table.players if player in gone)
                place = (table.round, table.number)
                yield OpenTable(table, since, begun.get(table, ()), left, place in on_phone)


def _late(event: Event, newest: Round) -> tuple[Player, ...]:
    """Return the present players who have neither a seat nor a bye in the newest round."""
    placed = {player.id for table in newest.tables for player in table.players}
    placed |= {player.id for player in newest.sitting_out}
    return tuple(player for player in event.playing if player.id not in placed)
