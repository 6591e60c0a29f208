"""List the events that random play must meet under each rule set and variant: actions, phases, refusals, reshuffles.

A refusal is recognised by the stem of its reason. A refusal that the list of a rule set does not have may not happen
under it.
"""

from collections import Counter
from collections.abc import Iterable

from engine.rules import Rules

MIN_SEEN = 200
"""The number of times that each kind of event must happen under each rule set."""
MIN_SEEN_OF_VARIANT = 3
"""The number of times that each event of `BROUGHT` must happen in the short run of its variant."""

CLAIMS = ("claim", "pass", "phase CLAIM", "out of turn a player may only claim", "reshuffle for a penalty card")
SWAPS = (
    "swap",
    "a joker is exchanged for a natural card",
    "there is no such meld",
    "no joker there stands for",
    "a joker does not fit there on",
)
MOVES = (
    "move",
    "a joker from a run goes to a run",
    "a joker stays in the runs of the player",
    "only a joker at the end of a run",
    "the joker is there already",
    "the run must keep at least",
    "this would put the melds back as they were",
)
EVERYWHERE = (
    *("stock", "take", "down", "back", "off", "discard", "close"),
    *("phase DRAW", "phase PLAY", "phase OVER"),
    "reshuffle for a draw",
    "a turn begins by drawing",
    "the stock is empty",
    "a card has already been drawn in this turn",
    "the packs have no such card",
    "is not in the hand",
    "a player closes when every card has been laid",
    "only a player who has laid down may touch",
    "a player lays down once in a hand",
    "the contract is",
    "a trio has at least",
    "the cards of a trio are of one rank",
    "a run has at least",
    "a run needs 1 card other than jokers",
    "the cards of a run are of one suit",
    "the cards of a run follow one another",
    "red twos are not wild",
    "not all of these cards are in the hand",
    "there is no meld",
    "does not fit there on",
    "a lay-down can be taken back in its own turn only",
    "nobody may close with cards in the hand",
    "the hand is over",
)
NO_LONE_JOKERS = ("a trio needs 1 card other than jokers", "a run has at most 13 cards")
OPEN_RUNS = ("a run does not go round the corner", "more are laid off afterwards", *NO_LONE_JOKERS)

CONTRACTS: dict[str, tuple[str, ...]] = {
    "oficial": (*EVERYWHERE, *CLAIMS, *SWAPS, *MOVES, "two jokers of a run may not stand side by side"),
    "fournier": (
        *(*EVERYWHERE, *CLAIMS, *SWAPS, *NO_LONE_JOKERS),
        *("a freed joker goes to another run", "jokers on the table may not be moved"),
    ),
    "continental-rummy": (
        *(*EVERYWHERE, *CLAIMS, *SWAPS, *MOVES, *OPEN_RUNS),
        *("only jokers of a player's own runs may be exchanged", "only jokers of a player's own runs may be moved"),
        "a joker freed from the middle of a run goes to an end of that run",
    ),
    "zoliky": (
        *(*EVERYWHERE, *OPEN_RUNS),
        *("jokers on the table may not be exchanged", "jokers on the table may not be moved"),
    ),
}
"""The events that must happen under each contract rule set."""

KNOCK = (
    *("stock", "take", "discard", "knock", "rummy", "color", "continental"),
    *("phase DRAW", "phase PLAY", "phase OVER"),
    "reshuffle for a draw",
    "a player knocks with 5 points or less",
    "a player knocks instead of drawing",
    "not every card is in a meld",
    "the cards of a color are of one suit",
    "a continental is 10 cards",
    "before the draw a player declares without a discard",
    "after the draw a player declares with a discard",
    "the packs have no such card",
    "is not in the hand",
    "there is no discard",
    "a card has already been drawn in this turn",
    "a turn begins with a draw",
    "after the draw a player discards",
    "the hand is over",
)
"""The events that must happen in the knock game."""
KNOCK_ENDS = ("knock ends", "rummy ends", "color ends", "continental ends", "void")

BROUGHT: dict[str, tuple[str, ...]] = {
    "super": ("TTTT laid", "TTTE laid", "TTEE laid", "TEEE laid", "EEEE laid"),
    "openers": ("T laid", "E laid"),
    "close5": (
        *("close holding", "the cards kept count", "only a player who has laid down closes"),
        "the last card is discarded, with nothing held",
    ),
    "only-minus10": ("a player who laid down in an earlier turn cannot close this hand",),
    "last-minus10": ("a player who laid down in an earlier turn cannot close this hand",),
    "distinct": (
        "the trios of a contract must be of different ranks",
        "the runs of a contract must be of different suits",
    ),
    "scaled": ("a bonus below -10",),
    "minus50": ("-50 at once",),
    "all-placed50": ("-50 later",),
    "round-values": ("counted otherwise",),
    "claims3": ("barred from claiming",),
    "no-joker-upcard": ("a joker put back",),
    "no-jokers": ("104 cards in play",),
    "red-twos": ("a wild two laid", "a wild two exchanged", "a wild two moved"),
    "no-joker-discard": ("a joker is discarded only by a player who holds nothing else",),
    "no-own-claim": ("barred from claiming",),
    "two-jokers": ("108 cards in play",),
    "extended": ("TTTT laid", "TTTE laid", "TTEE laid", "TEEE laid", "EEEE laid"),
}
"""The events that each variant brings and that do not occur without it."""
REMOVED: dict[str, tuple[str, ...]] = {
    "close5": ("nobody may close with cards in the hand",),
    "no-jokers": ("swap", "move"),
    "red-twos": ("red twos are not wild",),
}
"""The events that each variant removes, which therefore never happen."""

ENDS = ("closed at once", "closed later", "void")
"""The endings of a hand; each must happen a quarter as often as other events, since a hand ends only once."""


def missing(seen: Counter[str], names: Iterable[str], least: int) -> dict[str, int]:
    """Return the number of times of each of the `names` that was seen fewer than `least` times."""
    return {name: seen[name] for name in names if seen[name] < least}


def refusal_stem(reason: str) -> str:
    """Return the stem under which a refusal is counted; the reason itself if it has none."""
    return next((stem for stem in STEMS if stem in reason), reason)


def positions(rules: Rules) -> list[str]:
    """Return the name of every seat at every size of table."""
    sizes = range(rules.players.least, rules.players.most + 1)
    return [f"seat {seat} of {players}" for players in sizes for seat in range(players)]


STEMS = sorted(
    {name for names in (*CONTRACTS.values(), KNOCK, *BROUGHT.values()) for name in names if name.count(" ") > 1},
    key=len,
    reverse=True,
)
"""The stems of refusals (names of three words or more), longest first: a shorter stem may be part of a longer one."""
