"""Melds on the table: laying down, taking back, laying off, and closing. Jokers have their own module, `jokers`."""

from collections.abc import Iterator
from typing import final

from mypy_extensions import i64, mypyc_attr

from engine import actions as a
from engine.cards import FACE_BIT, FACE_OF, JOKER, WILD_TWOS, cards_text, held_face
from engine.contract import jokers
from engine.melds import HIGH, LOW, RUN, TRIO, Meld, Refusal, fault, fits_at, laid_off, roles, run_suit, trio_rank
from engine.rules import Rules
from engine.scoring import only_at_once, points_of
from engine.solver import possible
from engine.solver.minimal_melds import LayDowns
from engine.state import State, UndoPoint, replaced
from engine.text import marked, message


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


@final
@mypyc_attr(acyclic=True)
class LegalLayDowns:
    """An iterator over the legal lay-downs of melds of minimum size; each is found on demand."""

    __slots__ = ("_downs", "_state", "_unrestricted")

    def __init__(self, state: State) -> None:
        cached = state.cached
        self._state = state
        self._downs = LayDowns(state.rules, state.deal.contract, state.hands[state.turn])
        self._unrestricted = (
            cached.laying_distinct == "no"
            and cached.closing_last_discard == "allowed"
            and cached.closing_all_placed == "allowed"
        )

    def __iter__(self) -> Iterator[a.Action]:
        return self

    def __next__(self) -> a.Action:
        melds = self._downs.following()
        while melds is not None:
            if self._unrestricted or refuse_lay_down(self._state, melds) is None:
                return a.LayDown(melds)
            melds = self._downs.following()
        raise StopIteration


def legal_lay_downs(state: State) -> LegalLayDowns | None:
    """Return the legal lay-downs of melds of minimum size; None if there can be none."""
    if _refuse_first_turn(state) is not None:
        return None
    return LegalLayDowns(state) if possible(state.rules, state.deal.contract, state.hands[state.turn]) else None


def legal_lay_offs(state: State) -> list[a.LayOff]:
    """Return every legal lay-off of the player in turn."""
    actions: list[a.LayOff] = []
    rules, table = state.rules, state.melds
    for face in _fitting_faces(state):
        bit: i64 = FACE_BIT[face]
        for number, meld in enumerate(table):
            for end in range(2):  # LOW and HIGH
                if meld.fitting(rules, end) & bit and not _fault_of_meld(state, number):
                    action = a.lay_offs(number)[2 * face + end]
                    if _refuse_same_rank(state, action) is None and _refuse_last_cards(state, action, 1) is None:
                        actions.append(action)
    return actions


def legal_closable_swaps(state: State) -> list[a.SwapJoker]:
    """Return every exchange for a joker after which the player in turn can still close or discard."""
    return [action for action in jokers.legal_swaps(state) if _refuse_last_cards(state, action, 1) is None]


def _fitting_faces(state: State) -> list[int]:
    """Return the faces held by the player in turn that fit on some meld, in ascending order; the joker last."""
    hand, rules, faces = state.hands[state.turn], state.rules, []
    fitting: i64 = 0
    for meld in state.melds:
        fitting |= meld.fitting(rules, LOW) | meld.fitting(rules, HIGH)
    naturals: i64 = fitting & hand.once
    while naturals:
        low: i64 = naturals & -naturals
        faces.append(FACE_OF[low % 67])
        naturals ^= low
    if hand.jokers and fitting & FACE_BIT[JOKER]:
        faces.append(JOKER)
    return faces


def refuse(state: State, action: a.Action) -> Refusal | None:
    """Return why the player in turn may not change the table in this way."""
    if isinstance(action, a.LayDown):
        return refuse_lay_down(state, action.melds)
    if isinstance(action, a.TakeBack):
        return refuse_take_back(state)
    if not state.down[state.turn]:
        return Refusal(state.rules.section("1.8"), "only a player who has laid down may touch the melds on the table")
    if isinstance(action, a.LayOff):
        return refuse_lay_off(state, action)
    if isinstance(action, a.SwapJoker):
        return jokers.refuse_swap(state, action) or _refuse_last_cards(state, action, 1)
    assert isinstance(action, a.MoveJoker)
    return jokers.refuse_move(state, action)


