"""Melds and the table: laying down, taking back, laying off, exchanging and moving jokers."""

from collections.abc import Iterator

from engine import actions as a
from engine.arrange import lay_downs
from engine.cards import JOKER, Faces, cards_text
from engine.closing import refuse_placed_to
from engine.melds import (
    HIGH,
    LOW,
    NAMES,
    RUN,
    TRIO,
    Meld,
    Refusal,
    exchanged,
    fault,
    fits_at,
    run_suit,
    trio_rank,
    with_card,
    without_end,
)
from engine.state import Before, State

_ENDS = (LOW, HIGH)


def legal_when_down(state: State) -> Iterator[a.Action]:
    """Lay-offs, exchanges and moves of jokers, and taking back."""
    hand = state.hands[state.turn]
    yield from _legal_lay_offs(state, hand)
    yield from _legal_swaps(state, hand)
    yield from _legal_moves(state)
    if refuse_take_back(state) is None:
        yield a.TAKE_BACK


def legal_lay_downs(state: State) -> Iterator[a.Action]:
    """Every lay-down of melds of the least size."""
    if _refuse_first_turn(state) is not None:
        return
    laying, closing = state.rules.contracts.laying, state.rules.contracts.closing
    any_will_do = (laying.distinct, closing.last_discard, closing.all_placed) == ("no", "allowed", "allowed")
    for melds in lay_downs(state.rules, state.deal.contract, state.hands[state.turn]):
        if any_will_do or refuse_lay_down(state, melds) is None:
            yield a.LayDown(melds)


def _legal_lay_offs(state: State, hand: Faces) -> Iterator[a.Action]:
    for face in hand.distinct():
        for place, meld in enumerate(state.melds):
            for end in _ENDS:
                act = a.LayOff(face, place, end)
                if fits_at(state.rules, meld, face, end) and refuse_lay_off(state, act) is None:
                    yield act


def _legal_swaps(state: State, hand: Faces) -> Iterator[a.Action]:
    for place, meld in enumerate(state.melds):
        if meld.kind != RUN or JOKER not in meld.cards:
            continue
        for face in hand.distinct():
            for act in _swaps_of(state, place, face):
                if refuse_swap(state, act) is None:
                    yield act


def _swaps_of(state: State, place: int, face: int) -> Iterator[a.SwapJoker]:
    meld = state.melds[place]
    for run in exchanged(meld, face):
        spot = next(at for at, held in enumerate(run.cards) if held != meld.cards[at])
        for target in range(len(state.melds)):
            for end in _ENDS:
                yield a.SwapJoker(face, place, spot, target, end)


def _legal_moves(state: State) -> Iterator[a.Action]:
    for place, meld in enumerate(state.melds):
        if meld.kind != RUN:
            continue
        for origin in _ENDS:
            if without_end(meld, origin) is None:
                continue
            for target, other in enumerate(state.melds):
                if other.kind == RUN:
                    for end in _ENDS:
                        act = a.MoveJoker(place, origin, target, end)
                        if refuse_move(state, act) is None:
                            yield act


def refuse(state: State, act: a.Action) -> Refusal | None:
    """Why the player in turn may not do this to the table."""
    if isinstance(act, a.LayDown):
        return refuse_lay_down(state, act.melds)
    if isinstance(act, a.TakeBack):
        return refuse_take_back(state)
    if not state.down[state.turn]:
        return Refusal(state.rules.section("1.8"), "only who has laid down may touch the melds on the table")
    if isinstance(act, a.LayOff):
        return refuse_lay_off(state, act)
    if isinstance(act, a.SwapJoker):
        return refuse_swap(state, act)
    assert isinstance(act, a.MoveJoker)
    return refuse_move(state, act)


def _on_table(state: State, meld: int, end: int) -> bool:
    """Whether there is that end of that meld: an act made by a program may name anything."""
    return 0 <= meld < len(state.melds) and end in _ENDS


