"""The shared options of a command: database, form, file, author, and whether a change is applied or previewed."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os.path import realpath, splitext
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeVar

import typer

from tourney.cli.framework.options import (
    CODED,
    FOR_PROGRAMS,
    FORM_OF_ENDING,
    UNWRITTEN_ENDINGS,
    Database,
    DryRun,
    FileOptions,
    Force,
    Form,
    FormOption,
    Json,
    OutputFile,
    Paper,
    PaperOption,
)
from tourney.cli.framework.output import is_detailed, no_message, no_place_for_a_workbook, show, written_to
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import refuse_without_openpyxl, shown
from tourney.files.whole_file import WholeFile
from tourney.reports import coded, impact
from tourney.reports.render.report import Report
from tourney.service import impact as service_impact
from tourney.service.admin import named_columns
from tourney.service.stages import watched_change
from tourney.text.i18n import SOURCE, _, language, speaking
from tourney.text.names import clean
from tourney.text.sanitize import quote_argument

if TYPE_CHECKING:
    from tourney.files.description import Description, FileLayout
    from tourney.service.change import Change
    from tourney.service.events.codes import CodeOf
    from tourney.service.stages.cut_news import CutNews


VARIABLE = "TOURNEY_BY"
UNKNOWN = "unknown"
"""The author where the system has no name for its user, as in some containers."""


def author() -> str:
    """Return who makes the changes of this command: `TOURNEY_BY`, else the system's name for the user.

    Raises TourneyError REFUSED if the variable has a name that is too long or contains invisible characters.
    """
    given = os.environ.get(VARIABLE, "")
    return clean(given, _("author"), where=VARIABLE) if given.strip() else _user()


def _user() -> str:
    """Return the user's name, or UNKNOWN if there is none that the journal could keep."""
    from getpass import getuser

    try:
        return clean(getuser())
    except (TourneyError, ImportError, KeyError, OSError):
        return UNKNOWN


Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Request:
    """The shared options; a command takes some of them.

    Raises TourneyError USAGE if they contradict each other, and as `WholeFile.refuse` and `locate` for an output.
    """

    db: Database = None
    dry_run: DryRun = False
    format: FormOption = None
    json: Json = False
    output: OutputFile = None
    force: Force = False
    paper: Paper | None = None
    has_message: ClassVar[bool] = False
    """True for a command with a form for a messenger."""
    refused_endings: ClassVar[frozenset[str]] = UNWRITTEN_ENDINGS
    """The endings that no output of the command has, unless it is JSON."""

    def __post_init__(self) -> None:
        if self.json and self.format not in (None, "json"):
            message = _("--json and --format {form} contradict each other").format(form=self.format)
            raise TourneyError(ExitCode.USAGE, message, _("give only one of the two options"))
        if self.force and self.output is None:
            message = _("--force needs --output, whose file it replaces")
            raise TourneyError(ExitCode.USAGE, message, _("add --output FILE, or leave out --force"))
        if self._ending in self.refused_endings and not self.json:
            raise self._unwritten()
        if self.format == "message" and not self.has_message:
            raise no_message()
        if self.form == "xlsx":
            refuse_without_openpyxl()
            if self.file is None:
                raise no_place_for_a_workbook()
        if self.form == "html" and self.output is None and sys.stdout.isatty():
            message = _("HTML is for a browser, not for a terminal")
            raise TourneyError(ExitCode.USAGE, message, _("add --output FILE, such as --output page.html"))
        if self.file is not None:
            self.file.refuse()
            self._refuse_own_database(self.file)

    @property
    def file(self) -> WholeFile | None:
        """Return the file that the output goes to; None for standard output."""
        return None if self.output is None else WholeFile(self.output, self.force)

    def _refuse_own_database(self, file: WholeFile) -> None:
        from tourney.storage.location import locate

        if realpath(file.path) == realpath(locate(self.db)):
            message = _("{file}: this is the database of this command, which no output replaces")
            hint = _("name another file with --output")
            raise TourneyError(ExitCode.USAGE, message.format(file=shown(file.path, 200)), hint)

    @property
    def form(self) -> Form:
        """Return the form of the output: the one asked for, that of the file's name, or a table."""
        if self.json:
            return "json"
        return self.format or FORM_OF_ENDING.get(self._ending, "table")

    @property
    def _ending(self) -> str:
        return splitext(self.output or "")[1].lower()

    def _unwritten(self) -> TourneyError:
        """Return the refusal of a file that nothing could open, such as a table that is named as a PDF."""
        message = _("{file}: this is not written as {ending}").format(
            file=shown(self.output or ""), ending=self._ending
        )
        return TourneyError(ExitCode.USAGE, message, self._possible_endings())

    def _possible_endings(self) -> str:
        return _(
            "`--output {file}` opens in a browser, which prints it or saves it as PDF; .xlsx, .csv, .json, .md and "
            ".txt are possible, too"
        ).format(file=self._named(".html"))

    def _named(self, ending: str) -> str:
        return quote_argument(f"{splitext(self.output or '')[0]}{ending}")

    @property
    def in_full(self) -> bool:
        """Return whether nothing is left out for brevity: for other programs, and with `--verbose`."""
        return self.form in FOR_PROGRAMS or is_detailed()

    @property
    def by(self) -> str:
        """Return who makes the change, as `author` does."""
        return author()

    def show(self, report: Report | Callable[[], Report], *, good: bool = True) -> None:
        """Write the report, or the one that a function makes; unless `good`, end the command with exit code 1.

        CSV has English words for every reader, so that one program can read it everywhere: for readers of another
        language the function is called again, in English; the notes stay in their language.
        """
        shown = report if isinstance(report, Report) else report()
        if self.form == "csv" and language() != SOURCE and not isinstance(report, Report):
            with speaking(SOURCE):
                shown = replace(report(), notes=shown.notes)
        show(shown, self.form, self.dry_run, self.file, self.paper)
        if not good:
            raise typer.Exit(int(ExitCode.REFUSED))

    def show_state(self, read: Callable[[], Outcome], report: Callable[[Outcome], Report], code_of: "CodeOf") -> None:
        """Show the report of what `read` reads. Forms that carry its code are in the event's language."""
        if self.form not in CODED:
            outcome = read()
            self.show(lambda: report(outcome))
            return

        shown, kept = coded.coded_report(self.db, read, report, code_of)
        show(shown, self.form, self.dry_run, self.file, self.paper, kept)

    def write(self, text: str) -> None:
        """Write a text that is no report, such as a page of the guide."""
        with written_to(self.file) as write:
            write(text)

    def submit(self, change: "Change[Outcome]", report: Callable[[Outcome], Report], heading: str = "") -> Outcome:
        """Apply the change, or preview it in a dry run, show the report of its outcome, and return the outcome.

        `heading` goes over the change's own table if a preview adds what the change moves.
        """
        if not self.dry_run:
            made = watched_change.apply_watched(self.db, change, by=self.by)
            self._show_made(lambda: _with_cuts(report(made.outcome), made.cuts))
            return made.outcome

        previewed = service_impact.preview(self.db, change, by=self.by)
        cuts = previewed.cuts
        self.show(lambda: _with_cuts(impact.with_moves(report(previewed.outcome), previewed.moves, heading), cuts))
        return previewed.outcome

    def submit_file(
        self,
        described: FileOptions,
        change: "Callable[[Description], Change[Outcome]]",
        report: Callable[[Outcome], Report],
        layout: "FileLayout | None" = None,
        saved: tuple[str, str] = ("", ""),
    ) -> None:
        """Apply or preview a change that reads a file as the options describe it.

        `saved` are the names of a description that holds where nothing is given, and of one to be saved.
        """
        from tourney.files.description import PLAIN_LAYOUT

        def noted(read: named_columns.ReadFile[Outcome]) -> Report:
            shown, text = report(read.outcome), _("The column “{theirs}” was read as {ours}.")
            columns = (text.format(theirs=theirs, ours=ours) for theirs, ours in read.used.items())
            return replace(shown, notes=(*shown.notes, *read.notes, *columns))

        given = named_columns.column_names(described.column or ())
        options = (described.encoding, described.lines, described.sheet, layout or PLAIN_LAYOUT, *saved)
        self.submit(named_columns.WithDescription(given, change, *options), noted)

    def _show_made(self, report: Callable[[], Report]) -> None:
        """Write the report of a change that was made, and say so if the file cannot be written after all."""
        try:
            self.show(report)
        except TourneyError as error:
            hint = _("the change itself was made: do not repeat it; `tourney log` shows it")
            raise TourneyError(error.code, error.message, hint) from None


