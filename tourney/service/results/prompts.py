"""The questions of a score sheet: a table of prompts for each family of games, in the order in which they are asked.

The next question is the first that the hand in question does not answer.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from tourney.domain.rules import Family
from tourney.rulebook import rulesets
from tourney.service.results import contract_prompts, knock_prompts
from tourney.service.results.prompt import Prompt
from tourney.service.results.sheet_draft import SheetDraft

PROMPTS: Final[Mapping[Family, tuple[Prompt, ...]]] = {
    "contract": contract_prompts.PROMPTS,
    "knock": knock_prompts.PROMPTS,
}


def questions(draft: SheetDraft) -> Iterator[tuple[Prompt, int]]:
    """Yield each question of the hand in question with the seat concerned, which follows from earlier answers."""
    for prompt in PROMPTS[rulesets.family(draft.event.rules)]:
        for seat in prompt.seats(draft):
            yield prompt, seat


def is_answered(draft: SheetDraft, question: tuple[Prompt, int]) -> bool:
    """Return whether the hand in question answers the question."""
    prompt, seat = question
    return prompt.answered(draft, seat)
