"""From the engine to the tournament: rules, sheets, records, and playing a table.

With `league` the only package that knows the engine; nothing here imports it before it is needed.
"""

from tourney.games.play import Played, bot_descriptions, bot_names, play_table, record_digest, replay_record
from tourney.games.sheets import check_sheet, contracts, entered_record, rules_digest, table_limits

__all__ = [
    "Played",
    "bot_descriptions",
    "bot_names",
    "check_sheet",
    "contracts",
    "entered_record",
    "play_table",
    "record_digest",
    "replay_record",
    "rules_digest",
    "table_limits",
]
