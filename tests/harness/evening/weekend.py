"""Events with stages for tests: created from a preset or from stages, and played round by round."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from tests.harness import desk
from tourney.domain.events import Event, EventSettings
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Round, Stage, Table
from tourney.service.admin.rehearsal import invented_sheet
from tourney.service.change import apply
from tourney.service.events.copy_event import CreatePlannedEvent
from tourney.service.events.events import CreateEvent, EnterPlayers, show
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound

Sheet = Callable[[Event, Table], Sequence[SheetHand[str]]]
FINAL = Stage("Final", 1, take="best", number=4, ties="list", tables=1)


def names(number: int) -> list[str]:
    """Return the names of so many players, in the order of the alphabet."""
    return [f"P{each:02}" for each in range(1, number + 1)]


def with_stages(db: str, players: int, *stages: Stage, **settings: object) -> str:
    """Create the event Weekend with these stages and players; return its name."""
    apply(db, CreateEvent(EventSettings("Weekend", "oficial", stages=stages, **settings)))
    apply(db, EnterPlayers("Weekend", names(players), add=True))
    return "Weekend"


def from_preset(db: str, preset: str, players: int) -> str:
    """Create the event Weekend from a preset; return its name."""
    apply(db, CreatePlannedEvent("Weekend", preset=preset))
    apply(db, EnterPlayers("Weekend", names(players), add=True))
    return "Weekend"


def by_number(event: Event, table: Table) -> list[SheetHand[str]]:
    """Return a sheet on which players with lower names have fewer points: the first closes every hand."""
    order = sorted(player.shown for player in table.players)
    hands = (event.in_round(table.round) or FINAL).hands or desk.CONTRACTS
    return [SheetHand(hand, {name: 10 * int(name[1:]) if at else 0 for at, name in enumerate(order)}) for hand in hands]


def by_name(event: Event, table: Table) -> list[SheetHand[str]]:
    """Return a sheet of dead hands, on which points depend on the names alone: P01 has 70 in a game, P02 140."""
    points = {player.shown: 10 * int(player.shown[1:]) for player in table.players}
    return [SheetHand(contract, points, dead=True) for contract in desk.CONTRACTS]


def at_random(seed: str) -> Sheet:
    """Return what makes random sheets."""
    rng = Random(seed)
    return lambda event, table: invented_sheet(event, table, rng)


def play_round(db: str, sheet: Sheet = by_number, *, open_tables: int = 0) -> Round:
    """Draw the next round and enter its sheets, but for the last `open_tables` of them; return the round."""
    (drawn,) = apply(db, DrawRound()).rounds
    event = show(db)
    for table in drawn.tables[: len(drawn.tables) - open_tables]:
        enter(db, event, table, sheet)
    return drawn


def enter(db: str, event: Event, table: Table, sheet: Sheet = by_number) -> None:
    """Enter the sheet of a table."""
    apply(db, EnterResult(None, table.round, table.number, sheet(event, table)))


def play(db: str, rounds: int, sheet: Sheet = by_number) -> list[Round]:
    """Play so many rounds."""
    return [play_round(db, sheet) for _round in range(rounds)]


def seated(drawn: Round) -> list[str]:
    """Return the names of those who play in a round, sorted."""
    return sorted(player.shown for table in drawn.tables for player in table.players)


def planned(stage: Stage, **changes: object) -> Stage:
    """Return a stage with other fields."""
    return replace(stage, **changes)
