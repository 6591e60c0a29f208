"""Rule sets: by their names, from a club's own file, and as an event keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

if TYPE_CHECKING:
    from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Adopted:
    """What an event keeps of its rules: id and digest, and the whole `text` of a club's own ('' if built in)."""

    id: str
    digest: str
    text: str


def rules_of(rulebook: str) -> Rules:
    """The rule set of that name, variants after plus signs; of a file ending in .toml; or of a whole text.

    Raises TourneyError: NOT_FOUND where there is none, REFUSED for variants that contradict each other and for
    a file that says something impossible.
    """
    from engine.errors import RulesError, UnknownRules
    from engine.rules import load_rules

    try:
        return _read(rulebook) if "\n" in rulebook else load_rules(rulebook)
    except UnknownRules as error:
        hint = error.hint or _("see `tourney rules list`")
        raise TourneyError(ExitCode.NOT_FOUND, error.reason, hint) from error
    except RulesError as error:
        hint = error.hint or _("`tourney rules show` lists every field of a rule set and what it says")
        raise TourneyError(ExitCode.REFUSED, error.reason, hint) from error


@cache
def _read(text: str) -> Rules:
    from engine.rules import parse_rules

    return parse_rules(text, "the event's own rules")


def adopted(rules: str) -> Adopted:
    """The rules of that name or file as an event keeps them; raises TourneyError as `rules_of`.

    A built-in rule set is kept by its id, its variants in the order of its own list.
    """
    from engine.rules import write_rules

    found = rules_of(rules)
    return Adopted(found.id, found.digest, write_rules(found) if rules.endswith(".toml") else "")


def same_rules(rulebook: str, digest: str) -> bool:
    """Whether the digest names these rules, by the fields of today or of an earlier version; raises as `rules_of`."""
    return rules_of(rulebook).named_by(digest)
