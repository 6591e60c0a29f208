"""Tests of plans: known optima are reached, every figure is recounted, and many sizes are fair."""

import re
import subprocess
import sys
from collections import Counter
from itertools import combinations, product

import pytest

from tests.harness.effort import effort
from tests.harness.slow import slow
from tourney.seating.balance.edge_colouring import colour_seats
from tourney.seating.build import build
from tourney.seating.designs.constructions import design, prime_power
from tourney.seating.designs.cyclic import cyclic_design, near_cyclic_design
from tourney.seating.model import Seating, table_sizes
from tourney.seating.plan import PlanWish, plan
from tourney.seating.quality.metrics import judge
from tourney.seating.rng import seeded_rng, shuffled

# (players, size, rounds) without a repeat, by transversal designs, resolvable designs or published cyclic base rounds.
WITHOUT_REPEATS = [
    (16, 4, 5), (20, 4, 5), (24, 4, 6), (24, 4, 7), (28, 4, 7), (32, 4, 8), (48, 4, 5),
    (64, 4, 9), (80, 4, 8), (100, 4, 5), (200, 4, 6), (1000, 4, 6), (25, 5, 6), (36, 6, 3), (64, 8, 9),
    (15, 3, 7), (18, 3, 8), (21, 3, 10), (9, 3, 4), (9, 4, 4), (10, 2, 9), (24, 3, 11), (27, 3, 13), (30, 3, 14),
    (30, 5, 6),
    (28, 4, 9), (36, 4, 11), (35, 4, 10), (34, 4, 10), (33, 4, 10), (40, 4, 10),
    (22, 4, 5), (23, 4, 5), (26, 4, 5), (30, 4, 5), (31, 4, 5), (47, 4, 5), (98, 4, 5), (197, 4, 5), (998, 4, 5),
]  # fmt: skip

# (players, rounds, fewest repeats by exhaustive search, fewest without third meetings); tables of four and three.
EXACT_PLAYERS = [(8, 3, 8, 12), (12, 3, 6, 9), (10, 4, 3, 7), (11, 4, 8, 12)]


def count_meetings(rounds) -> Counter:
    met: Counter = Counter()
    for tables in rounds:
        for table in tables:
            for player in table:
                for opponent in table:
                    if player < opponent:
                        met[player, opponent] += 1
    return met


def count_repeats(rounds) -> int:
    return sum(count_meetings(rounds).values()) - len(count_meetings(rounds))


def assert_complete(seating: Seating, players: int, sizes: tuple[int, ...], rounds: int) -> None:
    """Assert that everybody appears once in every round, at a table or with a bye, and that tables have these sizes."""
    assert len(seating.rounds) == len(seating.sitting_out) == rounds
    for tables, byes in zip(seating.rounds, seating.sitting_out, strict=True):
        everybody = [player for table in tables for player in table] + list(byes)
        assert sorted(everybody) == list(range(players))
        assert tuple(sorted(map(len, tables), reverse=True)) == sizes
        assert list(byes) == sorted(byes)


@pytest.mark.parametrize(("players", "size", "rounds"), WITHOUT_REPEATS)
def test_nobody_meets_twice_where_possible(players, size, rounds):
    """Check eight seeds, two for more than 100 players: no repeats, fair seats and short tables."""
    for seed in range(2 if players > 100 else 8):
        assert_fair_without_repeats(players, size, rounds, seed)


@pytest.mark.soak
@pytest.mark.parametrize(("players", "size", "rounds"), WITHOUT_REPEATS)
def test_nobody_meets_twice_with_any_of_fifty_seeds(players, size, rounds):
    for seed in range(50):
        assert_fair_without_repeats(players, size, rounds, seed)


