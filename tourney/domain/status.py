"""Status of an evening: the tables without a result, who is missing, and the commands that come next."""

from dataclasses import dataclass

from tourney.domain.events import EntrantState, Event, Placed
from tourney.domain.people import Player
from tourney.domain.results import Flag
from tourney.domain.rounds import PlayOff, Round, Table


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table without a result, and since when (UTC) it plays; `hands` are those of its partial sheet.

    `gone` has the players who still sit there although they have left the event. `on_phone` says that a phone at the
    table types the sheet, or has sent it.
    """

    table: Table
    since: str
    hands: tuple[str, ...] = ()
    gone: tuple[Player, ...] = ()
    on_phone: bool = False


@dataclass(frozen=True, slots=True)
class NextCommand:
    """A command that comes next: its words as a program receives them, and in words what it does.

    `button` says it where the command is not seen, "" if `why` says it there, too. `source` is the event whose next
    evening it creates.
    """

    words: tuple[str, ...]
    why: str
    button: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class StageStatus:
    """The stage that is played, and the next one (`following`), which `begins` with the next draw.

    `play_offs` are the hands that are still to be played, with their seats in `play_off`; `unnamed` says that the
    players of the next stage are still to be named. After a correction or a departure `coming` would play now instead
    of `going`, or instead of players who have left (`gone`); `lines` say so in sentences. `can_replace` and `can_add`
    say what still has a seat, `can_seat_again` whether the stage can be drawn again.
    """

    name: str
    following: str = ""
    begins: bool = False
    play_offs: tuple[PlayOff, ...] = ()
    unnamed: bool = False
    coming: tuple[Player, ...] = ()
    going: tuple[Player, ...] = ()
    gone: tuple[Player, ...] = ()
    lines: tuple[str, ...] = ()
    can_replace: bool = False
    can_add: bool = False
    can_seat_again: bool = False
    play_off: tuple[str, ...] = ()

    @property
    def undecided(self) -> tuple[Player, ...]:
        """Return the players of all play-off hands."""
        return tuple(player for each in self.play_offs for player in each.players)


@dataclass(frozen=True, slots=True)
class Status:
    """The status of an event; without `event` there is none, or none of the `open_events` is the current one.

    `drawn` counts the drawn rounds, of which `newest` is the last. `open_tables` are those of all rounds, the oldest
    first. `late` has the players who play from the next round on. `registered` counts the people who could still enter.
    `first` has the players of the first three ranks if the event is finished; without an open event, those of `last`,
    the newest one. `flags` are those without an answer. `changes` counts the entries since the last backup, which was
    made at `backup` (UTC; "" if there is none). `stages` says where an event with stages stands; None without stages.
    """

    event: Event | None = None
    open_events: tuple[str, ...] = ()
    drawn: int = 0
    newest: Round | None = None
    open_tables: tuple[OpenTable, ...] = ()
    late: tuple[Player, ...] = ()
    registered: int = 0
    last: str = ""
    first: tuple[Placed, ...] = ()
    flags: tuple[Flag, ...] = ()
    changes: int = 0
    backup: str = ""
    stages: StageStatus | None = None
    next: tuple[NextCommand, ...] = ()

    def in_state(self, *states: EntrantState) -> tuple[Player, ...]:
        """Return the entrants in one of these states."""
        return () if self.event is None else self.event.in_state(*states)

    @property
    def not_checked_in(self) -> tuple[Player, ...]:
        """Return who has not checked in, if the event asks for it or somebody has."""
        asked = self.event is not None and self.event.settings.checkin == "required"
        return self.in_state("entered") if asked or self.in_state("checked in") else ()
