"""Wording and TOML text for messages, rules files and records."""

import re
import tomllib
from tomllib import TOMLDecodeError
from typing import Any, Final

MAX_NAME_PARTS: Final = 100
"""The most parts of a dotted name in TOML; ours have up to three."""
MAX_NAMES_PARTS: Final = 100_000
"""The most parts of all dotted names of a text: each is a table, which takes a kilobyte while it is read."""
MAX_TOML: Final = 1 << 20
"""The most characters of a text in TOML; ours have some thousands."""
MAX_LINE_SHOWN: Final = 60
"""The most characters of a line of TOML that a message shows."""
_TOML_PLACE: Final = re.compile(r"\(at (?:line (?P<line>[0-9]+), column [0-9]+|end of document)\)$")
"""Where `tomllib` stopped, as its messages end."""
_TOML_TWICE: Final = re.compile(r"Cannot (?:overwrite|declare|mutate)|Duplicate")
"""The beginning of the messages of `tomllib` about a second value."""
_TOML_WORDS: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+(?:"{3,5}|)'
    r"|'''(?:[^']|'{1,2}(?!'))*+(?:'{3,5}|)"
    r"|#[^\n]*+"
    r'|(?P<part>"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?|[A-Za-z0-9_-]++)|(?P<dot>\.)|[ \t]++|.",
    re.DOTALL,
)
"""The words of TOML, one after the other; a string without an end goes on to the end of its line, or of the text."""
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_LONG_NUMBER: Final = re.compile(r"\b0[box][0-9A-Fa-f_]{100}")


class Message(str):
    """A sentence for people in English, with what another language needs: its template and the values in it.

    Where the number of things decides the form, `many` is the template for all numbers but 1. A value can be a message.
    """

    template: str
    values: dict[str, Any]
    many: str = ""


class CardText(str):
    """Cards as text with the engine's letters; a sentence in another language may write them otherwise."""


def message(template: str, **values: object) -> Message:
    """Return the template with these values in place of its names; the sentence of an error stands for the error."""
    given = {name: value.args[0] if isinstance(value, Exception) else value for name, value in values.items()}
    text = Message(template.format(**given))
    text.template, text.values = template, given
    return text


def marked(template: str) -> str:
    """Return the text as it is: a template that is translated where the sentence is shown."""
    return template


def plural(number: int, thing: str) -> Message:
    """Return a number of things, as in `1 card` and `2 cards`."""
    one, many = f"{{number}} {thing}", f"{{number}} {thing}s"
    text = message(one if number == 1 else many, number=number)
    text.template, text.many = one, many
    return text


def toml_tables(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises ValueError for other text, for a number of too many digits (Python limits decimal ones alone), for more text
    than ours ever has, and for a name of too many parts, for which `tomllib` takes time and memory with the square of
    their number (3 s for a line of 40 kB); RecursionError for text that is nested too deep.
    """
    if len(text) > MAX_TOML:
        raise TOMLDecodeError(message("it is longer than {most} characters", most=MAX_TOML))
    if text.count(".") >= MAX_NAME_PARTS:
        _refuse_long_names(text)
    if _LONG_NUMBER.search(text):
        raise ValueError("a number too long to be written in decimals")
    return tomllib.loads(text)


def _refuse_long_names(text: str) -> None:
    """Raise TOMLDecodeError for a dotted name of too many parts, or for too many parts of all names."""
    parts, in_all, is_joined = 0, 0, False
    for word in _TOML_WORDS.finditer(text):
        kind = word.lastgroup
        if kind == "part":
            parts = parts + 1 if is_joined else 1
            in_all += is_joined
            if parts > MAX_NAME_PARTS:
                raise TOMLDecodeError(message("a name in it has more than {most} parts", most=MAX_NAME_PARTS))
        elif word[0].isspace() and word[0] != "\n":
            continue
        is_joined = kind == "dot"
    if in_all > MAX_NAMES_PARTS:
        raise TOMLDecodeError(message("its names have more than {most} parts in all", most=MAX_NAMES_PARTS))


def toml_fault(error: ValueError | RecursionError, text: str) -> str:
    """Return why a text is not TOML: the line that `tomllib` could not read, or an error of Python itself."""
    if isinstance(error, RecursionError):
        return message("it is nested too deep")
    if type(error) is ValueError:
        return message("a number in it has too many digits")
    found = _TOML_PLACE.search(str(error))
    if found is None:
        own: str = error.args[0]
        return own
    lines = text.rstrip().splitlines() or [""]
    number = min(int(found["line"] or len(lines)), len(lines))
    shown = " ".join(lines[number - 1].split())[:MAX_LINE_SHOWN]
    if _TOML_TWICE.match(str(error)):
        return message("line {line} says something twice: “{text}”", line=number, text=shown)
    return message("line {line} cannot be read: “{text}”", line=number, text=shown)


def toml_string(text: str) -> str:
    """Return the text as a TOML basic string, in which no character steers a terminal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04X}", escaped) + '"'
