"""The sentences of a rules page about the knock game: a hand, and the money."""

from typing import Final

from tourney.rulebook.rule_words import OTHER, SHUFFLES, Sentences
from tourney.text.i18n import marked

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
    "hand.choice": marked("Whoever could declare several of them chooses one."),
    "hand.shuffles": SHUFFLES,
    "hand.dead_hand": {
        "everybody counts": marked("When nobody ends a hand, everybody scores their loose cards, and nobody a bonus.")
    },
}
MONEY: Final[Sentences] = {
    "bonuses.of_stake": marked("Each pays the stake into the pot; the bonuses are those of a stake of {value}."),
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
        "A player with more than {value} points is out; whoever is left alone wins the pot, and deals the first "
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
        "They are asked from the dealer's left on, by the scores of that moment; whoever has the second lowest "
        "score already may not buy."
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
