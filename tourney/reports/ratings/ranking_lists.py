"""Reports on rankings as a club publishes them: those listed, those who stand apart, and who moved since a day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tourney.domain.rankings import ListedRow, Movement, RankingList
from tourney.reports.ratings.editions import moved, moved_cell
from tourney.reports.ratings.plain_words import pool_words, with_plain_paper
from tourney.reports.ratings.ratings import RankedRow, rating_fields, with_filter
from tourney.reports.render.report import Field, Fields, ListLine, Report, Section, listing, medal, table_section
from tourney.reports.results.standings import head_line
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, ngettext, pgettext
from tourney.text.numbers import Number

_UNRANKED = (0, 0)
_SHARED = ("key", "heading", "align", "decimals", "readers", "optional", "priority", "look", "note")
"""The attributes that a field of a ranking has from that of the ratings."""


def ranking_list(found: RankingList) -> Report:
    """Report a ranking: who is listed, and apart from them who is inactive; JSON and CSV have everybody."""
    fields, listed = _fields(found), found.of("listed")
    title = _title(found, _("Ranking of the pool {pool}").format(pool=found.table.pool.name))
    report = listing(
        title,
        fields,
        found.rows,
        sections=(table_section(_("Ranking"), fields, listed), *_inactive(found)),
        notes=tuple(_notes(found)),
        details=(head_line(found.table.head),),
        message=partial(_message, found, title),
    )
    plainly = _("Ranking: {pool}").format(pool=pool_words(found.table.pool.name))
    return with_plain_paper(report, _title(found, plainly))


def _title(found: RankingList, whole: str) -> str:
    title = with_filter(whole, found.table.rating_filter)
    return _("{title}, club {club}").format(title=title, club=found.selection.club) if found.selection.club else title


def _notes(found: RankingList) -> Iterator[str]:
    """Yield who is not listed, and why."""
    yield from found.table.notes
    few, below = len(found.of("few games")), len(found.of("below top"))
    if few:
        text = ngettext(
            "{number} player has fewer than {least} games and no rank.",
            "{number} players have fewer than {least} games and no rank.",
            few,
        )
        yield text.format(number=few, least=found.selection.min_games)
    if below:
        text = ngettext("{number} more player is ranked.", "{number} more players are ranked.", below)
        yield text.format(number=below)
    inactive = len(found.of("inactive"))
    if inactive and found.selection.top is not None:
        text = ngettext(
            "{number} player is inactive and has no rank.", "{number} players are inactive and have no rank.", inactive
        )
        yield text.format(number=inactive)
    if found.selection.club:
        yield _("Ranks are those among all clubs.")


def _fields(found: RankingList) -> Fields[ListedRow]:
    """Return the fields of the ratings, whose rank and interval may be missing, with verdict and movement."""
    movement = _moved_fields(found) if found.moved_since else ()
    own: Mapping[str, Callable[[ListedRow], Any]] = {
        "rank": lambda listed: listed.rank,
        "interval": lambda listed: "" if listed.interval is None else f"{listed.interval[0]}-{listed.interval[1]}",
        "rank_low": lambda listed: None if listed.interval is None else listed.interval[0],
        "rank_high": lambda listed: None if listed.interval is None else listed.interval[1],
    }
    rated = [_of_row(field, own) for field in rating_fields(found.table)]
    if movement:
        # Beside the movement there is no room for these on a page.
        rated = [field for field in rated if not (field.readers == "people" and field.key in ("skill", "trend"))]
        rated = [replace(field, readers="programs") if field.key == "wins" else field for field in rated]
    last: Field[ListedRow] = Field(
        "last_game",
        _("Last game"),
        lambda listed: listed.last,
        readers="everybody" if found.active_since else "programs",
        priority=3,
        look="date",
    )
    verdict: Field[ListedRow] = Field("verdict", "verdict", lambda listed: listed.verdict, readers="programs")
    return (rated[0], *movement, *rated[1:], last, verdict)


def _of_row(field: Field[RankedRow], own: Mapping[str, Callable[[ListedRow], Any]]) -> Field[ListedRow]:
    """Return a field of the ratings for a row of the ranking, with a value of its own if there is one."""
    parts = {name: getattr(field, name) for name in _SHARED}
    return Field(
        value=own.get(field.key, lambda listed: field.value((listed.row, listed.interval or _UNRANKED))), **parts
    )


def _moved_fields(found: RankingList) -> Fields[ListedRow]:
    day = shown_dates(found.moved_since)
    return (
        Field(
            "moved",
            _("Moved"),
            lambda listed: moved(listed.rank, _movement(listed).before),
            "right",
            cell=lambda listed: moved_cell(listed.rank, _movement(listed).before),
            priority=0,
            look="moved",
            note=_("Moved: the ranks gained (↑) or lost (↓) since {day}.").format(day=day),
        ),
        Field("before", _("Before"), lambda listed: _movement(listed).before, "right", priority=1),
        Field("games_since", _("New games"), lambda listed: _movement(listed).games, "right", readers="programs"),
        Field(
            "why",
            _("Why"),
            lambda listed: _movement(listed).why,
            cell=_why,
            priority=2,
            note=_("Why: their own games, absence (sigma has grown, or they are no longer active), or only others."),
        ),
    )


def _movement(listed: ListedRow) -> Movement:
    assert listed.movement is not None
    return listed.movement


def _why(listed: ListedRow) -> str:
    movement = _movement(listed)
    if movement.why == "games":
        return ngettext("{number} game", "{number} games", movement.games).format(number=movement.games)
    words = {"absence": pgettext("why a rank moved", "absence"), "others": pgettext("why a rank moved", "others")}
    return words.get(movement.why, "")


def _inactive(found: RankingList) -> Iterator[Section]:
    """Yield the table of inactive players; beside the first ranks alone they are only counted, in a note."""
    rows = found.of("inactive")
    if not rows or found.selection.top is not None:
        return
    fields: Fields[ListedRow] = (
        Field("player", _("Player"), lambda listed: listed.row.player, priority=0),
        Field("last_game", _("Last game"), lambda listed: listed.last, look="date", priority=0),
        Field("mu", "mu", lambda listed: listed.row.mu, "right", 2, priority=2),
        Field("sigma", "sigma", lambda listed: listed.row.sigma, "right", 2, priority=2),
        Field("score", _("Score"), lambda listed: listed.row.score, "right", 2, priority=0),
        Field("games", _("Games"), lambda listed: listed.row.games, "right"),
    )
    yield table_section(_("Inactive, without a rank"), fields, rows)


def _message(found: RankingList, title: str) -> Iterator[ListLine | str]:
    """Yield the ranking for a messenger: a medal or the rank, the player, and the score."""
    yield f"🏆 {title}"
    yield ""
    for listed in found.of("listed"):
        yield ListLine(medal(listed.rank), listed.row.player, f" · {Number(listed.row.score):.2f}")
    if not found.of("listed"):
        yield _("Nobody is listed.")
