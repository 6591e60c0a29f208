"""The distance of a hand to its contract, the cards that shorten it, and the cards to keep.

Only minimal melds matter for the distance. A natural that a run could use is never better in a trio, where any joker
can replace it, so runs choose first. Where a trio must have a natural and none is left, a run may lend it one and take
a joker instead. The search is iterative deepening: it allows 0, 1, 2 … missing cards until there is a solution, and
prunes with lower bounds on the gaps of the remaining suits.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import ALL_NATURALS, FACE_BIT, FACE_OF, JOKER, RANK_MASK, Faces, card_text
from engine.errors import RulesError
from engine.solver.contract import Goal
from engine.solver.counts import RANKS, SIZE, SuitCards, at_most_fifteen, counts_of_all_suits, rank_set
from engine.solver.multi_runs import multi_run_choices
from engine.solver.runs import RunChoice

_BITS: Final = 7
"""The bits of one number in *bounds*: one integer that holds the fewest gaps of no run, of one run, of two …"""
_GAPS: Final = 127
"""The largest number in bounds, more gaps than any runs have."""
_NO_SUIT: Final = 0x7FFFFFFFF80
"""The bounds after the last suit: no gaps for no run, and `_GAPS` for one to five."""


def gaps_of(bounds: i64, runs: i64) -> i64:
    """Return the fewest gaps of `runs` runs, from bounds."""
    return bounds >> _BITS * runs & _GAPS


@final
@mypyc_attr(acyclic=True)
class Suit:
    """A suit of a hand, with the suits after it in `rest`.

    Lower bounds on gaps are `own` for runs of this suit, `after` for runs of the suits after it, and `bounds` for runs
    of all of them. `single_runs` are the choices of one run of this suit; `first` is the face of its ace.
    """

    __slots__ = ("after", "bounds", "first", "four", "once", "own", "rest", "single_runs", "thrice", "twice")

    def __init__(self, goal: Goal, hand: Faces, first: i64, rest: "Suit | None") -> None:
        self.first = first
        self.rest = rest
        self.once = hand.once >> first & RANKS
        self.twice = hand.twice >> first & RANKS
        self.thrice = hand.thrice >> first & RANKS
        self.four = hand.four >> first & RANKS
        single = goal.table.single_runs(self.once)
        self.single_runs = single.choices
        self.after: i64 = _NO_SUIT
        if rest is not None:
            self.after = rest.bounds
        self.own = single.fewest_gaps << _BITS
        if goal.runs_in_suit > 1:
            self.own |= self._bounds_of_several(goal, single.fewest_gaps, single.fewest_gaps_of_two)
        self.bounds: i64 = _combined_bounds(goal, self.own, self.after)

    def _bounds_of_several(self, goal: Goal, of_one: i64, of_two: i64) -> i64:
        """Return the bounds of two runs and more: a card fills one place, and a second copy a place of a second run."""
        copies: i64 = 0
        if self.twice:
            copies = SIZE[self.twice]
            copies += SIZE[self.thrice]
            copies += SIZE[self.four]
        cards: i64 = SIZE[self.once]
        cards += copies
        bounds: i64 = 0
        for runs in range(2, goal.runs_in_suit + 1):
            gaps = of_two - copies + (runs - 2) * of_one
            if gaps < runs * of_one:
                gaps = runs * of_one
            if gaps < runs * goal.run_least - cards:
                gaps = runs * goal.run_least - cards
            bounds |= gaps << _BITS * runs
        return bounds


def _combined_bounds(goal: Goal, own: i64, after: i64) -> i64:
    """Return the bounds of a suit (`own`) and of the suits after it (`after`) together."""
    bounds: i64 = 0
    for runs in range(1, goal.runs + 1):
        fewest = gaps_of(after, runs)
        most = runs if runs < goal.runs_in_suit else goal.runs_in_suit
        for mine in range(1, most + 1):
            gaps = gaps_of(own, mine) + gaps_of(after, runs - mine)
            if gaps < fewest:
                fewest = gaps
        bounds |= fewest << _BITS * runs
    return bounds


def suits_from(goal: Goal, hand: Faces) -> Suit:
    """Return the suit of clubs, linked to the suits after it."""
    hearts = Suit(goal, hand, 26, Suit(goal, hand, 39, None))
    return Suit(goal, hand, 0, Suit(goal, hand, 13, hearts))


@final
@mypyc_attr(acyclic=True)
class SearchPath:
    """A choice of runs in one suit, after the path of choices in earlier suits; `EMPTY_PATH` has no choice.

    Numbers are sums along the path, named as in `RunChoice`; `outs` and `outs_when_full` are bit masks of faces.
    """

    __slots__ = (
        "choice",
        "first",
        "forced_jokers",
        "gaps",
        "joker_room",
        "lendable",
        "outs",
        "outs_when_full",
        "previous",
        "used",
    )

    def __init__(self, previous: "SearchPath | None", first: i64, choice: RunChoice) -> None:
        self.previous = previous
        self.first = first
        self.choice = choice
        self.gaps = choice.gaps
        self.joker_room = choice.joker_room
        self.forced_jokers = choice.forced_jokers
        self.used = choice.used
        self.lendable = choice.lendable
        self.outs = choice.outs << first
        self.outs_when_full = choice.outs_when_full << first
        if previous is not None:
            self.gaps += previous.gaps
            self.joker_room += previous.joker_room
            self.forced_jokers += previous.forced_jokers
            self.used += previous.used
            self.lendable += previous.lendable
            self.outs |= previous.outs
            self.outs_when_full |= previous.outs_when_full


EMPTY_PATH: Final = SearchPath(None, 0, RunChoice(0, 0, 0, 0, 0, 0))


@final
@mypyc_attr(acyclic=True)
class Plan:
    """The shortest ways to a contract.

    `distance` is how many cards are missing; `keep` are the held cards that one shortest way uses, ascending;
    `outs_mask` has a bit (`FACE_BIT`) for each face, perhaps the joker, that shortens the distance and of which the
    packs hold more copies. Immutable, and written by hand for speed: `keep` is computed on first use.
    """

    __slots__ = ("_keep", "distance", "outs_mask")

    def __init__(self, distance: int, keep: "tuple[int, ...] | DistanceSearch", outs_mask: i64) -> None:
        self.distance: Final[int] = distance
        self.outs_mask: Final[i64] = outs_mask
        self._keep: DistanceSearch | Faces = keep if isinstance(keep, DistanceSearch) else Faces(keep)

    @property
    def kept(self) -> Faces:
        """Return the cards of `keep`; the caller must not change them."""
        kept = self._keep
        if isinstance(kept, DistanceSearch):
            kept = kept.kept_cards()
            self._keep = kept
        return kept

    @property
    def keep(self) -> tuple[int, ...]:
        """Return the held cards that one shortest way uses, ascending."""
        return self.kept.cards()

    def _fields(self) -> tuple[int, tuple[int, ...], int]:
        return self.distance, self.keep, self.outs_mask

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __reduce__(self) -> tuple[type["Plan"], tuple[int, tuple[int, ...], int]]:
        return Plan, self._fields()

    def __repr__(self) -> str:
        return "Plan(distance={!r}, keep={!r}, outs_mask={!r})".format(*self._fields())


def refuse_beyond_packs(hand: Faces, packs: int, jokers: int) -> None:
    """Raise RulesError if the hand has more copies of a card, which the message names, than the packs hold."""
    extra = hand.four if packs == 3 else hand.thrice if packs == 2 else hand.twice
    if extra and packs <= 3:
        face = FACE_OF[(extra & -extra) % 67]
        card = card_text(face)
        if packs == 1:
            raise RulesError("a second {card}; one pack holds 1", card=card)
        if packs == 2:
            raise RulesError("a third {card}; 2 packs hold 2", card=card)
        raise RulesError("a fourth {card}; 3 packs hold 3", card=card)
    if hand.jokers > jokers:
        raise RulesError("{jokers} jokers; the packs hold {jokers_2}", jokers=hand.jokers, jokers_2=jokers)


def unseen_mask(hand: Faces, packs: int) -> i64:
    """Return the naturals of which the packs hold more copies than the hand, as a bit mask."""
    held = hand.four if packs > 3 else hand.thrice if packs == 3 else hand.twice if packs == 2 else hand.once
    return ALL_NATURALS & ~held


@final
@mypyc_attr(acyclic=True)
class DistanceSearch:
    """A search for the shortest ways to a contract; `distance` is -1 until one is found.

    `kept` is the first path found. `outs` are the faces that help, `ranks` (as top bits) the ranks of which any card
    helps; `joker_helps` says whether a joker helps.
    """

    __slots__ = (
        "counts",
        "distance",
        "four",
        "goal",
        "joker_helps",
        "jokers",
        "kept",
        "limit",
        "once",
        "outs",
        "ranks",
        "thrice",
        "trios",
        "twice",
    )

    def __init__(self, goal: Goal, hand: Faces) -> None:
        jokers = hand.jokers
        self.goal = goal
        self.trios = goal.trios
        self.once = hand.once
        self.twice = hand.twice
        self.thrice = hand.thrice
        self.four = at_most_fifteen(hand.four)
        # More jokers than the melds could hold make no difference.
        self.jokers: i64 = jokers if jokers < goal.joker_room else goal.joker_room
        self.limit: i64 = 0
        self.distance: i64 = -1
        self.outs: i64 = 0
        self.ranks: i64 = 0
        self.joker_helps = False
        self.kept = EMPTY_PATH
        self.counts = counts_of_all_suits(hand.once)
        if hand.twice:
            self.counts += (
                counts_of_all_suits(self.twice) + counts_of_all_suits(self.thrice) + counts_of_all_suits(self.four)
            )

    def run(self, hand: Faces, most: i64) -> None:
        """Search for ways of distance 0, 1, … up to `most`; record all ways of the first distance that has any."""
        runs = self.goal.runs
        if runs == 0:
            self._trios_alone(most)
            return
        suits = suits_from(self.goal, hand)
        short: i64 = 0
        if self.trios is not None:
            short = self.trios.gaps(self.counts)
        limit = gaps_of(suits.bounds, runs) + short - self.jokers
        if limit > 0:
            self.limit = limit
        while self.distance < 0 and self.limit <= most:
            self._extend(suits, runs, self.limit + self.jokers - short, EMPTY_PATH)
            self.limit += 1

    def _trios_alone(self, most: i64) -> None:
        """Record the one way to a contract without runs."""
        if self.trios is not None:
            gaps, room, outs, outs_when_full = self.trios.requirements(self.counts, 0, 0)
            distance = gaps - min(self.jokers, room)
            if distance <= most:
                self.distance = distance
                self.joker_helps = self.jokers < room
                self.ranks = outs if self.joker_helps else outs_when_full

    def _extend(self, suit: Suit | None, runs: i64, spare: i64, path: SearchPath) -> None:
        """Try every choice of the runs still missing in this suit and those after it, with at most `spare` gaps."""
        while suit is not None and gaps_of(suit.bounds, runs) <= spare:
            for mine in range(1, min(runs, self.goal.runs_in_suit) + 1):
                most = spare - gaps_of(suit.after, runs - mine)
                if gaps_of(suit.own, mine) > most:
                    continue
                for choice in suit.single_runs if mine == 1 else self._multi_run_choices(suit, mine, most):
                    if choice.gaps > most:
                        break
                    if mine == runs:
                        self._complete(path, suit, choice)
                    else:
                        self._extend(suit.rest, runs - mine, spare - choice.gaps, SearchPath(path, suit.first, choice))
                    if self.distance == 0:
                        return
            suit = suit.rest

    def _multi_run_choices(self, suit: Suit, runs: i64, most: i64) -> list[RunChoice]:
        """Return every choice of `runs` runs of a suit with at most `most` gaps, and perhaps others with more."""
        cards = SuitCards(suit.once, suit.twice, suit.thrice, suit.four)
        return multi_run_choices(self.goal, cards, runs, self.jokers, most)

    def _complete(self, path: SearchPath, suit: Suit, choice: RunChoice) -> None:
        """Record a path and its last choice, with the best trios of the cards left, if the distance is `limit`."""
        gaps = path.gaps + choice.gaps
        room = path.joker_room + choice.joker_room
        outs: i64 = 0
        outs_when_full: i64 = 0
        if self.trios is not None:
            used = path.used + choice.used
            missing, fitting, outs, outs_when_full = self.trios.requirements(
                self.counts - used, used, path.lendable + choice.lendable
            )
            gaps += missing
            room += fitting
        if gaps - min(self.jokers, room) != self.limit or path.forced_jokers + choice.forced_jokers > self.goal.wilds:
            return
        if self.distance < 0:
            self.distance = self.limit
            self.kept = SearchPath(path, suit.first, choice)
        # Where the jokers fill all gaps that may hold one, only a card that makes room for a joker helps.
        if self.jokers < room:
            self.joker_helps = True
            self.ranks |= outs
            self.outs |= path.outs | choice.outs << suit.first
        else:
            self.ranks |= outs_when_full
            self.outs |= path.outs_when_full | choice.outs_when_full << suit.first

    def plan(self, hand: Faces) -> Plan:
        """Return the recorded ways as a plan."""
        if self.distance == 0:
            return Plan(0, self, 0)
        outs = (self.outs | rank_set(self.ranks) * RANK_MASK[0]) & unseen_mask(hand, self.goal.packs)
        if self.joker_helps and self.jokers < self.goal.wilds:
            outs |= FACE_BIT[JOKER]
        return Plan(self.distance, self, outs)

    def kept_cards(self) -> Faces:
        """Return the held cards that the first way found uses."""
        cards = Faces()
        path: SearchPath | None = self.kept
        while path is not None:
            _add_cards(cards, path.first, path.choice.used)
            path = path.previous
        room = self.kept.joker_room
        if self.trios is not None:
            counts = self.counts - self.kept.used
            room += self.trios.requirements(counts, self.kept.used, self.kept.lendable)[1]
            self._add_trios(cards, self.trios.cards(counts))
        for _ in range(min(self.jokers, room)):
            cards.add(JOKER)
        return cards

    def _add_trios(self, cards: Faces, needed: i64) -> None:
        """Add to the cards of runs the cards of trios, given as rank counts; the first suits first."""
        while needed:
            place: i64 = FACE_OF[(needed & -needed) % 67] & 60
            number = needed >> place & 15
            needed ^= number << place
            face = place >> 2
            while number:
                if cards.count(face) < self._held(face):
                    cards.add(face)
                    number -= 1
                else:
                    face += 13

    def _held(self, face: i64) -> i64:
        """Return how many copies of a card are held."""
        held = (self.once >> face & 1) + (self.twice >> face & 1)
        return held + (self.thrice >> face & 1) + (self.four >> face & 1)


def _add_cards(cards: Faces, first: i64, counts: i64) -> None:
    """Add cards of the suit whose ace is `first`, given as rank counts."""
    while counts:
        place: i64 = FACE_OF[(counts & -counts) % 67] & 60
        number = counts >> place & 15
        counts ^= number << place
        face = first + (place >> 2)
        while number:
            cards.add(face)
            number -= 1


def plan_for(goal: Goal, hand: Faces, most: int) -> Plan | None:
    """Return the plan for a hand; None if its distance to the contract is above `most`."""
    search = DistanceSearch(goal, hand)
    search.run(hand, most)
    return None if search.distance < 0 else search.plan(hand)


def meets(goal: Goal, hand: Faces) -> bool:
    """Return whether these cards alone meet the contract."""
    search = DistanceSearch(goal, hand)
    search.run(hand, 0)
    return search.distance == 0
