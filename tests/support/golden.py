"""Writes the golden records of fixtures/records that bots have played: `python tests/support/golden.py`.

Each is a game under its rules whose seed was searched for what the rules are about. Comments tell each hand.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from engine.actions import (
    Action,
    Claim,
    Close,
    CloseHolding,
    LayDown,
    LayOff,
    MoveJoker,
    SwapJoker,
    TakeBack,
    parse_action,
)
from engine.cards import cards_text
from engine.game import Game
from engine.hand import Hand
from engine.play import play_game
from engine.record import HandRecord, Record, write
from engine.replay import replay_hand
from engine.rules import load_rules

RECORDS = Path(__file__).resolve().parents[2] / "fixtures" / "records"
NAMES = ("Ana", "Beñat", "Carla", "Diego", "Elena")

SHOWN = {
    "fournier": (5, r"swap \S+ \S+ to|claim"),
    "fournier+extended": (3, r"swap \S+ \S+ to"),
    "continental-rummy": (3, r"(?s)swap .* to.*move|move .* to.*swap"),
    "zoliky": (3, r"off"),
    "oficial+super": (2, r"off"),
    "oficial+openers": (2, r"claim"),
    "oficial+close5": (2, r"close \w\w"),
    "oficial+only-minus10": (2, r"off"),
    "oficial+last-minus10": (2, r"off"),
    "oficial+distinct": (3, r"off"),
    "oficial+claims3": (3, r"(?s)(\d) claim\n.*\1 claim\n.*\1 claim"),
    "oficial+no-joker-upcard": (2, r"off"),
    "oficial+no-jokers": (2, r"off"),
    "oficial+red-twos": (2, r"2[hd]\*"),
    "oficial+no-joker-discard": (2, r"swap"),
    "oficial+no-own-claim": (2, r"claim"),
    "oficial+two-jokers": (2, r"swap"),
}
"""To each rule set, and each variant that changes the play: players, and what must stand in the acts of one hand."""

KINDS: dict[type, str] = {
    Claim: "claims",
    LayDown: "lays down",
    TakeBack: "takes it back",
    LayOff: "lays off",
    SwapJoker: "exchanges a joker",
    MoveJoker: "moves a joker",
    CloseHolding: "closes with cards in hand",
    Close: "places every card",
}


def played(name: str) -> Record:
    """The first game of these rules, by the number of its seed, that shows what it should; the last seat is random,
    the others are greedy."""
    players, shown = SHOWN[name]
    bots = ["greedy"] * (players - 1) + ["random"]
    for number in range(200):
        record = play_game(load_rules(name), bots, f"golden {name} {number}", NAMES[:players]).record
        if shows(name, record, shown):
            return record
    raise ValueError(f"no game of {name} shows {shown}")


def shows(name: str, record: Record, shown: str) -> bool:
    """Whether the game has what it should show, a claim where there are claims, and is short enough to be followed."""
    hands = ["\n".join(hand.acts) for hand in record.hands]
    dead = sum(hand.closer is None for hand in record.hands)
    # Where one must close at once, most hands are played to the end of the stock.
    most_dead, longest = (7, 700) if name == "oficial+only-minus10" else (0, 160)
    if dead > most_dead or any(len(hand.acts) > longest for hand in record.hands):
        return False
    claimed = any("claim" in acts for acts in hands) or name == "zoliky"
    return claimed and any(re.search(shown, acts) for acts in hands)


def commented(record: Record) -> str:
    """The record's text with a comment before each hand."""
    rules = load_rules(record.rules)
    size = f"{len(record.players)} players, {len(record.hands)} hands"
    about = (
        f"A game of `{record.rules}`, all of it: {size}. Seats count from 1 in the order of play, the first dealer "
        "first; melds count from 1 as they are laid, `low` is the low end of a run. Who does not claim is not written. "
        "The hands dealt follow from the seed. Played by the bots `greedy` and, in the last seat, `random`, of this "
        "project; the names are invented. MIT, like the code."
    )
    head = "\n".join(wrapped(about)) + "\n"
    text, game = write(record), Game(rules, len(record.players), record.seed or "")
    parts = text.split("\n[[hands]]\n")
    told = []
    for number, written in enumerate(record.hands, 1):
        hand = game.next_hand()
        told.append("\n".join(comment(record, written, hand, number)))
        game.keep(replay_hand(hand, written, number))
    return head + parts[0] + "".join(f"\n{one}\n[[hands]]\n{part}" for one, part in zip(told, parts[1:], strict=True))


def comment(record: Record, written: HandRecord, hand: Hand, number: int) -> Iterator[str]:
    """Who deals what, what happens, and how it ends; the hand is as dealt, and a copy of it is played."""
    names, seen = record.players, hand.view(0)
    dealt = len(seen.hand)
    up = f"The upcard is {cards_text([seen.top])}." if seen.top is not None else "There is no upcard."
    leader = names[seen.turn]
    yield f"# Hand {number}, {written.contract}: {names[seen.dealer]} deals {dealt} cards each, {leader} leads. {up}"
    for seat, name in enumerate(names):
        yield f"#   {name}: {cards_text(hand.view(seat).hand.cards())}"
    after = hand.clone()
    replay_hand(after, written, number)
    yield from wrapped(story(written, names))
    yield from wrapped(ending(written, names, after))


def story(written: HandRecord, names: tuple[str, ...]) -> str:
    """The acts that are no mere draws and discards, repeated ones once."""
    told: list[str] = []
    for line in written.acts:
        seat, _, text = line.partition(" ")
        act: Action = parse_action(text)
        if type(act) in KINDS:
            one = f"{names[int(seat) - 1]} {KINDS[type(act)]}"
            if not told or told[-1] != one:
                told.append(one)
    return "; ".join(told) + "." if told else "Nobody does more than draw and discard."


def ending(written: HandRecord, names: tuple[str, ...], after: Hand) -> str:
    """Who closed and what the others hold."""
    left = [
        f"{name} {cards_text(after.view(seat).hand.cards())} ({written.points[seat]})"
        for seat, name in enumerate(names)
        if seat != written.closer
    ]
    if written.closer is None:
        return f"Nobody closes: the stock is used up. Left: {'; '.join(left)}."
    when = "in the turn of laying down" if written.at_once else "having laid down before"
    points = written.points[written.closer]
    return f"{names[written.closer]} closes, {when}: {points}. Left: {'; '.join(left)}."


def wrapped(text: str) -> Iterator[str]:
    """Comment lines of at most 120 letters."""
    line = "#"
    for word in text.split():
        if len(line) + 1 + len(word) > 120:
            yield line
            line = "#"
        line += f" {word}"
    yield line


def main() -> None:
    """Writes every record anew."""
    for name in SHOWN:
        (RECORDS / f"{name}.toml").write_text(commented(played(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
