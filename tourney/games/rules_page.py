"""A rule set as a page for players: sentences, each with the clause that says so.

What a field's value means in words stands in tables, one per section, in the order in which people ask.
"""

from collections.abc import Iterator
from typing import Any, Final

from engine.cards import RANKS
from engine.rules import Contracts, Rules, all_rules
from tourney.games.answers import Entry, Page, Sentence
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
        values=(*zip(RANKS, rules.values.ranks, strict=True), ("Jk", rules.values.joker)),
        sentences=tuple(_sentences(rules)),
    )


def _entry(rules: Rules) -> Entry:
    return Entry(rules.id, rules.document, rules.title, rules.kind, rules.players.least, rules.players.most)


OTHER: Final = object()
"""Stands for every value that has no sentence of its own; the sentence shows it as {value}."""

Words = dict[Any, str]
"""A field's value to its sentence; an empty one where there is nothing to tell."""

_TABLE: Final[dict[str, Words]] = {
    "players.least": {OTHER: "At least {value} players."},
    "players.most": {OTHER: "At most {value} players."},
    "pack.packs": {OTHER: "Packs of 52 cards: {value}."},
    "pack.jokers": {OTHER: "Jokers: {value}."},
    "table.direction": {
        "anticlockwise": "Deal and play go anticlockwise.",
        "clockwise": "Deal and play go clockwise.",
    },
    "table.seat_draw": {"high card": "Each draws a card for the seats, the highest first.", "none": ""},
    "table.draw_ace": {"low": "In that draw the ace is low.", "high": "In that draw the ace is high."},
    "table.first_dealer": {
        "high card": "The highest card of the draw deals first.",
        "low card": "The lowest card of the draw deals first.",
        "random": "Chance decides who deals first.",
    },
    "table.cut": {
        "next": "The player after the dealer cuts.",
        "previous": "The player before the dealer cuts.",
        "none": "",
    },
}
_MELDS: Final[dict[str, Words]] = {
    "trio.least": {OTHER: "A trio is {value} or more cards of one rank."},
    "trio.most": {None: "A trio may be of any length.", OTHER: "A trio has at most {value} cards."},
    "trio.naturals": {
        0: "A trio may be of jokers alone.",
        OTHER: "In a trio, {value} or more cards are no jokers.",
    },
    "run.least": {OTHER: "A run is {value} or more cards of one suit in order."},
    "run.most": {None: "A run may be of any length.", OTHER: "A run has at most {value} cards."},
    "run.naturals": {0: "", OTHER: "In a run, {value} or more cards are no jokers."},
    "run.ace": {
        "round": "A run has no beginning and no end: the ace may stand between king and two.",
        "ends": "The ace stands at an end of a run, before the two or after the king.",
    },
    "run.jokers_adjacent": {
        "allowed": "Jokers of a run may stand side by side.",
        "forbidden": "Two jokers of a run may not stand side by side.",
    },
}
_TURN: Final[dict[str, Words]] = {
    "stock.upcard": {
        "any": "The top card of the stock is turned up and begins the discards; it may be a joker.",
        "no joker": "The top card of the stock is turned up and begins the discards; a joker is replaced.",
        "none": "No card is turned up at first.",
    },
    "claim.who": {
        "anyone": "A discard that the player in turn does not take may be claimed out of turn.",
        "nobody": "A discard is never claimed out of turn.",
    },
    "claim.penalty": {
        "stock": "A claim costs a penalty card, the top one of the stock.",
        "penalty stock": "A claim costs a penalty card from the penalty stock.",
        "none": "",
    },
    "claim.limit": {
        None: "Nobody counts the claims.",
        OTHER: "At most {value} claims for each player in a hand.",
    },
    "claim.own_discard": {
        "allowed": "One's own discard may be claimed.",
        "forbidden": "One's own discard may not be claimed.",
    },
    "claim.when_down": {
        "allowed": "Who is down may claim.",
        "forbidden": "Who is down may not claim.",
    },
    "stock.shuffles": {
        OTHER: "When the stock is empty, the discards but the top one are shuffled: {value} times a hand."
    },
}
_LAYING: Final[dict[str, Words]] = {
    "laying.longer_melds": {
        "allowed": "One lays down exactly the melds of the contract; each may be longer than the least.",
        "forbidden": "One lays down exactly the melds of the contract, none longer than the least.",
    },
    "laying.distinct": {
        "no": "Trios of one rank may stand side by side, and so may runs of one suit.",
        "yes": "Trios of one contract are of different ranks, its runs of different suits.",
    },
    "laying.taking_back": {
        "same turn": "What was laid may be taken back before the turn ends.",
        "never": "What was laid stays.",
    },
    "laying.lay_off": {
        "any meld": "Who is down lays cards off on any meld of the table, in turn.",
        "own melds": "Who is down lays cards off on the own melds, in turn.",
        "none": "No card is laid off.",
    },
    "jokers.swap": {
        "any run": "Who is down may exchange a joker of any run for the card that it stands for.",
        "own runs": "Who is down may exchange a joker of an own run for the card that it stands for.",
        "none": "A joker on the table is never exchanged.",
    },
    "jokers.freed": {
        "runs of that owner": "That joker goes at once to a run of the player who laid the run.",
        "any other run": "That joker goes at once to any other run.",
    },
    "jokers.move": {
        "runs of that owner": "A joker at an end moves to the other end, or to another run of that owner.",
        "own runs": "A joker at an end of an own run moves to the other end, or to another own run.",
        "none": "A joker on the table never moves.",
    },
}
_ENDING: Final[dict[str, Words]] = {
    "closing.last_discard": {
        "allowed": "One may close by discarding the last card.",
        "forbidden": "One may not close by a discard.",
    },
    "closing.all_placed": {
        "allowed": "One may close by placing every card.",
        "forbidden": "One may not close without a discard.",
    },
    "closing.held": {None: "", OTHER: "One may close holding cards of {value} points or less."},
    "closing.only_same_turn": {
        "no": "",
        "every hand": "One closes only in the turn in which one lays down.",
        "last hand": "In the last hand one closes only in the turn in which one lays down.",
    },
    "bonus.earlier": {OTHER: "Who closes, down before that turn, writes {value}; the others their cards."},
    "bonus.same_turn": {OTHER: "Who lays down and closes in one turn writes {value}."},
    "bonus.same_turn_by_contract": {"": "", OTHER: "In one turn, by contract: {value}."},
    "bonus.all_placed": {None: "", OTHER: "Who closes by placing every card writes {value}."},
    "ending.dead_hand": {"everybody counts": "When nobody closes, everybody writes his cards."},
    "ending.tie": {
        "recent hand": "The lowest total wins; of equal ones, his who won a hand more recently.",
        "shared": "The lowest total wins; equal ones share the place.",
    },
}


