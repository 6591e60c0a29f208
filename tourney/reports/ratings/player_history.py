"""Reports on a player's history in a pool, smoothed ratings, and one game explained."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from tourney.domain.player_history import (
    ContractStatistics,
    Contribution,
    Curve,
    CurvePoint,
    Explanation,
    Opponent,
    Peak,
    Peaks,
    PlayerGame,
    PlayerGames,
    PlayerHistory,
    SeatStatistics,
)
from tourney.domain.pools import Pool
from tourney.reports.ratings.ratings import with_filter
from tourney.reports.render.plots import figure, inline_svg, svg
from tourney.reports.render.report import (
    Cell,
    Field,
    Fields,
    Report,
    Section,
    cells,
    columns,
    listing,
    named,
    record,
    table_section,
)
from tourney.text.i18n import _, ngettext
from tourney.text.names import name_order
from tourney.text.numbers import Number

LAST_GAMES: Final = 10
"""The most games that a page lists; JSON and `rating history` have all."""
MAX_OPPONENTS: Final = 12


def player_history(history: PlayerHistory, *, plain: bool = False) -> Report:
    """Report rating, plot, games, opponents, contracts and seats; CSV has the table of all games.

    In `plain` words the rating is one with its uncertainty, as on web pages, not mu and sigma.
    """
    fields, lines = _game_fields(history.pool), _game_lines(history.pool, history.games)
    sections = tuple(_sections(history, plain)) if history.games else ()
    return listing(_title(history), fields, history.games, data=_history_data(history), lines=lines, sections=sections)


def plot(history: PlayerHistory) -> str:
    """Return the rating of a player who has played, game by game, as SVG."""
    return svg(_title(history), [(game.mu, game.sigma) for game in history.games])


def inline_plot(history: PlayerHistory, *, scores: bool = True) -> str:
    """Return the plot of a player who has played as a part of a web page."""
    return inline_svg(history.player, [(game.mu, game.sigma) for game in history.games], scores=scores)


def rating_now(history: PlayerHistory) -> Report:
    """Report the rating of a player who has played in the fewest words, for the page of an event."""
    assert history.row is not None
    rating = _("rating {mu:.2f} ± {sigma:.2f}").format(mu=Number(history.row.mu), sigma=Number(history.row.sigma))
    return Report(_("Rating"), sections=(Section(_heading(history, plain=True), bullets=(rating,)),))


def player_games(player_page: PlayerGames) -> Report:
    """Report the player's games, one in each row."""
    title = with_filter(_game_by_game(player_page.player, player_page.pool), player_page.rating_filter)
    return listing(
        title, _game_fields(player_page.pool), player_page.games, lines=_game_lines(player_page.pool, player_page.games)
    )


def smoothed(curve: Curve) -> Report:
    """Report the rating after each game beside the smoothed rating, which uses all games of the pool."""
    fields = _point_fields(curve.pool)
    games = [record(fields, point) for point in curve.games]
    data = {"pool": curve.pool.name, "player": curve.player, "games": games}
    line = (
        _("mu and sigma use what was known after the game; Smoothed and ± use all games, later ones too.")
        if games
        else _("No game yet.")
    )
    title = _game_by_game(curve.player, curve.pool)
    return listing(title, fields, curve.games, data=data, lines=(line,))


def smoothed_plot(curve: Curve) -> str:
    """Return the smoothed rating of a player who has played, game by game, as SVG."""
    return svg(
        _game_by_game(curve.player, curve.pool), [(each.smoothed_mu, each.smoothed_sigma) for each in curve.games]
    )


def peaks(found: Peaks, top: int | None = None) -> Report:
    """Report the best that players have ever been, the first `top` of them."""
    from_file = found.pool.kind == "imported"
    fields: Fields[Peak] = (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=0),
        Field("player", _("Player"), lambda row: row.player, priority=0),
        Field("score", _("Score"), lambda row: row.score, "right", 2, priority=0),
        Field("mu", "mu", lambda row: row.mu, "right", 2),
        Field("sigma", "sigma", lambda row: row.sigma, "right", 2, priority=2),
        Field("day", _("Day"), lambda row: row.day, look="date"),
        Field("event", _("Event"), lambda row: row.event),
        Field("round", _("Round"), lambda row: row.round or "", "right", priority=2),
        Field("table", _("Table"), lambda row: row.table or "", "right", priority=2),
        Field("game", _("Game"), lambda row: row.game, "right", readers="everybody" if from_file else "programs"),
        Field("games", _("Games"), lambda row: row.games, "right", priority=2),
    )
    lines = (
        _(
            "Score: smoothed mu − 3 sigma at the player's best game, from all games of the pool, later ones too; "
            "`tourney rating fame` has the highest scores as they were rated after the game."
        ),
        ngettext(
            "Only players with {count} game or more; `--min-games` sets the number.",
            "Only players with {count} games or more; `--min-games` sets the number.",
            found.min_games,
        ).format(count=found.min_games),
    )
    rows = found.rows if top is None else found.rows[:top]
    data = {
        "pool": found.pool.name,
        **named(found, "games", "players", "min_games"),
        "peaks": [record(fields, row) for row in rows],
    }
    return listing(
        _("Best of all time in the pool {pool}").format(pool=found.pool.name), fields, rows, data=data, lines=lines
    )


