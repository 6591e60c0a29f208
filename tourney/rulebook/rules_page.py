"""A rule set as a page for players: hands, values, sentences with clauses and quotations; and two rule sets compared.

The quotations are data, `documents/NNN.toml`, by section and by the sentence that they support.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any, Final

from engine.cards import RANKS
from engine.rules import (
    Contracts,
    Rules,
    Variant,
    all_rules,
    listed_variants,
    load_rules,
    page_clauses,
    unwritten,
    variants_of,
    written_contracts,
)
from tourney.domain.rules import RulesRef
from tourney.rulebook.answers import Differences, RuleDifference, RuleSetEntry, RulesPage, Sentence, VariantRule
from tourney.rulebook.decisions import DECISIONS, OURS
from tourney.rulebook.rule_sentences import (
    ABOUT,
    ALIKE,
    ALSO,
    BY_DOCUMENT,
    COMMON,
    FAMILY,
    ONLY_IF,
    OTHER,
    OTHER_HANDS,
    TOGETHER,
    UNLESS,
    WITHOUT_JOKERS,
    Words,
)
from tourney.rulebook.rulesets import own_words, rules_of
from tourney.text.i18n import _, marked, using_words

_WIKIPEDIA: Final = marked(
    "Document {number}: {title}, an article of the English Wikipedia, quoted under the licence Creative Commons "
    "Attribution-ShareAlike; the history of the article names its authors."
)
_NAMELESS: Final = marked(
    "Document {number}: {title}, published without a name; short quotations of its author's text."
)
_ORIGINS: Final[dict[str, tuple[str, str]]] = {
    "000": (
        "Continental",
        marked("Document {number}: {title}, rules by Naipes Heraclio Fournier; short quotations of its text."),
    ),
    "001": ("Continental (card game)", _WIKIPEDIA),
    "002": ("Continental Rummy", _NAMELESS),
    "003": ("Reglamento oficial del Continental", _NAMELESS),
    "004": ("Continental Rummy", _WIKIPEDIA),
}
"""The title of each document, and where it comes from."""


def words_of(clause: str, field: str) -> str:
    """Return the words of each reference of a sentence: quotations, then decisions; empty where there are none.

    A reference of a club to a text of its own, such as `Getxo 2024`, has none.
    """
    return "; ".join(filter(None, (_words(reference, field) for reference in clause.split(", "))))


def _words(reference: str, field: str) -> str:
    document, _slash, section = reference.partition("/")
    quoted = _document(document).get(section, {}).get(field, "") if section else ""
    if quoted:
        return _("{reference}: “{words}”").format(reference=reference, words=quoted)
    if reference == OURS:
        return _("{reference}: no document asks for it.").format(reference=_(OURS))
    if reference in DECISIONS:
        return _("{reference}: {words}").format(reference=reference, words=_(DECISIONS[reference]))
    return ""


def origins(clauses: Iterable[str]) -> tuple[str, ...]:
    """Return where each document comes from to which the clauses refer."""
    references = (reference for clause in clauses for reference in clause.split(", "))
    numbers = sorted({reference.partition("/")[0] for reference in references} & set(_ORIGINS))
    return tuple(_(_ORIGINS[number][1]).format(number=number, title=_ORIGINS[number][0]) for number in numbers)


@cache
def _document(number: str) -> Mapping[str, Mapping[str, str]]:
    """Return the quotations of a document by section and sentence; empty for other text."""
    if number not in _ORIGINS:
        return {}
    file = resources.files("tourney") / "rulebook" / "documents" / f"{number}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


VARIANTS: Final[dict[tuple[str, str], str]] = {
    ("oficial", "super"): marked(
        "Supercontinental: five more hands after EEE: TTTT with 13 cards, TTTE 14, TTEE 15, EEET 16, EEEE 17."
    ),
    ("oficial", "openers"): marked("Two hands before TT: T with 4 cards and E with 5."),
    ("oficial", "close5"): marked("One may close with cards in hand that add up to 5 or less."),
    ("oficial", "only-minus10"): marked("In every hand one closes only in the turn in which one lays down."),
    ("oficial", "last-minus10"): marked("In the last hand one closes only in the turn in which one lays down."),
    ("oficial", "distinct"): marked("Runs of a contract are of different suits, and its trios of different ranks."),
    ("oficial", "scaled"): marked(
        "The -10 grows from hand to hand: -10 in TT, -20 in TE, -30 in EE, up to -70 in EEE."
    ),
    ("oficial", "minus50"): marked("Laying down and closing in one turn scores -50."),
    ("oficial", "all-placed50"): marked("Closing by placing all cards, with none left to discard, scores -50."),
    ("oficial", "round-values"): marked("Cards from 2 to 7 count 5; eights, nines, tens and court cards 10; aces 20."),
    ("oficial", "claims3"): marked("Nobody claims more than 3 times in a hand."),
    ("oficial", "no-joker-upcard"): marked("The first upcard must not be a joker: another card takes its place."),
    ("oficial", "no-jokers"): marked("There are no jokers."),
    ("oficial", "red-twos"): marked("Red twos are wild, like the jokers."),
    ("oficial", "no-joker-discard"): marked("Jokers are not discarded."),
    ("oficial", "no-own-claim"): marked("Nobody claims their own discard."),
    ("oficial", "two-jokers"): marked("Each pack has 2 jokers instead of 3."),
    ("fournier", "extended"): marked(
        "For 3 or 4 players: five more hands after EEE: TTTT with 12 cards, TTTE 13, TTEE 14, TEEE 15, EEEE 16."
    ),
}


def listing() -> tuple[RuleSetEntry, ...]:
    """Return every built-in rule set, the default first."""
    return tuple(_entry(load_rules(name)) for name in all_rules())


def page(ref: RulesRef, quoted: bool = False) -> RulesPage:
    """Return the page of a rule set; if `quoted`, every sentence has the words of its clause."""
    rules = rules_of(ref)
    play = rules.play
    told = tuple(_quoted(sentence) if quoted else sentence for sentence in sentences(rules))
    return RulesPage(
        entry=_entry(rules),
        digest=rules.digest,
        packs=rules.packs(rules.players.most),
        jokers=rules.jokers(rules.players.most),
        hands=play.hands.order if isinstance(play, Contracts) else (),
        values=values(rules),
        sentences=told,
        written=written_contracts(rules.document),
        variants=variants(rules.id, quoted),
        origins=origins(sentence.clause for sentence in told) if quoted else (),
        values_clause=rules.clause("values.ranks"),
    )


def _quoted(sentence: Sentence) -> Sentence:
    return replace(sentence, words=words_of(sentence.clause, sentence.field))


def variants(name: str, quoted: bool = False) -> tuple[VariantRule, ...]:
    """Return the variants of a built-in rule set in words; none for any other, such as `oficial+scaled`."""
    listed = listed_variants(name) if name in all_rules() else ()
    return tuple(_variant(name, each, quoted) for each in listed)


def _variant(name: str, each: Variant, quoted: bool) -> VariantRule:
    words = words_of(each.clause, each.fields[0]) if quoted else ""
    return VariantRule(each.name, _(VARIANTS[name, each.name]), each.clause, each.refuses, words)


def _entry(rules: Rules) -> RuleSetEntry:
    return RuleSetEntry(
        rules.id,
        rules.document,
        rules.title,
        rules.kind,
        rules.players.least,
        rules.players.most,
        variants_of(rules.id) if rules.id in all_rules() else (),
        len(rules.play.hands.order) if isinstance(rules.play, Contracts) else 0,
        rules.values.joker,
    )


def has_jokers(rules: Rules) -> bool:
    """Return whether there are jokers at a table of any size."""
    return any(jokers for _most, jokers in rules.pack.jokers)


def values(rules: Rules) -> tuple[tuple[str, int], ...]:
    """Return the points of cards left in hand: thirteen ranks, jokers if there are any, and wild red twos."""
    joker = (("Jk", rules.values.joker),) if has_jokers(rules) else ()
    wild = (("2h 2d", rules.values.wild_two),) if rules.pack.wild_twos == "red" else ()
    return (*zip(RANKS, rules.values.ranks, strict=True), *joker, *wild)


def sentences(rules: Rules) -> Iterator[Sentence]:
    """Yield everything that the rule set says in words, section by section."""
    for section, table in (COMMON | FAMILY[rules.kind]).items():
        for path, words in table.items():
            text = _sentence(rules, path, words) if _applies(rules, path) else ""
            if text:
                yield Sentence(_(section), text, _clause(rules, path), path)


def _clause(rules: Rules, path: str) -> str:
    """Return the clause of a sentence, or those of all the fields that it tells."""
    if path in TOGETHER:
        return _clauses(rules, TOGETHER[path])
    if path in ALSO and has_jokers(rules):
        return _clauses(rules, (path, ALSO[path]))
    return rules.clause(path) if path in rules.sources else page_clauses(rules.document)[path]


def _clauses(rules: Rules, fields: Iterable[str]) -> str:
    """Return the references of several fields, each once."""
    return ", ".join(dict.fromkeys(reference for field in fields for reference in rules.clause(field).split(", ")))


def _applies(rules: Rules, path: str) -> bool:
    if path not in rules.sources and path in unwritten(rules.document):
        return False
    if path == "bonus.same_turn" and set(_by_contract(rules)) == set(_played(rules)):
        return False
    needed, excluded = ONLY_IF.get(path, ()), UNLESS.get(path, ())
    return all(_field_value(rules, field) == value for field, value in needed) and all(
        _field_value(rules, field) != value for field, value in excluded
    )


def _sentence(rules: Rules, path: str, words: Words | str) -> str:
    if path in WITHOUT_JOKERS and not has_jokers(rules):
        words = WITHOUT_JOKERS[path]
    elif isinstance(words, dict):
        words = words | BY_DOCUMENT.get((rules.document, path), {})
    if path == "bonus.same_turn" and _by_contract(rules):
        words = OTHER_HANDS
    value = _shown_value(rules, path) if path in rules.sources or path in TOGETHER else None
    sentence = words if isinstance(words, str) else words[value] if value in words else words[OTHER]
    players = {"least": rules.players.least, "most": rules.players.most}
    return _(sentence).format(value=value, run=rules.run.least, **players) if sentence else ""


def _field_value(rules: Rules, path: str) -> Any:
    group, name = path.split(".")
    owner = rules.play if hasattr(rules.play, group) else rules
    return getattr(getattr(owner, group), name)


def _shown_value(rules: Rules, path: str) -> Any:
    """Return a field's value as its sentence shows it, lists as text."""
    if path == "pack.packs":
        return packs_text(rules)
    if path == "pack.jokers":
        return jokers_text(rules)
    if path == "players.range":
        return rules.players.least == rules.players.most
    if path == "bonus.same_turn_by_contract":
        return _by_name(rules, _by_contract(rules).items())
    return _field_value(rules, path)


