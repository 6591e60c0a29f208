"""The evening of the Spanish guide as it is typed, from registration to paper, whose screens are kept as snapshots.

Each chapter is a file of `tests/tourney/cli/screens/es`. `tests.harness.pages.screens` runs them in order.
"""

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from tests.harness import desk
from tests.harness.pages.examples import TRANSLATED, fences
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.storage.journal import kinds
from tourney.storage.session import writing

GUIDE = TRANSLATED["es/club-evening"]
ALL_WIDTHS = (50, 80, 120)


@dataclass(frozen=True)
class Typed:
    """A command line, and its questions at a real terminal, each with the line that answers it."""

    command: str
    questions: tuple[tuple[str, str], ...] = ()
    widths: tuple[int, ...] = (80,)
    seen: datetime | None = None
    """The moment at which a clock that is watched on the whole screen is looked at."""

    @property
    def words(self) -> list[str]:
        """The words of the command line behind `tourney`."""
        return shlex.split(self.command)[1:]


@dataclass(frozen=True)
class Unseen:
    """A change of the database between two screens, which nobody sees."""

    change: Callable[[str], None]


def table(command: str) -> Typed:
    """Return a command that is shown at every width."""
    return Typed(command, widths=ALL_WIDTHS)


def other_sheets(round_number: int, *tables: int) -> Unseen:
    """Return the entry of the sheets of these tables of a round."""
    return Unseen(partial(_enter, round_number, tables))


def _enter(round_number: int, numbers: tuple[int, ...], db: str) -> None:
    (round_,) = rounds.show(db, None, round_number).rounds
    for seated in round_.tables:
        if seated.number in numbers:
            names = [player.name for player in seated.players]
            hands = desk.hands(names, (number + seated.number for number in range(7)))
            apply(db, EnterResult(None, round_number, seated.number, hands))


BEGINNING = datetime(2020, 11, 20, 21, tzinfo=UTC)
"""The moment at which the clock of the second round is started: on another day, so that its screens stay the same."""


def clock_of_another_day(db: str) -> None:
    """Start the clock of the second round at BEGINNING."""
    with writing(db) as store:
        store.write(kinds.rounds.ClockSet(store.events.get(1), 2, f"{BEGINNING:%Y-%m-%dT%H:%M:%S.%fZ}", 45))


def watched(minutes: int) -> Typed:
    """Return a look at the clock of the second round, so many minutes after its beginning."""
    return Typed("tourney round clock --watch", seen=BEGINNING + timedelta(minutes=minutes))


def files() -> dict[str, str]:
    """Return the files that the page of the guide shows."""
    return {fence["file"]: fence["body"] for fence in fences(GUIDE) if fence["file"]}


def commands_of_the_guide() -> list[str]:
    """Return the commands of the page of the guide, without what cuts their output."""
    blocks = "\n".join(fence["body"] for fence in fences(GUIDE) if fence["language"] == "console")
    return [line.partition(" | ")[0] for line in re.findall(r"^\$ (.*)$", blocks, re.MULTILINE)]


Step = Typed | Unseen

