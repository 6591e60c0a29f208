"""Jokers in the runs on the table: exchanged for the cards that they stand for, and moved (003/1.9).

Where red twos are wild, a wild two of a run is a joker here.
"""

from typing import Final, Literal

from mypy_extensions import i64

from engine import actions as a
from engine.cards import FACE_OF, JOKER, cards_text
from engine.melds import HIGH, LOW, RUN, TRIO, Meld, Refusal, fits_at, laid_off, without_end
from engine.state import State
from engine.text import marked, message

ENDS: Final = (LOW, HIGH)

Field = Literal["jokers.freed", "jokers.move"]
"""The rule that says where a joker may go: after an exchange, or by a move."""
FREED: Final[Field] = "jokers.freed"
MOVED: Final[Field] = "jokers.move"


def on_table(state: State, meld: int, end: int) -> bool:
    """Return whether the meld (from 0) and its end exist; actions made by a program may have any numbers."""
    return 0 <= meld < len(state.melds) and end in ENDS


def legal_swaps(state: State) -> list[a.SwapJoker]:
    """Return every exchange of a card of the player in turn for a joker, with every end to which the joker may go."""
    actions: list[a.SwapJoker] = []
    held = state.hands[state.turn].once
    for number, meld in enumerate(state.melds):
        rest: i64 = meld.stood_for() & held
        if rest and not _fault_of_run(state, number):
            while rest:
                low: i64 = rest & -rest
                _add_swaps(state, number, FACE_OF[low % 67], actions)
                rest ^= low
    return actions


def _add_swaps(state: State, number: int, face: int, actions: list[a.SwapJoker]) -> None:
    """Add to `actions` the exchanges of `face` for jokers of the run `number`."""
    meld = state.melds[number]
    for place in meld.jokers_for(face):
        for target, other in enumerate(state.melds):
            if not (
                _fault_of_freed_joker(state, number, place, target) or _fault_of_target(state, number, target, FREED)
            ):
                destination = meld.with_natural(place) if target == number else other
                for end in range(2):  # LOW and HIGH
                    if fits_at(state.rules, destination, meld.cards[place], end):
                        actions.append(a.SwapJoker(face, number, place, target, end))


def add_moves(state: State, actions: list[a.Action]) -> None:
    """Add to `actions` every move of a joker from an end of a run (003/1.9)."""
    for number, meld in enumerate(state.melds):
        for origin in range(2):
            rest = without_end(meld, origin)
            if rest is not None and not _fault_of_mover(state, number, origin):
                _add_moves(state, number, origin, rest, actions)


def _add_moves(state: State, number: int, origin: int, rest: Meld, actions: list[a.Action]) -> None:
    """Add the moves of the joker at the end `origin` of the run `number`; `rest` is the run without it."""
    joker = end_card(state.melds[number], origin)
    for target, other in enumerate(state.melds):
        if _fault_of_target(state, number, target, MOVED):
            continue
        destination = rest if target == number else other
        for end in range(2):  # LOW and HIGH
            if fits_at(state.rules, destination, joker, end):
                action = a.MoveJoker(number, origin, target, end)
                if not (_fault_of_destination(state, action) or _repeats_table(state, action, rest)):
                    actions.append(action)


def refuse_swap(state: State, action: a.SwapJoker) -> Refusal | None:
    """Return why this exchange, or the new place of the joker, is not allowed (engine/SILENT.md, 5.5)."""
    fault = _fault_of_swap(state, action)
    if fault:
        return Refusal(state.rules.clause("jokers.swap"), fault)
    meld = state.melds[action.meld]
    fault = _fault_of_freed_joker(state, action.meld, action.place, action.target)
    fault = fault or _fault_of_target(state, action.meld, action.target, FREED)
    if fault:
        return Refusal(state.rules.clause("jokers.freed"), fault)
    destination = meld.with_natural(action.place) if action.target == action.meld else state.melds[action.target]
    return _refuse_misfit(state, meld.cards[action.place], destination, action.end)


def _fault_of_swap(state: State, action: a.SwapJoker) -> str:
    """Return what is wrong with the card, or with the joker for which it is exchanged (003/1.9); empty if it may be."""
    fault = _fault_of_run(state, action.meld) or _fault_of_spot(state, action.target, action.end)
    if fault:
        return fault
    if action.face == JOKER or action.face not in state.hands[state.turn]:
        return marked("a joker is exchanged for a natural card from the hand")
    if action.place not in state.melds[action.meld].jokers_for(action.face):
        return message(
            "no joker there stands for {cards}; jokers of a trio cannot be exchanged", cards=cards_text([action.face])
        )
    return ""


def _fault_of_run(state: State, meld: int) -> str:
    """Return why no joker of the run may be exchanged, whatever the card (003/1.9); empty if one may be."""
    allowed = state.cached.jokers_swap
    if allowed == "none":
        return marked("jokers on the table may not be exchanged")
    fault = _fault_of_spot(state, meld, HIGH)
    if not fault and allowed == "own runs" and state.owners[meld] != state.turn:
        return marked("only jokers of a player's own runs may be exchanged")
    return fault


def _fault_of_spot(state: State, meld: int, end: int) -> str:
    """Return what is wrong with the numbers of a meld and of its end; empty if both exist."""
    return (
        "" if on_table(state, meld, end) else marked("there is no such meld on the table, or the meld has no such end")
    )


def _fault_of_freed_joker(state: State, meld: int, place: int, target: int) -> str:
    """Return why the freed joker may not stay in its run, or may not leave it (003/1.9); empty if it may."""
    cached = state.cached
    if target == meld:
        return "" if cached.jokers_freed_stays_with_owner else marked("a freed joker goes to another run")
    if cached.jokers_freed != "that run, from an end runs of that owner":
        return ""
    at_an_end = place in (0, len(state.melds[meld].cards) - 1)
    return "" if at_an_end else marked("a joker freed from the middle of a run goes to an end of that run")


