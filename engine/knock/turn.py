"""A knock turn: which actions are legal, what each does, the four ways to end a hand, and its result."""

from engine import actions as a
from engine.cards import JOKER, Faces, card_text
from engine.melds import TRIO, Refusal, is_meld
from engine.rules import Rules
from engine.scoring import HandResult, KnockEnding
from engine.solver.deadwood import all_laid, least_deadwood
from engine.state import DRAW, OVER, PLAY, State
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


DECLARED: tuple[a.DeclaredEnding, ...] = ("continental", "color", "rummy")
"""The ways to declare ten cards, the most profitable first, as `legal` lists them [A-30b]."""


def legal(state: State) -> list[a.Action]:
    """Return the actions that are legal now, in a fixed order."""
    if state.phase is DRAW:
        return _legal_draws(state)
    return _legal_plays(state) if state.phase is PLAY else []


def refusal(state: State, action: a.Action) -> Refusal | None:
    """Return why the action is not legal now; None if it is."""
    return _refuse_draw(state, action) if state.phase is DRAW else _refuse_play(state, action)


def apply(state: State, action: a.Action) -> None:
    """Apply the action, which is known to be legal."""
    if state.phase is DRAW:
        _apply_draw(state, action)
    else:
        _apply_play(state, action)


# --- the draw -------------------------------------------------------------------------------------------


def _legal_draws(state: State) -> list[a.Action]:
    """Return the ways to begin a turn: end the hand, draw from the stock, or take the top discard (001/1.5)."""
    actions: list[a.Action] = []
    knocking = refuse_knock(state) is None
    for ending in DECLARED:
        if ending == "rummy" and not knocking:
            continue  # ten cards in melds leave no deadwood: a player who may not knock has no rummy
        action = a.Declare(ending)
        if refuse_declare(state, action) is None:
            actions.append(action)
    if knocking:
        actions.append(a.KNOCK)
    if state.can_draw():
        actions.append(a.DRAW_STOCK)
    if state.pile:
        actions.append(a.DRAW_DISCARD)
    return actions


def _refuse_draw(state: State, action: a.Action) -> Refusal | None:
    """Return why the action may not begin the turn."""
    clause = state.rules.section("1.5")
    if isinstance(action, a.DrawStock):
        return None if state.can_draw() else Refusal(state.rules.clause("hand.shuffles"), "the stock is empty")
    if isinstance(action, a.DrawDiscard):
        return None if state.pile else Refusal(clause, "there is no discard: the first card comes from the stock")
    if isinstance(action, a.Knock):
        return refuse_knock(state)
    if isinstance(action, a.Declare):
        return refuse_declare(state, action)
    return Refusal(clause, "a turn begins with a draw; instead of it a player may knock or declare")


def _apply_draw(state: State, action: a.Action) -> None:
    if isinstance(action, a.Knock):
        _end(state, "knock")
    elif isinstance(action, a.Declare):
        _end(state, action.ending)
    else:
        _draw(state, action)


def _draw(state: State, action: a.Action) -> None:
    seat = state.turn
    if isinstance(action, a.DrawDiscard):
        state.show(seat, state.pile.pop())
    else:
        state.hands[seat].add(state.draw())
    state.phase = PLAY


# --- the rest of the turn -------------------------------------------------------------------------------


def _legal_plays(state: State) -> list[a.Action]:
    """Return the ways to end a turn: declare ten of the eleven cards with a discard, or only discard."""
    actions: list[a.Action] = []
    hand = state.hands[state.turn]
    ace = state.rules.values.ranks[0]
    points = least_deadwood(state.rules, hand, ace)
    for ending in DECLARED:
        for face in hand.distinct():
            if ending == "rummy" and points > state.rules.points(face):
                continue  # the other ten cannot all be in melds
            action = a.Declare(ending, face)
            if refuse_declare(state, action) is None:
                actions.append(action)
    actions.extend([a.DISCARDS[face] for face in hand.distinct()])
    return actions


