"""Sentences on what corrections and departures have changed in a stage, and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterator

from tourney import storage
from tourney.domain.events import Event
from tourney.service.lookup import event_argument
from tourney.service.stages.advance import names_of
from tourney.service.stages.later import CutDifference, can_seat_again, difference
from tourney.text.i18n import _, ngettext


def cut_lines(reader: storage.Reader, event: Event) -> Iterator[str]:
    """Yield what corrections and departures have changed in the newest stage, and what can be done about it."""
    found = difference(reader, event) if event.state == "open" else None
    if found is not None:
        yield from lines_of(reader, event, found)


def lines_of(reader: storage.Reader, event: Event, found: CutDifference) -> Iterator[str]:
    """Yield who would play now and who would not, and what can be done about it."""
    named = event_argument(event)
    yield from _who(found)
    yield _("Leave it: `tourney event cut{event} --keep`.").format(event=named)
    if found.can_replace:
        yield _("Let the next play instead: `tourney event cut{event} --replace`.").format(event=named)
    elif found.can_add:
        yield _("Add a seat for each: `tourney event cut{event} --add`.").format(event=named)
    if can_seat_again(reader, event, found.stage):
        yield _(
            "Seat {stage} again: `tourney round cancel{event} --reason TEXT`, then `tourney round draw{event}`."
        ).format(stage=found.stage.name, event=named)


def _who(found: CutDifference) -> Iterator[str]:
    coming, going, gone = (names_of(players) for players in (found.coming, found.going, found.gone))
    if gone and not found.going:
        text = _("{gone} left {stage}; next in line: {coming}.") if coming else _("{gone} left {stage}.")
    elif coming and going:
        text = _("By the results {coming} would play in {stage}, and {going} would not.")
    elif going:
        text = _("By the results {going} would not play in {stage}.")
    else:
        text = _("By the results {coming} would play in {stage}, too.") if coming else ""
    if text:
        yield text.format(coming=coming, going=going, gone=gone, stage=found.stage.name)
    if gone and going:
        yield _("{gone} left {stage}.").format(gone=gone, stage=found.stage.name)
    if found.level:
        level = ngettext(
            "By the results {names} are level at the border of {stage} and would play one hand for {places} place.",
            "By the results {names} are level at the border of {stage} and would play one hand for {places} places.",
            found.places,
        )
        yield level.format(names=names_of(found.level), stage=found.stage.name, places=found.places)
