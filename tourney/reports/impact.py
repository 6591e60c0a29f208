"""Report what a change moves in standings and ratings, as a part of the change's own report."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from typing import Any, TypeVar

from tourney.domain.rankings import RatingRow
from tourney.reports.render.report import Cell, Column, Report, Section, cell_text
from tourney.reports.results.standings import standing_data
from tourney.service.impact import Moves, RatingMove, StandingMove
from tourney.standings.standing import Standing
from tourney.text.i18n import _

Row = TypeVar("Row")
Parts = tuple[tuple[Column, Callable[[Any], Cell]], ...]
"""Columns of a row, each with what it takes of it."""


def with_moves(report: Report, moves: Moves | None, heading: str = "") -> Report:
    """Add to the report of a change everything that it moves; `heading` goes over the change's own table.

    Programs find the moves under `moves`. Without moves (None) the report stays as it is.
    """
    if moves is None:
        return report
    data = {**report.structure(), "moves": moves_data(moves)}
    moved = (*_standing_sections(moves.standings), *_rating_sections(moves.ratings))
    if not moved:
        return replace(report, data=data, lines=(*report.lines, _("Nothing moves: no standing, no rating.")))
    own = report.sections
    if report.rows and not own:
        own = (Section(heading, *report.for_people()),)
    return replace(report, data=data, sections=(*own, *moved))


def moves_data(moves: Moves) -> dict[str, Any]:
    """Return moves as JSON holds them: each with its row before and after, null where there is none."""
    return {
        "standings": [
            {"event": one.event, "before": _data(standing_data, one.before), "after": _data(standing_data, one.after)}
            for one in moves.standings
        ],
        "ratings": [
            {"pool": one.pool, "before": _data(asdict, one.before), "after": _data(asdict, one.after)}
            for one in moves.ratings
        ],
    }


def _data(of: Callable[[Any], dict[str, Any]], row: Standing | RatingRow | None) -> dict[str, Any] | None:
    return None if row is None else of(row)


def _standing_sections(moves: Sequence[StandingMove]) -> Iterator[Section]:
    for event, together in groupby(moves, lambda move: move.event):
        group = list(together)
        heading = _("What moves in the standings of {event}").format(event=event)
        yield _section(heading, _standing_parts(group), [(move.before, move.after) for move in group])


def _standing_parts(moves: Sequence[StandingMove]) -> Parts:
    return (
        (Column("rank", _("Rank"), "right"), lambda row: row.rank),
        (Column("player", _("Player")), lambda row: row.player.shown),
        (Column("points", _("Points"), "right"), lambda row: row.points),
        _ranking_part(moves),
        (Column("hands_won", _("Hands won"), "right"), lambda row: row.hands_won),
        (Column("games", _("Games"), "right"), lambda row: row.games),
    )


def _ranking_part(moves: Sequence[StandingMove]) -> tuple[Column, Callable[[Any], Cell]]:
    """Return the column that ranks beside the points: money where there is any, otherwise points per game."""
    rows = [row for move in moves for row in (move.before, move.after) if row is not None]
    if any(row.money is not None for row in rows):
        return Column("money", _("Money"), "right"), lambda row: row.money
    return Column("average", _("Per game"), "right", 2), lambda row: row.average


def _rating_sections(moves: Sequence[RatingMove]) -> Iterator[Section]:
    parts: Parts = (
        (Column("rank", _("Rank"), "right"), lambda row: row.rank),
        (Column("player", _("Player")), lambda row: row.player),
        (Column("mu", "mu", "right", 2), lambda row: row.mu),
        (Column("sigma", "sigma", "right", 2), lambda row: row.sigma),
        (Column("score", _("Score"), "right", 2), lambda row: row.score),
        (Column("games", _("Games"), "right"), lambda row: row.games),
    )
    for pool, group in groupby(moves, lambda move: move.pool):
        heading = _("What moves in the ratings of the pool {pool}").format(pool=pool)
        yield _section(heading, parts, [(move.before, move.after) for move in group])


def _section(heading: str, parts: Parts, pairs: Sequence[tuple[Row | None, Row | None]]) -> Section:
    """Return a table of rows before and after the change; equal cells are shown once."""
    rows = tuple(tuple(_cell(column, of, before, after) for column, of in parts) for before, after in pairs)
    return Section(heading, tuple(column for column, _of in parts), rows)


def _cell(column: Column, of: Callable[[Row], Cell], before: Row | None, after: Row | None) -> str:
    old, new = (cell_text(column, None if row is None else of(row)) for row in (before, after))
    if old == new or column.key == "player":
        return new if after is not None else old
    return _("{before} → {after}").format(before=old, after=new)
