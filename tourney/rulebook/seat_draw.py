"""The draw of seats and of the first dealer at a table, by the rules (1.4)."""

from dataclasses import dataclass

from tourney.domain.rules import RulesRef
from tourney.rulebook.rule_sentences import FIRST_DEALER
from tourney.rulebook.rulesets import rules_of
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class SeatDraw:
    """A draw among players 0, 1, …: `order` begins with the first dealer, and `cards` are the cards that each drew.

    If `seated`, the players sit in this order; otherwise the draw decides only who deals first.
    """

    order: tuple[int, ...]
    cards: tuple[tuple[str, ...], ...]
    seated: bool


def draw_seats(ref: RulesRef, players: int, seed: str) -> SeatDraw:
    """Return the draw at a table of `players`; equal seeds give equal draws on every machine."""
    from engine import deal
    from engine.cards import card_text

    rules = rules_of(ref)
    cards = tuple(tuple(map(card_text, drawn)) for drawn in deal.seat_cards(rules, players, seed))
    return SeatDraw(deal.draw_seats(rules, players, seed), cards, rules.table.seat_draw != "none")


def who_deals(ref: RulesRef) -> str:
    """Return the sentence of the rules that says who deals first after the draw."""
    return _(FIRST_DEALER[rules_of(ref).table.first_dealer])
