"""Ratings as a report."""

from collections.abc import Iterator, Sequence
from typing import Final

from tourney.domain.rankings import ROUNDING, ImportedRatings, Pool, RatingRow, RatingsComparison, RatingsTable, View
from tourney.reports.render.report import Cell, Column, Report
from tourney.reports.results.standings import head_line
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument

MOST_LISTED: Final = 10


def ratings(table: RatingsTable) -> Report:
    """A pool's players, the best score first; `score` is mu − 3 sigma, `change` the last game's.

    `rank_low` to `rank_high` are the ranks that a player's skill may have; `trend` is without what sigma did.
    """
    columns = (
        Column("rank", _("Rank"), "right"),
        Column("interval", _("95 %"), "right", readers="people"),
        Column("player", _("Player")),
        Column("mark", "", readers="people"),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("score", _("Score"), "right", 2),
        Column("games", _("Games"), "right"),
        Column("wins", _("Wins"), "right"),
        Column("change", _("Change"), "right", 2, readers="programs"),
        Column("trend", _("Trend"), "right", readers="people"),
        Column("trend", _("Trend"), "right", readers="programs"),
        *(Column(key, key, readers="programs") for key in ("rank_low", "rank_high", "provisional")),
    )
    rows = tuple(_row(row, interval, table.pool) for row, interval in zip(table.rows, table.intervals, strict=True))
    return Report(
        _title(table), columns, rows, table.notes, lines=tuple(_explained(table)), details=(head_line(table.head),)
    )


def _title(table: RatingsTable) -> str:
    return of_view(_("Ratings of the pool {pool}").format(pool=table.pool.name), table.view)


def of_view(title: str, view: View) -> str:
    """The title, and which of a pool's games it is about."""
    parts = [title]
    if view.since:
        parts.append(_("since {day}").format(day=view.since))
    if view.until:
        parts.append((_("as of {day}") if view.day else _("until {day}")).format(day=view.until))
    if view.rules:
        parts.append(_("by {rules}").format(rules=view.rules))
    if view.games is not None:
        parts.append(ngettext("first {count} game", "first {count} games", view.games).format(count=view.games))
    return ", ".join(parts)


def _row(row: RatingRow, interval: tuple[int, int], pool: Pool) -> tuple[Cell, ...]:
    low, high = interval
    provisional = row.sigma > pool.settled
    rank = (row.rank, f"{low}-{high}", row.player, "?" if provisional else "")
    rating = (row.mu, row.sigma, row.score, row.games, row.wins, row.change)
    return (*rank, *rating, f"{row.trend:+.2f}", row.trend, low, high, provisional)


def _explained(table: RatingsTable) -> tuple[str, ...]:
    """What the columns say, as far as there are rows."""
    if not table.rows:
        return ()
    settled = table.pool.settled
    provisional = _("? is provisional: a sigma above {settled:.2f}, half a newcomer's.").format(settled=settled)
    return (
        _("Score is mu − 3 sigma. 95 %: where a player may rank by true skill."),
        _("Trend is what the last games did to mu, each counting nine tenths of the one behind it."),
        *((provisional,) if any(row.sigma > settled for row in table.rows) else ()),
    )


def pools(known: Sequence[Pool]) -> Report:
    """The pools with TrueSkill's parameters, as they were given."""
    columns = (
        Column("pool", _("Pool")),
        Column("kind", _("Kind")),
        *(Column(name, name, "right", 4) for name in known[0].parameters),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (pool.name, pool.kind, *map(float, pool.parameters.values())) for pool in known
    )
    return Report(_("Pools of ratings"), columns, rows)


def pool_set(before: Pool, after: Pool) -> Report:
    """A pool that is rated with other parameters now: programs get all of them."""
    changes = (
        _("{name} {before} → {after}").format(name=name, before=f"{float(old):.4g}", after=f"{float(new):.4g}")
        for (name, old), new in zip(before.parameters.items(), after.parameters.values(), strict=True)
        if old != new
    )
    title = _("the pool {pool} is rated with {changes}").format(pool=after.name, changes=", ".join(changes))
    numbers = {name: float(text) for name, text in after.parameters.items()}
    return Report(title, data={"pool": after.name, "kind": after.kind, **numbers})


def opened(pool: Pool) -> Report:
    """The joint pool, just opened."""
    title = _("opened: the pool {pool}, in which tables of people and bots count").format(pool=pool.name)
    return Report(title, data={"pool": pool.name, "kind": pool.kind})


def compared(what: RatingsComparison) -> Report:
    """Ratings beside those of the package `trueskill`: programs get the differences unrounded."""
    games = ngettext("{number} game", "{number} games", what.games).format(number=what.games)
    players = ngettext("{number} player", "{number} players", what.players).format(number=what.players)
    columns = (Column("number", ""), Column("difference", _("Greatest difference")), Column("player", _("Player")))
    rows = (("mu", f"{what.mu:.1e}", what.mu_player), ("sigma", f"{what.sigma:.1e}", what.sigma_player))
    verdict = (
        _("They are the same but for rounding.")
        if what.agree
        else _("They are further apart than rounding ({rounding:g}) explains: see `tourney db check`.")
    )
    data = {
        "pool": what.pool.name,
        "agree": what.agree,
        "trueskill": what.version,
        "games": what.games,
        "players": what.players,
        "mu": what.mu,
        "mu_player": what.mu_player,
        "sigma": what.sigma,
        "sigma_player": what.sigma_player,
        "beyond": list(what.beyond),
    }
    title = _("The pool {pool}, {games} of {players}, rated again by trueskill {version}").format(
        pool=what.pool.name, games=games, players=players, version=what.version
    )
    return Report(title, columns, rows, _beyond(what.beyond), data, (verdict.format(rounding=ROUNDING),))


def _beyond(games: Sequence[int]) -> tuple[str, ...]:
    if not games:
        return ()
    text = ngettext(
        "trueskill cannot compute {count} game, so far apart are its players, and goes on from ours: {games}",
        "trueskill cannot compute {count} games, so far apart are their players, and goes on from ours: {games}",
        len(games),
    )
    listed = ", ".join(map(str, games[:MOST_LISTED])) + (", …" if len(games) > MOST_LISTED else "")
    return (text.format(count=len(games), games=listed),)


def imported(what: ImportedRatings) -> Report:
    """A results file that was rated."""
    games = ngettext("{number} game", "{number} games", what.games).format(number=what.games)
    title = _("imported into the pool {pool}: {games}, {players} players").format(
        pool=what.pool.name, games=games, players=what.players
    )
    skipped = ngettext(
        "{number} game of one player skipped", "{number} games of one player skipped", what.skipped
    ).format(number=what.skipped)
    lines = (
        *((skipped,) if what.skipped else ()),
        _("See `tourney ratings --pool {pool}`.").format(pool=quote_argument(what.pool.name)),
    )
    data = {
        "pool": what.pool.name,
        "games": what.games,
        "players": what.players,
        "rows": what.rows,
        "skipped": what.skipped,
    }
    return Report(title, data=data, lines=lines, notes=tuple(_not_kept(what)))


def _not_kept(what: ImportedRatings) -> Iterator[str]:
    """What the file says of its games and is not kept, and why."""
    if what.undated is not None:
        yield _("No day is kept of these games: line {line} has no date.").format(line=what.undated)
    if what.unnamed:
        yield _("No name is kept of these games: they have too many.")
