"""The sentences of a rules page, by field: one for each of its values, or one for all; a table for each section.

The sections are in the order in which people ask. A sentence shows the value as {value}; an empty sentence is left
out. Further tables say which sentences a page omits.
"""

from typing import Any, Final

from tourney.text.i18n import marked

OTHER: Final = object()
"""The key for every value without a sentence of its own; the sentence shows the value as {value}."""

Words = dict[Any, str]
"""The sentence for each value of a field; empty where there is nothing to say."""

Sentences = dict[str, Words | str]
"""The sentences of fields: one for each value, or the same for all of them."""

SHUFFLES: Final[Words] = {
    0: marked("When the stock is empty and a card is wanted, the hand is dead."),
    1: marked(
        "When the stock is empty, the discards but the top one are shuffled, once a hand; after that the hand is dead."
    ),
    OTHER: marked(
        "When the stock is empty, the discards but the top one are shuffled, at most {value} times a hand; after that "
        "the hand is dead."
    ),
}
KNOCK: Final[Sentences] = {
    "hand.deal": marked("Cards dealt to each, every hand: {value}."),
    "hand.stock": marked("The other cards are the stock, spread on the table; no card is turned up."),
    "turn.leader": marked("The player after the dealer plays first, and draws from the stock."),
    "turn.draw": marked("A later turn begins with a draw: the top discard or the top card of the stock."),
    "turn.discard": marked("It ends with one card discarded."),
    "laying.when": marked("Nobody lays down, and nobody lays cards off: when a hand ends all show their cards."),
    "hand.knock_at": {
        1: marked("In turn, instead of drawing, one may knock with loose cards that add up to 1 or nothing."),
        OTHER: marked("In turn, instead of drawing, one may knock with loose cards that add up to {value} or less."),
    },
    "hand.closer_ace": marked("For the player who knocks, an ace counts {value}."),
    "hand.others": marked("The others score their loose cards, those in no trio or run."),
    "hand.least": marked("Loose cards are counted by the arrangement that leaves the fewest points."),
    "hand.undercut": marked(
        "One may knock in the first turn; others with as few points, or fewer, gain nothing by it."
    ),
    "hand.rummy": marked("Rummy, every card in trios and runs: {value}."),
    "hand.color": marked("Color, every card of one suit: {value}."),
    "hand.color_jokers": {
        "allowed": marked("In a color, jokers take the suit."),
        "forbidden": marked("A color has no jokers."),
    },
    "hand.declare": {
        "any time": marked(
            "A continental, a run of ten or ten of a kind, wins the game. It, a rummy and a color are declared in "
            "turn, before drawing or with a discard after it."
        ),
        "after drawing": marked(
            "A continental, a run of ten or ten of a kind, wins the game. It, a rummy and a color are declared in "
            "turn, after drawing and with a discard."
        ),
    },
    "hand.choice": marked("A player with several of them to declare chooses one."),
    "hand.shuffles": SHUFFLES,
    "hand.dead_hand": {
        "everybody counts": marked("When nobody ends a hand, everybody scores their loose cards, and nobody a bonus.")
    },
}
MONEY: Final[Sentences] = {
    "bonuses.of_stake": marked("Each pays the stake into the pot; the bonuses are for a stake of {value}."),
    "bonuses.knock": marked("After a knock, each of the others owes {value}."),
    "bonuses.rummy": marked("After a rummy, each of the others owes {value}."),
    "bonuses.color": marked("After a color, each of the others owes {value}."),
    "bonuses.jokers_from": marked(
        "A rummy with {value} or more jokers costs each the bonus of a knock more for every joker."
    ),
    "bonuses.ten": marked("Jokers among the ten cards of the rummy count, not one that is discarded."),
    "bonuses.pot_payer": {
        "left of the closer": marked("The player at the closer's left pays into the pot, all others pay the closer."),
        "lowest score": marked("The one with the lowest score pays into the pot, all others pay the closer."),
    },
    "bonuses.two": marked("Between two players, the one who pays pays into the pot."),
    "bonuses.continental": marked("A continental takes the pot; nobody owes a bonus for it."),
    "bonuses.out": marked("Players who are out pay no bonus."),
    "bonuses.last_hand": marked("A player who goes out in a hand still owes the bonus of that hand."),
    "survival.eliminated_above": marked(
        "A player with more than {value} points is out; the last player left wins the pot, and deals the first "
        "hand of the next game."
    ),
    "survival.jokers_stay": marked("When a player is out, as many jokers as before stay in the pack."),
    "survival.buy_above": marked(
        "A player with more than {value} points, unless they are out, may buy down to the second lowest score, the "
        "price into the pot."
    ),
    "survival.buy_others": marked(
        "Points are bought off only while {value} or more others remain, not in a hand begun by two and not "
        "after a continental."
    ),
    "survival.buy_order": marked(
        "They are asked from the dealer's left on, by the scores of that moment; the player with the second lowest "
        "score by then may not buy."
    ),
    "survival.buy_factor": {
        1: marked("Each buy costs the stake."),
        OTHER: marked("The first buy costs the stake, each later one of that player {value} times the one before."),
    },
    "survival.prices": marked("Higher prices do not change the bonuses."),
    "survival.split_when": {
        "two remain": marked("When two remain, they may have to split the pot."),
        "never": marked("The pot is never split."),
    },
    "survival.split_within": {
        1: marked("They split it when their scores are within 1 point."),
        OTHER: marked("They split it when their scores are within {value} points."),
    },
    "survival.split_two": marked("In a game that two began, they split it only when one of them would be out."),
    "survival.odd": marked("The odd coin of a split, and the next deal, go to the lower score."),
    "survival.all_out": {
        "lowest wins": marked(
            "When all pass the limit in one hand, the lowest score wins the pot; equal scores split it."
        ),
        "split": marked("When all pass the limit in one hand, they split the pot."),
    },
    "survival.most_hands": marked(
        "The game ends after hand {value} at the latest; then the lowest score wins the pot."
    ),
    "survival.places": marked(
        "The longer a player stays in, the better the place; players who go out together, by points."
    ),
}
FIRST_DEALER: Final[Words] = {
    "high card": marked("The player who draws the highest card deals first."),
    "low card": marked("The player who draws the lowest card deals first."),
    "random": marked("Chance decides who deals first."),
}
_TABLE: Final[Sentences] = {
    "players.least": marked("At least {value} players."),
    "players.most": marked("At most {value} players."),
    "players.range": {True: marked("{least} players."), OTHER: marked("{least} to {most} players.")},
    "players.alone": marked("All play for themselves, without partners."),
    "pack.packs": "{value}",
    "pack.jokers": "{value}",
    "pack.joker": marked("A joker stands for any card."),
    "pack.spanish": marked("Spanish poker packs will do too; their horse is the queen."),
    "pack.wild_twos": {"none": "", "red": marked("Red twos are wild too, like the jokers.")},
    "pack.natural_twos": marked(
        "A red two is an ordinary two in its own place of a run, and next to a black two in a trio; elsewhere it is "
        "wild. It stays what it was when it was laid."
    ),
    "pack.twos_as_jokers": marked(
        "A wild two counts as a joker where jokers stand side by side, are exchanged or move."
    ),
    "table.direction": {
        "anticlockwise": marked("Deal and play go anticlockwise: the next player sits at the right."),
        "clockwise": marked("Deal and play go clockwise: the next player sits at the left."),
    },
    "table.seat_draw": {
        "high card": marked(
            "Each player draws a card for the seats: the others sit after the highest, in descending order."
        ),
        "none": "",
    },
    "table.first_dealer": FIRST_DEALER,
    "table.draw_ace": {
        "low": marked("In that draw the ace is low."),
        "high": marked("In that draw the ace is high."),
    },
    "table.drawn_again": marked("Equal cards are drawn again, and so is a joker."),
    "table.shuffle": marked("The dealer shuffles before each hand."),
    "table.cut": {
        "next": marked("The player after the dealer cuts."),
        "previous": marked("The player before the dealer cuts."),
        "none": "",
    },
    "table.one_by_one": marked("Cards are dealt one by one, face down."),
    "table.dealer_last": marked("The player after the dealer gets the first card, the dealer the last."),
    "table.next_dealer": marked("After each hand the next player deals."),
}
_MELDS: Final[Sentences] = {
    "trio.least": marked("A trio is {value} or more cards of one rank."),
    "trio.suits": marked("Suits do not matter in a trio; the same card may be in it twice."),
    "trio.most": {None: marked("A trio may be of any length."), OTHER: marked("A trio has at most {value} cards.")},
    "trio.naturals": {
        0: marked("Jokers alone may be a trio; the first other card that is added says of which rank."),
        1: marked("A trio has at least one card that is not a joker."),
        OTHER: marked("A trio has at least {value} cards that are not jokers."),
    },
    "run.least": marked("A run is {value} or more cards of one suit in order."),
    "run.most": {
        None: marked("A run may be of any length."),
        13: marked("A run has at most 13 cards, none of them twice."),
        OTHER: marked("A run has at most {value} cards."),
    },
    "run.laps": marked("After its thirteenth card a run begins again, so that its cards are repeated."),
    "run.naturals": {
        0: "",
        1: marked("A run has at least one card that is not a joker."),
        OTHER: marked("A run has at least {value} cards that are not jokers."),
    },
    "run.ace": {
        "round": marked("A run has no beginning and no end: the ace may stand between king and two."),
        "ends": marked("The ace is at an end of a run, before the two or after the king."),
    },
    "run.jokers_adjacent": {
        "allowed": marked("Jokers of a run may stand side by side."),
        "forbidden": marked("Two jokers of a run may never stand side by side."),
    },
}
_TURN: Final[Sentences] = {
    "stock.upcard": {
        "any": marked("The top card of the stock is turned up and begins the discards; it may be a joker."),
        "no joker": marked("The top card of the stock is turned up and begins the discards; a joker is replaced."),
        "none": marked("No card is turned up at first."),
    },
    "stock.joker_back": marked("That joker goes back, the stock is shuffled, and the next card is turned up."),
    "stock.stocks": {
        1: "",
        2: marked(
            "What is not dealt makes two stocks, one for the turns and one for the penalty cards; when one is empty "
            "the other serves for both."
        ),
    },
    "stock.penalty_share": {None: "", OTHER: marked("The penalty stock is one card in {value} of what was not dealt.")},
    "turn.leader": marked("The player after the dealer plays first."),
    "turn.draw": marked("A turn begins with a draw: the top discard or the top card of the stock."),
    "turn.discard": marked("It ends with one card discarded."),
    "turn.face_up": marked("Discards lie face up."),
    "turn.face": marked("Discards lie face up, the last card of a hand face down; what touches the pile stays there."),
    "turn.pile": marked("Of the discards only the top one may be seen."),
    "turn.sizes": marked("Players who are asked how many cards they hold must answer truthfully."),
    "claim.who": {
        "anyone": marked("A discard that the player in turn does not take may be claimed out of turn."),
        "nobody": marked("A discard is never claimed out of turn."),
    },
    "claim.penalty": {
        "stock": marked("A claim costs a penalty card, the top one of the stock."),
        "penalty stock": marked("A claim costs a penalty card from the penalty stock."),
        "none": "",
    },
    "claim.owes": marked("A claim is not followed by a discard."),
    "claim.first": marked("If several players want the card, the one whose turn comes first gets it."),
    "claim.covered": marked(
        "It is claimed before the player in turn discards; then it is covered, and gone for this hand."
    ),
    "claim.once": marked(
        "The first upcard may be claimed too. Each discard is claimed at most once, and not by the player in turn, "
        "who has drawn."
    ),
    "claim.none_left": marked("If there is no penalty card left, even after a shuffle, nobody may claim."),
    "claim.limit": {
        None: marked("The number of claims is not limited."),
        1: marked("At most one claim for each player in a hand."),
        OTHER: marked("At most {value} claims for each player in a hand."),
    },
    "claim.counted": marked("Only claims that succeed count, claims of one's own discard included."),
    "claim.own_discard": {
        "allowed": marked("One's own discard may be claimed."),
        "forbidden": marked("One's own discard may not be claimed."),
    },
    "claim.when_down": {
        "allowed": marked("A player who is down may claim."),
        "forbidden": marked("A player who is down may not claim."),
    },
    "discarding.taken": {
        "allowed": marked("The card just taken from the discards may be discarded again."),
        "forbidden": marked("The card just taken from the discards may not be discarded in that turn."),
    },
    "discarding.jokers": {
        "allowed": marked("Jokers may be discarded."),
        "forbidden": marked("Jokers may not be discarded, unless one holds nothing else or closes with it."),
    },
    "stock.shuffles": SHUFFLES,
    "stock.lap": marked(
        "If the stock is empty and the top discard is the only one, the player takes it; after one lap of such "
        "turns the hand is dead."
    ),
}
_LAYING: Final[Sentences] = {
    "laying.when": marked(
        "In turn, after the draw, a player may lay the contract down; nobody has to. From then on that player is "
        "“down”."
    ),
    "laying.shown": marked("The melds lie face up, apart from each other."),
    "laying.first_turn": {
        "allowed": marked("A player may lay down in their first turn."),
        "forbidden": marked("Nobody may lay down in their first turn."),
    },
    "laying.longer_melds": {
        "allowed": marked("One lays down exactly the melds of the contract; each may be longer than the minimum."),
        "trios": marked(
            "One lays down exactly the melds of the contract; trios may be longer than the minimum, runs not."
        ),
        "forbidden": marked("One lays down exactly the melds of the contract, none longer than the minimum."),
    },
    "laying.later": marked("No new melds are laid later; cards are only added to those on the table."),
    "laying.distinct": {
        "no": marked("Combinations may be repeated: several trios of one rank, several runs of one suit."),
        "yes": marked("Trios of one contract are of different ranks, its runs of different suits."),
    },
    "laying.distinct_jokers": marked(
        "A trio of jokers may be among them; the first other card that is added must not be of the rank of another "
        "trio of that contract."
    ),
    "laying.taking_back": {
        "same turn": marked("What was laid down may be taken back before the turn ends."),
        "never": marked("What was laid down stays."),
    },
    "laying.undone": marked(
        "Taking back undoes all that was laid in this turn, not the draw; one may then lay down again."
    ),
    "laying.lay_off": {
        "any meld": marked("A player who is down may lay cards off on any meld of the table, in turn."),
        "others' melds": marked("A player who is down may lay cards off on the melds of others, in turn."),
        "own melds": marked("A player who is down may lay cards off on their own melds, in turn."),
        "none": marked("No card is laid off."),
    },
    "laying.at_once": marked("Cards may be laid off in the turn of the lay-down too."),
    "laying.kept": marked("Nobody has to lay off: cards may be kept, and placed all at once."),
    "laying.stays": marked("A run takes cards at its two ends only; its cards, except jokers, never move."),
    "jokers.swap": {
        "any run": marked("A player who is down may exchange a joker of any run for the card that it stands for."),
        "own runs": marked(
            "A player who is down may exchange a joker of their own run for the card that it stands for."
        ),
        "none": marked("A joker on the table is never exchanged."),
    },
    "jokers.freed": {
        "runs of that owner": marked("That joker goes at once to a run of the player who laid the run."),
        "that run, from an end runs of that owner": marked(
            "That joker goes at once to an end of its run; if it was at one, also to another run of that owner."
        ),
        "any other run": marked("That joker goes at once to any other run."),
        "any other run or trio": marked("That joker goes at once to any other run, or is locked in a trio."),
    },
    "jokers.no_place": marked("If the joker has no place to go, there is no exchange."),
    "jokers.move": {
        "runs of that owner": marked(
            "A joker at an end moves to the other end, or, if enough cards stay, to another run of that owner."
        ),
        "own runs": marked(
            "A joker at an end of an own run moves to the other end, or, if enough cards stay, to another own run."
        ),
        "none": marked("A joker on the table never moves."),
    },
    "jokers.keeps": marked("A run that a joker leaves keeps {run} or more cards, all in order."),
    "jokers.forward": marked("Jokers are not moved back and forth within a turn."),
    "jokers.stays": marked("A joker in a trio stays there, and none goes back to a hand."),
}
_ENDING: Final[Sentences] = {
    "closing.last_discard": {
        "allowed": marked("One may close by discarding the last card."),
        "forbidden": marked("One may not close by a discard."),
    },
    "closing.all_placed": {
        "allowed": marked("One may close by placing every card."),
        "forbidden": marked("One may not close without a discard."),
    },
    "closing.held": {
        None: marked("Nobody closes while holding cards: with more than one left, one plays on."),
        1: marked("A player who is down may close with a discard while holding cards that add up to 1 or nothing."),
        OTHER: marked(
            "A player who is down may close with a discard while holding cards that add up to {value} or less."
        ),
    },
    "closing.held_counts": {
        "no": marked("Cards that the closer still holds do not count."),
        "yes": marked("Cards that the closer still holds count."),
    },
    "closing.only_same_turn": {
        "no": "",
        "every hand": marked("One closes only in the turn in which one lays down."),
        "last hand": marked("In the last hand one closes only in the turn in which one lays down."),
    },
    "closing.cannot": marked(
        "A player who lays down without closing can no longer close that hand, and keeps a card after every discard."
    ),
    "bonus.earlier": marked("A closer who was down before that turn scores {value}."),
    "bonus.same_turn_by_contract": {"": "", OTHER: marked("Laid down and closed in one turn, by contract: {value}.")},
    "bonus.same_turn": marked("A closer who lays down in the same turn scores {value}."),
    "bonus.all_placed": {
        None: "",
        OTHER: marked("A closer who places every card, with none left to discard, scores {value}."),
    },
    "bonus.best": marked(
        "Bonuses do not add up: of two, the one that is better for the closer counts, whenever they laid down."
    ),
    "ending.held": marked(
        "Every card still in hand counts, whether it would fit a meld or not; cards laid down do not."
    ),
    "ending.dead_hand": {
        "everybody counts": marked(
            "The others score the points of their cards; when nobody closes, everybody does, and nobody has won the "
            "hand."
        )
    },
    "ending.sheet": marked(
        "The sheet has a line for each hand, with its contract, and each player's points and total so far."
    ),
    "ending.tie": {
        "recent hand": marked(
            "The lowest total wins; among equal totals, the player who won a hand more recently; if none of them won "
            "one, they share the place."
        ),
        "shared": marked("The lowest total wins; equal totals share the place."),
    },
}
COMMON: Final = {marked("Table"): _TABLE, marked("Melds"): _MELDS}
FAMILY: Final = {
    "contract": {
        marked("Turn"): _TURN,
        marked("Laying down"): _LAYING,
        marked("End of a hand"): _ENDING,
    },
    "knock": {marked("A hand"): KNOCK, marked("Money"): MONEY},
}
"""The sections of every page, and those of each family."""

