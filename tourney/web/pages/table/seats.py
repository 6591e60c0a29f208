"""The seats of a table: a phone takes one, with a PIN where it must, and gives it back."""

from __future__ import annotations

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.service.web import access, guesses, seats
from tourney.text.i18n import _
from tourney.web.access import PLAYER_COOKIE, seat_cookie, seat_key
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.table.opened import Opened, opened
from tourney.web.pages.table.shown import who_page

MOST_PIN = 20
"""The most characters of a PIN that are looked at; it has four digits, and blanks may stand around them."""


def who(asked: Asked) -> View:
    """Show the seats of the table, also if the phone has one."""
    return who_page(opened(asked))


def choose(asked: Asked) -> Answer:
    """Give the phone a seat, and keep on it the key of the seat and whose phone it is."""
    at, player = opened(asked), None
    event = at.at.event.settings.name
    made = asked.server.made_by(event)
    has_typed = bool(asked.field("pin").strip())
    try:
        player = _chosen(at)
        if player == at.player and not has_typed:
            return Moved(at.home)
        if has_typed:
            _refuse_wrong_pin(at, player)
        phone = seats.ClaimingPhone(at.origin, has_typed, seat_key(asked.cookies, made))
        key = seats.claim_seat(asked.db, event, at.at.table, player, phone)
    except TourneyError as error:
        return who_page(at, error, player)
    return Moved(at.home, ((seat_cookie(made), key), (PLAYER_COOKIE, str(at.playing[player].id))))


def leave(asked: Asked) -> Moved:
    """Give the phone's seat back, so that another phone can take it."""
    at = opened(asked)
    event = at.at.event.settings.name
    if at.device:
        seats.release(asked.db, event, at.at.table, lambda claim: claim.device == at.device)
    return Moved(at.home, ((seat_cookie(asked.server.made_by(event)), ""), (PLAYER_COOKIE, "")))


def by_pin(at: Opened) -> Player:
    """Return the player who has typed their PIN. Raises TourneyError for another one, and for too many tries."""
    player = _chosen(at)
    _refuse_wrong_pin(at, player)
    return player


def _refuse_wrong_pin(at: Opened, seat: Player) -> None:
    """Raise TourneyError unless that is the PIN of the one who plays in a player's seat.

    Wrong ones count for the seat and for the visitor, and against the PIN, which ends after some.
    """
    asked, event, player = at.asked, at.at.event, at.playing[seat]
    guesses.refuse_pin(asked.db, event.id, player.id, asked.address)
    if not access.has_pin(asked.db, event.settings.name, player, asked.field("pin")[:MOST_PIN]):
        ends = guesses.ends_pin(asked.db, event.id, player.id, asked.address)
        if ends and access.end_pin(asked.db, event.settings.name, player):
            message = _("the PIN of {player} has ended after {most} wrong tries")
            message = message.format(player=player.shown, most=guesses.MOST_OF_A_PIN)
            raise TourneyError(ExitCode.REFUSED, message, _("ask the desk for a new one"))
        message = _("this is not the PIN of {player}").format(player=player.shown)
        raise TourneyError(ExitCode.REFUSED, message, _("try again, or ask at the desk"))


def _chosen(at: Opened) -> Player:
    """Return the player who had the seat that a form names when it was shown.

    Raises TourneyError REFUSED if it names none, and as `Opened.seats_of_form`.
    """
    seats = {str(seat): number for seat, number in enumerate(at.seats_of_form, 1)}
    number = seats.get(at.asked.field("seat"))
    if number is None:
        raise TourneyError(ExitCode.REFUSED, _("nobody is chosen"), _("choose a name"))
    return next(player for player in at.at.table.players if player.id == number)
