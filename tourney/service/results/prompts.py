"""The questions of a score sheet: a table of prompts for each family of games, in the order in which they are asked.

The next question is the first that the hand in question does not answer.
"""

from collections.abc import Mapping
from typing import Final

from tourney.domain.rules import Family
from tourney.service.results import contract_prompts, knock_prompts
from tourney.service.results.prompt import Prompt

PROMPTS: Final[Mapping[Family, tuple[Prompt, ...]]] = {
    "contract": contract_prompts.PROMPTS,
    "knock": knock_prompts.PROMPTS,
}
