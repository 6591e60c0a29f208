"""The options that commands about ratings share."""

from dataclasses import asdict, dataclass
from typing import Annotated, Literal

import typer

from tourney.domain.rankings import RANKING_QUANTITIES, RankingChoice, RankingQuantity, RatingFilter, Selection
from tourney.service.ratings.rating_filter import parse_filter
from tourney.text.i18n import _

ONE_PLAYER = _("One player")
"""The heading of the commands about one player."""

POOL_HELP = _("The pool (results that are rated together): people, bots, joint (people with bots) or an imported one.")
Player = Annotated[str, typer.Argument(metavar="PLAYER", help=_("The player's name."))]
Players = Annotated[
    list[str] | None,
    typer.Argument(metavar="PLAYER...", help=_("The names of 2 to 64 players; those who are new follow --newcomer.")),
]
Pool = Annotated[str, typer.Option("--pool", metavar="POOL", help=POOL_HELP)]
Parameters = Annotated[
    str,
    typer.Option(
        "--parameters",
        metavar="TEXT",
        help=_('The parameters of a new pool, such as "beta=6 tau=0.1"; `tourney rating pool set -h` explains them.'),
    ),
]
Svg = Annotated[
    str | None, typer.Option(metavar="FILE", help=_("Also write the plot to this file, as an SVG picture."))
]


@dataclass(frozen=True, slots=True)
class Listed:
    """The options that select the players of a ranking, and by what they are ranked."""

    min_games: Annotated[
        int, typer.Option(metavar="N", min=0, show_default=False, help=_("Rank only players with N games or more."))
    ] = 0
    active_since: Annotated[
        str,
        typer.Option(metavar="DATE", help=_("Rank only players with a game since this day; others stand apart.")),
    ] = ""
    active: Annotated[
        str,
        typer.Option(metavar="SPAN", help=_("As --active-since, by a span before the last game: 12m, 90d or 2y.")),
    ] = ""
    top: Annotated[
        int | None, typer.Option(metavar="N", min=1, show_default=False, help=_("List only ranks 1 to N."))
    ] = None
    club: Annotated[str, typer.Option(metavar="CLUB", help=_("List only players of this club."))] = ""
    by: Annotated[
        Literal["score", "mu"],
        typer.Option(
            metavar="WHAT",
            help=_("Rank by score (mu - 3 sigma) or by mu alone; the ranks' intervals are of the same."),
        ),
    ] = "score"
    moved_since: Annotated[
        str, typer.Option(metavar="DATE", help=_("Show who moved since this day, from where, and why."))
    ] = ""

    @property
    def quantity(self) -> RankingQuantity:
        """Return what players are ranked by."""
        return RANKING_QUANTITIES[self.by]

    @property
    def choice(self) -> RankingChoice:
        """Return what the ranking shows."""
        return RankingChoice(self.selection, self.quantity, self.moved_since)

    @property
    def selection(self) -> Selection:
        """Return the selection of players."""
        return Selection(self.min_games, self.active_since, self.active, self.top, self.club)


@dataclass(frozen=True, slots=True)
class GameFilter:
    """The options that select games of a pool."""

    as_of: Annotated[
        str, typer.Option(metavar="DATE", help=_("Only events up to this day, such as 1/5/2026 or 2026-05-01."))
    ] = ""
    since: Annotated[
        str, typer.Option(metavar="DATE", help=_("Only events from this day on, such as 1/1/2026 or 2026-01-01."))
    ] = ""
    season: Annotated[
        int | None, typer.Option(metavar="YEAR", min=1, max=9999, help=_("Only events of this year, such as 2026."))
    ] = None
    rules: Annotated[
        str, typer.Option(metavar="RULES", help=_("Only events with exactly these rules, such as oficial+scaled."))
    ] = ""
    games: Annotated[int | None, typer.Option(metavar="N", min=0, help=_("Only the first N games."))] = None

    def parsed(self) -> RatingFilter:
        """Return the filter. Raises TourneyError as `parse_filter` does."""
        return parse_filter(**asdict(self))
