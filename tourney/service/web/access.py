"""Keys to the pages of a desk and of tables: granted, looked up and ended, and the browsers signed in as desks.

A key is a random text that is shown once, and of which only the hash is kept, outside the journal. A token of a table
opens that table of that drawing of the round: neither another round drawn under the same number, nor another event.
It opens nothing while the round is a draft, and once the table has a result and a later round is published. The sign
of a table and its code hold for an event: they lead to the token of the newest round. Codes and PINs are short: whoever
asks for them has to limit the tries.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Table, as_played
from tourney.domain.submissions import Access, AccessKind, PlayerPin, TableKeys
from tourney.service.lookup import find_entrant, find_event, find_open_event, find_round, newest
from tourney.service.web.guesses import ends_digits, is_young_guess
from tourney.service.web.keys import SCRYPT, hashed, is_key, new_salt, new_token, row_of_code, token_of_code
from tourney.text.i18n import _

SIGN_IN_TIME: Final = timedelta(minutes=10)
DESK_TIME: Final = timedelta(hours=36)
CODE_DIGITS: Final = 6
PIN_DIGITS: Final = 4


def sign_in_token(db: str | None, run: str = "", by: str = "") -> str:
    """Return a token that signs a browser in as a desk, once and within ten minutes, while the same program runs.

    `run` marks that program's run, and `by` is the hash of the desk's key that asks, "" if it is the program itself.
    """
    with storage.writing(db) as store:
        return _grant(store, _token("sign-in"), origin=f"{run} {by}")


def sign_in(db: str | None, token: str, run: str = "") -> str | None:
    """Exchange a token of `sign_in_token` for that of a desk; return None if it is none, used, or too old."""
    with storage.reading(db) as reader:
        if _found(reader, token) is None:
            return None
    with storage.writing(db) as store:
        return _signed_in(store, _found(store, token), run)


def token_hash(token: str) -> str:
    """Return the hash under which a token is kept."""
    return hashed("", token)


def sign_in_code(db: str | None, run: str = "", by: str = "") -> str:
    """Return six digits that sign a browser in as `sign_in_token` does; earlier ones end."""
    with storage.writing(db) as store:
        store.outside.end_access([row.hash for row in store.outside.access() if _signs_in_by_code(row, run)])
        return _grant(store, _typed("sign-in", CODE_DIGITS), origin=f"{run} {by}")


def enter_sign_in_code(db: str | None, code: str, address: str, run: str = "") -> str | None:
    """Exchange the digits of `sign_in_code` for the token of a desk; return None if they are none, used, or too old.

    Five wrong tries end the digits that are shown, from whatever address they come.
    """
    with storage.reading(db) as reader:
        shown = [row for row in reader.outside.access() if _signs_in_by_code(row, run)]
    found = row_of_code(shown, "sign-in", "".join(code.split()))
    is_over = found is None and any(ends_digits(db, row.hash, address) for row in shown)
    if found is None and not is_over:
        return None
    with storage.writing(db) as store:
        if is_over:
            store.outside.end_access([row.hash for row in shown])
        return _signed_in(store, found, run)


def _signed_in(store: storage.Store, found: storage.KeptAccess | None, run: str) -> str | None:
    """Return the token of a new desk for a key that signs in, which ends; None for another one."""
    if found is None or found.kind != "sign-in" or not _is_young(found) or _run_of(found) != run:
        return None
    store.outside.end_access([found.hash])
    return _grant(store, _token("desk"), origin=run)


def _run_of(row: storage.KeptAccess) -> str:
    """Return the mark of the run in which a desk's key, or one that signs in, was made."""
    return (row.origin or "").partition(" ")[0]


def _signs_in_by_code(row: storage.KeptAccess, run: str) -> bool:
    """Return whether a key is made of digits that sign in, and may still be used."""
    return row.kind == "sign-in" and bool(row.salt) and row.ended is None and _is_young(row) and _run_of(row) == run


def is_desk(row: storage.KeptAccess, run: str) -> bool:
    """Return whether a key is one of a desk of this run of the program, and may still be used."""
    return row.kind == "desk" and row.ended is None and _is_young(row) and _run_of(row) == run


