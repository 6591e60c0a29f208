"""The time of a season of forty evenings, of which ten must take no more than a second."""

import random
import time
from pathlib import Path

import pytest

from tourney.domain.events import EventSettings
from tourney.domain.results import HandScore, Outcome
from tourney.domain.rounds import Round, Table
from tourney.domain.rules import RulesRef
from tourney.domain.seasons import CountedEvent, SeasonSettings
from tourney.service.seasons import standings
from tourney.storage.person_names import NewPerson
from tourney.storage.session import writing

CONTRACTS = ("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")
EVENINGS, PLAYERS, ROUNDS = 40, 40, 4


def outcome(chance: random.Random) -> Outcome:
    """Return a game of four with points as they occur, so that ties are as rare as in clubs."""
    hands = []
    for contract in CONTRACTS:
        closer = chance.randrange(4)
        points = tuple(0 if seat == closer else chance.randrange(3, 140) for seat in range(4))
        hands.append(HandScore(contract, points, closer, False))
    totals = tuple(sum(hand.points[seat] for hand in hands) for seat in range(4))
    won = tuple(sum(hand.closer == seat for hand in hands) for seat in range(4))
    return Outcome(tuple(hands), totals, won, tuple(1 + sum(other < own for other in totals) for own in totals))


def make(db: str) -> None:
    """Create a season of evenings of four rounds."""
    chance, numbers = random.Random(1), []
    with writing(db) as store:
        store.add_persons([NewPerson(f"Player {number:02}", "", "") for number in range(PLAYERS)])
        people = list(store.players())
    for evening in range(EVENINGS):
        with writing(db) as store:
            day = f"2026-{1 + evening // 28:02}-{1 + evening % 28:02}"
            settings = EventSettings(f"E{evening}", "oficial", rounds=ROUNDS, date=day)
            event = store.enter(store.new_event(settings, RulesRef("oficial", "digest")), people)
            numbers.append(event.id)
            for number in range(1, ROUNDS + 1):
                order = chance.sample(people, PLAYERS)
                tables = tuple(Table(number, 1 + at // 4, tuple(order[at : at + 4])) for at in range(0, PLAYERS, 4))
                store.draw(event, Round(number, tables, ()))
                for table in tables:
                    store.keep_result(event, table, outcome(chance))
    with writing(db) as store:
        season = store.new_season(SeasonSettings("Season", best=20))
        store.add_to_season(season, [CountedEvent(number) for number in numbers])


@pytest.mark.soak
def test_ten_seasons_of_forty_evenings_and_forty_players_take_a_second(tmp_path: Path) -> None:
    """Processor time of this process, the best of five runs of one season, times ten; 6,400 games and 11,200 hands."""
    db = str(tmp_path / "club.db")
    make(db)
    standings.standings(db)
    times = []
    for _run in range(5):
        start = time.process_time()
        table = standings.standings(db)
        times.append(time.process_time() - start)
    assert [row.counting for row in table.rows] == [20] * PLAYERS
    assert 10 * min(times) <= 1
