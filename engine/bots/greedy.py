"""The bot `greedy`: follows the shortest plan for its own contract.

It lays down as soon as it can, keeps and claims cards that shorten its distance to the contract, and discards the card
that costs most and helps least.
"""

from typing import Final, final

from engine.bots.bot import BotKind
from engine.bots.table_play import PlanningBot
from engine.text import marked


@final
class GreedyBot(PlanningBot):
    """The bot that plans for its own contract only and ignores what the opponents could do."""


BOT: Final[BotKind] = BotKind(
    "greedy",
    10,
    marked(
        "lays down or knocks when it can, keeps cards that help its contract, discards what costs most and helps least"
    ),
    lambda stream, _values: GreedyBot(),
)
