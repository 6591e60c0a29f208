"""An evening as a list of commands that can be made again in another database, with some of them left out.

A command names people, events and tables by what they are in its database then: people by the order in which they were
registered, so that the command has the same meaning where an earlier renaming, merger or draw is left out.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.harness import desk
from tourney.domain.errors import TourneyError
from tourney.domain.events import EventSettings
from tourney.service import players
from tourney.service.admin import journal
from tourney.service.change import Change, apply
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent, ReopenEvent, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.ratings.editions import PublishEdition, list_editions
from tourney.service.results import flags, standings
from tourney.service.results.entry import DropBegun, KeepPartialSheet
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling, CancelRuling, Decision
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.draw_round import DrawRound, PublishRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Out, Swap, ToTable
from tourney.storage.session import reading

DAY = "2026-05-01"
"""The day of events that editions count."""
NOW = datetime(2026, 11, 20, 20, tzinfo=UTC)


@dataclass
class Evening:
    """A database, and the names that its people have now, in the order in which they were registered."""

    db: str
    names: list[str] = field(default_factory=list)
    unneeded: list[int] = field(default_factory=list)
    """The indexes of the commands of a replay that would have set what was set already."""

    def sheet(self, event: str, in_round: int, table: int, closers: Sequence[int]) -> list[Any]:
        """Return a sheet for the players who sit at a table now."""
        (found,) = (at for at in rounds.show(self.db, event, in_round).rounds[0].tables if at.number == table)
        return desk.hands([player.shown for player in found.players], closers)

    def seated(self, event: str, in_round: int, table: int, seat: int) -> str:
        """Return the name of the player at a seat."""
        (found,) = (at for at in rounds.show(self.db, event, in_round).rounds[0].tables if at.number == table)
        return found.players[seat % len(found.players)].shown


Command = Callable[[Evening], Change[Any]]
"""A function from an evening to a change of its database."""


def register(count: int) -> Command:
    """Register people; they are named by their number, from 0."""

    def command(evening: Evening) -> Change[Any]:
        new = [f"P{len(evening.names) + index}" for index in range(count)]
        evening.names += new
        return RegisterPlayers(new)

    return command


def rename(who: int, name: str) -> Command:
    """Rename a person."""

    def command(evening: Evening) -> Change[Any]:
        change = RenamePlayer(evening.names[who], name)
        evening.names[who] = name
        return change

    return command


def merge(keep: int, gone: int) -> Command:
    """Merge two people; no later command can mean the one who is gone."""

    def command(evening: Evening) -> Change[Any]:
        change = MergePlayers(evening.names[keep], evening.names[gone])
        evening.names[gone] = "merged"
        return change

    return command


def create(name: str, format: str, **settings: Any) -> Command:
    """Create an event with tables of four."""
    return lambda _evening: CreateEvent(
        EventSettings(name, "oficial", format, **{"rounds": 4, "seed": "7", **settings})
    )


def use(event: str) -> Command:
    """Make an event the current one."""
    return lambda _evening: UseEvent(event)


def settings(event: str, **changes: Any) -> Command:
    """Change settings of an event."""
    return lambda _evening: ChangeSettings(event, changes)


def enter(event: str, *who: int) -> Command:
    """Enter people."""
    return lambda evening: EnterPlayers(event, [evening.names[each] for each in who])


def withdraw(event: str, who: int) -> Command:
    """Withdraw a person."""
    return lambda evening: WithdrawPlayers(event, [evening.names[who]])


def come_back(event: str, who: int) -> Command:
    """Let a person play again."""
    return lambda evening: ReturnPlayers(event, [evening.names[who]])


def apart(event: str, *who: int) -> Command:
    """Keep people apart."""
    return lambda evening: ConstrainSeating(event, [",".join(evening.names[each] for each in who)])


def never(event: str, *who: int) -> Command:
    """Let people never share a table."""
    return lambda evening: ConstrainSeating(event, never=[",".join(evening.names[each] for each in who)])


def unconstrained(event: str) -> Command:
    """Remove all constraints."""
    return lambda _evening: ConstrainSeating(event, replace=True)


def draw(event: str, *, draft: bool = False) -> Command:
    """Draw the next round."""
    return lambda _evening: DrawRound(event, draft=draft)


def publish_round(event: str) -> Command:
    """Publish the newest round."""
    return lambda _evening: PublishRound(event)


def flag(event: str, in_round: int, table: int, text: str = "who dealt?") -> Command:
    """Raise a flag."""
    return lambda _evening: RaiseFlag(event, in_round, table, text)


def answer(event: str, text: str = "who dealt?", said: str = "Ana") -> Command:
    """Answer the first flag of this text, whatever its number."""

    def command(evening: Evening) -> Change[Any]:
        number = next(each.number for each in flags.listing(evening.db, event).flags if each.text == text)
        return AnswerFlag(event, number, said)

    return command


def cancel(event: str) -> Command:
    """Cancel the newest round."""
    return lambda _evening: CancelRound(event, "too early")


def swap(event: str, in_round: int, table: int, other: int) -> Command:
    """Exchange the first players of two tables."""

    def command(evening: Evening) -> Change[Any]:
        one, two = (evening.seated(event, in_round, at, 0) for at in (table, other))
        return MovePlayer(event, one, Swap(two), in_round)

    return command


def move_out(event: str, in_round: int, table: int) -> Command:
    """Take the first player of a table out of the round."""
    return lambda evening: MovePlayer(event, evening.seated(event, in_round, table, 0), Out(), in_round)


def move_in(event: str, in_round: int, table: int, who: int) -> Command:
    """Seat a person at a table."""
    return lambda evening: MovePlayer(event, evening.names[who], ToTable(table), in_round)


def dissolve(event: str, in_round: int, table: int) -> Command:
    """Dissolve a table."""
    return lambda _evening: DissolveTable(event, table, "it is needed", in_round)


def clock(event: str, in_round: int, minutes: int | None = None, verb: Any = "start") -> Command:
    """Start a round's clock, or another command of it."""
    return lambda _evening: ChangeClock(event, verb, in_round, minutes, NOW)


