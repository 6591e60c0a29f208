"""The options that commands about ratings share."""

from typing import Annotated

import typer

from tourney.text.i18n import _

Player = Annotated[str, typer.Argument(metavar="PLAYER", help=_("A player of the pool."))]
Players = Annotated[
    list[str], typer.Argument(metavar="PLAYER...", help=_("2 to 64 players of the pool, rated or not."))
]
Pool = Annotated[str, typer.Option("--pool", metavar="POOL", help=_("people, bots, joint or an imported pool."))]
Parameters = Annotated[
    str,
    typer.Option(
        "--parameters",
        metavar="TEXT",
        help=_('Parameters of a new pool, as "beta=6 tau=0.1"; otherwise defaults.'),
    ),
]
Svg = Annotated[str | None, typer.Option(metavar="FILE", help=_("Also write the plot to this file, as SVG."))]