def refuse_lay_down(state: State, melds: tuple[Meld, ...]) -> Refusal | None:
    """Why these melds may not be laid down: all of the contract, at once, each of them whole (1.8)."""
    rules, seat = state.rules, state.turn
    if state.down[seat]:
        return Refusal(rules.clause("laying.longer_melds"), "one lays down once in a hand; later cards are laid off")
    too_early = _refuse_first_turn(state)
    if too_early is not None:
        return too_early
    wanted, found = state.deal.contract, "".join(sorted((meld.kind for meld in melds), reverse=True))
    if found != "".join(sorted(wanted, reverse=True)):
        return Refusal(rules.clause("hands.order"), f"the contract is {wanted}, these melds are {found or 'none'}")
    cards = [face for meld in melds for face in meld.cards]
    if not all(0 <= face <= JOKER for face in cards):
        return Refusal(rules.section("1.1"), "the packs have no such card")
    for meld in melds:
        wrong = fault(rules, meld.kind, meld.cards) or _refuse_longer(state, meld)
        if wrong is not None:
            return wrong
    if not state.hands[seat].holds(cards):
        return Refusal(rules.section("1.8"), "not all of these cards are in the hand")
    return _refuse_alike(state, melds) or _refuse_end(state, a.LayDown(melds), len(cards))


def _refuse_first_turn(state: State) -> Refusal | None:
    """Why nobody may lay down yet: it is his first turn of the hand [A-41]."""
    if state.rules.contracts.laying.first_turn == "allowed" or state.turns > state.players:
        return None
    return Refusal(state.rules.clause("laying.first_turn"), "one lays down from one's second turn on")


def _refuse_alike(state: State, melds: tuple[Meld, ...]) -> Refusal | None:
    """Why the melds of one contract are too much alike, where they must be distinct [A-35]; jokers have no rank."""
    if state.rules.contracts.laying.distinct == "no":
        return None
    clause = state.rules.clause("laying.distinct")
    ranks = [trio_rank(meld.cards) for meld in melds if meld.kind == TRIO]
    suits = [run_suit(meld.cards) for meld in melds if meld.kind == RUN]
    if any(ranks.count(rank) > 1 for rank in ranks if rank >= 0):
        return Refusal(clause, "the trios of a contract are of different ranks")
    if len(set(suits)) < len(suits):
        return Refusal(clause, "the runs of a contract are of different suits")
    return None


def _refuse_end(state: State, act: a.Action, cards: int) -> Refusal | None:
    """Why so many cards may not be placed: what is left then could neither be discarded nor close the hand."""
    left = len(state.hands[state.turn]) - cards
    if left > 1:
        return None
    return refuse_placed_to(state, left) or (_refuse_stranding(state, act) if left == 1 else None)


def _refuse_stranding(state: State, act: a.Action) -> Refusal | None:
    """Why the last card may not be left alone: it must be placed, and would fit nowhere."""
    if state.rules.contracts.closing.last_discard == "allowed":
        return None
    after = state.clone()
    apply(after, act)
    hand = after.hands[after.turn]
    if any(_legal_lay_offs(after, hand)) or any(_legal_swaps(after, hand)):
        return None
    return Refusal(state.rules.clause("closing.last_discard"), "the last card must be placed, and it would fit nowhere")


def _refuse_longer(state: State, meld: Meld) -> Refusal | None:
    least = state.rules.trio.least if meld.kind == TRIO else state.rules.run.least
    if state.rules.contracts.laying.longer_melds == "allowed" or len(meld.cards) == least:
        return None
    return Refusal(
        state.rules.clause("laying.longer_melds"),
        f"a {NAMES[meld.kind]} is laid down with {least} cards; more are laid off afterwards",
    )


