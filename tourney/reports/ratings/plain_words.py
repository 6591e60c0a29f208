"""Words of ratings for readers who know no statistics: rating and uncertainty in place of mu and sigma."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tourney.reports.render.report import Field, Report
from tourney.text.i18n import _, marked

_SKILL: Final = frozenset({"mu", "sigma"})
"""The columns of a player's skill, by their keys."""
_HEADINGS: Final[Mapping[str, str]] = {"mu": marked("Rating"), "sigma": "±"}
_NOTES: Final[Mapping[str, str]] = {
    "mu": marked("Rating ±: how well a player plays, judging by their games, and how uncertain that still is."),
    "score": marked("Score: the rating less three times ±; it decides the rank."),
    "mark": marked("?: the rating is still provisional, as there are too few games."),
    "trend": marked("Trend: how the rating moved in the last games, the newest counting most."),
    "skill": marked("Skill: the range in which the player's real strength most likely is; on the same scale for all."),
    "why": marked("Why: their own games, absence, or only the games of others."),
}
_POOLS: Final[Mapping[str, str]] = {
    "people": marked("players"),
    "bots": marked("bots"),
    "joint": marked("players and bots"),
}


def plain(report: Report) -> Report:
    """Return the report with the skill's columns under plain headings, and notes that need no statistics."""
    sections = tuple(replace(section, columns=_plain_columns(section.columns)) for section in report.sections)
    return replace(report, columns=_plain_columns(report.columns), sections=sections)


def with_plain_paper(report: Report, title: str) -> Report:
    """Return the report that is on paper in plain words, under a title of its own."""
    return replace(report, paper=lambda: replace(plain(report), title=title))


def _plain_columns(columns: tuple[Field[Any], ...]) -> tuple[Field[Any], ...]:
    """Return the columns of a table in plain words; those of one without a skill stay as they are."""
    if not {column.key for column in columns} >= _SKILL:
        return columns
    return tuple(map(_plain_column, columns))


def _plain_column(column: Field[Any]) -> Field[Any]:
    heading, note = _HEADINGS.get(column.key), _NOTES.get(column.key)
    return replace(column, heading=_(heading) if heading else column.heading, note=_(note) if note else column.note)


def pool_words(name: str) -> str:
    """Return the title of a pool in the reader's language; of a pool that users have made, its name."""
    words = _POOLS.get(name)
    return _(words) if words else name
