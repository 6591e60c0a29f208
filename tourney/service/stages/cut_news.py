"""News of cuts: what corrections and departures have changed in a stage, who goes through, and what can be done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Stage
from tourney.service.lookup import event_argument
from tourney.service.stages.advance import cut_to, names_of
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
    for each in found.play_offs:
        level = ngettext(
            "By the results {names} are level at the border of {stage} and would play one hand for {places} place.",
            "By the results {names} are level at the border of {stage} and would play one hand for {places} places.",
            each.places,
        )
        yield level.format(names=names_of(each.players), stage=found.stage.name, places=each.places)


@dataclass(frozen=True, slots=True)
class CutNews:
    """The news of one stage: who goes through now (`coming`), who no longer does (`going`), who left (`gone`).

    `level` are players at the border whose order the results no longer decide. `lines` say so, and what can be done.
    """

    event: str
    stage: str
    coming: tuple[Player, ...] = ()
    going: tuple[Player, ...] = ()
    gone: tuple[Player, ...] = ()
    level: tuple[Player, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CutsBefore:
    """The cuts of an event before a change: what differed in its newest stage, and who went through to earlier ones."""

    event: Event
    newest: CutDifference | None
    earlier: Mapping[str, frozenset[Player]]

    @classmethod
    def of(cls, reader: storage.Reader, event: Event) -> CutsBefore:
        """Return the cuts of the event as they are now."""
        return cls(event, difference(reader, event), _through_earlier(reader, event))

    def news(self, reader: storage.Reader) -> Iterator[CutNews]:
        """Yield the news after the change: of the newest stage, and of earlier ones, for which nothing can be done."""
        if self.event.id not in reader.events.names():
            return  # Its creation or import was undone.
        event = reader.events.get(self.event.id)
        if event.settings.stages != self.event.settings.stages or event.state != "open":
            return  # The change decided about a stage, and its report says who plays.
        if event.states == self.event.states:
            yield from self._of_earlier(event, _through_earlier(reader, event))
        yield from self._of_newest(reader, event, difference(reader, event))

    def _of_newest(self, reader: storage.Reader, event: Event, now: CutDifference | None) -> Iterator[CutNews]:
        name, stage = event.settings.name, event.stage
        if now is not None and (self.newest is None or now.moved != self.newest.moved):
            lines = tuple(lines_of(reader, event, now))
            yield CutNews(name, now.stage.name, now.coming, now.going, now.gone, now.level, lines)
        elif now is None and self.newest is not None and stage is not None and not self.newest.gone:
            text = _("By the results the right players are in {stage} again.").format(stage=stage.name)
            yield CutNews(name, stage.name, lines=(text,))

    def _of_earlier(self, event: Event, now: Mapping[str, frozenset[Player]]) -> Iterator[CutNews]:
        for stage in _earlier(event):
            before, after = self.earlier[stage.name], now[stage.name]
            coming = _in_order(event, (each for each in after - before if each.id not in stage.players))
            going = _in_order(event, (each for each in before - after if each.id in stage.players))
            if coming or going:
                yield CutNews(event.settings.name, stage.name, coming, going, lines=(_too_late(stage, coming, going),))


def _in_order(event: Event, players: Iterator[Player]) -> tuple[Player, ...]:
    chosen = set(players)
    return tuple(player for player in event.entrants if player in chosen)


def _too_late(stage: Stage, coming: Sequence[Player], going: Sequence[Player]) -> str:
    if coming and going:
        text = _("By the results {coming} would have played in {stage}, and {going} would not; nothing changes there.")
    elif coming:
        text = _("By the results {coming} would have played in {stage}, too; nothing changes there.")
    else:
        text = _("By the results {going} would not have played in {stage}; nothing changes there.")
    return text.format(coming=names_of(coming), going=names_of(going), stage=stage.name)


def _earlier(event: Event) -> Sequence[Stage]:
    """Return the stages that have begun and are over, but for the first, in which everybody plays."""
    begun = [stage for stage in event.settings.stages if stage.begun]
    return [stage for stage in begun[1:-1] if stage.take != "named"]


def _through_earlier(reader: storage.Reader, event: Event) -> dict[str, frozenset[Player]]:
    return {stage.name: frozenset(cut_to(reader, event, stage).through) for stage in _earlier(event)}