def _fault_of_target(state: State, meld: int, target: int, field: Field) -> str:
    """Return why a joker of the run `meld` may not go to `target`, even if there is room (003/1.9); empty if it may."""
    cached, was_exchanged = state.cached, field == FREED
    if state.melds[target].kind != RUN and not (was_exchanged and cached.jokers_freed == "any other run or trio"):
        return marked("a joker from a run goes to a run")
    if (cached.jokers_freed_stays_with_owner or not was_exchanged) and state.owners[target] != state.owners[meld]:
        return marked("a joker stays in the runs of the player who laid it")
    return ""


def _refuse_misfit(state: State, joker: int, destination: Meld, end: int) -> Refusal | None:
    """Return why there is no room for the joker at that end of the meld (003/1.9)."""
    if fits_at(state.rules, destination, joker, end):
        return None
    return Refusal(
        _misfit_clause(state, destination, end),
        message("a joker does not fit there on {destination}", destination=destination),
    )


def _misfit_clause(state: State, meld: Meld, end: int) -> str:
    """Return the clause that keeps a joker from that end of the meld."""
    clause, rules = state.rules.clause, state.rules
    if meld.kind == TRIO:
        return clause("trio.most")
    if rules.run.most is not None and len(meld.cards) >= rules.run.most:
        return clause("run.most")
    beside_joker = rules.run.jokers_adjacent == "forbidden" and end_card(meld, end) >= JOKER
    return clause("run.jokers_adjacent" if beside_joker else "run.ace")


def refuse_move(state: State, action: a.MoveJoker) -> Refusal | None:
    """Return why the joker may not move to that place.

    A run must stay long enough, and no earlier table may come back (engine/SILENT.md, 5.5).
    """
    fault = _fault_of_move(state, action) or _fault_of_target(state, action.meld, action.target, MOVED)
    if fault:
        return Refusal(state.rules.clause("jokers.move"), fault)
    meld = state.melds[action.meld]
    rest = without_end(meld, action.origin)
    assert rest is not None
    destination = rest if action.target == action.meld else state.melds[action.target]
    refusal = _refuse_misfit(state, end_card(meld, action.origin), destination, action.end)
    if refusal is None and _repeats_table(state, action, rest):
        return Refusal(
            state.rules.clause("jokers.move"), "this would put the melds back as they were earlier in the same turn"
        )
    return refusal


def _fault_of_move(state: State, action: a.MoveJoker) -> str:
    """Return what is wrong with the joker, or with the run that it leaves; empty if the joker may leave it."""
    fault = _fault_of_mover(state, action.meld, action.origin) or _fault_of_spot(state, action.target, action.end)
    if fault:
        return fault
    if without_end(state.melds[action.meld], action.origin) is None:
        return marked("only a joker at the end of a run can be moved")
    return _fault_of_destination(state, action)


def _fault_of_mover(state: State, meld: int, origin: int) -> str:
    """Return why no joker at the end `origin` of the run may be moved (003/1.9); empty if one may be."""
    allowed = state.cached.jokers_move
    if allowed == "none":
        return marked("jokers on the table may not be moved")
    fault = _fault_of_spot(state, meld, origin)
    if not fault and allowed == "own runs" and state.owners[meld] != state.turn:
        return marked("only jokers of a player's own runs may be moved")
    return fault


def _fault_of_destination(state: State, action: a.MoveJoker) -> str:
    """Return why the joker may not go there (003/1.9): it is there, or its run gets too short; empty if it may."""
    if action.target == action.meld:
        return marked("the joker is there already") if action.end == action.origin else ""
    least = state.cached.run_least
    return (
        message("the run must keep at least {least} cards", least=least)
        if len(state.melds[action.meld].cards) <= least
        else ""
    )


def _repeats_table(state: State, action: a.MoveJoker, rest: Meld) -> bool:
    """Return whether the move would bring back an earlier table of this turn."""
    return len(state.seen_tables) > 0 and _melds_after_move(state, action, rest) in state.seen_tables


def _melds_after_move(state: State, action: a.MoveJoker, rest: Meld) -> tuple[Meld, ...]:
    """Return the melds on the table after the move; `rest` is the run without the joker."""
    melds, joker = list(state.melds), end_card(state.melds[action.meld], action.origin)
    melds[action.meld] = rest
    melds[action.target] = lengthened(state, melds[action.target], joker, action.end)
    return tuple(melds)


def apply_swap(state: State, action: a.SwapJoker) -> None:
    """Apply the exchange, which is known to be legal."""
    melds, meld = list(state.melds), state.melds[action.meld]
    state.lose(state.turn, action.face)
    melds[action.meld] = meld.with_natural(action.place)
    melds[action.target] = lengthened(state, melds[action.target], meld.cards[action.place], action.end)
    state.melds = tuple(melds)


def apply_move(state: State, action: a.MoveJoker) -> None:
    """Apply the joker's move, which is known to be legal."""
    rest = without_end(state.melds[action.meld], action.origin)
    assert rest is not None
    state.melds = _melds_after_move(state, action, rest)


def lengthened(state: State, meld: Meld, face: int, end: int) -> Meld:
    """Return the meld with a card added at an end where it fits, a red two as wild or natural by its place."""
    longer = laid_off(state.rules, meld, face, end)
    assert longer is not None
    return longer


def end_card(meld: Meld, end: int) -> int:
    """Return the face at an end of a meld."""
    return meld.cards[0 if end == LOW else -1]
