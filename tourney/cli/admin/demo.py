"""`tourney demo`: a small tournament, shown step by step."""

import os
import sys
from tempfile import TemporaryDirectory

from tourney.cli.framework.commands import single
from tourney.cli.framework.output import show, wrapped, write_text
from tourney.cli.framework.progress import bar
from tourney.reports import demo as reports
from tourney.service.admin import demo as service
from tourney.text.i18n import _

app = single()


@app.command(help=_("It uses a database of its own, which is deleted at the end: nothing of yours changes."))
def demo() -> None:
    with TemporaryDirectory(prefix="tourney-") as folder, bar(_("playing")) as progress:
        for step in service.steps(os.path.join(folder, "demo.db"), progress):
            _say("\n$ ".join(("\n".join(wrapped(step.said)), *step.commands)) + "\n")
            show(reports.step(step.value))
            _say("")
    show(reports.what_next())


def _say(text: str) -> None:
    """Write and flush the text, so that it can be read while the next step runs."""
    write_text(text + "\n")
    sys.stdout.flush()
