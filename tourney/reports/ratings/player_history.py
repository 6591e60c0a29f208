"""A player's way through a pool, and a game of his taken apart, as reports."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from tourney.domain.player_history import Career, CareerGame, CareerGames, Explanation
from tourney.domain.rankings import Pool
from tourney.reports.ratings.ratings import of_view
from tourney.reports.render.plots import figure, svg
from tourney.reports.render.report import Cell, Column, Report, Section
from tourney.text.i18n import _, ngettext

LAST_GAMES: Final = 10
"""Games that a page lists; programs, and `rating history`, list all."""
MOST_OPPONENTS: Final = 12


def career(what: Career) -> Report:
    """A page of rating, plot, games, opponents, contracts and seats; the table for spreadsheets is of all games."""
    columns, rows = _columns(what.pool), tuple(_row(what.pool, game) for game in what.games)
    title = _title(what)
    sections = tuple(_sections(what)) if what.games else ()
    return Report(title, columns, rows, data=_data(what), lines=_lines(what.pool, what.games), sections=sections)


def plot(what: Career) -> str:
    """The player's rating, game by game, as an SVG file. He has played."""
    return svg(_title(what), [(game.mu, game.sigma) for game in what.games])


def history(what: CareerGames) -> Report:
    """The player's games, one a row."""
    title = _("{player} in the pool {pool}, game by game").format(player=what.player, pool=what.pool.name)
    games = tuple(_row(what.pool, game) for game in what.games)
    return Report(of_view(title, what.view), _columns(what.pool), games, lines=_lines(what.pool, what.games))


def _lines(pool: Pool, games: Sequence[CareerGame]) -> tuple[str, ...]:
    """What to know of the games' table."""
    if not games:
        return (_("No game yet."),)
    away = _("Away is what the days since the game before did to the score, by sigma; Change is what the game did.")
    return (away,) if pool.ages else ()


def _title(what: Career) -> str:
    return of_view(_("{player} in the pool {pool}").format(player=what.player, pool=what.pool.name), what.view)


def _columns(pool: Pool) -> tuple[Column, ...]:
    table = _("Game") if pool.kind == "imported" else _("Table")
    # Where sigma does not grow with the calendar, nobody has lost anything by staying away.
    away = (
        Column("days_away", _("Days away"), "right", readers="programs"),
        Column("away", _("Away"), "right", 2),
    )
    return (
        Column("number", _("No."), "right"),
        Column("event", _("Event")),
        Column("day", _("Day")),
        Column("round", _("Round"), "right"),
        Column("table", table, "right"),
        Column("place", _("Place"), "right"),
        Column("players", _("Of"), "right"),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("score", _("Score"), "right", 2),
        *(away if pool.ages else ()),
        Column("change", _("Change"), "right", 2),
    )


def _row(pool: Pool, game: CareerGame) -> tuple[Cell, ...]:
    at: tuple[Cell, ...] = (game.event, game.day, game.round or "", game.table)
    away: tuple[Cell, ...] = (game.days_away, game.away) if pool.ages else ()
    return (game.number, *at, game.place, len(game.players), game.mu, game.sigma, game.score, *away, game.change)


def _data(what: Career) -> dict[str, Any]:
    keys = [column.key for column in _columns(what.pool)]
    games = [dict(zip(keys, _row(what.pool, game), strict=True)) for game in what.games]
    return {
        "pool": what.pool.name,
        "player": what.player,
        "rating": _rating_data(what),
        "best": _extreme(what.games, games, max),
        "worst": _extreme(what.games, games, min),
        "games": games,
        "opponents": [{**asdict(one), "score": one.score} for one in what.opponents],
        "contracts": [asdict(one) for one in what.contracts],
        "seats": [asdict(one) for one in what.seats],
    }


def _rating_data(what: Career) -> dict[str, Any] | None:
    if what.row is None or what.interval is None:
        return None
    low, high = what.interval
    provisional = what.row.sigma > what.pool.settled
    row = {**asdict(what.row), "rank_low": low, "rank_high": high, "provisional": provisional}
    return {**row, "growth": _growth(what)} if what.pool.ages else row


def _growth(what: Career) -> float:
    """What sigma has grown by since the player's last game."""
    return what.row.sigma - what.games[-1].sigma if what.row is not None else 0.0


def _extreme(games: Sequence[CareerGame], data: Sequence[dict[str, Any]], which: Any) -> dict[str, Any] | None:
    """The game behind which the score was the highest, or the lowest."""
    return data[which(games, key=lambda game: game.score).number - 1] if games else None


def _sections(what: Career) -> Iterator[Section]:
    yield _now(what)
    skills = [(game.mu, game.sigma) for game in what.games]
    yield Section(_("mu (o) and score (*) behind each game"), figure=figure(skills))
    yield _last_games(what)
    yield _opponents(what)
    if what.contracts:
        yield _contracts(what)
    if what.seats:
        yield _seats(what)


def _now(what: Career) -> Section:
    row, interval = what.row, what.interval
    assert row is not None
    assert interval is not None
    mark = _(" (provisional)") if row.sigma > what.pool.settled else ""
    heading = _("Rank {rank}{mark}; {low} to {high} by true skill, with 95 %").format(
        rank=row.rank, mark=mark, low=interval[0], high=interval[1]
    )
    place = sum(game.place for game in what.games) / len(what.games)
    counted = ngettext("{number} game", "{number} games", row.games).format(number=row.games)
    best = max(what.games, key=lambda game: game.score)
    worst = min(what.games, key=lambda game: game.score)
    said = _("{which} score {score:.2f}, behind game {number}{where}")
    return Section(
        heading,
        points=(
            _("score {score:.2f}: mu {mu:.2f}, sigma {sigma:.2f}; trend {trend:+.2f}").format(
                score=row.score, mu=row.mu, sigma=row.sigma, trend=row.trend
            ),
            _("{games}, {wins} won; mean place {place:.2f}").format(games=counted, wins=row.wins, place=place),
            *_away_since(what),
            said.format(which=_("best"), score=best.score, number=best.number, where=_where(best)),
            said.format(which=_("worst"), score=worst.score, number=worst.number, where=_where(worst)),
        ),
    )


