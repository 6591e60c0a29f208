"""A rule set as a page for players: its hands, its values, and sentences, each with the clause that says so."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from engine.cards import RANKS
from engine.rules import Contracts, Rules, all_rules, variants_of
from tourney.games.answers import Entry, Page, Sentence
from tourney.games.rules_words import COMMON, FAMILY, ONLY_IF, ONLY_WITHOUT, OTHER, Words
from tourney.games.rulesets import rules_of
from tourney.text import _


def listing() -> tuple[Entry, ...]:
    """Every built-in rule set, the default first."""
    return tuple(_entry(rules_of(name)) for name in all_rules())


def page(rules_id: str) -> Page:
    """The page of one rule set; TourneyError NOT_FOUND where there is none."""
    rules = rules_of(rules_id)
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


def values(rules: Rules) -> tuple[tuple[str, int], ...]:
    """The points of the cards left in hand: thirteen ranks, the joker, and a red two where it is wild."""
    wild = (("2h 2d", rules.values.wild_two),) if rules.pack.wild_twos == "red" else ()
    return (*zip(RANKS, rules.values.ranks, strict=True), ("Jk", rules.values.joker), *wild)


def sentences(rules: Rules) -> Iterator[Sentence]:
    """Everything that the rule set says in words, section by section."""
    for section, table in (COMMON | FAMILY[rules.kind]).items():
        for path, words in table.items():
            text = _sentence(rules, path, words)
            if text:
                yield Sentence(_(section), text, rules.clause(path), path)


def _is_told(rules: Rules, path: str) -> bool:
    if path in ONLY_WITHOUT and _raw(rules, ONLY_WITHOUT[path]):
        return False
    if path not in ONLY_IF:
        return True
    other, without = ONLY_IF[path]
    return bool(_raw(rules, other) != without)


def _sentence(rules: Rules, path: str, words: Words) -> str:
    if not _is_told(rules, path):
        return ""
    value = _value(rules, path)
    sentence = words[value] if value in words else words[OTHER]
    return _(sentence).format(value=value) if sentence else ""


def _raw(rules: Rules, path: str) -> Any:
    group, name = path.split(".")
    owner = rules.play if hasattr(rules.play, group) else rules
    return getattr(getattr(owner, group), name)


def _value(rules: Rules, path: str) -> Any:
    """A field's value, lists as text."""
    value = _raw(rules, path)
    return _list_text(rules, path, value) if isinstance(value, tuple) else value


def _list_text(rules: Rules, path: str, rows: tuple[Any, ...]) -> str:
    if path == "pack.packs":
        return "; ".join(_packs_text(most, there) for most, there in groupby(rows, key=lambda row: row[0]))
    if path == "pack.jokers":
        each = _("in each pack") if rules.pack.jokers_counted == "per pack" else _("in all")
        text = _("{jokers} {each} up to {players} players")
        return "; ".join(text.format(jokers=jokers, each=each, players=most) for most, jokers in rows)
    played = [contract for contract, _dealt in rules.contracts.hands.order]
    return ", ".join(f"{contract} {points}" for contract, points in rows if contract in played)


def _packs_text(most: int, rows: Iterable[tuple[int, int, int]]) -> str:
    """As `2, 3 from hand 3 on, up to 4 players`."""
    first, *later = [(hand, packs) for _most, hand, packs in rows]
    parts = [str(first[1])] + [_("{packs} from hand {hand} on").format(packs=packs, hand=hand) for hand, packs in later]
    return _("{packs} up to {players} players").format(packs=", ".join(parts), players=most)
