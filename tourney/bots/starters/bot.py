"""A bot for `tourney`: it reads and writes the lines of the protocol (`tourney guide protocol`).

It lays down as soon as it can, adds what fits, and discards what counts most and goes with nothing else.
"""

import sys

RANKS = "A23456789TJQK"
POINTS = dict(zip(RANKS, (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
WANTED = ("close", "continental", "color", "rummy", "knock", "down", "off")
"""The kinds of action that are taken as soon as they are offered, the best first."""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()  # without it nothing is sent


def hear() -> str:
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.rstrip("\n")


def worth(card: str, others: list[str]) -> int:
    """Return how gladly a card is discarded: its points, less what it may become with the other cards."""
    if card == "Jk":
        return -1000
    rank, suit = RANKS.index(card[0]), card[1]
    company = 0
    for other in others:
        if other == card or other == "Jk":
            continue
        if other[0] == card[0]:
            company += 8
        elif other[1] == suit and abs(RANKS.index(other[0]) - rank) <= 2:
            company += 4
    return POINTS[card[0]] - company


def best_discard(cards: list[str]) -> str:
    return max(cards, key=lambda card: worth(card, cards))  # the first of equals


def choose(actions: list[str]) -> int:
    """Return the number, from 1, of the action to take."""
    for kind in WANTED:
        for number, action in enumerate(actions, 1):
            if action.split()[0] == kind:
                return number
    cards = [action[len("discard ") :] for action in actions if action.startswith("discard ")]
    if cards:
        return actions.index("discard " + best_discard(cards)) + 1
    if "decline" in actions:
        return actions.index("decline") + 1
    return 1  # draw from the stock


def main() -> None:
    while True:
        words = hear().split()
        if words[:1] == ["tourney"]:
            say("hello 1 NAME 0.1")
            say("claims none")  # I never claim a discard: do not ask me
            say("takes none")  # nor take one in my turn
            say("ready")
        elif words[:1] == ["ask"]:
            listed = [hear().partition(" ")[2] for _ in range(int(words[2]))]
            say(str(choose(listed)))
        elif words[:1] == ["bye"]:
            return


if __name__ == "__main__":
    main()
