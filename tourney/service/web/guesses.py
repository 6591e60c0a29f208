"""Guesses of digits: codes of tables, PINs, and the digits that sign in, counted for all programs of a database.

A guess is kept with the keys, as one that has ended: `kind` says what was tried, `entry` whose digits, and `origin`
how it ended and a hash of who tried. Guesses older than an hour are forgotten with the next one.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from typing import Final, Literal, NamedTuple, get_args

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.submissions import AccessKind
from tourney.text.i18n import _

MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
MOST_OF_ONE: Final = 5
"""The most wrong codes of tables, and the most wrong PINs, of one visitor within a minute."""
MOST_CODES: Final = 30
MOST_CODES_AN_HOUR: Final = 120
"""The most wrong codes of tables from everybody together; then only those with a right one and no wrong one go on."""
MOST_OF_A_SEAT: Final = 5
"""The most wrong PINs of a player within a minute; then only somebody without a wrong one may try."""
MOST_OF_A_SEAT_IN_ALL: Final = 8
MOST_OF_A_PIN: Final = 10
"""The wrong tries of a PIN within an hour after which it ends."""
MOST_OF_DIGITS: Final = 5
"""The wrong tries after which the digits that sign in end, whoever has made them."""
_HERE: Final = "here"
Outcome = Literal["right", "wrong", "last"]
"""The end of a guess: `last` is the wrong one after which the digits ended."""


class TooManyTriesError(TourneyError):
    """A refusal of a code or a PIN that was tried too often."""

    def __init__(self) -> None:
        super().__init__(ExitCode.REFUSED, _("too many tries"), _("wait a minute, then try again"))


class _Guess(NamedTuple):
    subject: str
    who: str
    outcome: Outcome
    age: timedelta


def refuse_code(db: str | None, address: str) -> None:
    """Raise TooManyTriesError for a visitor who may try no code of a table now."""
    found, who = _guesses(db, "code"), _who(address)
    own = [guess for guess in found if guess.who == who]
    has_been_right = any(guess.outcome == "right" for guess in own) and not _wrong(own, HOUR)
    is_full = _wrong(found, MINUTE) >= MOST_CODES or _wrong(found, HOUR) >= MOST_CODES_AN_HOUR
    if _wrong(own, MINUTE) >= MOST_OF_ONE or (is_full and not has_been_right):
        raise TooManyTriesError


def note_code(db: str | None, address: str, *, is_right: bool) -> None:
    """Note that a visitor has tried a code of a table; one that is right is noted once an hour."""
    who = _who(address)
    with storage.writing(db) as store:
        if not is_right or not any(guess.outcome == "right" and guess.who == who for guess in _read(store, "code")):
            _note(store, "code", "", who, "right" if is_right else "wrong")


def refuse_pin(db: str | None, event: int, player: int, address: str) -> None:
    """Raise TooManyTriesError for a visitor who may not try a player's PIN now."""
    found, who = _guesses(db, "pin"), _who(address)
    own = _wrong([guess for guess in found if guess.who == who], MINUTE)
    of_seat = _wrong([guess for guess in found if guess.subject == _seat(event, player)], MINUTE)
    if own >= MOST_OF_ONE or of_seat >= (MOST_OF_A_SEAT if own else MOST_OF_A_SEAT_IN_ALL):
        raise TooManyTriesError


def ends_pin(db: str | None, event: int, player: int, address: str) -> bool:
    """Note a wrong PIN of a player; return whether there were too many within an hour."""
    return _ends(db, "pin", _seat(event, player), address, MOST_OF_A_PIN)


def ends_digits(db: str | None, digits: str, address: str) -> bool:
    """Note a wrong try of the digits that sign in, by their hash; return whether they have had too many now."""
    return _ends(db, "sign-in", digits, address, MOST_OF_DIGITS)


def _ends(db: str | None, kind: AccessKind, subject: str, address: str, most: int) -> bool:
    """Note a wrong try; return whether it is the last of as many as end digits, since other digits ended there."""
    with storage.writing(db) as store:
        tried = [guess for guess in _read(store, kind) if guess.subject == subject]
        since = min((guess.age for guess in tried if guess.outcome == "last"), default=HOUR)
        is_last = sum(guess.age < since for guess in tried) + 1 >= most
        _note(store, kind, subject, _who(address), "last" if is_last else "wrong")
    return is_last


def visitor_of(address: str) -> str:
    """Return whose guesses are counted together: this computer's, those of a network /64 of IPv6, or an address's."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    if found.is_loopback:
        return _HERE
    return str(found) if found.version == 4 else found.exploded[:19]


def is_young_guess(row: storage.KeptAccess) -> bool:
    """Return whether the row of a key is a guess that still counts."""
    return _outcome(row) is not None and _counts(_age(row))


def _guesses(db: str | None, kind: AccessKind) -> list[_Guess]:
    """Return what has been tried of this kind within the hour."""
    with storage.reading(db) as reader:
        return list(_read(reader, kind))


def _read(reader: storage.Reader, kind: AccessKind) -> Iterator[_Guess]:
    for row in reader.outside.access():
        outcome = _outcome(row) if row.kind == kind else None
        if outcome is not None and _counts(age := _age(row)):
            yield _Guess(row.entry, outcome[1], outcome[0], age)


def _note(store: storage.Store, kind: AccessKind, subject: str, who: str, outcome: Outcome) -> None:
    now = _now().isoformat()
    origin = f"{outcome} {who}"
    row = storage.KeptAccess(secrets.token_hex(32), kind, "", None, None, None, None, subject, now, now, origin)
    rows = store.outside.access()
    store.outside.forget_access([row.hash for row in rows if _outcome(row) is not None and not _counts(_age(row))])
    store.outside.keep_access([row])


def _outcome(row: storage.KeptAccess) -> tuple[Outcome, str] | None:
    """Return how a guess ended, and who made it; None for the row of a key."""
    word, _blank, who = (row.origin or "").partition(" ")
    outcome = next((each for each in get_args(Outcome) if each == word), None)
    return None if row.ended is None or outcome is None else (outcome, who)


def _wrong(found: list[_Guess], within: timedelta) -> int:
    return sum(guess.outcome != "right" and guess.age < within for guess in found)


def _counts(age: timedelta) -> bool:
    """Return whether a guess of this age counts; one of the future was noted by a clock that was ahead."""
    return -MINUTE < age < HOUR


def _age(row: storage.KeptAccess) -> timedelta:
    return _now() - datetime.fromisoformat(row.made)


def _seat(event: int, player: int) -> str:
    return f"{event} {player}"


def _who(address: str) -> str:
    return sha256(visitor_of(address).encode(errors="surrogatepass")).hexdigest()[:16]


def _now() -> datetime:
    return datetime.now(UTC)
