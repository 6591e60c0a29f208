"""Forms that desks have sent, kept in memory, so that one that is sent twice counts once and shows what was done."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

MOST_KEPT: Final = 400
"""The most forms that are remembered."""
AGAIN: Final = timedelta(seconds=15)
"""The time during which a form that comes again is the same tap of a finger, or the same loss of the network."""

SHOWN: Final = timedelta(minutes=2)
"""The time during which a page says what was done; later it would be taken for news."""


@dataclass(frozen=True, slots=True)
class Done:
    """A form that was sent: what was done, in a title and sentences, the page that shows it, and when.

    `links` have the paths and names of pages that help with what follows from it.
    """

    title: str
    sentences: tuple[str, ...]
    to: str
    at: datetime
    links: tuple[tuple[str, str], ...] = ()


class Forms:
    """The forms that were sent, by their key, the oldest forgotten first."""

    def __init__(self) -> None:
        self._sent: OrderedDict[str, Done] = OrderedDict()

    def news(self, key: str) -> Done | None:
        """Return what was done with the form of that key; None if nothing is known of it, or it was long ago."""
        found = self._sent.get(key)
        return None if found is None or datetime.now(UTC) - found.at > SHOWN else found

    def sent_again(self, key: str) -> Done | None:
        """Return what was done if this form has just been sent; None if it is new.

        Raises TourneyError CONFLICT if it was sent a while ago, as by a page that was left open.
        """
        found = self._sent.get(key)
        if found is None or datetime.now(UTC) - found.at < AGAIN:
            return found
        time = f"{found.at.astimezone():%H:%M}"
        message = _("this form was sent at {time} already, and counted once").format(time=time)
        raise TourneyError(ExitCode.CONFLICT, message, _("look at what stands now, and send it again if it is missing"))

    def keep(self, key: str, done: Done) -> None:
        """Remember what was done with a form."""
        self._sent[key] = done
        if len(self._sent) > MOST_KEPT:
            self._sent.popitem(last=False)


def key_of(*parts: bytes) -> str:
    """Return the key of a form: of who sends it, its path and its fields."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:24]