def _with_cuts(report: Report, cuts: "Sequence[CutNews]") -> Report:
    """Return the report of a change with what it changes about cuts, which hardly any change does."""
    if not cuts:
        return report

    return impact.with_cuts(report, cuts)


@dataclass(frozen=True, slots=True)
class Posting(Request):
    """The shared options of a command whose report people post."""

    has_message: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Printing(Request):
    """The shared options of a command that arranges a report for paper."""

    paper: PaperOption = "a4"
    refused_endings: ClassVar[frozenset[str]] = UNWRITTEN_ENDINGS | FORM_OF_ENDING.keys() - {".htm", ".html"}

    @property
    def form(self) -> Form:
        """Return the form of the output."""
        return "json" if self.json else "html"

    def _possible_endings(self) -> str:
        hint = _("`--output {file}` opens in a browser, which prints it or saves it as PDF")
        return hint.format(file=self._named(".html"))


@dataclass(frozen=True, slots=True)
class Exporting(Request):
    """The shared options of a command that writes a text for other computers."""

    refused_endings: ClassVar[frozenset[str]] = UNWRITTEN_ENDINGS | FORM_OF_ENDING.keys()

    def _possible_endings(self) -> str:
        return _("the file is for another computer, as in `--output {file}`").format(file=self._named(".event"))


Printed = Annotated[Printing, "db", "json", "output", "force", "paper"]
Posted = Annotated[Posting, "db", "format", "json", "output", "force"]
Reading = Annotated[Request, "db", "format", "json", "output", "force"]
PlainReading = Annotated[Request, "db", "json"]
Writing = Annotated[Request, "db", "dry_run", "json"]
FormattedWriting = Annotated[Request, "db", "dry_run", "format", "json", "output", "force"]
ToFile = Annotated[Exporting, "db", "json", "output", "force"]
WithoutDatabase = Annotated[Request, "format", "json", "output", "force"]
PlainWithoutDatabase = Annotated[Request, "json"]
