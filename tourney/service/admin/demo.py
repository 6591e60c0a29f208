"""A small tournament from registration to ratings, in a database of its own."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files

from tourney.domain.errors import DoubtWarning
from tourney.domain.events import EventSettings
from tourney.domain.rankings import RatingsTable
from tourney.domain.schedule import Schedule
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, bot_seats
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.players import ImportPlayers
from tourney.service.ratings import ratings
from tourney.service.results import standings
from tourney.service.rounds import bot_tables, rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _

EVENING = "Friday"
BOTS = "Bots"
SEED = "1"
ROUNDS = 3

Shown = Schedule | StandingsTable | RatingsTable


@dataclass(frozen=True, slots=True)
class DemoStep:
    """A step of the demo: its introduction, the equivalent commands, and the value that the last one shows."""

    said: str
    commands: tuple[str, ...]
    value: Shown


def steps(db: str, progress: Callable[[int, int], None]) -> Iterator[DemoStep]:
    """Yield the steps of the tournament, played in the database at the path `db`."""
    yield from _evening(db)
    yield from _bots(db, progress)


def _evening(db: str) -> Iterator[DemoStep]:
    """Yield the steps of a club evening whose score sheets were kept in a spreadsheet."""
    folder = files("tourney") / "examples"
    with as_file(folder / "players.csv") as people, as_file(folder / "score-sheets.csv") as sheets:
        apply(db, ImportPlayers(people))
        with warnings.catch_warnings():
            # The sheets are an example, so nobody can look at the paper for their unusual points.
            warnings.simplefilter("ignore", DoubtWarning)
            apply(db, ImportSheets(EVENING, sheets, "oficial"))
    yield DemoStep(
        _("A club kept Friday's score sheets in a spreadsheet. Each of their 210 hands is checked against the rules."),
        (
            "tourney player import players.csv",
            f"tourney event import {EVENING} --sheets score-sheets.csv --rules oficial",
            f"tourney standings {EVENING}",
        ),
        standings.standings(db, EVENING),
    )
    yield DemoStep(
        _("Everybody has a rating now, and a range of ranks that says how far to trust it."),
        ("tourney ratings",),
        ratings.ratings(db, "people"),
    )


def _bots(db: str, progress: Callable[[int, int], None]) -> Iterator[DemoStep]:
    """Yield the steps of three rounds played by twelve bots."""
    settings = EventSettings(BOTS, "oficial", rounds=ROUNDS, size=4, seed=SEED)
    apply(db, CreateEvent(settings))
    apply(db, EnterPlayers(BOTS, bots=bot_seats("greedy:6,random:6")))
    for _number in range(ROUNDS):
        apply(db, DrawRound(BOTS))
    yield DemoStep(
        _("Bots play as well. They are seated as people are: three rounds, as few repeat opponents as possible."),
        (
            f"tourney event new {BOTS} --rules oficial --rounds {ROUNDS} --size 4 --seed {SEED}",
            f"tourney event enter {BOTS} --bots greedy:6,random:6",
            *[f"tourney round draw {BOTS}"] * ROUNDS,
            f"tourney round show {BOTS} --round 1",
        ),
        rounds.show(db, BOTS, 1),
    )
    bot_tables.play(db, bot_tables.BotTables(BOTS), progress)
    yield DemoStep(
        _("The engine plays every table by the official rules, and keeps a record of every card."),
        (f"tourney round play {BOTS}", f"tourney standings {BOTS}"),
        standings.standings(db, BOTS),
    )
