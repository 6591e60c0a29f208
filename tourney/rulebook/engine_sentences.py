"""The engine's sentences in the reader's language: it writes them in English, with the template and the values."""

import re
from collections.abc import Iterator
from typing import Final

from engine.text import CardText, Message
from tourney.text.cards import shown_cards
from tourney.text.i18n import CONTEXT, _, marked, ngettext, pgettext

ACTIONS: Final = (
    marked("action|stock"),
    marked("action|take"),
    marked("action|claim"),
    marked("action|pass"),
    marked("action|down {melds}"),
    marked("action|back"),
    marked("action|off {card} {meld}"),
    marked("action|off {card} {meld} low"),
    marked("action|swap {card} {joker} to {meld}"),
    marked("action|swap {card} {joker} to {meld} low"),
    marked("action|move {origin} to {meld}"),
    marked("action|move {origin} to {meld} low"),
    marked("action|move {origin} low to {meld}"),
    marked("action|move {origin} low to {meld} low"),
    marked("action|discard {card}"),
    marked("action|close"),
    marked("action|close {card}"),
    marked("action|knock"),
    marked("action|rummy"),
    marked("action|rummy {card}"),
    marked("action|color"),
    marked("action|color {card}"),
    marked("action|continental"),
    marked("action|continental {card}"),
    marked("action|buy"),
    marked("action|decline"),
)
"""Every action as a record writes it, which is also how English readers see it; a test compares it with the engine."""


def translated(text: object) -> str:
    """Return a sentence of the engine, or of its error, in the reader's language."""
    if isinstance(text, Exception):
        return translated(text.args[0])
    if not isinstance(text, Message):
        return _(str(text))
    values = {name: _value(value) for name, value in text.values.items()}
    template = ngettext(text.template, text.many, int(text.values["number"])) if text.many else _(text.template)
    return template.format(**values)


def _value(value: object) -> object:
    """Return a value of a sentence as its reader has it: a sentence translated, cards as they are shown."""
    if isinstance(value, CardText):
        return shown_cards(value)
    return translated(value) if isinstance(value, Message) else value


def action_text(recorded: str) -> str:
    """Return an action of a record in the reader's language; in English, or if it is none, as it is recorded."""
    return next((pgettext("action", form).format(**values) for form, values in _read_action(recorded)), recorded)


def _read_action(recorded: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the form of an action, and the cards and melds in it."""
    verb = recorded.partition(" ")[0]
    for form in (entry.partition(CONTEXT)[2] for entry in ACTIONS):
        if form.partition(" ")[0] == verb and (found := re.fullmatch(_pattern(form), recorded)):
            yield form, found.groupdict()


def _pattern(form: str) -> str:
    """Return the form of an action as a pattern: melds are many words, all else is one."""
    return form.replace("{melds}", "(?P<melds>.+)").replace("{", "(?P<").replace("}", r">\S+)")
