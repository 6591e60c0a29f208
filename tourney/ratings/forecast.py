"""Forecasts: probabilities of places and orders of a game by quadrature, the quality of a table, and reachable ranks.

A player's performance is normal: the mean is mu, the variance sigma² + beta². The better performance finishes ahead.
Ties, performances within the draw margin, are left out: one player is always ahead.

Reachable ranks: tables of a round share no players, so each table adds to the ranks ahead of a player its own minimum
and maximum.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import permutations
from math import ceil, cos, erfc, exp, floor, inf, log, log2, pi, sqrt
from operator import mul
from typing import Final, final

from tourney.ratings.kernel import Skill, rate_table
from tourney.ratings.parameters import Parameters, RatingError

MAX_PLAYERS: Final = 7
"""The most players of a table whose finishing orders are all enumerated: 5,040 orders."""

RankRange = tuple[int, int]
"""The best and the worst rank that is possible."""


def reachable_ranks(
    parameters: Parameters, tables: Sequence[Sequence[Skill]], other_scores: Sequence[float]
) -> list[list[list[RankRange]]]:
    """Return by table and seat the ranks that place 1, 2, … at that table allows, however the other tables end.

    Ranks are by score among all these players and those who do not play, whose scores are `other_scores`; equal
    scores share a rank. Tables end without ties. Raises RatingError for a table of more than MAX_PLAYERS players, and
    where the numbers overflow.
    """
    if any(len(skills) > MAX_PLAYERS for skills in tables):
        raise RatingError(
            "a table of more than {most} players has too many finishing orders to check all of them",
            "ask for the standings of the event instead: leave --pool out",
            most=MAX_PLAYERS,
        )
    ends = [list(_ends(parameters, skills)) for skills in tables]
    above = [_CountAbove([scores for _places, scores in table_ends]) for table_ends in ends]
    others = sorted(other_scores)
    return [_table_ranges(table, [*above[:at], *above[at + 1 :]], others) for at, table in enumerate(ends)]


_End = tuple[Sequence[int], Sequence[float]]
"""A possible end of a table: the place and the new score of every seat."""


def _ends(parameters: Parameters, skills: Sequence[Skill]) -> Iterator[_End]:
    for places in permutations(range(1, len(skills) + 1)):
        yield places, [mu - 3 * sigma for mu, sigma in rate_table(parameters, skills, places)]


@final
class _CountAbove:
    """Counts the players of a table above a score: the minimum and the maximum over all its ends."""

    def __init__(self, ends: Sequence[Sequence[float]]) -> None:
        self._steps = sorted({score for scores in ends for score in scores})
        lists = [sorted(scores) for scores in ends]
        # Between two steps the counts are constant; below the first one everybody is above.
        self._counts = [(len(lists[0]), len(lists[0])), *(_extremes(lists, step) for step in self._steps)]

    def count(self, score: float) -> RankRange:
        """Return the minimum and the maximum number of players above a score."""
        return self._counts[bisect_right(self._steps, score)]


def _extremes(lists: Sequence[Sequence[float]], score: float) -> RankRange:
    counts = [len(scores) - bisect_right(scores, score) for scores in lists]
    return min(counts), max(counts)


def _table_ranges(
    ends: Sequence[_End], others: Sequence[_CountAbove], other_scores: Sequence[float]
) -> list[list[RankRange]]:
    """Return the ranges of one table by seat and place."""
    seats = range(len(ends[0][0]))
    ranges: list[list[list[RankRange]]] = [[[] for _ in seats] for _ in seats]
    for places, scores in ends:
        for seat in seats:
            score = scores[seat]
            above = len(other_scores) - bisect_right(other_scores, score)
            rank = 1 + above + sum(other > score for other in scores)
            counts = [table.count(score) for table in others]
            best = rank + sum(least for least, _most in counts)
            worst = rank + sum(most for _least, most in counts)
            ranges[seat][places[seat] - 1].append((best, worst))
    return [
        [(min(best for best, _ in ranks), max(worst for _, worst in ranks)) for ranks in by_place]
        for by_place in ranges
    ]


_REACH: Final = 6.5
"""Standard deviations from the mean beyond which a performance is cut off: less than 1e-10 of it lies there."""
_MAX_NODES: Final = 200_000
_NODES_PER_DEVIATION: Final = 16.0
"""Nodes in a standard deviation where integrals are nested."""
_ROOT_TWO: Final = sqrt(2.0)
_ROOT_TWO_PI: Final = sqrt(2.0 * pi)

Performance = tuple[float, float]
"""Mean and standard deviation of a player's performance in one game."""
CountProbabilities = Sequence[Sequence[float]]
"""The probabilities that 0, 1, 2, … players are above each node."""


