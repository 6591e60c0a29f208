"""Text from users made safe to show on a terminal, or to paste into a command line."""

import re
from shlex import quote

_SPLIT = re.compile(r"[\s'&|;<>()*?#~\[\]{}]")
_EXPANDED = re.compile(r'["$`\\!]')
_CONTROL = (*range(32), *range(127, 160))
_UNICODE_CONTROL = (0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
JSON_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(127, 160), *_UNICODE_CONTROL)}
"""The escapes of the control characters that JSON may have in its strings as they are."""
_ESCAPES = {code: f"\\x{code:02x}" for code in _CONTROL} | {code: f"\\u{code:04x}" for code in _UNICODE_CONTROL}


def quote_argument(argument: str) -> str:
    """Return text as one argument of a command line: quoted where a shell would split or expand it."""
    if _EXPANDED.search(argument):
        return quote(argument)
    return f'"{argument}"' if not argument or _SPLIT.search(argument) else argument


def sanitize(text: str) -> str:
    """Return the text on one line, control characters escaped as `\\x1b`, so that a name cannot steer a terminal."""
    return text.translate(_ESCAPES)
