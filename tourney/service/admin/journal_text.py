"""The journal as a story: each kind of act in one sentence, with names for the numbers that acts hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from typing import Any

from tourney import storage
from tourney.domain.database import LogLine
from tourney.domain.rankings import POOL_PARAMETERS
from tourney.service.lookup import listed
from tourney.service.partial_sheets import names_text
from tourney.text.i18n import _, ngettext

Payload = Mapping[str, Any]
MOST_NAMES = 30
_SETTINGS = {
    "name": _("name"),
    "format": _("format"),
    "rounds": _("rounds"),
    "size": _("size"),
    "seed": _("seed"),
    "short": _("short"),
    "minimum": _("minimum"),
    "date": _("date"),
    "checkin": _("check-in"),
    "minutes": _("minutes"),
    "unfinished": _("unfinished games"),
    "unfinished_points": _("points for unfinished games"),
    "stake": _("stake"),
    "tables": _("tables"),
}


class Story:
    """Takes acts in the order of the journal and tells each; keeps what later ones only refer to.

    `names` are those of the players by number, as they are called today; who was merged has the name of who stayed,
    and among `own` the name that he had himself.
    """

    def __init__(self, names: Mapping[int, str], own: Mapping[int, str]) -> None:
        self._names = names
        self._own = own
        self._events: dict[int, list[tuple[str, str]]] = defaultdict(list)
        self._seats: dict[tuple[int, int, int], list[tuple[str, list[int]]]] = defaultdict(list)
        self._points: dict[tuple[int, int, int], list[tuple[str, list[int]]]] = defaultdict(list)
        self._pools: dict[int, str] = {}
        self._undone: set[str] = set()
        self._batches: dict[str, list[LogLine]] = defaultdict(list)

    def tell(self, act: storage.LoggedAct) -> LogLine:
        """The act in words. Raises KeyError for a kind of act not known here."""
        if act.kind in ("undo", "redo"):
            return self._turned(act)
        event = act.payload.get("event", 0)
        said = self.say(act.kind, act.payload)
        self._remember(act)
        line = LogLine(act.number, act.time, act.kind, self.event(event) if event else "", said, act.state)
        if act.kind != "player.erase":
            # That stands for ever; whoever turns its command turns the other acts.
            self._batches[act.batch].append(line)
        return line

    def say(self, kind: str, payload: Payload) -> str:
        """What such an act does, with names as they are now in the story. Raises KeyError for an unknown kind."""
        return SENTENCES[kind](self, payload)

    def player(self, number: int) -> str:
        """What a player is called today; a number where the registration was taken back."""
        return self._names.get(number) or _("player {number}").format(number=number)

    def own_name(self, number: int) -> str:
        """What a player was called last before going into another."""
        return self._own.get(number) or self.player(number)

    def players(self, numbers: Iterable[int]) -> str:
        """Several players in a row."""
        return listed((self.player(number) for number in numbers), MOST_NAMES)

    def event(self, number: int) -> str:
        """What the event was called then."""
        return self._last(self._events[number]) or _("event {number}").format(number=number)

    def pool(self, number: int) -> str:
        """The pool's name."""
        return self._pools[number]

    def scores(self, payload: Payload, before: Sequence[int] = ()) -> str:
        """Who sat at the table of a result then, each with the total, behind the one `before` where it was another."""
        seats = self._last(self._seats[payload["event"], payload["round"], payload["table"]]) or []
        totals = _totals(before, payload["points"])
        said = ", ".join(f"{self.player(player)} {total}" for player, total in zip(seats, totals, strict=False))
        short = payload.get("short", 0)
        if not short:
            return said
        told = ngettext("{scores} ({number} hand not played)", "{scores} ({number} hands not played)", short)
        return told.format(scores=said, number=short)

    def before(self, payload: Payload) -> Sequence[int]:
        """The totals that the table of a result had until then; none where it was void."""
        return self._last(self._points[payload["event"], payload["round"], payload["table"]]) or ()

    def moved(self, payload: Payload) -> list[int]:
        """Whom the mending of a round's seats brought to a table, away from one, or to another seat of the same."""
        after = {drawn["table"]: drawn["players"] for drawn in payload["tables"]}
        before = {
            table: self._last(known) or []
            for (event, number, table), known in self._seats.items()
            if (event, number) == (payload["event"], payload["round"])
        }
        return _elsewhere(_tables(before), _tables(after)) or _elsewhere(_places(before), _places(after))

    def _remember(self, act: storage.LoggedAct) -> None:
        payload = act.payload
        if act.kind == "event.new":
            self._events[payload["event"]].append((act.batch, payload["name"]))
        elif act.kind == "event.set" and "name" in payload["changes"]:
            self._events[payload["event"]].append((act.batch, payload["changes"]["name"]))
        elif act.kind in ("round.draw", "round.move"):
            for drawn in payload["tables"]:
                spot = (payload["event"], payload["round"], drawn["table"])
                self._seats[spot].append((act.batch, drawn["players"]))
        elif act.kind in ("result.enter", "result.correct", "result.void"):
            spot = (payload["event"], payload["round"], payload["table"])
            self._points[spot].append((act.batch, payload.get("points", [])))
        elif act.kind == "pool.new":
            self._pools[payload["pool"]] = payload["name"]

    def _last(self, known: Sequence[tuple[str, Any]]) -> Any:
        """The newest of what is known that was not taken back by then."""
        return next((what for batch, what in reversed(known) if batch not in self._undone), None)

    def _turned(self, act: storage.LoggedAct) -> LogLine:
        batch = act.payload["batch"]
        if act.kind == "undo":
            self._undone.add(batch)
            said = _("undone: {what}")
        else:
            self._undone.discard(batch)
            said = _("put back: {what}")
        told = self.batch(batch)
        return replace(
            told, number=act.number, time=act.time, kind=act.kind, said=said.format(what=told.said), state=act.state
        )

    def batch(self, batch: str) -> LogLine:
        """What one command did, as told before: its first act, with the event's name and how many more there were."""
        first, *more = self._batches[batch]
        said = first.said
        if more:
            told = ngettext("{first}, and {number} more act", "{first}, and {number} more acts", len(more))
            said = told.format(first=said, number=len(more))
        return replace(first, said=said)