def _sentences(rules: Rules) -> Iterator[Sentence]:
    sections = [(_("Table"), _TABLE), (_("Melds"), _MELDS)]
    if rules.kind == "contract":
        sections += [(_("Turn"), _TURN), (_("Laying down"), _LAYING), (_("End of a hand"), _ENDING)]
    for section, table in sections:
        for path, words in table.items():
            value = _value(rules, path)
            sentence = words[value] if value in words else words[OTHER]
            if sentence:
                yield Sentence(section, _(sentence).format(value=value), rules.clause(path))


def _value(rules: Rules, path: str) -> Any:
    """A field's value, lists as text."""
    group, name = path.split(".")
    owner = getattr(rules.play, group) if hasattr(rules.play, group) else getattr(rules, group)
    value = getattr(owner, name)
    return _list_text(rules, path, value) if isinstance(value, tuple) else value


def _list_text(rules: Rules, path: str, rows: tuple[Any, ...]) -> str:
    if path == "pack.packs":
        text = _("{packs} up to {players} players from hand {hand} on")
        return "; ".join(text.format(packs=packs, players=most, hand=hand) for most, hand, packs in rows)
    if path == "pack.jokers":
        each = _("in each pack") if rules.pack.jokers_counted == "per pack" else _("in all")
        text = _("{jokers} {each} up to {players} players")
        return "; ".join(text.format(jokers=jokers, each=each, players=most) for most, jokers in rows)
    return ", ".join(f"{contract} {points}" for contract, points in rows)
