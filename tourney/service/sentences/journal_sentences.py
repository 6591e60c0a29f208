"""The sentence of each kind of entry: a function marked with `@sentence`, or a text that is filled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import starmap, zip_longest
from typing import Any

from tourney.domain.events import SETTINGS, EventSettings
from tourney.domain.rankings import POOL_PARAMETERS
from tourney.domain.seasons import SEASON_SETTINGS
from tourney.service.directory import listed
from tourney.service.event_chain import CODE_LENGTH
from tourney.service.named_columns import saved_name
from tourney.service.partial_sheets import names_text
from tourney.service.proved_isolation import deals_hash
from tourney.service.sentences.journal_text import MOST_NAMES, Facts, JournalText, Payload, Sentence, spot
from tourney.text.cards import shown_cards
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, marked, ngettext, pgettext
from tourney.text.numbers import Number
from tourney.text.typed_words import explained

Write = Callable[[JournalText, Payload], str]
SENTENCES: dict[str, Sentence] = {}


def _no_facts(_payload: Payload) -> Facts:
    return {}


def sentence(kind: str, facts: Callable[[Payload], Facts] = _no_facts) -> Callable[[Write], Write]:
    """Register the function as the writer of a kind's sentences; `facts` returns what later entries refer to."""

    def mark(write: Write) -> Write:
        SENTENCES[kind] = Sentence(write, facts)
        return write

    return mark


def _because(text: str, reason: str) -> str:
    return _("{text}: {reason}").format(text=text, reason=reason) if reason else text


@sentence("player.add")
def _player_add(journal: JournalText, payload: Payload) -> str:
    names = (player.get("bot") or journal.player(player["id"]) for player in payload["players"])
    return _("registered: {players}").format(players=listed(names, MOST_NAMES))


@sentence("player.rename")
def _player_rename(journal: JournalText, payload: Payload) -> str:
    name = journal.player(payload["player"])
    return _("renamed: player {number}, now {name}").format(number=payload["player"], name=name)


@sentence("player.publish")
def _player_publish(journal: JournalText, payload: Payload) -> str:
    texts = {
        "name": _("rankings show {player} by name"),
        "other name": _("rankings show {player} under another name"),
        "nothing": _("rankings do not show {player}"),
    }
    return texts[payload["published"]].format(player=journal.player(payload["player"]))


@sentence("player.merge")
def _player_merge(journal: JournalText, payload: Payload) -> str:
    gone, keep = journal.own_name(payload["gone"]), journal.own_name(payload["keep"])
    return _("merged: {gone} is {keep}").format(gone=gone, keep=keep)


def _settings_now(payload: Payload) -> Facts:
    """Return the name and the stages of an event, if an entry gives it any."""
    given = payload.get("changes", payload)
    kinds = {"name": "event", "stages": "stages"}
    return {(kind, payload["event"]): given[name] for name, kind in kinds.items() if name in given}


@sentence("event.new", facts=_settings_now)
def _event_new(_journal: JournalText, payload: Payload) -> str:
    rounds = ngettext("{number} round", "{number} rounds", payload["rounds"]).format(number=payload["rounds"])
    return _("created: {name}, {rules}, {format}, {rounds}").format(
        name=payload["name"], rules=payload["rules"], format=explained("format", payload["format"]), rounds=rounds
    )


@sentence("event.import", facts=lambda payload: {("event", payload["event"]): payload["name"]})
def _event_import(_journal: JournalText, payload: Payload) -> str:
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


@sentence("event.set", facts=_settings_now)
def _event_set(journal: JournalText, payload: Payload) -> str:
    given = payload["changes"]
    if "stages" in given:
        before = {stage["name"]: stage for stage in journal.fact("stages", payload["event"]) or ()}
        return _decided(journal, given["stages"], before) or _stages_set(journal, given["stages"])
    if given.keys() == {"deals"}:
        return deals_hash(EventSettings("", "", deals=given["deals"]))
    headings = {"name": _("name"), **{name: _(setting.heading) for name, setting in SETTINGS.items()}}
    changes = (f"{heading} → {_changed(name, given[name])}" for name, heading in headings.items() if name in given)
    return _("settings: {changes}").format(changes=", ".join(changes))


