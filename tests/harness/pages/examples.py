"""Run the console examples of the README and of the guide, and compare their output or write it again.

`python -m tests.harness.pages.examples [PAGE ...]` writes the output of the installed program into the named pages, or
into all pages; `es/club-evening` is a page in Spanish, and the program then speaks Spanish. Read the changes before you
commit them: the test only checks that pages and program agree.

The README's commands run in the checkout, those of a page of the guide in an empty folder with the files that the page
shows: a fenced block that opens with ```` ```csv players.csv ```` is the file `players.csv`.
"""

import io
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from math import inf
from pathlib import Path

from tests.harness.commands import all_commands, output_to
from tests.harness.pages.catalogue import hook
from tourney.cli.framework.app import main
from tourney.cli.leagues import progress
from tourney.text.i18n import SOURCE, language, speaking

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
GUIDE = ROOT / "tourney" / "guide"
PAGES = {path.stem: path for path in (README, *sorted(GUIDE.glob("*.md")))}
"""The README and the pages of the guide, by name."""
TRANSLATED = {f"{path.parent.name}/{path.stem}": path for path in sorted(GUIDE.glob("*/*.md"))}
"""The translated pages of the guide, by language and name, as `es/club-evening`."""

WIDTH = 78
"""The columns of the output: a rendered page has a margin of one column on both sides of an example."""
ENVIRONMENT = {"TOURNEY_BY": "desk", "COLUMNS": str(WIDTH)}

PROMPT = "$ "
FENCE = re.compile(r"^```(?P<language>\w*)(?: (?P<file>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^\$ (?P<command>.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)
CHANGING = re.compile(
    r"(?<=journal head )[0-9a-f]{8,64}|(?:\d{4}-\d\d-\d\d|\d\d/\d\d/\d{4}) \d\d:\d\d|(?<=,\s)\d\d:\d\d(?=\))"
    r"|(?:(?<=ends )|(?<=final: ))\d\d:\d\d"
)
"""Parts of an output that differ from run to run: times, and the journal's head, a hash that includes the times."""


def fences(page: Path) -> list[re.Match[str]]:
    """Return every fenced block of a page: its language, the file that it is, and its body."""
    return list(FENCE.finditer(page.read_text(encoding="utf-8")))


def language_of(page: Path) -> str:
    """Return the language of a page: the name of its folder, or English."""
    return page.parent.name if page in TRANSLATED.values() else SOURCE


@contextmanager
def _no_line_a_minute() -> Iterator[None]:
    """Let no long league write the line that no page shows, however slow the machine is."""
    before = progress.LINE_SECONDS
    vars(progress)["LINE_SECONDS"] = inf
    try:
        yield
    finally:
        vars(progress)["LINE_SECONDS"] = before


class Session:
    """Run a page's commands with its own database, in `folder` or, for the README, in the checkout."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.database = str(folder / "examples.db")
        self._language = language_of(page)
        self._place = ROOT if page == README else folder
        for fence in fences(page):
            if fence["file"]:
                (folder / fence["file"]).write_text(fence["body"], encoding="utf-8")

    def output_of(self, command: str) -> str:
        """Return what a command prints to both streams, cut after the lines of its `| head -N`."""
        command, _, pipe = command.partition(" | head -")
        words = shlex.split(command)
        assert words[0] == "tourney", f"the page runs something else: {command}"
        printed = io.StringIO()
        with (
            chdir(self._place),
            self._speaking(),
            _no_line_a_minute(),
            output_to(printed, TOURNEY_DB=self.database, **ENVIRONMENT),
        ):
            main(words[1:])
        lines = [line.rstrip() for line in printed.getvalue().split("\n")]
        return "\n".join(lines[: int(pipe)] if pipe else lines).rstrip()

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        """Speak the page's language. First all commands are loaded, since their help keeps the language of then."""
        if self._language != language():
            list(all_commands())
        with speaking(self._language):
            yield


def examples(page: Path, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Run a page's commands in order; yield each with the output that the page shows and the output it prints."""
    session = Session(page, folder)
    for fence in fences(page):
        if fence["language"] == "console":
            for found in EXAMPLE.finditer(fence["body"]):
                yield found["command"], found["shown"].rstrip(), session.output_of(found["command"])


def without_times(text: str) -> str:
    """Return the output with `…` for the parts that change from run to run."""
    return CHANGING.sub("…", text)


def rewrite(page: Path) -> None:
    """Write the printed output below each command of a page, unless only its changing parts differ."""
    with tempfile.TemporaryDirectory() as folder:
        printed = examples(page, Path(folder))

        def example(_found: re.Match[str]) -> str:
            command, shown, output = next(printed)
            kept = shown if without_times(shown) == without_times(output) else output
            return f"{PROMPT}{command}\n{kept}\n" if kept else f"{PROMPT}{command}\n"

        def block(fence: re.Match[str]) -> str:
            return EXAMPLE.sub(example, fence[0]) if fence["language"] == "console" else fence[0]

        page.write_text(FENCE.sub(block, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    hook().write_catalogues(ROOT, ROOT)
    for name in sys.argv[1:] or PAGES | TRANSLATED:
        rewrite((PAGES | TRANSLATED)[name])
