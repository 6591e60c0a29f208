"""Draw the README's pictures: the output of the last command above each one, as SVG.

`python -m tests.harness.pages.pictures` writes them again. POSIX only: the commands run at a pseudo-terminal.
"""

import io
import re
import shlex
import tempfile
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tests.harness.pages.examples import README, ROOT, Session
from tests.harness.terminal import Terminal

PICTURE = re.compile(r"^```sh\n(?P<commands>[^`]*)```\n\n!\[[^]]*\]\((?P<path>[^)]*\.svg)\)$", re.MULTILINE)
COLUMNS = 92
MOST_LINES = 30
"""The most lines of a picture; an ellipsis follows when the output has more."""


@dataclass(frozen=True)
class Picture:
    """A picture of the README, and the commands above it."""

    path: Path
    commands: tuple[str, ...]

    def svg(self) -> str:
        """Run the commands with a new database and return the picture of what the last one shows."""
        with tempfile.TemporaryDirectory() as folder:
            session = Session(README, Path(folder))
            for command in self.commands[:-1]:
                session.output_of(command)
            return self._drawn(_screen(self.commands[-1], session.database))

    def _drawn(self, screen: Text) -> str:
        console = Console(width=COLUMNS, record=True, file=io.StringIO())
        console.print(screen)
        svg = console.export_svg(title=self.commands[-1], unique_id=self.path.stem)
        # Rich links to web fonts; viewing a picture should load nothing.
        return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def pictures() -> list[Picture]:
    """Return the pictures of the README."""
    found = PICTURE.finditer(README.read_text(encoding="utf-8"))
    return [Picture(ROOT / each["path"], tuple(each["commands"].splitlines())) for each in found]


def words_of(svg: str) -> str:
    """Return the text of a picture without spaces, whatever its colours."""
    return "".join("".join(map(unescape, re.findall(r"<text [^>]*>([^<]*)</text>", svg))).split())


def _screen(command: str, database: str) -> Text:
    """Return what a command shows at a terminal with colours."""
    words = shlex.split(command)[1:]
    colours = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    with Terminal(*words, columns=COLUMNS, TOURNEY_DB=database, TOURNEY_BY="desk", **colours) as terminal:
        assert terminal.code() == 0, terminal.shown
        lines = Text.from_ansi(terminal.shown).split()
    return Text("\n").join([*lines[:MOST_LINES], Text("…")] if len(lines) > MOST_LINES else lines)


if __name__ == "__main__":
    for picture in pictures():
        picture.path.parent.mkdir(exist_ok=True)
        picture.path.write_text(picture.svg(), encoding="utf-8")
