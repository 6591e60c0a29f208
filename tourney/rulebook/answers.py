"""The engine's answers about rules, records and bots, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tourney.domain.results import Outcome
from tourney.domain.rules import Family


@dataclass(frozen=True, slots=True)
class Legality:
    """A verdict on melds; `clause` is the rule that forbids them, None if they are legal.

    `lay_down` says whether they may be laid down so, as the whole contract; None in the knock game, in which nobody
    lays down. `notes` are what else a player should know.
    """

    legal: bool
    clause: str | None
    reason: str
    lay_down: bool | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JokerSwap:
    """A run, as text, in which a card has taken a joker's place.

    `joker_goes_to` is None if the joker stays in the run, or says in words where else it must go.
    """

    run: str
    joker_goes_to: str | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """A verdict on laying a card off on a meld; `melds` are the melds, as text, that the meld may become.

    `swaps` are the exchanges of the card for a joker of the meld.
    """

    legal: bool
    clause: str | None
    reason: str
    melds: tuple[str, ...] = ()
    swaps: tuple[JokerSwap, ...] = ()


@dataclass(frozen=True, slots=True)
class ArrangementAnswer:
    """The melds of a contract, chosen so that the cards `left` in the hand count the fewest `points`.

    `missing` cards are needed to complete the contract; each card of `outs`, given with the number of its unseen
    copies, is one of them. If the contract cannot be met, there are no melds and all cards are left.
    """

    possible: bool
    melds: tuple[str, ...]
    left: str
    points: int
    missing: int
    outs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Points:
    """The points of cards left in a hand; `clause` is where the values of cards come from."""

    points: int
    clause: str = ""


Answer = Legality | Fit | ArrangementAnswer | Points


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """An error in place of an answer: the line could not be read."""

    error: str


@dataclass(frozen=True, slots=True)
class RuleSetEntry:
    """A rule set in the list; `family` is `contract` or `knock`, `least` and `most` are players at a table.

    `hands` is how many hands a game has, 0 where that is open, and `joker` what a joker left in hand counts.
    """

    id: str
    document: str
    title: str
    family: str
    least: int
    most: int
    variants: tuple[str, ...] = ()
    hands: int = 0
    joker: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One rule in words; `clause` is its source, or the ambiguity (`A-09`) where the document is silent.

    `field` is the rule's field in the rule set's file, such as `claim.limit`; a rule without a field has a name of that
    form. `words` are the clause's own, if a page quotes them.
    """

    section: str
    text: str
    clause: str
    field: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class VariantRule:
    """A variant of a rule set in words, its clause, and the variants that cannot be played with it.

    `words` are the clause's own, if a page quotes them.
    """

    id: str
    text: str
    clause: str
    refuses: tuple[str, ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """One rule in which two rule sets differ; the sentence of a rule set that has no such rule is None.

    `about` is the field that the rule is about: differences about one field belong together.
    """

    section: str
    field: str
    one: Sentence | None
    other: Sentence | None
    about: str


@dataclass(frozen=True, slots=True)
class Differences:
    """All differences between the rule sets `one` and `other`, section by section."""

    one: str
    other: str
    rows: tuple[RuleDifference, ...]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Everything that a rule set says. `packs` and `jokers` are their numbers in the first hand at a full table.

    `hands` are contracts with the cards dealt, `values` the points of the cards left in a hand. `written` has the
    contracts that the document writes otherwise. `origins` say where the documents come from, if the page quotes them.
    `values_clause` is where the values come from.
    """

    entry: RuleSetEntry
    digest: str
    packs: int
    jokers: int
    hands: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, int], ...]
    sentences: tuple[Sentence, ...]
    written: Mapping[str, str]
    variants: tuple[VariantRule, ...]
    origins: tuple[str, ...]
    values_clause: str = ""


Need = Literal["claims", "laying", ""]


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing that an arbiter does; `source` is its clause, a decision such as A-26, or `ours`, a house ruling.

    Clauses of several documents stand between bars, `003/1.6|002/1.6`. A step without a source says what to do with
    this program. With `game` the step belongs only to rule sets of that family.
    """

    text: str
    source: str = ""
    game: Family | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """The steps for an irregularity found at one moment, which `found` says in words."""

    id: str
    found: str
    steps: tuple[Remedy, ...]

    @property
    def clause(self) -> str:
        """The sources of all steps, each once."""
        return ", ".join(dict.fromkeys(part for step in self.steps for part in step.source.split(", ") if part))


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity at a table, with the steps for each moment at which it may be found.

    Kinds and moments are names that other programs use: they stay. `needs` is what a rule set must have so that it can
    happen at all.
    """

    kind: str
    title: str
    moments: tuple[Moment, ...]
    needs: Need = ""


def irregularity(kind: str, title: str, *moments: Moment, needs: Need = "") -> Irregularity:
    """Return an irregularity with these moments."""
    return Irregularity(kind, title, moments, needs)


def moment(id: str, found: str, *steps: Remedy) -> Moment:
    """Return a moment with these steps."""
    return Moment(id, found, steps)


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A record as it is written, not replayed.

    `seed` is None for a game of people. `dealers` are seats (0 first) hand by hand, `acts` the lines of each hand: the
    seat, from 1, and the action.
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
    """A record, its file, and the SHA-256 of its text."""

    path: str
    digest: str
    page: RecordPage
