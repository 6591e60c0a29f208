"""`tourney demo`: a small tournament, shown as it goes."""

import tempfile
from pathlib import Path

import typer

from tourney.cli.frame import command
from tourney.cli.printing import show
from tourney.cli.progress import bar
from tourney.reports import demo as reports
from tourney.service import demo as service
from tourney.text import _

app = command()


@app.command(help=_("Show a small tournament from registration to ratings, in a temporary database of its own."))
def demo() -> None:
    with tempfile.TemporaryDirectory(prefix="tourney-demo-") as folder:
        with bar(_("playing")) as progress:
            for step in service.steps(str(Path(folder) / "demo.db"), progress):
                typer.echo(f"{step.said}\n$ {step.command}")
                show(reports.step(step.value))
                typer.echo("")
    show(reports.what_next())
