"""Phones at the tables, from the desk: signs with QR codes, six-digit codes, PINs, and the end of them.

Signs are made once for an event: each leads to the table of its number in the round that is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.submissions import TableKeys
from tourney.reports import documents
from tourney.reports.html.document import SignLink
from tourney.reports.names import seat_names
from tourney.service.events.attendance import taking_part
from tourney.service.rounds import rounds as rounds_service
from tourney.service.web import access, seats
from tourney.service.web.as_seen import changed_meanwhile
from tourney.text.i18n import _, ngettext
from tourney.text.names import name_order
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.desks import switch
from tourney.web.pages.desk.page import Answering, Refused, event_name, for_event, form, page, view, whole_number
from tourney.web.pages.desk.paper.paper import PAPER, printed
from tourney.web.qr import svg_code

PHONES = f"{PAPER}/phones"


def overview(asked: Asked, refused: Refused = None, **shown: object) -> View:
    """Show what phones need, and the forms that make and end it; keys are shown once, on this page."""
    event = asked.server.event()
    played = rounds_service.show(asked.db, event.settings.name, "played")
    drawn = played.rounds
    substitutes = (each.substitute for each in played.substitutions)
    players = {*taking_part(event, rounds_service.show(asked.db, event.settings.name).rounds), *substitutes}
    settings = asked.server.settings
    values = {
        "drawn": drawn[0] if drawn else None,
        "switch": switch(asked, PHONES),
        "ready": bool(settings.address) and settings.entry,
        "root": settings.address,
        "hall": svg_code(settings.address) if settings.address else "",
        "players": sorted((player.shown for player in players), key=name_order),
        "keys": (),
        "pin": "",
        "ended": "",
        "claimed": seats.claims_of_round(asked.db, event.settings.name, drawn[0].number) if drawn else {},
        "names": seat_names(played.substitutions),
        "from_one_phone": seats.from_one_phone,
        **shown,
    }
    found = view(asked, "phones.html", _("Phones at the tables"), values, refused)
    return replace(found, live=False) if shown else found


def _or_again(answer: Answering) -> Answering:
    """Return the function of a form that shows the page again where it is refused."""

    def answered(asked: Asked) -> Answer:
        try:
            return answer(asked)
        except TourneyError as error:
            return overview(asked, error)

    return answered


def print_signs(asked: Asked) -> Answer:
    """Make new keys for the tables, and their signs with a QR code, which hold for all rounds."""
    settings = asked.server.settings
    if not settings.address or not settings.entry:
        message = _("phones cannot reach this desk")
        raise TourneyError(ExitCode.REFUSED, message, _("let the phones of this network in first"))
    keys = _granted(asked)
    report, kept = documents.signs(asked.db, event_name(asked), keys[0].table.round).coded(asked.db)
    signs = replace(report, title=event_name(asked), code="")
    return printed(signs, kept, {key.table.number: _sign(asked, key) for key in keys})


def _sign(asked: Asked, key: TableKeys) -> SignLink:
    words = _("Your sheet, in every round: scan this with a phone, or type the code at")
    root, code = asked.server.settings.address, f"{key.code[:3]} {key.code[3:]}"
    return SignLink(words, svg_code(f"{root}s/{key.sign}"), f"{root}code", code)


def show_codes(asked: Asked) -> Answer:
    """Make new keys for the tables of a round, and show them."""
    return overview(asked, keys=_granted(asked))


def _granted(asked: Asked) -> Sequence[TableKeys]:
    """Return new keys of the round in a form. Raises TourneyError as `grant_tables`, REFUSED if it has no tables."""
    keys = access.grant_tables(asked.db, event_name(asked), whole_number(asked, "round"))
    if not keys:
        raise TourneyError(ExitCode.REFUSED, _("this round has no tables"), _("draw a round first"))
    return keys


def revoke(asked: Asked) -> Answer:
    """End the keys of a table."""
    number, table = whole_number(asked, "round"), whole_number(asked, "table")
    if number is None or table is None:
        raise TourneyError(ExitCode.USAGE, _("no table is named"), _("write its number"))
    ended = access.revoke(asked.db, event_name(asked), number, table)
    text = ngettext("{number} key of table {table} is ended", "{number} keys of table {table} are ended", ended)
    return overview(asked, ended=text.format(number=ended, table=table))


def release(asked: Asked) -> Answer:
    """Take a seat from the phone that has it."""
    number, at, seat = (whole_number(asked, name) for name in ("round", "table", "seat"))
    drawn = rounds_service.show(asked.db, event_name(asked), number).rounds[0]
    table = next((table for table in drawn.tables if table.number == at), None)
    if table is None or seat is None or not 0 < seat <= len(table.players):
        raise TourneyError(ExitCode.USAGE, _("this table has no such seat"), _("load the page again"))
    player = table.players[seat - 1]
    meant = player, asked.field("device")
    if not seats.release(asked.db, event_name(asked), table, lambda claim: (claim.player, claim.device) == meant):
        raise changed_meanwhile()
    text = _("the seat of {player} at table {table} is free: the next phone can take it")
    return overview(asked, ended=text.format(player=player.shown, table=table.number))


def make_pin(asked: Asked) -> Answer:
    """Make a PIN for a player, and show it."""
    if not asked.field("player"):
        raise TourneyError(ExitCode.USAGE, _("no player is chosen"), _("choose one"))
    made = access.grant_pin(asked.db, event_name(asked), asked.field("player"))
    return overview(asked, pin=_("{player}: {pin}").format(player=made.player.shown, pin=made.pin))


PAGES = (
    page(PHONES, for_event(overview)),
    *(
        form(f"{PHONES}/{name}", for_event(_or_again(answer)))
        for name, answer in {
            "signs": print_signs,
            "codes": show_codes,
            "revoke": revoke,
            "release": release,
            "pin": make_pin,
        }.items()
    ),
)
