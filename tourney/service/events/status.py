"""Status of an evening: where it stands, read in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from tourney import storage
from tourney.domain.events import GONE, Event, Placed
from tourney.domain.people import Player
from tourney.domain.rounds import Round
from tourney.domain.status import OpenTable, StageStatus, Status
from tourney.service.events.next_commands import Address, next_commands
from tourney.service.lookup import find_event
from tourney.service.partial_sheets import partial_sheets
from tourney.service.people_file import people_of
from tourney.service.stage_view import in_stage


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
        address = Address(named, db, tuple(reader.events.names().values()), day)
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
        stages=_stages(reader, event) if event.settings.stages else None,
        flags=reader.results.open_flags(event),
        first=_podium(reader, event) if event.state == "finished" else (),
    )


def _with_last(reader: storage.Reader, found: Status) -> Status:
    """Return the status with who has won the newest event, if none is open."""
    events = reader.events.names()
    if found.open_events or not events:
        return found
    last = max(events)
    return replace(found, last=events[last], first=_podium(reader, reader.events.get(last)))


def _stages(reader: storage.Reader, event: Event) -> StageStatus | None:
    # Not at the top of the module: events without stages need neither standings nor formats here.
    from tourney.service.stages.stage_status import stage_status

    return stage_status(reader, event)


def _podium(reader: storage.Reader, event: Event) -> tuple[Placed, ...]:
    # Not at the top of the module: while an event is played nobody needs the standings here.
    from tourney.service.standings import podium

    return podium(reader, event)


def _open_events(reader: storage.Reader) -> tuple[str, ...]:
    events = map(reader.events.get, reader.events.names())
    return tuple(event.settings.name for event in events if event.state == "open")


def _open_tables(reader: storage.Reader, event: Event, rounds: Sequence[Round]) -> Iterator[OpenTable]:
    done = reader.results.finished(event.id)
    on_phone = {(row.round, row.table_number) for row in reader.outside.submissions(event.id) if row.state != "refused"}
    begun = {sheet.table: sheet.hands for sheet in partial_sheets(reader, event)}
    drawn_at = reader.rounds.drawn_at(event)
    gone = set(event.entrants).difference(_still_here(event))
    for round_ in rounds:
        since = round_.clock.started if round_.clock else drawn_at[round_.number]
        for table in round_.tables:
            if (table.round, table.number) not in done:
                left = tuple(player for player in table.players if player in gone)
                place = (table.round, table.number)
                yield OpenTable(table, since, begun.get(table, ()), left, place in on_phone)


def _still_here(event: Event) -> Iterator[Player]:
    for player, state in zip(event.entrants, event.states, strict=True):
        if state not in GONE:
            yield player


def _late(event: Event, newest: Round) -> tuple[Player, ...]:
    """Return the present players who have neither a seat nor a bye in the newest round."""
    placed = {player.id for table in newest.tables for player in table.players}
    placed |= {player.id for player in newest.sitting_out}
    return tuple(player for player in event.playing if player.id not in placed)
