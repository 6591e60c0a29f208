"""The cheapest leftovers by exhaustive search over all runs and trios, for rules that limit the size of trios."""

from collections.abc import Iterator

from engine.cards import JOKER, Faces
from engine.melds import RUN, is_meld, run_suit
from engine.rules import Rules
from engine.solver.trios import melds_are_distinct

Cards = tuple[int, ...]


def exhaustive_best(rules: Rules, trios: int, runs: int, hand: Faces) -> tuple[list[Cards], list[Cards]] | None:
    """Return the trios and runs that leave the fewest points, or None; the search is slow beyond some 13 cards."""
    all_runs = [run for suit in range(4) for run in _runs(rules, hand, suit)] if runs else []
    total = sum(rules.points(face) for face in hand)
    best: tuple[list[Cards], list[Cards]] | None = None
    covered = -1
    for chosen, rest in _run_choices(all_runs, runs, hand):
        if melds_are_distinct(rules) and len({run_suit(run) for run in chosen}) < runs:
            continue
        in_runs = sum(rules.points(face) for run in chosen for face in run)
        if in_runs + sum(rules.points(face) for face in rest) <= covered:
            continue
        for melds, in_trios in _trio_choices(rules, trios, 0, rest):
            if in_runs + in_trios > covered:
                covered, best = in_runs + in_trios, (melds, chosen)
                if covered == total:
                    return best
    return best


def _runs(rules: Rules, hand: Faces, suit: int) -> list[Cards]:
    """Return every run of a suit that the hand holds, of any length and with jokers anywhere."""
    runs: list[Cards] = []
    growing: list[tuple[int, Cards]] = [(start, ()) for start in range(13)]
    while growing:
        rank, cards = growing.pop()
        for face in (13 * suit + rank % 13, JOKER):
            longer = (*cards, face)
            if not hand.holds(longer):
                continue
            if rules.run.jokers_adjacent == "forbidden" and longer[-2:] == (JOKER, JOKER):
                continue
            growing.append((rank + 1, longer))
            if is_meld(rules, RUN, longer):
                runs.append(longer)
    return sorted(runs)


def _run_choices(all_runs: list[Cards], number: int, hand: Faces) -> Iterator[tuple[list[Cards], Faces]]:
    """Yield every choice of `number` runs that the hand holds together, and the cards left."""
    if number == 0:
        yield [], hand
        return
    for place, run in enumerate(all_runs):
        if hand.holds(run):
            rest = hand.copy()
            for face in run:
                rest.remove(face)
            for others, left in _run_choices(all_runs[place:], number - 1, rest):
                yield [run, *others], left


def _trio_choices(rules: Rules, number: int, first: int, hand: Faces) -> Iterator[tuple[list[Cards], int]]:
    """Yield every choice of `number` trios, and its points: ascending ranks from `first`, any cards the rules allow."""
    if number == 0:
        yield [], 0
        return
    shape = rules.trio
    for rank in range(first, 13):
        naturals = [face for face in hand if face != JOKER and face % 13 == rank]
        for used in range(shape.naturals, len(naturals) + 1):
            for jokers in range(max(0, shape.least - used), hand.jokers + 1):
                if shape.most is not None and used + jokers > shape.most:
                    break
                cards = (*naturals[:used], *[JOKER] * jokers)
                rest = hand.copy()
                for face in cards:
                    rest.remove(face)
                points = sum(rules.points(face) for face in cards)
                for others, points_of_others in _trio_choices(
                    rules, number - 1, rank + melds_are_distinct(rules), rest
                ):
                    yield [cards, *others], points + points_of_others
