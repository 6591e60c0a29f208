"""Compare the repeats of plans of small tournaments with lower bounds, as a page of Markdown."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tourney.seating.model import Aim, table_sizes
from tourney.seating.plan import PlanWish, plan
from tourney.seating.quality.bounds import lower_bound
from tourney.seating.quality.metrics import judge

PAGE = Path(__file__).with_name("seating.md")
COMMAND = "python -m tests.benchmarks seating --sweep"
PLAYERS = range(5, 65)
ROUNDS = range(3, 11)
SIZE, LEAST = 4, 3

HEAD = f"""# Seating: attained against bound

Repeats (meetings of two players beyond their first) of whole tournaments: {PLAYERS[0]} to {PLAYERS[-1]}
players at tables of {SIZE} and short tables of {LEAST}, {ROUNDS[0]} to {ROUNDS[-1]} rounds. A single number is
proved to be the minimum: the plan attains the bound of `tourney/seating/quality/bounds.py`. `3 ≥ 0` is a plan with 3
repeats and a lower bound of 0. The seed only decides which player is which; the numbers are the same for every seed.

Made by `{COMMAND}`."""

SECTIONS: dict[Aim, str] = {
    "fewest repeats": "## As few repeats as possible",
    "no third meeting": """## No third meeting, where that can be avoided

The aim of events. The bound is that of plans in which no two players meet three times; `³` marks plans in which some
do, and their bound is that of the first table. These plans accept a repeat if it spares a player a round at a short
table that would be two or more above an equal share.""",
}


def write() -> Path:
    """Write the page again and return its path; this takes some minutes."""
    PAGE.write_text(page(), encoding="utf-8")
    return PAGE


def page() -> str:
    """Return the text of the page; show progress on standard error."""
    return "\n\n".join([HEAD, *map(_section, SECTIONS)]) + "\n"


def _section(aim: Aim) -> str:
    lines = [f"| Players | {' | '.join(f'{rounds} rounds' for rounds in ROUNDS)} |", "|---" * (len(ROUNDS) + 1) + "|"]
    for players in PLAYERS:
        sys.stderr.write(f"\r{aim}: {players} players ")
        lines.append(line(players, aim))
    sys.stderr.write("\n")
    return SECTIONS[aim] + "\n\n" + "\n".join(lines)


def line(players: int, aim: Aim) -> str:
    """Return the row of the table for a number of players."""
    return f"| {players} | {' | '.join(cells(players, aim, ROUNDS))} |"


def cells(players: int, aim: Aim, rounds: Sequence[int]) -> Iterator[str]:
    """Yield the repeats of the plan for each number of rounds, with the lower bound if the plan does not attain it."""
    sizes = table_sizes(players, SIZE, LEAST)
    for number in rounds:
        judged = judge(plan(players, SIZE, number, 1, PlanWish(least=LEAST, aim=aim)).rounds, players)
        thrice = aim == "no third meeting" and judged.most_meetings > 2
        bound = lower_bound(players, sizes, number, "fewest repeats" if thrice else aim).repeats
        cell = str(judged.repeats) if judged.repeats == bound else f"{judged.repeats} ≥ {bound}"
        yield cell + "³" * thrice
