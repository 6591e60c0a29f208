"""Play 1,001 hands with the installed engine and print their hash: `python tests/thousand_hands.py [EXPECTED]`.

Runs alone, from any folder, as a wheel is tested where it was built. Exit code 1 if another hash was expected.
"""

import hashlib
import sys
from collections.abc import Sequence

BOTS = ("greedy", "planner", "greedy", "random")
GAMES = 143
"""Games of seven hands each."""


def played(games: int) -> str:
    """Return the SHA-256 of the records of so many games of four bots."""
    from engine.play import play_game
    from engine.records.record import write
    from engine.rules import load_rules

    digest, rules = hashlib.sha256(), load_rules("oficial")
    for game in range(games):
        digest.update(write(play_game(rules, BOTS, f"wheel {game}").record).encode())
    return digest.hexdigest()


def main(words: Sequence[str], games: int = GAMES) -> int:
    """Print the hash, and compare it with the one that is expected."""
    found = played(games)
    sys.stdout.write(f"{found}\n")
    if words and words[0] != found:
        sys.stderr.write(f"error: these hands have another hash than the plain build's {words[0]}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
