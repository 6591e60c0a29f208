"""How two rule sets differ, in the sentences of their pages."""

from collections.abc import Iterator

from engine.cards import RANKS
from engine.rules import Contracts, Rules
from tourney.domain.rules import RulesRef
from tourney.rulebook.answers import Difference, Differences, Sentence
from tourney.rulebook.page_selection import ALIKE
from tourney.rulebook.rules_page import has_jokers, sentences
from tourney.rulebook.rulesets import rules_of
from tourney.text.i18n import _


def diff(one: RulesRef, other: RulesRef) -> Differences:
    """Every rule that the two have otherwise."""
    first, second = rules_of(one), rules_of(other)
    theirs = {ALIKE.get(sentence.field, sentence.field): sentence for sentence in _all(second)}
    ours = {ALIKE.get(sentence.field, sentence.field): sentence for sentence in _all(first)}
    rows = [
        Difference((ours.get(field) or theirs[field]).section, field, ours.get(field), theirs.get(field))
        for field in _in_order(list(ours), list(theirs))
        if _text(ours.get(field)) != _text(theirs.get(field))
    ]
    sections = list(dict.fromkeys(row.section for row in rows))
    return Differences(first.id, second.id, tuple(sorted(rows, key=lambda row: sections.index(row.section))))


def _text(sentence: Sentence | None) -> str:
    return "" if sentence is None else sentence.text


def _in_order(ours: list[str], theirs: list[str]) -> list[str]:
    """Both lists of fields in one, each field of theirs alone behind the one that it follows there."""
    merged = list(ours)
    for place, field in enumerate(theirs):
        if field not in merged:
            before = theirs[place - 1] if place else None
            merged.insert(merged.index(before) + 1 if before in merged else 0, field)
    return merged


def _all(rules: Rules) -> Iterator[Sentence]:
    """The sentences of the page, and its two tables as sentences."""
    if isinstance(rules.play, Contracts):
        listed = ", ".join(f"{contract} {dealt}" for contract, dealt in rules.play.hands.order)
        text = _("Hands and cards dealt: {hands}.").format(hands=listed)
        yield Sentence(_("Hands"), text, rules.clause("hands.order"), "hands.order")
    listed = ", ".join(f"{card} {points}" for card, points in zip(RANKS, rules.values.ranks, strict=True))
    text = _("Points of the cards left in hand: {values}.").format(values=listed)
    yield Sentence(_("Values"), text, rules.clause("values.ranks"), "values.ranks")
    if has_jokers(rules):
        text = _("A joker left in hand counts {points}.").format(points=rules.values.joker)
        yield Sentence(_("Values"), text, rules.clause("values.joker"), "values.joker")
    if rules.pack.wild_twos == "red":
        text = _("A red two left in hand counts {points}.").format(points=rules.values.wild_two)
        yield Sentence(_("Values"), text, rules.clause("values.wild_two"), "values.wild_two")
    yield from sentences(rules)