def _decided(journal: JournalText, stages: Sequence[Payload], before: Mapping[str, Payload]) -> str:
    """Return the decision on a stage that the organiser has made, in words; "" if the entry is another change."""
    texts = {
        "playoff": _("play-off hand for {stage}, the best first: {names}"),
        "named": _("named for {stage}: {names}"),
    }
    for stage in stages:
        for key, text in texts.items():
            if stage.get(key) and stage[key] != before.get(stage["name"], {}).get(key):
                points = stage.get("playoff_points", ()) if key == "playoff" else ()
                pairs = zip_longest(map(journal.player, stage[key]), points)
                names = (name if each is None else f"{name} {each}" for name, each in pairs)
                return text.format(stage=stage["name"], names=listed(names, MOST_NAMES))
    return ""


def _stages_set(journal: JournalText, stages: Sequence[Payload]) -> str:
    """Return who plays in the stage that was begun last, or the names of the stages while the first one is played."""
    begun = [stage for stage in stages if stage.get("first", 0) > 1]
    if not begun:
        return _("stages: {names}").format(names=", ".join(stage["name"] for stage in stages))
    return _("{stage}, from round {round}: {names}").format(
        stage=begun[-1]["name"], round=begun[-1]["first"], names=journal.players(begun[-1]["players"])
    )


def _changed(setting: str, value: Any) -> str:
    """Return a setting's new value as people read it."""
    return _("none") if value in (None, "") else explained(setting, str(value))


@sentence("event.wish")
def _event_constrain(journal: JournalText, payload: Payload) -> str:
    texts = {
        "apart": _("{players} apart"),
        "clubs apart": _("each club's members apart"),
        "together": _("{players} together"),
        "table": _("{players} at table {table}"),
        "never": _("{players} never at one table"),
    }
    constraints = [
        texts[each["kind"]].format(players=journal.players(each.get("players", [])), table=each.get("table"))
        for each in payload["wishes"]
    ]
    return _("constraints on the seating: {constraints}").format(
        constraints="; ".join(constraints) or pgettext("of constraints", "none")
    )


@sentence("event.withdraw")
def _event_withdraw(journal: JournalText, payload: Payload) -> str:
    text = {"withdrawn": _("{players} withdrew"), "no-show": _("{players} did not come")}[payload["how"]]
    if payload.get("mistake"):
        text = _("{players} taken out: entered by mistake")
    return _because(text.format(players=journal.players(payload["players"])), payload["reason"])


def _drawn_seats(payload: Payload) -> Facts:
    event, number = payload["event"], payload["round"]
    return {("seats", event, number, drawn["table"]): drawn["players"] for drawn in payload["tables"]}


@sentence("round.draw", facts=_drawn_seats)
def _round_draw(journal: JournalText, payload: Payload) -> str:
    number = len(payload["tables"])
    text = ngettext("round {round} drawn: {number} table", "round {round} drawn: {number} tables", number)
    if payload.get("draft"):
        text = ngettext(
            "round {round} drawn as a draft: {number} table", "round {round} drawn as a draft: {number} tables", number
        )
    text = text.format(round=payload["round"], number=number)
    if not payload["out"]:
        return text
    return _("{text}; byes: {players}").format(text=text, players=journal.players(payload["out"]))


def _seats_left(payload: Payload) -> Facts:
    """Return the seats after a table is dissolved, at which nobody sits any more."""
    return {**_drawn_seats(payload), ("seats", payload["event"], payload["round"], payload["table"]): []}


@sentence("round.dissolve", facts=_seats_left)
def _round_dissolve(journal: JournalText, payload: Payload) -> str:
    seats = journal.seats(payload["event"], payload["round"]).get(payload["table"], [])
    text = _("round {round}: table {table} dissolved, which had {players}").format(
        round=payload["round"], table=payload["table"], players=journal.players(seats)
    )
    return _because(text, payload["reason"])


