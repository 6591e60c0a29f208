"""Closing a contract hand, and the cards that a player must keep while they may not close."""

from engine import actions as a
from engine.cards import JOKER, cards_text
from engine.melds import Refusal
from engine.scoring import only_at_once, points_of
from engine.state import State
from engine.text import message


def refuse_late_close(state: State) -> Refusal | None:
    """Return why a player in turn who laid down in an earlier turn cannot close this hand (engine/SILENT.md, 5.9)."""
    if state.cached.closing_only_same_turn == "no" or state.down[state.turn] in (0, state.turns):
        return None
    if not only_at_once(state.rules, state.deal.contract):
        return None
    return Refusal(
        state.rules.clause("closing.only_same_turn"),
        "a player who laid down in an earlier turn cannot close this hand, so they must keep a card after the discard",
    )


def refuse_last_discard(state: State) -> Refusal | None:
    """Return why the player in turn may not close by discarding the last card."""
    if state.cached.closing_last_discard == "forbidden":
        return Refusal(
            state.rules.clause("closing.last_discard"), "the last card must be laid down or laid off, not discarded"
        )
    return refuse_late_close(state)


def refuse_close(state: State) -> Refusal | None:
    """Return why the player in turn cannot close the hand without a discard (003/1.10)."""
    clause = state.rules.clause("closing.all_placed")
    if not state.down[state.turn] or len(state.hands[state.turn]) > 0:
        return Refusal(clause, "a player closes when every card has been laid down or laid off")
    if state.cached.closing_all_placed == "forbidden":
        return Refusal(clause, "a player must close with a discard")
    return refuse_late_close(state)


def refuse_close_holding(state: State, action: a.CloseHolding) -> Refusal | None:
    """Return why this discard cannot close the hand with cards still held (engine/SILENT.md, 5.9)."""
    rules, hand = state.rules, state.hands[state.turn]
    most, clause = rules.contracts.closing.held, rules.clause("closing.held")
    if most is None:
        return Refusal(clause, "nobody may close with cards in the hand")
    if not state.down[state.turn]:
        return Refusal(clause, "only a player who has laid down closes")
    if not 0 <= action.face <= JOKER or action.face not in hand:
        return Refusal(rules.section("1.5"), message("{cards} is not in the hand", cards=cards_text([action.face])))
    if len(hand) == 1:
        return Refusal(clause, "the last card is discarded, with nothing held")
    held = points_of(rules, hand) - rules.points(action.face)
    if held > most:
        return Refusal(
            clause,
            message("the cards kept count {held} points; a player closes with {most} or less", held=held, most=most),
        )
    return refuse_late_close(state)


def refuse_few_left(state: State, left: int) -> Refusal | None:
    """Return why `left` cards, one or none, are too few to keep: the player in turn could not close the hand."""
    refusal = refuse_late_close(state)
    if refusal is None and left == 0 and state.cached.closing_all_placed == "forbidden":
        clause = state.rules.clause("closing.all_placed")
        return Refusal(clause, "a player must close with a discard: keep a card for it")
    return refusal
