"""`tourney print`: reports arranged for paper, as HTML that a browser prints; `tourney.reports.documents` has them."""

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from operator import attrgetter, methodcaller
from typing import Annotated, Any, Final

import typer

from tourney.cli.framework.commands import noun
from tourney.cli.framework.options import AsOf, EventName, EventRules, OneSeason
from tourney.cli.framework.request import Printed, Printing
from tourney.cli.ratings.options import POOL_HELP, GameFilter, Listed
from tourney.reports.documents import PRINTED, Document
from tourney.text.i18n import _

app = noun(
    _(
        "The file that --output names opens in any browser, which prints it or saves it as PDF. Every page has the day "
        "and a code of 16 characters, which says what state it shows."
    )
)

OPTIONS: Final[Mapping[str, Any]] = {
    "event": EventName,
    "of_event": EventRules,
    "number": Annotated[
        int | None, typer.Option("--round", metavar="R", min=1, help=_("The round; if left out, the newest."))
    ],
    "after": Annotated[
        int | None,
        typer.Option("--round", metavar="R", min=1, help=_("After this round; if left out, after all.")),
    ],
    "table": Annotated[int | None, typer.Option("--table", metavar="T", min=1, help=_("Only this table."))],
    "stage": Annotated[
        str | None,
        typer.Option(metavar="NAME", help=_("After the last round of this stage, before the next one began.")),
    ],
    "top": Annotated[int, typer.Option("--top", metavar="N", min=1, help=_("For the players with the ranks 1 to N."))],
    "games": GameFilter,
    "listed": Listed,
    "pool": Annotated[str, typer.Argument(metavar="POOL", help=POOL_HELP)],
    "season": OneSeason,
    "as_of": AsOf,
    "rules": Annotated[
        str,
        typer.Argument(
            metavar="RULES",
            help=_(
                "A name from `tourney rules list`, such as oficial or oficial+scaled; or a file with a club's own "
                "rules."
            ),
        ),
    ],
}
"""The options by what a document can be asked for."""
MEANT: Final[Mapping[str, Callable[[Any], Any]]] = {"games": methodcaller("parsed"), "listed": attrgetter("choice")}
"""The functions that return the values of groups of options."""


def _command(document: Document) -> Callable[..., None]:
    """Return the command that prints a document, with an option for each thing that it can be asked for."""

    def run(request: Printing, **given: Any) -> None:
        asked = {name: MEANT[name](value) if name in MEANT else value for name, value in given.items()}
        source = document.of(request.db, "paper" if request.form == "html" else "programs", **asked)
        request.show_state(source.read, source.report, source.code)

    options = [
        each.replace(kind=Parameter.KEYWORD_ONLY, annotation=OPTIONS[name])
        for name, each in document.asks.items()
        if name in OPTIONS
    ]
    request = Parameter("request", Parameter.KEYWORD_ONLY, annotation=Printed)
    vars(run)["__signature__"] = Signature([request, *options])
    return run


for name, (document, paper) in PRINTED.items():
    app.command(name, heading=_(paper.heading), help=_(paper.help), epilog=_(paper.example))(_command(document))
