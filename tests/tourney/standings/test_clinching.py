"""Tests of clinching against every outcome of small last rounds, ranked by the standings."""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Final, Literal

import pytest

from tourney.domain.events import Event, EventSettings
from tourney.domain.forecasts import Prospect, Rival
from tourney.domain.people import Player
from tourney.domain.results import HandScore, Outcome, Result, Ruling
from tourney.domain.rounds import Table
from tourney.domain.rules import RulesRef
from tourney.standings.clinching import prospects
from tourney.standings.placing import RankingBasis
from tourney.standings.ranking import standings
from tourney.standings.scoring import BY_MONEY, BY_POINTS

PEOPLE = tuple(Player(number, name) for number, name in enumerate(("Ana", "Beñat", "Carla", "Diego", "Elena"), 1))
Order = Literal["points", "money"]
SCORINGS: Final = {"points": BY_POINTS, "money": BY_MONEY}
LAST = 3
"""The last of three rounds, which is not yet played."""


def event(people: int, minimum: int | None = None) -> Event:
    settings = EventSettings("Friday", "oficial", rounds=LAST, minimum=minimum)
    return Event(1, settings, RulesRef(settings.rules), PEOPLE[:people], ("entered",) * people)


def result(table: Table, costs: Sequence[int], closers: Sequence[int | None], order: Order) -> Result:
    """Return the result of a game that cost these points, or this money, by seat; `closers` won its hands."""
    seats = range(len(table.players))
    hands = tuple(HandScore(f"H{hand}", tuple(0 for _ in seats), closer, False) for hand, closer in enumerate(closers))
    won = tuple(sum(closer == seat for closer in closers) for seat in seats)
    places = tuple(1 + sum(other < mine for other in costs) for mine in costs)
    money = tuple(-cost for cost in costs) if order == "money" else ()
    points = tuple(costs) if order == "points" else tuple(0 for _ in seats)
    return Result("Friday", table, Outcome(hands, points, won, places, money=money))


def history(generator: random.Random, people: int, order: Order) -> list[Result]:
    """Return the results of two rounds with close totals; in the second one player may be missing."""
    first = Table(1, 1, PEOPLE[:people])
    second = Table(2, 1, PEOPLE[: max(2, people - generator.randint(0, 1))])
    return [
        result(
            table,
            [generator.randint(0, 2) for _ in table.players],
            [generator.choice([None, *range(len(table.players))]) for _ in range(2)],
            order,
        )
        for table in (first, second)
    ]


def all_outcomes(tables: Sequence[Table], order: Order) -> Iterator[list[Result]]:
    """Yield every outcome in which each player pays 0, 1 or 2, with every winner of the one or two hands of a table."""
    by_table = []
    for table in tables:
        hands = 2 if len(tables) == 1 and len(table.players) < 4 else 1
        costs = product(range(3), repeat=len(table.players))
        closers = list(product([None, *range(len(table.players))], repeat=hands))
        by_table.append([result(table, cost, closer, order) for cost in costs for closer in closers])
    return (list(results) for results in product(*by_table))


def cost(results: Sequence[Result], player: Player, order: Order) -> int:
    """Return the points of the player, or the money lost."""
    outcomes = (
        (result.outcome, result.table.players.index(player)) for result in results if player in result.table.players
    )
    return sum(-outcome.money[seat] if order == "money" else outcome.points[seat] for outcome, seat in outcomes)


def hands_won(results: Sequence[Result], player: Player) -> list[tuple[int, int]]:
    """Return the round and the index of each hand that the player won, the most recent first."""
    return sorted(
        (
            (result.table.round, index)
            for result in results
            for index, hand in enumerate(result.outcome.hands)
            if hand.closer is not None and result.table.players[hand.closer] == player
        ),
        reverse=True,
    )


def mean_place(results: Sequence[Result], player: Player) -> Fraction:
    places = [
        result.outcome.places[result.table.players.index(player)]
        for result in results
        if player in result.table.players
    ]
    return Fraction(sum(places), len(places))


def is_ahead(rival: Rival, player: Player, played: Sequence[Result], last: Sequence[Result], order: Order) -> bool:
    """Return whether the rival ends ahead of the player, by the conditions that clinching gives for the rival."""
    mine, bound = cost(last, player, order), rival.share * cost(last, rival.player, order) + rival.room
    if mine != bound:
        return mine > bound
    if rival.level == "mean place":
        return mean_place([*played, *last], rival.player) < mean_place([*played, *last], player)
    own, theirs = hands_won(last, player), hands_won(last, rival.player)
    return theirs > own if theirs != own else rival.level == "behind"


