"""Kinds of entries about events and their settings."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from sqlalchemy import Connection, select

from tourney.domain.database import CODE_LENGTH
from tourney.domain.events import SETTINGS, EventSettings
from tourney.domain.rules import RulesRef
from tourney.storage.journal import payloads
from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import Change, Facts, OfEvent, emptied, unwritten, updating
from tourney.storage.journal.kinds.meanings import Changes, Constraints, EventNo, Plan, Rows, Stages
from tourney.storage.journal.kinds.text import MOST_NAMES, JournalText
from tourney.storage.journal.partitions import Partition, clear
from tourney.storage.journal.subjects import Name, Past, Subject
from tourney.storage.table_rows import delete_rows, insert_rows, update_rows
from tourney.storage.tables import table
from tourney.text.i18n import _, marked, ngettext, pgettext
from tourney.text.names import fold
from tourney.text.ranges import listed
from tourney.text.typed_words import explained

_COLUMNS = ("name", "rules", "rules_digest", "rules_text")
"""The values of a new event that have columns of their own; the rest are its settings."""
_WITH: Final[Mapping[str, tuple[str, ...]]] = {
    "minimum": ("rounds",),
    "rounds": ("minimum",),
    "unfinished": ("unfinished_points",),
    "unfinished_points": ("unfinished",),
    "scoring": ("table_points",),
    "table_points": ("scoring",),
    "pot": ("prizes",),
    "fee": ("prizes",),
    "prizes": ("pot", "fee"),
}
"""The settings that must suit each setting."""


def given_name(payload: Payload) -> str:
    """Return the name that an entry gives its event; "" if it gives none."""
    name: str = payload.get("changes", payload).get("name", "")
    return name


def renamed(payload: Payload, name: str) -> Payload:
    """Return the payload with this name where it gives its event one."""
    if not given_name(payload):
        return payload
    return (
        {**payload, "changes": {**payload["changes"], "name": name}}
        if "changes" in payload
        else {**payload, "name": name}
    )


def _taken_name(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    given = payload.get("changes", payload)
    if "name" in given:
        yield past.event_name(given["name"]), payload["event"]


def _settings_now(payload: Payload) -> Facts:
    """Return the name and the stages of an event, if an entry gives it any."""
    given = payload.get("changes", payload)
    kinds = {"name": "event", "stages": "stages"}
    return {(kind, payload["event"]): given[name] for name, kind in kinds.items() if name in given}


class EventImported(Change, kind="event.import"):
    """So many entries of an event, which follow, are imported; `more` says that the event was here before."""

    event: int
    name: str
    entries: int
    head: str
    more: bool = False

    across = False
    parts = {"settings": unwritten}
    facts = _settings_now

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the number of entries and the code."""
        number = payload["entries"]
        text = ngettext(
            "imported: {number} change made elsewhere, code {code}",
            "imported: {number} changes made elsewhere, code {code}",
            number,
        )
        if "more" in payload:
            text = ngettext(
                "came back with {number} new change, code {code}",
                "came back with {number} new changes, code {code}",
                number,
            )
        return text.format(number=number, code=payload["head"][:CODE_LENGTH])


