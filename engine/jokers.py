"""Jokers in the runs on the table: exchanged for the cards that they stand for, and moved (1.9).

Where red twos are wild, a wild two of a run is a joker here.
"""

from typing import Final, Literal

from engine import actions as a
from engine.cards import BIT, JOKER, cards_text
from engine.melds import HIGH, LOW, RUN, TRIO, Meld, Refusal, exchanged, fits_at, laid_off, without_end
from engine.state import State, replaced

ENDS: Final = (LOW, HIGH)

Field = Literal["jokers.freed", "jokers.move"]
"""The field that says where a joker may go: after an exchange, or without."""


def on_table(state: State, meld: int, end: int) -> bool:
    """Whether there is that end of that meld: an act made by a program may name anything."""
    return 0 <= meld < len(state.melds) and end in ENDS


def legal_swaps(state: State) -> list[a.SwapJoker]:
    """Every exchange of a card in the hand of the player in turn, with every place for the joker."""
    acts: list[a.SwapJoker] = []
    hand = state.hands[state.turn]
    for place, meld in enumerate(state.melds):
        if meld.stood_for() & hand.once:
            for face in hand.distinct():
                if face < JOKER and meld.stood_for() & BIT[face]:
                    _list_swaps(state, place, face, acts)
    return acts


def _list_swaps(state: State, place: int, face: int, acts: list[a.SwapJoker]) -> None:
    """Adds the exchanges of this card for jokers of that meld."""
    meld = state.melds[place]
    for run in exchanged(meld, face):
        spot = _changed(run, meld)
        for target in _within_reach(state, place, "jokers.freed"):
            to = run if target == place else state.melds[target]
            for end in range(2):  # LOW and HIGH
                if fits_at(state.rules, to, meld.cards[spot], end):
                    act = a.SwapJoker(face, place, spot, target, end)
                    if refuse_swap(state, act) is None:
                        acts.append(act)


def _changed(run: Meld, before: Meld) -> int:
    """The place at which the two runs differ."""
    place = 0
    while run.cards[place] == before.cards[place]:
        place += 1
    return place


def _within_reach(state: State, meld: int, field: Field) -> list[int]:
    """The melds that a joker from that run may go to, were there room: `_refuse_place` says why to no other."""
    terms, was_exchanged = state.terms, field == "jokers.freed"
    anybodys = was_exchanged and not terms.jokers_freed_stays_with_owner
    trios = was_exchanged and terms.jokers_freed == "any other run or trio"
    owner, found = state.owners[meld], []
    for target, other in enumerate(state.melds):
        if (trios or other.kind == RUN) and (anybodys or state.owners[target] == owner):
            found.append(target)
    return found


def list_moves(state: State, acts: list[a.Action]) -> None:
    """Adds every move of a joker from an end of a run."""
    for place, meld in enumerate(state.melds):
        for origin in range(2):
            rest = without_end(meld, origin)
            if rest is None:
                continue
            for target in _within_reach(state, place, "jokers.move"):
                to = rest if target == place else state.melds[target]
                for end in range(2):  # LOW and HIGH
                    if fits_at(state.rules, to, end_card(meld, origin), end):
                        act = a.move(place, origin, target, end)
                        if refuse_move(state, act) is None:
                            acts.append(act)


def refuse_swap(state: State, act: a.SwapJoker) -> Refusal | None:
    """Why this exchange for a joker is not allowed: it and the joker's new place are one act (section 5.5)."""
    wrong = _fault_of_swap(state, act)
    if wrong:
        return Refusal(state.rules.clause("jokers.swap"), wrong)
    run = _swapped(state, act)
    assert run is not None
    joker = state.melds[act.meld].cards[act.place]
    return _refuse_leaving(state, act) or _refuse_place(
        state, joker, (act.meld, run), (act.target, act.end), "jokers.freed"
    )


def _fault_of_swap(state: State, act: a.SwapJoker) -> str:
    """What is wrong with the card, or with the joker for which it is exchanged; empty if nothing is."""
    allowed = state.terms.jokers_swap
    if allowed == "none":
        return "jokers on the table may not be exchanged"
    if act.face == JOKER or act.face not in state.hands[state.turn]:
        return "a joker is exchanged for a natural card from the hand"
    if not (on_table(state, act.meld, HIGH) and on_table(state, act.target, act.end)):
        return "there is no such meld on the table"
    if allowed == "own runs" and state.owners[act.meld] != state.turn:
        return "only jokers of one's own runs may be exchanged"
    if _swapped(state, act) is None:
        return f"no joker there stands for {cards_text([act.face])}, or it is one of a trio"
    return ""


def _refuse_leaving(state: State, act: a.SwapJoker) -> Refusal | None:
    """Why the freed joker may not stay in its run, or may not leave it."""
    terms = state.terms
    if act.target == act.meld:
        wrong = "" if terms.jokers_freed_stays_with_owner else "a freed joker goes to another run"
    else:
        bound = terms.jokers_freed == "that run, from an end runs of that owner"
        at_an_end = act.place in (0, len(state.melds[act.meld].cards) - 1)
        wrong = "a joker freed from the middle of a run goes to an end of that run" if bound and not at_an_end else ""
    return Refusal(state.rules.clause("jokers.freed"), wrong) if wrong else None