def _point_fields(pool: Pool) -> Fields[CurvePoint]:
    # A game of an event is identified by round and table, one of a file only by its number.
    from_file = pool.kind == "imported"
    return (
        Field("game", _("Game"), lambda point: point.game, "right", readers="everybody" if from_file else "programs"),
        Field("event", _("Event"), lambda point: point.event),
        Field("day", _("Day"), lambda point: point.day, priority=2, look="date"),
        Field("round", _("Round"), lambda point: point.round or "", "right", priority=2),
        Field("table", _("Table"), lambda point: point.table or "", "right"),
        Field("place", _("Place"), lambda point: point.place, "right", priority=0),
        Field("players", _("Of"), lambda point: point.players, "right", priority=2),
        Field("mu", "mu", lambda point: point.mu, "right", 2, priority=2),
        Field("sigma", "sigma", lambda point: point.sigma, "right", 2, priority=3),
        Field("smoothed_mu", _("Smoothed"), lambda point: point.smoothed_mu, "right", 2, priority=0),
        Field("smoothed_sigma", "±", lambda point: point.smoothed_sigma, "right", 2),
    )


def _game_by_game(player: str, pool: Pool) -> str:
    return _("{player} in the pool {pool}, game by game").format(player=player, pool=pool.name)


def _title(history: PlayerHistory) -> str:
    title = _("{player} in the pool {pool}").format(player=history.player, pool=history.pool.name)
    return with_filter(title, history.rating_filter)


def _game_lines(pool: Pool, games: Sequence[PlayerGame]) -> tuple[str, ...]:
    if not games:
        return (_("No game yet."),)
    away = _("Away is the change of the score by the days since the game before, Change that by the game.")
    return (away,) if pool.ages else ()


def _game_fields(pool: Pool) -> Fields[PlayerGame]:
    # Days away change a score only if sigma grows with the calendar.
    away: Fields[PlayerGame] = (
        Field("days_away", _("Days away"), lambda game: game.days_away, "right", readers="programs"),
        Field("away", _("Away"), lambda game: game.away, "right", 2),
    )
    return (
        Field("number", _("No."), lambda game: game.number, "right", priority=0),
        Field("event", _("Event"), lambda game: game.event),
        Field("day", _("Day"), lambda game: game.day, priority=2, look="date"),
        Field("round", _("Round"), lambda game: game.round or "", "right", priority=2),
        Field("table", _("Game") if pool.kind == "imported" else _("Table"), lambda game: game.table, "right"),
        Field("place", _("Place"), lambda game: game.place, "right", priority=0),
        Field("players", _("Of"), lambda game: len(game.players), "right", priority=2),
        Field("mu", "mu", lambda game: game.mu, "right", 2, priority=2),
        Field("sigma", "sigma", lambda game: game.sigma, "right", 2, priority=3),
        Field("score", _("Score"), lambda game: game.score, "right", 2, priority=0),
        *(away if pool.ages else ()),
        Field("change", _("Change"), lambda game: game.change, "right", 2, priority=0),
    )


def _history_data(history: PlayerHistory) -> dict[str, Any]:
    fields = _game_fields(history.pool)
    games = [record(fields, game) for game in history.games]
    return {
        "pool": history.pool.name,
        "player": history.player,
        "rating": _rating_data(history),
        "best": games[_best(history.games).number - 1] if games else None,
        "worst": games[_worst(history.games).number - 1] if games else None,
        "games": games,
        "opponents": [{**asdict(opponent), "score": opponent.score} for opponent in history.opponents],
        "contracts": [asdict(contract) for contract in history.contracts],
        "seats": [asdict(seat) for seat in history.seats],
    }


def _rating_data(history: PlayerHistory) -> dict[str, Any] | None:
    if history.row is None or history.interval is None:
        return None
    low, high = history.interval
    provisional = history.row.sigma > history.pool.settled
    row = {**asdict(history.row), "rank_low": low, "rank_high": high, "provisional": provisional}
    return {**row, "growth": _growth(history)} if history.pool.ages else row