def grant_tables(db: str | None, event_name: str | None, round_number: int | None = None) -> tuple[TableKeys, ...]:
    """Grant a sign and a code for each table of a round, the newest unless named.

    They hold for the tables of these numbers in every round of the event, and lead to its newest round. Earlier codes
    of these tables end; earlier signs stay, because they may hang in the hall.

    Raises TourneyError NOT_FOUND for an unknown event or round, REFUSED if none is drawn or the event is finished.
    """
    with storage.writing(db) as store:
        event = find_open_event(store, event_name)
        rounds = store.rounds.of(event)
        drawn = newest(event, rounds) if round_number is None else find_round(event, rounds, round_number)
        _forget_ended(store)
        numbers = {table.number for table in drawn.tables}
        entry = store.events.making_entry(event)
        earlier = [row for row in store.outside.access() if row.kind == "code" and row.ended is None]
        ending = [row.hash for row in earlier if row.entry == entry and row.table_number in numbers]
        store.outside.forget_access(ending)
        codes = _Codes([row for row in earlier if row.hash not in ending])
        of_round = store.rounds.draw_entries(event)[drawn.number]
        keys = list[TableKeys]()
        for table in drawn.tables:
            sign, code = _token("table"), codes.draw()
            address = _NewKey("table", *_address_of(sign.key, "", of_round, table))
            of_sign = [new.row(event, entry=entry)._replace(table_number=table.number) for new in (sign, code)]
            store.outside.keep_access([*of_sign, address.row(event, table, entry=of_round)])
            keys.append(TableKeys(table, address.key, code.key, sign.key))
    return tuple(keys)


def _address_of(key: str, salt: str, entry: str, table: Table) -> tuple[str, str]:
    """Return the token of a table to which a sign, a code or a seat leads in the round of a draw entry, and its hash.

    It is the same one each time, and tells nothing of the key.
    """
    token = token_of_code(salt, f"{key} {entry} {table.number}")
    return token, token_hash(token)


class _Codes:
    """Codes of tables, all different and under one salt: whoever types one is looked up by hashing it once."""

    def __init__(self, earlier: Sequence[storage.KeptAccess]) -> None:
        salts = [row.salt for row in earlier if row.salt.startswith(SCRYPT)]
        self._salt = salts[0] if salts else new_salt()
        self._taken = {row.hash for row in earlier}

    def draw(self) -> _NewKey:
        """Return a new code."""
        while True:
            new = _typed("code", CODE_DIGITS, self._salt)
            if new.hash not in self._taken:
                self._taken.add(new.hash)
                return new


def enter_code(db: str | None, code: str) -> str | None:
    """Return a token of the newest round's table with that code of six digits; None if no table has the code."""
    digits = "".join(code.split())
    with storage.reading(db) as reader:
        found = row_of_code(reader.outside.access(), "code", digits)
    return None if found is None else _led_to(db, found, digits)


def scan_sign(db: str | None, sign: str) -> str | None:
    """Return a token of the newest round's table that has this sign; None if no table has it now."""
    with storage.reading(db) as reader:
        found = _found(reader, sign)
    return None if found is None or not is_of_sign(found) else _led_to(db, found, sign)


def _led_to(db: str | None, row: storage.KeptAccess, key: str) -> str | None:
    """Return the token to which a sign or a code leads now, always the same one in one round."""
    with storage.reading(db) as reader:
        opened = _Tables(reader).opened_by(row)
    return None if opened is None else _address(db, *opened, key, row.salt)


def address_for_seat(db: str | None, event_name: str, table: Table, key: str) -> str | None:
    """Return a token of a table for the phone that has a seat there by this key, which the caller has looked up.

    None if the table takes nothing any more. The address ends with the seat.
    """
    with storage.reading(db) as reader:
        event = find_open_event(reader, event_name)
        entry = reader.rounds.draw_entries(event)[table.round]
        is_open = (entry, table.number) in _Tables(reader).of_event(event.id)
        taken = "".join([row.made for row in reader.outside.access() if row.hash == token_hash(key)])
    # An address that was ended with a seat is not the address of a seat that is taken again.
    return _address(db, event, table, f"{key} {taken}", seat=token_hash(key)) if is_open else None