def _swapped(state: State, act: a.SwapJoker) -> Meld | None:
    """The run after the natural card has gone in, its joker out; None if there is no such joker."""
    meld = state.melds[act.meld]
    for run in exchanged(meld, act.face):
        if 0 <= act.place < len(meld.cards) and run.cards[act.place] != meld.cards[act.place]:
            return run
    return None


def _refuse_place(
    state: State,
    joker: int,
    left: tuple[int, Meld],
    spot: tuple[int, int],
    field: Field,
) -> Refusal | None:
    """Why a joker that left a run, with what that run is now, may not go to that spot: a meld and its end."""
    rules, (meld, rest), (target, end) = state.rules, left, spot
    other = rest if target == meld else state.melds[target]
    terms, was_exchanged = state.terms, field == "jokers.freed"
    if other.kind != RUN and not (was_exchanged and terms.jokers_freed == "any other run or trio"):
        return Refusal(rules.clause(field), "a joker from a run goes to a run")
    if (terms.jokers_freed_stays_with_owner or not was_exchanged) and state.owners[target] != state.owners[meld]:
        return Refusal(rules.clause(field), "a joker stays in the runs of the player who laid it")
    if not fits_at(rules, other, joker, end):
        return Refusal(_misfit(state, other, end), f"a joker does not fit there on {other}")
    return None


def _misfit(state: State, meld: Meld, end: int) -> str:
    """The clause that keeps a joker from that end of the meld."""
    clause, rules = state.rules.clause, state.rules
    if meld.kind == TRIO:
        return clause("trio.most")
    if rules.run.most is not None and len(meld.cards) >= rules.run.most:
        return clause("run.most")
    beside_joker = rules.run.jokers_adjacent == "forbidden" and end_card(meld, end) >= JOKER
    return clause("run.jokers_adjacent" if beside_joker else "run.ace")


def refuse_move(state: State, act: a.MoveJoker) -> Refusal | None:
    """Why the joker may not move: four cards must stay, one whole run, and nothing repeats (section 5.5)."""
    wrong = _fault_of_move(state, act)
    if wrong:
        return Refusal(state.rules.clause("jokers.move"), wrong)
    rest = without_end(state.melds[act.meld], act.origin)
    assert rest is not None
    joker = end_card(state.melds[act.meld], act.origin)
    misplaced = _refuse_place(state, joker, (act.meld, rest), (act.target, act.end), "jokers.move")
    if misplaced is None and state.seen and _moved(state, act, rest) in state.seen:
        return Refusal(state.rules.clause("jokers.move"), "the table has looked like that in this turn already")
    return misplaced


def _fault_of_move(state: State, act: a.MoveJoker) -> str:
    """What is wrong with the joker, or with the run that it leaves; empty if nothing is."""
    allowed, least = state.terms.jokers_move, state.terms.run_least
    if allowed == "none":
        return "jokers on the table may not be moved"
    if not (on_table(state, act.meld, act.origin) and on_table(state, act.target, act.end)):
        return "there is no such meld on the table"
    if allowed == "own runs" and state.owners[act.meld] != state.turn:
        return "only jokers of one's own runs may be moved"
    meld = state.melds[act.meld]
    if meld.kind != RUN or end_card(meld, act.origin) < JOKER:
        return "only a joker at the end of a run can be moved"
    if act.target == act.meld and act.end == act.origin:
        return "the joker is there already"
    if act.target != act.meld and len(meld.cards) <= least:
        return f"the run must keep at least {least} cards"
    return ""


def _moved(state: State, act: a.MoveJoker, rest: Meld) -> tuple[Meld, ...]:
    """The melds on the table after the joker's move."""
    melds = replaced(state.melds, act.meld, rest)
    longer = added(state, melds[act.target], end_card(state.melds[act.meld], act.origin), act.end)
    return replaced(melds, act.target, longer)


def swap(state: State, act: a.SwapJoker) -> None:
    """Does the exchange; it has been found legal."""
    run = _swapped(state, act)
    assert run is not None
    joker = state.melds[act.meld].cards[act.place]
    state.lose(state.turn, act.face)
    melds = replaced(state.melds, act.meld, run)
    state.melds = replaced(melds, act.target, added(state, melds[act.target], joker, act.end))


def move(state: State, act: a.MoveJoker) -> None:
    """Moves the joker; the move has been found legal."""
    rest = without_end(state.melds[act.meld], act.origin)
    assert rest is not None
    state.melds = _moved(state, act, rest)


def added(state: State, meld: Meld, face: int, end: int) -> Meld:
    """The meld with a card added that fits there, a red two in its role."""
    longer = laid_off(state.rules, meld, face, end)
    assert longer is not None
    return longer


def end_card(meld: Meld, end: int) -> int:
    return meld.cards[0 if end == LOW else -1]
