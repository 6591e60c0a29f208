"""A contract turn: which actions are legal in a state, and what each does."""

from typing import Final

from mypy_extensions import i64

from engine import actions as a
from engine.cards import FACE_OF, JOKER, cards_text
from engine.contract import jokers, laying
from engine.contract.laying import refuse_close, refuse_close_holding, refuse_last_discard
from engine.melds import Refusal
from engine.state import CLAIM, DRAW, OVER, PLAY, State, replaced
from engine.text import message

_CLAIM_OR_PASS: Final[list[a.Action]] = [a.CLAIM, a.PASS]


def legal(state: State) -> list[a.Action]:
    """Return the actions that are legal now, in a fixed order; lay-downs are listed by `laying.legal_lay_downs`."""
    if state.phase is CLAIM:
        return _CLAIM_OR_PASS  # only a seat that may claim is asked
    if state.phase is DRAW:
        return _legal_draws(state)
    return _legal_plays(state) if state.phase is PLAY else []


def refusal(state: State, action: a.Action) -> Refusal | None:
    """Return why the action is not legal now; None if it is."""
    if state.phase is DRAW:
        return _refuse_draw(state, action)
    if state.phase is CLAIM:
        return _refuse_answer(state, action)
    return _refuse_play(state, action)


def apply(state: State, action: a.Action) -> None:
    """Apply the action, which is known to be legal."""
    if state.phase is DRAW:
        _apply_draw(state, action)
    elif state.phase is CLAIM:
        _apply_claim(state, action)
    else:
        _apply_play(state, action)


# --- the draw -------------------------------------------------------------------------------------------


def _legal_draws(state: State) -> list[a.Action]:
    """Return the ways to draw: the top card of the stock or the top discard (003/1.5)."""
    actions: list[a.Action] = []
    if state.can_draw():
        actions.append(a.DRAW_STOCK)
    if state.fresh and state.pile:
        actions.append(a.DRAW_DISCARD)
    return actions


def _refuse_draw(state: State, action: a.Action) -> Refusal | None:
    """Return why the action may not begin the turn."""
    rules = state.rules
    if isinstance(action, a.DrawStock):
        return None if state.can_draw() else Refusal(rules.section("1.5"), "the stock is empty")
    if isinstance(action, a.DrawDiscard):
        return None if state.fresh and state.pile else Refusal(rules.section("1.6"), "that discard is covered")
    return Refusal(rules.section("1.5"), "a turn begins by drawing the top card of the stock or the top discard")


def _apply_draw(state: State, action: a.Action) -> None:
    """Draw; after a draw from the stock, the other players may claim the discard (003/1.6)."""
    seat = state.turn
    if isinstance(action, a.DrawDiscard):
        face = state.pile.pop()
        state.fresh = False
        state.taken = face
        state.show(seat, face)
        state.phase = PLAY
        return
    state.hands[seat].add(state.draw())
    state.asked = seat
    state.phase = CLAIM
    ask_next(state)


# --- the claim window -----------------------------------------------------------------------------------


def refuse_claim(state: State, seat: int) -> Refusal | None:
    """Return why the seat may not claim the top discard after the player in turn has drawn from the stock (003/1.6)."""
    cached, rules = state.cached, state.rules
    if cached.claim_who == "nobody":
        return Refusal(rules.clause("claim.who"), "nobody may claim a discard out of turn")
    if not (state.fresh and state.pile):
        return Refusal(rules.clause("claim.who"), "that discard is covered")
    if seat == state.discarder and cached.claim_own_discard == "forbidden":
        return Refusal(rules.clause("claim.own_discard"), "a player may not claim their own discard")
    if state.down[seat] and cached.claim_when_down == "forbidden":
        return Refusal(rules.clause("claim.when_down"), "a player who has laid down may not claim")
    if cached.claim_limit is not None and state.claims[seat] >= cached.claim_limit:
        return Refusal(
            rules.clause("claim.limit"),
            message("a player may claim {claim_limit} times in a hand", claim_limit=cached.claim_limit),
        )
    # `can_draw` also counts the discards under the claimed one, which may be shuffled to give the penalty card
    # (engine/SILENT.md, 5.8).
    if not state.can_draw() and cached.claim_penalty != "none":
        return Refusal(rules.clause("claim.penalty"), "there is no penalty card to take with it")
    return None


def ask_next(state: State) -> None:
    """Ask the next seat in turn order that may claim, the discarder last; if there is none, the turn continues."""
    seat = (state.asked + 1) % state.players
    while seat != state.turn:
        if refuse_claim(state, seat) is None:
            state.asked = seat
            return
        seat = (seat + 1) % state.players
    state.asked = -1
    state.phase = PLAY


def _refuse_answer(state: State, action: a.Action) -> Refusal | None:
    """Return why the action is no answer in the claim window."""
    if isinstance(action, (a.Claim, a.Pass)):
        return None
    return Refusal(state.rules.section("1.6"), "out of turn a player may only claim the top discard or pass")


def _apply_claim(state: State, action: a.Action) -> None:
    """Apply the answer: a claim takes the discard and the penalty card, and ends the claim window (003/1.6).

    It counts towards the limit, and a pass does not (003/2.10).
    """
    seat = state.asked
    if isinstance(action, a.Pass):
        ask_next(state)
        return
    state.claims = replaced(state.claims, seat, state.claims[seat] + 1)
    face = state.pile.pop()
    state.fresh = False
    state.show(seat, face)
    if state.cached.claim_penalty != "none":
        state.hands[seat].add(state.draw_penalty())
    state.asked = -1
    state.phase = PLAY


