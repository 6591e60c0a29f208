"""Reports on comparisons of models, noise from the order of results, and verified ratings."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from tourney.domain.forecasts import (
    MAX_EVENINGS,
    MIN_NEIGHBOURS,
    RIGHT_SHARE,
    ModelComparison,
    OrderNoise,
    PredictorName,
    PredictorScore,
    RankNoise,
)
from tourney.domain.rankings import RatingsComparison
from tourney.reports.render.report import Field, Fields, Report, listing, named, record
from tourney.text.i18n import _, ngettext
from tourney.text.numbers import Number

_PARAMETERS: Final = ("beta", "tau", "draw", "absence")
_FITTED: Final[tuple[PredictorName, ...]] = ("fitted", "fitted by hand", "fitted by points", "elo")
MAX_LISTED: Final = 10


def compared_models(comparison: ModelComparison) -> Report:
    """Report the predictors, the least loss first, and whether the best one is significantly better."""
    parameters = [name for name in _PARAMETERS if any(name in row.parameters for row in comparison.scores)]
    fields: Fields[PredictorScore] = (
        Field("predictor", _("Predictor"), lambda row: _predictor(row.predictor), priority=0),
        Field("loss", _("Log-loss"), lambda row: row.loss, "right", 4, priority=0),
        Field("behind", _("Behind"), lambda row: row.behind, "right", 4),
        Field("error", "±", lambda row: row.error, "right", 4),
        Field("accuracy", _("Right"), lambda row: row.accuracy, "right", 3),
        Field("evenings", _("Evenings"), lambda row: row.evenings, "right", cell=_evenings, optional=True),
        *(Field(name, name, _parameter(name), readers="programs") for name in parameters),
        Field("k", "k", _parameter("k"), readers="programs"),
        Field("k_first", "k_first", _parameter("k_first"), readers="programs"),
        Field("k_games", "k_games", _parameter("k_games"), readers="programs"),
        Field("scale", "scale", _parameter("scale"), readers="programs"),
    )
    title = _("Predictions for the pool {pool}: games {first} to {last}, each before it is learned").format(
        pool=comparison.pool.name, first=comparison.measured[0], last=comparison.measured[1]
    )
    lines = (
        _("Log-loss is the mean of −ln of the probability given to what then happened, over {pairs} pairs.").format(
            pairs=comparison.pairs
        ),
        _("Fitted on games {first} to {last}, without looking at those measured.").format(
            first=comparison.fitted[0], last=comparison.fitted[1]
        ),
        *_learning(comparison),
        *(_fitted(row) for row in comparison.scores if row.predictor in _FITTED),
        _verdict(comparison),
    )
    return listing(
        title, fields, comparison.scores, notes=_doubts(comparison), data=_models_data(comparison), lines=lines
    )


def _predictor(name: PredictorName) -> str:
    names: dict[PredictorName, str] = {
        "defaults": _("TrueSkill, defaults"),
        "pool": _("TrueSkill, pool"),
        "fitted": _("TrueSkill, fitted"),
        "pool by hand": _("TrueSkill by hand, pool"),
        "fitted by hand": _("TrueSkill by hand, fitted"),
        "fitted by points": _("√points by hand, fitted"),
        "elo": _("Elo, fitted"),
        "coin": _("a coin"),
    }
    return names[name]


def _fitted(row: PredictorScore) -> str:
    """Return a sentence on the parameters of a predictor that was fitted."""
    numbers = {name: Number(float(f"{number:.4g}")) for name, number in row.parameters.items()}
    if row.predictor == "elo":
        text = _("{predictor}: K {k}, from {k_first} in a player's first game, half of the way in {k_games} games.")
        return text.format(predictor=_predictor(row.predictor), **numbers)
    parameters = ", ".join(f"{name} {number}" for name, number in numbers.items())
    return _("{predictor}: {parameters}.").format(predictor=_predictor(row.predictor), parameters=parameters)


def _evenings(row: PredictorScore) -> str | int:
    return "" if row.evenings is None else row.evenings


def _learning(comparison: ModelComparison) -> tuple[str, ...]:
    """Return what the column of evenings counts."""
    if comparison.evening is None:
        return ()
    players, seats, games = comparison.evening
    rounds = ngettext("{games} game", "{games} games", games).format(games=games)
    text = _(
        "Evenings: how many it takes, if {players} players play {rounds} at tables of {seats}, until {share} % of all "
        "pairs are in the right order; empty if more than {most}. Simulated, with players who differ as much as the "
        "fit says."
    )
    share = round(100 * RIGHT_SHARE)
    return (text.format(players=players, rounds=rounds, seats=seats, share=share, most=MAX_EVENINGS),)


def _parameter(name: str) -> Callable[[PredictorScore], float | str]:
    """Return a function from a predictor to the value of a parameter, "" if it has none."""
    return lambda row: row.parameters.get(name, "")


def _models_data(comparison: ModelComparison) -> dict[str, Any]:
    return {
        "pool": comparison.pool.name,
        **named(comparison, "games", "fitted", "measured", "pairs", "neighbours", "enough", "evening"),
        "predictors": [
            named(row, "predictor", "loss", "accuracy", "behind", "error", "evenings") | dict(row.parameters)
            for row in comparison.scores
        ],
    }


def _doubts(comparison: ModelComparison) -> tuple[str, ...]:
    if comparison.enough:
        return ()
    text = _(
        "Too few games to fit four parameters: games {first} to {last} have {neighbours} neighbours by place who did "
        "not tie, and {enough} are needed. Do not rate with the fitted parameters."
    )
    first, last = comparison.fitted
    return (text.format(first=first, last=last, neighbours=comparison.neighbours, enough=MIN_NEIGHBOURS),)


def _verdict(comparison: ModelComparison) -> str:
    best, second, *_rest = comparison.scores
    if second.behind > 2.0 * second.error:
        text = _("Best: {best}; {second} is behind by {behind:.4f} ± {error:.4f}.")
    else:
        text = _("Best: {best}; but {second} is behind by no more than chance explains, {behind:.4f} ± {error:.4f}.")
    numbers = {"behind": Number(second.behind), "error": Number(second.error)}
    return text.format(best=_predictor(best.predictor), second=_predictor(second.predictor), **numbers)


def order_noise(noise: OrderNoise) -> Report:
    """Report each player's rank and score over other orders of the results."""
    fields: Fields[RankNoise] = (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=0),
        Field("player", _("Player"), lambda row: row.player, priority=0),
        Field("low", _("From"), lambda row: row.low, "right", priority=0),
        Field("high", _("To"), lambda row: row.high, "right", priority=0),
        Field("mean_rank", _("Mean rank"), lambda row: row.mean_rank, "right", 1),
        Field("rank_deviation", "±", lambda row: row.rank_deviation, "right", 1),
        Field("score", _("Score"), lambda row: row.score, "right", 2),
        Field("mean_score", _("Mean score"), lambda row: row.mean_score, "right", 2),
        Field("score_deviation", "±", lambda row: row.score_deviation, "right", 2),
    )
    title = _("The pool {pool} with its {games} games in {shuffles} other orders").format(
        pool=noise.pool.name, games=noise.games, shuffles=noise.shuffles
    )
    lines = (
        _("The order alone moves a rank by {places:.1f} on average.").format(places=Number(noise.rank_deviation)),
        _("Nine ranks of ten lie between From and To; what players learn or forget over time counts as order here."),
    )
    data = {
        "pool": noise.pool.name,
        **named(noise, "games", "shuffles", "seed", "rank_deviation"),
        "players": [record(fields, row) for row in noise.rows],
    }
    return listing(title, fields, noise.rows, data=data, lines=lines)