def _totals(before: Sequence[int], after: Sequence[int]) -> list[str]:
    """A result's totals in seat order, and what they were before where they were others."""
    return [
        str(new) if old in (None, new) else _("{before} → {after}").format(before=old, after=new)
        for old, new in zip_longest(before[: len(after)], after)
    ]


Spots = Mapping[int, Any]
"""Where players sit, by their numbers."""


def _tables(seats: Mapping[int, Sequence[int]]) -> Spots:
    return {player: table for table, players in seats.items() for player in players}


def _places(seats: Mapping[int, Sequence[int]]) -> Spots:
    return {player: (table, place) for table, players in seats.items() for place, player in enumerate(players)}


def _elsewhere(before: Spots, after: Spots) -> list[int]:
    return [player for player in sorted({*before, *after}) if before.get(player) != after.get(player)]


def _because(said: str, reason: str) -> str:
    return _("{said}: {reason}").format(said=said, reason=reason) if reason else said


def _added(story: Story, payload: Payload) -> str:
    names = (player.get("bot") or story.player(player["id"]) for player in payload["players"])
    return _("registered: {players}").format(players=listed(names, MOST_NAMES))


def _renamed(story: Story, payload: Payload) -> str:
    return _("renamed: player {number}, who is {name} today").format(
        number=payload["player"], name=story.player(payload["player"])
    )


def _erased(_story: Story, payload: Payload) -> str:
    return _("erased: the name of player {number}").format(number=payload["player"])


def _merged(story: Story, payload: Payload) -> str:
    return _("merged: {gone} is {keep}").format(
        gone=story.own_name(payload["gone"]), keep=story.own_name(payload["keep"])
    )


def _begun(_story: Story, payload: Payload) -> str:
    rounds = ngettext("{number} round", "{number} rounds", payload["rounds"]).format(number=payload["rounds"])
    return _("begun: {name}, {rules}, {format}, {rounds}").format(
        name=payload["name"], rules=payload["rules"], format=payload["format"], rounds=rounds
    )


def _set(_story: Story, payload: Payload) -> str:
    given = payload["changes"]
    told = (
        f"{word} {_('none') if given[key] is None else given[key]}" for key, word in _SETTINGS.items() if key in given
    )
    return _("settings: {changes}").format(changes=", ".join(told))


def _constrained(story: Story, payload: Payload) -> str:
    told = {
        "apart": _("{players} apart"),
        "clubs apart": _("each club's members apart"),
        "together": _("{players} together"),
        "table": _("{players} at table {table}"),
    }
    constraints = [
        told[one["kind"]].format(players=story.players(one.get("players", [])), table=one.get("table"))
        for one in payload["wishes"]
    ]
    return _("constraints on the seating: {constraints}").format(constraints="; ".join(constraints) or _("none"))


def _used(story: Story, payload: Payload) -> str:
    return _("commands without a name mean {event}").format(event=story.event(payload["event"]))


def _entered(story: Story, payload: Payload) -> str:
    return _("entered: {players}").format(players=story.players(payload["players"]))


def _checked_in(story: Story, payload: Payload) -> str:
    return _("checked in: {players}").format(players=story.players(payload["players"]))


def _withdrew(story: Story, payload: Payload) -> str:
    how = {"withdrawn": _("{players} withdrew"), "no-show": _("{players} did not come")}[payload["how"]]
    return _because(how.format(players=story.players(payload["players"])), payload["reason"])


def _returned(story: Story, payload: Payload) -> str:
    return _("{players} came back").format(players=story.players(payload["players"]))


def _finished(_story: Story, _payload: Payload) -> str:
    return _("finished")


def _reopened(_story: Story, payload: Payload) -> str:
    return _because(_("reopened"), payload["reason"])


