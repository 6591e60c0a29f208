"""Turn rows into domain values."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Constraint, Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, Result, Ruling
from tourney.domain.rounds import Table
from tourney.domain.rules import RulesRef
from tourney.storage.journal import payloads
from tourney.storage.journal.canonical import person_checksum
from tourney.storage.journal.checksums import Rows, damaged
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.leagues import League
    from tourney.domain.submissions import AccessKind, SubmissionState

Spot = tuple[int, int]
Key = TypeVar("Key")
Value = TypeVar("Value")


class KeptAccess(NamedTuple):
    """The row of a key: its hash with the salt, what it opens, and when it was made and ended (UTC).

    `origin` is a hash of the address and browser of a phone that has a seat, after the entry that drew the round and
    `pin:` if it has shown a PIN; of an address to which a seat led, the seat's hash, and None if a sign or a code led
    there; of a desk and of what signs one in, the run of the program and the desk that made it; of a guess, its outcome
    and author.
    """

    hash: str
    kind: AccessKind
    salt: str
    event: int | None
    round: int | None
    table_number: int | None
    player: int | None
    entry: str
    made: str
    ended: str | None = None
    origin: str | None = None


class KeptSubmission(NamedTuple):
    """The row of a table's sheet as one phone typed it.

    `result` is the entry of the result that it became, or for which the desk has refused it; "" for none.
    """

    id: str
    event: int
    round: int
    table_number: int
    entry: str
    device: str
    player: int | None
    text: str
    time: str
    state: SubmissionState
    confirmed_by: int | None = None
    result: str = ""
    reason: str = ""


NOTHING = Outcome((), (), (), ())
"""The outcome of a void result."""


class Known(dict[Key, Value]):
    """A mapping whose keys rows refer to; a row that refers to a missing key can only come from a damaged file."""

    def __missing__(self, key: Key) -> Value:
        raise damaged(_("a row refers to {key}, which is not there").format(key=key))


def player(row: Any, text: Any) -> Player:
    """Return a player; `text` is the current version of a person's name (None for a bot)."""
    if row.kind == "bot":
        return Player(row.id, row.bot, "bot")
    if text is None or text.checksum != person_checksum(*text[:5]):
        raise damaged(_("the name of player {number} is not as it was written").format(number=row.id))
    if row.erased:
        return Player(row.id, f"erased-{row.id}")
    return Player(row.id, text.name, "person", text.label, text.club)


def event(
    row: Any,
    entrants: tuple[Player, ...],
    states: tuple[Any, ...],
    constraints: tuple[Constraint, ...],
    current: str,
    merged: Mapping[int, int],
) -> Event:
    """Return an event with its entrants and its constraints; `current` is the name of the current event.

    `merged` maps merged players to those they were merged into.
    """
    try:
        settings = EventSettings(row.name, row.rules, **payloads.read_settings(json.loads(row.settings), merged))
    except TypeError:
        message = _("{event} has a setting that a newer version of the program has given it").format(event=row.name)
        raise TourneyError(ExitCode.STORAGE, message, _("update tourney")) from None
    rules = RulesRef(row.rules, row.rules_digest, row.rules_text)
    return Event(row.id, settings, rules, entrants, states, row.state, constraints, current)


def tables(seats: Rows, players: Mapping[int, Player]) -> Mapping[Spot, Table]:
    """Return the tables of these seats, which are in order, by round and number."""
    players_at: dict[Spot, list[Player]] = defaultdict(list)
    for row in seats:
        players_at[row.round, row.table_number].append(players[row.player])
    return Known({spot: Table(*spot, tuple(seated)) for spot, seated in players_at.items()})


def outcomes(rows: Mapping[str, Rows]) -> Mapping[Spot, Outcome]:
    """Return the outcomes that count, from the rows of `result`, `score`, `hand` and `hand_score`."""
    hands_at = hands(rows)
    scores: dict[Spot, list[Any]] = defaultdict(list)
    shorts = {(row.round, row.table_number): row.short for row in rows["result"]}
    for row in rows["score"]:
        scores[row.round, row.table_number].append(row)
    return {at: _outcome(hands_at.get(at, ()), seat_scores, shorts[at]) for at, seat_scores in scores.items()}


def hands(rows: Mapping[str, Rows]) -> Mapping[Spot, Sequence[HandScore]]:
    """Return the hands of each table, from the rows of `hand` and `hand_score`."""
    points: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
    for row in rows["hand_score"]:
        points[row.round, row.table_number, row.hand].append(row)
    found: dict[Spot, list[HandScore]] = defaultdict(list)
    for row in rows["hand"]:
        found[row.round, row.table_number].append(_hand(row, points[row.round, row.table_number, row.hand]))
    return found


def _hand(row: Any, scores: Rows) -> HandScore:
    points = tuple([score.points for score in scores])
    off = _column(scores, "off")
    return HandScore(row.contract, points, row.closer, bool(row.at_once), row.ending, off)


def _outcome(hands: Sequence[HandScore], scores: Rows, short: int) -> Outcome:
    points, won, places = (_column(scores, name) for name in ("points", "hands_won", "place"))
    return Outcome(tuple(hands), points, won, places, _column(scores, "extra"), _column(scores, "money"), short)


def _column(rows: Rows, name: str) -> tuple[int, ...]:
    """Return the values of a column by seat; empty if the column is."""
    if not rows or getattr(rows[0], name) is None:
        return ()
    return tuple([getattr(row, name) for row in rows])


def result(
    event: Event, row: Any, at: Table, found: Mapping[Spot, Outcome], uncounted: Mapping[Spot, Outcome]
) -> Result:
    """Return the result of a table; a void one has also the outcome on its sheet."""
    spot = (at.round, at.number)
    record = "" if row.record is None else row.record
    void = uncounted.get(spot) if row.state == "void" else None
    return Result(event.settings.name, at, found.get(spot, NOTHING), record, row.state, row.reason, void)


def ruling(event: Event, row: Any, players: Mapping[int, Player]) -> Ruling:
    """Return an arbiter's decision."""
    player = None if row.player is None else players[row.player]
    place = (row.round, row.table_number, player, row.hand, row.points)
    return Ruling(row.number, event.settings.name, row.kind, row.text, *place, row.state, row.why_cancelled)


def league(row: Any) -> League:
    """Return a league."""
    from tourney.storage.journal.payloads import league_of

    kept = json.loads(row.bots)
    more = json.loads(row.more) if row.more else {}
    return league_of({**row._asdict(), **(kept if isinstance(kept, dict) else {"bots": kept}), **more})