FREED: Final[Words] = {
    "runs of that owner": marked("another run of that player"),
    "that run, from an end runs of that owner": marked("another run of that player"),
    "any other run": marked("another run"),
    "any other run or trio": marked("another run or a trio"),
}
"""The place that an exchanged joker goes to if it cannot stay in its run, by `jokers.freed`."""

BY_DOCUMENT: Final[dict[tuple[str, str], Words]] = {
    ("000", "trio.most"): {
        None: marked(
            "A trio may hold all the cards of its rank and all the jokers; the document says “four cards in each deck "
            "plus two jokers”, and we take two jokers for each deck."
        )
    },
    ("000", "laying.lay_off"): {
        "any meld": marked(
            "A player who is down may lay cards off on any meld of the table, in turn; the document names only the "
            "melds of others."
        )
    },
    ("003", "discarding.jokers"): {
        "allowed": marked("Jokers may be discarded, and so may cards that would fit a meld.")
    },
}
"""Sentences by document and field, for what a document says otherwise, or where it differs from our ruling."""

ALIKE: Final[dict[str, str]] = {
    "hand.shuffles": "stock.shuffles",
    "hand.dead_hand": "ending.dead_hand",
    "hand.deal": "hands.order",
}
"""Fields of the knock game, each with the field of contract games that says the same."""

