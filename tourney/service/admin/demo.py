"""A small tournament from registration to ratings, in a database of its own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files

from tourney.domain.events import Entered, EventSettings, ImportedEvent
from tourney.domain.rankings import RatingsTable
from tourney.domain.registration import Registered
from tourney.domain.results import Play
from tourney.domain.schedule import Schedule
from tourney.service import standings
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.events.import_sheets import ImportSheets
from tourney.service.people.players import ImportPlayers
from tourney.service.ratings import ratings
from tourney.service.rounds import rounds
from tourney.service.rounds.rounds import DrawRound
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _

EVENING = "Friday"
BOTS = "Bots"
SEED = "1"
ROUNDS = 3

Shown = Registered | ImportedEvent | Schedule | Play | StandingsTable | RatingsTable | Entered


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the demo: its introduction, the equivalent commands, and the value that the last one shows."""

    said: str
    commands: tuple[str, ...]
    value: Shown


def steps(db: str, progress: Callable[[int, int], None]) -> Iterator[Step]:
    """Yield the steps of the tournament, played in the database at the path `db`."""
    yield from _evening(db)
    yield from _bots(db, progress)


def _evening(db: str) -> Iterator[Step]:
    """Yield the steps of a club evening whose score sheets were kept in a spreadsheet."""
    folder = files("tourney") / "examples"
    with as_file(folder / "players.csv") as people, as_file(folder / "score-sheets.csv") as sheets:
        yield Step(
            _("A club registers its players."),
            ("tourney player import players.csv",),
            apply(db, ImportPlayers(people)),
        )
        yield Step(
            _("It kept an evening of five rounds in a spreadsheet; every sheet is checked against the rules."),
            (f"tourney event import {EVENING} --sheets score-sheets.csv --rules oficial",),
            apply(db, ImportSheets(EVENING, sheets, "oficial")),
        )
    yield Step(_("The evening's standings."), (f"tourney standings {EVENING}",), standings.standings(db, EVENING))


def _bots(db: str, progress: Callable[[int, int], None]) -> Iterator[Step]:
    """Yield the steps of three rounds played by twelve bots."""
    settings = EventSettings(BOTS, "oficial", rounds=ROUNDS, size=4, seed=SEED)
    apply(db, CreateEvent(settings))
    yield Step(
        _("Bots can play too: six that lay down as soon as they can, six that play at random."),
        (
            f"tourney event new {BOTS} --rules oficial --rounds {ROUNDS} --size 4 --seed {SEED}",
            f"tourney event enter {BOTS} --bots greedy:6,random:6",
        ),
        apply(db, EnterPlayers(BOTS, bots="greedy:6,random:6")),
    )
    for _number in range(ROUNDS):
        apply(db, DrawRound(BOTS))
    yield Step(
        _("Three rounds, seated without repeat opponents if possible; the first player at a table deals first."),
        (*[f"tourney round draw {BOTS}"] * ROUNDS, f"tourney round show {BOTS}"),
        rounds.show(db, BOTS),
    )
    yield Step(
        _("The engine plays every table by the official rules and keeps a record that can be replayed."),
        (f"tourney round play {BOTS}",),
        rounds.play(db, BOTS, None, progress),
    )
    yield Step(_("Who won, and how."), (f"tourney standings {BOTS}",), standings.standings(db, BOTS))
    yield Step(_("The ratings of the people."), ("tourney ratings",), ratings.ratings(db, "people"))
    yield Step(_("The ratings of the bots."), ("tourney ratings --pool bots",), ratings.ratings(db, "bots"))