def _drawn(story: Story, payload: Payload) -> str:
    number = len(payload["tables"])
    said = ngettext("round {round} drawn: {number} table", "round {round} drawn: {number} tables", number)
    said = said.format(round=payload["round"], number=number)
    if not payload["out"]:
        return said
    return _("{said}; sitting out: {players}").format(said=said, players=story.players(payload["out"]))


def _moved(story: Story, payload: Payload) -> str:
    players = story.players(story.moved(payload))
    return _because(
        _("round {round} mended, moved: {players}").format(round=payload["round"], players=players), payload["note"]
    )


def _cancelled(_story: Story, payload: Payload) -> str:
    return _because(_("round {round} cancelled").format(round=payload["round"]), payload["reason"])


def _clock(_story: Story, payload: Payload) -> str:
    if not payload["minutes"]:
        return _("round {round} has no clock any more").format(round=payload["round"])
    began = datetime.fromisoformat(payload["started"]).astimezone()
    return ngettext(
        "round {round} lasts {minutes} minute from {time}",
        "round {round} lasts {minutes} minutes from {time}",
        payload["minutes"],
    ).format(round=payload["round"], minutes=payload["minutes"], time=f"{began:%H:%M}")


def _table(payload: Payload) -> str:
    return _("table {table} of round {round}").format(table=payload["table"], round=payload["round"])


def _result(story: Story, payload: Payload) -> str:
    return _because(_table(payload), story.scores(payload))


def _corrected(story: Story, payload: Payload) -> str:
    said = _("{table} corrected, {reason}").format(table=_table(payload), reason=payload["reason"])
    return _because(said, story.scores(payload, story.before(payload)))


def _voided(_story: Story, payload: Payload) -> str:
    return _because(_("{table} made void").format(table=_table(payload)), payload["reason"])


def _set_aside(_story: Story, payload: Payload) -> str:
    said = _("half the sheet of {table} set aside, {hands}")
    return _because(said.format(table=_table(payload), hands=names_text(payload["hands"])), payload["reason"])


def _ruled(story: Story, payload: Payload) -> str:
    player = "" if payload["player"] is None else story.player(payload["player"])
    kinds = {
        "penalty": _("penalty of {points} points for {player}"),
        "redeal": _("hand {hand} dealt again"),
        "correction": _("an agreed correction"),
        "note": _("a note"),
    }
    what = kinds[payload["kind"]].format(points=payload["points"], player=player, hand=payload["hand"])
    if payload["table"] is not None:
        what = _("{what}, at {table}").format(what=what, table=_table(payload))
    said = _("ruling {number}: {what}").format(number=payload["ruling"], what=what)
    return _because(said, payload["text"])


def _ruling_cancelled(_story: Story, payload: Payload) -> str:
    return _because(_("ruling {number} cancelled").format(number=payload["ruling"]), payload["reason"])


def _pool_opened(_story: Story, payload: Payload) -> str:
    if payload["kind"] in ("people", "bots"):
        return _rated_with(payload["name"], payload["parameters"])
    return _("pool opened: {name}").format(name=payload["name"])


def _pool_set(story: Story, payload: Payload) -> str:
    return _rated_with(story.pool(payload["pool"]), payload["changes"])


def _rated_with(name: str, parameters: Mapping[str, str]) -> str:
    said = ", ".join(f"{one} {float(parameters[one]):.4g}" for one in POOL_PARAMETERS if one in parameters)
    return _("the pool {name} is rated with {parameters}").format(name=name, parameters=said)


def _imported(story: Story, payload: Payload) -> str:
    said = ngettext(
        "brought into the pool {pool}: {number} game", "brought into the pool {pool}: {number} games", payload["games"]
    )
    return said.format(pool=story.pool(payload["pool"]), number=payload["games"])


def _league_begun(_story: Story, payload: Payload) -> str:
    return _("league {number} begun: {bots}, {rules}").format(
        number=payload["league"], bots=", ".join(payload["bots"]), rules=payload["rules"]
    )


def _league_joined(_story: Story, payload: Payload) -> str:
    return _("league {number} has another bot: {bots}").format(
        number=payload["league"], bots=", ".join(payload["bots"])
    )


SENTENCES: Mapping[str, Callable[[Story, Payload], str]] = {
    "player.add": _added,
    "player.rename": _renamed,
    "player.erase": _erased,
    "player.merge": _merged,
    "event.new": _begun,
    "event.set": _set,
    "event.wish": _constrained,
    "event.use": _used,
    "event.enter": _entered,
    "event.checkin": _checked_in,
    "event.withdraw": _withdrew,
    "event.return": _returned,
    "event.finish": _finished,
    "event.reopen": _reopened,
    "round.draw": _drawn,
    "round.move": _moved,
    "round.cancel": _cancelled,
    "round.clock": _clock,
    "result.enter": _result,
    "result.correct": _corrected,
    "result.void": _voided,
    "result.drop": _set_aside,
    "ruling.add": _ruled,
    "ruling.cancel": _ruling_cancelled,
    "pool.new": _pool_opened,
    "pool.set": _pool_set,
    "rating.import": _imported,
    "league.new": _league_begun,
    "league.join": _league_joined,
}
