"""Add to the report of a change what it moves in standings and ratings, and what it changes about cuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from tourney.domain.rankings import RatingRow
from tourney.reports.ratings.plain_words import pool_words
from tourney.reports.render.report import Field, Fields, Report, Section, cell_text, columns
from tourney.reports.results.standings import standing_data
from tourney.reports.seasons import row_data as season_row_data
from tourney.service.impact import Moves, RatingMove, SeasonMove, StandingMove
from tourney.standings.scales import POINTS
from tourney.standings.seasons.table import SeasonRow
from tourney.standings.standing import Standing
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.service.stages.cut_news import CutNews

Row = TypeVar("Row")
Pair = tuple[Row | None, Row | None]
"""A row before and after a change; None if it is missing then."""


def with_moves(report: Report, moves: Moves | None, heading: str = "") -> Report:
    """Add to the report of a change everything that it moves; `heading` goes over the change's own table.

    JSON has the moves under `moves`. Without moves (None) the report stays as it is.
    """
    if moves is None:
        return report
    data = {**report.structure(), "moves": moves_data(moves)}
    moved = (
        *_standing_sections(moves.standings),
        *_season_sections(moves.seasons),
        *_rating_sections(moves.ratings),
    )
    if not moved:
        return replace(report, data=data, lines=(*report.lines, _("Standings and ratings stay as they are.")))
    return replace(report, data=data, sections=(*report.as_sections(heading), *moved))


def with_cuts(report: Report, cuts: Sequence[CutNews]) -> Report:
    """Add to the report of a change what it changes about who goes through to a stage; JSON has that under `cuts`."""
    if not cuts:
        return report
    data = report.structure()
    if isinstance(data, dict):
        data = {**data, "cuts": [_cut_data(cut) for cut in cuts]}
    return replace(report, data=data, lines=(*report.lines, *(line for cut in cuts for line in cut.lines)))


def _cut_data(cut: CutNews) -> dict[str, Any]:
    names = {each: [player.shown for player in getattr(cut, each)] for each in ("coming", "going", "gone", "level")}
    return {"event": cut.event, "stage": cut.stage, **names}


def moves_data(moves: Moves) -> dict[str, Any]:
    """Return moves as JSON data: each with its row before and after, None if it is missing then.

    Only where a season moves, there are `seasons`.
    """
    seasons = [{"season": move.season, **_rows_data(move, season_row_data)} for move in moves.seasons]
    return {
        "standings": [{"event": move.event, **_rows_data(move, standing_data)} for move in moves.standings],
        "ratings": [{"pool": move.pool, **_rows_data(move, asdict)} for move in moves.ratings],
        **({"seasons": seasons} if seasons else {}),
    }


def _rows_data(
    move: StandingMove | RatingMove | SeasonMove, data_of: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    rows = {"before": move.before, "after": move.after}
    return {key: None if row is None else data_of(row) for key, row in rows.items()}


def _standing_sections(moves: Sequence[StandingMove]) -> Iterator[Section]:
    for event, together in groupby(moves, lambda move: move.event):
        group = list(together)
        heading = _("What moves in the standings of {event}").format(event=event)
        pairs = [(move.before, move.after) for move in group]
        yield _section(heading, _standing_fields(pairs), pairs)


def _standing_fields(pairs: Sequence[Pair[Standing]]) -> Fields[Standing]:
    """Return the columns; the one after the points decides ranks: another score if there is any, or points per game."""
    scale = next((row.scale for pair in pairs for row in pair if row is not None), POINTS)
    return (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=0),
        Field("player", _("Player"), lambda row: row.player.shown, priority=0),
        Field("points", _("Points"), lambda row: row.points, "right", priority=0),
        Field("score", _("Per game") if scale is POINTS else _(scale.heading), _deciding, "right"),
        Field("hands_won", _("Hands won"), lambda row: row.hands_won, "right", priority=2),
        Field("games", _("Games"), lambda row: row.games, "right", priority=2),
    )


def _deciding(row: Standing) -> float:
    return row.average if row.scale is POINTS else row.score


def _season_sections(moves: Sequence[SeasonMove]) -> Iterator[Section]:
    fields: Fields[SeasonRow] = (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=0),
        Field("player", _("Player"), lambda row: row.player.shown, priority=0),
        Field("score", _("Score"), lambda row: float(row.score), "right", 2, priority=0),
        Field("events", _("Events"), lambda row: len(row.results), "right", priority=2),
    )
    for season, group in groupby(moves, lambda move: move.season):
        heading = _("What moves in the season {season}").format(season=season)
        yield _section(heading, fields, [(move.before, move.after) for move in group])


def _rating_sections(moves: Sequence[RatingMove]) -> Iterator[Section]:
    fields: Fields[RatingRow] = (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=0),
        Field("player", _("Player"), lambda row: row.player, priority=0),
        Field("mu", "mu", lambda row: row.mu, "right", 2, priority=2),
        Field("sigma", "sigma", lambda row: row.sigma, "right", 2, priority=2),
        Field("score", _("Score"), lambda row: row.score, "right", 2, priority=0),
        Field("games", _("Games"), lambda row: row.games, "right", priority=2),
    )
    for pool, group in groupby(moves, lambda move: move.pool):
        heading = _("What moves in the ratings: {pool}").format(pool=pool_words(pool))
        yield _section(heading, fields, [(move.before, move.after) for move in group])


def _section(heading: str, fields: Fields[Row], pairs: Sequence[Pair[Row]]) -> Section:
    """Return a table of rows before and after the change; equal cells are shown once."""
    rows = tuple(tuple(_cell(field, before, after) for field in fields) for before, after in pairs)
    return Section(heading, columns(fields), rows)


def _cell(field: Field[Row], before: Row | None, after: Row | None) -> str:
    old, new = (cell_text(field, None if row is None else field.value(row)) for row in (before, after))
    if old == new or field.key == "player":
        return new if after is not None else old
    return _("{before} → {after}").format(before=old, after=new)