ABOUT: Final[dict[str, str]] = {
    **ALIKE,
    "bonus.same_turn_by_contract": "bonus.same_turn",
    "bonus.best": "bonus.all_placed",
    "claim.counted": "claim.limit",
    "closing.cannot": "closing.only_same_turn",
    "laying.distinct_jokers": "laying.distinct",
    "pack.natural_twos": "pack.wild_twos",
    "pack.twos_as_jokers": "pack.wild_twos",
    "values.wild_two": "pack.wild_twos",
    "run.laps": "run.most",
    "stock.joker_back": "stock.upcard",
    "turn.face_up": "turn.face",
    "hand.stock": "stock.upcard",
    "hand.knock_at": "closing.held",
    "hand.others": "ending.held",
    "hand.rummy": "bonus.same_turn",
    "survival.eliminated_above": "ending.tie",
    "values.ranks": "values",
    "values.joker": "values",
}
"""Fields by the field whose sentence stands for the same thing, or to whose sentence theirs belongs."""

FOR_PROGRAMS: Final = frozenset({"players.least", "players.most"})
"""Fields that a page for people tells in another sentence: that of `players.range`."""

TOGETHER: Final[dict[str, tuple[str, ...]]] = {"players.range": ("players.least", "players.most")}
"""Sentences that tell several fields at once; they have the clauses of these."""

