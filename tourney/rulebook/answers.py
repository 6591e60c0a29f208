"""What the engine answers about rules, records and bots, as frozen values. No input, no output."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tourney.domain.results import Outcome


@dataclass(frozen=True, slots=True)
class Legality:
    """Whether something is legal; `clause` is the rule that forbids it, None where it is legal."""

    legal: bool
    clause: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Swap:
    """The `run` (as text) that comes about when a card takes a joker's place.

    `joker_goes_to` is None if the joker stays in it, or says in words where else it must go.
    """

    run: str
    joker_goes_to: str | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a card may be laid off on a meld, and on which melds that ends (as text).

    `swaps` are the exchanges of the card for a joker of the meld.
    """

    legal: bool
    clause: str | None
    reason: str
    melds: tuple[str, ...] = ()
    swaps: tuple[Swap, ...] = ()


@dataclass(frozen=True, slots=True)
class Arranged:
    """The contract laid with the cheapest leftovers, `points` theirs.

    `missing` cards are short; each card of `outs` brings the contract one nearer, with its copies unseen.
    Where the contract cannot be met there are no melds and everything is left.
    """

    possible: bool
    melds: tuple[str, ...]
    left: str
    points: int
    missing: int
    outs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Points:
    """What cards count that are left in a hand."""

    points: int


Answer = Legality | Fit | Arranged | Points


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A line that could not be read, and why."""

    error: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule set of the list; `family` is `contract` or `knock`, `variants` may be put behind its id."""

    id: str
    document: str
    title: str
    family: str
    least: int
    most: int
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One rule; `clause` is where it stands, or the ambiguity (`A-09`) where the document is silent.

    `field` is its place in the rule set's file, as `claim.limit`; what no field says has a name like it.
    """

    section: str
    text: str
    clause: str
    field: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A rule that two rule sets have otherwise; None where one says nothing of it."""

    section: str
    field: str
    one: Sentence | None
    other: Sentence | None


@dataclass(frozen=True, slots=True)
class Differences:
    """How the rule sets `one` and `other` differ, section by section."""

    one: str
    other: str
    rows: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that a rule set says. `packs` and `jokers` are those of the first hand of a full table.

    `hands` are contracts with the cards dealt, `values` the points of the cards left in a hand.
    """

    entry: Entry
    digest: str
    packs: int
    jokers: int
    hands: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, int], ...]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """What to do about an irregularity if it is found then; `clause` is where the steps stand."""

    id: str
    found: str
    steps: tuple[str, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something that went wrong at a table, with the steps for each moment at which it may be found."""

    kind: str
    title: str
    moments: tuple[Moment, ...]


@dataclass(frozen=True, slots=True)
class RecordPage:
    """What a record says of its game, not replayed.

    `seed` is None for a game of people. `dealers` are seats (0 first) hand by hand, `acts` the lines of each
    hand as written: the seat, from 1, and the act.
    """

    rules: str
    rules_digest: str
    engine_rules: int
    players: tuple[str, ...]
    seed: str | None
    outcome: Outcome
    dealers: tuple[int, ...]
    acts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A record, the file in which it stands and the SHA-256 of its text."""

    path: str
    digest: str
    page: RecordPage


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A built-in bot and what it does, in one sentence."""

    name: str
    does: str
