"""Draw the README's pictures: the output of the last command above each one, and a desk with a phone in Chromium.

`python -m tests.harness.pages.pictures` writes them again. POSIX only: the commands run at a pseudo-terminal.
"""

import io
import json
import re
import shlex
import tempfile
from base64 import b64encode
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tests.harness.commands import output_to
from tests.harness.desk import hands
from tests.harness.pages.examples import README, ROOT, Session
from tests.harness.terminal import Terminal
from tests.harness.web.browser import chromium
from tests.harness.web.evening import Club, Desk, Phone, club
from tests.harness.web.process import program
from tourney.cli.framework.app import main

PICTURE = re.compile(r"^```sh\n(?P<commands>[^`]*)```\n\n!\[[^]]*\]\((?P<path>[^)]*\.svg)\)$", re.MULTILINE)
COLUMNS = 92
DESK_AND_PHONE = ROOT / ".github" / "pictures" / "desk-and-phone.png"
BOTH = """<body style="margin: 0">
<style>img {{ position: absolute; border: 1px solid #8888; border-radius: 12px }}</style>
<img src="{desk}" style="left: 4px; top: 4px">
<img src="{phone}" style="right: 4px; bottom: 4px; height: 600px">
</body>"""
GUESTS = (
    *("Ana Ruiz", "Beñat Etxeberria", "Carmen López", "Diego Ruiz", "Elena Muñoz", "Félix Pérez", "Gloria Sanz"),
    *("Hugo Peña", "Irene Vidal", "Jon Aguirre", "Lucía Ortega", "Mateo Díaz", "Nerea Gil", "Óscar Blanco"),
    *("Pilar Cano", "Rosa Marín"),
)
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
    """Return the pictures of the README; the database that it names is one of the picture's own."""
    found = PICTURE.finditer(README.read_text(encoding="utf-8"))
    return [
        Picture(ROOT / each["path"], tuple(re.findall(r"^tourney .*", each["commands"], re.MULTILINE)))
        for each in found
    ]


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


def draw_desk_and_phone() -> None:
    """Play the beginning of an evening in Chromium, and write the picture of its desk and of a phone at a table."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        db = str(Path(folder, "club.db"))
        with program(db, "desk", "--host", "0.0.0.0", "--no-open") as server, club(browser, server) as people:
            desk = people.desk("Marta")
            phone = _evening(desk, people, db)
            desk.open("/desk")
            desk.page.set_viewport_size({"width": 1100, "height": 720})
            shots = {"desk": desk.page.screenshot(), "phone": phone.page.screenshot()}
        page = browser.new_page(viewport={"width": 1200, "height": 760})
        sources = {name: f"data:image/png;base64,{b64encode(shot).decode()}" for name, shot in shots.items()}
        page.set_content(BOTH.format(**sources))
        page.screenshot(path=DESK_AND_PHONE, omit_background=True)


def _evening(desk: Desk, people: Club, db: str) -> Phone:
    """Bring a round so far that one table has its result and another types, and return the phone that types."""
    desk.create("Friday 27 November", rounds="3", date="2026-11-27")
    desk.enrol(GUESTS)
    desk.all_here()
    desk.draw(1)
    desk.publish()
    address = desk.addresses()[1]
    shown = io.StringIO()
    with output_to(shown):
        assert main(["round", "show", "--json", "--db", db]) == 0
    tables = json.loads(shown.getvalue())["rounds"][0]
    for table in (2, 4):
        names = tables[table - 1]
        desk.enter(1, table, names, hands(names, [(at + table) % len(names) for at in range(7)]))
    (phone, *_others) = people.at_table(tables[0])
    phone.scan(address)
    phone.type_sheet(tables[0], hands(tables[0])[:3])
    return phone


if __name__ == "__main__":
    for picture in pictures():
        picture.path.parent.mkdir(exist_ok=True)
        picture.path.write_text(picture.svg(), encoding="utf-8")
    draw_desk_and_phone()
