"""Reports on ratings, pools, imported results, and the sources and other names of a pool."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Final

from tourney.domain.pools import POOL_PARAMETERS, GameSource, ImportedRatings, Pool, PoolAliases, PoolSources
from tourney.domain.rankings import RatingFilter, RatingRow, RatingsTable
from tourney.reports.ratings.plain_words import pool_words, with_plain_paper
from tourney.reports.render.bars import interval
from tourney.reports.render.report import Field, Fields, ListLine, Report, listing, medal, named, record
from tourney.reports.results.standings import head_line
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, ngettext
from tourney.text.numbers import Number
from tourney.text.sanitize import quote_argument


def sources(found: PoolSources) -> Report:
    """Report the sources of a pool in the order of rating."""
    title = _("Sources of the pool {pool}").format(pool=found.pool.name)
    return listing(title, _source_fields(), found.sources)


def _source_fields() -> Fields[GameSource]:
    return (
        Field("source", _("Source"), lambda source: source.name, priority=0),
        Field("games", _("Games"), lambda source: source.games, "right", priority=0),
        Field("rows", _("Rows"), lambda source: source.rows, "right", priority=3),
        Field("players", _("Players"), lambda source: source.players, "right"),
        Field("first", _("First day"), lambda source: source.first, priority=2, look="date", optional=True),
        Field("last", _("Last day"), lambda source: source.last, look="date", optional=True),
        Field("change", _("Change"), lambda source: source.entry, "right", priority=2),
    )


def source_removed(removed: tuple[Pool, GameSource]) -> Report:
    """Report that a source was removed."""
    pool, source = removed
    text = ngettext(
        "removed the source {source} from the pool {pool}: {number} game",
        "removed the source {source} from the pool {pool}: {number} games",
        source.games,
    )
    title = text.format(source=source.name, pool=pool.name, number=source.games)
    return Report(title, data={"pool": pool.name, **record(_source_fields(), source)})


def aliases(found: PoolAliases) -> Report:
    """Report the aliases in a pool."""
    fields: Fields[tuple[str, str]] = (
        Field("alias", _("Alias"), lambda row: row[0], priority=0),
        Field("player", _("Player"), lambda row: row[1], priority=0),
    )
    return listing(_("Aliases in the pool {pool}").format(pool=found.pool.name), fields, found.aliases)


def alias_added(added: tuple[Pool, str, str]) -> Report:
    """Report that the games of a name count for another player."""
    return _alias_report(_("in the pool {pool}, the games of {alias} count for {player}"), added)


def alias_removed(removed: tuple[Pool, str, str]) -> Report:
    """Report that a name is a player of its own again."""
    return _alias_report(_("in the pool {pool}, {alias} is a player of their own again, not {player}"), removed)


def _alias_report(text: str, changed: tuple[Pool, str, str]) -> Report:
    pool, alias, player = changed
    title = text.format(pool=pool.name, alias=alias, player=player)
    return Report(title, data={"pool": pool.name, "alias": alias, "player": player})


MOST_NAMES: Final = 20
"""The most names in a line of what an import has changed."""

RankedRow = tuple[RatingRow, tuple[int, int]]
"""A row of the ratings and its rank interval."""


def ratings(table: RatingsTable) -> Report:
    """Report a pool's players, the best score first.

    `rank_low` to `rank_high` is the rank interval; a page shows the trend with its sign.
    """
    rows = list(zip(table.rows, table.intervals, strict=True))
    title = with_filter(_("Ratings of the pool {pool}").format(pool=table.pool.name), table.rating_filter)
    details = (head_line(table.head),)
    fields = rating_fields(table)
    report = listing(
        title,
        fields,
        rows,
        dimmed=lambda row: _is_provisional(table.pool, row),
        notes=table.notes,
        details=details,
        message=partial(_message, table, title),
    )
    plainly = _("Ratings: {pool}").format(pool=pool_words(table.pool.name))
    return with_plain_paper(report, with_filter(plainly, table.rating_filter))


def _message(table: RatingsTable, title: str) -> Iterator[ListLine | str]:
    """Yield the ratings for a messenger: a medal or the rank, the player, and the score."""
    yield f"🏆 {title}"
    yield ""
    marks = {True: "?", False: ""}
    for row in table.rows:
        tail = f" · {Number(row.score):.2f}{marks[row.sigma > table.pool.settled]}"
        yield ListLine(medal(row.rank), row.player, tail)
    if not table.rows:
        yield _("Nobody has a rating yet.")
    if any(row.sigma > table.pool.settled for row in table.rows):
        yield from ("", _("? is provisional"))


def _is_provisional(pool: Pool, row: RankedRow) -> bool:
    return row[0].sigma > pool.settled


def rating_fields(table: RatingsTable) -> Fields[RankedRow]:
    """Return the columns of a pool's players."""
    provisional = partial(_is_provisional, table.pool)
    ends = [_two_sigmas(row) for row in table.rows]
    scale = (min((low for low, _high in ends), default=0.0), max((high for _low, high in ends), default=0.0))
    return (
        Field("rank", _("Rank"), lambda row: row[0].rank, "right", priority=0, look="rank"),
        Field(
            "interval",
            _("95 %"),
            lambda row: f"{row[1][0]}-{row[1][1]}",
            "right",
            readers="people",
            note=_("95 %: the ranks that the player may have, as the skills are uncertain."),
        ),
        Field("player", _("Player"), lambda row: row[0].player, priority=0),
        Field(
            "mark",
            "?",
            lambda row: "?" if provisional(row) else "",
            readers="people",
            priority=0,
            note=_("? is provisional: a sigma above {settled:.2f}, half a newcomer's.").format(
                settled=Number(table.pool.settled)
            ),
        ),
        Field("mu", "mu", lambda row: row[0].mu, "right", 2, priority=2),
        Field("sigma", "sigma", lambda row: row[0].sigma, "right", 2, priority=2),
        Field("score", _("Score"), lambda row: row[0].score, "right", 2, priority=0, note=_("Score: mu − 3 sigma.")),
        Field("games", _("Games"), lambda row: row[0].games, "right"),
        Field("wins", _("Wins"), lambda row: row[0].wins, "right", priority=3),
        Field("change", _("Change"), lambda row: row[0].change, "right", 2, readers="programs"),
        Field(
            "trend",
            _("Trend"),
            lambda row: arrow(row[0].trend),
            "right",
            readers="people",
            priority=3,
            look="moved",
            note=_("Trend: the sum of the changes of mu, each game counting nine tenths as much as the one after it."),
        ),
        Field("trend", _("Trend"), lambda row: row[0].trend, "right", readers="programs"),
        Field(
            "skill",
            _("Skill"),
            lambda row: interval(_two_sigmas(row[0]), scale),
            readers="people",
            priority=4,
            look="bar",
            note=_("Skill: mu with two sigmas to each side, on the same scale for all."),
        ),
        Field("rank_low", "rank_low", lambda row: row[1][0], readers="programs"),
        Field("rank_high", "rank_high", lambda row: row[1][1], readers="programs"),
        Field("provisional", "provisional", provisional, readers="programs"),
    )


