"""An event that the pages of the hall show: eight people, one table with a result and one without."""

from tests.harness import desk
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound


def make_drawn(db: str) -> None:
    desk.event(db, 8, rounds=2, lang="es")
    first = apply(db, DrawRound("Friday")).rounds[0].tables[0]
    apply(db, EnterResult("Friday", 1, 1, desk.hands([player.name for player in first.players])))


def names_at(db: str, table: int) -> list[str]:
    return [player.name for player in rounds.show(db, "Friday", 1).rounds[0].tables[table - 1].players]
