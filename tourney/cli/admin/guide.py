"""`tourney guide`: the pages of the guide, rendered at a terminal."""

import re
import sys
from typing import Annotated

import typer

from tourney.cli.framework.commands import single
from tourney.cli.framework.options import FOR_PROGRAMS
from tourney.cli.framework.output import terminal_width
from tourney.cli.framework.request import WithoutDatabase
from tourney.reports import admin as reports
from tourney.service.admin import guide as service
from tourney.text.i18n import _

app = single()

WIDEST = 100
"""The most columns of a rendered page; longer lines are tiring to read."""


@app.command(
    help=_("Show a page of the guide. Without PAGE, list the pages."),
    epilog=_("tourney guide club-evening"),
)
def guide(
    request: WithoutDatabase,
    name: Annotated[str | None, typer.Argument(metavar="PAGE", help=_("As club-evening."))] = None,
) -> None:
    if name is None:
        request.show(lambda: reports.guide(service.pages()))
        return
    page = service.page(name)
    if request.form in {*FOR_PROGRAMS, "html"}:
        request.show(lambda: reports.guide_page(service.page(name)))
    elif request.form == "table" and request.file is None and sys.stdout.isatty():
        _render(page.text)
    else:
        request.write(page.text)


def _render(text: str) -> None:
    """Print Markdown at a terminal. Links to other files show only their text, since they lead nowhere from there."""
    from rich.console import Console
    from rich.markdown import Markdown

    text = re.sub(r"\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", text)
    # A console with TERM=dumb takes 80 columns whatever width it is made with.
    Console().print(Markdown(text, code_theme="ansi_dark", hyperlinks=False), width=min(terminal_width(), WIDEST))
