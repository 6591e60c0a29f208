"""The engine's sentences in the reader's language: it writes them in English, with the template and the values."""

from engine.text import Message
from tourney.text.i18n import _, ngettext


def translated(text: object) -> str:
    """Return a sentence of the engine, or of its error, in the reader's language."""
    if isinstance(text, Exception):
        return translated(text.args[0])
    if not isinstance(text, Message):
        return _(str(text))
    values = {name: translated(value) if isinstance(value, Message) else value for name, value in text.values.items()}
    template = ngettext(text.template, text.many, int(values["number"])) if text.many else _(text.template)
    return template.format(**values)
