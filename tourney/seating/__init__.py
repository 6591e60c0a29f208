"""Players to tables over rounds, and how good that is. Pure values; standard library only."""

from tourney.seating.judge import Judgement, judge
from tourney.seating.plan import plan
from tourney.seating.sizes import table_sizes
from tourney.seating.swiss import swiss
from tourney.seating.turns import next_outs
from tourney.seating.values import Aim, Round, Seating, Short, Table

__all__ = [
    "Aim",
    "Judgement",
    "Round",
    "Seating",
    "Short",
    "Table",
    "judge",
    "next_outs",
    "plan",
    "swiss",
    "table_sizes",
]