ALSO: Final = {"pack.jokers": "pack.jokers_counted"}
"""Fields about jokers whose sentence tells another one too; where there are jokers it has both clauses."""

_CLAIMS: Final = (("claim.who", "nobody"),)

UNLESS: Final[dict[str, tuple[tuple[str, Any], ...]]] = {
    "table.draw_ace": (("table.first_dealer", "random"),),
    "table.drawn_again": (("table.first_dealer", "random"),),
    "run.laps": (("run.ace", "ends"),),
    "claim.penalty": _CLAIMS,
    "claim.owes": _CLAIMS,
    "claim.first": _CLAIMS,
    "claim.covered": _CLAIMS,
    "claim.once": _CLAIMS,
    "claim.none_left": (*_CLAIMS, ("claim.penalty", "none")),
    "claim.limit": _CLAIMS,
    "claim.counted": (*_CLAIMS, ("claim.limit", None)),
    "claim.own_discard": _CLAIMS,
    "claim.when_down": _CLAIMS,
    "stock.lap": (("stock.shuffles", 0),),
    "laying.at_once": (("laying.lay_off", "none"),),
    "laying.kept": (("laying.lay_off", "none"),),
    "jokers.freed": (("jokers.swap", "none"),),
    "jokers.no_place": (("jokers.swap", "none"),),
    "jokers.keeps": (("jokers.move", "none"),),
    "jokers.forward": (("jokers.move", "none"),),
    "closing.held_counts": (("closing.held", None),),
    "closing.cannot": (("closing.only_same_turn", "no"),),
    "bonus.earlier": (("closing.only_same_turn", "every hand"),),
    "bonus.best": (("bonus.all_placed", None),),
    "survival.split_within": (("survival.split_when", "never"),),
    "survival.split_two": (("survival.split_when", "never"),),
    "survival.odd": (("survival.split_when", "never"),),
}
"""Sentences that are left out if another field has this value."""

