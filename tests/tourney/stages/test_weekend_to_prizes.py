"""A weekend of 32 from registration to prizes: typed in both languages, and run on the desk's pages.

Ranks and prizes are worked out here, from the sheets and the tables alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.desk import CONTRACTS
from tests.harness.web.asking import ORIGIN, client, press
from tourney.service.rounds.rounds import show as show_rounds

ROUNDS = 4
NAMES = [
    *desk.NAMES,
    *("Inés", "Jorge", "Koldo", "Lucía", "Manolo", "Nerea", "Óscar", "Pilar"),
    *("Quique", "Rosa", "Sergio", "Teresa", "Unai", "Verónica", "Walter", "Ximena"),
    *("Yolanda", "Zacarías", "Amparo", "Bruno", "Dolores", "Esteban", "Fátima", "Gonzalo"),
]
"""Names that are not nearly alike, about which the desk would ask."""
PRIZES = {"fee": "10", "pot": "40", "prizes": "50%-25%-15%; newcomer 10%"}
"""32 fees of 10, and 40, are 360: 180, 90 and 54, and 36 for the best of the others, who are all newcomers."""

Hand = tuple[str, Mapping[str, int]]
"""A hand as a table writes it: its contract, and the points by name; 0 for whoever closed it."""


class Weekend:
    """The steps of an organiser through a weekend; each way to take them is a class of its own."""

    def begin(self) -> None: ...
    def draw(self, number: int) -> None: ...
    def enter(self, number: int, table: int, hands: Sequence[Hand]) -> None: ...
    def finish(self) -> None: ...


class Typed(Weekend):
    """The commands of the guide."""

    def __init__(self, run: Runner, db: str, lang: str) -> None:
        self._run, self._words = run, ("--db", db, "--lang", lang)

    def _type(self, *words: str) -> str:
        found = self._run(*words, *self._words)
        assert found.code == 0, found.err
        return found.out

    def begin(self) -> None:
        self._type("player", "add", *NAMES)
        self._type("event", "new", "Finde", "--preset", "swiss-final")
        self._type("event", "enter", "--all")
        self._type("event", "set", *(word for name, value in PRIZES.items() for word in (f"--{name}", value)))

    def draw(self, number: int) -> None:
        self._type("round", "draw")

    def enter(self, number: int, table: int, hands: Sequence[Hand]) -> None:
        typed = [
            f"{contract} {' '.join(f'{name}={score}' for name, score in points.items())}" for contract, points in hands
        ]
        options = [word for hand in typed for word in ("--hand", hand)]
        self._type("result", "enter", "--round", str(number), "--table", str(table), *options)

    def finish(self) -> None:
        self._type("event", "finish")


class AtTheDesk(Weekend):
    """The forms of the desk's pages."""

    def __init__(self, pages: object) -> None:
        self._pages = pages

    def _press(self, path: str, button: str, typed: Mapping[str, str] | None = None, shown: str = "") -> None:
        answer = press(self._pages, path, button, typed, shown=shown)
        assert answer.status_code == 303, answer.text

    def begin(self) -> None:
        self._press("/desk/events/new?preset=swiss-final", "Create the event", {"name": "Finde"})
        pasted = self._pages.post("/desk/people/enrol", data={"names": "\n".join(NAMES), "do": "look"}, headers=ORIGIN)
        self._press("", "Enter these players", shown=pasted.text)
        self._press("/desk/events/settings", "Change the settings", PRIZES)

    def draw(self, number: int) -> None:
        self._press("/desk/rounds", f"Draw round {number}" if number <= ROUNDS else f"Begin Final: draw round {number}")
        self._press("/desk/rounds", "Publish the round")

    def enter(self, number: int, table: int, hands: Sequence[Hand]) -> None:
        fields = {
            f"{hand}.points-{seat}": str(score)
            for hand, (_contract, points) in enumerate(hands, 1)
            for seat, score in enumerate(points.values(), 1)
        }
        self._press(f"/desk/results/{number}/{table}/enter", "Enter the sheet", fields)

    def finish(self) -> None:
        self._press("/desk/events/finish", "Finish the event")


@contextmanager
def way(name: str, run: Runner, db: str) -> Iterator[Weekend]:
    if name == "at the desk":
        with client(db, address="127.0.0.1", signed_in=True) as pages:
            yield AtTheDesk(pages)
    else:
        yield Typed(run, db, name)


def sheet(names: Sequence[str], rng: Random) -> list[Hand]:
    """Return seven hands: 0 points for whoever closes one, 5 to 100 for everybody else."""
    hands = []
    for contract in CONTRACTS:
        closer = rng.choice(names)
        hands.append((contract, {name: 0 if name == closer else 5 * rng.randint(1, 20) for name in names}))
    return hands


Sheets = Mapping[int, Sequence[Sequence[Hand]]]
"""The sheets of each round."""


def ranked(sheets: Sheets, rounds: range) -> list[str]:
    """Return who played in these rounds, all of them in each: by points, then by who closed the most recent hand."""
    points: dict[str, int] = {}
    closed: dict[str, list[tuple[int, int]]] = {}
    for number in rounds:
        for hands in sheets[number]:
            for at, (_contract, scores) in enumerate(hands):
                for name, score in scores.items():
                    points[name] = points.get(name, 0) + score
                    closed.setdefault(name, [])
                    if score == 0:
                        closed[name].append((-number, -at))
    # Nobody's key ends before another's: whoever closed no further hand comes after.
    return sorted(points, key=lambda name: (points[name], [*sorted(closed[name]), (1, 0)]))


@pytest.mark.slow
@pytest.mark.parametrize("how", ["en", "es", "at the desk"])
def test_a_weekend_of_32_from_registration_to_prizes(run: Runner, tmp_path: Path, how: str) -> None:
    db, rng = str(tmp_path / "club.db"), Random(how)
    sheets: dict[int, list[list[Hand]]] = {}
    with way(how, run, db) as weekend:
        weekend.begin()
        for number in range(1, ROUNDS + 2):
            weekend.draw(number)
            sheets[number] = []
            for table in show_rounds(db, None, number).rounds[0].tables:
                hands = sheet([player.shown for player in table.players], rng)
                sheets[number].append(hands)
                weekend.enter(number, table.number, hands)
            assert len(sheets[number]) == (8 if number <= ROUNDS else 1)
        weekend.finish()
    qualifying, final = ranked(sheets, range(1, ROUNDS + 1)), ranked(sheets, range(ROUNDS + 1, ROUNDS + 2))
    assert sorted(final) == sorted(qualifying[:4])
    expected = [*final, *qualifying[4:]]
    rows = run("standings", "--db", db, "--json").json
    assert [row["player"] for row in rows] == expected
    assert [row["rank"] for row in rows] == list(range(1, 33))
    assert [row["prize"] for row in rows] == [180, 90, 54, 36, *[None] * 28]
    for words in (("print", "standings"), ("print", "certificates", "--top", "4")):
        text = run(*words, "--db", db, "--lang", "en").out
        assert all(prize in text for prize in ("180.00", "90.00", "54.00", "36.00")), words
