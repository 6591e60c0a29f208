"""The knock game's sheets and records, between the engine's words and the tournament's.

In the tournament a hand's `ending` is one text: `knock`, `color`, or `rummy with 3 jokers`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tourney.domain import HandScore, Length, Outcome, SheetHand

if TYPE_CHECKING:
    from engine.knock_sheet import CheckedGame, DeclaredKnockHand
    from engine.record import HandRecord
    from engine.rules import Rules
    from engine.scoring import HandResult

_JOKERS = re.compile(r"rummy with ([0-9]{1,2}) jokers?", re.ASCII)


def hand_score(hand: HandResult) -> HandScore:
    """A hand of either family in the tournament's words."""
    jokers = f" with {hand.jokers} joker{'s' if hand.jokers > 1 else ''}" if hand.jokers else ""
    ending = "" if hand.ending is None else f"{hand.ending}{jokers}"
    return HandScore(hand.contract, hand.points, hand.closer, hand.at_once, ending, hand.off)


def check(rules: Rules, players: int, hands: Sequence[SheetHand], stake: int, length: Length) -> CheckedGame:
    """The problems of a sheet, or the game that it tells; RulesError as the engine's check raises it."""
    from engine.knock_sheet import check_knock_sheet

    return check_knock_sheet(rules, players, [_declared(hand) for hand in hands], stake, length)


def _declared(hand: SheetHand) -> DeclaredKnockHand:
    from engine.knock_sheet import DeclaredKnockHand

    found = _JOKERS.fullmatch(hand.ending.strip())
    ending, jokers = ("rummy", int(found[1])) if found else (hand.ending.strip(), 0)
    return DeclaredKnockHand(ending, hand.points, hand.closer, hand.dead, hand.left, jokers, hand.buys)


def hand_records(rules: Rules, outcome: Outcome, stake: int) -> tuple[HandRecord, ...]:
    """The hands of a game of people for its record: its endings, its buys, and who dealt."""
    from engine.record import hand_record

    limit = rules.knocking.survival.eliminated_above
    totals = [0] * len(outcome.points)
    sheet: list[SheetHand] = []
    for hand in outcome.hands:
        points = {seat: hand.points[seat] for seat, total in enumerate(totals) if total <= limit}
        off = hand.off or (0,) * len(totals)
        buys = tuple(seat for seat, less in enumerate(off) if less)
        sheet.append(SheetHand("", points, hand.closer, dead=not hand.ending, ending=hand.ending, buys=buys))
        totals = [total + hand.points[seat] - off[seat] for seat, total in enumerate(totals)]
    found = check(rules, len(totals), sheet, stake, "short")
    assert found.result is not None, "what was kept was checked"
    return tuple(hand_record(hand, dealer, ()) for hand, dealer in zip(found.result.hands, found.dealers, strict=True))
