"""Reports on seasons: their settings and events, their standings, and the arithmetic of a rank."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from tourney.domain.seasons import SEASON_SETTINGS, CountedEvent, SeasonSettings
from tourney.reports.render.report import (
    Cell,
    Field,
    Fields,
    ListLine,
    Report,
    Section,
    facts,
    listing,
    medal,
    record,
    table_section,
)
from tourney.service.seasons.seasons import SeasonChange
from tourney.standings.scales import shown
from tourney.standings.seasons.results import RESULTS
from tourney.standings.seasons.table import SeasonEvent, SeasonResult, SeasonRow, SeasonTable, steps
from tourney.standings.standing import plain
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument
from tourney.text.typed_words import explained


def season_data(shown_season: SeasonChange) -> dict[str, Any]:
    """Return a season as JSON data."""
    season = shown_season.season
    return {
        "id": season.id,
        "name": season.settings.name,
        **{name: getattr(season.settings, name) for name in SEASON_SETTINGS},
        "events": [_event_data(shown_season, counted) for counted in season.counted],
    }


def _event_data(shown_season: SeasonChange, counted: CountedEvent) -> dict[str, Any]:
    event, weight = shown_season.events[counted.event], float(counted.weight)
    return {**asdict(counted), "event": event, "weight": weight}


def seasons(listed_seasons: Sequence[SeasonChange]) -> Report:
    """Report the seasons; in JSON, each as `season show` has it."""
    fields: Fields[SeasonChange] = (
        Field("id", _("No."), lambda each: each.season.id, "right", priority=2),
        Field("name", _("Season"), lambda each: each.season.settings.name, priority=0),
        Field("events", _("Events"), lambda each: len(each.season.counted), "right"),
        Field("by", _("Result of an event"), lambda each: explained("by", each.season.settings.by)),
    )
    number = len(listed_seasons)
    title = ngettext("{number} season", "{number} seasons", number).format(number=number)
    next_steps = () if listed_seasons else (_("Create one with `tourney season new NAME`."),)
    data = [season_data(each) for each in listed_seasons]
    return listing(title, fields, listed_seasons, data=data, next_steps=next_steps)


def page(shown_season: SeasonChange) -> Report:
    """Report one season: its settings, and the events that count."""
    return _page(shown_season.season.settings.name, shown_season)


def _page(title: str, shown_season: SeasonChange, step: str = "") -> Report:
    season = shown_season.season
    table = facts(_shown(season.settings))
    fields: Fields[CountedEvent] = (
        Field("event", _("Event"), lambda each: shown_season.events[each.event], priority=0),
        Field(
            "weight", _("Weight"), lambda each: each.weight, "right", cell=lambda each: _weight(season.settings, each)
        ),
        Field("final", _("Final"), lambda each: each.final, cell=_final, optional=True),
    )
    number = len(season.counted)
    heading = ngettext("{number} event counts", "{number} events count", number).format(number=number)
    sections = (Section(_("Settings"), *table), table_section(heading, fields, season.counted))
    steps_ = (step,) if step else ()
    data = season_data(shown_season)
    return Report(title, *table, data=data, sections=sections, next_steps=steps_)


def _final(counted: CountedEvent) -> str:
    return _("final") if counted.final else ""


def _weight(settings: SeasonSettings, counted: CountedEvent) -> str:
    """Return the weight of an event, or what its weight is made of."""
    if settings.weights == SEASON_SETTINGS["weights"].default:
        return shown(float(counted.weight))
    parts = [
        ngettext("{number} day", "{number} days", counted.days).format(number=counted.days),
        ngettext("{number} country", "{number} countries", counted.countries).format(number=counted.countries),
        _("qualification") if counted.qualification else "",
    ]
    return ", ".join(filter(None, parts))


def _shown(settings: SeasonSettings) -> dict[str, Cell]:
    """Return the settings by heading, without those that are unset and have no text for that."""
    cells: dict[str, Cell] = {}
    for name, setting in SEASON_SETTINGS.items():
        value = getattr(settings, name)
        if value:
            cells[_(setting.heading)] = explained(name, value) if isinstance(value, str) else value
        elif setting.unset and not (name == "places" and settings.by != SEASON_SETTINGS["by"].default):
            cells[_(setting.heading)] = _(setting.unset)
    return cells


def created(change: SeasonChange) -> Report:
    """Report a new season, and what to do next."""
    name = change.season.settings.name
    step = _("Count events: `tourney season add {season} NAME...`.").format(season=quote_argument(name))
    return _page(_("new season: {name}").format(name=name), change, step=step)


def changed(change: SeasonChange) -> Report:
    """Report the settings of a season after a change."""
    return _page(_("{season}: settings changed").format(season=change.season.settings.name), change)


def added(change: SeasonChange) -> Report:
    """Report the events that a season counts now."""
    title = _("{season} now counts: {events}")
    return _page(title.format(season=change.season.settings.name, events=", ".join(change.moved)), change)


def removed(change: SeasonChange) -> Report:
    """Report the events that a season no longer counts."""
    title = _("{season} no longer counts: {events}")
    return _page(title.format(season=change.season.settings.name, events=", ".join(change.moved)), change)


def deleted(change: SeasonChange) -> Report:
    """Report a season that was deleted."""
    title = _("deleted: season {name}; its events stay").format(name=change.season.settings.name)
    return Report(title, data=season_data(change))


# --- standings ------------------------------------------------------------------------------------------


def row_fields(settings: SeasonSettings) -> Fields[SeasonRow]:
    """Return the columns of a season's standings, in order."""
    return (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=0, look="rank"),
        Field("player", _("Player"), lambda row: row.player.shown, priority=0),
        Field("score", _(RESULTS[settings.by].heading), lambda row: plain(row.score), "right", cell=_score, priority=0),
        Field("events", _("Events"), lambda row: len(row.results), "right", priority=1),
        Field("counting", _("Count"), lambda row: row.counting, "right", priority=2),
        Field("results", _("Results"), lambda row: [_result_data(each) for each in row.results], cell=_results),
        Field("why", "", lambda row: row.why),
    )


