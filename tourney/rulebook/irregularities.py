"""An arbiter's ruling on an irregularity: the steps, each with its source, as a rule set's document has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rules import RulesRef
from tourney.rulebook.answers import Irregularity, Moment, Remedy
from tourney.rulebook.decisions import OURS
from tourney.rulebook.rulesets import resolve, rules_of
from tourney.rulebook.rulings.kinds import KINDS
from tourney.rulebook.rulings.search import kinds_meant
from tourney.text.i18n import _, ngettext
from tourney.text.similar import similar

if TYPE_CHECKING:
    from engine.rules import Rules

_CLAUSE: Final = re.compile(r"(\d{3})/")


def irregularities(phrase: str = "") -> tuple[Irregularity, ...]:
    """Return every kind of irregularity, with its steps by the default rule set; or those that the phrase may mean.

    Raises TourneyError NOT_FOUND for a phrase that means none.
    """
    rules = rules_of(resolve("oficial"))
    every = {irregularity.kind: _by(rules, irregularity) for irregularity in KINDS}
    if not phrase:
        return tuple(every.values())
    kinds = [phrase] if phrase in every else kinds_meant(phrase)
    if not kinds:
        message = _("there is no irregularity “{name}”").format(
            name=phrase if len(phrase) <= 100 else f"{phrase[:99]}…"
        )
        hint = _(
            "say what happened, as in `tourney rules ruling showed a card`; `tourney rules ruling` lists all kinds"
        )
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return tuple(every[kind] for kind in kinds)


def ruling(ref: RulesRef, kind: str, found: str | None = None) -> tuple[Irregularity, tuple[str, ...]]:
    """Return the steps for a kind at every moment, or at the moment `found`, and notes on their sources.

    Raises TourneyError NOT_FOUND for an unknown kind or moment.
    """
    rules = rules_of(ref)
    irregularity = next((candidate for candidate in KINDS if candidate.kind == kind), None)
    if irregularity is None:
        raise _unknown(_("there is no irregularity “{name}”"), kind, [irregularity.kind for irregularity in KINDS])
    if found is not None:
        chosen = tuple(moment for moment in irregularity.moments if moment.id == found)
        if not chosen:
            raise _unknown(
                _("{kind} has no moment “{{name}}”").format(kind=kind),
                found,
                [moment.id for moment in irregularity.moments],
            )
        irregularity = replace(irregularity, moments=chosen)
    irregularity = _by(rules, irregularity)
    return irregularity, tuple(_notes(rules, irregularity))


def _by(rules: Rules, irregularity: Irregularity) -> Irregularity:
    """Return the irregularity with the steps for the rule set's game, and its document's clauses where it has any."""
    moments = tuple(
        Moment(moment.id, moment.found, tuple(_steps(rules, moment.steps))) for moment in irregularity.moments
    )
    return replace(irregularity, moments=moments)


def _steps(rules: Rules, steps: tuple[Remedy, ...]) -> Iterator[Remedy]:
    for step in steps:
        if step.game in (None, rules.kind):
            sources = step.source.split("|")
            own = next((source for source in sources if source.startswith(f"{rules.document}/")), sources[0])
            yield Remedy(step.text, own, step.game)


def _notes(rules: Rules, irregularity: Irregularity) -> Iterator[str]:
    """Yield where the steps come from, if not from the rule set's own document alone."""
    clauses = " ".join(moment.clause for moment in irregularity.moments)
    documents = set(_CLAUSE.findall(clauses))
    others = sorted(documents - {rules.document})
    if others and rules.document in documents:
        text = ngettext(
            "Where document {document} says nothing, the steps come from document {others}.",
            "Where document {document} says nothing, the steps come from documents {others}.",
            len(others),
        )
        yield text.format(document=rules.document, others=", ".join(others))
    elif others:
        text = ngettext(
            "Document {document} says nothing of this; the steps come from document {others}.",
            "Document {document} says nothing of this; the steps come from documents {others}.",
            len(others),
        )
        yield text.format(document=rules.document, others=", ".join(others))
    if re.search(rf"A-|5\.|{OURS}", clauses):
        yield _(
            "House rulings, and marks such as A-26 and 5.3, are decisions of this program where the documents are "
            "silent; a club may take others."
        )
    yield from _misfit(rules, irregularity)


def _misfit(rules: Rules, irregularity: Irregularity) -> Iterator[str]:
    """Yield why the irregularity cannot happen by these rules, if it cannot."""
    claims = rules.kind == "contract" and rules.contracts.claim.who != "nobody"
    if irregularity.needs == "claims" and not claims:
        yield _(
            "By the rules {rules} nobody claims a discard: a player who takes one out of turn has played out of turn."
        ).format(rules=rules.id)
    if irregularity.needs == "laying" and rules.kind == "knock":
        yield _("By the rules {rules} nobody lays down before a hand ends.").format(rules=rules.id)


def _unknown(message: str, name: str, names: list[str]) -> TourneyError:
    near = similar(name, names, cutoff=50)
    hint = _("did you mean {near}?").format(near=near[0]) if near else _("there are: {names}")
    return TourneyError(ExitCode.NOT_FOUND, message.format(name=name[:40]), hint.format(names=", ".join(names)))
