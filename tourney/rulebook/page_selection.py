"""Which sentences a page of rules has: what no field of the file says, and what one need not hear."""

from typing import Any, Final

from tourney.rulebook.rule_sentences import OTHER, Words

OURS: Final = "ours"
"""The clause of what this program has decided on its own."""

UNWRITTEN: Final[dict[str, dict[str, str]]] = {
    "table.drawn_again": {"001": "A-08", "002": "A-08", "003": "003/1.4, A-08", "004": "A-08"},
    "table.next_dealer": {"000": "000/1.4", "001": "001/1.4", "002": OURS, "003": "003/1.4", "004": OURS},
    "turn.leader": {name: f"{name}/1.4" for name in ("000", "001", "002", "003", "004")} | {"001": "001/1.5"},
    "turn.draw": {name: f"{name}/1.5" for name in ("000", "001", "002", "003", "004")},
    "turn.discard": {"000": "000/1.5", "001": "001/1.5", "002": "002/1.5", "003": "003/1.5", "004": "5.1"},
    "turn.face": {"003": "003/1.5"},
    "turn.pile": {"003": "003/1.5"},
    "turn.sizes": {"003": "003/1.5"},
    "claim.owes": {"000": "000/1.6", "002": "002/1.6", "003": "003/1.6"},
    "claim.first": {"000": "000/1.6", "002": "002/1.6", "003": "003/1.6"},
    "claim.covered": {"000": "A-11, 5.1", "002": "002/1.6, 5.1", "003": "003/1.6"},
    "laying.when": {"000": "000/1.8", "001": "001/1.8", "002": "002/1.8", "003": "003/1.8", "004": "5.11"},
    "laying.later": {"000": "A-16", "002": "002/1.8", "003": "003/1.8", "004": "004/1.8"},
    "laying.stays": {"000": "000/1.8, 5.4", "002": "5.4", "003": "003/1.9, 5.4", "004": "5.4"},
    "jokers.keeps": {"000": "5.5", "002": "A-20", "003": "003/1.9", "004": "5.5"},
    "jokers.stays": {"000": "000/1.9, A-19", "002": "002/1.9", "003": "003/1.9"},
    "hand.others": {"001": "001/1.10"},
}
"""Sentences that belong to no field of the file, each with its clause by document; of the others it is not told."""

ALIKE: Final[dict[str, str]] = {
    "hand.shuffles": "stock.shuffles",
    "hand.dead_hand": "ending.dead_hand",
    "hand.deal": "hands.order",
}
"""Fields of the knock game and those of a contract game that say the same."""

ONLY_IF: Final[dict[str, tuple[str, Any]]] = {
    "table.draw_ace": ("table.first_dealer", "random"),
    "table.drawn_again": ("table.first_dealer", "random"),
    "claim.penalty": ("claim.who", "nobody"),
    "claim.owes": ("claim.who", "nobody"),
    "claim.first": ("claim.who", "nobody"),
    "claim.covered": ("claim.who", "nobody"),
    "claim.limit": ("claim.who", "nobody"),
    "claim.own_discard": ("claim.who", "nobody"),
    "claim.when_down": ("claim.who", "nobody"),
    "jokers.freed": ("jokers.swap", "none"),
    "jokers.keeps": ("jokers.move", "none"),
    "closing.held_counts": ("closing.held", None),
    "bonus.earlier": ("closing.only_same_turn", "every hand"),
    "survival.split_within": ("survival.split_when", "never"),
}
"""A field is told only if another one does not have this value."""

OTHER_HANDS: Final = "Laid down and closed in one turn in any other hand: {value}."
"""What `bonus.same_turn` says beside a list by contract that leaves out some hands."""

_SILENT: Final[Words] = {OTHER: ""}
_UPCARD: Final = "The top card of the stock is turned up and begins the discards."
WITHOUT_JOKERS: Final[dict[str, Words]] = {
    "pack.jokers": {OTHER: "There are no jokers."},
    "table.drawn_again": {OTHER: "Equal cards are drawn again."},
    "stock.upcard": {"any": _UPCARD, "no joker": _UPCARD, "none": "No card is turned up at first."},
    "laying.stays": {OTHER: "A run takes cards at its two ends only; its cards never move."},
    **dict.fromkeys(("trio.naturals", "run.naturals", "run.jokers_adjacent", "discarding.jokers"), _SILENT),
    **dict.fromkeys(("jokers.swap", "jokers.freed", "jokers.move", "jokers.keeps", "jokers.stays"), _SILENT),
    **dict.fromkeys(("hand.color_jokers", "bonuses.jokers_from"), _SILENT),
}
"""The other words of fields that speak of jokers, where the packs have none."""

ELSEWHERE: Final = frozenset({"pack.jokers_counted", "hands.order", "values.ranks", "values.joker", "values.wild_two"})
"""Fields that a page shows in its tables, or inside another field's sentence."""
