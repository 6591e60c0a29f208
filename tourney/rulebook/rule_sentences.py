"""The sentences of a rules page: tables from a field's value to its sentence, one for each section.

The sections are in the order in which people ask. A sentence shows the value as {value}; an empty sentence is left
out. Further tables say which sentences a page omits.
"""

from typing import Any, Final

OTHER: Final = object()
"""Stands for every value that has no sentence of its own; the sentence shows it as {value}."""

Words = dict[Any, str]
"""The sentence for each value of a field; empty where there is nothing to say."""

SHUFFLES: Final[Words] = {
    0: "When the stock is empty and a card is wanted, the hand is void.",
    1: "When the stock is empty, the discards but the top one are shuffled, once a hand; after that it is void.",
    OTHER: (
        "When the stock is empty, the discards but the top one are shuffled, at most {value} times a hand; after that "
        "it is void."
    ),
}
FIRST_DEALER: Final[Words] = {
    "high card": "The player who draws the highest card deals first.",
    "low card": "The player who draws the lowest card deals first.",
    "random": "Chance decides who deals first.",
}
_TABLE: Final[dict[str, Words]] = {
    "players.least": {OTHER: "At least {value} players."},
    "players.most": {OTHER: "At most {value} players."},
    "pack.packs": {OTHER: "{value}"},
    "pack.jokers": {OTHER: "{value}"},
    "pack.wild_twos": {"none": "", "red": "Red twos are wild too, beside the jokers."},
    "table.direction": {
        "anticlockwise": "Deal and play go anticlockwise.",
        "clockwise": "Deal and play go clockwise.",
    },
    "table.seat_draw": {
        "high card": "Each player draws a card for the seats: the others sit after the highest, in descending order.",
        "none": "",
    },
    "table.first_dealer": FIRST_DEALER,
    "table.draw_ace": {"low": "In that draw the ace is low.", "high": "In that draw the ace is high."},
    "table.drawn_again": {OTHER: "Equal cards are drawn again, and so is a joker."},
    "table.cut": {
        "next": "The player after the dealer cuts.",
        "previous": "The player before the dealer cuts.",
        "none": "",
    },
    "table.next_dealer": {OTHER: "After each hand the next player deals."},
}
_MELDS: Final[dict[str, Words]] = {
    "trio.least": {OTHER: "A trio is {value} or more cards of one rank."},
    "trio.most": {None: "A trio may be of any length.", OTHER: "A trio has at most {value} cards."},
    "trio.naturals": {
        0: "A trio may be of jokers alone.",
        OTHER: "A trio has {value} or more cards that are not jokers.",
    },
    "run.least": {OTHER: "A run is {value} or more cards of one suit in order."},
    "run.most": {None: "A run may be of any length.", OTHER: "A run has at most {value} cards."},
    "run.naturals": {0: "", OTHER: "A run has {value} or more cards that are not jokers."},
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
    "stock.stocks": {
        1: "",
        2: (
            "What is not dealt makes two stocks, one for the turns and one for the penalty cards; when one is empty "
            "the other serves for both."
        ),
    },
    "stock.penalty_share": {None: "", OTHER: "The penalty stock is one card in {value} of what was not dealt."},
    "turn.leader": {OTHER: "The player after the dealer plays first."},
    "turn.draw": {OTHER: "A turn begins with a draw: the top discard or the top card of the stock."},
    "turn.discard": {OTHER: "It ends with one card discarded."},
    "turn.face": {OTHER: "Discards lie face up, the last card of a hand face down; what touches the pile stays there."},
    "turn.pile": {OTHER: "Of the discards only the top one may be seen."},
    "turn.sizes": {OTHER: "Players who are asked how many cards they hold must answer truthfully."},
    "claim.who": {
        "anyone": "A discard that the player in turn does not take may be claimed out of turn.",
        "nobody": "A discard is never claimed out of turn.",
    },
    "claim.penalty": {
        "stock": "A claim costs a penalty card, the top one of the stock.",
        "penalty stock": "A claim costs a penalty card from the penalty stock.",
        "none": "",
    },
    "claim.owes": {OTHER: "A claim is not followed by a discard."},
    "claim.first": {OTHER: "If several players want the card, the one whose turn comes first gets it."},
    "claim.covered": {
        OTHER: "It is claimed before the player in turn discards; then it is covered, and gone for this hand."
    },
    "claim.limit": {
        None: "The number of claims is not limited.",
        1: "At most one claim for each player in a hand.",
        OTHER: "At most {value} claims for each player in a hand.",
    },
    "claim.own_discard": {
        "allowed": "One's own discard may be claimed.",
        "forbidden": "One's own discard may not be claimed.",
    },
    "claim.when_down": {
        "allowed": "A player who is down may claim.",
        "forbidden": "A player who is down may not claim.",
    },
    "discarding.taken": {
        "allowed": "The card just taken from the discards may be discarded again.",
        "forbidden": "The card just taken from the discards may not be discarded in that turn.",
    },
    "discarding.jokers": {
        "allowed": "Jokers may be discarded.",
        "forbidden": "Jokers may not be discarded, unless one holds nothing else or closes with it.",
    },
    "stock.shuffles": SHUFFLES,
}
_LAYING: Final[dict[str, Words]] = {
    "laying.when": {OTHER: "In one's turn, after the draw, one may lay the contract down; nobody has to."},
    "laying.first_turn": {
        "allowed": "One may lay down in one's first turn.",
        "forbidden": "Nobody may lay down in their first turn.",
    },
    "laying.longer_melds": {
        "allowed": "One lays down exactly the melds of the contract; each may be longer than the minimum.",
        "trios": "One lays down exactly the melds of the contract; trios may be longer than the minimum, runs not.",
        "forbidden": "One lays down exactly the melds of the contract, none longer than the minimum.",
    },
    "laying.later": {OTHER: "No new melds are laid later; cards are only added to those on the table."},
    "laying.distinct": {
        "no": "Trios of one rank may stand side by side, and so may runs of one suit.",
        "yes": "Trios of one contract are of different ranks, its runs of different suits.",
    },
    "laying.taking_back": {
        "same turn": "What was laid may be taken back before the turn ends.",
        "never": "What was laid stays.",
    },
    "laying.lay_off": {
        "any meld": "A player who is down may lay cards off on any meld of the table, in turn.",
        "others' melds": "A player who is down may lay cards off on the melds of others, in turn.",
        "own melds": "A player who is down may lay cards off on their own melds, in turn.",
        "none": "No card is laid off.",
    },
    "laying.stays": {OTHER: "A run takes cards at its two ends only; its cards, but for jokers, never move."},
    "jokers.swap": {
        "any run": "A player who is down may exchange a joker of any run for the card that it stands for.",
        "own runs": "A player who is down may exchange a joker of their own run for the card that it stands for.",
        "none": "A joker on the table is never exchanged.",
    },
    "jokers.freed": {
        "runs of that owner": "That joker goes at once to a run of the player who laid the run.",
        "that run, from an end runs of that owner": (
            "That joker goes at once to an end of its run; if it was at one, also to another run of that owner."
        ),
        "any other run": "That joker goes at once to any other run.",
        "any other run or trio": "That joker goes at once to any other run, or is locked in a trio.",
    },
    "jokers.move": {
        "runs of that owner": (
            "A joker at an end moves to the other end, or, if enough cards stay, to another run of that owner."
        ),
        "own runs": (
            "A joker at an end of an own run moves to the other end, or, if enough cards stay, to another own run."
        ),
        "none": "A joker on the table never moves.",
    },
    "jokers.keeps": {OTHER: "A run that a joker leaves keeps {run} or more cards, all in order."},
    "jokers.stays": {OTHER: "A joker in a trio stays there, and none goes back to a hand."},
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
    "closing.held": {
        None: "",
        1: "A player who is down may close with a discard while holding cards of 1 point or none.",
        OTHER: "A player who is down may close with a discard while holding cards of {value} points or less.",
    },
    "closing.held_counts": {
        "no": "Cards that the closer still holds do not count.",
        "yes": "Cards that the closer still holds count.",
    },
    "closing.only_same_turn": {
        "no": "",
        "every hand": "One closes only in the turn in which one lays down.",
        "last hand": "In the last hand one closes only in the turn in which one lays down.",
    },
    "bonus.earlier": {OTHER: "A closer who was down before that turn scores {value}."},
    "bonus.same_turn_by_contract": {"": "", OTHER: "Laid down and closed in one turn, by contract: {value}."},
    "bonus.same_turn": {OTHER: "A closer who lays down in the same turn scores {value}."},
    "bonus.all_placed": {None: "", OTHER: "A closer who places every card scores {value}."},
    "ending.dead_hand": {
        "everybody counts": "The others score the points of their cards; when nobody closes, everybody does."
    },
    "ending.tie": {
        "recent hand": "The lowest total wins; among equal totals, the player who won a hand more recently.",
        "shared": "The lowest total wins; equal totals share the place.",
    },
}

