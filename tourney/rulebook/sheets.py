"""Score sheets of people, checked by the engine: an impossible sheet is refused here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Length, Outcome, SheetHand
from tourney.domain.rules import RulesRef
from tourney.rulebook import knock_sheets
from tourney.rulebook.engine_sentences import translated
from tourney.rulebook.knock_sheets import first_problem, hand_score
from tourney.rulebook.rulesets import contracts, family, rules_of
from tourney.text.i18n import _, both, either, ngettext

if TYPE_CHECKING:
    from engine.rules import Rules
    from engine.scoring import GameResult
    from engine.sheets.contract_sheet import CheckedSheet, DeclaredHand
    from engine.sheets.declared import Problem

SHOWN = 4
"""The most problems of a sheet that are shown at once."""


def outcome_of(result: GameResult) -> Outcome:
    """Return the engine's result as the tournament's outcome."""
    hands = tuple(hand_score(hand) for hand in result.hands)
    return Outcome(hands, result.points, result.hands_won, result.places, money=result.money)


def check_sheet(
    ref: RulesRef, players: Sequence[str], hands: Sequence[SheetHand[int]], length: Length = "whole", stake: int = 0
) -> Outcome:
    """Return the outcome of a sheet, players in seat order; a stopped game has only the first hands of the game.

    `stake` is that of a knock game. Raises TourneyError REFUSED, naming hand, player and reason, for an impossible
    sheet.
    """
    from engine.errors import RulesError

    try:
        if family(ref) == "knock":
            return _knock_outcome(ref, players, hands, length, stake)
        return _contract_outcome(ref, players, hands, length)
    except RulesError as error:
        raise TourneyError(ExitCode.REFUSED, translated(error.reason), translated(error.hint)) from None


def _knock_outcome(
    ref: RulesRef, players: Sequence[str], hands: Sequence[SheetHand[int]], length: Length, stake: int
) -> Outcome:
    """Return the outcome; a stopped game counts as one hand short, since nobody knows how many hands were left."""
    checked = knock_sheets.check(rules_of(ref), len(players), hands, stake, length)
    if checked.result is None:
        hint = _("check that hand; eliminated players have no points, and a hand that nobody closed is marked dead")
        if length == "whole" and checked.problems[0].hand == f"hand {len(hands) + 1}":
            hint = _("enter the remaining hands; if the game was stopped early, add --stopped")
        raise TourneyError(ExitCode.REFUSED, _problems_text(players, checked.problems), hint)
    return replace(outcome_of(checked.result), short=int(checked.length == "short"))


def _contract_outcome(
    ref: RulesRef, players: Sequence[str], hands: Sequence[SheetHand[int]], length: Length
) -> Outcome:
    from engine.games.contract_game import game_result
    from engine.sheets.contract_sheet import ContractSheet
    from engine.sheets.contract_sheet import check_sheet as judge

    rules = rules_of(ref)
    checked = judge(rules, ContractSheet(len(players), tuple(declared(hand) for hand in hands)), length)
    if checked.problems and not checked.problems[0].hand:
        raise _out_of_order(rules, hands, translated(checked.problems[0].reason))
    if checked.problems:
        hint = _("check these lines of the sheet; a hand that nobody closed is marked dead")
        readings = _readings(ref, players, hands, checked.problems[0])
        hint = _("did you mean {readings}? Otherwise {hint}").format(readings=readings, hint=hint) if readings else hint
        raise TourneyError(ExitCode.REFUSED, _problems_text(players, checked.problems), hint)
    missing = len(rules.contracts.hands.order) - len(hands)
    return replace(outcome_of(game_result(rules, len(players), checked.hands)), short=missing)


def _out_of_order(rules: Rules, hands: Sequence[SheetHand[int]], message: str) -> TourneyError:
    order = [contract for contract, _cards in rules.contracts.hands.order]
    hint = _("the hands are {contracts}, in this order").format(contracts=" ".join(order))
    if [hand.contract for hand in hands] == order[: len(hands)]:
        hint = _("{hint}; if the game ended before it, add --stopped").format(hint=hint)
    return TourneyError(ExitCode.REFUSED, message, hint)


def _readings(ref: RulesRef, players: Sequence[str], hands: Sequence[SheetHand[int]], problem: Problem) -> str:
    """Return the points that may have been meant instead, as `Ana 15 or Ana 10`; empty if there are none."""
    lines = {contract: number for number, (contract, _cards) in enumerate(contracts(ref), 1)}
    number, size = lines.get(problem.hand, 0), len(players)
    hand = next((hand for hand in hands if hand.contract == problem.hand), None)
    if hand is None or not number or not hand_fault(ref, players, number, hand):
        return ""
    if problem.seat is None and sum(points <= 0 for points in hand.points.values()) > 1:
        # Of several closers one is right, which no suggestion of other points can know.
        return ""
    seats = sorted(seat for seat in hand.points if problem.seat in (None, seat))
    readings = [
        f"{players[seat]} {points}" for seat in seats for points in suggested_points(ref, size, number, hand, seat)
    ]
    return either(readings[:SHOWN]) if readings else ""


def _problem_text(players: Sequence[str], problem: Problem) -> str:
    """Return a problem with its hand and player."""
    hand, reason = translated(problem.hand), translated(problem.reason)
    if problem.seat is None:
        return _("{hand}: {reason}").format(hand=hand, reason=reason)
    return _("{hand}, {player}: {reason}").format(hand=hand, player=players[problem.seat], reason=reason)


def _problems_text(players: Sequence[str], problems: Sequence[Problem]) -> str:
    """Return the problems in one line: the first few, and the number of the rest."""
    texts = [_problem_text(players, problem) for problem in problems[:SHOWN]]
    if len(problems) > SHOWN:
        texts.append(_("and {count} more").format(count=len(problems) - SHOWN))
    return "; ".join(texts)


def entered_record(ref: RulesRef, players: Sequence[str], outcome: Outcome, stake: int = 0) -> str:
    """Return the record of a game of people, as text: points hand by hand, no actions."""
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


def declared(hand: SheetHand[int]) -> DeclaredHand:
    """Return the hand as the engine's value."""
    from engine.sheets.contract_sheet import DeclaredHand

    return DeclaredHand(hand.contract, hand.points, hand.closer, hand.at_once, hand.dead, hand.left)