def _refuse_play(state: State, action: a.Action) -> Refusal | None:
    """Return why the player in turn may not take this action after the draw."""
    clause = state.rules.section("1.5")
    if isinstance(action, a.Discard):
        return _refuse_discard(state, action.face)
    if isinstance(action, a.Declare):
        return refuse_declare(state, action)
    if isinstance(action, a.Knock):
        return Refusal(state.rules.clause("hand.knock_at"), "a player knocks instead of drawing, not after it")
    if isinstance(action, (a.DrawStock, a.DrawDiscard)):
        return Refusal(clause, "a card has already been drawn in this turn")
    return Refusal(clause, "after the draw a player discards, or declares ten cards with a discard")


def _refuse_discard(state: State, face: int) -> Refusal | None:
    """Return why this card may not be discarded."""
    if not 0 <= face <= JOKER:
        return Refusal(state.rules.section("1.1"), "the packs have no such card")
    if face not in state.hands[state.turn]:
        return Refusal(state.rules.section("1.5"), message("{card} is not in the hand", card=card_text(face)))
    return None


def _apply_play(state: State, action: a.Action) -> None:
    assert isinstance(action, (a.Discard, a.Declare))
    assert action.face is not None
    state.lose(state.turn, action.face)
    state.pile.append(action.face)
    if isinstance(action, a.Declare):
        _end(state, action.ending)
    else:
        _next_turn(state)


def _next_turn(state: State) -> None:
    """Pass the turn; with no card to draw and no shuffle left the hand is dead [A-09]."""
    state.turn = state.deal.next_seat(state.turn)
    state.turns += 1
    state.phase = DRAW if state.can_draw() else OVER


def _end(state: State, ending: KnockEnding) -> None:
    state.ending = ending
    state.closer = state.turn
    state.phase = OVER


# --- the four ways to end a hand ------------------------------------------------------------------------


def refuse_knock(state: State) -> Refusal | None:
    """Return why the player in turn may not knock instead of drawing (001/1.11); aces count `closer_ace`."""
    hand = state.rules.knocking.hand
    points = least_deadwood(state.rules, state.hands[state.turn], hand.closer_ace)
    if points <= hand.knock_at:
        return None
    return Refusal(
        state.rules.clause("hand.knock_at"),
        message(
            "a player knocks with {knock_at} points or less; these cards leave {points}",
            knock_at=hand.knock_at,
            points=points,
        ),
    )


def refuse_declare(state: State, action: a.Declare) -> Refusal | None:
    """Return why the cards may not be declared: all ten before the draw, ten with a discard after it [A-30]."""
    cards = state.hands[state.turn]
    clause = state.rules.clause("hand.declare")
    if state.phase is DRAW:
        if action.face is not None:
            return Refusal(
                clause, message("before the draw a player declares without a discard: {ending}", ending=action.ending)
            )
        if state.rules.knocking.hand.declare == "after drawing":
            return Refusal(clause, "a player declares after drawing")
        return refuse_ending(state.rules, action.ending, cards)
    if action.face is None:
        return Refusal(
            clause, message("after the draw a player declares with a discard, as in {ending} 7h", ending=action.ending)
        )
    refusal_of_card = _refuse_discard(state, action.face)
    if refusal_of_card is not None:
        return refusal_of_card
    cards = cards.copy()
    cards.remove(action.face)
    return refuse_ending(state.rules, action.ending, cards)


# --- the result -----------------------------------------------------------------------------------------


def result(state: State) -> HandResult:
    """Return the result of a finished hand; all but the closer score their least deadwood (001/1.10).

    A dead hand has no closer, and everybody scores their deadwood [A-39].
    """
    rules, ending = state.rules, state.ending
    ace = rules.values.ranks[0]
    points = [least_deadwood(rules, cards, ace) for cards in state.hands]
    if ending is None:
        return HandResult("", tuple(points), None)
    cards = state.hands[state.closer]
    points[state.closer] = closing_points(rules, ending, cards)
    jokers = cards.jokers if ending == "rummy" else 0
    return HandResult("", tuple(points), state.closer, ending=ending, jokers=jokers)