@sentence("event.return")
def _event_return(journal: JournalText, payload: Payload) -> str:
    text = _("check-in taken back: {players}") if payload.get("unchecked") else _("{players} came back")
    return text.format(players=journal.players(payload["players"]))


@sentence("round.move", facts=_drawn_seats)
def _round_move(journal: JournalText, payload: Payload) -> str:
    before = journal.seats(payload["event"], payload["round"])
    after = {drawn["table"]: drawn["players"] for drawn in payload["tables"]}
    players = journal.players(_moved(before, after))
    text = _("round {round} changed, moved: {players}").format(round=payload["round"], players=players)
    return _because(text, payload["note"])


Seats = Mapping[int, Sequence[int]]


def _moved(before: Seats, after: Seats) -> list[int]:
    """Return the players whose table changed; if there are none, those whose seat at their table changed."""
    return _differing(_tables(before), _tables(after)) or _differing(_places(before), _places(after))


def _tables(seats: Seats) -> dict[int, Any]:
    return {player: table for table, players in seats.items() for player in players}


def _places(seats: Seats) -> dict[int, Any]:
    return {player: (table, place) for table, players in seats.items() for place, player in enumerate(players)}


def _differing(before: Mapping[int, Any], after: Mapping[int, Any]) -> list[int]:
    return [player for player in sorted({*before, *after}) if before.get(player) != after.get(player)]


@sentence("round.clock")
def _round_clock(_journal: JournalText, payload: Payload) -> str:
    if not payload["minutes"]:
        return _("round {round}: clock removed").format(round=payload["round"])
    began = datetime.fromisoformat(payload["started"]).astimezone()
    return ngettext(
        "round {round} lasts {minutes} minute from {time}",
        "round {round} lasts {minutes} minutes from {time}",
        payload["minutes"],
    ).format(round=payload["round"], minutes=payload["minutes"], time=f"{began:%H:%M}")


def _table(payload: Payload) -> str:
    return _("table {table} of round {round}").format(table=payload["table"], round=payload["round"])


def _points(payload: Payload) -> Facts:
    return {("points", *spot(payload)): payload.get("points", []), **_hands(payload)}


def _hands(payload: Payload) -> Facts:
    """Return the hands of a table's sheet as this entry has them."""
    return {("hands", *spot(payload)): payload.get("hands", [])}


@sentence("result.enter", facts=_points)
def _result_enter(journal: JournalText, payload: Payload) -> str:
    return _because(_table(payload), journal.scores(payload))


@sentence("result.correct", facts=_points)
def _result_correct(journal: JournalText, payload: Payload) -> str:
    text = _("{table} corrected, {reason}").format(table=_table(payload), reason=payload["reason"])
    return _because(text, journal.scores(payload, journal.fact("points", *spot(payload)) or ()))


@sentence("result.void", facts=_points)
def _result_void(_journal: JournalText, payload: Payload) -> str:
    return _because(_("{table} made void").format(table=_table(payload)), payload["reason"])


@sentence("result.partial", facts=_hands)
def _sheet_keep(journal: JournalText, payload: Payload) -> str:
    """Return the hand of a partial sheet that is new or has changed, with the points that it has."""
    text = _("sheet of table {table}, round {round}: {hand}")
    if payload.get("corrects"):
        text = _("correction begun of table {table}, round {round}: {hand}")
    hands = payload["hands"]
    place = _changed_hand(journal, payload)
    hand = _("no hand")
    if hands:
        hand = hands[place]["contract"] or _("hand {number}").format(number=place + 1)
    names = {f"#{number}": journal.player(number) for number in payload["people"]}
    given = _given(hands[place]) if hands else {}
    scores = ", ".join(f"{names[player]} {given[player]}" for player in names if player in given)
    return _because(text.format(table=payload["table"], round=payload["round"], hand=hand), scores)


def _given(hand: Payload) -> Mapping[str, Any]:
    """Return the points of a hand by player, or the cards that were typed instead."""
    cards = {player: shown_cards(held) for player, held in hand.get("left", {}).items()}
    return {**cards, **hand["points"]}


