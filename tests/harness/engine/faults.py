"""Random play on an engine with a fault: a program of its own, `python -m tests.harness.engine.faults FAULT`.

The sources run whatever build is installed, since a compiled engine cannot be given a fault from outside.
"""

import subprocess
import sys
from pathlib import Path

from engine.build import build
from engine.rules import load_rules
from engine.state import State
from tests.harness.engine.contract_play import run

ROOT = Path(__file__).resolve().parents[3]
NOTICED = 9
"""The exit code that says that random play has failed."""


def from_the_turn_stock(state: State) -> int:
    """Take the penalty card from the stock instead of the penalty stock (000/1.6)."""
    if not state.stock and not state.penalty:
        state.reshuffle(state.pile)
        state.pile = []
    return (state.stock or state.penalty).pop()


def loses_one(state: State, cards: list[int]) -> None:
    """Lose a card in every shuffle."""
    state.shuffles += 1
    state.stock = cards[1:]


def remembers(state: State, seat: int, face: int) -> None:
    """Remove the card but keep it among those known to be in the hand."""
    state.hands[seat].remove(face)


def lies_open(state: State) -> int | None:
    """Show the last discard of all (003/1.5)."""
    return state.pile[-1] if state.pile else None


FAULTS = {
    "penalty stock": ("draw_penalty", from_the_turn_stock, "fournier"),
    "shuffle": ("reshuffle", loses_one, "zoliky"),
    "known cards": ("lose", remembers, "oficial"),
    "last discard": ("visible_discard", lies_open, "oficial"),
}
"""The replacement of a method of the state that each fault makes, and the rules under which it shows."""


def noticed(fault: str | None) -> bool:
    """Return whether random play fails with that fault, or without any."""
    words = [sys.executable, "-m", "tests.harness.engine.faults", *([fault] if fault is not None else [])]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, NOTICED), done.stderr
    return done.returncode == NOTICED


def main() -> int:
    """Play with the fault that is named, if any is."""
    assert build().kind == "sources", "a fault goes into the sources"
    rules = "oficial"
    for fault in sys.argv[1:]:
        method, wrong, rules = FAULTS[fault]
        setattr(State, method, wrong)
    try:
        run(1_500, "a fault", load_rules(rules))
    except AssertionError:
        return NOTICED
    return 0


if __name__ == "__main__":
    sys.exit(main())
