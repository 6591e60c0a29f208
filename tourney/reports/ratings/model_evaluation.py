"""Trials of ratings as reports."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

from tourney.domain.model_evaluation import ENOUGH_FITTED, OrderNoise, PredictorName, PredictorScore, PredictorTrial
from tourney.reports.render.report import Cell, Column, Report
from tourney.text.i18n import _

_PARAMETERS: Final = ("beta", "tau", "draw", "absence")


def trial(what: PredictorTrial) -> Report:
    """Predictors beside each other, the least loss first, and in a sentence whether that settles anything."""
    named = [name for name in _PARAMETERS if any(name in one.parameters for one in what.scores)]
    columns = (
        Column("predictor", _("Predictor")),
        Column("loss", _("Log-loss"), "right", 4),
        Column("behind", _("Behind"), "right", 4),
        Column("error", "±", "right", 4),
        Column("accuracy", _("Right"), "right", 3),
        *(Column(name, name, "right", 3) for name in named),
        Column("k", "K", "right", 0),
    )
    rows = tuple(
        (_predictor(one.predictor), one.loss, one.behind, one.error, one.accuracy, *_given(one, [*named, "k"]))
        for one in what.scores
    )
    title = _("Who foretells the pool {pool} best: games {first} to {last}, each before it is learnt").format(
        pool=what.pool.name, first=what.measured[0], last=what.measured[1]
    )
    lines = (*_explained(what), _verdict(what))
    return Report(title, columns, rows, _doubts(what), _trial_data(what), lines)


def _predictor(name: PredictorName) -> str:
    words: dict[PredictorName, str] = {
        "defaults": _("TrueSkill, defaults"),
        "pool": _("TrueSkill, pool"),
        "fitted": _("TrueSkill, fitted"),
        "elo": _("Elo, fitted"),
        "coin": _("a coin"),
    }
    return words[name]


def _given(one: PredictorScore, names: Sequence[str]) -> Iterator[Cell]:
    """A cell for each parameter, empty where it has none."""
    return (one.parameters.get(name, "") for name in names)


def _trial_data(what: PredictorTrial) -> dict[str, Any]:
    return {
        "pool": what.pool.name,
        "games": what.games,
        "fitted": list(what.fitted),
        "measured": list(what.measured),
        "pairs": what.pairs,
        "neighbours": what.neighbours,
        "enough": what.enough,
        "predictors": [_score_data(one) for one in what.scores],
    }


def _score_data(one: PredictorScore) -> dict[str, Any]:
    return {
        "predictor": one.predictor,
        "loss": one.loss,
        "accuracy": one.accuracy,
        "behind": one.behind,
        "error": one.error,
        **one.parameters,
    }


def _explained(what: PredictorTrial) -> tuple[str, ...]:
    return (
        _("Log-loss is the mean of −ln of what was given to what then happened, over {pairs} pairs.").format(
            pairs=what.pairs
        ),
        _("Fitted on games {first} to {last}; those measured were not looked at.").format(
            first=what.fitted[0], last=what.fitted[1]
        ),
    )


def _doubts(what: PredictorTrial) -> tuple[str, ...]:
    if what.enough:
        return ()
    text = _(
        "So few games do not fit three parameters: {neighbours} neighbours by place stood apart in games "
        "{first} to {last}, and {enough} are needed. What is fitted here means little; do not rate with it."
    )
    first, last = what.fitted
    return (text.format(first=first, last=last, neighbours=what.neighbours, enough=ENOUGH_FITTED),)


def _verdict(what: PredictorTrial) -> str:
    best, *rest = what.scores
    name = _predictor(best.predictor)
    second = rest[0]
    if second.behind > 2.0 * second.error:
        return _("Best: {best}.").format(best=name)
    return _("Best: {best}; but {second} is no further behind than chance may put it.").format(
        best=name, second=_predictor(second.predictor)
    )


def noise(what: OrderNoise) -> Report:
    """What other orders of the results make of each player's rank and score."""
    columns = (
        Column("rank", _("Rank"), "right"),
        Column("player", _("Player")),
        Column("low", _("From"), "right"),
        Column("high", _("To"), "right"),
        Column("mean_rank", _("Mean rank"), "right", 1),
        Column("rank_deviation", "±", "right", 1),
        Column("score", _("Score"), "right", 2),
        Column("mean_score", _("Mean score"), "right", 2),
        Column("score_deviation", "±", "right", 2),
    )
    keys = [column.key for column in columns]
    rows = tuple(map(attrgetter(*keys), what.rows))
    title = _("The pool {pool} with its {games} games in {shuffles} other orders").format(
        pool=what.pool.name, games=what.games, shuffles=what.shuffles
    )
    lines = (
        _("The order alone moves a rank by {places:.1f} on average.").format(places=what.rank_deviation),
        _("From and to hold nine ranks of ten; what players have learnt or lost over time counts as order here."),
    )
    players = [dict(zip(keys, row, strict=True)) for row in rows]
    return Report(title, columns, rows, data=_noise_data(what, players), lines=lines)


def _noise_data(what: OrderNoise, players: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "pool": what.pool.name,
        "games": what.games,
        "shuffles": what.shuffles,
        "seed": what.seed,
        "rank_deviation": what.rank_deviation,
        "players": players,
    }
