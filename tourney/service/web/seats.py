"""Seats that phones have claimed: the first phone has a player's seat, another one needs the player's PIN.

A claim is a random key that the phone keeps, and of which the hash is kept here. It is one of a player in an event: at
each table where the player sits, or plays for somebody who is absent, the phone has that seat. It ends with the event,
when the phone gives the seat back, and when the desk releases it or ends the addresses of a table where the player
sits. Where the event always asks for PINs, a claim needs one, and ends with the round.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Table, as_played
from tourney.domain.submissions import SeatClaim, Submission
from tourney.service.lookup import find_event, find_open_event, find_round, find_table
from tourney.service.web.keys import hashed, new_token
from tourney.text.i18n import _

_KEY: Final = re.compile(r"[\w-]{22}", re.ASCII)
"""A key as we make them."""
_BY_PIN: Final = "pin:"
"""The mark in the origins of phones that have shown a PIN, after the entry that drew the round in which they did."""


def pins_always(event: Event) -> bool:
    """Return whether every claim and every confirmation in an event needs a PIN."""
    return event.settings.phone_pins == "always"


def claims(reader: storage.Reader, event: Event, table: Table) -> tuple[SeatClaim, ...]:
    """Return the seats of a table that phones have, in the order of the seats."""
    found = {claim.player: claim for _row, claim in _rows(reader, event, table)}
    return tuple(found[player] for player in table.players if player in found)


def _rows(reader: storage.Reader, event: Event, table: Table) -> Iterator[tuple[storage.KeptAccess, SeatClaim]]:
    """Yield the claims of those who play at a table, each of a seat, with their rows, the oldest first."""
    here, by_pin = (table.round, table.number), _by_pin(reader, event, table)
    playing = _playing(reader, event, table)
    for row, claim in _of_event(reader, event):
        is_proved = (row.round, row.table_number) == here and (row.origin or "").startswith(by_pin)
        if claim.player in playing and (is_proved or not pins_always(event)):
            yield row, replace(claim, player=playing[claim.player])


def _playing(reader: storage.Reader, event: Event, table: Table) -> dict[Player, Player]:
    """Return those who play at a table, each with the player whose seat they have: a substitute has an absent one's."""
    return dict(zip(as_played(table, reader.rounds.substitutions(event)).players, table.players, strict=True))


def _by_pin(reader: storage.Reader, event: Event, table: Table) -> str:
    """Return the beginning of the origins of phones that have shown a PIN since the round of a table was drawn."""
    return f"{reader.rounds.draw_entries(event)[table.round]} {_BY_PIN}"


def _of_event(reader: storage.Reader, event: Event) -> list[tuple[storage.KeptAccess, SeatClaim]]:
    """Return all claims of an event with their rows, the oldest first, also those that count no more."""
    entry, merged = reader.events.making_entry(event), reader.people.merged()
    players = {player.id: player for player in event.entrants}
    found = list[tuple[storage.KeptAccess, SeatClaim]]()
    for row in reader.outside.access():
        player = None if row.player is None else players.get(storage.survivor(row.player, merged))
        if row.kind == "seat" and row.ended is None and row.entry == entry and player is not None:
            _before, by_pin, origin = (row.origin or "").rpartition(_BY_PIN)
            found.append((row, SeatClaim(player, row.hash, row.made, origin, bool(by_pin))))
    return sorted(found, key=lambda pair: pair[1].since)


def claims_of_round(db: str | None, event_name: str, round_number: int) -> dict[Table, tuple[SeatClaim, ...]]:
    """Return the tables of a round of which phones have seats, with these. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        tables = find_round(event, reader.rounds.of(event), round_number).tables
        found = {table: claims(reader, event, table) for table in tables}
    return {table: has for table, has in found.items() if has}


def claim_of(db: str | None, event_name: str, table: Table, key: str) -> SeatClaim | None:
    """Return the seat of a table that a phone with this key has; None if it has none."""
    if not key:
        return None
    with storage.reading(db) as reader:
        found = claims(reader, find_open_event(reader, event_name), table)
    return next((claim for claim in found if claim.device == hashed("", key)), None)


def made_by(db: str | None, event_name: str) -> str:
    """Return the id of the entry that made an event, which no event of another database has either."""
    with storage.reading(db) as reader:
        return reader.events.making_entry(find_event(reader, event_name))


def players_by_device(db: str | None, event_name: str) -> Mapping[str, Player]:
    """Return the players of an event whose seats phones have, by the hash of the phone's key."""
    with storage.reading(db) as reader:
        return {device: claim.player for device, claim in _newest(reader, find_event(reader, event_name)).items()}


def _newest(reader: storage.Reader, event: Event) -> dict[str, SeatClaim]:
    """Return the claims of an event by the hash of the phone's key, of each player the newest one."""
    newest = {claim.player: claim for _row, claim in _of_event(reader, event)}
    return {claim.device: claim for claim in newest.values()}


@dataclass(frozen=True, slots=True)
class ClaimingPhone:
    """A phone that takes a seat: a hash of its address and browser, and whether it has shown the player's PIN.

    `key` is the key of its seat, or the key that it got before it chose a seat. It keeps the latter where our answer is
    lost.
    """

    origin: str
    by_pin: bool
    key: str = ""


