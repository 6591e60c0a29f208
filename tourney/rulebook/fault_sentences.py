"""The faults of bots in the reader's language: they are kept in English, as the bot's kind of fault and a sentence."""

import re
from functools import cache
from typing import Final

from tourney.rulebook.engine_sentences import action_text
from tourney.text.cards import shown_cards
from tourney.text.i18n import _, marked, ngettext, pgettext

KINDS: Final = (
    marked("fault|illegal"),
    marked("fault|unreadable"),
    marked("fault|slow"),
    marked("fault|stalled"),
    marked("fault|died"),
)
"""The kinds as a fault's text begins; a test compares them with those that are counted."""

SENTENCES: Final = (
    marked("the turn has no end: {number} actions in it"),
    marked("the hand has no end: {number} turns in it; draw from the stock"),
    marked("{name} is not an action"),
    marked("{name} is neither True nor False"),
    marked("a program answers `hello {version} NAME`, not “{line}”"),
    marked("“{line}” does not belong between hello and ready"),
    marked("the program speaks version {version}, not {known}"),
    marked("families are of: {families}"),
    marked("seats are two numbers, the fewest and the most"),
    marked("there is no action {number}; the list has {length}"),
    marked("has ended too often to be started again in this block"),
    marked("has failed too often to play on in this block"),
    marked("cannot be started: {reason}"),
    marked("an answer of more than {number} bytes"),
    marked("an answer that begins with a byte order mark"),
    marked("an answer that is not UTF-8"),
    marked("does not read what it is told"),
    marked("no answer in time"),
    marked("no answer within {seconds} s"),
    marked("no answer within {seconds} s: {more}"),
    marked("no answer within {seconds} s, nor to an earlier question"),
    marked("no answer within {seconds} s, nor to an earlier question: {more}"),
    marked("“{text}” has no line feed at its end"),
    marked("reads on without an answer"),
    marked("reads on without an answer, nor to an earlier question"),
    marked("out of fuel: {number} for one answer"),
    marked("more than {number} s of processor time"),
    marked("out of this game"),
    marked("closed its output"),
    marked("ended with exit code {code}"),
    marked("ended by signal {number}"),
)
"""The sentences in which a fault is said; what a bot has said itself, or Python of it, stays as it is."""

REASONS: Final = (
    marked("{card} is not in the hand"),
    marked("{cards} is not in the hand"),
    marked("the cards kept count {held} points; a player closes with {most} or less"),
    marked("no joker there stands for {cards}; jokers of a trio cannot be exchanged"),
    marked("a joker does not fit there on {destination}"),
    marked("the run must keep at least {least} cards"),
    marked("the contract is {contract}, and no meld is laid down"),
    marked("the contract is {contract}, these melds are {laid}"),
    marked("a trio is laid down with {least} cards; more are laid off afterwards"),
    marked("a run is laid down with {least} cards; more are laid off afterwards"),
    marked("{cards} does not fit there on {melds}"),
    marked("there is no meld {meld} on the table"),
    marked("a player may claim {claim_limit} times in a hand"),
    marked("a continental is {cards} cards of one rank, or {cards} of one suit in order"),
    marked("a player knocks with {knock_at} points or less; these cards leave {points}"),
    marked("before the draw a player declares without a discard: {ending}"),
    marked("after the draw a player declares with a discard, as in {ending} 7h"),
    marked("a trio has at least {cards}"),
    marked("a trio has at most {cards}"),
    marked("a trio needs {cards} other than jokers"),
    marked("a run has at least {cards}"),
    marked("a run has at most {cards}"),
    marked("a run needs {cards} other than jokers"),
    marked("{reason}: {cards}"),
)
"""The engine's reasons that hold values; the others are their own templates."""
MOST_READ: Final = 1_000
"""The characters of the longest fault that is translated; those of our bots have a fourth of that."""
_REFUSED: Final = re.compile(r"(?P<action>[^:]+): (?P<reason>.+) \[(?P<clause>[^\[\]]+)\]")
"""An illegal action as it is kept, with the reason and the clause."""
_NUMBER_OF_CARDS: Final = re.compile(r"(?P<number>[0-9]+) cards?")
_HOLE: Final = re.compile(r"\{(\w+)\}")
"""The place of a value in a template."""


def fault_text(kept: str) -> str:
    """Return a fault as a league keeps it, or its kind alone, in the reader's language.

    A sentence is translated as far as it is one of the program's. A file of others may have a long one, which stays as
    it is: the time to read it would grow with the square of its length.
    """
    kind, colon, sentence = kept.partition(": ")
    if len(kept) > MOST_READ or f"fault|{kind}" not in KINDS:
        return kept
    refused = _REFUSED.fullmatch(sentence) if kind == "illegal" else None
    return f"{pgettext('fault', kind)}{colon}{_refusal(refused) if refused else _sentence(sentence)}"


def _refusal(refused: re.Match[str]) -> str:
    """Return an illegal action with the engine's reason."""
    return f"{action_text(refused['action'])}: {_reason(refused['reason'])} [{refused['clause']}]"


def _reason(text: str) -> str:
    """Return a reason of the engine translated; another text as it is."""
    found = _read_back(text, REASONS, "[^:]+?")
    if found is None:
        return _(text)
    template, values = found
    return _(template).format(**{name: _value(name, value) for name, value in values.items()})


def _value(name: str, text: str) -> str:
    """Return a value in a reason as its reader has it: a reason, a number of cards, or cards."""
    if name == "reason":
        return _reason(text)
    counted = _NUMBER_OF_CARDS.fullmatch(text)
    if counted is not None:
        return ngettext("{number} card", "{number} cards", int(counted["number"])).format(**counted.groupdict())
    return shown_cards(text) if name in ("card", "cards", "melds", "destination") else text


def _sentence(text: str) -> str:
    """Return a sentence translated; if it ends with what the bot wrote last, its beginning."""
    found = _read_back(text, SENTENCES)
    if found is not None:
        template, values = found
        if "more" in values:
            values["more"] = _sentence(values["more"])
        return _(template).format(**values)
    before, colon, last = text.partition(": ")
    return f"{_sentence(before)}{colon}{last}" if colon else text


def _read_back(text: str, templates: tuple[str, ...], value: str = ".+?") -> tuple[str, dict[str, str]] | None:
    """Return the template that a text was made from, and its values, of this pattern; None if there is none."""
    for template, pattern in _patterns(templates, value):
        found = pattern.fullmatch(text)
        if found is not None:
            return template, found.groupdict()
    return None


@cache
def _patterns(templates: tuple[str, ...], value: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each template with the pattern of its texts, those with more fixed words first."""
    fixed = sorted(templates, key=lambda template: len(_HOLE.sub("", template)), reverse=True)
    return tuple([(template, re.compile(_pattern(template, value))) for template in fixed])


def _pattern(template: str, value: str) -> str:
    """Return the pattern of a template's texts; a value that stands in it twice is the same both times."""
    words, *rest = _HOLE.split(template)
    pattern, seen = re.escape(words), set[str]()
    for name, following in zip(rest[::2], rest[1::2], strict=True):
        pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{value})"
        pattern += re.escape(following)
        seen.add(name)
    return pattern
