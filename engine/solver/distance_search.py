"""How many cards a hand is short of its contract, which cards would help, and which it should keep.

Only melds of the least size matter here. A natural that a run could use is never better in a trio (a trio
takes any joker in its place), so runs choose first. Where a trio must have one natural of its own and none is
left, a run may lend it one and take a joker instead. Sums of gaps are tried from the least that could be,
until a way is found.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import ALL_NATURALS, FACE_BIT, FACE_OF, JOKER, RANK_MASK, Faces, card_text
from engine.errors import RulesError
from engine.solver.contract import Goal
from engine.solver.counts import NUMBER, RANKS, SuitCards, needed, of_all_suits, rank_set
from engine.solver.multi_runs import several
from engine.solver.runs import Runs

_BITS: Final = 7
"""So many hold the gaps of some runs, where those of one run, two, … stand side by side: the *bounds* of runs."""
_GAPS: Final = 127
"""The most that so many bits hold: more gaps than any runs have."""
_NEVER: Final = 0x7FFFFFFFF80
"""The bounds where there is no suit: no gaps for no run, and `_GAPS` for one to five."""


def bound(bounds: i64, runs: i64) -> i64:
    """The gaps of so many runs."""
    return bounds >> _BITS * runs & _GAPS


@final
@mypyc_attr(acyclic=True)
class Suit:
    """A suit of a hand, and the suits that come after it.

    No way to make one run, two, … has fewer gaps than `own` says in this suit, `after` in those after it, and `bounds`
    in all of them. `ways` are those of one run here; `first` is the suit's ace.
    """

    __slots__ = ("after", "bounds", "first", "four", "once", "own", "rest", "thrice", "twice", "ways")

    def __init__(self, goal: Goal, hand: Faces, first: i64, rest: "Suit | None") -> None:
        self.first = first
        self.rest = rest
        self.once = hand.once >> first & RANKS
        self.twice = hand.twice >> first & RANKS
        self.thrice = hand.thrice >> first & RANKS
        self.four = hand.four >> first & RANKS
        single = goal.table.single(self.once)
        self.ways = single.ways
        self.after: i64 = _NEVER
        if rest is not None:
            self.after = rest.bounds
        self.own = single.fewest << _BITS
        if goal.in_one_suit > 1:
            self.own |= self._of_several(goal, single.fewest, single.fewest_of_two)
        self.bounds: i64 = _joined(goal, self.own, self.after)

    def _of_several(self, goal: Goal, one: i64, two: i64) -> i64:
        """The bounds of two runs and more: each second copy may fill one place more, and each card one place."""
        copies: i64 = 0
        if self.twice:
            copies = NUMBER[self.twice]
            copies += NUMBER[self.thrice]
            copies += NUMBER[self.four]
        cards: i64 = NUMBER[self.once]
        cards += copies
        bounds: i64 = 0
        for runs in range(2, goal.in_one_suit + 1):
            gaps = two - copies + (runs - 2) * one
            if gaps < runs * one:
                gaps = runs * one
            if gaps < runs * goal.least - cards:
                gaps = runs * goal.least - cards
            bounds |= gaps << _BITS * runs
        return bounds


def _joined(goal: Goal, own: i64, after: i64) -> i64:
    """The bounds of a suit and of those after it."""
    bounds: i64 = 0
    for runs in range(1, goal.runs + 1):
        fewest = bound(after, runs)
        most = runs if runs < goal.in_one_suit else goal.in_one_suit
        for mine in range(1, most + 1):
            gaps = bound(own, mine) + bound(after, runs - mine)
            if gaps < fewest:
                fewest = gaps
        bounds |= fewest << _BITS * runs
    return bounds


def suits_from(goal: Goal, hand: Faces) -> Suit:
    """The chain of a hand's suits, clubs first."""
    hearts = Suit(goal, hand, 26, Suit(goal, hand, 39, None))
    return Suit(goal, hand, 0, Suit(goal, hand, 13, hearts))


@final
@mypyc_attr(acyclic=True)
class Chosen:
    """Runs chosen in a suit, after those chosen `before` in others; nothing chosen, where there is no suit.

    The numbers are sums over all of them, as in `Runs`; `loose` and `tight` have a bit for each face.
    """

    __slots__ = ("before", "first", "forced", "gaps", "lends", "loose", "room", "tight", "used", "way")

    def __init__(self, before: "Chosen | None", first: i64, way: Runs) -> None:
        self.before = before
        self.first = first
        self.way = way
        self.gaps = way.gaps
        self.room = way.room
        self.forced = way.forced
        self.used = way.used
        self.lends = way.lends
        self.loose = way.loose << first
        self.tight = way.tight << first
        if before is not None:
            self.gaps += before.gaps
            self.room += before.room
            self.forced += before.forced
            self.used += before.used
            self.lends += before.lends
            self.loose |= before.loose
            self.tight |= before.tight