ONLY_IF: Final[dict[str, tuple[tuple[str, Any], ...]]] = {
    "pack.natural_twos": (("pack.wild_twos", "red"),),
    "pack.twos_as_jokers": (("pack.wild_twos", "red"),),
    "run.laps": (("run.most", None),),
    "stock.joker_back": (("stock.upcard", "no joker"),),
    "laying.distinct_jokers": (("laying.distinct", "yes"), ("trio.naturals", 0)),
    "laying.undone": (("laying.taking_back", "same turn"),),
}
"""Sentences that are left out unless each of these fields has this value."""

OTHER_HANDS: Final = marked("Laid down and closed in one turn in any other hand: {value}.")
"""The sentence of `bonus.same_turn` beside a list by contract that leaves out some hands."""

_UPCARD: Final = marked("The top card of the stock is turned up and begins the discards.")

WITHOUT_JOKERS: Final[Sentences] = {
    "pack.jokers": marked("There are no jokers."),
    "table.drawn_again": marked("Equal cards are drawn again."),
    "stock.upcard": {"any": _UPCARD, "no joker": _UPCARD, "none": marked("No card is turned up at first.")},
    "laying.stays": marked("A run takes cards at its two ends only; its cards never move."),
    **dict.fromkeys(("pack.joker", "stock.joker_back", "laying.distinct_jokers", "jokers.no_place"), ""),
    **dict.fromkeys(("trio.naturals", "run.naturals", "run.jokers_adjacent", "discarding.jokers"), ""),
    **dict.fromkeys(("jokers.swap", "jokers.freed", "jokers.move", "jokers.keeps", "jokers.stays"), ""),
    **dict.fromkeys(("jokers.forward", "hand.color_jokers", "bonuses.jokers_from", "bonuses.ten"), ""),
    "survival.jokers_stay": "",
}
"""The sentences of fields that mention jokers, for packs without jokers."""
