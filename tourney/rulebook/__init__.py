"""The engine as the tournament sees it: rules, sheets, records and games of bots.

With `league` the only package that knows the engine; nothing here imports it before it is needed.
"""

from tourney.rulebook.knock_sheets import (
    BuyOffer,
    KnockStanding,
    knock_fault,
    knock_hands,
    knock_standing,
    rummy,
    rummy_jokers,
    suggested_knock_points,
)
from tourney.rulebook.records import (
    Played,
    bot_descriptions,
    bot_names,
    engine_build,
    play_table,
    record_digest,
    replay_record,
)
from tourney.rulebook.rulesets import is_current, resolve
from tourney.rulebook.sheets import (
    check_sheet,
    check_stake,
    closer_points,
    contracts,
    doubts,
    entered_record,
    family,
    hand_fault,
    hand_points,
    most_expected,
    suggested_points,
    table_limits,
)

__all__ = [
    "BuyOffer",
    "KnockStanding",
    "Played",
    "bot_descriptions",
    "bot_names",
    "check_sheet",
    "check_stake",
    "closer_points",
    "contracts",
    "doubts",
    "engine_build",
    "entered_record",
    "family",
    "hand_fault",
    "hand_points",
    "is_current",
    "knock_fault",
    "knock_hands",
    "knock_standing",
    "most_expected",
    "play_table",
    "record_digest",
    "replay_record",
    "resolve",
    "rummy",
    "rummy_jokers",
    "suggested_knock_points",
    "suggested_points",
    "table_limits",
]
