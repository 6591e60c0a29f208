"""Phones at the tables, from the desk: signs with QR codes, six-digit codes, PINs, and the end of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.submissions import TableKeys
from tourney.reports import documents
from tourney.reports.html.document import SignLink
from tourney.service.events.attendance import taking_part
from tourney.service.rounds import rounds as rounds_service
from tourney.service.web import access, seats
from tourney.service.web.as_seen import changed_meanwhile
from tourney.text.dates import local
from tourney.text.i18n import _, ngettext
from tourney.text.names import name_order
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.network import switch
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, view, whole_number
from tourney.web.pages.desk.paper.paper import PAPER, printed
from tourney.web.qr import svg_code
from tourney.web.render import Link

PHONES = f"{PAPER}/phones"


@dataclass(frozen=True, slots=True)
class Key:
    """The keys of a table as they are shown once: its address and its six digits."""

    table: int
    players: str
    address: str
    code: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat that a phone has: its table and its number from 1, whose it is, and what is known of the claim in words.

    `device` tells the phone from others, and `urgent` says that two seats of the table may be one phone's.
    """

    table: int
    seat: int
    player: str
    since: str
    device: str
    urgent: bool


def overview(asked: Asked, refused: Refused = None, **shown: object) -> View:
    """Show what phones need, and the forms that make and end it; keys are shown once, on this page."""
    event = asked.server.event()
    drawn = rounds_service.show(asked.db, event.settings.name, "played").rounds
    players = taking_part(event, rounds_service.show(asked.db, event.settings.name).rounds)
    settings = asked.server.settings
    values = {
        "drawn": drawn[0] if drawn else None,
        "switch": switch(asked, PHONES),
        "ready": bool(settings.address) and settings.entry,
        "address": f"{settings.address}code" if settings.address else "",
        "players": sorted((player.shown for player in players), key=name_order),
        "keys": (),
        "pin": "",
        "ended": "",
        "claimed": list(_claimed(asked, drawn[0].number)) if drawn else [],
        "back": Link(PAPER, _("Paper and files")),
        **shown,
    }
    found = view(asked, "phones.html", _("Phones at the tables"), values, refused)
    return replace(found, live=False) if shown else found


def _claimed(asked: Asked, number: int) -> Iterator[Claimed]:
    """Yield the seats of a round that phones have."""
    for table, found in seats.claims_of_round(asked.db, asked.server.event().settings.name, number).items():
        doubtful = seats.from_one_phone(found)
        for claim in found:
            text = _("since {time}, with the PIN") if claim.by_pin else _("since {time}")
            since = text.format(time=f"{local(claim.since):%H:%M}")
            seat = table.players.index(claim.player) + 1
            yield Claimed(table.number, seat, claim.player.shown, since, claim.device, claim.device in doubtful)


def print_signs(asked: Asked) -> Answer:
    """Make new keys for the tables of a round, and their signs with a QR code."""
    try:
        _refuse_unreachable(asked)
        keys = _granted(asked)
        report, kept = documents.signs(asked.db, event_name(asked), keys[0].table.round).coded(asked.db)
    except TourneyError as error:
        return overview(asked, error)
    return printed(report, kept, {key.table.number: _sign(asked, key) for key in keys})


def _sign(asked: Asked, key: TableKeys) -> SignLink:
    words = _("Score sheet of this table: scan this with a phone, or type the code at")
    return SignLink(words, svg_code(_address(asked, key)), f"{asked.server.settings.address}code", _spaced(key.code))


def show_codes(asked: Asked) -> Answer:
    """Make new keys for the tables of a round, and show them."""
    try:
        keys = _granted(asked)
    except TourneyError as error:
        return overview(asked, error)
    shown = [
        Key(
            key.table.number,
            ", ".join(player.shown for player in key.table.players),
            _address(asked, key),
            _spaced(key.code),
        )
        for key in keys
    ]
    return overview(asked, keys=shown)


def _granted(asked: Asked) -> Sequence[TableKeys]:
    """Return new keys of the round in a form. Raises TourneyError as `grant_tables`, REFUSED if it has no tables."""
    keys = access.grant_tables(asked.db, event_name(asked), whole_number(asked, "round"))
    if not keys:
        raise TourneyError(ExitCode.REFUSED, _("this round has no tables"), _("draw a round first"))
    return keys


def _address(asked: Asked, key: TableKeys) -> str:
    return f"{asked.server.settings.address}t/{key.token}"


def _spaced(code: str) -> str:
    return f"{code[:3]} {code[3:]}"


def _refuse_unreachable(asked: Asked) -> None:
    settings = asked.server.settings
    if not settings.address or not settings.entry:
        raise TourneyError(
            ExitCode.REFUSED, _("phones cannot reach this desk"), _("let the phones of this network in first")
        )


def revoke(asked: Asked) -> Answer:
    """End the keys of a table."""
    try:
        place = whole_number(asked, "round"), whole_number(asked, "table")
        if None in place:
            raise TourneyError(ExitCode.USAGE, _("no table is named"), _("write its number"))
        number = access.revoke(asked.db, event_name(asked), *place)
    except TourneyError as error:
        return overview(asked, error)
    ended = ngettext("{number} key of table {table} is ended", "{number} keys of table {table} are ended", number)
    return overview(asked, ended=ended.format(number=number, table=place[1]))


def release(asked: Asked) -> Answer:
    """Take a seat from the phone that has it."""
    try:
        number, at, seat = (whole_number(asked, name) for name in ("round", "table", "seat"))
        drawn = rounds_service.show(asked.db, event_name(asked), number).rounds[0]
        table = next((table for table in drawn.tables if table.number == at), None)
        if table is None or seat is None or not 0 < seat <= len(table.players):
            raise TourneyError(ExitCode.USAGE, _("this table has no such seat"), _("load the page again"))
        player = table.players[seat - 1]
        meant = player, asked.field("device")
        if not seats.release(asked.db, event_name(asked), table, lambda claim: (claim.player, claim.device) == meant):
            raise changed_meanwhile()
    except TourneyError as error:
        return overview(asked, error)
    text = _("the seat of {player} at table {table} is free: the next phone can take it")
    return overview(asked, ended=text.format(player=player.shown, table=table.number))


def make_pin(asked: Asked) -> Answer:
    """Make a PIN for a player, and show it."""
    try:
        if not asked.field("player"):
            raise TourneyError(ExitCode.USAGE, _("no player is chosen"), _("choose one"))
        made = access.grant_pin(asked.db, event_name(asked), asked.field("player"))
    except TourneyError as error:
        return overview(asked, error)
    return overview(asked, pin=_("{player}: {pin}").format(player=made.player.shown, pin=made.pin))


PAGES = (
    page(PHONES, for_event(overview)),
    form(f"{PHONES}/signs", for_event(print_signs)),
    form(f"{PHONES}/codes", for_event(show_codes)),
    form(f"{PHONES}/revoke", for_event(revoke)),
    form(f"{PHONES}/release", for_event(release)),
    form(f"{PHONES}/pin", for_event(make_pin)),
)
