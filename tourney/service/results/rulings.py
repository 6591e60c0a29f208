"""Rulings: add, list and cancel an arbiter's decisions."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

from tourney import storage
from tourney.domain.errors import DoubtWarning, ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.results import Hands, Length, Ruling, RulingKind, Rulings
from tourney.domain.rounds import Table
from tourney.files.sheet_toml import contract_text
from tourney.rulebook import rulesets
from tourney.rulebook.sheets import penalty_doubt
from tourney.service.lookup import (
    ComparedChange,
    event_argument,
    find_entrant,
    find_event,
    find_open_event,
    find_table,
    refuse_finished,
    refuse_no_round,
    with_rules_of_round,
)
from tourney.service.results.results import correct_result, find_result
from tourney.service.results.sheets import judge, place, seated
from tourney.service.results.standings import with_states
from tourney.text.i18n import _
from tourney.text.names import clean

MOST_POINTS = 100_000
MOST_HANDS = 999
"""The most hands of a knock game whose sheet is not entered yet."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An arbiter's decision as it is typed: the fields of a ruling, with the player as a name or number."""

    kind: RulingKind
    text: str
    round: int | None = None
    table: int | None = None
    player: str | None = None
    hand: str | None = None
    points: int | None = None


_NEEDS: dict[RulingKind, tuple[str, ...]] = {
    "penalty": ("player", "points"),
    "redeal": ("round", "table", "hand"),
    "correction": ("round", "table"),
    "note": (),
}
_MAY_HAVE: dict[RulingKind, tuple[str, ...]] = {
    "penalty": ("round", "table"),
    "redeal": (),
    "correction": (),
    "note": ("round", "table", "player", "hand"),
}


@dataclass(frozen=True, slots=True)
class AddRuling(ComparedChange[Ruling]):
    """Keep a ruling, and with a correction its sheet `hands`: both or neither. A stopped game has only the first hands.

    Refused: NOT_FOUND for an unknown event, table or player; USAGE if fields that the kind needs are missing, or others
    are given; REFUSED for a finished event, for a player or hand that was not at the table, and as `CorrectResult` is.
    """

    event: str | None
    decision: Decision
    hands: Hands | None = None
    length: Length = "whole"

    def perform(self, store: storage.Store) -> Ruling:
        """Return the ruling with its number."""
        if self.decision.kind == "correction" and self.hands is None:
            message = _("a correction needs the corrected sheet")
            raise TourneyError(ExitCode.USAGE, message, _("give it by --file, or one --hand for each hand"))
        event = find_event(store, self.event)
        ruling = _judged(store, event, self.decision)
        if self.hands is not None:
            _event, table, _result = find_result(store, self.event, _given(ruling.round), _given(ruling.table))
            outcome = judge(event, table, seated(event, table, self.hands), self.length)
            correct_result(store, event, table, outcome, ruling.text)
        (ruling,) = with_states(store, event, (ruling,))
        _refuse_not_in_stage(store, event, ruling)
        number = store.add(storage.kinds.results.RulingAdded.of(event, ruling))
        if ruling.player is not None and (said := penalty_doubt(event.rules, ruling.player.shown, ruling.points)):
            warnings.warn(DoubtWarning(said, said), stacklevel=2)
        return replace(ruling, number=number, by=store.transaction.by)


@dataclass(frozen=True, slots=True)
class CancelRuling(ComparedChange[Ruling]):
    """Cancel a ruling: it stays in the list but no longer counts. A corrected sheet stays corrected.

    Refused: NOT_FOUND, and REFUSED for a finished event, a ruling cancelled already, or no reason.
    """

    event: str | None
    number: int
    reason: str

    def perform(self, store: storage.Store) -> Ruling:
        """Return the cancelled ruling."""
        reason = clean(self.reason, _("reason"))
        event = find_open_event(store, self.event)
        ruling = _find(store, event, self.number)
        if ruling.state == "cancelled":
            message = _("decision {number} of {event} is cancelled already")
            hint = _(
                "`tourney undo` restores it as long as its cancelling is the newest change; otherwise add it again"
            )
            raise TourneyError(ExitCode.REFUSED, message.format(number=self.number, event=ruling.event), hint)
        store.write(storage.kinds.results.RulingCancelled(event, self.number, reason))
        return replace(ruling, state="cancelled", why_cancelled=reason, cancelled_by=store.transaction.by)


