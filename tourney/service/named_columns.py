"""Columns under a club's own names: given once with `--column`, and remembered by the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.column_names import NO_NAMES, ColumnNames
from tourney.service.change import Change, Outcome, Scope
from tourney.text.i18n import _
from tourney.text.names import fold, refuse_halves


@dataclass(frozen=True, slots=True)
class ReadFile(Generic[Outcome]):
    """The outcome of a change that read a file, and the file's headers that stood for columns of another name."""

    outcome: Outcome
    used: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WithColumnNames(Change[ReadFile[Outcome]]):
    """A change that reads a file of which some columns have other names; `given` has the columns by these names."""

    given: Mapping[str, str]
    change: Callable[[ColumnNames], Change[Outcome]]

    def perform(self, store: storage.Store) -> ReadFile[Outcome]:
        """Return the outcome of the change, and the names that were needed."""
        names = ColumnNames(self.given, store.column_names())
        outcome = self.change(names).perform(store)
        store.name_columns(self.given)
        return ReadFile(outcome, dict(names.used))

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return the scope of the change."""
        return self.change(NO_NAMES).scope(reader)


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
