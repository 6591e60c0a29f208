"""Rule sets: resolved from a name or a club's own file, and loaded again as an event keeps them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rules import RulesRef
from tourney.text.i18n import _

if TYPE_CHECKING:
    from engine.rules import Rules


def resolve(name: str) -> RulesRef:
    """Return the rule set of that name, variants after plus signs, or of a club's file ending in .toml.

    Raises TourneyError: NOT_FOUND where there is none, REFUSED for variants that contradict each other and for
    a file that says something impossible.
    """
    from engine.rules import load_rules, write_rules

    rules = _refusing(lambda: load_rules(name))
    return RulesRef(rules.id, rules.digest, write_rules(rules) if name.endswith(".toml") else "")


def rules_of(ref: RulesRef) -> Rules:
    """Return the engine's rules; raises TourneyError as `resolve` for rules that this version no longer reads."""
    from engine.rules import load_rules

    return _refusing(lambda: _parsed(ref.text) if ref.text else load_rules(ref.id))


def is_current(ref: RulesRef) -> bool:
    """Return whether the digest still names these rules, by the fields of today or of an earlier version.

    Raises TourneyError as `rules_of`.
    """
    return rules_of(ref).named_by(ref.digest)


@cache
def _parsed(text: str) -> Rules:
    from engine.rules import parse_rules

    return parse_rules(text, "the event's own rules")


def _refusing(load: Callable[[], Rules]) -> Rules:
    """Return what is loaded, the engine's errors as the tournament's."""
    from engine.errors import RulesError, UnknownRules

    try:
        return load()
    except UnknownRules as error:
        hint = error.hint or _("see `tourney rules list`")
        raise TourneyError(ExitCode.NOT_FOUND, error.reason, hint) from error
    except RulesError as error:
        hint = error.hint or _("`tourney rules show` lists every field of a rule set and what it says")
        raise TourneyError(ExitCode.REFUSED, error.reason, hint) from error
