"""Run random play on an engine with a fault, in its own process: `python -m tests.harness.engine.faults FAULT`.

It runs on the sources even if a compiled engine is installed, which cannot be given a fault from outside.
"""

import subprocess
import sys
from pathlib import Path

from engine.build import build
from engine.rules import load_rules
from engine.state import State
from tests.harness.engine.contract_play import run

ROOT = Path(__file__).resolve().parents[3]
FAILED = 9
"""The exit code of a failed random play."""


def penalty_card_from_stock(state: State) -> int:
    """Take the penalty card from the stock instead of the penalty stock (000/1.6)."""
    if not state.stock and not state.penalty:
        state.reshuffle(state.pile)
        state.pile = []
    return (state.stock or state.penalty).pop()


def shuffle_losing_a_card(state: State, cards: list[int]) -> None:
    """Lose a card in every shuffle."""
    state.shuffles += 1
    state.stock = cards[1:]


def remove_but_remember(state: State, seat: int, face: int) -> None:
    """Remove the card from the hand but keep it among the cards known to be in it."""
    state.hands[seat].remove(face)


def show_last_discard(state: State) -> int | None:
    """Show the discard that closed the hand, which must lie face down (003/1.5)."""
    return state.pile[-1] if state.pile else None


FAULTS = {
    "penalty stock": ("draw_penalty", penalty_card_from_stock, "fournier"),
    "shuffle": ("reshuffle", shuffle_losing_a_card, "zoliky"),
    "known cards": ("lose", remove_but_remember, "oficial"),
    "last discard": ("visible_discard", show_last_discard, "oficial"),
}
"""Each fault: the method of `State` that it replaces, the wrong method, and a rule set under which play notices it."""


def random_play_fails(fault: str | None) -> bool:
    """Return whether random play fails with the fault; None runs it without a fault."""
    command = [sys.executable, "-m", "tests.harness.engine.faults", *([fault] if fault is not None else [])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, FAILED), done.stderr
    return done.returncode == FAILED


def main() -> int:
    """Play with the fault that the command line names, if any; return `FAILED` if random play fails, otherwise 0."""
    assert build().kind == "sources", "a fault can be given to the sources only"
    rules = "oficial"
    for fault in sys.argv[1:]:
        method, replacement, rules = FAULTS[fault]
        setattr(State, method, replacement)
    try:
        run(1_500, "a fault", load_rules(rules))
    except AssertionError:
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