def claim_seat(db: str | None, event_name: str, table: Table, player: Player, phone: ClaimingPhone) -> str:
    """Give a phone a seat of a table, and return the key that shows it; by a PIN another phone loses the seat.

    The phone gives back the seat that it had. Raises TourneyError REFUSED if another phone has the seat, a PIN is
    needed, or the phone has the seat of somebody who does not sit here.
    """
    with storage.writing(db) as store:
        event = find_open_event(store, event_name)
        table = find_table(event, store.rounds.of(event), table.round, table.number)
        mine = _newest(store, event).get(hashed("", phone.key))
        held = "" if mine is None else mine.device
        playing = _playing(store, event, table)
        if not phone.by_pin:
            _refuse_elsewhere(event, playing, mine)
            _refuse_taken(event, player, [claim for claim in claims(store, event, table) if claim.device != held])
        # Where PINs are asked for since then, a sheet typed without one does not belong to the new claim.
        is_proved = mine is not None and (mine.by_pin or not pins_always(event))
        key = _own_key(store, phone.key, held if is_proved else "")
        who = next(each for each, seat in playing.items() if seat == player)
        ended = [row.hash for row, claim in _of_event(store, event) if claim.player == who or row.hash == held]
        _forget(store, ended, kept=hashed("", key))
        entry, made = store.events.making_entry(event), storage.utc_now()
        origin = f"{_by_pin(store, event, table) if phone.by_pin else ''}{phone.origin}"
        row = storage.KeptAccess(hashed("", key), "seat", "", event.id, table.round, table.number, who.id, entry, made)
        store.outside.keep_access([row._replace(origin=origin)])
    return key


def _refuse_elsewhere(event: Event, playing: Collection[Player], mine: SeatClaim | None) -> None:
    """Raise TourneyError REFUSED for a phone that has the seat of a player of another table than where these play."""
    if mine is not None and mine.player not in playing and not pins_always(event):
        message = _("this phone has the seat of {player}, who does not sit at this table")
        hint = _("go to “Me” for your own table, or give the seat back there")
        raise TourneyError(ExitCode.REFUSED, message.format(player=mine.player.shown), hint)


def _own_key(reader: storage.Reader, key: str, held: str) -> str:
    """Return the key that a phone was given, or a new one if it was given none that nobody else has."""
    known = {row.hash for row in reader.outside.access()} - {held}
    return key if _KEY.fullmatch(key) and hashed("", key) not in known else new_token()


def _refuse_taken(event: Event, player: Player, taken: Sequence[SeatClaim]) -> None:
    if pins_always(event):
        message = _("here a seat is taken with a PIN")
        raise TourneyError(ExitCode.REFUSED, message, _("type the PIN of {player}").format(player=player.shown))
    if any(claim.player == player for claim in taken):
        message = _("another phone has the seat of {player}").format(player=player.shown)
        raise TourneyError(ExitCode.REFUSED, message, _("type the player's PIN, or ask the desk to release the seat"))


def _forget(store: storage.Store, seats: Collection[str], kept: str = "") -> None:
    """Delete seats with the addresses to which they led; one that is only changed keeps these."""
    ended = {*seats} - {kept}
    addresses = [row.hash for row in store.outside.access() if row.kind == "table" and row.origin in ended]
    store.outside.forget_access([*seats, *addresses])


def give_back(db: str | None, event_name: str, key: str) -> None:
    """Take the seat that a phone with this key has in an event from it; without one nothing is written."""
    device = hashed("", key)
    if device in players_by_device(db, event_name):
        with storage.writing(db) as store:
            _forget(store, [device])


def release(db: str | None, event_name: str, table: Table, has: Callable[[SeatClaim], bool]) -> int:
    """Take the seats of a table from the phones whose claims are like this; return how many there were."""
    with storage.writing(db) as store:
        event = find_open_event(store, event_name)
        freed = {claim.player for claim in claims(store, event, table) if has(claim)}
        players = {player for player, seat in _playing(store, event, table).items() if seat in freed}
        _forget(store, [row.hash for row, claim in _of_event(store, event) if claim.player in players])
    return len(players)


def from_one_phone(found: tuple[SeatClaim, ...]) -> frozenset[str]:
    """Return the devices of claims without a PIN that share address and browser, and may be one phone."""
    origins = Counter(claim.origin for claim in found)
    return frozenset(claim.device for claim in found if origins[claim.origin] > 1 and not claim.by_pin)


def why_no_confirmation(event: Event, found: tuple[SeatClaim, ...], device: str, sheet: Submission) -> str:
    """Return in a sentence why a phone cannot confirm a sheet without a PIN; "" if it can."""
    by_device = {claim.device: claim for claim in found}
    mine, theirs = by_device.get(device), by_device.get(sheet.device)
    if pins_always(event):
        return _("here a sheet is confirmed with a PIN")
    if mine is None:
        return _("this phone has no seat at the table")
    if mine.by_pin:
        return ""
    if mine.since >= sheet.time:
        return _("this phone took its seat after the sheet was sent")
    if theirs is None:
        return _("the phone that has sent the sheet has left its seat")
    if mine.origin == theirs.origin:
        return _("the sheet seems to come from this very phone")
    return ""
