"""Create large events quickly: write people, rounds and results directly to the store in one transaction."""

import random
from collections.abc import Sequence

from tests.harness import desk
from tourney.domain.events import EventSettings
from tourney.domain.results import HandScore, Outcome
from tourney.domain.rounds import Round, Table
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent
from tourney.storage.journal import kinds
from tourney.storage.person_names import NewPerson
from tourney.storage.session import writing


def crowd(db: str, people: int = 200, rounds: int = 8, name: str = "Crowd", played: int | None = None) -> str:
    """Create an event of `people` players at tables of four, with all rounds or `played` of them; return its name."""
    rng = random.Random(7)
    event = apply(db, CreateEvent(EventSettings(name, "oficial", rounds=rounds)))
    with writing(db) as store:
        entrants = store.people.add_persons(
            [NewPerson(f"Player {number:03}", name, "") for number in range(1, people + 1)]
        )
        event = store.events.enter(event, entrants)
        for number in range(1, (rounds if played is None else played) + 1):
            order = rng.sample(entrants, people)
            tables = [
                Table(number, at, tuple(order[start : start + 4])) for at, start in enumerate(range(0, people, 4), 1)
            ]
            store.rounds.draw(event, Round(number, tuple(tables)))
            for table in tables:
                store.write(kinds.results.ResultEntered.of(event, table, sheet_outcome(rng, range(len(table.players)))))
    return name


def seated(db: str, tables: int) -> None:
    """Create an event of eight drawn rounds of `tables` tables each, without results."""
    event = apply(db, CreateEvent(EventSettings("Crowd", "oficial", rounds=8)))
    with writing(db) as store:
        people = store.people.add_persons([NewPerson(f"Player {number:03}", "", "") for number in range(4 * tables)])
        event = store.events.enter(event, people)
        for number in range(1, 9):
            seats = [people[(seat + number) % len(people)] for seat in range(len(people))]
            starts = enumerate(range(0, len(seats), 4), 1)
            round_tables = tuple(Table(number, table, tuple(seats[start : start + 4])) for table, start in starts)
            store.rounds.draw(event, Round(number, round_tables))


def sheet_outcome(rng: random.Random, seats: Sequence[int] = range(4), points: range = range(10, 91)) -> Outcome:
    """Return an outcome of seven hands, with random points of this range for all seats but the closer's."""
    hands = []
    for contract in desk.CONTRACTS:
        closer = rng.choice(seats)
        scores = tuple(0 if seat == closer else rng.choice(points) for seat in seats)
        hands.append(HandScore(contract, scores, closer, False))
    totals = tuple(sum(hand.points[seat] for hand in hands) for seat in seats)
    won = tuple(sum(hand.closer == seat for hand in hands) for seat in seats)
    places = tuple(1 + sum(other < total for other in totals) for total in totals)
    return Outcome(tuple(hands), totals, won, places)
