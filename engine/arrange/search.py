"""How many cards a hand is short of its contract, which cards would help, and which it should keep.

Only melds of the least size matter here. A natural that a run could use is never better in a trio (a trio
takes any joker in its place), so runs choose first. Where a trio must have one natural of its own and none is
left, a run may lend it one and take a joker instead. Sums of gaps are tried from the least that could be,
until a way is found.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.arrange.goal import Goal
from engine.arrange.runs import Runs
from engine.arrange.several import several
from engine.arrange.suit_cards import suits_of
from engine.cards import ALL_NATURALS, FACE_BIT, FACE_OF, JOKER, RANK_MASK, Faces, card_text
from engine.errors import RulesError

_NEVER: Final = 1000
_COPY: Final = ("first", "second", "third", "fourth", "fifth")


@final
@mypyc_attr(acyclic=True)
class Plan:
    """The shortest ways to a contract.

    `distance` is how many cards are short; `keep` are the held cards that one shortest way uses, ascending;
    `outs_mask` has a bit (`FACE_BIT`) for each face, the joker among them, that is still unseen and shortens the
    way. A value like any dataclass, written out because bots make one for each hand that they see.
    """

    __slots__ = ("distance", "keep", "outs_mask")

    def __init__(self, distance: int, keep: tuple[int, ...], outs_mask: i64) -> None:
        self.distance: Final[int] = distance
        self.keep: Final[tuple[int, ...]] = keep
        self.outs_mask: Final[i64] = outs_mask

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
    extra = 0 if packs > 3 else hand.four if packs == 3 else hand.thrice if packs == 2 else hand.twice
    if extra:
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
    """One search for the shortest ways; `distance` stays -1 while none is found."""

    __slots__ = (
        "bounds",
        "counts",
        "distance",
        "goal",
        "helps",
        "jokers",
        "kept",
        "limit",
        "loose",
        "most_jokers",
        "ranks",
        "suits",
        "table",
        "trios",
        "way",
    )

    def __init__(self, goal: Goal, hand: Faces) -> None:
        self.goal = goal
        self.table = goal.table
        self.trios = goal.trios
        # More jokers than could ever lie in the melds change nothing.
        self.jokers: i64 = min(hand.jokers, goal.room)
        self.most_jokers: i64 = goal.wilds
        self.suits = suits_of(hand)
        self.counts: i64 = 0
        for suit in self.suits:
            self.counts += suit.spread
        self.bounds: list[int] = self._bounds() if goal.runs else [0]
        self.limit: i64 = 0
        self.distance: i64 = -1
        self.loose: i64 = 0
        self.ranks: i64 = 0
        self.helps = False
        self.way: list[Runs | None] = [None, None, None, None]
        self.kept: list[Runs | None] = self.way

    def _bounds(self) -> list[int]:
        """Gaps that so many runs of a suit and of the suits after it cannot do without, suit by suit."""
        runs, least = self.goal.runs, self.goal.least
        wide = runs + 1
        bounds = [_NEVER] * (5 * wide)
        bounds[4 * wide] = 0
        suit: i64 = 3
        while suit >= 0:
            cards = self.suits[suit]
            one = self.table.fewest_gaps(cards.once)
            here = suit * wide
            for rest in range(wide):
                most = min(rest, self.goal.in_one_suit)
                best: i64 = bounds[here + wide + rest]
                for mine in range(1, most + 1):
                    gaps = one if mine == 1 else max(mine * one, mine * least - cards.total)
                    after: i64 = bounds[here + wide + rest - mine]
                    best = min(best, after + gaps)
                bounds[here + rest] = best
            suit -= 1
        return bounds

    def run(self, most: i64) -> None:
        """Looks for ways of distance 0, 1, … up to `most`, and notes all of the first distance that has any."""
        runs = self.goal.runs
        least: i64 = self.bounds[runs]
        short: i64 = 0 if self.trios is None else self.trios.gaps(self.counts)
        self.limit = max(0, least + short - self.jokers)
        while self.distance < 0 and self.limit <= most:
            if runs == 0:
                self._finish(self.counts)
            else:
                self._choose(0, runs, self.limit + self.jokers - short, self.counts)
            self.limit += 1

    def _choose(self, first: i64, runs: i64, spare: i64, counts: i64) -> None:
        """Tries every way to make the runs still missing in the suits from `first` on, with `spare` gaps."""
        wide = self.goal.runs + 1
        for suit in range(first, 4):
            for mine in range(1, min(runs, self.goal.in_one_suit) + 1):
                after: i64 = self.bounds[(suit + 1) * wide + runs - mine]
                most = spare - after
                if most < 0:
                    continue
                for way in self._ways(suit, mine, most):
                    if way.gaps > most:
                        break
                    self.way[suit] = way
                    if mine == runs:
                        self._finish(counts - way.used)
                    else:
                        self._choose(suit + 1, runs - mine, spare - way.gaps, counts - way.used)
                    if self.distance == 0:
                        return
            self.way[suit] = None

    def _ways(self, suit: i64, runs: i64, most: i64) -> list[Runs]:
        cards = self.suits[suit]
        if runs == 1:
            return self.table.one(cards.once)
        if max(runs * self.table.fewest_gaps(cards.once), runs * self.goal.least - cards.total) > most:
            return []
        return several(self.goal, cards, runs, self.jokers, most)

    def _finish(self, counts: i64) -> None:
        """Notes the chosen runs with the best trios of the cards left, if they are as short as the limit."""
        gaps: i64 = 0
        room: i64 = 0
        forced: i64 = 0
        lent: i64 = 0
        for way in self.way:
            if way is not None:
                gaps += way.gaps
                room += way.room
                forced += way.forced
                lent += way.lends
        loose: i64 = 0
        tight: i64 = 0
        if self.trios is not None:
            missing, fitting, loose, tight = self.trios.needs(counts, self.counts - counts, lent)
            gaps += missing
            room += fitting
        if gaps - min(self.jokers, room) != self.limit or forced > self.most_jokers:
            return
        if self.distance < 0:
            self.distance = self.limit
            self.kept = self.way[:]
        if self.limit:
            self._note(self.jokers < room, loose, tight)

    def _note(self, slack: bool, loose: i64, tight: i64) -> None:
        """Adds what helps the chosen way; `slack` says whether its gaps have room for one joker more."""
        self.helps = self.helps or slack
        self.ranks |= loose if slack else tight
        place: i64 = 0
        for way in self.way:
            if way is not None:
                self.loose |= (way.loose if slack else way.tight) << place
            place += 13

    def plan(self, hand: Faces) -> Plan:
        """What was found, as a value."""
        if self.distance == 0:
            return Plan(0, self.keep(), 0)
        outs = self.loose
        ranks = self.ranks
        while ranks:
            low = ranks & -ranks
            outs |= RANK_MASK[FACE_OF[low % 67] >> 2]
            ranks ^= low
        outs &= unseen_mask(hand, self.goal.packs)
        if self.helps and self.jokers < self.most_jokers:
            outs |= FACE_BIT[JOKER]
        return Plan(self.distance, self.keep(), outs)

    def keep(self) -> tuple[int, ...]:
        """The held cards that the way found first uses."""
        counts = self.counts
        room: i64 = 0
        lent: i64 = 0
        for way in self.kept:
            if way is not None:
                counts -= way.used
                room += way.room
                lent += way.lends
        used: list[int] = [0 if way is None else way.used for way in self.kept]
        if self.trios is not None:
            room += self.trios.needs(counts, self.counts - counts, lent)[1]
            self._take(used, self.trios.cards(counts))
        cards: list[int] = []
        first: i64 = 0
        for spread in used:
            _add_cards(cards, first, spread)
            first += 13
        for _ in range(min(self.jokers, room)):
            cards.append(JOKER)
        return tuple(cards)

    def _take(self, used: list[int], wanted: i64) -> None:
        """Adds to what is used of each suit the cards for trios, so many of each rank, those of the first suits."""
        while wanted:
            place = FACE_OF[(wanted & -wanted) % 67] & 60
            number = wanted >> place & 15
            wanted ^= number << place
            for suit, spread in enumerate(used):
                free: i64 = self.suits[suit].spread - spread
                more = min(number, free >> place & 15)
                used[suit] = spread + (more << place)
                number -= more


def _add_cards(cards: list[int], first: i64, spread: i64) -> None:
    """Adds the cards of a suit, whose ace is `first`."""
    while spread:
        low = spread & -spread
        place = FACE_OF[low % 67] & 60
        for _ in range(spread >> place & 15):
            cards.append(first + (place >> 2))
        spread &= ~(15 << place)


def plan_for(goal: Goal, hand: Faces, most: int) -> Plan | None:
    """The plan for a hand; None if it is short of the contract by more than so many cards."""
    search = Search(goal, hand)
    search.run(most)
    return None if search.distance < 0 else search.plan(hand)


def meets(goal: Goal, hand: Faces) -> bool:
    """Whether these cards alone meet the contract."""
    search = Search(goal, hand)
    search.run(0)
    return search.distance == 0