def listing(db: str | None, event: str | None = None) -> Rulings:
    """Return all rulings of an event. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        return Rulings(found, tuple(with_states(reader, found, reader.results.signed_rulings(found))))


def _find(reader: storage.Reader, event: Event, number: int) -> Ruling:
    rulings = reader.results.signed_rulings(event)
    found = next((ruling for ruling in rulings if ruling.number == number), None)
    if found is None:
        message = _("{event} has no decision {number}").format(event=event.settings.name, number=number)
        hint = _("see them with `tourney ruling list{event}`").format(event=event_argument(event))
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return found


def _judged(reader: storage.Reader, event: Event, decision: Decision) -> Ruling:
    """Check the decision and return its ruling, with 0 in place of the number."""
    _refuse_incomplete(decision)
    refuse_finished(event)
    if decision.round is not None:
        refuse_no_round(event, decision.round)
    decision = replace(decision, round=_round_of(reader, event, decision))
    player = None if decision.player is None else find_entrant(event, decision.player)
    hand = "" if decision.hand is None else _hand(reader, event, decision)
    if decision.table is not None:
        at = find_table(event, reader.rounds.of(event), _given(decision.round), decision.table)
        _refuse_elsewhere(event, at, player)
        if decision.kind == "redeal":
            _refuse_not_played(reader, event, at, hand)
    return Ruling(
        0,
        event.settings.name,
        decision.kind,
        clean(decision.text, _("reason")),
        decision.round,
        decision.table,
        player,
        hand,
        0 if decision.points is None else _points(decision.points),
    )


def _round_of(reader: storage.Reader, event: Event, decision: Decision) -> int | None:
    """Return the round of a decision: in an event with stages, a penalty stays in the stage of the newest round.

    There a penalty without a round belongs to the newest published round, before the first draw to round 1.
    """
    if decision.kind != "penalty" or decision.round is not None or not event.settings.stages:
        return decision.round
    return max((drawn.number for drawn in reader.rounds.of(event) if not drawn.draft), default=1)


def _refuse_incomplete(decision: Decision) -> None:
    """Raise TourneyError USAGE if the decision lacks a field that its kind needs, or has one that it does not take."""
    needs, may_have = _NEEDS[decision.kind], _MAY_HAVE[decision.kind]
    if decision.table is not None and "round" not in needs:
        needs = (*needs, "round")
    for field in ("player", "points", "round", "table", "hand"):
        given = getattr(decision, field) is not None
        if given and field not in (*needs, *may_have):
            message = _("a ruling of the kind {kind} takes no --{field}").format(kind=decision.kind, field=field)
            raise TourneyError(ExitCode.USAGE, message, _("leave it out"))
        if not given and field in needs:
            message = _("a ruling of the kind {kind} needs --{field}").format(kind=decision.kind, field=field)
            options = " ".join(f"--{each}" for each in needs)
            raise TourneyError(ExitCode.USAGE, message, _("give {options}").format(options=options))


def _given(number: int | None) -> int:
    """Return a number that `_refuse_incomplete` has checked."""
    assert number is not None
    return number


def _refuse_elsewhere(event: Event, at: Table, player: Player | None) -> None:
    if player is not None and player.id not in {seated.id for seated in at.players}:
        message = _("{player} does not sit at table {table} of round {round} of {event}").format(
            player=player.shown, table=at.number, round=at.round, event=event.settings.name
        )
        names = ", ".join(seated.shown for seated in at.players)
        raise TourneyError(ExitCode.REFUSED, message, _("seated at this table: {players}").format(players=names))


def _refuse_not_played(reader: storage.Reader, event: Event, at: Table, hand: str) -> None:
    """Raise TourneyError REFUSED for a hand that the table's result lacks; a table without a result may have any."""
    for result in reader.results.of(event, spot=(at.round, at.number)):
        played = [score.contract or str(number) for number, score in enumerate(result.outcome.hands, 1)]
        if hand not in played:
            message = _("hand {hand} was not played at {place}").format(hand=hand, place=place(event, at))
            hint = _("the table's result is void")
            if played:
                hint = _("played were {hands}").format(hands=" ".join(played))
            raise TourneyError(ExitCode.REFUSED, message, hint)


def _refuse_not_in_stage(reader: storage.Reader, event: Event, ruling: Ruling) -> None:
    """Raise TourneyError REFUSED for a penalty that would count nowhere, as its player does not play in the stage."""
    stage = None if ruling.round is None else event.in_round(ruling.round)
    if ruling.state != "not in stage" or ruling.player is None or stage is None:
        return
    message = _("{player} does not play in {stage}, and round {round} belongs to it")
    earlier = [replace(ruling, round=number, state="stands") for number in range(_given(ruling.round), 0, -1)]
    last = next((each.round for each in with_states(reader, event, earlier) if each.state == "stands"), 1)
    raise TourneyError(
        ExitCode.REFUSED,
        message.format(player=ruling.player.shown, stage=stage.name, round=ruling.round),
        _("give a round of a stage in which they play, such as round {round}").format(round=last),
    )


def _hand(reader: storage.Reader, event: Event, decision: Decision) -> str:
    """Return the decision's hand: a contract, or in the knock game a number."""
    text = clean(decision.hand or "", _("hand"))
    if rulesets.family(event.rules) == "knock":
        return _numbered_hand(reader, event, decision, text)
    rules = event.rules if decision.round is None else with_rules_of_round(event, decision.round).rules
    known = [contract for contract, _cards in rulesets.contracts(rules)]
    if contract_text(text) not in known:
        message = _("there is no hand {hand}").format(hand=text[:40])
        raise TourneyError(ExitCode.REFUSED, message, _("the hands are {contracts}").format(contracts=" ".join(known)))
    return contract_text(text)


def _numbered_hand(reader: storage.Reader, event: Event, decision: Decision, text: str) -> str:
    """Return the number of a knock hand: up to the number played, or MOST_HANDS if the table has no result yet."""
    spot = (decision.round or 0, decision.table or 0)
    played = [len(result.outcome.hands) for result in reader.results.of(event, spot=spot) if result.outcome.hands]
    most = played[0] if played else MOST_HANDS
    if text.isdecimal() and len(text) < 4 and 1 <= int(text) <= most:
        return str(int(text))
    message = _("there is no hand {hand}").format(hand=text[:40])
    raise TourneyError(ExitCode.REFUSED, message, _("the hands are numbered from 1 to {most}").format(most=most))


def _points(points: int) -> int:
    if points == 0:
        message = _("a penalty of 0 points is none")
        raise TourneyError(ExitCode.REFUSED, message, _("write it down with `--kind note`"))
    if abs(points) > MOST_POINTS:
        message = _("a penalty of {points} points is too much").format(points=points)
        raise TourneyError(ExitCode.REFUSED, message, _("{most} are the most").format(most=MOST_POINTS))
    return points
