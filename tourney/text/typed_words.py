"""Meanings of the English words that people type for settings: in Spanish they stand beside the words.

The words are like the names of options: the same in every language, so that a command, a file and a guide hold
everywhere. Who reads one in a table must be able to type it, and to understand it: `drawn (por sorteo)`.
"""

from typing import Final

from tourney.text.i18n import _, marked, pgettext

MEANINGS: Final = (
    marked("format|rotation"),
    marked("format|swiss"),
    marked("format|rated swiss"),
    marked("format|snake"),
    marked("format|seeded"),
    marked("format|random"),
    marked("format|informative"),
    marked("format|groups"),
    marked("format|knock-out"),
    marked("format|ladder"),
    marked("format|manual"),
    marked("short|short tables"),
    marked("short|sit out"),
    marked("checkin|not asked"),
    marked("checkin|required"),
    marked("unfinished|count hands"),
    marked("unfinished|void"),
    marked("unfinished|penalty"),
    marked("seats|balanced"),
    marked("seats|drawn"),
    marked("seats|winner deals"),
    marked("lang|en"),
    marked("lang|es"),
    marked("scoring|points"),
    marked("scoring|table points"),
    marked("scoring|place points"),
    marked("scoring|share"),
    marked("scoring|neuberg"),
    marked("totals|automatic"),
    marked("totals|sum"),
    marked("totals|per game"),
    marked("substitutes|absent"),
    marked("substitutes|substitute"),
    marked("substitutes|nobody"),
    marked("phone_pins|seat taken"),
    marked("phone_pins|always"),
    marked("by|points"),
    marked("by|table points"),
    marked("by|place points"),
    marked("by|base rank"),
    marked("totals|mean"),
    marked("totals|ema"),
    marked("weights|given"),
    marked("weights|ema"),
    marked("rounding|exact"),
    marked("rounding|round"),
    marked("rounding|truncate"),
    marked("design|pairs"),
    marked("design|replace"),
    marked("design|gauntlet"),
    marked("design|rotations"),
    marked("design|fresh"),
    marked("isolation|trusted"),
    marked("isolation|process"),
    marked("isolation|sandbox"),
    marked("isolation|wasm"),
)
"""Each word behind the setting that it is a value of, which is its context in the catalogue."""


def explained(setting: str, word: str) -> str:
    """Return a value of the setting with its meaning in the reader's language; alone in English, or if it has none."""
    meaning = pgettext(setting, word)
    return word if meaning == word else _("{word} ({meaning})").format(word=word, meaning=meaning)
