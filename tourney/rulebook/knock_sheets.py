"""Sheets and records of the knock game, translated between the engine and the tournament.

In the tournament a hand's `ending` is one text: `knock`, `color`, or `rummy with 3 jokers`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Literal

from tourney.domain.results import HandScore, Length, Outcome, SheetHand
from tourney.domain.rules import RulesRef
from tourney.rulebook.engine_sentences import translated
from tourney.rulebook.rulesets import rules_of
from tourney.text.i18n import _, ngettext

if TYPE_CHECKING:
    from engine.records.record import HandRecord
    from engine.rules import Rules
    from engine.scoring import HandResult
    from engine.sheets.declared import Problem
    from engine.sheets.knock_sheet import CheckedGame, DeclaredKnockHand

Asking = Literal["open", "done"]
"""The state of the buys after a hand: `open` while players are asked, then `done`."""

_JOKERS = re.compile(r"rummy with ([0-9]{1,2}) jokers?", re.ASCII)


def hand_score(hand: HandResult) -> HandScore:
    """Return the engine's result of a hand, of either family, as the tournament's score."""
    ending = rummy(hand.jokers) if hand.jokers else hand.ending or ""
    return HandScore(hand.contract, hand.points, hand.closer, hand.at_once, ending, hand.off)


def check(rules: Rules, players: int, hands: Sequence[SheetHand[int]], stake: int, length: Length) -> CheckedGame:
    """Return the problems of a sheet, or the game that it describes. Raises RulesError as the engine's check does."""
    from engine.sheets.knock_sheet import check_knock_sheet

    return check_knock_sheet(rules, players, [_declared(hand) for hand in hands], stake, length)


def _declared(hand: SheetHand[int]) -> DeclaredKnockHand:
    from engine.sheets.knock_sheet import DeclaredKnockHand

    ending = hand.ending.strip()
    jokers = rummy_jokers(ending)
    if jokers is not None:
        ending = "rummy"
    return DeclaredKnockHand(ending, hand.points, hand.closer, hand.dead, hand.left, jokers or 0, hand.buys)


def hand_records(rules: Rules, outcome: Outcome, stake: int) -> tuple[HandRecord, ...]:
    """Return the hands of a game of people for its record: endings, buys, and who dealt."""
    from engine.records.record import hand_record

    checked = check(rules, len(outcome.points), _hands(rules, outcome), stake, "short")
    assert checked.result is not None, "a kept outcome was checked before"
    hands = zip(checked.result.hands, checked.dealers, strict=True)
    return tuple(hand_record(hand, dealer, ()) for hand, dealer in hands)


def knock_hands(ref: RulesRef, outcome: Outcome) -> tuple[SheetHand[int], ...]:
    """Return the hands of an outcome as a sheet has them: no points for eliminated players, every buy answered."""
    return tuple(_hands(rules_of(ref), outcome))


def _hands(rules: Rules, outcome: Outcome) -> list[SheetHand[int]]:
    limit = rules.knocking.survival.eliminated_above
    totals = [0] * len(outcome.points)
    sheet: list[SheetHand[int]] = []
    for hand in outcome.hands:
        points = {seat: hand.points[seat] for seat, total in enumerate(totals) if total <= limit}
        off = hand.off or (0,) * len(totals)
        buys = tuple(seat for seat, points_off in enumerate(off) if points_off)
        declined = tuple(seat for seat in points if seat not in buys)
        dead = not hand.ending
        sheet.append(SheetHand("", points, hand.closer, dead=dead, ending=hand.ending, buys=buys, declined=declined))
        totals = [total + hand.points[seat] - off[seat] for seat, total in enumerate(totals)]
    return sheet


# --- a game while its sheet is being written ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BuyOffer:
    """An offer to a seat to buy its `score` down to `to`, for the price into the pot."""

    seat: int
    price: int
    score: int
    to: int


@dataclass(frozen=True, slots=True)
class KnockStanding:
    """A knock game after some hands: points by seat, who is still in, who dealt last, the pot, and who may buy.

    `winners` get the pot, each for the reason in `why`; before the end there are none.
    """

    totals: tuple[int, ...]
    active: tuple[int, ...]
    dealer: int
    pot: int
    offer: BuyOffer | None
    winners: tuple[int, ...]
    why: tuple[str, ...]


def knock_standing(
    ref: RulesRef, players: int, hands: Sequence[SheetHand[int]], stake: int, asking: Asking = "done"
) -> KnockStanding:
    """Return the standing after these possible hands; with the next offer while the last hand's buys are `open`."""
    from engine.sheets.knock_sheet import game_after

    declined = hands[-1].declined if hands and asking == "open" else None
    game = game_after(rules_of(ref), players, [_declared(hand) for hand in hands], stake, declined)
    offer, why = game.offer, game.result().why
    return KnockStanding(
        game.totals,
        game.active,
        game.dealers[-1] if game.dealers else game.dealer,
        game.pot.amount,
        None if offer is None else BuyOffer(offer.seat, offer.price, offer.scores[offer.seat], offer.to),
        game.winners,
        tuple(translated(why[seat]) for seat in game.winners),
    )


def knock_fault(
    ref: RulesRef,
    players: Sequence[str],
    before: Sequence[SheetHand[int]],
    hand: SheetHand[int],
    waiting: Collection[int] = (),
) -> str:
    """Return why the hand cannot follow those before it, with the player's name; empty if it can.

    The seats in `waiting` have no points yet.
    """
    from engine.sheets.knock_sheet import check_knock_hand

    earlier = [_declared(previous) for previous in before]
    return first_problem(players, check_knock_hand(rules_of(ref), len(players), earlier, _declared(hand), waiting))


def first_problem(players: Sequence[str], problems: Sequence[Problem]) -> str:
    """Return the first problem of a hand, with the player's name; empty if there is none."""
    if not problems:
        return ""
    seat, reason = problems[0].seat, translated(problems[0].reason)
    return reason if seat is None else _("{player}: {reason}").format(player=players[seat], reason=reason)


def suggested_knock_points(
    ref: RulesRef,
    players: Sequence[str],
    before: Sequence[SheetHand[int]],
    hand: SheetHand[int],
    seat: int,
    waiting: Collection[int],
) -> tuple[int, ...]:
    """Return up to three possible scores that differ by a typing error from the one of that seat."""
    from engine.sheets.score_typos import MAX_SUGGESTIONS, typo_corrections

    others = (replace(hand, points={**hand.points, seat: points}) for points in typo_corrections(hand.points[seat]))
    possible = (other for other in others if not knock_fault(ref, players, before, other, waiting))
    return tuple(other.points[seat] for other in islice(possible, MAX_SUGGESTIONS))


def rummy(jokers: int) -> str:
    """Return the ending of a rummy with `jokers` jokers among its ten cards."""
    return f"rummy with {jokers} joker{'' if jokers == 1 else 's'}"


def ending_text(ending: str) -> str:
    """Return an ending as it is kept, in the reader's language; the names of the endings are those of the game."""
    jokers = rummy_jokers(ending)
    if jokers is None:
        return ending
    return ngettext("rummy with {number} joker", "rummy with {number} jokers", jokers).format(number=jokers)


def rummy_jokers(ending: str) -> int | None:
    """Return the number of jokers that the ending of a rummy names; None if it names none."""
    match = _JOKERS.fullmatch(ending)
    return int(match[1]) if match else None
