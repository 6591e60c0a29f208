"""The four ways to end a knock hand: which ten cards may be declared, and what the closer scores."""

from engine import actions as a
from engine.cards import JOKER, Faces
from engine.melds import TRIO, Refusal, is_meld
from engine.rules import Rules
from engine.scoring import KnockEnding
from engine.solver.deadwood import all_laid, least_deadwood
from engine.text import message


def refuse_ending(rules: Rules, ending: a.DeclaredEnding, cards: Faces) -> Refusal | None:
    """Return why these cards do not allow this ending, a rummy, a color or a continental; None if they do."""
    if ending == "rummy":
        return None if all_laid(rules, cards) else Refusal(rules.clause("hand.rummy"), "not every card is in a meld")
    if ending == "color":
        return _not_color(rules, cards)
    if is_meld(rules, TRIO, cards.cards()) or _is_one_run(cards):
        return None
    return Refusal(
        rules.section("1.11"),
        message("a continental is {cards} cards of one rank, or {cards} of one suit in order", cards=len(cards)),
    )


def _not_color(rules: Rules, cards: Faces) -> Refusal | None:
    """Return why the cards are not all of one suit, whatever the ranks (001/1.11).

    A joker takes the suit if the rules allow it [A-30b].
    """
    if len({face // 13 for face in cards if face != JOKER}) != 1:
        return Refusal(rules.clause("hand.color"), "the cards of a color are of one suit")
    if cards.jokers and rules.knocking.hand.color_jokers == "forbidden":
        return Refusal(rules.clause("hand.color_jokers"), "a joker has no suit in a color")
    return None


def _is_one_run(cards: Faces) -> bool:
    """Return whether the cards make one run of any length, with jokers in its gaps and at its ends."""
    naturals = [face for face in cards if face != JOKER]
    if len({face // 13 for face in naturals}) != 1 or len(set(naturals)) < len(naturals):
        return False
    ace_low = [face % 13 for face in naturals]
    ace_high = [rank or 13 for rank in ace_low]
    return any(max(ranks) - min(ranks) < len(cards) for ranks in (ace_low, ace_high))


def closing_points(rules: Rules, ending: KnockEnding, cards: Faces) -> int:
    """Return the points of the closer (001/1.10); a continental wins the game and scores 0."""
    hand = rules.knocking.hand
    if ending == "knock":
        return least_deadwood(rules, cards, hand.closer_ace)
    return {"rummy": hand.rummy, "color": hand.color, "continental": 0}[ending]