def _played(rules: Rules) -> list[str]:
    return [contract for contract, _dealt in rules.contracts.hands.order]


def _by_contract(rules: Rules) -> dict[str, int]:
    """Return the closer's points in the hands that are played and have a bonus of their own."""
    rows = rules.contracts.bonus.same_turn_by_contract
    return {contract: points for contract, points in rows if contract in _played(rules)}


def _by_name(rules: Rules, rows: Iterable[tuple[str, int]]) -> str:
    """Return contracts with a number each as text, under the names that slips have: `TT 7, TE 8`."""
    return ", ".join(f"{contract} {number}" for contract, number in rows)


def packs_text(rules: Rules) -> str:
    """Return `Packs of 52 cards: 2.`, or `Packs of 52 cards. With 2 to 4 players: 2; from hand 3 on: 3. With …`."""
    packs = {
        tables: _packs_by_hand(rules, tables[1]) for tables in _tables(rules, {row[0] for row in rules.pack.packs})
    }
    return _by_tables(_("Packs of 52 cards"), packs)


def jokers_text(rules: Rules) -> str:
    """Return `Jokers: 3 in each pack.`, or `Jokers. With 2 to 4 players: 4 in all. With 5 players: 5 in all.`"""
    each = _("{jokers} in each pack") if rules.pack.jokers_counted == "per pack" else _("{jokers} in all")
    jokers = dict(sorted(rules.pack.jokers, reverse=True))
    tables = _tables(rules, set(jokers))
    return _by_tables(_("Jokers"), {(low, most): each.format(jokers=_jokers_at(jokers, most)) for low, most in tables})