def _changed_hand(journal: JournalText, payload: Payload) -> int:
    """Return the place of the first hand that differs from the table's sheet so far; the last if none does."""
    seats = journal.fact("seats", *spot(payload)) or []
    before, after = journal.fact("hands", *spot(payload)) or [], payload["hands"]
    differing = (
        place
        for place, hand in enumerate(after)
        if place >= len(before) or _points_of(hand, seats) != _points_of(before[place], seats)
    )
    return next(differing, len(after) - 1)


def _points_of(hand: Payload, seats: Sequence[int]) -> Mapping[str, int]:
    """Return the points of a hand by player, which a result has in the order of the seats."""
    points = hand["points"]
    return points if isinstance(points, Mapping) else dict(zip((f"#{seat}" for seat in seats), points, strict=False))


@sentence("result.drop")
def _sheet_discard(_journal: JournalText, payload: Payload) -> str:
    text = _("partial sheet of {table} discarded, {hands}")
    return _because(text.format(table=_table(payload), hands=names_text(payload["hands"])), payload["reason"])


@sentence("flag.raise")
def _flag_raise(journal: JournalText, payload: Payload) -> str:
    text = _("flag {number}, {table}").format(number=payload["flag"], table=_table(payload))
    if payload["player"] is not None:
        text = _("flag {number}, {table}, {player}").format(
            number=payload["flag"], table=_table(payload), player=journal.player(payload["player"])
        )
    return _because(text, payload["text"])


@sentence("flag.answer")
def _flag_answer(_journal: JournalText, payload: Payload) -> str:
    return _because(_("flag {number} answered").format(number=payload["flag"]), payload["answer"])


@sentence("ruling.add")
def _ruling_add(journal: JournalText, payload: Payload) -> str:
    player = "" if payload["player"] is None else journal.player(payload["player"])
    kinds = {
        "penalty": _("penalty of {points} points for {player}"),
        "redeal": _("hand {hand} dealt again"),
        "correction": _("an agreed correction"),
        "note": _("a note"),
    }
    decision = kinds[payload["kind"]].format(points=payload["points"], player=player, hand=payload["hand"])
    if payload["table"] is not None:
        decision = _("{decision}, at {table}").format(decision=decision, table=_table(payload))
    text = _("ruling {number}: {decision}").format(number=payload["ruling"], decision=decision)
    return _because(text, payload["text"])


@sentence("pool.new", facts=lambda payload: {("pool", payload["pool"]): payload["name"]})
def _pool_new(_journal: JournalText, payload: Payload) -> str:
    if payload["kind"] in ("people", "bots"):
        return _rated_with(payload["name"], payload["parameters"])
    return _("pool opened: {name}").format(name=payload["name"])


@sentence("pool.set")
def _pool_set(journal: JournalText, payload: Payload) -> str:
    return _rated_with(journal.fact("pool", payload["pool"]), payload["changes"])


def _rated_with(name: str, parameters: Mapping[str, str]) -> str:
    values = ", ".join(f"{each} {Number(parameters[each]):.4g}" for each in POOL_PARAMETERS if each in parameters)
    return _("the pool {name} is rated with {parameters}").format(name=name, parameters=values)


@sentence("rating.import")
def _rating_import(journal: JournalText, payload: Payload) -> str:
    text = ngettext(
        "imported into pool {pool}: {number} game",
        "imported into pool {pool}: {number} games",
        payload["games"],
    )
    if "replaces" in payload:
        text = ngettext(
            "imported again into pool {pool}, from {source}: {number} game",
            "imported again into pool {pool}, from {source}: {number} games",
            payload["games"],
        )
    source = payload.get("source", "")
    return text.format(pool=journal.fact("pool", payload["pool"]), source=source, number=payload["games"])


@sentence("rating.remove")
def _rating_remove(journal: JournalText, payload: Payload) -> str:
    number = len(payload["imports"])
    text = ngettext(
        "{number} imported file removed from pool {pool}", "{number} imported files removed from pool {pool}", number
    )
    return text.format(pool=journal.fact("pool", payload["pool"]), number=number)


