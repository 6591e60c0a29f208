"""The pages of the guide: Markdown files in the package, each of which opens with its title and one sentence."""

from dataclasses import dataclass
from importlib.resources import files

from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.directory import near_miss
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of the guide; `about` is the sentence below its title, `text` the whole page in Markdown."""

    name: str
    title: str
    about: str
    text: str


def pages() -> tuple[GuidePage, ...]:
    """Return all pages, by name."""
    found = (file for file in (files("tourney") / "guide").iterdir() if file.name.endswith(".md"))
    return tuple(sorted((_read(file.name, file.read_text("utf-8")) for file in found), key=lambda page: page.name))


def page(name: str) -> GuidePage:
    """Return the page of that name. Raises TourneyError NOT_FOUND, with the nearest name."""
    known = {page.name: page for page in pages()}
    if name not in known:
        hint = near_miss(name, known, _("see `tourney guide` for the pages"))
        raise TourneyError(ExitCode.NOT_FOUND, _("the guide has no page “{name}”").format(name=name[:80]), hint)
    return known[name]


def _read(file: str, text: str) -> GuidePage:
    title, about, *_rest = text.split("\n\n", 2)
    return GuidePage(file.removesuffix(".md"), title.removeprefix("# "), about.replace("\n", " "), text)
