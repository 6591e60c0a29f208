"""Rule sets by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.domain import ExitCode, TourneyError
from tourney.text import _

if TYPE_CHECKING:
    from engine.rules import Rules


def rules_of(rules_id: str) -> Rules:
    """The rule set of that id, variants after plus signs.

    Raises TourneyError: NOT_FOUND where there is none, REFUSED for variants that contradict each other.
    """
    from engine.errors import RulesError, UnknownRules
    from engine.rules import load_rules

    try:
        return load_rules(rules_id)
    except RulesError as error:
        code = ExitCode.NOT_FOUND if isinstance(error, UnknownRules) else ExitCode.REFUSED
        raise TourneyError(code, error.reason, error.hint or _("see `tourney rules list`")) from error
