"""Ratings: results in order to mu and sigma, step by step. The only package that knows `trueskill`."""

from tourney.ratings.comparison import compare
from tourney.ratings.fold import Fold, rate, steps
from tourney.ratings.forecast import ahead, orders, places
from tourney.ratings.kernel import Kernel, rate_table
from tourney.ratings.parameters import Parameters, RatingError, parse_parameters
from tourney.ratings.quality import evenness, information, match_quality
from tourney.ratings.results_file import FileGame, ResultsFile, read_results
from tourney.ratings.values import (
    Checkpoint,
    Key,
    Played,
    RatedTable,
    Rating,
    Step,
    newcomer,
    place_text,
    ranked,
)

__all__ = [
    "Checkpoint",
    "FileGame",
    "Fold",
    "Kernel",
    "Key",
    "Parameters",
    "Played",
    "RatedTable",
    "Rating",
    "RatingError",
    "ResultsFile",
    "Step",
    "ahead",
    "compare",
    "evenness",
    "information",
    "match_quality",
    "newcomer",
    "orders",
    "parse_parameters",
    "place_text",
    "places",
    "ranked",
    "rate",
    "rate_table",
    "read_results",
    "steps",
]
