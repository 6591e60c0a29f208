"""Print HTML to PDF with headless Chromium, and read the pages.

`python -m tests.harness.paper.chromium` installs it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 600.0
"""The most seconds that a file takes to become a PDF."""


@dataclass(frozen=True)
class Word:
    """A piece of text of a page, and where it begins, in points from the lower left corner."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Sheet:
    """A page of paper: width and height in points, its text, and its pieces of text."""

    width: float
    height: float
    text: str
    words: tuple[Word, ...]

    @property
    def letters(self) -> str:
        """The text without blanks, since a long name may be wrapped anywhere."""
        return "".join(self.text.split())


def executable() -> str:
    """Return the path of Chromium. Its absence is a failure: a test that prints is run only where that is asked for."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "there is no Chromium: `python -m tests.harness.paper.chromium` installs it"
    return found


def printed(html: Path) -> list[Sheet]:
    """Return the pages of paper that an HTML file makes."""
    from pypdf import PdfReader

    pdf = html.with_suffix(".pdf")
    with tempfile.TemporaryDirectory() as profile:
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={profile}")
        command = [executable(), *flags, f"--print-to-pdf={pdf}", html.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    return [_sheet(page) for page in PdfReader(pdf).pages]


def _sheet(page) -> Sheet:
    words: list[Word] = []

    def keep(text: str, current: list[float], matrix: list[float], *_font: object) -> None:
        if text.strip():
            x = matrix[4] * current[0] + matrix[5] * current[2] + current[4]
            y = matrix[4] * current[1] + matrix[5] * current[3] + current[5]
            words.append(Word(text.strip(), x, y))

    text = page.extract_text(visitor_text=keep)
    return Sheet(float(page.mediabox.width), float(page.mediabox.height), text, tuple(words))


def install() -> None:
    """Install Debian's Chromium unless there is one."""
    if any(map(shutil.which, NAMES)):
        return
    privileged = [] if os.geteuid() == 0 else ["sudo"]
    packages = ["install", "--yes", "--no-install-recommends", "chromium", "fonts-liberation"]
    for words in (["update", "--quiet"], packages):
        subprocess.run([*privileged, "apt-get", *words], check=True)


if __name__ == "__main__":
    install()
    sys.stdout.write(f"{executable()}\n")
