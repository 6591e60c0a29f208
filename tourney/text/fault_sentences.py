"""The faults of bots in the reader's language: they are kept in English, as the bot's kind of fault and a sentence."""

import re
from functools import cache
from typing import Final

from tourney.text.i18n import _, marked, pgettext

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
    marked("out of this game"),
    marked("closed its output"),
    marked("ended with exit code {code}"),
    marked("ended by signal {number}"),
)
"""The sentences in which a fault is said; what a bot has said itself, or Python of it, stays as it is."""


def fault_text(kept: str) -> str:
    """Return a fault as a league keeps it, or its kind alone, in the reader's language.

    A sentence is translated as far as it is one of the program's.
    """
    kind, colon, sentence = kept.partition(": ")
    if f"fault|{kind}" not in KINDS:
        return kept
    return f"{pgettext('fault', kind)}{colon}{_sentence(sentence)}"


def _sentence(text: str) -> str:
    """Return a sentence translated; if it ends with what the bot wrote last, its beginning."""
    for template, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            values = found.groupdict()
            if "more" in values:
                values["more"] = _sentence(values["more"])
            return _(template).format(**values)
    before, colon, last = text.partition(": ")
    return f"{_sentence(before)}{colon}{last}" if colon else text


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each sentence with the pattern of its texts, those with more fixed words first."""
    named = {sentence: re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(sentence)) for sentence in SENTENCES}
    fixed = sorted(SENTENCES, key=lambda sentence: len(re.sub(r"\{\w+\}", "", sentence)), reverse=True)
    return tuple([(sentence, re.compile(named[sentence])) for sentence in fixed])