NOTHING: Final = Chosen(None, 0, Runs(0, 0, 0, 0, 0, 0, 0))
"""No runs, chosen before any."""


_COPY: Final = ("first", "second", "third", "fourth", "fifth")


@final
@mypyc_attr(acyclic=True)
class Plan:
    """The shortest ways to a contract.

    `distance` is how many cards are short; `keep` are the held cards that one shortest way uses, ascending;
    `outs_mask` has a bit (`FACE_BIT`) for each face, the joker among them, that is still unseen and shortens the
    way. A value like any dataclass, written out because bots make one for each hand that they see: which cards it
    keeps is worked out when they are first asked for.
    """

    __slots__ = ("_keep", "distance", "outs_mask")

    def __init__(self, distance: int, keep: "tuple[int, ...] | Search", outs_mask: i64) -> None:
        self.distance: Final[int] = distance
        self.outs_mask: Final[i64] = outs_mask
        self._keep: Search | Faces = keep if isinstance(keep, Search) else Faces(keep)

    @property
    def kept(self) -> Faces:
        """The cards of `keep`; not to be changed."""
        kept = self._keep
        if isinstance(kept, Search):
            kept = kept.kept_cards()
            self._keep = kept
        return kept

    @property
    def keep(self) -> tuple[int, ...]:
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
    """RulesError naming a card of which the hand has more copies than the packs hold."""
    extra = hand.four if packs == 3 else hand.thrice if packs == 2 else hand.twice
    if extra and packs <= 3:
        face = FACE_OF[(extra & -extra) % 67]
        held = "one pack holds 1" if packs == 1 else f"{packs} packs hold {packs}"
        raise RulesError(f"a {_COPY[packs]} {card_text(face)}; {held}")
    if hand.jokers > jokers:
        raise RulesError(f"{hand.jokers} jokers; the packs hold {jokers}")


def unseen_mask(hand: Faces, packs: int) -> i64:
    """The naturals of which the packs hold more copies than the hand."""
    held = hand.four if packs > 3 else hand.thrice if packs == 3 else hand.twice if packs == 2 else hand.once
    return ALL_NATURALS & ~held


