"""Kinds of entries about a table's sheet: its result, hand by hand, its partial sheet, and rulings and flags."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from tourney.domain.events import Event
from tourney.domain.results import Outcome, Ruling, RulingKind, SheetHand
from tourney.domain.rounds import Table
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import Facts, OfEvent, because, unwritten
from tourney.storage.journal.kinds.meanings import (
    Entrants,
    FlagNo,
    MaybeEntrant,
    MaybeRound,
    Numbers,
    Plan,
    RoundNo,
    RulingNo,
    Scores,
    SeatsOf,
    SheetHands,
    SheetOf,
    Texts,
)
from tourney.storage.journal.kinds.rounds import Seating, at_changed_tables, drawn_seats, move_players, seated_entrants
from tourney.storage.journal.kinds.text import JournalText, at_table, spot
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.payloads import partial_sheets_text, sheet_rows
from tourney.storage.journal.subjects import Past, Subject
from tourney.storage.table_rows import delete_rows, insert_rows, update_rows
from tourney.storage.tables import table
from tourney.text.cards import shown_cards
from tourney.text.i18n import _, marked
from tourney.text.ranges import names_text


def _place(payload: Payload) -> dict[str, int]:
    return {"event": payload["event"], "round": payload["round"], "table_number": payload["table"]}


def _enter_result(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Write the result with each seat's score, in place of a void one or of the one that it corrects."""
    place = _place(payload)
    for name in ("score", "result"):
        delete_rows(connection, name, **place)
    fields = {"reason": payload.get("reason", ""), "short": payload.get("short", 0), "record": payload.get("record")}
    insert_rows(connection, "result", [{**place, "state": "counts", **fields, "act": number}])
    insert_rows(connection, "score", _score_rows(place, payload))


