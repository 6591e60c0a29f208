"""Tests of sure, open and out against every ending of small stages, and against simulated endings of larger ones."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from tests.harness.evening.weekend import FINAL, names, planned, play_round, with_stages
from tests.oracles.endings import Entrant, Hand, states
from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Stage, Table
from tourney.service.stages.shown import standings
from tourney.standings.cut_states import PointSpan, Remaining, Runner, cut_states

SEEDS = 60
"""The small stages of every run; the soak test has 2,000."""


def small_stage(seed: int) -> tuple[list[Entrant], list[list[int]], int, list[Hand], int, str]:
    """Return a small stage: entrants, open tables, the round, the hands of a game, places, and how ties are decided.

    Points are close together, so that most endings matter, and some players share them.
    """
    rng = Random(f"small stage {seed}")
    players = rng.randint(3, 6)
    number = rng.randint(1, 3)
    hands = [Hand((rng.choice((-2, -1)), 0), (1, 2, 3)) for _hand in range(rng.choice((1, 1, 1, 2)))]
    seats = list(range(players))
    rng.shuffle(seats)
    sizes = rng.choice([[2], [3], [2, 2]] if len(hands) == 1 else [[2]])
    tables, waiting = [], list(seats)
    for size in sizes:
        if len(waiting) >= size:
            tables.append([waiting.pop() for _seat in range(size)])
    seated = {name for table in tables for name in table}
    entrants = []
    for name in range(players):
        games = number - 1 if name in seated else number
        games -= rng.random() < 0.1 and games > 1
        won = frozenset(
            (each, hand) for each in range(1, games + 1) for hand in range(len(hands)) if rng.random() < 0.4
        )
        entrants.append(Entrant(name, rng.randint(0, 5) if games else 0, games, won, rng.random() > 0.07))
    return (
        entrants,
        tables,
        number,
        hands,
        rng.randint(1, players),
        rng.choice(("recent", "recent", "together", "doubt")),
    )


def decided(
    entrants: list[Entrant], tables: list[list[int]], number: int, hands: list[Hand], places: int, ties: str
) -> dict[int, str]:
    """Return the states that the program gives."""
    runners = [
        Runner(each.name, each.points, each.games, tuple(sorted(each.won, reverse=True)), each.plays)
        for each in entrants
    ]
    spans = tuple(PointSpan(min(hand.closing), min(hand.others), max(hand.others)) for hand in hands)
    remaining = Remaining(number, tuple(map(tuple, tables)), 0, spans, ties)  # type: ignore[arg-type]
    found = cut_states(runners, remaining, places)
    return {each.name: found[each.name] for each in entrants if each.plays}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_sure_open_and_out_are_those_of_all_endings(seed: int) -> None:
    stage = small_stage(seed)
    assert decided(*stage) == states(*stage)


@pytest.mark.soak
def test_sure_open_and_out_are_those_of_all_endings_of_2000_small_stages() -> None:
    found = {"sure": 0, "open": 0, "out": 0}
    for seed in range(2000):
        stage = small_stage(seed)
        expected = states(*stage)
        assert decided(*stage) == expected, seed
        for state in expected.values():
            found[state] += 1
    assert min(found.values()) > 800, found


SPAN = PointSpan(-10, 2, 200)
"""The points of a hand by the official rules: -10 at least for who closes it, 2 at least for the others."""


def larger_stage(seed: int) -> tuple[list[Entrant], list[list[int]], int, int, int]:
    """Return entrants close together, the open tables of a round, its number, the undrawn rounds, and places."""
    rng = Random(f"larger stage {seed}")
    players, number, undrawn = rng.randint(5, 14), rng.randint(1, 4), rng.choice((0, 0, 0, 1, 2))
    seats = list(range(players))
    rng.shuffle(seats)
    open_tables = rng.randint(0 if undrawn else 1, 3)
    tables = [seats[4 * at : 4 * at + 4] for at in range(open_tables) if len(seats) >= 4 * at + 4]
    seated = {name for table in tables for name in table}
    entrants = []
    for name in range(players):
        games = number - (name in seated)
        won = frozenset((each, hand) for each in range(1, games + 1) for hand in range(7) if rng.random() < 0.2)
        entrants.append(Entrant(name, games * rng.randint(40, 90) if games else 0, games, won, rng.random() > 0.05))
    return entrants, tables, number, undrawn, rng.randint(1, players)


def ending(entrants: list[Entrant], tables: list[list[int]], number: int, undrawn: int, rng: Random) -> list[Entrant]:
    """Return the entrants after random games; one table in three has the extremes to which a proof must hold."""
    after = {each.name: each for each in entrants}
    playing = [each.name for each in entrants if each.plays]
    rounds = [tables]
    for _round in range(undrawn):
        order = rng.sample(playing, len(playing))
        rounds.append([order[at : at + 4] for at in range(0, len(order) - 1, 4) if len(order[at : at + 4]) > 1])
    for later, seated in enumerate(rounds):
        for table in seated:
            for name, points, won in game(table, number + later, rng):
                before = after[name]
                after[name] = Entrant(name, before.points + points, before.games + 1, before.won | won, before.plays)
    return list(after.values())


def game(table: list[int], number: int, rng: Random):
    """Yield the points and the hands won of each player of a table."""
    extreme, favourite = rng.random() < 0.33, rng.choice(table)
    points, won = dict.fromkeys(table, 0), {name: set() for name in table}
    for hand in range(7):
        closer = favourite if extreme else rng.choice([*table, None])
        for name in table:
            others = rng.choice((SPAN.least, SPAN.most)) if extreme else rng.randint(SPAN.least, 60)
            points[name] += rng.choice((-10, 0)) if name == closer else others
        if closer is not None:
            won[closer].add((number, hand))
    return [(name, points[name], frozenset(won[name])) for name in table]


def check_endings(stages: int, endings: int, first: int = 0) -> dict[str, int]:
    """Check random endings of larger stages: who is sure goes through, who is out does not; count the states."""
    counts = {"sure": 0, "open": 0, "out": 0}
    for seed in range(first, first + stages):
        entrants, tables, number, undrawn, places = larger_stage(seed)
        runners = [
            Runner(each.name, each.points, each.games, tuple(sorted(each.won, reverse=True)), each.plays)
            for each in entrants
        ]
        found = cut_states(runners, Remaining(number, tuple(map(tuple, tables)), undrawn, (SPAN,) * 7), places)
        for each in entrants:
            counts[found[each.name]] += each.plays
        rng = Random(f"endings {seed}")
        for _ending in range(endings):
            after = [each for each in ending(entrants, tables, number, undrawn, rng) if each.plays]
            order = sorted(
                after,
                key=lambda each: (
                    Fraction(each.points, each.games) if each.games else Fraction(10**9),
                    [(-a, -b) for a, b in sorted(each.won, reverse=True)] + [(1, 1)],
                ),
            )
            for place, each in enumerate(order):
                assert not (found[each.name] == "sure" and place >= places), (seed, each)
                assert not (found[each.name] == "out" and place < places), (seed, each)
    return counts


def test_nobody_is_called_sure_or_out_wrongly_in_simulated_endings() -> None:
    counts = check_endings(60, 10)
    assert min(counts.values()) > 20, counts


@pytest.mark.soak
def test_nobody_is_called_sure_or_out_wrongly_in_100000_simulated_endings() -> None:
    counts = check_endings(2000, 50)
    assert min(counts.values()) > 500, counts


@dataclass
class Known:
    """The games of a player, each with its points, and the rounds in which the player won the only hand."""

    games: list[int] = field(default_factory=list)
    won: list[int] = field(default_factory=list)

    def add(self, points: int, number: int, *, won: bool) -> None:
        self.games.append(points)
        self.won += [number] if won else []

    def after(self, points: int) -> "Known":
        """Return what is known after a second game with these points."""
        return Known([*self.games, points], [*self.won, 2] if points == 0 else self.won)


def one_table_open(
    db: str, seed: int, ties: str, tie_breaks: str | None
) -> tuple[dict[str, Known], list[list[int]], list[str]]:
    """Play two rounds of 16 without one table; return what is known of each, the games, and who sits at the table."""
    final = planned(FINAL, ties=ties, hands=("TT",), tables=None)
    with_stages(db, 16, Stage("Qualifying", 2, hands=("TT",)), final, tie_breaks=tie_breaks)
    rng, known = Random(f"one table open {seed}"), {name: Known() for name in names(16)}
    games: list[list[int]] = []

    def sheet(_event: Event, table: Table) -> list[SheetHand[str]]:
        points = [0, *(rng.choice((5, 10, 20, 40)) for _other in table.players[1:])]
        games.append(points)
        for player, each in zip(table.players, points, strict=True):
            known[player.shown].add(each, table.round, won=each == 0)
        return [SheetHand("TT", {player.shown: each for player, each in zip(table.players, points, strict=True)})]

    play_round(db, sheet)
    drawn = play_round(db, sheet, open_tables=1)
    return known, games, [player.shown for player in drawn.tables[-1].players]


def no_tie_break(_known: Known) -> object:
    return 0


def latest_hand(known: Known) -> object:
    """Return what is smaller for who won the hand of round 2, then of round 1."""
    return 2 not in known.won, 1 not in known.won


def hands_won(known: Known) -> object:
    return -len(known.won)


def shares_of(known: dict[str, Known], key: Callable[[Known], object], *, together: bool) -> dict[str, Fraction]:
    """Return the share of each player in four places: the level ones share what is left, or all go together."""
    order = {name: (Fraction(sum(each.games), len(each.games)), key(each)) for name, each in known.items()}
    shares = {}
    for name, own in order.items():
        above, level = sum(each < own for each in order.values()), sum(each == own for each in order.values())
        shares[name] = min(Fraction(1), Fraction(max(0, 4 - above), 1 if together else level))
    return shares


TIES = {
    "the latest hand": ("list", None, latest_hand),
    "hands won": ("list", "hands-won", hands_won),
    "a play-off hand": ("play-off", None, no_tie_break),
    "all who tie": ("together", None, no_tie_break),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ties", TIES)
def test_chances_of_one_open_table_are_those_of_all_its_endings(new_db: str, ties: str, seed: int) -> None:
    """Every game that was played is given in every order to the four at the table; ties are decided as the stage says.

    The chances of four places add up to four, but where all who tie go through.
    """
    kind, tie_breaks, key = TIES[ties]
    known, games, table = one_table_open(new_db, seed, kind, tie_breaks)
    totals, endings = dict.fromkeys(known, Fraction(0)), 0
    for game in games:
        for points in permutations(game):
            after = known | {name: known[name].after(each) for name, each in zip(table, points, strict=True)}
            endings += 1
            for name, share in shares_of(after, key, together=kind == "together").items():
                totals[name] += share
    expected = {name: float(total / endings) for name, total in totals.items()}
    assert {row.player.shown: row.chance for row in standings(new_db).rows} == pytest.approx(expected)
    if kind != "together":
        assert sum(row.chance or 0 for row in standings(new_db).rows) == pytest.approx(4)
