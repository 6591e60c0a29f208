"""`tourney result`: enter, correct, void and show a table's sheet."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from tourney.cli.framework import questions
from tourney.cli.framework.commands import Commands, noun
from tourney.cli.framework.options import EventName, EventOption, Letters, Reason
from tourney.cli.framework.output import note
from tourney.cli.framework.request import Reading, Writing
from tourney.cli.results import prompts
from tourney.cli.results.prompts import GivenSheet
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Length
from tourney.files.sheet_toml import WrittenSheet, read_flags, read_sheet
from tourney.reports.render.report import Report
from tourney.reports.results import flags as flag_reports
from tourney.reports.results import results as reports
from tourney.reports.results.rulings import with_rulings
from tourney.reports.status import steps
from tourney.service.events.status import status
from tourney.service.lookup import AfterEvent
from tourney.service.results import begun_sheets, entry, rulings
from tourney.service.results import flags as flag_service
from tourney.service.results import results as service
from tourney.service.results.entry import DropBegun, KeepPartialSheet
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.service.results.results import CorrectResult, Entered, EnterResult, VoidResult
from tourney.text.cards import Alphabet, typing_cards
from tourney.text.i18n import _

flags_app = Commands()

FLAGS = _("Flags: what tables ask")
MIN_FLAG_WORDS = 3
MIN_ANSWER_WORDS = 2
MAX_DIGITS = 10
"""Numbers with so many digits are too large for anything that is counted."""


@flags_app.command(
    heading=FLAGS,
    help=_("Raise a flag: write down what a table asks or complains of, until the desk has answered."),
    epilog=_("tourney result flag 2 3 the points of TEE were read wrongly"),
)
def flag(
    request: Writing,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar=_("[EVENT] ROUND TABLE TEXT..."),
            help=_(
                "The numbers of the round and the table, and what it is about. Before them an event's exact name, "
                "unless the current event is meant."
            ),
        ),
    ],
    event: EventOption = None,
) -> None:
    request.submit(AfterEvent(event, words, _raised), flag_reports.raised)


def _raised(event: str | None, words: Sequence[str]) -> RaiseFlag:
    """Return the flag that the words give. Raises TourneyError USAGE for fewer words, or numbers that are none."""
    example = _("for example `tourney result flag 2 3 the points of TEE were read wrongly`")
    if len(words) < MIN_FLAG_WORDS:
        raise TourneyError(ExitCode.USAGE, _("a flag needs a round, a table and a text"), example)
    round_number, table, *text = words
    return RaiseFlag(
        event, read_number("ROUND", round_number, example), read_number("TABLE", table, example), " ".join(text)
    )


@flags_app.command(
    heading=FLAGS,
    help=_("List what tables have asked, with the answers."),
    epilog=_("tourney result flags Friday"),
)
def flags(request: Reading, event: EventName = None) -> None:
    request.show(lambda: flag_reports.all_flags(flag_service.listing(request.db, event)))


@flags_app.command(
    heading=FLAGS,
    help=_("Answer a flag, which is then no longer open."),
    epilog=_("tourney result answer 1 the sheet is right"),
)
def answer(
    request: Writing,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar=_("[EVENT] NUMBER ANSWER..."),
            help=_(
                "The number of the flag, from `tourney result flags`, and the answer. Before them an event's exact "
                "name, unless the current event is meant."
            ),
        ),
    ],
    event: EventOption = None,
) -> None:
    request.submit(AfterEvent(event, words, _answered), flag_reports.answered)


def _answered(event: str | None, words: Sequence[str]) -> AnswerFlag:
    """Return the answer that the words give. Raises TourneyError USAGE for fewer words, or a number that is none."""
    example = _("for example `tourney result answer 1 the sheet is right`")
    if len(words) < MIN_ANSWER_WORDS:
        raise TourneyError(ExitCode.USAGE, _("an answer needs the number of a flag and a text"), example)
    return AnswerFlag(event, read_number("NUMBER", words[0], example), " ".join(words[1:]))


def read_number(name: str, text: str, hint: str) -> int:
    """Return a number from 1 up. Raises TourneyError USAGE."""
    if text.isdecimal() and text.isascii() and len(text) < MAX_DIGITS and int(text) > 0:
        return int(text)
    message = _("{name} cannot be “{value}”: it must be a whole number from 1 up").format(name=name, value=text[:40])
    raise TourneyError(ExitCode.USAGE, message, hint)


app = noun(
    _(
        "A sheet has the points of every player in every hand. A hand is named by its contract, the melds to lay down: "
        "T is a trio (three of a rank), E a run (four in sequence of a suit), so TTE asks for two trios and a run.\n\n"
        "A sheet can be a TOML file with lines like these for each hand, in order:\n\n"
        "    [[hands]]\n"
        '    contract = "TT"\n'
        '    closer = "Ana"\n'
        "    at_once = true\n"
        '    points = { "Ana" = -10, "Beñat" = 35, "Carmen" = 17 }\n\n'
        "The line at_once says that Ana laid down and closed in one turn. A hand that nobody closed has dead = true in "
        "place of closer."
    )
)
app.add_typer(flags_app)

Round = Annotated[
    int | None, typer.Option("--round", metavar="R", min=1, help=_("The round; if left out, the newest."))
]
Table = Annotated[int, typer.Option(metavar="T", min=1, help=_("The number of the table in that round."))]
File = Annotated[
    str | None,
    typer.Option(metavar="FILE", help=_("The sheet as a TOML file; `tourney result -h` shows what is in it.")),
]
Hands = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HAND",
        help=_(
            'One hand of the sheet: its contract and everybody\'s points, such as "TT Ana=-10 Beñat=35 Carmen=0". Give '
            "it once for each hand, in order. In the knock game it begins with how the hand ended, such as "
            '"knock Ana=5 Beñat=85 buys=Beñat".'
        ),
    ),
]
Dead = Annotated[
    list[str] | None,
    typer.Option(metavar="CONTRACT", help=_("A hand given by --hand that nobody closed, such as TE. May be repeated.")),
]
Stopped = Annotated[
    bool,
    typer.Option("--stopped", "--short", help=_("The game was stopped early: the sheet has only its first hands.")),
]


@app.command(
    help=_(
        "Enter the score sheet of a table. In a terminal you are asked for it hand by hand, unless you give --file or "
        "--hand. Points that no cards add up to are refused. If some hands were kept by --half, give only the "
        "missing ones."
    ),
    epilog=_(
        "tourney result enter Friday\n"
        "tourney result enter Friday --round 1 --table 2 --file sheet.toml\n"
        'tourney result enter --round 1 --table 2 --half --hand "TT Ana=-10 Beñat=35"'
    ),
)
def enter(
    request: Writing,
    round: Round = None,
    table: Annotated[
        int | None, typer.Option(metavar="T", min=1, help=_("The number of the table in that round."))
    ] = None,
    event: EventName = None,
    file: File = None,
    hand: Hands = None,
    dead: Dead = None,
    stopped: Stopped = False,
    half: Annotated[
        bool, typer.Option("--half", help=_("Keep these hands of a sheet that is not complete yet."))
    ] = False,
    letters: Letters = None,
) -> None:
    if _asks(file, hand, dead) and not (stopped or half):
        given = prompts.typed_sheet(request.db, event, round, table, "enter", request.dry_run, letters)
        change = EnterResult(*given.place, given.hands, given.length, letters=given.letters, players=given.players)
        with typing_cards(given.letters or "en"):
            request.submit(change, partial(_entered, request, event))
        return
    place, length = (event, round, _given(table)), length_of(stopped, half)
    uses_kept_hands = not half and _nothing(file, hand, dead) and entry.has_partial_sheet(request.db, *place)
    written = WrittenSheet(()) if uses_kept_hands else sheet(file, hand, dead, letters)
    with typing_cards(written.letters or "en"):
        if half:
            half_sheet = KeepPartialSheet(*place, written.hands, written.letters)
            write_notes(request.submit(half_sheet, reports.partial_sheet).notes)
        else:
            whole = EnterResult(*place, written.hands, length, add_kept=True, letters=written.letters)
            write_notes(request.submit(whole, _whole_sheet).notes)


@app.command(
    help=_(
        "Correct a score sheet that was wrong: a new sheet replaces it. In a terminal you are asked which hand to "
        "change, unless you give --file or --hand. With --dry-run you see every rank and rating that changes."
    ),
    epilog=_(
        'tourney result correct --round 1 --table 2 --reason "added wrongly"\n'
        "tourney result correct --round 1 --table 2 --reason misread --file sheet.toml\n"
        'tourney result correct --round 1 --table 2 --reason "it was right" --drop'
    ),
)
def correct(
    request: Writing,
    table: Table,
    reason: Reason,
    round: Round = None,
    event: EventName = None,
    file: File = None,
    hand: Hands = None,
    dead: Dead = None,
    stopped: Stopped = False,
    drop: Annotated[
        bool, typer.Option("--drop", help=_("Drop a correction that was begun; the result stays as it is."))
    ] = False,
    letters: Letters = None,
) -> None:
    if drop:
        _refuse_sheet_beside_drop(file, hand, dead, stopped)
        request.submit(DropBegun(event, round, table, reason, "correct"), reports.correction_dropped)
        return
    if asked := _asks(file, hand, dead) and not stopped:
        round = _round(request, event, round)
        given = prompts.typed_sheet(request.db, event, round, table, "correct", request.dry_run, letters)
    else:
        written = sheet(file, hand, dead, letters)
        given = GivenSheet((event, round, table), written.hands, length_of(stopped), written.letters)
    change = CorrectResult(
        *given.place, given.hands, reason, given.length, letters=given.letters, players=given.players
    )
    report = _confirmed_sheet(request) if asked else _whole_sheet
    with typing_cards(given.letters or "en"):
        made = request.submit(change, report, heading=_("The sheet"))
    if not asked:
        write_notes(made.notes)


@app.command(
    help=_("Make a result count for nothing, or discard a sheet that is not complete. Then a new one can be entered."),
    epilog=_('tourney result void Friday --round 1 --table 2 --reason "a card short"'),
)
def void(request: Writing, table: Table, reason: Reason, round: Round = None, event: EventName = None) -> None:
    round = _round(request, event, round)
    if entry.has_partial_sheet(request.db, event, round, table):
        request.submit(DropBegun(event, round, table, reason), reports.partial_sheet_discarded)
        return
    replaced = begun_sheets.dropped_by(request.db, event, round, table)
    request.submit(VoidResult(event, round, table, reason), reports.sheet)
    write_notes(replaced)


@app.command(
    "show",
    help=_("Show all results of an event, the results of one round, or the score sheet of one table."),
    epilog=_("tourney result show Friday\ntourney result show Friday --round 1 --table 2"),
)
def show_(
    request: Reading,
    event: EventName = None,
    round: Annotated[
        int | None,
        typer.Option(
            "--round",
            metavar="R",
            min=1,
            help=_("Only this round; if left out, all rounds, or with --table the newest."),
        ),
    ] = None,
    table: Annotated[
        int | None, typer.Option(metavar="T", min=1, help=_("Only this table of the round, hand by hand."))
    ] = None,
    record: Annotated[
        bool,
        typer.Option("--record", help=_("Print the table's game as text that `tourney record` can read.")),
    ] = False,
) -> None:
    round = round if table is None else _round(request, event, round)
    if round is None or table is None:
        if record:
            message = _("one table is meant, but not which")
            raise TourneyError(ExitCode.USAGE, message, _("give --table, and --round if it is not the newest"))
        partial = entry.partial_sheets_of(request.db, event, round)
        request.show(lambda: reports.results(service.show(request.db, event, round), partial))
    elif record:
        request.write(service.record(request.db, event, round, table))
    else:
        result = service.show(request.db, event, round, table)[0]
        entries = service.sheet_entries(request.db, event, round, table)
        given = rulings.listing(request.db, event)

        def sheet() -> Report:
            notes = service.substitute_notes(request.db, event, round, table)
            return with_rulings(reports.with_entries(reports.sheet(result, notes), entries), given, round, table)

        request.show(sheet)


def _whole_sheet(entered: Entered) -> Report:
    return reports.sheet(entered.result)


def _confirmed_sheet(request: Writing) -> Callable[[Entered], Report]:
    """Return the report of a sheet that was shown for confirmation: one line where both go to the same terminal."""
    in_one_line = request.form == "table" and sys.stdout.isatty()
    return lambda entered: (reports.entered if in_one_line else reports.sheet)(entered.result)


def _entered(request: Writing, event: str | None, entered: Entered) -> Report:
    """Return the report of a new sheet that was shown; after the last sheet of a round it says what comes next."""
    report = _confirmed_sheet(request)(entered)
    found = status(request.db, event)
    return report if found.open_tables else replace(report, next_steps=steps(found))


def _asks(*given: object) -> bool:
    """Return whether to ask for the sheet: none of its options is given, and there is a terminal."""
    return _nothing(*given) and questions.possible()


def _nothing(*given: object) -> bool:
    return all(option is None for option in given)


def _round(request: Reading | Writing, event: str | None, round_number: int | None) -> int:
    """Return the round that is meant: without a number the newest. Raises TourneyError as `newest_round`."""
    return service.newest_round(request.db, event) if round_number is None else round_number


def _given(table: int | None) -> int:
    """Return the number of the table. Raises TourneyError USAGE without one."""
    if table is None:
        hint = _("give --table; in a terminal, without --file and --hand, you are asked for it")
        raise TourneyError(ExitCode.USAGE, _("{option} is missing").format(option="--table"), hint)
    return table


def length_of(stopped: bool, half: bool = False) -> Length:
    """Return the sheet's length from the options. Raises TourneyError USAGE if they contradict each other."""
    if stopped and half:
        message = _("--stopped and --half contradict each other")
        raise TourneyError(ExitCode.USAGE, message, _("--stopped ends the game; --half is finished later"))
    return "short" if stopped else "whole"


def _refuse_sheet_beside_drop(*given: object) -> None:
    """Raise TourneyError USAGE if a sheet is given together with --drop."""
    if any(given):
        message = _("--drop takes no sheet: the result stays as it is")
        raise TourneyError(ExitCode.USAGE, message, _("leave out --file, --hand, --dead and --stopped"))


def write_notes(lines: Sequence[str]) -> None:
    """Write the lines to standard error."""
    for line in lines:
        note(line)


def sheet(file: str | None, hands: list[str] | None, dead: list[str] | None, letters: Alphabet | None) -> WrittenSheet:
    """Return the sheet from a file, its cards in these letters, or from hands.

    Raises TourneyError USAGE for both or neither.
    """
    if (file is None) == (hands is None) or (file is not None and dead is not None):
        message = _("the sheet comes from --file, or from one --hand for each hand (and --dead)")
        raise TourneyError(ExitCode.USAGE, message, _("give one or the other"))
    if file is not None:
        return read_sheet(file, letters)
    return WrittenSheet(read_flags(hands or (), dead or ()))
