"""Kinds of entries about an arbiter's rulings, and about what tables ask the desk."""

from sqlalchemy import Connection

from tourney.domain.events import Event
from tourney.domain.results import Ruling, RulingKind
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import OfEvent, because
from tourney.storage.journal.kinds.meanings import FlagNo, MaybeEntrant, MaybeRound, RoundNo, RulingNo, SeatsOf
from tourney.storage.journal.kinds.text import JournalText, at_table
from tourney.storage.journal.partitions import Partition
from tourney.storage.table_rows import insert_rows, update_rows
from tourney.text.i18n import _, marked


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
        said = _("ruling {number}: {decision}").format(number=payload["ruling"], decision=decision)
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
    said = marked("ruling {ruling} cancelled")


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
        said = _("flag {number}, {table}").format(number=payload["flag"], table=at_table(payload))
        if payload["player"] is not None:
            said = _("flag {number}, {table}, {player}").format(
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

    @classmethod
    def sentence(cls, _text: JournalText, payload: Payload) -> str:
        """Return a sentence with the answer."""
        return because(_("flag {number} answered").format(number=payload["flag"]), payload["answer"])
