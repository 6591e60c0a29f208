"""How many cards a hand is short of its contract, which cards would help, and which it should keep.

Only melds of the least size matter here. A natural that a run could use is never better in a trio (a trio
takes any joker in its place), so runs choose first. Where a trio must have one natural of its own and none is
left, a run may lend it one and take a joker instead. Sums of gaps are tried from the least that could be,
until a way is found.
"""

from dataclasses import dataclass
from typing import Final

from engine.arrange.runs import SPREAD, TOPS, Runs, RunTable, at_least, run_table
from engine.cards import JOKER, Faces, card_text
from engine.errors import RulesError
from engine.melds import TRIO
from engine.rules import Contracts, Rules

_RANKS: Final = (1 << 13) - 1
_NEVER: Final = 1000
_EVEN: Final = 0x0F0F0F0F0F0F0F
_ALL_FACES: Final = (1 << 52) - 1
_ONE_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
_COPY: Final = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True)
class Plan:
    """The shortest ways to a contract.

    `distance` is how many cards are short; `keep` are the held cards that one shortest way uses, ascending;
    `outs_mask` has a bit for each natural, still unseen, that shortens the way; `joker_helps` says whether
    a joker would.
    """

    distance: int
    keep: tuple[int, ...]
    outs_mask: int
    joker_helps: bool


def one_of_a_kind(rules: Rules) -> bool:
    """Whether the trios of a contract must be of different ranks and its runs of different suits."""
    return isinstance(rules.play, Contracts) and rules.play.laying.distinct == "yes"


def refuse_beyond_packs(hand: Faces, packs: int, jokers: int) -> None:
    """RulesError naming a card of which the hand has more copies than the packs hold."""
    planes = (hand.once, hand.twice, hand.thrice, hand.four, 0)
    extra = planes[packs] if packs < 4 else 0
    if extra:
        face = (extra & -extra).bit_length() - 1
        held = "one pack holds 1" if packs == 1 else f"{packs} packs hold {packs}"
        raise RulesError(f"a {_COPY[packs]} {card_text(face)}; {held}")
    if hand.jokers > jokers:
        raise RulesError(f"{hand.jokers} jokers; the packs hold {jokers}")


def unseen_mask(hand: Faces, packs: int) -> int:
    """The naturals of which the packs hold more copies than the hand."""
    return _ALL_FACES & ~(hand.once, hand.twice, hand.thrice, hand.four)[packs - 1]


