"""Rule sets and the score sheets of people, as the engine judges them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Length, Outcome, SheetHand
from tourney.domain.rules import Family, RulesRef
from tourney.rulebook import knock_sheets
from tourney.rulebook.hands import declared, hand_fault, meant
from tourney.rulebook.knock_sheets import hand_score
from tourney.rulebook.rulesets import rules_of
from tourney.text.i18n import _, either

if TYPE_CHECKING:
    from engine.scoring import GameResult
    from engine.sheets.declared import Problem

SHOWN = 4
"""How many problems of a sheet are told at once."""


def contracts(ref: RulesRef) -> tuple[tuple[str, int], ...]:
    """The hands of a game in order, as (contract, cards dealt); none for a game of any number of hands."""
    rules = rules_of(ref)
    return rules.contracts.hands.order if rules.kind == "contract" else ()


def table_limits(ref: RulesRef) -> tuple[int, int]:
    """The least and the most players at a table."""
    players = rules_of(ref).players
    return players.least, players.most


def outcome_of(result: GameResult) -> Outcome:
    """The engine's result in the tournament's words."""
    hands = tuple(hand_score(hand) for hand in result.hands)
    return Outcome(hands, result.points, result.hands_won, result.places, money=result.money)


def family(ref: RulesRef) -> Family:
    """Whether each hand has its contract, or one knocks."""
    return rules_of(ref).kind


MOST_STAKE = 1_000_000_000_000
"""More than anybody plays for; sums of money stay within what a database holds."""


def check_stake(ref: RulesRef, stake: int) -> None:
    """Raises TourneyError REFUSED for a stake that these rules cannot be played for, or one above MOST_STAKE."""
    from engine.errors import RulesError
    from engine.knock.pot import check_stake as judge

    rules = rules_of(ref)
    if rules.kind == "contract":
        if stake:
            message = _("{rules} is not played for money").format(rules=rules.id)
            raise TourneyError(ExitCode.REFUSED, message, _("leave the stake out"))
        return
    if stake > MOST_STAKE:
        message = _("nobody plays for a stake of {stake}").format(stake=stake)
        raise TourneyError(ExitCode.REFUSED, message, _("give at most {most}").format(most=MOST_STAKE))
    try:
        judge(rules, stake)
    except RulesError as error:
        raise TourneyError(ExitCode.REFUSED, error.reason, error.hint) from None


def check_sheet(
    ref: RulesRef, players: Sequence[str], hands: Sequence[SheetHand], length: Length = "whole", stake: int = 0
) -> Outcome:
    """What the sheet gives, players in seat order; a short one has the first hands of the game alone.

    `stake` is that of a knock game. Raises TourneyError REFUSED, naming hand, player and reason, for what cannot
    have happened.
    """
    from engine.errors import RulesError

    try:
        if family(ref) == "knock":
            return _knock_outcome(ref, players, hands, length, stake)
        return _contract_outcome(ref, players, hands, length)
    except RulesError as error:
        raise TourneyError(ExitCode.REFUSED, error.reason, error.hint) from None


def _knock_outcome(
    ref: RulesRef, players: Sequence[str], hands: Sequence[SheetHand], length: Length, stake: int
) -> Outcome:
    """How many hands a stopped game still had nobody knows: it counts as one."""
    checked = knock_sheets.check(rules_of(ref), len(players), hands, stake, length)
    if checked.result is None:
        hint = _("check that hand of the sheet; who is out has no points, and a void hand is marked dead")
        if length == "whole" and checked.problems[0].hand == f"hand {len(hands) + 1}":
            hint = _("write the hands that follow; if the game ended before its time, add --short")
        raise TourneyError(ExitCode.REFUSED, _told(players, checked.problems), hint)
    return replace(outcome_of(checked.result), short=int(checked.length == "short"))


def _contract_outcome(ref: RulesRef, players: Sequence[str], hands: Sequence[SheetHand], length: Length) -> Outcome:
    from engine.games.contract_game import game_result
    from engine.sheets.contract_sheet import Sheet
    from engine.sheets.contract_sheet import check_sheet as judge

    rules = rules_of(ref)
    checked = judge(rules, Sheet(len(players), tuple(declared(hand) for hand in hands)), length)
    if checked.problems:
        hint = _("check these lines of the sheet; a hand that nobody closed is marked dead")
        said = _readings(ref, players, hands, checked.problems[0])
        hint = _("did you mean {readings}? Otherwise {hint}").format(readings=said, hint=hint) if said else hint
        raise TourneyError(ExitCode.REFUSED, _told(players, checked.problems), hint)
    missing = len(rules.contracts.hands.order) - len(hands)
    return replace(outcome_of(game_result(rules, len(players), checked.hands)), short=missing)


def _readings(ref: RulesRef, players: Sequence[str], hands: Sequence[SheetHand], problem: Problem) -> str:
    """What may stand there instead, by one slip of typing, as `Ana 15 or Ana 10`; empty if nothing may."""
    lines = {contract: number for number, (contract, _cards) in enumerate(contracts(ref), 1)}
    number, size = lines.get(problem.hand, 0), len(players)
    hand = next((hand for hand in hands if hand.contract == problem.hand), None)
    if hand is None or not number or not hand_fault(ref, players, number, hand):
        return ""
    seats = sorted(seat for seat in hand.points if problem.seat in (None, seat))
    found = [f"{players[seat]} {points}" for seat in seats for points in meant(ref, size, number, hand, seat)]
    return either(found[:SHOWN]) if found else ""


def _told(players: Sequence[str], problems: Sequence[Problem]) -> str:
    """All problems in one line, the first few of many."""
    told = [
        f"{problem.hand}: {problem.reason}"
        if problem.seat is None
        else f"{problem.hand}, {players[problem.seat]}: {problem.reason}"
        for problem in problems[:SHOWN]
    ]
    if len(problems) > SHOWN:
        told.append(_("and {count} more").format(count=len(problems) - SHOWN))
    return "; ".join(told)


def entered_record(ref: RulesRef, players: Sequence[str], outcome: Outcome, stake: int = 0) -> str:
    """The record of a game that people played, as text: its points hand by hand, no acts."""
    from engine.records.record import HandRecord, Record, write
    from engine.rules import ENGINE_RULES

    rules = rules_of(ref)
    knock = rules.kind == "knock"
    if knock:
        hands = knock_sheets.hand_records(rules, outcome, stake)
    else:
        hands = tuple(
            HandRecord(hand.contract, number % len(players), hand.points, hand.closer, hand.at_once)
            for number, hand in enumerate(outcome.hands)
        )
    record = Record(
        rules=rules.id,
        digest=rules.digest,
        engine_rules=ENGINE_RULES,
        players=tuple(players),
        seed=None,
        points=outcome.points,
        places=outcome.places,
        hands=hands,
        stake=stake if knock else None,
        money=outcome.money,
    )
    return write(record)
