"""A new event made from another, such as last week's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tourney import storage
from tourney.domain.events import Constraint, Copied, CopiedEvent, Event, EventSettings
from tourney.domain.leagues import OutsideBot
from tourney.domain.people import Player, bot_of_seat
from tourney.domain.rounds import as_planned
from tourney.domain.rules import RulesRef
from tourney.rulebook import rulesets
from tourney.service.change import Change
from tourney.service.events.attendance import taking_part
from tourney.service.events.events import make
from tourney.service.events.settings import checked, for_new_event
from tourney.service.lookup import find_event
from tourney.service.proved_isolation import with_deals
from tourney.text.i18n import _
from tourney.text.names import clean


@dataclass(frozen=True, slots=True)
class CopyEvent(Change[CopiedEvent]):
    """Create an event from another, `source`, and make it the current one unless that is in play.

    Copied are its settings with the constraints on the seating, its players, or both. The date is not copied, and
    the seed is the new event's name, so that the players do not sit as they did. Players who withdrew are entered
    again; those who never came or left before they had a seat are not, nor are constraints about players who are
    not entered. Settings `given`, and `rules`, go before copied ones. Refused: NOT_FOUND for an unknown event or
    unknown rules, CONFLICT for a name that is taken, REFUSED for settings that no event can have.
    """

    name: str
    source: str
    what: Copied = "both"
    given: Mapping[str, Any] = field(default_factory=dict)
    rules: str | None = None

    def perform(self, store: storage.Store) -> CopiedEvent:
        """Return the new event, and what was left out."""
        source = find_event(store, self.source)
        rules = self._rules(source)
        event = make(store, for_new_event(checked(self._settings(source, rules), rules), rules), rules)
        players = () if self.what == "settings" else _who_came(store, source)
        bots = _bots_of(players, store.events.bots(source.id))
        event = store.events.enter(with_deals(store, event, bots), players, bots) if players else event
        event, lost = self._constrained(store, source, event)
        if not _is_playing(store):
            store.write(storage.kinds.events.EventUsed(event))
            event = store.events.get(event.id)
        absent = () if self.what == "settings" else tuple(each for each in source.entrants if each not in players)
        return CopiedEvent(event, source.settings.name, absent, lost)

    def _rules(self, source: Event) -> RulesRef:
        """Return the rules: given ones, or the source's in the form in which this version reads them."""
        if self.rules is not None or self.what == "players":
            return rulesets.resolve(self.rules or "oficial")
        if source.rules.text:
            return source.rules
        rules = rulesets.rules_of(source.rules)
        return RulesRef(rules.id, rules.digest)

    def _settings(self, source: Event, rules: RulesRef) -> EventSettings:
        name = clean(self.name, _("name"))
        copied = EventSettings(name, rules.id) if self.what == "players" else source.settings
        stages = tuple(map(as_planned, copied.stages))
        usual = replace(copied, name=name, rules=rules.id, date="", seed=name, stages=stages, deals="")
        return replace(usual, **self.given, deals=self.given.get("seed", ""))

    def _constrained(self, store: storage.Store, source: Event, event: Event) -> tuple[Event, tuple[Constraint, ...]]:
        """Return the event with the source's constraints, and those that could not be copied."""
        if self.what == "players" or not source.constraints:
            return event, ()
        entered = set(event.entrants)
        kept = [each for each in source.constraints if entered.issuperset(each.players)]
        lost = tuple(each for each in source.constraints if each not in kept)
        return (store.changed(storage.kinds.events.EventConstrained(event, kept)) if kept else event), lost


def _who_came(reader: storage.Reader, source: Event) -> tuple[Player, ...]:
    """Return the entrants, without those who never came, or left before they had a seat."""
    stayed = taking_part(source, reader.rounds.of(source))
    return tuple(player for player in source.counted if player in stayed)


def _bots_of(players: Sequence[Player], outside: Mapping[str, OutsideBot]) -> list[OutsideBot]:
    """Return the bots from outside that have a seat among the players."""
    names = dict.fromkeys(bot_of_seat(player) for player in players if player.kind == "bot")
    return [outside[name] for name in names if name in outside]


def _is_playing(reader: storage.Reader) -> bool:
    """Return whether the current event is in play: open, and a round of it is drawn."""
    number = reader.events.meant()
    current = None if number is None else reader.events.get(number)
    return current is not None and current.state == "open" and bool(reader.rounds.of(current))