def _address(db: str | None, event: Event, table: Table, key: str, salt: str = "", seat: str | None = None) -> str:
    """Return the token of a table's address to which a key leads, and keep it; `seat` is the hash of a seat's key."""
    with storage.reading(db) as reader:
        token, hash_of_token = _address_of(key, salt, reader.rounds.draw_entries(event)[table.round], table)
        is_kept = any(row.hash == hash_of_token for row in reader.outside.access())
    if not is_kept:
        with storage.writing(db) as store:
            _grant(store, _NewKey("table", token, hash_of_token), event, table, origin=seat)
    return token


def is_of_sign(row: storage.KeptAccess) -> bool:
    """Return whether a key belongs to a sign, or is its code: it opens the table of its number in the newest round."""
    return row.kind in ("table", "code") and row.round is None


def grant_pin(db: str | None, event_name: str | None, name: str) -> PlayerPin:
    """Grant an entrant a PIN of four digits, in place of an earlier one.

    Raises TourneyError NOT_FOUND for an unknown event or entrant, REFUSED if the event is finished.
    """
    with storage.writing(db) as store:
        event = find_open_event(store, event_name)
        player = find_entrant(event, name)
        store.outside.end_access([row.hash for row in _pins(store, event, player)])
        return PlayerPin(player, _grant(store, _typed("pin", PIN_DIGITS), event, player=player))


def end_pin(db: str | None, event_name: str, player: Player) -> bool:
    """End the PIN of an entrant; return whether there was one. Raises TourneyError as `grant_pin`."""
    with storage.writing(db) as store:
        rows = [row.hash for row in _pins(store, find_open_event(store, event_name), player) if row.ended is None]
        store.outside.end_access(rows)
        return bool(rows)


def has_pin(db: str | None, event_name: str, player: Player, pin: str) -> bool:
    """Return whether that is the PIN of the entrant. Raises TourneyError as `grant_pin`."""
    with storage.reading(db) as reader:
        event = find_open_event(reader, event_name)
        return any(is_key(row, pin.strip()) for row in _pins(reader, event, player))


def players_with_pin(db: str | None, event_name: str, players: Sequence[Player]) -> frozenset[Player]:
    """Return which of these entrants have a PIN. Raises TourneyError as `grant_pin`."""
    with storage.reading(db) as reader:
        event = find_open_event(reader, event_name)
        has = {player for player in players if any(row.ended is None for row in _pins(reader, event, player))}
        return frozenset(has)


def visitor(db: str | None, token: str, run: str = "") -> Access | None:
    """Return what a token of a desk or a table opens now; None if it opens nothing.

    A desk's opens what the program serves in the run that made it, and nothing in a later one.
    """
    with storage.reading(db) as reader:
        found = _found(reader, token)
        if found is None or found.kind not in ("desk", "table"):
            return None
        if found.kind == "desk":
            return Access("desk") if is_desk(found, run) else None
        if is_of_sign(found):
            return None
        opened = _Tables(reader).opened_by(found)
        if opened is None:
            return None
        event, table = opened
        return Access("table", event.settings.name, table, reader.events.making_entry(event))


def why_closed(db: str | None, token: str) -> str:
    """Return in one sentence why a token opens nothing."""
    with storage.reading(db) as reader:
        found = next((row for row in reader.outside.access() if row.hash == hashed("", token)), None)
        if found is None or found.kind not in ("sign-in", "desk", "table"):
            return _("this address opens nothing here")
        if found.kind == "sign-in":
            return _("this address signs in once, within ten minutes: open the desk again with `tourney desk`")
        if found.ended is not None or found.kind == "desk":
            return _("this address was closed at the desk")
        return _why_left(reader, found)


def _why_left(reader: storage.Reader, row: storage.KeptAccess) -> str:
    """Return why the address of a table that nobody closed opens nothing."""
    if row.event not in reader.events.names():
        return _("this address opens nothing here")
    event = reader.events.get(row.event)
    if is_of_sign(row):
        return _("this table is not in the round that is played now")
    number = next((number for number, entry in reader.rounds.draw_entries(event).items() if entry == row.entry), None)
    if number in reader.rounds.drafts(event.id):
        return _("this table's round is not published yet")
    if (number, row.table_number) not in reader.rounds.tables(event):
        return _("this table was dissolved, or its round cancelled")
    return _("this table's round is over: its sheet can only be changed at the desk")