def _growth(history: PlayerHistory) -> float:
    """Return the growth of sigma since the player's last game."""
    return history.row.sigma - history.games[-1].sigma if history.row is not None else 0.0


def _best(games: Sequence[PlayerGame]) -> PlayerGame:
    """Return the first game after which the score was the highest."""
    return max(games, key=lambda game: game.score)


def _worst(games: Sequence[PlayerGame]) -> PlayerGame:
    """Return the first game after which the score was the lowest."""
    return min(games, key=lambda game: game.score)


def _sections(history: PlayerHistory, plain: bool) -> Iterator[Section]:
    yield _current(history, plain)
    skills = [(game.mu, game.sigma) for game in history.games]
    yield Section(_("mu (o) and score (*) after each game"), figure=partial(figure, skills))
    yield _last_games(history)
    yield _opponents(history.opponents)
    if history.contracts:
        yield _contracts(history.contracts)
    if history.seats:
        yield _seats(history.seats)


def _current(history: PlayerHistory, plain: bool) -> Section:
    row = history.row
    assert row is not None
    place = sum(game.place for game in history.games) / len(history.games)
    games = ngettext("{number} game", "{number} games", row.games).format(number=row.games)
    best, worst = _best(history.games), _worst(history.games)
    extreme = _("{which} score {score:.2f}, after game {number}{where}")
    return Section(
        _heading(history, plain),
        bullets=(
            _skill_text(plain).format(
                score=Number(row.score), mu=Number(row.mu), sigma=Number(row.sigma), trend=Number(row.trend)
            ),
            _("{games}, {wins} won; mean place {place:.2f}").format(games=games, wins=row.wins, place=Number(place)),
            *_away_since(history, plain),
            extreme.format(which=_("best"), score=Number(best.score), number=best.number, where=_where(best)),
            extreme.format(which=_("worst"), score=Number(worst.score), number=worst.number, where=_where(worst)),
        ),
    )


def _heading(history: PlayerHistory, plain: bool) -> str:
    row, interval = history.row, history.interval
    assert row is not None
    assert interval is not None
    mark = _(" (provisional)") if row.sigma > history.pool.settled else ""
    text = _("Rank {rank}{mark}, probably between {low} and {high}")
    if not plain:
        text = _("Rank {rank}{mark}; {low} to {high} with 95 %")
    return text.format(rank=row.rank, mark=mark, low=interval[0], high=interval[1])


def _skill_text(plain: bool) -> str:
    if plain:
        return _("rating {mu:.2f} ± {sigma:.2f}; score {score:.2f}; trend {trend:+.2f}")
    return _("score {score:.2f}: mu {mu:.2f}, sigma {sigma:.2f}; trend {trend:+.2f}")


def _away_since(history: PlayerHistory, plain: bool) -> Iterator[str]:
    growth = _growth(history)
    if growth > 0.0:
        text = _("away since the last game: sigma {growth:+.2f}, score {score:+.2f}")
        if plain:
            text = _("away since the last game: ± grew by {growth:.2f}, score {score:+.2f}")
        yield text.format(growth=Number(growth), score=Number(-3 * growth))


def _where(game: PlayerGame) -> str:
    where = _(" ({event}, round {round})") if game.round else _(" ({event})")
    return where.format(event=game.event, round=game.round) if game.event else ""


def _last_games(history: PlayerHistory) -> Section:
    games, fields = history.games, _game_fields(history.pool)
    heading = _("Games") if len(games) <= LAST_GAMES else _("The last {number} games").format(number=LAST_GAMES)
    return table_section(heading, fields, games[-LAST_GAMES:])


def _opponents(opponents: Sequence[Opponent]) -> Section:
    fields: Fields[Opponent] = (
        Field("player", _("Player"), lambda opponent: opponent.player, priority=0),
        Field("games", _("Games"), lambda opponent: opponent.games, "right"),
        Field("ahead", _("Ahead"), lambda opponent: opponent.ahead, "right", priority=0),
        Field("behind", _("Behind"), lambda opponent: opponent.behind, "right", priority=0),
        Field("score", _("Share ahead"), lambda opponent: opponent.score, "right", 2, priority=2),
    )
    heading = _("Opponents, with games finished ahead of them and behind")
    if len(opponents) > MAX_OPPONENTS:
        heading = _("The most frequent of {number} opponents, with games finished ahead of them and behind").format(
            number=len(opponents)
        )
    # JSON keeps the order in which its opponents have always been.
    listed = sorted(opponents, key=lambda opponent: (-opponent.games, name_order(opponent.player)))
    return table_section(heading, fields, listed[:MAX_OPPONENTS])


