"""Options and arguments that several commands of seasons have."""

from typing import Annotated

import typer

from tourney.text.i18n import _

OneSeason = Annotated[
    str | None, typer.Argument(metavar="[SEASON]", help=_("The season's name; if left out, the only one."))
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", metavar="DATE", help=_("As of this day, without later events; if left out, the newest event's.")
    ),
]
