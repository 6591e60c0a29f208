"""The pages of the guide: Markdown files in the package, each of which opens with its title and one sentence.

Translated pages are in a folder named after their language, under the English name; a page without one is English.
"""

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.directory import with_suggestion
from tourney.text.command_words import SURE, spanish_words
from tourney.text.i18n import _, language
from tourney.text.similar import similar

FIRST: Final = "club-evening.md"
"""The page with which the guide begins, as the README says."""


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of the guide; `about` is the sentence below its title, `text` the whole page in Markdown."""

    name: str
    title: str
    about: str
    text: str


def pages() -> tuple[GuidePage, ...]:
    """Return all pages in the language of the program where they are translated: a club evening, then by name."""
    english = files("tourney") / "guide"
    found = {file.name: file for folder in (english, english / language()) for file in _files(folder)}
    return tuple(
        _read(name, found[name].read_text("utf-8")) for name in sorted(found, key=lambda name: (name != FIRST, name))
    )


def page(name: str) -> GuidePage:
    """Return the page of that name. Raises TourneyError NOT_FOUND, with the nearest name."""
    known = {page.name: page for page in pages()}
    if name not in known:
        spanish = spanish_words("guide")
        near = [spanish[word] for word in similar(name, spanish, cutoff=SURE)] or similar(name, known)
        hint = with_suggestion(near, _("see `tourney guide` for the pages"))
        raise TourneyError(ExitCode.NOT_FOUND, _("the guide has no page “{name}”").format(name=name[:80]), hint)
    return known[name]


def _files(folder: Traversable) -> list[Traversable]:
    return [file for file in folder.iterdir() if file.name.endswith(".md")] if folder.is_dir() else []


def _read(file: str, text: str) -> GuidePage:
    title, about, *_rest = text.split("\n\n", 2)
    return GuidePage(file.removesuffix(".md"), title.removeprefix("# "), about.replace("\n", " "), text)