def win_probability(skill: Skill, other: Skill, beta: float) -> float:
    """Return the probability that the first of the two finishes ahead of the other."""
    (mu, sigma), (their_mu, their_sigma) = skill, other
    return 0.5 * erfc((their_mu - mu) / sqrt(2.0 * (sigma * sigma + their_sigma * their_sigma + 2.0 * beta * beta)))


def place_probabilities(skills: Sequence[Skill], beta: float) -> list[list[float]]:
    """Return for each player the probabilities of place 1, 2, … to the last, each accurate to 1e-8.

    They sum to 1 for each player and for each place. Raises RatingError where the standard deviations differ so much
    that the quadrature would take too many nodes.
    """
    performances = _performances(skills, beta)
    step = min(deviation for _mean, deviation in performances) / sqrt(len(performances))
    nodes = list(_nodes(performances, step))
    above = [[_above(performance, x) for x in nodes] for performance in performances]
    densities = [[_density(performance, x) * step for x in nodes] for performance in performances]
    places: dict[int, list[float]] = {}
    for player, counts in _counts_of_others(range(len(performances)), [[1.0] * len(nodes)], above):
        places[player] = [sum(map(mul, densities[player], count)) for count in counts]
    return [places[player] for player in range(len(performances))]


def order_probabilities(skills: Sequence[Skill], beta: float, top: int) -> dict[tuple[int, ...], float]:
    """Return the probability of every order of the first `top` players, as indexes of `skills`.

    Each is accurate to 1e-6; they sum to 1. Raises RatingError as `place_probabilities` does.
    """
    performances = _performances(skills, beta)
    step = min(deviation for _mean, deviation in performances) / _NODES_PER_DEVIATION
    nodes = list(_nodes(performances, step))
    densities = [[_density(performance, x) * step for x in nodes] for performance in performances]
    below = [[1.0 - _above(performance, x) for x in nodes] for performance in performances]
    probabilities: dict[tuple[int, ...], float] = {}
    _extend(probabilities, (), [1.0] * len(nodes), top, densities, below)
    return probabilities


def _performances(skills: Sequence[Skill], beta: float) -> list[Performance]:
    return [(mu, sqrt(sigma * sigma + beta * beta)) for mu, sigma in skills]


def _nodes(performances: Sequence[Performance], step: float) -> Iterator[float]:
    """Yield the nodes of the quadrature, upwards: all multiples of the step within reach of a performance."""
    ranges = sorted((mean - _REACH * deviation, mean + _REACH * deviation) for mean, deviation in performances)
    if sum(high - low for low, high in ranges) > _MAX_NODES * step:
        raise RatingError(
            "some of these skills are so much more certain than others that no forecast can be computed",
            "give the pool a larger beta, or leave the others out",
        )
    done = -inf
    for low, high in ranges:
        for node in range(ceil(max(low, done) / step), floor(high / step) + 1):
            yield node * step
        done = max(done, (floor(high / step) + 0.5) * step)


def _density(performance: Performance, x: float) -> float:
    """Return the density at x, 0 out of reach, where nothing needs to be computed."""
    mean, deviation = performance
    t = (x - mean) / deviation
    return exp(-0.5 * t * t) / (deviation * _ROOT_TWO_PI) if -_REACH <= t <= _REACH else 0.0


def _above(performance: Performance, x: float) -> float:
    """Return the probability of a performance above x."""
    mean, deviation = performance
    return 0.5 * erfc((x - mean) / (deviation * _ROOT_TWO))


def _counts_of_others(
    players: Sequence[int], counts: CountProbabilities, above: Sequence[Sequence[float]]
) -> Iterator[tuple[int, CountProbabilities]]:
    """Yield each player with the counts of all players but that one, by divide and conquer; `counts` has the others."""
    if len(players) == 1:
        yield players[0], counts
        return
    half = len(players) // 2
    for some, others in ((players[:half], players[half:]), (players[half:], players[:half])):
        yield from _counts_of_others(some, reduce(_with_player, (above[other] for other in others), counts), above)


def _with_player(counts: CountProbabilities, above: Sequence[float]) -> CountProbabilities:
    """Return the counts with one more player, whose probabilities of being above each node are given."""
    nobody = [0.0] * len(above)
    return [
        [same + probability * (fewer - same) for same, fewer, probability in zip(unchanged, before, above, strict=True)]
        for unchanged, before in zip((*counts, nobody), (nobody, *counts), strict=True)
    ]