_KNOCK: Final[dict[str, Words]] = {
    "hand.deal": {OTHER: "Cards dealt to each, every hand: {value}."},
    "turn.leader": {OTHER: "The player after the dealer plays first, and draws from the stock."},
    "turn.draw": {OTHER: "A later turn begins with a draw: the top discard or the top card of the stock."},
    "turn.discard": {OTHER: "It ends with one card discarded."},
    "laying.when": {OTHER: "Nobody lays down, and nobody lays cards off: when a hand ends all show their cards."},
    "hand.knock_at": {
        1: "In turn, instead of drawing, one may knock with loose cards of 1 point or none.",
        OTHER: "In turn, instead of drawing, one may knock with loose cards of {value} points or less.",
    },
    "hand.closer_ace": {OTHER: "For the player who knocks, an ace counts {value}."},
    "hand.others": {OTHER: "The others score their loose cards, those in no trio or run."},
    "hand.rummy": {OTHER: "Rummy, every card in trios and runs: {value}."},
    "hand.color": {OTHER: "Color, every card of one suit: {value}."},
    "hand.color_jokers": {
        "allowed": "In a color, jokers take the suit.",
        "forbidden": "A color has no jokers.",
    },
    "hand.declare": {
        "any time": (
            "A continental, a run of ten or ten of a kind, wins the game. It, a rummy and a color are declared in "
            "turn, before drawing or with a discard after it."
        ),
        "after drawing": (
            "A continental, a run of ten or ten of a kind, wins the game. It, a rummy and a color are declared in "
            "turn, after drawing and with a discard."
        ),
    },
    "hand.shuffles": SHUFFLES,
    "hand.dead_hand": {"everybody counts": "When nobody ends a hand, everybody scores their loose cards."},
}
_MONEY: Final[dict[str, Words]] = {
    "bonuses.of_stake": {OTHER: "Each pays the stake into the pot; the bonuses are those of a stake of {value}."},
    "bonuses.knock": {OTHER: "After a knock, each of the others owes {value}."},
    "bonuses.rummy": {OTHER: "After a rummy, each of the others owes {value}."},
    "bonuses.color": {OTHER: "After a color, each of the others owes {value}."},
    "bonuses.jokers_from": {
        OTHER: "A rummy with {value} or more jokers costs each the bonus of a knock more for every joker."
    },
    "bonuses.pot_payer": {
        "left of the closer": "The player at the closer's left pays into the pot, all others pay the closer.",
        "lowest score": "The one with the lowest score pays into the pot, all others pay the closer.",
    },
    "survival.eliminated_above": {
        OTHER: (
            "A player with more than {value} points is out; whoever is left alone wins the pot, and deals the first "
            "hand of the next game."
        )
    },
    "survival.buy_above": {
        OTHER: "A player with more than {value} points may buy down to the second lowest score, the price into the pot."
    },
    "survival.buy_others": {
        OTHER: (
            "Points are bought off only while {value} or more others remain, not in a hand begun by two and not "
            "after a continental."
        )
    },
    "survival.buy_factor": {
        1: "Each buy costs the stake.",
        OTHER: "The first buy costs the stake, each later one of that player {value} times the one before.",
    },
    "survival.split_when": {
        "two remain": "When two remain, they may have to split the pot.",
        "never": "The pot is never split.",
    },
    "survival.split_within": {
        1: "They split it when their scores are within 1 point.",
        OTHER: "They split it when their scores are within {value} points.",
    },
    "survival.all_out": {
        "lowest wins": "When all pass the limit in one hand, the lowest score wins the pot.",
        "split": "When all pass the limit in one hand, they split the pot.",
    },
    "survival.most_hands": {
        OTHER: "The game ends after hand {value} at the latest; then the lowest score wins the pot."
    },
}
COMMON: Final = {"Table": _TABLE, "Melds": _MELDS}
FAMILY: Final = {
    "contract": {"Turn": _TURN, "Laying down": _LAYING, "End of a hand": _ENDING},
    "knock": {"A hand": _KNOCK, "Money": _MONEY},
}
"""The sections of every page, and those of each family."""

FREED: Final[Words] = {
    "runs of that owner": "another run of that player",
    "that run, from an end runs of that owner": "another run of that player",
    "any other run": "another run",
    "any other run or trio": "another run or a trio",
}
"""The place that an exchanged joker goes to if it cannot stay in its run, by `jokers.freed`."""

ALIKE: Final[dict[str, str]] = {
    "hand.shuffles": "stock.shuffles",
    "hand.dead_hand": "ending.dead_hand",
    "hand.deal": "hands.order",
}
"""Fields of the knock game, each with the field of contract games that says the same."""

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
"""Fields whose sentence is shown only if another field does not have this value."""

OTHER_HANDS: Final = "Laid down and closed in one turn in any other hand: {value}."
"""The sentence of `bonus.same_turn` beside a list by contract that leaves out some hands."""

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
"""The sentences of fields that mention jokers, for packs without jokers."""
