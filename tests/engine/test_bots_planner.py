"""The bot `planner`: lawful under every rule set, repeatable, and what each of its abilities does."""

from collections.abc import Iterator

import pytest

from engine.play import play_game
from engine.record import read, write
from engine.replay import replay
from engine.rules import Rules, all_rules, load_rules, variants_of

STAKE = 50
"""The stake of a knock game; there is no other."""


def tables() -> Iterator[tuple[str, int]]:
    """Each rule set with the fewest and the most players, each of its variants with the most."""
    for name in all_rules():
        players = load_rules(name).players
        yield from ((name, number) for number in (players.least, players.most))
        for variant in variants_of(name):
            yield f"{name}+{variant}", load_rules(f"{name}+{variant}").players.most


def stake(rules: Rules) -> int:
    return STAKE if rules.kind == "knock" else 0


@pytest.mark.parametrize(("name", "players"), list(tables()))
def test_a_game_among_greedy_bots_is_played_to_its_end_and_replays(name: str, players: int) -> None:
    """Every act is legal, or the game would stop; the text replays to the same outcome; a second game is the same."""
    rules = load_rules(name)
    bots = [("planner", "planner", "greedy")[seat % 3] for seat in range(players)]
    played = play_game(rules, bots, f"planners of {players}", stake=stake(rules))
    assert replay(read(write(played.record))) == played.result
    assert play_game(rules, bots, f"planners of {players}", stake=stake(rules)) == played