def refuse_lay_off(state: State, act: a.LayOff) -> Refusal | None:
    """Why the card may not be laid off there (1.8)."""
    rules, seat = state.rules, state.turn
    clause = rules.clause("laying.lay_off")
    if act.face not in state.hands[seat]:
        return Refusal(clause, f"{cards_text([act.face])} is not in the hand")
    if not _on_table(state, act.meld, act.end):
        return Refusal(clause, f"there is no meld {act.meld + 1} on the table")
    if rules.contracts.laying.lay_off == "none":
        return Refusal(clause, "nothing may be laid off")
    if rules.contracts.laying.lay_off == "own melds" and state.owners[act.meld] != seat:
        return Refusal(clause, "one may lay off on one's own melds only")
    if rules.contracts.laying.lay_off == "others' melds" and state.owners[act.meld] == seat:
        return Refusal(clause, "one may lay off on the melds of others only")
    meld = state.melds[act.meld]
    if not fits_at(rules, meld, act.face, act.end):
        return Refusal(clause, f"{cards_text([act.face])} does not fit there on {meld}")
    return _refuse_rank(state, act) or _refuse_end(state, act, 1)


def _refuse_rank(state: State, act: a.LayOff) -> Refusal | None:
    """Why a trio of jokers may not become one of this rank: its owner has another such trio (section 5.6)."""
    meld = state.melds[act.meld]
    if state.rules.contracts.laying.distinct == "no" or meld.kind != TRIO or trio_rank(meld.cards) >= 0:
        return None
    fixed = with_card(meld, act.face, act.end)
    owner = state.owners[act.meld]
    others = [one for at, one in enumerate(state.melds) if state.owners[at] == owner and at != act.meld]
    return _refuse_alike(state, (*others, fixed))


def refuse_swap(state: State, act: a.SwapJoker) -> Refusal | None:
    """Why this exchange for a joker is not allowed: it and the joker's new place are one act (section 5.5)."""
    rules, seat = state.rules, state.turn
    jokers = rules.contracts.jokers
    clause = rules.clause("jokers.swap")
    if jokers.swap == "none":
        return Refusal(clause, "jokers on the table may not be exchanged")
    if act.face == JOKER or act.face not in state.hands[seat]:
        return Refusal(clause, "a joker is exchanged for a natural card from the hand")
    if not (_on_table(state, act.meld, HIGH) and _on_table(state, act.target, act.end)):
        return Refusal(clause, "there is no such meld on the table")
    if jokers.swap == "own runs" and state.owners[act.meld] != seat:
        return Refusal(clause, "only jokers of one's own runs may be exchanged")
    run = swapped(state, act)
    if run is None:
        return Refusal(clause, f"no joker there stands for {cards_text([act.face])}, or it is one of a trio")
    if jokers.freed != "runs of that owner" and act.target == act.meld:
        return Refusal(rules.clause("jokers.freed"), "a freed joker goes to another run")
    return _refuse_joker_place(state, act.meld, run, act.target, act.end, "jokers.freed") or _refuse_end(state, act, 1)


def swapped(state: State, act: a.SwapJoker) -> Meld | None:
    """The run after the natural card has gone in, its joker out; None if there is no such joker."""
    meld = state.melds[act.meld]
    for run in exchanged(meld, act.face):
        if 0 <= act.place < len(meld.cards) and run.cards[act.place] != meld.cards[act.place]:
            return run
    return None


def _refuse_joker_place(state: State, meld: int, rest: Meld, target: int, end: int, field: str) -> Refusal | None:
    """Why a joker that left `meld`, which is `rest` now, may not go to that end of the target run.

    `field` is the one that says where it may go: `jokers.freed` after an exchange, `jokers.move` without.
    """
    rules = state.rules
    clause = rules.clause(field)
    other = rest if target == meld else state.melds[target]
    freed = rules.contracts.jokers.freed if field == "jokers.freed" else "runs of that owner"
    if other.kind != RUN and freed != "any other run or trio":
        return Refusal(clause, "a joker from a run goes to a run")
    if freed == "runs of that owner" and state.owners[target] != state.owners[meld]:
        return Refusal(clause, "a joker stays in the runs of the player who laid it")
    if not fits_at(rules, other, JOKER, end):
        return Refusal(rules.clause("run.jokers_adjacent"), f"a joker does not fit there on {other}")
    return None