def _extend(
    probabilities: dict[tuple[int, ...], float],
    order: tuple[int, ...],
    over: Sequence[float],
    remaining: int,
    densities: Sequence[Sequence[float]],
    below: Sequence[Sequence[float]],
) -> None:
    """Add all orders that begin with `order` and have `remaining` more players.

    `over` is the probability, at each node, that `order` holds and all its performances are above the node.
    """
    others = [player for player in range(len(densities)) if player not in order]
    for player in others:
        joint = [part * density for part, density in zip(over, densities[player], strict=True)]
        if remaining > 1:
            _extend(probabilities, (*order, player), _integrated_above(joint), remaining - 1, densities, below)
            continue
        for other in others:
            if other != player:
                joint = [part * under for part, under in zip(joint, below[other], strict=True)]
        probabilities[(*order, player)] = sum(joint)


def _integrated_above(values: Sequence[float]) -> list[float]:
    """Return the integral of the values from each node upwards, with cubic interpolation."""
    padded = (0.0, *values, 0.0, 0.0)
    total = 0.0
    integrals: list[float] = []
    for node in range(len(values) - 1, -1, -1):
        before, left, right, beyond = padded[node : node + 4]
        total += (13.0 * (left + right) - before - beyond) / 24.0
        integrals.append(total)
    return integrals[::-1]


MAX_EXACT_PLAYERS: Final = 5
"""The most players for whom every finishing order is evaluated."""
SAMPLES: Final = 1000
"""Finishing orders sampled for more players."""

Information = tuple[float, tuple[float, ...]]
"""The expected bits of a result, and each player's expected sigma after it."""


def match_quality(skills: Sequence[Skill], beta: float) -> float:
    """Return TrueSkill's match quality, from 0 to 1: the density of a tie of all, relative to equals of known skill.

    The result is that of `trueskill` 0.4.5 without matrices: where everybody plays alone, its determinants are sums.
    """
    variances = [sigma * sigma + beta * beta for _mu, sigma in skills]
    precision = sum(1.0 / variance for variance in variances)
    mean = sum(mu / variance for (mu, _sigma), variance in zip(skills, variances, strict=True)) / precision
    apart = sum((mu - mean) ** 2 / variance for (mu, _sigma), variance in zip(skills, variances, strict=True))
    surplus = sum(log(variance / (beta * beta)) for variance in variances) + log(precision * beta * beta / len(skills))
    return exp(-0.5 * (surplus + apart))


def evenness(first: Sequence[float]) -> float:
    """Return the entropy of the probabilities of coming first, relative to that of equal ones: from 0 to 1."""
    return -sum(probability * log(probability) for probability in first if probability > 0.0) / log(len(first))


def expected_information(skills: Sequence[Skill], parameters: Parameters, draw: Callable[[], float]) -> Information:
    """Return how much information the result is expected to give about the skills, in bits.

    The bits of a result are the sum of log2(sigma before / sigma after), after tau has been added: one bit halves the
    uncertainty about one skill. The mean is over every finishing order with its probability, or, with more than
    MAX_EXACT_PLAYERS, over SAMPLES orders; `draw` gives random numbers from 0 to below 1. Raises RatingError where the
    numbers overflow.
    """
    before = [sqrt(sigma * sigma + parameters.tau * parameters.tau) for _mu, sigma in skills]
    bits = 0.0
    after = [0.0] * len(skills)
    for order, probability in _weighted_orders(skills, parameters.beta, draw):
        places = [order.index(player) + 1 for player in range(len(skills))]
        for player, (_mu, sigma) in enumerate(rate_table(parameters, skills, places)):
            bits += probability * log2(before[player] / sigma)
            after[player] += probability * sigma
    return bits, tuple(after)


def _weighted_orders(
    skills: Sequence[Skill], beta: float, draw: Callable[[], float]
) -> Iterator[tuple[Sequence[int], float]]:
    """Yield orders of all players from first to last, each with its weight."""
    players = range(len(skills))
    if len(skills) <= MAX_EXACT_PLAYERS:
        yield from order_probabilities(skills, beta, len(skills)).items()
        return
    for _ in range(SAMPLES):
        performances = [mu + sqrt(sigma * sigma + beta * beta) * normal_deviate(draw) for mu, sigma in skills]
        yield sorted(players, key=performances.__getitem__, reverse=True), 1.0 / SAMPLES


def normal_deviate(draw: Callable[[], float]) -> float:
    """Return a standard normal number from two uniform ones, by the Box–Muller transform."""
    return sqrt(-2.0 * log(1.0 - draw())) * cos(2.0 * pi * draw())
