"""A rule set as a page for players: its hands, its values, and sentences, each with the clause that says so."""

from collections.abc import Iterator
from typing import Any

from engine.cards import RANKS
from engine.rules import Contracts, Rules, all_rules, load_rules, variants_of
from tourney.domain.rules import RulesRef
from tourney.rulebook.answers import Entry, Page, Sentence
from tourney.rulebook.pack_text import jokers_text, packs_text
from tourney.rulebook.page_selection import ONLY_IF, OTHER_HANDS, UNWRITTEN, WITHOUT_JOKERS
from tourney.rulebook.rule_sentences import COMMON, FAMILY, OTHER, Words
from tourney.rulebook.rulesets import rules_of
from tourney.text.i18n import _


def listing() -> tuple[Entry, ...]:
    """Every built-in rule set, the default first."""
    return tuple(_entry(load_rules(name)) for name in all_rules())


def page(ref: RulesRef) -> Page:
    """Return the page of a rule set."""
    rules = rules_of(ref)
    play = rules.play
    return Page(
        entry=_entry(rules),
        digest=rules.digest,
        packs=rules.packs(rules.players.most),
        jokers=rules.jokers(rules.players.most),
        hands=play.hands.order if isinstance(play, Contracts) else (),
        values=values(rules),
        sentences=tuple(sentences(rules)),
    )


def _entry(rules: Rules) -> Entry:
    variants = variants_of(rules.id) if rules.id in all_rules() else ()
    return Entry(rules.id, rules.document, rules.title, rules.kind, rules.players.least, rules.players.most, variants)


def has_jokers(rules: Rules) -> bool:
    """Whether there are jokers at any table."""
    return any(jokers for _most, jokers in rules.pack.jokers)


def values(rules: Rules) -> tuple[tuple[str, int], ...]:
    """The points of the cards left in hand: thirteen ranks, jokers if there are any, and red twos that are wild."""
    joker = (("Jk", rules.values.joker),) if has_jokers(rules) else ()
    wild = (("2h 2d", rules.values.wild_two),) if rules.pack.wild_twos == "red" else ()
    return (*zip(RANKS, rules.values.ranks, strict=True), *joker, *wild)


def sentences(rules: Rules) -> Iterator[Sentence]:
    """Everything that the rule set says in words, section by section."""
    for section, table in (COMMON | FAMILY[rules.kind]).items():
        for path, words in table.items():
            text = _sentence(rules, path, words) if _is_told(rules, path) else ""
            if text:
                yield Sentence(_(section), text, _clause(rules, path), path)


def _clause(rules: Rules, path: str) -> str:
    return UNWRITTEN[path][rules.document] if path in UNWRITTEN else rules.clause(path)


def _is_told(rules: Rules, path: str) -> bool:
    if path in UNWRITTEN and rules.document not in UNWRITTEN[path]:
        return False
    if path == "bonus.same_turn" and set(_by_contract(rules)) == set(_played(rules)):
        return False
    if path not in ONLY_IF:
        return True
    other, without = ONLY_IF[path]
    return bool(_raw(rules, other) != without)


def _sentence(rules: Rules, path: str, words: Words) -> str:
    if not has_jokers(rules):
        words = WITHOUT_JOKERS.get(path, words)
    if path == "bonus.same_turn" and _by_contract(rules):
        words = {OTHER: OTHER_HANDS}
    value = None if path in UNWRITTEN else _value(rules, path)
    sentence = words[value] if value in words else words[OTHER]
    return _(sentence).format(value=value, run=rules.run.least) if sentence else ""


def _raw(rules: Rules, path: str) -> Any:
    group, name = path.split(".")
    owner = rules.play if hasattr(rules.play, group) else rules
    return getattr(getattr(owner, group), name)


def _value(rules: Rules, path: str) -> Any:
    """A field's value, lists as text."""
    if path == "pack.packs":
        return packs_text(rules)
    if path == "pack.jokers":
        return jokers_text(rules)
    if path == "bonus.same_turn_by_contract":
        return ", ".join(f"{contract} {points}" for contract, points in _by_contract(rules).items())
    return _raw(rules, path)


def _played(rules: Rules) -> list[str]:
    return [contract for contract, _dealt in rules.contracts.hands.order]


def _by_contract(rules: Rules) -> dict[str, int]:
    """What the closer writes down in the hands that are played and have a bonus of their own."""
    rows = rules.contracts.bonus.same_turn_by_contract
    return {contract: points for contract, points in rows if contract in _played(rules)}