def _two_sigmas(row: RatingRow) -> tuple[float, float]:
    return row.mu - 2 * row.sigma, row.mu + 2 * row.sigma


def arrow(change: float) -> str:
    """Return a change with two decimals and its direction: `↑1.25`."""
    rounded = round(abs(change), 2)
    sign = "=" if rounded == 0.0 else "↑" if change > 0 else "↓"
    return f"{sign}{Number(rounded):.2f}"


def with_filter(title: str, rating_filter: RatingFilter) -> str:
    """Return the title followed by the filter."""
    parts = [title]
    if rating_filter.since:
        parts.append(_("since {day}").format(day=shown_dates(rating_filter.since)))
    if rating_filter.until:
        until = _("as of {day}") if rating_filter.day else _("until {day}")
        parts.append(until.format(day=shown_dates(rating_filter.until)))
    if rating_filter.rules:
        parts.append(_("only games by {rules}").format(rules=rating_filter.rules))
    if rating_filter.games is not None:
        games = ngettext("first game", "first {count} games", rating_filter.games)
        parts.append(games.format(count=rating_filter.games))
    return ", ".join(parts)


def pools(listed_pools: Sequence[Pool]) -> Report:
    """Report the pools with their parameters."""
    fields = (*_pool_fields(), *(Field(name, name, _parameter(name), "right", 4) for name in POOL_PARAMETERS))
    return listing(_("Pools of ratings"), fields, listed_pools)


def _pool_fields() -> Fields[Pool]:
    return (
        Field("pool", _("Pool"), lambda pool: pool.name),
        Field("kind", _("Kind"), lambda pool: pool.kind, look="word"),
        Field("unit", _("Unit"), lambda pool: pool.unit, look="word"),
    )


def _parameter(name: str) -> Callable[[Pool], float]:
    return lambda pool: float(pool.parameters[name])


