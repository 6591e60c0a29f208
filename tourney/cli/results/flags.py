"""`tourney result flag`, `flags` and `answer`: what tables ask the desk, and its answers."""

from collections.abc import Sequence
from typing import Annotated

import typer

from tourney.cli.framework.commands import Commands
from tourney.cli.framework.options import EventName, EventOption
from tourney.cli.framework.request import Reading, Writing
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.results import flags as reports
from tourney.service.lookup import AfterEvent
from tourney.service.results import flags as service
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.text.i18n import _

app = Commands()

FLAGS = _("Flags: what tables ask")
MIN_FLAG_WORDS = 3
MIN_ANSWER_WORDS = 2
MAX_DIGITS = 10


@app.command(
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
    request.submit(AfterEvent(event, words, _raised), reports.raised)


def _raised(event: str | None, words: Sequence[str]) -> RaiseFlag:
    """Return the flag that the words give. Raises TourneyError USAGE for fewer words, or numbers that are none."""
    example = _("for example `tourney result flag 2 3 the points of TEE were read wrongly`")
    if len(words) < MIN_FLAG_WORDS:
        raise TourneyError(ExitCode.USAGE, _("a flag needs a round, a table and a text"), example)
    round_number, table, *text = words
    return RaiseFlag(event, _number("ROUND", round_number, example), _number("TABLE", table, example), " ".join(text))


@app.command(
    heading=FLAGS,
    help=_("List what tables have asked, with the answers."),
    epilog=_("tourney result flags Friday"),
)
def flags(request: Reading, event: EventName = None) -> None:
    request.show(lambda: reports.all_flags(service.listing(request.db, event)))


@app.command(
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
    request.submit(AfterEvent(event, words, _answered), reports.answered)


def _answered(event: str | None, words: Sequence[str]) -> AnswerFlag:
    """Return the answer that the words give. Raises TourneyError USAGE for fewer words, or a number that is none."""
    example = _("for example `tourney result answer 1 the sheet is right`")
    if len(words) < MIN_ANSWER_WORDS:
        raise TourneyError(ExitCode.USAGE, _("an answer needs the number of a flag and a text"), example)
    return AnswerFlag(event, _number("NUMBER", words[0], example), " ".join(words[1:]))


def _number(name: str, text: str, example: str) -> int:
    """Return a number from 1 up. Raises TourneyError USAGE."""
    if text.isdecimal() and text.isascii() and len(text) < MAX_DIGITS and int(text) > 0:
        return int(text)
    message = _("{name} cannot be “{value}”: it must be a whole number from 1 up").format(name=name, value=text[:40])
    raise TourneyError(ExitCode.USAGE, message, example)
