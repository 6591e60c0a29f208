"""Tests of reachable ranks against every outcome of a round, rated by the package `trueskill`."""

import random
from collections import defaultdict
from itertools import permutations, product
from pathlib import Path

import pytest
import trueskill

from tests.harness import desk
from tests.harness.commands import Runner, refusal
from tourney.domain.errors import ExitCode
from tourney.domain.forecasts import RatingProspect
from tourney.ratings.forecast import reachable_ranks
from tourney.ratings.parameters import Parameters, RatingError
from tourney.service.change import apply
from tourney.service.ratings import ratings
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

POOL = Parameters()


def outcomes(sizes: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
    """Return every outcome of the round: by table the places of its seats."""
    return list(product(*(permutations(range(1, size + 1)) for size in sizes)))


def skill(generator: random.Random) -> tuple[float, float]:
    """Return a newcomer's skill or a random one."""
    return generator.choice([(25.0, 25.0 / 3.0), (generator.gauss(25.0, 3.0), generator.uniform(1.0, 5.0))])


@pytest.mark.parametrize("sizes", [(2,), (3,), (5,), (3, 2), (2, 2), (4, 2, 3)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_reachable_ranks_are_those_of_all_outcomes(sizes: tuple[int, ...], seed: int) -> None:
    """Compare close players, newcomers and four players without a game in this round."""
    generator = random.Random(f"{sizes} {seed}")
    tables = [[skill(generator) for _ in range(size)] for size in sizes]
    without_a_game = [generator.gauss(10.0, 6.0) for _ in range(4)]
    environment = trueskill.TrueSkill(draw_probability=POOL.draw)
    seen: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for outcome in outcomes(sizes):
        scores: dict[tuple[int, int], float] = {}
        for table, (skills, places) in enumerate(zip(tables, outcome, strict=True)):
            rated = environment.rate([(environment.create_rating(*skill_),) for skill_ in skills], places)
            scores |= {(table, seat): row.mu - 3.0 * row.sigma for seat, (row,) in enumerate(rated)}
        everybody = [*scores.values(), *without_a_game]
        for (table, seat), mine in scores.items():
            rank = 1 + sum(score > mine + 1e-9 for score in everybody)
            seen[table, seat, outcome[table][seat]].append(rank)
    reachable = reachable_ranks(POOL, tables, without_a_game)
    assert {
        (table, seat, place): best_and_worst
        for table, seats in enumerate(reachable)
        for seat, by_place in enumerate(seats)
        for place, best_and_worst in enumerate(by_place, 1)
    } == {key: (min(ranks), max(ranks)) for key, ranks in seen.items()}


def test_a_table_of_more_than_seven_players_is_refused() -> None:
    with pytest.raises(RatingError, match="more than 7 players"):
        reachable_ranks(POOL, [[(25.0, 8.0)] * 8], [])


@pytest.mark.parametrize(
    ("best", "worst", "rank", "sure", "possible"),
    [
        ((1, 2, 4), (2, 3, 6), 2, 1, 2),
        ((1, 2, 4), (2, 3, 6), 1, 0, 1),
        ((1, 2, 4), (2, 3, 6), 6, 3, 3),
        ((3, 4), (5, 6), 2, 0, 0),
        ((1, 2, 2), (3, 2, 2), 2, 0, 3),
    ],
)
def test_a_place_is_sure_if_every_better_place_is(
    best: tuple[int, ...], worst: tuple[int, ...], rank: int, sure: int, possible: int
) -> None:
    """`sure` and `possible` return the worst place with which the rank is certain, or possible; 0 if there is none."""
    prospect = RatingProspect("Ana", 1, 1, best, worst)
    assert (prospect.sure(rank), prospect.possible(rank)) == (sure, possible)


@pytest.fixture
def friday(tmp_path: Path) -> str:
    """Create an event of four players at one table; round 1 is played, round 2 drawn."""
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=3)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    apply(db, EnterResult(None, 1, 1, desk.hands([player.name for player in table.players])))
    apply(db, DrawRound())
    return db


def test_the_rank_after_a_round_was_reachable(run: Runner, friday: str) -> None:
    """The players finish in the order of their seats; each then has a rank that was reachable with that place."""
    data = run("rating", "whatif", "--pool", "people", "--db", friday, "--json").json
    assert (data["pool"], data["event"], data["round"], data["place"]) == ("people", "Friday", 2, 1)
    (table,) = rounds.show(friday, None, 2).rounds[0].tables
    names = [player.name for player in table.players]
    apply(friday, EnterResult(None, 2, 1, desk.hands(names, (0, 0, 0, 0, 0, 0, 0))))
    ranks = {row.player: row.rank for row in ratings.ratings(friday).rows}
    for prospect in data["players"]:
        place = 1 + names.index(prospect["player"])
        assert prospect["best"][place - 1] <= ranks[prospect["player"]] <= prospect["worst"][place - 1]


def test_one_player_has_a_row_for_each_place(run: Runner, friday: str) -> None:
    words = ("rating", "whatif", "--pool", "people", "--player", "Ana", "--place", "2", "--db", friday)
    (prospect,) = run(*words, "--json").json["players"]
    assert (prospect["player"], prospect["table"], len(prospect["best"])) == ("Ana", 1, 4)
    page = run(*words).out
    assert page.startswith(
        f"Ana, rank {prospect['rank']} now: the ratings of the pool people after round 2 of Friday\n"
    )
    for place, (best, worst) in enumerate(zip(prospect["best"], prospect["worst"], strict=True), 1):
        assert any(line.split() == [str(place), str(best), str(worst)] for line in page.splitlines())


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("--place", "5"), ExitCode.USAGE, "there is no rank 5 among 4 players"),
        (("--pool", "bots"), ExitCode.REFUSED, "no drawn table of Friday that counts in the pool bots lacks a result"),
        (("--pool", "nix"), ExitCode.NOT_FOUND, "there is no pool “nix”"),
        (("--player", "Zoe"), ExitCode.NOT_FOUND, "nobody is called “Zoe”"),
    ],
    ids=["rank", "no table", "pool", "player"],
)
def test_an_impossible_question_is_refused_in_one_line(
    run: Runner, friday: str, words: tuple[str, ...], code: ExitCode, error: str
) -> None:
    pool = () if "--pool" in words else ("--pool", "people")
    said, _hint = refusal(run("rating", "whatif", *pool, *words, "--db", friday), code)
    assert said == f"error: {error}"
