"""The seed from which the deals of an event's bots from outside follow, and its hash while it is secret."""

from __future__ import annotations

from typing import Any

from tourney import storage
from tourney.domain.events import Event
from tourney.text.i18n import _


def deals_lines(event: Event) -> tuple[str, ...]:
    """Return the drawn seed of the bots' deals, or its hash until the event has ended; nothing without one."""
    drawn = event.settings.drawn_deals
    if not drawn:
        return ()
    if event.state == "finished":
        return (_("Seed from which all deals of bots from outside follow: {seed}").format(seed=drawn),)
    return (storage.deals_hash(event.settings),)


def deals_data(event: Event) -> dict[str, Any]:
    """Return the drawn seed of the bots' deals, None until the event has ended, and its hash; nothing without one."""
    drawn, is_over = event.settings.drawn_deals, event.state == "finished"
    return {"deals_seed": drawn if is_over else None, "deals_sha256": event.settings.deals_digest} if drawn else {}
