"""A rule set as frozen data: one dataclass for each table of its file.

The type of a number has the range that is possible in a game; reading a file refuses other values.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from engine.cards import JOKER, RED_TWOS
from engine.errors import RulesError

ENGINE_RULES = 1
"""The version of the engine's interpretation of the rules; a record of another version may not replay."""


@dataclass(frozen=True, slots=True)
class Between:
    """The least and the greatest value of a number in a rules file."""

    least: int
    most: int


Seats = Annotated[int, Between(2, 12)]
HandNumber = Annotated[int, Between(1, 20)]
Packs = Annotated[int, Between(1, 4)]
JokerCount = Annotated[int, Between(0, 16)]
MeldSize = Annotated[int, Between(3, 6)]
MeldMost = Annotated[int, Between(3, 40)]
Naturals = Annotated[int, Between(0, 6)]
CardPoints = Annotated[int, Between(0, 200)]
Dealt = Annotated[int, Between(1, 30)]
Share = Annotated[int, Between(2, 10)]
Shuffles = Annotated[int, Between(0, 10)]
Claims = Annotated[int, Between(1, 50)]
HeldPoints = Annotated[int, Between(1, 100)]
ClosePoints = Annotated[int, Between(-1000, 0)]
Stake = Annotated[int, Between(1, 1_000_000)]
Score = Annotated[int, Between(0, 10_000)]
BuyFactor = Annotated[int, Between(1, 10)]

Allowed = Literal["allowed", "forbidden"]


@dataclass(frozen=True, slots=True)
class Players:
    """The fewest and the most players at one table."""

    least: Seats
    most: Seats


@dataclass(frozen=True, slots=True)
class TableRules:
    """Direction of play, draw for seats, first dealer and cut."""

    direction: Literal["anticlockwise", "clockwise"]
    seat_draw: Literal["high card", "none"]
    draw_ace: Literal["low", "high"]
    first_dealer: Literal["high card", "low card", "random"]
    cut: Literal["next", "previous", "none"]


@dataclass(frozen=True, slots=True)
class Pack:
    """The packs, as rows `(most players, from hand, packs)`, and the jokers, as rows `(most players, number)`.

    `wild_twos` are the twos that may stand for any card, as jokers do.
    """

    packs: tuple[tuple[Seats, HandNumber, Packs], ...]
    jokers: tuple[tuple[Seats, JokerCount], ...]
    jokers_counted: Literal["per pack", "in all"]
    wild_twos: Literal["none", "red"]


@dataclass(frozen=True, slots=True)
class Trio:
    """The shape of a trio; `naturals` is the least number of cards that are not jokers."""

    least: MeldSize
    most: MeldMost | None
    naturals: Naturals


@dataclass(frozen=True, slots=True)
class Run:
    """The shape of a run; `ace` says whether a run may go round the corner or has an ace only at an end.

    `naturals` is the least number of cards that are not jokers: at least one, which gives the run its suit.
    """

    least: MeldSize
    most: MeldMost | None
    naturals: Naturals
    ace: Literal["round", "ends"]
    jokers_adjacent: Allowed


