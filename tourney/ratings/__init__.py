"""Ratings: results in order to mu and sigma, step by step. The only package that knows `trueskill`."""

from tourney.ratings.fold import (
    Checkpoint,
    Fold,
    Key,
    Played,
    RatedTable,
    Rating,
    Step,
    checkpoints,
    in_order,
    newcomer,
    place_text,
    ranked,
    rate,
    steps,
)
from tourney.ratings.kernel import Kernel, rate_table
from tourney.ratings.parameters import Parameters, RatingError, parse_parameters
from tourney.ratings.results_file import FileGame, read_results

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
    "Step",
    "checkpoints",
    "in_order",
    "newcomer",
    "parse_parameters",
    "place_text",
    "ranked",
    "rate",
    "rate_table",
    "read_results",
    "steps",
]
