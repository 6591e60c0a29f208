"""The options that commands about ratings share."""

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from tourney.domain.rankings import RatingFilter
from tourney.service.ratings.rating_filter import parse_filter
from tourney.text.i18n import _

Player = Annotated[str, typer.Argument(metavar="PLAYER", help=_("A player of the pool."))]
Players = Annotated[
    list[str], typer.Argument(metavar="PLAYER...", help=_("2 to 64 players of the pool, rated or not."))
]
Pool = Annotated[str, typer.Option("--pool", metavar="POOL", help=_("people, bots, joint or an imported pool."))]
Parameters = Annotated[
    str,
    typer.Option(
        "--parameters", metavar="TEXT", help=_('Parameters of a new pool, as "beta=6 tau=0.1"; otherwise defaults.')
    ),
]
Svg = Annotated[str | None, typer.Option(metavar="FILE", help=_("Also write the plot to this file, as SVG."))]


@dataclass(frozen=True, slots=True)
class GameFilter:
    """The options that select games of a pool."""

    as_of: Annotated[str, typer.Option(metavar="DATE", help=_("Events up to this day, as 2026-05-01."))] = ""
    since: Annotated[str, typer.Option(metavar="DATE", help=_("Events from this day on."))] = ""
    season: Annotated[int | None, typer.Option(metavar="YEAR", min=1, max=9999, help=_("Events of this year."))] = None
    rules: Annotated[str, typer.Option(metavar="RULES", help=_("Events with these rules, variants included."))] = ""
    games: Annotated[int | None, typer.Option(metavar="N", min=0, help=_("Only the first N of these games."))] = None

    def parsed(self) -> RatingFilter:
        """Return the filter. Raises TourneyError as `parse_filter` does."""
        return parse_filter(**asdict(self))