def revoke(db: str | None, event_name: str, round_number: int, table_number: int) -> int:
    """End the sign, code and addresses of a table; return how many there were. Raises TourneyError NOT_FOUND.

    The sign led to addresses in other rounds, too, which end with it; of seats, which name their origin, only those of
    phones that have one there end, with all their addresses.
    """
    with storage.writing(db) as store:
        event = find_event(store, event_name)
        rows = [row for row in store.outside.access() if row.ended is None and row.event == event.id]
        ended = [
            row.hash
            for row in rows
            if row.kind in ("table", "code") and row.table_number == table_number
            if row.round in (None, round_number) or row.origin is None
        ]
        merged, table = store.people.merged(), store.rounds.tables(event).get((round_number, table_number))
        tables = [] if table is None else [table, as_played(table, store.rounds.substitutions(event))]
        players = {player.id for each in tables for player in each.players}
        taken = [row for row in rows if row.kind == "seat" and row.player is not None]
        seats = {row.hash for row in taken if storage.survivor(row.player or 0, merged) in players}
        store.outside.end_access([*ended, *seats, *(row.hash for row in rows if row.origin in seats)])
        return len(ended)


@dataclass(frozen=True, slots=True)
class _NewKey:
    """A key that was drawn, and the salt of its hash if it is short."""

    kind: AccessKind
    key: str
    hash: str
    salt: str = ""

    def row(
        self, event: Event | None = None, table: Table | None = None, player: Player | None = None, entry: str = ""
    ) -> storage.KeptAccess:
        """Return what is kept of the key; `entry` is the one of the journal that drew the table or made the event."""
        return storage.KeptAccess(
            self.hash,
            self.kind,
            self.salt,
            None if event is None else event.id,
            None if table is None else table.round,
            None if table is None else table.number,
            None if player is None else player.id,
            entry,
            _now().isoformat(timespec="seconds"),
        )


def _token(kind: AccessKind) -> _NewKey:
    """Return a new key that is a random text."""
    key = new_token()
    return _NewKey(kind, key, hashed("", key))


def _typed(kind: AccessKind, digits: int, salt: str = "") -> _NewKey:
    """Return a new key of so many digits."""
    key, salt = f"{secrets.randbelow(10**digits):0{digits}}", salt or new_salt()
    return _NewKey(kind, key, hashed(salt, key), salt)


def _grant(
    store: storage.Store,
    new: _NewKey,
    event: Event | None = None,
    table: Table | None = None,
    player: Player | None = None,
    origin: str | None = None,
) -> str:
    """Keep the hash of a new key and return the key."""
    entry = ""
    if event is not None:
        entry = store.events.making_entry(event) if table is None else store.rounds.draw_entries(event)[table.round]
    store.outside.keep_access([new.row(event, table, player, entry)._replace(origin=origin)])
    return new.key


def _found(reader: storage.Reader, token: str) -> storage.KeptAccess | None:
    """Return the row of a token that has not ended; codes and PINs, which have a salt, are no tokens."""
    return next((row for row in reader.outside.access() if not row.salt and is_key(row, token)), None)


def _pins(reader: storage.Reader, event: Event, player: Player) -> Iterator[storage.KeptAccess]:
    """Yield the rows of an entrant's PINs, also of one who was merged into that entrant."""
    merged, entry = reader.people.merged(), reader.events.making_entry(event)
    for row in reader.outside.access():
        number = row.player if (row.kind, row.entry) == ("pin", entry) else None
        if number is not None and storage.survivor(number, merged) == player.id:
            yield row


def _forget_ended(store: storage.Store) -> None:
    """Delete the keys that have ended, are too old, or are those of tables that were left."""
    tables = _Tables(store, with_drafts=True)
    rows = [row for row in store.outside.access() if not is_young_guess(row)]
    store.outside.forget_access([row.hash for row in rows if row.ended is not None or not _opens(tables, row)])