def verified(comparison: RatingsComparison) -> Report:
    """Report the greatest differences from the package `trueskill`, unrounded in JSON."""
    games = ngettext("{number} game", "{number} games", comparison.games).format(number=comparison.games)
    players = ngettext("{number} player", "{number} players", comparison.players).format(number=comparison.players)
    headings: tuple[Field[Any], ...] = (
        Field("number", ""),
        Field("difference", _("Greatest difference")),
        Field("player", _("Player")),
    )
    rows = (
        ("mu", f"{comparison.mu:.1e}", comparison.mu_player),
        ("sigma", f"{comparison.sigma:.1e}", comparison.sigma_player),
    )
    data = {
        "pool": comparison.pool.name,
        "agree": comparison.agree,
        "trueskill": comparison.version,
        **named(
            comparison, "games", "players", "mu", "mu_player", "sigma", "sigma_player", "beyond", "differing", "shown"
        ),
    }
    title = _("The pool {pool}, {games} of {players}, rated again by trueskill {version}").format(
        pool=comparison.pool.name, games=games, players=players, version=comparison.version
    )
    return Report(title, headings, rows, _beyond(comparison.beyond), data, tuple(_agreement(comparison)))


def _agreement(comparison: RatingsComparison) -> Iterator[str]:
    if comparison.agree:
        yield _("They are the same, to rounding.")
    if comparison.differing:
        text = ngettext(
            "In {count} game they differ by more than rounding explains: {games}. The database is not at fault; please "
            "report it.",
            "In {count} games they differ by more than rounding explains: {games}. The database is not at fault; "
            "please report it.",
            len(comparison.differing),
        )
        yield text.format(count=len(comparison.differing), games=_listed(comparison.differing))
    if not comparison.shown_agree:
        text = _(
            "The ratings shown are up to {difference} from those that the games give, because some that were kept are "
            "wrong. They are computed again when the parameters of the pool change: `tourney rating pool set` with "
            "another number, then with the old one."
        )
        yield text.format(difference=f"{comparison.shown:.1e}")


def _beyond(games: Sequence[int]) -> tuple[str, ...]:
    if not games:
        return ()
    text = ngettext(
        "trueskill cannot compute {count} game, whose players are too far apart, and continues from our ratings: "
        "{games}",
        "trueskill cannot compute {count} games, whose players are too far apart, and continues from our ratings: "
        "{games}",
        len(games),
    )
    return (text.format(count=len(games), games=_listed(games)),)


def _listed(games: Sequence[int]) -> str:
    """Return the numbers of the first games."""
    shown = ", ".join(map(str, games[:MAX_LISTED]))
    return f"{shown}, …" if len(games) > MAX_LISTED else shown