def hand_fault(
    ref: RulesRef, players: Sequence[str], number: int, hand: SheetHand[int], waiting: Collection[int] = ()
) -> str:
    """Return why hand `number` (from 1) is impossible, with the player's name; empty if it is possible.

    The seats in `waiting` have no points yet.
    """
    return first_problem(players, _checked(ref, len(players), number, hand, waiting).problems)


def hand_points(ref: RulesRef, players: int, number: int, hand: SheetHand[int]) -> tuple[int, ...]:
    """Return the points of a possible hand by seat, listed cards counted."""
    return _checked(ref, players, number, hand, ()).hands[0].points


def closings(ref: RulesRef, contract: str) -> tuple[int, ...]:
    """Return the points that the closer of that hand may score, those for an earlier lay-down first.

    There are none in the knock game.
    """
    from engine.scoring import closer_points

    return tuple(closer_points(rules_of(ref), contract)) if family(ref) == "contract" else ()


def turn_score(ref: RulesRef, contract: str) -> int | None:
    """Return the score for closing a hand in one turn, if that for closing later is another one; otherwise None."""
    from engine.scoring import closer_points

    scores = closer_points(rules_of(ref), contract) if family(ref) == "contract" else {}
    return list(scores)[1] if list(scores.values()) == [(False,), (True,)] else None


def hand_spans(ref: RulesRef, players: int) -> tuple[tuple[int, int, int], ...]:
    """Return for each hand of a game the least points of its closer, and the least and most of the others.

    Nobody has more than all cards of the packs together.
    """
    from engine.scoring import closer_points as points
    from engine.scoring import values_in_play

    rules = rules_of(ref)
    spans = []
    for number, (contract, _dealt) in enumerate(rules.contracts.hands.order, 1):
        values = values_in_play(rules, players, number)
        spans.append((min(points(rules, contract)), min(values), sum(each * count for each, count in values.items())))
    return tuple(spans)


def most_expected(ref: RulesRef, players: int, number: int) -> int:
    """Return the most points of a player in hand `number` (from 1) that are not questioned."""
    from engine.sheets.score_typos import rarely_exceeded as most

    return most(rules_of(ref), players, number)


def suggested_points(
    ref: RulesRef, players: int, number: int, hand: SheetHand[int], seat: int, waiting: Collection[int] = ()
) -> tuple[int, ...]:
    """Return up to three scores that may have been meant for that seat instead, likeliest first."""
    from engine.sheets.score_typos import suggest_points as readings

    return readings(rules_of(ref), players, number, declared(hand), seat, waiting)


def doubts(ref: RulesRef, players: Sequence[str], hands: Mapping[int, SheetHand[int]]) -> tuple[str, ...]:
    """Return a sentence for each unusually high score of these possible hands (by number, from 1).

    The knock game has none: players knock before cards pile up.
    """
    if rules_of(ref).kind != "contract":
        return ()
    return tuple(
        _doubt(ref, players, number, hand, seat)
        for number, hand in hands.items()
        for seat, points in sorted(hand.points.items())
        if points > most_expected(ref, len(players), number)
    )


def _doubt(ref: RulesRef, players: Sequence[str], number: int, hand: SheetHand[int], seat: int) -> str:
    readings = suggested_points(ref, len(players), number, hand, seat)
    doubt = _("{hand}, {player}: {points} points are unusual in that hand").format(
        hand=hand.contract, player=players[seat], points=hand.points[seat]
    )
    if not readings:
        return doubt
    return _("{doubt}; did you mean {readings}?").format(
        doubt=doubt, readings=either(str(points) for points in readings)
    )


def penalty_doubt(ref: RulesRef, player: str, points: int) -> str:
    """Return the doubt about a penalty of more points than an unusually bad game at a table of four; "" for others."""
    rules = rules_of(ref)
    hands = len(contracts(ref)) if rules.kind == "contract" else 0
    most = sum(most_expected(ref, 4, number) for number in range(1, hands + 1))
    if not hands or abs(points) <= most:
        return ""
    text = _("{player}: {points} points are unusual in a penalty: even a very bad game has at most {most}")
    return text.format(player=player, points=points, most=most)


def _checked(ref: RulesRef, players: int, number: int, hand: SheetHand[int], waiting: Collection[int]) -> CheckedSheet:
    from engine.sheets.contract_sheet import check_hand

    return check_hand(rules_of(ref), players, number, declared(hand), waiting)


def twin_doubt(table: int, others: Sequence[int]) -> str:
    """Return the doubt about a table whose sheet has the same points, hand by hand and seat by seat, as others."""
    text = ngettext(
        "table {table} has the same points in every hand as table {others}: is one sheet entered for the other?",
        "table {table} has the same points in every hand as tables {others}: are sheets entered for one another?",
        len(others),
    )
    return text.format(table=table, others=both(map(str, others)))
