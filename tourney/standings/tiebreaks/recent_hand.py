"""The rule document's own tie-break: who won a hand most recently."""

from typing import Final

from tourney.standings.standing import HandWon, Tally
from tourney.standings.tiebreaks.tiebreak import Contest, TieBreak, each
from tourney.text.i18n import _, marked


def _recent(tally: Tally) -> list[tuple[int, int]]:
    """Return round and place of the hands won from the most recent one; who has no further hand ranks last."""
    return [won[:2] for won in tally.hands_won()]


def _why(above: Tally, below: Tally, _contest: Contest) -> str:
    round_number, _place, contract = _deciding_hand(above, below)
    text = _("level with {above}, who won the more recent hand (round {round}, {contract})")
    return text.format(above=above.player.shown, round=round_number, contract=contract)


def _deciding_hand(above: Tally, below: Tally) -> HandWon:
    """Return the hand won by the player above where the two lists of hands won first differ."""
    hands = _recent(below)
    for place, won in enumerate(above.hands_won()):
        if place >= len(hands) or hands[place] != won[:2]:
            return won
    raise AssertionError("the player above has won the more recent hand")


def _text(hands: list[tuple[int, int]]) -> str:
    if not hands:
        return _("no hand won")
    return _("hand {hand} of round {round}").format(hand=hands[0][1] + 1, round=hands[0][0])


RECENT_HAND: Final = TieBreak(
    "recent-hand",
    marked("most recent hand won"),
    marked("Who won the more recent hand, by round and hand; if these are equal, the next most recent one."),
    each(_recent),
    value_text=_text,
    reason=_why,
)
"""003/1.10: among equal totals the winner of the last hand comes first, taken here over a whole event."""

TIE_BREAKS: Final = (RECENT_HAND,)
