"""Ratings as a report."""

from collections.abc import Sequence
from typing import Final

from tourney.domain import ROUNDING, ImportedRatings, Pool, RatingsComparison, RatingsTable
from tourney.reports.report import Cell, Column, Report
from tourney.reports.standings import head_line
from tourney.text import _, ngettext, typed

MOST_LISTED: Final = 10


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
