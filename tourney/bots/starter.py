"""Starters: the first program of an author in each language, one source file that plays."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent / "starters"
_PLACE: Final = "NAME"
"""The word in a starter in whose place the bot's own name goes."""
_UNUSUAL: Final = re.compile(r"[^0-9A-Za-z_-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Starter:
    """A starter in one language: its file, how it is built ("" if it is not), and the command that runs it."""

    language: str
    file: str
    build: str
    command: str

    def source(self, name: str) -> str:
        """Return its text with the bot's own name, in which the protocol knows no blanks."""
        text = (_FOLDER / self.file).read_text("utf-8")
        return text.replace(_PLACE, _UNUSUAL.sub("-", name).strip("-") or "bot", 1)


STARTERS: Final = {
    starter.language: starter
    for starter in (
        Starter("python", "bot.py", "", "python3 bot.py"),
        Starter("c", "bot.c", "cc -O2 -o bot bot.c", "./bot"),
        Starter("rust", "bot.rs", "rustc -O -o bot bot.rs", "./bot"),
        Starter("javascript", "bot.js", "", "node bot.js"),
    )
}
"""The starters by language."""
