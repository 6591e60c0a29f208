"""Winners of an event: the players of the first three ranks, in a table and in a sentence."""

from collections.abc import Iterator, Sequence

from tourney.domain.events import Placed
from tourney.reports.render.report import Field, Fields
from tourney.text.i18n import _, ngettext


def podium_fields(first: Sequence[Placed]) -> Fields[Placed]:
    """Return the columns of these players, under the headings of the standings."""
    in_money = any(placed.in_money for placed in first)
    uneven = len({placed.games for placed in first}) > 1 and not in_money
    return (
        Field("rank", _("Rank"), lambda placed: placed.rank, "right", look="rank"),
        Field("player", _("Player"), lambda placed: placed.player.shown, priority=0),
        Field("score", _("Money") if in_money else _("Points"), lambda placed: placed.score, "right", priority=0),
        Field("games", _("Games") if uneven else "", lambda placed: placed.games, "right", priority=2),
        Field("average", _("Per game") if uneven else "", lambda placed: placed.average, "right", 2),
    )


def winner_lines(first: Sequence[Placed]) -> Iterator[str]:
    """Yield a sentence that names who has won, if anybody has a rank."""
    winners = [placed.player.shown for placed in first if placed.rank == 1]
    if winners:
        text = ngettext("The winner is {names}.", "The winners are {names}.", len(winners))
        yield text.format(names=", ".join(winners))