def result(event: str, in_round: int, table: int, closers: Sequence[int] = range(7), hands: int = 7) -> Command:
    """Enter a table's result, short if there are fewer than seven hands."""

    def command(evening: Evening) -> Change[Any]:
        sheet = evening.sheet(event, in_round, table, closers)[:hands]
        return EnterResult(event, in_round, table, sheet, length="whole" if hands == 7 else "short")

    return command


def partial(event: str, in_round: int, table: int, hands: int = 2) -> Command:
    """Keep the first hands of a table's sheet."""
    return lambda evening: KeepPartialSheet(
        event, in_round, table, evening.sheet(event, in_round, table, range(7))[:hands]
    )


def drop(event: str, in_round: int, table: int) -> Command:
    """Discard a table's partial sheet."""
    return lambda _evening: DropBegun(event, in_round, table, "misread")


def correct(event: str, in_round: int, table: int, closers: Sequence[int]) -> Command:
    """Correct a table's result."""
    return lambda evening: CorrectResult(
        event, in_round, table, evening.sheet(event, in_round, table, closers), "a slip"
    )


def void(event: str, in_round: int, table: int) -> Command:
    """Make a table's result void."""
    return lambda _evening: VoidResult(event, in_round, table, "set aside")


def penalty(event: str, who: int, points: int = 20) -> Command:
    """Give a person penalty points."""
    return lambda evening: AddRuling(
        event, Decision("penalty", f"rude, {points}", player=evening.names[who], points=points)
    )


def cancel_penalty(event: str, points: int = 20) -> Command:
    """Cancel the penalty of so many points, whatever its number."""

    def command(evening: Evening) -> Change[Any]:
        with reading(evening.db) as reader:
            number = next(number for number, name in reader.events.names().items() if name == event)
            ruled = reader.results.rulings(reader.events.get(number))
        return CancelRuling(event, next(each.number for each in ruled if each.points == points), "excused")

    return command


def finish(event: str, *, incomplete: bool = True) -> Command:
    """Finish an event, by default whatever it lacks."""
    return lambda _evening: FinishEvent(event, incomplete)


def reopen(event: str) -> Command:
    """Open a finished event again."""
    return lambda _evening: ReopenEvent(event, "one more sheet")