class Trios:
    """The trios of a contract: which ranks they should have, given how many cards of each rank are left.

    The first trio of a rank lacks what the rank has too few of, and so on: a rank has *slots*. Whatever else
    a slot lacks, jokers may be; but where trios need a natural, each must have one of its own.
    """

    __slots__ = ("distinct", "least", "needy", "slots", "trios")

    def __init__(self, rules: Rules, trios: int, packs: int, jokers: int) -> None:
        self.trios = trios
        self.least = rules.trio.least
        self.needy = rules.trio.naturals > 0
        self.distinct = one_of_a_kind(rules)
        self.slots = min(1 if self.distinct else trios, (4 * packs + jokers) // self.least)

    def gaps(self, counts: int) -> int:
        """How many cards the trios lack; `counts` is the spread of the cards left."""
        found = 0
        missing = 0
        for level in range(self.least):
            here = min(self.trios, self._slots_within(counts, level))
            missing += (here - found) * level
            found = here
            if found == self.trios:
                return missing
        return missing + (self.trios - found) * self.least

    def needs(self, counts: int, used: int, lent: int) -> tuple[int, int, int, int]:
        """Gaps, jokers that may stand in them, and the ranks (top bits) that help: loosely, tightly.

        `used` are the naturals in runs, of which as many as `lent` may make way for jokers.
        """
        found = missing = loose = 0
        for level in range(self.least):
            here = min(self.trios, self._slots_within(counts, level))
            missing += (here - found) * level
            if here > found and level:
                loose |= self._ranks_at(counts, level)
            found = here
            if found == self.trios:
                return missing, missing, loose, 0
        missing += (self.trios - found) * self.least
        new = TOPS & ~at_least(counts, 1) if self.distinct else TOPS
        short = self._short_of_naturals(counts, used, lent) if self.needy else 0
        return missing, missing - short, loose | new, new if short else 0

    def _short_of_naturals(self, counts: int, used: int, lent: int) -> int:
        """How many trios have no natural, neither of the cards left nor lent by a run."""
        if self.distinct:
            held = at_least(counts, 1)
            lent = min(lent, (at_least(used, 1) & ~held).bit_count())
            return max(0, self.trios - held.bit_count() - lent)
        return max(0, self.trios - total(counts) - lent)

    def _slots_within(self, counts: int, level: int) -> int:
        """How many trios could be made that lack so many cards each, or fewer."""
        slots = 0
        for slot in range(1, self.slots + 1):
            ranks = at_least(counts, slot * self.least - level)
            if not ranks:
                break
            slots += ranks.bit_count()
        return slots

    def _ranks_at(self, counts: int, level: int) -> int:
        """The ranks of which a trio would lack exactly so many cards, fewer than all."""
        ranks = 0
        for slot in range(1, self.slots + 1):
            number = slot * self.least - level
            ranks |= at_least(counts, number) & ~at_least(counts, number + 1)
        return ranks

    def cards(self, counts: int) -> list[int]:
        """How many cards of each rank one best choice of trios uses."""
        used = [0] * 13
        found = 0
        for level in range(self.least):
            for slot in range(1, self.slots + 1):
                number = slot * self.least - level
                ranks = at_least(counts, number) & ~(at_least(counts, number + 1) if level else 0)
                while ranks and found < self.trios:
                    low = ranks & -ranks
                    ranks ^= low
                    used[(low.bit_length() >> 2) - 1] += self.least - level
                    found += 1
        return used


class Search:
    """One search for the shortest ways; `distance` stays -1 while none is found."""

    __slots__ = (
        "alone",
        "bounds",
        "contract_trios",
        "counts",
        "distance",
        "held",
        "helps",
        "in_one_suit",
        "jokers",
        "kept",
        "limit",
        "loose",
        "most_jokers",
        "once",
        "ranks",
        "runs",
        "table",
        "trios",
        "way",
    )

    def __init__(self, rules: Rules, contract: str, hand: Faces, packs: int, jokers: int) -> None:
        run = rules.run
        trios = contract.count(TRIO)
        lending = trios > 0 and rules.trio.naturals > 0
        self.table: RunTable = run_table(
            run.least, run.naturals, run.ace, run.jokers_adjacent, packs, trios > 0, lending
        )
        self.contract_trios = trios
        self.trios = Trios(rules, trios, packs, jokers)
        self.runs = len(contract) - trios
        self.in_one_suit = min(self.runs, 1) if one_of_a_kind(rules) else self.runs
        self.alone = 0 if trios else self.runs
        # More jokers than could ever lie in the melds change nothing.
        self.jokers = min(hand.jokers, self.runs * max(self.table.shape.room) + trios * rules.trio.least)
        self.most_jokers = jokers
        self.once = [hand.once >> (13 * suit) & _RANKS for suit in range(4)]
        self.held = _spreads(hand, self.once)
        self.counts = self.held[0] + self.held[1] + self.held[2] + self.held[3]
        self.bounds = self._bounds(run.least) if self.runs else [[0]] * 5
        self.limit = 0
        self.distance = -1
        self.loose = 0
        self.ranks = 0
        self.helps = False
        self.way: list[tuple[int, Runs]] = []
        self.kept: list[tuple[int, Runs]] = []

    def _bounds(self, least: int) -> list[list[int]]:
        """For each suit, gaps that so many runs of it and of the suits after it cannot do without."""
        after = [0] + [_NEVER] * self.runs
        bounds = [after]
        for suit in (3, 2, 1, 0):
            one = self.table.one(self.once[suit])[0].gaps
            here = after[:]
            for mine in range(1, self.in_one_suit + 1):
                gaps = one if mine == 1 else max(mine * one, mine * least - total(self.held[suit]))
                for rest in range(self.runs + 1 - mine):
                    if after[rest] + gaps < here[rest + mine]:
                        here[rest + mine] = after[rest] + gaps
            bounds.append(here)
            after = here
        bounds.reverse()
        return bounds

    def run(self, most: int) -> None:
        """Looks for ways of distance 0, 1, … up to `most`, and notes all of the first distance that has any."""
        least = self.bounds[0][self.runs]
        if self.contract_trios:
            least += self.trios.gaps(self.counts)
        self.limit = max(0, least - self.jokers)
        while self.distance < 0 and self.limit <= most:
            if self.runs == 0:
                self._finish(self.counts)
            else:
                spare = self.limit + self.jokers
                if self.contract_trios:
                    spare -= self.trios.gaps(self.counts)
                self._choose(0, self.runs, spare, self.counts)
            self.limit += 1

    def _choose(self, first: int, runs: int, spare: int, counts: int) -> None:
        """Tries every way to make the runs still missing in the suits from `first` on, with `spare` gaps."""
        for suit in range(first, 4):
            after = self.bounds[suit + 1]
            for mine in range(1, min(runs, self.in_one_suit) + 1):
                most = spare - after[runs - mine]
                if most < 0:
                    continue
                for way in self._ways(suit, mine, most):
                    if way.gaps > most:
                        break
                    self.way.append((suit, way))
                    if mine == runs:
                        self._finish(counts - way.used)
                    else:
                        self._choose(suit + 1, runs - mine, spare - way.gaps, counts - way.used)
                    self.way.pop()
                    if self.distance == 0:
                        return

    def _ways(self, suit: int, runs: int, most: int) -> tuple[Runs, ...]:
        if runs == 1:
            return self.table.one(self.once[suit])
        if runs * self.table.shape.least - total(self.held[suit]) > most:
            return ()
        return self.table.several(self.held[suit], runs, self.jokers, most, self.alone)

    def _finish(self, counts: int) -> None:
        """Notes the chosen runs with the best trios of the cards left, if they are as short as the limit."""
        gaps = room = forced = lent = loose = tight = 0
        for _, way in self.way:
            gaps += way.gaps
            room += way.room
            forced += way.forced
            lent += way.lends
        if self.contract_trios:
            missing, fitting, loose, tight = self.trios.needs(counts, self.counts - counts, lent)
            gaps += missing
            room += fitting
        if gaps - min(self.jokers, room) != self.limit or forced > self.most_jokers:
            return
        if self.distance < 0:
            self.distance = self.limit
            self.kept = self.way[:]
        if self.limit == 0:
            return
        slack = self.jokers < room
        self.helps = self.helps or slack
        self.ranks |= loose if slack else tight
        for suit, way in self.way:
            self.loose |= (way.loose if slack else way.tight) << (13 * suit)

    def plan(self, hand: Faces, packs: int) -> Plan:
        """What was found, as a value."""
        if self.distance == 0:
            return Plan(0, self.keep(hand), 0, False)
        outs = self.loose
        ranks = self.ranks
        while ranks:
            low = ranks & -ranks
            outs |= _ONE_RANK << ((low.bit_length() >> 2) - 1)
            ranks ^= low
        helps = self.helps and self.jokers < self.most_jokers
        return Plan(self.distance, self.keep(hand), outs & unseen_mask(hand, packs), helps)

    def keep(self, hand: Faces) -> tuple[int, ...]:
        """The held cards that the way found first uses."""
        cards: list[int] = []
        counts = self.counts
        room = lent = 0
        used = [0, 0, 0, 0]
        for suit, way in self.kept:
            used[suit] = way.used
            counts -= way.used
            room += way.room
            lent += way.lends
        if self.contract_trios:
            room += self.trios.needs(counts, self.counts - counts, lent)[1]
            for rank, number in enumerate(self.trios.cards(counts)):
                for suit in range(4):
                    take = min(number, (self.held[suit] - used[suit]) >> (4 * rank) & 15)
                    used[suit] += take << (4 * rank)
                    number -= take
        for suit in range(4):
            rest = used[suit]
            while rest:
                rank = ((rest & -rest).bit_length() - 1) >> 2
                copies = rest >> (4 * rank) & 15
                cards.extend([13 * suit + rank] * copies)
                rest ^= copies << (4 * rank)
        cards.extend([JOKER] * min(self.jokers, room))
        return tuple(cards)


def _spreads(hand: Faces, once: list[int]) -> list[int]:
    """For each suit, the spread of the cards held.

    Of all sixteen cards of a rank in four packs one club is left out: a number of a spread holds fifteen, and five
    trios need no more.
    """
    held = [SPREAD[once[0]], SPREAD[once[1]], SPREAD[once[2]], SPREAD[once[3]]]
    for plane in (hand.twice, hand.thrice, hand.four):
        suit = 0
        while plane:
            held[suit] += SPREAD[plane & _RANKS]
            plane >>= 13
            suit += 1
    four = hand.four
    held[0] -= SPREAD[four & four >> 13 & four >> 26 & four >> 39 & _RANKS]
    return held


def total(spread: int) -> int:
    """The sum of a spread's thirteen numbers."""
    pairs = (spread & _EVEN) + (spread >> 4 & _EVEN)
    return pairs % 255