@sentence("rating.alias")
def _rating_alias(journal: JournalText, payload: Payload) -> str:
    text = _("pool {pool}: an alias added") if payload["player"] else _("pool {pool}: an alias removed")
    return text.format(pool=journal.fact("pool", payload["pool"]))


@sentence("rating.publish")
def _rating_publish(_journal: JournalText, payload: Payload) -> str:
    number = len(payload["rows"])
    text = ngettext(
        "edition {edition} of the pool {pool} published, as of {day}: {number} player",
        "edition {edition} of the pool {pool} published, as of {day}: {number} players",
        number,
    )
    return text.format(
        edition=payload["edition"], pool=payload["name"], day=shown_dates(payload["as_of"]), number=number
    )


@sentence("round.substitute")
def _round_substitute(journal: JournalText, payload: Payload) -> str:
    absent, number = journal.player(payload["absent"]), payload["round"]
    if payload["substitute"] is None:
        return _("round {round}: nobody plays for {absent} any longer").format(round=number, absent=absent)
    substitute = journal.player(payload["substitute"])
    text = _("round {round}: {substitute} plays for {absent}")
    return text.format(round=number, substitute=substitute, absent=absent)


@sentence("season.new")
def _season_new(_journal: JournalText, payload: Payload) -> str:
    return _("new season: {name}").format(name=payload["name"])


@sentence("season.set")
def _season_set(_journal: JournalText, payload: Payload) -> str:
    changes = {"name": payload["name"]} if "name" in payload else {}
    changes |= payload["changes"]
    parts = [
        _("{setting} {value}").format(
            setting=_(SEASON_SETTINGS[key].heading) if key in SEASON_SETTINGS else _("name"),
            value=_("not set") if value is None else value,
        )
        for key, value in changes.items()
    ]
    return _("season {season}: {changes}").format(season=payload["before"], changes=", ".join(parts))


@sentence("season.add")
def _season_add(_journal: JournalText, payload: Payload) -> str:
    return _("season {season}: counts {events}").format(season=payload["of"], events=listed(payload["titles"]))


@sentence("season.remove")
def _season_remove(_journal: JournalText, payload: Payload) -> str:
    text = _("season {season}: no longer counts {events}")
    return text.format(season=payload["of"], events=listed(payload["titles"]))


@sentence("season.delete")
def _season_delete(_journal: JournalText, payload: Payload) -> str:
    return _("season {name} deleted").format(name=payload["before"])


@sentence("columns.name")
def _columns_name(_journal: JournalText, payload: Payload) -> str:
    return "; ".join(starmap(_named_column, payload["columns"].items()))


def _named_column(theirs: str, ours: str) -> str:
    if (name := saved_name(theirs)) is not None:
        return _("a description of files is saved as {name}").format(name=name)
    return _("{theirs} is the column {ours}").format(theirs=theirs, ours=ours)


def _plain(text: str) -> Sentence:
    """Return a sentence that fills the text with the payload; numbers of players become names."""

    def write(journal: JournalText, payload: Payload) -> str:
        names = {"players": journal.players(payload.get("players", ())), "bots": ", ".join(payload.get("bots", ()))}
        values = {**payload, **names, "event": journal.event(payload.get("event", 0))}
        return _because(_(text).format(**values), payload.get("reason", ""))

    return Sentence(write, _no_facts)


SENTENCES |= {
    "player.erase": _plain(marked("erased: the name of player {player}")),
    "event.use": _plain(marked("current event: {event}")),
    "event.enter": _plain(marked("entered: {players}")),
    "event.checkin": _plain(marked("checked in: {players}")),
    "event.delete": _plain(marked("event deleted")),
    "event.finish": _plain(marked("finished")),
    "event.reopen": _plain(marked("reopened")),
    "round.publish": _plain(marked("round {round} published")),
    "round.cancel": _plain(marked("round {round} cancelled")),
    "ruling.cancel": _plain(marked("ruling {ruling} cancelled")),
    "league.new": _plain(marked("league {league} started: {bots}, {rules}")),
    "league.join": _plain(marked("league {league} has another bot: {bots}")),
}
