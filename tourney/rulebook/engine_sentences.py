"""The engine's sentences in the reader's language: it writes them in English, with the template and the values."""

from engine.text import CardText, Message
from tourney.text.cards import shown_cards
from tourney.text.i18n import _, ngettext


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