def refuse_move(state: State, act: a.MoveJoker) -> Refusal | None:
    """Why the joker may not move: four cards must stay, one whole run, and nothing repeats (section 5.5)."""
    rules = state.rules
    jokers = rules.contracts.jokers
    clause = rules.clause("jokers.move")
    if jokers.move == "none":
        return Refusal(clause, "jokers on the table may not be moved")
    if not (_on_table(state, act.meld, act.origin) and _on_table(state, act.target, act.end)):
        return Refusal(clause, "there is no such meld on the table")
    if jokers.move == "own runs" and state.owners[act.meld] != state.turn:
        return Refusal(clause, "only jokers of one's own runs may be moved")
    rest = without_end(state.melds[act.meld], act.origin)
    if rest is None:
        return Refusal(clause, "only a joker at the end of a run can be moved")
    if act.target == act.meld and act.end == act.origin:
        return Refusal(clause, "the joker is there already")
    if act.target != act.meld and len(rest.cards) < rules.run.least:
        return Refusal(clause, f"the run must keep at least {rules.run.least} cards")
    wrong = _refuse_joker_place(state, act.meld, rest, act.target, act.end, "jokers.move")
    if wrong is None and moved(state, act, rest) in state.seen:
        return Refusal(clause, "the table has looked like that in this turn already")
    return wrong


def moved(state: State, act: a.MoveJoker, rest: Meld) -> tuple[Meld, ...]:
    """The melds on the table after the joker's move."""
    melds = state.melds.copy()
    melds[act.meld] = rest
    melds[act.target] = with_card(melds[act.target], JOKER, act.end)
    return tuple(melds)


def refuse_take_back(state: State) -> Refusal | None:
    """Why nothing can be taken back: only this turn's own lay-down can (1.8)."""
    if state.rules.contracts.laying.taking_back == "same turn" and state.before is not None:
        return None
    return Refusal(state.rules.clause("laying.taking_back"), "a lay-down can be taken back in its own turn only")


def apply(state: State, act: a.Action) -> None:
    """Changes the table; the turn remembers how it looked before (section 5.5)."""
    if isinstance(act, a.TakeBack):
        _take_back(state)
        return
    before = tuple(state.melds)
    if isinstance(act, a.LayDown):
        _lay_down(state, act.melds)
    elif isinstance(act, a.LayOff):
        state.lose(state.turn, act.face)
        state.melds[act.meld] = with_card(state.melds[act.meld], act.face, act.end)
    elif isinstance(act, a.SwapJoker):
        _swap(state, act)
    elif isinstance(act, a.MoveJoker):
        rest = without_end(state.melds[act.meld], act.origin)
        assert rest is not None
        state.melds = list(moved(state, act, rest))
    state.seen.append(before)


def _lay_down(state: State, melds: tuple[Meld, ...]) -> None:
    seat = state.turn
    state.before = Before(tuple(state.melds), tuple(state.owners), state.hands[seat].copy(), state.known[seat].copy())
    for meld in melds:
        for face in meld.cards:
            state.lose(seat, face)
        state.melds.append(meld)
        state.owners.append(seat)
    state.down[seat] = state.turns


def _swap(state: State, act: a.SwapJoker) -> None:
    run = swapped(state, act)
    assert run is not None
    state.lose(state.turn, act.face)
    state.melds[act.meld] = run
    state.melds[act.target] = with_card(state.melds[act.target], JOKER, act.end)


def _take_back(state: State) -> None:
    """Everything since the draw goes back to the hand, and everybody has seen it (section 5.3).

    The turn has seen no table then: a joker may be moved as in what was taken back.
    """
    before, seat = state.before, state.turn
    assert before is not None
    known = before.known.copy()
    shown = before.hand.copy()
    for face in state.hands[seat].cards():
        shown.remove(face)
    for face in shown.distinct():
        while known.count(face) < shown.count(face):
            known.add(face)
    state.hands[seat] = before.hand.copy()
    state.known[seat] = known
    state.melds = list(before.melds)
    state.owners = list(before.owners)
    state.down[seat] = 0
    state.before = None
    state.seen = []
