"""Ratings: results in order to mu and sigma, step by step. The only package that knows `trueskill`."""

from tourney.ratings.backtest import Score, score
from tourney.ratings.comparison import compare
from tourney.ratings.fitting import MOST_TRIES, fit_elo, fit_trueskill
from tourney.ratings.fold import Fold, rate, steps
from tourney.ratings.forecast import ahead, orders, places
from tourney.ratings.intervals import rank_interval, rank_intervals
from tourney.ratings.kernel import Kernel, rate_table
from tourney.ratings.noise import Spread, spreads
from tourney.ratings.parameters import Parameters, RatingError, parse_parameters
from tourney.ratings.predictors import Coin, Elo, Predictor, TrueSkill
from tourney.ratings.quality import evenness, information, match_quality
from tourney.ratings.reach import reach
from tourney.ratings.results_file import FileGame, ResultsFile, read_results
from tourney.ratings.shares import MOST_SHARED, shares
from tourney.ratings.smoothing import MOST_PASSES, SmoothedCurve, smoothed
from tourney.ratings.values import (
    Checkpoint,
    Key,
    Played,
    RatedTable,
    Rating,
    Step,
    day_number,
    newcomer,
    place_text,
    ranked,
)

__all__ = [
    "MOST_PASSES",
    "MOST_SHARED",
    "MOST_TRIES",
    "Checkpoint",
    "Coin",
    "Elo",
    "FileGame",
    "Fold",
    "Kernel",
    "Key",
    "Parameters",
    "Played",
    "Predictor",
    "RatedTable",
    "Rating",
    "RatingError",
    "ResultsFile",
    "Score",
    "SmoothedCurve",
    "Spread",
    "Step",
    "TrueSkill",
    "ahead",
    "compare",
    "day_number",
    "evenness",
    "fit_elo",
    "fit_trueskill",
    "information",
    "match_quality",
    "newcomer",
    "orders",
    "parse_parameters",
    "place_text",
    "places",
    "rank_interval",
    "rank_intervals",
    "ranked",
    "rate",
    "rate_table",
    "reach",
    "read_results",
    "score",
    "shares",
    "smoothed",
    "spreads",
    "steps",
]
