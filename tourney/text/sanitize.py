"""Text from users made safe to show on a terminal, or to paste into a command line."""

import os
import re
import sys
from shlex import quote
from unicodedata import category

_SPLIT = re.compile(r"[\s'&|;<>()*?#~\[\]{}]")
_EXPANDED = re.compile(r'["$`\\!]')
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""The Unicode categories of characters that are not seen, but may move or hide what is."""
_STEERING = (*range(127, 160), 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
JSON_ESCAPES = {code: f"\\u{code:04x}" for code in _STEERING}
"""The escapes of the control characters that JSON may have in its strings as they are."""
CELL_ESCAPES = JSON_ESCAPES | {code: f"\\x{code:02x}" for code in range(32) if chr(code) not in "\t\n\r"}
"""The escapes of all control characters that a cell of CSV may not have: tabs and line ends stay."""
TERMINAL_ESCAPES = CELL_ESCAPES | {ord("\r"): "\\x0d"}
"""The escapes of all characters that steer a terminal: a carriage return is one, which writes over its line."""


def quote_argument(argument: str) -> str:
    """Return text as one argument of a command line: quoted where a shell would split or expand it."""
    if _EXPANDED.search(argument):
        return quote(argument)
    return f'"{argument}"' if not argument or _SPLIT.search(argument) else argument


def pip_command(extra: str) -> str:
    """Return the command that installs an extra for the Python that runs this program, wherever that is."""
    python = f'"{sys.executable}"' if os.name == "nt" else quote_argument(sys.executable)
    return f'{python} -m pip install "tourney-continental[{extra}]"'


def sanitize(text: str) -> str:
    """Return the text on one line, unseen characters escaped as `\\x1b`, so that a name cannot steer a terminal."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(char: str) -> str:
    if category(char) not in _UNSEEN:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
