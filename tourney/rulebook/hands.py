"""One hand of a sheet as the engine judges it, also while it is being written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from tourney.domain.results import SheetHand
from tourney.domain.rules import RulesRef
from tourney.rulebook.rulesets import rules_of
from tourney.text.i18n import _, either

if TYPE_CHECKING:
    from engine.sheets.contract_sheet import Checked, DeclaredHand


def declared(hand: SheetHand) -> DeclaredHand:
    """The tournament's line of a sheet in the engine's words."""
    from engine.sheets.contract_sheet import DeclaredHand

    return DeclaredHand(hand.contract, hand.points, hand.closer, hand.at_once, hand.dead, hand.left)


def hand_fault(
    ref: RulesRef, players: Sequence[str], number: int, hand: SheetHand, waiting: Collection[int] = ()
) -> str:
    """Why the hand of that number (from 1) cannot be, with the player's name; empty if it can.

    Seats that are `waiting` are not written yet.
    """
    problems = _checked(ref, len(players), number, hand, waiting).problems
    if not problems:
        return ""
    seat, reason = problems[0].seat, problems[0].reason
    return reason if seat is None else _("{player}: {reason}").format(player=players[seat], reason=reason)


def hand_points(
    ref: RulesRef, players: int, number: int, hand: SheetHand, waiting: Collection[int] = ()
) -> tuple[int, ...]:
    """The points of a hand without fault by seat, cards counted; 0 for who waits."""
    return _checked(ref, players, number, hand, waiting).hands[0].points


def closer_points(ref: RulesRef, contract: str) -> Mapping[int, tuple[bool, ...]]:
    """What the closer of that hand may write down, what is for an earlier lay-down first; with each, whether it
    is for who laid down in the turn of closing: one or both."""
    from engine.scoring import closer_points as points

    return points(rules_of(ref), contract)


def most_expected(ref: RulesRef, players: int, number: int) -> int:
    """The points in the hand of that number (from 1) beyond which one asks back."""
    from engine.sheets.score_typos import rarely_exceeded as most

    return most(rules_of(ref), players, number)


def meant(
    ref: RulesRef, players: int, number: int, hand: SheetHand, seat: int, waiting: Collection[int] = ()
) -> tuple[int, ...]:
    """Points that may have been meant at that seat instead of those written, likeliest first; at most three."""
    from engine.sheets.score_typos import suggest_points as readings

    return readings(rules_of(ref), players, number, declared(hand), seat, waiting)


def doubts(ref: RulesRef, players: Sequence[str], hands: Mapping[int, SheetHand]) -> tuple[str, ...]:
    """A sentence for all points of sound hands (by number, from 1) that are possible and hardly to be expected.

    None for the knock game, in which one knocks before cards pile up.
    """
    if rules_of(ref).kind != "contract":
        return ()
    return tuple(
        _doubt(ref, players, number, hand, seat)
        for number, hand in hands.items()
        for seat, points in sorted(hand.points.items())
        if points > most_expected(ref, len(players), number)
    )


def _doubt(ref: RulesRef, players: Sequence[str], number: int, hand: SheetHand, seat: int) -> str:
    readings = meant(ref, len(players), number, hand, seat)
    said = _("{hand}, {player}: {points} points are unusual in that hand").format(
        hand=hand.contract, player=players[seat], points=hand.points[seat]
    )
    if not readings:
        return said
    return _("{said}; did you mean {meant}?").format(said=said, meant=either(str(points) for points in readings))


def _checked(ref: RulesRef, players: int, number: int, hand: SheetHand, waiting: Collection[int]) -> Checked:
    from engine.sheets.contract_sheet import check_hand

    return check_hand(rules_of(ref), players, number, declared(hand), waiting)