def refuse_lay_down(state: State, melds: tuple[Meld, ...]) -> Refusal | None:
    """Return why these melds may not be laid down: they must be the whole contract, each complete (003/1.8)."""
    rules, seat = state.rules, state.turn
    if state.down[seat]:
        return Refusal(
            rules.clause("laying.longer_melds"), "a player lays down once in a hand; later cards are laid off"
        )
    too_early = _refuse_first_turn(state)
    if too_early is not None:
        return too_early
    contract, laid = state.deal.contract, "".join(sorted((meld.kind for meld in melds), reverse=True))
    if laid != "".join(sorted(contract, reverse=True)):
        reason = message("the contract is {contract}, and no meld is laid down", contract=contract)
        if laid:
            reason = message("the contract is {contract}, these melds are {laid}", contract=contract, laid=laid)
        return Refusal(rules.clause("hands.order"), reason)
    if not all(0 <= face <= WILD_TWOS[-1] for meld in melds for face in meld.cards):
        return Refusal(rules.section("1.1"), "the packs have no such card")
    melds = _as_laid(state, melds)
    for meld in melds:
        refusal = fault(rules, meld.kind, meld.cards) or refuse_longer(rules, meld)
        if refusal is not None:
            return refusal
    cards = [held_face(face) for meld in melds for face in meld.cards]
    if not state.hands[seat].holds(cards):
        return Refusal(rules.section("1.8"), "not all of these cards are in the hand")
    return refuse_alike(state.rules, melds) or _refuse_last_cards(state, a.LayDown(melds), len(cards))


def _as_laid(state: State, melds: tuple[Meld, ...]) -> tuple[Meld, ...]:
    """Return the melds with each red two marked as natural or wild by its place (engine/SILENT.md, 5.7)."""
    rules = state.rules
    if rules.pack.wild_twos == "none":
        return melds
    return tuple([Meld(meld.kind, roles(rules, meld.kind, [held_face(face) for face in meld.cards])) for meld in melds])


def _refuse_first_turn(state: State) -> Refusal | None:
    """Return why the player in turn may not lay down yet: it is their first turn of the hand [A-41]."""
    if state.cached.laying_first_turn == "allowed" or state.turns > state.players:
        return None
    return Refusal(state.rules.clause("laying.first_turn"), "a player lays down from their second turn on")


def refuse_alike(rules: Rules, melds: tuple[Meld, ...]) -> Refusal | None:
    """Return why two melds of a contract are too similar, where the rules want them distinct [A-35].

    A trio of jokers has no rank. Red twos must already be marked as natural or wild.
    """
    if rules.contracts.laying.distinct == "no":
        return None
    clause = rules.clause("laying.distinct")
    ranks = [trio_rank(meld.cards) for meld in melds if meld.kind == TRIO]
    suits = [run_suit(meld.cards) for meld in melds if meld.kind == RUN]
    if any(ranks.count(rank) > 1 for rank in ranks if rank >= 0):
        return Refusal(clause, "the trios of a contract must be of different ranks")
    if len(set(suits)) < len(suits):
        return Refusal(clause, "the runs of a contract must be of different suits")
    return None


def _refuse_last_cards(state: State, action: a.Action, cards: int) -> Refusal | None:
    """Return why `cards` cards may not be laid: the rest could neither be discarded nor close the hand."""
    left = len(state.hands[state.turn]) - cards
    if left > 1:
        return None
    return refuse_few_left(state, left) or (_refuse_stranded_card(state, action) if left == 1 else None)


def _refuse_stranded_card(state: State, action: a.Action) -> Refusal | None:
    """Return why the player may not keep one card only: it may not be discarded, and could not be laid off."""
    if state.cached.closing_last_discard == "allowed":
        return None
    after = state.clone()
    apply(after, action)
    if legal_lay_offs(after) or jokers.legal_swaps(after):
        return None
    return Refusal(
        state.rules.clause("closing.last_discard"), "the last card must be laid off, and it would fit nowhere"
    )


def refuse_longer(rules: Rules, meld: Meld) -> Refusal | None:
    """Return why the meld is longer than the minimum, where only the minimum may be laid down (002/1.8, 004/1.7)."""
    allowed = rules.contracts.laying.longer_melds
    if allowed == "allowed" or (allowed == "trios" and meld.kind == TRIO):
        return None
    least = rules.trio.least if meld.kind == TRIO else rules.run.least
    if len(meld.cards) == least:
        return None
    return Refusal(
        rules.clause("laying.longer_melds"),
        message("a trio is laid down with {least} cards; more are laid off afterwards", least=least)
        if meld.kind == TRIO
        else message("a run is laid down with {least} cards; more are laid off afterwards", least=least),
    )


