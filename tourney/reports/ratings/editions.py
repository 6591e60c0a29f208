"""Reports on editions of ratings, as they were published and corrected, on calibration, and on the hall of fame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from tourney.domain.editions import CorrectedRow, Correction, PublishedRow, ShownEdition
from tourney.domain.player_history import HallOfFame, HighestScore, Rivalry, Streak
from tourney.domain.rankings import Calibration, CalibrationBin
from tourney.reports.ratings.plain_words import pool_words, with_plain_paper
from tourney.reports.render.report import (
    Cell,
    Field,
    Fields,
    ListLine,
    Report,
    Section,
    listing,
    medal,
    record,
    table_section,
)
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, ngettext
from tourney.text.names import name_order
from tourney.text.numbers import Number
from tourney.text.ranges import ranges
from tourney.text.sanitize import quote_argument


def hall_of_fame(found: HallOfFame) -> Report:
    """Report the records of a pool; CSV has the peaks."""
    sections = (
        table_section(_("Highest scores ever"), _peak_fields(), found.peaks),
        table_section(_("Longest runs of games won"), _streak_fields(), found.streaks),
        table_section(_("Closest rivals, who met most often and most evenly"), _rival_fields(), found.rivals),
    )
    data = {
        "pool": found.pool.name,
        "peaks": [asdict(peak) for peak in found.peaks],
        "streaks": [asdict(streak) for streak in found.streaks],
        "rivals": [asdict(rivalry) for rivalry in found.rivals],
    }
    title = _("Hall of fame of the pool {pool}").format(pool=found.pool.name)
    shown = tuple(section for section in sections if section.rows)
    best = _(
        "Highest scores ever: as rated after the game, without later games; `tourney rating peaks` uses those, too."
    )
    lines = (best,) if shown else (_("No game yet."),)
    return listing(title, _peak_fields(), found.peaks, data=data, sections=shown, lines=lines)


def _peak_fields() -> Fields[HighestScore]:
    return (
        Field("player", _("Player"), lambda peak: peak.player, priority=0),
        Field("score", _("Score"), lambda peak: peak.score, "right", 2, priority=0),
        Field("game", _("After game"), lambda peak: peak.game, "right", priority=2),
        Field("day", _("Day"), lambda peak: peak.day, look="date", optional=True),
        Field("event", _("Event"), lambda peak: peak.event, priority=2, optional=True),
    )


def _streak_fields() -> Fields[Streak]:
    return (
        Field("player", _("Player"), lambda streak: streak.player, priority=0),
        Field("games", _("Games"), lambda streak: streak.games, "right", priority=0),
        Field("first", _("First day"), lambda streak: streak.first, look="date", optional=True),
        Field("last", _("Last day"), lambda streak: streak.last, look="date", optional=True),
        Field(
            "lasting",
            _("Lasting"),
            lambda streak: streak.lasting,
            cell=lambda streak: _("yes") if streak.lasting else "",
            priority=2,
            optional=True,
        ),
    )


def _rival_fields() -> Fields[Rivalry]:
    return (
        Field("player", _("Player"), lambda each: each.player, priority=0),
        Field("rival", _("Rival"), lambda each: each.rival, priority=0),
        Field("games", _("Games"), lambda each: each.games, "right"),
        Field("ahead", _("Ahead"), lambda each: each.ahead, "right", priority=0),
        Field("behind", _("Behind"), lambda each: each.behind, "right", priority=0),
    )


def calibration(found: Calibration) -> Report:
    """Report how often favourites finished ahead, by how likely that was."""
    fields: Fields[CalibrationBin] = (
        Field("low", _("From %"), lambda each: each.low, "right", cell=lambda each: round(100 * each.low), priority=0),
        Field("high", _("to %"), lambda each: each.high, "right", cell=lambda each: round(100 * each.high), priority=0),
        Field("pairs", _("Pairs"), lambda each: each.pairs, "right"),
        Field("predicted", _("Predicted %"), lambda each: each.predicted, "right", 1, cell=_percent("predicted")),
        Field("happened", _("Happened %"), lambda each: each.happened, "right", 1, cell=_percent("happened")),
        Field("error", "±", lambda each: each.error, "right", 1, cell=_percent("error")),
    )
    text = ngettext(
        "Calibration of the pool {pool}, {number} game", "Calibration of the pool {pool}, {number} games", found.games
    )
    notes = (
        _("Of two players who had both played before, how often the favourite finished ahead; a tie counts half."),
    )
    return listing(text.format(pool=found.pool.name, number=found.games), fields, found.bins, notes=notes)


def _percent(name: str) -> Callable[[CalibrationBin], float]:
    return lambda each: 100 * float(getattr(each, name))


def published(shown: ShownEdition) -> Report:
    """Report an edition that was published just now: how many moved, and which earlier editions it corrects."""
    edition = shown.edition
    title = ngettext(
        "published edition {edition} of the pool {pool}, as of {day}: {number} player",
        "published edition {edition} of the pool {pool}, as of {day}: {number} players",
        len(edition.rows),
    ).format(edition=edition.number, pool=edition.pool, day=shown_dates(edition.as_of), number=len(edition.rows))
    step = _("See `tourney rating edition {number}{pool}`.").format(
        number=edition.number, pool=_pool_option(edition.pool)
    )
    lines = tuple(_correction_line(correction) for correction in edition.corrections)
    return Report(title, data=_data(shown), lines=lines, next_steps=(step,))


def editions(shown: Sequence[ShownEdition]) -> Report:
    """Report the editions of a pool, the oldest first."""
    fields: Fields[ShownEdition] = (
        Field("edition", _("Edition"), lambda each: each.edition.number, "right", priority=0),
        Field("pool", _("Pool"), lambda each: each.edition.pool, priority=2),
        Field("as_of", _("As of"), lambda each: each.edition.as_of, priority=0, look="date"),
        Field("published", _("Published"), lambda each: each.published.time, cell=_published_on, look="date"),
        Field("by", _("By"), lambda each: each.published.by, priority=2),
        Field("players", _("Players"), lambda each: len(each.edition.rows), "right"),
        Field("games", _("Games"), lambda each: each.edition.games, "right"),
        Field("first", _("First"), _first, priority=1),
        Field(
            "corrects",
            _("Corrects"),
            lambda each: [correction.edition for correction in each.edition.corrections],
            cell=lambda each: _numbers(correction.edition for correction in each.edition.corrections),
            optional=True,
        ),
        Field(
            "corrected_in",
            _("Corrected in"),
            lambda each: list(each.corrected_in),
            cell=lambda each: _numbers(each.corrected_in),
            optional=True,
        ),
    )
    pools = {each.edition.pool for each in shown}
    title = (
        _("Editions of the pool {pool}").format(pool=", ".join(pools)) if pools else _("No edition is published yet.")
    )
    return listing(title, fields, list(shown))


def edition(shown: ShownEdition) -> Report:
    """Report an edition as it was published, who moved since the one before, and its corrections of earlier ones."""
    fields, rows = _row_fields(shown), list(shown.ordered(name_order))
    extra = (*_left_section(shown), *(_correction_section(shown, each) for each in shown.edition.corrections))
    sections = (table_section(_("Ranks"), fields, rows), *extra) if extra else ()
    report = listing(
        _title(shown),
        fields,
        rows,
        data=_data(shown),
        sections=sections,
        notes=tuple(_notes(shown)),
        message=partial(_message, shown),
        code=shown.code,
    )
    return with_plain_paper(report, plain_title(shown))


def plain_title(shown: ShownEdition) -> str:
    """Return the title of an edition for readers who know no pools."""
    edition = shown.edition
    text = _("Edition {number}, as of {day}: {pool}")
    return text.format(number=edition.number, day=shown_dates(edition.as_of), pool=pool_words(edition.pool))


def _title(shown: ShownEdition) -> str:
    edition = shown.edition
    title = _("Edition {number} of the ratings of the pool {pool}, as of {day}").format(
        number=edition.number, pool=edition.pool, day=shown_dates(edition.as_of)
    )
    return title if edition.top is None else _("{title}, the first {top}").format(title=title, top=edition.top)


def _notes(shown: ShownEdition) -> Iterator[str]:
    for number in shown.corrected_in:
        yield _("Edition {number} corrects this one: see `tourney rating edition {number}{pool}`.").format(
            number=number, pool=_pool_option(shown.edition.pool)
        )


def _row_fields(shown: ShownEdition) -> Fields[PublishedRow]:
    before = shown.edition.ranks_before
    movement: Field[PublishedRow] = Field(
        "moved",
        _("Moved"),
        lambda row: moved(row.rank, before.get(row.player)),
        "right",
        cell=lambda row: "" if shown.before is None else moved_cell(row.rank, before.get(row.player)),
        optional=True,
        priority=0,
        look="moved",
        note=_("Moved: the ranks gained (↑) or lost (↓) since the edition before."),
    )
    return (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=0, look="rank"),
        movement,
        Field("before", _("Before"), lambda row: before.get(row.player), "right", readers="programs"),
        Field("player", _("Player"), lambda row: shown.name(row.player), priority=0),
        Field("mu", "mu", lambda row: float(row.mu), "right", 2, priority=2),
        Field("sigma", "sigma", lambda row: float(row.sigma), "right", 2, priority=2),
        Field("score", _("Score"), lambda row: row.score, "right", 2, priority=0, note=_("Score: mu − 3 sigma.")),
        Field("games", _("Games"), lambda row: row.games, "right"),
        Field(
            "interval",
            _("95 %"),
            lambda row: f"{row.low}-{row.high}",
            "right",
            readers="people",
            note=_("95 %: the ranks that the player may have, as the skills are uncertain."),
        ),
        Field("rank_low", "rank_low", lambda row: row.low, readers="programs"),
        Field("rank_high", "rank_high", lambda row: row.high, readers="programs"),
    )


def moved(rank: int | None, before: int | None) -> str:
    """Return how a rank moved, as programs read it: up, down, same, new or left; "" where there is none."""
    if rank is None:
        return "" if before is None else "left"
    if before is None:
        return "new"
    return "same" if rank == before else "up" if before > rank else "down"


def moved_cell(rank: int | None, before: int | None) -> str:
    """Return how a rank moved, as people read it."""
    if rank is None:
        return ""
    if before is None:
        return _("new")
    return "=" if rank == before else f"{'↑' if before > rank else '↓'}{abs(before - rank)}"


def _left_section(shown: ShownEdition) -> Iterator[Section]:
    left = shown.left()
    if left:
        text = _("{player}, who was {rank}.")
        bullets = tuple(text.format(player=shown.name(player), rank=rank) for player, rank in left)
        yield Section(_("No longer in the table since edition {number}").format(number=shown.before), bullets=bullets)


def _correction_section(shown: ShownEdition, correction: Correction) -> Section:
    fields: Fields[CorrectedRow] = (
        Field("player", _("Player"), lambda row: shown.name(row.player), priority=0),
        Field("rank", _("Rank"), lambda row: _both(row, "rank"), "right", priority=0),
        Field("mu", "mu", lambda row: _both(row, "mu"), "right", priority=2),
        Field("sigma", "sigma", lambda row: _both(row, "sigma"), "right", priority=2),
        Field("score", _("Score"), lambda row: _both(row, "score"), "right", priority=0),
        Field("games", _("Games"), lambda row: _both(row, "games"), "right"),
    )
    heading = _("Edition {number} would now be different").format(number=correction.edition)
    bullets = (_changes_line(correction),) if correction.changes else ()
    return table_section(heading, fields, correction.rows, bullets)


def _both(row: CorrectedRow, name: str) -> Cell:
    """Return the value in the edition and as it would be now; equal values are shown once."""
    old, new = (_text(each, name) for each in (row.before, row.after))
    return new if old == new else _("{before} → {after}").format(before=old, after=new)


def _text(row: PublishedRow | None, name: str) -> str:
    if row is None:
        return "-"
    value = getattr(row, name)
    return str(value) if name in ("rank", "games") else f"{Number(value):.2f}"


def _changes_line(correction: Correction) -> str:
    text = ngettext(
        "By change {numbers}, which `tourney log` shows.",
        "By changes {numbers}, which `tourney log` shows.",
        len(correction.changes),
    )
    return text.format(numbers=ranges(correction.changes))


def _correction_line(correction: Correction) -> str:
    ranks = sum((row.before and row.before.rank) != (row.after and row.after.rank) for row in correction.rows)
    text = ngettext(
        "edition {edition} would now be different: {rows} row, {ranks} of them with another rank",
        "edition {edition} would now be different: {rows} rows, {ranks} of them with another rank",
        len(correction.rows),
    ).format(edition=correction.edition, rows=len(correction.rows), ranks=ranks)
    if not correction.changes:
        return text
    return _("{text} (by {numbers} of `tourney log`)").format(text=text, numbers=ranges(correction.changes))


def _numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _first(shown: ShownEdition) -> str:
    return ", ".join(shown.name(row.player) for row in shown.ordered(name_order) if row.rank == 1)


def _published_on(shown: ShownEdition) -> str:
    return shown.published.time[:10]


def _pool_option(pool: str) -> str:
    return "" if pool == "people" else f" --pool {quote_argument(pool)}"


def _data(shown: ShownEdition) -> dict[str, Any]:
    """Return an edition as JSON data."""
    edition, fields = shown.edition, _row_fields(shown)
    return {
        "pool": edition.pool,
        "edition": edition.number,
        "as_of": edition.as_of,
        "published": shown.published.time,
        "by": shown.published.by,
        "entry": shown.published.entry,
        "code": shown.code,
        "top": edition.top,
        "games": edition.games,
        "parameters": {name: float(text) for name, text in edition.parameters.items()},
        "previous": shown.before,
        "players": [record(fields, row) for row in shown.ordered(name_order)],
        "left": [{"player": shown.name(player), "rank": rank} for player, rank in shown.left()],
        "corrections": [_correction_data(shown, each) for each in edition.corrections],
        "corrected_in": list(shown.corrected_in),
    }


def _correction_data(shown: ShownEdition, correction: Correction) -> dict[str, Any]:
    rows = [
        {"player": shown.name(row.player), "before": _row_data(row.before), "after": _row_data(row.after)}
        for row in correction.rows
    ]
    return {"edition": correction.edition, "changes": list(correction.changes), "players": rows}


def _row_data(row: PublishedRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    numbers = {"mu": float(row.mu), "sigma": float(row.sigma), "score": row.score}
    return {"rank": row.rank, **numbers, "games": row.games, "rank_low": row.low, "rank_high": row.high}


def _message(shown: ShownEdition) -> Iterator[ListLine | str]:
    """Yield an edition for a messenger: a medal or the rank, the player, the score, and how far they moved."""
    yield f"🏆 {_title(shown)}"
    yield ""
    before = shown.edition.ranks_before
    for row in shown.ordered(name_order):
        step = "" if shown.before is None else f" {moved_cell(row.rank, before.get(row.player))}"
        yield ListLine(medal(row.rank), shown.name(row.player), f" · {Number(row.score):.2f}{step}")
    for correction in shown.edition.corrections:
        yield ""
        yield _("Edition {number} would now be different.").format(number=correction.edition)