SEATS = {
    "two": [(0, 1)],
    "three": [(0, 1, 2)],
    "five, of whom two sit out": [(0, 1, 2)],
    "two tables": [(0, 1, 2), (3, 4)],
    "five at one table": [(0, 1, 2, 3, 4)],
}


@pytest.mark.parametrize("order", ["points", "money"])
@pytest.mark.parametrize(("name", "seats"), SEATS.items(), ids=SEATS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 12))])
def test_the_conditions_on_rivals_give_the_ranks_of_the_standings(
    name: str, seats: Sequence[Sequence[int]], order: Order, seed: int
) -> None:
    """Check every outcome of the last round and every player."""
    people = 5 if "five" in name or "tables" in name else len(seats[0])
    generator = random.Random(f"{name} {seed}")
    played = history(generator, people, order)
    tables = [
        Table(LAST, number, tuple(PEOPLE[seat] for seat in table_seats)) for number, table_seats in enumerate(seats, 1)
    ]
    penalties = [Ruling(1, "Friday", "penalty", "came late", player=PEOPLE[0], points=1)] if seed % 2 else []
    friday = event(people, minimum=1)
    prospect_of = {
        prospect.player: prospect for prospect in prospects(friday, played, penalties, tables, SCORINGS[order])
    }
    for last in all_outcomes(tables, order):
        rows, _ = standings(
            friday.entrants, [*played, *last], 1, basis=RankingBasis(rulings=penalties, scoring=SCORINGS[order])
        )
        for row in rows:
            ahead = sum(is_ahead(rival, row.player, played, last, order) for rival in prospect_of[row.player].rivals)
            assert row.rank == 1 + ahead, (row.player.name, last)
            for place in range(1, people + 1):
                reached = people - 1 - ahead >= prospect_of[row.player].needed(place)
                assert reached == (row.rank <= place)


def test_a_player_with_too_few_games_is_no_rival() -> None:
    """Elena has one of three games needed and cannot get a rank."""
    played = [
        result(Table(1, 1, PEOPLE), [0] * 5, [None], "points"),
        result(Table(2, 1, PEOPLE[:4]), [1] * 4, [None], "points"),
    ]
    listed = prospects(event(5, minimum=3), played, [], [Table(LAST, 1, PEOPLE[:4])], BY_POINTS)
    assert [prospect.player.name for prospect in listed] == ["Ana", "Beñat", "Carla", "Diego"]
    assert all(rival.player.name != "Elena" for prospect in listed for rival in prospect.rivals)


def test_rivals_are_listed_from_the_strongest_to_the_weakest() -> None:
    """A rival has more room the further they are behind; the leader has least."""
    played = [result(Table(1, 1, PEOPLE[:3]), [10, 40, 25], [0], "points")]
    ana, carla, benat = prospects(event(3), played, [], [Table(2, 1, PEOPLE[:3])], BY_POINTS)
    assert [prospect.player.name for prospect in (ana, benat, carla)] == ["Ana", "Beñat", "Carla"]
    assert [(rival.player.name, rival.room) for rival in benat.rivals] == [("Ana", -30), ("Carla", -15)]
    assert [(rival.player.name, rival.room) for rival in ana.rivals] == [("Carla", 15), ("Beñat", 30)]
    assert (ana.rank, ana.total, ana.left, ana.needed(1), ana.needed(2), ana.needed(3)) == (1, 10, 1, 2, 1, 0)


def test_with_unequal_games_the_points_per_game_count() -> None:
    """Ana has 30 points from one game and then a bye; Beñat has 12 and plays again: 48 points more make them level."""
    played = [
        result(Table(1, 1, PEOPLE[:1]), [30], [None], "points"),
        result(Table(1, 2, PEOPLE[1:2]), [12], [None], "points"),
    ]
    prospect_of: dict[str, Prospect] = {
        prospect.player.name: prospect
        for prospect in prospects(event(2, 1), played, [], [Table(2, 1, PEOPLE[1:2])], BY_POINTS)
    }
    (rival,) = prospect_of["Beñat"].rivals
    assert (rival.player.name, rival.share, rival.room, rival.level) == ("Ana", 0, 48, "shared")
    (other,) = prospect_of["Ana"].rivals
    assert (prospect_of["Ana"].left, other.share, other.room) == (0, Fraction(1, 2), 6 - 30)