@final
@mypyc_attr(acyclic=True)
class Search:
    """One search for the shortest ways; `distance` stays -1 while none is found.

    `kept` are the runs of the way found first. `outs` are the faces, and `ranks` (as top bits) the ranks of which any
    card helps; `helps` says whether a joker does.
    """

    __slots__ = (
        "counts",
        "distance",
        "four",
        "goal",
        "helps",
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
        self.four = needed(hand.four)
        # More jokers than could ever lie in the melds change nothing.
        self.jokers: i64 = jokers if jokers < goal.room else goal.room
        self.limit: i64 = 0
        self.distance: i64 = -1
        self.outs: i64 = 0
        self.ranks: i64 = 0
        self.helps = False
        self.kept = NOTHING
        self.counts = of_all_suits(hand.once)
        if hand.twice:
            self.counts += of_all_suits(self.twice) + of_all_suits(self.thrice) + of_all_suits(self.four)

    def run(self, hand: Faces, most: i64) -> None:
        """Looks for ways of distance 0, 1, … up to `most`, and notes all of the first distance that has any."""
        runs = self.goal.runs
        if runs == 0:
            self._trios_alone(most)
            return
        suits = suits_from(self.goal, hand)
        short: i64 = 0
        if self.trios is not None:
            short = self.trios.gaps(self.counts)
        limit = bound(suits.bounds, runs) + short - self.jokers
        if limit > 0:
            self.limit = limit
        while self.distance < 0 and self.limit <= most:
            self._choose(suits, runs, self.limit + self.jokers - short, NOTHING)
            self.limit += 1

    def _trios_alone(self, most: i64) -> None:
        """The same for a contract without runs: there is one way."""
        if self.trios is not None:
            gaps, room, loose, tight = self.trios.needs(self.counts, 0, 0)
            distance = gaps - min(self.jokers, room)
            if distance <= most:
                self.distance = distance
                self.helps = self.jokers < room
                self.ranks = loose if self.helps else tight

    def _choose(self, suit: Suit | None, runs: i64, spare: i64, before: Chosen) -> None:
        """Tries every way to make the runs still missing in this suit and those after it, with `spare` gaps."""
        while suit is not None and bound(suit.bounds, runs) <= spare:
            for mine in range(1, min(runs, self.goal.in_one_suit) + 1):
                most = spare - bound(suit.after, runs - mine)
                if bound(suit.own, mine) > most:
                    continue
                for way in suit.ways if mine == 1 else self._several(suit, mine, most):
                    if way.gaps > most:
                        break
                    if mine == runs:
                        self._finish(before, suit, way)
                    else:
                        self._choose(suit.rest, runs - mine, spare - way.gaps, Chosen(before, suit.first, way))
                    if self.distance == 0:
                        return
            suit = suit.rest

    def _several(self, suit: Suit, runs: i64, most: i64) -> list[Runs]:
        """Every way to make so many runs of a suit with at most so many gaps, and perhaps some with more."""
        cards = SuitCards(suit.once, suit.twice, suit.thrice, suit.four)
        return several(self.goal, cards, runs, self.jokers, most)

    def _finish(self, before: Chosen, suit: Suit, way: Runs) -> None:
        """Notes the runs chosen, with the best trios of the cards left, if they are as short as the limit."""
        gaps = before.gaps + way.gaps
        room = before.room + way.room
        loose: i64 = 0
        tight: i64 = 0
        if self.trios is not None:
            used = before.used + way.used
            missing, fitting, loose, tight = self.trios.needs(self.counts - used, used, before.lends + way.lends)
            gaps += missing
            room += fitting
        if gaps - min(self.jokers, room) != self.limit or before.forced + way.forced > self.goal.wilds:
            return
        if self.distance < 0:
            self.distance = self.limit
            self.kept = Chosen(before, suit.first, way)
        # Where jokers fill all the room that they have, only what makes room for one of them helps.
        if self.jokers < room:
            self.helps = True
            self.ranks |= loose
            self.outs |= before.loose | way.loose << suit.first
        else:
            self.ranks |= tight
            self.outs |= before.tight | way.tight << suit.first

    def plan(self, hand: Faces) -> Plan:
        """What was found, as a value."""
        if self.distance == 0:
            return Plan(0, self, 0)
        outs = (self.outs | rank_set(self.ranks) * RANK_MASK[0]) & unseen_mask(hand, self.goal.packs)
        if self.helps and self.jokers < self.goal.wilds:
            outs |= FACE_BIT[JOKER]
        return Plan(self.distance, self, outs)

    def kept_cards(self) -> Faces:
        """The held cards that the way found first uses."""
        cards = Faces()
        chosen: Chosen | None = self.kept
        while chosen is not None:
            _add_cards(cards, chosen.first, chosen.way.used)
            chosen = chosen.before
        room = self.kept.room
        if self.trios is not None:
            counts = self.counts - self.kept.used
            room += self.trios.needs(counts, self.kept.used, self.kept.lends)[1]
            self._add_trios(cards, self.trios.cards(counts))
        for _ in range(min(self.jokers, room)):
            cards.add(JOKER)
        return cards

    def _add_trios(self, cards: Faces, wanted: i64) -> None:
        """Adds to the cards of runs those for trios, so many of each rank, those of the first suits."""
        while wanted:
            place: i64 = FACE_OF[(wanted & -wanted) % 67] & 60
            number = wanted >> place & 15
            wanted ^= number << place
            face = place >> 2
            while number:
                if cards.count(face) < self._held(face):
                    cards.add(face)
                    number -= 1
                else:
                    face += 13

    def _held(self, face: i64) -> i64:
        """How many copies of a card are held."""
        held = (self.once >> face & 1) + (self.twice >> face & 1)
        return held + (self.thrice >> face & 1) + (self.four >> face & 1)


def _add_cards(cards: Faces, first: i64, spread: i64) -> None:
    """Adds the cards of a suit, whose ace is `first`."""
    while spread:
        place: i64 = FACE_OF[(spread & -spread) % 67] & 60
        number = spread >> place & 15
        spread ^= number << place
        face = first + (place >> 2)
        while number:
            cards.add(face)
            number -= 1


def plan_for(goal: Goal, hand: Faces, most: int) -> Plan | None:
    """The plan for a hand; None if it is short of the contract by more than so many cards."""
    search = Search(goal, hand)
    search.run(hand, most)
    return None if search.distance < 0 else search.plan(hand)


def meets(goal: Goal, hand: Faces) -> bool:
    """Whether these cards alone meet the contract."""
    search = Search(goal, hand)
    search.run(hand, 0)
    return search.distance == 0
