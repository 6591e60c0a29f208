"""What the cards left in hand count, and what a hand gave."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import Faces
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand: points by seat, who closed (None: a dead hand), and whether in the turn he laid down."""

    contract: str
    points: tuple[int, ...]
    closer: int | None
    at_once: bool = False


def points_of(rules: Rules, hand: Faces) -> int:
    """The points of every card in a hand, combined or not (003/1.2)."""
    total = rules.values.joker * hand.jokers
    ranks = rules.values.ranks
    for plane in (hand.once, hand.twice, hand.thrice, hand.four):
        while plane:
            low = plane & -plane
            total += ranks[(low.bit_length() - 1) % 13]
            plane ^= low
    return total


def closing_points(rules: Rules, contract: str, at_once: bool, all_placed: bool) -> int:
    """What the closer writes down (003/1.10); of several bonuses the one most favourable to him [A-32]."""
    bonus = rules.contracts.bonus
    offers = [bonus.earlier]
    if at_once:
        by_contract = dict(bonus.same_turn_by_contract)
        offers.append(by_contract.get(contract, bonus.same_turn))
    if all_placed and bonus.all_placed is not None:
        offers.append(bonus.all_placed)
    return min(offers)


def score_hand(
    rules: Rules, contract: str, hands: Sequence[Faces], closer: int | None, at_once: bool, all_placed: bool
) -> HandResult:
    """The result of a hand that stops with these cards held; a dead hand has no closer and all count [A-39]."""
    points = [points_of(rules, hand) for hand in hands]
    if closer is not None:
        points[closer] = closing_points(rules, contract, at_once, all_placed)
    return HandResult(contract, tuple(points), closer, at_once)


def values_in_play(rules: Rules, players: int, hand: int) -> dict[int, int]:
    """How many cards of each value the packs of that hand hold."""
    counts: dict[int, int] = {}
    for rank in range(13):
        value = rules.values.ranks[rank]
        counts[value] = counts.get(value, 0) + 4 * rules.packs(players, hand)
    jokers = rules.jokers(players, hand)
    if jokers:
        counts[rules.values.joker] = counts.get(rules.values.joker, 0) + jokers
    return counts