# --- the turn -------------------------------------------------------------------------------------------


def _legal_plays(state: State) -> list[a.Action]:
    """Return the legal actions of the player in turn after the draw and the claims, except lay-downs."""
    actions: list[a.Action] = []
    if state.down[state.turn]:
        actions += laying.legal_lay_offs(state)
        actions += laying.legal_closable_swaps(state)
        jokers.add_moves(state, actions)
        if state.undo_point is not None and laying.refuse_take_back(state) is None:
            actions.append(a.TAKE_BACK)
        actions += closings(state)
    actions += discards(state)
    return actions


def closings(state: State) -> list[a.Action]:
    """Return the ways in which the player in turn may end the hand without discarding the last card."""
    actions: list[a.Action] = []
    if len(state.hands[state.turn]) == 0 and refuse_close(state) is None:
        actions.append(a.CLOSE)
    if state.cached.closing_held is not None:
        for face in state.hands[state.turn].distinct():
            action = a.CloseHolding(face)
            if refuse_close_holding(state, action) is None:
                actions.append(action)
    return actions


def discards(state: State) -> list[a.Discard]:
    """Return the legal discards of the player in turn."""
    hand, taken, discard_of = state.hands[state.turn], state.taken, a.DISCARDS
    actions: list[a.Discard] = []
    last = len(hand) == 1
    rest: i64 = hand.once
    while rest:
        low: i64 = rest & -rest
        face = FACE_OF[low % 67]
        # Of naturals, only the last card and the card just taken can be refused. The others skip the full check, for
        # speed: most legal actions are discards.
        if not (last or face == taken) or refuse_discard(state, face) is None:
            actions.append(discard_of[face])
        rest ^= low
    if hand.jokers and refuse_discard(state, JOKER) is None:
        actions.append(discard_of[JOKER])
    return actions


def _refuse_play(state: State, action: a.Action) -> Refusal | None:
    """Return why the player in turn may not take this action after the draw."""
    if isinstance(action, (a.Discard, a.LayOff, a.SwapJoker)) and not 0 <= action.face <= JOKER:
        return Refusal(state.rules.section("1.1"), "the packs have no such card")
    if isinstance(action, a.Discard):
        return refuse_discard(state, action.face)
    if isinstance(action, a.Close):
        return refuse_close(state)
    if isinstance(action, a.CloseHolding):
        return refuse_close_holding(state, action)
    if isinstance(action, (a.DrawStock, a.DrawDiscard, a.Claim, a.Pass)):
        return Refusal(state.rules.section("1.5"), "a card has already been drawn in this turn")
    if isinstance(action, (a.Knock, a.Declare)):
        return Refusal(state.rules.section("1.10"), "a hand with a contract is closed; nobody knocks or declares")
    return laying.refuse(state, action)


def refuse_discard(state: State, face: int) -> Refusal | None:
    """Return why this card may not be discarded; for the last card, which closes, only the rules of closing count."""
    hand = state.hands[state.turn]
    if face not in hand:
        return Refusal(state.rules.section("1.5"), message("{cards} is not in the hand", cards=cards_text([face])))
    if len(hand) == 1:
        return refuse_last_discard(state)
    if face == JOKER and state.cached.discarding_jokers == "forbidden" and hand.jokers < len(hand):
        return Refusal(
            state.rules.clause("discarding.jokers"), "a joker is discarded only by a player who holds nothing else"
        )
    if face == state.taken and state.cached.discarding_taken == "forbidden" and _has_another(state, face):
        return Refusal(
            state.rules.clause("discarding.taken"), "the discard just taken may not be discarded again at once"
        )
    return None


def _has_another(state: State, face: int) -> bool:
    """Return whether the player in turn holds another card to discard instead."""
    others = [other for other in state.hands[state.turn].distinct() if other != face]
    return any(refuse_discard(state, other) is None for other in others)


def _apply_play(state: State, action: a.Action) -> None:
    if isinstance(action, a.Discard):
        _discard(state, action.face)
        return
    if isinstance(action, a.Close):
        state.all_placed = True
        _close(state)
        return
    if isinstance(action, a.CloseHolding):
        state.lose(state.turn, action.face)
        state.pile.append(action.face)
        _close(state)
        return
    laying.apply(state, action)


def _discard(state: State, face: int) -> None:
    seat = state.turn
    state.lose(seat, face)
    state.pile.append(face)
    state.fresh = True
    state.discarder = seat
    if len(state.hands[seat]) == 0:
        _close(state)
    else:
        _next_turn(state)


def _next_turn(state: State) -> None:
    """Pass the turn; the hand is dead when the stock has run out and no shuffle is left [A-09].

    With a shuffle left but nothing to shuffle, because hands and table hold every card but one discard, that discard is
    the only card to draw. Nothing would ever end such a hand, so it is dead too once every seat in a row has begun a
    turn without a card to draw from the stock: our own decision, as A-09 is.
    """
    state.turn = (state.turn + 1) % state.players
    state.turns += 1
    state.undo_point = None
    if state.seen_tables:
        state.seen_tables = []
    state.taken = -1
    state.empty_draws = 0 if state.can_draw() else state.empty_draws + 1
    used_up = not state.stock and not state.penalty and state.shuffles >= state.rules.shuffles
    state.phase = OVER if used_up or state.empty_draws > state.players else DRAW


def _close(state: State) -> None:
    state.closer = state.turn
    state.phase = OVER
