"""Text from users made safe to show on a terminal, or to paste into a command line."""

import re
from shlex import quote
from unicodedata import category

_SPLIT = re.compile(r"[\s'&|;<>()*?#~\[\]{}]")
_EXPANDED = re.compile(r'["$`\\!]')
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""The Unicode categories of characters that are not seen, but may move or hide what is."""


def quote_argument(argument: str) -> str:
    """Return text as one argument of a command line: quoted where a shell would split or expand it."""
    if _EXPANDED.search(argument):
        return quote(argument)
    return f'"{argument}"' if not argument or _SPLIT.search(argument) else argument


def sanitize(text: str) -> str:
    """Return the text on one line, unseen characters escaped as `\\x1b`, so that a name cannot steer a terminal."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(char: str) -> str:
    if category(char) not in _UNSEEN:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
