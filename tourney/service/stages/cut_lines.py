"""Sentences on what corrections and departures have changed in a stage, and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterator

from tourney import storage
from tourney.domain.events import Event
from tourney.service.lookup import event_argument
from tourney.service.stages.advance import names_of
from tourney.service.stages.later import CutDifference, can_seat_again, difference
from tourney.text.i18n import _


def cut_lines(reader: storage.Reader, event: Event) -> Iterator[str]:
    """Yield what corrections and departures have changed in the newest stage, and what can be done about it."""
    found = difference(reader, event) if event.state == "open" else None
    if found is not None:
        yield from _lines(reader, event, found)


def _lines(reader: storage.Reader, event: Event, found: CutDifference) -> Iterator[str]:
    named = event_argument(event)
    if found.going:
        text = _("By the results as they are now {coming} would play in {stage}, and {going} would not.")
        yield text.format(coming=names_of(found.coming), going=names_of(found.going), stage=found.stage.name)
    else:
        text = _("{gone} left {stage}; next in line: {coming}.")
        yield text.format(gone=names_of(found.gone), coming=names_of(found.coming), stage=found.stage.name)
    yield _("Leave it: `tourney event cut{event} --keep`.").format(event=named)
    if found.can_replace:
        yield _("Let the next play instead: `tourney event cut{event} --replace`.").format(event=named)
    elif found.can_add:
        yield _("Add a seat for each: `tourney event cut{event} --add`.").format(event=named)
    if can_seat_again(reader, event, found.stage):
        yield _(
            "Seat {stage} again: `tourney round cancel{event} --reason TEXT`, then `tourney round draw{event}`."
        ).format(stage=found.stage.name, event=named)