def assert_fair_without_repeats(players: int, size: int, rounds: int, seed: int) -> None:
    """Assert that nobody meets twice; that first deals, rounds at a smaller table and, at equal tables, a player's
    seats differ by one at most; and that nobody has a seat more often than ⌈rounds / smallest table⌉."""
    seating = plan(players, size, rounds, seed)
    sizes = table_sizes(players, size)
    assert_complete(seating, players, sizes, rounds)
    assert count_repeats(seating.rounds) == 0
    seats = Counter((p, s) for tables in seating.rounds for table in tables for s, p in enumerate(table))
    assert max(seats.values()) <= -(-rounds // min(sizes))
    assert within_one([seats[player, 0] for player in range(players)])
    short = Counter(p for tables in seating.rounds for table in tables if len(table) < max(sizes) for p in table)
    assert within_one([short[player] for player in range(players)])
    if min(sizes) == max(sizes):
        assert all(within_one([seats[player, seat] for seat in range(max(sizes))]) for player in range(players))


def within_one(counts: list[int]) -> bool:
    return max(counts) - min(counts) <= 1


@pytest.mark.parametrize(
    ("players", "size", "rounds", "most"),
    [(24, 4, 7, 42), (22, 4, 5, 42), (26, 4, 5, 42), (64, 8, 9, 42), (200, 4, 6, 42), (197, 4, 5, 42),
     (1000, 4, 6, 170), (998, 4, 5, 170)],
)  # fmt: skip
def test_a_whole_tournament_is_planned_quickly(players, size, rounds, most):
    """Take the least of three efforts in millions of passes, without the cache."""
    efforts = []
    for seed in range(3):
        build.cache_clear()
        efforts.append(effort(lambda seed=seed: plan(players, size, rounds, seed)))
    assert min(efforts) < most


@pytest.mark.parametrize(("players", "size", "rounds"), [(16, 4, 5), (20, 4, 7), (12, 4, 3), (25, 5, 6), (36, 6, 8)])
def test_seats_of_equal_tables_are_level(players, size, rounds):
    """By König's theorem, at equal tables a player's counts of all seats can differ by one at most."""
    seating = plan(players, size, rounds, "level")
    for player in range(players):
        seats = [table.index(player) for tables in seating.rounds for table in tables if player in table]
        counts = [seats.count(seat) for seat in range(size)]
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(("players", "rounds", "fewest", "without_third"), EXACT_PLAYERS)
def test_proven_minima_are_reached(players, rounds, fewest, without_third):
    """Both aims reach the fewest repeats that exhaustive search found; the second aim has no third meeting."""
    for seed in range(20):
        assert count_repeats(plan(players, 4, rounds, seed).rounds) == fewest
        spread = plan(players, 4, rounds, seed, PlanWish(aim="no third meeting")).rounds
        assert (count_repeats(spread), max(count_meetings(spread).values())) == (without_third, 2)


def best_by_brute_force(players: int, rounds: int) -> int:
    """Return the fewest repeats at two tables of players / 2, by trying all splits in all rounds."""
    half = players // 2
    splits = [set(side) | {0} for side in combinations(range(1, players), half - 1)]
    seatings = [[tuple(sorted(side)), tuple(sorted(set(range(players)) - side))] for side in splits]
    return min(count_repeats([seatings[0], *later]) for later in product(seatings, repeat=rounds - 1))


@pytest.mark.parametrize(("players", "rounds"), [(6, 2), (6, 3), (6, 4), (8, 2), (8, 3)])
def test_brute_force_finds_no_fewer_repeats(players, rounds):
    """Try every split of every round at two tables."""
    assert count_repeats(plan(players, players // 2, rounds, 1).rounds) == best_by_brute_force(players, rounds)


@pytest.mark.parametrize("remainder", ["short tables", "sit out"])
@pytest.mark.parametrize("rounds", [3, *slow([5])])
def test_every_number_of_players_is_seated_fairly(remainder, rounds):
    """Check 4 to 40 players: complete rounds, and level first deals, seats, byes and rounds at short tables."""
    for players in range(4, 41):
        seating = plan(players, 4, rounds, players, PlanWish(remainder=remainder))
        assert_complete(seating, players, table_sizes(players, 4, remainder=remainder), rounds)
        judged = judge(seating.rounds, players)
        assert judged.repeats == count_repeats(seating.rounds)
        assert judged.dealer_spread <= 1
        assert judged.byes_spread <= 1
        smallest = min(len(table) for table in seating.rounds[0])
        assert judged.seat_most <= -(-rounds // smallest)
        assert judged.smaller_table_spread <= (1 if players > 18 else 3)
        assert judged.repeats == 0 or players < 15 or (remainder == "sit out" and players < 22)


@pytest.mark.parametrize(
    ("players", "rounds"), [(5, 9), (7, 6), (11, 8), (22, 13), *slow([(9, 12), (18, 10), (27, 11)])]
)
def test_nobody_has_two_byes_before_everybody_has_one(players, rounds):
    """Compare the counts of byes after every round."""
    seating = plan(players, 4, rounds, "turns", PlanWish(remainder="sit out"))
    counts = [0] * players
    for byes in seating.sitting_out:
        assert len(byes) == players % 4
        for player in byes:
            counts[player] += 1
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(
    ("players", "size", "least", "remainder", "sizes"),
    [
        (22, 4, 2, "short tables", (4, 4, 4, 4, 3, 3)),
        (5, 4, 2, "short tables", (3, 2)),
        (5, 4, 2, "sit out", (4,)),
        (3, 4, 2, "sit out", (3,)),
        (9, 4, 2, "short tables", (3, 3, 3)),
        (5, 4, 3, "short tables", (4,)),
        (7, 6, 4, "short tables", (6,)),
        (16, 4, 2, "short tables", (4, 4, 4, 4)),
        (17, 8, 5, "short tables", (6, 6, 5)),
        (2, 4, 2, "short tables", (2,)),
    ],
)
def test_table_sizes(players, size, least, remainder, sizes):
    """There are the fewest tables that hold all players, with sizes that differ by one at most; or full tables only."""
    assert table_sizes(players, size, least, remainder) == sizes


def test_table_sizes_are_the_fewest_and_most_level_of_all_partitions():
    """Compare with every split of the players into tables of `least` to `size`; if there is none, byes are as few as
    possible."""

    def partitions(players, size, least):
        if players == 0:
            yield ()
        for first in range(least, min(size, players) + 1):
            yield from ((*rest, first) for rest in partitions(players - first, first, least))

    for players, size, least in product(range(2, 21), (3, 4, 5), (2, 3)):
        options = [sorted(option, reverse=True) for option in partitions(players, size, least)]
        if not options and players < least:
            with pytest.raises(ValueError, match="too few players for a table"):
                table_sizes(players, size, least)
            continue
        seated = players
        while not options:
            seated -= 1
            options = [sorted(option, reverse=True) for option in partitions(seated, size, least)]
        best = min(options, key=lambda option: (len(option), option[0] - option[-1]))
        assert table_sizes(players, size, least) == tuple(best)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: table_sizes(1, 4), "too few players for a table: 1; the smallest has 2"),
        (lambda: table_sizes(0, 4), "too few players for a table: 0"),
        (lambda: table_sizes(5, 4, 5), "2 <= least <= size"),
        (lambda: table_sizes(5, 4, remainder="stand"), "short tables, sit out"),
        (lambda: plan(8, 4, 0, 1), "plan at least one"),
        (lambda: plan(8, 4, 1, 1, PlanWish(played=[[(0, 1, 2, 3)], [(4, 5, 6, 7)]])), "no fewer than played"),
        (lambda: plan(8, 4, 2, 1, PlanWish(played=[[(0, 1, 2, 3), (3, 4)]])), "round 1 seats player 3 twice"),
        (lambda: judge([[(0, 1)], [(0, -2)]], 2), "round 2 seats a player -2"),
    ],
)
def test_an_impossible_plan_is_refused_with_a_clear_message(call, message):
    """The message names the number that is wrong."""
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_the_seed_decides_everything():
    """A seed gives the same plan as number or as text; other seeds give other plans of the same quality."""
    first = plan(22, 4, 5, 7)
    assert plan(22, 4, 5, "7") == first
    others = {plan(22, 4, 5, seed).rounds for seed in range(20)}
    assert len(others) == 20
    assert {count_repeats(rounds) for rounds in others} == {0}


@pytest.mark.slow
def test_a_plan_does_not_depend_on_the_process():
    """Interpreters with other hash seeds print the same rounds, one plan searched and one constructed."""
    program = "from tourney.seating.plan import plan; print(plan(14, 4, 5, 'x').rounds, plan(23, 4, 4, 3).rounds)"
    printed = {
        subprocess.run([sys.executable, "-c", program], env={"PYTHONHASHSEED": salt, "PYTHONPATH": ":".join(sys.path)},
                       capture_output=True, text=True, check=True).stdout
        for salt in ("0", "4711")
    }  # fmt: skip
    assert printed == {f"{plan(14, 4, 5, 'x').rounds} {plan(23, 4, 4, 3).rounds}\n"}


def test_all_pairs_meet_with_equal_probability():
    """The seed assigns the players: in 400 single rounds of 8 players each pair meets in about 3 of 7."""
    met: Counter = Counter()
    for seed in range(400):
        met.update(count_meetings(plan(8, 4, 1, seed).rounds))
    # 400 * 3 / 7 is 171, the standard deviation 9.9; all pairs stay within five standard deviations.
    assert len(met) == 28
    assert all(122 <= count <= 221 for count in met.values())


@pytest.mark.parametrize(
    ("players", "rounds", "remainder"), [(24, 6, "short tables"), (13, 5, "sit out"), (14, 5, "sit out")]
)
def test_played_rounds_of_a_plan_leave_the_rest_of_it_unchanged(players, rounds, remainder):
    """Planning after each played round gives the plan made before the first."""
    whole = plan(players, 4, rounds, 3, PlanWish(remainder=remainder))
    for done in range(rounds + 1):
        assert plan(players, 4, rounds, 3, PlanWish(remainder=remainder, played=whole.rounds[:done])) == whole


@pytest.mark.parametrize("change", [-2, -1, 1, 2])
@pytest.mark.parametrize("players", [16, 24, *slow([12, 22, 40])])
def test_played_rounds_are_kept_when_entrants_change(players, change):
    """The played rounds come first and unchanged; the other rounds seat the players present now."""
    before = plan(players, 4, 5, 1).rounds[:2]
    after = plan(players + change, 4, 5, 1, PlanWish(played=before))
    assert after.rounds[:2] == before
    sizes = table_sizes(players + change, 4)
    later = Seating(after.rounds[2:], after.sitting_out[2:])
    assert_complete(later, players + change, sizes, 3)
    assert judge(after.rounds, players + change).dealer_spread <= 1
    assert count_repeats(after.rounds) == 0 or players < 24


@pytest.mark.parametrize(("players", "rounds", "done"), [(24, 6, 2), (28, 7, 3), (32, 8, 3), (100, 5, 2)])
def test_a_withdrawal_changes_only_the_tables_of_that_player(players, rounds, done):
    """The coming rounds are given: the player who left is missing at their tables, and nothing else changes."""
    first = plan(players, 4, rounds, 9)
    after = plan(players - 1, 4, rounds, 9, PlanWish(played=first.rounds[:done], ahead=first.rounds[done:]))
    for planned, replanned in zip(first.rounds[done:], after.rounds[done:], strict=True):
        without = {frozenset(table) - {players - 1} for table in planned}
        assert {frozenset(table) for table in replanned} == without


def test_the_judgement_of_two_small_rounds():
    """Counted by hand: 0 and 1 meet twice, 0 deals twice, 4 has a bye, 2 and 3 sit at a smaller table."""
    judged = judge([[(0, 1, 4), (2, 3)], [(0, 1), (2, 3)]], 5)
    assert (judged.repeats, judged.most_meetings, judged.worst_pair) == (2, 2, (0, 1))
    assert (judged.dealer_spread, judged.seat_most, judged.seat_spread) == (2, 2, 2)
    assert (judged.smaller_table_spread, judged.byes_spread) == (1, 1)


def test_meetings_with_a_player_who_left_count_but_not_their_deals_and_byes():
    """Player 4 has left: the two meetings with 0 count, the missing deals of 4 do not."""
    judged = judge([[(4, 0), (1, 2)], [(0, 4), (2, 1)]], 4)
    assert (judged.repeats, judged.most_meetings, judged.worst_pair) == (2, 2, (0, 4))
    assert (judged.dealer_spread, judged.byes_spread) == (1, 2)


def test_designs_never_repeat_a_meeting():
    """Check all designs for 2 to 20 tables of 2 to 6 players; each has at least one round."""
    for tables, size in product(range(2, 21), range(2, 7)):
        design_rounds = design(tables, size, 9).rounds
        assert 1 <= len(design_rounds) <= 9
        for seated in design_rounds:
            assert sorted(player for table in seated for player in table) == list(range(tables * size))
        assert max(count_meetings(design_rounds).values()) == 1


@pytest.mark.parametrize(("order", "size"), [(4, 4), (5, 4), (7, 6), (8, 8), (9, 9), (16, 5), (25, 4), (27, 6)])
def test_prime_powers_give_as_many_rounds_as_tables(order, size):
    """By Bose, a field of q elements gives q parallel classes of a transversal design; one more if size divides q."""
    assert prime_power(order) is not None
    assert len(design(order, size, order + 1).rounds) == order + (1 if order % size == 0 else 0)


@pytest.mark.parametrize(
    ("tables", "size", "rounds"),
    [
        (5, 3, 7),
        (6, 3, 8),
        (7, 3, 10),
        (8, 3, 11),
        (9, 3, 13),
        (10, 3, 14),
        (6, 4, 7),
        (7, 4, 9),
        (9, 4, 11),
        (10, 4, 10),
        (6, 5, 6),
    ],
)
def test_base_rounds_develop_without_a_repeat(tables, size, rounds):
    """Every round seats everybody once, and no two players meet twice."""
    base = cyclic_design(tables, size)
    assert base is not None
    groups = base.develop()
    assert len(groups) == rounds
    assert all(
        sorted(player for table in seated for player in table) == list(range(tables * size)) for seated in groups
    )
    assert max(count_meetings(groups).values()) == 1


def test_colours_are_proper_in_every_block():
    """At random tables no player has a seat twice within as many rounds as the smallest table has seats."""
    for seed in range(60):
        rng = seeded_rng("colours", seed)
        sizes = [4, 4, 3, 3] if seed % 2 else [5, 4, 2]
        order = [shuffled(list(range(sum(sizes))), rng) for _ in range(7)]
        tables = [row[sum(sizes[:t]) : sum(sizes[: t + 1])] for row in order for t in range(len(sizes))]
        seated = colour_seats(tables)
        assert [sorted(table) for table in seated] == [sorted(table) for table in tables]
        for player in range(sum(sizes)):
            seats = [table.index(player) for table in seated if player in table]
            for first in range(0, len(seats), min(sizes)):
                block = seats[first : first + min(sizes)]
                assert len(set(block)) == len(block)


def test_a_plan_of_equal_tables_ends_although_past_short_tables_are_uneven():
    """Rounds at short tables are uneven, and no short table is left to level them."""
    played = [[(0, 1, 2, 3), (4, 5, 6)], [(0, 1, 2, 3), (4, 5, 6)], [(0, 1, 2, 3), (4, 5, 6)]]
    after = plan(8, 4, 5, 1, PlanWish(played=played))
    assert [list(map(len, tables)) for tables in after.rounds[3:]] == [[4, 4], [4, 4]]
    assert judge(after.rounds, 8).smaller_table_spread == 3


# Tables of four, rounds, and repeats. The first two are optimal: all pairs of 20 and of 24 players meet.
NEARLY_WITHOUT = [(5, 7, 7 * 30 - 190), (6, 9, 9 * 36 - 276), (8, 10, 10)]


@pytest.mark.parametrize(("tables", "rounds", "repeats"), NEARLY_WITHOUT)
def test_near_cyclic_designs_have_few_repeats_and_no_third_meeting(tables, rounds, repeats):
    """Such designs have more rounds than designs without repeats; with one player fewer there are no more repeats."""
    base = near_cyclic_design(tables, 4)
    assert base is not None
    assert base.rounds == rounds
    met = count_meetings(base.develop())
    assert (sum(met.values()) - len(met), max(met.values())) == (repeats, 2)
    assert count_repeats(plan(4 * tables - 1, 4, rounds, 1).rounds) <= repeats


@pytest.mark.parametrize(("players", "size", "rounds"), [(16, 4, 9), (16, 4, 10), (9, 3, 8), (15, 4, 8), (10, 2, 14)])
def test_nobody_meets_three_times_where_two_meetings_suffice(players, size, rounds):
    """With these sizes all pairs meet once in a number of rounds, and twice as many rounds hold the whole plan."""
    seating = plan(players, size, rounds, 1, PlanWish(aim="no third meeting"))
    met = count_meetings(seating.rounds)
    assert (len(met), max(met.values())) == (players * (players - 1) // 2, 2)


# Players, size, rounds, and the fewest repeats that an annealer in C found without third meetings and with nobody two
# rounds at a smaller table above an equal share.
BEST_SEEN = [(17, 4, 6, 2), (18, 4, 6, 3), (29, 4, 8, 0), (18, 5, 5, 22)]


@pytest.mark.parametrize(("players", "size", "rounds", "repeats"), [BEST_SEEN[0], *slow(BEST_SEEN[1:])])
def test_the_search_has_no_more_repeats_than_an_annealer_in_c(players, size, rounds, repeats):
    seating = plan(players, size, rounds, 1, PlanWish(aim="no third meeting"))
    assert count_repeats(seating.rounds) <= repeats
    assert max(count_meetings(seating.rounds).values()) <= 2


@pytest.mark.parametrize(
    ("players", "size", "rounds", "meetings", "repeats"),
    [(10, 5, 4, 3, 42), (9, 5, 6, 4, 61), (8, 5, 6, 3, 44)],
)
def test_no_pair_meets_in_every_round_where_others_could_meet_once_more(
    players: int, size: int, rounds: int, meetings: int, repeats: int
) -> None:
    """A director found such plans by hand, and none in which the pair that meets most often meets less."""
    for seed in (1, 2):
        judged = judge(plan(players, size, rounds, seed, PlanWish(aim="no third meeting")).rounds, players)
        assert judged.most_meetings <= meetings
        assert judged.repeats <= repeats
