"""Text for terminals without UTF-8: characters that their encoding lacks are replaced by the nearest ones it has."""

import codecs
from typing import Final, TextIO
from unicodedata import combining

from tourney.text.i18n import _, marked

_NEAREST: Final = str.maketrans(
    {
        **dict.fromkeys("−–—─━╭╮╰╯", "-"),
        **dict.fromkeys("│", "|"),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict(zip("▁▂▃▄▅▆▇", "1234567", strict=True)),
        **dict.fromkeys("▏▎▍", " "),
        **dict.fromkeys("▌▋▊▉█", "#"),
        "…": "...",
        "↑": "+",
        "↓": "-",
        "→": "->",
        "●": "o",
        "×": "x",
        "·": "-",
        "≤": "<=",
        "≥": ">=",
        "±": "+-",
    }
)

_SUIT_NAMES: Final = {"♠": marked("spades"), "♥": marked("hearts"), "♦": marked("diamonds"), "♣": marked("clubs")}
"""The suits in words, since a letter stands for one suit in English and for another in Spanish."""


def prepare(stream: TextIO | None) -> None:
    """Give an output stream UTF-8, and line feeds as line ends; a terminal with another encoding keeps it."""
    reconfigure = getattr(stream, "reconfigure", None)
    if stream is None or reconfigure is None:
        return
    if is_utf8(stream) or not stream.isatty():
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    else:
        codecs.register_error("nearest", _replace)
        reconfigure(errors="nearest", newline="\n")


def is_utf8(stream: TextIO) -> bool:
    """Return whether the stream's encoding is UTF-8, or has every character because the stream is in memory."""
    return stream.encoding is None or codecs.lookup(stream.encoding).name == "utf-8"


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded: by the nearest character, an accented letter by the plain one, others by `?`."""
    # Imported only here, because hardly any terminal lacks a letter.
    from tourney.text.composed import decomposed

    assert isinstance(error, UnicodeEncodeError)
    shown = error.object[error.start : error.end].translate(_NEAREST)
    shown = "".join(f"({_(_SUIT_NAMES[char])})" if char in _SUIT_NAMES else char for char in shown)
    kept = (letter for letter in decomposed(shown) if not combining(letter))
    return "".join(letter if letter.isascii() else "?" for letter in kept), error.end