def publish(top: int | None = None) -> Command:
    """Publish the ratings of people as of the day of the evenings."""
    return lambda _evening: PublishEdition("people", DAY, top)


def make(evening: Evening, command: Command) -> bool:
    """Make a command's change; return False if it is refused, or what it names is not there."""
    return _problem(evening, command) is None


def _problem(evening: Evening, command: Command) -> Exception | None:
    """Make a command's change; return why it could not be made, None if it was."""
    names = list(evening.names)
    try:
        apply(evening.db, command(evening))
    except (TourneyError, StopIteration, ValueError, LookupError) as problem:
        evening.names = names
        return problem
    return None


def leave_out(evening: Evening, command: Command) -> None:
    """Leave a command out; people who would be registered by it keep their numbers, so that later ones have theirs."""
    names = list(evening.names)
    try:
        command(evening)
    except (TourneyError, StopIteration, ValueError, LookupError):
        evening.names = names
    evening.names = names + evening.names[len(names) :]


def replay(evening: Evening, commands: Sequence[Command], without: int = -1) -> list[int]:
    """Make all commands but the one at index `without`; return the indexes of those that were refused.

    Those that would set what is set already are in `unneeded`: they put back what the one left out had changed.
    """
    refused = []
    for index, command in enumerate(commands):
        if index == without:
            leave_out(evening, command)
        elif problem := _problem(evening, command):
            (evening.unneeded if _is_set_already(problem) else refused).append(index)
    return refused


def _is_set_already(problem: Exception) -> bool:
    return (
        isinstance(problem, TourneyError)
        and re.fullmatch(r"nothing about .* would change", problem.message) is not None
    )


def head(db: str) -> int:
    """Return the number of the last entry; 0 without a database."""
    return 0 if not Path(db).exists() else int(desk.query(db, "SELECT count(*) FROM act")[0][0])


def state(db: str) -> dict[str, Any]:
    """Return everything that is shown, with names in place of numbers that depend on how often numbers were given."""
    found: dict[str, Any] = {"people": [player.shown for player in players.listing(db)]}
    with reading(db) as reader:
        names = reader.events.names()
        found["current"] = names.get(reader.events.current() or 0)
        for number, name in names.items():
            event = reader.events.get(number)
            found[name] = {
                "settings": asdict(event.settings),
                "state": event.state,
                "entrants": list(zip([player.shown for player in event.entrants], event.states, strict=True)),
                "constraints": sorted(
                    (each.kind, tuple(player.shown for player in each.players), each.table or 0)
                    for each in event.constraints
                ),
                "rounds": [
                    (
                        drawn.number,
                        [(at.number, [player.shown for player in at.players]) for at in drawn.tables],
                        sorted(player.shown for player in drawn.sitting_out),
                        drawn.clock,
                        drawn.draft,
                    )
                    for drawn in reader.rounds.of(event)
                ],
                "results": [
                    (each.table.round, each.table.number, each.outcome, each.state) for each in reader.results.of(event)
                ],
                "sheets": [(each.round, each.table, each.hands) for each in reader.results.partial_sheets(event)],
                "rulings": [
                    (each.kind, each.text, each.player and each.player.shown, each.points, each.state)
                    for each in reader.results.rulings(event)
                ],
                "flags": [
                    (each.round, each.table, each.text, each.state, each.answer) for each in reader.results.flags(event)
                ],
            }
    for name in names.values():
        found[name]["standings"] = [
            (row.rank, row.player.shown, row.points, row.penalty, row.games, row.hands_won, row.short)
            for row in standings.standings(db, name).rows
        ]
    found["editions"] = [
        (
            shown.edition.as_of,
            [(shown.name(row.player), replace(row, player=0)) for row in shown.ordered()],
            sorted((shown.name(player), rank) for player, rank in shown.edition.ranks_before.items()),
            [sorted(shown.name(row.player) for row in each.rows) for each in shown.edition.corrections],
        )
        for shown in list_editions(db)
    ]
    stands = [line for line in journal.log(db).lines if line.state == "stands"]
    found["log"] = [(line.kind, re.sub(r"\b(player|decision|edition|call) \d+", r"\1", line.said)) for line in stands]
    return found
