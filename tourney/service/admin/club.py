"""The club that uses the database: its name, colour and logo, set and shown."""

from __future__ import annotations

from dataclasses import dataclass

from tourney import storage
from tourney.domain.club import COLOURS, NO_CLUB, Club, is_colour, logo_text, plain_png
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.change import Change
from tourney.text.i18n import _, either
from tourney.text.names import optional


@dataclass(frozen=True, slots=True)
class SetClub(Change[Club]):
    """Set the club's name, colour or logo: None leaves one as it is, an empty one is taken away."""

    name: str | None = None
    colour: str | None = None
    logo: bytes | None = None

    def perform(self, store: storage.Store) -> Club:
        """Return the club as it is then. Raises TourneyError REFUSED for values that no club can have, or no change."""
        before = store.club.get()
        name = before.name if self.name is None else optional(self.name, _("name of the club"))
        colour = before.colour if self.colour is None else _colour(self.colour)
        logo = before.logo if self.logo is None else _logo(self.logo)
        new = {"name": name, "colour": colour, "logo": logo_text(logo)}
        old = {"name": before.name, "colour": before.colour, "logo": logo_text(before.logo)}
        changes = {key: value for key, value in new.items() if value != old[key]}
        if not changes:
            message, hint = _("the club has this name, colour and logo already"), _("see it with `tourney club show`")
            raise TourneyError(ExitCode.REFUSED, message, hint)
        store.write(storage.kinds.club.ClubSet(changes))
        return store.club.get()


def show(db: str | None) -> Club:
    """Return the club. Raises TourneyError NOT_FOUND without a database."""
    with storage.reading(db) as reader:
        return reader.club.get()


def club_if_any(db: str | None) -> Club:
    """Return the club, nothing of it where it cannot be read: pages and paper are made without it then."""
    try:
        return show(db)
    except TourneyError:
        return NO_CLUB


def _colour(text: str) -> str:
    colour = text.strip().lower()
    if colour and not is_colour(colour):
        message = _("“{text}” is not a colour that pages can have").format(text=text.strip()[:20])
        hint = _("choose {colours}, or write #rrggbb, such as #1f4e9e").format(colours=either(COLOURS))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return colour


def _logo(content: bytes) -> bytes:
    try:
        return plain_png(content) if content else b""
    except ValueError:
        message = _("the logo is not a whole PNG picture of this size")
        hint = _("save it as PNG, with at most 64 kB and 1024 pixels a side")
        raise TourneyError(ExitCode.REFUSED, message, hint) from None