def _enter_hands(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Write the result hand by hand."""
    _void_hands(connection, partition, number, payload)
    place = _place(payload)
    hands, points = [], []
    for index, hand in enumerate(payload["hands"]):
        spot = {**place, "hand": index}
        fields = {"contract": hand["contract"], "closer": hand["closer"], "at_once": int(hand["at_once"])}
        hands.append({**spot, **fields, "ending": hand.get("ending", "")})
        off = hand.get("off", [None] * len(hand["points"]))
        columns = enumerate(zip(hand["points"], off, strict=True))
        points += [{**spot, "seat": seat, "points": score, "off": bought} for seat, (score, bought) in columns]
    insert_rows(connection, "hand", hands)
    insert_rows(connection, "hand_score", points)


def _score_rows(place: Mapping[str, int], payload: Payload) -> list[dict[str, Any]]:
    nothing = [None] * len(payload["points"])
    extra, money = payload.get("extra", nothing), payload.get("money", nothing)
    columns = zip(payload["points"], payload["hands_won"], payload["places"], extra, money, strict=True)
    names = ("points", "hands_won", "place", "extra", "money")
    return [{**place, "seat": seat, **dict(zip(names, values, strict=True))} for seat, values in enumerate(columns)]


def _void_hands(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the hands of a result."""
    for name in ("hand_score", "hand"):
        delete_rows(connection, name, **_place(payload))


def _end_sheet(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the partial sheets of a table."""
    delete_rows(connection, "partial_sheet", **_place(payload))


def _counting(payload: Payload, _past: Past) -> Iterator[Subject]:
    """Yield the settings by which a result was worked out."""
    names = [
        *(("unfinished", "unfinished_points") if payload.get("short") else ()),
        *(("stake",) if payload.get("money") else ()),
    ]
    return (("setting", payload["event"], name) for name in names)


def _hands(payload: Payload) -> Facts:
    """Return the hands of a table's sheet as this entry has them."""
    return {("hands", *spot(payload)): payload.get("hands", [])}


def _totals(payload: Payload) -> Facts:
    return {("points", *spot(payload)): payload.get("points", []), **_hands(payload)}


def _seats_left(payload: Payload) -> Facts:
    """Return the seats after a table is dissolved, at which nobody sits any more."""
    return {**drawn_seats(payload), ("seats", *spot(payload)): []}


class Sheet(OfEvent):
    """A change of a table's sheet."""

    round: RoundNo
    table: SheetOf


class Scored(Sheet):
    """A table has a result, or none that counts: with each seat's score."""

    writes = ("result event round table", "results event round", "results event", "ratings")
    reads = (_counting,)
    facts = _totals


class Counted(Scored):
    """A table has a result that counts."""

    hands: Scores
    points: Numbers
    hands_won: Numbers
    places: Numbers

    parts = {"results": _enter_result, "hands": _enter_hands, "sheets": _end_sheet}


class ResultEntered(Counted, kind="result.enter"):
    """A table has a result; `record` is the digest of the record of a game that the engine played."""

    extra: Numbers = ()
    money: Numbers = ()
    short: int = 0
    record: str | None = None

    @classmethod
    def of(cls, event: Event, at: Table, outcome: Outcome, record: str = "") -> "ResultEntered":
        """Return the entry of a table's outcome."""
        return cls(event, at.round, at.number, **_scores(outcome), record=record)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with each player's total."""
        return because(at_table(payload), text.scores(payload))


class ResultCorrected(Counted, kind="result.correct"):
    """A table has another result in place of the one that it had."""

    reason: str
    extra: Numbers = ()
    money: Numbers = ()
    short: int = 0

    @classmethod
    def of(cls, event: Event, at: Table, outcome: Outcome, reason: str) -> "ResultCorrected":
        """Return the correction of a table's outcome."""
        return cls(event, at.round, at.number, **_scores(outcome), reason=reason)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with each player's total before and after."""
        said = _("{table} corrected, {reason}").format(table=at_table(payload), reason=payload["reason"])
        return because(said, text.scores(payload, text.fact("points", *spot(payload)) or ()))


def _scores(outcome: Outcome) -> dict[str, Any]:
    return {name: getattr(outcome, name) for name in Outcome.__slots__}


def _void_result(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Void the result."""
    place = _place(payload)
    delete_rows(connection, "score", **place)
    values = {"state": "void", "reason": payload["reason"], "short": 0, "record": None, "act": number}
    update_rows(connection, "result", place, values)


class ResultVoided(Scored, kind="result.void"):
    """A table's result counts for nothing."""

    reason: str

    parts = {"results": _void_result, "hands": _void_hands, "sheets": _end_sheet}

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the reason."""
        return because(_("{table} made void").format(table=at_table(payload)), payload["reason"])


def _dissolve_result(connection: Connection, _partition: Partition, _number: int, payload: Payload) -> None:
    """Delete the void result of a dissolved table."""
    for name in ("score", "result"):
        delete_rows(connection, name, **_place(payload))


class TableDissolved(Seating, kind="round.dissolve"):
    """A table of a round is dissolved; the others are as given, and its void result is deleted."""

    table: int
    reason: str
    plan: Plan = ()

    parts = {"rounds": move_players, "results": _dissolve_result, "hands": _void_hands, "sheets": _end_sheet}
    writes = ("layout event round", "seating event", "result event round table", at_changed_tables("seats"))
    reads = (
        *("round event round", "layout event round", "seating event", "results event round", "sheets event round"),
        *("attendance event", "constraints event", seated_entrants),
    )
    facts = _seats_left

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the players whom the table had."""
        seats = text.seats(payload["event"], payload["round"]).get(payload["table"], [])
        said = _("round {round}: table {table} dissolved, which had {players}").format(
            round=payload["round"], table=payload["table"], players=text.players(seats)
        )
        return because(said, payload["reason"])


def _keep_sheet(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Write the partial sheet of a table, beside those for other players."""
    place, sheets = _place(payload), table("partial_sheet").c
    here = [sheets[name] == value for name, value in place.items()]
    before = connection.execute(select(sheets.text).where(*here)).scalar() or ""
    delete_rows(connection, "partial_sheet", **place)
    text = partial_sheets_text(before, payload)
    insert_rows(connection, "partial_sheet", [{**place, "text": text, "act": number}])


class SheetKept(Sheet, kind="result.partial"):
    """A table has these hands as its partial sheet, or, if it `corrects` a result, as a correction that was begun."""

    people: Entrants
    hands: SheetHands
    corrects: bool = False

    parts = {"sheets": _keep_sheet}
    writes = ("sheet event round table", "sheets event round")
    facts = _hands

    @classmethod
    def of(cls, event: Event, at: Table, hands: Sequence[SheetHand[int]], corrects: bool) -> "SheetKept":
        """Return the entry of the hands of a table so far."""
        return cls(event, at.round, at.number, at.players, sheet_rows(at, hands), corrects)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return the hand of a partial sheet that is new or has changed, with the points that it has."""
        said = _("sheet of table {table}, round {round}: {hand}")
        if payload.get("corrects"):
            said = _("correction begun of table {table}, round {round}: {hand}")
        hands = payload["hands"]
        place = _changed_hand(text, payload)
        hand = _("no hand")
        if hands:
            hand = hands[place]["contract"] or _("hand {number}").format(number=place + 1)
        names = {f"#{number}": text.player(number) for number in payload["people"]}
        given = _given(hands[place]) if hands else {}
        scores = ", ".join(f"{names[player]} {given[player]}" for player in names if player in given)
        return because(said.format(table=payload["table"], round=payload["round"], hand=hand), scores)


def _given(hand: Payload) -> Mapping[str, Any]:
    """Return the points of a hand by player, or the cards that were typed instead."""
    cards = {player: shown_cards(held) for player, held in hand.get("left", {}).items()}
    return {**cards, **hand["points"]}


def _changed_hand(text: JournalText, payload: Payload) -> int:
    """Return the place of the first hand that differs from the table's sheet so far; the last if none does."""
    seats = text.fact("seats", *spot(payload)) or []
    before, after = text.fact("hands", *spot(payload)) or [], payload["hands"]
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


class SheetDiscarded(Sheet, kind="result.drop"):
    """A table's partial sheet, with these hands, is discarded; undo brings it back.

    Partial sheets of versions before 0009 are outside the journal, so that nothing is written about results.
    """

    hands: Texts
    reason: str

    parts = {"results": unwritten, "sheets": _end_sheet}
    writes = ("sheet event round table", "sheets event round")

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the hands and the reason."""
        said = _("partial sheet of {table} discarded, {hands}")
        return because(said.format(table=at_table(payload), hands=names_text(payload["hands"])), payload["reason"])


def _add_ruling(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Add an arbiter's decision."""
    fields = {name: payload[name] for name in ("kind", "text", "round", "player", "hand", "points")}
    row = {"event": partition.event, "number": payload["ruling"], "table_number": payload["table"], "act": number}
    insert_rows(connection, "ruling", [{**row, **fields, "state": "stands", "why_cancelled": ""}])


class RulingAdded(OfEvent, kind="ruling.add", makes="ruling"):
    """An arbiter has decided, about the whole event, a round, or a table."""

    kind: RulingKind
    text: str
    round: MaybeRound
    table: SeatsOf
    player: MaybeEntrant
    hand: str
    points: int

    parts = {"rulings": _add_ruling}
    writes = ("rulings event",)

    @classmethod
    def of(cls, event: Event, given: Ruling) -> "RulingAdded":
        """Return the entry of a decision."""
        place = (given.round, given.table, given.player)
        return cls(event, given.kind, given.text, *place, given.hand, given.points)

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the decision, its place and its text."""
        player = "" if payload["player"] is None else text.player(payload["player"])
        kinds = {
            "penalty": _("penalty of {points} points for {player}"),
            "redeal": _("hand {hand} dealt again"),
            "correction": _("an agreed correction"),
            "note": _("a note"),
        }
        decision = kinds[payload["kind"]].format(points=payload["points"], player=player, hand=payload["hand"])
        if payload["table"] is not None:
            decision = _("{decision}, at {table}").format(decision=decision, table=at_table(payload))
        said = _("decision {number}: {decision}").format(number=payload["ruling"], decision=decision)
        return because(said, payload["text"])


def _cancel_ruling(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Mark a decision as cancelled; it stays readable."""
    values = {"state": "cancelled", "why_cancelled": payload["reason"], "act": number}
    update_rows(connection, "ruling", {"event": partition.event, "number": payload["ruling"]}, values)


class RulingCancelled(OfEvent, kind="ruling.cancel"):
    """A decision no longer counts."""

    ruling: RulingNo
    reason: str

    parts = {"rulings": _cancel_ruling}
    writes = ("ruling event ruling", "rulings event")
    said = marked("decision {ruling} cancelled")


def _raise_flag(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Add a flag of a table."""
    fields = {name: payload[name] for name in ("round", "player", "text")}
    row = {"event": partition.event, "number": payload["flag"], "table_number": payload["table"], "act": number}
    insert_rows(connection, "flag", [{**row, **fields, "state": "open", "answer": ""}])


class FlagRaised(OfEvent, kind="flag.raise", makes="flag"):
    """A table has a question or a complaint."""

    round: RoundNo
    table: int
    player: MaybeEntrant
    text: str

    parts = {"flags": _raise_flag}

    @classmethod
    def sentence(cls, text: JournalText, payload: Payload) -> str:
        """Return a sentence with the table, and the player if somebody is named."""
        said = _("call {number}, {table}").format(number=payload["flag"], table=at_table(payload))
        if payload["player"] is not None:
            said = _("call {number}, {table}, {player}").format(
                number=payload["flag"], table=at_table(payload), player=text.player(payload["player"])
            )
        return because(said, payload["text"])


def _answer_flag(connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
    """Write the desk's answer to a flag, in place of an earlier one."""
    values = {"state": "answered", "answer": payload["answer"], "act": number}
    update_rows(connection, "flag", {"event": partition.event, "number": payload["flag"]}, values)


class FlagAnswered(OfEvent, kind="flag.answer"):
    """The desk has answered a flag."""

    flag: FlagNo
    answer: str

    parts = {"flags": _answer_flag}
    writes = ("flag event flag",)
    said = marked("call {flag} answered")
    why = "answer"
