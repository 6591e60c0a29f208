"""Players to tables over rounds, and how good that is. Pure values; standard library only."""

from tourney.seating.judge import Judgement, judge
from tourney.seating.plan import plan
from tourney.seating.resting import swiss_resting
from tourney.seating.sizes import table_sizes
from tourney.seating.swiss import swiss
from tourney.seating.values import Aim, Round, Seating, Short, Table
from tourney.seating.wishes import Broken, Wishes, broken

__all__ = [
    "Aim",
    "Broken",
    "Judgement",
    "Round",
    "Seating",
    "Short",
    "Table",
    "Wishes",
    "broken",
    "judge",
    "plan",
    "swiss",
    "swiss_resting",
    "table_sizes",
]
