"""The options that many commands share."""

from typing import Annotated, Literal

import typer

from tourney.text.i18n import _

Form = Literal["table", "json", "csv", "markdown"]

Database = Annotated[
    str | None,
    typer.Option("--db", metavar="PATH", help=_("The database file or URL (else TOURNEY_DB, else your data folder).")),
]
FormOption = Annotated[Form | None, typer.Option("--format", help=_("The form of the output; a table unless set."))]
Json = Annotated[bool, typer.Option("--json", help=_("JSON on standard output, and nothing else there."))]
DryRun = Annotated[bool, typer.Option("--dry-run", help=_("Show what would be done; save nothing."))]
EventName = Annotated[
    str | None, typer.Argument(metavar="EVENT", help=_("The event; else the current one, set by `event use`."))
]
RulesName = Annotated[str, typer.Option(metavar="ID", help=_("The rule set; see `rules list`."))]
Reason = Annotated[str, typer.Option(metavar="TEXT", help=_("Why; it is kept."))]
Apart = Annotated[list[str] | None, typer.Option(metavar="NAMES", help=_("Keep apart, as 'Ana,Beñat'; or 'club'."))]
Together = Annotated[list[str] | None, typer.Option(metavar="NAMES", help=_("Seat together, as 'Ana,Carmen'."))]
NeededTable = Annotated[list[str] | None, typer.Option(metavar="NAME=T", help=_("A player's table, as 'Ana=3'."))]
