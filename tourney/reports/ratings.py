"""Ratings as a report."""

from collections.abc import Sequence

from tourney.domain import ImportedRatings, Pool, RatingsTable
from tourney.reports.report import Cell, Column, Report
from tourney.reports.standings import head_line
from tourney.text import _, ngettext, typed


def ratings(table: RatingsTable) -> Report:
    """A pool's players, the best score first; `score` is mu − 3 sigma, `change` the last game's."""
    columns = (
        Column("rank", _("Rank"), "right"),
        Column("player", _("Player")),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("score", _("Score"), "right", 2),
        Column("games", _("Games"), "right"),
        Column("wins", _("Wins"), "right"),
        Column("change", _("Change"), "right", 2),
    )
    rows = tuple(
        (row.rank, row.player, row.mu, row.sigma, row.score, row.games, row.wins, row.change) for row in table.rows
    )
    title = _("Ratings of the pool {pool}").format(pool=table.pool.name)
    what = _("Score is mu − 3 sigma; change is what the last game did to it.")
    return Report(title, columns, rows, table.notes, lines=(what, head_line(table.head)))


def pools(known: Sequence[Pool]) -> Report:
    """The pools with TrueSkill's parameters, as they were given."""
    columns = (
        Column("pool", _("Pool")),
        Column("kind", _("Kind")),
        *(Column(name, name, "right", 4) for name in ("mu", "sigma", "beta", "tau", "draw")),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (pool.name, pool.kind, *map(float, (pool.mu, pool.sigma, pool.beta, pool.tau, pool.draw))) for pool in known
    )
    return Report(_("Pools of ratings"), columns, rows)


def opened(pool: Pool) -> Report:
    """The joint pool, just opened."""
    title = _("opened: the pool {pool}, in which tables of people and bots count").format(pool=pool.name)
    return Report(title, data={"pool": pool.name, "kind": pool.kind})


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
        _("See `tourney ratings --pool {pool}`.").format(pool=typed(what.pool.name)),
    )
    data = {
        "pool": what.pool.name,
        "games": what.games,
        "players": what.players,
        "rows": what.rows,
        "skipped": what.skipped,
    }
    return Report(title, data=data, lines=lines)