def _contracts(contracts: Sequence[ContractStatistics]) -> Section:
    fields: Fields[ContractStatistics] = (
        Field("contract", _("Contract"), lambda row: row.contract, priority=0),
        Field("hands", _("Hands"), lambda row: row.hands, "right"),
        Field("points", _("Points a hand"), lambda row: row.points, "right", 2),
        Field("closed", _("Closed"), lambda row: row.closed, "right"),
        Field("at_once", _("At once"), lambda row: row.at_once, "right", priority=3),
    )
    # Hands of the knock game have no contract: the column is then empty and not shown.
    heading = _("By contract") if any(row.contract for row in contracts) else _("Hands")
    return table_section(heading, fields, contracts)


def _seats(seats: Sequence[SeatStatistics]) -> Section:
    fields: Fields[SeatStatistics] = (
        Field("seat", _("Seat"), lambda row: row.seat, "right", priority=0),
        Field("games", _("Games"), lambda row: row.games, "right"),
        Field("place", _("Mean place"), lambda row: row.place, "right", 2, priority=0),
        Field("points", _("Points a game"), lambda row: row.points, "right", 2),
        Field("closed", _("Closed"), lambda row: row.closed, "right"),
        Field("claims", _("Claims a game"), lambda row: row.claims / row.recorded if row.recorded else "", "right", 2),
    )
    return table_section(_("By seat; seat 1 is the first dealer"), fields, seats)


def explanation(explained: Explanation) -> Report:
    """Report what each opponent's place did; with days away and tau the rows sum to the change of the rating."""
    game = explained.game
    sigma_left = game.sigma_before - game.growth
    fields: Fields[Contribution] = (
        Field("player", _("Player"), lambda row: row.player, priority=0),
        Field("place", _("Place"), lambda row: row.place, "right", priority=0),
        Field("mu", "mu", lambda row: row.mu, "right", 2, priority=2),
        Field("sigma", "sigma", lambda row: row.sigma, "right", 2, priority=3),
        Field("on_mu", _("on mu"), lambda row: row.on_mu, "right", 3),
        Field("on_sigma", _("on sigma"), lambda row: row.on_sigma, "right", 3),
        Field("on_score", _("on score"), lambda row: row.on_mu - 3 * row.on_sigma, "right", 3),
    )
    headings, rows = columns(fields), cells(fields, explained.contributions)
    data = {
        "pool": explained.pool.name,
        "player": explained.player,
        "game": asdict(game),
        "place": game.place,
        "drift": explained.drift,
        "contributions": [record(fields, contribution) for contribution in explained.contributions],
    }
    sums: tuple[tuple[Cell, ...], ...] = (
        *_days_away(game),
        (_("time (tau)"), "", "", "", 0.0, explained.drift, -3 * explained.drift),
        (_("in all"), "", "", "", game.mu - game.mu_before, game.sigma - sigma_left, game.change + game.away),
    )
    heading = _("What each place did to mu {mu:.2f} and sigma {sigma:.2f}").format(
        mu=Number(game.mu_before), sigma=Number(sigma_left)
    )
    lines = (
        _("After the game: mu {mu:.2f}, sigma {sigma:.2f}, score {score:.2f}.").format(
            mu=Number(game.mu), sigma=Number(game.sigma), score=Number(game.score)
        ),
        _("An opponent's share is the change by joining the table, averaged over every order of joining."),
    )
    sections = (Section(heading, headings, rows + sums),)
    return Report(_game_title(explained), headings, rows, data=data, lines=lines, sections=sections)


def _days_away(game: PlayerGame) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for the days since the previous game, if they have changed the score."""
    if game.growth > 0.0:
        days = ngettext("{days} day away", "{days} days away", game.days_away).format(days=game.days_away)
        yield days, "", "", "", 0.0, game.growth, game.away


def _game_title(explained: Explanation) -> str:
    game = explained.game
    place = _("place {place} of {players}").format(place=game.place, players=len(game.players))
    if not game.round:
        name = _(", {event}").format(event=game.event) if game.event else ""
        return _("{player}, game {number} of the pool {pool}{name}: {place}").format(
            player=explained.player, number=game.table, pool=explained.pool.name, name=name, place=place
        )
    return _("{player}, round {round}, table {table} of {event}: {place}").format(
        player=explained.player, round=game.round, table=game.table, event=game.event, place=place
    )
