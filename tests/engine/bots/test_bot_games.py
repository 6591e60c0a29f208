"""Check games of the built-in bots under every rule set and number of players, and that greedy beats random."""

from collections.abc import Iterator

import pytest

from engine.play import play_game, play_results
from engine.records.record import read, write
from engine.records.replay import replay
from engine.rules import Rules, all_rules, load_rules, variants_of

STAKE = 50
"""The stake of a knock game; other games have none."""

GAMES = 10
"""The number of games for each rule set in which greedy must beat random; the bots exchange seats after each game."""


def stake(rules: Rules) -> int:
    return STAKE if rules.kind == "knock" else 0


def tables() -> Iterator[tuple[str, int]]:
    """Yield each rule set with every number of players that it allows, and each of its variants with the most."""
    for name in all_rules():
        players = load_rules(name).players
        yield from ((name, number) for number in range(players.least, players.most + 1))
        for variant in variants_of(name):
            yield f"{name}+{variant}", load_rules(f"{name}+{variant}").players.most


@pytest.mark.parametrize(("name", "players"), list(tables()))
def test_a_game_of_bots_is_played_to_its_end_and_replays(name: str, players: int) -> None:
    """Check that the game ends, that money sums to zero, and that record and seed give the same game again."""
    rules = load_rules(name)
    bots = [("planner", "greedy", "random")[(seat + players) % 3] for seat in range(players)]
    played = play_game(rules, bots, f"table of {players}", stake=stake(rules))
    assert read(write(played.record)) == played.record
    assert replay(played.record) == played.result
    assert play_results(rules, bots, f"table of {players}", stake=stake(rules)) == played.result
    if rules.kind == "contract":
        assert [hand.contract for hand in played.result.hands] == [hand for hand, _dealt in rules.contracts.hands.order]
        assert played.result.money == ()
    else:
        assert sum(played.result.money) == 0
        assert max(played.result.money) > 0


@pytest.mark.parametrize("name", all_rules())
def test_greedy_beats_random_under_every_rule_set(name: str) -> None:
    """Check that greedy has less than half of random's points a game; in the knock game it wins a stake more."""
    rules = load_rules(name)
    sums = {"greedy": 0, "random": 0}
    for number in range(GAMES):
        bots = ["greedy", "random", "greedy", "random"] if number % 2 else ["random", "greedy", "random", "greedy"]
        result = play_game(rules, bots, f"better {number}", stake=stake(rules)).result
        for bot, gain in zip(bots, result.money if rules.kind == "knock" else result.points, strict=True):
            sums[bot] += gain
    greedy, random = (total / (2 * GAMES) for total in (sums["greedy"], sums["random"]))
    if rules.kind == "knock":
        assert greedy - random > STAKE, f"{greedy} against {random}"
    else:
        assert greedy < random / 2, f"{greedy} against {random}"
