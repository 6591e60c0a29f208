"""Files as clubs have them: described once, by options, and remembered by the database."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Generic

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.description import PLAIN, PLAIN_LAYOUT, Description, FileLayout, read_lines
from tourney.service.change import Change, Outcome, Scope
from tourney.text.i18n import _
from tourney.text.names import clean, fold, refuse_halves

_TEXTS: Final = ("encoding", "lines", "sheet")
"""The parts of a description that are texts; one that an earlier version saved has no sheet."""


@dataclass(frozen=True, slots=True)
class ReadFile(Generic[Outcome]):
    """The outcome of a change that read a file, and what was found out of the file.

    `used` are its headers that stood for columns of another name, `notes` say how it was read.
    """

    outcome: Outcome
    used: Mapping[str, str]
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class WithDescription(Change[ReadFile[Outcome]]):
    """A change that reads a file which people describe; `given` has columns by the names that the file has for them.

    The description that was `saved` under a name holds where nothing else is given, and `save_as` saves it. Raises
    TourneyError NOT_FOUND for a name under which none is saved.
    """

    given: Mapping[str, str]
    change: Callable[[Description], Change[Outcome]]
    encoding: str = ""
    lines: str = ""
    sheet: str = ""
    layout: FileLayout = PLAIN_LAYOUT
    saved: str = ""
    save_as: str = ""

    def perform(self, store: storage.Store) -> ReadFile[Outcome]:
        """Return the outcome of the change, and how the file was read."""
        kept = store.pools.column_names()
        options = {name: value for name, value in asdict(self.layout).items() if value}
        texts = {name: getattr(self, name) for name in _TEXTS}
        asked = {"given": dict(self.given), **texts, "layout": options}
        if self.saved:
            asked = _completed(asked, _saved(kept, self.saved))
        described = _description(asked, kept)
        outcome = self.change(described).perform(store)
        name = {storage.SAVED + fold(clean(self.save_as, "--save-as")): json.dumps(asked)} if self.save_as else {}
        store.pools.name_columns({**self.given, **name})
        return ReadFile(outcome, dict(described.used), tuple(described.notes.values()))

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return the scope of the change."""
        return self.change(PLAIN).scope(reader)


def _saved(kept: Mapping[str, str], name: str) -> dict[str, Any]:
    """Return the description that is saved under a name. Raises TourneyError NOT_FOUND if there is none."""
    text = kept.get(storage.SAVED + fold(name))
    if text is None:
        names = [each.removeprefix(storage.SAVED) for each in kept if each.startswith(storage.SAVED)]
        hint = _("there are: {names}").format(names=", ".join(names))
        if not names:
            hint = _("save one with `--save-as NAME` when a file is read by it")
        message = _("no description of a file is saved as “{name}”").format(name=name[:40])
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    found: dict[str, Any] = json.loads(text)
    return found


def _completed(asked: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """Return a description with what a saved one says of the rest."""
    both = {name: {**saved[name], **asked[name]} for name in ("given", "layout")}
    return {**both, **{name: asked[name] or saved.get(name, "") for name in _TEXTS}}


def _description(asked: Mapping[str, Any], kept: Mapping[str, str]) -> Description:
    options = asked["layout"].items()
    layout: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in options}
    encoding, sheet, lines = asked["encoding"], asked["sheet"], read_lines(asked["lines"])
    return Description(asked["given"], kept, encoding, sheet, lines, FileLayout(**layout))


def column_names(texts: Sequence[str]) -> dict[str, str]:
    """Return the columns by the names that a file has for them, from texts such as `jugador=player`.

    Raises TourneyError USAGE for text of another form, REFUSED for text that cannot be stored.
    """
    for text in texts:
        refuse_halves(text, where="--column")
    pairs = [text.rpartition("=") for text in texts]
    for (theirs, _sign, ours), text in zip(pairs, texts, strict=True):
        if not (fold(theirs) and fold(ours)):
            message = _("--column {text} is not THEIRS=OURS").format(text=text[:40])
            raise TourneyError(ExitCode.USAGE, message, _("as in `--column jugador=player`"))
    return {fold(theirs): ours.strip() for theirs, _sign, ours in pairs}
