"""The variants of the built-in rule sets, a sentence each, by rule set and variant."""

from typing import Final

from tourney.text.i18n import marked

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
    ("oficial", "red-twos"): marked("Red twos are wild, beside the jokers."),
    ("oficial", "no-joker-discard"): marked("Jokers are not discarded."),
    ("oficial", "no-own-claim"): marked("Nobody claims their own discard."),
    ("oficial", "two-jokers"): marked("Each pack has 2 jokers instead of 3."),
    ("fournier", "extended"): marked(
        "For 3 or 4 players: five more hands after EEE: TTTT with 12 cards, TTTE 13, TTEE 14, TEEE 15, EEEE 16."
    ),
}
