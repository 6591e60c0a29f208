"""Decisions of this program where the documents are silent, or contradict each other, by the mark of a rules page.

`engine/SILENT.md` has them with their reasons and the fields that set them otherwise.
"""

from typing import Final

from tourney.text.i18n import marked

OURS: Final = marked("ours")
"""The mark of a rule that answers no question of a document: it is this program's own."""

DECISIONS: Final[dict[str, str]] = {
    "A-01": marked("Document 002 does not say how many play, nor 004 with which packs, jokers and contracts."),
    "A-02": marked("Document 000 does not say when a table of up to four takes the third pack: when larger ones do."),
    "A-03": marked("Document 002 names two packs and two jokers: read as two jokers in all."),
    "A-04": marked("Documents 001 and 004 do not say where an ace may stand: high or low, never round the corner."),
    "A-05": marked("Document 002 gives the ace no value: 20, as in documents 000 and 003."),
    "A-06": marked("Document 000 goes on up to sixteen cards without naming the hands: the fewest cards each needs."),
    "A-07": marked("The documents deal different numbers of cards for one contract: each as it is written."),
    "A-08": marked(
        "Where a document does not say how a draw for the deal is decided: the ace is low, a joker is drawn again, and "
        "so are equal cards."
    ),
    "A-09": marked(
        "No document says what happens when the stock runs out, nor how large the penalty stock is: the discards are "
        "shuffled, twice a hand; the penalty stock is a third of what was not dealt."
    ),
    "A-10": marked("No document says whether the discard just taken may be discarded again: it may."),
    "A-11": marked("Document 000 does not say how long a discard may be claimed: as long as in documents 002 and 003."),
    "A-12": marked("Documents 000 and 002 do not say whether a player who is down may claim: they may."),
    "A-12b": marked(
        "The documents leave open when exactly one claims: right after the player in turn has drawn from the stock."
    ),
    "A-13": marked("Document 000 limits a trio by the cards of its packs and their jokers: that is no limit."),
    "A-14": marked("Document 002 does not say how long a run is: 4 to 13 cards, by its examples."),
    "A-15": marked(
        "Documents 000, 001 and 002 do not say whether jokers may stand side by side, or alone: side by side they may, "
        "but not without any other card."
    ),
    "A-16": marked("Document 000 does not say whether more than the contract may be laid: exactly the contract, once."),
    "A-16b": marked("The documents do not say whether melds may be alike: they may, and do not merge."),
    "A-17": marked("Document 000 speaks of laying off on the melds of others: one's own will do too."),
    "A-18": marked("Document 002 speaks of jokers of a run that one has dropped: jokers of one's own runs only."),
    "A-19": marked("Document 000 uses a freed joker in another sequence: at once; jokers do not move otherwise."),
    "A-20": marked("Document 002 lets no joker leave three cards: four must stay, as a run of three does not exist."),
    "A-21": marked("Where a document does not say how a hand is closed: with a discard or without."),
    "A-22": marked("Where a document does not say what becomes of equal totals: they share the place."),
    "A-23": marked(
        "Document 001 has the bonuses of a stake of 50 only: the bonuses of other stakes are in proportion."
    ),
    "A-24": marked("Document 001 does not say who pays into the pot: the player at the closer's left."),
    "A-25": marked(
        "Document 001 does not say when the last two split the pot: not while a win is still to be played for."
    ),
    "A-25b": marked("Document 001 does not say what happens when all are out at once: the lowest total wins."),
    "A-25c": marked("Document 001 does not say whose the second lowest score is: the buyer counts too."),
    "A-30": marked("Document 001 does not say when a hand is declared: before the draw, or after it with a discard."),
    "A-30b": marked("Document 001 does not say what a joker is in a color: it takes the suit."),
    "A-31": marked("Document 003 ends its list of bonuses with EEE: it goes on by 10 for each hand."),
    "A-32": marked("Document 003 does not say what two bonuses together are worth: the better one counts."),
    "A-33": marked("Document 003 does not say whether cards count that a closer still holds: they do not."),
    "A-34": marked("No document says what a red two left in hand counts: as much as a joker."),
    "A-35": marked("Document 003 names the contracts of three: in contracts of four, all must differ too."),
    "A-37": marked("Document 002 lets anyone else claim: the player who discarded the card may, last of all."),
    "A-38": marked("Document 003 lets cards of a run be repeated: after a whole turn, in order."),
    "A-39": marked("No document ends a hand that nobody closes: everybody counts, and nobody has won it."),
    "A-41": marked("No document says whether one may lay down in the first turn: one may."),
    "A-42": marked("Where a document does not say who cuts: nobody has to."),
    "A-43": marked(
        "Document 003 lets a lay-down be taken back, but does not speak of the card drawn: it stays in the hand."
    ),
    "A-44": marked("Where a document does not say whether jokers may be discarded: they may."),
    "5.1": marked("No document orders a turn in full: draw, claims, lay down, lay off and move jokers, discard."),
    "5.3": marked("No document says what is taken back with a lay-down: everything that was laid in the turn."),
    "5.4": marked("No document says where a run grows: at its two ends."),
    "5.5": marked(
        "No document follows a joker step by step: an exchange is judged by its result, and no move puts the melds "
        "back as they were earlier in the turn."
    ),
    "5.6": marked("Document 003 does not say whether a trio of jokers is different from others: until its first card."),
    "5.7": marked("Document 003 does not say when a red two is wild: when it is in no place of its own."),
    "5.8": marked("No document says what happens when there is no card to draw: the hand is dead in the end."),
    "5.9": marked(
        "Document 003 leaves the details of its variants open: they are decided so that each does what it says."
    ),
    "5.10": marked(
        "Document 003 does not say which of its variants exclude each other: those that contradict one another."
    ),
    "5.11": marked("Where the fragments of document 004 are silent: as in document 002."),
    "5.12": marked(
        "Document 001 leaves details of points and money open: they are decided so that every case has an answer."
    ),
}
"""The question that each mark answers, and the answer; the fields of a rule set say it in full."""
