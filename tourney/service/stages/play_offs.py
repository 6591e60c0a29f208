"""The hand that players who are level at the border of a stage play: which one, and who sits where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Stage
from tourney.rulebook import rulesets
from tourney.seating.rng import seeded_rng, shuffled
from tourney.service.stages.advance import names_of
from tourney.standings.cuts import Cut
from tourney.text.i18n import _, ngettext

_PLACES: Final = ("FIRST", "SECOND", "THIRD", "FOURTH")


def order_to_type(players: int) -> str:
    """Return what stands for the names of so many players in a command: pasted as it is, it decides nothing."""
    return ",".join(_PLACES[:players]) if players <= len(_PLACES) else ",".join((*_PLACES[:2], "..."))


def play_off_lines(event: Event, stage: Stage, decided: Cut) -> Iterator[str]:
    """Yield for each border which hand its players play for how many places, and who sits where."""
    for each in decided.play_offs:
        text = ngettext(
            "Play-off hand for {stage}{hand}: the fewest points win {places} place.",
            "Play-off hand for {stage}{hand}: the fewest points win {places} places.",
            each.places,
        )
        hand = _hand(event, stage)
        yield text.format(stage=stage.name, places=each.places, hand=f" ({hand})" if hand else "")
        tables = seats(event, stage, each.players)
        for number, players in enumerate(tables, 1):
            line = _("Seats (the first deals): {names}.") if len(tables) == 1 else _("Table {table}: {names}.")
            yield line.format(table=number, names=names_of(players))
        if len(tables) > 1:
            yield _("The first at each table deals; the points of all these tables are compared.")


def _hand(event: Event, stage: Stage) -> str:
    """Return the hand that is played: the last of a game of the stage before; "" where games have no fixed hands."""
    stages = event.settings.stages
    before = next((each for each, following in pairwise(stages) if following == stage), None)
    if before is not None and before.hands:
        return before.hands[-1]
    hands = rulesets.contracts(event.rules)
    return hands[-1][0] if hands else ""


def seats(event: Event, stage: Stage, players: Sequence[Player]) -> list[list[Player]]:
    """Return the tables of a play-off hand in seat order, by lot: as few as the rules allow, of nearly equal size."""
    order = shuffled(list(players), seeded_rng("play-off", event.settings.seed, stage.name))
    number = -(-len(order) // rulesets.table_limits(event.rules)[1])
    return [order[at::number] for at in range(number)]
