"""The sweep of small tournaments: repeats that plans attain beside lower bounds, as a page of Markdown."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tourney.seating.model import Aim
from tourney.seating.plan import plan
from tourney.seating.quality.bounds import lower_bound
from tourney.seating.quality.metrics import judge
from tourney.seating.sizes import table_sizes

PAGE = Path(__file__).with_name("seating.md")
COMMAND = "python -m tests.benchmarks seating --sweep"
PLAYERS = range(5, 65)
ROUNDS = range(3, 11)
SIZE, LEAST = 4, 3

HEAD = f"""# Seating: attained against bound

Repeat meetings, that is meetings of two players beyond their first, of whole tournaments: {PLAYERS[0]} to {PLAYERS[-1]}
players at tables of {SIZE} and short tables of {LEAST}, {ROUNDS[0]} to {ROUNDS[-1]} rounds. A number alone is proved
to be the least: the plan attains the bound of `tourney/seating/quality/bounds.py`. In `3 ≥ 0` the plan has 3, and it
is only proved that none has fewer than 0. The seed draws who is who; the numbers are the same for every seed.

Made by `{COMMAND}`."""

SECTIONS: dict[Aim, str] = {
    "fewest repeats": "## As few repeats as can be",
    "no third meeting": """## Nobody meets three times, where that can be avoided

What an event asks for. The bound is that of plans in which nobody meets three times; `³` marks plans in which somebody
does, and their bound is that of the first table. A repeat is put up with here where it spares somebody a turn at a
short table that is two or more above an equal share.""",
}


def write() -> Path:
    """Write the page again, which takes some minutes; return its path."""
    PAGE.write_text(page(), encoding="utf-8")
    return PAGE


def page() -> str:
    """Return the page, with progress on standard error."""
    return "\n\n".join([HEAD, *map(_section, SECTIONS)]) + "\n"


def _section(aim: Aim) -> str:
    lines = [f"| Players | {' | '.join(f'{rounds} rounds' for rounds in ROUNDS)} |", "|---" * (len(ROUNDS) + 1) + "|"]
    for players in PLAYERS:
        sys.stderr.write(f"\r{aim}: {players} players ")
        lines.append(line(players, aim))
    sys.stderr.write("\n")
    return SECTIONS[aim] + "\n\n" + "\n".join(lines)


def line(players: int, aim: Aim) -> str:
    """Return the row of that many players."""
    return f"| {players} | {' | '.join(cells(players, aim, ROUNDS))} |"


def cells(players: int, aim: Aim, rounds: Sequence[int]) -> Iterator[str]:
    """Yield the repeats attained for each number of rounds, with the bound where that is lower."""
    sizes = table_sizes(players, SIZE, LEAST)
    for number in rounds:
        found = judge(plan(players, SIZE, number, 1, least=LEAST, aim=aim).rounds, players)
        thrice = aim == "no third meeting" and found.most_meetings > 2
        bound = lower_bound(players, sizes, number, "fewest repeats" if thrice else aim).repeats
        shown = str(found.repeats) if found.repeats == bound else f"{found.repeats} ≥ {bound}"
        yield shown + "³" * thrice