@dataclass(frozen=True, slots=True)
class CardValues:
    """Points of the cards left in hand: thirteen ranks from the ace to the king, the joker, and a wild two."""

    ranks: tuple[CardPoints, ...]
    joker: CardPoints
    wild_two: CardPoints


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of a game in order, as `(contract, cards dealt)`."""

    order: tuple[tuple[str, Dealt], ...]


@dataclass(frozen=True, slots=True)
class Stock:
    """The number of stocks, the first upcard, and how often the discards may become a new stock.

    If there are two stocks, the penalty stock gets 1/`penalty_share` of the undealt cards, rounded down.
    """

    stocks: Literal[1, 2]
    penalty_share: Share | None
    upcard: Literal["any", "no joker", "none"]
    shuffles: Shuffles


@dataclass(frozen=True, slots=True)
class ClaimRules:
    """The rules of claims: who may take a discard out of turn, and where the penalty card comes from."""

    who: Literal["anyone", "nobody"]
    own_discard: Allowed
    when_down: Allowed
    limit: Claims | None
    penalty: Literal["stock", "penalty stock", "none"]


@dataclass(frozen=True, slots=True)
class Discarding:
    """Discards allowed: the card just `taken` from the pile, and `jokers`.

    A player who holds nothing else may discard them in any case.
    """

    taken: Allowed
    jokers: Allowed


@dataclass(frozen=True, slots=True)
class Laying:
    """The rules of laying down (`first_turn`: also in the first turn of the hand), taking back and laying off.

    `longer_melds` says which melds may be laid down with more than the least cards: all, only trios, or none.
    """

    first_turn: Allowed
    longer_melds: Literal["allowed", "trios", "forbidden"]
    distinct: Literal["no", "yes"]
    taking_back: Literal["same turn", "never"]
    lay_off: Literal["any meld", "others' melds", "own melds", "none"]


@dataclass(frozen=True, slots=True)
class Jokers:
    """The moves allowed with jokers of runs on the table; `freed` says where an exchanged joker goes.

    `that run, from an end runs of that owner`: a joker from the middle of a run goes to an end of that run, one from an
    end to any run of the same owner.
    """

    swap: Literal["any run", "own runs", "none"]
    freed: Literal[
        "runs of that owner", "that run, from an end runs of that owner", "any other run", "any other run or trio"
    ]
    move: Literal["runs of that owner", "own runs", "none"]

    @property
    def freed_stays_with_owner(self) -> bool:
        """Return whether an exchanged joker stays in runs of its run's owner, which include the run itself."""
        return self.freed not in ("any other run", "any other run or trio")


@dataclass(frozen=True, slots=True)
class Closing:
    """The rules of closing, by a discard of the last card (`last_discard`) or without a discard (`all_placed`).

    `held` is the most points that the closer may keep after the last discard, if any; `held_counts` says whether these
    are added to the closer's points. `only_same_turn` says which hands may be closed only in the turn of laying down.
    """

    held: HeldPoints | None
    held_counts: Literal["no", "yes"]
    only_same_turn: Literal["no", "every hand", "last hand"]
    last_discard: Allowed
    all_placed: Allowed


@dataclass(frozen=True, slots=True)
class Bonus:
    """The closer's points: `earlier` after laying down in an earlier turn, `same_turn` otherwise."""

    earlier: ClosePoints
    same_turn: ClosePoints
    same_turn_by_contract: tuple[tuple[str, ClosePoints], ...]
    all_placed: ClosePoints | None


@dataclass(frozen=True, slots=True)
class Ending:
    """The winner of a tie, and the points of a dead hand."""

    tie: Literal["recent hand", "shared"]
    dead_hand: Literal["everybody counts"]


@dataclass(frozen=True, slots=True)
class Contracts:
    """The tables of the contract family, in which each hand has its contract."""

    hands: Hands
    stock: Stock
    claim: ClaimRules
    discarding: Discarding
    laying: Laying
    jokers: Jokers
    closing: Closing
    bonus: Bonus
    ending: Ending


@dataclass(frozen=True, slots=True)
class KnockHand:
    """The rules of a knock hand: the deal, the four ways to end it, and the closer's points.

    A player knocks with `knock_at` points or less, aces counting `closer_ace`. `color_jokers` says whether a joker
    takes the suit of a color; `declare`, when a rummy, a color or a continental may be declared.
    """

    deal: Dealt
    shuffles: Shuffles
    knock_at: HeldPoints
    closer_ace: CardPoints
    rummy: ClosePoints
    color: ClosePoints
    color_jokers: Allowed
    declare: Literal["any time", "after drawing"]
    dead_hand: Literal["everybody counts"]


@dataclass(frozen=True, slots=True)
class Bonuses:
    """The amounts that each player owes the closer of a hand if the stake is `of_stake`; in proportion otherwise.

    A rummy with at least `jokers_from` jokers also brings the closer a knock's bonus for every joker. One player, the
    `pot_payer`, pays into the pot instead.
    """

    of_stake: Stake
    knock: Stake
    rummy: Stake
    color: Stake
    jokers_from: JokerCount
    pot_payer: Literal["left of the closer", "lowest score"]


