"""A large event, made quickly: people, rounds and results straight into one transaction."""

import random

from tourney.domain import Event, EventSettings, HandScore, Outcome, Player, Round, Table
from tourney.service import events
from tourney.storage import NewPerson, Store, writing

CONTRACTS = ("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")


def crowd(db: str, people: int = 200, rounds: int = 8, name: str = "Crowd", played: int | None = None) -> str:
    """An event of that many people at tables of four; all rounds, or so many, drawn and played; its name."""
    event = events.new(db, EventSettings(name, "oficial", rounds=rounds))
    with writing(db) as store:
        entrants = store.add_persons([NewPerson(f"Player {number:03}", name, "") for number in range(1, people + 1)])
        play(store, store.enter(event, entrants), rounds if played is None else played)
    return name


def play(store: Store, event: Event, rounds: int, seed: int = 7) -> None:
    """Draws and plays so many rounds of an event, all entrants at tables of four."""
    chance = random.Random(seed)
    people = len(event.entrants)
    for number in range(1, rounds + 1):
        order = chance.sample(event.entrants, people)
        tables = [Table(number, at, tuple(order[start : start + 4])) for at, start in enumerate(range(0, people, 4), 1)]
        store.draw(event, Round(number, tuple(tables)))
        for table in tables:
            store.keep_result(event, table, _outcome(chance, table.players))


def _outcome(chance: random.Random, players: tuple[Player, ...]) -> Outcome:
    seats = range(len(players))
    hands = []
    for contract in CONTRACTS:
        closer = chance.choice(seats)
        points = tuple(0 if seat == closer else chance.randint(10, 90) for seat in seats)
        hands.append(HandScore(contract, points, closer, False))
    totals = tuple(sum(hand.points[seat] for hand in hands) for seat in seats)
    won = tuple(sum(hand.closer == seat for hand in hands) for seat in seats)
    places = tuple(1 + sum(other < total for other in totals) for total in totals)
    return Outcome(tuple(hands), totals, won, places)