def _score(row: SeasonRow) -> Cell:
    return float(row.score)


def _result_data(result: SeasonResult) -> dict[str, Any]:
    return {
        "event": result.event.name,
        "rank": result.placing.rank,
        "players": result.placing.players,
        "value": plain(result.value),
        "weight": plain(result.weight),
        "counts": result.counts,
    }


def _results(row: SeasonRow) -> str:
    """Return the results in the order of the events: `475 · (252) · 867 × 2`.

    Those that do not count are in brackets; a weight other than 1 follows its result.
    """
    weighted = (
        shown(each.value)
        if each.weight == 1
        else _("{value} × {weight}").format(value=shown(each.value), weight=shown(each.weight))
        for each in row.results
    )
    values = zip(weighted, row.results, strict=True)
    return " · ".join(text if each.counts else _("({value})").format(value=text) for text, each in values)


def row_data(row: SeasonRow) -> dict[str, Any]:
    """Return a row as JSON data."""
    return record(row_fields(SeasonSettings("")), row)


def standings(table: SeasonTable) -> Report:
    """Report the standings of a season."""
    fields = row_fields(table.season.settings)
    return listing(
        _title(table),
        fields,
        table.rows,
        dimmed=lambda row: row.rank is None,
        notes=tuple(_notes(table)),
        message=partial(_message, table),
    )


def on_paper(table: SeasonTable) -> Report:
    """Report the standings of a season with the events that count, in the order of the results in a row."""
    report, settings = standings(table), table.season.settings
    fields: Fields[SeasonEvent] = (
        Field("event", _("Event"), lambda each: each.name, priority=0),
        Field("date", _("Date"), lambda each: each.day, look="date"),
        Field("weight", _("Weight"), lambda each: _weight(settings, each.counted), "right"),
        Field("final", _("Final"), lambda each: _final(each.counted), optional=True),
    )
    counted = table_section(_("Events that count"), fields, table.events)
    own = Section("", report.columns, report.rows, dimmed=report.dimmed)
    return replace(report, sections=(own, counted)) if table.events else report


def _title(table: SeasonTable) -> str:
    text = _("Standings of the season {season}")
    if table.as_of:
        text = _("Standings of the season {season} as of {day}")
    return text.format(season=table.season.settings.name, day=shown_dates(table.as_of))


def _notes(table: SeasonTable) -> Iterator[str]:
    """Yield what a reader of the table must know: how results count, and which events lack a date."""
    settings = table.season.settings
    if not table.rows:
        yield _("No results yet.")
        return
    if any(not each.counts for row in table.rows for each in row.results):
        yield _("Results in brackets do not count.")
    undated = [event.name for event in table.events if not event.day]
    if settings.decay is not None and undated:
        yield _("Without a date, so that they keep their weight: {events}.").format(events=", ".join(undated))


def _message(table: SeasonTable) -> Iterator[ListLine | str]:
    """Yield the standings for a messenger."""
    yield f"🏆 {table.season.settings.name}"
    if table.as_of:
        yield shown_dates(table.as_of)
    yield ""
    for row in table.rows:
        yield ListLine(medal(row.rank), row.player.shown, f" · {shown(row.score)}")


def why(table: SeasonTable, row: SeasonRow) -> Report:
    """Report step by step why the player has this rank in the season."""
    rank = _("no rank") if row.rank is None else _("rank {rank}").format(rank=row.rank)
    text = _("{player}: {rank} in the season {season}")
    title = text.format(player=row.player.shown, rank=rank, season=table.season.settings.name)
    arithmetic = steps(table, row)
    data: Mapping[str, Any] = {**row_data(row), "steps": list(arithmetic)}
    return Report(title, data=data, lines=(*arithmetic, row.why), message=lambda: (title, row.why))
