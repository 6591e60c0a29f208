"""The shared options of a command: which database, which form, whether a change is applied or only previewed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from tourney.cli.framework.author import author
from tourney.cli.framework.options import Database, DryRun, Form, FormOption, Json
from tourney.cli.framework.output import show
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.render.report import Report
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.service.change import Change

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Request:
    """The shared options; a command takes some of them. Raises TourneyError USAGE if they contradict each other."""

    db: Database = None
    dry_run: DryRun = False
    format: FormOption = None
    json: Json = False

    def __post_init__(self) -> None:
        if self.json and self.format not in (None, "json"):
            message = _("--json and --format {form} contradict each other").format(form=self.format)
            raise TourneyError(ExitCode.USAGE, message, _("give one of them"))

    @property
    def form(self) -> Form:
        """Return the form of the output."""
        return "json" if self.json else self.format or "table"

    @property
    def by(self) -> str:
        """Return who makes the change, as `author` does."""
        return author()

    def show(self, report: Report, *, good: bool = True) -> None:
        """Print the report; unless `good`, end the command with exit code 1."""
        show(report, self.form, self.dry_run)
        if not good:
            raise typer.Exit(int(ExitCode.REFUSED))

    def submit(self, change: "Change[Outcome]", report: Callable[[Outcome], Report], heading: str = "") -> None:
        """Apply the change, or preview it in a dry run, and show the report of its outcome.

        `heading` goes over the change's own table if a preview adds what the change moves.
        """
        if not self.dry_run:
            from tourney.service.change import apply

            self.show(report(apply(self.db, change, by=self.by)))
            return
        from tourney.reports.impact import with_moves
        from tourney.service.impact import preview

        previewed = preview(self.db, change, by=self.by)
        self.show(with_moves(report(previewed.outcome), previewed.moves, heading))


Reading = Annotated[Request, "db", "format", "json"]
PlainReading = Annotated[Request, "db", "json"]
Writing = Annotated[Request, "db", "dry_run", "json"]
FormattedWriting = Annotated[Request, "db", "dry_run", "format", "json"]
WithoutDatabase = Annotated[Request, "format", "json"]
PlainWithoutDatabase = Annotated[Request, "json"]
