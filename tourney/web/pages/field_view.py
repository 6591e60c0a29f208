"""A field of a hand as a page shows it, at the desk as on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tourney.files.sheet_toml import ENDINGS
from tourney.rulebook.knock_sheets import ending_text
from tourney.service.results.typed_sheet import Fault


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field: its name, its label, its choices (value and text) or without them its text, and what is wrong with it.

    `seat` counts from 1 where each player has the field, and is 0 otherwise; a `tick` is on or off. `readings` are
    answers that may have been meant; `may_keep` says that the answer counts if it is given once more, and `kept` that
    it has been.
    """

    name: str
    label: str
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    seat: int = 0
    tick: bool = False
    fault: str = ""
    readings: tuple[str, ...] = ()
    may_keep: bool = False
    kept: bool = False

    def judged(self, faults: Sequence[Fault]) -> FieldView:
        """Return the field with what is wrong with it."""
        for fault in faults:
            if fault.field == self.name:
                meant = (*map(str, fault.readings), *filter(None, [fault.suggested]))
                return replace(self, fault=fault.text, readings=meant, may_keep=fault.may_keep)
        return self


def endings() -> list[tuple[str, str]]:
    """Return the ways in which a hand of the knock game ends, each in words."""
    return [(ending, ending_text(ending)) for ending in ENDINGS]