CHAPTERS: dict[str, tuple[Step, ...]] = {
    "01-registro": (
        Typed("tourney status"),
        Typed("tourney player add Ana Beñat Carmen Diego Elena Félix Gloria Hugo Inés Javier Koldo"),
        Typed("tourney player add Lucía Mateo Nuria Óscar Pilar Quique Rosa Sergio Teresa Unai Vera"),
        Typed("tourney player add Ana"),
        Typed('tourney event new "Viernes 20" --rounds 3 --minutes 60'),
        Typed("tourney event enter Anna"),
        Typed("tourney event enter --all"),
        Typed("tourney status"),
        table("tourney event show"),
    ),
    "02-llegada": (
        Typed('tourney event set "Viernes 20" --checkin required'),
        Typed("tourney event checkin Ana Be Car"),
        Typed("tourney round draw --dry-run"),
        Typed("tourney event checkin Quiqe"),
        Typed("tourney event checkin --all"),
        Typed("tourney event list"),
    ),
    "03-sorteo": (
        Typed("tourney round draw"),
        table("tourney round show"),
        table("tourney round show --by name"),
        table("tourney round show --why"),
        Typed("tourney round show --format message"),
        Typed("tourney round clock"),
        Typed("tourney round clock --start"),
        table("tourney status"),
    ),
    "04-cambios": (
        Typed("tourney event enter Xabier --add"),
        Typed("tourney event checkin Xabier"),
        Typed("tourney event withdraw Pi --no-show --out"),
        Typed('tourney event withdraw Unai --reason "se le va el tren"'),
        Typed("tourney round dissolve --table 5 --dry-run"),
        Typed('tourney round dissolve --table 5 --reason "faltan dos"'),
        Typed("tourney undo"),
        Typed("tourney redo"),
        Typed("tourney undo"),
        Typed("tourney round move Diego --with Félix"),
        Typed("tourney undo"),
        Typed("tourney round move Diego --with Fermín"),
        Typed("tourney event return Unai --dry-run"),
    ),
    "05-hojas": (
        Typed("tourney result enter --round 1 --table 1 --file hoja.toml"),
        Typed("tourney result enter --round 1 --table 2 --file hoja.toml"),
        Typed('tourney result enter --round 1 --table 2 --half --hand "TT Vera=0 Beñat=1 Gloria=30 Javier=55"'),
        Typed(
            "tourney result enter",
            (
                ("¿Qué mesa?", "?"),
                ("¿Qué mesa?", "2"),
                ("TT: ¿quién cerró?", "?"),
                ("TT: ¿quién cerró?", "0 1 30 55"),
                ("TT: ¿quién cerró?", "0 20 30 55"),
                ("TE: ¿quién cerró?", "Beñta"),
                ("TE: ¿quién cerró?", "Be"),
                ("de una vez", "n"),
                ("Vera", "Kc 10p jóker"),
                ("Gloria", "7h"),
                ("Gloria", "7c 7d"),
                ("Javier", "42"),
                ("EE: ¿quién cerró?", "muerta 20 30 41 55"),
                ("TTT: ¿quién cerró?", "q"),
            ),
        ),
        Typed("tourney result show --round 1 --table 2"),
        table("tourney status"),
        Typed(
            "tourney result enter --round 1 --table 2",
            (
                ("TTT: ¿quién cerró?", "20 30 -10 41"),
                ("TTE: ¿quién cerró?", "20 30 0 41"),
                ("TEE: ¿quién cerró?", "b"),
                ("TTE: ¿quién cerró?", "Ja"),
                ("de una vez", ""),
                ("Vera", ""),
                ("Beñat", ""),
                ("Gloria", "20"),
                ("TEE: ¿quién cerró?", "0 45 60 12"),
                ("EEE: ¿quién cerró?", "90 0 71 105"),
                ("¿Está bien la hoja?", "EEE"),
                ("EEE: ¿quién cerró?", "90 0 71 110"),
                ("¿Está bien la hoja?", "s"),
            ),
        ),
        table("tourney result show --round 1 --table 2"),
        Typed(
            "tourney result enter --round 1 --table 6",
            (
                ("TT: ¿quién cerró?", "0 20 30"),
                ("TE: ¿quién cerró?", "20 0 30"),
                ("EE: ¿quién cerró?", "20 30 0"),
                ("TTT: ¿quién cerró?", "fin"),
                ("¿Está bien la hoja?", "s"),
            ),
        ),
    ),
    "06-correccion": (
        Typed(
            "tourney result correct --round 1 --table 1 --reason ilegible",
            (("¿Está bien la hoja?", "EEE"), ("EEE: ¿quién cerró?", "110 0 85"), ("¿Está bien la hoja?", "s")),
        ),
        Typed("tourney result void --round 1 --table 6 --reason 'era de otra mesa' --dry-run"),
        Typed("tourney ruling penalty Mateo 20 llegó tarde dos veces --dry-run"),
        Typed("tourney ruling penalty Mateo 20 llegó tarde dos veces"),
        Typed("tourney undo"),
        Typed('tourney ruling add --kind note --round 1 --table 3 --reason "se barajó dos veces"'),
        Typed("tourney ruling penalty Hugo 20 un móvil en la mesa"),
        Typed('tourney ruling cancel 3 --reason "era una llamada urgente"'),
        table("tourney ruling list"),
        Typed("tourney rules ruling me he bajado mal"),
        Typed("tourney rules ruling"),
    ),
    "07-ronda-2": (
        Typed("tourney round draw --dry-run"),
        other_sheets(1, 3, 4, 5),
        Typed("tourney status"),
        table("tourney standings"),
        Typed("tourney round draw"),
        Unseen(clock_of_another_day),
        watched(20),
        watched(42),
        watched(46),
        Typed("tourney round clock"),
        Typed("tourney undo 3"),
        Typed("tourney undo"),
        Typed("tourney undo", (("(s/n)", "quizá"), ("(s/n)", "n"))),
    ),
    "08-clasificacion": (
        Typed("tourney standings --why Quique"),
        Typed("tourney standings --why Pilar"),
        Typed("tourney standings --format message"),
        Typed("tourney event finish"),
        other_sheets(2, *range(1, 7)),
        Typed("tourney round draw"),
        other_sheets(3, *range(1, 7)),
        Typed("tourney event finish"),
        table("tourney standings"),
        Typed("tourney standings --why Quique"),
    ),
    "09-papel": (
        Typed("tourney print slips"),
        Typed("tourney print slips --round 1 --table 1 --output papeletas.html"),
        Typed("tourney print wall --round 1 --output mesas.html"),
        Typed("tourney print signs --round 1 --output carteles.html"),
        Typed("tourney print standings --output clasificacion.html"),
        Typed("tourney print certificates --output diplomas.html"),
        Typed("tourney print ratings --output ratings.html"),
    ),
    "10-ratings": (
        table("tourney ratings"),
        table("tourney rating show Quique"),
        Typed("tourney rating predict Quique Hugo Vera Rosa"),
        Typed("tourney rating explain Quique --round 1"),
    ),
    "11-reglas": (
        Typed("tourney rules list"),
        Typed("tourney rules show oficial"),
        Typed("tourney rules arrange oficial TE '7c 7d 7t 5p 6p jóker 8p Kc Qd' --cards es"),
    ),
    "12-registro-de-cambios": (
        table("tourney log --last 20"),
        Typed('tourney event new "Viernes 27" --from "Viernes 20"'),
        Typed("tourney event list"),
    ),
}
