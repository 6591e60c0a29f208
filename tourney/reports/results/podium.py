"""Winners of an event: the players of the first three ranks, in a table and in a sentence."""

from collections.abc import Iterator, Sequence

from tourney.domain.events import Placed
from tourney.reports.render.report import Field, Fields
from tourney.standings.scales import POINTS
from tourney.text.i18n import _, ngettext


def podium_fields(first: Sequence[Placed]) -> Fields[Placed]:
    """Return the columns of these players, under the headings of the standings."""
    heading = next((placed.heading for placed in first), POINTS.heading)
    uneven = len({placed.games for placed in first}) > 1 and heading == POINTS.heading
    return (
        Field("rank", _("Rank"), lambda placed: placed.rank, "right", look="rank"),
        Field("player", _("Player"), lambda placed: placed.player.shown, priority=0),
        Field("score", _(heading), lambda placed: placed.score, "right", priority=0),
        Field("games", _("Games") if uneven else "", lambda placed: placed.games, "right", priority=2),
        Field("average", _("Per game") if uneven else "", lambda placed: placed.average, "right", 2),
    )


def winner_lines(first: Sequence[Placed]) -> Iterator[str]:
    """Yield a sentence that names who has won, if anybody has a rank."""
    winners = [placed.player.shown for placed in first if placed.rank == 1]
    if winners:
        text = ngettext("The winner is {names}.", "The winners are {names}.", len(winners))
        yield text.format(names=", ".join(winners))
