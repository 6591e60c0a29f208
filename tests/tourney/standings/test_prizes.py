"""Tests of prizes: how they are typed, shared to the cent, and shown when an event is finished."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.people import Player
from tourney.service.change import apply
from tourney.service.events.events import FinishEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.results import standings
from tourney.standings.prizes import paid, read_prizes
from tourney.standings.standing import Standing


def rows(*ranks: int | None, clubs: str = "") -> list[Standing]:
    """Return rows with these ranks, of players 1, 2, …; `clubs` has a letter for the club of each."""
    clubs = clubs.ljust(len(ranks))
    return [
        Standing(rank, Player(number, f"P{number}", club=clubs[number - 1].strip()), 0, 0, 1, 0.0)
        for number, rank in enumerate(ranks, 1)
    ]


PAID = {
    "shares of the pot": ("50%-30%-20%", 10_000, rows(1, 2, 3, 4), {1: 5000, 2: 3000, 3: 2000}),
    "amounts": ("60-36-24", 12_000, rows(1, 2, 3), {1: 6000, 2: 3600, 3: 2400}),
    "two share ranks 1 and 2": ("60-36-24", 12_000, rows(1, 1, 3), {1: 4800, 2: 4800, 3: 2400}),
    "three share ranks 2 to 4, of which two have a prize": (
        "60-36-24",
        12_000,
        rows(1, 2, 2, 2),
        {1: 6000, 2: 2000, 3: 2000, 4: 2000},
    ),
    "a cent that cannot be shared goes to who stands first": ("1", 100, rows(1, 1, 1), {1: 34, 2: 33, 3: 33}),
    "half cents make a cent for the first": ("1%-1%-1%", 150, rows(1, 2, 3), {1: 2, 2: 1, 3: 1}),
    "no rank, no prize": ("60-40", 10_000, rows(1, None), {1: 6000}),
    "the best newcomer without a prize of a rank": (
        "60-36; newcomer 10",
        12_000,
        rows(1, 2, 3, 4),
        {1: 6000, 2: 3600, 4: 1000},
    ),
    "the best of a club": ("60; club B 15", 12_000, rows(1, 2, 3, clubs="BAB"), {1: 6000, 3: 1500}),
    "two best of a club share": ("60; club B 15", 12_000, rows(1, 2, 2, clubs="ABB"), {1: 6000, 2: 750, 3: 750}),
    "nobody of the club": ("60; club X 15", 12_000, rows(1, 2), {1: 6000}),
}


@pytest.mark.parametrize("name", PAID)
def test_prizes_are_shared_as_worked_by_hand(name: str) -> None:
    """The newcomers are players 2 and 4."""
    typed, pot, listed, expected = PAID[name]
    assert paid(read_prizes(typed), pot, listed, {2, 4}) == expected


def test_the_sum_of_the_prizes_is_kept_to_the_cent_in_1000_random_cases() -> None:
    """As many ranks as prizes: whatever the ties, the prizes add up to their shares of the pot, rounded down."""
    chance, ties = random.Random(9), 0
    for _case in range(1000):
        number, pot = chance.randint(1, 8), chance.randint(0, 100_000)
        parts = sorted((chance.randint(1, 100 // number) for _prize in range(number)), reverse=True)
        ranks: list[int | None] = []
        for place in range(1, number + 1 + chance.randint(0, 3)):
            ranks.append(ranks[-1] if ranks and chance.random() < 0.4 else place)
        given = paid(read_prizes("-".join(f"{part}%" for part in parts)), pot, rows(*ranks), ())
        assert sum(given.values()) == int(Fraction(sum(parts), 100) * pot)
        ties += len(set(ranks)) < len(ranks)
    assert ties > 300


REFUSED = [
    ({"prizes": "50%-30%"}, ExitCode.REFUSED, "the prizes have no pot"),
    ({"prizes": "60%-50%", "fee": "5"}, ExitCode.REFUSED, "the shares are 110 % of the pot"),
    ({"prizes": "60-50", "pot": "100"}, ExitCode.REFUSED, "the prizes are 110, and the pot is 100"),
    ({"prizes": "60-30; newcomer 20%", "pot": "100"}, ExitCode.REFUSED, "the prizes are 110, and the pot is 100"),
    ({"prizes": "90-50", "fee": "5"}, ExitCode.REFUSED, "the prizes are 140, and the pot is 110"),  # 22 players
    ({"prizes": "30-60", "pot": "100"}, ExitCode.USAGE, "a worse rank has a higher prize"),
    ({"prizes": "x", "pot": "100"}, ExitCode.USAGE, "“x” is not an amount"),
    ({"prizes": ";", "pot": "100"}, ExitCode.USAGE, "no prize is named"),
    ({"prizes": "5; seniors 5", "pot": "100"}, ExitCode.USAGE, "“seniors 5” is not a category with its prize"),
    ({"prizes": "5; club 5", "pot": "100"}, ExitCode.USAGE, "write club NAME PRIZE"),
    ({"fee": "-5"}, ExitCode.USAGE, "“-5” is not an amount"),
]


@pytest.mark.parametrize(("settings", "code", "words"), REFUSED, ids=str)
def test_prizes_that_the_pot_cannot_pay_are_refused_when_they_are_set(
    settings: dict[str, str], code: ExitCode, words: str, tmp_path: Path
) -> None:
    db = desk.evening(tmp_path / "club.db")
    with desk.refused(code, words):
        apply(db, ChangeSettings(None, settings))


def test_the_prizes_are_shown_with_the_final_standings_and_printed(run: Runner, tmp_path: Path) -> None:
    """22 players pay 5 each, beside 10: the pot is 120; before the event is finished nobody has a prize."""
    path = desk.evening(tmp_path / "club.db")
    db = ("--db", path)
    run("event", "set", "--fee", "5", "--pot", "10", "--prizes", "50%-30%; newcomer 5", *db)
    assert {row["prize"] for row in run("standings", *db, "--json").json} == {None}
    assert "Prize" not in run("standings", *db).out
    apply(path, FinishEvent("Friday", incomplete=True))
    found = run("standings", *db, "--json").json
    assert [row["prize"] for row in found[:4]] == [60, 36, 5, None]
    shown = run("standings", *db).out
    assert "Pot 120.00, prizes 101.00, left 19.00." in shown
    assert "Prize" in shown
    assert "(prize 60.00)" in run("standings", *db, "--format", "message").out
    page = tmp_path / "final.html"
    run("print", "standings", *db, "--output", str(page))
    assert "60.00" in page.read_text(encoding="utf-8")
    run("print", "certificates", *db, "--output", str(page), "--force")
    assert "60.00" in page.read_text(encoding="utf-8")
    assert standings.standings(path, "Friday", 1).rows[0].prize is None
