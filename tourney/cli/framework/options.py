"""The options that many commands share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import typer

from tourney.cli.framework.help_pages import COMMON
from tourney.service.bots import Consent
from tourney.text.cards import Alphabet
from tourney.text.i18n import _
from tourney.text.names import refuse_halves
from tourney.text.typed_words import read_decimal


@dataclass(frozen=True, slots=True)
class Trusting:
    """The options `--isolation` and `--trust-bots`."""

    isolation: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help=_(
                "The least level at which bots from outside play: trusted, process, sandbox or wasm. Bots that came "
                "with a file or a database and are not trusted need sandbox or wasm."
            ),
        ),
    ] = ""
    trust_bots: Annotated[
        bool,
        typer.Option(
            "--trust-bots", help=_("Trust the bots that came with a file or a database: they run as you. Names them.")
        ),
    ] = False

    @property
    def consent(self) -> Consent:
        """Return what the organiser says about such bots."""
        return Consent(self.isolation, self.trust_bots)


Isolation = Annotated[
    str,
    typer.Option(
        metavar="LEVEL",
        help=_(
            "The least level at which bots from outside play: trusted, process, sandbox or wasm. If left out, process "
            "for classes and programs, wasm for modules."
        ),
    ),
]

OneSeason = Annotated[
    str | None, typer.Argument(metavar="[SEASON]", help=_("The season's name; if left out, the only one."))
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", metavar="DATE", help=_("As of this day, without later events; if left out, the newest event's.")
    ),
]

Letters = Annotated[
    Alphabet | None,
    typer.Option(
        "--cards",
        metavar="LETTERS",
        help=_("The letters of the suits: en for c d h s (the default), es for the Spanish ones, p c d t."),
    ),
]
"""The letters in which a command reads cards."""


def decimal(value: str | float) -> float:
    """Return the number of an option, typed with a point or a comma. Raises typer.BadParameter for other text.

    Infinity and `nan` are left to the command, which says what numbers are possible.
    """
    number = read_decimal(value) if isinstance(value, str) else value
    if number is not None:
        return number
    try:
        return float(value)
    except ValueError:
        raise typer.BadParameter(f"{value!r} is not a valid number.") from None


def seed_text(text: str) -> str:
    """Return the text of a seed. Raises TourneyError REFUSED for half of a character, as a wrong byte becomes."""
    refuse_halves(text, where="--seed")
    return text


Form = Literal["table", "json", "csv", "csv-es", "xlsx", "markdown", "html", "message"]
FORM_OF_ENDING: Final[Mapping[str, Form]] = {
    ".csv": "csv",
    ".htm": "html",
    ".html": "html",
    ".json": "json",
    ".md": "markdown",
    ".xlsx": "xlsx",
}
"""The forms that the name of a file asks for where no other is."""
UNWRITTEN_ENDINGS: Final[frozenset[str]] = frozenset(
    (
        *(".pdf", ".ps", ".eps", ".djvu", ".epub", ".xps"),
        *(".doc", ".docx", ".odt", ".rtf", ".pages", ".tex"),
        *(".xls", ".xlsm", ".xlsb", ".ods", ".numbers", ".tsv"),
        *(".ppt", ".pptx", ".odp", ".key"),
        *(".bmp", ".gif", ".heic", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp"),
        *(".xml", ".yaml", ".yml", ".zip"),
    )
)
"""The endings of files that people ask for and no form of output is; a table under such a name cannot be opened."""
FOR_PROGRAMS: Final[frozenset[Form]] = frozenset({"json", "csv", "csv-es", "xlsx"})
"""The forms that other programs read: they hold the data and nothing else."""
CODED: Final[frozenset[Form]] = frozenset({"html", "message"})
"""The forms that are passed on by hand, and so carry the code of the state that they show."""


@dataclass(frozen=True, slots=True)
class AlsoOption:
    """Mark an argument that can be given as the option `name` instead; `ungrouped` adds the option."""

    name: str


Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="FILE",
        rich_help_panel=COMMON,
        help=_("The database to use, such as club.db; `tourney db path` shows the default one."),
    ),
]
FormOption = Annotated[
    Form | None,
    typer.Option(
        "--format",
        metavar="FORM",
        rich_help_panel=COMMON,
        help=_(
            "The form of the output: table (the default), json, csv, csv-es (as a Spanish Excel opens it), xlsx (a "
            "workbook, with --output), markdown, html, or message (for a messenger)."
        ),
    ),
]
Paper = Literal["a4", "letter"]
PaperOption = Annotated[Paper, typer.Option("--paper", metavar="PAPER", help=_("The paper to print on: a4 or letter."))]
OutputFile = Annotated[
    str | None,
    typer.Option(
        "--output",
        metavar="FILE",
        rich_help_panel=COMMON,
        help=_("Write the output to this new file, whole or not at all, in the form that its name ends with."),
    ),
]
Force = Annotated[
    bool, typer.Option("--force", rich_help_panel=COMMON, help=_("With --output: replace the file if it exists."))
]
Json = Annotated[
    bool, typer.Option("--json", rich_help_panel=COMMON, help=_("Print JSON, which other programs can read."))
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", rich_help_panel=COMMON, help=_("Show what would change, and save nothing."))
]
EventName = Annotated[
    str | None,
    typer.Argument(
        metavar="EVENT", help=_("The event's name; if left out, the current event, set by `tourney event use`.")
    ),
    AlsoOption("--event"),
]
EventOption = Annotated[
    str | None,
    typer.Option("--event", metavar="EVENT", help=_("The event's name, which then need not be the first word.")),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="THEIRS=OURS",
        help=_("First the name of a column in the file, then ours, such as jugador=player. May be repeated."),
    ),
]


@dataclass(frozen=True, slots=True)
class FileOptions:
    """The options that describe a file of rows and columns."""

    column: Columns = None
    encoding: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=_("The encoding of a CSV file, if its words do not show it, such as mac_roman.")
        ),
    ] = ""
    lines: Annotated[
        str,
        typer.Option(
            metavar="LINES",
            help=_("The lines of the file that are the table, from its header: 4- leaves out titles, 4-40 totals too."),
        ),
    ] = ""
    sheet: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=_("The worksheet of a workbook that is read: its name, or its number from 1.")
        ),
    ] = ""


RulesName = Annotated[
    str,
    typer.Option(
        metavar="RULES", help=_("The rules: a name from `tourney rules list`, or a file with a club's own rules.")
    ),
]
EventRules = Annotated[
    str | None,
    typer.Option("--event", metavar="EVENT", help=_("The rules that this event keeps, instead of RULES.")),
]
Reason = Annotated[str, typer.Option(metavar="TEXT", help=_("The reason, which the log keeps."))]
Apart = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help=_(
            "Players who should not meet, such as Ana,Beñat; or club, for the members of each club. They meet only "
            "where that saves three repeats. May be repeated."
        ),
    ),
]
Never = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help=_("Players who never share a table, at any cost in repeats, such as Ana,Beñat. May be repeated."),
    ),
]
Together = Annotated[
    list[str] | None,
    typer.Option(metavar="NAMES", help=_("Players who must sit at one table, such as Ana,Carmen. May be repeated.")),
]
NeededTable = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=T", help=_("A player, and the table they need, such as Ana=3. May be repeated.")),
]
