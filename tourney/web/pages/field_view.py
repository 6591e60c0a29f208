"""A field of a hand, and hands of several sheets side by side, as a page shows them at the desk and on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tourney.domain.results import SheetHand
from tourney.domain.submissions import ComparedHand
from tourney.files.sheet_toml import ENDINGS
from tourney.reports.results import results as results_report
from tourney.rulebook.knock_sheets import ending_text
from tourney.service.results.typed_sheet import Fault
from tourney.text.i18n import _


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


def side_by_side(
    hands: Sequence[ComparedHand], sources: Sequence[str], players: Sequence[str]
) -> list[dict[str, object]]:
    """Return for each hand its rows: one if all sheets say the same, else what each sheet says."""
    rows = list[dict[str, object]]()
    for hand in hands:
        cells = [_cells(each, players) for each in hand.as_typed]
        if hand.same or len(cells) == 1:
            word = _("the same") if len(cells) > 1 else ""
            rows.append({"hand": hand.hand, "lines": [(word, _marked(cells[0], cells))], "differs": False})
        else:
            lines = [(source, _marked(each, cells)) for source, each in zip(sources, cells, strict=True)]
            rows.append({"hand": hand.hand, "lines": lines, "differs": True})
    return rows


def _cells(hand: SheetHand[int] | None, players: Sequence[str]) -> tuple[str, ...]:
    """Return each player's points or cards of a hand, and how it ended."""
    if hand is None:
        return (*("–" for _player in players), _("missing"))
    scores = results_report.scores_of(hand)
    return (*(scores.get(seat, "–") for seat in range(len(players))), results_report.end_of(hand, players))


def _marked(cells: Sequence[str], of_all: Sequence[Sequence[str]]) -> list[tuple[str, bool]]:
    """Return each cell of a row with whether another sheet says something else."""
    return [(cell, any(other[at] != cell for other in of_all)) for at, cell in enumerate(cells)]
