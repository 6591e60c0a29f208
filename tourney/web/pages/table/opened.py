"""A table's page as one phone asks for it: the table, its sheets, and which of them is this phone's."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.domain.results import Length, SheetHand
from tourney.domain.rounds import as_played
from tourney.domain.submissions import Submission
from tourney.reports.names import seat_names
from tourney.rulebook import rulesets
from tourney.service.change import Change, apply
from tourney.service.lookup import with_rules_of_round
from tourney.service.results.typed_sheet import CheckedForm, answers_of, checked_sheet, reseated_answers
from tourney.service.web.phone_sheets import DIGEST_LENGTH, TableSheet, same_players, table_sheet
from tourney.text.i18n import _
from tourney.web.page import Asked

Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Opened:
    """A table that a phone has opened, with what the phone asks."""

    asked: Asked
    at: TableSheet

    @property
    def home(self) -> str:
        """Return the path of the table's page."""
        return f"/t/{self.asked.path['token']}"

    @property
    def own_id(self) -> str:
        """Return what tells the table in this drawing of its round from all others, whatever address leads to it."""
        return f"{self.at.drawn} {self.at.table.number}"

    @property
    def names(self) -> list[str]:
        """Return the names of those who play at the table, in the order of the seats."""
        table, names = self.at.table, seat_names(self.at.substitutions)
        return [names(table.round, player) for player in table.players]

    @property
    def playing(self) -> Mapping[Player, Player]:
        """Return the one who plays in the seat of each player of the table."""
        table = self.at.table
        return dict(zip(table.players, as_played(table, self.at.substitutions).players, strict=True))

    @cached_property
    def seats_of_form(self) -> tuple[int, ...]:
        """The numbers of the players in the order of their seats when the form that is sent was shown.

        Raises TourneyError CONFLICT if other people sit here now.
        """
        numbers, sent = self.numbers, self.asked.field("players").split(",")
        if sorted(sent) != sorted(map(str, numbers)):
            message = _("this was not taken: other players sit here now")
            raise TourneyError(ExitCode.CONFLICT, message, _("look who sits here, then type or choose again"))
        return tuple(map(int, sent))

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of those who play at the table, in the order of the seats."""
        return tuple(player.id for player in self.at.table.players)

    @property
    def player(self) -> Player | None:
        """Return the player whose seat the phone has."""
        return self.asked.visitor.player

    @property
    def device(self) -> str:
        """Return what tells this phone from others; "" if it has no seat at the table."""
        return self.asked.visitor.device

    @property
    def origin(self) -> str:
        """Return a hash of the phone's address and browser, which two windows of one phone have in common."""
        text = f"{self.asked.address}\n{self.asked.agent}"
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]

    @property
    def has_other_phone(self) -> bool:
        """Return whether another phone has a seat at the table."""
        return any(claim.device != self.device for claim in self.at.claims)

    @property
    def seat(self) -> int:
        """Return the seat (from 0) that the phone has. Raises TourneyError REFUSED if it has none."""
        if self.player is None or not self.device:
            message = _("this phone has no seat at the table")
            raise TourneyError(ExitCode.REFUSED, message, _("choose your name, then send it again"))
        return self.at.table.players.index(self.player)

    @cached_property
    def last(self) -> Submission | None:
        """The newest sheet of this phone, also one that was typed when others sat at the table."""
        found = [sheet for sheet in self.at.sheets.sheets if self.device and sheet.device == self.device]
        return found[-1] if found else None

    @cached_property
    def mine(self) -> Submission | None:
        """The newest sheet of this phone for those who sit here; None if it has typed nothing."""
        return self.last if self.last is not None and same_players(self.last.table, self.at.table) else None

    @cached_property
    def others(self) -> tuple[Submission, ...]:
        """The sheets of other phones for those who sit here, oldest first."""
        sheets = (sheet for sheet in self.at.sheets.sheets if sheet.device != self.device)
        return tuple(sheet for sheet in sheets if same_players(sheet.table, self.at.table))

    @cached_property
    def before(self) -> Submission | None:
        """The newest sheet that was typed when others sat here, this phone's first; None if these have begun one."""
        if self.of_these_players:
            return None
        return self.last or next(reversed(self.at.sheets.sheets), None)

    @cached_property
    def carried(self) -> tuple[SheetHand[int], ...]:
        """The first hands of that sheet that are complete for those who sit here now."""
        if self.before is None:
            return ()
        seats = tuple(player.id for player in self.before.table.players), self.numbers
        typed = answers_of(self.at.event, self.before.hands)
        return self.read([reseated_answers(hand, *seats) for hand in typed]).first

    @property
    def of_these_players(self) -> tuple[Submission, ...]:
        """Return the sheets of all phones for those who sit here."""
        return self.others if self.mine is None else (*self.others, self.mine)

    @property
    def is_typing(self) -> bool:
        """Return whether this phone has begun a sheet that it has not sent."""
        return self.mine is not None and self.mine.state == "typing"

    @property
    def hands(self) -> tuple[SheetHand[int], ...]:
        """Return the hands that this phone has typed of the sheet that it has not sent."""
        return self.mine.hands if self.mine is not None and self.is_typing else ()

    def was(self, place: int) -> str:
        """Return the mark of a hand as this phone has typed it, whatever seats its players have; "" for a blank one."""
        if place >= len(self.hands):
            return ""
        answers = reseated_answers(answers_of(self.at.event, self.hands)[place], self.numbers, sorted(self.numbers))
        return hashlib.sha256(repr(sorted(answers.items())).encode()).hexdigest()[:DIGEST_LENGTH]

    @property
    def length(self) -> Length:
        """Return whether the sheet that is typed is that of a stopped game."""
        return self.mine.length if self.mine is not None and self.is_typing else "whole"

    @property
    def sheet_id(self) -> str:
        """Return the id of the sheet that this phone types; that of a new one follows from what it has sent before.

        So what a phone sends twice, because an answer was lost, is one sheet.
        """
        if self.last is not None and self.last.state == "typing":
            return self.last.id
        return self.client_id("sheet", "" if self.last is None else self.last.id)

    def client_id(self, *parts: str) -> str:
        """Return an id of 32 hexadecimal digits that only this phone has at this table, the same for the same parts."""
        text = "\n".join((self.device, self.own_id, *parts))
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]

    def waiting(self, sheet_id: str) -> Submission:
        """Return a sheet of the table that waits. Raises TourneyError NOT_FOUND if there is none with that id."""
        found = next((sheet for sheet in self.of_these_players if sheet.id == sheet_id), None)
        if found is None or found.state != "waiting":
            raise TourneyError(ExitCode.NOT_FOUND, _("this sheet does not wait any more"), _("load the page again"))
        return found

    @cached_property
    def typed(self) -> CheckedForm:
        """The hands that are typed, of which one may be impossible now, and the blank ones after them."""
        return self.read(self.hands)

    def read(
        self, hands: Sequence[SheetHand[int] | Mapping[str, str]], kept: Collection[tuple[int, str, str]] = ()
    ) -> CheckedForm:
        """Return the sheet of the table as these hands and answers of forms have it."""
        return checked_sheet(self.at.event, self.at.table, hands, kept, self.length)

    @property
    def is_knock(self) -> bool:
        """Return whether the hands of the game have no contracts."""
        rules = with_rules_of_round(self.at.event, self.at.table.round).rules
        return rulesets.family(rules) == "knock"


def opened(asked: Asked) -> Opened:
    """Read what is known of the visitor's table."""
    table, event = asked.visitor.table, asked.visitor.event
    assert table is not None, "only a table opens these pages"
    return Opened(asked, table_sheet(asked.db, event, table.round, table.number))


def make(asked: Asked, change: Change[Outcome]) -> Outcome:
    """Make a change of a table, and return its outcome."""
    return apply(asked.db, change)