def _jokers_at(jokers: dict[int, int], players: int) -> int:
    """Return the jokers of the smallest table that has room for `players` players."""
    return jokers[min(most for most in jokers if most >= players)]


def _tables(rules: Rules, bounds: set[int]) -> list[tuple[int, int]]:
    """Return ranges of table sizes, from the fewest to the most players, that end at each of the bounds."""
    least, most = rules.players.least, rules.players.most
    tops = sorted({min(bound, most) for bound in bounds if bound >= least})
    lows = [least, *(top + 1 for top in tops)]
    return list(zip(lows, tops, strict=False))


def _packs_by_hand(rules: Rules, players: int) -> str:
    """Return the numbers of packs for `players` players, such as `2; from hand 3 on: 3`."""
    starts = sorted({hand for _most, hand, _packs in rules.pack.packs})
    packs = [(hand, rules.packs(players, hand)) for hand in starts]
    changes = [row for before, row in zip([(0, 0), *packs], packs, strict=False) if row[1] != before[1]]
    later = [_("from hand {hand} on: {packs}").format(hand=hand, packs=number) for hand, number in changes[1:]]
    return "; ".join([str(changes[0][1]), *later])


def _by_tables(subject: str, numbers: dict[tuple[int, int], str]) -> str:
    """Return one sentence if the number is the same at all tables, otherwise one for each range of sizes."""
    if len(set(numbers.values())) == 1:
        return _("{subject}: {number}.").format(subject=subject, number=next(iter(numbers.values())))
    each = _("With {players} players: {number}.")
    return " ".join(
        [f"{subject}.", *(each.format(players=_span(*sizes), number=number) for sizes, number in numbers.items())]
    )