def _away_since(what: Career) -> Iterator[str]:
    growth = _growth(what)
    if growth > 0.0:
        text = _("away since the last game: sigma {growth:+.2f}, score {score:+.2f}")
        yield text.format(growth=growth, score=-3 * growth)


def _where(game: CareerGame) -> str:
    where = _(" ({event}, round {round})") if game.round else _(" ({event})")
    return where.format(event=game.event, round=game.round) if game.event else ""


def _last_games(what: Career) -> Section:
    games = what.games
    heading = _("Games") if len(games) <= LAST_GAMES else _("The last {number} games").format(number=LAST_GAMES)
    return Section(heading, _columns(what.pool), tuple(_row(what.pool, game) for game in games[-LAST_GAMES:]))


def _opponents(what: Career) -> Section:
    columns = (
        Column("player", _("Player")),
        Column("games", _("Games"), "right"),
        Column("ahead", _("Ahead"), "right"),
        Column("behind", _("Behind"), "right"),
        Column("score", _("Score"), "right", 2),
    )
    rows = tuple((one.player, one.games, one.ahead, one.behind, one.score) for one in what.opponents)
    heading = _("Opponents, and games ahead of them and behind")
    if len(rows) > MOST_OPPONENTS:
        heading = _("The most met of {number} opponents, and games ahead of them and behind").format(number=len(rows))
    return Section(heading, columns, rows[:MOST_OPPONENTS])


def _contracts(what: Career) -> Section:
    columns = (
        Column("contract", _("Contract")),
        Column("hands", _("Hands"), "right"),
        Column("points", _("Points a hand"), "right", 2),
        Column("closed", _("Closed"), "right"),
        Column("at_once", _("At once"), "right"),
    )
    rows = tuple((one.contract, one.hands, one.points, one.closed, one.at_once) for one in what.contracts)
    # Hands of the knock game are of no contract: that column then stays away.
    heading = _("By contract") if any(one.contract for one in what.contracts) else _("Hands")
    return Section(heading, columns, rows)


def _seats(what: Career) -> Section:
    columns = (
        Column("seat", _("Seat"), "right"),
        Column("games", _("Games"), "right"),
        Column("place", _("Mean place"), "right", 2),
        Column("points", _("Points a game"), "right", 2),
        Column("closed", _("Closed"), "right"),
        Column("claims", _("Claims a game"), "right", 2),
    )
    rows = tuple(
        (one.seat, one.games, one.place, one.points, one.closed, one.claims / one.recorded if one.recorded else "")
        for one in what.seats
    )
    return Section(_("By seat; seat 1 is the first dealer"), columns, rows)


def explanation(what: Explanation) -> Report:
    """What each opponent's place did; the rows, days away and drift among them, sum to the change of the rating."""
    game = what.game
    left = game.sigma_before - game.growth
    columns = (
        Column("player", _("Player")),
        Column("place", _("Place"), "right"),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("on_mu", _("on mu"), "right", 3),
        Column("on_sigma", _("on sigma"), "right", 3),
        Column("on_score", _("on score"), "right", 3),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.player, one.place, one.mu, one.sigma, one.on_mu, one.on_sigma, one.on_mu - 3 * one.on_sigma)
        for one in what.contributions
    )
    keys = [column.key for column in columns]
    data = {
        "pool": what.pool.name,
        "player": what.player,
        "game": asdict(game),
        "place": game.place,
        "drift": what.drift,
        "contributions": [dict(zip(keys, row, strict=True)) for row in rows],
    }
    more: tuple[tuple[Cell, ...], ...] = (
        *_away(game),
        (_("time (tau)"), "", "", "", 0.0, what.drift, -3 * what.drift),
        (_("in all"), "", "", "", game.mu - game.mu_before, game.sigma - left, game.change + game.away),
    )
    heading = _("What each place did to mu {mu:.2f} and sigma {sigma:.2f}").format(mu=game.mu_before, sigma=left)
    lines = (
        _("Behind it: mu {mu:.2f}, sigma {sigma:.2f}, score {score:.2f}.").format(
            mu=game.mu, sigma=game.sigma, score=game.score
        ),
        _("An opponent's share is what his joining the table changes, averaged over every order of joining."),
    )
    return Report(
        _game_title(what), columns, rows, data=data, lines=lines, sections=(Section(heading, columns, rows + more),)
    )


def _away(game: CareerGame) -> Iterator[tuple[Cell, ...]]:
    """A row of what the days since the game before did, where they did something."""
    if game.growth > 0.0:
        days = ngettext("{days} day away", "{days} days away", game.days_away).format(days=game.days_away)
        yield days, "", "", "", 0.0, game.growth, game.away


def _game_title(what: Explanation) -> str:
    game = what.game
    place = _("place {place} of {players}").format(place=game.place, players=len(game.players))
    if not game.round:
        name = _(", {event}").format(event=game.event) if game.event else ""
        return _("{player}, game {number} of the pool {pool}{name}: {place}").format(
            player=what.player, number=game.table, pool=what.pool.name, name=name, place=place
        )
    return _("{player}, round {round}, table {table} of {event}: {place}").format(
        player=what.player, round=game.round, table=game.table, event=game.event, place=place
    )