@dataclass(frozen=True, slots=True)
class Survival:
    """The rules for staying in the knock game, buying points off and its price, and splitting the pot.

    Points are bought off above `buy_above`, while at least `buy_others` other players are in the game. The first buy
    costs the stake, each later one of that player `buy_factor` times the one before. After `most_hands` the game ends
    as if everybody were out.
    """

    eliminated_above: Score
    buy_above: Score
    buy_others: Seats
    buy_factor: BuyFactor
    split_when: Literal["two remain", "never"]
    split_within: Score
    all_out: Literal["lowest wins", "split"]
    most_hands: Annotated[int, Between(1, 10_000)]


@dataclass(frozen=True, slots=True)
class Knocking:
    """The tables of the knock family: no contracts, no melds on the table, money."""

    hand: KnockHand
    bonuses: Bonuses
    survival: Survival


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a field: a clause of a document or, where it is `silent`, the ambiguity that we decided.

    Where the document decides a part of the field only, the clause names both: `002/1.2, A-05`.
    """

    clause: str
    silent: bool


@dataclass(frozen=True, slots=True)
class ClubWord:
    """A club's own word for a term, as its file has it; plural and gender are empty where it leaves them out."""

    term: str
    word: str
    plural: str = ""
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set, its variants applied.

    `sources` gives the source of every field by its path, as in `claim.limit`. `digest` covers only the values and
    identifies the exact rules; `former` are the digests of the same rules before fields were added, and `narrower`
    those of earlier rules of that name of which every game is legal by these, with the same points. `words` are a
    club's own, for those who show the rules to people.
    """

    id: str
    kind: Literal["contract", "knock"]
    document: str
    title: str
    players: Players
    table: TableRules
    pack: Pack
    trio: Trio
    run: Run
    values: CardValues
    play: Contracts | Knocking
    sources: dict[str, Source]
    digest: str
    former: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    words: tuple[ClubWord, ...] = ()

    def packs(self, players: int, hand: int = 1) -> int:
        """Return the number of packs in play in that hand (hands count from 1)."""
        rows = [row for row in self.pack.packs if row[0] >= players and row[1] <= hand]
        if not rows:
            raise RulesError("{rules} has no packs for {players} players", rules=self.id, players=players)
        return min(rows, key=lambda row: (row[0], -row[1]))[2]

    def jokers(self, players: int, hand: int = 1) -> int:
        """Return the number of jokers in play in that hand (hands count from 1)."""
        for most, number in sorted(self.pack.jokers):
            if players <= most:
                return number * self.packs(players, hand) if self.pack.jokers_counted == "per pack" else number
        raise RulesError("{rules} has no jokers for {players} players", rules=self.id, players=players)

    def points(self, face: int) -> int:
        """Return the points of a card that is left in a hand."""
        if face == JOKER:
            return self.values.joker
        if self.pack.wild_twos == "red" and face in RED_TWOS:
            return self.values.wild_two
        return self.values.ranks[face % 13]

    def same_as(self, digest: str) -> bool:
        """Return whether the digest identifies these rules, by their fields now or before fields were added."""
        return digest == self.digest or digest in self.former

    def named_by(self, digest: str) -> bool:
        """Return whether games by the rules of that digest are games by these rules too."""
        return self.same_as(digest) or digest in self.narrower

    @property
    def contracts(self) -> Contracts:
        """Return the tables of the contract family; RulesError for the knock game."""
        if not isinstance(self.play, Contracts):
            raise RulesError("{rules} has no contracts", rules=self.id)
        return self.play

    @property
    def shuffles(self) -> int:
        """Return how often in a hand the discards may become a new stock [A-09]."""
        play = self.play
        return play.stock.shuffles if isinstance(play, Contracts) else play.hand.shuffles

    @property
    def knocking(self) -> Knocking:
        """Return the tables of the knock family; RulesError for a contract game."""
        if not isinstance(self.play, Knocking):
            raise RulesError("{rules} is a contract game; it has no knocking", rules=self.id)
        return self.play

    def clause(self, path: str) -> str:
        """Return the clause behind a field, as in `clause("claim.limit")`."""
        return self.sources[path].clause

    def section(self, number: str) -> str:
        """Return the clause of a section of this document, as in `003/1.5`, for a rule that no field holds."""
        return f"{self.document}/{number}"
