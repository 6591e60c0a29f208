"""Enter a sheet on a terminal: read lines and show what a dialogue of `service` says.

The dialogue goes to standard error, so that standard output has only the report.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

import typer

from tourney import storage
from tourney.cli.framework.output import note, show_page
from tourney.cli.framework.questions import ask
from tourney.cli.framework.request import author
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.domain.results import Hands, Length, Result, SheetHand
from tourney.reports.results import results as reports
from tourney.service.change import apply
from tourney.service.lookup import event_argument
from tourney.service.results import entry
from tourney.service.results.begun_sheets import hand_names
from tourney.service.results.dialogue import SheetDialogue, TableDialogue, Use
from tourney.service.results.entry import KeepAnswers
from tourney.text.cards import Alphabet, typing_cards
from tourney.text.i18n import _, both
from tourney.text.ranges import names_text
from tourney.text.signals import deferred, ignore


@dataclass(frozen=True, slots=True)
class GivenSheet:
    """A sheet as it was typed or read; `place` has event, round and table, `letters` are those of its cards.

    `players` sat at the table when it was typed.
    """

    place: tuple[str | None, int | None, int]
    hands: Hands
    length: Length
    letters: Alphabet | None
    players: tuple[Player, ...] = ()


# Interrupts are delivered only while the program waits for an answer or for another program, so that no answer is lost.
@deferred()
def typed_sheet(
    db: str | None,
    event: str | None,
    round_number: int | None,
    table: int | None,
    use: Use,
    dry_run: bool,
    letters: Alphabet | None = None,
) -> GivenSheet:
    """Ask for a table, unless it is given, and for its sheet hand by hand; return the sheet.

    Leaving ends the command (exit code 0, or 130 by Ctrl-C); the answers are then kept, except in a dry run. Raises
    TourneyError if they cannot be kept, and shows them.
    """
    begin = entry.begin if use == "enter" else entry.begin_correction
    is_first = True
    while True:
        if table is None:
            event, round_number, table = _chosen_table(db, event, round_number, may_be_the_only_one=is_first)
        dialogue = begin(db, event, round_number, table, letters)
        event, round_number, is_first = dialogue.event.settings.name, dialogue.table.round, False
        keeper = _Keeper(db, dialogue, use, dry_run)
        _ask_or_leave(dialogue, keeper.after_answer, keeper.leave)
        if dialogue.state == "entered":
            place, draft = (event, round_number, table), dialogue.draft
            return GivenSheet(place, draft.hands, draft.length, draft.alphabet, dialogue.table.players)
        if dialogue.draft.kept:
            _say(keeper.leave())
        table = None


def _chosen_table(
    db: str | None, event: str | None, round_number: int | None, may_be_the_only_one: bool
) -> tuple[str, int, int]:
    """Return event, round and table, which is asked for unless it may be the only one without a result, and is."""
    waiting = entry.waiting(db, event, round_number)
    choice = TableDialogue(waiting)
    if may_be_the_only_one:
        _say(choice.take_the_only_one())
    if choice.state == "asking":
        _ask_or_leave(choice, lambda: None, lambda: (_("nothing was entered"),))
    return waiting.event.settings.name, waiting.round, choice.chosen or 0


class _Keeper:
    """Keeps answers as a partial sheet: after each hand, and on leaving."""

    def __init__(self, db: str | None, dialogue: SheetDialogue, use: Use, dry_run: bool) -> None:
        self._db, self._dialogue, self._use, self._dry_run = db, dialogue, use, dry_run
        self._kept = dialogue.draft.kept
        self._shown = False
        self._show_sheet()

    def after_answer(self) -> None:
        """Keep complete hands; show a finished sheet, which is to be confirmed."""
        if self._dialogue.draft.complete != self._kept[: len(self._dialogue.draft.complete)]:
            self._keep()
        self._show_sheet()

    def leave(self) -> tuple[str, ...]:
        """Keep all answers, and return lines that say so."""
        if self._dialogue.draft.kept != self._kept:
            self._keep("leaving")
        if self._dry_run or not self._kept:
            return (_("nothing was kept"),)
        hands = names_text(hand_names(self._kept))
        again = _("continue with `tourney result {use}{event} --round {round} --table {table}{rest}`").format(
            use=self._use,
            event=event_argument(self._dialogue.event),
            round=self._dialogue.table.round,
            table=self._dialogue.table.number,
            rest="" if self._use == "enter" else " --reason …",
        )
        unkept = self._dialogue.draft.unkept
        lost = _("not kept: the change of {hand} that was begun; the hand is as it was before").format(hand=unkept)
        return (_("kept: {hands}").format(hands=hands), *([lost] if unkept else self._taken_back()), again)

    def _taken_back(self) -> list[str]:
        """Return a line with the players whose points were taken back by `b` in the hand in question; or none."""
        draft = self._dialogue.draft
        names = [self._dialogue.seats.names[seat] for seat in draft.taken_back]
        line = _("not kept: the points that b took back in {hand}, of {players}")
        return [line.format(hand=draft.hand_name, players=both(names))] if names else []

    def _keep(self, patience: storage.Patience = "usual") -> None:
        kept = self._dialogue.draft.kept
        if not self._dry_run:
            try:
                apply(self._db, KeepAnswers.of(self._dialogue, self._use), patience, by=author())
            except TourneyError:
                self._show_lost(kept)
                raise
        self._kept = kept

    def _show_lost(self, typed_hands: tuple[SheetHand[int], ...]) -> None:
        """Show the typed hands that are not in the database, so that they can be copied down."""
        new = [hand for index, hand in enumerate(typed_hands) if (hand,) != self._kept[index : index + 1]]
        with suppress(OSError), typing_cards(self._dialogue.draft.alphabet):
            for hand in new:
                note(_("not kept: {hand}").format(hand=reports.hand_text(hand, self._dialogue.seats.names)))

    def _show_sheet(self) -> None:
        outcome = self._dialogue.outcome
        if outcome is not None and not self._shown:
            sheet = reports.sheet(Result(self._dialogue.event.settings.name, self._dialogue.table, outcome))
            note("")
            show_page(sheet, sys.stderr)
        self._shown = outcome is not None


def _ask_or_leave(
    dialogue: SheetDialogue | TableDialogue, after: Callable[[], None], leave: Callable[[], tuple[str, ...]]
) -> None:
    """Ask until the dialogue ends. Raises typer.Exit if it is left."""
    try:
        _say(dialogue.greeting)
        while dialogue.state == "asking":
            line = ask(dialogue.question)
            _say(dialogue.answer("q" if line is None else line))
            after()
    except (KeyboardInterrupt, OSError):
        # A closed terminal may raise OSError on output before its signal arrives.
        _end((_("interrupted"),), leave, ExitCode.INTERRUPTED)
    if dialogue.state == "left":
        _end((), leave, ExitCode.DONE)


def _end(first: tuple[str, ...], leave: Callable[[], tuple[str, ...]], code: ExitCode) -> NoReturn:
    """Keep the answers, then show the lines and exit: a closed terminal or a signal must not prevent keeping."""
    ignore()
    kept = leave()
    with suppress(OSError):
        _say((*first, *kept))
    raise typer.Exit(code)


def _say(lines: tuple[str, ...]) -> None:
    for line in lines:
        note(line)