def _opens(tables: _Tables, row: storage.KeptAccess) -> bool:
    if row.kind == "seat" or is_of_sign(row):
        return tables.is_of_open_event(row)
    if row.kind in ("table", "code"):
        return tables.opened_by(row) is not None
    return row.kind == "pin" or _is_young(row)


class _Tables:
    """The tables that keys open, each event being read once."""

    def __init__(self, reader: storage.Reader, *, with_drafts: bool = False) -> None:
        self._reader, self._with_drafts = reader, with_drafts
        self._read: dict[int, tuple[Event, dict[tuple[str, int], Table]]] = {}

    def opened_by(self, row: storage.KeptAccess) -> tuple[Event, Table] | None:
        """Return the event and the table of a key; None once its round was cancelled or left, or its event finished.

        A sign opens the table of its number in the newest published round.
        """
        if row.event not in self._reader.events.names() or row.table_number is None:
            return None
        tables = self.of_event(row.event)
        entry = self._newest_entry(row) if is_of_sign(row) else row.entry
        table = tables.get((entry, row.table_number))
        return None if table is None else (self._read[row.event][0], table)

    def of_event(self, number: int) -> dict[tuple[str, int], Table]:
        """Return the tables of an event that keys may open, by the entry that drew their round and their number."""
        if number not in self._read:
            event = self._reader.events.get(number)
            self._read[number] = event, self._open(event)
        return self._read[number][1]

    def is_of_open_event(self, row: storage.KeptAccess) -> bool:
        """Return whether a seat or a sign is one of an event that is there and not finished."""
        if row.event not in self._reader.events.names():
            return False
        event = self._reader.events.get(row.event)
        return event.state != "finished" and row.entry == self._reader.events.making_entry(event)

    def _newest_entry(self, row: storage.KeptAccess) -> str:
        """Return the entry that drew the newest published round of a sign's event; "" if another event is meant."""
        assert row.event is not None, "a sign is of an event"
        event = self._read[row.event][0]
        if self._reader.events.making_entry(event) != row.entry:
            return ""
        newest = max((drawn.number for drawn in self._reader.rounds.of(event) if not drawn.draft), default=0)
        return self._reader.rounds.draw_entries(event).get(newest, "")

    def _open(self, event: Event) -> dict[tuple[str, int], Table]:
        """Return the tables of an event that keys may open, by the entry that drew their round and their number."""
        rounds = () if event.state == "finished" else self._reader.rounds.of(event)
        rounds = tuple(drawn for drawn in rounds if self._with_drafts or not drawn.draft)
        newest = max((drawn.number for drawn in rounds if not drawn.draft), default=0)
        entries = self._reader.rounds.draw_entries(event)
        counts = self._reader.results.finished(event.id) - self._reader.results.void(event.id)
        return {
            (entries[drawn.number], table.number): table
            for drawn in rounds
            for table in drawn.tables
            if drawn.number >= newest or (drawn.number, table.number) not in counts
        }


def _is_young(row: storage.KeptAccess) -> bool:
    """Return whether a key of a desk has not become too old."""
    age = _now() - datetime.fromisoformat(row.made)
    return age < (SIGN_IN_TIME if row.kind == "sign-in" else DESK_TIME)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that is signed in: the hash of its key, and since when."""

    hash: str
    since: datetime


def signed_in(db: str | None, run: str = "") -> tuple[SignedIn, ...]:
    """Return the browsers that are signed in while this run of the program lasts, the first first."""
    with storage.reading(db) as reader:
        rows = [row for row in reader.outside.access() if is_desk(row, run)]
    found = (SignedIn(row.hash, datetime.fromisoformat(row.made)) for row in rows)
    return tuple(sorted(found, key=lambda each: each.since))


def end(db: str | None, key_hash: str) -> None:
    """End the desk's key that has this hash, with those that it has made to sign in others."""
    with storage.writing(db) as store:
        rows = store.outside.access()
        if any(row.hash == key_hash and row.kind == "desk" and row.ended is None for row in rows):
            made = [row.hash for row in rows if row.kind == "sign-in" and (row.origin or "").endswith(f" {key_hash}")]
            store.outside.end_access([key_hash, *made])
