"""Hands won as tie-breaks: the rule document's own, who won one most recently, and their number."""

from collections.abc import Sequence
from typing import Final

from tourney.standings.standing import HandWon, PlayerTally, ScoredGame
from tourney.standings.tiebreaks.tiebreak import Contest, TieBreak, each, shared_out
from tourney.text.i18n import _, marked

Hands = list[tuple[int, int]]
"""Round and place of hands won, the most recent one first; of two lists the greater has the more recent hand."""


def _recent(level: Sequence[PlayerTally], contest: Contest) -> list[Hands]:
    """Return the hands won by each player, back to the round in which the last two of them differ.

    Hands of earlier rounds would change nothing: also whoever has no further hand there has none as recent.
    """
    found: list[Hands] = [[] for _tally in level]
    for number in sorted({game.round for tally in level for game in tally.played}, reverse=True):
        for hands, tally in zip(found, level, strict=True):
            for game in tally.played:
                if game.round == number:
                    hands += _won(game, contest)
        if len(set(map(tuple, found))) == len(found):
            break
    return found


def _won(game: ScoredGame, contest: Contest) -> Hands:
    """Return the hands of a game that its player won, the last one first."""
    hands = contest.hands(game.result)
    return [(game.round, place) for place in reversed(range(len(hands))) if hands[place].closer == game.seat]


def _why(above: PlayerTally, below: PlayerTally, _contest: Contest) -> str:
    round_number, _place, contract = _deciding_hand(above, below)
    text = _("level with {above}, who won the more recent hand (round {round}, {contract})")
    return text.format(above=above.player.shown, round=round_number, contract=contract)


def _deciding_hand(above: PlayerTally, below: PlayerTally) -> HandWon:
    """Return the hand won by the player above where the two lists of hands won first differ."""
    hands = [won[:2] for won in below.hands_won()]
    for place, won in enumerate(above.hands_won()):
        if place >= len(hands) or hands[place] != won[:2]:
            return won
    raise AssertionError("the player above has won the more recent hand")


def _text(hands: Hands) -> str:
    if not hands:
        return _("none as recent")
    return _("hand {hand} of round {round}").format(hand=hands[0][1] + 1, round=hands[0][0])


RECENT_HAND: Final = TieBreak(
    "recent-hand",
    marked("most recent hand won"),
    marked("Who won the more recent hand, by round and hand; if these are equal, the next most recent one."),
    _recent,
    value_text=_text,
    reason=_why,
)
"""003/1.10: among equal totals the winner of the last hand comes first, taken here over a whole event."""

HANDS_WON: Final = TieBreak(
    "hands-won",
    marked("hands won"),
    marked("Who won more hands."),
    each(lambda tally: sum(game.result.outcome.hands_won[game.seat] for game in tally.played)),
    average=shared_out,
)

TIE_BREAKS: Final = (RECENT_HAND, HANDS_WON)