def refuse_lay_off(state: State, action: a.LayOff) -> Refusal | None:
    """Return why the card may not be laid off there (003/1.8)."""
    fault_text = _fault_of_lay_off(state, action)
    if fault_text:
        return Refusal(state.rules.clause("laying.lay_off"), fault_text)
    if not fits_at(state.rules, state.melds[action.meld], action.face, action.end):
        reason = message(
            "{cards} does not fit there on {melds}",
            cards=cards_text([action.face]),
            melds=cards_text(state.melds[action.meld].cards),
        )
        return Refusal(state.rules.section("1.8"), reason)
    return _refuse_same_rank(state, action) or _refuse_last_cards(state, action, 1)


def _fault_of_lay_off(state: State, action: a.LayOff) -> str:
    """Return why the card may not be laid off there, apart from whether it fits; empty if it may."""
    if action.face not in state.hands[state.turn]:
        return message("{cards} is not in the hand", cards=cards_text([action.face]))
    if not jokers.on_table(state, action.meld, action.end):
        return message("there is no meld {meld} on the table", meld=action.meld + 1)
    return _fault_of_meld(state, action.meld)


def _fault_of_meld(state: State, meld: int) -> str:
    """Return why nothing may be laid off on the meld, whatever fits; empty if something may."""
    allowed = state.cached.laying_lay_off
    if allowed == "any meld":
        return ""
    own = state.owners[meld] == state.turn
    if allowed == "none":
        return marked("nothing may be laid off")
    if allowed == "own melds" and not own:
        return marked("a player may lay off on their own melds only")
    if allowed == "others' melds" and own:
        return marked("a player may lay off on the melds of others only")
    return ""


def _refuse_same_rank(state: State, action: a.LayOff) -> Refusal | None:
    """Return why a trio of jokers may not take this rank: its owner has another trio of it (engine/SILENT.md, 5.6)."""
    meld = state.melds[action.meld]
    if state.cached.laying_distinct == "no" or meld.kind != TRIO or trio_rank(meld.cards) >= 0:
        return None
    with_rank = laid_off(state.rules, meld, action.face, action.end)
    assert with_rank is not None
    owner = state.owners[action.meld]
    others = [other for at, other in enumerate(state.melds) if state.owners[at] == owner and at != action.meld]
    return refuse_alike(state.rules, (*others, with_rank))


def refuse_take_back(state: State) -> Refusal | None:
    """Return why nothing can be taken back: only a lay-down of this turn can (003/1.8)."""
    if state.cached.laying_taking_back == "same turn" and state.undo_point is not None:
        return None
    return Refusal(state.rules.clause("laying.taking_back"), "a lay-down can be taken back in its own turn only")


def apply(state: State, action: a.Action) -> None:
    """Apply the action to the table and add the melds before it to `seen_tables` (engine/SILENT.md, 5.5)."""
    if isinstance(action, a.TakeBack):
        _take_back(state)
        return
    before = state.melds
    if isinstance(action, a.LayDown):
        _lay_down(state, action.melds)
    elif isinstance(action, a.LayOff):
        state.lose(state.turn, action.face)
        longer = jokers.lengthened(state, state.melds[action.meld], action.face, action.end)
        state.melds = replaced(state.melds, action.meld, longer)
    elif isinstance(action, a.SwapJoker):
        jokers.apply_swap(state, action)
    elif isinstance(action, a.MoveJoker):
        jokers.apply_move(state, action)
    state.seen_tables.append(before)


def _lay_down(state: State, melds: tuple[Meld, ...]) -> None:
    seat = state.turn
    state.undo_point = UndoPoint(state.melds, state.owners, state.hands[seat].copy(), state.known[seat])
    laid = _as_laid(state, melds)
    for meld in laid:
        for face in meld.cards:
            state.lose(seat, held_face(face))
    state.melds += laid
    state.owners += (seat,) * len(laid)
    state.down = replaced(state.down, seat, state.turns)


def _take_back(state: State) -> None:
    """Move all cards laid since the draw back to the hand, where everybody knows them (engine/SILENT.md, 5.3).

    `seen_tables` is emptied: a joker move that was taken back may be made again.
    """
    undo_point, seat = state.undo_point, state.turn
    assert undo_point is not None
    known = undo_point.known.copy()
    laid = undo_point.hand.copy()
    for face in state.hands[seat].cards():
        laid.remove(face)
    for face in laid.distinct():
        while known.count(face) < laid.count(face):
            known.add(face)
    state.hands[seat] = undo_point.hand.copy()
    state.known = replaced(state.known, seat, known)
    state.melds = undo_point.melds
    state.owners = undo_point.owners
    state.down = replaced(state.down, seat, 0)
    state.undo_point = None
    state.seen_tables = []
