"""Kinds of entries about leagues; their blocks are outside the journal, each with its hash."""

from typing import Any

from sqlalchemy import Connection

from tourney.domain.leagues import League
from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds.base import Change, updating
from tourney.storage.journal.kinds.meanings import LeagueNo, Rows, Texts
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.payloads import LEAGUE_MORE, league_payload
from tourney.storage.table_rows import insert_rows
from tourney.text.i18n import marked


def _new_league(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
    """Create a league."""
    more = {name: payload[name] for name in LEAGUE_MORE if name in payload}
    fields = {name: value for name, value in payload.items() if name not in ("league", "outside", *LEAGUE_MORE)}
    text = canonical_json(more) if more else ""
    row = {**fields, "id": payload["league"], "more": text, **_league_bots(payload), "act": number}
    insert_rows(connection, "league", [row])


def _league_bots(payload: Payload) -> dict[str, Any]:
    """Return the column of a league's bots; with those from outside, if there are any."""
    kept = {name: payload[name] for name in ("bots", "outside") if name in payload}
    return {"bots": canonical_json(kept if len(kept) > 1 else kept["bots"])}


class LeagueStarted(Change, kind="league.new", makes="league"):
    """A league begins; its settings, as `league_payload` gives them, are values of the entry too."""

    program: str

    parts = {"leagues": _new_league}
    said = marked("league {league} started: {bots}, {rules}")

    @classmethod
    def of(cls, league: League, program: str) -> "LeagueStarted":
        """Return the beginning of a league with the version `program` of this program."""
        return cls(program, **league_payload(league))


class LeagueJoined(Change, kind="league.join"):
    """A league has other bots from now on: all of them are named.

    `shown` is true if the league had ended before, so that everybody who has looked knows its seed.
    """

    league: LeagueNo
    bots: Texts
    outside: Rows = ()
    shown: bool = False

    parts = {"leagues": updating("league", _league_bots)}
    writes = ("league league",)
    said = marked("league {league} has another bot: {bots}")