def _span(low: int, most: int) -> str:
    return str(most) if low == most else _("{low} to {most}").format(low=low, most=most)


def diff(ref: RulesRef, other: RulesRef) -> Differences:
    """Return every rule in which two rule sets differ, each side in its own club's words.

    Other words alone are no difference: the sentences are compared, and their sections named, in the same words.
    """
    first, second = rules_of(ref), rules_of(other)
    common = own_words(first) if first.words == second.words else None
    ours, theirs = _by_field(first, common), _by_field(second, common)
    one, two = _by_field(first, own_words(first)), _by_field(second, own_words(second))
    rows = [
        RuleDifference((ours.get(field) or theirs[field]).section, field, one.get(field), two.get(field), _about(field))
        for field in _merged_fields(list(ours), list(theirs))
        if _text(ours.get(field)) != _text(theirs.get(field))
    ]
    sections = list(dict.fromkeys(row.section for row in rows))
    return Differences(first.id, second.id, tuple(sorted(rows, key=lambda row: sections.index(row.section))))


def _by_field(rules: Rules, reword: Callable[[str], str] | None) -> dict[str, Sentence]:
    """Return the sentences of a rule set in these own words of a club, by the field under which they are compared."""
    with using_words(reword):
        return {ALIKE.get(sentence.field, sentence.field): sentence for sentence in _all_sentences(rules)}


def _about(field: str) -> str:
    return ABOUT.get(field, field)


def _text(sentence: Sentence | None) -> str:
    return "" if sentence is None else sentence.text


def _merged_fields(ours: list[str], theirs: list[str]) -> list[str]:
    """Return both lists of fields in one; a field that only `theirs` has follows its predecessor in `theirs`."""
    merged = list(ours)
    for place, field in enumerate(theirs):
        if field not in merged:
            before = theirs[place - 1] if place else None
            merged.insert(merged.index(before) + 1 if before in merged else 0, field)
    return merged


def _all_sentences(rules: Rules) -> Iterator[Sentence]:
    """Yield the sentences of the page, and its two tables as sentences."""
    if isinstance(rules.play, Contracts):
        listed = _by_name(rules, rules.play.hands.order)
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
    yield from (sentence for sentence in sentences(rules) if sentence.field not in TOGETHER)