def pool_set(pools: tuple[Pool, Pool]) -> Report:
    """Report a pool's new parameters, from the pool before and after; JSON has all parameters."""
    before, after = pools
    changes = [
        _("{name} {before} → {after}").format(name=name, before=f"{Number(old):.4g}", after=f"{Number(new):.4g}")
        for (name, old), new in zip(before.parameters.items(), after.parameters.values(), strict=True)
        if old != new
    ]
    if after.unit != before.unit:
        changes.append(_("unit {before} → {after}").format(before=_(before.unit), after=_(after.unit)))
    title = _("the pool {pool} is rated with {changes}").format(pool=after.name, changes=", ".join(changes))
    numbers = {name: float(text) for name, text in after.parameters.items()}
    return Report(title, data={"pool": after.name, "kind": after.kind, "unit": after.unit, **numbers})


def opened(pool: Pool) -> Report:
    """Report that the joint pool was opened."""
    title = _("opened the pool {pool}: tables of people and bots count in it").format(pool=pool.name)
    return listing(title, _pool_fields(), [pool], data=record(_pool_fields(), pool))


def imported(summary: ImportedRatings) -> Report:
    """Report what was imported from a results file."""
    games = ngettext("{number} game", "{number} games", summary.games).format(number=summary.games)
    players, all_players = (
        ngettext("{number} player", "{number} players", number).format(number=number)
        for number in (summary.file_players, summary.players)
    )
    title = _("imported {games} of {players} from {file} into the pool {pool}, which now has {all_players}").format(
        games=games, players=players, file=summary.file, pool=summary.pool.name, all_players=all_players
    )
    skipped = ngettext(
        "{number} game of one player skipped", "{number} games of one player skipped", summary.skipped
    ).format(number=summary.skipped)
    lines = (*((skipped,) if summary.skipped else ()), *_replaced(summary), *_spellings(summary))
    step = _("See `tourney ratings --pool {pool}`.").format(pool=quote_argument(summary.pool.name))
    data = {"pool": summary.pool.name, **named(summary, "games", "players", "rows", "skipped", "source")}
    data |= named(summary, "file", "file_players")
    changes = None if summary.changes is None else asdict(summary.changes)
    spellings = [{"name": name, "player": player} for name, player in summary.spellings]
    data |= {"replaced": changes, "spellings": spellings, "backwards": _backwards_data(summary)}
    data["backward_source"] = None if summary.backward_source is None else asdict(summary.backward_source)
    return Report(title, data=data, lines=lines, notes=tuple(_not_kept(summary)), next_steps=(step,))


def _backwards_data(summary: ImportedRatings) -> dict[str, object] | None:
    return None if summary.backwards is None else asdict(summary.backwards)


def _replaced(summary: ImportedRatings) -> Iterator[str]:
    """Yield what differs from the games of the source that were replaced."""
    changes = summary.changes
    if changes is None:
        return
    text = _("The source {source} is replaced: games as before {same}, new or changed {new}, gone or changed {gone}.")
    yield text.format(source=summary.source, same=changes.same, new=changes.new, gone=changes.gone)
    if changes.players_new:
        yield _("Players who were not in it: {names}.").format(names=_some(changes.players_new))
    if changes.players_gone:
        yield _("Players who are no longer in it: {names}.").format(names=_some(changes.players_gone))


def _spellings(summary: ImportedRatings) -> Iterator[str]:
    """Yield the names that were taken for another spelling of a player."""
    if summary.spellings:
        pairs = [_("{name} is {player}").format(name=name, player=player) for name, player in summary.spellings]
        yield _("Names that differ only in case, accents or spaces are one player: {pairs}.").format(pairs=_some(pairs))


def _some(names: Sequence[str]) -> str:
    """Return the names, the first of them if there are many; JSON has all."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    text = _("{names} and {number} more")
    return text.format(names=", ".join(names[:MOST_NAMES]), number=len(names) - MOST_NAMES)


def _not_kept(summary: ImportedRatings) -> Iterator[str]:
    """Yield a line if the dates or the names of the file are not kept, with the reason."""
    if summary.undated is not None:
        yield _("No date of these games is kept: line {line} has no date.").format(line=summary.undated)
    if summary.backwards is not None:
        text = _("The days run backwards: line {line} has a game of {day} after one of {before}; rated as in the file.")
        yield text.format(
            line=summary.backwards.line,
            day=shown_dates(summary.backwards.day),
            before=shown_dates(summary.backwards.before),
        )
    if summary.backward_source is not None:
        found = summary.backward_source
        text = _(
            "The days run backwards: {source} has a game of {day}, and is rated after {earlier}, which has one of "
            "{before}. Sources are rated in the order of their first import; `tourney rating source remove` and a new "
            "import put one at the end."
        )
        yield text.format(
            source=found.source,
            day=shown_dates(found.day),
            earlier=found.earlier,
            before=shown_dates(found.before),
        )
    if summary.unnamed:
        yield _("No name of these games is kept: the names are too long together.")