def _new_event(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Create an event without entrants; entries of older versions lack newer settings and the rules' text."""
    given = {"rules_text": "", **payload}
    settings = {name: value for name, value in given.items() if name not in ("event", *_COLUMNS)}
    row = {name: given[name] for name in _COLUMNS} | {
        "folded": fold(given["name"]),
        "settings": canonical_json(settings),
    }
    insert_rows(connection, "event", [{**row, "id": partition.event, "state": "open", "wishes": "[]", "act": number}])


class EventMade(Change, kind="event.new", makes="event"):
    """An event is made, without entrants. Its other settings are values of the entry too."""

    name: str
    rules: str
    rules_digest: str
    format: str
    rounds: int
    stages: Stages = ()

    in_file = True
    others = frozenset({*EventSettings.__slots__, "rules_text"})
    parts = {"settings": _new_event}
    writes = ("anything event", "ratings")
    takes = _taken_name
    facts = _settings_now

    @classmethod
    def of(cls, settings: EventSettings, rules: RulesRef) -> "EventMade":
        """Return the making of an event with these settings and rules."""
        texts: dict[str, Any] = {"rules_digest": rules.digest, "rules_text": rules.text}
        return cls(**texts, **payloads.new_event(settings))

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the main settings."""
        rounds = ngettext("{number} round", "{number} rounds", payload["rounds"]).format(number=payload["rounds"])
        return _("created: {name}, {rules}, {format}, {rounds}").format(
            name=payload["name"], rules=payload["rules"], format=explained("format", payload["format"]), rounds=rounds
        )


def _set_event(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Change some settings."""
    changes, events = dict(payload["changes"]), table("event").c
    names = {"name": changes["name"], "folded": fold(changes.pop("name"))} if "name" in changes else {}
    before = connection.execute(select(events.settings).where(events.id == partition.event)).scalar_one()
    values = {**names, "settings": canonical_json(json.loads(before) | changes), "act": number}
    update_rows(connection, "event", {"id": partition.event}, values)


def _changed_settings(payload: Payload, _past: Past) -> Iterator[Subject]:
    yield from (("setting", payload["event"], name) for name in payload["changes"])
    if "date" in payload["changes"]:
        yield from (("ratings",), ("dates",))
    if "substitutes" in payload["changes"]:
        yield ("ratings",)


def _settings_beside(payload: Payload, _past: Past) -> Iterator[Subject]:
    for name in payload["changes"]:
        yield from (("setting", payload["event"], other) for other in _WITH.get(name, ()))
    if "stages" in payload["changes"]:
        # Who plays in a stage follows from the results, and from who was there.
        kinds = ("results", "rulings", "attendance", "entrants", "seating")
        yield from ((kind, payload["event"]) for kind in kinds)


def _freed_name(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    if "name" in payload["changes"]:
        yield past.event_name(past.settings(payload["event"])["name"]), payload["event"]


class EventSet(OfEvent, kind="event.set"):
    """An event has other settings, except its rules."""

    changes: Changes
    plan: Plan = ()

    across = True
    parts = {"settings": _set_event}
    writes = (_changed_settings,)
    reads = (_settings_beside, "cancelled event")
    takes = _taken_name
    frees = _freed_name
    facts = _settings_now

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the new values, or with the decision on a stage."""
        given = payload["changes"]
        if "stages" in given:
            before = {stage["name"]: stage for stage in text.fact("stages", payload["event"]) or ()}
            return _decided(text, given["stages"], before) or _stages_set(text, given["stages"], before)
        if given.keys() == {"deals"}:
            return deals_hash(EventSettings("", "", deals=given["deals"]))
        headings = {"name": _("name"), **{name: _(setting.heading) for name, setting in SETTINGS.items()}}
        changes = (f"{heading} → {_changed(name, given[name])}" for name, heading in headings.items() if name in given)
        return _("settings: {changes}").format(changes=", ".join(changes))


def _decided(text: JournalText, stages: Sequence[Payload], before: Mapping[str, Payload]) -> str:
    """Return the decision on a stage that the organiser has made, in words; "" if the entry is another change."""
    texts = {
        "playoff": _("play-off hand for {stage}, the best first: {names}"),
        "named": _("named for {stage}: {names}"),
    }
    for stage in stages:
        for key, said in texts.items():
            if stage.get(key) and stage[key] != before.get(stage["name"], {}).get(key):
                pairs = _new_pairs(key, stage, before.get(stage["name"], {}))
                names = [
                    text.player(number) if each is None else f"{text.player(number)} {each}" for number, each in pairs
                ]
                return said.format(stage=stage["name"], names=listed(names, MOST_NAMES))
    return ""


def _new_pairs(key: str, stage: Payload, before: Payload) -> Sequence[tuple[int, int | None]]:
    """Return the players of a decision with their points; of play-off hands those that are new, or changed."""
    now, then = (
        list(zip_longest(each.get(key, ()), each.get("playoff_points", ()) if key == "playoff" else ()))
        for each in (stage, before)
    )
    new = [pair for pair in now if pair not in then]
    return new if key == "playoff" and new else now


def _stages_set(text: JournalText, stages: Sequence[Payload], before: Mapping[str, Payload]) -> str:
    """Return which stage no longer has begun, or who plays in the one begun last; before that, the stages' names."""
    ended = [stage["name"] for stage in stages if before.get(stage["name"], {}).get("first") and not stage.get("first")]
    if ended:
        return _("{stage} has no round now: the next draw decides again who plays in it").format(stage=ended[-1])
    begun = [stage for stage in stages if stage.get("first", 0) > 1]
    if not begun:
        return _("stages: {names}").format(names=", ".join(stage["name"] for stage in stages))
    return _("{stage}, from round {round}: {names}").format(
        stage=begun[-1]["name"], round=begun[-1]["first"], names=text.players(begun[-1]["players"])
    )


def _changed(setting: str, value: Any) -> str:
    """Return a setting's new value as people read it."""
    return _("none") if value in (None, "") else explained(setting, str(value))


def deals_hash(settings: EventSettings) -> str:
    """Return the line with which the hash of the seed of an event's deals is published."""
    line = _("SHA-256 of the seed from which all deals of bots from outside follow: {digest}")
    return line.format(digest=settings.deals_digest)


def _constrained(payload: Payload, _past: Past) -> Iterator[Subject]:
    for constraint in payload["wishes"]:
        for player in constraint.get("players", ()):
            yield from (("entrant", payload["event"], player), ("player", player))


class EventConstrained(OfEvent, kind="event.wish"):
    """The given constraints on the seating replace all others."""

    wishes: Constraints
    plan: Plan = ()

    across = True
    parts = {"settings": updating("event", lambda entry: {"wishes": canonical_json(entry["wishes"])})}
    writes = ("constraints event",)
    reads = ("constraints event", _constrained)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with all constraints."""
        texts = {
            "apart": _("{players} apart"),
            "clubs apart": _("each club's members apart"),
            "together": _("{players} together"),
            "table": _("{players} at table {table}"),
            "never": _("{players} never at one table"),
        }
        constraints = [
            texts[each["kind"]].format(players=text.players(each.get("players", [])), table=each.get("table"))
            for each in payload["wishes"]
        ]
        return _("constraints on the seating: {constraints}").format(
            constraints="; ".join(constraints) or pgettext("of constraints", "none")
        )


class EventFinished(OfEvent, kind="event.finish"):
    """An event is finished."""

    parts = {"settings": updating("event", lambda _entry: {"state": "finished"})}
    writes = ("state event",)
    reads = ("anything event",)
    said = marked("finished")


class EventReopened(OfEvent, kind="event.reopen"):
    """A finished event is open again."""

    reason: str

    parts = {"settings": updating("event", lambda _entry: {"state": "open"})}
    writes = ("state event",)
    said = marked("reopened")


def _end_current(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Let no event be the current one if it was the deleted one."""
    delete_rows(connection, "current_event", event=payload["event"])


def _lost_name(payload: Payload, past: Past) -> Iterator[tuple[Name, int]]:
    yield past.event_name(past.settings(payload["event"])["name"]), payload["event"]


def _unreached(payload: Payload, past: Past) -> Iterator[Subject]:
    """Yield the event's entrants: a later merger does not reach their seats in it."""
    return (("unreached", player) for player in past.entrants(payload["event"]))


class EventDeleted(Change, kind="event.delete"):
    """An event is deleted with all that it has, in these rounds; undo brings it back.

    Nothing in the event is taken back alone once it is deleted, and no season gets it back.
    """

    event: EventNo
    of_rounds: Rows

    parts = {
        "current": _end_current,
        **dict.fromkeys(("flags", "rulings", "sheets", "hands", "results", "rounds", "entrants", "settings"), emptied),
    }
    writes = ("current", "anything event", "ratings", _unreached)
    reads = ("anything event", "seasons")
    frees = _lost_name
    said = marked("event deleted")


def _use_event(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Set the current event."""
    clear(connection, partition)
    insert_rows(connection, "current_event", [{"one": 1, "event": payload["event"], "act": number}])


class EventUsed(Change, kind="event.use"):
    """An event is the current one."""

    event: EventNo

    parts = {"current": _use_event}
    writes = ("current",)
    said = marked("current event: {event}")
